"""The bound of a class of transformers with given Schatten sums as a record: value, entropy and assumptions."""

from __future__ import annotations

import math
from collections.abc import Mapping

from boundaudit import InputError
from boundaudit.numeric.samples import informs_from
from boundaudit.numeric.schatten import MatrixClass, gap_curve, network_entropy, with_sensitivities

_ASSUMES = (
    "independent samples, and a loss in [0, 1] that is Lipschitz in the output",
    "index, sums and norms fixed before the sample was seen; `boundaudit model` pays for choosing them afterwards",
    "rows projected on the unit ball around attention and MLP, an activation that vanishes at 0",
)
MOST, WIDEST = 4_000, 100_000
"""Matrices, and the hidden size, for which a bound is there within minutes."""


def schatten_record(
    given: Mapping[str, tuple[float, float]], *, index: float, width: int, layers: int, heads: int, samples: float,
    delta: float, lipschitz: float, activation: float,
) -> dict[str, object]:  # fmt: skip
    """The bound on risk less empirical risk for networks of equal blocks, as plain JSON; no number of tokens enters.

    Each kind of matrix is given by its largest operator norm and sum S_p, for p from 0 (the rank) to 2; the MLP has 4N
    units.

    Raises:
        InputError: where a number is out of its range.
    """
    for name, number, most in (("layers", layers, MOST), ("heads", heads, MOST), ("width", width, WIDEST)):
        if not 1 <= number <= most:
            raise InputError(name, f"from 1 to {most:,}", number, "give the sizes of the network")
    if (matrices := layers * (2 * heads + 2)) > MOST:
        got = f"{matrices:,}, two for each head and for each MLP"
        raise InputError("layers", f"at most {MOST:,} matrices", got, "give fewer layers or heads")
    for name, constant in (("activation", activation), ("lipschitz", lipschitz)):
        if constant <= 0:
            raise InputError(name, "a number above 0", constant, "give the Lipschitz constant")
    if not 0 < delta < 1:
        raise InputError("delta", "a number between 0 and 1", delta, "say how often the bound may fail")
    shapes = {"query": (width, width), "value": (width, width), "into": (width, 4 * width), "out": (4 * width, width)}
    classes = {kind: MatrixClass(shapes[kind], index, total, operator) for kind, (operator, total) in given.items()}
    block = [*heads * [classes["query"], classes["value"]], classes["into"], classes["out"]]
    network = with_sensitivities(layers * [block], activation)
    gap = gap_curve(network, -math.log(delta), lipschitz)
    value = gap(samples)
    sizes = {"index": index, "width": width, "layers": layers, "heads": heads, "activation": activation, "token": 1.0}
    return {
        "value": value, "vacuous": value >= 1, "informs_from": informs_from(lambda n: gap(float(n)) < 1),
        "entropy": {"at radius 1": float(network_entropy(1.0, network)),
                    "at radius 0.1": float(network_entropy(0.1, network))},
        "caps": sizes | {kind: {"operator": one.operator, "sum": one.total} for kind, one in classes.items()},
        "loss": {"lipschitz": lipschitz, "range": 1.0},
        "matrices": len(network), "log_sensitivity": {"largest": max(found.log_sensitivity for found in network)},
        "assumes": list(_ASSUMES), "claims": ["schatten.metric_entropy.*", "schatten.generalization.*"],
    }  # fmt: skip
