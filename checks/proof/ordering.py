"""Proofs of symmetric inequalities in three parameters, one order of the parameters at a time.

For x ≥ y ≥ z the differences x - y and y - z are hypotheses, and products of them with z often add up to the goal
where no sum of squares does (Schur's inequality).
"""

from __future__ import annotations

import itertools

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.expression import names, substitute, subtract
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Context, by_cases
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.transformations import case_statements
from boundaudit.checks.proof.multipliers import multipliers

_PARAMETERS = 3


def ordering(statement: Statement, context: Context) -> Certificate | None:
    """Prove a goal that does not change when its three real parameters trade places."""
    real = [found["name"] for found in statement.domain["parameters"] if found["range"] == "reals"]
    used = [name for name in real if name in names(statement.goal)]
    if statement.relation == "=" or len(used) != _PARAMETERS or not _is_symmetric(statement, used):
        return None
    return _sorted(statement, used[:1], used[1:], context)


def _is_symmetric(statement: Statement, used: list[str]) -> bool:
    form = NormalForm(statement.domain)
    swaps = ({one: ("v", other), other: ("v", one)} for one, other in itertools.pairwise(used))
    return all(form.vanishes(subtract(statement.goal, substitute(statement.goal, swap))) for swap in swaps)


def _sorted(statement: Statement, order: list[str], waiting: list[str], context: Context) -> Certificate | None:
    """Proofs for every place of the parameters that wait among those in descending order."""
    if not waiting:
        return multipliers(statement, context)
    return _placed(statement, order, 0, waiting, context)


def _placed(
    statement: Statement, order: list[str], place: int, waiting: list[str], context: Context
) -> Certificate | None:
    """The next parameter at this place, or further down."""
    name, *others = waiting
    here = [*order[:place], name, *order[place:]]
    if place == len(order):
        return _sorted(statement, here, others, context)
    split = ["sign", subtract(("v", name), ("v", order[place]))]
    above, below = case_statements(statement, split)
    first = _sorted(above, here, others, context)
    return by_cases(split, (first, first and _placed(below, order, place + 1, waiting, context)))
