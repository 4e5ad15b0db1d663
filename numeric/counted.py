"""Random numbers of a key and a place alone: every device draws the same, in any order, without a state."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

_STAGES = ((16, 0x7FEB352D), (15, 0x846CA68B - 2**32))
"""Shifts and factors of lowbias32 (C. Wellons 2018, hash-prospector), factors as signed numbers."""


def mixed(numbers: Tensor) -> Tensor:
    """Scatter 32-bit numbers, no two to the same place: int32, as good as uniform for numbers that count up."""
    for shift, factor in _STAGES:
        numbers = (numbers ^ (numbers >> shift & (1 << 32 - shift) - 1)) * factor
    return numbers ^ (numbers >> 16 & 0xFFFF)


def key(*words: int) -> int:
    """A signed number of 32 bits for some words from 0 on, such as a seed and what it is used for."""
    return int(np.random.SeedSequence(words).generate_state(1)[0].view(np.int32))


def orders(keys: Tensor, count: int) -> Tensor:
    """A permutation for each key: int32 of shape (S,) to int64 of shape (S, count)."""
    return mixed(torch.arange(count, dtype=torch.int32, device=keys.device) + mixed(keys)[:, None]).argsort(1)


def kept(key: Tensor, shape: tuple[int, ...], rate: float) -> Tensor:
    """Which numbers of a shape are kept where a share, the rate, is dropped, bool.

    The key is int32, without dimensions, far from those of other calls.
    """
    places = torch.arange(torch.Size(shape).numel(), dtype=torch.int32, device=key.device)
    return (mixed(places + key) >= int((rate - 0.5) * 2**32)).view(shape)


GOLDEN = 0x9E3779B97F4A7C15 - 2**64
"""The step between states of SplitMix64, as a signed number."""


def scattered(words: Tensor) -> Tensor:
    """SplitMix64's mixing of 64 bits (Steele, Lea & Flood 2014), int64, no two the same for words that differ.

    For draws, words are a key plus whole multiples of `GOLDEN`.
    """
    for shift, factor in ((30, 0xBF58476D1CE4E5B9 - 2**64), (27, 0x94D049BB133111EB - 2**64)):
        words = (words ^ _to_the_right(words, shift)) * factor
    return words ^ _to_the_right(words, 31)


def _to_the_right(words: Tensor, by: int) -> Tensor:
    """With zeros from the left."""
    shifted: Tensor = (words >> by) & (2 ** (64 - by) - 1)
    return shifted
