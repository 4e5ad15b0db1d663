"""Gradients of the construction's output in closed form, block by block (Theorem 14).

With a the weights of layer 2, v = C g the values, f = Σ a v, l the logits of layer 2, x the output position's
row, and β = C a g' what a row's mean of bits is worth, the squared norms are (derived here from Appendix B)

* V2: Σ a_t² + (f/C)²;
* W2: |x|² (Σ a_t² (v_t - f)² + (Σ a_t (v_t - f) g_t)²), with |x|² = 1 + g_out²;
* F: C² |Σ a_t h_t|² in the data channel, |w2|² |Σ a_t (v_t - f) h_t|² in the positions' channels, as those move
  the keys, and (Σ a_t (v_t - f) l_t)² |h_out|² in the output position's, which moves the query;
* Gamma: Σ_j F_j² (Σ_t C a_t [unit j on at t])², and M with a factor s_t in the inner sum;
* V1: |Σ_t β_t A1_t|² + (Σ_t β_t s_t)²; W1: |Σ_t β_t κ_t x_tᵀ|² with κ_t,j = A1_tj (z_j - s_t).

Each input enters through masses: attention summed over the rows of one kind. That makes means over all 2^T
inputs cheap. The separate-data layout, whose residual carries the bits, adds their channel to V2 and W2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.construction import Layout
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.rows import Attention, Kinds, attention, check_layout, kinds
from boundaudit.numeric.sharpness.target import TargetBatch

CHUNK = 2**19
"""Numbers (inputs times rows times kinds) held at once: 4 MiB of float64, a few of which live at a time."""


class Derivatives(NamedTuple):
    """Derivatives of B networks at N inputs each."""

    output: Tensor  # f_Θ(x), (B, N)
    squared: dict[str, Tensor]  # squared norm of the gradient by block, (B, N)
    data_column: Tensor  # the same in F's data column alone, (B, N)
    trace: dict[str, Tensor]  # of the blocks of Hess f not always 0: W1, F, W2; (B, N)
    kink: Tensor  # a live unit of a row with weight is on its kink, bool, (B, N)

    @property
    def gradient(self) -> Tensor:
        """|∇f|², shape (B, N)."""
        return torch.stack(list(self.squared.values())).sum(0)

    @property
    def laplacian(self) -> Tensor:
        """Tr Hess f, shape (B, N)."""
        return torch.stack(list(self.trace.values())).sum(0)


def derivatives(
    batch: TargetBatch, bits: Tensor, *, layout: Layout = "published", mlp: Trapezoid = "steep", scale: float = 2.0,
    pruned: bool = False, chunk: int = CHUNK,
) -> Derivatives:  # fmt: skip
    """Gradient blocks and Hessian traces of the construction at many inputs, without differentiating anything.

    For any layout but the extended; 0/1 inputs (N, T_max) for all alike or (B, N, T_max), bits beyond T ignored. What
    stands at an input on a kink means nothing. `chunk` numbers are held at once, or one input of one target.
    """
    check_layout(batch, layout)
    bits = bits.to(batch.device).expand(len(batch), *bits.shape[-2:])
    per_input = (batch.max_sparsity + 1) * (int(batch.degree.max()) + 2)
    at_once = max(1, chunk // per_input)
    some_targets = min(len(batch), at_once)
    some_inputs = max(1, at_once // some_targets)
    rows = []
    for start in range(0, len(batch), some_targets):
        part = slice(start, start + some_targets)
        network = _Network.of(batch[part], layout, mlp, scale, pruned)
        rows.append(_join([network.derivatives(z) for z in torch.split(bits[part], some_inputs, dim=1)], dim=1))
    return _join(rows, dim=0)


def _join(parts: Sequence[Derivatives], dim: int) -> Derivatives:
    """One record of several, along targets or inputs."""

    def joined(name: str) -> dict[str, Tensor]:
        return {
            block: torch.cat([getattr(part, name)[block] for part in parts], dim) for block in getattr(parts[0], name)
        }

    output, column, kink = (
        torch.cat([getattr(part, name) for part in parts], dim) for name in ("output", "data_column", "kink")
    )
    return Derivatives(output, joined("squared"), column, joined("trace"), kink)


class _Masses(NamedTuple):
    """Attention of layer 2 summed over the rows of each kind, every field of shape (B, N, K)."""

    a: Tensor  # Σ a_t
    squared: Tensor  # Σ a_t²
    logit: Tensor  # Σ a_t l_t
    logit_squared: Tensor  # Σ a_t l_t²
    bit: Tensor  # Σ a_t z_t, z_t the row's own bit


@dataclass(frozen=True)
class _Network:
    """What does not depend on the input, for B targets."""

    batch: TargetBatch
    layout: Layout
    mlp: Trapezoid
    scale: float
    pruned: bool
    weights: Attention

    @classmethod
    def of(cls, batch: TargetBatch, layout: Layout, mlp: Trapezoid, scale: float, pruned: bool) -> _Network:
        return cls(batch, layout, mlp, scale, pruned, attention(batch, scale))

    def derivatives(self, bits: Tensor) -> Derivatives:
        """The derivatives at inputs (B, n, T)."""
        batch, weights = self.batch, self.weights
        z = (bits.bool() & batch.real_positions[:, None]).double()
        counts = (z @ batch.members.double().mT).long()
        at, place = _levels(z.sum(-1).long(), batch.max_length)
        table = kinds(batch, at, mlp=self.mlp, scale=self.scale, pruned=self.pruned)
        mass = _masses(batch, z, counts, weights, table.s.shape[-1])
        row = Kinds(*(_at(field, place) for field in table._replace(hidden=table.s, on=table.s)))
        total = batch.absolute_sum[:, None]
        share = (mass.a * row.g).sum(-1)
        away = total[..., None] * (row.g - share[..., None])
        hidden = _at(table.hidden @ table.hidden.mT, place)
        gated = table.on * units(batch.degree, self.mlp, pruned=self.pruned).output[:, None, None]
        on = _at(gated @ gated.mT, place)
        first, first_trace = _first_layer(batch, z, counts, weights, row, mass)
        second, second_trace = _second_layer(batch, weights, row, mass, share, away, self.layout)
        column, positions, output_trace = _output_weights(weights, hidden, mass, away, total)
        middle = {"M": total**2 * _form(on, mass.a * row.s), "Gamma": total**2 * _form(on, mass.a)}
        squared = {**first, **middle, "F": column + positions, **second}
        occurs = torch.cat([mass.a[..., :-1] > 0, torch.ones_like(row.kink[..., -1:])], dim=-1)
        traces = {"W1": first_trace, "F": output_trace, "W2": second_trace}
        return Derivatives(total * share, squared, column, traces, (row.kink & occurs).any(-1))


def _output_weights(
    weights: Attention, hidden: Tensor, mass: _Masses, away: Tensor, total: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """|∇_F f|² in the data column and in those of positions, which write keys and a query, and tr Hess_F f."""
    keys, pull = weights.logits.square().sum(-1)[:, None], mass.a * away
    query = (mass.logit * away).sum(-1)
    turned = (mass.logit_squared * away).sum(-1) - 2 * query * mass.logit.sum(-1)
    spun = (pull * hidden.diagonal(dim1=-2, dim2=-1)).sum(-1) - 2 * _form(hidden, mass.a, pull)
    own = hidden[..., -1, -1]
    positions = keys * _form(hidden, pull) + query**2 * own
    return total**2 * _form(hidden, mass.a), positions, keys * spun + turned * own


def _second_layer(
    batch: TargetBatch, weights: Attention, row: Kinds, mass: _Masses, share: Tensor, away: Tensor, layout: Layout
) -> tuple[dict[str, Tensor], Tensor]:
    """|∇f|² for W2 and V2, and tr Hess_W2 f; the separate layout carries the bits along."""
    unused = (batch.length + 1 - batch.sparsity) * weights.unused**2
    asked, pull = 1 + row.g[..., -1] ** 2, mass.a * away
    data, bit = (pull * row.g).sum(-1), (mass.bit * away).sum(-1)
    seen = mass.bit.sum(-1)
    if layout != "separate-data":
        bit, seen = torch.zeros_like(share), torch.zeros_like(share)
    w2 = asked * ((mass.squared * away**2).sum(-1) + data**2 + bit**2)
    v2 = (weights.active.square().sum(-1) + unused)[:, None] + share**2 + seen**2
    bent = (pull * row.g**2).sum(-1) - 2 * data * share + bit - 2 * bit * seen
    return {"W2": w2, "V2": v2}, asked * (bent - 2 * (mass.squared * away).sum(-1))


def _first_layer(
    batch: TargetBatch, z: Tensor, counts: Tensor, weights: Attention, row: Kinds, mass: _Masses
) -> tuple[dict[str, Tensor], Tensor]:
    """|∇f|² for W1 and V1, and tr Hess_W1 f: what reaches the MLP through rows that sit on its flanks."""
    total = batch.absolute_sum[:, None, None]
    worth, bend = total * row.slope, row.s * (1 - row.s)
    beta, s = (torch.gather(field, -1, counts) for field in (worth, row.s))
    beta = beta * weights.active[:, None]
    own = z[..., : batch.max_sparsity]
    rest = worth[..., -1]
    rows = (batch.length + 1 - batch.sparsity) * weights.unused
    means = (mass.a * worth * row.s).sum(-1)
    v1 = _attended(batch, weights, beta, rest * rows[:, None]).square().sum(-1) + means**2
    marked = rest * mass.bit[..., -1]
    held = _attended(batch, weights, beta * own, marked)
    shared = _attended(batch, weights, beta * own * s, marked * row.s[..., -1])
    column = (torch.cat([z, torch.zeros_like(z[..., :1])], -1) * held - shared).square().sum(-1)
    w1 = (mass.squared * worth**2 * (row.spread + bend**2)).sum(-1)
    w1 = w1 + column + (mass.bit * worth * bend).sum(-1) ** 2
    trace = ((mass.a + mass.bit) * worth * (bend * (1 - 2 * row.s) - 2 * row.skew)).sum(-1)
    return {"W1": w1, "V1": v1}, trace


def _attended(batch: TargetBatch, weights: Attention, active: Tensor, unused: Tensor) -> Tensor:
    """Layer 1's attention by key, (B, N, T_max + 1): rows with factors (B, N, w), a total (B, N) of the unused ones."""
    base = weights.other[:, None] * active.sum(-1) + weights.uniform[:, None] * unused
    more = (weights.member - weights.other)[:, None, None] * (active @ batch.members.double())
    keys = (base[..., None] + more) * batch.real_positions[:, None]
    return torch.cat([keys, base[..., None]], dim=-1)


