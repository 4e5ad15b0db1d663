"""Hypotheses that bound what vanishes where two numbers are equal, and grows with the square of their distance.

From kl(q, p) ≤ ε follows (p - q)² ≤ 2 p ε where q ≤ p, and (p - q)² ≤ 2 q ε where p ≤ q, which speak of no logarithm.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.expression import (
    Tree,
    multiply,
    names,
    rational,
    square,
    substitute,
    subtract,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.contraposed import hard
from boundaudit.checks.proof.engine import LEAST_DEPTH, Context, Lemma, by_cases, from_lemma, lemma_at, psatz, without
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import assume, on
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.kernel.transformations import case_statements


def curved(statement: Statement, context: Context) -> Certificate | None:
    """Put a bound on the square of a distance in place of a hypothesis with logarithms, on either side."""
    if statement.relation == "=" or context.budget.depth < LEAST_DEPTH:
        return None
    for place, _ in hard(statement):
        for one, other in _pairs(statement, place):
            split = ["sign", subtract(one, other)]
            sides = (_on_one_side(case, place, one, other, context) for case in case_statements(statement, split))
            if (found := by_cases(split, sides)) is not None:
                return found
    return None


def _pairs(statement: Statement, place: int) -> Iterator[tuple[Tree, Tree]]:
    """Real parameters of which the smaller side of a hypothesis vanishes where they are equal."""
    small = Hypotheses(statement.domain).derive(["where", place]).small
    form = NormalForm({**statement.domain, "where": []})
    reals = [found["name"] for found in statement.domain["parameters"] if found["range"] == "reals"]
    for one, other in itertools.combinations([name for name in reals if name in names(small)], 2):
        on_diagonal = substitute(small, {one: ("v", other)})
        if form.has(on_diagonal) and form.vanishes(on_diagonal):
            yield ("v", one), ("v", other)


def _on_one_side(case: Statement, place: int, one: Tree, other: Tree, context: Context) -> Certificate | None:
    said, others = Hypotheses(case.domain).derive(["where", place]), without(case.domain, place)
    for scale in (one, other):
        weight, distance = multiply(rational(2), scale), square(subtract(one, other))
        curve = context.lemma(Statement(distance, "<=", multiply(weight, said.small), others))
        if curve is None:
            continue
        near = Statement(distance, "<=", multiply(weight, said.large), case.domain)
        shown = from_lemma(case, curve, [["where", place], ["sign", weight]])
        plain = context.lemma(on(case, assume(others, ["<=", near.left, near.right])))
        if plain is not None:
            return psatz(["n"], [lemma_at(case, 1)], lemmas=[Lemma(near, shown), plain])
    return None
