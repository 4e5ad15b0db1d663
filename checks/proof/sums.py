"""Engines for normal forms and sums: identity, proofs term by term, telescoping."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import (
    Tree,
    add,
    is_closed,
    multiply,
    opened,
    rational,
    substitute,
    subtract,
    summation,
    walk,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Attempt, Context
from boundaudit.checks.proof.kernel.domains import declare
from boundaudit.checks.proof.kernel.sums import telescoped, terms_statement

_TERM = "#"
"""Where an index stands while a body is put together: no parameter has this name."""


def identity(statement: Statement, _: Context) -> Attempt:
    """Whether the two sides have the same normal form.

    Returns:
        Proved with a certificate of kind identity, or unknown.
    """
    if NormalForm(statement.domain).vanishes(statement.goal):
        return Attempt("proved", "identity", {"kind": "identity"})
    return Attempt("unknown", "identity")


def both_sides(statement: Statement, context: Context) -> Attempt:
    """An equation as two inequalities.

    Returns:
        Proved with a certificate of kind both, or unknown.
    """
    if statement.relation != "=":
        return Attempt("unknown", "both sides")
    proofs = {}
    for relation in ("<=", ">="):
        found = context.prove(Statement(statement.left, relation, statement.right, statement.domain))
        if found.certificate is None:
            return Attempt("unknown", "both sides")
        proofs[relation] = found.certificate
    return Attempt("proved", "both sides", {"kind": "both", **proofs})


# --- term by term --------------------------------------------------------------------------------


def termwise(statement: Statement, context: Context) -> Attempt:
    """Write the goal as one sum over common limits and prove each term.

    Returns:
        Proved with a certificate of kind termwise, or unknown.
    """
    if statement.relation == "=":
        return Attempt("unknown", "termwise")
    form = NormalForm(statement.domain)
    index = f"i{len(form.atoms)}"
    for total in _one_sum(form, form.ratio(statement.goal)):
        try:
            terms = terms_statement(statement, total, index)
        except Rejected:  # this arithmetic does not see the goal as a sum over these limits
            continue
        found = context.prove(terms)
        if found.certificate is not None:
            certificate = {"kind": "termwise", "sum": total, "index": index, "proof": found.certificate}
            return Attempt("proved", "termwise", certificate, effort=found.effort)
    return Attempt("unknown", "termwise")


def _one_sum(form: NormalForm, goal: Ratio) -> Iterator[Tree]:
    """The goal as a single sum, for each pair of limits among its sums; other terms are spread evenly."""
    sums = [k for k in form.used(goal.num) if form.atoms[k].key[0] == "sum"]
    for low, high in sorted({form.atoms[k].key[1:3] for k in sums}, key=repr):
        chosen = [k for k in sums if form.atoms[k].key[1:3] == (low, high)]
        if any(k in form.used(goal.den) for k in chosen):
            continue
        body = _spread(form, goal, chosen, multiply(form.tree(Ratio(goal.den))))
        if body is not None:
            yield summation(_TERM, low, high, body)


def _spread(form: NormalForm, goal: Ratio, chosen: list[int], den: Tree) -> Tree | None:
    """The common body at the index `_TERM`; None where the goal is not linear in the chosen sums."""
    key = form.atoms[chosen[0]].key
    count = add(subtract(key[2], key[1]), rational(1))
    parts: list[Tree] = []
    for coefficient, monomial in form.terms(goal.num):
        degrees = [int(degree) for degree in monomial.degrees()]
        inside = [k for k in chosen if degrees[k]]
        if sum(degrees[k] for k in inside) > 1:
            return None
        if inside:
            sum_key = form.atoms[inside[0]].key
            rest = multiply(rational(coefficient), *_powers(form, degrees, inside[0]))
            parts.append(multiply(rest, opened(sum_key, ("v", _TERM))))
        else:
            free = multiply(rational(coefficient), *_powers(form, degrees, None))
            parts.append(multiply(free, ("^", count, rational(-1))))
    return multiply(add(*parts), ("^", den, rational(-1)))


def _powers(form: NormalForm, degrees: list[int], without: int | None) -> list[Tree]:
    """The factors of a monomial except one atom."""
    return [("^", form.atoms[k].key, rational(degree)) for k, degree in enumerate(degrees) if degree and k != without]


# --- telescoping ---------------------------------------------------------------------------------


def telescope(statement: Statement, context: Context) -> Attempt:
    """Replace every sum of powers of its index, alternating or not, by its closed form.

    Returns:
        Proved with a certificate of kind telescope, or unknown.
    """
    steps: list[dict[str, Any]] = []
    goal, index = statement, f"i{len(NormalForm(statement.domain).atoms)}"
    for total in _closed_sums(statement):
        antidifference = _antidifference(goal, total, index)
        if antidifference is not None:
            goal = telescoped(goal, total, index, antidifference)
            steps.append({"sum": total, "index": index, "antidifference": antidifference})
    if not steps:
        return Attempt("unknown", "telescope")
    found = context.prove(goal)
    if found.certificate is None:
        return Attempt("unknown", "telescope", effort=found.effort)
    certificate = found.certificate
    for step in reversed(steps):
        certificate = {"kind": "telescope", **step, "proof": certificate}
    return Attempt("proved", "telescope", certificate, effort=found.effort)


def _closed_sums(statement: Statement) -> list[Tree]:
    """The sums of a statement that use no index of a sum around them."""
    nodes = [*walk(statement.left), *walk(statement.right)]
    return sorted({node for node in nodes if node[0] == "sum" and is_closed(node)}, key=repr)


def _antidifference(statement: Statement, total: Tree, name: str) -> Tree | None:
    """A(i) - A(low - 1), where the body is a polynomial in i and (-1)^i with coefficients free of i."""
    low, high, body = total[1], total[2], opened(total, ("v", name))
    form = NormalForm(declare(statement.domain, {"name": name, "range": "integers", "low": low, "high": high}))
    try:
        ratio = form.ratio(body)
    except Rejected:
        return None
    index, sign = ("v", name), ("^", rational(-1), ("v", name))
    if name in form.names(ratio.den):
        return None
    parts = []
    for coefficient, monomial in form.terms(ratio.num):
        part = _term(form, coefficient, monomial, index, sign)
        if part is None:
            return None
        parts.append(part)
    den = form.tree(Ratio(ratio.den))
    found = multiply(add(*parts), ("^", den, rational(-1))) if parts else rational(0)
    return subtract(found, substitute(found, {name: subtract(low, rational(1))}))


def _term(form: NormalForm, coefficient: Fraction, monomial: fmpq_mpoly, index: Tree, sign: Tree) -> Tree | None:
    """The antidifference of one term of the body."""
    degree, alternating, rest = 0, False, [rational(coefficient)]
    for position, power in enumerate(monomial.degrees()):
        atom = form.atoms[position] if power else None
        if atom is None:
            continue
        if atom.key == index:
            degree = int(power)
        elif atom.key == sign:
            alternating = True
        elif index[1] in atom.names:
            return None
        else:
            rest.append(("^", atom.key, rational(int(power))))
    powers = _alternating_sum(degree) if alternating else _power_sum(degree)
    closed = add(*(multiply(rational(value), ("^", index, rational(k))) for k, value in enumerate(powers)))
    return multiply(*rest, sign, closed) if alternating else multiply(*rest, closed)


@functools.cache
def _power_sum(degree: int) -> tuple[Fraction, ...]:
    """Coefficients of P with P(i) - P(i-1) = i^degree, from i^(d+1) - (i-1)^(d+1) by induction."""
    result = [Fraction(0)] * (degree + 1) + [Fraction(1)]
    for lower in range(degree):
        share = math.comb(degree + 1, lower) * (-1) ** (degree - lower)
        for k, value in enumerate(_power_sum(lower)):
            result[k] -= share * value
    return tuple(value / (degree + 1) for value in result)


@functools.cache
def _alternating_sum(degree: int) -> tuple[Fraction, ...]:
    """Coefficients of Q with (-1)^i Q(i) - (-1)^(i-1) Q(i-1) = (-1)^i i^degree, by induction as above."""
    result = [Fraction(0)] * degree + [Fraction(1)]
    for lower in range(degree):
        share = math.comb(degree, lower) * (-1) ** (degree - lower)
        for k, value in enumerate(_alternating_sum(lower)):
            result[k] -= share * value
    return tuple(value / 2 for value in result)
