"""The construction under noise of a finite size: its parts, what good draws mean, and the bound beside samples."""

import functools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.sharpness.noisy_loss.draws import clipped, root_mean_square
from boundaudit.checks.sharpness.noisy_loss.passes import RESIDUAL
from boundaudit.checks.sharpness.noisy_loss.scalars import NOISY, formula
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.noise import moved
from boundaudit.numeric.sharpness.noisy_loss import NoisyPass
from boundaudit.numeric.sharpness.target import Target, TargetBatch

SETS = ((1, 2), (2, 3), (1, 5))
COEFFICIENTS = (0.5, 0.6, 0.3)


def _pass(sigma: float, kappa: float, draws: int = 40) -> NoisyPass:
    batch = TargetBatch.stack([Target(5, SETS, COEFFICIENTS)])
    bits = (torch.arange(32)[:, None] >> torch.arange(4, -1, -1)) & 1 == 1
    one = torch.ones(1, dtype=torch.float64)
    return NoisyPass.drawn(batch, bits, sigma * one, kappa * one, mlp="steep", draws=draws)


def test_parts_add_up_to_the_change_of_the_output() -> None:
    found = _pass(0.02, 3.0)
    whole = found.first + found.unused + found.bend + found.cross
    torch.testing.assert_close(whole, found.change, rtol=0, atol=1e-12)
    noisy = forward(moved(found.blocks, found.noise, found.sigma), found.batch, found.bits)
    torch.testing.assert_close(found.new.output, noisy, rtol=0, atol=1e-12)


def test_targets_values_and_grid_points() -> None:
    found = _pass(0.001, 5.0, draws=1)
    expected = [
        sum(c for s, c in zip(SETS, COEFFICIENTS, strict=True) if sum(bits[0][n - 1] for n in s) % 2 == 0)
        for bits in found.bits.tolist()
    ]
    assert found.target[:, 0].tolist() == pytest.approx(expected)
    for row, members in enumerate(SETS):
        counted = [sum(bits[0][n - 1] for n in members) / 2 for bits in found.bits.tolist()]
        assert found.grid[:, 0, row].tolist() == counted
    # 2(k+1) units of a row are on, each with 4D/u = 8 in size.
    torch.testing.assert_close(found.counted, 64 * 2 * (2 * found.grid + 1) * found.active, rtol=0, atol=1e-9)


def test_no_active_row_flips_on_good_draws_and_many_do_on_others() -> None:
    flat = _pass(0.002, 4.0)
    active = flat.active & flat.good[..., None]
    assert float(flat.good.double().mean()) > 0.8
    assert float((flat.flips.abs() * active).max()) < 1e-12
    rough = _pass(0.2, 4.0)
    assert float((rough.flips.abs() * rough.active).max()) > 0.5


def _given_noise(one: NoisyPass, of: Callable[[NoisyPass], Tensor], *names: str) -> Tensor:
    """The mean square over some blocks of what is linear in their noise: the squared slope."""
    noise = one.noise.with_weights([e.clone().requires_grad_(name in names) for name, e in one.noise.named()])
    value = of(replace(one, noise=noise))
    slopes = torch.autograd.grad(value.sum(), [getattr(noise, name) for name in names])
    return sum((slope.flatten(1).square().sum(-1, keepdim=True) for slope in slopes), torch.zeros(()))


