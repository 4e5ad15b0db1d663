"""Proofs that go through Jensen's inequality: the exponential of a mean gives way to the mean of the exponentials.

exp(λ E max(X, Y)) ≤ E exp(λ max(X, Y)) ≤ E exp(λ X) + E exp(λ Y): the second step is shown outcome by outcome.
"""

from __future__ import annotations

from collections.abc import Iterator

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    add,
    from_json,
    multiply,
    rational,
    summation,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.binomials import in_place
from boundaudit.checks.proof.engine import WEAK, Context, closed, inverse, ordered_sides, with_proof
from boundaudit.checks.proof.equations import TERM, weighed
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import plain
from boundaudit.checks.proof.weighted import weighted

_LEAST_DEPTH = 3


def averaged(statement: Statement, context: Context) -> Certificate | None:
    """Prove both steps through the mean of an exponential, where the smaller side has that of a mean."""
    if statement.relation not in WEAK or context.budget.depth < _LEAST_DEPTH:
        return None
    for node, spelled, mean in _means(statement, ordered_sides(statement)[0]):
        convex = Statement(spelled, "<=", mean, statement.domain)
        shown = with_proof(convex, weighted(convex, context))
        proof = shown and in_place(statement, node, shown, context)
        if proof is not None:
            return proof
    return None


def _means(statement: Statement, side: Tree) -> Iterator[tuple[Tree, Tree, Tree]]:
    """Exponentials of means under a law in a side, the same of one mean, and the means of the exponentials."""
    form = NormalForm(statement.domain)
    for low, high, law in _laws(statement):
        for node in closed([side], "exp"):
            parts = _at_index(form, form.ratio(node[1]), (low, high, law))
            if parts is not None:
                weight, (inside, beside) = ("item", law, ("v", TERM)), parts
                mean = summation(TERM, low, high, multiply(weight, inside))
                means = summation(TERM, low, high, multiply(weight, ("exp", add(beside, inside))))
                yield node, ("exp", add(beside, mean)), means


def _laws(statement: Statement) -> Iterator[tuple[Tree, Tree, str]]:
    """The limits and the names of vectors whose entries are said to add up to one."""
    for position in plain(statement.domain):
        sign, left, right = statement.domain["where"][position]
        total = from_json(left)
        if sign == "<=" and total[0] == "sum" and from_json(right) == ONE:
            low, high, body = total[1:]
            if body[0] == "item" and body[2:] == (("b", 0),):
                yield low, high, body[1]


def _at_index(form: NormalForm, exponent: Ratio, law: tuple[Tree, Tree, str]) -> tuple[Tree, Tree] | None:
    """What a mean under a law is the mean of, at the index, and what stands beside it; None where there is none."""
    over = inverse(form.tree(Ratio(exponent.den)))
    inside: list[Tree] = []
    beside: list[Tree] = []
    for coefficient, monomial in form.terms(exponent.num):
        degrees = {form.atoms[k].key: int(monomial.degrees()[k]) for k in form.used(monomial)}
        bodies = {key: body for key in degrees if (body := _weighed(key, law)) is not None}
        if sum(degrees[key] for key in bodies) > 1:
            return None
        others = [("^", key, rational(degree)) for key, degree in degrees.items() if key not in bodies]
        (inside if bodies else beside).append(multiply(rational(coefficient), *others, *bodies.values(), over))
    return (add(ZERO, *inside), add(ZERO, *beside)) if inside else None


def _weighed(key: Tree, law: tuple[Tree, Tree, str]) -> Tree | None:
    """What a sum weighs, at the index, where its weights are those of the law."""
    low, high, name = law
    return weighed(key, ("item", name, ("v", TERM))) if key[:3] == ("sum", low, high) else None
