"""What a few hundred points in float64 show about the sign of an expression: a guide for searches, no proof."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import special

from boundaudit.checks.language.expression import Tree, canonical_json, from_json, names, subtract
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.domains import Domain, plain

Array: TypeAlias = npt.NDArray[np.float64]

SCALAR = ("reals", "integers", "choices")
_POINTS = 384
_EPSILON = 2.0**-50


def points(domain: Domain) -> dict[str, Array]:
    """Points spread over the scalar parameters of a domain, dense near the ends of its ranges, shape (n,) by name.

    n may be 0 where the relations leave next to nothing.
    """
    return dict(_points(canonical_json(domain)))


@functools.lru_cache(maxsize=64)
def _points(text: str) -> dict[str, Array]:
    domain = json.loads(text)
    scalars = [declared for declared in domain["parameters"] if declared["range"] in SCALAR]
    columns: dict[str, Array] = {}
    # A sequence of low discrepancy: multiples of the powers of 1/g, where g^(d+1) = g + 1.
    ratio = 2.0
    for _ in range(30):
        ratio = (1 + ratio) ** (1 / (len(scalars) + 1))
    steps = np.arange(1, _POINTS + 1)
    for k, declared in enumerate(scalars):
        units = np.asarray((steps * ratio ** -(k + 1) + 0.5) % 1.0, dtype=np.float64)
        columns[declared["name"]] = _spread(declared, units, columns)
    inside = np.ones(_POINTS, dtype=bool)
    for relation, left, right in (domain["where"][position] for position in plain(domain)):
        difference = subtract(from_json(left), from_json(right))
        if names(difference) <= set(columns):
            gap, slack = bounds(difference, columns)
            inside &= (gap <= slack) if relation[0] == "<" else (gap >= -slack)
    for column in columns.values():
        inside &= np.isfinite(column)
    return {name: column[inside] for name, column in columns.items()}


def _spread(declared: Mapping[str, Any], units: Array, columns: Mapping[str, Array]) -> Array:
    """Values of one parameter at places of the unit interval."""
    if declared["range"] == "choices":
        values = [float(bounds(from_json(value), columns)[0]) for value in declared["values"]]
        return np.asarray(np.take(values, np.minimum((units * len(values)).astype(int), len(values) - 1)))
    low, high = (None if declared[s] is None else bounds(from_json(declared[s]), columns)[0] for s in ("low", "high"))
    far = (units / (1 - units)) ** 2
    if low is not None and high is not None:
        found = low + (high - low) * units**2 * (3 - 2 * units)
    elif low is not None or high is not None:
        found = high - far if low is None else low + far  # type: ignore[operator]
    else:
        found = np.tan(math.pi * (units - 0.5)) * (1 + np.abs(units - 0.5))
    if declared["range"] == "integers":
        found = np.round(found)
    return np.asarray(found + 0 * units)


def signs(tree: Tree, columns: Mapping[str, Array]) -> npt.NDArray[np.int8]:
    """The certain signs of an expression at points: -1 or 1, and 0 where rounding hides it or there is no value."""
    value, error = bounds(tree, columns)
    with np.errstate(all="ignore"):
        sure = np.isfinite(value) & np.isfinite(error) & (np.abs(value) > 4 * error)
    return np.where(sure, np.sign(np.where(sure, value, 0)), 0).astype(np.int8)


def is_refuted(statement: Statement) -> bool:
    """Whether the goal is negative at one of the points, as far as floats tell."""
    return bool((signs(statement.goal, points(statement.domain)) < 0).any())


def bounds(tree: Tree, columns: Mapping[str, Array]) -> tuple[Array, Array]:
    """Values of an expression without sums, and bounds on their rounding errors, shape (n,), or () for a constant.

    Not finite where there is no value.
    """
    with np.errstate(all="ignore"):
        value, error = _bounds(tree, columns)
        return np.asarray(value), np.asarray(error)


def _bounds(tree: Tree, columns: Mapping[str, Array]) -> tuple[Any, Any]:
    head = tree[0]
    if head == "q":
        value = tree[1] / tree[2] if max(abs(tree[1]), tree[2]).bit_length() < 1000 else math.nan
        return value, abs(value) * _EPSILON
    if head == "v":
        return columns[tree[1]], 0.0
    if head == "pi":
        return math.pi, _EPSILON
    if head not in _RULES:
        return math.nan, math.nan
    parts = [_bounds(part, columns) for part in tree[1:]]
    return functools.reduce(_RULES[head], parts) if head in ("+", "*", "max", "min", "^") else _RULES[head](*parts)


def _add(a: Any, b: Any) -> Any:
    return a[0] + b[0], a[1] + b[1] + _EPSILON * (np.abs(a[0]) + np.abs(b[0]))


def _multiply(a: Any, b: Any) -> Any:
    value = a[0] * b[0]
    return value, np.abs(a[0]) * b[1] + np.abs(b[0]) * a[1] + a[1] * b[1] + _EPSILON * np.abs(value)


def _power(a: Any, b: Any) -> Any:
    value = np.power(np.asarray(a[0], dtype=float), b[0])
    base = np.where(a[0] == 0, 1.0, np.abs(a[0]))
    return value, np.abs(value) * (
        np.abs(b[0]) * a[1] / base + np.abs(np.log(base)) * (b[1] + _EPSILON * np.abs(b[0])) + _EPSILON
    )


def _log(a: Any) -> Any:
    return np.log(a[0]), a[1] / np.abs(a[0]) + _EPSILON * (1 + np.abs(np.log(a[0])))


def _exp(a: Any) -> Any:
    value = np.exp(a[0])
    return value, value * (a[1] + _EPSILON * (1 + np.abs(a[0])))


def _erf(a: Any) -> Any:
    return special.erf(a[0]), 2 * a[1] + _EPSILON


def _gamma(a: Any) -> Any:
    value = special.gamma(a[0])
    return value, np.abs(value) * (np.abs(special.digamma(a[0])) * a[1] + 16 * _EPSILON * (1 + np.abs(a[0])))


_RULES: dict[str, Any] = {
    "+": _add,
    "*": _multiply,
    "^": _power,
    "log": _log,
    "exp": _exp,
    "erf": _erf,
    "gamma": _gamma,
    "sin": lambda a: (np.sin(a[0]), a[1] + _EPSILON),
    "cos": lambda a: (np.cos(a[0]), a[1] + _EPSILON),
    "abs": lambda a: (np.abs(a[0]), a[1]),
    "max": lambda a, b: (np.maximum(a[0], b[0]), np.maximum(a[1], b[1])),
    "min": lambda a, b: (np.minimum(a[0], b[0]), np.maximum(a[1], b[1])),
}
