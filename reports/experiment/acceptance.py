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
    """Which functions are tested, and how."""

    length: int  # T
    degrees: tuple[int, ...]  # D of the classes
    sparsities: tuple[int, ...]  # ω of the classes
    functions: int  # of each class
    # ε of the degree tests: one takes as many trials as find a rejection rate of ε with probability 1-δ
    proximities: tuple[float, ...]
    highest: int  # the degree at which their sweeps end
    bits: tuple[int, ...]  # dimensions of the sparsity tests' subspaces
    subspaces: int  # of each sparsity test
    # ε of the sparsity tests: the energy that an accepted level may leave out; the first is 0
    energies: tuple[float, ...]


@dataclass(frozen=True)
class Tested:
    """What the tests accept first of one function."""

    degree: int  # D
    sparsity: int  # ω
    # by directions and ε: the degree, and the queries of its sweep
    degrees: Mapping[tuple[str, float], tuple[int, int]]
    widths: Mapping[tuple[str, int, float], int]  # by subspace, bits and ε: the sparsity, without the constant
    exact: Mapping[float, int]  # by ε: the least one that leaves out no more


def see(asked: Profile, degree: int, sparsity: int, seed: int, device: str) -> dict[str, Any]:
    """For each function of a class the first trial that rejects each degree, and the sparsity each subspace shows."""
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
    """First acceptances of the functions of one class, from what `see` returned, one after the other."""
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
