"""What the checker accepts of a proof by induction over an integer parameter n.

A statement holds at the first values n = start, start + 1, …, each shown by one of ``bases``, and passes on from n to
n + 1, shown by ``step``.

The start is an integer in terms of the other parameters, and none of the parameter's values lies below it. One climbs
from it to the upper end of the parameter's range, the other parameters fixed: hence ends of ranges and relations that
mention n are not used, and no length may rest on it. The step proves the statement at n + 1 where n is at least the
last base, and where the statement at n is one more relation of the domain.
"""

from __future__ import annotations

from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import ONE, Tree, add, from_json, names, rational, substitute, subtract
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.domains import Domain, fixed, free_of, holding, on, parameter, stands_alone


def base_statements(statement: Statement, name: str, start: Tree, count: int) -> list[Statement]:
    """The statement at the first values of a parameter."""
    if count < 1:
        raise Rejected("an induction needs a base")
    low = on(statement, _climbing(statement.domain, name, start))
    return [fixed(low, name, add(start, rational(step))) for step in range(count)]


def step_statement(statement: Statement, name: str, start: Tree, count: int) -> Statement:
    """The statement at n + 1, on a domain whose last relations are the statement at n."""
    climbing = _climbing(statement.domain, name, start, count - 1)
    *others, declared = climbing["parameters"]
    high = None if declared["high"] is None else subtract(from_json(declared["high"]), ONE)
    domain = holding({**climbing, "parameters": [*others, {**declared, "high": high}]}, statement)
    following = {name: add(("v", name), ONE)}
    left, right = substitute(statement.left, following), substitute(statement.right, following)
    return Statement(left, statement.relation, right, domain)


def _climbing(domain: Domain, name: str, start: Tree, steps: int | None = None) -> Domain:
    """The domain with a parameter, now the last, from so many steps after a start up, and nothing else about it."""
    declared, form = parameter(domain, name, "integers"), NormalForm(domain)
    if name in names(start) or not form.is_integer(form.ratio(start)):
        raise Rejected(f"the start is not an integer in terms of the parameters other than {name}")
    if not form.range_of(subtract(("v", name), start)).nonnegative:
        raise Rejected(f"{name} may lie below the start")
    freed = [found if found["name"] == name else _freed(found, name) for found in domain["parameters"]]
    low = start if steps is None else add(start, rational(steps))
    return stands_alone({"parameters": freed, "where": free_of(domain, name)}, name, {**declared, "low": low})


def _freed(declared: dict[str, Any], name: str) -> dict[str, Any]:
    """A declaration without the ends that mention a parameter: its range can only grow."""
    ends = {side: declared[side] for side in ("low", "high") if declared.get(side) is not None}
    return {**declared, **{side: None for side, end in ends.items() if name in names(from_json(end))}}
