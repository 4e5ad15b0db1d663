"""Limits of ranges: numbers or expressions in earlier parameters, compared exactly."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import sympy as sp
from flint import arb, fmpq

from boundaudit.checks.language.arithmetic import Ball, Undefined, as_ball, precision
from boundaudit.checks.language.balls import evaluate
from boundaudit.checks.language.compare import ball_sign, sign
from boundaudit.checks.language.expression import Tree, names, rational, subtract
from boundaudit.checks.language.printing import text_of
from boundaudit.checks.language.translate import to_tree

Env: TypeAlias = Mapping[str, Any]
"""Values of the earlier parameters by name, as points hold them."""
Limit = Any
"""A number or a SymPy expression in earlier parameters; None for no limit."""
Declaration: TypeAlias = dict[str, Any]
"""The JSON form of a range: ``range`` names its kind, limits are expression trees; the proof checker reads it."""
Unit = Callable[[], float]
"""Hands out the next coordinate of a point in the unit cube."""


_BITS = (53, 256, 2048)
"""Precisions of a limit's value, one after the other where digits cancel, as in log(1/x) for x near one."""
_ENOUGH = 30
"""Bits of a value that were not lost."""


class Empty(Exception):
    """A range holds nothing, given the earlier parameters."""


@functools.lru_cache(maxsize=1024)
def tree_of(limit: Limit) -> Tree | None:
    """A limit as an expression tree."""
    return None if limit is None else to_tree(limit)


def tree_names(limit: Limit) -> frozenset[str]:
    """The parameters that a limit speaks of."""
    return frozenset() if limit is None else names(_known(limit))


def known_sign(limit: Limit) -> int | None:
    """The sign of a limit that exists, whatever the parameters; None where it depends on them or is not known."""
    if not tree_names(limit):
        return sign(_known(limit), {})
    return 1 if limit.is_positive else -1 if limit.is_negative else None


def shown(limit: Limit) -> str:
    """A limit or relation as SymPy's string with ``^`` for powers."""
    return text_of(limit) if isinstance(limit, sp.Basic) else str(sp.sstr(limit))


def _known(limit: Limit) -> Tree:
    """The tree of a limit that exists."""
    tree = tree_of(limit)
    assert tree is not None
    return tree


Values = tuple[Any, ...]


def speaks_of(limit: Limit, env: Env) -> Values:
    """The values, by the order of the names, of the parameters that a limit speaks of: a cache needs nothing else."""
    return () if limit is None else tuple(env[name] for name in _sorted_names(limit))


@functools.lru_cache(maxsize=1024)
def _sorted_names(limit: Limit) -> tuple[str, ...]:
    return tuple(sorted(tree_names(limit)))


def _point(limit: Limit, values: Values) -> Env:
    return dict(zip(_sorted_names(limit), values, strict=True))


def _value(limit: Limit, env: Env, enough: int = _ENOUGH) -> Ball:
    """The value of a limit, to so many bits; where it has none, such as 1/x at zero, nothing lies within it."""
    try:
        for bits in _BITS:
            with precision(bits):
                found = evaluate(_known(limit), env)
            if isinstance(found, fmpq) or found.rel_accuracy_bits() >= enough:
                break
    except Undefined:
        raise Empty from None
    return found


def limit_of(limit: Limit, env: Env) -> float | None:
    """The value of a limit as a float."""
    return None if limit is None else _float(limit, speaks_of(limit, env))


def exact_limit(limit: Limit, env: Env) -> Fraction | None:
    """The value of a limit that is rational; None where there is no limit, or an irrational one."""
    value = None if limit is None else _value(limit, _point(limit, speaks_of(limit, env)))
    return Fraction(int(value.p), int(value.q)) if isinstance(value, fmpq) else None


@functools.lru_cache(maxsize=1 << 16)
def _float(limit: Limit, values: Values) -> float:
    value = _value(limit, _point(limit, values))
    try:
        found = int(value.p) / int(value.q) if isinstance(value, fmpq) else float(value)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):  # such as 1/L where L is tiny: floating point has nothing to look at there
        raise Empty
    return found


@functools.lru_cache(maxsize=1 << 16)
def _enclosure(limit: Limit, values: Values) -> tuple[float, float]:
    """Floats below and above a limit."""
    value = _value(limit, _point(limit, values))
    if isinstance(value, fmpq):
        try:
            middle = int(value.p) / int(value.q)
        except OverflowError:
            middle = math.inf if value > 0 else -math.inf
        return math.nextafter(middle, -math.inf), math.nextafter(middle, math.inf)
    low, high = float(value.lower()), float(value.upper())
    return math.nextafter(low, -math.inf), math.nextafter(high, math.inf)


def compared(left: Any, right: Limit, env: Env, spread: float = 0.0) -> int | None:
    """The sign of ``right - left``, for an exact number and a limit; floats decide where they can.

    The exact number may be as far from ``left`` as ``spread``, relative to it. None where neither balls nor exact
    algebra decide, where ``spread`` leaves it open, and where the limit has no value.
    """
    try:
        low, high = _enclosure(right, speaks_of(right, env))
    except Empty:
        return None
    if spread:
        margin = spread * abs(left)
        return 1 if left + margin < low else -1 if left - margin > high else None
    if (beside := _beside(left, low, high)) is not None:
        return beside
    with precision(64):
        found = ball_sign(evaluate(_known(right), env) - as_ball(left))
    return sign(subtract(_known(right), rational(left)), env) if found is None else found


def _beside(value: Any, low: float, high: float) -> int | None:
    """1 for a number below two others, -1 above both: told by floats, which are in order where they differ."""
    try:
        near = float(value)
    except OverflowError:
        near = low
    if near in (low, high):
        return 1 if value < low else -1 if value > high else None
    return 1 if near < low else -1 if near > high else None


def at_most(left: Any, right: Limit, env: Env, *, strict: bool = False) -> bool | None:
    """Three-valued ``left <= right``, or ``<`` where strict, for an exact number and a limit."""
    found = compared(left, right, env)
    return None if found is None else found > 0 or (found == 0 and not strict)


def at_least(left: Any, right: Limit, env: Env, *, strict: bool = False) -> bool | None:
    """Three-valued ``left >= right``, or ``>`` where strict, for an exact number and a limit."""
    found = compared(left, right, env)
    return None if found is None else found < 0 or (found == 0 and not strict)


def whole_of(limit: Limit, env: Env, side: int) -> int:
    """The integer beside a limit that exists, where that is certain: its floor for side -1, its ceiling for 1."""
    return _whole(limit, speaks_of(limit, env), side)


@functools.lru_cache(maxsize=1 << 16)
def _whole(limit: Limit, values: Values, side: int) -> int:
    env = _point(limit, values)
    value = _value(limit, env)
    if isinstance(value, fmpq):
        return int(value.floor() if side < 0 else value.ceil())
    enough = _ENOUGH + math.ceil(abs(float(value))).bit_length()  # bits that tell integers apart
    with precision(_BITS[-1]):
        value = arb(_value(limit, env, enough))
        found = int(value.upper().fmpq().floor() if side < 0 else value.lower().fmpq().ceil())
    while not (at_most if side < 0 else at_least)(found, limit, env):
        found += side
    return found
