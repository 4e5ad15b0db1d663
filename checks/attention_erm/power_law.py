"""Section 5: targets with eigenvalues √d i^(-γ), whose modes' errors add up to the rate of the test error."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.attention_erm import PAPER
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.statement import Relation
from boundaudit.checks.language.verdicts import Kind
from boundaudit.checks.measurements import at_points
from boundaudit.derivations.attention_erm import power_law as theory
from boundaudit.derivations.attention_erm.symbols import b_erm, k_erm, n_modes, q_erm
from boundaudit.numeric.attention_erm.power_law import mode_error, rate_constant

_claim = functools.partial(Claim, paper=PAPER, place=("Section 5",))
_POSITIVE = Reals(0, open_low=True)

step = _claim(
    label="attention_erm.power_law.step",
    statement="For eigenvalues q/i in units of the noise level, the error φ(q/k) of mode k is at most the integral of "
    "φ(q/v) over v from k - 1 to k.",
    domain=Domain({k_erm: Integers(1), q_erm: _POSITIVE}),
    expected="proved",
    cases=(
        Case(
            "learned", left=theory.KEPT, right=theory.step(theory.BEFORE, theory.BEFORE),
            domain=lambda: Domain({k_erm: Integers(1), q_erm: Reals(k_erm)}),
        ),
        Case(
            "last", left=theory.LOST, right=theory.step(theory.AFTER, theory.BEFORE),
            domain=lambda: Domain({k_erm: Integers(1), q_erm: _POSITIVE}, where=[q_erm <= k_erm, q_erm > k_erm - 1]),
        ),
        Case(
            "lost", left=theory.LOST, right=theory.step(theory.AFTER, theory.AFTER),
            domain=lambda: Domain({k_erm: Integers(2), q_erm: Reals(0, k_erm - 1, open_low=True)}),
        ),
    ),
)  # fmt: skip

total = _claim(
    label="attention_erm.power_law.sum",
    statement="Let a target have eigenvalues √d/i, i ≤ N, of which the largest is q noise levels. For every N the "
    "squared errors of its modes add up to at most 4q squared noise levels: with s = δ²/d the error is at most 4√s.",
    left=theory.SUM,
    right=4 * q_erm,
    domain=Domain({n_modes: Integers(1, tested_to=400), q_erm: Reals(0, open_low=True)}),
    rests_on=(step.label,),
    limitations=("The prefactor is derived here for ε = 2δ and d → ∞ first; the paper prints the rate alone.",),
)

# --- the rate -------------------------------------------------------------------------------------

_EXPONENTS = ("3/4", "1", "3/2", "2")


def _scaled(exponent: str) -> Quantity:
    """(n/d)^(1 - 1/(2γ)) E over its limit C_γ (Δ/4)^(1 - 1/(2γ)), Δ = 1."""
    gamma = float(sp.Rational(exponent))
    power = 1 - 1 / (2 * gamma)

    def one(point: Point) -> float:
        ratio = 10.0 ** int(point["b_erm"])
        return float(mode_error(gamma, ratio, 1.0).error * (4 * ratio) ** power / rate_constant(gamma))

    return Quantity(f"error over its rate, γ = {exponent}", at_points(one), r"E / (C_\gamma (d/4n)^{1 - 1/(2\gamma)})",
                    rounding=1e-9)  # fmt: skip


def _sides(relation: Relation, kind: Kind, bounds: dict[str, str]) -> tuple[Case, ...]:
    return tuple(
        Case(
            f"{exponent.replace('/', '-')},{'high' if relation == '<=' else 'low'}",
            left=_SCALED[exponent], relation=relation, kind=kind, right=sp.Rational(bound),
        )
        for exponent, bound in bounds.items()
    )  # fmt: skip


_SCALED = {exponent: _scaled(exponent) for exponent in _EXPONENTS}

rate = _claim(
    label="attention_erm.power_law.rate",
    statement="For eigenvalues √d i^(-γ) the error falls as (n/d)^(-1 + 1/(2γ)). It lies between 0.9 and 1.2 times "
    "C_γ (Δd/(4n))^(1 - 1/(2γ)), C_γ = 6 - 8/(1 + γ) + 3/(1 + 2γ) + 1/(2γ - 1). Here n is from 1000 d to 10⁷ d, γ = "
    "3/4, 1, 3/2 or 2, Δ = 1 and the threshold 2δ.",
    domain=Domain({b_erm: Integers(3, 7)}),
    role="printed",
    reading="plausible",
    rests_on=(total.label,),
    limitations=(
        "The paper prints the rate alone. The prefactor is derived here for d → ∞ at n/d fixed and ε = 2δ; at d of a "
        "few hundred the best threshold is lower and so is the error.",
    ),
    cases=(
        *_sides("<=", "Upper", {"3/4": "1.2", "1": "1.06", "3/2": "1", "2": "1"}),
        *_sides(">=", "Lower", {"3/4": "1", "1": "1", "3/2": "0.97", "2": "0.92"}),
    ),
)
