"""Proofs by substitution: what a relation of the domain bounds gives way to its bound, one relation after the other.

What a relation leaves over, e = large - small ≥ 0, is the base of a number system: a difference of two sides is
r0 + r1 e + r2 e² + … by putting it in place of one atom. Where r1, r2, … have known signs, r0 ≥ 0 is left to be shown,
and the relation is spent. Of an equation, the signs do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.arithmetic import spend
from boundaudit.checks.language.expression import ONE, add, subtract
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Attempt, Context
from boundaudit.checks.proof.factoring import known_sign, rational_factors
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses

_COST = 200
"""Steps of the budget that one substitution costs."""
Term = dict[str, Any]


class _Excess(NamedTuple):
    """What a relation leaves over, its factors, and those of the opposite relation where it is an equation."""

    poly: fmpq_mpoly
    factors: list[Any]
    opposite: list[Any] | None


def substitution(statement: Statement, _: Context) -> Attempt:
    """Put bounds in place of what relations of the domain bound.

    Returns:
        Proved with a certificate of kind psatz, or unknown.
    """
    if statement.relation == "=" or statement.is_strict or not statement.domain["where"]:
        return Attempt("unknown", "substitution")
    hypotheses = Hypotheses(statement.domain)
    form = hypotheses.form
    goal = form.ratio(statement.goal)
    terms = _terms(form, goal.num, _excesses(hypotheses)) if form.bounds(Ratio(goal.den)).positive else None
    if terms is None:
        return Attempt("unknown", "substitution")
    negated: Term = {"weight": [1, 1], "factors": [["n", 1], *_cleared(form, goal)]}
    return Attempt("proved", "substitution", {"kind": "psatz", "terms": [negated, *terms]})


def _cleared(form: NormalForm, ratio: Ratio) -> list[Any]:
    """The factors that clear a ratio of its denominator."""
    return [] if ratio.den.is_one() else [[["sign", form.tree(Ratio(ratio.den))], 1]]


def _excesses(hypotheses: Hypotheses) -> list[_Excess]:
    """What the relations leave over, the latest first, each once."""
    form = hypotheses.form
    found: list[tuple[fmpq_mpoly, list[Any]]] = []
    for position in reversed(range(len(hypotheses.domain["where"]))):
        try:
            excess, _ = hypotheses.excess(["where", position])
        except Rejected:
            continue
        new = not excess.num.is_constant() and all(excess.num != poly for poly, _ in found)
        if new and form.bounds(Ratio(excess.den)).positive:
            found.append((excess.num, [[["where", position], 1], *_cleared(form, excess)]))
    return [_Excess(poly, own, next((o for other, o in found if other == -poly), None)) for poly, own in found]


def _terms(form: NormalForm, poly: fmpq_mpoly, relations: Sequence[_Excess]) -> list[Term] | None:
    """Terms that are not negative and add up to a polynomial; None where none are found."""
    if poly.is_zero():
        return []
    alone = _product(form, poly, ())
    if alone is not None:
        return [alone]
    for place, relation in enumerate(relations):
        others = [other for other in relations[:place] + relations[place + 1 :] if other.factors != relation.opposite]
        for rest, *digits in _expansions(form, poly, relation.poly):
            spend(_COST)
            known = _with(form, relation, digits)
            left = None if known is None else _terms(form, rest, others)
            if left is not None:
                return [*(known or ()), *left]
    return None


def _expansions(form: NormalForm, poly: fmpq_mpoly, excess: fmpq_mpoly) -> Iterator[list[fmpq_mpoly]]:
    """A polynomial in powers of a relation's excess, the lowest first: by each atom in turn, and by division."""
    for position, slope in _pivots(form, excess, poly):
        yield _digits(poly, position, slope, excess)
    quotient, rest = divmod(poly, excess)
    if not quotient.is_zero():
        yield [rest, quotient]


def _pivots(form: NormalForm, excess: fmpq_mpoly, poly: fmpq_mpoly) -> Iterator[tuple[int, Any]]:
    """Atoms that a relation gives in terms of the others, and what it multiplies them by."""
    inside = set(form.used(poly))
    degrees = excess.degrees()
    for position in form.used(excess):
        if position in inside and degrees[position] == 1:
            slope = _coefficients(excess, position)[1]
            if slope.is_constant():
                yield position, slope.leading_coefficient()


def _coefficients(poly: fmpq_mpoly, position: int) -> list[fmpq_mpoly]:
    """Those of the powers of an atom, the lowest first."""
    parts: list[dict[tuple[int, ...], Any]] = [{} for _ in range(int(poly.degrees()[position]) + 1)]
    for monomial, value in poly.to_dict().items():
        parts[monomial[position]][(*monomial[:position], 0, *monomial[position + 1 :])] = value
    return [poly.context().from_dict(part) for part in parts]


def _digits(poly: fmpq_mpoly, position: int, slope: Any, excess: fmpq_mpoly) -> list[fmpq_mpoly]:
    """A polynomial in powers of a relation's excess, slope · atom + rest, the lowest first."""
    rest = _coefficients(excess, position)[0]
    zero = poly - poly
    digits: list[fmpq_mpoly] = []
    for part in reversed(_coefficients(poly, position)):  # Horner: the atom is (excess - rest)/slope
        lower, upper = [*digits, zero], [zero, *digits]
        digits = [(b - rest * a) / slope for a, b in zip(lower, upper, strict=True)]
        digits[0] += part
    return digits


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


def _product(form: NormalForm, poly: fmpq_mpoly, factors: Sequence[Any]) -> Term | None:
    """A polynomial of known sign times hypotheses, as a certificate names them."""
    found = known_sign(form, rational_factors(form, poly))
    return None if found is None else {**found, "factors": [*factors, *found["factors"]]}
