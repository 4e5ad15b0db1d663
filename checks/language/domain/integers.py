"""Where an integer ranges."""

from __future__ import annotations

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
    shown,
    tree_of,
    whole_of,
)


@dataclass(frozen=True)
class Integers:
    """Integers from ``low`` to ``high``; without ``high``, numeric methods look up to ``tested_to``.

    Where the range starts beyond that, they look at as many from its start.

    ``reads`` is how the report says it, where the limits themselves read badly.

    Example:
        >>> import sympy as sp
        >>> from boundaudit import Domain, Integers
        >>> T, D = sp.symbols("T D", integer=True, positive=True)
        >>> Domain({T: Integers(2, tested_to=20), D: Integers(1, T)}).sentence()
        '2 ≤ T; 1 ≤ D ≤ T'
    """

    low: Limit
    high: Limit = None
    tested_to: int = 64
    reads: str | None = None

    def to_json(self) -> Declaration:
        """The meaning, for fingerprints and the proof checker."""
        return {"range": "integers", "low": tree_of(self.low), "high": tree_of(self.high)}

    def sentence(self, name: str) -> str:
        """One phrase for the report, such as ``1 ≤ D ≤ T``."""
        if self.reads is not None:
            return self.reads
        if self.high is not None and shown(self.low) == shown(self.high):
            return f"{name} = {shown(self.low)}"
        return f"{shown(self.low)} ≤ {name}" + ("" if self.high is None else f" ≤ {shown(self.high)}")

    def ends(self, env: Env) -> tuple[int, int]:
        """The first and last integer that numeric methods use.

        Raises:
            Empty: where the range holds no integer.
        """
        low = whole_of(self.low, env, 1)
        far = self.tested_to if low <= self.tested_to else low + self.tested_to
        high = far if self.high is None else whole_of(self.high, env, -1)
        if low > high:
            raise Empty
        return low, high

    def strategy(self, env: Env) -> st.SearchStrategy[Any]:
        """The Hypothesis strategy, given the earlier parameters; it shrinks towards ``low``."""
        return st.integers(*self.ends(env))

    def from_unit(self, unit: Unit, env: Env) -> int:
        """The integer at the next coordinate of the unit cube."""
        low, high = self.ends(env)
        count, share = high - low + 1, unit()
        return min(high, low + math.floor((share if count < sys.float_info.max else Fraction(share)) * count))

    def grid(self, env: Env) -> list[Any]:
        """A few integers that span the range: the two smallest, the largest, and powers of two between."""
        low, high = self.ends(env)
        picked = {low, low + 1, high, *(low + 2**k for k in range(1, 7))}
        return sorted(value for value in picked if low <= value <= high)

    def smallest(self, env: Env, size: int) -> Iterator[Any]:
        """At most ``size`` integers of the range, upwards."""
        low, high = self.ends(env)
        yield from range(low, min(high, low + size - 1) + 1)

    def every(self, env: Env) -> Iterator[Any] | None:
        """Every integer of the range, upwards; None where there is no upper limit."""
        return None if self.high is None else iter(range(whole_of(self.low, env, 1), whole_of(self.high, env, -1) + 1))

    def far(self, env: Env) -> Iterator[Any]:
        """Integers beyond what numeric methods look at, in geometric steps up to 10^18, and some up to 10^300.

        Nothing where there is an upper limit.
        """
        if self.high is None:
            for k in (*range(0, 61, 2), 80, 100, 150, 250, 500, 1000):
                if (value := whole_of(self.low, env, 1) + 2**k) > self.tested_to:
                    yield value

    def near(self, value: Any, env: Env, step: float) -> Iterator[Any]:
        """Where a search that has come here looks next: the integers beside it, half and twice as much, the ends."""
        low, high = self.ends(env)
        stride = max(2, math.floor(step * (high - low)))
        moved = (value - 1, value + 1, value // 2, 2 * value, value - stride, value + stride)
        yield from {min(max(v, low), high): None for v in (*moved, low, high) if v != value}

    def contains(self, value: Any, env: Env) -> bool | None:
        """Exact membership, or None where it cannot be decided; what numeric methods look at does not bound it."""
        if Fraction(value).denominator != 1:
            return False
        upper = True if self.high is None else at_most(value, self.high, env)
        return all_of(iter([at_least(value, self.low, env), upper]))

    def simpler(self, value: Any, env: Env) -> Iterator[Any]:
        """What a counterexample shrinks to: every smaller integer, the smallest first."""
        yield from range(self.ends(env)[0], value)

    def adapt(self, value: Any, env: Env) -> Any:
        """The nearest integer of the range, after an earlier parameter has changed."""
        low, high = self.ends(env)
        return max(low, min(value, high))

    def relaxed(self) -> dict[str, Integers]:
        """The hypotheses that can be removed: none, since constructions need their sizes."""
        return {}
