"""Gradients in closed form against other ways to them, where their bounds are attained, and what the proofs assume."""

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
import torch

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.language.points import Point, columns
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.gradients import blocks, rows, total
from boundaudit.checks.sharpness.gradients.shared import EVEN_TILINGS, TILINGS, defined
from boundaudit.checks.sharpness.targets import tiled
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.disjoint_supports import FINITE
from boundaudit.numeric.sharpness.autodiff import gradients, repeat
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import Target, TargetBatch

from .stated import case

TRAPEZOIDS: tuple[Trapezoid, ...] = ("steep", "wide")
both = pytest.mark.parametrize("mlp", TRAPEZOIDS)
networks = pytest.mark.parametrize("scale", [2.0, math.inf])


def random_targets(length: int, count: int, seed: int) -> TargetBatch:
    rng = torch.Generator().manual_seed(seed)
    targets = []
    for n in range(count):
        degree = 1 + n % 3
        sets = list(itertools.combinations(range(1, length + 1), degree))
        order = torch.randperm(len(sets), generator=rng)[: 1 + n % 4]
        c = torch.rand(len(order), generator=rng, dtype=torch.float64) + 0.05
        targets.append(Target(length, tuple(sets[k] for k in order.tolist()), tuple((c / c.norm()).tolist())))
    return TargetBatch.stack(targets)


def random_bits(batch: TargetBatch, seed: int) -> torch.Tensor:
    rng = torch.Generator().manual_seed(seed)
    return torch.rand(len(batch), batch.max_length, generator=rng) < 0.4


@both
@networks
def test_every_block_is_that_of_automatic_differentiation(mlp: Trapezoid, scale: float) -> None:
    batch = random_targets(8, 24, seed=1)
    bits = random_bits(batch, seed=2)
    found = derivatives(batch, bits[:, None], mlp=mlp, scale=scale)
    smooth = ~found.kink[:, 0]
    assert smooth.sum() > 18
    by_autodiff = gradients(build(batch, mlp=mlp, scale=scale), batch, bits, scale=scale)
    squared = {name: weight.flatten(1).square().sum(1) for name, weight in by_autodiff.named()}
    for name, expected in squared.items():
        torch.testing.assert_close(found.squared[name][smooth, 0], expected[smooth], rtol=1e-11, atol=1e-11)
    total, column = torch.stack(list(squared.values())).sum(0), by_autodiff.F[..., -1].square().sum(-1)
    torch.testing.assert_close(found.gradient[smooth, 0], total[smooth], rtol=1e-11, atol=1e-11)
    torch.testing.assert_close(found.data_column[smooth, 0], column[smooth], rtol=1e-11, atol=1e-11)


@both
def test_entries_of_the_gradient_are_difference_quotients(mlp: Trapezoid) -> None:
    batch = TargetBatch.stack([Target(6, ((1, 2), (2, 5), (3, 4)), (0.6, 0.64, 0.48))])
    bits = torch.tensor([[True, False, False, True, False, False]])
    blocks = build(batch, mlp=mlp)
    step = 1e-6
    for name, weight in gradients(blocks, batch, bits).named():
        entries = weight[0].flatten()
        for entry in entries.abs().argsort(descending=True)[:5].tolist():
            moved = repeat(blocks, 2)
            getattr(moved, name).view(2, -1)[:, entry] += torch.tensor([step, -step], dtype=torch.float64)
            up, down = forward(moved, batch.repeat(2), bits.expand(2, -1)[:, None])[:, 0].tolist()
            assert (up - down) / (2 * step) == pytest.approx(float(entries[entry]), rel=1e-5, abs=1e-7)


