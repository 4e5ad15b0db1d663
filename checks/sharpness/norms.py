"""Theorem 10: the squared norm of the construction, block by block and in total."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.claim import Claim, Measure, Quantity
from boundaudit.checks.derivation import Derivation, Step
from boundaudit.checks.domain import Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.floats import Array
from boundaudit.checks.points import Point
from boundaudit.checks.sharpness.targets import (
    FLOOR,
    PAPER,
    POSITIVE,
    SPARSITY,
    STEEP,
    TARGETS,
    WIDE,
    batch_of,
    by_trapezoid,
)
from boundaudit.derivations.sharpness import norms as theorem
from boundaudit.derivations.sharpness.parameters import D, T, c, d, omega, u
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.norms import largest_entries, norms_squared
from boundaudit.numeric.sharpness.projection import expected_squared_norm, moments

_claim = functools.partial(Claim, paper=PAPER, place=("Theorem 10",))
_STEEP, _WIDE = TARGETS.replace(u=STEEP), TARGETS.replace(u=WIDE)
_TWO_READINGS = "Two trapezoids fit the surviving text; this speaks of one of them alone."
_ONE = {"T": 2, "D": 1, "omega": 1, "c": (1,), "S": ((1,),)}
"""The smallest target: one bit, coefficient one."""


def _squared(block: str) -> Measure:
    def measure(points: Sequence[Point], device: str) -> Array:
        def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
            return norms_squared(batch_of(chosen, device), mlp=mlp)[block]

        return by_trapezoid(points, of)

    return measure


def _largest(block: str) -> Measure:
    def measure(points: Sequence[Point], device: str) -> Array:
        def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
            return largest_entries(batch_of(chosen, device), mlp=mlp)[block]

        return by_trapezoid(points, of)

    return measure


_LATEX = {"Gamma": r"\Gamma", "total": r"\Theta"} | {name: f"{name[0]}_{name[1]}" for name in ("W1", "V1", "W2", "V2")}


def _norm(block: str) -> Quantity:
    entries = theorem.total(theorem.ENTRIES) if block == "total" else theorem.ENTRIES[block]
    name = "squared norm of all parameters" if block == "total" else f"squared norm of {block}"
    return Quantity(name, _squared(block), rf"\|{_LATEX.get(block, block)}\|^2", entries)


NORM = {block: _norm(block) for block in (*theorem.BLOCKS, "total")}
"""Squared norms measured on the entries of the construction."""


# --- closed forms ---------------------------------------------------------------------------------

_HOW = {
    "W1": "every component writes 2 log T at its D positions",
    "V1": "a single entry one",
    "M": "its last row is one in all 4(D+1) columns",
    "Gamma": "the breakpoints of all D+1 quadruples",
    "F": "four entries ±4D/u for each even grid point",
    "W2": "log c_t + 2 log T for each component",
    "V2": "the sum of the coefficients, once",
}


def _closed(block: str) -> Claim:
    return _claim(
        label=f"sharpness.norms.{block}.closed-form",
        statement=f"The squared norm of {block} in closed form, for both trapezoids: {_HOW[block]}.",
        left=NORM[block],
        relation="=",
        right=theorem.CLOSED[block],
        domain=TARGETS,
        reading="certain" if block in ("V1", "M", "W1", "W2", "V2") else "derived here",
        expected="proved",
    )


closed_forms = tuple(_closed(block) for block in theorem.BLOCKS)
_CLOSED = {block: claim.label for block, claim in zip(theorem.BLOCKS, closed_forms, strict=True)}


# --- F --------------------------------------------------------------------------------------------


def _f_exact(name: str, domain: Domain) -> Claim:
    return _claim(
        label=f"sharpness.norms.F.exact-{name}",
        statement=f"With the {name} trapezoid the squared norm of F is exactly 16 D²(D+1).",
        left=NORM["F"],
        relation="=",
        right=theorem.PUBLISHED["F"],
        domain=domain,
        reading="plausible",
        expected="refuted",
        limitations=(_TWO_READINGS,),
    )


f_exact = (_f_exact("steep", _STEEP), _f_exact("wide", _WIDE))

f_upper_steep = _claim(
    label="sharpness.norms.F.upper-steep",
    statement="With the steep trapezoid the squared norm of F is at most 16 D²(D+1).",
    left=NORM["F"],
    relation="<=",
    right=theorem.PUBLISHED["F"],
    domain=_STEEP,
    reading="plausible",
    expected="refuted",
    limitations=(_TWO_READINGS,),
)

f_upper_wide = _claim(
    label="sharpness.norms.F.upper-wide",
    statement="With the wide trapezoid the squared norm of F is at most 16 D²(D+1).",
    left=NORM["F"],
    relation="<=",
    right=theorem.PUBLISHED["F"],
    domain=_WIDE,
    reading="plausible",
    expected="proved",
    rests_on=(_CLOSED["F"],),
    repairs=("sharpness.norms.F.exact-wide",),
    limitations=(_TWO_READINGS,),
)

f_repaired = _claim(
    label="sharpness.norms.F.repaired",
    statement="With the steep trapezoid the squared norm of F is at most 32 D²(D+2), with equality for even D.",
    left=NORM["F"],
    relation="<=",
    right=theorem.F_SIMPLE,
    domain=_STEEP,
    kind="Tight",
    equality=({**_ONE, "D": 2, "S": ((1, 2),), "u": 1},),
    expected="proved",
    rests_on=(_CLOSED["F"],),
    repairs=("sharpness.norms.F.exact-steep", "sharpness.norms.F.upper-steep"),
)

f_largest = _claim(
    label="sharpness.norms.F.largest-entry",
    statement="The largest entry of F is 4D/u: 4D for the steep trapezoid, 2D for the wide one.",
    left=Quantity("largest entry of F", _largest("F"), r"\max |F|", theorem.LARGEST_F),
    relation="=",
    right=theorem.LARGEST_F,
    domain=TARGETS,
    expected="proved",
    repairs=("sharpness.norms.F.largest-entry-wide",),
)

f_largest_wide = _claim(
    label="sharpness.norms.F.largest-entry-wide",
    statement="With the wide trapezoid the largest entry of F is 4D.",
    left=f_largest.left,
    relation="=",
    right=4 * D,
    domain=_WIDE,
    reading="plausible",
    expected="refuted",
    limitations=(_TWO_READINGS,),
)

_WIDTHS = Domain({D: Integers(1, tested_to=64), u: Reals(0, 1, open_low=True)})

f_incompatible = _claim(
    label="sharpness.norms.F.entry-against-norm",
    statement="A trapezoid of any flank width whose largest entry reaches 4D has a squared norm of F of at least "
    "32 D²(D+1): twice the printed total, so no trapezoid has both.",
    left=theorem.CLOSED["F"],
    relation=">=",
    right=32 * D**2 * (D + 1),
    domain=_WIDTHS,
    kind="Tight",
    equality=({"D": 1, "u": 1},),
    expected="proved",
)

f_budgets = _claim(
    label="sharpness.norms.F.two-budgets",
    statement="For every flank width the squared norm of F misses the norm budget 16 D²(D+1) or the gradient budget "
    "64 D²(D+1) by at least 24 D²(D+1): no single trapezoid makes both tight.",
    left=sp.Max(sp.Abs(theorem.CLOSED["F"] - 16 * D**2 * (D + 1)), sp.Abs(theorem.CLOSED["F"] - 64 * D**2 * (D + 1))),
    relation=">=",
    right=24 * D**2 * (D + 1),
    domain=Domain({D: Integers(1, tested_to=64), u: Reals(0, open_low=True, tested_to=8)}),
    expected="certified",
    paper=PAPER,
    place=("Theorem 10", "Theorem 14"),
)


# --- Gamma ----------------------------------------------------------------------------------------

_LARGEST_GAMMA = Quantity("largest entry of Gamma", _largest("Gamma"), r"\max |\Gamma|", theorem.LARGEST_GAMMA)

gamma_entries = _claim(
    label="sharpness.norms.Gamma.entries",
    statement="Every entry of Gamma is at most one in absolute value.",
    left=_LARGEST_GAMMA,
    relation="<=",
    right=sp.Integer(1),
    domain=TARGETS,
    reading="certain",
    expected="refuted",
)

gamma_largest = _claim(
    label="sharpness.norms.Gamma.largest-entry",
    statement="The largest entry of Gamma is 1 + (1+u)/(4D).",
    left=_LARGEST_GAMMA,
    relation="=",
    right=theorem.LARGEST_GAMMA,
    domain=TARGETS,
    expected="proved",
    repairs=("sharpness.norms.Gamma.entries",),
)

gamma_upper = _claim(
    label="sharpness.norms.Gamma.upper",
    statement="The squared norm of Gamma is at most 4(D+1), though its entries exceed one.",
    left=NORM["Gamma"],
    relation="<=",
    right=theorem.PUBLISHED["Gamma"],
    domain=TARGETS,
    reading="certain",
    expected="proved",
    rests_on=(_CLOSED["Gamma"],),
)


# --- W1 under random projection -------------------------------------------------------------------

_PROJECTED = Domain(
    {
        T: Integers(2, tested_to=4),
        D: Integers(1, T),
        omega: SPARSITY,
        d: Integers(1, tested_to=2),
        c: Vector(omega, Reals(FLOOR, 1), square_sum=1),
        sp.Symbol("S"): Subsets(omega, D, T),
    }
)


def _projected(points: Sequence[Point], device: str, *, exact: bool) -> Array:
    """The expected squared norm of the projected position block of W1, by quadrature or by moments."""
    values = torch.empty(len(points), dtype=torch.float64)
    sizes = sorted({(point["T"], point["d"]) for point in points})
    for length, width in sizes:
        chosen = [n for n, point in enumerate(points) if (point["T"], point["d"]) == (length, width)]
        weight = build(batch_of([points[n] for n in chosen], device)).W1[:, :length, :length]
        values[chosen] = (expected_squared_norm if exact else moments)(weight, width).cpu()
    array: Array = values.numpy()
    return array


_EXPECTED = Quantity(
    "expected squared norm of projected W1", lambda points, device: _projected(points, device, exact=True),
    r"\mathbb{E}\,\|J^\top W_1 J\|^2", rounding=1e-11,
)  # fmt: skip

w1_moments = _claim(
    label="sharpness.norms.W1.projected-moments",
    statement="For a Gaussian projection to width d, the expected squared norm of W1 is ‖W1‖² + (tr(W1)² + tr(W1²))/d.",
    left=_EXPECTED,
    relation="=",
    right=Quantity(
        "squared norm of W1 plus trace terms over d",
        lambda points, device: _projected(points, device, exact=False),
        r"\|W_1\|^2 + \tfrac{1}{d}\left(\mathrm{tr}(W_1)^2 + \mathrm{tr}(W_1^2)\right)",
        rounding=1e-11,
    ),
    domain=_PROJECTED,
    reading="plausible",
    expected="supported",
    limitations=("Measured by exact quadrature for T up to 4 and d up to 2.",),
)

w1_projected = _claim(
    label="sharpness.norms.W1.projected",
    statement="The expected squared norm of the projected W1 exceeds ‖W1‖² by a factor of at most 1 + 2(1+ω/D)/d: "
    "it tends to ‖W1‖² as d→∞, from d well above ω/D on.",
    left=_EXPECTED,
    relation="<=",
    right=theorem.PROJECTED_UPPER,
    domain=_PROJECTED,
    kind="Rate",
    mode="as d→∞",
    expected="supported",
    rests_on=("sharpness.norms.W1.projected-moments", _CLOSED["W1"]),
    limitations=("Measured by exact quadrature for T up to 4 and d up to 2.",),
)


# --- W2 and V2: conditions ------------------------------------------------------------------------

w2_printed = _claim(
    label="sharpness.norms.W2.printed",
    statement="The squared norm of W2 is at most 4 ω log²T for all positive coefficients in the unit ball.",
    left=NORM["W2"],
    relation="<=",
    right=theorem.PUBLISHED["W2"],
    domain=POSITIVE,
    reading="plausible",
    expected="refuted",
    limitations=("The text that reached us states no lower limit on the coefficients.",),
)

w2_upper = _claim(
    label="sharpness.norms.W2.upper",
    statement="The squared norm of W2 is at most 4 ω log²T where every coefficient lies between T⁻⁴ and 1.",
    left=NORM["W2"],
    relation="<=",
    right=theorem.PUBLISHED["W2"],
    domain=TARGETS,
    kind="Tight",
    equality=({**_ONE, "u": 1},),
    reading="certain",
    expected="proved",
    repairs=("sharpness.norms.W2.printed",),
)

w2_floor = _claim(
    label="sharpness.norms.W2.floor-needed",
    statement="Where every coefficient is at most T⁻⁴ the squared norm of W2 is at least 4 ω log²T: the floor is "
    "needed.",
    left=NORM["W2"],
    relation=">=",
    right=theorem.PUBLISHED["W2"],
    domain=TARGETS.replace(c=Vector(omega, Reals(0, FLOOR, open_low=True))),
    expected="proved",
)

w2_ceiling = _claim(
    label="sharpness.norms.W2.ceiling-needed",
    statement="Where every coefficient is at least one the squared norm of W2 is at least 4 ω log²T: the ceiling "
    "is needed.",
    left=NORM["W2"],
    relation=">=",
    right=theorem.PUBLISHED["W2"],
    domain=TARGETS.replace(c=Vector(omega, Reals(1, tested_to=16.0))),
    expected="proved",
)

v2_upper = _claim(
    label="sharpness.norms.V2.upper",
    statement="The squared norm of V2 is at most ω where the squares of the coefficients sum to at most one.",
    left=NORM["V2"],
    relation="<=",
    right=theorem.PUBLISHED["V2"],
    domain=TARGETS,
    kind="Tight",
    equality=({**_ONE, "u": 1},),
    reading="certain",
    expected="proved",
    repairs=("sharpness.norms.V2.without-ball",),
)

_NO_BALL = Vector(omega, Reals(FLOOR, 1))

v2_without_ball = _claim(
    label="sharpness.norms.V2.without-ball",
    statement="The squared norm of V2 is at most ω for all coefficients between T⁻⁴ and 1, without a bound on "
    "their squares.",
    left=NORM["V2"],
    relation="<=",
    right=theorem.PUBLISHED["V2"],
    domain=TARGETS.replace(c=_NO_BALL),
    expected="refuted",
)


# --- total ----------------------------------------------------------------------------------------

_BLOCKWISE = (*_CLOSED.values(), "sharpness.norms.W2.upper", "sharpness.norms.V2.upper")

total_closed = _claim(
    label="sharpness.norms.total.closed-form",
    statement="The squared norm of all parameters is the sum of the closed forms of the blocks, for both trapezoids.",
    left=NORM["total"],
    relation="=",
    right=theorem.total(theorem.CLOSED),
    domain=TARGETS,
    expected="proved",
    rests_on=tuple(_CLOSED.values()),
)

total_steep = _claim(
    label="sharpness.norms.total.published-steep",
    statement="With the steep trapezoid the squared norm of all parameters is at most the printed L.",
    left=NORM["total"],
    relation="<=",
    right=theorem.total(theorem.PUBLISHED),
    domain=_STEEP,
    reading="certain",
    expected="refuted",
    rests_on=("sharpness.norms.F.upper-steep", "sharpness.norms.Gamma.upper", "sharpness.norms.W2.upper",
              "sharpness.norms.V2.upper"),
    limitations=(_TWO_READINGS,),
)  # fmt: skip

total_wide = _claim(
    label="sharpness.norms.total.published-wide",
    statement="With the wide trapezoid the squared norm of all parameters is at most the printed L, for coefficients "
    "between T⁻⁴ and 1 in the unit ball.",
    left=NORM["total"],
    relation="<=",
    right=theorem.total(theorem.PUBLISHED),
    domain=_WIDE,
    reading="certain",
    expected="proved",
    rests_on=(*_BLOCKWISE, "sharpness.norms.F.upper-wide", "sharpness.norms.Gamma.upper"),
    limitations=(_TWO_READINGS,),
    repairs=(
        "sharpness.norms.total.without-floor",
        "sharpness.norms.total.without-ball",
    ),
)

total_repaired = _claim(
    label="sharpness.norms.total.repaired",
    statement="For both trapezoids the squared norm of all parameters is at most L*: the printed L with the true terms "
    "of F and Gamma. Equality at one component with coefficient one.",
    left=NORM["total"],
    relation="<=",
    right=theorem.total(theorem.REPAIRED),
    domain=TARGETS,
    kind="Tight",
    equality=({**_ONE, "u": 1}, {**_ONE, "u": 2}, {**_ONE, "T": 6, "u": 1}),
    expected="proved",
    rests_on=_BLOCKWISE,
    repairs=("sharpness.norms.total.published-steep",),
    improves="sharpness.norms.total.published-wide",
)

total_simple = _claim(
    label="sharpness.norms.total.repaired-simple",
    statement="With the steep trapezoid the squared norm of all parameters is at most the printed L with 32 D²(D+2) "
    "in place of 16 D²(D+1).",
    left=NORM["total"],
    relation="<=",
    right=theorem.total(theorem.PUBLISHED | {"F": theorem.F_SIMPLE}),
    domain=_STEEP,
    expected="proved",
    rests_on=(*_BLOCKWISE, "sharpness.norms.F.repaired", "sharpness.norms.Gamma.upper"),
)

total_without_floor = _claim(
    label="sharpness.norms.total.without-floor",
    statement="With the wide trapezoid the printed L also holds for positive coefficients below T⁻⁴.",
    left=NORM["total"],
    relation="<=",
    right=theorem.total(theorem.PUBLISHED),
    domain=POSITIVE.replace(u=WIDE),
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.norms.W2.printed",),
    limitations=(_TWO_READINGS, "The text that reached us states no lower limit on the coefficients."),
)

total_without_ball = _claim(
    label="sharpness.norms.total.without-ball",
    statement="With the wide trapezoid the printed L also holds for coefficients between T⁻⁴ and 1 whose squares sum "
    "to more than one.",
    left=NORM["total"],
    relation="<=",
    right=theorem.total(theorem.PUBLISHED),
    domain=TARGETS.replace(u=WIDE, c=_NO_BALL),
    expected="refuted",
    rests_on=("sharpness.norms.V2.without-ball",),
    limitations=(_TWO_READINGS,),
)


# --- the chain ------------------------------------------------------------------------------------

_ROOT = 10**-0.5 * (1 - 2**-50)
_PRINTED_EXAMPLE: Point = {
    "T": 20, "D": 2, "omega": 10, "u": 1, "c": (_ROOT,) * 10, "S": tuple((n, n + 10) for n in range(1, 11))
}  # fmt: skip
_SMALL_EXAMPLE: Point = {**_ONE, "T": 6, "u": 1}

_ORDER = (
    ("V2", "V2 at most ω", "Cauchy-Schwarz, Σc² ≤ 1", "sharpness.norms.V2.upper"),
    ("W2", "W2 at most 4ω log²T", "|log c + 2 log T| ≤ 2 log T for T⁻⁴ ≤ c ≤ 1", "sharpness.norms.W2.upper"),
    ("Gamma", "Γ at most 4(D+1)", "entry by entry", "sharpness.norms.Gamma.upper"),
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
        "chain-published-steep", "The printed norm bound, steep trapezoid", _STEEP, 1,
        (*_PRINTED_F, "sharpness.norms.F.upper-steep"),
    ),
    _chain(
        "chain-published-wide", "The printed norm bound, wide trapezoid", _WIDE, 2,
        (*_PRINTED_F, "sharpness.norms.F.upper-wide"),
    ),
    _chain(
        "chain-repaired", "The repaired norm bound, steep trapezoid", _STEEP, 1,
        (*_SIMPLE_F, "sharpness.norms.F.repaired"),
    ),
)  # fmt: skip
