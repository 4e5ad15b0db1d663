"""What is read of a trained head's weights to compare its gap with those of others, by the sums that bounds take."""

from __future__ import annotations

import math
from typing import Any

from boundaudit.numeric.capped.heads import MAPS
from boundaudit.numeric.covering.bounds import Caps, single_layer_capacity
from boundaudit.numeric.covering.head import Head
from boundaudit.numeric.schatten.proxy import contribution, index_grid
from boundaudit.numeric.spectra import Spectrum, spectrum
from boundaudit.numeric.tails import exponent

_LEAST = 1e-100
"""What stands for the norm of a map that vanishes, where logarithms are taken."""


def norms_of(head: Head) -> dict[str, float | None]:
    """Every measure of one head, of its weights as trained and not of its caps; a larger one allows a larger gap.

    ``entries`` and ``rows``, the capacities by (1,1) and (2,1) norms with sharp constants; ``schatten``, Sakai &
    Imaizumi's sum over the maps, each at its best index; ``operators``, the product of the operator norms; ``weight``,
    the Euclidean norm of all weights; ``alpha``, the mean power-law exponent of the matrices that have one, else None.
    """
    # The maps as they act on columns, so that rows are rows.
    acting = {"key": head.key, "value": head.value.mT, "out": head.out.mT, "read": head.read[None]}
    found = {name: spectrum(matrix) for name, matrix in acting.items()}
    operators = {name: max(each.operator, _LEAST) for name, each in found.items()}
    fits = (exponent(found[name].values, found[name].shape) for name in MAPS[:3])
    exponents = [fit for fit in fits if fit is not None]
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
