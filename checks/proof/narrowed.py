"""Relations between parameters as ends of ranges: along a parameter between its ends one moves, through a relation not.

Where x ≥ 2 log y is said, x from 2 log y on is what calculus can start from.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import FOLDS, from_json, names, subtract
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.calculus import calculus
from boundaudit.checks.proof.engine import Context, has, with_proof, without
from boundaudit.checks.proof.general import by_instance
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import on, parameter, plain, stands_alone
from boundaudit.checks.proof.rewriting import solved
from boundaudit.checks.proof.witness import point_against


def narrowed(statement: Statement, context: Context) -> Certificate | None:
    """Prove a statement on the ranges that its relations leave."""
    numbers = not has(statement.goal, "item", *FOLDS)
    for general in _narrowed(statement) if numbers and statement.relation != "=" else ():
        if point_against(general) is None:
            lemma = with_proof(general, calculus(general, context))
            if (proof := by_instance(statement, lemma, {}, context)) is not None:
                return proof
    return None


def _narrowed(statement: Statement) -> Iterator[Statement]:
    """The statement with a relation as an end of a real parameter's range, wherever it is solved for one."""
    domain, form = statement.domain, NormalForm(statement.domain)
    used = names(statement.left) | names(statement.right)
    for position in plain(domain):
        sign, left, right = domain["where"][position]
        gap = form.ratio(subtract(from_json(left), from_json(right)))
        others = without(domain, position)
        for name in sorted(form.names(gap.num) & used):
            with suppress(Rejected):
                declared = parameter(domain, name, "reals")
                end = solved(form, gap, ("v", name), name)
                if end is None:
                    continue
                above = form.range_of(subtract(("v", name), end)).nonnegative
                strict = "=" not in sign
                opens = [strict, declared["open"][1]] if above else [declared["open"][0], strict]
                there = stands_alone(others, name, {**declared, "low" if above else "high": end, "open": opens})
                if NormalForm(there).has(statement.goal):
                    yield on(statement, there)
