"""What testers of degree and sparsity accept first, of random functions of one class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boundaudit.numeric.fourier import (
    BlackBox,
    Directions,
    Subspace,
    WalshSpectrum,
    degree_sweep,
    random_sparse,
    sparse_table,
    sparsity_levels,
    table_function,
    trials_needed,
)

DELTA = 0.05
DIRECTIONS: dict[Directions, str] = {
    "xor": "random sets",
    "positions": "single positions",
    "disjoint": "disjoint blocks",
}
"""Two readings of the published degree test, and the one whose power is known."""
SUBSPACES: dict[Subspace, str] = {"restriction": "random positions", "cosets": "random directions"}
"""The published one, and the one that tells any two sets apart alike."""


@dataclass(frozen=True)
class Profile:
    """Which functions are tested, and how.

    Attributes:
        length: T.
        degrees: D of the classes.
        sparsities: ω of the classes.
        functions: of each class.
        proximities: ε of the degree tests: one takes as many trials as find a rejection rate of ε with probability 1-δ.
        highest: the degree at which their sweeps end.
        bits: dimensions of the sparsity tests' subspaces.
        subspaces: of each sparsity test.
        energies: ε of the sparsity tests: the energy that an accepted level may leave out; the first is 0.
    """

    length: int
    degrees: tuple[int, ...]
    sparsities: tuple[int, ...]
    functions: int
    proximities: tuple[float, ...]
    highest: int
    bits: tuple[int, ...]
    subspaces: int
    energies: tuple[float, ...]


@dataclass(frozen=True)
class Tested:
    """What the tests accept first of one function.

    Attributes:
        degree: D.
        sparsity: ω.
        degrees: by directions and ε: the degree, and the queries of its sweep.
        widths: by subspace, bits and ε: the sparsity, without the constant.
        exact: by ε: the least one that leaves out no more.
    """

    degree: int
    sparsity: int
    degrees: Mapping[tuple[str, float], tuple[int, int]]
    widths: Mapping[tuple[str, int, float], int]
    exact: Mapping[float, int]


def see(asked: Profile, degree: int, sparsity: int, seed: int, device: str) -> dict[str, Any]:
    """What tests see of the functions of one class, and what these are.

    Args:
        asked: the tests.
        degree: D.
        sparsity: ω.
        seed: of functions and tests.
        device: where the functions are transformed; queries are answered on the processor.

    Returns:
        JSON: for each function the first trial that rejects each degree, and the sparsity that each subspace shows.
    """
    members, weights = random_sparse(asked.functions, asked.length, degree, sparsity, seed=seed)
    tables = sparse_table(members.to(device), weights.to(device))
    spectrum = WalshSpectrum.of(tables)
    seeds = np.random.default_rng([seed, degree, sparsity]).integers(2**62, size=asked.functions).tolist()
    return {
        "degree": degree, "sparsity": sparsity,
        "energy": float(spectrum.tails[:, degree - 1].min()),
        "exact_degrees": spectrum.degree.tolist(),
        "exact_levels": [spectrum.sparsity_within(energy).tolist() for energy in asked.energies],
        "seen": [_seen(asked, table_function(one), own) for one, own in zip(tables.cpu(), seeds, strict=True)],
    }  # fmt: skip


def _seen(asked: Profile, function: BlackBox, seed: int) -> dict[str, Any]:
    """Of one function: the first trial that rejects each degree, and the sparsity that each subspace shows."""
    trials = max(trials_needed(proximity, DELTA) for proximity in asked.proximities)
    return {
        "rejected": {
            name: [
                test.first
                for test in degree_sweep(
                    function, asked.length, highest=asked.highest, trials=trials, seed=seed, directions=name, stop=True
                )
            ]
            for name in DIRECTIONS
        },
        "levels": {
            f"{name}-{bits}": sparsity_levels(
                function, asked.length, bits, asked.energies, trials=asked.subspaces, seed=seed, subspace=name
            ).tolist()
            for name in SUBSPACES
            for bits in asked.bits
        },
    }


def first_accepted(asked: Profile, cell: Mapping[str, Any]) -> Iterator[Tested]:
    """First acceptances of the functions of one class.

    Args:
        asked: the tests.
        cell: what `see` returned.

    Yields:
        One function after the other.
    """
    for n, seen in enumerate(cell["seen"]):
        yield Tested(
            cell["degree"],
            cell["sparsity"],
            {
                (name, proximity): _sweep(seen["rejected"][name], trials_needed(proximity, DELTA))
                for name in DIRECTIONS
                for proximity in asked.proximities
            },
            {
                (name, bits, energy): max(levels) - 1
                for name in SUBSPACES
                for bits in asked.bits
                for energy, levels in zip(asked.energies, seen["levels"][f"{name}-{bits}"], strict=True)
            },
            {
                energy: levels[n] - 1
                for energy, levels in zip(asked.energies, cell["exact_levels"], strict=True)
            },
        )  # fmt: skip


def _sweep(firsts: Sequence[int | None], trials: int) -> tuple[int, int]:
    """The degree that so many trials accept first, one more than the highest where they accept none, and queries."""
    queries = 0
    for degree, first in enumerate(firsts):
        queries += min(first or trials, trials) << (degree + 1)
        if first is None or first > trials:
            return degree, queries
    return len(firsts), queries
