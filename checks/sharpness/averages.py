"""Averages under attention: the inequalities about weights that the bounds on gradient and Hessian come from."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import averages as theory
from boundaudit.derivations.sharpness.averages import a_av, b_av, g_av, m_av, n_av, r_av, s_av

_lemma = functools.partial(Claim, paper=PAPER, place=("Theorem 14",), expected="proved")
_UNIT = Reals(0, 1)
_QUARTER = sp.Rational(1, 4)
_ROWS = Integers(1, tested_to=6)
_VALUES = Domain({
    n_av: _ROWS, a_av: Vector(n_av, Reals(0, tested_to=4)), g_av: Vector(n_av, _UNIT), m_av: _UNIT,
})  # fmt: skip

mean = _lemma(
    label="sharpness.averages.mean",
    statement="For values g between 0 and 1 and weights a ≥ 0, Σ a g is at most Σ a: an average is at most one.",
    left=theory.MEAN,
    right=theory.OWN_SUM,
    domain=Domain({n_av: _ROWS, a_av: Vector(n_av, Reals(0, tested_to=4)), g_av: Vector(n_av, _UNIT)}),
)

deviation = _lemma(
    label="sharpness.averages.deviation",
    statement="For values g between 0 and 1, weights a ≥ 0 and any m from 0 to 1, Σ a (g - m)₊ is at most (1-m) Σ a g: "
    "values lie above their average m by at most m (1-m) on average.",
    left=theory.ABOVE,
    right=theory.ABOVE_BOUND,
    domain=_VALUES,
)

variance = _lemma(
    label="sharpness.averages.variance",
    statement="For values g between 0 and 1, weights a ≥ 0 and any m from 0 to 1, Σ a (g - m)² is at most "
    "Σ a (g - 2mg + m²): about their average m the values have a variance of at most m (1-m).",
    left=theory.SQUARES,
    right=theory.SQUARES_BOUND,
    domain=_VALUES,
)

quarter = _lemma(
    label="sharpness.averages.quarter",
    statement="m (1-m) is at most 1/4.",
    left=theory.SPREAD,
    right=_QUARTER,
    domain=Domain({m_av: _UNIT}),
    kind="Tight",
    equality=({"m_av": sp.Rational(1, 2)},),
)

squares = _lemma(
    label="sharpness.averages.squares",
    statement="The squares of weights between 0 and 1 add up to at most what the weights add up to.",
    left=theory.OWN_SQUARES,
    right=theory.OWN_SUM,
    domain=Domain({n_av: _ROWS, a_av: Vector(n_av, _UNIT)}),
)

unit = _lemma(
    label="sharpness.averages.unit",
    statement="At a point of [0, 1] a hidden unit relu(s + γ) is at most relu(1 + γ), whatever its bias γ.",
    left=theory.unit(s_av, b_av),
    right=theory.unit(sp.S.One, b_av),
    domain=Domain({s_av: _UNIT, b_av: Reals()}),
)

rise = _lemma(
    label="sharpness.averages.rise",
    statement="Between two points of [0, 1] a hidden unit relu(s + γ) rises by at most relu(1 + γ) - relu(γ), whatever "
    "its bias γ.",
    left=theory.RISE,
    right=theory.FULL_RISE,
    domain=Domain({s_av: _UNIT, r_av: Reals(s_av, 1), b_av: Reals()}),
)
