"""The projected network against an explicit projection of every weight and token, and its width."""

import itertools
import math

import mpmath
import numpy as np
import numpy.typing as npt
import pytest
import sympy
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.derivations.sharpness import projection as theorem
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import evaluate_by_structure
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.projected_network import (
    TRAPEZOIDS,
    certainly_close,
    errors,
    far_off,
    gram,
    not_close,
    on_plateau,
    products_off,
    projected_outputs,
    projected_weights,
    second_distance,
    worst_shifts,
)
from boundaudit.numeric.sharpness.projected_width import (
    Median,
    median_errors,
    median_interval,
    median_shares,
    width_reached,
)
from boundaudit.numeric.sharpness.target import Target, TargetBatch

from .cases import SMALL, TARGETS, paper_example

Array = npt.NDArray[np.float64]


def _projection(length: int, width: int, seed: int) -> Array:
    """J: (T+2) x (d+1), a Gaussian block for the positions and a one for the data channel."""
    j = np.zeros((length + 2, width + 1))
    j[:-1, :-1] = np.random.default_rng(seed).standard_normal((length + 1, width)) / math.sqrt(width)
    j[-1, -1] = 1.0
    return j


def _softmax(logits: Array) -> Array:
    weights = np.exp(logits - logits.max())
    return np.asarray(weights / weights.sum())


def _explicit(target: Target, j: Array, bits: Array, mlp: Trapezoid) -> float:
    """One input through the network whose tokens and weights are all projected, with loops."""
    blocks = build(TargetBatch.stack([target]), mlp=mlp)
    w1, v1, w2 = (j.T @ block[0].numpy() @ j for block in (blocks.W1, blocks.V1, blocks.W2))
    m, f, v2 = j.T @ blocks.M[0].numpy(), blocks.F[0].numpy() @ j, j.T @ blocks.V2[0].numpy()
    tokens = np.zeros((target.length + 1, target.length + 2))
    tokens[:, :-1] = np.eye(target.length + 1)
    tokens[:-1, -1] = bits
    x = tokens @ j
    positions = np.diag([1.0] * (j.shape[1] - 1) + [0.0])
    stream = np.zeros_like(x)
    for t in range(len(x)):
        attention = _softmax(np.array([x[k] @ w1 @ x[t] for k in range(len(x))]))
        averaged = sum(attention[k] * x[k] for k in range(len(x))) @ v1
        hidden = np.maximum(averaged @ m + blocks.Gamma[0].numpy(), 0.0)
        stream[t] = x[t] @ positions + hidden @ f
    attention = _softmax(np.array([row @ w2 @ stream[-1] for row in stream]))
    return float(attention @ (stream @ v2))


@pytest.mark.parametrize("name", ["one bit", "three pairs", "triples", "tiny weight"])
@pytest.mark.parametrize("mlp", TRAPEZOIDS)
def test_outputs_are_those_of_an_explicit_projection(name: str, mlp: Trapezoid) -> None:
    target = TARGETS[name]
    bits = np.random.default_rng(0).integers(0, 2, (4, target.length))
    for width in (3, 40, 200):
        j = _projection(target.length, width, width)
        products = torch.from_numpy(j[:-1, :-1] @ j[:-1, :-1].T)[None]
        found = projected_outputs(target, projected_weights(target, products), torch.from_numpy(bits), mlp=mlp)[0]
        expected = [_explicit(target, j, row, mlp) for row in bits.astype(float)]
        assert found.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("name", SMALL)
def test_the_identity_projects_nothing(name: str) -> None:
    target = TARGETS[name]
    bits = bit_strings(target.length, 0, 2**target.length)
    attention = projected_weights(target, torch.eye(target.length + 1, dtype=torch.float64)[None])
    found = projected_outputs(target, attention, bits)[0]
    torch.testing.assert_close(found, evaluate_by_structure(target, bits), rtol=1e-12, atol=1e-12)


