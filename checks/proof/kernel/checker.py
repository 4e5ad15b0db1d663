"""The checker: accepts a certificate of a statement, or says why not.

It trusts no engine. Everything a certificate says is derived again with exact
rational arithmetic or balls; what it leaves out is not filled in.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.arithmetic import effort
from boundaudit.checks.language.expression import from_json
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.boxes import check_boxes
from boundaudit.checks.proof.kernel.cases import case_statements
from boundaudit.checks.proof.kernel.citing import Known, instance, is_given, lemma_of, step_statements, with_measured
from boundaudit.checks.proof.kernel.defined import demands
from boundaudit.checks.proof.kernel.domains import with_lemmas
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.kernel.induction import base_statements, step_statement
from boundaudit.checks.proof.kernel.sums import telescoped, terms_statement, without_last
from boundaudit.checks.proof.kernel.transformations import factor_statements, image_statement, substituted
from boundaudit.checks.proof.kernel.valley import base_statement, concave_statements, slope_statement

Certificate: TypeAlias = dict[str, Any]

_MOST_STEPS = 20_000_000
"""Work that the check of one certificate may take: about a minute."""
_LARGEST_POWER = 64


NOTHING: Known = {}


def check(statement: Statement, certificate: Certificate, known: Known = NOTHING) -> None:
    """Accept a certificate, or raise.

    Args:
        statement: What is claimed.
        certificate: ``{"kind": …, …}``, with ``"lemmas"`` where it uses any.
        known: Statements that stand, by label: what a chain of steps may cite.

    Raises:
        Rejected: where the certificate does not prove the statement.
    """
    try:
        with effort(_MOST_STEPS):
            if certificate["kind"] == "chain":
                _chain(statement, certificate, known)
            else:
                _check(statement, certificate)
    except Rejected:
        raise
    except RecursionError as problem:
        raise Rejected("the certificate is nested too deeply") from problem
    except Exception as problem:  # a certificate is not to be trusted: whatever it breaks, it proves nothing
        raise Rejected(f"malformed certificate: {type(problem).__name__}: {problem}") from problem


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


def _chain(statement: Statement, certificate: Certificate, known: Known) -> None:
    """Every step from one side to the other, with instances of what it cites."""
    nodes, steps = [from_json(node) for node in certificate["nodes"]], certificate["steps"]
    cited = [use["cites"] for step in steps for use in step["uses"]]
    domain = with_measured(statement.domain, known, cited)
    for needed, step in zip(step_statements(statement, nodes, domain), steps, strict=True):
        given = domain
        for use in step["uses"]:
            conditions, given = instance(given, use, known)
            for condition, proof in zip(conditions, use["conditions"], strict=True):
                check(condition, proof)
        check(Statement(needed.left, needed.relation, needed.right, dict(given)), step["proof"])


def _identity(statement: Statement, _: Certificate) -> None:
    """The goal's normal form is 0."""
    _not_strict(statement)
    if not NormalForm(statement.domain).vanishes(statement.goal):
        raise Rejected("the normal form of the goal is not 0")


def _given(statement: Statement, _: Certificate) -> None:
    """What is claimed stands word for word among the relations of the domain."""
    if not is_given(statement):
        raise Rejected("no relation of the domain says so")


def _instance(statement: Statement, certificate: Certificate) -> None:
    """An instance of a statement that the certificate brings along."""
    lemma = lemma_of(certificate)
    check(lemma, certificate["lemma"]["certificate"])
    conditions, given = instance(statement.domain, {**certificate, "cites": ""}, {"": lemma})
    for condition, proof in zip(conditions, certificate["conditions"], strict=True):
        check(condition, proof)
    _given(Statement(statement.left, statement.relation, statement.right, dict(given)), certificate)


def _both(statement: Statement, certificate: Certificate) -> None:
    """An equation from two inequalities."""
    _not_strict(statement)
    check(Statement(statement.left, "<=", statement.right, statement.domain), certificate["<="])
    check(Statement(statement.left, ">=", statement.right, statement.domain), certificate[">="])


def _psatz(statement: Statement, certificate: Certificate) -> None:
    """A sum of non-negative terms, one of them positive, that is 0: the goal's negation cannot hold."""
    _inequality(statement)
    hypotheses = Hypotheses(statement.domain)
    form = hypotheses.form
    negated = form.scale(-1, form.ratio(statement.goal))
    total, contradiction = form.constant(0), False
    for term in certificate["terms"]:
        value, strict = _term(hypotheses, (negated, not statement.is_strict), term)
        total = form.add(total, value)
        contradiction = contradiction or strict
    if not contradiction:
        raise Rejected("no term is strictly positive, so that nothing is contradicted")
    if not total.num.is_zero():
        raise Rejected("the terms do not add up to 0")


