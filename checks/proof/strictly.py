"""Proofs that something is positive: a term that is known to be so is taken off, and the rest is not negative."""

from __future__ import annotations

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import ZERO
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Context, from_lemma, has, with_proof
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.weighted import weighted


def strictly(statement: Statement, context: Context) -> Certificate | None:
    """Prove a strict inequality between sums by a weak one."""
    if not statement.is_strict or not has(statement.goal, "sum"):
        return None
    form = NormalForm(statement.domain)
    goal = form.ratio(statement.goal)
    for number, monomial in form.terms(goal.num):
        term = form.multiply(form.constant(number), Ratio(monomial), form.power(Ratio(goal.den), -1))
        if form.bounds(term).positive:
            rest = Statement(ZERO, "<=", form.tree(form.subtract(goal, term)), statement.domain)
            lemma = with_proof(rest, weighted(rest, context))
            if lemma is not None:
                return from_lemma(statement, lemma, [["sign", form.tree(term)]])
    return None
