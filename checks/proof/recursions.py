"""The step of an induction over the entries of a vector: the next entry gives way to what bounds it, and that too.

From v[k + 1] ≤ (1 + a) v[k] + b and what is known of v[k], the goal at k + 1 is a multiple of the one, a multiple of
the other, and a rest that speaks of neither entry: where the multiples are not negative, the rest is left to be proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import ZERO
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Context, all_found, from_lemma
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.multipliers import at_entries, atoms_of
from boundaudit.checks.proof.substitution import coefficients

_LEAST_DEPTH = 4
"""Of the proofs within proofs that are still allowed: what is left of a recursion may rest on one more."""


class _Rest(NamedTuple):
    """What is left of a goal, and the hypotheses that were used with their multiples."""

    goal: Ratio
    used: list[tuple[Any, Ratio]]


def by_recursion(step: Statement, context: Context) -> Certificate | None:
    """A proof of a step whose last relation is the statement before it.

    None where nothing is said of all indices, or where the rest is not proved.
    """
    domain, known = step.domain, len(step.domain["where"])
    deep = context.budget.depth < _LEAST_DEPTH
    if deep or step.is_strict or all(entry[0] != "all" for entry in domain["where"]):
        return None
    hypotheses = Hypotheses(domain)
    form = hypotheses.form
    goal = form.ratio(step.goal)
    for given in at_entries(hypotheses, atoms_of(hypotheses, [goal])):
        for first in _without(hypotheses, _Rest(goal, []), given):
            for rest in [*_without(hypotheses, first, ["where", known - 1]), first]:
                left = {**domain, "where": domain["where"][:-1]}
                lemma = context.lemma(Statement(ZERO, "<=", form.tree(rest.goal), left))
                if lemma is not None:
                    used = ([label, ["sign", form.tree(multiple)]] for label, multiple in rest.used)
                    return from_lemma(step, lemma, *used)
    return None


def _without(hypotheses: Hypotheses, rest: _Rest, label: Any) -> Iterator[_Rest]:
    """What is left without an entry that a hypothesis bounds, for each that occurs to the first power in both."""
    form = hypotheses.form
    try:
        excess, _ = hypotheses.excess(label)
    except Rejected:
        return
    entries = [k for k in form.used(excess.num) if form.atoms[k].key[0] == "item" and k in form.used(rest.goal.num)]
    for position in sorted(entries, key=lambda k: -len(repr(form.atoms[k].key))):
        slopes = all_found(_slope(form, ratio, position) for ratio in (rest.goal, excess))
        with suppress(Rejected):
            multiple = slopes and form.multiply(slopes[0], form.power(slopes[1], -1))
            if multiple and form.bounds(multiple).nonnegative:
                left = form.subtract(rest.goal, form.multiply(multiple, excess))
                yield _Rest(left, [*rest.used, (label, multiple)])


def _slope(form: NormalForm, ratio: Ratio, position: int) -> Ratio | None:
    """The factor of an atom, where it occurs to the first power alone."""
    parts = coefficients(ratio.num, position)
    return Ratio(parts[1], ratio.den) if len(parts) == 2 and position not in form.used(ratio.den) else None
