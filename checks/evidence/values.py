"""Whether an expression has a value at a point: a claim says that both of its sides have one everywhere.

Floating point cannot say: it overflows where there is a value, and rounds to a value where there is none. Here every
operation is done in exact or ball arithmetic, and its argument must lie *certainly* outside of where it is defined.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flint import fmpq

from boundaudit.checks.language.arithmetic import Ball, Undefined, branches, combine, precision, total
from boundaudit.checks.language.balls import branch
from boundaudit.checks.language.dag import Dag
from boundaudit.checks.language.expression import Tree

_PRECISIONS = (64, 1024)


class NoValue(Undefined):
    """The expression certainly has no value here."""


def absent(tree: Tree, point: Mapping[str, Any]) -> str | None:
    """Why an expression certainly has no value at an exact point; None where it has one, or where that is not known."""
    for bits in _PRECISIONS:
        try:
            with precision(bits):
                _dag(tree).value(point, _combined, total, _branched)
            return None
        except NoValue as reason:
            return str(reason)
        except Undefined:
            continue  # more bits may separate an argument from the end of where the operation is defined
    return None


@functools.lru_cache(maxsize=256)
def _dag(tree: Tree) -> Dag:
    return Dag(tree)


def _combined(tree: Tree, values: list[Ball], point: Mapping[str, Any]) -> Ball:
    """The value of a node that is no sum, unless it certainly has none."""
    reason = _outside(tree, values, point)
    if reason is not None:
        raise NoValue(reason)
    return combine(tree, values, point)


def _branched(head: str, condition: Ball, parts: Sequence[Callable[[], Ball]]) -> Ball:
    """The value of a branch; where the condition is open, it is not certain which part has to have one."""
    try:
        return branch(head, condition, parts)
    except NoValue as reason:
        if len(branches(head, condition)) == 1:
            raise
        raise Undefined(str(reason)) from None


def _outside(tree: Tree, values: Sequence[Ball], point: Mapping[str, Any]) -> str | None:
    """Why an operation is not defined for its certain arguments."""
    if tree[0] == "log" and values[0] <= 0:
        return "the logarithm of a number that is not positive"
    if tree[0] == "^":
        base, exponent = values
        if isinstance(base, fmpq) and base == 0 and exponent < 0:
            return "a division by zero"
        if base < 0 and isinstance(exponent, fmpq) and exponent.q != 1:
            return "a root of a negative number"
    if tree[0] == "gamma" and isinstance(values[0], fmpq) and values[0].q == 1 and values[0] <= 0:
        return "the gamma function at an integer that is not positive"
    if tree[0] == "item":
        index, length = values[0], len(point[tree[1]])
        if isinstance(index, fmpq) and (index.q != 1 or not 1 <= index <= length):
            return f"no entry {index} in a vector of length {length}"
    return None
