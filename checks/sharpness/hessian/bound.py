"""Theorem 18: the printed bound on the Hessian's norm, where it fails, and the bound that stands in its place."""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import completed
from boundaudit.checks.sharpness.hessian.forms import whole
from boundaudit.checks.sharpness.hessian.lemmas import four_at
from boundaudit.checks.sharpness.hessian.shared import ANY as ANY_COEFFICIENTS
from boundaudit.checks.sharpness.hessian.shared import (
    FEW,
    FLOORED,
    LOWER,
    OFF_KINKS,
    SCALES,
    SEEN,
    TILINGS,
    claim,
    output_weights,
    tilings,
)
from boundaudit.checks.sharpness.targets import ALL_OF_F, BOTH, EXACT, PAPER, STEEP, WIDE
from boundaudit.derivations.sharpness import hessian as theorem
from boundaudit.derivations.sharpness import hessian_parts as by_parts
from boundaudit.derivations.sharpness.disjoint_supports import FINITE, n_e
from boundaudit.derivations.sharpness.hessian import H_U_ONE_HOT, p_e
from boundaudit.derivations.sharpness.hessian_lemmas import x_hl, y_hl, z_hl
from boundaudit.derivations.sharpness.hessian_parts import H_ANY, H_ONE_COLUMN, POWER
from boundaudit.derivations.sharpness.parameters import D, T, omega, u

_lemma = functools.partial(claim, expected="proved")
_chain = functools.partial(Derivation, paper=PAPER, place=("Theorem 18",))

SIZES = Domain({T: Integers(4, tested_to=48), D: Integers(1, T), omega: Integers(1, T), u: BOTH})
_SAMPLES = {"T=20, D=2, ω=10": {"T": 20, "D": 2, "omega": 10, "u": 1}}


def _part(part: str) -> Claim:
    count = by_parts.ONE_COLUMN_SIMPLE[part]
    return _lemma(
        label=f"sharpness.hessian.one-column.{part}",
        statement=f"Where F's last column alone counts as parameters, the closed form that bounds the part “{part}” of "
        f"the Hessian is at most {count} D^(3/2) at C = 1 and T = 4, where its share of C is largest.",
        left=by_parts.ONE_COLUMN[part], right=count * POWER, domain=Domain({D: Integers(1, tested_to=60), u: BOTH}),
    )  # fmt: skip


parts = tuple(_part(part) for part in by_parts.PARTS)


_COUNTED = {part: sp.sqrt(omega) * count * POWER for part, count in by_parts.ONE_COLUMN_SIMPLE.items()}


_X, _Y, _Z = by_parts.UNDER["covariance"]
root = _lemma(
    label="sharpness.hessian.one-column.root",
    statement="What stands under the root of the covariance's closed form is not negative.",
    left=sp.S.Zero, right=omega * _X + _Y + sp.sqrt(omega) * _Z / T,
    domain=Domain({T: Integers(4), D: Integers(1), omega: Integers(1), u: BOTH}),
)  # fmt: skip
_REAL = (Instance("sharpness.hessian.lemmas.spread"), Instance(root.label), Instance(root.label, by_parts.SHORTEST))
"""Roots are taken of what is not negative, here and at T = 4, ω = 1."""


def _scaled(part: str) -> Case:
    start, label = by_parts.ONE_COLUMN_PARTS[part], f"sharpness.hessian.one-column.{part}"
    steps = [Step(start, "closed form")]
    if part in by_parts.UNDER:
        at = Instance(
            "sharpness.hessian.lemmas.scaled", dict(zip((x_hl, y_hl, z_hl), by_parts.UNDER[part], strict=True))
        )
        steps.append(Step(by_parts.taken_out(part), "√ω before the root", "ω ≥ 1 and T ≥ 4", (*_REAL, at)))
    steps += [
        Step(sp.sqrt(omega) * by_parts.ONE_COLUMN[part], "√ω before all", "ω ≥ 1 and T ≥ 4", _REAL),
        Step(_COUNTED[part], "a multiple of D^(3/2) √ω", "", (*_REAL, Instance(label))),
    ]
    return Case(
        part, left=start, right=_COUNTED[part],
        derivation=_chain(
            label=f"{label}.steps", title="A bound free of T", steps=tuple(steps), domain=SIZES, samples=_SAMPLES,
        ),
    )  # fmt: skip


scaled = _lemma(
    label="sharpness.hessian.one-column.scaled",
    statement="Where F's last column alone counts as parameters, the closed form that bounds a part of the Hessian is "
    "at most a multiple of D^(3/2) √ω, at every length T ≥ 4.",
    domain=SIZES, cases=tuple(_scaled(part) for part in by_parts.PARTS),
)  # fmt: skip

