"""Values of expression trees at a batch of points, in float64."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from boundaudit.checks.language.dag import shared
from boundaudit.checks.language.expression import Tree, children

Array: TypeAlias = npt.NDArray[np.float64]

_UNARY_FLOAT = {"log": np.log, "exp": np.exp, "sin": np.sin, "cos": np.cos, "abs": np.abs, "floor": np.floor}
_CONDITIONS = {"if<": np.less, "if<=": np.less_equal, "if=": np.equal}
_BINARY_FLOAT = {"+": np.add, "*": np.multiply, "max": np.maximum, "min": np.minimum}


def evaluate_float(tree: Tree, columns: Mapping[str, Array]) -> Array:
    """The values at a batch of points in float64.

    Args:
        tree: The expression.
        columns: By parameter name, an array of shape (n,), or (n, k) for vectors padded to length k.

    Returns:
        Shape (n,), or () for a constant; NaN or infinite where the expression has no finite value.
    """
    dag = shared(tree)
    with np.errstate(all="ignore"):
        value = _plain(tree, columns) if dag is None else dag.value(columns, _combined, _total)
        return np.asarray(value, dtype=np.float64)


def _plain(tree: Tree, columns: Mapping[str, Array], indices: tuple[Array, ...] = ()) -> Any:
    if tree[0] == "b":
        return indices[tree[1]]
    if tree[0] == "sum":
        low, high = (_plain(part, columns, indices) for part in tree[1:3])
        return _total(low, high, lambda i: _plain(tree[3], columns, (i, *indices)))
    if tree[0] == "log" and tree[1][0] == "gamma":
        return _log_gamma(_plain(tree[1][1], columns, indices))
    return _combined(tree, [_plain(part, columns, indices) for part in children(tree)], columns)


def _combined(tree: Tree, values: Sequence[Any], columns: Mapping[str, Array]) -> Any:
    head = tree[0]
    if head == "q":
        return _nearest(tree[1], tree[2])
    if head == "v":
        return columns[tree[1]]
    if head == "pi":
        return np.pi
    if head == "item":
        vector = columns[tree[1]]
        index = np.broadcast_to(np.asarray(values[0], dtype=np.int64), vector.shape[:1])
        framed = np.pad(vector, ((0, 0), (1, 1)), constant_values=np.nan)
        return np.take_along_axis(framed, np.clip(index, 0, vector.shape[1] + 1)[:, None], axis=1)[:, 0]
    if head == "^":
        return np.power(np.asarray(values[0], dtype=np.float64), values[1])
    if head in ("gamma", "erf", "binomial"):
        return _special(tree, values)
    if head in _CONDITIONS:
        return np.where(np.isnan(values[0]), np.nan, np.where(_CONDITIONS[head](values[0], 0.0), *values[1:]))
    if head in _UNARY_FLOAT:
        return _UNARY_FLOAT[head](values[0])
    return functools.reduce(_BINARY_FLOAT[head], values)


def _special(tree: Tree, values: Sequence[Any]) -> Any:
    """Gamma function, its logarithm, error function, binomial coefficient; SciPy is loaded where one occurs."""
    from scipy import special

    if tree[0] == "binomial":
        n, k = np.broadcast_arrays(*values)
        return np.where((k < 0) | (k > n), 0.0, special.binom(n, np.clip(k, 0, n)))
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


def _total(low: Any, high: Any, body: Callable[[Array], Any]) -> Any:
    low, high = np.asarray(low), np.asarray(high)
    if high.size == 0:
        return high
    total: Any = 0.0
    for i in range(int(low.min()), int(high.max()) + 1):
        total = total + np.where((low <= i) & (i <= high), body(np.asarray(float(i))), 0.0)
    return total
