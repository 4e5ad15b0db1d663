"""The squared gradient of the construction's output as sums over the rows of one forward pass (Theorem 14).

With a the attention of layer 2, v = C g the values, m = Σ a g, h the hidden units and l the logits of each row, and
β = C a g'(s) what a row's average of bits is worth; see `gradients` for the same by kinds of rows. What a bound on a
block goes through is made of the same rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.mlp import Trapezoid, Units, units
from boundaudit.numeric.sharpness.target import TargetBatch


@dataclass(frozen=True)
class Rows:
    """One pass of B networks, each on an input of its own; P = T_max + 1 rows, the output position's last.

    Attributes:
        batch: the targets.
        units: the hidden units' biases and output weights, shape (B, H).
        z: the bits, a zero for the output position, shape (B, P).
        first: attention of layer 1 by query and key, shape (B, P, P).
        s: the average of bits that each row sees, shape (B, P).
        hidden: hidden units, shape (B, P, H).
        g: the MLP's outputs, shape (B, P).
        a: attention of layer 2, shape (B, P).
        logits: logits of layer 2, shape (B, P).
    """

    batch: TargetBatch
    units: Units
    z: Tensor
    first: Tensor
    s: Tensor
    hidden: Tensor
    g: Tensor
    a: Tensor
    logits: Tensor

    @property
    def total(self) -> Tensor:
        """C, shape (B,)."""
        return self.batch.absolute_sum

    @property
    def unused(self) -> Tensor:
        """How many rows no component uses, shape (B,)."""
        return (self.batch.length + 1 - self.batch.sparsity).double()

    @property
    def keys(self) -> Tensor:
        """|w2|², the squared length of the logits, shape (B,)."""
        return squared_length(self.logits)

    @property
    def mean(self) -> Tensor:
        """Σ a g, called m, shape (B,)."""
        return (self.a * self.g).sum(-1)

    @property
    def pull(self) -> Tensor:
        """Each row's a (g - m), shape (B, P)."""
        return self.a * (self.g - self.mean[:, None])

    @property
    def excess(self) -> Tensor:
        """P = Σ a (g - m)₊, shape (B,)."""
        return self.pull.relu().sum(-1)

    @property
    def most_variance(self) -> Tensor:
        """The largest variance that the mean m allows, m (1 - m), shape (B,)."""
        return self.mean * (1 - self.mean)

    @property
    def variance(self) -> Tensor:
        """Σ a (g - m)², shape (B,)."""
        return (self.pull * self.g).sum(-1)

    @property
    def on(self) -> Tensor:
        """Whether a unit is active, 0 or 1, shape (B, P, H)."""
        return (self.hidden > 0).double()

    @property
    def slope(self) -> Tensor:
        """The MLP's slope g'(s), shape (B, P)."""
        return (self.on @ self.units.output[:, :, None])[..., 0]

    @property
    def slope_on_grid(self) -> Tensor:
        """The slope at the grid point k/D in rows with a component, and at s in the others, shape (B, P)."""
        ones = (self.batch.members.double() @ self.z[:, :-1, None])[..., 0]
        grid = torch.nn.functional.pad(ones, (0, self.s.shape[1] - ones.shape[1])) / self.batch.degree[:, None]
        on = (grid[..., None] + self.units.bias[:, None] > 0) & self.units.real[:, None]
        active = torch.nn.functional.pad(self.batch.active, (0, self.s.shape[1] - ones.shape[1]))
        return torch.where(active, (on.double() @ self.units.output[:, :, None])[..., 0], self.slope)

    @property
    def gated(self) -> Tensor:
        """F_j [unit j on], shape (B, P, H)."""
        return self.on * self.units.output[:, None]


def rows(batch: TargetBatch, bits: Tensor, *, mlp: Trapezoid = "steep", scale: float = 2.0) -> Rows:
    """One pass of the construction.

    Args:
        batch: B targets of the published construction.
        bits: one input for each, shape (B, T_max).
        mlp: the trapezoid.
        scale: λ, or infinity for the ideal network.

    Returns:
        The rows.
    """
    blocks = build(batch, mlp=mlp, scale=scale)
    found = trace(blocks, batch, bits[:, None], scale=scale)
    return Rows(
        batch, units(batch.degree, mlp), found.tokens[:, 0, :, -1], found.first[:, 0], found.averaged[:, 0, :, -1],
        found.hidden[:, 0], found.stream[:, 0, :, -1], found.second[:, 0], blocks.W2[:, :-1, -2],
    )  # fmt: skip


def squared_length(x: Tensor) -> Tensor:
    """Σ x² over the last axis."""
    return x.square().sum(-1)


def averaged(weights: Tensor, x: Tensor) -> Tensor:
    """Σ_t weight_t x_t of rows (B, P, H), shape (B, H)."""
    return (weights[..., None] * x).sum(1)


def diameter(x: Tensor) -> Tensor:
    """The largest distance between two rows of (B, P, H), shape (B,)."""
    return torch.cdist(x, x, compute_mode="donot_use_mm_for_euclid_dist").amax((1, 2))


def v2(r: Rows) -> Tensor:
    """|∂f/∂V2|², shape (B,)."""
    return squared_length(r.a) + r.mean**2


def w2(r: Rows) -> Tensor:
    """|∂f/∂W2|², shape (B,)."""
    return (1 + r.g[:, -1] ** 2) * r.total**2 * (squared_length(r.pull) + r.variance**2)


def f(r: Rows) -> Tensor:
    """|∂f/∂F|²: values, keys and query, shape (B,)."""
    keys = r.keys * squared_length(averaged(r.pull, r.hidden))
    query = (r.pull * r.logits).sum(-1) ** 2 * squared_length(r.hidden[:, -1])
    return r.total**2 * (squared_length(averaged(r.a, r.hidden)) + keys + query)


def gamma(r: Rows) -> Tensor:
    """|∂f/∂Γ|², shape (B,)."""
    return r.total**2 * squared_length(averaged(r.a, r.gated))


def m(r: Rows) -> Tensor:
    """|∂f/∂M|², shape (B,)."""
    return r.total**2 * squared_length(averaged(r.a * r.s, r.gated))


def v1(r: Rows, slope: Tensor) -> Tensor:
    """|∂f/∂V1|² for given slopes of the MLP at the rows (B, P), shape (B,)."""
    worth = r.total[:, None] * r.a * slope
    attended = (worth[:, None] @ r.first)[:, 0]
    return squared_length(attended) + (worth * r.s).sum(-1) ** 2


def w1(r: Rows, slope: Tensor) -> Tensor:
    """|∂f/∂W1|² for given slopes of the MLP at the rows (B, P), shape (B,)."""
    worth = r.total[:, None] * r.a * slope
    moved = r.first * (r.z[:, None] - r.s[..., None])
    moved = torch.cat([moved, (moved * r.z[:, None]).sum(-1, keepdim=True)], dim=-1)
    return (worth**2 * squared_length(moved)).sum(-1) + squared_length(averaged(worth * r.z, moved))


SQUARED = {
    "W1": lambda r: w1(r, r.slope), "V1": lambda r: v1(r, r.slope), "M": m, "Gamma": gamma, "F": f, "W2": w2, "V2": v2,
}  # fmt: skip
"""The squared gradient of each block, off kinks."""
