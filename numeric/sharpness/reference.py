"""The network of paper 1 once more, with many digits, for one target and one input.

Written from Appendix B of Lintilhac & Shaikh 2026 with mpmath, apart from the tensor code
that it checks: plain lists of lists, multiplied out token by token. Indices count from 0.
Sets of several sizes and negative coefficients follow our own extension of the construction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from mpmath import mp

from boundaudit.numeric.sharpness.construction import Layout
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import Target

DIGITS = 50


def output(
    target: Target,
    bits: str,
    *,
    layout: Layout = "published",
    mlp: Trapezoid = "steep",
    scale: float = 2.0,
    digits: int = DIGITS,
) -> Any:
    """The network's output for one input.

    Args:
        target: the target.
        bits: the input as digits 0 and 1, from position 1.
        layout: the channels.
        mlp: the trapezoid.
        scale: λ, or infinity for the ideal network.
        digits: decimal digits to compute with.

    Returns:
        The output, an mpmath number.
    """
    with mp.workdps(digits):
        blocks = _blocks(target, layout, mlp, scale)
        tokens = range(target.length + 1)
        width = len(blocks["V2"])
        x = [[mp.mpf(j == i) for i in range(width)] for j in tokens]
        for j, bit in enumerate(bits):
            x[j][target.length + 1] = mp.mpf(bit)
        x2 = []
        for t in tokens:
            a1 = _attention(x, blocks["W1"], x[t], _first_support(target, t, scale))
            b = _row_times([mp.fdot(a1, [row[i] for row in x]) for i in range(width)], blocks["V1"])
            read = [p + y for p, y in zip(_position(x[t]), b, strict=True)] if layout == "extended" else b
            pre = _row_times(read, blocks["M"])
            hidden = [max(mp.mpf(0), p + g) for p, g in zip(pre, blocks["Gamma"], strict=True)]
            carried = x[t] if layout == "separate-data" else _position(x[t])
            x2.append([u + v for u, v in zip(carried, _row_times(hidden, blocks["F"]), strict=True)])
        a2 = _attention(x2, blocks["W2"], x2[-1], range(target.sparsity) if math.isinf(scale) else tokens)
        return mp.fdot(a2, [mp.fdot(row, blocks["V2"]) for row in x2])


def norms_squared(
    target: Target,
    *,
    layout: Layout = "published",
    mlp: Trapezoid = "steep",
    scale: float = 2.0,
    digits: int = DIGITS,
) -> dict[str, Any]:
    """The squared norm of each block and the total, from all entries.

    Args:
        target: the target.
        layout: the channels.
        mlp: the trapezoid.
        scale: λ, or infinity (the weights of λ = 2).
        digits: decimal digits to compute with.

    Returns:
        mpmath numbers by the name of the block, and under ``"total"``.
    """
    with mp.workdps(digits):
        norms = {}
        for name, block in _blocks(target, layout, mlp, scale).items():
            rows = block if isinstance(block[0], list) else [block]
            norms[name] = mp.fsum(entry**2 for row in rows for entry in row)
        return norms | {"total": mp.fsum(norms.values())}


def _blocks(target: Target, layout: Layout, mlp: Trapezoid, scale: float) -> dict[str, list[Any]]:
    """Return all blocks as lists (vectors) and lists of rows (matrices)."""
    length, degree = target.length, _grid_degree(target)
    width = length + (3 if layout in {"separate-data", "separate-positions"} else 2)
    logit = (2 if math.isinf(scale) else mp.mpf(scale)) * mp.log(length)
    gamma, readout = _hidden_units(degree, mlp)
    w1, v1, w2 = (_zeros(width, width) for _ in range(3))
    m, f, v2 = _zeros(width, len(gamma)), _zeros(len(gamma), width), _zeros(1, width)[0]
    total = mp.fsum(abs(mp.mpf(c)) for c in target.coefficients)
    for t, (component, c) in enumerate(zip(target.components, target.coefficients, strict=True)):
        for position in component:
            w1[position - 1][t] = logit
        if len(component) < degree:
            w1[length][t] = logit + mp.log(degree - len(component))
        if c < 0:
            m[t], v2[t] = [mp.mpf(1) / degree] * len(gamma), -total
        w2[t][length] = mp.log(abs(mp.mpf(c))) + logit
    v1[length + 1][-1] = mp.mpf(1)
    m[-1] = [mp.mpf(1)] * len(gamma)
    for row, weight in zip(f, readout, strict=True):
        row[-1] = weight
    v2[-1] = total
    return {"W1": w1, "V1": v1, "M": m, "Gamma": gamma, "F": f, "W2": w2, "V2": v2}


def _grid_degree(target: Target) -> int:
    """Return the number of grid steps that the counts of ones and a step for each negative component need."""
    pairs = zip(target.components, target.coefficients, strict=True)
    return max(len(component) + (1 if c < 0 else 0) for component, c in pairs)


def _position(token: list[Any]) -> list[Any]:
    """Return a token of T+2 channels without its bit."""
    return [*token[:-1], mp.mpf(0)]


def _hidden_units(degree: int, mlp: Trapezoid) -> tuple[list[Any], list[Any]]:
    """Return biases and output weights of the 4(D+1) units."""
    gamma, readout = [], []
    far, height = (2, 4 * degree) if mlp == "steep" else (3, 2 * degree)
    for i in range(degree + 1):
        for offset, sign in ((-far, 1), (-1, -1), (1, -1), (far, 1)):
            gamma.append(-mp.mpf(i) / degree - mp.mpf(offset) / (4 * degree))
            readout.append(mp.mpf(height * sign if i % 2 == 0 else 0))
    return gamma, readout


def _first_support(target: Target, t: int, scale: float) -> Sequence[int]:
    """Return the keys that row t of layer 1 may attend to."""
    if math.isinf(scale) and t < target.sparsity:
        component = target.components[t]
        idle = [target.length] if len(component) < _grid_degree(target) else []
        return [position - 1 for position in component] + idle
    return range(target.length + 1)


def _attention(keys: list[Any], weight: list[Any], query: list[Any], support: Sequence[int]) -> list[Any]:
    """Return the softmax over the support of the logits key^T W query; zero outside it."""
    wanted = [mp.fdot(row, query) for row in weight]
    mass = [mp.exp(mp.fdot(key, wanted)) if j in support else mp.mpf(0) for j, key in enumerate(keys)]
    total = mp.fsum(mass)
    return [value / total for value in mass]


def _row_times(row: list[Any], matrix: list[Any]) -> list[Any]:
    """Return the row vector times the matrix."""
    return [mp.fdot(row, column) for column in zip(*matrix, strict=True)]


def _zeros(rows: int, columns: int) -> list[Any]:
    """Return a matrix of zeros as a list of rows."""
    return [[mp.mpf(0)] * columns for _ in range(rows)]
