"""Proofs that the square of a sum is at most a sum, as in Pinsker's inequality.

Where weights h add up to 1, and L = Σ l, L² is the sum of 2 L l - L² h, and each of these is at most u where l² ≤ h u:
h u - 2 L l h + L² h² is (L h - l)² and h u - l². The weights are means of those that the domain tells of, in all simple
shares; u is a term of the larger side and of multiples of equations, as `weighted` finds them.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import (
    Tree,
    add,
    multiply,
    rational,
    replaced,
    square,
    substitute,
    subtract,
    summation,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.calculus import with_calculus
from boundaudit.checks.proof.engine import (
    WEAK,
    Context,
    Engine,
    Lemma,
    by_cases,
    inverse,
    lemma_at,
    negative,
    ordered_sides,
    psatz,
    sum_of_terms,
    term,
)
from boundaudit.checks.proof.equations import TERM, Equation, by_equations
from boundaudit.checks.proof.factoring import factoring
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import Domain
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.kernel.transformations import case_statements
from boundaudit.checks.proof.quadratics import quadratics
from boundaudit.checks.proof.sampling import is_refuted
from boundaudit.checks.proof.schwarz import root_of
from boundaudit.checks.proof.weighted import choices, goals_of

_FINEST = 4
"""The largest denominator of a share."""


def shares(statement: Statement, context: Context) -> Certificate | None:
    """Compare the square of a sum with a sum, term by term."""
    if statement.relation not in WEAK:
        return None
    hypotheses = Hypotheses(statement.domain)
    form = hypotheses.form
    small, large = ordered_sides(statement)
    root = root_of(form, small)
    if root is None:
        return None
    for limits, known, choice in choices(hypotheses, form.ratio(large)):
        line = _as_sum(form, form.ratio(root), limits)
        if line is None or choice.squares:
            continue
        for weight, parts in _means(form, known):
            spread = add(choice.body, multiply(rational(-2), root, line), multiply(square(root), weight))
            prove = functools.partial(_each, parts=(choice.body, root, line, weight), context=context)
            lemma = sum_of_terms(summation(TERM, *limits, spread), statement.domain, prove)
            if lemma is not None:
                over = [(each, negative(multiply(square(root), part))) for each, part in parts]
                return by_equations(form, statement, [lemma], [*choice.multiples, *over])
    return None


def _as_sum(form: NormalForm, value: Ratio, limits: tuple[Tree, Tree]) -> Tree | None:
    """The body of the one sum over limits that an expression is; None where it is none."""
    goal = next(goals_of(form, value, limits), None)
    return goal.body if goal is not None and form.ratio(goal.rest).num.is_zero() else None


def _means(form: NormalForm, known: Sequence[Equation]) -> Iterator[tuple[Tree, list[tuple[Equation, Tree]]]]:
    """Means of weights that add up to 1, in simple shares, and the multiples of equations that say so."""
    usable = [each for each in known if form.range_of(each.total).positive]
    for whole in range(1, _FINEST + 1):
        for numbers in itertools.product(range(whole + 1), repeat=len(usable)):
            if sum(numbers) == whole and math.gcd(*numbers) == 1:
                parts = [
                    (each, multiply(rational(Fraction(number, whole)), inverse(each.total)))
                    for each, number in zip(usable, numbers, strict=True)
                    if number
                ]
                yield add(*(multiply(part, each.weight) for each, part in parts)), parts


def _each(term: Statement, parts: tuple[Tree, Tree, Tree, Tree], context: Context) -> Certificate | None:
    """A proof that a term is not negative, from l² ≤ h u."""
    above, root, line, weight = (_at(part, term.domain) for part in parts)
    needed = Statement(square(line), "<=", multiply(weight, above), term.domain)
    below = None if is_refuted(needed) else _simply(needed, (factoring,), with_calculus(context))
    if below is None:
        return None
    return _term(term, Lemma(needed, below), weight, subtract(multiply(root, weight), line), context)


def _term(each: Statement, lemma: Lemma, weight: Tree, difference: Tree, context: Context) -> Certificate | None:
    """A term times its weight is a square and what the lemma says; weights of 0 are a case of their own."""

    def divided(case: Statement) -> Certificate:
        return psatz(["n", ["sign", weight]], term(square=difference), [lemma_at(case)], lemmas=[lemma])

    size = NormalForm(each.domain).range_of(weight)
    if size.positive or not size.nonnegative:
        return divided(each) if size.positive else None
    split = ["trichotomy", weight]
    _, at, above = case_statements(each, split)
    never = psatz([["where", len(each.domain["where"])]], [["sign", weight]])
    return by_cases(split, (never, _simply(at, (factoring, quadratics), context), divided(above)))


def _simply(statement: Statement, engines: Sequence[Engine], context: Context) -> Certificate | None:
    """A proof of a statement, by what is made for its kind first."""
    for engine in engines:
        with suppress(Rejected):
            if (found := engine(statement, context)) is not None:
                return found
    return context.prove(statement)


def _at(tree: Tree, domain: Domain) -> Tree:
    """A body at the index, with the numbers that entries at it are in the statement about a term."""
    index = next(found["name"] for found in reversed(domain["parameters"]) if found["range"] == "integers")
    found, suffix = substitute(tree, {TERM: ("v", index)}), f"_{index}"
    for name in (declared["name"] for declared in domain["parameters"]):
        if name.endswith(suffix):
            found = replaced(found, ("item", name.removesuffix(suffix), ("v", index)), ("v", name))
    return found
