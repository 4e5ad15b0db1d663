"""What one asks of μ_δ, the law of S0 + δ Z, and of the law of trained weights, η ReLU(S0 + δ Z - ε)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.attention_erm.free_convolution import convolve
from boundaudit.numeric.attention_erm.inputs import above_zero, at_least_zero
from boundaudit.numeric.attention_erm.targets import Target
from boundaudit.numeric.threads import one_thread


@dataclass(frozen=True)
class Outlier:
    """An eigenvalue of S0 + δ Z away from the bulk."""

    source: float
    """The target's eigenvalue θ."""
    place: float
    """θ + δ² G(θ), G the target's transform; θ + δ²/θ over a bulk at zero."""
    overlap: float
    """The squared overlap of eigenvectors, 1 - δ² ∫ μ(ds)/(θ - s)²."""


@dataclass(frozen=True)
class TrainedSpectrum:
    """The law of the eigenvalues of the learned map."""

    places: Tensor
    """Positive eigenvalues of the bulk, rising."""
    density: Tensor
    """Their density; with the mass at zero it adds up to 1."""
    mass_at_zero: float
    """F_δ(ε)."""
    edge: float
    """The upper end of the bulk; 0 where nothing is learned."""
    outliers: tuple[Outlier, ...]
    """Eigenvalues beyond the bulk, their places those of the learned map."""


def outliers(target: Target, delta: float) -> tuple[Outlier, ...]:
    """Spikes of no mass outside the bulk of S0 + δ Z: δ² ∫ μ(ds)/(θ - s)² < 1, rising; InputError unless δ > 0."""
    variance = float(convolve(target, delta).delta) ** 2
    found = []
    for theta in target.spikes:
        if target.filled(theta) or theta in target.cuts:
            continue
        sums = target.resolvent(torch.tensor([theta], dtype=torch.float64), torch.zeros(1, dtype=torch.float64))
        overlap = 1 - variance * float(sums.first)
        if overlap > 0:
            found.append(Outlier(theta, theta + variance * float(sums.real), overlap))
    return tuple(found)


@one_thread()
def trained_spectrum(
    target: Target, delta: float, threshold: float, eta: float = 1.0, points: int = 400
) -> TrainedSpectrum:
    """The predicted law of the eigenvalues of the learned map, at δ, ε and η of a solution of the state equations.

    The density is taken at so many points on each piece of the support.

    Raises:
        InputError: for values out of range: δ > 0, ε ≥ 0, η > 0.
    """
    at_least_zero("threshold", threshold), above_zero("eta", eta)
    convolution = convolve(target, delta)
    start = convolution.locate(threshold)
    kept = tuple(
        Outlier(one.source, eta * (one.place - threshold), one.overlap)
        for one in outliers(target, delta)
        if one.place > threshold
    )
    lower = convolution.lower.maximum(start[:, None])
    u = lower + (convolution.upper - lower).clamp_min(0) * torch.linspace(0, 1, points, dtype=torch.float64)[:, None]
    u = u[:, (convolution.upper > start[:, None])[0]].flatten().sort().values
    found = convolution.curve(u[None])
    places = eta * (found.x[0] - threshold)
    edge = float(places.max()) if len(places) else 0.0
    mass = 1 - float(convolution.above(start).mass)
    return TrainedSpectrum(places, found.density[0] / eta, mass, max(edge, 0.0), kept)


@one_thread()
def sample_spectrum(
    target: Target, d: int, delta: float, threshold: float, eta: float = 1.0, *, draws: int = 1,
    generator: torch.Generator | None = None,
) -> Tensor:  # fmt: skip
    """Eigenvalues of η ReLU(S0 + δ Z - ε) at dimension d, of independent draws, shape (draws, d), rising.

    The device is that of the generator.

    Raises:
        InputError: for values out of range.
    """
    if draws < 1:
        raise InputError("draws", "at least 1", draws, "give a positive number")
    at_least_zero("delta", delta)
    source = torch.Generator().manual_seed(0) if generator is None else generator
    noisy = noisy_target(target.spectrum(d, draws, source), delta, source)
    found: Tensor = eta * (torch.linalg.eigvalsh(noisy) - threshold).clamp_min(0)
    return found


def noisy_target(eigenvalues: Tensor, delta: float, generator: torch.Generator) -> Tensor:
    """S0 + δ Z, (draws, d, d), in the eigenbasis of S0, eigenvalues (draws, d); Z_ij has variance 1/d, Z_ii 2/d."""
    draws, d = eigenvalues.shape
    drawn = torch.randn(draws, d, d, generator=generator, dtype=torch.float64, device=generator.device)
    noisy: Tensor = torch.diag_embed(eigenvalues) + delta * (drawn + drawn.mT) / (2 * d) ** 0.5
    return noisy
