"""Entropies and gaps against the audited figures, their closed form, and each other."""

import math
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
import torch

from boundaudit import InputError
from boundaudit.derivations.schatten import generalization, interpolation, metric_entropy, proxy
from boundaudit.derivations.schatten.symbols import L_sch, N_sch, S_sch, epsilon_sch, n_sch, p_sch, s_sch, tau_sch
from boundaudit.numeric.schatten.bounds import (
    MatrixClass,
    gap_curve,
    matrices_of,
    matrix_entropy,
    network_entropy,
    post_hoc_curve,
    weight_price,
    with_sensitivities,
)
from boundaudit.numeric.schatten.proxy import Block, Mlp, schatten_proxy
from boundaudit.numeric.spectra import spectrum


def _decaying(power: int, width: int, index: float) -> MatrixClass:
    total = math.fsum(k ** (-power * index) for k in range(1, width + 1))
    return MatrixClass((width, width), index, total, 1.0)


def _blocks(depth: int, width: int, std: float) -> list[Block]:
    generator = torch.Generator().manual_seed(0)

    def drawn(*shape: int) -> torch.Tensor:
        return std * torch.randn(*shape, generator=generator, dtype=torch.float64)

    inner = width // 2
    return [
        Block(
            tuple(spectrum(drawn(width, inner), drawn(inner, width)) for _ in range(2)),
            tuple(spectrum(drawn(width, inner), drawn(inner, width)) for _ in range(2)),
            (Mlp(spectrum(drawn(width, 4 * width)), spectrum(drawn(4 * width, width))),),
        )
        for _ in range(depth)
    ]


def _classes(blocks: list[Block], indices: list[float]) -> list[MatrixClass]:
    """The smallest classes that hold a network's matrices, with their sensitivities."""
    given = iter(indices)
    return with_sensitivities(
        [
            [MatrixClass(m.shape, p := next(given), m.schatten_at_most(p), m.operator) for m in matrices_of(block)]
            for block in blocks
        ]
    )


def test_fast_decay_beats_volume_and_slow_decay_does_not() -> None:
    fast, slow = _decaying(2, 1024, 0.5), _decaying(1, 128, 1.0)
    assert float(matrix_entropy(0.1, fast)) == pytest.approx(489_115.66, abs=0.01)
    assert 1024**2 * math.log(21) == pytest.approx(3_192_413, abs=1)
    assert float(matrix_entropy(0.1, slow)) == pytest.approx(128**2 * math.log(21), rel=1e-12)


