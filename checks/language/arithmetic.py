"""Values of expression trees in exact and ball arithmetic, written to be read: the proof checker stands on it.

`balls` evaluates the same way, and large trees faster.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeAlias

import flint
from flint import arb, fmpq, fmpz

from boundaudit.checks.language.expression import BRANCHES, FOLDS, Tree, children

Ball: TypeAlias = "fmpq | arb"


class Undefined(ArithmeticError):
    """The expression has no value at this point, such as the logarithm of a negative number."""


class TooLong(Undefined):
    """A sum of so many terms is not added up: nothing is known of its value."""


class Exhausted(ArithmeticError):
    """More work than the `effort` around allows: whatever asked for it has to end."""


LONGEST_SUM = 10**6  # terms
_EXACT_SUM = 2**13  # bits: a sum with a larger denominator, or a product with a larger part, goes on as a ball
_meter = {"spent": 0.0, "limit": math.inf, "work": 0}


def spend(steps: float) -> None:
    """Count steps of work, and stop where they are more than the innermost `effort` around allows."""
    _meter["spent"] += steps
    if _meter["spent"] > _meter["limit"]:
        _meter["spent"] = _meter["limit"]  # however large the step that was one too many
        raise Exhausted("out of budget")


def spent() -> float:
    """All steps that were counted so far."""
    return _meter["spent"]


def work() -> float:
    """Which outermost `effort` this is: what is paid for in it stays so to its end."""
    return _meter["work"]


class effort:
    """Context manager: at most so many steps inside its blocks together, and never more than are left around each.

    A step is a node of a tree that is evaluated, one for every 64 bits of a ball or a power, or a term of a polynomial
    that is computed; seconds count for nothing, so that the same work ends at the same place everywhere.
    """

    def __init__(self, steps: float) -> None:
        self._steps = steps

    def __enter__(self) -> None:
        self._before, self._start = _meter["limit"], _meter["spent"]
        _meter["work"] += self._before == math.inf
        _meter["limit"] = min(self._before, self._start + self._steps)

    def __exit__(self, *_: object) -> None:
        _meter["limit"] = self._before
        self._steps -= _meter["spent"] - self._start


def remaining() -> float:
    """The steps that are left in the innermost `effort`; infinite outside of any."""
    return _meter["limit"] - _meter["spent"]


def evaluate(tree: Tree, point: Mapping[str, Any], indices: tuple[fmpq, ...] = ()) -> Ball:
    """The value at a point: an ``fmpq`` where every operation was exact, else an ``arb`` that contains it."""
    # The point has exact numbers, balls, or sequences of them for vectors; indices are those of the sums around it, the
    # innermost first. Undefined is raised where the expression has no value at the point.
    if tree[0] == "b":
        return indices[tree[1]]
    if tree[0] in BRANCHES:
        taken = branches(tree[0], evaluate(tree[1], point, indices))
        return hull([evaluate(tree[place], point, indices) for place in taken])
    if tree[0] in FOLDS:
        low, high = (evaluate(part, point, indices) for part in tree[1:3])
        return total(tree[0], low, high, lambda i: evaluate(tree[3], point, (i, *indices)))
    return combine(tree, [evaluate(part, point, indices) for part in children(tree)], point)


def total(head: str, low: Ball, high: Ball, body: Callable[[fmpq], Ball]) -> Ball:
    """A sum or a product, from its limits and the way from an index to the value of its body."""
    first, last = integer(low), integer(high)
    if last - first >= LONGEST_SUM:
        raise TooLong(f"a sum of {last - first + 1} terms")
    found: Ball = fmpq(head == "product")
    for i in range(first, last + 1):
        found = found * body(fmpq(i)) if head == "product" else found + body(fmpq(i))
        if isinstance(found, fmpq) and max(found.q, (head == "product") * abs(found.p)).bit_length() > _EXACT_SUM:
            found = arb(found)
    return found


def branches(head: str, value: Ball) -> tuple[int, ...]:
    """Where the branches stand that a node takes for a value of its condition: both, where a ball leaves it open."""
    taken, other = {"if<": (value < 0, value >= 0), "if<=": (value <= 0, value > 0), "if=": (value == 0, value != 0)}[
        head
    ]
    return (2,) if taken else (3,) if other else (2, 3)


def hull(values: Sequence[Ball]) -> Ball:
    """The value of the branch that is taken, or a ball around those of both."""
    return values[0] if len(values) == 1 else _ball(values[0]).union(_ball(values[1]))


def combine(tree: Tree, values: Sequence[Ball], point: Mapping[str, Any]) -> Ball:
    """The value of a node that is no sum, index or branch, from those of its sub-trees."""
    return counted(_combined(tree, values, point))


def counted(value: Ball) -> Ball:
    """The value of a node, its steps counted."""
    spend(1 if isinstance(value, fmpq) else 1 + flint.ctx.prec // 64)
    return value


def _combined(tree: Tree, values: Sequence[Ball], point: Mapping[str, Any]) -> Ball:
    head = tree[0]
    if head == "q":
        return fmpq(tree[1], tree[2])
    if head == "v":
        return as_ball(point[tree[1]])
    if head == "pi":
        return arb.pi()
    if head == "item":
        return as_ball(functools.reduce(_entry, map(integer, values), point[tree[1]]))
    return _UNARY[head](values[0]) if head in _UNARY else functools.reduce(BINARY[head], values)


def as_ball(value: Any) -> Ball:
    """A parameter's value: a float stands for the dyadic rational it is."""
    if isinstance(value, (fmpq, arb)):
        return value
    exact = value if isinstance(value, (int, Fraction)) else Fraction(value)
    return fmpq(exact.numerator, exact.denominator)


