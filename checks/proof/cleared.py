"""Proofs of averages as totals: what a goal is divided by is taken to the other side, and so is what is taken off.

Induction over a length and potentials that telescope speak of sums, not of means: Σ w ≤ T c in place of Σ w/T ≤ c.
Exponentials do so too: they undo log Σ w ≤ T c, not (log Σ w)/T ≤ c.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import ZERO, Tree, add, multiply, rational
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Attempt, Context
from boundaudit.checks.proof.induction import induction
from boundaudit.checks.proof.prefixes import prefixes
from boundaudit.checks.proof.sums import under_function

NAME = "cleared"


def cleared(statement: Statement, context: Context) -> Attempt:
    """Prove a goal about sums or entries without its denominator."""
    form = NormalForm(statement.domain)
    goal = form.ratio(statement.goal)
    heads = {form.atoms[k].key[0] for k in form.used(goal.num)}
    simple = statement.relation != "=" and heads & {"sum", "item", "log"}
    if goal.den.is_constant() or not simple or not form.bounds(Ratio(goal.den)).positive:
        return Attempt("unknown", NAME)
    terms = list(form.terms(goal.num))
    scale = math.lcm(*(value.denominator for value, _ in terms))
    small = _total(form, [(-value * scale, monomial) for value, monomial in terms if value < 0])
    large = _total(form, [(value * scale, monomial) for value, monomial in terms if value > 0])
    lemma = Statement(small, "<" if statement.is_strict else "<=", large, statement.domain)
    engines = (induction, prefixes, under_function)
    found = next((found for engine in engines if (found := engine(lemma, context)).certificate), None)
    if found is None:
        return Attempt("unknown", NAME)
    negated = [["n", 1], [["sign", form.tree(Ratio(goal.den))], 1]]
    certificate = {
        "kind": "psatz",
        "lemmas": [{"statement": lemma.to_json(), "certificate": found.certificate}],
        "terms": [
            {"weight": [scale, 1], "factors": negated},
            {"weight": [1, 1], "factors": [[["where", len(statement.domain["where"])], 1]]},
        ],
    }
    return Attempt("proved", NAME, certificate, effort=found.effort)


def _total(form: NormalForm, terms: Sequence[tuple[Fraction, fmpq_mpoly]]) -> Tree:
    parts = [multiply(rational(value), form.tree(Ratio(monomial))) for value, monomial in terms]
    return add(*parts) if parts else ZERO
