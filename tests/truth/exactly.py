"""Both sides of a statement at a point by mpmath: shares no arithmetic with the engine that the suite judges."""

import functools
import math
import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import mpmath
import sympy as sp

from boundaudit.checks.language.translate import Branches, Quotient

from .statement import Truth

DIGITS, LOST = 500, 150
"""Digits of an evaluation, and those that cancellation may take; sides differ by 10^-340 or not at all."""
_HOLDS = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}
_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    sp.Add: lambda *parts: mpmath.fsum(parts),
    sp.Mul: lambda *parts: mpmath.fprod(parts),
    sp.Pow: operator.pow,
    sp.Abs: abs,
    sp.Max: max,
    sp.Min: min,
    sp.ceiling: mpmath.ceil,
    Quotient: operator.truediv,
    sp.Le: operator.le,
    sp.Ge: operator.ge,
    sp.Lt: operator.lt,
    sp.Gt: operator.gt,
    sp.Ne: operator.ne,
    sp.Or: lambda *parts: any(parts),
    sp.And: lambda *parts: all(parts),
}
"""What mpmath calls otherwise than SymPy."""


def sides(truth: Truth, point: Mapping[str, Any]) -> tuple[mpmath.mpf, mpmath.mpf]:
    """Both sides to `DIGITS` digits.

    Args:
        truth: The statement.
        point: Values by parameter name: integers, fractions, exact SymPy numbers, or tuples of these.

    Raises:
        ArithmeticError: where a side, or a part of it that matters, has no finite real value.
    """
    irrational = {name: value for name, value in point.items() if isinstance(value, sp.Expr)}
    with mpmath.workdps(DIGITS):
        left, right = (_value(_substituted(side, irrational), point) for side in (truth.left, truth.right))
        return left, right


def holds(truth: Truth, point: Mapping[str, Any]) -> bool:
    """Whether the statement holds at a point; sides that agree to all digits that count are equal."""
    left, right = sides(truth, point)
    with mpmath.workdps(DIGITS):
        near = abs(left - right) <= (1 + abs(left) + abs(right)) * mpmath.mpf(10) ** (LOST - DIGITS)
    return bool(_HOLDS[truth.relation](*((left, left) if near else (left, right))))


def _substituted(side: Any, irrational: Mapping[str, sp.Expr]) -> sp.Expr:
    """The side where SymPy alone can tell whether something is zero."""
    side = sp.sympify(side)
    side = side.subs({symbol: irrational[symbol.name] for symbol in side.free_symbols if symbol.name in irrational})
    if side.has(sp.zoo, sp.nan):
        raise ArithmeticError(f"{side} at {irrational}")
    return side


def _value(part: sp.Basic, env: Mapping[str, Any]) -> Any:
    """The value of an expression."""
    if isinstance(part, sp.Rational):
        return mpmath.mpf(int(part.p)) / int(part.q)
    if part in (sp.pi, sp.E):
        return +(mpmath.pi if part is sp.pi else mpmath.e)
    if part in (sp.true, sp.false):
        return bool(part)
    if isinstance(part, sp.Symbol):
        return _number(env[part.name])
    if isinstance(part, sp.Indexed):
        places = (int(_value(index, env)) - 1 for index in part.indices)
        return _number(functools.reduce(operator.getitem, places, env[str(part.base)]))
    if isinstance(part, (sp.Sum, sp.Product)):
        return _folded(part, env)
    if isinstance(part, (sp.Piecewise, Branches)):
        return next(_value(piece, env) for piece, condition in part.args if _value(condition, env))
    return _checked(part, [_value(argument, env) for argument in part.args])


def _checked(part: sp.Basic, arguments: list[Any]) -> Any:
    """A function's value, a finite real number."""
    function = _FUNCTIONS.get(part.func) or getattr(mpmath, part.func.__name__)
    try:
        found = function(*arguments)
    except ValueError as error:
        raise ArithmeticError(f"{part}: {error}") from error
    if not isinstance(found, bool) and (isinstance(found, mpmath.mpc) or not mpmath.isfinite(found)):
        raise ArithmeticError(f"{part} has no finite real value")
    return found


def _folded(part: sp.Sum | sp.Product, env: Mapping[str, Any]) -> mpmath.mpf:
    """A sum or product, the last limits outermost; an infinite one is SymPy's to evaluate."""
    if part.has(sp.oo):
        values = {symbol: Fraction(env[symbol.name]) for symbol in part.free_symbols}
        found = part.subs({symbol: sp.Rational(value) for symbol, value in values.items()}).doit()
        if not found.is_finite:
            raise ArithmeticError(f"{part} diverges")
        return _value(found, {})
    join = mpmath.fsum if isinstance(part, sp.Sum) else mpmath.fprod
    return join(_value(part.function, inner) for inner in _indices(list(part.limits), env))


def _indices(limits: list[Any], env: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The values of all indices of a sum."""
    if not limits:
        yield env
        return
    index, low, high = limits[-1]
    for i in range(*(math.floor(_value(limit, env)) + one for limit, one in ((low, 0), (high, 1)))):
        yield from _indices(limits[:-1], {**env, index.name: i})


def _number(value: Any) -> mpmath.mpf:
    """An exact number as mpmath has it."""
    exact = Fraction(value)
    return mpmath.mpf(exact.numerator) / exact.denominator
