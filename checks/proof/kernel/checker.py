"""The checker: accepts a certificate of a statement, or says why not.

It trusts no engine. The rule of each kind of certificate says what is left to prove, each part with the certificate
that has to prove it. Everything a certificate says is derived again with exact rational arithmetic or balls; what it
leaves out is not filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeAlias

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.arithmetic import effort
from boundaudit.checks.language.expression import Tree, from_json
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel import sums
from boundaudit.checks.proof.kernel import transformations as rules
from boundaudit.checks.proof.kernel.boxes import check_boxes
from boundaudit.checks.proof.kernel.calculus import (
    base_statement,
    concave_statements,
    fading_statements,
    slope_statement,
)
from boundaudit.checks.proof.kernel.citing import Known, instance, is_given, lemma_of, step_statements, with_measured
from boundaudit.checks.proof.kernel.defined import demands
from boundaudit.checks.proof.kernel.domains import on, signs, with_lemmas
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses

Certificate: TypeAlias = dict[str, Any]
Parts: TypeAlias = Iterable[tuple[Statement, Certificate]]
"""What is left to prove, each with its certificate."""

_MOST_STEPS = 20_000_000
"""Work that the check of one certificate may take: about a minute."""
_LONGEST = 10_000_000
"""Characters of a statement: each substitution may double what the one before has left."""
_LARGEST_POWER = 64
NOTHING: Known = {}


def check(statement: Statement, certificate: Certificate, known: Known = NOTHING) -> None:
    """Accept a certificate of a statement, or raise `Rejected`; a chain of steps may cite what is known, by label."""
    try:
        with effort(_MOST_STEPS):
            if len(repr(statement)) > _LONGEST:
                raise Rejected("a statement that is too long to be read")
            statement.require_formed()
            chain = certificate["kind"] == "chain"
            for needed, proof in _chain(statement, certificate, known) if chain else _parts(statement, certificate):
                check(needed, proof)
    except Rejected:
        raise
    except RecursionError as problem:
        raise Rejected("the certificate is nested too deeply") from problem
    except Exception as problem:  # a certificate is not to be trusted: whatever it breaks, it proves nothing
        raise Rejected(f"malformed certificate: {type(problem).__name__}: {problem}") from problem


def _chain(statement: Statement, certificate: Certificate, known: Known) -> Parts:
    """Every step from one side to the other, with instances of what it cites."""
    nodes, steps = [from_json(node) for node in certificate["nodes"]], certificate["steps"]
    domain = with_measured(statement.domain, known, [use["cites"] for step in steps for use in step["uses"]])
    for needed, step in zip(step_statements(statement, nodes, domain), steps, strict=True):
        given = domain
        for use in step["uses"]:
            conditions, given = instance(given, use, known)
            yield from zip(conditions, use["conditions"], strict=True)
        yield on(needed, given), step["proof"]


def _parts(statement: Statement, certificate: Certificate) -> Parts:
    """The lemmas, and what the rule of its kind leaves."""
    kind = certificate["kind"]
    if kind not in _RULES:
        raise Rejected(f"unknown kind of certificate: {kind}")
    rule, relations = _RULES[kind]
    lemmas = []
    for entry in certificate.get("lemmas", ()):
        lemmas.append(Statement.from_json(entry["statement"]))
        yield lemmas[-1], entry["certificate"]
    if statement.relation not in relations:
        fault = "proves inequalities, not equations" if statement.relation == "=" else "does not tell more from equal"
        raise Rejected(f"this kind {fault}")
    statement = with_lemmas(statement, lemmas)
    yield from rule(statement, certificate) or ()
    if kind in ("boxes", "valley", "fading", "concave"):  # which do not show that the sides have a value
        for demand in (each for side in (statement.left, statement.right) for each in demands(side, statement.domain)):
            raise Rejected(f"not known to be positive, or to have a root: {demand.right}")


def _identity(statement: Statement, _: Certificate) -> None:
    """The goal's normal form is 0."""
    if not NormalForm(statement.domain).vanishes(statement.goal):
        raise Rejected("the normal form of the goal is not 0")


def _given(statement: Statement, _: Certificate) -> None:
    """What is claimed stands word for word among the relations of the domain."""
    if not is_given(statement):
        raise Rejected("no relation of the domain says so")