def sums_over_rows(coefficients: list[float], odd: list[bool], length: int) -> dict[str, float]:
    """The ideal steep network on bits as components (D = 1), by plain loops over rows and units."""
    total = sum(coefficients)
    a = [c / total for c in coefficients]
    breaks = [i + o / 4 for i in (0, 1) for o in (-2, -1, 1, 2)]
    out = [4 * (i == 0) * sign for i in (0, 1) for sign in (1, -1, -1, 1)]
    hidden = [[max(0.0, bit - b) for b in breaks] for bit in odd]
    value = [total * (not bit) for bit in odd]
    f = sum(x * v for x, v in zip(a, value, strict=True))
    logit = [math.log(c) + 2 * math.log(length) for c in coefficients]
    units, rows = range(8), range(len(a))
    on = [sum(a[t] * total * (hidden[t][j] > 0) for t in rows) for j in units]
    lit = [sum(a[t] * total * odd[t] * (hidden[t][j] > 0) for t in rows) for j in units]
    mean = [sum(a[t] * hidden[t][j] for t in rows) for j in units]
    moved = [sum(a[t] * (value[t] - f) * hidden[t][j] for t in rows) for j in units]
    cls = sum(odd) / (length + 1)
    query = sum(a[t] * (value[t] - f) * logit[t] for t in rows)
    return {
        "W1": 0.0,
        "V1": 0.0,
        "M": sum((out[j] * lit[j]) ** 2 for j in units),
        "Gamma": sum((out[j] * on[j]) ** 2 for j in units),
        "F": total**2 * sum(x * x for x in mean)
        + sum(x * x for x in logit) * sum(x * x for x in moved)
        + query**2 * sum(max(0.0, cls - b) ** 2 for b in breaks),
        "V2": sum(x * x for x in a) + (f / total) ** 2,
    }


@pytest.mark.parametrize("count", range(6))
def test_the_ideal_network_on_bits_by_plain_loops(count: int) -> None:
    coefficients = [0.5, 0.4, 0.3, 0.6, 0.2]
    odd = [n >= count for n in range(5)]
    batch = TargetBatch.stack([Target(9, tuple((n,) for n in range(1, 6)), tuple(coefficients))])
    bits = torch.tensor([[*odd, False, False, False, False]])
    found = derivatives(batch, bits[:, None], scale=math.inf).squared
    for block, expected in sums_over_rows(coefficients, odd, 9).items():
        assert float(found[block]) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_the_example_beyond_g_u() -> None:
    """T = ω = 37 in the ideal network: 32ω(1+p²) + 64ωp² for Gamma and M, and 3.125 of key columns."""
    ratio = []
    for length in (36, 37):
        batch = TargetBatch.stack([Target(length, tuple((n,) for n in range(1, length + 1)), (length**-0.5,) * length)])
        rows = torch.arange(length)
        bits = rows[None] >= torch.arange(length + 1)[:, None]
        found = derivatives(batch, bits, scale=math.inf)
        ratio.append(float(found.gradient.max()) / (4 + 4 * length * 67))
        p = 1 - torch.arange(length + 1, dtype=torch.float64) / length
        torch.testing.assert_close(found.squared["Gamma"][0], 32 * length * (1 + p**2))
        torch.testing.assert_close(found.squared["M"][0], 64 * length * p**2)
    assert ratio[0] < 1 < ratio[1]
    assert ratio[1] == pytest.approx(10041.4000 / 9920, rel=1e-4)


@pytest.mark.slow
@networks
def test_formulas_of_tilings_are_the_tensors(scale: float) -> None:
    rng = torch.Generator().manual_seed(5)
    points: list[Point] = []
    for length, degree, sparsity, free, rest in ((4, 1, 3, 1, 1), (6, 2, 2, 1, 0), (10, 3, 2, 0, 3), (8, 1, 8, 5, 0)):
        c = torch.rand(sparsity, generator=rng, dtype=torch.float64) + 0.1
        same = {"T": length, "D": degree, "omega": sparsity, "c": tuple((c / c.norm() / 1.01).tolist())}
        points += [{**same, "n_e": free, "n_r": rest, "u": width} for width in (1, 2)]
    kinds = "ideal" if scale == math.inf else "finite"
    for width, mlp in ((1, "steep"), (2, "wide")):
        chosen = [point for point in points if point["u"] == width]
        batch, bits = tiled(Columns(chosen, "cpu"))
        by_autodiff = gradients(build(batch, mlp=mlp, scale=scale), batch, bits, scale=scale)
        for name, weight in by_autodiff.named():
            formula = evaluate_float(to_tree(defined(name, kinds)), columns(chosen))
            expected = weight.flatten(1).square().sum(1).tolist()
            assert list(formula + 0 * columns(chosen)["T"]) == pytest.approx(expected, rel=1e-10, abs=1e-12)


