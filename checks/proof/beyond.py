"""Proofs beyond an end of a range, where a number is positive and what it multiplies is known, and at the end.

From r x ≤ r y follows nothing at r = 0, where it says 0 ≤ 0. Beyond, positive factors are taken out of the goal and of
relations, and products with the number are positive: so concave functions are seen to be subadditive.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import ONE, ZERO, Tree, from_json, names, subtract
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Context, Lemma, by_cases, psatz, times
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import plain, sign, with_lemmas
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.kernel.transformations import case_statements
from boundaudit.checks.proof.multipliers import candidate_labels, search

_COLUMNS = 400
"""Products of hypotheses that are looked at."""


def beyond(statement: Statement, context: Context) -> Certificate | None:
    """Split off the end at 0 of a number that relations speak of, where what lies beyond is proved at once."""
    places = plain(statement.domain)
    if statement.relation == "=" or not places:
        return None
    sides = [from_json(side) for place in places for side in statement.domain["where"][place][1:]]
    spoken = {name for side in sides for name in names(side)}
    for declared in statement.domain["parameters"]:
        at_zero = declared["range"] == "reals" and declared["low"] == ZERO and not declared["open"][0]
        if at_zero and declared["name"] in spoken:
            split = ["end", declared["name"], "low"]
            at_end, further = case_statements(statement, split)
            rest = _combined(further)
            first = rest and context.prove(at_end)
            if first:
                return by_cases(split, (first, rest))
    return None


def _combined(statement: Statement) -> Certificate | None:
    """The goal as a combination of products of what is known: without positive factors, and so relations too."""
    divided = list(_divided(statement))
    form = NormalForm(statement.domain)
    factor, rest = _apart(form, form.ratio(statement.goal))
    goal = with_lemmas(Statement(ZERO, sign(statement), rest, statement.domain), [each.statement for each in divided])
    hypotheses = Hypotheses(goal.domain)
    labels = candidate_labels(hypotheses, rest)
    found = search(hypotheses, rest, labels, _COLUMNS, strict=goal.is_strict)
    return found and times(factor, rest, {**found, "lemmas": [each.to_json() for each in divided]})


def _divided(statement: Statement) -> Iterator[Lemma]:
    """The relations that have positive factors, without them."""
    form = NormalForm(statement.domain)
    for place in plain(statement.domain):
        relation, left, right = statement.domain["where"][place]
        with suppress(Rejected):
            gap = subtract(*map(from_json, (right, left) if "<" in relation else (left, right)))
            factor, rest = _apart(form, form.ratio(gap))
            if factor != ONE:
                proof = psatz(["n", ["sign", factor]], [["where", place]])
                yield Lemma(Statement(ZERO, "<=", rest, statement.domain), proof)


def _apart(form: NormalForm, gap: Ratio) -> tuple[Tree, Tree]:
    """The product of the positive factors of what is not negative, and the rest."""
    factors = [] if gap.num.is_zero() else form.factors(gap)[1]
    known = [form.power(Ratio(poly), by) for poly, by in factors if form.bounds(Ratio(poly)).positive]
    factor = form.multiply(form.constant(1), *known)
    return form.tree(factor), form.tree(form.multiply(gap, form.power(factor, -1)))
