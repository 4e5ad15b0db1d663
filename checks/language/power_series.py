"""Operations on power series with balls for coefficients, where they have all derivatives; `Undefined` elsewhere.

The constant term is a number, or a ball around a run of them: then every coefficient holds those at all of its points.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from flint import arb, arb_series, fmpq

from boundaudit.checks.language.arithmetic import Ball, Undefined


def constant(value: Any) -> Ball:
    """What a power series is at the centre of its run, or a ball over all of it."""
    return value[0] if isinstance(value, arb_series) else value


def logarithm(value: Any) -> Any:
    """The logarithm of a number or a power series."""
    if not constant(value) > 0:
        raise Undefined("the logarithm of a number that may not be positive")
    return value.log()


def of_series(head: str, values: Sequence[Any]) -> arb_series:
    """The power series of an operation, one of whose arguments is one, where it has all derivatives on the run."""
    if head in _OF_ONE:
        return _OF_ONE[head](values[0])
    if head not in _OF_TWO:
        raise Undefined(f"no derivatives of {head}")
    found: arb_series = functools.reduce(_OF_TWO[head], values)
    return found


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, fmpq) and exponent.q == 1:
        if exponent < 0 and base[0].contains(0):
            raise Undefined("division by zero")
        return base ** int(exponent.p)
    if isinstance(exponent, arb_series) or not isinstance(base, arb_series):
        return (logarithm(arb(base) if isinstance(base, fmpq) else base) * exponent).exp()
    if not base[0] > 0:
        raise Undefined("a real power of a number that may not be positive")
    return base ** arb(exponent)


def _absolute(value: arb_series) -> arb_series:
    if value[0].contains(0):
        raise Undefined("an absolute value of both signs")
    return value if value[0] > 0 else -value


def _floor(value: arb_series) -> arb_series:
    whole = value[0].floor().unique_fmpz()
    if whole is None:
        raise Undefined("a floor that jumps")
    return arb_series([whole])


def _larger(first: Any, second: Any) -> Any:
    if constant(first) >= constant(second):
        return first
    if constant(first) <= constant(second):
        return second
    raise Undefined("one or the other of two is the larger one")


_OF_ONE: dict[str, Callable[[arb_series], arb_series]] = {
    "log": logarithm,
    "exp": lambda a: a.exp(),
    "sin": lambda a: a.sin(),
    "cos": lambda a: a.cos(),
    "abs": _absolute,
    "floor": _floor,
    "gamma": lambda a: a.gamma(),
    "erf": lambda a: a.erf(),
}
_OF_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "^": _power,
    "max": _larger,
    "min": lambda a, b: b if _larger(a, b) is a else a,
}