simple = _lemma(
    label="sharpness.hessian.one-column.simple",
    statement="Where F's last column alone counts as parameters, the bound on the Hessian of the construction's "
    f"output is at most {by_parts.KAPPA} D^(3/2) √ω, at every length T ≥ 4 and for both trapezoids.",
    left=by_parts.H_ONE_COLUMN, right=by_parts.SIMPLE, domain=SIZES,
    derivation=_chain(
        label="sharpness.hessian.one-column.simple.steps", title="A bound free of T", domain=SIZES, samples=_SAMPLES,
        steps=(
            Step(by_parts.H_ONE_COLUMN, "the bound"),
            Step(by_parts.four(_COUNTED), "part by part", "each its multiple of D^(3/2) √ω",
                 (*_REAL, *(f"{scaled.label}[{part}]" for part in by_parts.PARTS),
                  four_at(by_parts.ONE_COLUMN_PARTS, _COUNTED))),
            Step(by_parts.SIMPLE, "added up", "26 + 13 + 1/2 + √(1/4 + 8²) ≤ 48"),
        ),
    ),
)  # fmt: skip

room = _lemma(
    label="sharpness.hessian.one-column.degree",
    statement=f"{by_parts.KAPPA} √D is at most {by_parts.KAPPA} (D/4 + 1).",
    left=by_parts.KAPPA * sp.sqrt(D), right=by_parts.KAPPA * (D / 4 + 1),
    domain=Domain({D: Integers(1, tested_to=400)}),
)  # fmt: skip

roots = _lemma(
    label="sharpness.hessian.one-column.roots",
    statement="√ω is at most √(T+2) for ω ≤ T.",
    left=sp.sqrt(omega), right=sp.sqrt(T + 2), domain=Domain({T: Integers(4, tested_to=400), omega: Integers(1, T)}),
)  # fmt: skip

AGAINST_PRINTED = _chain(
    label="sharpness.hessian.one-column.printed",
    title="The printed H_u, where no logit enters",
    steps=(
        Step(by_parts.H_ONE_COLUMN, "the bound"),
        Step(by_parts.SIMPLE, "κ D^(3/2) √ω", "simplified", simple.label),
        Step(by_parts.ROOM * D * sp.sqrt(omega), "19 (T+2) D √ω", "D ≤ T", room.label),
        Step(by_parts.ROUNDED, "11 and 8 of it", "√ω ≤ √(T+2)", roots.label),
        Step(by_parts.H_U_TWO_TERMS, "two terms of H_u", "11 ≤ 8 √2 and 8 ≤ 6 √2"),
        Step(H_U_ONE_HOT, "H_u: six more terms", "none is negative"),
    ),
    domain=SIZES,
    samples=_SAMPLES,
)
"""From the bound to H_u at d = T + 2."""


# --- the printed bound on the Hessian's norm, where it fails and how its parts grow ---------------

WIDTH = "d = T + 2, as in the printed numbers; counted by channels d is T + 1 and the bound smaller."
MEASURED = output_weights("rayleigh", SCALES["finite"])


def quotient(definition: Callable[[], sp.Expr]) -> Quantity:
    """The lower bound on the norm of the construction's Hessian."""
    return Quantity("Rayleigh quotient of Hess f", MEASURED, r"x^\top \nabla^2 f\, x", lambda: definition(), 1e-9, 1e3)


ANY = quotient(lambda: theorem.rayleigh(FINITE))
"""At any coefficients."""

# --- one family: D = 1, ω = T, equal coefficients -----------------------------------------------------


def _of_family(p: Point) -> Point:
    return {"T": p["T"], "omega": p["T"], "D": 1, "u": p.get("u", 1), "n_e": p["n_e"], "n_r": 0}


_GROWING = completed(output_weights("rayleigh", SCALES["ideal"]), _of_family)


FAMILY = "D = 1, ω = T, equal coefficients of unit length, the ideal network; n_e bits are zero."
_IN_FAMILY = Quantity(
    "Rayleigh quotient of Hess f, ideal network", _GROWING, r"x^\top \nabla^2 f\, x",
    lambda: theorem.growing_by_rows(), 1e-9,
    1e3,
)  # fmt: skip


def _finite(name: str, width: Choices) -> Case:
    return Case(
        f"{name},finite", left=quotient(lambda: theorem.equal(theorem.rayleigh(FINITE))), right=theorem.H_U_ONE_HOT,
        domain=FEW.replace(T=Integers(4, tested_to=400), u=width), reading="plausible",
        limitations=(LOWER, TILINGS, WIDTH, EXACT, ALL_OF_F, "Equal coefficients of unit length."),
    )  # fmt: skip


