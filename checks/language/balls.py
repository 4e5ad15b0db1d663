"""Exact and ball arithmetic for trees of any size: what decides where floating point cannot."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flint import fmpq

from boundaudit.checks.language.arithmetic import (
    BINARY,
    Ball,
    TooLong,
    Undefined,
    as_ball,
    branches,
    combine,
    counted,
    hull,
    precision,
    total,
)
from boundaudit.checks.language.dag import Dag, shared
from boundaudit.checks.language.expression import BRANCHES, FOLDS, Tree, children, walk

__all__ = ["Ball", "TooLong", "Undefined", "branch", "evaluate", "precision"]


def evaluate(tree: Tree, point: Mapping[str, Any]) -> Ball:
    """The value at a point, as `arithmetic` has it; where that saves work each distinct part is evaluated once.

    Args:
        tree: The expression.
        point: Values by parameter name: exact numbers, balls, or sequences of them for vectors.

    Returns:
        An ``fmpq`` where every operation was exact, else an ``arb`` that contains the value.
    """
    dag = _dag(tree)
    return _evaluation(tree)(point, ()) if dag is None else dag.value(point, combine, total, branch)


@functools.lru_cache(maxsize=256)
def _dag(tree: Tree) -> Dag | None:
    """The dag of a large tree, and of any with a sum, whose terms share all that does not depend on its index."""
    return Dag(tree) if any(node[0] in FOLDS for node in walk(tree)) else shared(tree)


Evaluation = Callable[[Mapping[str, Any], tuple[fmpq, ...]], Ball]
"""From a point and the indices of the sums around, the innermost first, to the value of an expression."""


@functools.lru_cache(maxsize=1024)
def _evaluation(tree: Tree) -> Evaluation:
    """An expression as nested functions: a sum's body is taken apart once, not for every term."""
    return _taken_apart(tree)


def _taken_apart(tree: Tree) -> Evaluation:
    head = tree[0]
    if head == "b":
        return lambda point, indices: indices[tree[1]]
    if head == "q":
        number = fmpq(tree[1], tree[2])
        return lambda point, indices: number
    parts = [_taken_apart(part) for part in children(tree)]
    if head in FOLDS:
        low, high, body = parts
        return lambda point, indices: total(
            head, low(point, indices), high(point, indices), lambda i: body(point, (i, *indices))
        )
    if head in BRANCHES:
        condition, *others = parts
        return lambda point, indices: branch(
            head, condition(point, indices), [functools.partial(other, point, indices) for other in others]
        )
    if head == "v":
        name = tree[1]
        return lambda point, indices: counted(as_ball(point[name]))
    if head in BINARY and len(parts) == 2:
        operation, (first, second) = BINARY[head], parts
        return lambda point, indices: counted(operation(first(point, indices), second(point, indices)))
    return lambda point, indices: combine(tree, [part(point, indices) for part in parts], point)


def branch(head: str, condition: Ball, parts: Sequence[Callable[[], Ball]]) -> Ball:
    """The value of a branch, or a ball around those of both where the condition is open."""
    return hull([parts[place - 2]() for place in branches(head, condition)])
