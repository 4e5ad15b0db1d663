"""Three-valued comparison: greater, equal, less, or not known.

Balls decide where they can, at rising precision; what stays undecided goes to
exact algebra, which alone can say that two expressions are equal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from flint import arb, fmpq

from boundaudit.checks.language.algebra.normal_form import vanishes
from boundaudit.checks.language.algebraic import separation
from boundaudit.checks.language.arithmetic import combine
from boundaudit.checks.language.balls import Ball, TooLong, Undefined, evaluate, precision
from boundaudit.checks.language.dag import shared
from boundaudit.checks.language.expression import BRANCHES, FOLDS, Tree, children, opened, rational, subtract, walk
from boundaudit.checks.language.long_sums import ADDED_UP, in_runs, terms_of

PRECISIONS = (64, 256, 1024, 4096)
"""Bits; the last suffice for a difference of third order in the smallest positive float."""
LONG_SUMS = (64, 256)
"""Bits for sums with many terms."""
_DEEP = 2**14
"""Bits for what is not equal either: they tell the tail of a Gaussian from 0 a hundred deviations out."""
_DEEPEST = 2**17
"""Bits up to which balls are asked whether an algebraic number is smaller than any other than 0 can be."""
WRITTEN_OUT = 5000
"""Nodes of a tree, repeated parts counted again, beyond which exact algebra would take minutes."""


def ball_sign(value: Ball) -> int | None:
    """The sign of a ball, -1, 0 or 1, where it is certain; None where the ball straddles zero.

    ``not (a < b)`` is never used: it is no ``a >= b``.
    """
    if value == 0 and isinstance(value, fmpq):
        return 0
    if value > 0:
        return 1
    if value < 0:
        return -1
    return None


def sign(tree: Tree, point: Mapping[str, Any]) -> int | None:
    """The sign of an expression at an exact point, -1, 0 or 1; None where neither balls nor exact algebra decide.

    Values are int, Fraction, or float read as the dyadic rational it is.

    Raises:
        Undefined: where the expression has no value at the point.
    """
    if terms_of(tree, point) > ADDED_UP and (found := _of_long_sums(tree, point)) is not None:
        return found
    try:
        found = _in_balls(tree, point)
    except TooLong:
        return None
    if found is not None:
        return found
    dag = shared(tree)
    if dag is not None and dag.size > WRITTEN_OUT:
        return None
    closed = at(tree, point)
    if has_steps(tree) and (found := _in_balls(closed, {})) is not None:
        return found
    bits = separation(closed)
    if bits is not None and bits < _DEEPEST:
        return _separated(closed, math.ceil(bits) + 1)
    if vanishes(closed):
        return 0
    with precision(_DEEP):
        return ball_sign(evaluate(closed, {}))


def _in_balls(tree: Tree, point: Mapping[str, Any]) -> int | None:
    """The sign as far as balls of rising precision tell."""
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
    return None


def _of_long_sums(tree: Tree, point: Mapping[str, Any]) -> int | None:
    """The sign of what has long sums, as far as runs of their terms tell."""
    for bits in LONG_SUMS:
        try:
            with precision(bits):
                found = ball_sign(in_runs(tree, point))
        except TooLong:
            return None
        if found is not None:
            return found
    return None


def _separated(tree: Tree, bits: int) -> int | None:
    """The sign of a number that is 0 where it is smaller than 2^-bits."""
    for more in (64, bits, 8 * bits):
        with precision(bits + more):
            value = evaluate(tree, {})
            found = ball_sign(value)
            if found is None and arb(value).abs_upper() < arb(2) ** -bits:
                return 0
        if found is not None:
            return found
    return None


def compare(left: Tree, right: Tree, point: Mapping[str, Any]) -> int | None:
    """The certain sign of ``left - right`` at an exact point; None where it cannot be decided."""
    return sign(subtract(left, right), point)


def all_of(answers: Iterator[bool | None]) -> bool | None:
    """Three-valued conjunction: False where one answer is; else None where one is not known; else True."""
    found: bool | None = True
    for answer in answers:
        if answer is False:
            return False
        if answer is None:
            found = None
    return found


def at(tree: Tree, point: Mapping[str, Any]) -> Tree:
    """The expression with a point put in: sums over known limits are written out, what is rational is computed.

    Floors and branches stay only where exact algebra cannot say what they are.

    Raises:
        Undefined: where a vector has no such entry.
    """
    head = tree[0]
    if head == "item":
        entry: Any = evaluate(tree, point)
        return ("q", int(entry.p), int(entry.q))
    if head in FOLDS:
        low, high = (evaluate(part, point) for part in tree[1:3])
        steps = range(int(low.p), int(high.p) + 1)  # type: ignore[union-attr]
        join, none = ("+", 0) if head == "sum" else ("*", 1)
        return _computed(join, [rational(none), *(at(opened(tree, rational(i)), point) for i in steps)])
    if head == "v":
        return rational(point[tree[1]])
    if head in BRANCHES:
        return _taken(tree, point)
    return _computed(head, [at(part, point) for part in children(tree)]) if children(tree) else tree


def has_steps(tree: Tree) -> bool:
    """Whether an expression has a floor or a branch, on which balls say nothing where its argument is at the step."""
    return any(node[0] in ("floor", *BRANCHES) for node in walk(tree))


def _computed(head: str, parts: list[Tree]) -> Tree:
    """A node, or the rational that it is."""
    node = (head, *parts)
    if head == "floor":
        whole = _floor(parts[0])
        return node if whole is None else rational(whole)
    if any(part[0] != "q" for part in parts):
        return node
    try:
        value = combine(node, [fmpq(*part[1:]) for part in parts], {})
    except Undefined:
        return node
    return ("q", int(value.p), int(value.q)) if isinstance(value, fmpq) else node


def _floor(tree: Tree) -> int | None:
    """The greatest integer that a number without parameters is not below, where that is certain."""
    try:
        with precision(PRECISIONS[1]):
            value = evaluate(tree, {})
        nearest = int(value.floor()) if isinstance(value, fmpq) else value.mid().floor().unique_fmpz()
        if nearest is None:
            return None
        above = [sign(subtract(tree, rational(int(nearest) + step)), {}) for step in (0, 1)]
    except Undefined:
        return None
    if above == [-1, -1]:
        return int(nearest) - 1
    return None if None in above else int(nearest) + (above[1] != -1)


def _taken(tree: Tree, point: Mapping[str, Any]) -> Tree:
    """The branch that is taken; with both, where that is not known."""
    condition = at(tree[1], point)
    try:
        found = sign(condition, {})
    except Undefined:
        found = None
    if found is None:
        return (tree[0], condition, *(at(part, point) for part in tree[2:]))
    taken = {"if<": found < 0, "if<=": found <= 0, "if=": found == 0}[tree[0]]
    return at(tree[2 if taken else 3], point)
