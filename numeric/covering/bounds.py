"""Covering-number bounds of transformers as numbers: capacities γ³, Rademacher complexities and generalization gaps.

A class with log N(ε) ≤ γ³/ε² has the capacity γ³. Constants are explicit ones derived for the structure of the papers'
theorems. Products of norms over layers grow beyond floats, so that everything is added up in logarithms; a number is
infinite only where no float holds it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from boundaudit import InputError
from boundaudit.numeric.logarithms import exp, log_sum

NORMS = ("entries", "rows")
_MOST_COUNTED, _LEAST, _MOST = 10**18, 1e-150, 1e150
"""Sizes and caps within these have squares that floats hold."""
_SOFTMAX = {"published": 2.0, "sharp": 1.0}


@dataclass(frozen=True, kw_only=True)
class Caps:
    """Caps on the maps of an attention layer y = W_Cᵀ σ(W_Vᵀ Xᵀ softmax(X W_QK z)), read by w; W_V is d × k, W_C k × d.

    Attributes:
        dim: d, the length of a token.
        inner: k.
        key: covering norm of W_QK: the (1,1) norm, or the sum of the rows' lengths of the acting matrix.
        value: the same of W_V.
        out: the same of W_C.
        read: ‖w‖₁, or ‖w‖₂ where the covering norms are sums of rows' lengths.
        key_operator: operator norm of W_QK, for more than one layer.
        value_operator: operator norm of W_V.
        out_operator: operator norm of W_C.
        read_operator: ‖w‖₂.
        token: length of a token and of the query; one for more than one layer.
        activation: Lipschitz constant of σ, with σ(0) = 0.
        outputs: scalar outputs, each with a w of its own: what the logarithm of w's part counts.
    """

    dim: int
    inner: int
    key: float
    value: float
    out: float
    read: float
    key_operator: float = 1.0
    value_operator: float = 1.0
    out_operator: float = 1.0
    read_operator: float = 1.0
    token: float = 1.0
    activation: float = 1.0
    outputs: int = 1

    def __post_init__(self) -> None:
        """Sizes are whole numbers from 1 to 10^18, caps numbers from 1e-150 to 1e150."""
        for name in ("dim", "inner", "outputs"):
            _require_count(name, getattr(self, name))
        for name in ("key", "value", "out", "read", "key_operator", "value_operator", "out_operator", "read_operator",
                     "token", "activation"):  # fmt: skip
            _require_positive(name, getattr(self, name))


@dataclass(frozen=True)
class Capacity:
    """A capacity γ³, as its logarithm, and the part of γ that each map has, adding up to one."""

    log_total: float
    shares: Mapping[str, float]

    @property
    def total(self) -> float:
        """γ³; infinite where no float holds it."""
        return exp(self.log_total)


@dataclass(frozen=True)
class Gap:
    """A bound on risk less empirical risk.

    Attributes:
        complexity: twice the Rademacher complexity of the losses.
        tail: what confidence costs.
        trivial: the range of the loss, above which a bound says nothing.
    """

    complexity: float
    tail: float
    trivial: float

    @property
    def total(self) -> float:
        """The bound."""
        return self.complexity + self.tail

    @property
    def vacuous(self) -> bool:
        """Whether it is no less than the loss's range."""
        return self.total >= self.trivial


def single_layer_capacity(caps: Caps, *, softmax: str = "published", norms: str = "entries") -> Capacity:
    """The capacity of one attention layer with a scalar output; neither tokens nor samples enter.

    Softmax has the ``"published"`` Lipschitz constant 2 or the ``"sharp"`` one, 1. Norms are ``"entries"``, (1,1) norms
    and a cover in the largest error, or ``"rows"``, sums of rows' lengths and a cover in root mean square on the
    sample.

    Raises:
        InputError: for an unknown softmax constant or norm.
    """
    return _added({"read": _read(caps, norms), **_maps(caps, softmax, norms, 0.0)})


def multi_layer_capacity(caps: Caps, layers: int, *, softmax: str = "published") -> Capacity:
    """The capacity of equal layers whose rows are projected on the unit ball, with (1,1) norms.

    An error grows in every later layer by λ = L ‖W_C‖ ‖W_V‖ κ. ``"published"`` has the constants 2 and κ = 1 + 4B,
    ``"sharp"`` 1 and B + √(1 + B²). The parts are those of the read-out and of each kind of map.

    Raises:
        InputError: for an unknown constant, a number of layers that is not positive, or tokens beyond the unit ball.
    """
    _require_count("layers", layers)
    if caps.token != 1:
        raise InputError("token", "1, as rows lie in the unit ball", caps.token, "scale W_V and W_QK instead")
    growth = log_layer_factor(caps, softmax=softmax)
    # Σ λ^{2(L-i)/3}, over layers, multiplies what a single layer's maps add to γ.
    depth = log_sum([2 / 3 * growth * later for later in range(layers)])
    return _added({"read": _read(caps, "entries"), **_maps(caps, softmax, "entries", depth)})