def test_the_best_threshold_is_never_above_the_closed_forms() -> None:
    """At random classes of N × N matrices; both forms are stated for all of them."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        width, p = int(rng.integers(1, 65)), float(rng.uniform(0.01, 2))
        norm, radius = float(rng.uniform(0.1, 4)), float(10 ** rng.uniform(-3, 0.5))
        total = float(rng.uniform(0.01, width)) * norm**p
        found = float(matrix_entropy(radius, MatrixClass((width, width), p, total, norm)))
        psi = (width ** (p + 1) * total / radius**p) ** (2 / (p + 2))
        logarithm = math.log1p(16 * norm / radius)
        largest = 33 if logarithm <= 33 / 4 else 2 * logarithm + 33**2 / (8 * logarithm)
        assert found <= psi * (2 * logarithm + 33) + math.log(2)
        assert found <= psi * largest + math.log(2 * (width + 1))


def test_entropy_falls_with_the_radius_and_is_nothing_beyond_the_norm() -> None:
    radii = torch.logspace(-3, 0.2, 40, dtype=torch.float64)
    for index, total in ((0.0, 3.0), (0.7, 4.0), (2.0, 2.0)):
        found = matrix_entropy(radii, MatrixClass((12, 20), index, total, 1.0))
        assert (found.diff() <= 0).all()
        assert (found[radii >= 1] == 0).all()


def test_rank_one_is_the_volume_of_two_factors() -> None:
    found = float(matrix_entropy(0.5, MatrixClass((30, 50), 0.0, 1.0, 2.0)))
    assert found == pytest.approx(80 * math.log(1 + 4 * 2.0 / 0.5))


def test_a_network_gives_each_matrix_an_equal_part() -> None:
    first, second = MatrixClass((5, 5), 0.0, 2.0, 1.0, 0.0), MatrixClass((5, 5), 1.0, 2.0, 1.0, math.log(3))
    expected = matrix_entropy(0.1 / 2, first) + matrix_entropy(0.1 / 6, second)
    assert float(network_entropy(0.1, [first, second])) == pytest.approx(float(expected), rel=1e-12)


def test_entropy_integral_is_an_upper_sum_of_a_known_one() -> None:
    """One scalar of norm 1: the sum lies above 12/√n ∫ √ln(1 + 2/u) du, and not far above it."""
    matrix, samples = MatrixClass((1, 1), 1.0, 1e9, 1.0), 1e8
    grid = torch.linspace(0, 1, 400_001, dtype=torch.float64)[1:] - 0.5 / 400_000
    exact = 24 / math.sqrt(samples) * float(torch.log1p(2 / grid).sqrt().mean())
    found = gap_curve([matrix], 0.0)(samples)
    assert exact < found < 1.05 * exact


def test_gaps_fall_with_samples_and_a_choice_after_training_costs() -> None:
    blocks = _blocks(2, 16, 0.1)
    indices = [part.index for part in schatten_proxy(blocks, 16).contributions]
    fixed = [gap_curve(_classes(blocks, indices), math.log(20))(samples) for samples in (1e4, 1e6, 1e8)]
    later = [post_hoc_curve(blocks, 16, 0.05)(samples) for samples in (1e4, 1e6, 1e8)]
    assert fixed == sorted(fixed, reverse=True)
    assert later == sorted(later, reverse=True)
    assert all(known < seen < 3 * known for known, seen in zip(fixed, later, strict=True))


@pytest.mark.parametrize("exponent", [-12, -9, -6, -3, 3, 6, 9, 12])
def test_small_weights_lose_no_singular_value(exponent: int) -> None:
    """M_in f and M_out / f: every class has all directions of its matrix, and no gap gets smaller for a small f."""
    generator, factor = torch.Generator().manual_seed(1), 10.0**exponent
    (block,) = _blocks(1, 16, 0.1)
    into, out = (torch.randn(*shape, generator=generator, dtype=torch.float64) for shape in ((16, 64), (64, 16)))
    before = [replace(block, mlps=(Mlp(spectrum(into), spectrum(out)),))]
    after = [replace(block, mlps=(Mlp(spectrum(into * factor), spectrum(out / factor)),))]
    ranks = [[matrix.total for matrix in _classes(blocks, [0.0] * 6)] for blocks in (before, after)]
    assert ranks[0] == ranks[1] == [8, 8, 8, 8, 16, 16]
    sums = [_classes(blocks, [1.0] * 6)[4].total for blocks in (before, after)]
    assert sums[1] == pytest.approx(sums[0] * factor, rel=1e-12)
    if factor < 1:
        gaps = [post_hoc_curve(blocks, 16, 0.05)(1e9) for blocks in (before, after)]
        assert gaps[1] >= gaps[0]


def test_a_deep_network_of_large_norms_has_a_finite_gap() -> None:
    assert math.isfinite(post_hoc_curve(_blocks(1, 16, 100.0) * 50, 16, 0.05)(1e12))


def test_weights_of_all_integers_sum_to_one() -> None:
    partial = math.fsum(math.exp(-weight_price(k)) for k in range(-100_000, 100_001))
    tail = 2 / 100_001 / (math.pi**2 / 3 - 1)
    assert partial < 1 < partial + tail


@pytest.mark.parametrize(("numbers", "field"), [
    (((0, 3), 1.0, 1.0, 1.0), "shape"), (((3, 3), 2.5, 1.0, 1.0), "index"), (((3, 3), 1.0, math.nan, 1.0), "total"),
    (((3, 3), 1.0, 1.0, math.inf), "operator"),
])  # fmt: skip
def test_a_class_that_is_none_is_bad_input(numbers: tuple[tuple[int, int], float, float, float], field: str) -> None:
    with pytest.raises(InputError, match=field):
        MatrixClass(*numbers)


def test_bad_confidence_samples_and_shapes() -> None:
    matrix = MatrixClass((2, 3), 1.0, 1.0, 1.0)
    with pytest.raises(InputError, match="delta"):
        post_hoc_curve(_blocks(1, 4, 0.1), 4, 0.0)
    with pytest.raises(InputError, match="samples"):
        gap_curve([matrix], 1.0)(0)


_VALUES = {n_sch: 4, tau_sch: sp.Integer(2), p_sch: sp.Rational(1, 2)}


def _of(expression: sp.Expr, values: tuple[int, ...]) -> float:
    entries = {s_sch[k + 1]: value for k, value in enumerate(values)}
    return float(expression.subs(_VALUES).doit().subs(entries))


def test_large_and_small_singular_values() -> None:
    assert _of(interpolation.LARGE, (5, 3, 2, 1)) == 2
    assert _of(interpolation.SMALL, (5, 3, 2, 1)) == 5
    assert _of(interpolation.power_sum(p_sch), (9, 4, 1, 0)) == pytest.approx(6)


def test_the_balanced_threshold_makes_both_parts_equal_to_psi() -> None:
    point = {N_sch: 48, S_sch: sp.Rational(7, 3), p_sch: sp.Rational(2, 3), epsilon_sch: sp.Rational(1, 9)}
    at = {tau_sch: interpolation.BALANCED.subs(point)}
    psi = float(interpolation.PSI.subs(point))
    for part in (interpolation.LOW_RANK, interpolation.REMAINDER, interpolation.BY_COUNT):
        assert float(part.subs(point).subs(at)) == pytest.approx(psi, rel=1e-12)
    scale = 9.0
    summand = (7 / 3) ** (3 / 8) * scale**0.25 * 48 ** (5 / 8)
    assert math.sqrt(psi) == pytest.approx(summand, rel=1e-12)


def test_closed_form_of_a_decaying_spectrum() -> None:
    total, tenth = math.fsum(1 / k for k in range(1, 1025)), sp.Rational(1, 10)
    terms = (metric_entropy.decaying(sp.Integer(1), 1024), sp.Rational(1, 2), sp.Integer(1024), tenth, sp.Integer(33))
    psi = 1024**1.2 * total**0.8 * 0.1**-0.4
    assert float(metric_entropy.closed_form(*terms)) == pytest.approx(33 * psi + math.log(2), rel=1e-12)


def test_audited_figures() -> None:
    assert float(metric_entropy.C_F) == pytest.approx(47.433722, abs=1e-6)
    assert float(proxy.STEEPEST) == pytest.approx(1.128904145185, abs=1e-12)
    assert float(proxy.NOISE_AT_FIRST_INDEX) == pytest.approx(704 * 10 ** (-16 / 19), rel=1e-12)


def test_price_of_indices_covers_the_grid_that_the_proxy_uses() -> None:
    for depth, width in ((1, 1), (2, 128), (12, 768)):
        steps = math.ceil(depth + math.log(width))
        limit = float(generalization.LARGEST_M.subs({L_sch: depth, N_sch: width}))
        assert limit - 1 <= steps <= limit
