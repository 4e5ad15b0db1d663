"""Property tests by enumeration: every choice that a trial can draw, for small functions."""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.fourier.spectrum import WalshSpectrum
from boundaudit.numeric.fourier.targets import random_sparse, sparse_values
from boundaudit.numeric.fourier.testers import sparsity_test
from boundaudit.numeric.fourier.transform import walsh_hadamard


def _classes(count: int, positions: int) -> Tensor:
    """Every way to give positions one of some classes, int64, shape (count^positions, positions)."""
    grid = torch.cartesian_prod(*[torch.arange(count)] * positions)
    return grid.reshape(-1, positions)


def odd_share(size: int, blocks: int) -> float:
    """In which share of ways disjoint blocks, which need not hold all positions, all hold an odd number of a set's."""
    classes = _classes(blocks + 1, size)
    odd = (classes[:, None] == torch.arange(blocks)[:, None]).sum(-1) % 2 == 1
    return float(odd.all(-1).double().mean())


def xor_share(size: int, sets: int) -> float:
    """In which share of ways random sets, which may overlap, all hold an odd number of a set's positions."""
    odd = bit_strings(size, 0, 2**size).sum(-1) % 2 == 1
    return float(odd.double().mean()) ** sets


def accepted_degree(size: int, degree: int) -> int:
    """The real degree of the parity of so many positions if the test modulo two never rejects it, else 0."""
    parity = bit_strings(size, 0, 2**size).sum(-1) % 2
    flips = bit_strings(degree + 1, 0, 2 ** (degree + 1)).long()
    numbers = _classes(2**size, degree + 2)  # an input and the directions, as numbers
    at = numbers[:, :1].expand(-1, len(flips)).clone()
    for one in range(degree + 1):
        at ^= flips[:, one] * numbers[:, 1 + one : 2 + one]
    accepts = bool((parity[at].sum(-1) % 2 == 0).all())
    return int(WalshSpectrum.of(parity).degree) if accepts else 0


def odd_classes(classes: int, draws: int) -> list[int]:
    """How many sequences of draws leave 0, 1, … of some classes with an odd number of draws; they add up to all."""
    counts = [1] + [0] * classes
    for _ in range(draws):
        counts = [
            (odd + 1) * (counts[odd + 1] if odd < classes else 0)
            + (classes - odd + 1) * (counts[odd - 1] if odd else 0)
            for odd in range(classes + 1)
        ]
    return counts


def half_means(values: Tensor, degree: int) -> tuple[Tensor, Tensor]:
    """Means over an even and an odd number of degree + 1 flipped blocks, at every input, for all choices of blocks.

    From tables (n, 2^T) to two of shape (n, ways, 2^T).
    """
    length, blocks = values.shape[-1].bit_length() - 1, degree + 1
    classes = _classes(blocks + 1, length)
    flips = torch.nn.functional.pad(bit_strings(blocks, 0, 2**blocks).long(), (0, 1))
    places = 1 << torch.arange(length - 1, -1, -1)
    masks = (flips[:, classes] * places).sum(-1)  # (2^b, ways)
    total = torch.zeros(2, len(values), len(classes), values.shape[-1], dtype=torch.float64)
    inputs = torch.arange(values.shape[-1])
    for odd, mask in zip((flips.sum(-1) % 2).tolist(), masks, strict=True):
        total[odd] += values[:, mask[:, None] ^ inputs]
    even, odd = total.div_(2**degree)
    return even, odd


def signed_means(values: Tensor, degree: int) -> Tensor:
    """Δ at every input, for every way to choose degree + 1 disjoint blocks: from tables (n, 2^T) to (n, ways, 2^T)."""
    even, odd = half_means(values, degree)
    return (even - odd) / 2


def rejected(values: Tensor, degree: int) -> Tensor:
    """Whether Δ is not zero, at every input, for every way to choose blocks, shape (n, ways, 2^T)."""
    return signed_means(values, degree).abs() > 1e-12 * values.abs().amax(-1)[:, None, None]


def rejected_spread(values: Tensor, degree: int) -> Tensor:
    """How often Δ is not zero, times (max f - min f)², for tables (n, 2^T), shape (n,)."""
    return rejected(values, degree).double().mean((1, 2)) * (values.amax(-1) - values.amin(-1)).square()


def mean_square(values: Tensor, degree: int) -> Tensor:
    """4 E Δ² for tables (n, 2^T), shape (n,); no |Δ| exceeds half of max f - min f."""
    return 4 * signed_means(values, degree).square().mean((1, 2))


def most_seen(values: Tensor, free: int) -> int:
    """The most characters of a table (2^T,) that a restriction to so many free positions shows."""
    length = values.shape[-1].bit_length() - 1
    kept = torch.combinations(torch.arange(length), free).tolist()
    most = 0
    for positions in kept:
        rest = [i for i in range(length) if i not in positions]
        table = values.reshape((2,) * length).permute(*rest, *positions).reshape(-1, 2**free)
        most = max(most, int((walsh_hadamard(table).abs() > 1e-12 * values.abs().max()).sum(-1).max()))
    return most


def characters_of(values: Tensor) -> int:
    """How many characters a table (2^T,) has, the constant included."""
    return int(WalshSpectrum.of(values).sparsity)


def hidden_share(length: int, different: int, free: int) -> float:
    """In which share of all choices the free of T positions avoid all in which two sets differ."""
    chosen = bit_strings(length, 0, 2**length)
    chosen = chosen[chosen.sum(-1) == free]
    return float((~chosen[:, :different].any(-1)).double().mean())


def merged_share(different: int, directions: int) -> float:
    """In which share of choices random directions all hold an even number of the positions in which two sets differ."""
    drawn = _classes(2**different, directions)
    even = bit_strings(different, 0, 2**different).sum(-1) % 2 == 0
    return float(even[drawn].all(-1).double().mean())


def missed(length: int, characters: int, bits: int, trials: int, seed: int) -> int:
    """In how many trials random directions, so many bits, do not show all of a random function's characters."""
    members, weights = random_sparse(1, length, min(3, length - 1), characters - 1, seed=seed)
    test = sparsity_test(lambda x: sparse_values(members[0], weights[0], x), length, bits, trials=trials, seed=seed)
    return sum(filled < characters for filled in test.filled)
