"""Dudley's integral, proved for finite classes on samples: chaining through nets, with cosh x ≤ exp(x²/2)."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import sympy as sp
import torch

from boundaudit.checks.covering import PAPER
from boundaudit.checks.covering.exact import family, quantity
from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Choices, Domain, Integers, Matrix, Range, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.derivations.covering import chaining as theory
from boundaudit.derivations.covering.chaining import (
    J_cha,
    L_cha,
    X_cha,
    alpha_cha,
    b_cha,
    c_cha,
    i_cha,
    j_cha,
    m_cha,
    n_cha,
    t_cha,
    theta_cha,
    v_cha,
    x_cha,
)
from boundaudit.numeric.covering.chaining import Chaining

_claim = functools.partial(Claim, paper=PAPER, place=("Dudley's integral",))
_lemma = functools.partial(_claim, expected="proved")
_FINITE = "Finitely many functions of size at most one, in units of the range A; nets count as at least two elements."
_CLASS: dict[Any, Range] = {
    J_cha: Integers(1, tested_to=3), m_cha: Integers(1, tested_to=4), n_cha: Integers(1, tested_to=4),
    X_cha: Matrix(n_cha, m_cha, Reals(-1, 1)),
}  # fmt: skip
CLASSES = Domain({**_CLASS, theta_cha: Reals(1, 2)})
"""Classes on samples, with nets whose entropies grow as the square of some θ."""
_SAMPLES: dict[str, Point] = {
    "three functions, two nets": {
        "J_cha": 2, "m_cha": 3, "n_cha": 3, "X_cha": ((1, 0, -1), (0.5, 0.25, -1), (-1, 1, 1)), "theta_cha": 1,
    },
}  # fmt: skip

# --- in numbers ----------------------------------------------------------------------------------------

_VALUES: dict[Any, Range] = {m_cha: Integers(1, tested_to=4), x_cha: Vector(m_cha, Reals(tested_to=4))}

sign = _lemma(
    label="covering.chaining.sign",
    statement="The logarithm of cosh x is at most x²/2.",
    left=theory.log_cosh(b_cha),
    right=b_cha**2 / 2,
    domain=Domain({b_cha: Reals(tested_to=8)}),
    kind="Tight",
    equality=({"b_cha": 0},),
)

rises = _lemma(
    label="covering.chaining.rises",
    statement="The exponential rises.",
    left=sp.exp(L_cha),
    right=sp.exp(b_cha),
    domain=Domain({L_cha: Reals(tested_to=8), b_cha: Reals(L_cha, tested_to=8)}),
)

signs = _lemma(
    label="covering.chaining.signs",
    statement="A sum of numbers x with fair signs has a moment generating function of at most exp(Σx²/2).",
    left=sp.exp(theory.LOG_SIGNS),
    right=sp.exp(theory.LOG_NORMAL),
    domain=Domain(_VALUES),
    derivation=Derivation(
        label="covering.chaining.signs.steps",
        title="Sums of numbers with fair signs",
        steps=(
            Step(sp.exp(theory.LOG_SIGNS), "Π cosh x"),
            Step(sp.exp(theory.LOG_NORMAL), "exp(Σx²/2)", "sign by sign",
                 (Instance(sign.label, {b_cha: x_cha[i_cha]}, over=theory.SAMPLES),
                  Instance(rises.label, {L_cha: theory.LOG_SIGNS, b_cha: theory.LOG_NORMAL}))),
        ),
        domain=Domain(_VALUES),
        samples={"two": {"m_cha": 2, "x_cha": (1, 0.5)}},
        paper=PAPER,
        place=("Dudley's integral",),
    ),
)  # fmt: skip

tangent = _lemma(
    label="covering.chaining.tangent",
    statement="L is at most b + (exp(t(L - b)) - 1)/t for t > 0: the exponential lies above its tangent.",
    left=L_cha,
    right=theory.TANGENT,
    domain=Domain({L_cha: Reals(tested_to=4), b_cha: Reals(tested_to=4), t_cha: Reals(0, open_low=True, tested_to=4)}),
)

scales = _lemma(
    label="covering.chaining.scales",
    statement="For α from 2^{-J-2} to 2^{-J-1}, 2^{-J} + 6cJ is at most 4α + 12 c log(1/α).",
    left=theory.FINEST + 6 * c_cha * J_cha,
    right=theory.integral(c_cha),
    domain=Domain({
        J_cha: Integers(1, tested_to=12), c_cha: Reals(0, open_low=True),
        alpha_cha: Reals(theory.FINEST / 4, theory.FINEST / 2),
    }),
)  # fmt: skip

# --- what is measured --------------------------------------------------------------------------------


@functools.lru_cache(maxsize=256)
def _chained(values: tuple[tuple[Any, ...], ...], depth: int, growth: float) -> Chaining:
    table = torch.tensor([[float(entry) for entry in row] for row in values], dtype=torch.float64)
    return Chaining(table.clamp(-1, 1), depth, growth)


def _at(point: Point) -> Chaining:
    return _chained(point["X_cha"], int(point["J_cha"]), max(1.0, float(point["theta_cha"])))


_OF_THE_CLASS = ("X_cha", "J_cha", "theta_cha")
COMPLEXITY = replace(
    quantity("Rademacher complexity of the class", r"\mathfrak R", lambda at: _at(at).complexity), of=_OF_THE_CLASS
)
_REST = quantity("complexity of what the last net leaves", r"\mathfrak R_{>J}", lambda at: _at(at).of_rest)
_SCALE = family(
    "root of capacity over samples", "c", lambda at: torch.tensor([_at(at).scale], dtype=torch.float64), 1,
    Reals(0, open_low=True),
)  # fmt: skip
C = replace(_SCALE, of=_OF_THE_CLASS)[1]
_OF_LINKS = family(
    "complexities of the links of a level", r"\mathfrak R_j", lambda at: _at(at).of_links, J_cha, Reals()
)
_PATHS = J_cha * n_cha
_SCALED = family(
    "links times their level's argument over m", "x", lambda at: _at(at).scaled_links, (_PATHS, m_cha), Reals()
)  # fmt: skip
_WEIGHTS = family("weights of links", r"\omega", lambda at: _at(at).weights, _PATHS, Reals(0))
_LONGEST = family("half the largest squared length of a scaled link", "k", lambda at: _at(at).longest, _PATHS, Reals(0))

# --- Massart, level by level ---------------------------------------------------------------------------

_axiom = functools.partial(_claim, role="axiom", domain=CLASSES, limitations=(_FINITE,))
_T, _MOST, _COST = theory.argument(C), theory.bound(C), theory.levels(C)


def _levels(term: Any) -> sp.Expr:
    return sp.Sum(term, theory.LEVELS)


def _links(term: Any) -> sp.Expr:
    return sp.Sum(_WEIGHTS[v_cha] * term, theory.LINKS)


_ALL_LINKS = _levels(_OF_LINKS[j_cha])
_MOMENTS = _levels(sp.exp(_T * (_OF_LINKS[j_cha] - _MOST)) / _T)
_BY_SIGNS = _links(sp.exp(sp.Sum(theory.log_cosh(_SCALED[v_cha, i_cha]), theory.SAMPLES)))
_BY_SQUARES = _links(sp.exp(sp.Sum(_SCALED[v_cha, i_cha] ** 2, theory.SAMPLES) / 2))
_BY_LENGTHS = _links(sp.exp(_LONGEST[v_cha]))
_ONES = _levels(1 / _T)

chained = _axiom(
    label="covering.chaining.chained",
    statement="A function is the sum of its links and of what the last net leaves, and the largest of sums is at most "
    "the sum of the largest.",
    left=COMPLEXITY,
    right=_REST.atom + _ALL_LINKS,
)

rest = _axiom(
    label="covering.chaining.rest",
    statement="What the last net leaves is at most 2^{-J} in root mean square, and so are its correlations.",
    left=_REST,
    right=theory.FINEST,
)

independent = _axiom(
    label="covering.chaining.independent",
    statement="Signs are independent: with t the argument of a level, exp(t L) of the mean L of its links' largest "
    "correlations is at most the sum over links of Π cosh(t v_i/m), by Jensen's inequality; each level times "
    "exp(-b t)/t, b = 6c (θ/2)^j.",
    left=_MOMENTS,
    right=_BY_SIGNS,
)

lengths = _axiom(
    label="covering.chaining.lengths",
    statement="The links of level j are at most 2^{-j} + 2^{1-j} long.",
    left=_BY_SQUARES,
    right=_BY_LENGTHS,
)

number = _axiom(
    label="covering.chaining.number",
    statement="The links of level j are at most N(2^{-j}) N(2^{1-j}) ≤ exp(2C θ^{2j}) in number.",
    left=_BY_LENGTHS,
    right=_ONES,
)


def _steps(label: str, title: str, *steps: Step) -> Derivation:
    return Derivation(
        label=f"{label}.steps", title=title, steps=steps, domain=CLASSES, samples=_SAMPLES, paper=PAPER,
        place=("Dudley's integral",),
    )  # fmt: skip


massart = _lemma(
    label="covering.chaining.massart",
    statement="The links of all levels have complexities that add up to at most Σ 6c (θ/2)^j, c = √(C/m): Massart's "
    "lemma, level by level.",
    left=_ALL_LINKS,
    right=_COST,
    domain=CLASSES,
    limitations=(_FINITE,),
    derivation=_steps(
        "covering.chaining.massart", "Massart's lemma, level by level",
        Step(_ALL_LINKS, "links"),
        Step(_COST + _MOMENTS - _ONES, "exponential moments", "exp lies above its tangent",
             Instance(tangent.label, {L_cha: _OF_LINKS[j_cha], b_cha: _MOST, t_cha: _T}, over=theory.LEVELS)),
        Step(_COST + _BY_SIGNS - _ONES, "sign by sign", "independence", independent.label),
        Step(_COST + _BY_SQUARES - _ONES, "squares", "log cosh x ≤ x²/2",
             Instance(signs.label, {x_cha: lambda i: _SCALED[v_cha, i]}, over=theory.LINKS, weight=_WEIGHTS[v_cha])),
        Step(_COST + _BY_LENGTHS - _ONES, "lengths", "", lengths.label),
        Step(_COST, "as many links as nets allow", "", number.label),
    ),
)  # fmt: skip

entropies = _lemma(
    label="covering.chaining.entropies",
    statement="A class of functions of size at most A = 1 with nets log N(2^{-j}) ≤ C θ^{2j} for j from 1 to J has on "
    "m samples a Rademacher complexity of at most 2^{-J} + Σ 6c (θ/2)^j, c = √(C/m): Dudley's integral as a sum.",
    left=COMPLEXITY,
    right=theory.FINEST + _COST,
    domain=CLASSES,
    limitations=(_FINITE,),
    derivation=_steps(
        "covering.chaining.entropies", "Chaining",
        Step(COMPLEXITY, "complexity"),
        Step(_REST.atom + _ALL_LINKS, "links and a rest", "triangle inequality", chained.label),
        Step(theory.FINEST + _COST, "level by level", "Cauchy-Schwarz, Massart", (rest.label, massart.label)),
    ),
)  # fmt: skip

_SQUARES = Domain({
    **_CLASS, theta_cha: Choices(two=2), alpha_cha: Reals(theory.FINEST / 4, theory.FINEST / 2),
})  # fmt: skip

dudley = _lemma(
    label="covering.chaining.dudley",
    statement="Take a class of functions of size at most A = 1 with log N(ε) ≤ C/ε². On m samples its Rademacher "
    "complexity is at most 4α + 12 c log(1/α), c = √(C/m), for every α in (0, 1/4]. Nets at the scales 2^{-j} are "
    "enough, for j from 1 to the J with 2^{-J-2} ≤ α ≤ 2^{-J-1}. For larger α the term 4α ≥ 1 bounds the complexity "
    "by itself.",
    left=COMPLEXITY,
    right=theory.integral(C),
    domain=_SQUARES,
    limitations=(_FINITE,),
    derivation=Derivation(
        label="covering.chaining.dudley.steps",
        title="Dudley's integral",
        steps=(
            Step(COMPLEXITY, "complexity"),
            Step(theory.FINEST + _COST, "levels", "chaining", entropies.label),
            Step(theory.FINEST + 6 * C * J_cha, "each the same", "θ = 2"),
            Step(theory.integral(C), "integral", "log 2 ≥ 1/2", Instance(scales.label, {c_cha: C})),
        ),
        domain=_SQUARES,
        samples={"three functions": {**_SAMPLES["three functions, two nets"], "theta_cha": 2, "alpha_cha": 0.125}},
        paper=PAPER,
        place=("Dudley's integral",),
    ),
)  # fmt: skip

_SLOWLY = CLASSES.replace(theta_cha=Reals(1, sp.sqrt(2)))

geometric = _lemma(
    label="covering.chaining.geometric",
    statement="For θ ≤ √2 the sum of 6c (θ/2)^j over any number of levels is at most 6cθ/(2 - θ).",
    left=theory.levels(c_cha),
    right=theory.slowly(c_cha),
    domain=Domain({
        J_cha: Integers(1, tested_to=12), theta_cha: Reals(1, sp.sqrt(2)), c_cha: Reals(0, open_low=True),
    }),
)  # fmt: skip

slow = _lemma(
    label="covering.chaining.slow",
    statement="Take a class of functions of size at most A = 1 with log N(ε) ≤ C ε^{-2q} and q ≤ 1/2, as for "
    "Schatten classes. On m samples its Rademacher complexity is at most 2^{-J} + 6cθ/(2 - θ), with c = √(C/m), θ = "
    "2^q and 2^{-J} the scale of its finest net. There is no logarithm of m.",
    left=COMPLEXITY,
    right=theory.FINEST + theory.slowly(C),
    domain=_SLOWLY,
    limitations=(_FINITE,),
    derivation=Derivation(
        label="covering.chaining.slow.steps",
        title="Dudley's integral where the entropy grows slowly",
        steps=(
            Step(COMPLEXITY, "complexity"),
            Step(theory.FINEST + _COST, "levels", "chaining", entropies.label),
            Step(theory.FINEST + theory.slowly(C), "all of them", "a geometric sum",
                 Instance(geometric.label, {c_cha: C})),
        ),
        domain=_SLOWLY,
        samples=_SAMPLES,
        paper=PAPER,
        place=("Dudley's integral",),
    ),
)  # fmt: skip

PROVED = (signs, massart, entropies, dudley, slow)
proofs = tuple(stated.derivation for stated in PROVED)
