"""Theorem 10: the squared norm of the construction, block by block and in total."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.targets import PAPER, POSITIVE, STEEP, TARGETS, WIDE, of_targets
from boundaudit.derivations.sharpness import norms as theorem
from boundaudit.numeric.sharpness.norms import norms_squared

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 10",))
on_targets = functools.partial(claim, domain=TARGETS)
proved = functools.partial(on_targets, expected="proved")
exact = functools.partial(proved, relation="=")
stands = functools.partial(proved, role="printed", reading="certain")
falls = functools.partial(on_targets, role="printed", reading="plausible", expected="refuted")
ON_STEEP, ON_WIDE = TARGETS.replace(u=STEEP), TARGETS.replace(u=WIDE)
TWO_READINGS = "Two shapes of trapezoid fit the description of the MLP; this is for one of them alone."
NO_FLOOR = "Read without a lower limit on the coefficients."
ONE_BIT = {"T": 2, "D": 1, "omega": 1, "c": (1,), "S": ((1,),)}
"""The smallest target: one bit, coefficient one."""


def squared(block: str) -> Measure:
    """The squared norm of a block, summed over the entries of the construction."""
    return of_targets(lambda batch, mlp: norms_squared(batch, mlp=mlp)[block])


_LATEX = {"Gamma": r"\Gamma", "total": r"\Theta"} | {name: f"{name[0]}_{name[1]}" for name in ("W1", "V1", "W2", "V2")}


def _norm(block: str) -> Quantity:
    entries = theorem.total(theorem.ENTRIES) if block == "total" else theorem.ENTRIES[block]
    name = "squared norm of all parameters" if block == "total" else f"squared norm of {block}"
    return Quantity(name, squared(block), rf"\|{_LATEX.get(block, block)}\|^2", entries)


NORM = {block: _norm(block) for block in (*theorem.BLOCKS, "total")}
"""Squared norms measured on the entries of the construction."""


# --- what is printed, the true values, and the conditions that the bounds need --------------------

# --- W1, V1 and M ---------------------------------------------------------------------------------


def _exact(block: str, statement: str) -> Case:
    return Case(block, statement=statement, left=NORM[block], right=theorem.CLOSED[block])


exact_printed = stands(
    label="sharpness.norms.exact.printed", relation="=",
    statement="The squared norms of W1, V1 and M are 4 ω D log²T, one and 4(D+1), for both trapezoids.",
    cases=(
        _exact("W1", "The squared norm of W1 is 4 ω D log²T: ω components write 2 log T at D positions each."),
        _exact("V1", "The squared norm of V1 is one: it has a single entry, one."),
        _exact("M", "The squared norm of M is 4(D+1): its last row is one in all 4(D+1) columns."),
    ),
)  # fmt: skip


# --- F --------------------------------------------------------------------------------------------

_F_UPPER = "With the {} trapezoid the squared norm of F is at most 16 D²(D+1)."
_F_EXACT = "With the {} trapezoid the squared norm of F is exactly 16 D²(D+1)."

f_printed = falls(
    label="sharpness.norms.F.printed", relation="=",
    statement="The squared norm of F is exactly 16 D²(D+1); the bound on all parameters needs it as an upper bound.",
    left=NORM["F"], right=theorem.PUBLISHED["F"], limitations=(TWO_READINGS,),
    cases=(
        Case("exact,steep", statement=_F_EXACT.format("steep"), domain=ON_STEEP),
        Case("exact,wide", statement=_F_EXACT.format("wide"), domain=ON_WIDE),
        Case("upper,steep", statement=_F_UPPER.format("steep"), domain=ON_STEEP, relation="<=", kind="Upper"),
        Case("upper,wide", statement=_F_UPPER.format("wide"), domain=ON_WIDE, relation="<=", kind="Upper",
             expected="proved", rests_on=("sharpness.norms.F.closed-form",)),
    ),
)  # fmt: skip

f_closed = exact(
    label="sharpness.norms.F.closed-form",
    statement="The squared norm of F is 64 D²(⌊D/2⌋+1)/u², u = 1 (steep) or 2 (wide): it has four entries ±4D/u for "
    "each even grid point.",
    left=NORM["F"], right=theorem.CLOSED["F"],
    repairs=("sharpness.norms.F.printed[exact,steep]", "sharpness.norms.F.printed[exact,wide]"),
)  # fmt: skip

f_repaired = claim(
    label="sharpness.norms.F.repaired", kind="Tight", expected="proved",
    statement="With the steep trapezoid the squared norm of F is at most 32 D²(D+2), with equality for even D.",
    left=NORM["F"], right=theorem.F_SIMPLE, domain=ON_STEEP, equality=({**ONE_BIT, "D": 2, "S": ((1, 2),), "u": 1},),
    rests_on=("sharpness.norms.F.closed-form",),
    repairs=("sharpness.norms.F.printed[exact,steep]", "sharpness.norms.F.printed[upper,steep]"),
)  # fmt: skip


# --- Gamma ----------------------------------------------------------------------------------------


gamma_closed = exact(
    label="sharpness.norms.Gamma.closed-form",
    statement="The squared norm of Gamma is (D+1) ((8D+4)/(6D) + (1+(1+u)²)/(8D²)), u = 1 (steep) or 2 (wide): its "
    "entries are the breakpoints of all D+1 quadruples of units.",
    left=NORM["Gamma"], right=theorem.CLOSED["Gamma"],
)  # fmt: skip

gamma_printed = stands(
    label="sharpness.norms.Gamma.printed",
    statement="The squared norm of Gamma is at most 4(D+1), for both trapezoids.",
    left=NORM["Gamma"], right=theorem.PUBLISHED["Gamma"], rests_on=("sharpness.norms.Gamma.closed-form",),
    limitations=("It stands although entries exceed one in absolute value.",),
)  # fmt: skip


# --- W2 and V2: conditions ------------------------------------------------------------------------

w2_printed = falls(
    label="sharpness.norms.W2.printed", place=("Theorem 10", "Theorem 11"),
    statement="The squared norm of W2 is at most 4 ω log²T for all positive coefficients in the unit ball. As W2 has "
    "rank one, the same is printed of its operator norm and of its product with the output position's row.",
    left=NORM["W2"], right=theorem.PUBLISHED["W2"], domain=POSITIVE, limitations=(NO_FLOOR,),
)  # fmt: skip

w2_upper = proved(
    label="sharpness.norms.W2.upper", kind="Tight", place=("Theorem 10", "Theorem 11"), reading="certain",
    statement="The squared norm of W2 is at most 4 ω log²T where every coefficient lies between T⁻⁴ and 1.",
    left=NORM["W2"], right=theorem.PUBLISHED["W2"], equality=({**ONE_BIT, "u": 1},),
    repairs=("sharpness.norms.W2.printed",),
)  # fmt: skip

v2_printed = stands(
    label="sharpness.norms.V2.printed", kind="Tight",
    statement="The squared norm of V2 is C², C the sum of the ω coefficients, and at most ω where their squares sum to "
    "at most one.",
    left=NORM["V2"], right=theorem.PUBLISHED["V2"], equality=({**ONE_BIT, "u": 1},),
)  # fmt: skip


# --- the norm of all parameters, as printed and repaired ------------------------------------------

_EXACT = ("sharpness.norms.exact.printed", "sharpness.norms.F.closed-form", "sharpness.norms.Gamma.closed-form")
_BLOCKWISE = (*_EXACT, "sharpness.norms.W2.upper", "sharpness.norms.V2.printed")
_AS_PRINTED = ("sharpness.norms.exact.printed", "sharpness.norms.Gamma.printed", "sharpness.norms.V2.printed")
_L = "the printed L = 16 D²(D+1) + 8(D+1) + 1 + ω + 4 ω (D+1) log²T"

total_closed = exact(
    label="sharpness.norms.total.closed-form",
    statement="The squared norm of all parameters is the sum of the closed forms of the seven blocks, for both "
    "trapezoids.",
    left=NORM["total"], right=lambda: theorem.total(theorem.CLOSED), rests_on=_EXACT,
)  # fmt: skip

total_printed = falls(
    label="sharpness.norms.total.printed",
    statement=f"The squared norm of all parameters is at most {_L}.",
    left=NORM["total"], right=lambda: theorem.total(theorem.PUBLISHED), limitations=(TWO_READINGS,),
    cases=(
        Case(
            "steep",
            statement=f"With the steep trapezoid the squared norm of all parameters is at most {_L}, for coefficients "
            "between T⁻⁴ and 1 in the unit ball.",
            domain=ON_STEEP,
            rests_on=(*_AS_PRINTED, "sharpness.norms.F.printed[upper,steep]", "sharpness.norms.W2.upper"),
        ),
        Case(
            "wide",
            statement=f"With the wide trapezoid the squared norm of all parameters is at most {_L}, for coefficients "
            "between T⁻⁴ and 1 in the unit ball.",
            domain=ON_WIDE,
            expected="proved",
            rests_on=(*_AS_PRINTED, "sharpness.norms.F.printed[upper,wide]", "sharpness.norms.W2.upper"),
        ),
        Case(
            "wide,no-floor",
            statement=f"With the wide trapezoid the squared norm of all parameters is at most {_L}, for all positive "
            "coefficients in the unit ball.",
            domain=POSITIVE.replace(u=WIDE),
            rests_on=(*_AS_PRINTED, "sharpness.norms.F.printed[upper,wide]", "sharpness.norms.W2.printed"),
            limitations=(TWO_READINGS, NO_FLOOR),
        ),
    ),
)  # fmt: skip

total_repaired = proved(
    label="sharpness.norms.total.repaired", kind="Tight",
    statement="For both trapezoids and coefficients between T⁻⁴ and 1 in the unit ball the squared norm of all "
    "parameters is at most L*, the printed L with the true terms of F and Gamma. Equality for one component with "
    "coefficient one.",
    left=NORM["total"], right=lambda: theorem.total(theorem.REPAIRED),
    equality=({**ONE_BIT, "u": 1}, {**ONE_BIT, "u": 2}, {**ONE_BIT, "T": 6, "u": 1}), rests_on=_BLOCKWISE,
    repairs=("sharpness.norms.total.printed",), improves="sharpness.norms.total.printed[wide]",
)  # fmt: skip


# --- the norm bound as a chain that replaces one block at a time ----------------------------------

_ROOT = 10**-0.5 * (1 - 2**-50)
_PRINTED_EXAMPLE: Point = {
    "T": 20, "D": 2, "omega": 10, "u": 1, "c": (_ROOT,) * 10, "S": tuple((n, n + 10) for n in range(1, 11))
}  # fmt: skip
_SMALL_EXAMPLE: Point = {**ONE_BIT, "T": 6, "u": 1}

_ORDER = (
    ("V2", "V2 at most ω", "Cauchy-Schwarz, Σc² ≤ 1", "sharpness.norms.V2.printed"),
    ("W2", "W2 at most 4ω log²T", "|log c + 2 log T| ≤ 2 log T for T⁻⁴ ≤ c ≤ 1", "sharpness.norms.W2.upper"),
    ("Gamma", "Γ at most 4(D+1)", "entry by entry", "sharpness.norms.Gamma.printed"),
)


def _chain(name: str, title: str, domain: Domain, width: int, f_step: tuple[sp.Expr, str, str, str]) -> Derivation:
    """The norm bound as a chain that replaces one block at a time."""
    terms = dict(theorem.CLOSED)
    steps = [
        Step(NORM["total"], "measured ‖Θ‖²"),
        Step(theorem.total(terms), "closed forms", "summation", "sharpness.norms.total.closed-form"),
    ]
    for block, what, cites, label in _ORDER:
        terms[block] = theorem.PUBLISHED[block]
        steps.append(Step(theorem.total(terms), what, cites, label))
    value, what, cites, label = f_step
    steps.append(Step(theorem.total(terms | {"F": value}), what, cites, label))
    samples = {
        "T=6, D=1, ω=1": {**_SMALL_EXAMPLE, "u": width},
        "T=20, D=2, ω=10": {**_PRINTED_EXAMPLE, "u": width},
    }
    return Derivation(
        label=f"sharpness.norms.{name}", title=title, steps=tuple(steps), domain=domain, samples=samples,
        paper=PAPER, place=("Theorem 10",),
    )  # fmt: skip


_PRINTED_F = (theorem.PUBLISHED["F"], "F at most 16 D²(D+1)", "16 D² per quadruple, as printed")
_SIMPLE_F = (theorem.F_SIMPLE, "F at most 32 D²(D+2)", "⌊D/2⌋ ≤ D/2")

chains = (
    _chain(
        "chain-printed-steep", "The printed norm bound, steep trapezoid", ON_STEEP, 1,
        (*_PRINTED_F, "sharpness.norms.F.printed[upper,steep]"),
    ),
    _chain(
        "chain-printed-wide", "The printed norm bound, wide trapezoid", ON_WIDE, 2,
        (*_PRINTED_F, "sharpness.norms.F.printed[upper,wide]"),
    ),
    _chain(
        "chain-repaired", "The repaired norm bound, steep trapezoid", ON_STEEP, 1,
        (*_SIMPLE_F, "sharpness.norms.F.repaired"),
    ),
)  # fmt: skip
