"""Theorem 12: quadratic forms of Gaussian noise, with a fixed matrix and with one that depends on the noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from boundaudit.checks.language.claim import Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.taylor.shared import NOISE, claim, deviations
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.taylor import (
    A_0,
    A_2,
    A_11,
    A_12,
    A_22,
    G_0,
    G_1,
    alpha_1,
    alpha_2,
    epsilon_1,
    epsilon_2,
    n_theta,
)
from boundaudit.numeric import heat

# --- a fixed matrix -------------------------------------------------------------------------------

_ENTRIES: dict[Any, Range] = {A_11: Reals(), A_12: Reals(), A_22: Reals(), sigma: NOISE}


def _moment(which: int) -> Measure:
    def measure(points: Sequence[Point], device: str) -> Array:
        rows = [[[float(p[name]) for name in row] for row in (("A_11", "A_12"), ("A_12", "A_22"))] for p in points]
        matrix = torch.tensor(rows, dtype=torch.float64, device=device)
        found: Array = heat.form_moments(matrix, deviations(points, device))[which].cpu().numpy()
        return found

    return measure


hutchinson_mean = claim(
    label="sharpness.taylor.hutchinson.mean",
    statement="A fixed symmetric matrix has E εᵀAε = σ² tr A; here for two parameters.",
    left=Quantity(
        "mean of a quadratic form", _moment(0), r"\mathbb{E}\,\varepsilon^T A \varepsilon", theorem.FORM_MEAN,
        rounding=1e-11, scale=1e4,
    ),
    relation="=",
    right=sigma**2 * theorem.TRACE,
    domain=Domain(_ENTRIES),
    place=("Theorem 12",),
    reading="certain",
    expected="proved",
)  # fmt: skip

hutchinson_square = claim(
    label="sharpness.taylor.hutchinson.square",
    statement="The variance of εᵀAε is 2σ⁴|A|_F²: with Hutchinson's mean, E (εᵀAε)² = σ⁴ ((tr A)² + 2|A|_F²); here for "
    "two parameters.",
    left=Quantity(
        "mean square of a quadratic form", _moment(1), r"\mathbb{E}\,(\varepsilon^T A \varepsilon)^2",
        theorem.FORM_SQUARE, rounding=1e-11, scale=1e6,
    ),
    relation="=",
    right=sigma**4 * (theorem.TRACE**2 + 2 * theorem.FROBENIUS),
    domain=Domain(_ENTRIES),
    place=("Theorem 12",),
    expected="proved",
    rests_on=("sharpness.taylor.hutchinson.mean",),
)  # fmt: skip

_SPECTRUM = Vector(n_theta, Reals(0))


def _spectral(points: Sequence[Point], device: str) -> Array:
    """The mean square for matrices with given eigenvalues, turned by a reflection so that they are not diagonal."""
    size = max(p["n_theta"] for p in points)
    rows = [[float(a) for a in p["alpha_i"]] + [0.0] * (size - p["n_theta"]) for p in points]
    eigenvalues = torch.tensor(rows, dtype=torch.float64, device=device)
    turn = torch.eye(size, dtype=torch.float64, device=device) - 2 / size
    matrix = turn @ torch.diag_embed(eigenvalues) @ turn
    found: Array = heat.form_moments(matrix, deviations(points, device))[1].cpu().numpy()
    return found


_MATRICES = Domain({n_theta: Integers(1, tested_to=3), theorem.ALPHA: _SPECTRUM, sigma: NOISE})

hutchinson_any = claim(
    label="sharpness.taylor.hutchinson.any-size",
    statement="For a symmetric matrix of any size, E (εᵀAε)² = σ⁴ ((Σα)² + 2Σα²) with its eigenvalues α.",
    left=Quantity(
        "mean square of a quadratic form of any size", _spectral, r"\mathbb{E}\,(\varepsilon^T A \varepsilon)^2",
        rounding=1e-11, scale=1.0,
    ),
    relation="=",
    right=sigma**4 * (theorem.SPECTRAL_TRACE**2 + 2 * theorem.SPECTRAL_FROBENIUS),
    domain=_MATRICES,
    place=("Theorem 12",),
    expected="supported",
    rests_on=("sharpness.taylor.hutchinson.square",),
    limitations=("Positive semidefinite matrices of up to three rows, by a quadrature rule that is exact here.",),
)  # fmt: skip

rank_one = claim(
    label="sharpness.taylor.hutchinson.rank-one",
    statement="Among positive semidefinite matrices of the same trace none is noisier than one of rank one: the mean "
    "square of εᵀAε is at most 3σ⁴ (tr A)².",
    left=hutchinson_square.left,
    relation="<=",
    right=3 * sigma**4 * theorem.TRACE**2,
    domain=Domain(
        {A_11: Reals(0, tested_to=10), A_22: Reals(0, tested_to=10), A_12: Reals(tested_to=10), sigma: NOISE},
        where=[A_12**2 <= A_11 * A_22],
    ),
    kind="Tight",
    equality=({"A_11": 1, "A_12": 1, "A_22": 1, "sigma": 1},),
    place=("Theorem 12",),
    expected="proved",
    rests_on=("sharpness.taylor.hutchinson.square",),
    limitations=("Two parameters.",),
)

# --- a matrix that depends on the noise -----------------------------------------------------------

_WITHIN = Reals(-theorem.A_op, theorem.A_op)

operator_norm = claim(
    label="sharpness.taylor.form.operator-norm",
    statement="εᵀAε is at most the operator norm of A times |ε|²; here for two parameters, along the eigenvectors.",
    left=alpha_1 * epsilon_1**2 + alpha_2 * epsilon_2**2,
    relation="<=",
    right=theorem.A_op * (epsilon_1**2 + epsilon_2**2),
    domain=Domain({
        theorem.A_op: Reals(0, tested_to=10), alpha_1: _WITHIN, alpha_2: _WITHIN,
        epsilon_1: Reals(tested_to=4), epsilon_2: Reals(tested_to=4),
    }),
    kind="Tight",
    equality=({"A_op": 1, "alpha_1": 1, "alpha_2": 1, "epsilon_1": 1, "epsilon_2": 2},),
    reading="certain",
    expected="proved",
    limitations=("One side; the other is the same for -A.",),
)  # fmt: skip

_RANDOM = Domain({A_0: Reals(0, tested_to=4), A_2: Reals(0, tested_to=4), sigma: NOISE})

factors = claim(
    label="sharpness.taylor.form.factors",
    statement="The mean of the operator norm times |ε|² is at most the product of their means, also where the matrix "
    "depends on the noise.",
    left=theorem.RANDOM_FORM,
    relation="<=",
    right=theorem.RANDOM_MEAN * sigma**2,
    domain=_RANDOM,
    reading="plausible",
    expected="refuted",
    limitations=(
        "One parameter, the matrix A_0 + A_2 ε². Whether the text takes a mean or a uniform bound at this place is "
        "not known; a uniform bound is right.",
    ),
)

cauchy_schwarz = claim(
    label="sharpness.taylor.form.cauchy-schwarz",
    statement="By Cauchy and Schwarz the square of that mean is at most E A² · E|ε|⁴.",
    left=theorem.RANDOM_FORM**2,
    relation="<=",
    right=theorem.RANDOM_SQUARE * theorem.LENGTH_SQUARE,
    domain=_RANDOM,
    kind="Tight",
    equality=({"A_0": 0, "A_2": 1, "sigma": 1},),
    expected="proved",
    repairs=("sharpness.taylor.form.factors",),
)

# --- the trace at Lagrange's point ----------------------------------------------------------------


def _fourth(points: Sequence[Point], device: str) -> Array:
    """E|u|⁴ as the mean square of the form of a projection."""
    size = max(p["n_theta"] for p in points)
    used = torch.tensor([[n < p["n_theta"] for n in range(size)] for p in points], device=device).double()
    found: Array = heat.form_moments(torch.diag_embed(used), deviations(points, device))[1].cpu().numpy()
    return found


_FOURTH = Quantity(
    "mean of |u|⁴", _fourth, r"\mathbb{E}\,\|\sigma Z\|^4", theorem.FOURTH_POWER, rounding=1e-11
)  # fmt: skip
_DIMENSIONS = Domain({n_theta: Integers(1, tested_to=6), sigma: NOISE})

at_lagrange = claim(
    label="sharpness.taylor.lagrange.trace",
    statement="The remainder's quadratic form may be replaced by σ² times the trace: E L is at most σ²/2 times the "
    "mean of tr Hess L at Lagrange's point.",
    left=_FOURTH,
    relation="<=",
    right=theorem.FOURTH_AT_LAGRANGE,
    domain=_DIMENSIONS,
    place=("Theorem 12", "Theorem 17"),
    reading="plausible",
    expected="refuted",
    limitations=(
        "L(u) = |u|⁴, for which the form is three times the trace term in every dimension; the point depends on the "
        "noise. A bound on the trace at noisy points can be used by the heat-flow identity instead.",
    ),
)

by_flow = claim(
    label="sharpness.taylor.lagrange.flow",
    statement="The mean of |u|⁴ is half the integral of its mean Laplacian along the noise from 0 to σ²: traces at "
    "Gaussian points need no point of Lagrange's.",
    left=_FOURTH,
    relation="=",
    right=theorem.FOURTH_FLOW,
    domain=_DIMENSIONS,
    place=("Theorem 12", "Theorem 17"),
    expected="proved",
    repairs=("sharpness.taylor.lagrange.trace",),
)


def _aligned(points: Sequence[Point], device: str) -> Array:
    gradient, change, count = (
        torch.tensor([float(p[name]) for p in points], dtype=torch.float64, device=device)
        for name in ("G_0", "G_1", "n_theta")
    )
    found: Array = heat.aligned_mean(gradient, change, count, deviations(points, device)).cpu().numpy()
    return found


_SIZES = Choices(tenth="1/10", one=1, ten=10)

gauss_newton = claim(
    label="sharpness.taylor.form.gauss-newton",
    statement="While no unit flips, the Gauss-Newton part of the form, (∇f·ε)² at a gradient that changed by at most "
    "G_p, has at most the mean σ²(√G_u + √|Θ| G_p)².",
    left=Quantity("mean of (|g·ε| + G|ε|)²", _aligned, r"\mathbb{E}\,(|g \cdot \varepsilon| + G \|\varepsilon\|)^2"),
    relation="<=",
    right=theorem.QUADRATIC_FORM,
    domain=Domain({
        n_theta: Integers(2, tested_to=2014), G_0: _SIZES, G_1: _SIZES, sigma: Choices(one=1, hundredth="1/100")
    }),
    place=("Theorem 12", "Theorem 17"),
    expected="supported",
    repairs=("sharpness.taylor.lagrange.trace",),
    limitations=("Measured by the independence of length and direction; Cauchy-Schwarz for |g·ε||ε| gives the rest.",),
)  # fmt: skip
