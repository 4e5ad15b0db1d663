"""Theorem 18: inequalities in numbers that bounds on the Hessian come from."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.gradients.rows import ATTENTION, IDLE, total
from boundaudit.checks.sharpness.gradients.shared import numbered
from boundaudit.checks.sharpness.hessian.directions import RANGE
from boundaudit.checks.sharpness.hessian.shared import FLOORED, SEEN, VECTORS, axiom, lemma, proof, stated, weighted
from boundaudit.checks.sharpness.hessian.vectors import chained
from boundaudit.checks.sharpness.targets import BOTH, FLOOR, PAPER, by_trapezoid, trapezoid
from boundaudit.derivations.sharpness import averages
from boundaudit.derivations.sharpness import hessian_lemmas as theory
from boundaudit.derivations.sharpness import hessian_parts as parts
from boundaudit.derivations.sharpness.activations import SPREAD
from boundaudit.derivations.sharpness.attention import INACTIVE, SUM
from boundaudit.derivations.sharpness.averages import a_av, e_av, g_av, m_av, n_av, s_av, v_av, x_av
from boundaudit.derivations.sharpness.disjoint_supports import KEYS, LOGIT
from boundaudit.derivations.sharpness.hessian import p_e
from boundaudit.derivations.sharpness.hessian_lemmas import LONGEST_LOGIT, c_hl, q_hl, x_hl, y_hl, z_hl
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, t, u
from boundaudit.derivations.sharpness.vectors import a_ve, g_ve, h_ve, p_ve
from boundaudit.numeric.sharpness.hessian_directions import extremes
from boundaudit.numeric.sharpness.mlp import Trapezoid, Units, units
from boundaudit.numeric.sharpness.row_sums import rows

_lemma = functools.partial(Claim, paper=PAPER, place=("Theorem 18",), expected="proved")

token = _lemma(
    label="sharpness.hessian.lemmas.token",
    statement="1/D + s² + 2 (s(1-s)/D + s²(1-s)²) is at most 1 + 65/(64 D) for s from 0 to 1: the squared length of "
    "what V1 and W1 move a row's average s of bits by, where no weight of its attention exceeds 1/D.",
    left=theory.TOKEN, right=theory.TOKEN_BOUND, domain=Domain({D: Integers(1), s_av: Reals(0, 1)}),
)  # fmt: skip

scaled = _lemma(
    label="sharpness.hessian.lemmas.scaled",
    statement="For x, y and z that are not negative and T ≥ 4, √(ω x + y + √ω z/T) is at most √ω √(x + y + z/4).",
    left=theory.SCALED, right=theory.SCALED_BOUND,
    domain=Domain({
        T: Integers(4), omega: Integers(1), x_hl: Reals(0, tested_to=9), y_hl: Reals(0, tested_to=9),
        z_hl: Reals(0, tested_to=9),
    }),
)  # fmt: skip

spread = _lemma(
    label="sharpness.hessian.lemmas.spread",
    statement="The closed form of the squared distance of two rows' hidden units is not negative.",
    left=sp.S.Zero, right=SPREAD, domain=Domain({D: Integers(1), u: BOTH}),
)  # fmt: skip

_LESS = {parts.total_h: x_hl, parts.keys_h: y_hl, parts.range_h: z_hl}
_WHERE: dict[Any, Range] = {T: Integers(4), D: Integers(1), u: BOTH}
_THREE: dict[Any, Range] = {name: Reals(0, tested_to=9) for name in _LESS.values()}
_SIX: dict[Any, Range] = {more: Reals(_LESS[size], tested_to=9) for size, more in parts.LARGER.items()}


def in_closed_form(name: str, sizes: parts.Sizes) -> sp.Expr:
    """A part of the bounds in closed form."""
    return parts.put((parts.RISING | parts.UNDER_ROOTS)[name], sizes)


_SMALLER = Domain(_WHERE | _THREE)


def _weighted(e: sp.Expr, x: sp.Expr) -> Instance:
    return Instance("sharpness.averages.weighted", {e_av: e, v_av: sp.S.Zero, x_av: x})


real = _lemma(
    label="sharpness.hessian.lemmas.real",
    statement="What stands under roots in the bounds on the parts is not negative.",
    left=sp.S.Zero, domain=_SMALLER,
    cases=tuple(Case(name, right=in_closed_form(name, _LESS)) for name in parts.UNDER_ROOTS),
)  # fmt: skip


rises = _lemma(
    label="sharpness.hessian.lemmas.rises",
    statement="The bounds on the parts rise with C, |w2|² and the range of logits, summand by summand and factor by "
    "factor.",
    domain=Domain(_WHERE | _THREE | _SIX),
    cases=tuple(
        Case(name, left=in_closed_form(name, _LESS), right=in_closed_form(name, parts.LARGER)) for name in parts.RISING
    ),
)

four = _lemma(
    label="sharpness.hessian.lemmas.four",
    statement="v + l + s/2 + √(s²/4 + q²) rises with each of four numbers v, l, s and q that are not negative.",
    left=parts.FOUR, right=parts.FOUR.xreplace(parts.ABOVE),
    domain=Domain(
        {norm: Reals(0) for norm in parts.ABOVE} | {above: Reals(norm) for norm, above in parts.ABOVE.items()}
    ),
)  # fmt: skip


def four_at(norms: Mapping[str, Any], bounds: Mapping[str, Any]) -> Instance:
    """That the sum of the four parts rises with them."""
    at = {norm: norms[part] for part, norm in parts.NORMS.items()}
    return Instance(four.label, at | {parts.ABOVE[norm]: bounds[part] for part, norm in parts.NORMS.items()})


def rising(sizes: parts.Sizes, larger: parts.Sizes) -> tuple[Instance, ...]:
    """That the bounds on the parts rise, and that roots are taken of what is not negative."""
    less = {name: sizes[size] for size, name in _LESS.items()}
    again = {name: larger[size] for size, name in _LESS.items()}
    more = {name: larger[size] for size, name in parts.LARGER.items()}
    return (
        _weighted(sp.S.One, sizes[parts.keys_h]),
        *(Instance(f"{real.label}[{name}]", at) for name in parts.UNDER_ROOTS for at in (less, again)),
        *(Instance(f"{rises.label}[{name}]", less | more) for name in parts.RISING),
        _weighted(in_closed_form("changes", larger) / 16, in_closed_form("reach", larger)),
    )  # fmt: skip


# --- the hidden units that are on where a row averages its bits to one ----------------------------


def _counted(name: str, latex: str, of: Callable[[Units], Tensor], definition: Callable[[], sp.Expr]) -> Quantity:
    """Hidden units that are on at one, added up."""

    def measure(at: Columns, mlp: Trapezoid) -> Tensor:
        found = units(at.whole("D"), mlp)
        return torch.where((1 + found.bias > 0) & found.real, of(found), 0.0).sum(-1)

    return Quantity(name, by_trapezoid(measure), latex, definition, rounding=1e-12)


_closed = functools.partial(
    Claim, paper=PAPER, place=("Theorem 18",), expected="proved", relation="=",
    domain=Domain({D: Integers(1, tested_to=24), u: BOTH}),
)  # fmt: skip
rise = _closed(
    label="sharpness.hessian.gates.rise.closed-form",
    statement="The squared output weights of the hidden units that are on where the average of bits is one, and off "
    "where it is zero, add up to 32 D³/u².",
    left=_counted(
        "squared weights of units that are on at one and off at zero", r"\sum_{on(1) \setminus on(0)} F_j^2",
        lambda found: torch.where(found.bias <= 0, found.output**2, 0.0), theory.rise_by_units,
    ),
    right=theory.RISE,
)  # fmt: skip
units_on = _closed(
    label="sharpness.hessian.gates.units.closed-form",
    statement="Where a row averages its bits to one, 4D+2 of its hidden units are on.",
    left=_counted(
        "units that are on at one", r"|on(1)|", lambda found: torch.ones_like(found.output), theory.count_by_units
    ),
    right=theory.UNITS,
)


# --- moments of values between zero and one, which the parts of the Hessian come from -------------


def _by_steps(*said: Any, **apart: Any) -> Claim:
    return _lemma(**chained(*said, **apart))


_MOMENTS = "sharpness.hessian.moments"
_UNIT = Reals(0, 1)

# --- third moments --------------------------------------------------------------------------------

_X = Domain({m_av: _UNIT, x_hl: Reals(0, m_av)})
_GROUPS = Domain(
    {**_X.ranges, y_hl: Reals(0, 1 - m_av), z_hl: Reals(0, y_hl)},
    where=[y_hl**2 <= (1 - m_av) * z_hl, 4 * x_hl * y_hl - 4 * (1 - m_av) * x_hl**2 <= z_hl],
)
_FIFTH = sp.Rational(1, 5)
_BOUND = "1/(6√3)"


_PART = x_hl * sp.Max(1 - 2 * x_hl, 0)

one_end = _by_steps(
    f"{_MOMENTS}.one-end", _X,
    "For 0 ≤ x ≤ m ≤ 1, (1-m) x (1-2x) is at most 1/(6√3): beyond x = 1/2 it is not positive.",
    Step(theory.ONE_END, "(1-m) x (1-2x)"),
    Step((1 - m_av) * _PART, "unless it is negative", "1-m and x are not"),
    Step((1 - x_hl) * _PART, "at the least m", "x ≤ m"),
    Step(theory.THIRD, _BOUND, "largest at (3-√3)/6", Instance("sharpness.hessian.repaired.skew", {p_e: x_hl})),
    m_av=_FIFTH, x_hl=_FIFTH,
)  # fmt: skip

hump = _lemma(
    label=f"{_MOMENTS}.hump",
    statement="For any x, x (1-4x) is at most 1/(6√3): it is at most 1/16.",
    left=theory.HUMP, right=theory.THIRD, domain=Domain({x_hl: Reals(tested_to=1)}),
)  # fmt: skip

two_groups = _by_steps(
    f"{_MOMENTS}.two-groups", _GROUPS,
    "For m from 0 to 1, x from 0 to m, y from 0 to 1-m and z from 0 to y, y² ≤ (1-m) z and "
    "4xy - 4(1-m)x² ≤ z, (1-m) x - m z - 2 (x+y)(x - m (x+y)) is at most 1/(6√3).",
    Step(theory.TWO_GROUPS, "two groups"),
    Step(theory.VARYING, "without y²", "y² ≤ (1-m) z"),
    Step(theory.LEVELLED, "without z", "z lies between 4xy - 4(1-m)x² and y"),
    Step(theory.THIRD, _BOUND, "for m ≤ 1/2 between y = 0 and y = 1-m", (
        Instance(one_end.label), Instance(one_end.label, {x_hl: m_av - x_hl}),
        Instance(hump.label, {x_hl: (1 - m_av) * x_hl}),
    )),
    m_av=_FIFTH, x_hl=_FIFTH, y_hl=0, z_hl=0,
)  # fmt: skip

_WEIGHTS = averages.total(a_av[t])
_ROWS: dict[Any, Range] = {
    n_av: Integers(1, tested_to=6), a_av: Vector(n_av, Reals(0, tested_to=1)), g_av: Vector(n_av, _UNIT),
    q_hl: Vector(n_av, _UNIT),
}  # fmt: skip
_PARTIAL, _WHOLE = Domain(_ROWS, where=[_WEIGHTS <= 1]), Domain(_ROWS, where=[_WEIGHTS >= 1, _WEIGHTS <= 1])
_MEAN, _CENTRE = averages.total(a_av[t] * g_av[t]), averages.total(a_av[t] * q_hl[t])
_MOMENT = averages.total(a_av[t] * (g_av[t] - _MEAN) * (q_hl[t] - _CENTRE) ** 2)


def _one(t: sp.Symbol) -> sp.Expr:
    """Weights of the first group."""
    return a_av[t] * (1 - g_av[t])


def _other(t: sp.Symbol) -> sp.Expr:
    return a_av[t] * g_av[t]


_OF_GROUPS = {
    m_av: 1 - _MEAN, x_hl: averages.total(_one(t) * q_hl[t]),
    y_hl: averages.total(_other(t) * q_hl[t]), z_hl: averages.total(_other(t) * q_hl[t] ** 2),
}  # fmt: skip
_BY_GROUPS = theory.TWO_GROUPS.xreplace(_OF_GROUPS)
_SPARED = _MEAN * averages.total(_one(t) * q_hl[t] * (1 - q_hl[t]))


def _mean_of_q(weights: Callable[[sp.Symbol], sp.Expr]) -> Instance:
    return Instance("sharpness.averages.mean", {"a_av": weights, "g_av": q_hl})


_WITH_REST = -_MOMENT + (1 - _WEIGHTS) * _MEAN * _CENTRE**2
third_down = _by_steps(
    f"{_MOMENTS}.third.down", _PARTIAL,
    "For weights a ≥ 0 that add up to at most one, the rest of it at g = q = 0, and g and q between 0 and 1, "
    "Σ a (m - g)(q - w)² + (1 - Σ a) m w² is at most 1/(6√3), m = Σ a g and w = Σ a q.",
    Step(_WITH_REST, "about the averages"),
    Step(_BY_GROUPS - _SPARED, "two groups, weighed a (1-g) and a g", "written out"),
    Step(_BY_GROUPS, "bits in the first", "q² ≤ q", _mean_of_q(lambda t: _one(t) * q_hl[t])),
    Step(theory.THIRD, _BOUND, "Cauchy-Schwarz, and q² ≤ q in the second", (
        Instance("sharpness.averages.mean"),
        _mean_of_q(_one), _mean_of_q(_other), _mean_of_q(lambda t: _other(t) * q_hl[t]),
        Instance("sharpness.hessian.vectors.cauchy", {
            "x_ve": lambda t: sp.sqrt(_other(t)), "y_ve": lambda t: sp.sqrt(_other(t)) * q_hl[t],
        }),
        Instance("sharpness.averages.deviations", {
            "a_av": _other, "g_av": lambda t: q_hl[t] / 2, m_av: _OF_GROUPS[x_hl],
        }),
        Instance(two_groups.label, _OF_GROUPS),
    )),
    n_av=2, a_av=("1/5", "4/5"), g_av=(0, 1), q_hl=(1, 0),
)  # fmt: skip

third_moment = _by_steps(
    f"{_MOMENTS}.third", _WHOLE,
    "For weights a ≥ 0 that add up to one and g and q between 0 and 1, Σ a (g - Σ a g)(q - Σ a q)² is at "
    "most 1/(6√3) in size: what a bit has that is one with probability (3-√3)/6.",
    Step(sp.Abs(_MOMENT), "|E (g - E g)(q - E q)²|"),
    Step(theory.THIRD, _BOUND, "of both signs", (
        Instance(third_down.label), Instance(third_down.label, {"g_av": lambda t: 1 - g_av[t]}),
        Instance("sharpness.averages.mean", {"g_av": q_hl}),
        Instance("sharpness.averages.deviations", {"g_av": q_hl, m_av: _CENTRE}),
        Instance("sharpness.averages.size", {"v_av": _MOMENT, "e_av": theory.THIRD}),
    )),
    n_av=2, a_av=("1/5", "4/5"), g_av=(1, 0), q_hl=(1, 0),
)  # fmt: skip


# --- rows that no component uses, which alone may lie on flanks -----------------------------------

_IDLE = "sharpness.hessian.idle-rows"
MASS = total(ATTENTION["finite"][t] * IDLE[t])
"""Attention of layer 2 to those rows."""

count = axiom(
    label=f"{_IDLE}.count",
    statement="T+1-ω rows are used by no component.",
    left=lambda: total(IDLE[t]), right=INACTIVE,
)  # fmt: skip
mass = axiom(
    label=f"{_IDLE}.mass",
    statement="The attention of layer 2 to the N = T+1-ω rows that no component uses is N of C T² + N.",
    left=lambda: MASS * (SUM * T**2 + INACTIVE), right=INACTIVE,
)  # fmt: skip


_LEAK = proof(
    f"{_IDLE}.leak",
    Step(SUM * MASS, "C times the attention to unused rows"),
    Step(1 / T, "1/T", "N/(C T² + N)", (
        count.label, mass.label,
        Instance(f"{VECTORS}.leaked", {"c_ve": SUM, "e_ve": MASS, "a_ve": T, "n_ve": INACTIVE}),
    )),
)  # fmt: skip
leak = lemma(
    label=f"{_IDLE}.leak",
    statement="C times the attention of layer 2 to rows that no component uses is at most 1/T.",
    left=SUM * MASS, right=1 / T, derivation=_LEAK,
)  # fmt: skip


# --- what the sum of the coefficients, the length of the logits and their range are at most -------

_OF_ENDS = "sharpness.hessian.ends"


def _picked(points: Sequence[Point], device: str) -> Array:
    """Which logits are the largest and the smallest, where two rows have them; one that is no logit is zero."""
    found = np.zeros((len(points), 2, max(point["omega"] for point in points)))
    for width in {point["u"] for point in points}:
        chosen = [n for n, point in enumerate(points) if point["u"] == width]
        at = Columns([points[n] for n in chosen], device)
        r = rows(*numbered(at), mlp=trapezoid(at))
        picks = extremes(r.logits, r.a > 0)
        own = picks[..., None].cpu() == np.arange(found.shape[-1])
        found[chosen] = own.double().numpy() * (picks[:, :1] != picks[:, 1:]).cpu().numpy()[..., None]  # type: ignore[attr-defined]
    return found


PICKED = Family("largest and smallest logit", _picked, "e", (2, omega), _UNIT)
_MOST, _LEAST = PICKED[1, t], PICKED[2, t]
_ENDS = sp.Sum((_MOST - _LEAST) * LOGIT, (t, 1, omega))
_COUNT = sp.Sum(_MOST + _LEAST, (t, 1, omega))


logits = axiom(
    label=f"{_OF_ENDS}.logits",
    statement="The range of layer 2's logits is the largest of the numbers log c + 2 log T and 0 less the smallest.",
    left=RANGE, right=_ENDS,
)  # fmt: skip
two = axiom(
    label=f"{_OF_ENDS}.two", relation="<=",
    statement="One coefficient at most makes the largest logit, and one the smallest.",
    left=_COUNT, right=2,
)  # fmt: skip

summed = lemma(
    label=f"{_OF_ENDS}.sum",
    statement="The sum of ω coefficients in the unit ball is at most √ω: Cauchy-Schwarz.",
    left=SUM, right=sp.sqrt(omega), domain=SEEN,
)  # fmt: skip
keys = lemma(
    label=f"{_OF_ENDS}.keys",
    statement="Σ (log c + 2 log T)² is at most 4 ω log²T for coefficients from T⁻⁴ to 1.",
    left=KEYS, right=4 * omega * sp.log(T) ** 2, domain=FLOORED,
)  # fmt: skip

_PAIR = {g_ve: _UNIT, h_ve: _UNIT}
part = lemma(
    label=f"{_OF_ENDS}.part",
    statement="(g - h)(log c + 2 log T) is at most 2 (g + h) log T for g and h between 0 and 1 and c from T⁻⁴ to 1.",
    left=(g_ve - h_ve) * (sp.log(c_hl) + 2 * sp.log(T)), right=(g_ve + h_ve) * LONGEST_LOGIT,
    domain=Domain({T: Integers(2), c_hl: Reals(FLOOR, 1), **_PAIR}),
)  # fmt: skip
differ = lemma(
    label=f"{_OF_ENDS}.differ",
    statement="(g - h)² is at most g + h for g and h between 0 and 1.",
    left=(g_ve - h_ve) ** 2, right=g_ve + h_ve, domain=Domain(_PAIR),
)  # fmt: skip


floored = lemma(
    label=f"{_OF_ENDS}.floored",
    statement="The range of layer 2's logits is at most 4 log T for coefficients from T⁻⁴ to 1.",
    domain=FLOORED,
    **stated(
        f"{_OF_ENDS}.floored", "steps",
        Step(RANGE, "ρ"),
        Step(_ENDS, "largest less smallest", "", logits.label),
        Step(LONGEST_LOGIT * _COUNT, "each at most 2 log T in size", "",
             Instance(part.label, {g_ve: _MOST, h_ve: _LEAST, c_hl: c[t]}, over=(t, 1, omega))),
        Step(2 * LONGEST_LOGIT, "two of them", "", two.label),
        domain=FLOORED,
    ).changes,
)  # fmt: skip

_LONGEST = sp.sqrt(2 * KEYS)
unbounded = lemma(
    label=f"{_OF_ENDS}.any",
    statement="The range of layer 2's logits is at most √2 |w2|.",
    **stated(
        f"{_OF_ENDS}.any", "steps",
        Step(RANGE, "ρ"),
        Step(_LONGEST, "√2 |w2|", "Cauchy-Schwarz", (
            logits.label, two.label,
            Instance(f"{VECTORS}.cauchy", {
                "n_av": omega, "x_ve": lambda t: PICKED[1, t] - PICKED[2, t],
                "y_ve": lambda t: sp.log(c[t]) + 2 * sp.log(T),
            }),
            Instance(differ.label, {g_ve: _MOST, h_ve: _LEAST}, over=(t, 1, omega)),
            weighted(KEYS, sp.Sum((_MOST - _LEAST) ** 2, (t, 1, omega)), sp.Integer(2)),
            Instance(f"{VECTORS}.below", {a_ve: RANGE.atom, p_ve: _LONGEST}),
        )),
    ).changes,
)  # fmt: skip
