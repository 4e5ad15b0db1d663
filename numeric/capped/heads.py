"""Attention heads trained within caps on the (1,1) norms of their maps, and the check that a head is within them.

Models are the leading dimension of every tensor: each has its own caps, samples and start, and learns the same alone as
in a stack, but for rounding. After every step each map is projected on the matrices whose moduli sum to its cap, which
is then a cap on its operator norm, too. Whether a head is in a class is decided in rational arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.capped.marked import Samples, Stream
from boundaudit.numeric.covering.bounds import Caps
from boundaudit.numeric.covering.head import Head, pool

Told = Callable[[int, int], None]
"""Hears how much is done, and how much there is."""

MAPS = ("key", "value", "out", "read")
_MARGIN = 2.0**-40
"""How far below its cap a norm is projected, relatively: more than rounding adds to a sum of moduli."""
_LOOK = 25
"""Steps from one word on how it goes to the next."""
_TOGETHER = 2**17
"""Tokens that are measured at once."""


def caps_of(width: int, cap: float) -> Caps:
    """Heads with k = d, the width, and (1,1) norms, hence operator norms, of at most a cap, on the unit ball."""
    capped: dict[str, Any] = dict.fromkeys((*MAPS, *(f"{name}_operator" for name in MAPS)), cap)
    return Caps(dim=width, inner=width, **capped)


def require_within(head: Head, caps: Caps, longest: float) -> dict[str, float]:
    """That one head is in a class, decided in rational arithmetic: no bound of the class speaks of one that is not.

    The (1,1) norm of each map, rounded.

    Raises:
        InputError: where a (1,1) norm, or a Frobenius norm, which bounds the operator norm, is above its cap; where an
            entry is not a finite number, or a token or query longer than its cap.
    """
    if not longest <= caps.token:
        raise InputError("token", f"a length of at most {caps.token}", longest, "shorten the tokens")
    found = {}
    for name in MAPS:
        stored = getattr(head, name).flatten().tolist()
        if not all(map(math.isfinite, stored)):
            _refuse(name, "(1,1)", getattr(caps, name), math.nan)
        entries = [Fraction(entry) for entry in stored]
        norm, square = sum(map(abs, entries), Fraction()), sum((entry**2 for entry in entries), Fraction())
        if norm > Fraction(getattr(caps, name)):
            _refuse(name, "(1,1)", getattr(caps, name), float(norm))
        if square > Fraction(getattr(caps, f"{name}_operator")) ** 2:
            _refuse(name, "Frobenius", getattr(caps, f"{name}_operator"), float(square) ** 0.5)
        found[name] = float(norm)
    return found


def _refuse(name: str, norm: str, cap: float, got: float) -> None:
    expected = f"a {norm} norm of at most {cap}"
    raise InputError(name, expected, got, "project the map on its cap, or state a class that holds it")


# --- the head and its loss --------------------------------------------------------------------------


def outputs(heads: Head, samples: Samples) -> Tensor:
    """The outputs of each head at its samples, shape (n, N)."""
    asked = samples.queries @ heads.key.mT
    pooled = pool(samples.tokens, torch.einsum("nstd,nsd->nst", samples.tokens, asked))
    return (torch.relu(pooled @ heads.value) @ heads.out @ heads.read[..., None])[..., 0]


def hinges(found: Tensor, labels: Tensor) -> Tensor:
    """By how much an output is short of 1 where the label is 1, or above 0 where it is 0: what is minimised; (n, N)."""
    return torch.relu(torch.where(labels > 0, 1 - found, found))


def losses(found: Tensor, labels: Tensor) -> Tensor:
    """The hinges clipped at 1, shape (n, N): the chance that who says 1 with chance p errs, p the output in [0, 1].

    They are in [0, 1] and 1-Lipschitz in the output.
    """
    return hinges(found, labels).clamp(max=1)


@dataclass(frozen=True)
class Measured:
    """Mean losses of each model and their standard errors, shape (n), and the largest length of a token or query."""

    risk: Tensor
    error: Tensor
    longest: float


@torch.no_grad()
def measure(heads: Head, stream: Stream, first: int, count: int, told: Told = lambda done, most: None) -> Measured:
    """The mean losses of n heads at so many samples, two or more, from the first on; `told` hears how many are done."""
    total, squares = torch.zeros(2, len(heads.key), dtype=torch.float64, device=heads.key.device)
    longest, batch = 0.0, max(1, _TOGETHER // (len(heads.key) * stream.length))
    for done, samples in enumerate(_drawn(stream, first, count, batch)):
        loss = losses(outputs(heads, samples), samples.labels)
        total, squares = total + loss.sum(-1), squares + loss.square().sum(-1)
        longest = max(longest, samples.longest())
        told(min(count, (done + 1) * batch), count)
    risk = total / count
    variance = (squares / count - risk.square()).clamp(min=0)
    return Measured(risk, (variance / (count - 1)).sqrt(), longest)


# --- training ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """How heads are trained: Adam on minibatches in order, its rate falling to zero, projected after each step.

    So many samples, the batch of a step, passes over the samples, and the rate at the start.
    """

    samples: int
    batch: int
    passes: int
    rate: float


def train(
    stream: Stream, plan: Plan, caps: Sequence[float], starts: Sequence[Sequence[int]],
    told: Told = lambda done, most: None,
) -> Head:  # fmt: skip
    """Train n heads on the first samples of their streams, within a cap of each on its maps.

    Starts are what each model's start is drawn from; `told` hears now and then how many steps are done.
    """
    most = torch.tensor(caps, dtype=torch.float64, device=stream.keys.device)
    begun = np.stack([np.random.default_rng(start).standard_normal(_size(stream.width)) for start in starts])
    weights = _projected(torch.from_numpy(begun).to(most.device), stream.width, most).requires_grad_()
    steps = plan.passes * -(-plan.samples // plan.batch)
    adam = torch.optim.Adam([weights], lr=plan.rate)
    for step, samples in enumerate(_passes(stream, plan), 1):
        adam.param_groups[0]["lr"] = plan.rate * (1 - (step - 1) / steps)
        loss = hinges(outputs(_unpacked(weights, stream.width), samples), samples.labels).mean(-1).sum()
        (weights.grad,) = torch.autograd.grad(loss, weights)
        adam.step()
        weights.data = _projected(weights.data, stream.width, most)
        if step % _LOOK == 0 or step == steps:
            told(step, steps)
    return _unpacked(weights.detach(), stream.width)


def _passes(stream: Stream, plan: Plan) -> Iterator[Samples]:
    """The batches of all passes; where one holds all samples, it is drawn once."""
    if plan.batch >= plan.samples:
        yield from [stream.draw(0, plan.samples)] * plan.passes
    else:
        for _ in range(plan.passes):
            yield from _drawn(stream, 0, plan.samples, plan.batch)


def _drawn(stream: Stream, first: int, count: int, batch: int) -> Iterator[Samples]:
    for start in range(first, first + count, batch):
        yield stream.draw(start, min(batch, first + count - start))


def _size(width: int) -> int:
    return 3 * width * width + width


def _parts(weights: Tensor, width: int) -> Sequence[Tensor]:
    """What each map has of the weights."""
    return torch.split(weights, [width * width] * 3 + [width], -1)


def _unpacked(weights: Tensor, width: int) -> Head:
    """The maps of each model, views of shape (n, …)."""
    *maps, read = _parts(weights, width)
    key, value, out = (part.view(-1, width, width) for part in maps)
    return Head(key, value, out, read)


def _projected(weights: Tensor, width: int, caps: Tensor) -> Tensor:
    return torch.cat([within_sum(part, caps * (1 - _MARGIN)) for part in _parts(weights, width)], -1)


def within_sum(rows: Tensor, caps: Tensor) -> Tensor:
    """The nearest rows, shape (n, count), whose moduli sum to a cap, shape (n), at most (Duchi et al. 2008)."""
    falling = rows.abs().sort(-1, descending=True).values
    over = falling.cumsum(-1) - caps[:, None]
    counts = torch.arange(1, rows.shape[-1] + 1, device=rows.device)
    kept = (falling * counts > over).sum(-1, keepdim=True)
    shrunk = (over.gather(-1, kept - 1) / kept).clamp(min=0)
    return rows.sign() * (rows.abs() - shrunk).clamp(min=0)
