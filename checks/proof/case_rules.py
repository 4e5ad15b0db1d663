"""What the checker accepts as a complete list of cases."""

from __future__ import annotations

from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.expression import ZERO, from_json
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.domains import assume, fixed, parameter
from boundaudit.checks.proof.engine import Rejected


def case_statements(statement: Statement, split: Any) -> list[Statement]:
    """The statements that together say the same.

    Args:
        statement: Any statement.
        split: ``["choices", name]`` for each value of a parameter; ``["sign", tree]`` for a tree ≥ 0 and ≤ 0.
            The sign of (-1)ⁿ splits by the parity of n.

    Returns:
        One statement for each case.

    Raises:
        Rejected: where the split is of neither kind, or its tree is not known to be defined.
    """
    if not isinstance(split, (list, tuple)) or len(split) != 2:
        raise Rejected(f"unknown split into cases: {split}")
    if split[0] == "choices":
        values = parameter(statement.domain, split[1], "choices")["values"]
        return [fixed(statement, split[1], from_json(value)) for value in values]
    if split[0] == "sign":
        tree = from_json(split[1])
        NormalForm(statement.domain).ratio(tree)
        return [
            Statement(
                statement.left,
                statement.relation,
                statement.right,
                assume(statement.domain, (sign, tree, ZERO)),
            )
            for sign in (">=", "<=")
        ]
    raise Rejected(f"unknown split into cases: {split[0]}")