def log_layer_factor(caps: Caps, *, softmax: str = "published") -> float:
    """Log λ, by how much a layer may enlarge an error, as in `multi_layer_capacity`; InputError as there."""
    _require_one_of("softmax", softmax, tuple(_SOFTMAX))
    b = caps.key_operator
    attention = 1 + 4 * b if softmax == "published" else b + math.hypot(1.0, b)
    return _log_product(caps.activation, caps.out_operator, caps.value_operator, attention)


def dudley(capacity: float, samples: int, bound: float = 1.0) -> float:
    """Dudley's bound on the Rademacher complexity of m samples, where log N(ε) ≤ C/ε² and no function exceeds A.

    The smaller of A and 12 c (1 + log(A/(3c))) with c = √(C/m), and A where A < 3c, where the closed form does not
    hold.

    Raises:
        InputError: for numbers that are not positive; a capacity may be infinite.
    """
    _require_count("samples", samples)
    _require_positive("bound", bound)
    if isinstance(capacity, bool) or not isinstance(capacity, (int, float)) or not capacity > 0:
        raise InputError("capacity", "a positive number, or infinity", capacity, "correct capacity")
    scale = math.sqrt(capacity) / math.sqrt(samples)
    if bound < 3 * scale:
        return bound
    return min(bound, 12 * scale * (1 + math.log(bound) - math.log(3 * scale)))


def generalization_gap(
    capacity: float, samples: int, *, lipschitz: float = math.sqrt(2), bound: float = 1.0, delta: float = 0.05,
    tail: str = "published",
) -> Gap:  # fmt: skip
    """How far the risk may be above that on m samples, with probability at least 1-δ, for all functions of a class.

    Args:
        capacity: C of the class of outputs.
        samples: m.
        lipschitz: of the loss; √2 for the cross-entropy of a vector of logits.
        bound: b, the loss lies in [0, b]. The cross-entropy has no range of its own: for outputs of length at most R it
            is log K + √2 R.
        delta: δ.
        tail: ``"published"`` for 3b √(log(2/δ)/(2m)), ``"sharp"`` for b √(log(1/δ)/(2m)), enough for covers that hold
            on every sample.

    Raises:
        InputError: for numbers out of their ranges or an unknown tail.
    """
    _require_positive("lipschitz", lipschitz)
    _require_one_of("tail", tail, ("published", "sharp"))
    if not 0 < delta < 1:
        raise InputError("delta", "a number between 0 and 1", delta, "correct delta")
    complexity = 2 * dudley(lipschitz * lipschitz * capacity, samples, bound)
    factor, cases = (3, 2) if tail == "published" else (1, 1)
    return Gap(complexity, factor * bound * math.sqrt(math.log(cases / delta) / (2 * samples)), bound)


# --- parts of γ, in logarithms ---------------------------------------------------------------------


def _read(caps: Caps, norms: str) -> float:
    """The part of w."""
    length = (caps.out_operator, caps.activation, caps.value_operator, caps.token)
    return _part(length, caps.read, caps.dim * caps.outputs, norms, ())


def _maps(caps: Caps, softmax: str, norms: str, depth: float) -> dict[str, float]:
    """The parts of W_C, W_V and W_QK, each times exp(depth)."""
    _require_one_of("softmax", softmax, tuple(_SOFTMAX))
    after, token = (caps.read_operator, caps.out_operator, caps.activation), caps.token
    size = caps.dim * caps.inner
    parts = {
        "out": _part((caps.activation, caps.value_operator, token), caps.out, size, norms, after[:1]),
        "value": _part((token,), caps.value, size, norms, after),
        "key": _part((token,), caps.key, caps.dim**2, norms,
                     (*after, caps.value_operator, _SOFTMAX[softmax], token, token)),
    }  # fmt: skip
    return {name: part + depth for name, part in parts.items()}


def _part(lengths: tuple[float, ...], norm: float, size: int, norms: str, factors: tuple[float, ...]) -> float:
    """Log of a^{1/3} b^{2/3}: a = (length · norm)² log(2 size + 1) or log(2 size), b the product of factors."""
    _require_one_of("norms", norms, NORMS)
    atoms = 2 * size + (norms == "entries")
    cost = 2 * _log_product(*lengths, norm) + math.log(math.log(atoms))
    return (cost + 2 * _log_product(*factors)) / 3


def _added(parts: Mapping[str, float]) -> Capacity:
    whole = log_sum(list(parts.values()))
    return Capacity(3 * whole, {name: math.exp(part - whole) for name, part in parts.items()})


def _log_product(*factors: float) -> float:
    return math.fsum(map(math.log, factors))


def _require_count(name: str, value: int) -> None:
    if type(value) is not int or not 1 <= value <= _MOST_COUNTED:
        raise InputError(name, "a whole number from 1 to 10^18", value, f"correct {name}")


def _require_positive(name: str, value: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not _LEAST <= value <= _MOST:
        raise InputError(name, "a number from 1e-150 to 1e150", value, f"correct {name}")


def _require_one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InputError(name, ", ".join(known), value, f"choose one of {name}")
