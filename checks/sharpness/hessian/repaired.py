"""Theorem 18 repaired: a bound on the whole Hessian for all targets and inputs, from the parts of the chain rule."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.sharpness.hessian.bound import WIDTH, printed
from boundaudit.checks.sharpness.hessian.families import ANY as ANY_COEFFICIENTS
from boundaudit.checks.sharpness.hessian.families import FLOORED, OFF_KINKS
from boundaudit.checks.sharpness.hessian.forms import whole
from boundaudit.checks.sharpness.hessian.shared import (
    claim,
)
from boundaudit.checks.sharpness.targets import BOTH
from boundaudit.derivations.sharpness import hessian as theorem
from boundaudit.derivations.sharpness.hessian import p_e
from boundaudit.derivations.sharpness.hessian_parts import H_ANY
from boundaudit.derivations.sharpness.parameters import D, T, omega, u

total = claim(
    label="sharpness.hessian.repaired.total",
    statement="The operator norm of the Hessian of the network's output is at most H* = v + l + s/2 + √(s²/4 + q²). "
    "The four parts are those of the chain rule: values v, logits l, the skew s of the logits, logits with values q. "
    "Each is a closed form in T, D, ω and u; no width d enters. For coefficients from T⁻⁴ to 1 in the unit ball, any "
    "family of ω sets of one size D, any input off the kinks, T ≥ 4 and either trapezoid.",
    right=theorem.H_STAR,
    domain=FLOORED,
    repairs=(printed.label,),
    expected="proved",
    cases=tuple(whole("total", which, FLOORED, "floor", theorem.H_STAR) for which in ("finite", "ideal")),
    limitations=(OFF_KINKS,),
)

without_floor = claim(
    label="sharpness.hessian.repaired.without-floor",
    statement="The operator norm of the Hessian of the network's output is at most v + l + s/2 + √(s²/4 + q²), for all "
    "positive coefficients. The four parts are those of the chain rule (values, logits, the skew of the logits, logits "
    "with values), with the target's own C = Σ c and |w2|²: the logarithm of a coefficient is counted however small it "
    "is. For any family of ω sets of one size D, any input off the kinks, T ≥ 4 and either trapezoid.",
    right=H_ANY,
    domain=ANY_COEFFICIENTS,
    repairs=(f"{printed.label}[no-floor]",),
    expected="proved",
    cases=tuple(whole("without-floor", which, ANY_COEFFICIENTS, "own", H_ANY) for which in ("finite", "ideal")),
    limitations=(OFF_KINKS,),
)

region = claim(
    label="sharpness.hessian.repaired.region",
    statement="At T = 20, 30, 40 and 50, for D from 1 to 5, ω up to half of T and both trapezoids H* is at most the "
    "printed H_u, which therefore holds there for coefficients from T⁻⁴ to 1 in the unit ball, any family of sets and "
    "any input off the kinks.",
    left=theorem.H_STAR,
    right=theorem.H_U_ONE_HOT,
    domain=lambda: Domain({
        T: Choices(twenty=20, thirty=30, forty=40, fifty=50), D: Integers(1, 5), omega: Integers(1, sp.floor(T / 2)),
        u: BOTH,
    }),
    expected="certified",
    rests_on=(total.label,),
    limitations=(WIDTH,),
)  # fmt: skip

skew = claim(
    label="sharpness.hessian.repaired.skew",
    statement="The third central moment of a bit is at most 1/(6√3), attained at p = (3-√3)/6: the constant of the "
    "growth in F's positional channels.",
    left=theorem.SKEW,
    relation="<=",
    right=1 / (6 * sp.sqrt(3)),
    domain=Domain({p_e: Reals(0, 1)}),
    kind="Tight",
    equality=({"p_e": (3 - sp.sqrt(3)) / 6},),
    expected="proved",
)
