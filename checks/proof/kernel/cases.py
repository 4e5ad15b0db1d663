"""What the checker accepts as a complete list of cases."""

from __future__ import annotations

from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import ZERO, from_json
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.domains import assume, fixed, parameter


def case_statements(statement: Statement, split: Any) -> list[Statement]:
    """One statement for each case of a split; together they say the same as the given one."""
    match split:
        case ["choices", name]:  # each value of a parameter
            values = parameter(statement.domain, name, "choices")["values"]
            return [fixed(statement, name, from_json(value)) for value in values]
        case ["sign", data]:  # an expression ≥ 0 and ≤ 0; the sign of (-1)ⁿ splits by the parity of n
            tree = from_json(data)
            NormalForm(statement.domain).ratio(tree)
            domains = [assume(statement.domain, (sign, tree, ZERO)) for sign in (">=", "<=")]
            return [Statement(statement.left, statement.relation, statement.right, domain) for domain in domains]
    raise Rejected(f"unknown split into cases: {split}")
