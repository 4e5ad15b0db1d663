"""Proofs of goals with products of sums, as one sum over pairs or triples of indices.

Σ a Σ b is a sum over pairs. Where weights add up to 1, every term of a goal is one over as many indices as that with
the most has, in any order; added up over all orders, the terms under it often have a sign: Chebyshev's sum inequality,
Lagrange's identity for Cauchy and Schwarz's, determinants for covariances.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import ONE, ZERO, Tree, add, multiply, opened, rational, subtract, summation
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import WEAK, Context, inverse, negative, sum_of_terms, with_proof
from boundaudit.checks.proof.equations import Equation, Limits, by_equations, equations_of
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.weighted import proved_without_weights

_MOST_INDICES = 3
_MOST_TERMS = 16


class _Term(NamedTuple):
    """A term of a goal: what stands outside of sums, and the sums."""

    outside: Tree
    sums: list[Tree]


def symmetrised(statement: Statement, context: Context) -> Certificate | None:
    """Write the goal as a sum over pairs or triples of indices, the same in any order, and prove its terms."""
    hypotheses = Hypotheses(statement.domain)
    form = hypotheses.form
    goal = form.ratio(statement.goal)
    if statement.relation not in WEAK or len(goal.num) > _MOST_TERMS:
        return None
    weights = equations_of(hypotheses)
    for limits in dict.fromkeys(form.atoms[k].key[1:3] for k in form.used(goal.num) if form.atoms[k].key[0] == "sum"):
        terms = _terms(form, goal, limits)
        most = max(len(term.sums) for term in terms) if terms else 0
        for weight in _weights(weights.get(limits, ()), limits) if 1 < most <= _MOST_INDICES else ():
            found = _proved(statement, terms, weight, limits, most, context)
            if found is not None:
                return found
    return None


def _terms(form: NormalForm, goal: Ratio, limits: Limits) -> list[_Term]:
    """The terms of a goal, with the sums over some limits apart; none where one stands in a denominator."""
    here = {k for k in form.used(goal.num) if form.atoms[k].key[0] == "sum" and form.atoms[k].key[1:3] == limits}
    if here & set(form.used(goal.den)):
        return []
    under, found = inverse(form.tree(Ratio(goal.den))), []
    for coefficient, monomial in form.terms(goal.num):
        degrees = {k: int(degree) for k, degree in enumerate(monomial.degrees()) if degree}
        outside = (("^", form.atoms[k].key, rational(degree)) for k, degree in degrees.items() if k not in here)
        sums = [form.atoms[k].key for k, degree in degrees.items() if k in here for _ in range(degree)]
        found.append(_Term(multiply(rational(coefficient), under, *outside), sums))
    return found


def _weights(known: Sequence[Equation], limits: Limits) -> Iterator[Equation]:
    """Weights that add up to 1: those of which the domain says so, else equal ones."""
    given = [equation for equation in known if equation.total == ONE]
    yield from given
    if not given:
        yield Equation(inverse(add(subtract(limits[1], limits[0]), ONE)), ONE, ())


def _proved(
    statement: Statement, terms: Sequence[_Term], weight: Equation, limits: Limits, most: int, context: Context
) -> Certificate | None:
    indices = [f"#{k}" for k in range(most)]
    weigh = summation("#0", *limits, weight.at(("v", "#0")))
    body = multiply(rational(Fraction(1, math.factorial(most))), add(*(_spread(t, weight, indices) for t in terms)))
    for index in indices:
        body = summation(index, *limits, body)
    whole = Statement(ZERO, "<=", body, statement.domain)
    lemma = with_proof(whole, _each(whole, context))
    # A term of d sums less itself times (Σ w)^k is itself times (1 - Σ w)(1 + Σ w + … + (Σ w)^(k-1)).
    over = [negative(multiply(term.outside, *term.sums, _geometric(weigh, most - len(term.sums)))) for term in terms
            if len(term.sums) < most]  # fmt: skip
    form = NormalForm(statement.domain)
    return lemma and by_equations(form, statement, [lemma], [(weight, add(*over))] if over and weight.places else [])


def _spread(term: _Term, weight: Equation, indices: Sequence[str]) -> Tree:
    """A term over all indices, in every order of them."""
    count = len(term.sums)
    orders = []
    for order in itertools.permutations([("v", index) for index in indices]):
        bodies = (opened(total, index) for total, index in zip(term.sums, order[:count], strict=True))
        orders.append(multiply(*bodies, *map(weight.at, order[count:])))
    return multiply(term.outside, add(*orders))


def _geometric(base: Tree, count: int) -> Tree:
    return add(*(("^", base, rational(k)) if k else ONE for k in range(count)))


def _each(statement: Statement, context: Context) -> Certificate | None:
    """A proof of a sum over several indices, term by term."""
    if statement.right[0] != "sum":
        return proved_without_weights(statement, context)
    lemma = sum_of_terms(statement.right, statement.domain, functools.partial(_each, context=context))
    return lemma and lemma.certificate
