"""Theorem 18: moments of values between zero and one, which the parts of the Hessian come from."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.sharpness.hessian.vectors import chained
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import averages
from boundaudit.derivations.sharpness import hessian_lemmas as theory
from boundaudit.derivations.sharpness.averages import a_av, g_av, m_av, n_av
from boundaudit.derivations.sharpness.hessian import p_e
from boundaudit.derivations.sharpness.hessian_lemmas import q_hl, x_hl, y_hl, z_hl
from boundaudit.derivations.sharpness.parameters import t

_lemma = functools.partial(Claim, paper=PAPER, place=("Theorem 18",), expected="proved")


def _by_steps(*said: Any, **apart: Any) -> Claim:
    return _lemma(**chained(*said, **apart))


_LABEL = "sharpness.hessian.moments"
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
    f"{_LABEL}.one-end", _X,
    "For 0 ≤ x ≤ m ≤ 1, (1-m) x (1-2x) is at most 1/(6√3): beyond x = 1/2 it is not positive.",
    Step(theory.ONE_END, "(1-m) x (1-2x)"),
    Step((1 - m_av) * _PART, "unless it is negative", "1-m and x are not"),
    Step((1 - x_hl) * _PART, "at the least m", "x ≤ m"),
    Step(theory.THIRD, _BOUND, "largest at (3-√3)/6", Instance("sharpness.hessian.repaired.skew", {p_e: x_hl})),
    m_av=_FIFTH, x_hl=_FIFTH,
)  # fmt: skip

hump = _lemma(
    label=f"{_LABEL}.hump",
    statement="For any x, x (1-4x) is at most 1/(6√3): it is at most 1/16.",
    left=theory.HUMP,
    right=theory.THIRD,
    domain=Domain({x_hl: Reals(tested_to=1)}),
)

two_groups = _by_steps(
    f"{_LABEL}.two-groups", _GROUPS,
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
    f"{_LABEL}.third.down", _PARTIAL,
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
    f"{_LABEL}.third", _WHOLE,
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