def _masses(batch: TargetBatch, z: Tensor, counts: Tensor, weights: Attention, count: int) -> _Masses:
    """The masses of each kind; K = ``count``."""
    a, logits = weights.active[:, None], weights.logits[:, None]
    powers = torch.stack([a, a * a, a * logits, a * logits**2], dim=-1)
    own = z[..., : batch.max_sparsity] * a
    here = (counts[:, :, None] == torch.arange(count - 1, device=z.device)[:, None]).double()
    active = torch.cat([here @ powers, (here @ own[..., None])], dim=-1)
    unused, rows = weights.unused[:, None], (batch.length + 1 - batch.sparsity)[:, None]
    marked = z.sum(-1) - (z[..., : batch.max_sparsity] * batch.active[:, None]).sum(-1)
    zero = torch.zeros_like(marked)
    last = torch.stack([zero + rows * unused, zero + rows * unused**2, zero, zero, marked * unused], dim=-1)
    return _Masses(*torch.cat([active, last[..., None, :]], dim=-2).unbind(-1))


def _levels(weight: Tensor, length: int) -> tuple[Tensor, Tensor]:
    """The weights at which rows are tabulated, (B, W), and where each input finds its own, (B, N)."""
    count, inputs = weight.shape
    if inputs <= length:
        return weight, torch.arange(inputs, device=weight.device).expand(count, -1)
    return torch.arange(length + 1, device=weight.device).expand(count, -1), weight


def _at(table: Tensor, place: Tensor) -> Tensor:
    """Each input's entry of a table (B, W, …), shape (B, N, …)."""
    return table[torch.arange(len(table), device=table.device)[:, None], place]


def _form(matrix: Tensor, left: Tensor, right: Tensor | None = None) -> Tensor:
    """The form of (B, N, K, K) in one or two vectors (B, N, K), shape (B, N)."""
    return ((matrix @ (left if right is None else right)[..., None])[..., 0] * left).sum(-1)
