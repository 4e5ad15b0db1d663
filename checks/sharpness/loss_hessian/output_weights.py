"""The gradient in F of the ideal network in the mean over all inputs: row by row, as proofs speak of it."""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.sharpness.gradients.rows import logit_levels, rises, rises_made, units_at_one
from boundaudit.checks.sharpness.loss_hessian import means
from boundaudit.checks.sharpness.loss_hessian.means import (
    AT_MOST_ONE,
    AVERAGE,
    AVERAGES,
    IN_MEAN,
    INPUTS,
    ROWS,
    SAMPLE,
    SPREAD,
    UNIT,
    WEIGHT,
    at_all_inputs,
    at_input,
    average,
    on_components,
    over_components,
    over_inputs,
)
from boundaudit.checks.sharpness.loss_hessian.shared import claim
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.checks.sharpness.targets import FLOOR
from boundaudit.derivations.sharpness import loss_hessian as theory
from boundaudit.derivations.sharpness.activations import LENGTH, length_by_units, spread_by_units
from boundaudit.derivations.sharpness.activations import SPREAD as SPREAD_OF_UNITS
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.averages import g_av, q_av
from boundaudit.derivations.sharpness.disjoint_supports import KEYS
from boundaudit.derivations.sharpness.exactness import x
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import T, j, omega, t
from boundaudit.numeric.sharpness.row_sums import Rows, averaged, squared_length

LABEL = "sharpness.loss_hessian.output_weights"
FLOORED = means.FAMILIES.replace(T=Integers(2, tested_to=3), c=Vector(omega, Reals(FLOOR, 1)))
"""Logits enter in F alone: they are at most 2 log T in size where coefficients lie between T⁻⁴ and 1. Every unit at
every input is a pair with rows of its own: at length 5 there are some 700."""

Values = Callable[[sp.Expr], sp.Expr]
"""From a component to a number."""


def _moved(g: Values, values: Values) -> sp.Expr:
    """The square of how outputs covary with other values, (Σ a (g - m) q)², a = c/C."""
    return over_components(WEIGHT * (g(t) - average(g)) * values(t)) ** 2


def _spread(g: Values) -> sp.Expr:
    return average(g) * (1 - average(g))


_NUMBERS = Domain({**means.OUTPUT_NUMBERS.ranges, q_av: Vector(omega, UNIT)})
_TURNED = _moved(lambda t: g_av[t], lambda t: q_av[t])

moves = claim(
    label=f"{LABEL}.moves",
    statement="For numbers g and q from 0 to 1 and weights a = c/C, the square of Σ a (g - m) q is at most m (1-m)/4, "
    "m = Σ a g.",
    left=_TURNED,
    right=SPREAD / 4,
    domain=_NUMBERS,
    expected="proved",
    derivation=proof(
        f"{LABEL}.moves", "What outputs do to other numbers", _NUMBERS,
        Step(_TURNED, "the square"),
        Step(SPREAD**2, "|Σ a (g-m) q| ≤ m (1-m)", "",
             (AT_MOST_ONE, Instance(f"{AVERAGES}.covariance", {**ROWS, "q_av": q_av, "m_av": AVERAGE}))),
        Step(SPREAD / 4, "m (1-m) ≤ 1/4", "", (AT_MOST_ONE, Instance(f"{AVERAGES}.quarter", {"m_av": AVERAGE}))),
        samples={"two": {"omega": 2, "c": (1, 1), "g_av": (1, 0.5), "q_av": (1, 0.5)}},
    ),
)  # fmt: skip

# --- rows and hidden units at every input ---------------------------------------------------------


def _of_pairs(r: Rows, values: Tensor) -> Tensor:
    """Numbers of rows and units, shape (B H, ω): those of an input and a unit in a row of their own."""
    return on_components(r, values).transpose(1, 2).flatten(0, 1)


_PAIRS = INPUTS * UNITS
_OUTPUTS = at_all_inputs(
    "outputs on components' rows at every input, again for every hidden unit", "g",
    lambda r: _of_pairs(r, r.g[:, :, None].expand_as(r.hidden)), UNIT, _PAIRS, omega,
)  # fmt: skip
_RISEN = at_all_inputs(
    "part of its rise that a unit has made on components' rows at every input", "z",
    lambda r: _of_pairs(r, rises_made(r)), UNIT, _PAIRS, omega,
)  # fmt: skip
_RISES = at_all_inputs(
    "rise of hidden units, again for every input", "r", lambda r: rises(r).flatten(), Reals(0), _PAIRS
)
_LEVELS = at_all_inputs(
    "level of a component's logit", "l", lambda r: on_components(r, logit_levels(r))[0], UNIT, omega
)
_LAST = at_all_inputs(
    "squared length of the output row's units over that at one, at every input", "q",
    lambda r: squared_length(r.hidden[:, -1]) / squared_length(units_at_one(r)), UNIT, INPUTS,
)  # fmt: skip