def _ideal(name: str, width: Choices) -> Case:
    return Case(
        f"{name},ideal", left=_IN_FAMILY, right=lambda: theorem.h_u_growing(),
        domain=Domain({T: Integers(4, tested_to=400), n_e: Integers(1, T - 1), u: width}), reading="certain",
        limitations=(LOWER, WIDTH, FAMILY, ALL_OF_F),
    )  # fmt: skip


printed = claim(
    label="sharpness.hessian.bound.printed", role="printed", place=("Theorem 18", "Appendix K"), expected="refuted",
    statement="The operator norm of the Hessian of the network's output is at most the printed H_u(ω, D, T, d), for "
    "components side by side, T ≥ 4 and coefficients of unit length.",
    rests_on=(
        "sharpness.hessian.blocks.six", "sharpness.hessian.blocks.F-F.zero", "sharpness.softmax.jacobian.printed",
        "sharpness.activations.hidden.norm", "sharpness.activations.values.largest-sparsity",
    ),
    cases=(
        _finite("steep", STEEP),
        _finite("wide", WIDE),
        _ideal("steep", STEEP),
        _ideal("wide", WIDE),
        Case(
            "no-floor",
            statement="The operator norm of the Hessian of the network's output is at most the printed H_u, for "
            "components side by side, all positive coefficients in the unit ball and T ≥ 4.",
            left=ANY, right=theorem.H_U_ONE_HOT, domain=tilings(24, Reals(0, 1, open_low=True)), reading="plausible",
            limitations=(LOWER, TILINGS, WIDTH, EXACT, "Read without a lower limit on the coefficients."),
        ),
        Case(
            "one-column",
            statement="Where F's last column alone counts as parameters, our bound on the operator norm of the Hessian "
            "of the construction's output is at most the printed H_u at every length T ≥ 4, for D ≤ T and ω ≤ T: no "
            "logit enters it.",
            left=H_ONE_COLUMN, right=theorem.H_U_ONE_HOT, reading="plausible", expected="proved",
            domain=SIZES, derivation=AGAINST_PRINTED,
            rests_on=("sharpness.hessian.bound.one-column",),
            limitations=("The left side is an upper bound on the operator norm.", WIDTH),
        ),
    ),
)  # fmt: skip

# --- F with one column ------------------------------------------------------------------------------

one_column = claim(
    label="sharpness.hessian.bound.one-column", place=("Theorem 18", "Appendix K"), expected="proved",
    statement="Where F's last column alone counts as parameters, no logit enters: for positive coefficients in the "
    "unit ball, any family of ω sets of one size D, any input off the kinks and T ≥ 4 the operator norm of the Hessian "
    "of the construction's output is at most a bound that grows like √ω and falls with T.",
    right=H_ONE_COLUMN, domain=SEEN, **whole("one-column", "one-column", SEEN, "one-column", H_ONE_COLUMN).changes,
    limitations=(OFF_KINKS,),
)  # fmt: skip

# --- growth -------------------------------------------------------------------------------------------

_FIFTHS = Domain({n_e: Integers(1, tested_to=80)})
lower = claim(
    label="sharpness.hessian.growth.lower",
    statement="At D = 1, ω = T = 5 n_e, equal coefficients, the steep trapezoid and n_e zeros among the bits, the "
    "ideal network's block of F's positional channels has the Rayleigh quotient 0.675 T^(3/2) log²T.",
    left=Quantity(
        "Rayleigh quotient of Hess f", completed(_GROWING, lambda p: {"T": 5 * p["n_e"], "n_e": p["n_e"]}),
        r"x^\top \nabla^2 f\, x",
        lambda: theorem.growing_by_rows().subs({T: 5 * n_e, u: 1}), 1e-9,
    ),
    relation="=",
    right=lambda: theorem.GROWING.subs(T, 5 * n_e),
    domain=_FIFTHS,
    place=("Appendix K",),
    expected="proved",
    rests_on=("sharpness.hessian.blocks.F-F.norm",),
    limitations=(FAMILY,),
)  # fmt: skip

upper = claim(
    label="sharpness.hessian.growth.upper",
    statement="At D = 1 and ω = T the printed H_u grows like T^(3/2) without a logarithm: it is at most 25 T^(3/2) "
    "from T = 64 on.",
    left=lambda: theorem.h_u_growing(),
    right=25 * T ** sp.Rational(3, 2),
    domain=Domain({T: Integers(64, tested_to=4000)}),
    kind="Rate",
    mode="as T→∞",
    place=("Appendix K",),
    expected="proved",
    limitations=(WIDTH, FAMILY),
)