def test_chunks_change_nothing() -> None:
    target = TARGETS["three pairs"]
    attention = projected_weights(target, gram(6, 10, 5, 0, "cpu"))
    bits = bit_strings(6, 0, 64)
    whole = projected_outputs(target, attention, bits)
    torch.testing.assert_close(projected_outputs(target, attention, bits, chunk=1), whole, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("width", [2, 5, 6, 7, 50])
def test_gram_has_the_moments_of_a_wishart_matrix(width: int) -> None:
    # Entry by entry: E G = I, Var G_ii = 2/d, Var G_ij = 1/d, and E det by the chi-squares of its factor.
    draws, n = 40_000, 5
    found = gram(n - 1, width, draws, 7, "cpu")
    assert torch.equal(found, found.mT)
    identity = torch.eye(n, dtype=torch.float64)
    variance = (1 + identity) / width
    assert ((found.mean(0) - identity).abs() < 5 * (variance / draws).sqrt()).all()
    # The fourth central moment of G_ii is (12 + 48/d)/d², that of G_ij (3 + 6/d)/d².
    fourth = torch.where(identity > 0, 12 + 48 / width, 3 + 6 / width) / width**2
    spread = ((fourth - variance.square()) / draws).sqrt()
    assert (((found - identity).square().mean(0) - variance).abs() < 5 * spread).all()
    determinant = torch.linalg.det(found)
    expected = math.prod((width - i) / width for i in range(n))
    if width < n:
        assert determinant.abs().max() < 1e-9
    else:
        assert float(determinant.mean()) == pytest.approx(expected, abs=5 * float(determinant.std()) / draws**0.5)


def test_gram_of_a_seed_is_the_same_and_seeds_differ() -> None:
    first = gram(4, 9, 3, 1, "cpu")
    assert torch.equal(first, gram(4, 9, 3, 1, "cpu"))
    assert not torch.equal(first, gram(4, 9, 3, 2, "cpu"))


@pytest.mark.parametrize("name", ["one bit", "three pairs", "all single bits"])
def test_worst_shifts_over_every_input(name: str) -> None:
    target = TARGETS[name]
    attention = projected_weights(target, gram(target.length, 30, 4, 0, "cpu"))
    found = worst_shifts(target, attention)
    for r, t in itertools.product(range(4), range(target.sparsity)):
        members = [position - 1 for position in target.components[t]]
        shifts = [
            sum(float(attention.first[r, t, k]) * z for k, z in enumerate(bits))
            - sum(bits[k] for k in members) / target.degree
            for bits in itertools.product((0, 1), repeat=target.length)
        ]
        assert float(found[r, t]) == pytest.approx(max(abs(shift) for shift in shifts), rel=1e-12)


def test_close_networks_are_close_on_every_input() -> None:
    target = TARGETS["three pairs"]
    bits = bit_strings(6, 0, 64)
    attention = projected_weights(target, gram(6, 4000, 300, 5, "cpu"))
    worst = {mlp: errors(target, attention, bits, mlp=mlp).amax(-1) for mlp in TRAPEZOIDS}
    kept = on_plateau(target, attention).all(-1)
    assert 20 < int(kept.sum()) < 300
    assert all((worst[mlp][kept] <= second_distance(target, attention)[kept] + 1e-12).all() for mlp in TRAPEZOIDS)
    for share in (0.05, 0.1, 0.3):
        close = certainly_close(target, attention, share)
        assert all((worst[mlp][close] <= share).all() for mlp in TRAPEZOIDS)


def test_errors_by_a_loop() -> None:
    target = TARGETS["triples"]
    bits = bit_strings(7, 0, 128)
    attention = projected_weights(target, gram(7, 60, 3, 2, "cpu"))
    outputs = projected_outputs(target, attention, bits)
    total = sum(target.coefficients)
    expected = [
        [abs(float(o) - float(f)) / total for o, f in zip(row, evaluate(target, bits), strict=True)] for row in outputs
    ]
    assert errors(target, attention, bits).tolist() == [pytest.approx(row, abs=1e-13) for row in expected]


def test_products_off_is_a_probability_known_in_one_dimension() -> None:
    # T = 2, huge ε: only the three squared lengths of width 1 matter, P(χ²_1 > 1+ε) each, independent.
    one = float(mpmath.erfc(mpmath.sqrt(mpmath.mpf(9) / 2)))
    count = products_off(2, 1, 8.0, draws=40_000, seed=0, device="cpu")
    # |G_ij| > 8 needs G_ii G_jj > 64, which some G_ii > 8 implies but not > 9: bounds on both sides.
    low, high = 1 - (1 - one) ** 3, 1 - (1 - float(mpmath.erfc(2))) ** 3
    slack = 5 * math.sqrt(high / 40_000)
    assert low - slack < count / 40_000 < high + slack


def test_counts_of_events_by_definition() -> None:
    target = paper_example()
    inputs = bit_strings(20, 1000, 1016)
    attention = projected_weights(target, gram(20, 219, 200, 3, "cpu"))
    both = torch.stack([errors(target, attention, inputs, mlp=mlp).amax(-1) > 0.25 for mlp in TRAPEZOIDS]).all(0)
    assert far_off(target, 219, 0.25, inputs=inputs, draws=200, seed=3) == int(both.sum()) > 5
    left = sum(not bool(row.all()) for row in on_plateau(target, attention))
    assert not_close(target, 219, 0.25, draws=200, seed=3, device="cpu") >= left > 150
    assert not_close(target, 10**7, 0.25, draws=200, seed=3, device="cpu") == 0


def test_median_interval_covers_the_median() -> None:
    samples = torch.rand(4000, 41, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    found = [median_interval(row, 1) for row in samples]
    covered = sum(one.low <= 0.5 <= one.high for one in found) / len(found)
    # By the binomial law the interval from the 14th to the 28th of 41 holds the median with 97.25 %.
    exact = 1 - 2 * sum(math.comb(41, k) for k in range(14)) / 2**41
    assert exact >= 0.95
    assert covered == pytest.approx(exact, abs=5 * math.sqrt(0.05 * 0.95 / 4000))
    assert all(one.value == row.median() for one, row in zip(found, samples, strict=True))


def test_too_few_draws_for_an_interval() -> None:
    assert median_interval(torch.arange(6.0), 1) == Median(1, 0.0, 2.5, 5.0)
    with pytest.raises(InputError, match="draws"):
        median_interval(torch.arange(5.0), 1)


def test_width_reached_reads_the_medians() -> None:
    medians = [
        Median(10, 0.3, 0.5, 0.9), Median(20, 0.2, 0.3, 0.4), Median(40, 0.1, 0.2, 0.25), Median(80, 0.0, 0.1, 0.2),
    ]  # fmt: skip
    assert width_reached(medians, 0.25) == (20, 40, 40)
    assert width_reached(medians, 0.3) == (10, 20, 40)
    assert width_reached(medians, 0.05) == (80, None, None)


def test_medians_fall_with_the_width() -> None:
    target = paper_example()
    inputs = torch.from_numpy(np.random.default_rng(1).integers(0, 2, (50, 20)))
    wide: list[Tensor] = []
    for worst in (True, False):
        found = median_errors(target, (50, 500, 5000), bits=inputs, draws=21, seed=0, worst=worst)
        assert found[0].low > found[1].high > found[1].low > found[2].high
        wide.append(torch.tensor([one.value for one in found]))
    assert (wide[0] > wide[1]).all()
    shares = median_shares(target, (50, 5000), draws=21, seed=0, device="cpu")
    assert shares[0].high < shares[1].low


def _safe_error(target: Target) -> float:
    busiest = max(sum(j in part for part in target.components) for j in range(1, target.length + 1))
    rest = target.degree * (target.degree + busiest) + target.sparsity
    return 1 / (17 * math.log(target.length) * rest)


def _unit(length: int, parts: tuple[tuple[int, ...], ...]) -> Target:
    return Target(length, parts, (len(parts) ** -0.5,) * len(parts))


@pytest.mark.parametrize("target", [
    _unit(8, ((3,),)), _unit(8, tuple((j,) for j in range(1, 9))), _unit(9, tuple((1, j) for j in range(2, 10))),
    _unit(12, ((1, 2, 3), (2, 3, 4), (10, 11, 12))), paper_example(),
], ids=["one bit", "all bits", "star", "triples", "paper"])  # fmt: skip
def test_products_within_the_safe_error_keep_every_plateau(target: Target) -> None:
    n, error = target.length + 1, _safe_error(target)
    signs = np.tril(np.random.default_rng(0).choice([-1.0, 1.0], (200, n, n)))
    signs = signs + np.tril(signs, -1).transpose(0, 2, 1)
    signs[0], signs[1] = 1.0, -1.0
    products = torch.eye(n, dtype=torch.float64) + error * torch.from_numpy(signs)
    attention = projected_weights(target, products)
    assert certainly_close(target, attention, 0.25).all()
    # Thirty times the error is too much for some signs: the test can fail.
    far = projected_weights(target, torch.eye(n, dtype=torch.float64) + 30 * error * torch.from_numpy(signs))
    assert not certainly_close(target, far, 0.25).all()


def test_widths_of_the_derivation_by_hand() -> None:
    values = {theorem.T: 20, theorem.D: 2, theorem.omega: 10, theorem.q: 1, theorem.fail: sympy.Rational(1, 20)}
    assert theorem.width_as_stated().subs(values) == math.ceil(24 * math.log(21 * 22 * 20)) == 220
    error = _safe_error(paper_example())
    expected = math.log(21 * 22 * 20) / (error**2 / 4 - error**3 / 6)
    assert float(theorem.width_corrected().subs(values)) == pytest.approx(expected, abs=1.001)
