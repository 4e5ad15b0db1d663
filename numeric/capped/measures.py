"""What is read of a trained head's weights to compare its gap with those of others, by the sums that bounds take."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from boundaudit.numeric.capped.heads import MAPS
from boundaudit.numeric.covering.bounds import Caps, single_layer_capacity
from boundaudit.numeric.covering.head import Head
from boundaudit.numeric.schatten.proxy import contribution, index_grid
from boundaudit.numeric.spectra import Spectrum, spectrum

_LEAST = 1e-100
"""What stands for the norm of a map that vanishes, where logarithms are taken."""
_ROUNDING, _FEWEST = 1e-20, 3
"""Eigenvalues below this part of the largest are rounding; so few others show no power law."""


def measures(head: Head) -> dict[str, float | None]:
    """Every measure of a head, of its weights as trained and not of its caps; the larger, the larger a gap is allowed.

    Args:
        head: A single one.

    Returns:
        ``entries`` and ``rows``, the capacities by (1,1) and (2,1) norms with sharp constants; ``schatten``, Sakai &
        Imaizumi's sum over the maps, each at its best index; ``operators``, the product of the operator norms;
        ``weight``, the Euclidean norm of all weights; ``alpha``, the mean power-law exponent of the matrices that have
        one, else None.
    """
    # The maps as they act on columns, so that rows are rows.
    acting = {"key": head.key, "value": head.value.mT, "out": head.out.mT, "read": head.read[None]}
    found = {name: spectrum(matrix) for name, matrix in acting.items()}
    operators = {name: max(each.operator, _LEAST) for name, each in found.items()}
    exponents = [fit for name in MAPS[:3] if (fit := power_law(found[name].values)) is not None]
    return {
        "entries": _capacity(head, operators, {name: each.entries for name, each in found.items()}, "entries"),
        "rows": _capacity(head, operators, {name: each.rows for name, each in found.items()}, "rows"),
        "schatten": _schatten(found, operators, head.read.shape[-1]),
        "operators": math.prod(operators.values()),
        "weight": math.hypot(*(each.frobenius for each in found.values())),
        "alpha": math.fsum(exponents) / len(exponents) if exponents else None,
    }


def _capacity(head: Head, operators: dict[str, float], norms: dict[str, float], kind: str) -> float:
    width, inner = head.value.shape
    caps: dict[str, Any] = {name: max(norm, _LEAST) for name, norm in norms.items()}
    caps |= {f"{name}_operator": norm for name, norm in operators.items()}
    return single_layer_capacity(Caps(dim=width, inner=inner, **caps), softmax="sharp", norms=kind).total


def _schatten(found: dict[str, Spectrum], operators: dict[str, float], width: int) -> float:
    """A map moves the output by the product of the others' operator norms; a query that turns, with the values'."""
    after = operators["read"] * operators["out"]
    scales = {
        "key": after * operators["value"], "value": after, "out": operators["read"] * operators["value"],
        "read": operators["out"] * operators["value"],
    }  # fmt: skip
    indices = index_grid(1, width)
    least = (min(contribution(found[name], p, scales[name], width) for p in indices) for name in MAPS)
    return math.fsum(least) + 1


def power_law(singular: Tensor) -> float | None:
    """The exponent of a power law for the tail of the eigenvalues σ², at the threshold that fits best.

    By maximum likelihood, 1 + n / Σ ln(λ_i / λ_min), for each eigenvalue as λ_min, and the one with the least
    Kolmogorov distance (Clauset, Shalizi & Newman 2009), as practitioners compute it (Martin & Mahoney 2021).

    Args:
        singular: Singular values.

    Returns:
        The exponent; None where fewer than three eigenvalues differ from zero, or all are equal.
    """
    squares = singular.square()
    tail = squares[squares > _ROUNDING * squares.amax()].sort().values
    fits = []
    for start in range(len(tail) - _FEWEST + 1):
        logs = (tail[start:] / tail[start]).log()
        if (total := float(logs.sum())) > 0:
            fits.append(_fit(logs, len(logs) / total))
    return 1 + min(fits)[1] if fits else None


def _fit(logs: Tensor, rate: float) -> tuple[float, float]:
    """The Kolmogorov distance of an exponential law from the logarithms, and its rate."""
    law = -torch.expm1(-rate * logs)
    steps = torch.arange(len(logs) + 1, dtype=law.dtype, device=law.device) / len(logs)
    return float(torch.maximum((law - steps[:-1]).abs(), (law - steps[1:]).abs()).amax()), rate