def _entry(vector: Sequence[Any], index: int) -> Any:
    if not 1 <= index <= len(vector):
        raise Undefined(f"no entry {index} in a vector of length {len(vector)}")
    return vector[index - 1]


def integer(value: Ball) -> int:
    """The integer that a value is; `Undefined` where it is none."""
    if isinstance(value, fmpq) and value.q == 1:
        return int(value.p)
    raise Undefined(f"an integer is wanted, not {value}")


def _ball(value: Ball) -> arb:
    return value if isinstance(value, arb) else arb(value)


def _finite(value: arb) -> arb:
    if not value.is_finite():
        raise Undefined("no finite value here")
    return value


_LARGEST_FACTORIAL = 1000
_EXACT_BITS = 2**20  # of the largest exact power; a larger one is a ball


def _power(base: Ball, exponent: Ball) -> Ball:
    if isinstance(exponent, fmpq) and exponent.q == 1:
        if base == 0 and exponent < 0:
            raise Undefined("division by zero")
        if isinstance(base, fmpq):
            digits = max(base.p.bit_length(), base.q.bit_length()) * abs(int(exponent.p))
            if digits > _EXACT_BITS:
                return _finite(arb(base) ** arb(exponent))
            spend(digits // 64)
            return base ** int(exponent.p)
        return _integer_power(base, int(exponent.p))
    if isinstance(exponent, fmpq) and exponent.q == 2:
        return _square_root(base) ** int(exponent.p) if exponent > 0 else _power(_square_root(base), fmpq(exponent.p))
    if base == 0 and exponent > 0:
        return fmpq(0)
    if not _ball(base) > 0:
        raise Undefined("a real power of a number that is not positive")
    return _finite(_ball(base) ** _ball(exponent))


def _integer_power(base: arb, exponent: int) -> arb:
    if base.mid() == 0 and base.rad() > 0:
        # Arb has no power of a ball around zero itself; its ends say all.
        if exponent < 0:
            raise Undefined("division by zero")
        power = base.upper() ** fmpz(exponent)
        power = power.union(-power)
    else:
        power = _finite(base ** fmpz(exponent))
    # An even power of a ball that straddles zero is not negative; the plain product would say it may be.
    return power if exponent % 2 else arb(power).nonnegative_part()


def _square_root(value: Ball) -> Ball:
    if isinstance(value, fmpq):
        if value < 0:
            raise Undefined("square root of a negative number")
        p, q = value.p.isqrt(), value.q.isqrt()
        if p * p == value.p and q * q == value.q:
            return fmpq(p, q)
        return arb(value).sqrt()
    if value < 0:
        raise Undefined("square root of a negative number")
    # A ball that straddles zero still has a root wherever the expression is defined.
    return _finite(arb.nonnegative_part(value).sqrt())


def _log(value: Ball) -> Ball:
    if value == 1:
        return fmpq(0)
    ball = _ball(value)
    if not ball > 0:
        raise Undefined("logarithm of a number that is not positive")
    return ball.log()


def _floor(value: Ball) -> Ball:
    if isinstance(value, fmpq):
        return fmpq(value.floor())
    low, high = value.lower().floor(), value.upper().floor()
    return low if low == high else low.union(high)


def _absolute(value: Ball) -> Ball:
    return abs(value) if isinstance(value, arb) else max(value, -value)


def _gamma(value: Ball) -> Ball:
    if isinstance(value, fmpq) and value.q == 1 and value <= _LARGEST_FACTORIAL:
        if value <= 0:
            raise Undefined("the gamma function at an integer that is not positive")
        return fmpq(math.factorial(int(value.p) - 1))
    return _finite(_ball(value).gamma())


def _binomial(n: Ball, k: Ball) -> Ball:
    upper, lower = integer(n), integer(k)
    if upper < 0:
        raise Undefined("a binomial coefficient of a negative number")
    if not 0 <= lower <= upper:
        return fmpq(0)
    if upper <= _LARGEST_FACTORIAL:
        return fmpq(math.comb(upper, lower))
    # n!/(k! (n - k)!) by logarithms: each alone would fill the memory.
    above, *below = (arb(value + 1).lgamma() for value in (upper, lower, upper - lower))
    return _finite((above - below[0] - below[1]).exp())


_UNARY: dict[str, Callable[[Ball], Ball]] = {
    "log": _log,
    "exp": lambda a: fmpq(1) if a == 0 else _finite(_ball(a).exp()),
    "sin": lambda a: fmpq(0) if a == 0 else _ball(a).sin(),
    "cos": lambda a: fmpq(1) if a == 0 else _ball(a).cos(),
    "abs": _absolute,
    "floor": _floor,
    "gamma": _gamma,
    "erf": lambda a: fmpq(0) if a == 0 else _ball(a).erf(),
}
BINARY: dict[str, Callable[[Ball, Ball], Ball]] = {
    "+": operator.add,
    "*": operator.mul,
    "^": _power,
    "binomial": _binomial,
    "max": lambda a, b: max(a, b) if type(a) is type(b) is fmpq else _ball(a).max(_ball(b)),
    "min": lambda a, b: min(a, b) if type(a) is type(b) is fmpq else _ball(a).min(_ball(b)),
}


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Ball arithmetic with this many bits inside the block."""
    before, flint.ctx.prec = flint.ctx.prec, bits
    try:
        yield
    finally:
        flint.ctx.prec = before