exceeds = claim(
    label="sharpness.hessian.growth.exceeds",
    statement="From T = 440 on 0.675 T^(3/2) log²T exceeds 25 T^(3/2): at D = 1, ω = T, equal coefficients and the "
    "steep trapezoid the printed H_u is too small at every length from there on that five divides.",
    left=theorem.GROWING,
    relation=">=",
    right=25 * T ** sp.Rational(3, 2),
    domain=Domain({T: Integers(440, tested_to=4000)}),
    kind="Rate",
    mode="as T→∞",
    place=("Theorem 18", "Appendix K"),
    expected="proved",
    rests_on=("sharpness.hessian.growth.lower", "sharpness.hessian.growth.upper"),
    limitations=(WIDTH, FAMILY),
)

asymptotics = claim(
    label="sharpness.hessian.asymptotics", role="printed", place=("Appendix K",), reading="plausible",
    expected="not testable",
    statement="With a projection to width d of order log T the printed bound H_u on the operator norm of the Hessian "
    "of the network's output has a stated order.",
    left=theorem.H_U, right=sp.Symbol("K", positive=True) * sp.sqrt(T),
    domain=lambda: Domain({
        T: Integers(2), sp.Symbol("d", integer=True, positive=True): Integers(1), D: Integers(1, T),
        omega: Integers(1, T), sp.Symbol("K", positive=True): Reals(0, open_low=True),
    }),
    rests_on=(printed.label,), missing="the order that the end of the appendix states, and its constant",
)  # fmt: skip


# --- a bound on the whole Hessian for all targets and inputs, from the parts of the chain rule ----

total = claim(
    label="sharpness.hessian.repaired.total", expected="proved",
    statement="The operator norm of the Hessian of the network's output is at most H* = v + l + s/2 + √(s²/4 + q²). "
    "The four parts are those of the chain rule: values v, logits l, the skew s of the logits, logits with values q. "
    "Each is a closed form in T, D, ω and u; no width d enters. For coefficients from T⁻⁴ to 1 in the unit ball, any "
    "family of ω sets of one size D, any input off the kinks, T ≥ 4 and either trapezoid.",
    right=theorem.H_STAR, domain=FLOORED, repairs=(printed.label,),
    **whole("total", "finite", FLOORED, "floor", theorem.H_STAR).changes, limitations=(OFF_KINKS,),
)  # fmt: skip

without_floor = claim(
    label="sharpness.hessian.repaired.without-floor", expected="proved",
    statement="The operator norm of the Hessian of the network's output is at most v + l + s/2 + √(s²/4 + q²), for all "
    "positive coefficients. The four parts are those of the chain rule (values, logits, the skew of the logits, logits "
    "with values), with the target's own C = Σ c and |w2|²: the logarithm of a coefficient is counted however small it "
    "is. For any family of ω sets of one size D, any input off the kinks, T ≥ 4 and either trapezoid.",
    right=H_ANY, domain=ANY_COEFFICIENTS, repairs=(f"{printed.label}[no-floor]",),
    **whole("without-floor", "finite", ANY_COEFFICIENTS, "own", H_ANY).changes, limitations=(OFF_KINKS,),
)  # fmt: skip

region = claim(
    label="sharpness.hessian.repaired.region", expected="certified",
    statement="At T = 20, 30, 40 and 50, for D from 1 to 5, ω up to half of T and both trapezoids H* is at most the "
    "printed H_u, which therefore holds there for coefficients from T⁻⁴ to 1 in the unit ball, any family of sets and "
    "any input off the kinks.",
    left=theorem.H_STAR, right=theorem.H_U_ONE_HOT,
    domain=lambda: Domain({
        T: Choices(twenty=20, thirty=30, forty=40, fifty=50), D: Integers(1, 5), omega: Integers(1, sp.floor(T / 2)),
        u: BOTH,
    }),
    rests_on=(total.label,), limitations=(WIDTH,),
)  # fmt: skip

skew = claim(
    label="sharpness.hessian.repaired.skew", kind="Tight", expected="proved",
    statement="The third central moment of a bit is at most 1/(6√3), attained at p = (3-√3)/6: the constant of the "
    "growth in F's positional channels.",
    left=theorem.SKEW, right=1 / (6 * sp.sqrt(3)), domain=Domain({p_e: Reals(0, 1)}),
    equality=({"p_e": (3 - sp.sqrt(3)) / 6},),
)  # fmt: skip
