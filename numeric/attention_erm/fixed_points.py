"""The linear case read backwards: from an effective noise δ and a threshold ε to the problems that have them.

Every pair (δ, ε) solves the state equations of `state_evolution` for each α at which the noise Δ = 4αδ² - 2E and the
penalty λ~ = 4ε(α - K) are not negative. Nothing has to be solved, so that thousands of problems cost a second.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit.numeric.attention_erm.free_convolution import convolve
from boundaudit.numeric.attention_erm.law import noisy_target
from boundaudit.numeric.attention_erm.targets import Target
from boundaudit.numeric.threads import one_thread

_THRESHOLDS = 129


@dataclass(frozen=True)
class FixedPoints:
    """Pairs (δ, ε) for one target; float64 of shape (k) each."""

    delta: Tensor
    """δ."""
    threshold: Tensor
    """ε."""
    error: Tensor
    """E = lim ‖S - S0‖_F²/d."""
    pull: Tensor
    """K = (∂J/∂δ)/(4δ), the sample ratio below which there is no penalty with this ε."""
    rank: Tensor
    """The learned rank over d."""
    trace: Tensor
    """lim Tr S/d."""
    interpolated_noise: Tensor
    """Δ at α = K, where the training error is zero: 2(J - (δ/2) ∂J/∂δ - Q0) for ε = 0."""


@one_thread()
def fixed_points(target: Target, delta: Tensor, threshold: Tensor) -> FixedPoints:
    """A target's fixed points with effective noise δ and threshold ε, shape (k) each; InputError unless δ > 0."""
    convolution = convolve(target, delta)
    tail = convolution.above(convolution.locate(threshold))
    pulled = 4 * convolution.delta**2 * tail.moment_pull
    error = target.second_moment - tail.second + pulled - 2 * threshold * tail.first
    return FixedPoints(
        delta=convolution.delta, threshold=threshold, error=error, pull=tail.moment_pull, rank=tail.mass,
        trace=tail.first, interpolated_noise=pulled - 2 * error,
    )  # fmt: skip


@one_thread()
def least_errors(target: Target, delta: Tensor) -> Tensor:
    """E, shape (k), at the best threshold at most 4δ, to the square of a grid's step: at most 1e-4 above the least.

    Raises:
        InputError: for a δ that is not positive.
    """
    shares = torch.linspace(0, 4, _THRESHOLDS, dtype=torch.float64)
    pairs = (delta[:, None] * shares).flatten()
    found = fixed_points(target, delta.repeat_interleave(_THRESHOLDS), pairs)
    return found.error.view(len(delta), -1).amin(1)


def thresholded_error(
    eigenvalues: Tensor, delta: float, threshold: float, draws: int, generator: torch.Generator
) -> Tensor:
    """‖ReLU(S0 + δ Z - ε) - S0‖_F²/d for S0 with d eigenvalues, of each draw of Z, shape (draws)."""
    source = torch.diag(eigenvalues)
    found = torch.linalg.eigh(noisy_target(eigenvalues.expand(draws, -1), delta, generator))
    learned = (found.eigenvalues - threshold).clamp_min(0)
    matrix = (found.eigenvectors * learned[:, None]) @ found.eigenvectors.mT
    errors: Tensor = ((matrix - source) ** 2).sum((1, 2)) / len(eigenvalues)
    return errors
