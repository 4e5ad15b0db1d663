"""A covering-number bound of a transformer as a record: value, capacity, parts and assumptions."""

from __future__ import annotations

import math
from dataclasses import asdict

from boundaudit import InputError
from boundaudit.numeric.covering import Caps, Gap, generalization_gap, multi_layer_capacity, single_layer_capacity
from boundaudit.numeric.samples import informs_from

_ASSUMES = (
    "independent samples, and a loss in [0, b] that is Lipschitz in the output",
    "every map within its caps, fixed before the sample was seen",
    "the value is read at one position, the activation vanishes at 0",
)


def covering_record(
    caps: Caps, *, layers: int, samples: int, delta: float, lipschitz: float, bound: float, constants: str, norms: str
) -> dict[str, object]:
    """The bound on risk less empirical risk, with what it is made of, as plain JSON; no number of tokens enters.

    Several layers take (1,1) norms and rows in the unit ball; ``bound`` is b, the range of the loss.

    Raises:
        InputError: where a number is out of its range, or several layers are asked for with sums of rows.
    """
    if layers == 1:
        capacity = single_layer_capacity(caps, softmax=constants, norms=norms)
    else:
        if norms != "entries":
            raise InputError("--norms", "entries, for more than one layer", norms, "leave --norms out")
        capacity = multi_layer_capacity(caps, layers, softmax=constants)

    def gap(m: int) -> Gap:
        return generalization_gap(capacity.total, m, lipschitz=lipschitz, bound=bound, delta=delta, tail=constants)

    found, stated = gap(samples), ", ".join(f"{name} = {value:g}" for name, value in asdict(caps).items())
    return {
        "value": found.total, "parts": {"complexity": found.complexity, "tail": found.tail},
        "vacuous": found.vacuous, "informs_from": informs_from(lambda m: not gap(m).vacuous),
        "capacity": capacity.total, "log_capacity": capacity.log_total, "shares": dict(capacity.shares),
        "constants": constants, "norms": norms, "layers": layers, "assumes": [*_ASSUMES, f"caps: {stated}"],
        "caps": asdict(caps), "loss": {"lipschitz": lipschitz, "range": bound},
        "claims": ["covering.transformer.*", "covering.dudley.*"],
    }  # fmt: skip


def loss_of(caps: Caps, lipschitz: float | None, bound: float | None) -> tuple[float, float]:
    """The Lipschitz constant and range of the loss; where neither is given, of cross-entropy.

    Each output is at most B = ‖w‖ ‖W_C‖ L ‖W_V‖ r in modulus, r the length of a token, so that cross-entropy of K
    outputs lies in [0, ln K + 2B].

    Raises:
        InputError: where one is given without the other, or cross-entropy would have a single output.
    """
    if lipschitz is not None and bound is not None:
        return lipschitz, bound
    if lipschitz is not None or bound is not None:
        got = "--lipschitz alone" if bound is None else "--range alone"
        raise InputError("--range", "both --lipschitz and --range, or neither for cross-entropy", got, "give both")
    if caps.outputs < 2:
        expected = "at least 2 for cross-entropy, or --lipschitz and --range of another loss"
        raise InputError("--outputs", expected, caps.outputs, "say how many classes there are")
    most = caps.read_operator * caps.out_operator * caps.activation * caps.value_operator * caps.token
    return math.sqrt(2), math.log(caps.outputs) + 2 * most
