"""Theorem 12: quadratic forms of Gaussian noise, with a fixed matrix and with one that depends on the noise."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals
from boundaudit.checks.measurements import Columns, measured
from boundaudit.checks.sharpness.taylor.shared import NOISE, claim
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.taylor import (
    A_0,
    A_2,
    A_11,
    A_12,
    A_22,
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
    def of(at: Columns) -> Tensor:
        matrix = torch.stack([at.real(name) for name in ("A_11", "A_12", "A_12", "A_22")], 1).view(-1, 2, 2)
        return heat.form_moments(matrix, at.real("sigma"))[which]

    return measured(of)


hutchinson_mean = claim(
    label="sharpness.taylor.hutchinson.mean",
    statement="A fixed symmetric matrix A of two rows has E εᵀAε = σ² tr A for ε ~ N(0, σ²I).",
    left=Quantity(
        "mean of a quadratic form", _moment(0), r"\mathbb{E}\,\varepsilon^T A \varepsilon",
        lambda: theorem.form_moment(1), rounding=1e-11, scale=1e4,
    ),
    relation="=",
    right=sigma**2 * theorem.TRACE,
    domain=Domain(_ENTRIES),
    role="printed",
    place=("Theorem 12",),
    reading="certain",
    expected="proved",
)  # fmt: skip

# --- a matrix that depends on the noise -----------------------------------------------------------

_WITHIN = Reals(-theorem.A_op, theorem.A_op)
_RANDOM = Domain({A_0: Reals(0, tested_to=4), A_2: Reals(0, tested_to=4), sigma: NOISE})

factors = claim(
    label="sharpness.taylor.form.printed",
    statement="The quadratic form εᵀAε is at most |ε|² times the operator norm of A, so that its mean is at most σ² "
    "times the number of parameters times that norm. One reading bounds the norm by A_op for all noise; it is checked "
    "for a symmetric matrix of two rows. The other takes the mean of the norm; it is checked for the 1 × 1 matrix A_0 "
    "+ A_2 ε², which depends on the noise.",
    role="printed",
    cases=(
        Case(
            "uniform",
            left=alpha_1 * epsilon_1**2 + alpha_2 * epsilon_2**2,
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
        ),
        Case(
            "mean",
            left=theorem.RANDOM_FORM,
            right=theorem.RANDOM_MEAN * sigma**2,
            domain=_RANDOM,
            reading="plausible",
            expected="refuted",
            limitations=("Whether the text takes a mean or a uniform bound at this place is not known.",),
        ),
    ),
)  # fmt: skip

cauchy_schwarz = claim(
    label="sharpness.taylor.form.cauchy-schwarz",
    statement="For a matrix A = A_0 + A_2 ε² of one row that depends on the noise, (E A ε²)² ≤ E A² · E ε⁴.",
    left=theorem.RANDOM_FORM**2,
    right=theorem.RANDOM_SQUARE * theorem.LENGTH_SQUARE,
    domain=_RANDOM,
    kind="Tight",
    equality=({"A_0": 0, "A_2": 1, "sigma": 1},),
    expected="proved",
    repairs=("sharpness.taylor.form.printed[mean]",),
)

# --- the trace at Lagrange's point ----------------------------------------------------------------


@measured
def _fourth(at: Columns) -> Tensor:
    """E|u|⁴ as the mean square of the form of a projection."""
    count = at.whole("n_theta")
    used = (torch.arange(int(count.max()), device=at.device) < count[:, None]).double()
    return heat.form_moments(torch.diag_embed(used), at.real("sigma"))[1]


_FOURTH = Quantity(
    "mean of |u|⁴", _fourth, r"\mathbb{E}\,\|\sigma Z\|^4", theorem.FOURTH_POWER, rounding=1e-11
)  # fmt: skip
_DIMENSIONS = Domain({n_theta: Integers(1, tested_to=6), sigma: NOISE})

at_lagrange = claim(
    label="sharpness.taylor.lagrange.trace",
    statement="The quadratic form of the remainder may be replaced by σ² times the trace. The check takes L(u) = |u|⁴ "
    "of n parameters under noise σZ: E L is at most σ²/2 times the mean of tr Hess L at Lagrange's point.",
    left=_FOURTH,
    right=theorem.FOURTH_AT_LAGRANGE,
    domain=_DIMENSIONS,
    role="printed",
    place=("Theorem 12", "Theorem 17"),
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.taylor.lagrange.printed", "sharpness.taylor.form.printed"),
    limitations=(
        "For L(u) = |u|⁴ the form is three times the trace term in every dimension; the point depends on the noise. A "
        "bound on the trace at noisy points can be used by the heat-flow identity instead.",
    ),
)

by_flow = claim(
    label="sharpness.taylor.lagrange.flow",
    statement="For n parameters u = σZ the mean of |u|⁴ is half the integral, over v from 0 to σ², of the mean of its "
    "Laplacian at √v Z: traces at Gaussian points need no point of Lagrange's.",
    left=_FOURTH,
    relation="=",
    right=theorem.fourth_flow,
    domain=_DIMENSIONS,
    place=("Theorem 12", "Theorem 17"),
    expected="proved",
    rests_on=("sharpness.taylor.heat.flow",),
    repairs=("sharpness.taylor.lagrange.trace",),
)
