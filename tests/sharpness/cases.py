"""Targets that the tests of the construction share."""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import torch

from boundaudit.numeric.sharpness.target import Target, TargetBatch

TARGETS: dict[str, Target] = {
    "shortest": Target(2, ((1, 2),), (1.0,)), "one bit": Target(6, ((3,),), (1.0,)),
    "three pairs": Target(6, ((1, 2), (3, 6), (2, 5)), (0.6, 0.64, 0.48)),
    "all single bits": Target(5, tuple((t,) for t in range(1, 6)), (0.1, 0.2, 0.3, 0.4, 0.5)),
    "full set": Target(4, ((1, 2, 3, 4),), (0.7,)),
    "triples": Target(7, ((1, 2, 3), (2, 4, 7), (5, 6, 7), (1, 4, 6)), (0.25, 1.5, 0.5, 0.125)),
    "tiny weight": Target(8, ((1, 8), (2, 7)), (1e-3, 2.0)), "long": Target(30, ((1, 15, 30), (2, 3, 4)), (0.8, 0.6)),
}  # fmt: skip

MIXED: dict[str, Target] = {
    "two sizes": Target(5, ((1, 2, 3), (4,), (2, 5)), (0.5, 0.25, 1.5)),
    "one negative bit": Target(4, ((2,),), (-0.75,)),
    "one sign": Target(6, ((1, 2), (3, 6), (2, 5)), (-0.6, -0.64, -0.48)),
    "both signs": Target(6, ((1, 2), (3, 6), (2, 5)), (0.6, -0.64, 0.48)),
    "sizes and signs": Target(7, ((1, 2, 3, 4), (7,), (2, 5), (1, 5, 6)), (0.9, -0.3, -1.25, 0.05)),
    "negative full set": Target(4, ((1, 2, 3, 4), (2,)), (-0.7, 0.2)),
    "as many as bits": Target(3, ((1, 2), (2,), (1, 2, 3)), (-0.5, 0.4, 0.3)),
}
"""Targets beyond the paper: sets of several sizes, negative coefficients, or both."""

SMALL = [name for name, target in TARGETS.items() if target.length <= 8]

GRID = [
    (length, degree, sparsity)
    for length in (2, 3, 4, 7)
    for degree in range(1, min(length, 5) + 1)
    for sparsity in {1, 2, length}
    if sparsity <= math.comb(length, degree)
]
"""Small lengths with every degree up to 5 and few, or as many as possible, components."""


def column(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


OFFSETS = {1: (-2, -1, 1, 2), 2: (-3, -1, 1, 3)}
"""Breakpoints about a grid point, in quarters of the grid, by the width of a flank."""


def wave(s: Fraction, degree: int, width: int) -> Fraction:
    """The MLP's output in fractions, unit by unit."""
    total = Fraction(0)
    for i in range(0, degree + 1, 2):
        for sign, offset in zip((1, -1, -1, 1), OFFSETS[width], strict=True):
            breakpoint_ = Fraction(i, degree) + Fraction(offset, 4 * degree)
            total += sign * Fraction(4 * degree, width) * max(s - breakpoint_, Fraction(0))
    return total


def in_fractions(target: Target, bits: Sequence[int], width: int = 1, power: int | None = None) -> Fraction:
    """The network's output in fractions, for T^λ or, where there is none, with attention to supports alone."""
    length, degree, ones = target.length, target.degree, sum(bits)
    inside = [sum(bits[p - 1] for p in part) for part in target.components]
    averages = [
        Fraction(k, degree) if power is None else Fraction(k * power + ones - k, degree * power + length + 1 - degree)
        for k in inside
    ]
    weights = [Fraction(c) for c in target.coefficients]
    active = sum(c * wave(s, degree, width) for c, s in zip(weights, averages, strict=True))
    if power is None:
        return active
    total, unused = sum(weights), length + 1 - target.sparsity
    leaked = unused * wave(Fraction(ones, length + 1), degree, width)
    return total * (power * active + leaked) / (total * power + unused)


def first_target(length: int, degree: int, sparsity: int) -> Target:
    """The target of the first sets in lexicographic order, with unequal coefficients."""
    sets = itertools.islice(itertools.combinations(range(1, length + 1), degree), sparsity)
    return Target(length, tuple(sets), tuple(0.3 + 0.7 * t / sparsity for t in range(sparsity)))


def paper_example() -> Target:
    """T=20, D=2, ω=10 with equal coefficients of unit length: the paper's own example."""
    pairs = tuple((2 * t + 1, 2 * t + 2) for t in range(10))
    return Target(20, pairs, (10**-0.5,) * 10)


def random_batch(count: int, seed: int) -> TargetBatch:
    """Targets of T 6..24, D 1..5, ω 1..T and unit Σc²: windows of shuffled positions, without a loop."""
    generator = torch.Generator().manual_seed(seed)
    length = torch.randint(6, 25, (count,), generator=generator)
    degree = torch.randint(1, 6, (count,), generator=generator)
    sparsity = 1 + (torch.rand(count, generator=generator) * length).long()
    columns, rows, window = int(length.max()), int(sparsity.max()), int(degree.max())
    scores = torch.rand(count, columns, generator=generator)
    shuffled = scores.masked_fill(torch.arange(columns) >= length[:, None], 2.0).argsort(-1)
    t, i = torch.arange(rows)[:, None], torch.arange(window)
    member = shuffled.gather(1, ((t + i) % length[:, None, None]).flatten(1)).view(count, rows, window)
    wanted = (t < sparsity[:, None, None]) & (i < degree[:, None, None])
    members = torch.zeros(count, rows, columns, dtype=torch.int8)
    members.scatter_reduce_(2, member, wanted.to(torch.int8), reduce="amax")
    weights = torch.rand(count, rows, dtype=torch.float64, generator=generator) + 0.1
    weights = torch.where(t[:, 0] < sparsity[:, None], weights, 0.0)
    return TargetBatch.from_tensors(length, members.bool(), weights / weights.norm(dim=-1, keepdim=True))


def unstack(batch: TargetBatch) -> list[Target]:
    """The targets of a batch, one by one."""
    targets = []
    for b in range(len(batch)):
        sets = [tuple((row.nonzero()[:, 0] + 1).tolist()) for row in batch.members[b, : batch.sparsity[b]]]
        coefficients = batch.coefficients[b, : batch.sparsity[b]].tolist()
        targets.append(Target(int(batch.length[b]), tuple(sets), tuple(coefficients)))
    return targets
