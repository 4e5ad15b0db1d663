"""Where a real number ranges."""

from __future__ import annotations

import functools
import itertools
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from boundaudit.checks.language.compare import all_of
from boundaudit.checks.language.domain.limits import (
    Declaration,
    Empty,
    Env,
    Limit,
    Unit,
    at_least,
    at_most,
    exact_limit,
    known_sign,
    limit_of,
    shown,
    speaks_of,
    tree_names,
    tree_of,
)

_DECADES = 6.0
_FAR = tuple(10**k for k in (*range(1, 19), 25, 32, 50, 100, 200, 300, 400, 600, 1000))
"""How far out, or how close to an end, numeric methods look beyond the rest."""
_CLOSED = 6
"""Of these, the steps towards an end that belongs to the range: it is looked at itself."""
_SIMPLE = (
    *(Fraction(p, q) for q in range(1, 9) for p in sorted(range(-4 * q, 4 * q + 1), key=lambda p: (abs(p), -p))
      if math.gcd(p, q) == 1),
    *(Fraction(1, 2**k) for k in range(4, 64)),
)  # fmt: skip
"""Values that a counterexample shrinks to, the simplest first."""


@dataclass(frozen=True)
class Reals:
    """Reals from ``low`` to ``high``; without a limit, numeric methods look up to ``tested_to`` in size.

    Example:
        >>> from boundaudit import Reals
        >>> Reals(0, 1, open_low=True).sentence("p")
        '0 < p ≤ 1'
        >>> Reals(tested_to=4).sentence("z")
        'z real'
    """

    low: Limit = None
    high: Limit = None
    open_low: bool = False
    open_high: bool = False
    tested_to: float = 100.0

    def to_json(self) -> Declaration:
        """The meaning, for fingerprints and the proof checker."""
        opened = [self.open_low, self.open_high]
        return {"range": "reals", "low": tree_of(self.low), "high": tree_of(self.high), "open": opened}

    def sentence(self, name: str) -> str:
        """One phrase for the report, such as ``0 < x ≤ 1``, or ``x real`` without limits."""
        left = "" if self.low is None else f"{shown(self.low)} {'<' if self.open_low else '≤'} "
        right = "" if self.high is None else f" {'<' if self.open_high else '≤'} {shown(self.high)}"
        return left + name + right if left or right else f"{name} real"

    def ends(self, env: Env) -> tuple[float, float]:
        """Floats, the smaller first, that certainly lie in the range and span what numeric methods look at.

        Raises:
            Empty: where the range holds no float.
        """
        key = (*speaks_of(self.low, env), None, *speaks_of(self.high, env))
        known = self._known_ends
        if key not in known:
            known[key] = self._found_ends(env)
        first, last = known[key]
        if first > last:
            raise Empty
        return first, last

    @functools.cached_property
    def _known_ends(self) -> dict[Any, tuple[float, float]]:
        """The ends that were asked for, by what they depend on."""
        return {}

    def _found_ends(self, env: Env) -> tuple[float, float]:
        """The ends, which may cross where the range is empty."""
        low, high = limit_of(self.low, env), limit_of(self.high, env)
        first = -self.tested_to if low is None else low
        last = self.tested_to if high is None else high
        while low is not None and not self._above(first, env):
            first = _next(first, math.inf)
        while high is not None and not self._below(last, env):
            last = _next(last, -math.inf)
        return first, last

    def _above(self, value: Any, env: Env) -> bool | None:
        if self.low is None:
            return True
        return at_least(Fraction(value), self.low, env, strict=self.open_low)

    def _below(self, value: Any, env: Env) -> bool | None:
        return True if self.high is None else at_most(value, self.high, env, strict=self.open_high)

    def strategy(self, env: Env) -> st.SearchStrategy[Any]:
        """The Hypothesis strategy, given the earlier parameters; both ends included."""
        return st.floats(*self.ends(env))

    def from_unit(self, unit: Unit, env: Env) -> float:
        """The real at the next coordinate of the unit cube.

        Spaced by logarithm on a non-negative range that spans decades, else evenly.
        """
        return self.between(*self.ends(env), unit())

    @staticmethod
    def between(low: float, high: float, u: float) -> float:
        """The real at coordinate u between two ends, by logarithm where both are non-negative and span decades."""
        floor = max(low, high * 10**-_DECADES) if low >= 0 else low
        # An end among the smallest floats leaves a floor of zero and no decades to span.
        decades = floor > 0 and high > 100 * floor
        value = floor * (high / floor) ** u if decades else low + u * (high - low)
        return min(max(value, low), high)

    def grid(self, env: Env) -> list[Any]:
        """A few reals that span the range: both ends, the middle, and three points between."""
        low, high = self.ends(env)
        return sorted({low, (low + high) / 2, high, *(self.between(low, high, u) for u in (0.25, 0.5, 0.75))})

    def smallest(self, env: Env, size: int) -> Iterator[Any]:
        """Rationals of the range with denominator at most ``size``, by denominator, then by size.

        One with a larger denominator where there is none.
        """
        low, high = self.ends(env)
        least = min(max(low, 0.0), high)
        found = False
        for q in range(1, size + 1):
            first, last = max(low, least - size), min(high, least + size)
            numerators = range(math.ceil(first * q) - 1, math.floor(last * q) + 2)
            for p in sorted(numerators, key=lambda p: (abs(p), -p)):
                if math.gcd(p, q) == 1 and self.contains(Fraction(p, q), env):
                    found = True
                    yield Fraction(p, q)
        if not found and low <= high:
            yield self._simplest(low, high, env)

    def _simplest(self, low: float, high: float, env: Env) -> Fraction:
        """A rational inside a range too narrow for small denominators."""
        middle = Fraction(low) / 2 + Fraction(high) / 2
        near = (middle.limit_denominator(2**k) for k in itertools.count())
        return next(value for value in near if value == middle or self.contains(value, env))

    def every(self, env: Env) -> Iterator[Any] | None:
        """The one value of a range that is a point, else None."""
        low, high = exact_limit(self.low, env), exact_limit(self.high, env)
        return iter([low]) if low is not None and low == high and self.contains(low, env) else None

    def far(self, env: Env) -> Iterator[Any]:
        """Reals beyond what numeric methods look at: far out where there is no limit, and close to the ends.

        Geometric steps up to 10^300, and down to 10^-1000 from an end, exact where the end is rational.
        """
        self.ends(env)  # an empty range has nothing far out either
        if self.high is None:
            yield from (step for step in _FAR if self.tested_to < step < sys.float_info.max)
        if self.low is None:
            yield from (-step for step in _FAR if self.tested_to < step < sys.float_info.max)
        low, high = exact_limit(self.low, env), exact_limit(self.high, env)
        width = Fraction(1) if low is None or high is None else high - low
        close = (width / step for step in _FAR[: None if self.open_low else _CLOSED])
        yield from () if low is None else (low + gap for gap in close)
        close = (width / step for step in _FAR[: None if self.open_high else _CLOSED])
        yield from () if high is None else (high - gap for gap in close)

    def near(self, value: Any, env: Env, step: float) -> Iterator[Any]:
        """Where a search that has come here looks next: on both sides of it, by size and by share, and at the ends.

        A step is a share of the range.
        """
        low, high = self.ends(env)
        here, width = float(value), step * (high - low)
        moved = (here - width, here + width, here * (1 - step), here * (1 + step), low, high)
        yield from {min(max(v, low), high): None for v in moved if v != value}

    def contains(self, value: Any, env: Env) -> bool | None:
        """Exact membership, or None where it cannot be decided."""
        return all_of(iter([self._above(value, env), self._below(value, env)]))

    def simpler(self, value: Any, env: Env) -> Iterator[Any]:
        """What a counterexample shrinks to: rationals with small denominators, then powers of two."""
        for candidate in _SIMPLE:
            if candidate == value:
                return
            if self.contains(candidate, env):
                yield candidate

    def adapt(self, value: Any, env: Env) -> Any:
        """The value where it still lies in the range after an earlier parameter has changed, else the nearer end."""
        low, high = self.ends(env)
        return value if self.contains(value, env) else max(low, min(value, high))

    def relaxed(self) -> dict[str, Reals]:
        """The range without its upper limit, and with a positive lower limit lowered to zero or another one removed.

        Numeric methods look beyond the old limits where these are numbers.
        """
        looser: dict[str, Reals] = {}
        known = [abs(float(limit)) for limit in (self.low, self.high) if limit is not None and not tree_names(limit)]
        reach = max([self.tested_to, *(4 * size for size in known)])
        if self.high is not None:
            looser["upper limit"] = Reals(self.low, None, self.open_low, False, reach)
        if self.low is not None and self.low != 0:
            low = 0 if known_sign(self.low) == 1 else None
            looser["lower limit"] = Reals(low, self.high, low == 0, self.open_high, reach)
        return looser


def _next(value: float, toward: float) -> float:
    """The next float; from zero the first normal one: those before it have lost digits, and 1/x overflows there."""
    return math.copysign(sys.float_info.min, toward) if value == 0 else math.nextafter(value, toward)