def _term(hypotheses: Hypotheses, negated: tuple[Ratio, bool], term: dict[str, Any]) -> tuple[Ratio, bool]:
    """A term in normal form, and whether it is strictly positive; the goal's negation and whether that is."""
    form = hypotheses.form
    numerator, denominator = term["weight"]
    if type(numerator) is not int or type(denominator) is not int or numerator <= 0 or denominator <= 0:
        raise Rejected(f"a weight must be a positive rational, not {term['weight']}")
    value, strict = form.constant(Fraction(numerator, denominator)), "square" not in term
    for label, exponent in term["factors"]:
        if type(exponent) is not int or not 1 <= exponent <= _LARGEST_POWER:
            raise Rejected(f"an exponent must be an integer from 1 to {_LARGEST_POWER}, not {exponent}")
        factor, positive = negated if label == "n" else hypotheses.excess(label)
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
    _not_strict(statement)
    check(terms_statement(statement, from_json(certificate["sum"]), certificate["index"]), certificate["proof"])


def _telescope(statement: Statement, certificate: Certificate) -> None:
    """What remains when a sum has been replaced by its closed form."""
    total, antidifference = from_json(certificate["sum"]), from_json(certificate["antidifference"])
    check(telescoped(statement, total, certificate["index"], antidifference), certificate["proof"])


def _last_term(statement: Statement, certificate: Certificate) -> None:
    """The statement with the last term of a sum written apart."""
    check(without_last(statement, from_json(certificate["sum"])), certificate["proof"])


def _induction(statement: Statement, certificate: Certificate) -> None:
    """The first values of a parameter, and the step from each to the next."""
    name, start, bases = certificate["variable"], from_json(certificate["start"]), certificate["bases"]
    for base, proof in zip(base_statements(statement, name, start, len(bases)), bases, strict=True):
        check(base, proof)
    check(step_statement(statement, name, start, len(bases)), certificate["step"])


def _valley(statement: Statement, certificate: Certificate) -> None:
    """The goal at an anchor, and the sign of its derivative on the way from there."""
    _inequality(statement)
    name, anchor = certificate["variable"], from_json(certificate["anchor"])
    check(base_statement(statement, name, anchor), certificate["base"])
    check(slope_statement(statement, name, anchor, certificate["shape"]), certificate["slope"])
    _defined(statement)


def _concave(statement: Statement, certificate: Certificate) -> None:
    """The goal at both ends, and no positive second derivative between them."""
    _inequality(statement)
    for part, needed in concave_statements(statement, certificate["variable"]).items():
        check(needed, certificate[part])
    _defined(statement)


def _product(statement: Statement, certificate: Certificate) -> None:
    """Every factor of the goal."""
    _inequality(statement)
    needed, proofs = factor_statements(statement, list(map(from_json, certificate["factors"]))), certificate["proofs"]
    if len(needed) != len(proofs):
        raise Rejected(f"{len(needed)} factors, but {len(proofs)} proofs")
    for factor, proof in zip(needed, proofs, strict=True):
        check(factor, proof)


def _increasing(statement: Statement, certificate: Certificate) -> None:
    """The images of both sides under an increasing function."""
    _inequality(statement)
    small, large = from_json(certificate["small"]), from_json(certificate["large"])
    check(image_statement(statement, certificate["function"], small, large), certificate["proof"])


def _substitution(statement: Statement, certificate: Certificate) -> None:
    """The statement in terms of another parameter."""
    value, inverse = from_json(certificate["value"]), from_json(certificate["inverse"])
    check(substituted(statement, certificate["variable"], certificate["new"], value, inverse), certificate["proof"])


def _boxes(statement: Statement, certificate: Certificate) -> None:
    """A cover by boxes, each of which ball arithmetic decides."""
    check_boxes(statement, certificate)
    _defined(statement)


def _defined(statement: Statement) -> None:
    """Both sides have a value everywhere: a normal form shows it, balls and a derivative's sign do not."""
    for demand in itertools.chain(*(demands(side, statement.domain) for side in (statement.left, statement.right))):
        raise Rejected(f"not known to be positive, or to have a root: {demand.right}")


def _not_strict(statement: Statement) -> None:
    if statement.is_strict:
        raise Rejected("this kind does not tell more from equal")


def _inequality(statement: Statement) -> None:
    if statement.relation == "=":
        raise Rejected("this kind proves inequalities, not equations")


_KINDS: dict[str, Callable[[Statement, Certificate], None]] = {
    "identity": _identity,
    "given": _given,
    "instance": _instance,
    "both": _both,
    "psatz": _psatz,
    "cases": _cases,
    "termwise": _termwise,
    "telescope": _telescope,
    "last term": _last_term,
    "induction": _induction,
    "boxes": _boxes,
    "valley": _valley,
    "concave": _concave,
    "product": _product,
    "increasing": _increasing,
    "substitution": _substitution,
}
