"""Limits of ranges: numbers or expressions in earlier parameters, compared exactly."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import sympy as sp
from flint import fmpq

from boundaudit.checks.language.balls import evaluate
from boundaudit.checks.language.compare import sign
from boundaudit.checks.language.expression import Tree, names, rational, subtract
from boundaudit.checks.language.translate import to_tree

Limit = Any
"""A number or a SymPy expression in earlier parameters; None for no limit."""
Unit = Callable[[], float]
"""Hands out the next coordinate of a point in the unit cube."""


class Empty(Exception):
    """A range holds nothing, given the earlier parameters."""


@functools.lru_cache(maxsize=1024)
def tree_of(limit: Limit) -> Tree | None:
    """A limit as an expression tree.

    Returns:
        The tree; None where there is no limit.
    """
    return None if limit is None else to_tree(limit)


def tree_names(limit: Limit) -> set[str]:
    """The parameters that a limit speaks of.

    Returns:
        Their names; none where there is no limit.
    """
    return set() if limit is None else names(_known(limit))


def known_sign(limit: Limit) -> int | None:
    """The sign of a limit that exists, whatever the values of the parameters.

    Returns:
        -1, 0 or 1; None where it depends on the parameters or is not known.
    """
    if not tree_names(limit):
        return sign(_known(limit), {})
    return 1 if limit.is_positive else -1 if limit.is_negative else None


def shown(limit: Limit) -> str:
    """A limit or relation in plain text.

    Returns:
        SymPy's string with ``^`` for powers.
    """
    return str(sp.sstr(limit)).replace("**", "^")


def _known(limit: Limit) -> Tree:
    """The tree of a limit that exists."""
    tree = tree_of(limit)
    assert tree is not None
    return tree


def limit_of(limit: Limit, env: Mapping[str, Any]) -> float | None:
    """The value of a limit as a float.

    Returns:
        The value; None where there is no limit.
    """
    if limit is None:
        return None
    value = evaluate(_known(limit), env)
    return int(value.p) / int(value.q) if isinstance(value, fmpq) else float(value)


def at_most(left: Any, right: Limit, env: Mapping[str, Any], *, strict: bool = False) -> bool | None:
    """Three-valued ``left <= right``, or ``<`` where strict, for an exact number and a limit.

    Returns:
        True, False, or None where neither balls nor exact algebra decide.
    """
    found = sign(subtract(_known(right), rational(left)), env)
    return None if found is None else found > 0 or (found == 0 and not strict)


def floor_of(limit: Limit, env: Mapping[str, Any]) -> int:
    """The largest integer that is certainly at most a limit.

    Returns:
        The integer.
    """
    value = evaluate(_known(limit), env)
    if isinstance(value, fmpq):
        return int(value.floor())
    found = math.floor(float(value)) + 1
    while not at_most(found, limit, env):
        found -= 1
    return found


def all_of(answers: Iterator[bool | None]) -> bool | None:
    """Three-valued conjunction.

    Returns:
        False where one answer is; else None where one is not known; else True.
    """
    found: bool | None = True
    for answer in answers:
        if answer is False:
            return False
        if answer is None:
            found = None
    return found
