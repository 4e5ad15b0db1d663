"""The transformers of the experiments of Lintilhac & Shaikh 2026 (Section 2, Appendix A), many at once.

Two layers with one head each and without layer norm; tokens are the T bits and an output position behind them. A token
is the one-hot code of its position beside a learned vector of its value (0, 1, or output). Logits are scaled by
log T / √E. With x_i = base_i + b_i step, layer 1 needs no pass over tokens for its queries, keys and values,

    q_i·k_j = Q_i·K_j + b_i (dq·K_j) + (Q_i·dk) b_j + (dq·dk) b_i b_j,

and layer 2 has one query, that of the output position, so that its keys and values are read after averaging. Biases of
keys would shift all logits of a query alike: there are none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import pad

from boundaudit.numeric.sharpness.trained.family import Family, Masks, Weights


@dataclass(frozen=True)
class Architecture(Family):
    """A size of networks.

    Attributes:
        length: T.
        extra: Channels beside the T + 1 of positions.
        hidden: Units of each layer's MLP.
    """

    length: int
    extra: int = 30
    hidden: int = 128

    @property
    def width(self) -> int:
        """E, the number of channels."""
        return self.length + 1 + self.extra

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each weight of one network; matrices act on rows from the right."""
        e, h = self.width, self.hidden
        layer = {
            "query": (e, e), "query_bias": (e,), "key": (e, e), "value": (e, e), "value_bias": (e,), "out": (e, e),
            "out_bias": (e,), "up": (e, h), "up_bias": (h,), "down": (h, e), "down_bias": (e,),
        }  # fmt: skip
        layers = {f"{name}{number}": shape for number in (1, 2) for name, shape in layer.items()}
        return {"values": (3, self.extra), **layers, "read": (e, 1), "read_bias": (1,)}

    def draw(self, random: np.random.Generator) -> dict[str, np.ndarray]:
        """U(-1/√n, 1/√n) for n inputs, as is usual, and normal vectors of values."""
        drawn = {}
        for name, shape in self.shapes.items():
            fan = self.hidden if name.startswith("down") else self.width
            drawn[name] = random.uniform(-1, 1, shape) / math.sqrt(fan)
            if name == "values":
                drawn[name] = random.standard_normal(shape)
        return drawn

    def outputs(self, weights: Weights, bits: Tensor, masks: Masks | None = None) -> Tensor:
        """Run every network."""
        w, drop = weights, masks or Masks()
        b = pad(bits.to(w["read"].dtype).expand(len(w["read"]), *bits.shape[-2:]), (0, 1))[..., None]
        base, step = self._tokens(w)
        x = base[:, None] + b * step[:, None] + drop(self._first(w, base, step, b))
        x = x + drop(_mlp(w, 1, x))
        last = x[..., -1, :]
        last = last + drop(self._second(w, x, last))
        last = last + drop(_mlp(w, 2, last[..., None, :])[..., 0, :])
        return (last @ w["read"])[..., 0] + w["read_bias"]

    def numbers(self) -> int:
        """How many numbers a pass holds for one input, roughly."""
        return (self.length + 1) * (3 * (self.length + 1) + 5 * self.width + 2 * self.hidden)

    def _tokens(self, w: Weights) -> tuple[Tensor, Tensor]:
        """Tokens where all bits are 0, shape (S, T+1, E), and what a bit adds to its own, shape (S, 1, E)."""
        zero, one, output = w["values"].unbind(1)
        values = torch.cat([zero[:, None].expand(-1, self.length, -1), output[:, None]], dim=1)
        positions = torch.eye(self.length + 1, dtype=zero.dtype, device=zero.device)
        base = torch.cat([positions.expand(len(zero), -1, -1), values], dim=-1)
        return base, pad(one - zero, (self.length + 1, 0))[:, None]

    def _first(self, w: Weights, base: Tensor, step: Tensor, b: Tensor) -> Tensor:
        """Attention of layer 1 at all positions, shape (S, n, T+1, E)."""
        scale = self._scale
        queries, dq = scale * (base @ w["query1"] + w["query_bias1"][:, None]), scale * step @ w["query1"]
        keys, dk = (part @ w["key1"] for part in (base, step))
        rows = torch.addcmul((queries @ keys.mT)[:, None], (queries @ dk.mT)[:, None], b.mT)
        columns = torch.addcmul((dq @ keys.mT)[:, None], (dq @ dk.mT)[:, None], b.mT)
        attention = torch.softmax(torch.addcmul(rows, b, columns), dim=-1)
        values = (base @ w["value1"] + w["value_bias1"][:, None]) @ w["out1"] + w["out_bias1"][:, None]
        change = step @ w["value1"] @ w["out1"]
        return _rows(attention, values) + (attention @ b) * change[:, None]

    def _second(self, w: Weights, x: Tensor, last: Tensor) -> Tensor:
        """Attention of layer 2 at the output position, shape (S, n, E)."""
        query = self._scale * (last @ w["query2"] + w["query_bias2"][:, None]) @ w["key2"].mT
        attention = torch.softmax((x @ query[..., None])[..., 0], dim=-1)
        averaged = (attention[..., None, :] @ x)[..., 0, :]
        return (averaged @ w["value2"] + w["value_bias2"][:, None]) @ w["out2"] + w["out_bias2"][:, None]

    @property
    def _scale(self) -> float:
        return math.log(self.length) / math.sqrt(self.width)


def _mlp(w: Weights, layer: int, x: Tensor) -> Tensor:
    """relu(x U + u) D + d for x of shape (S, n, t, E)."""
    hidden = torch.baddbmm(w[f"up_bias{layer}"][:, None], x.flatten(1, 2), w[f"up{layer}"]).relu_()
    return torch.baddbmm(w[f"down_bias{layer}"][:, None], hidden, w[f"down{layer}"]).view(x.shape)


def _rows(x: Tensor, matrix: Tensor) -> Tensor:
    """Rows of shape (S, n, t, a) times matrices of shape (S, a, b), as S products of two matrices."""
    return (x.flatten(1, 2) @ matrix).view(*x.shape[:-1], -1)
