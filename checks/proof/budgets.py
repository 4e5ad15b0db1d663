"""Proofs with a budget: where Σ g ≤ c is known, what stands outside of the sums of a goal is shared out by g.

Σ a⁴ ≤ 1 is Σ a⁴ ≤ Σ a² where Σ a² ≤ 1, which is so term by term.
"""

from __future__ import annotations

from collections.abc import Iterator

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import ZERO, Tree
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import LEAST_DEPTH, Context, from_lemma
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import plain
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.sampling import is_refuted


def budgets(statement: Statement, context: Context) -> Certificate | None:
    """Take the multiple of a relation from the goal after which only sums are left."""
    if statement.relation == "=" or context.budget.depth < LEAST_DEPTH:
        return None
    hypotheses = Hypotheses(statement.domain)
    form, goal = hypotheses.form, hypotheses.form.ratio(statement.goal)
    for label, multiple in _multiples(hypotheses, goal):
        spent = form.multiply(form.ratio(multiple), hypotheses.excess(label)[0])
        left = form.tree(form.subtract(goal, spent))
        rest = Statement(ZERO, "<" if statement.is_strict else "<=", left, statement.domain)
        lemma = None if is_refuted(rest) else context.lemma(rest)
        if lemma is not None:
            return from_lemma(statement, lemma, [["sign", multiple], label])
    return None


def _multiples(hypotheses: Hypotheses, goal: Ratio) -> Iterator[tuple[list[object], Tree]]:
    """Relations about one sum, each with the multiple of it in which all is that the goal has outside of sums."""
    form = hypotheses.form
    outside = _outside(form, goal)
    for place in plain(hypotheses.domain) if outside is not None else ():
        label: list[object] = ["where", place]
        room = _outside(form, hypotheses.excess(label)[0])
        if outside is None or room is None or outside.num.is_zero() or room.num.is_zero():
            continue
        multiple = form.multiply(outside, form.power(room, -1))
        if form.bounds(multiple).nonnegative:
            yield label, form.tree(multiple)


def _outside(form: NormalForm, value: Ratio) -> Ratio | None:
    """What is left of an expression without its sums; None where there are none, or one is below."""
    sums = {k for k, atom in enumerate(form.atoms) if atom.key[0] == "sum"}
    if sums & set(form.used(value.den)) or not sums & set(form.used(value.num)):
        return None
    found = form.constant(0)
    for share, term in form.terms(value.num):
        if sums.isdisjoint(form.used(term)):
            found = form.add(found, form.scale(share, Ratio(term)))
    return Ratio(found.num, value.den)
