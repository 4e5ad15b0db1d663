"""Proofs that something is positive: a term that is known to be so is taken off, and the rest is not negative."""

from __future__ import annotations

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import ZERO, walk
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Attempt, Context, Lemma, psatz
from boundaudit.checks.proof.weighted import weighted

NAME = "strictly"


def strictly(statement: Statement, context: Context) -> Attempt:
    """Prove a strict inequality between sums by a weak one."""
    if not statement.is_strict or not any(node[0] == "sum" for node in walk(statement.goal)):
        return Attempt("unknown", NAME)
    form = NormalForm(statement.domain)
    goal = form.ratio(statement.goal)
    for number, monomial in form.terms(goal.num):
        term = form.multiply(form.constant(number), Ratio(monomial), form.power(Ratio(goal.den), -1))
        if form.bounds(term).positive:
            lemma = Statement(ZERO, "<=", form.tree(form.subtract(goal, term)), statement.domain)
            found = weighted(lemma, context)
            if found.certificate is not None:
                left, positive = ["where", len(statement.domain["where"])], ["sign", form.tree(term)]
                proof = psatz(["n"], [left], [positive], lemmas=[Lemma(lemma, found.certificate)])
                return Attempt("proved", NAME, proof)
    return Attempt("unknown", NAME)
