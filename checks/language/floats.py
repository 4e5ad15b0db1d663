"""Values of expression trees at a batch of points, in float64."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from boundaudit.checks.language.arithmetic import LONGEST_SUM
from boundaudit.checks.language.dag import shared
from boundaudit.checks.language.expression import FOLDS, Tree, children

Array: TypeAlias = npt.NDArray[np.float64]

_UNARY_FLOAT = {"log": np.log, "exp": np.exp, "sin": np.sin, "cos": np.cos, "abs": np.abs, "floor": np.floor}
_CONDITIONS = {"if<": np.less, "if<=": np.less_equal, "if=": np.equal}
_BINARY_FLOAT = {"+": np.add, "*": np.multiply, "max": np.maximum, "min": np.minimum}


def evaluate_float(tree: Tree, columns: Mapping[str, Array]) -> Array:
    """The values at n points in float64, shape (n,), or () for a constant.

    They are NaN or infinite where the expression has no finite value. Columns by parameter are of shape (n,), or (n, k)
    for vectors padded to length k.
    """
    dag = shared(tree)
    with np.errstate(all="ignore"):
        summation = _Summation(remembered=dag is not None)
        value = _plain(tree, columns, summation) if dag is None else dag.value(columns, _combined, summation)
        return np.asarray(value, dtype=np.float64)


def float_column(tree: Tree, columns: Mapping[str, Array], count: int) -> Array:
    """The same at so many points, of a constant too: shape (n,)."""
    return np.broadcast_to(evaluate_float(tree, columns), (count,))


def size_of(tree: Tree, columns: Mapping[str, Array]) -> Array:
    """How large the terms of a sum are together."""
    parts = tree[1:] if tree[0] == "+" else (tree,)
    return np.asarray(sum(np.abs(evaluate_float(part, columns)) for part in parts))


def gross(tree: Tree) -> Tree:
    """What the terms of a formula come to where none cancels another: floating point rounds relative to that.

    The same formula with absolute values in sums and products; of a logarithm also how its argument is rounded.
    """
    head = tree[0]
    if head == "q":
        return ("q", abs(tree[1]), tree[2])
    if head in ("+", "*"):
        return (head, *map(gross, tree[1:]))
    if head == "sum":
        return (*tree[:3], gross(tree[3]))
    if head == "log":
        return ("+", ("abs", tree), ("*", gross(tree[1]), ("^", ("abs", tree[1]), ("q", -1, 1))))
    return ("abs", tree)


def _plain(tree: Tree, columns: Mapping[str, Array], summation: _Summation, indices: tuple[Array, ...] = ()) -> Any:
    if tree[0] == "b":
        return indices[tree[1]]
    if tree[0] in FOLDS:
        low, high = (_plain(part, columns, summation, indices) for part in tree[1:3])
        return summation(tree[0], low, high, lambda i: _plain(tree[3], columns, summation, (i, *indices)))
    if tree[0] == "log" and tree[1][0] == "gamma":
        return _log_gamma(_plain(tree[1][1], columns, summation, indices))
    return _combined(tree, [_plain(part, columns, summation, indices) for part in children(tree)], columns)


def _combined(tree: Tree, values: Sequence[Any], columns: Mapping[str, Array]) -> Any:
    head = tree[0]
    if head == "q":
        return _nearest(tree[1], tree[2])
    if head == "v":
        return columns[tree[1]]
    if head == "pi":
        return np.pi
    if head == "item":
        return _entry(columns[tree[1]], [np.asarray(i, dtype=np.int64) for i in values])
    if head == "^":
        return np.power(np.asarray(values[0], dtype=np.float64), values[1])
    if head in ("gamma", "erf", "binomial"):
        return _special(tree, values)
    if head in _CONDITIONS:
        return np.where(~np.isfinite(values[0]), np.nan, np.where(_CONDITIONS[head](values[0], 0.0), *values[1:]))
    if head in _UNARY_FLOAT:
        return _UNARY_FLOAT[head](values[0])
    return functools.reduce(_BINARY_FLOAT[head], values)


def _entry(column: Array, indices: Sequence[npt.NDArray[np.int64]]) -> Array:
    """An entry of a vector or a matrix, counted from one; NaN where there is none."""
    points, *lengths = column.shape
    if 0 in lengths:
        return np.full(points, np.nan)
    held = [i == np.clip(i, 1, n) for i, n in zip(indices, lengths, strict=True)]
    there = (np.clip(i, 1, n) - 1 for i, n in zip(indices, lengths, strict=True))
    return np.where(functools.reduce(np.logical_and, held), column[np.arange(points), *there], np.nan)


def _special(tree: Tree, values: Sequence[Any]) -> Any:
    """Gamma function, its logarithm, error function, binomial coefficient; SciPy is loaded where one occurs."""
    from scipy import special

    if tree[0] == "binomial":
        n, k = np.broadcast_arrays(*values)
        return np.where(n < 0, np.nan, np.where((k < 0) | (k > n), 0.0, special.binom(n, np.clip(k, 0, n))))
    return {"gamma": special.gamma, "erf": special.erf}[tree[0]](values[0])


def _log_gamma(value: Any) -> Any:
    """Log Γ where Γ itself would overflow; NaN where it is not positive."""
    from scipy import special

    return np.where(special.gammasgn(value) > 0, special.gammaln(value), np.nan)


def _nearest(numerator: int, denominator: int) -> float:
    """The float nearest to a rational; infinite where it is larger than every float."""
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf if numerator > 0 else -math.inf


_BLOCK = 2**17
"""Numbers that a block of the terms of a sum may have, over all points."""
_APART = 1000
"""Times its length that the terms of a sum may spread, over all points, for all to run over the same indices."""
_JOINED: dict[str, tuple[Any, float]] = {"sum": (np.add, 0.0), "product": (np.multiply, 1.0)}
"""How terms are joined, and what there is without any."""


class _Summation:
    """Sums and products: the outermost in blocks of terms, those inside term by term.

    A sum inside is as long as at the points alone where the term around it counts, but not where its value is
    `remembered` for other terms.
    """

    def __init__(self, *, remembered: bool) -> None:
        self._inside = False
        self._remembered = remembered
        self._among: Any = True

    def __call__(self, head: str, low: Any, high: Any, body: Callable[[Array], Any]) -> Any:
        """A sum or a product from its limits, for each point; NaN where it is too long to be added up."""
        join, none = _JOINED[head]
        low, high = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
        if high.size == 0:
            return high
        long = (high - low >= LONGEST_SUM) | (low != np.floor(low)) | (high != np.floor(high))
        high = np.where(long | ~np.asarray(self._among), low - 1, high)
        first, last = int(low.min()), int(high.max())
        longest = int((high - low).max()) + 1
        if last - first > _APART * max(longest, 1):  # short ones, far from each other: counted from their own begin
            terms = self._terms((low + k for k in range(longest)), low, high, body, none)
            return np.where(long, np.nan, functools.reduce(join, terms, none))
        if self._inside:
            terms = self._terms((np.asarray(float(i)) for i in range(first, last + 1)), low, high, body, none)
            return np.where(long, np.nan, functools.reduce(join, terms, none))
        self._inside = True
        try:
            return np.where(long, np.nan, functools.reduce(join, _blocks(head, low, high, body, first, last), none))
        finally:
            self._inside = False

    def _terms(
        self, indices: Iterator[Array], low: Array, high: Array, body: Callable[[Array], Any], none: float
    ) -> Iterator[Array]:
        """Term after term, of each point those within its limits."""
        around = self._among
        for index in indices:
            among = (low <= index) & (index <= high)
            self._among = around if self._remembered else among
            yield np.where(among, body(index), none)
            self._among = around


def _blocks(head: str, low: Array, high: Array, body: Callable[[Array], Any], first: int, last: int) -> Iterator[Array]:
    """Blocks of terms, joined: the index has shape (k, 1), and the body (k, n) where it depends on the point."""
    join, none = _JOINED[head]
    rows = max(1, _BLOCK // max(low.size, high.size))
    for start in range(first, last + 1, rows):
        index = np.arange(start, min(start + rows, last + 1), dtype=np.float64)[:, None]
        terms = np.asarray(body(index))
        if terms.size == len(index) and low.size == 1:
            # The same terms for every point: it takes the first of them, up to its own end.
            taken = np.clip(np.floor(high) - start + 1, 0, len(index)).astype(np.int64)
            yield np.append(none, join.accumulate(terms.ravel()))[taken]
        else:
            yield join.reduce(np.where((low <= index) & (index <= high), terms, none), axis=0)
