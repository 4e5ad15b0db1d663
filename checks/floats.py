"""Values of expression trees at a batch of points, in float64."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from boundaudit.checks.expression import Tree

Array: TypeAlias = npt.NDArray[np.float64]

_UNARY_FLOAT = {"log": np.log, "exp": np.exp, "sin": np.sin, "cos": np.cos, "abs": np.abs, "floor": np.floor}
_BINARY_FLOAT = {"+": np.add, "*": np.multiply, "max": np.maximum, "min": np.minimum}


def evaluate_float(tree: Tree, columns: Mapping[str, Array]) -> Array:
    """The values at a batch of points in float64.

    Args:
        tree: The expression.
        columns: By parameter name, an array of shape (n,), or (n, k) for vectors padded to length k.

    Returns:
        Shape (n,), or () for a constant; NaN or infinite where the expression has no finite value.
    """
    with np.errstate(all="ignore"):
        return np.asarray(_float(tree, columns), dtype=np.float64)


def _float(tree: Tree, columns: Mapping[str, Array]) -> Any:
    head = tree[0]
    if head == "q":
        return _nearest(tree[1], tree[2])
    if head == "v":
        return columns[tree[1]]
    if head == "pi":
        return np.pi
    if head == "item":
        vector = columns[tree[1]]
        index = np.broadcast_to(np.asarray(_float(tree[2], columns), dtype=np.int64), vector.shape[:1])
        framed = np.pad(vector, ((0, 0), (1, 1)), constant_values=np.nan)
        return np.take_along_axis(framed, np.clip(index, 0, vector.shape[1] + 1)[:, None], axis=1)[:, 0]
    if head == "sum":
        return _float_sum(tree, columns)
    values = [_float(part, columns) for part in tree[1:]]
    if head == "^":
        return np.power(np.asarray(values[0], dtype=np.float64), values[1])
    if head in _UNARY_FLOAT:
        return _UNARY_FLOAT[head](values[0])
    return functools.reduce(_BINARY_FLOAT[head], values)


def _nearest(numerator: int, denominator: int) -> float:
    """The float nearest to a rational; infinite where it is larger than every float."""
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf if numerator > 0 else -math.inf


def _float_sum(tree: Tree, columns: Mapping[str, Array]) -> Any:
    low, high = (np.asarray(_float(part, columns)) for part in tree[2:4])
    if high.size == 0:
        return high
    total: Any = 0.0
    for i in range(int(low.min()), int(high.max()) + 1):
        term = _float(tree[4], {**columns, tree[1]: np.asarray(float(i))})
        total = total + np.where((low <= i) & (i <= high), term, 0.0)
    return total
