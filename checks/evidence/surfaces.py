"""Relations as surfaces, in floating point: where they vanish, and which are equalities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from boundaudit.checks.language.expression import Tree
from boundaudit.checks.language.floats import Array, evaluate_float, float_column


def root_of(slack: Tree, name: str, table: Mapping[str, Array], turn: Array) -> Array:
    """Where the parabola through three values of a slack vanishes: the nearer place, or, where turn < 0, the other."""
    here = table[name]
    width = np.maximum(np.abs(here), 1.0)
    c, above, below = (evaluate_float(slack, {**table, name: here + k * width}) for k in (0, 1, -1))
    a, b = (above + below) / 2 - c, (above - below) / 2
    # The roots of a t² + b t + c without cancellation: c/q, which is the smaller one, and q/a.
    q = -(b + np.where(b < 0, -1.0, 1.0) * np.sqrt(b * b - 4 * a * c)) / 2
    straight = np.abs(a) <= 1e-12 * (np.abs(b) + np.abs(c))
    return np.asarray(here + width * np.where(straight | (turn > 0), c / q, q / a))


def surfaces(slacks: Sequence[Tree], table: Mapping[str, Array]) -> list[tuple[Tree, bool]]:
    """The relations, of two that say an equality together only one, and whether it is one."""
    found: list[tuple[Tree, bool]] = []
    values: list[Array] = []
    for slack in slacks:
        value = float_column(slack, table, len(next(iter(table.values()))))
        opposite = [k for k, other in enumerate(values) if np.allclose(value, -other, rtol=1e-9, atol=0)]
        if opposite:
            found[opposite[0]] = (found[opposite[0]][0], True)
        else:
            found.append((slack, False))
            values.append(value)
    return found