def test_mean_squares_given_layer_1_are_squared_slopes_in_the_noise() -> None:
    found = _pass(0.002, 4.0, draws=2)
    sigma = found.sigma[:, None]

    def by_inputs(one: NoisyPass) -> Tensor:
        noise = found.size[..., None] * (found.new.averaged @ one.noise.M[:, None] + one.noise.Gamma[:, None, None])
        on = found.old.averaged[..., -1:] + found.blocks.Gamma[:, None, None] > 0
        return found.mean(found.active * (noise * on * found.output).sum(-1))

    def by_blocks(one: NoisyPass) -> Tensor:
        """The rest of the first-order part, for a query without noise."""
        hidden, stream, logits = found.new.hidden, found.new.stream, found.blocks.W2[:, None, :, -2]
        written, query = hidden @ one.noise.F[:, None], stream[:, :, -1:]
        keyed = (written * logits[:, :, None]).sum(-1)
        turned = logits[..., : keyed.shape[-1]] * written[:, :, -1:, -2] + keyed
        turned = turned + (stream @ one.noise.W2[:, None] @ query.mT)[..., 0]
        values = found.total * written[..., -1] + (stream * one.noise.V2[:, None, None]).sum(-1)
        return sigma * (found.mean(values) + (found.centred * turned).sum(-1))

    torch.testing.assert_close(found.energy * sigma**2, _given_noise(found, by_inputs, "M", "Gamma"))
    logits, hidden, stream = found.covaried
    query, row = found.new.hidden[:, :, -1].norm(dim=-1), found.new.stream[:, :, -1].norm(dim=-1)
    keys = found.keys.norm(dim=-1)[:, None] * hidden
    rest = (found.total[..., 0] * found.read_rows).square() + found.kept_rows.square()
    rest = rest + (query * logits).square() + keys.square() + (row * stream).square()
    torch.testing.assert_close(rest * sigma**2, _given_noise(found, by_blocks, "F", "W2", "V2"))


def _means(of: Callable[..., Array], count: int) -> float:
    """A mean over independent standard normal variables, exact for polynomials of degree 15 in each."""
    nodes, shares = np.polynomial.hermite_e.hermegauss(8)
    grid = np.meshgrid(*[nodes] * count, indexing="ij")
    weight = functools.reduce(np.multiply.outer, [shares / shares.sum()] * count)
    return float((of(*grid) * weight).sum())


def test_fourth_moments_are_those_of_normal_variables() -> None:
    sizes = (0.7, 1.3, 0.4, 0.9)
    query, key, grown, row = sizes
    exact = _means(lambda o, q, w: (query * o + key * q * (1 + grown * o) + row * w) ** 4, 3)
    assert float(theory.fourth_moment(*sizes)) == pytest.approx(exact, rel=1e-12)
    assert float(theory.fourth_root(*sizes)) ** 4 > exact
    found = _pass(0.05, 4.0, draws=1)
    hidden, stream = found.new.hidden[3, 0], found.new.stream[3, 0]
    logit = float(found.keys[3, 1]) - float(found.keys[3].max()) / 2
    o, w = float(hidden[-1].norm()), float(stream[1].norm() * stream[-1].norm())
    q = float(found.keys[3].norm() * found.apart[3, 0, 1].norm())
    again = _means(lambda a, b, c: (o * logit * a + q * b * (1 + 0.05 * o * a) + w * c) ** 4, 3)
    assert float(found.logit_fourth[3, 0, 1]) == pytest.approx(0.05 * again**0.25, rel=1e-9)


def test_what_noise_of_inputs_adds_to_values_by_drawing_it() -> None:
    """Within five standard errors, of which the same draws tell the size."""
    found, draws = _pass(0.02, 4.0, draws=1), 20_000
    rng, rows = np.random.default_rng(1), found.new.averaged[5, 0].numpy()
    noise = rng.standard_normal((draws, rows.shape[-1], 12)), rng.standard_normal((draws, 1, 12))
    inputs = 0.02 * (rows @ noise[0] + noise[1])
    size, still = found.output[0, 0, 0].abs().numpy(), found.flips[5, 0].abs().numpy()
    idle = found.old.second[5, 0].numpy() * ~found.active[5, 0].numpy()
    squares = (idle * (still + (np.abs(inputs) * size).sum(-1))).sum(-1) ** 2
    assert abs(squares.mean() - float(found.unused_given[5, 0])) < 5 * squares.std() / draws**0.5
    on = (found.old.averaged[5, 0, :, -1:] + found.blocks.Gamma[5] > 0).numpy() * found.output[5, 0, 0].numpy()
    written, kept = rng.standard_normal((draws, 12)), rng.standard_normal((draws, 7))
    total, hidden, stream = float(found.total[5, 0, 0]), found.new.hidden[5, 0, 0], found.new.stream[5, 0, 0]
    moved = total * ((inputs[:, 0] * on[0]).sum(-1) + 0.02 * written @ hidden.numpy()) + 0.02 * kept @ stream.numpy()
    fourth = moved**4
    assert abs(fourth.mean() - float(found.value_fourth[5, 0, 0]) ** 4) < 5 * fourth.std() / draws**0.5