def _over_pairs(body: sp.Expr) -> sp.Expr:
    """A mean over the inputs of sums over hidden units."""
    return sp.Sum(body, (j, 1, _PAIRS)) / INPUTS


def _of_pair(t: sp.Expr) -> sp.Expr:
    return _OUTPUTS[j, t]


def _risen(t: sp.Expr) -> sp.Expr:
    return _RISEN[j, t]


def _level(t: sp.Expr) -> sp.Expr:
    return _LEVELS[t]


_AT_INPUT = at_input(x)
_KEYS_SPREAD = _over_pairs(_RISES[j] ** 2 * _spread(_of_pair))
_PULL, _SPREAD = _moved(_AT_INPUT, _level), over_inputs(_spread(_AT_INPUT))
_PARTS = {
    "keys": means.mean_of(
        "squared move of the keys", r"|\sum_t a_t (g_t - m) h_t|^2",
        lambda r: squared_length(averaged(r.pull, r.hidden)),
    ),
    "query": means.mean_of(
        "squared move of the query", r"(\sum_t a_t (g_t - m) l_t)^2 \|h_{out}\|^2",
        lambda r: (r.pull * logit_levels(r)).sum(-1) ** 2 * squared_length(r.hidden[:, -1]),
    ),
}  # fmt: skip
_KEYS, _QUERY = (found.atom for found in _PARTS.values())
_WHERE = "a = c/C the attention, g the outputs on the components' rows and m their average"


def _written(values: sp.Expr, keys: sp.Expr, query: sp.Expr) -> sp.Expr:
    """C² times what F's last column writes, what the others do to the keys, and to the query."""
    return SUM**2 * (values + KEYS * keys + 16 * sp.log(T) ** 2 * query)


_GRADIENT = means.squared("F") + _written(sp.S.Zero, _KEYS, _QUERY)

# --- what is assumed ------------------------------------------------------------------------------

_axiom = functools.partial(means.axiom, domain=FLOORED)
gradient = _axiom(
    label=f"{LABEL}.gradient",
    statement=f"{IN_MEAN}the squared gradient in F is C² (Σ (Σ a h² - Σ a (h - Σ a h)²) + |w2|² |Σ a (g-m) h|² + "
    f"16 log²T (Σ a (g-m) l)² |h_out|²), h the hidden units, l the level of a logit between -2 log T and 2 log T, "
    f"{_WHERE}. The chain rule, and a squared average as mean square less variance.",
    left=means.GRADIENTS["F"],
    right=_GRADIENT,
)
rows = _axiom(
    label=f"{LABEL}.rows",
    statement=f"{IN_MEAN}what is done to the keys and to the query, written out in hidden units: {_WHERE}.",
    cases=(
        Case(
            "keys", left=_PARTS["keys"],
            right=lambda: _over_pairs(_RISES[j] ** 2 * _moved(_of_pair, _risen)),
            statement=f"{IN_MEAN}|Σ a (g-m) h|² is Σ r² (Σ a (g-m) z)² over hidden units h, r what a unit rises by "
            f"from an average of bits of zero to one, and z the part of it in a row; {_WHERE}, so that Σ a (g-m) = 0.",
        ),
        Case(
            "pairs", left=lambda: _KEYS_SPREAD, right=lambda: spread_by_units() * _SPREAD,
            statement=f"{IN_MEAN}Σ r² m (1-m) is Σ r² times m (1-m), r what a hidden unit rises by from an average of "
            "bits of zero to one, each as it is written down, the same at every input.",
        ),
        Case(
            "query", left=_PARTS["query"], right=lambda: length_by_units() * over_inputs(_LAST[x] * _PULL),
            statement=f"{IN_MEAN}(Σ a (g-m) l)² |h_out|² is the mean of q (Σ a (g-m) l)², q the part that |h_out|² is "
            f"of the squared length of hidden units at one, times this length, unit by unit; {_WHERE}.",
        ),
    ),
)  # fmt: skip

