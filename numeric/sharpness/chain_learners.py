"""Learners of a chain of T steps, small enough for the truth: two hypotheses, a Gaussian posterior, tables of parities.

They err as often as is known exactly, or in trials (for Theorems 7, 8 and 16 of Lintilhac & Shaikh 2026).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


def unseen_wrong(samples: Tensor, steps: Tensor) -> Tensor:
    """P(chain wrong) = 1 - (1 - (1-1/m)^m/m)^T: a step is wrong on a set of mass 1/m just if its m samples miss it."""
    size = samples.to(torch.float64)
    one = torch.exp(size * torch.log1p(-1 / size)) / size
    return -torch.expm1(steps * torch.log1p(-one))


# --- parity by a chain of exclusive ors -----------------------------------------------------------

CELLS = 4
"""Pairs of state and bit: a step is one of 2⁴ tables."""


@dataclass(frozen=True)
class ParityErrors:
    """Exact errors of a learner of the step of a parity chain, averaged over samples."""

    chain: Tensor  # P(any step is wrong), (n,)
    steps: Tensor  # the expected number of wrong steps, (n,)


def parity_errors(length: Tensor, samples: Tensor, share: Tensor) -> ParityErrors:
    """The learner that is wrong on every pair of state and bit that its sample misses; T, m and P(bit = 1) are (n,).

    A sample is one step, drawn uniformly, of the parity of independent bits; m of them from independent prompts.
    """
    sets = torch.arange(2**CELLS)[:, None] >> torch.arange(CELLS) & 1
    chances = _cell_chances(length, share)
    missed = _missed(chances.mean_over_steps, sets, samples)
    return ParityErrors(
        (missed * _chain_wrong(length, share, sets)).sum(0), (missed * (sets.double() @ chances.sum)).sum(0)
    )


@dataclass(frozen=True)
class _Chances:
    """Probabilities of the cells, shape (4, n): summed over the steps, and of a random step."""

    sum: Tensor
    mean_over_steps: Tensor


def _cell_chances(length: Tensor, share: Tensor) -> _Chances:
    """Cell 2s + x: state s before the step, bit x. The state is one with probability (1 - (1-2q)^t)/2 after t bits."""
    step = torch.arange(int(length.max()))[:, None]
    one = (1 - (1 - 2 * share) ** step) / 2 * (step < length)
    ones, zeros = one.sum(0), length - one.sum(0)
    total = torch.stack([zeros * (1 - share), zeros * share, ones * (1 - share), ones * share])
    return _Chances(total, total / length)


def _missed(cells: Tensor, sets: Tensor, samples: Tensor) -> Tensor:
    """The probability that exactly the cells of each set are missed, by inclusion and exclusion, shape (16, n)."""
    at_least = (1 - sets.double() @ cells).clamp_min(0) ** samples
    contains = ((sets[:, None] & sets[None]) == sets[:, None]).all(-1)
    surplus = sets.sum(-1)[None] - sets.sum(-1)[:, None]
    signs = torch.where(contains, (-1.0) ** surplus, torch.zeros(()))
    return (signs.double() @ at_least).clamp_min(0)


def _chain_wrong(length: Tensor, share: Tensor, sets: Tensor) -> Tensor:
    """P(a step of the right trajectory falls into each set), shape (16, n)."""
    right = (1 - sets.double())[:, :, None]
    zero, one = torch.ones(len(sets), len(share), dtype=torch.float64), torch.zeros(len(sets), len(share)).double()
    for step in range(int(length.max())):
        stay, move = 1 - share, share
        after_zero = zero * stay * right[:, 0] + one * move * right[:, 3]
        after_one = zero * move * right[:, 1] + one * stay * right[:, 2]
        going = step < length
        zero, one = torch.where(going, after_zero, zero), torch.where(going, after_one, one)
    return 1 - zero - one


def one_pass_wrong(length: Tensor, samples: Tensor) -> Tensor:
    """P(wrong) of a learner of a parity of T uniform bits by elimination, averaged over samples of m ≥ T; all (n,).

    Half the probability that m uniform rows of T bits do not span.
    """
    row = torch.arange(int(length.max()), dtype=torch.float64)[:, None]
    deficit = torch.where(row < length, torch.log1p(-torch.exp2(row - samples)), torch.zeros(()).double())
    return -torch.expm1(deficit.sum(0)) / 2