def test_every_draw_keeps_to_what_weights_along_the_way_allow() -> None:
    """Exactly, for noise from small to so large that outputs turn round."""
    for sigma in (0.0005, 0.02, 0.3):
        found = _pass(sigma, 6.0, draws=20)
        grown, total = found.turn.exp(), found.total[..., 0]
        squares, values = found.turned_squares, found.value_squares
        assert (found.bend.abs() <= total / 2 * grown * squares * (1 + 1e-9) + 1e-12).all()
        assert (found.unused.abs() <= total * grown * found.unused_size * (1 + 1e-9) + 1e-12).all()
        still = found.flips.abs().where(found.active, 0.0).amax(-1) < 1e-12
        cross = found.cross.abs()[still]
        assert (cross <= (grown * (values * squares).sqrt())[still] * (1 + 1e-9) + 1e-12).all()
    assert float(found.bend.abs().max()) > 0.1


def test_bad_draws_are_as_rare_as_the_union_bound_says() -> None:
    point = {"T": 5, "D": 2, "omega": 3, "u": 1, "c": COEFFICIENTS, "sigma": 0.001, "kappa_nl": 3.5}
    allowed = float(formula(lambda: theory.BAD)([point], "cpu")[0])
    found = _pass(0.001, 3.5, draws=100)
    share = float((~found.good).double().mean())
    assert 0 < share < allowed < 0.35
    assert float(formula(lambda: theory.EVENTS)([point], "cpu")[0]) == float(found.events[0, 0])


def test_second_order_is_small_beside_first_at_small_noise() -> None:
    point = {"T": 5, "D": 2, "omega": 3, "u": 1, "c": COEFFICIENTS, "kappa_nl": 6.0}
    small, tiny = ({**point, "sigma": sigma} for sigma in (1e-4, 1e-6))
    bend, first = formula(lambda: theory.BEND), formula(lambda: theory.every_part(theory.EVERY_INPUT)[0])
    ratios = [float(bend([p], "cpu")[0] / first([p], "cpu")[0]) for p in (small, tiny)]
    assert ratios[1] == pytest.approx(ratios[0] / 100, rel=0.05)
    assert ratios[0] < 0.01


def test_the_bound_says_nothing_where_good_draws_may_leave_the_plateaus() -> None:
    average = next(case for case in clipped.members if case.case == "average")
    point = {"T": 4, "D": 2, "omega": 1, "u": 1, "c": (0.9,), "S": ((1, 2),), "kappa_nl": 6.0, "n_nl": 8}
    wide, narrow = ({**point, "sigma": sigma} for sigma in (0.1, 1e-4))
    assert average.domain.contains(wide) is False
    assert NOISY.contains(wide) is average.domain.contains(narrow) is True
    left, right = (float(side_values(side, [narrow], "cpu")[0]) for side in (average.left, average.right))
    assert 0 < left < right < 0.1
    root = float(side_values(root_mean_square(RESIDUAL), [narrow], "cpu")[0])
    whole = formula(lambda: theory.clipped(sp.Symbol("root"), theory.AVERAGE_INPUT))([{**narrow, "root": root}], "cpu")
    assert right == pytest.approx(float(whole[0]), rel=1e-12)
