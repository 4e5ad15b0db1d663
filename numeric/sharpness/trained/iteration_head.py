"""Parity step by step, and in one pass (Lintilhac & Shaikh 2026, Appendix G): two layers with cyclic positions.

The prompt has T bits, and the states of the chain, the first of them 0, stand behind it. Positions have period T, so
that the state before step t has the code of bit t: attention by codes averages just these two, an MLP of one variable
takes their parity, and layer 2 reads it at the same code. One pass sees the prompt and one more token, and has to say
the parity of all bits. Nothing is masked but what is not yet written: rows are computed anew at each step.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import pad

from boundaudit.numeric.enumeration import bit_strings, numbered_bits
from boundaudit.numeric.sharpness.trained.family import Family, Masks, Weights
from boundaudit.numeric.sharpness.trained.risk import NUMBERS

_LISTED, _SAMPLE = 12, 2**12
"""Up to which T all prompts are taken, and how many beyond it."""

_PER_COPY = 16
"""Prompts that each noisy copy answers."""


@dataclass(frozen=True)
class IterationHead(Family):
    """A size of networks: T bits, units of the MLP, and whether the parity is said step by step."""

    length: int
    hidden: int
    chain: bool = True

    @property
    def steps(self) -> int:
        """The outputs for each prompt."""
        return self.length if self.chain else 1

    @property
    def tokens(self) -> int:
        """The tokens of the last step."""
        return self.length + self.steps

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each weight of one network; tokens have T channels of codes and one of bits."""
        e, h = self.length + 1, self.hidden
        return {
            "first": (e, e), "value": (e,), "up": (h,), "up_bias": (h,), "down": (h,), "second": (e, e),
            "read": (1,), "read_bias": (1,),
        }  # fmt: skip

    def draw(self, random: np.random.Generator) -> dict[str, np.ndarray]:
        """Normal weights, attention quiet at first; kinks of the MLP lie where averages of bits do."""
        drawn = {name: random.standard_normal(shape) for name, shape in self.shapes.items()}
        for name, scale in (("first", 0.3), ("second", 0.3), ("value", 0.1), ("down", 1 / math.sqrt(self.hidden))):
            drawn[name] *= scale
        drawn["value"][-1] = 1
        ends = {"read": np.ones(1), "read_bias": np.zeros(1)}
        return drawn | {"up_bias": -drawn["up"] * random.random(self.hidden), **ends}

    @classmethod
    def constructed(cls, length: int, *, chain: bool = True) -> tuple[IterationHead, dict[str, Tensor]]:
        """The network of the proof, float64: 2 log T between equal codes, and trapezoids for the parity of D bits.

        D is 2 for a chain, T ≥ 6 (the other tokens then leave averages on the trapezoids' plateaus), and T for one
        pass.
        """
        degree = 2 if chain else length
        # Odd numbers of ones are plateaus of 1 between ramps of width 1/(2D): four units each.
        odd = torch.arange(1, degree + 1, 2, dtype=torch.float64)[:, None]
        kinks = (odd + torch.tensor([-0.75, -0.25, 0.25, 0.75], dtype=torch.float64)).flatten() / degree
        head = cls(length, len(kinks), chain)
        weights = {name: torch.zeros(1, *shape, dtype=torch.float64) for name, shape in head.shapes.items()}
        if chain:
            for name in ("first", "second"):
                weights[name][0, :-1, :-1] = 2 * torch.eye(length, dtype=torch.float64)
        weights["value"][0, -1] = 1 if chain else (length + 1) / length
        weights["up"][:], weights["up_bias"][0], weights["read"][:] = 1, -kinks, 1
        weights["down"][0] = 2 * degree * torch.tensor([1.0, -1, -1, 1], dtype=torch.float64).repeat(len(odd))
        return head, weights

    def outputs(self, weights: Weights, bits: Tensor, masks: Masks | None = None) -> Tensor:
        """Run S networks with the right states before each step; prompts (n, T) for all alike or (S, n, T).

        Shape (S, n, T), or (S, n, 1) for one pass; `masks` are what dropout leaves of the averages.
        """
        states = pad(parities(bits)[..., :-1], (1, 0))[..., : self.steps]
        return self._run(weights, torch.cat([bits, states], dim=-1), range(self.steps), masks)

    def chains(self, weights: Weights, bits: Tensor) -> Tensor:
        """Let networks go on from their own states, 1 where an output is nearer to 1 than to 0; inputs as `outputs`.

        The states that it writes, bool, shape (S, n, T), or (S, n, 1) for one pass.
        """
        tokens = bits.expand(len(weights["read"]), *bits.shape[-2:])
        tokens = pad(tokens, (0, self.steps + 1))
        for step in range(self.steps):
            output = self._run(weights, tokens[..., :-1], range(step, step + 1), None)
            tokens[..., self.length + step + 1] = output[..., 0] > 0.5
        return tokens[..., self.length + 1 :]

    def numbers(self) -> int:
        """How many numbers a pass holds for one prompt, roughly."""
        return self.steps * self.tokens * (3 * self.tokens + 2 * self.hidden)

    def _run(self, w: Weights, tokens: Tensor, steps: range, masks: Masks | None) -> Tensor:
        """The outputs of some steps, of which each sees the tokens up to its own."""
        b = tokens.to(w["read"].dtype).expand(len(w["read"]), *tokens.shape[-2:])
        codes = torch.arange(self.tokens, device=b.device) % self.length
        last = torch.arange(self.length + steps.start, self.length + steps.stop, device=b.device)
        unwritten = torch.arange(self.tokens, device=b.device) > last[:, None]
        logits = self._logits(w["first"], codes, b).masked_fill(unwritten[:, None], -math.inf)
        numbers = w["value"][:, None, codes] + b * w["value"][:, None, -1:]
        averages = (masks or Masks())((torch.softmax(logits, dim=-1) @ numbers[:, :, None, :, None])[..., 0])
        hidden = torch.relu(averages[..., None] * w["up"][:, None, None, None] + w["up_bias"][:, None, None, None])
        learned = hidden @ w["down"][:, None, None, :, None]
        second = self._logits(w["second"], codes, b)[..., 0, last, :].masked_fill(unwritten, -math.inf)
        read = (torch.softmax(second, dim=-1)[..., None, :] @ learned)[..., 0, 0]
        return w["read"][..., None] * read + w["read_bias"][..., None]

    def _logits(self, form: Tensor, codes: Tensor, b: Tensor) -> Tensor:
        """Log T x_i A x_j between all tokens, shape (S, n, 1, N, N)."""
        both, row, column = form[:, None, -1:, -1:], form[:, None, -1:, codes], form[:, None, codes, -1:]
        by_codes = form[:, codes][:, None, :, codes]
        ones = b[..., None]
        return math.log(self.length) * (by_codes + column * ones.mT + ones * (row + both * ones.mT))[:, :, None]


