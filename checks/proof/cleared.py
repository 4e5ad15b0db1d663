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
from boundaudit.checks.proof.engine import Context, lemma_at, psatz, term, with_proof
from boundaudit.checks.proof.induction import induction
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import sign
from boundaudit.checks.proof.prefixes import prefixes
from boundaudit.checks.proof.sums import under_function


def cleared(statement: Statement, context: Context) -> Certificate | None:
    """Prove a goal about sums or entries without its denominator."""
    form = NormalForm(statement.domain)
    goal = form.ratio(statement.goal)
    heads = {form.atoms[k].key[0] for k in form.used(goal.num)}
    simple = statement.relation != "=" and heads & {"sum", "item", "log"}
    if goal.den.is_constant() or not simple or not form.bounds(Ratio(goal.den)).positive:
        return None
    terms = list(form.terms(goal.num))
    scale = math.lcm(*(value.denominator for value, _ in terms))
    small = _total(form, [(-value * scale, monomial) for value, monomial in terms if value < 0])
    large = _total(form, [(value * scale, monomial) for value, monomial in terms if value > 0])
    whole = Statement(small, sign(statement), large, statement.domain)
    engines = (induction, prefixes, under_function)
    lemma = with_proof(whole, next(filter(None, (engine(whole, context) for engine in engines)), None))
    negated = term("n", ["sign", form.tree(Ratio(goal.den))], weight=scale)
    return lemma and psatz(negated, [lemma_at(statement)], lemmas=[lemma])


def _total(form: NormalForm, terms: Sequence[tuple[Fraction, fmpq_mpoly]]) -> Tree:
    parts = [multiply(rational(value), form.tree(Ratio(monomial))) for value, monomial in terms]
    return add(*parts) if parts else ZERO