def _instance(statement: Statement, certificate: Certificate) -> Parts:
    """An instance of a statement that the certificate brings along."""
    lemma = lemma_of(certificate)
    yield lemma, certificate["lemma"]["certificate"]
    conditions, given = instance(statement.domain, {**certificate, "cites": ""}, {"": lemma})
    yield from zip(conditions, certificate["conditions"], strict=True)
    _given(on(statement, given), certificate)


def _for_all(statement: Statement, certificate: Certificate) -> Parts:
    """What is shown of any one index, as a relation for all of them."""
    name, (low, high), lemma = certificate["index"], _trees(certificate["ends"]), certificate["lemma"]
    said = Statement.from_json(lemma["statement"])
    yield said, lemma["certificate"]
    yield on(statement, rules.generalised(statement.domain, said, name, low, high)), certificate["proof"]


def _psatz(statement: Statement, certificate: Certificate) -> None:
    """A sum of non-negative terms, one of them positive, that is 0: the goal's negation cannot hold."""
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


def _induction(statement: Statement, certificate: Certificate) -> Parts:
    """The first values of a parameter, and the step from each to the next."""
    name, start, bases = certificate["variable"], from_json(certificate["start"]), certificate["bases"]
    yield from zip(sums.base_statements(statement, name, start, len(bases)), bases, strict=True)
    yield sums.step_statement(statement, name, start, len(bases)), certificate["step"]


def _valley(statement: Statement, certificate: Certificate) -> Parts:
    """The goal at an anchor, and the sign of its derivative on the way from there."""
    name, anchor = certificate["variable"], from_json(certificate["anchor"])
    yield base_statement(statement, name, anchor), certificate["base"]
    yield slope_statement(statement, name, anchor, certificate["shape"]), certificate["slope"]


def _trees(data: Iterable[Any]) -> list[Tree]:
    return [from_json(each) for each in data]


def _one(other: Callable[[Statement, Certificate], Statement]) -> Callable[[Statement, Certificate], Parts]:
    """The rule of a kind whose statement follows from one other."""
    return lambda statement, certificate: [(other(statement, certificate), certificate["proof"])]


def _named(
    parts: Callable[[Statement, Certificate], dict[str, Statement]],
) -> Callable[[Statement, Certificate], Parts]:
    """The rule of a kind that leaves statements with names."""
    return lambda statement, found: ((each, found[name]) for name, each in parts(statement, found).items())


_ORDER, _WEAK, _ALL = ("<=", ">=", "<"), ("<=", ">=", "="), ("<=", ">=", "=", "<")
_RULES: dict[str, tuple[Callable[[Statement, Certificate], Parts | None], tuple[str, ...]]] = {
    "identity": (_identity, _WEAK),
    "given": (_given, _ALL),
    "instance": (_instance, _ALL),
    "both": (lambda s, c: [(Statement(s.left, sign, s.right, s.domain), c[sign]) for sign in signs("=")], _WEAK),
    "for all": (_for_all, _ALL),
    "psatz": (_psatz, _ORDER),
    "boxes": (check_boxes, _ORDER),
    "cases": (lambda s, c: zip(rules.case_statements(s, c["split"]), c["proofs"], strict=True), _ALL),
    "product": (lambda s, c: zip(rules.factor_statements(s, _trees(c["factors"])), c["proofs"], strict=True), _ORDER),
    "induction": (_induction, _ALL),
    "valley": (_valley, _ORDER),
    "fading": (_named(lambda s, c: fading_statements(s, c["variable"], from_json(c["size"]))), _WEAK[:2]),
    "concave": (_named(lambda s, c: concave_statements(s, c["variable"])), _ORDER),
    "termwise": (_one(lambda s, c: sums.terms_statement(s, from_json(c["sum"]), c["index"])), ("<=", ">=")),
    "telescope": (
        _one(lambda s, c: sums.telescoped(s, from_json(c["sum"]), c["index"], from_json(c["antidifference"]))),
        _ALL,
    ),
    "exchange": (_one(lambda s, c: sums.exchanged(s, from_json(c["sum"]), *c["indices"])), _ALL),
    "last term": (_one(lambda s, c: sums.without_last(s, from_json(c["sum"]))), _ALL),
    "increasing": (
        _one(lambda s, c: rules.image_statement(s, c["function"], *_trees((c["small"], c["large"])))),
        _ORDER,
    ),
    "substitution": (
        _one(lambda s, c: rules.substituted(s, c["variable"], c["new"], *_trees((c["value"], c["inverse"])))),
        _ALL,
    ),
}
"""Each kind with what it leaves to prove, nothing where its rule says all, and the relations that it proves."""
