"""Proofs by substitution: what a relation of the domain bounds gives way to its bound, one relation after the other.

What a relation leaves over, e = large - small ≥ 0, is the base of a number system: a difference of two sides is
r0 + r1 e + r2 e² + … by putting it in place of one atom. Where r1, r2, … have known signs, r0 ≥ 0 is left to be shown,
and the relation is spent. Of an equation, the signs do not matter.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.arithmetic import spend
from boundaudit.checks.language.expression import ONE, add, subtract
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import WEAK, Context, Term, psatz
from boundaudit.checks.proof.factoring import known_sign, rational_factors
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses

_COST = 200
"""Steps of the budget that one substitution costs."""


class _Excess(NamedTuple):
    """What a relation leaves over, cleared of a denominator; its factors, and those of the opposite relation if any."""

    poly: fmpq_mpoly
    den: fmpq_mpoly
    factors: list[Any]
    opposite: list[Any] | None


def substitution(statement: Statement, _: Context) -> Certificate | None:
    """Put bounds in place of what relations of the domain bound."""
    if statement.relation not in WEAK:
        return None
    hypotheses = Hypotheses(statement.domain)
    form = hypotheses.form
    goal = form.ratio(statement.goal)
    if not form.bounds(Ratio(goal.den)).positive:
        return None
    relations = _excesses(hypotheses, goal)
    common = functools.reduce(_common_multiple, (relation.den for relation in relations), form.constant(1).num)
    terms = _terms(form, goal.num * common, relations)
    negated = {"weight": [1, 1], "factors": [["n", 1], *_cleared(form, goal.den), *_cleared(form, common)]}
    return None if terms is None else psatz(negated, *terms)


def _cleared(form: NormalForm, den: fmpq_mpoly) -> list[Any]:
    """The factors that clear a ratio of a positive denominator."""
    return [] if den.is_one() else [[["sign", form.tree(Ratio(den))], 1]]


def _excesses(hypotheses: Hypotheses, goal: Ratio) -> list[_Excess]:
    """What the relations leave over, the latest first, each once, and the ends of entries that a goal speaks of."""
    form = hypotheses.form
    entries = (form.atoms[position].key for position in form.used(goal.num))
    ends = [[side, key] for key in entries if key[0] == "item" for side in ("low", "high")]
    found: list[tuple[Ratio, list[Any]]] = []
    for label in [*(["where", position] for position in reversed(range(len(hypotheses.domain["where"])))), *ends]:
        try:
            excess, _ = hypotheses.excess(label)
        except Rejected:
            continue
        new = not excess.num.is_constant() and all(excess.num != other.num for other, _ in found)
        if new and form.bounds(Ratio(excess.den)).positive:
            found.append((excess, [[label, 1], *_cleared(form, excess.den)]))
    opposite = [next((factors for other, factors in found if other.num == -excess.num), None) for excess, _ in found]
    return [_Excess(*excess, own, other) for (excess, own), other in zip(found, opposite, strict=True)]


def _terms(form: NormalForm, poly: fmpq_mpoly, relations: Sequence[_Excess]) -> list[Term] | None:
    """Terms that are not negative and add up to a polynomial; None where none are found."""
    if poly.is_zero():
        return []
    alone = _product(form, poly, [])
    if alone is not None:
        return [alone]
    for place, relation in enumerate(relations):
        rest_of_all = [*relations[:place], *relations[place + 1 :]]
        others = [other for other in rest_of_all if other.factors != relation.opposite]
        for rest, *digits in _expansions(form, poly, relation.poly):
            spend(_COST)
            known = _with(form, relation, digits)
            left = None if known is None else _terms(form, rest, others)
            if left is not None:
                return [*(known or ()), *left]
    return None


def _expansions(form: NormalForm, poly: fmpq_mpoly, excess: fmpq_mpoly) -> Iterator[list[fmpq_mpoly]]:
    """A polynomial in powers of a relation's excess, the lowest first: by each atom in turn, and by division."""
    inside, degrees = set(form.used(poly)), excess.degrees()
    for position in form.used(excess):
        if position in inside and degrees[position] == 1:
            with suppress(_Inexact):
                yield _digits(poly, position, excess)
    quotient, rest = divmod(poly, excess)
    if not quotient.is_zero():
        yield [rest, quotient]


def coefficients(poly: fmpq_mpoly, position: int) -> list[fmpq_mpoly]:
    """Those of the powers of an atom, the lowest first."""
    parts: list[dict[tuple[int, ...], Any]] = [{} for _ in range(int(poly.degrees()[position]) + 1)]
    for monomial, value in poly.to_dict().items():
        parts[monomial[position]][(*monomial[:position], 0, *monomial[position + 1 :])] = value
    return [poly.context().from_dict(part) for part in parts]


class _Inexact(Exception):
    """A quotient of polynomials that is none."""


def _digits(poly: fmpq_mpoly, position: int, excess: fmpq_mpoly) -> list[fmpq_mpoly]:
    """A polynomial in powers of a relation's excess, slope · atom + rest, the lowest first."""
    rest, slope = coefficients(excess, position)
    zero = poly - poly
    digits: list[fmpq_mpoly] = []
    for part in reversed(coefficients(poly, position)):  # Horner: the atom is (excess - rest)/slope
        lower, upper = [*digits, zero], [zero, *digits]
        digits = [_divided(b - rest * a, slope) for a, b in zip(lower, upper, strict=True)]
        digits[0] += part
    return digits


def _divided(poly: fmpq_mpoly, by: fmpq_mpoly) -> fmpq_mpoly:
    quotient, rest = divmod(poly, by)
    if not rest.is_zero():
        raise _Inexact
    return quotient


def _common_multiple(a: fmpq_mpoly, b: fmpq_mpoly) -> fmpq_mpoly:
    return a * (b / a.gcd(b))


def _with(form: NormalForm, relation: _Excess, digits: Sequence[fmpq_mpoly]) -> list[Term] | None:
    """The terms of a relation's excess to its powers; None where a sign is not known."""
    if relation.opposite is not None:
        return list(_of_equation(form, relation, digits))
    terms = []
    for power, digit in enumerate(digits, 1):
        if not digit.is_zero():
            term = _product(form, digit, [[label, power] for label, _ in relation.factors])
            if term is None:
                return None
            terms.append(term)
    return terms


def _of_equation(form: NormalForm, relation: _Excess, digits: Sequence[fmpq_mpoly]) -> Iterator[Term]:
    """Where e is 0, q e is ((q + 1)/2)² e + ((q - 1)/2)² (-e)."""
    quotient = digits[0]
    for power, digit in enumerate(digits[1:], 1):
        quotient += digit * relation.poly**power
    if quotient.is_zero():
        return
    tree = form.tree(Ratio(quotient))
    for factors, root in ((relation.factors, add(tree, ONE)), (relation.opposite, subtract(tree, ONE))):
        yield {"weight": [1, 4], "factors": factors, "square": root}


def _product(form: NormalForm, poly: fmpq_mpoly, factors: list[Any]) -> Term | None:
    """A polynomial of known sign times hypotheses, as a certificate names them."""
    return known_sign(form, rational_factors(form, Ratio(poly)), factors)