# --- bounds ---------------------------------------------------------------------------------------

_HIDDEN = "sharpness.activations.hidden"


_VARIED = (1 - theory.TOTAL_SQUARES / SUM**2) / 16
"""A quarter of E m (1-m)."""
_CHARACTERS = tuple(f"{means.LABEL}.outputs[{power}]" for power in ("mean", "square"))


def _bounded(name: str, units: sp.Expr, statement: str, *steps: Step) -> Case:
    left, right = _PARTS[name], units * _VARIED
    return Case(
        name, statement=f"{IN_MEAN}{statement}; {_WHERE}.", left=left, right=right,
        derivation=proof(
            f"{LABEL}.bounded.{name}", left.name, FLOORED, Step(left, left.name), *steps,
            Step(right, "E m (1-m) = (1 - Σa²)/4", "characters", _CHARACTERS), samples={"three pairs": SAMPLE},
        ),
    )  # fmt: skip


bounded = claim(
    label=f"{LABEL}.bounded",
    statement=f"{IN_MEAN}what F does to the keys and to the query is bounded by that of m (1-m).",
    domain=FLOORED,
    expected="proved",
    cases=(
        _bounded(
            "keys", SPREAD_OF_UNITS, "|Σ a (g-m) h|² is at most R (1 - Σa²)/16, R the largest squared distance of two "
            "rows' hidden units h",
            Step(rows.members[0].right, "unit by unit", "", f"{rows.label}[keys]"),
            Step(_KEYS_SPREAD / 4, "m (1-m)/4", "", Instance(
                moves.label, {"g_av": _of_pair, "q_av": _risen}, over=(j, 1, _PAIRS), weight=_RISES[j] ** 2
            )),
            Step(spread_by_units() * _SPREAD / 4, "each unit as written down", "", f"{rows.label}[pairs]"),
            Step(SPREAD_OF_UNITS * _SPREAD / 4, "summed", "", f"{_HIDDEN}.spread.closed-form"),
        ),
        _bounded(
            "query", LENGTH, "(Σ a (g-m) l)² |h_out|² is at most H (1 - Σa²)/16, H the largest squared length of a "
            "row's hidden units and l the level of a logit between -2 log T and 2 log T",
            Step(rows.members[2].right, "unit by unit", "", f"{rows.label}[query]"),
            Step(LENGTH * over_inputs(_LAST[x] * _PULL), "|h(1)|²", "summed", f"{_HIDDEN}.length.closed-form"),
            Step(LENGTH * over_inputs(_PULL), "|h_out|² ≤ |h(1)|²", "they rise with s",
                 Instance(f"{AVERAGES}.part", {"e_av": _PULL, "m_av": _LAST[x]}, over=(x, 1, INPUTS))),
            Step(LENGTH * _SPREAD / 4, "m (1-m)/4", "",
                 Instance(moves.label, {"g_av": _AT_INPUT, "q_av": _level}, over=(x, 1, INPUTS))),
        ),
    ),
)  # fmt: skip

_BOUNDED = {"keys": SPREAD_OF_UNITS * _VARIED, "query": LENGTH * _VARIED}


def _by_bound(name: str, factor: sp.Expr) -> tuple[str | Instance, ...]:
    """A part of F's gradient, times a factor that is not negative."""
    at = {"e_av": factor, "v_av": _PARTS[name].atom, "x_av": _BOUNDED[name]}
    return f"{bounded.label}[{name}]", Instance(f"{AVERAGES}.weighted", at)


_SQUARES, _ONES = means.SQUARES["F"], tuple(f"{means.LABEL}.ones[{power}]" for power in (1, 2, 3))
STEPS = (
    Step(_GRADIENT, "row by row", "chain rule", gradient.label),
    Step(_written(_SQUARES, _KEYS, _QUERY), "a mean square", "a variance is not negative"),
    Step(_written(_SQUARES, _BOUNDED["keys"], _QUERY), "keys by E m (1-m)", "", _by_bound("keys", KEYS)),
    Step(_written(_SQUARES, *_BOUNDED.values()), "query by E m (1-m)", "", _by_bound("query", 16 * sp.log(T) ** 2)),
    Step(_written(means.COUNTED["F"], *_BOUNDED.values()), "values by counting ones", "written down",
         f"{means.LABEL}.counted[F]"),
    Step(theory.MEAN["F"], "E k, E k², E k³", "uniform bits", _ONES),
)  # fmt: skip
"""From the measured gradient to the bound."""