@dataclass(frozen=True)
class Parities:
    """Prompts with the parities that a chain, or one pass, has to say.

    Attributes:
        inputs: Numbers of the training prompts, int64, shape (S, m).
    """

    head: IterationHead
    inputs: Tensor

    @classmethod
    def draw(cls, head: IterationHead, networks: int, samples: int, *, seed: int) -> Parities:
        """Uniform prompts, m for each network, the same for a chain and one pass."""
        random = np.random.default_rng([seed, head.length, samples, 1])
        return cls(head, torch.from_numpy(random.integers(2**head.length, size=(networks, samples))))

    def __len__(self) -> int:
        """The number S of networks."""
        return len(self.inputs)

    def wanted(self) -> Tensor:
        """The parities, float64, shape (S, m, steps)."""
        return parities(numbered_bits(self.inputs, self.head.length))[..., -self.head.steps :].double()

    def to(self, device: str) -> Parities:
        """The same on a device."""
        return Parities(self.head, self.inputs.to(device))


def parities(bits: Tensor) -> Tensor:
    """The parity of the bits up to each position, bool, of the shape of the bits, (..., T)."""
    return (bits.long().cumsum(-1) % 2).bool()


class WrongShares(NamedTuple):
    """How often networks are wrong, over all prompts or a sample of them; float64."""

    step: Tensor  # steps from right states, (S,)
    final: Tensor  # last answers of chains that go on from their own states, (S,)


def wrong_shares(head: IterationHead, weights: Weights, *, seed: int) -> WrongShares:
    """Over all prompts, or a sample by the seed where there are too many."""
    bits = _prompts(head.length, seed).to(weights["read"].device)
    wanted = parities(bits)[:, -head.steps :]
    some = max(1, NUMBERS[bits.device.type] // (len(weights["read"]) * head.numbers()))
    step, final = [], []
    with torch.no_grad():
        for part, right in zip(torch.split(bits, some), torch.split(wanted, some), strict=True):
            step.append((head.outputs(weights, part) > 0.5) != right)
            final.append(head.chains(weights, part)[..., -1] != right[:, -1])
    return WrongShares(torch.cat(step, 1).double().mean((1, 2)), torch.cat(final, 1).double().mean(1))


def noisy_wrong(head: IterationHead, weights: Weights, sigma: float, *, draws: int, seed: int) -> Tensor:
    """How often noisy copies of one network give a wrong last answer, each on prompts of its own; float64, (draws,)."""
    generator = torch.Generator(weights["read"].device).manual_seed(seed)
    found = []
    each = max(1, NUMBERS[generator.device.type] // (_PER_COPY * head.numbers()))
    for start in range(0, draws, each):
        copies = min(each, draws - start)
        noisy = {
            name: tensor + sigma * torch.randn(
                copies, *tensor.shape[1:], generator=generator, dtype=tensor.dtype, device=tensor.device
            )
            for name, tensor in weights.items()
        }  # fmt: skip
        size = (copies, _PER_COPY, head.length)
        bits = torch.rand(size, generator=generator, device=generator.device) < 0.5
        with torch.no_grad():
            answers = head.chains(noisy, bits)[..., -1]
        found.append((answers != parities(bits)[..., -1]).double().mean(1))
    return torch.cat(found)


def _prompts(length: int, seed: int) -> Tensor:
    if length <= _LISTED:
        return bit_strings(length, 0, 2**length)
    return torch.rand(_SAMPLE, length, generator=torch.Generator().manual_seed(seed)) < 0.5
