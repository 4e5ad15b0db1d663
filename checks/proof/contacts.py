"""Proofs that a mean with a threshold is on one side of a quotient of other means, as in Cantelli's inequality.

A goal r + k P, linear in the mean P of something that jumps where an entry meets a threshold, is taken term by term:
its tangent at the means that r and k speak of, and what may be added to it for free: where the threshold moves with a
mean, a multiple of the entry's term less that mean. That multiple is such that the term vanishes where it jumps.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import (
    BRANCHES,
    ONE,
    ZERO,
    Tree,
    add,
    multiply,
    names,
    opened,
    replaced,
    subtract,
    summation,
    walk,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import WEAK, Context, negative, quotient, sum_of_terms
from boundaudit.checks.proof.equations import (
    INDEX,
    TERM,
    Equation,
    Limits,
    Multiples,
    by_equations,
    equations_of,
    reduced,
)
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.substitution import coefficients
from boundaudit.checks.proof.weighted import proved_without_weights

_LINEAR = 2
"""Coefficients of a polynomial of first degree."""


class _Tangent(NamedTuple):
    """A term of the goal times a positive factor, multiples of equations that are left of it, and the factor."""

    body: Tree
    multiples: Multiples
    by: Tree


def contacts(statement: Statement, context: Context) -> Certificate | None:
    """Take a tangent off a quotient of means that vanishes where the term of another mean jumps."""
    if statement.relation not in WEAK:
        return None
    hypotheses = Hypotheses(statement.domain)
    form, prove = hypotheses.form, functools.partial(proved_without_weights, context=context)
    for limits, known in equations_of(hypotheses).items():
        goal, spent = reduced(form, form.ratio(statement.goal), limits, known)
        for equation in (each for each in known if each.total == ONE):
            for found in _tangents(form, goal, limits, equation, known):
                lemma = sum_of_terms(summation(TERM, *limits, found.body), statement.domain, prove)
                if lemma is not None:
                    multiples = [*((each, multiply(found.by, by)) for each, by in spent), *found.multiples]
                    negated = ("n", ["sign", found.by])
                    return by_equations(form, statement, [lemma], multiples, negated=negated)
    return None


def _tangents(
    form: NormalForm, goal: Ratio, limits: Limits, equation: Equation, known: Sequence[Equation]
) -> Iterator[_Tangent]:
    """Of each mean of something that jumps: what is to be shown of a term, for each multiple that makes it vanish."""
    means = {k: form.atoms[k].key for k in form.used(goal.num) if form.atoms[k].key[:3] == ("sum", *limits)}
    for place, mean in means.items():
        jump, parts = _term(mean, equation), coefficients(goal.num, place)
        others = {k: key for k, key in means.items() if k != place}
        sign = next((s for s in (1, -1) if form.bounds(Ratio(s * parts[1])).positive), 0)
        if jump[0] not in BRANCHES or len(parts) != _LINEAR or not sign:
            continue
        rest, size = parts[0], sign * parts[1]
        slopes = {k: form.tree(Ratio(rest.derivative(k) * size - rest * size.derivative(k))) for k in others}
        level, scale = (form.tree(Ratio(part)) for part in (rest * size, sign * size**2))
        tangent = add(level, *(multiply(slopes[k], subtract(_term(key, equation), key)) for k, key in others.items()))
        taken = [multiply(slopes[k], key) for k, key in others.items()]
        (entry,) = {node for node in walk(jump[1]) if node[0] == "item" and TERM in names(node)}
        at = _root(jump[1], entry)
        moving = [(_term(key, equation), key, None) for key in others.values() if key in walk(mean)]
        fixed = [(replaced(each.weight, equation.weight, ONE), each.total, each) for each in known if each != equation]
        for (term, value, zero), height in itertools.product((*moving, *fixed), jump[2:]):
            gap = subtract(term, value)
            wanted = negative(add(replaced(tangent, entry, at), multiply(scale, height)))
            free = form.tree(form.ratio(quotient(wanted, replaced(gap, entry, at))))
            whole = multiply(scale, opened(mean, INDEX))
            body = add(multiply(equation.weight, add(tangent, multiply(free, gap))), whole)
            multiples = [(equation, subtract(add(*taken, multiply(free, value)), level))]
            multiples += [] if zero is None else [(zero, negative(free))]
            yield _Tangent(body, multiples, form.tree(Ratio(size * goal.den)))


def _term(mean: Tree, equation: Equation) -> Tree:
    """What a mean is the mean of."""
    return replaced(opened(mean, INDEX), equation.weight, ONE)


def _root(tree: Tree, entry: Tree) -> Tree:
    """Where an expression vanishes that is linear in an entry."""
    at_zero = replaced(tree, entry, ZERO)
    return quotient(negative(at_zero), subtract(replaced(tree, entry, ONE), at_zero))
