"""Statements written by hand, and certificates that are damaged, for the tests of engines and of the checker."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp
from tests.statements import stated

from boundaudit import Domain, Space
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.kernel.checker import Certificate, check
from boundaudit.checks.proof.portfolio import prove

IDENTITY: Certificate = {"kind": "identity"}


def tree(value: Any) -> Any:
    return to_tree(sp.sympify(value))


def reals(name: str, low: Any = None, high: Any = None, opens: tuple[bool, bool] = (False, False)) -> dict[str, Any]:
    ends = {side: None if end is None else tree(end) for side, end in (("low", low), ("high", high))}
    return {"name": name, "range": "reals", **ends, "open": list(opens)}


def integers(name: str, low: Any, high: Any = None) -> dict[str, Any]:
    return {"name": name, "range": "integers", "low": tree(low), "high": None if high is None else tree(high)}


def claim(left: Any, relation: Any, right: Any, *parameters: Any, where: tuple[Any, ...] = ()) -> Statement:
    domain = {"parameters": list(parameters), "where": [[r, tree(a), tree(b)] for r, a, b in where]}
    return Statement(tree(left), relation, tree(right), domain)


def nonnegative(expression: Any, *parameters: Any, where: tuple[Any, ...] = ()) -> Statement:
    return claim(expression, ">=", 0, *parameters, where=where)


def require_rejected(statement: Statement, certificate: Certificate, corrupt: Callable[[Certificate], Any]) -> None:
    """A certificate is accepted, and damaged it is not."""
    check(statement, certificate)
    forged = copy.deepcopy(certificate)
    corrupt(forged)
    with pytest.raises(Rejected):
        check(statement, forged)


Side = tuple[Any, str, Any, Domain | Space, bool]
"""Two sides with a relation between them, their domain, and whether that holds."""


def assert_alone(engine: str | None, *sides: Side, steps: tuple[int, int] = (Budget.steps, Budget.steps)) -> None:
    """An engine, or all, prove what holds, with the first number of steps, and nothing else, with the second."""
    engines = None if engine is None else [engine]
    for left, relation, right, domain, holds in sides:
        found = prove(stated(left, relation, right, domain), engines=engines, budget=Budget(steps=steps[not holds]))
        assert (found.outcome == "proved") is holds, (left, relation, right)
