"""Property tests that query a function: is it of degree at most D, or a sum of at most s characters?

The degree test draws an input and D + 1 disjoint random blocks of positions, and adds up the values at the 2^(D+1)
inputs that flip some of the blocks, with a minus for every odd number of flips. A character survives where its set has
an odd number of positions in each block, which takes more than D of them; `rates.all_odd` is how likely that is. So a
function of degree D is never rejected, and the mean square of the sum tells the energy above D.

The published test flips random sets that overlap (Alon et al. 2005): made for polynomials over the field of two
elements, where it adds modulo two, it knows another degree than that of real functions. Blocks of one random position
each know the real degree too, but seldom hit a set: `rates.character_power` has the rates of all three.

The sparsity test restricts the function to a random affine subspace of t dimensions and transforms there: sets that the
subspace cannot tell apart fall into one bucket, so that never more buckets are filled than the function has characters.
Random directions part any two sets but for one in 2^t (Gopalan et al. 2011); directions along t random positions,
as published, often part none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.fourier.rates import Directions, least_power, rate_interval
from boundaudit.numeric.fourier.spectrum import WalshSpectrum
from boundaudit.numeric.fourier.tables import BlackBox, asked
from boundaudit.numeric.fourier.transform import walsh_hadamard

Subspace = Literal["cosets", "restriction"]
"""Random directions; or directions along random positions."""

TOLERANCE = 1e-9
"""What counts as zero, relative to the largest value that was seen."""

AT_ONCE = 2**22
"""Bits of queries that are held at once."""

FEW = 32
"""Trials that a test begins with which ends at the first rejection."""

MOST_BLOCKS, MOST_BITS = 16, 24


@dataclass(frozen=True)
class DegreeTest:
    """What trials of a degree test for D showed.

    Attributes:
        rejections: in how many of the trials the signed mean was not zero.
        queries: values that were asked for.
        mean_square: the mean of the squared signed means.
        first: the first trial that rejected, from 1: so fewer trials accept; None where all of them do.
    """

    degree: int
    trials: int
    rejections: int
    queries: int
    mean_square: float
    first: int | None

    @property
    def accepted(self) -> bool:
        """Whether no trial rejected: what a function of degree at most D always does."""
        return not self.rejections

    @property
    def rejection_rate(self) -> tuple[float, float]:
        """A 95 % interval for how likely a trial rejects."""
        return rate_interval(self.rejections, self.trials)

    @property
    def energy(self) -> tuple[float, float]:
        """Between what the energy above D lies, if the mean square of disjoint blocks were its expectation."""
        return self.mean_square * 2 ** (self.degree + 1), self.mean_square / float(least_power(self.degree))


def degree_test(
    function: BlackBox, length: int, degree: int, *, trials: int = 1000, seed: int = 0, tolerance: float = TOLERANCE,
    directions: Directions = "disjoint", stop: bool = False,
) -> DegreeTest:  # fmt: skip
    """Test whether a function has degree at most D, by 2^(D+1) queries a trial.

    Args:
        function: from inputs, bool, shape (n, T), to n real numbers.
        length: T.
        degree: D, from 0 to 15.
        trials: how many independent trials.
        seed: of the draws.
        tolerance: signed means of at most this many times the largest value seen count as zero.
        directions: disjoint blocks, or the published ones.
        stop: whether to end soon after the first rejection, with fewer trials.

    Raises:
        InputError: for numbers out of range, or values that are no finite reals; and no bits for "modulo-two".

    Example:
        >>> test = degree_test(lambda bits: bits[:, :3].sum(-1) % 2, 8, 2)
        >>> test.accepted, test.rejection_rate[0] < 3 / 32 < test.rejection_rate[1]
        (False, True)
    """
    _check_whole("degree", degree, 0, MOST_BLOCKS - 1)
    _check_whole("trials", trials, 1, 10**9)
    blocks = degree + 1
    flips = bit_strings(blocks, 0, 2**blocks).float()
    signs = 1 - 2 * flips.sum(-1).double().remainder(2)
    found, largest = [], 0.0
    for count, generator in _batches(trials, length << blocks, seed, first=FEW if stop else None):
        sets = _sets(directions, count, blocks, length, generator)
        values = _values(function, length, flips @ sets, generator)
        if directions == "modulo-two":
            _check_bits(values)
            found.append(values.sum(-1).remainder(2))
        else:
            found.append((values @ signs) / 2**blocks)
        largest = max(largest, float(values.abs().max()))
        if stop and bool((found[-1].abs() > tolerance * largest).any()):
            break
    means = torch.cat(found)
    rejecting = (means.abs() > tolerance * largest).nonzero()
    return DegreeTest(
        degree, len(means), len(rejecting), len(means) << blocks, float(means.square().mean()),
        int(rejecting[0]) + 1 if len(rejecting) else None,
    )  # fmt: skip


def _sets(directions: Directions, count: int, blocks: int, length: int, generator: torch.Generator) -> Tensor:
    """Random sets of positions, 0 or 1, float32, shape (count, blocks, T)."""
    if directions == "disjoint":
        classes = torch.randint(blocks + 1, (count, 1, length), generator=generator)
        return (classes == torch.arange(blocks)[:, None]).float()
    if directions == "positions":
        return _distinct(count, blocks, length, generator)
    if directions not in {"xor", "modulo-two"}:
        raise InputError("directions", "disjoint, positions, xor or modulo-two", repr(directions), "choose one")
    return torch.randint(2, (count, blocks, length), generator=generator).float()


def _distinct(count: int, size: int, length: int, generator: torch.Generator) -> Tensor:
    """Distinct random positions as unit vectors, float32, shape (count, size, T)."""
    chosen = torch.rand(count, length, generator=generator).argsort(-1)[:, :size]
    return torch.eye(length)[chosen]


def _check_bits(values: Tensor) -> None:
    """Require the values 0 and 1, else InputError."""
    if not ((values == 0) | (values == 1)).all():
        raise InputError("function", "the values 0 and 1 for a sum modulo two", "others", "use disjoint blocks")


@dataclass(frozen=True)
class SparsityTest:
    """What trials of a sparsity test on subspaces of t dimensions, the bits, showed.

    How many buckets were filled in each trial, never more than the function has characters, and how many values were
    asked for.
    """

    bits: int
    filled: tuple[int, ...]
    queries: int

    @property
    def at_least(self) -> int:
        """So many characters the function has."""
        return max(self.filled)

    def accepts(self, sparsity: int) -> bool:
        """Whether no trial saw more than s characters: what a sum of at most s always does."""
        return self.at_least <= sparsity


def sparsity_test(
    function: BlackBox, length: int, bits: int, *, trials: int = 10, seed: int = 0, tolerance: float = TOLERANCE,
    subspace: Subspace = "cosets",
) -> SparsityTest:  # fmt: skip
    """Count the characters that a random subspace of t dimensions can tell apart, by 2^t queries a trial.

    The constant is a character too: ω even-parity indicators with positive coefficients are ω + 1 characters. The bits
    t are at most 24, and at most T for a restriction; s (s+1)/2^(t+1) ≤ δ keep s + 1 sets apart but for δ. Buckets of
    at most the tolerance times the largest value seen count as empty; the rest is as in `degree_test`.

    Raises:
        InputError: for numbers out of range, or values that are no finite reals.

    Example:
        >>> function = lambda bits: (~bits[:, :3]).double().sum(-1)
        >>> sparsity_test(function, 16, 8).at_least
        4
    """
    (filled,) = sparsity_levels(
        function, length, bits, (0.0,), trials=trials, seed=seed, tolerance=tolerance, subspace=subspace
    )
    return SparsityTest(bits, tuple(filled.tolist()), trials << bits)


def sparsity_levels(
    function: BlackBox, length: int, bits: int, energies: Sequence[float], *, trials: int = 10, seed: int = 0,
    tolerance: float = TOLERANCE, subspace: Subspace = "cosets",
) -> Tensor:  # fmt: skip
    """The first sparsity that each trial accepts where its buckets beyond the largest ones may have some energy.

    Energies are sums of squares of what a level leaves out; the rest is as in `sparsity_test`. Int64, shape
    (energies, trials).

    Raises:
        InputError: as there.

    Example:
        >>> function = lambda bits: bits[:, 0] + bits[:, 1] / 8
        >>> sparsity_levels(function, 16, 8, (0.0, 0.01), trials=2).tolist()
        [[3, 3], [2, 2]]
    """
    if subspace not in {"cosets", "restriction"}:
        raise InputError("subspace", "cosets or restriction", repr(subspace), "choose one")
    _check_whole("bits", bits, 0, MOST_BITS if subspace == "cosets" else min(MOST_BITS, length))
    _check_whole("trials", trials, 1, 10**9)
    points = bit_strings(bits, 0, 2**bits).float()
    levels: list[Tensor] = []
    for count, generator in _batches(trials, length << bits, seed):
        if subspace == "cosets":
            spanning = torch.randint(2, (count, bits, length), generator=generator).float()
        else:
            spanning = _distinct(count, bits, length, generator)
        values = _values(function, length, points @ spanning, generator)
        seen = WalshSpectrum(walsh_hadamard(values), tolerance * values.abs().amax(-1))
        levels.append(torch.stack([seen.sparsity_within(energy) for energy in energies]))
    return torch.cat(levels, -1)


def _values(function: BlackBox, length: int, flips: Tensor, generator: torch.Generator) -> Tensor:
    """Values, shape (count, queries), at random inputs with positions flipped as often as (count, queries, T) says."""
    start = torch.randint(2, (len(flips), 1, length), generator=generator)
    inputs = (flips + start).remainder_(2).bool()
    return asked(function, inputs.flatten(0, 1)).cpu().view(inputs.shape[:2])


def _batches(trials: int, size: int, seed: int, *, first: int | None = None) -> Iterator[tuple[int, torch.Generator]]:
    """Trials a few at a time, by what one of them holds, all from one stream; twice as many each time after a first."""
    generator = torch.Generator().manual_seed(seed)
    most = max(1, AT_ONCE // max(1, size))
    step = most if first is None else min(most, first)
    while trials > 0:
        yield min(step, trials), generator
        trials, step = trials - step, min(most, 2 * step)


def _check_whole(name: str, value: object, low: int, high: int) -> None:
    """Require an integer from low to high, else InputError."""
    if type(value) is not int or not low <= value <= high:
        raise InputError(name, f"an integer from {low} to {high}", repr(value), "choose another")


def degree_sweep(
    function: BlackBox, length: int, *, highest: int = 8, trials: int = 1000, seed: int = 0,
    tolerance: float = TOLERANCE, directions: Directions = "disjoint", stop: bool = False,
) -> Iterator[DegreeTest]:  # fmt: skip
    """Test degrees as `degree_test` does, each twice the queries, from 0 to the first accepted or the highest."""
    for degree in range(min(length, highest) + 1):
        test = degree_test(
            function, length, degree, trials=trials, seed=seed, tolerance=tolerance, directions=directions, stop=stop
        )
        yield test
        if test.accepted:
            return


def first_accepted_degree(
    function: BlackBox, length: int, *, highest: int = 8, trials: int = 1000, seed: int = 0,
    tolerance: float = TOLERANCE, directions: Directions = "disjoint",
) -> int | None:  # fmt: skip
    """The least degree that a `degree_sweep` accepts; None where none is accepted."""
    *_, last = degree_sweep(
        function, length, highest=highest, trials=trials, seed=seed, tolerance=tolerance, directions=directions,
        stop=True,
    )  # fmt: skip
    return last.degree if last.accepted else None
