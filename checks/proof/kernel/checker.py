"""The checker: accepts a certificate of a statement, or says why not.

It trusts no engine. Everything a certificate says is derived again with exact
rational arithmetic or balls; what it leaves out is not filled in.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

from boundaudit import InputError
from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import from_json
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.boxes import check_boxes
from boundaudit.checks.proof.kernel.cases import case_statements
from boundaudit.checks.proof.kernel.domains import with_lemmas
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.kernel.sums import telescoped, terms_statement
from boundaudit.checks.proof.kernel.valley import base_statement, slope_statement

Certificate: TypeAlias = dict[str, Any]


def check(statement: Statement, certificate: Certificate) -> None:
    """Accept a certificate, or raise.

    Args:
        statement: What is claimed.
        certificate: ``{"kind": …, …}``, with ``"lemmas"`` where it uses any.

    Raises:
        Rejected: where the certificate does not prove the statement.
    """
    try:
        _check(statement, certificate)
    except (InputError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as problem:
        raise Rejected(f"malformed certificate: {type(problem).__name__}: {problem}") from problem
    except RecursionError as problem:
        raise Rejected("the certificate is nested too deeply") from problem


def _check(statement: Statement, certificate: Certificate) -> None:
    kind = certificate["kind"]
    if kind not in _KINDS:
        raise Rejected(f"unknown kind of certificate: {kind}")
    lemmas = []
    for entry in certificate.get("lemmas", ()):
        lemma = Statement.from_json(entry["statement"])
        check(lemma, entry["certificate"])
        lemmas.append(lemma)
    _KINDS[kind](with_lemmas(statement, lemmas) if lemmas else statement, certificate)


def _identity(statement: Statement, _: Certificate) -> None:
    """The goal's normal form is 0."""
    if not NormalForm(statement.domain).vanishes(statement.goal):
        raise Rejected("the normal form of the goal is not 0")


def _both(statement: Statement, certificate: Certificate) -> None:
    """An equation from two inequalities."""
    check(Statement(statement.left, "<=", statement.right, statement.domain), certificate["<="])
    check(Statement(statement.left, ">=", statement.right, statement.domain), certificate[">="])


def _psatz(statement: Statement, certificate: Certificate) -> None:
    """A sum of non-negative terms, one of them positive, that is 0: the goal cannot be negative."""
    _inequality(statement)
    hypotheses = Hypotheses(statement.domain)
    form = hypotheses.form
    negated = form.scale(-1, form.ratio(statement.goal))
    total, contradiction = form.constant(0), False
    for term in certificate["terms"]:
        value, strict = _term(hypotheses, negated, term)
        total = form.add(total, value)
        contradiction = contradiction or strict
    if not contradiction:
        raise Rejected("no term is strictly positive, so that nothing is contradicted")
    if not total.num.is_zero():
        raise Rejected("the terms do not add up to 0")


def _term(hypotheses: Hypotheses, negated: Ratio, term: dict[str, Any]) -> tuple[Ratio, bool]:
    """A term in normal form, and whether it is strictly positive."""
    form = hypotheses.form
    numerator, denominator = term["weight"]
    if type(numerator) is not int or type(denominator) is not int or numerator <= 0 or denominator <= 0:
        raise Rejected(f"a weight must be a positive rational, not {term['weight']}")
    value, strict = form.constant(Fraction(numerator, denominator)), "square" not in term
    for label, exponent in term["factors"]:
        if type(exponent) is not int or exponent < 1:
            raise Rejected(f"an exponent must be a positive integer, not {exponent}")
        factor, positive = (negated, True) if label == "n" else hypotheses.excess(label)
        value, strict = form.multiply(value, form.power(factor, exponent)), strict and positive
    if "square" in term:
        value = form.multiply(value, form.power(form.ratio(from_json(term["square"])), 2))
    return value, strict


def _cases(statement: Statement, certificate: Certificate) -> None:
    """Every case of a complete list."""
    cases, proofs = case_statements(statement, certificate["split"]), certificate["proofs"]
    if len(cases) != len(proofs):
        raise Rejected(f"{len(cases)} cases, but {len(proofs)} proofs")
    for case, proof in zip(cases, proofs, strict=True):
        check(case, proof)


def _termwise(statement: Statement, certificate: Certificate) -> None:
    """Every term of the sum that the goal is."""
    check(terms_statement(statement, from_json(certificate["sum"]), certificate["index"]), certificate["proof"])


def _telescope(statement: Statement, certificate: Certificate) -> None:
    """What remains when a sum has been replaced by its closed form."""
    total, antidifference = from_json(certificate["sum"]), from_json(certificate["antidifference"])
    check(telescoped(statement, total, certificate["index"], antidifference), certificate["proof"])


def _valley(statement: Statement, certificate: Certificate) -> None:
    """The goal at an anchor, and the sign of its derivative on the way from there."""
    _inequality(statement)
    name, anchor = certificate["variable"], from_json(certificate["anchor"])
    factor = from_json(certificate["factor"]) if "factor" in certificate else None
    check(base_statement(statement, name, anchor), certificate["base"])
    check(slope_statement(statement, name, anchor, certificate["shape"], factor), certificate["slope"])


def _inequality(statement: Statement) -> None:
    if statement.relation == "=":
        raise Rejected("this kind proves inequalities, not equations")


_KINDS: dict[str, Callable[[Statement, Certificate], None]] = {
    "identity": _identity,
    "both": _both,
    "psatz": _psatz,
    "cases": _cases,
    "termwise": _termwise,
    "telescope": _telescope,
    "boxes": check_boxes,
    "valley": _valley,
}
