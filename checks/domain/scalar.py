"""Where a number ranges. One definition serves five purposes.

Each range gives the Hypothesis strategy, the coordinates a sweep and an optimiser
move in, a factorial grid, its own points from the smallest on, and the sentence in
the report. Limits may be expressions in earlier parameters, such as ``Integers(1, T)``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import strategies as st

from boundaudit import InputError
from boundaudit.checks.domain.limits import (
    Empty,
    Limit,
    Unit,
    all_of,
    at_most,
    floor_of,
    known_sign,
    limit_of,
    shown,
    tree_names,
    tree_of,
)
from boundaudit.checks.translate import to_tree

_DECADES = 6.0
_SIMPLE = (
    *(Fraction(p, q) for q in range(1, 9) for p in sorted(range(-4 * q, 4 * q + 1), key=lambda p: (abs(p), -p))
      if math.gcd(p, q) == 1),
    *(Fraction(1, 2**k) for k in range(4, 64)),
)  # fmt: skip
"""Values that a counterexample shrinks to, the simplest first."""


@dataclass(frozen=True)
class Integers:
    """Integers from ``low`` to ``high``; without ``high``, numeric methods look up to ``tested_to``.

    ``reads`` is how the report says it, where the limits themselves read badly.
    """

    low: Limit
    high: Limit = None
    tested_to: int = 64
    reads: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The meaning, for fingerprints and the proof checker.

        Returns:
            A dictionary with ``range`` and the limits as trees.
        """
        return {"range": "integers", "low": tree_of(self.low), "high": tree_of(self.high)}

    def sentence(self, name: str) -> str:
        """One phrase for the report.

        Returns:
            Such as ``1 ≤ D ≤ T``.
        """
        if self.reads is not None:
            return self.reads
        if self.high is not None and shown(self.low) == shown(self.high):
            return f"{name} = {shown(self.low)}"
        return f"{shown(self.low)} ≤ {name}" + ("" if self.high is None else f" ≤ {shown(self.high)}")

    def ends(self, env: Mapping[str, Any]) -> tuple[int, int]:
        """The first and last integer that numeric methods use.

        Returns:
            A pair, the smaller first.

        Raises:
            Empty: where the range holds no integer.
        """
        low = -floor_of(-self.low, env)
        high = self.tested_to if self.high is None else floor_of(self.high, env)
        if low > high:
            raise Empty
        return low, high

    def strategy(self, env: Mapping[str, Any]) -> st.SearchStrategy[Any]:
        """The Hypothesis strategy, given the earlier parameters.

        Returns:
            Integers that shrink towards ``low``.
        """
        return st.integers(*self.ends(env))

    def from_unit(self, unit: Unit, env: Mapping[str, Any]) -> int:
        """The integer at the next coordinate of the unit cube.

        Returns:
            An integer of the range.
        """
        low, high = self.ends(env)
        return min(high, low + math.floor(unit() * (high - low + 1)))

    def grid(self, env: Mapping[str, Any]) -> list[Any]:
        """A few integers that span the range.

        Returns:
            The two smallest, the largest, and powers of two between.
        """
        low, high = self.ends(env)
        picked = {low, low + 1, high, *(low + 2**k for k in range(1, 7))}
        return sorted(value for value in picked if low <= value <= high)

    def smallest(self, env: Mapping[str, Any], size: int) -> Iterator[Any]:
        """Every integer of the range, upwards.

        Yields:
            At most ``size`` integers.
        """
        low, high = self.ends(env)
        yield from range(low, min(high, low + size - 1) + 1)

    def contains(self, value: Any, env: Mapping[str, Any]) -> bool | None:
        """Exact membership; what numeric methods look at does not bound it.

        Returns:
            True, False, or None where it cannot be decided.
        """
        if Fraction(value).denominator != 1:
            return False
        upper = True if self.high is None else at_most(value, self.high, env)
        return all_of(iter([at_most(-value, -self.low, env), upper]))

    def simpler(self, value: Any, env: Mapping[str, Any]) -> Iterator[Any]:
        """What a counterexample shrinks to: every smaller integer, the smallest first.

        Yields:
            Integers of the range.
        """
        yield from range(self.ends(env)[0], value)

    def adapt(self, value: Any, env: Mapping[str, Any]) -> Any:
        """The nearest integer of the range, after an earlier parameter has changed.

        Returns:
            The integer.
        """
        low, high = self.ends(env)
        return max(low, min(value, high))

    def relaxed(self) -> dict[str, Any]:
        """The hypotheses that can be removed: none, since constructions need their sizes.

        Returns:
            An empty dictionary.
        """
        return {}


