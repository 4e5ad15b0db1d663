"""The construction under noise of a finite size, taken apart: what is of first order, what bends, and when rows flip.

With a, v, g, h of the construction, tildes for the noisy network, N for σ times the noise, active rows those of
components, and for a row B the data coordinate of layer 1's output, δ the noise of a unit's input beside B,
G = Σ F relu(B + γ) and R = Σ F (relu(B + γ + δ) - relu(B + γ)),

    f̃ - f = C Σ_active a R + C N_F·Σ a h̃ + N_V2·Σ a x̃ + Cov_a(v, Δl)             first order
          + C Σ_unused ã (G - g + R)                                            unused rows
          + Σ ã v - Σ a v - Cov_a(v, Δl)                                        the softmax bends
          + C Σ_active ((ã - a) R + ã (G - g)) + Σ (ã - a) (C N_F·h̃ + N_V2·x̃)  both move at once
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor

from boundaudit.numeric.sharpness.construction import Blocks, Channels, build
from boundaudit.numeric.sharpness.forward import Trace, trace
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.target import TargetBatch


@dataclass(frozen=True)
class NoisyPass:
    """One pass of B constructions and of their noisy copies over n inputs each, published layout."""

    blocks: Blocks
    noise: Blocks  # standard normal, zero on padding
    batch: TargetBatch
    bits: Tensor  # 0/1, (B, n, T_max)
    sigma: Tensor  # σ, (B,)
    kappa: Tensor  # κ, (B,)
    old: Trace  # the construction's pass

    @classmethod
    def drawn(
        cls, batch: TargetBatch, bits: Tensor, sigma: Tensor, kappa: Tensor, *, mlp: Trapezoid, draws: int
    ) -> NoisyPass:
        """Targets of one length and degree, each at the inputs (n, T) with `draws` of noise for each; σ and κ (B,).

        B·n·draws networks with one input each, those of one target in a row.
        """
        count = len(bits) * draws
        alone = build(batch, mlp=mlp)
        each = TargetBatch(*(getattr(batch, field.name).repeat_interleave(count, 0) for field in fields(batch)))
        blocks = alone.with_weights([weight.repeat_interleave(count, 0) for _, weight in alone.named()])
        noise = gaussian(each[slice(count)], blocks[slice(count)], 0)
        noise = noise.with_weights([e.repeat(len(batch), *[1] * (e.ndim - 1)) for _, e in noise.named()])
        inputs = bits.repeat(len(each) // len(bits), 1)[:, None]
        size, most = (given.repeat_interleave(count) for given in (sigma, kappa))
        # Without noise, all draws of a target's input are alike.
        old = [e.repeat(1, draws, *[1] * (e.ndim - 2)).flatten(0, 1)[:, None] for e in trace(alone, batch, bits)]
        return cls(blocks, noise, each, inputs, size, most, Trace(*old))

    @functools.cached_property
    def new(self) -> Trace:
        """The noisy network's pass."""
        return trace(moved(self.blocks, self.noise, self.sigma), self.batch, self.bits)

    @functools.cached_property
    def channels(self) -> Channels:
        """Names of the channels."""
        return Channels(self.batch.max_length, self.blocks.layout)

    @property
    def size(self) -> Tensor:
        """σ, shape (B, 1, 1)."""
        return self.sigma[:, None, None]

    @property
    def total(self) -> Tensor:
        """C, shape (B, 1, 1)."""
        return self.batch.coefficients.sum(-1)[:, None, None]

    @property
    def output(self) -> Tensor:
        """F's data column, shape (B, 1, 1, H)."""
        return self.blocks.F[:, :, self.channels.data][:, None, None]

    @property
    def keys(self) -> Tensor:
        """The logits of layer 2, which W2 holds, shape (B, T_max)."""
        return self.blocks.W2[:, : self.channels.output, self.channels.output]

    @functools.cached_property
    def active(self) -> Tensor:
        """Rows of components, bool, shape (B, 1, P)."""
        rows = self.old.second.shape[-1]
        return torch.nn.functional.pad(self.batch.active, (0, rows - self.batch.active.shape[-1]))[:, None]

    # --- rows -------------------------------------------------------------------------------------

    @functools.cached_property
    def seen(self) -> Tensor:
        """B, shape (B, n, P)."""
        return self.new.averaged[..., self.channels.data]

    @property
    def shift(self) -> Tensor:
        """How far B lies from its value without noise, shape (B, n, P)."""
        return self.seen - self.old.averaged[..., self.channels.data]

    @property
    def clearance(self) -> Tensor:
        """How far without noise the inputs of a row's units stay from their kinks at least, shape (B, n, P)."""
        return self._inputs.abs().amin(-1)

    @property
    def nearest(self) -> Tensor:
        """The bias of the unit whose kink is nearest, shape (B, n, P)."""
        bias = self.blocks.Gamma[:, None, None].expand_as(self._inputs)
        return bias.gather(-1, self._inputs.abs().argmin(-1, keepdim=True))[..., 0]

    @property
    def _inputs(self) -> Tensor:
        return self.old.averaged[..., self.channels.data, None] + self.blocks.Gamma[:, None, None]

    @property
    def seen_apart(self) -> Tensor:
        """The averages of bits in a row's component and of the others, shape (B, n, P, 2)."""
        ones = self.bits.sum(-1, keepdim=True) - self.grid * self.batch.degree[:, None, None]
        others = ones / (self.batch.length + 1 - self.batch.degree)[:, None, None]
        return torch.stack([self.grid, others], -1)

    @property
    def turned_bits(self) -> Tensor:
        """Averages of bits under layer 1's attention, without noise and with it, shape (B, n, P, 2)."""
        bits = self.new.tokens[..., self.channels.bit, None]
        return torch.cat([self.old.first @ bits, self.new.first @ bits], -1)

    @functools.cached_property
    def read(self) -> Tensor:
        """What noise in V1 adds to layer 1's output, over σ, shape (B, n, P, E)."""
        return (self.new.first @ self.new.tokens) @ self.noise.V1[:, None]

    @functools.cached_property
    def flicker(self) -> Tensor:
        """δ, shape (B, n, P, H)."""
        return self.size[..., None] * (self.new.averaged @ self.noise.M[:, None] + self.noise.Gamma[:, None, None])

    @property
    def limit_of_flicker(self) -> Tensor:
        """κ standard deviations of δ given layer 1, shape (B, n, P)."""
        return self.size * self.kappa[:, None, None] * (1 + self.new.averaged.square().sum(-1)).sqrt()

    @functools.cached_property
    def waved(self) -> Tensor:
        """G, shape (B, n, P)."""
        return (torch.relu(self.seen[..., None] + self.blocks.Gamma[:, None, None]) * self.output).sum(-1)

    @functools.cached_property
    def ramps(self) -> Tensor:
        """R, shape (B, n, P)."""
        return (self.new.hidden * self.output).sum(-1) - self.waved

    @functools.cached_property
    def flips(self) -> Tensor:
        """G - g, shape (B, n, P)."""
        return self.waved - self.old.stream[..., self.channels.data]

    @functools.cached_property
    def own(self) -> Tensor:
        """What noise in F's data column and in V2 adds to the values, shape (B, n, P)."""
        column = self.noise.F[:, :, self.channels.data][:, None, None]
        data = self.total * (self.new.hidden * column).sum(-1)
        return self.size * (data + (self.new.stream * self.noise.V2[:, None, None]).sum(-1))

    @functools.cached_property
    def apart(self) -> Tensor:
        """Hidden units less the middle of their values at zero and at one, shape (B, n, P, H)."""
        return self.new.hidden - self._middle

    @property
    def at_ends(self) -> tuple[Tensor, Tensor]:
        """The hidden units of averages of zero and one, each shape (B, 1, 1, H)."""
        bias = self.blocks.Gamma[:, None, None]
        return torch.relu(bias), torch.relu(self.blocks.M[:, self.channels.data][:, None, None] + bias)

    @property
    def _middle(self) -> Tensor:
        zero, one = self.at_ends
        return (zero + one) / 2

    # --- layer 2 ----------------------------------------------------------------------------------

    @functools.cached_property
    def turned(self) -> Tensor:
        """What noise adds to a row's logit in layer 2, less its average under the attention, shape (B, n, P)."""
        a, tilted = self.old.second, self.new.second
        change = tilted.clamp_min(1e-300).log() - a.clamp_min(1e-300).log()
        return change - (a * change).sum(-1, keepdim=True)

    @property
    def turn(self) -> Tensor:
        """The largest less the smallest of them, shape (B, n)."""
        there = self.old.second > 0
        return self.turned.where(there, -torch.inf).amax(-1) - self.turned.where(there, torch.inf).amin(-1)

    @property
    def turned_squares(self) -> Tensor:
        """Their variance under the attention, shape (B, n)."""
        return self.mean(self.turned.square())

    @property
    def value_squares(self) -> Tensor:
        """The average square of how far values move, those of unused rows by their own noise alone, shape (B, n)."""
        return self.mean((self.active * self.total * self.ramps + self.own).square())

    @property
    def unused_size(self) -> Tensor:
        """The attention on unused rows times |G - g| + Σ |F δ|, how far their values may move, over C, shape (B, n)."""
        noise = (self.flicker.abs() * self.output.abs()).sum(-1)
        return self.mean(~self.active * (self.flips.abs() + noise))

    @functools.cached_property
    def centred(self) -> Tensor:
        """A (v - f), shape (B, n, P)."""
        a, v = self.old.second, self.old.values
        return a * (v - (a * v).sum(-1, keepdim=True))

    def mean(self, values: Tensor) -> Tensor:
        """An average under layer 2's attention without noise, shape (B, n)."""
        return (self.old.second * values).sum(-1)

    @property
    def target(self) -> Tensor:
        """The target's value, shape (B, n)."""
        ones = (self.batch.members[:, None] & self.bits[:, :, None]).sum(-1)
        return (self.batch.coefficients[:, None] * (ones % 2 == 0)).sum(-1)

    # --- the four parts ---------------------------------------------------------------------------

    @property
    def change(self) -> Tensor:
        """f̃ - f, shape (B, n)."""
        return self.new.output - self.old.output

    @property
    def tangent(self) -> Tensor:
        """Cov_a(v, Δl), shape (B, n)."""
        return (self.centred * self.turned).sum(-1)

    @property
    def first(self) -> Tensor:
        """What is of first order, shape (B, n)."""
        return self.mean(self.active * self.total * self.ramps + self.own) + self.tangent

    @property
    def unused(self) -> Tensor:
        """What unused rows add, shape (B, n)."""
        return (~self.active * self.total * self.new.second * (self.flips + self.ramps)).sum(-1)

    @property
    def bend(self) -> Tensor:
        """How far the softmax bends, shape (B, n)."""
        return ((self.new.second - self.old.second) * self.old.values).sum(-1) - self.tangent

    @property
    def cross(self) -> Tensor:
        """Values and attention at once, shape (B, n)."""
        moved_weight = self.new.second - self.old.second
        values = self.active * self.total * (moved_weight * self.ramps + self.new.second * self.flips)
        return (values + moved_weight * self.own).sum(-1)

    # --- good draws -------------------------------------------------------------------------------

    @functools.cached_property
    def written(self) -> Tensor:
        """What noise in F adds to the stream, over σ, shape (B, n, P, E)."""
        return self.new.hidden @ self.noise.F[:, None]

    @functools.cached_property
    def keyed(self) -> Tensor:
        """What noise in F's position columns adds to logits, over σ, less what it adds in the middle, (B, n, P)."""
        pushes = self.noise.F[:, :, : self.channels.output] @ self.keys[..., None]
        return (self.apart @ pushes[:, None])[..., 0]

    @property
    def queried(self) -> Tensor:
        """What it adds to the query, over σ, shape (B, n)."""
        return self.written[:, :, -1, self.channels.output]

    @functools.cached_property
    def tilted(self) -> Tensor:
        """What noise in W2 adds to logits, over σ, shape (B, n, P)."""
        stream = self.new.stream
        return (stream @ self.noise.W2[:, None] @ stream[:, :, -1:].mT)[..., 0]

    @functools.cached_property
    def limits(self) -> list[tuple[Tensor, Tensor]]:
        """The variables of the proof and κ times their standard deviations, each shape (B, n, …)."""
        most, x, length = self.kappa[:, None, None], self.new.tokens, self.new.hidden.norm(dim=-1)
        rows, width = ((self.batch.length + n).double().sqrt()[:, None, None] for n in (1, 2))
        stream = self.new.stream.norm(dim=-1)
        logits = x @ self.noise.W1[:, None] @ x.mT
        return [
            (logits.abs(), (2 * most)[..., None]),
            (self.read[..., -1].abs(), 2**0.5 * most),
            (self.read.norm(dim=-1), 2**0.5 * (width + most)),
            (self.flicker.abs(), self.limit_of_flicker[..., None]),
            (self.written[..., : self.channels.output + 1].norm(dim=-1), length * (rows + most)),
            (self.written[..., self.channels.data].abs(), length * most),
            (self.keyed.abs(), most * self.apart.norm(dim=-1) * self.keys.norm(dim=-1)[:, None, None]),
            (self.queried.abs()[..., None], length[..., -1:] * most),
            (self.tilted.abs(), most * stream * stream[..., -1:]),
        ]

    @functools.cached_property
    def good(self) -> Tensor:
        """Whether none of them exceeds its limit, bool, shape (B, n)."""
        return torch.stack([(found <= limit).flatten(2).all(-1) for found, limit in self.limits]).all(0)

    @property
    def events(self) -> Tensor:
        """How many they are, shape (B, n)."""
        count = sum(found[0, 0].numel() for found, _ in self.limits)
        return torch.full_like(self.good, count, dtype=torch.float64)

    # --- mean squares and fourth moments, given what comes before -------------------------------------

    @property
    def grid(self) -> Tensor:
        """k/D for every active row, shape (B, n, P)."""
        ones = (self.batch.members[:, None] & self.bits[:, :, None]).sum(-1).double() / self.batch.degree[:, None, None]
        return torch.nn.functional.pad(ones, (0, self.active.shape[-1] - ones.shape[-1]))

    @functools.cached_property
    def reach(self) -> Tensor:
        """How much longer than k/D active rows of layer 1's output are, shape (B, n, P)."""
        beyond: Tensor = self.new.averaged.norm(dim=-1) - self.grid
        return beyond.clamp_min(0) * self.active

    @functools.cached_property
    def _on(self) -> Tensor:
        """F in the data channel where without noise an active row's unit is on, shape (B, n, P, H)."""
        return self.output * ((self._inputs > 0) & self.active[..., None])

    @property
    def counted(self) -> Tensor:
        """Σ F² over an active row's units that are on without noise, shape (B, n, P)."""
        return self._on.square().sum(-1)

    @property
    def energy(self) -> Tensor:
        """The mean square over M and Γ, given layer 1, of Σ a Σ F δ over units that are on, over σ², shape (B, n)."""
        weights = self.old.second[..., None] * self._on
        found: Tensor = weights.sum(-2).square().sum(-1) + (weights.mT @ self.new.averaged).square().sum((-2, -1))
        return found

    @property
    def read_rows(self) -> Tensor:
        """|Σ a h̃|, shape (B, n)."""
        return self._pooled(self.old.second, self.new.hidden)

    @property
    def kept_rows(self) -> Tensor:
        """|Σ a x̃|, shape (B, n)."""
        return self._pooled(self.old.second, self.new.stream)

    @property
    def covaried(self) -> tuple[Tensor, Tensor, Tensor]:
        """|Cov_a(v, ·)| of the logits, the hidden units and the rows of the stream, each shape (B, n)."""
        rows = (self._logits[..., None], self.new.hidden, self.new.stream)
        logits, hidden, stream = (self._pooled(self.centred, row) for row in rows)
        return logits, hidden, stream

    @staticmethod
    def _pooled(weights: Tensor, rows: Tensor) -> Tensor:
        found: Tensor = (weights[..., None] * rows).sum(-2).norm(dim=-1)
        return found

    @property
    def _logits(self) -> Tensor:
        """The logits of layer 2, zero in unused rows, shape (B, 1, P)."""
        return torch.nn.functional.pad(self.keys, (0, self.centred.shape[-1] - self.keys.shape[-1]))[:, None]

    @property
    def unused_given(self) -> Tensor:
        """The mean square over M and Γ, given layer 1, of `unused_size`, shape (B, n)."""
        weight = self.old.second * ~self.active
        rows, sizes, still = self.new.averaged, self.output.abs(), self.mean(~self.active * self.flips.abs())
        deviation = (1 + rows.square().sum(-1)).sqrt()
        both = deviation[..., None] * deviation[..., None, :]
        cosine = ((1 + rows @ rows.mT) / both).clamp(-1, 1)
        each, total = sizes.square().sum(-1, keepdim=True), sizes.sum(-1, keepdim=True)
        # Means of |x y| over 2/π for normal variables: of the same unit in two rows, and of two units.
        alike = (1 - cosine.square()).sqrt() + cosine * cosine.asin()
        joint = both * (total.square() - each + each * alike)
        squares = (weight[..., None] * weight[..., None, :] * joint).sum((-2, -1))
        middle = (2 / torch.pi) ** 0.5 * total[..., 0, 0] * (weight * deviation).sum(-1)
        sigma = self.sigma[:, None]
        found: Tensor = still.square() + 2 * sigma * still * middle + sigma.square() * squares * 2 / torch.pi
        return found

    @property
    def logit_fourth(self) -> Tensor:
        """The root of the fourth moment over F and W2 of what they add to a logit, as long as its rows, (B, n, P).

        Less what they add in the middle: σ o l + σ q (1 + σ o) + σ w with o, q and w normal and independent.
        """
        query, stream = self.new.hidden[:, :, -1].norm(dim=-1)[..., None], self.new.stream.norm(dim=-1)
        logits = torch.nn.functional.pad(self.keys, (0, 1))
        real = torch.arange(logits.shape[-1], device=logits.device) <= self.batch.length[:, None]
        middle = (logits.where(real, -torch.inf).amax(-1) + logits.where(real, torch.inf).amin(-1)) / 2
        turned = query * (self._logits - middle[:, None, None]).abs()
        key = self.keys.norm(dim=-1)[:, None, None] * self.apart.norm(dim=-1)
        # Given o the rest is normal about σ o l; a rule of five nodes takes means over o up to degree nine exactly.
        nodes, shares = (torch.as_tensor(e, device=stream.device) for e in np.polynomial.hermite_e.hermegauss(5))
        moved = turned[..., None] * nodes
        grown = 1 + (self.size * query)[..., None] * nodes
        variance = (key[..., None] * grown).square() + (stream * stream[..., -1:])[..., None].square()
        given = moved.square().square() + 6 * moved.square() * variance + 3 * variance.square()
        fourth: Tensor = (given * shares).sum(-1) / shares.sum()
        root: Tensor = self.size * fourth.sqrt().sqrt()
        return root

    @property
    def value_fourth(self) -> Tensor:
        """The root of the fourth moment of how far an active row's value moves, as long as its rows, (B, n, P).

        C Σ F δ + σ (C N_F·h̃ + N_V2·x̃), a sum of three independent normal variables given layer 1.
        """
        inputs = self.counted * (1 + self.new.averaged.square().sum(-1))
        data = self.total.square() * (inputs + self.new.hidden.square().sum(-1))
        return 3**0.25 * self.size * (data + self.new.stream.square().sum(-1)).sqrt()
