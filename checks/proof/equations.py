"""Equations between sums, such as probabilities that add up to 1: read off a domain, and in certificates.

A multiple of Σ g - c, where Σ g = c, may be added to every goal; how it is chosen is for engines to say.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from boundaudit.checks.language.algebra.derivatives import NotDifferentiable, derivative
from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import (
    BRANCHES,
    ONE,
    Tree,
    add,
    children,
    is_closed,
    multiply,
    opened,
    rational,
    rebuild,
    replaced,
    substitute,
    summation,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Lemma, closed, factors_in, has, lemma_at, psatz, term
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import plain
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.substitution import coefficients

TERM, _ENTRY, _HELD = "#", "#entry", "#held"
"""Where an index, the entry at it, and what is held fixed stand in a body: no parameter has these names."""
INDEX: Tree = ("v", TERM)
_KINKS = ("abs", "max", "min", *BRANCHES)


class Equation(NamedTuple):
    """``Σ weight = total``, and the places of the relations that say ``≥`` and ``≤``; none where it is an identity."""

    weight: Tree
    total: Tree
    places: tuple[int, int] | tuple[()]

    def at(self, index: Tree) -> Tree:
        """The weight at an index."""
        return substitute(self.weight, {TERM: index})


Limits = tuple[Tree, Tree]
Multiples = Sequence[tuple[Equation, Tree]]


def by_equations(
    form: NormalForm,
    statement: Statement,
    lemmas: Sequence[Lemma],
    multiples: Multiples,
    *products: Any,
    negated: Sequence[Any] = ("n",),
) -> Certificate:
    """A goal, also times factors, as the first of some lemmas, products, and multiples λ e of equations e = 0."""
    terms = [negated, [lemma_at(statement)], *products]
    for equation, by in multiples:
        shown = form.tree(form.ratio(by))
        for place, shift in zip(equation.places, (1, -1) if equation.places else (), strict=True):
            # 4 λ e is (λ + 1)² e - (λ - 1)² e
            terms.append(term(["where", place], weight=Fraction(1, 4), square=add(shown, rational(shift))))
    return psatz(*terms, lemmas=lemmas)


def equations_of(hypotheses: Hypotheses) -> dict[Limits, list[Equation]]:
    """The equations of the domain between one sum and a number, by the limits of the sum."""
    form = hypotheses.form
    found: dict[Limits, list[Equation]] = {}
    excess = {k: hypotheses.excess(["where", k])[0] for k in plain(hypotheses.domain)}
    sums = {k: [i for i in form.used(value.num) if form.atoms[i].key[0] == "sum"] for k, value in excess.items()}
    for above, below in itertools.permutations((k for k in excess if len(sums[k]) == 1), 2):
        total = form.atoms[sums[above][0]].key
        rest = form.tree(form.subtract(form.ratio(total), excess[above]))
        opposite = form.add(excess[above], excess[below]).num.is_zero()
        if opposite and not has(rest, "sum"):
            found.setdefault(total[1:3], []).append(Equation(opened(total, INDEX), rest, (above, below)))
    return found


def totals_of(form: NormalForm, goal: Ratio) -> dict[Limits, list[Equation]]:
    """Identities between the sum of a vector's entries and itself, where a goal speaks of it, by the limits."""
    found: dict[Limits, list[Equation]] = {}
    for total in closed([form.atoms[position].key for position in form.used(goal.num * goal.den)], "sum"):
        if (body := opened(total, INDEX))[0] == "item":
            found.setdefault(total[1:3], []).append(Equation(body, total, ()))
    return found


def reduced(form: NormalForm, goal: Ratio, limits: Limits, equations: Sequence[Equation]) -> tuple[Ratio, Multiples]:
    """The goal with what sums are known to be in their place, and the multiples of the equations that this takes."""
    spent: list[tuple[Equation, Tree]] = []
    for equation in equations:
        whole, total = form.ratio(summation(TERM, *limits, equation.weight)), form.ratio(equation.total)
        atom = form.single(whole.num)
        position = -1 if atom is None else form.atoms.index(atom)
        if position not in form.used(goal.num) or position in form.used(goal.den):
            continue
        quotient = rest = form.constant(0)
        for part in reversed(coefficients(goal.num, position)):  # Horner: what is left is the goal at the total
            quotient = form.add(form.multiply(quotient, whole), rest)
            rest = form.add(form.multiply(rest, total), Ratio(part))
        under = Ratio(form.constant(1).num, goal.den)
        goal = form.multiply(rest, under)
        spent.append((equation, form.tree(form.multiply(quotient, under))))
    return goal, spent


def slope_of(tree: Tree, of: Tree, at: Mapping[Tree, Tree] | None = None) -> Tree | None:
    """The derivative with respect to a part of a tree, where parts have given values; None where there is none."""
    try:
        slope = derivative(replaced(tree, of, ("v", _ENTRY)), _ENTRY)
    except (NotDifferentiable, Rejected):
        return None
    slope = substitute(slope, {_ENTRY: of})
    for part, value in (at or {}).items():
        slope = replaced(slope, part, value)
    return slope


def smooth_slope(tree: Tree, of: Tree, at: Mapping[Tree, Tree]) -> Tree | None:
    """The same with what has a kink held fixed: a slope, wherever two branches meet."""
    held: dict[Tree, Tree] = {}

    def hold(node: Tree) -> Tree:
        if node[0] in _KINKS and is_closed(node):
            return held.setdefault(node, ("v", f"{_HELD}{len(held)}"))
        return rebuild(node, [hold(part) for part in children(node)])

    slope = slope_of(hold(tree), of)
    values = (*((name, node) for node, name in held.items()), *at.items())
    return slope and functools.reduce(lambda left, put: replaced(left, *put), values, slope)


def weighed(total: Tree, weight: Tree) -> Tree | None:
    """What a sum weighs with a weight, at the index; None where its terms do not have this factor."""
    body = opened(total, INDEX)
    factors = factors_in(body)
    if weight != ONE:
        if weight not in factors:
            return None
        factors.remove(weight)
    return multiply(*factors) if factors else ONE
