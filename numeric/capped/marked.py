"""Samples that one attention head can learn: of T tokens some are marked, and the marked ones carry the label.

A token's first coordinate is its mark, its second a sign, the label's where it is marked and a coin's where it is not;
the others, and those of the query but the first, are noise. Tokens and queries are shorter than one. Everything comes
from counters: the k-th sample of a stream is the same on every device, whichever are drawn with it, so that a stream of
millions need not be kept to be measured again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from boundaudit.numeric.counted import GOLDEN, scattered

MARK, SIGN, TOKEN_NOISE = 0.5, 0.8, 0.3
QUERY, QUERY_NOISE = 0.8, 0.55
"""Parts of a token's and of a query's length, the noise's at most; their squares add up to less than one."""
_BITS, _FIRST = 10, 4
_PER_WORD = (64 - _FIRST) // _BITS
"""Coordinates that come from one word: each from its own bits, the lowest ones being left for coins."""


@dataclass(frozen=True)
class Samples:
    """N samples of n tasks: tokens X (n, N, T, d), queries z (n, N, d), labels 0 or 1 (n, N)."""

    tokens: Tensor
    queries: Tensor
    labels: Tensor

    def longest(self) -> float:
        """The largest length of a token or query."""
        return math.sqrt(max(float(part.square().sum(-1).max()) for part in (self.tokens, self.queries)))


@dataclass(frozen=True)
class Stream:
    """Independent samples of n tasks without end, of T tokens of width d.

    The noise is the share of labels that are turned in each task, shape (n), keys what its samples are drawn from,
    int64, shape (n).
    """

    length: int
    width: int
    noise: Tensor
    keys: Tensor

    @classmethod
    def of(cls, length: int, width: int, noise: Sequence[float], words: Sequence[Sequence[int]], device: str) -> Stream:
        """Streams named by words, whole numbers from 0 on, one for each task with its noise; d is at least 3."""
        keys = [np.random.SeedSequence(name).generate_state(1, np.uint64).view(np.int64)[0] for name in words]
        shares = torch.tensor(noise, dtype=torch.float64, device=device)
        return cls(length, width, shares, torch.tensor(np.array(keys), device=device))

    def draw(self, first: int, count: int) -> Samples:
        """The samples of so many numbers from the first on, of every task, in float64."""
        asked, of_token = math.ceil((self.width - 1) / _PER_WORD), math.ceil((self.width - 2) / _PER_WORD)
        words = self._words(first, count, 1 + asked + self.length * of_token)
        coins, query, rest = torch.split(words, [1, asked, self.length * of_token], -1)
        signs, turned = coins[..., 0] & 1, (coins[..., 0] >> 11 & 2**53 - 1) * 2.0**-53 < self.noise[:, None]
        noise = QUERY_NOISE / (self.width - 1) ** 0.5 * _coordinates(query, self.width - 1)
        queries = torch.cat([torch.full_like(noise[..., :1], QUERY), noise], -1)
        tokens = self._tokens(rest.view(*rest.shape[:-1], self.length, of_token), signs)
        return Samples(tokens, queries, (signs ^ turned).double())

    def _words(self, first: int, count: int, each: int) -> Tensor:
        """So many words of 64 bits for each sample, shape (n, count, each)."""
        places = torch.arange(first * each, (first + count) * each, device=self.keys.device).view(count, each)
        return scattered(places * GOLDEN + self.keys[:, None, None])

    def _tokens(self, words: Tensor, signs: Tensor) -> Tensor:
        marked, coins = (words[..., 0] | words[..., 0] >> 1) & 1, words[..., 0] >> 2 & 1
        marked[..., 0] = 1  # so that one token is, in every sample
        said = torch.where(marked > 0, signs[..., None], coins)
        noise = TOKEN_NOISE / (self.width - 2) ** 0.5 * _coordinates(words, self.width - 2)
        marks, values = MARK * (2 * marked - 1).double(), SIGN * (2 * said - 1).double()
        return torch.cat([torch.stack([marks, values], -1), noise], -1)


def _coordinates(words: Tensor, count: int) -> Tensor:
    """So many numbers between -1 and 1 from the words of each row."""
    shifts = torch.arange(_FIRST, 64, _BITS, device=words.device)
    half = 2 ** (_BITS - 1)
    numbers: Tensor = (words[..., None] >> shifts & 2 * half - 1).flatten(-2)[..., :count].double()
    return (numbers + 0.5).div_(half).sub_(1)
