"""Where a vector of numbers or a family of subsets ranges, with the five purposes of every range."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq
from hypothesis import strategies as st

from boundaudit.checks.language.compare import all_of
from boundaudit.checks.language.domain.limits import (
    Declaration,
    Empty,
    Env,
    Limit,
    Unit,
    at_most,
    compared,
    known_sign,
    limit_of,
    shown,
    tree_names,
    tree_of,
    whole_of,
)
from boundaudit.checks.language.domain.reals import Reals
from boundaudit.checks.language.translate import to_tree

MOST_ENTRIES = 20_000
"""Of a vector that numeric methods look at."""
_ONE_BY_ONE = 500
"""Entries of a vector that differ from each other in the smallest points."""
_MOVED = 2
"""Entries of a vector that a search moves one by one."""


@dataclass(frozen=True)
class Vector:
    """Vectors of ``length`` reals, each in ``entries``, with sum of squares at most ``square_sum``.

    Example:
        >>> import sympy as sp
        >>> from boundaudit import Domain, Reals, Vector
        >>> c = sp.IndexedBase("c")
        >>> Domain({c: Vector(3, Reals(0, 1), square_sum=1)}).contains({"c": (0, 0.6, 0.8)})
        False
        >>> Domain({c: Vector(3, Reals(0, 1), square_sum=1)}).contains({"c": (0, 0.5, 0.5)})
        True
    """

    length: Limit
    entries: Reals
    square_sum: Limit = None

    def to_json(self) -> Declaration:
        """The meaning, for fingerprints and the proof checker."""
        entries = self.entries.to_json() | {"range": "vector"}
        return entries | {"length": to_tree(self.length), "square_sum": tree_of(self.square_sum)}

    def sentence(self, name: str) -> str:
        """One phrase for the report, such as ``0 < c_t ≤ 1 for t = 1…w, Σ c_t² ≤ 1``."""
        text = f"{self.entries.sentence(name + '_t')} for t = 1…{shown(self.length)}"
        return text if self.square_sum is None else f"{text}, Σ {name}_t² ≤ {shown(self.square_sum)}"

    def _count(self, env: Env) -> int:
        return whole_of(self.length, env, -1)

    def inside(self, values: list[float], env: Env) -> tuple[float, ...]:
        """The vector pulled into the ball, every entry above the lower limit; as it is where the range holds it.

        Raises:
            Empty: where the ball holds no vector with such entries.
        """
        limit = limit_of(self.square_sum, env)
        low, high = self._ends(env)
        clipped = [min(max(value, low), high) for value in values]
        if limit is None or self._in_ball(clipped, env):
            return tuple(clipped)
        base, target = min(max(low, 0.0), high), limit
        if not self._in_ball((base,) * len(values), env):
            raise Empty
        while True:
            scale = _shrink(clipped, base, target)
            pulled = tuple(min(max(base + scale * (value - base), low), high) for value in clipped)
            if self._in_ball(pulled, env):
                return pulled
            target *= 1 - 2.0**-50

    def _ends(self, env: Env) -> tuple[float, float]:
        """The ends of the entries; a vector without entries needs none."""
        return self.entries.ends(env) if self._drawable(env) else (0.0, 0.0)

    def _drawable(self, env: Env) -> int:
        """The length, where there are vectors of it, and somebody could look at one."""
        count = self._count(env)
        if not 0 <= count <= MOST_ENTRIES:
            raise Empty
        return count

    def strategy(self, env: Env) -> st.SearchStrategy[Any]:
        """The Hypothesis strategy, given the earlier parameters: floats, pulled into the ball where there is one."""
        n = self._count(env)
        entry = st.floats(*self._ends(env))
        return st.lists(entry, min_size=n, max_size=n).map(lambda values: self.inside(values, env))

    def from_unit(self, unit: Unit, env: Env) -> tuple[float, ...]:
        """The vector at the next coordinates of the unit cube; with a ball, half of the cube lands on its sphere."""
        low, high = self._ends(env)
        values = [self.entries.between(low, high, unit()) for _ in range(self._count(env))]
        limit = limit_of(self.square_sum, env)
        if limit is not None:
            radius = min(1.0, 2 * unit()) * math.sqrt(limit)
            norm = math.sqrt(sum(value * value for value in values)) or 1.0
            values = [value * radius / norm for value in values]
        return self.inside(values, env)

    def grid(self, env: Env) -> list[Any]:
        """Equal entries at the grid of the entries, all pulled into the ball, and one dominant entry."""
        n, (low, high) = self._count(env), self._ends(env)
        if n == 0:
            return [self.inside([], env)]
        rows = [[value] * n for value in self.entries.grid(env)] + [[high] + [low] * (n - 1)]
        return list(dict.fromkeys(self.inside(row, env) for row in rows))

    def smallest(self, env: Env, size: int) -> Iterator[Any]:
        """Rational vectors with denominators at most ``size``, the largest denominator first."""
        n = self._drawable(env)
        entries = list(self.entries.smallest(env, size)) if n else []
        for q in sorted({entry.denominator for entry in entries}) or [1]:
            simple = [entry for entry in entries if entry.denominator <= q]
            for row in self._rows((), n, simple, limit_of(self.square_sum, env)):
                if max((entry.denominator for entry in row), default=1) == q and self.contains(row, env):
                    yield row

    def _rows(
        self, row: tuple[Any, ...], left: int, entries: list[Any], ball: float | None
    ) -> Iterator[tuple[Any, ...]]:
        """All ways to complete a row, leaving out those that the ball certainly excludes; of a long one, all alike."""
        if left == 0 or left > _ONE_BY_ONE:
            yield from ((entry,) * left for entry in entries) if left else (row,)
            return
        taken = float(sum(entry * entry for entry in row))
        least = float(min((entry * entry for entry in entries), default=0))
        for entry in entries:
            if ball is None or taken + float(entry * entry) + (left - 1) * least <= ball * (1 + 1e-12):
                yield from self._rows((*row, entry), left - 1, entries, ball)

    def every(self, env: Env) -> Iterator[Any] | None:
        """Every vector of the range where every entry has one value only, else None."""
        count = self._drawable(env)
        found = self.entries.every(env) if count else iter([0])
        if found is None:
            return None
        rows = [(value,) * count for value in found]
        inside = [self.contains(row, env) for row in rows]
        return None if None in inside else itertools.compress(rows, inside)

    def far(self, env: Env) -> Iterator[Any]:
        """Vectors with equal entries far out, where nothing limits them."""
        if self.square_sum is None and self._drawable(env):
            yield from ((value,) * self._count(env) for value in self.entries.far(env))

    def near(self, value: Any, env: Env, step: float) -> Iterator[Any]:
        """Where a search that has come here looks next: all entries stretched or made equal, some moved one by one.

        A step is a share of the range of an entry.
        """
        entries, n = [float(entry) for entry in value], len(value)
        rows = [[level] * n for level in (*self._ends(env), sum(entries) / max(n, 1))]
        rows += [[entry * factor for entry in entries] for factor in (1 - step, 1 + step)]
        for i, old in enumerate(entries[:_MOVED]):
            rows += [[*entries[:i], new, *entries[i + 1 :]] for new in self.entries.near(old, env, step)]
        yield from dict.fromkeys(self.inside(row, env) for row in rows if entries)

    def contains(self, value: Any, env: Env) -> bool | None:
        """Exact membership, or None where it cannot be decided."""
        if len(value) != self._count(env):
            return False
        # An interval holds all entries when it holds the extreme ones.
        extremes = (min(value), max(value)) if value else ()
        return all_of(iter([self._in_ball(value, env), *(self.entries.contains(entry, env) for entry in extremes)]))

    def _in_ball(self, value: Any, env: Env) -> bool | None:
        """Floats decide, with the rounding of their squares and sum allowed for; fractions what is left."""
        if self.square_sum is None:
            return True
        found = compared(math.fsum(float(entry) ** 2 for entry in value), self.square_sum, env, spread=1e-14)
        if found is not None:
            return found > 0
        squares = sum((fmpq(*entry.as_integer_ratio()) ** 2 for entry in value), fmpq(0))
        return at_most(Fraction(int(squares.p), int(squares.q)), self.square_sum, env)

    def simpler(self, value: Any, env: Env) -> Iterator[Any]:
        """What a counterexample shrinks to: equal simple entries, then one simpler entry."""
        equal = ((entry,) * len(value) for entry in self.entries.simpler(None, env))
        moved = (
            (*value[:i], entry, *value[i + 1 :])
            for i, old in enumerate(value)
            for entry in self.entries.simpler(old, env)
        )
        rows = itertools.takewhile(lambda row: row != value, itertools.chain(equal, moved))
        yield from (row for row in rows if self.contains(row, env))

    def adapt(self, value: Any, env: Env) -> Any:
        """The same entries, cut or repeated to the length, after an earlier parameter has changed."""
        n = self._drawable(env)
        kept = (*value[:n], *((value[-1:] or (0,)) * (n - len(value))))
        return kept if self.contains(kept, env) else self.inside([float(entry) for entry in kept], env)

    def relaxed(self) -> dict[str, Vector]:
        """The range without its ball, and with each limit of the entries relaxed, by the hypothesis that is removed.

        An upper limit that the ball implies goes with it.
        """
        looser: dict[str, Vector] = {}
        if self.square_sum is not None:
            radius = 1.0 if tree_names(self.square_sum) else math.sqrt(limit_of(self.square_sum, {}) or 0)
            free = Reals(self.entries.low, None, self.entries.open_low, False, 4 * max(1.0, radius))
            looser["ball"] = Vector(self.length, free if self._implied_upper() else self.entries)
        for name, entries in self.entries.relaxed().items():
            if name == "lower limit" or not self._implied_upper():
                looser[f"{name} of the entries"] = Vector(self.length, entries, self.square_sum)
        return looser

    def _implied_upper(self) -> bool:
        """Whether the ball alone keeps every entry below the upper limit."""
        high = self.entries.high
        if self.square_sum is None or high is None:
            return high is None
        return known_sign(high**2 - self.square_sum) in (0, 1)


def _shrink(values: list[float], base: float, limit: float) -> float:
    """The s ≤ 1 at which Σ (base + s(v - base))² equals the limit."""
    steps = [value - base for value in values]
    a, b = sum(d * d for d in steps), base * sum(steps)
    gap = limit - len(values) * base * base
    return 0.0 if a == 0 or gap <= 0 else min(1.0, (-b + math.sqrt(b * b + a * gap)) / a)


@dataclass(frozen=True)
class Subsets:
    """Families of ``count`` distinct subsets of {1, …, of}, each of ``size`` positions.

    Example:
        >>> from boundaudit import Subsets
        >>> Subsets(2, 3, 8).sentence("S")
        'S_1…S_2 distinct subsets of {1…8} of size 3'
    """

    count: Limit
    size: Limit
    of: Limit

    def to_json(self) -> Declaration:
        """The meaning, for fingerprints and the proof checker."""
        return {
            "range": "subsets",
            "count": tree_of(self.count),
            "size": tree_of(self.size),
            "of": tree_of(self.of),
        }

    def sentence(self, name: str) -> str:
        """One phrase for the report that names count, size and ground set."""
        count, size, of = (shown(part) for part in (self.count, self.size, self.of))
        if count == "1":
            return f"{name}_1 a subset of {{1…{of}}} of size {size}"
        return f"{name}_1…{name}_{count} distinct subsets of {{1…{of}}} of size {size}"

    def _sizes(self, env: Env) -> tuple[int, int, int]:
        count, size, of = (whole_of(part, env, -1) for part in (self.count, self.size, self.of))
        return count, size, of

    def _drawable(self, env: Env) -> tuple[int, int, int]:
        """Count, size and ground set where there are enough subsets."""
        count, size, of = self._sizes(env)
        if min(count, size, of) < 0 or count > math.comb(of, size):
            raise Empty
        return count, size, of

    def strategy(self, env: Env) -> st.SearchStrategy[Any]:
        """The Hypothesis strategy, given the earlier parameters: tuples of distinct increasing tuples of positions."""
        count, size, of = self._drawable(env)
        ranks = st.lists(st.integers(0, math.comb(of, size) - 1), min_size=count, max_size=count, unique=True)
        if math.comb(of, size) < 2 * count:
            ranks = st.permutations(range(math.comb(of, size))).map(lambda order: order[:count])
        return ranks.map(lambda found: tuple(_unrank(rank, size, of) for rank in found))

    def from_unit(self, unit: Unit, env: Env) -> Any:
        """The family at the next ``count`` coordinates of the unit cube."""
        count, size, of = self._drawable(env)
        total = math.comb(of, size)
        taken: dict[int, None] = {}
        for _ in range(count):
            rank = min(total - 1, math.floor(unit() * total))
            while rank in taken:
                rank = (rank + 1) % total
            taken[rank] = None
        return tuple(_unrank(rank, size, of) for rank in taken)

    def grid(self, env: Env) -> list[Any]:
        """Two families: the first in lexicographic order, which overlap most, and one spread over all subsets."""
        count, size, of = self._drawable(env)
        total = math.comb(of, size)
        first = tuple(_unrank(rank, size, of) for rank in range(count))
        spread = tuple(_unrank(i * total // count, size, of) for i in range(count))
        return list(dict.fromkeys([first, spread]))

    def smallest(self, env: Env, size: int) -> Iterator[Any]:
        """At most ``size`` families, in lexicographic order."""
        count, width, of = self._drawable(env)
        subsets = itertools.combinations(range(1, of + 1), width)
        yield from itertools.islice(itertools.combinations(subsets, count), size)

    def every(self, env: Env) -> Iterator[Any] | None:
        """Every family, whatever the order of its subsets, in lexicographic order."""
        count, width, of = self._sizes(env)
        if min(count, width, of) < 0:
            return iter(())
        return itertools.combinations(itertools.combinations(range(1, of + 1), width), count)

    def far(self, env: Env) -> Iterator[Any]:
        """Nothing lies beyond the families."""
        return iter(())

    def near(self, value: Any, env: Env, step: float) -> Iterator[Any]:
        """Where a search that has come here looks next: the families of the grid."""
        yield from (other for other in self.grid(env) if other != value)

    def contains(self, value: Any, env: Env) -> bool | None:
        """Exact membership."""
        count, size, of = self._sizes(env)
        well_formed = all(len(set(part)) == size and set(part) <= set(range(1, of + 1)) for part in value)
        return well_formed and len(value) == count == len({frozenset(part) for part in value})

    def simpler(self, value: Any, env: Env) -> Iterator[Any]:
        """What a counterexample shrinks to: the first family in lexicographic order."""
        first = self.grid(env)[0]
        if first != value:
            yield first

    def adapt(self, value: Any, env: Env) -> Any:
        """The same family where it still fits, after an earlier parameter has changed, else the first."""
        return value if self.contains(value, env) else self.grid(env)[0]

    def relaxed(self) -> dict[str, Subsets]:
        """The hypotheses that can be removed: none."""
        return {}


def _unrank(rank: int, size: int, of: int) -> tuple[int, ...]:
    """The subset of a given rank in lexicographic order."""
    chosen: list[int] = []
    position = 1
    while len(chosen) < size:
        with_it = math.comb(of - position, size - len(chosen) - 1)
        if rank < with_it:
            chosen.append(position)
        else:
            rank -= with_it
        position += 1
    return tuple(chosen)
