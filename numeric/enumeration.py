"""Bit strings as inputs: all of them, a seeded sample, or one.

A bit string is a row of a bool tensor, written from position 1; number i of the enumeration is the string that spells i
in binary, position 1 first. PyTorch is loaded with the first tensor, so that a choice of inputs is checked without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from boundaudit import InputError

if TYPE_CHECKING:
    import torch
    from torch import Tensor

ENUMERATED_BY_DEFAULT = 20
"""The largest length at which all inputs are taken when nothing is said."""

ENUMERABLE = 24
"""The largest length at which all inputs may be asked for."""

SAMPLE_BY_DEFAULT = 2**16
"""How many inputs are drawn when nothing is said and the length is larger."""


def bit_strings(length: int, start: int, stop: int, *, device: torch.device | str = "cpu") -> Tensor:
    """The inputs number ``start`` to ``stop - 1`` of {0,1}^length, length at most 62: bool, (stop - start, length)."""
    import torch

    numbers = torch.arange(start, stop, device=device)
    shifts = torch.arange(length - 1, -1, -1, device=device)
    return ((numbers[:, None] >> shifts) & 1).bool()


def numbered_bits(numbers: Tensor, length: int) -> Tensor:
    """The inputs of numbers, int64 of any shape, on their device: bool, shape (..., length), at most 62 bits."""
    import torch

    return (numbers[..., None] >> torch.arange(length - 1, -1, -1, device=numbers.device) & 1).bool()


@dataclass(frozen=True)
class Inputs:
    """Which inputs of so many bits a measurement runs over.

    Attributes:
        mode: all inputs, a uniform sample with replacement, or one given input.
        count: how many inputs there are.
        seed: of the sample.
        at: the given input as a string of 0 and 1, from position 1.
    """

    length: int
    mode: Literal["all", "random", "at"]
    count: int
    seed: int = 0
    at: str = ""

    def batches(self, size: int, *, device: torch.device | str = "cpu") -> Iterator[Tensor]:
        """The inputs in a fixed order, bool (n, length), n ≤ ``size``; a sample is the same for every device."""
        import torch

        if self.mode == "at":
            yield torch.tensor([[bit == "1" for bit in self.at]], device=device)
            return
        generator = torch.Generator().manual_seed(self.seed)
        for start in range(0, self.count, size):
            stop = min(start + size, self.count)
            if self.mode == "all":
                yield bit_strings(self.length, start, stop, device=device)
            else:
                drawn = torch.randint(0, 2, (stop - start, self.length), generator=generator, dtype=torch.uint8)
                yield drawn.bool().to(device)


def choose_inputs(length: int, *, inputs: str | None = None, at: str | None = None, seed: int = 0) -> Inputs:
    """Read what a user says about the inputs.

    Args:
        length: the number of bits.
        inputs: ``"all"``, ``"random:N"`` with N at least 2, or nothing: all up to 20 bits, else a sample.
        at: one bit string from position 1; excludes ``inputs``.
        seed: of the sample, from 0 to 2^63 - 1.

    Raises:
        InputError: when a text does not fit, or 2^length inputs are too many to enumerate.
    """
    if type(seed) is not int or not 0 <= seed < 2**63:
        raise InputError("seed", "an integer from 0 to 2^63 - 1", repr(seed), "give another seed")
    if at is not None:
        return _one(length, inputs, at)
    if inputs is None and length <= ENUMERATED_BY_DEFAULT:
        return Inputs(length, "all", 2**length)
    if inputs is None:
        return Inputs(length, "random", SAMPLE_BY_DEFAULT, seed)
    if inputs != "all":
        return Inputs(length, "random", _sample_size(inputs), seed)
    if length > ENUMERABLE:
        raise InputError("inputs", f"at most {ENUMERABLE} bits for 'all'", f"{length}", "use 'random:N'")
    return Inputs(length, "all", 2**length)


def _one(length: int, inputs: str | None, at: str) -> Inputs:
    """The one input that ``at`` spells; InputError when it is no such bit string, or ``inputs`` is given too."""
    if inputs is not None:
        raise InputError("inputs", "nothing beside 'at'", repr(inputs), "give one of the two")
    if type(at) is not str or len(at) != length or set(at) - {"0", "1"}:
        raise InputError("at", f"{length} digits 0 or 1", repr(at), "write one digit for each position, from 1")
    return Inputs(length, "at", 1, at=at)


def _sample_size(inputs: str) -> int:
    """The N of ``"random:N"``; InputError when the text has another form."""
    mode, _, size = inputs.partition(":") if type(inputs) is str else ("", "", "")
    # Twelve digits are more inputs than can be run, and short enough to be read as an integer.
    if mode != "random" or not (size.isascii() and size.isdecimal() and len(size) <= 12) or int(size) < 2:
        raise InputError("inputs", "'all' or 'random:N' with N >= 2", repr(inputs), "try 'random:100000'")
    return int(size)
