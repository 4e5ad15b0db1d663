"""Spectra of target maps: Gaussian factors, listed eigenvalues, spikes over a bulk, power laws.

A target is the limiting spectral law μ of the positive semidefinite matrix S0: point masses and at most one free
Poisson law, with single eigenvalues of no mass beside them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.attention_erm.wishart import Resolvent, Wishart


@dataclass(frozen=True)
class Target:
    """The spectral law of S0; the functions below build one.

    Point masses at eigenvalues, rising, without repetition, their weights, a free Poisson law that has the rest of the
    mass, and spikes, single eigenvalues of no mass, above zero.
    """

    eigenvalues: tuple[float, ...] = ()
    weights: tuple[float, ...] = ()
    wishart: Wishart | None = None
    spikes: tuple[float, ...] = ()

    @property
    def wishart_weight(self) -> float:
        """The mass of the free Poisson law."""
        return 0.0 if self.wishart is None else 1 - math.fsum(self.weights)

    @property
    def mean(self) -> float:
        """The limit of Tr S0/d."""
        atoms = math.fsum(weight * s for weight, s in zip(self.weights, self.eigenvalues, strict=True))
        return atoms + (self.wishart_weight * self.wishart.scale * self.wishart.kappa0**0.5 if self.wishart else 0.0)

    @property
    def second_moment(self) -> float:
        """Q0 = lim ‖S0‖_F²/d; 1 + κ0 in the Gaussian case."""
        atoms = math.fsum(weight * s * s for weight, s in zip(self.weights, self.eigenvalues, strict=True))
        wishart = self.wishart
        return atoms + (self.wishart_weight * wishart.scale**2 * (1 + wishart.kappa0) if wishart else 0.0)

    @property
    def rank(self) -> float:
        """The mass above zero."""
        atoms = math.fsum(weight for weight, s in zip(self.weights, self.eigenvalues, strict=True) if s > 0)
        return atoms + (self.wishart_weight * self.wishart.kappa0 if self.wishart else 0.0)

    @property
    def cuts(self) -> tuple[float, ...]:
        """Where the law has an atom or an edge, rising."""
        places = set(self.eigenvalues)
        if self.wishart is not None:
            places |= set(self.wishart.edges)
            if self.wishart.kappa0 < 1:
                places.add(0.0)
        return tuple(sorted(places))

    def filled(self, point: float) -> bool:
        """Whether the law has a density there: inside the free Poisson law."""
        if self.wishart is None:
            return False
        low, high = self.wishart.edges
        return low < point < high

    def resolvent(self, u: Tensor, y: Tensor) -> Resolvent:
        """The four integrals at points u + i√y, elementwise; y ≥ 0, and positive inside the support."""
        parts = []
        if self.weights:
            weights = torch.tensor(self.weights, dtype=torch.float64)
            distance = u[..., None] - torch.tensor(self.eigenvalues, dtype=torch.float64)
            inverse = 1 / (distance**2 + y[..., None])
            parts.append(
                Resolvent(
                    (distance * inverse) @ weights,
                    inverse @ weights,
                    inverse**2 @ weights,
                    (distance * inverse**2) @ weights,
                )
            )
        if self.wishart is not None:
            parts.append(Resolvent(*(self.wishart_weight * part for part in self.wishart.resolvent(u, y))))
        return parts[0] if len(parts) == 1 else Resolvent(*(a + b for a, b in zip(*parts, strict=True)))

    def spectrum(self, d: int, draws: int, generator: torch.Generator) -> Tensor:
        """Eigenvalues of S0 at dimension d: random for the Gaussian part, fixed for the rest, shape (draws, d), rising.

        Spikes take the place of eigenvalues at the lower end; the device is that of the generator.

        Raises:
            InputError: where the dimension does not hold the spikes.
        """
        if d < max(1, len(self.spikes)):
            raise InputError("d", f"at least {max(1, len(self.spikes))}", d, "give a larger dimension")
        device = generator.device
        ends = torch.tensor((0.0, *self.weights), dtype=torch.float64).cumsum(0)
        counts = (ends * d).round().diff().long()
        atoms = torch.tensor(self.eigenvalues, dtype=torch.float64).repeat_interleave(counts).to(device)
        parts = [atoms.expand(draws, -1)]
        size = d - len(atoms)
        if self.wishart is not None and size:
            p = max(1, round(self.wishart.kappa0 * size))
            factor = torch.randn(draws, size, p, generator=generator, dtype=torch.float64, device=device)
            square = torch.linalg.svdvals(factor) ** 2 * (self.wishart.scale / math.sqrt(p * size))
            parts.append(torch.nn.functional.pad(square, (size - p, 0)))
        found = torch.cat(parts, -1).sort(-1).values[:, len(self.spikes) :]
        spikes = torch.tensor(self.spikes, dtype=torch.float64, device=device).expand(draws, -1)
        return torch.cat([found, spikes], -1).sort(-1).values


def gaussian_target(kappa0: float) -> Target:
    """S0 = W0 W0ᵀ/√(p0 d), Gaussian factors of p0 = κ0 d columns, Q0 = 1 + κ0; InputError for κ0 outside (0, 1]."""
    if not 0 < kappa0 <= 1:
        raise InputError("width-ratio", "a number above 0 and at most 1", kappa0, "correct the ratio")
    return Target(wishart=Wishart(float(kappa0)))


def discrete_target(eigenvalues: Sequence[float], weights: Sequence[float] | None = None) -> Target:
    """A target with listed eigenvalues and their masses, equal ones when not given; repetitions are merged.

    Raises:
        InputError: for eigenvalues below 0 or none above, masses that are not positive or do not add up to 1.
    """
    values = [float(value) for value in eigenvalues]
    masses = [1 / len(values)] * len(values) if weights is None and values else [float(w) for w in weights or ()]
    if not values or not all(math.isfinite(value) and value >= 0 for value in values) or max(values) == 0:
        raise InputError("eigenvalues", "numbers of at least 0, one of them positive", values, "correct the spectrum")
    if len(masses) != len(values) or min(masses) <= 0 or abs(math.fsum(masses) - 1) > 1e-12:
        raise InputError("weights", "a positive mass for each eigenvalue, adding up to 1", masses, "correct the masses")
    merged: dict[float, float] = {}
    for value, mass in sorted(zip(values, masses, strict=True)):
        merged[value] = merged.get(value, 0.0) + mass
    return Target(tuple(merged), tuple(merged.values()))


def spiked_target(
    spikes: Sequence[float], weights: Sequence[float] | None = None, bulk: Target | None = None
) -> Target:
    """Spikes over a bulk, whose law is scaled down to the mass that is left; zero when not given.

    Masses of the spikes are below 1 together; without, each spike is a single eigenvalue, of no mass.

    Raises:
        InputError: for spikes that are not positive, or masses that are none.
    """
    places = tuple(sorted(float(spike) for spike in spikes))
    if not all(math.isfinite(place) and place > 0 for place in places):
        raise InputError("spikes", "positive numbers", places, "correct the spikes")
    below = Target((0.0,), (1.0,)) if bulk is None else bulk
    if weights is None:
        return Target(below.eigenvalues, below.weights, below.wishart, tuple(sorted(below.spikes + places)))
    left = 1 - math.fsum(weights)
    if len(weights) != len(places) or not places or min(weights) <= 0 or left <= 0:
        raise InputError("weights", "a positive mass for each spike, below 1 together", list(weights), "correct them")
    merged = {place: left * mass for place, mass in zip(below.eigenvalues, below.weights, strict=True)}
    for place, mass in zip(map(float, spikes), weights, strict=True):
        merged[place] = merged.get(place, 0.0) + mass
    ordered = sorted(merged.items())
    return Target(tuple(s for s, _ in ordered), tuple(mass for _, mass in ordered), below.wishart, below.spikes)
