"""Exact and ball arithmetic for trees of any size: what decides where floating point cannot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from boundaudit.checks.language import arithmetic
from boundaudit.checks.language.arithmetic import Ball, Undefined, branches, combine, hull, precision, total
from boundaudit.checks.language.dag import shared
from boundaudit.checks.language.expression import Tree

__all__ = ["Ball", "Undefined", "branch", "evaluate", "precision"]


def evaluate(tree: Tree, point: Mapping[str, Any]) -> Ball:
    """The value at a point, as `arithmetic` has it; in a large tree each distinct part is evaluated once.

    Args:
        tree: The expression.
        point: Values by parameter name: exact numbers, balls, or sequences of them for vectors.

    Returns:
        An ``fmpq`` where every operation was exact, else an ``arb`` that contains the value.
    """
    dag = shared(tree)
    return arithmetic.evaluate(tree, point) if dag is None else dag.value(point, combine, total, branch)


def branch(head: str, condition: Ball, parts: Sequence[Callable[[], Ball]]) -> Ball:
    """The value of a branch, or a ball around those of both where the condition is open."""
    return hull([parts[place - 2]() for place in branches(head, condition)])
