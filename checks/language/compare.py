"""Three-valued comparison: greater, equal, less, or not known.

Balls decide where they can, at rising precision; what stays undecided goes to
exact algebra, which alone can say that two expressions are equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flint import fmpq

from boundaudit.checks.language.algebra.normal_form import vanishes
from boundaudit.checks.language.balls import Ball, Undefined, evaluate, precision
from boundaudit.checks.language.dag import shared
from boundaudit.checks.language.expression import Tree, children, opened, rational, rebuild, subtract

PRECISIONS = (64, 256, 1024, 4096)
"""Bits; the last suffice for a difference of third order in the smallest positive float."""
_DEEP = 2**14
"""Bits for what is not equal either: they tell the tail of a Gaussian from 0 a hundred deviations out."""
WRITTEN_OUT = 5000
"""Nodes of a tree, repeated parts counted again, beyond which exact algebra would take minutes."""


def ball_sign(value: Ball) -> int | None:
    """The sign of a ball where it is certain.

    Returns:
        -1, 0 or 1; None where the ball straddles zero. ``not (a < b)`` is never used: it is no ``a >= b``.
    """
    if value == 0 and isinstance(value, fmpq):
        return 0
    if value > 0:
        return 1
    if value < 0:
        return -1
    return None


def sign(tree: Tree, point: Mapping[str, Any]) -> int | None:
    """The certain sign of an expression at an exact point.

    Args:
        tree: The expression.
        point: Exact values (int, Fraction, or float read as the dyadic rational it is) by name.

    Returns:
        -1, 0 or 1; None where neither balls nor exact algebra decide.

    Raises:
        Undefined: where the expression has no value at the point.
    """
    for bits in PRECISIONS:
        try:
            with precision(bits):
                found = ball_sign(evaluate(tree, point))
        except Undefined:
            # More bits may show that the argument of a logarithm is positive after all.
            if bits == PRECISIONS[-1]:
                raise
            continue
        if found is not None:
            return found
    dag = shared(tree)
    if dag is not None and dag.size > WRITTEN_OUT:
        return None
    if vanishes(at(tree, point)):
        return 0
    with precision(_DEEP):
        return ball_sign(evaluate(tree, point))


def compare(left: Tree, right: Tree, point: Mapping[str, Any]) -> int | None:
    """The certain sign of ``left - right`` at an exact point.

    Returns:
        -1, 0 or 1; None where it cannot be decided.
    """
    return sign(subtract(left, right), point)


def at(tree: Tree, point: Mapping[str, Any]) -> Tree:
    """The expression with a point put in: sums over known limits are written out.

    Returns:
        A tree without parameters.
    """
    head = tree[0]
    if head == "item":
        index = evaluate(tree[2], point)
        return rational(point[tree[1]][int(index.p) - 1])  # type: ignore[union-attr]
    if head == "sum":
        low, high = (evaluate(part, point) for part in tree[1:3])
        steps = range(int(low.p), int(high.p) + 1)  # type: ignore[union-attr]
        return ("+", rational(0), *(at(opened(tree, rational(i)), point) for i in steps))
    if head == "v":
        return rational(point[tree[1]])
    return rebuild(tree, [at(part, point) for part in children(tree)])
