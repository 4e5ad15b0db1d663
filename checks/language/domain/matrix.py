"""Where a matrix ranges: a vector of its entries, row by row, and the shapes of matrix that inequalities turn on."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from boundaudit import InputError
from boundaudit.checks.language.domain.compound import Vector
from boundaudit.checks.language.domain.limits import (
    Declaration,
    Empty,
    Env,
    Limit,
    Unit,
    known_sign,
    shown,
    tree_of,
    whole_of,
)
from boundaudit.checks.language.domain.reals import Reals

Rows = tuple[tuple[Any, ...], ...]

_PATTERNS: tuple[Callable[[int, int], int], ...] = (
    lambda i, j: int(i == j == 0),
    lambda i, j: int(i == j),
    lambda i, j: 1,
    lambda i, j: (-1) ** (i + j),
    lambda i, j: (-1) ** (i & j).bit_count(),
    lambda i, j: int(j == i + 1),
)
"""One entry, the identity, equal entries, another of rank one, Hadamard's signs (orthogonal up to a factor where the
size is a power of two), and a nilpotent shift."""
_DRAWN = 64
"""Entries that Hypothesis draws one by one; beyond, they come again."""


@dataclass(frozen=True)
class Matrix:
    """Matrices of ``rows`` by ``columns`` reals, at least one of each, with entries in ``entries``.

    With ``square_sum``, the squared Frobenius norm is at most that. A point holds a matrix as a tuple of its rows, and
    so does a measurement get it; `boundaudit.checks.measurements.by_shape` makes tensors of those of one shape.
    Expressions read its entries, ``A[i, j]`` of ``sympy.IndexedBase("A")``. Numeric methods look at every size that its
    parameters are tested to: a ``tested_to`` of about eight is enough for most claims, and sixty-four, the default,
    makes them slow.

    Example:
        >>> import sympy as sp
        >>> import torch
        >>> from boundaudit import Domain, Integers, Matrix, Quantity, Reals
        >>> from boundaudit.checks.measurements import by_shape
        >>> n, A, B = sp.Symbol("n", integer=True, positive=True), sp.Symbol("A"), sp.Symbol("B")
        >>> unit = Matrix(n, n, Reals(-1, 1))
        >>> domain = Domain({n: Integers(1, tested_to=4), A: unit, B: unit})
        >>> domain.sentence()
        '1 ≤ n; A ∈ ℝ^{n×n}, entries in [-1, 1]; B ∈ ℝ^{n×n}, entries in [-1, 1]'
        >>> norm = by_shape(lambda A, B: torch.linalg.matrix_norm(A @ B, 2), "A", "B")
        >>> product = Quantity("norm of the product", norm, "‖AB‖_2")
        >>> product.measure([{"n": 2, "A": ((0, 1), (0, 0)), "B": ((1, 0), (0, 1))}], "cpu").tolist()
        [1.0]
    """

    rows: Limit
    columns: Limit
    entries: Reals = field(default_factory=Reals)
    square_sum: Limit = None

    def __post_init__(self) -> None:
        """An empty matrix would not know its shape."""
        for name, size in (("rows", self.rows), ("columns", self.columns)):
            if known_sign(size) in (-1, 0):
                raise InputError(f"Matrix.{name}", "at least 1", size, "give the matrix a shape")

    def to_json(self) -> Declaration:
        """The meaning, for fingerprints and the proof checker."""
        shape = {"rows": tree_of(self.rows), "columns": tree_of(self.columns)}
        return self.entries.to_json() | {"range": "matrix", **shape, "square_sum": tree_of(self.square_sum)}

    def sentence(self, name: str) -> str:
        """One phrase for the report, such as ``A ∈ ℝ^{m×n}, entries in [-1, 1]``."""
        sizes = (shown(size) for size in self._limits)
        shape = "×".join(size if size.isdigit() or size.isidentifier() else f"({size})" for size in sizes)
        low, high = self.entries.low, self.entries.high
        text = f"{name} ∈ ℝ^{{{shape}}}"
        if low is not None or high is not None:
            left = "(-∞" if low is None else f"{'(' if self.entries.open_low else '['}{shown(low)}"
            right = "∞)" if high is None else f"{shown(high)}{')' if self.entries.open_high else ']'}"
            text += f", entries in {left}, {right}"
        return text if self.square_sum is None else f"{text}, ‖{name}‖_F² ≤ {shown(self.square_sum)}"

    @property
    def _limits(self) -> tuple[Limit, Limit]:
        return self.rows, self.columns

    def _shape(self, env: Env) -> tuple[int, int]:
        rows, columns = (whole_of(size, env, -1) for size in self._limits)
        if min(rows, columns) < 1:
            raise Empty
        return rows, columns

    def _flat(self, env: Env) -> Vector:
        """Where the entries range, row by row."""
        rows, columns = self._shape(env)
        return Vector(rows * columns, self.entries, self.square_sum)

    def _folded(self, entries: Sequence[Any], env: Env) -> Rows:
        rows, columns = self._shape(env)
        return tuple(tuple(entries[i * columns : (i + 1) * columns]) for i in range(rows))

    def _pulled(self, entries: list[float], env: Env) -> Rows:
        """A matrix of the range near one with these entries."""
        return self._folded(self._flat(env).inside(entries, env), env)

    def _patterns(self, env: Env) -> list[list[int]]:
        rows, columns = self._shape(env)
        places = list(itertools.product(range(rows), range(columns)))
        return [[pattern(i, j) for i, j in places] for pattern in _PATTERNS]

    def strategy(self, env: Env) -> st.SearchStrategy[Any]:
        """The Hypothesis strategy, given the earlier parameters: matrices of the grid, and tuples of rows of floats."""
        count = self._flat(env).length
        entry = st.floats(*self.entries.ends(env))
        drawn = st.lists(entry, min_size=min(count, _DRAWN), max_size=min(count, _DRAWN))
        free = drawn.map(lambda entries: self._pulled(list(itertools.islice(itertools.cycle(entries), count)), env))
        return st.one_of(st.sampled_from(self.grid(env)), free)

    def from_unit(self, unit: Unit, env: Env) -> Rows:
        """The matrix at the next coordinates of the unit cube; the first says of what kind it is.

        Half of them have free entries, the others are of rank one, sparse, or near an orthogonal one.
        """
        kind = unit()
        rows, columns = self._shape(env)
        if kind <= 0.5:
            return self._folded(self._flat(env).from_unit(unit, env), env)
        make = (_of_rank_one, _sparse, _reflection)[min(2, int(6 * kind - 3))]
        low, high = self.entries.ends(env)
        return self._pulled([max(-low, high) * share for share in make(rows, columns, unit)], env)

    def grid(self, env: Env) -> list[Any]:
        """Equal entries at the grid of the entries, and the largest entry in patterns; all pulled into the ball."""
        high = self.entries.ends(env)[1]
        patterns = self._patterns(env)
        found = [[value] * len(patterns[0]) for value in (0, *self.entries.grid(env))]
        found += [[high * share for share in pattern] for pattern in patterns]
        return list(dict.fromkeys(self._pulled(entries, env) for entries in found))

    def smallest(self, env: Env, size: int) -> Iterator[Any]:
        """Rational matrices with one of the first ``size + 1`` values of entries in a pattern, the simplest first."""
        flat, patterns = self._flat(env), self._patterns(env)
        values = list(itertools.islice(self.entries.smallest(env, size), size + 1))
        found = (tuple(value * share for share in pattern) for value in values for pattern in patterns)
        yield from (self._folded(entries, env) for entries in dict.fromkeys(found) if flat.contains(entries, env))

    def every(self, env: Env) -> Iterator[Any] | None:
        """Every matrix of the range where every entry has one value only, else None."""
        found = self._flat(env).every(env)
        return None if found is None else (self._folded(entries, env) for entries in found)

    def far(self, env: Env) -> Iterator[Any]:
        """Matrices with equal entries far out, where nothing limits them."""
        yield from (self._folded(entries, env) for entries in self._flat(env).far(env))

    def near(self, value: Any, env: Env, step: float) -> Iterator[Any]:
        """Where a search that has come here looks next: as for the vector of the entries."""
        yield from (self._folded(entries, env) for entries in self._flat(env).near(_entries(value), env, step))

    def contains(self, value: Any, env: Env) -> bool | None:
        """Exact membership, or None where it cannot be decided."""
        rows, columns = (whole_of(size, env, -1) for size in self._limits)
        well_formed = rows >= 1 and len(value) == rows and all(len(row) == columns >= 1 for row in value)
        return well_formed and self._flat(env).contains(_entries(value), env)

    def simpler(self, value: Any, env: Env) -> Iterator[Any]:
        """What a counterexample shrinks to: zeros and ones in patterns, equal simple entries, one simpler entry."""
        entrywise = (self._folded(entries, env) for entries in self._flat(env).simpler(_entries(value), env))
        yield from itertools.takewhile(lambda other: other != value, itertools.chain(self.smallest(env, 1), entrywise))

    def adapt(self, value: Any, env: Env) -> Rows:
        """The same corner, cut or filled up with zeros to the shape, after an earlier parameter has changed."""
        rows, columns = self._shape(env)
        kept = [(*row[:columns], *([0] * (columns - len(row)))) for row in value[:rows]]
        kept += [(0,) * columns] * (rows - len(kept))
        return tuple(kept) if self.contains(kept, env) else self._pulled([float(x) for x in _entries(kept)], env)

    def relaxed(self) -> dict[str, Matrix]:
        """The range without its ball, and with each limit of the entries relaxed, as for a vector."""
        looser = Vector(1, self.entries, self.square_sum).relaxed()
        return {what: Matrix(*self._limits, freed.entries, freed.square_sum) for what, freed in looser.items()}


def _entries(value: Any) -> tuple[Any, ...]:
    return tuple(itertools.chain.from_iterable(value))


def _signed(count: int, unit: Unit) -> list[float]:
    return [2 * unit() - 1 for _ in range(count)]


def _of_rank_one(rows: int, columns: int, unit: Unit) -> list[float]:
    across, down = _signed(columns, unit), _signed(rows, unit)
    return [x * y for x in down for y in across]


def _sparse(rows: int, columns: int, unit: Unit) -> list[float]:
    """One entry in every row."""
    places = [(int(unit() * columns), size) for size in _signed(rows, unit)]
    return [size if j == place else 0.0 for place, size in places for j in range(columns)]


def _reflection(rows: int, columns: int, unit: Unit) -> list[float]:
    """A corner of the reflection along a vector."""
    along = _signed(max(rows, columns), unit)
    squares = sum(x * x for x in along) or 1.0
    return [(i == j) - 2 * along[i] * along[j] / squares for i in range(rows) for j in range(columns)]