@pytest.mark.slow
def test_parts_of_f_are_its_columns() -> None:
    point: Point = {"T": 8, "D": 1, "omega": 5, "u": 1, "c": (0.5, 0.4, 0.3, 0.6, 0.2), "n_e": 2, "n_r": 1}
    batch, bits = tiled(Columns([point], "cpu"))
    columns_of_f = gradients(build(batch), batch, bits).F[0].square().sum(0)
    parts = {
        name: float(evaluate_float(to_tree(part), columns([point]))[0])
        for name, part in theorem.output_weights(FINITE).items()
    }
    assert parts["values"] == pytest.approx(float(columns_of_f[-1]), rel=1e-12)
    assert parts["query"] == pytest.approx(float(columns_of_f[8]), rel=1e-10)
    assert parts["keys"] == pytest.approx(float(columns_of_f[:8].sum()), rel=1e-10)


def test_even_lengths_have_no_kink() -> None:
    assert all(point["T"] % 2 == 0 for point in EVEN_TILINGS.grid(200))
    for length in (4, 6, 8, 10, 12):
        for degree in range(1, length + 1):
            batch = TargetBatch.stack([Target(length, (tuple(range(1, degree + 1)),), (1.0,))])
            bits = torch.arange(length)[None] < torch.arange(length + 1)[:, None]
            assert not any(bool(derivatives(batch, bits, mlp=mlp).kink.any()) for mlp in TRAPEZOIDS)
    assert TILINGS.contains({"T": 5, "D": 1, "omega": 1, "u": 1, "c": (1,), "n_e": 0, "n_r": 2})


def values(side: object, points: Sequence[Point]) -> np.ndarray:
    return side_values(side, points, "cpu")


@pytest.mark.parametrize("degree", range(1, 8))
@pytest.mark.parametrize("width", [1, 2])
def test_gamma_and_m_are_attained_at_every_degree(degree: int, width: int) -> None:
    """All bits set, one component: half of the units' squared output weights are on."""
    whole = tuple(range(1, degree + 1))
    point: Point = {
        "T": 8, "D": degree, "omega": 1, "u": width, "c": (1.0,), "S": (whole,), "x_n": 255,
    }  # fmt: skip
    for claim in blocks.sharp[2:]:
        ideal = case(claim, "ideal")
        assert values(ideal.left, [point])[0] == pytest.approx(32 * degree**2 * (degree + 1) / width**2, rel=1e-12)


def test_the_sharp_bound_at_the_example() -> None:
    """T = 20, D = 2, ω = 10: 2 + 10 (3/8 + 768) + 88/400 and F's part, below the printed 15524."""
    point: Point = {"T": 20, "D": 2, "omega": 10, "u": 1}
    log = np.log(20) ** 2
    f = 10 * (5.390625 * (1 + log) + 10 * 4.5625 * log / 4)
    assert values(total.sharp.right, [point])[0] == pytest.approx(2 + 3.75 + 7680 + 0.22 + f, rel=1e-12)


# --- what the proofs assume -----------------------------------------------------------------------

AXIOMS = [rows.weights, rows.live, rows.top, rows.risen, rows.keys, rows.v1, rows.w1, rows.v2, rows.w2, rows.f,
          rows.gamma, rows.m, rows.blocks]  # fmt: skip
FAR: list[Point] = [
    {"T": 24, "D": 1, "omega": 24, "u": 1, "c": (24.0**-4, *[1.0] * 23), "S": tuple((k,) for k in range(1, 25)),
     "x_n": 2**23 + 5},
    {"T": 40, "D": 2, "omega": 3, "u": 2, "c": (1.0, 0.5, 40.0**-4), "S": ((1, 2), (2, 3), (39, 40)), "x_n": 2**39 + 3},
    {"T": 20, "D": 10, "omega": 2, "u": 1, "c": (1.0, 0.25), "S": (tuple(range(1, 11)), tuple(range(11, 21))),
     "x_n": 12345},
]  # fmt: skip
"""Lengths and degrees beyond those that are sampled, coefficients at the floor, as many components as bits."""


@pytest.mark.parametrize("axiom", [case_ for axiom in AXIOMS for case_ in axiom.members], ids=lambda axiom: axiom.label)
def test_axioms_hold_far_out(axiom: Claim) -> None:
    left, right = values(axiom.left, FAR), values(axiom.right, FAR)
    assert np.isfinite(left).sum() >= 2
    there = np.isfinite(left)
    np.testing.assert_allclose(left[there], right[there], rtol=1e-8, atol=1e-9)