@dataclass(frozen=True)
class Reals:
    """Reals from ``low`` to ``high``; without a limit, numeric methods look up to ``tested_to`` in size."""

    low: Limit = None
    high: Limit = None
    open_low: bool = False
    open_high: bool = False
    tested_to: float = 100.0

    def to_json(self) -> dict[str, Any]:
        """The meaning, for fingerprints and the proof checker.

        Returns:
            A dictionary with ``range``, the limits as trees, and which ends are open.
        """
        opened = [self.open_low, self.open_high]
        return {"range": "reals", "low": tree_of(self.low), "high": tree_of(self.high), "open": opened}

    def sentence(self, name: str) -> str:
        """One phrase for the report.

        Returns:
            Such as ``0 < x ≤ 1``, or ``x real`` without limits.
        """
        left = "" if self.low is None else f"{shown(self.low)} {'<' if self.open_low else '≤'} "
        right = "" if self.high is None else f" {'<' if self.open_high else '≤'} {shown(self.high)}"
        return left + name + right if left or right else f"{name} real"

    def ends(self, env: Mapping[str, Any]) -> tuple[float, float]:
        """Floats that certainly lie in the range and span what numeric methods look at.

        Returns:
            A pair, the smaller first.

        Raises:
            Empty: where the range holds no float.
        """
        low, high = limit_of(self.low, env), limit_of(self.high, env)
        first = -self.tested_to if low is None else low
        last = self.tested_to if high is None else high
        while low is not None and not self._above(first, env):
            first = math.nextafter(first, math.inf)
        while high is not None and not self._below(last, env):
            last = math.nextafter(last, -math.inf)
        if first > last:
            raise Empty
        return first, last

    def _above(self, value: Any, env: Mapping[str, Any]) -> bool | None:
        if self.low is None:
            return True
        return at_most(-Fraction(value), -self.low, env, strict=self.open_low)

    def _below(self, value: Any, env: Mapping[str, Any]) -> bool | None:
        return True if self.high is None else at_most(value, self.high, env, strict=self.open_high)

    def strategy(self, env: Mapping[str, Any]) -> st.SearchStrategy[Any]:
        """The Hypothesis strategy, given the earlier parameters.

        Returns:
            Floats of the range, both ends included.
        """
        return st.floats(*self.ends(env))

    def from_unit(self, unit: Unit, env: Mapping[str, Any]) -> float:
        """The real at the next coordinate of the unit cube.

        Returns:
            Spaced by logarithm on a non-negative range that spans decades, else evenly.
        """
        return self.between(*self.ends(env), unit())

    @staticmethod
    def between(low: float, high: float, u: float) -> float:
        """The real at coordinate u between two ends.

        Returns:
            Spaced by logarithm where both are non-negative and span decades, else evenly.
        """
        floor = max(low, high * 10**-_DECADES) if low >= 0 else low
        # An end among the smallest floats leaves a floor of zero and no decades to span.
        decades = floor > 0 and high > 100 * floor
        value = floor * (high / floor) ** u if decades else low + u * (high - low)
        return min(max(value, low), high)

    def grid(self, env: Mapping[str, Any]) -> list[Any]:
        """A few reals that span the range.

        Returns:
            Both ends, the middle, and three points between.
        """
        low, high = self.ends(env)
        return sorted({low, (low + high) / 2, high, *(self.between(low, high, u) for u in (0.25, 0.5, 0.75))})

    def smallest(self, env: Mapping[str, Any], size: int) -> Iterator[Any]:
        """Rationals of the range by denominator, then by size.

        Yields:
            Fractions with denominator at most ``size``, or one with a larger denominator where there is none.
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

    def _simplest(self, low: float, high: float, env: Mapping[str, Any]) -> Fraction:
        """A rational inside a range too narrow for small denominators."""
        middle = Fraction(low) / 2 + Fraction(high) / 2
        near = (middle.limit_denominator(2**k) for k in itertools.count())
        return next(value for value in near if value == middle or self.contains(value, env))

    def contains(self, value: Any, env: Mapping[str, Any]) -> bool | None:
        """Exact membership.

        Returns:
            True, False, or None where it cannot be decided.
        """
        return all_of(iter([self._above(value, env), self._below(value, env)]))

    def simpler(self, value: Any, env: Mapping[str, Any]) -> Iterator[Any]:
        """What a counterexample shrinks to: rationals with small denominators, then powers of two.

        Yields:
            Fractions of the range that are simpler than the value.
        """
        for candidate in _SIMPLE:
            if candidate == value:
                return
            if self.contains(candidate, env):
                yield candidate

    def adapt(self, value: Any, env: Mapping[str, Any]) -> Any:
        """The nearest real of the range, after an earlier parameter has changed.

        Returns:
            The value itself where it still lies in the range, else an end.
        """
        low, high = self.ends(env)
        return value if self.contains(value, env) else max(low, min(value, high))

    def relaxed(self) -> dict[str, Any]:
        """The hypotheses that can be removed.

        Returns:
            The range without its upper limit, and with a positive lower limit lowered to zero or another one
            removed; numeric methods look beyond the old limits where these are numbers.
        """
        looser: dict[str, Any] = {}
        known = [abs(float(limit)) for limit in (self.low, self.high) if limit is not None and not tree_names(limit)]
        reach = max([self.tested_to, *(4 * size for size in known)])
        if self.high is not None:
            looser["upper limit"] = Reals(self.low, None, self.open_low, False, reach)
        if self.low is not None and self.low != 0:
            low = 0 if known_sign(self.low) == 1 else None
            looser["lower limit"] = Reals(low, self.high, low == 0, self.open_high, reach)
        return looser


class Choices:
    """Finitely many named variants, each with the rational it stands for in formulas.

    Example:
        ``Choices(steep=1, wide=2)``
    """

    def __init__(self, **values: Any) -> None:
        if not values:
            raise InputError("Choices", "at least one name=value", "none", "name the variants")
        self.values: dict[str, Fraction] = {name: Fraction(value) for name, value in values.items()}

    def to_json(self) -> dict[str, Any]:
        """The meaning, for fingerprints and the proof checker.

        Returns:
            A dictionary with ``range`` and the values as trees.
        """
        return {"range": "choices", "values": [to_tree(sp.Rational(v)) for v in self.values.values()]}

    def name_of(self, value: Any) -> str:
        """The name of a variant.

        Returns:
            The name under which the value was given.
        """
        return next(name for name, known in self.values.items() if known == value)

    def sentence(self, name: str) -> str:
        """One phrase for the report.

        Returns:
            Such as ``u = 1 (steep) or 2 (wide)``.
        """
        return f"{name} = " + " or ".join(f"{value} ({label})" for label, value in self.values.items())

    def _plain(self) -> list[Any]:
        return [int(v) if v.denominator == 1 else v for v in self.values.values()]

    def strategy(self, env: Mapping[str, Any]) -> st.SearchStrategy[Any]:
        """The Hypothesis strategy.

        Returns:
            The variants; shrinks towards the first.
        """
        return st.sampled_from(self._plain())

    def from_unit(self, unit: Unit, env: Mapping[str, Any]) -> Any:
        """The variant at the next coordinate of the unit cube.

        Returns:
            The value of the variant.
        """
        plain = self._plain()
        return plain[min(len(plain) - 1, math.floor(unit() * len(plain)))]

    def grid(self, env: Mapping[str, Any]) -> list[Any]:
        """All variants.

        Returns:
            Their values.
        """
        return self._plain()

    def smallest(self, env: Mapping[str, Any], size: int) -> Iterator[Any]:
        """All variants in the order given.

        Yields:
            Their values.
        """
        yield from self._plain()

    def contains(self, value: Any, env: Mapping[str, Any]) -> bool | None:
        """Exact membership.

        Returns:
            True or False.
        """
        return Fraction(value) in self.values.values()

    def simpler(self, value: Any, env: Mapping[str, Any]) -> Iterator[Any]:
        """What a counterexample shrinks to: the variants named before.

        Yields:
            Their values.
        """
        yield from itertools.takewhile(lambda other: other != value, self._plain())

    def adapt(self, value: Any, env: Mapping[str, Any]) -> Any:
        """The same variant: no earlier parameter matters.

        Returns:
            The value.
        """
        return value

    def relaxed(self) -> dict[str, Any]:
        """The hypotheses that can be removed: none.

        Returns:
            An empty dictionary.
        """
        return {}
