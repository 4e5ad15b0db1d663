"""Proofs that a mean with a threshold is on one side of a quotient of other means, as in Cantelli's inequality.

A goal r + k P, linear in the mean P of something that jumps where an entry meets a threshold, is taken term by term:
its tangent at the means that r and k speak of, and what may be added to it for free: where the threshold moves with a
mean, a multiple of the entry's term less that mean. That multiple is such that the term vanishes where it jumps.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import (
    BRANCHES,
    ONE,
    ZERO,
    Tree,
    add,
    multiply,
    names,
    opened,
    rational,
    replaced,
    subtract,
    summation,
    walk,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Attempt, Context, fresh_index
from boundaudit.checks.proof.equations import TERM, Equation, Limits, Multiples, equations_of, reduced, terms_of
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.kernel.sums import terms_statement
from boundaudit.checks.proof.substitution import coefficients
from boundaudit.checks.proof.weighted import proved_without_weights

NAME = "contacts"
_LINEAR = 2
"""Coefficients of a polynomial of first degree."""


class _Tangent(NamedTuple):
    """A term of the goal times a positive factor, multiples of equations that are left of it, and the factor."""

    body: Tree
    multiples: Multiples
    by: Tree


def contacts(statement: Statement, context: Context) -> Attempt:
    """Take a tangent off a quotient of means that vanishes where the term of another mean jumps."""
    if statement.relation == "=" or statement.is_strict:
        return Attempt("unknown", NAME)
    hypotheses, index = Hypotheses(statement.domain), fresh_index(statement.domain)
    form = hypotheses.form
    for limits, known in equations_of(hypotheses).items():
        goal, spent = reduced(form, form.ratio(statement.goal), limits, known)
        for equation in (each for each in known if each.total == ONE):
            for found in _tangents(form, goal, limits, equation, known):
                total = summation(TERM, *limits, found.body)
                lemma = Statement(ZERO, "<=", total, statement.domain)
                try:
                    proof = proved_without_weights(terms_statement(lemma, total, index), context).certificate
                except Rejected:
                    continue
                if proof is not None:
                    whole = {"kind": "termwise", "sum": total, "index": index, "proof": proof}
                    multiples = [*((each, multiply(found.by, by)) for each, by in spent), *found.multiples]
                    shown = [(each, form.tree(form.ratio(by))) for each, by in multiples]
                    _, *terms = terms_of(shown, len(statement.domain["where"]))
                    negated = {"weight": [1, 1], "factors": [["n", 1], [["sign", found.by], 1]]}
                    entry = {"statement": lemma.to_json(), "certificate": whole}
                    return Attempt("proved", NAME, {"kind": "psatz", "lemmas": [entry], "terms": [negated, *terms]})
    return Attempt("unknown", NAME)


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
            wanted = multiply(rational(-1), add(replaced(tangent, entry, at), multiply(scale, height)))
            free = form.tree(form.ratio(multiply(wanted, _inverse(replaced(gap, entry, at)))))
            body = add(multiply(equation.weight, add(tangent, multiply(free, gap))), multiply(scale, _opened(mean)))
            multiples = [(equation, subtract(add(*taken, multiply(free, value)), level))]
            multiples += [] if zero is None else [(zero, multiply(rational(-1), free))]
            yield _Tangent(body, multiples, form.tree(Ratio(size * goal.den)))


def _opened(mean: Tree) -> Tree:
    return opened(mean, ("v", TERM))


def _term(mean: Tree, equation: Equation) -> Tree:
    """What a mean is the mean of."""
    return replaced(_opened(mean), equation.weight, ONE)


def _root(tree: Tree, entry: Tree) -> Tree:
    """Where an expression vanishes that is linear in an entry."""
    at_zero = replaced(tree, entry, ZERO)
    return multiply(rational(-1), at_zero, _inverse(subtract(replaced(tree, entry, ONE), at_zero)))


def _inverse(tree: Tree) -> Tree:
    return ("^", tree, rational(-1))
