"""What the checker accepts as a complete list of cases.

===========================  =====================================================================
``["choices", name]``        each value of a parameter
``["sign", tree]``           the tree ≥ 0, the tree ≤ 0
``["trichotomy", tree]``     the tree < 0, = 0, > 0
``["around", name, tree]``   a parameter below a point, at it, and above
``["at", name, tree]``       the range of a parameter below a point, and above; both hold the point
``["end", name, side]``      a parameter at its ``low`` or ``high`` end, and the range without that end
===========================  =====================================================================
"""

from __future__ import annotations

from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import ONE, ZERO, Tree, add, from_json, names, subtract
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.domains import Domain, assume, fixed, on, parameter, stands_alone, trees_of


def case_statements(statement: Statement, split: Any) -> list[Statement]:
    """One statement for each case of a split; together they say the same as the given one."""
    match split:
        case ["choices", name]:  # each value of a parameter
            values = parameter(statement.domain, name, "choices")["values"]
            return [fixed(statement, name, from_json(value)) for value in values]
        case ["sign" | "trichotomy" as rule, data]:  # the sign of (-1)ⁿ splits by the parity of n
            tree = from_json(data)
            NormalForm(statement.domain).ratio(tree)
            known = [[">="], ["<="]] if rule == "sign" else [["<"], ["<=", ">="], [">"]]
            cut = [assume(statement.domain, *((sign, tree, ZERO) for sign in signs)) for signs in known]
            return [on(statement, domain) for domain in cut]
        case ["around", name, data]:
            return _around(statement, name, from_json(data))
        case ["at", name, data]:
            return [on(statement, domain) for domain in _halves(statement.domain, name, from_json(data))]
        case ["end", name, ("low" | "high") as side]:
            return _end(statement, name, side)
    raise Rejected(f"unknown split into cases: {split}")


def _around(statement: Statement, name: str, point: Tree) -> list[Statement]:
    """The statement below a point that has a value everywhere, at it where it lies in the range, and above."""
    ends = trees_of(_declared(statement.domain, name, point))
    below, above = (on(statement, assume(statement.domain, (sign, ("v", name), point))) for sign in "<>")
    there = fixed(statement, name, point)
    within = [(sign, point, ends[side]) for side, sign in (("low", ">="), ("high", "<=")) if side in ends]
    return [below, on(there, assume(there.domain, *within)), above]


def _halves(domain: Domain, name: str, point: Tree) -> list[Domain]:
    """The domain with a range cut at a point that has a value everywhere; either half may be empty somewhere."""
    declared = _declared(domain, name, point)
    below, above = {**declared, "high": point}, {**declared, "low": point}
    if declared["range"] == "reals":
        low_open, high_open = declared["open"]
        below["open"], above["open"] = [low_open, False], [False, high_open]
    # The point may use any other parameter: this one is declared last, and none may rest on it.
    return [stands_alone(domain, name, half) for half in (below, above)]


def _declared(domain: Domain, name: str, point: Tree) -> dict[str, Any]:
    """The declaration of a number that may lie on either side of a point, an expression in the others."""
    if name in names(point):
        raise Rejected(f"the point depends on {name}")
    NormalForm(domain).ratio(point)
    return parameter(domain, name, "reals", "integers")


def _end(statement: Statement, name: str, side: str) -> list[Statement]:
    """The statement at an end of a range, and on the range without it."""
    declared = parameter(statement.domain, name, "reals", "integers")
    if declared[side] is None:
        raise Rejected(f"the range of {name} has no {side} end")
    end, low = from_json(declared[side]), side == "low"
    if declared["range"] == "integers":
        form = NormalForm(statement.domain)
        if not form.is_integer(form.ratio(end)):
            raise Rejected(f"the {side} end of {name} is not known to be an integer: the next one may be nearer")
        inner = {**declared, side: add(end, ONE) if low else subtract(end, ONE)}
    else:
        low_open, high_open = declared["open"]
        inner = {**declared, "open": [True, high_open] if low else [low_open, True]}
    others = [inner if found["name"] == name else found for found in statement.domain["parameters"]]
    return [fixed(statement, name, end), on(statement, {**statement.domain, "parameters": others})]
