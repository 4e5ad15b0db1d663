"""Targets with eigenvalues √d i^{-γ}: errors by mode and the rate in n/d.

For one token and d → ∞ with n/d fixed, the noise level δ² = (Δ + 2 E)/(4α) is of order d, and so are the eigenvalues'
squares; with s = δ²/d and the threshold at the edge of the noise, ε = 2 δ, mode i adds s φ(i^{-γ}/√s) to E, where
φ(x) = 6 - 8/x + 3/x² for x ≥ 1 (learned) and x² below (not learned).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from scipy.special import zeta
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.attention_erm.inputs import NoConvergence, above_zero, at_least_zero
from boundaudit.numeric.threads import one_thread

_STEPS = 200


@dataclass(frozen=True)
class Decomposition:
    """E = ‖S - S0‖_F²/d for one token: noise learned (over), modes not learned (under), the error of learned ones."""

    over: float
    under: float
    approximation: float

    @property
    def total(self) -> float:
        """E."""
        return self.over + self.under + self.approximation


@dataclass(frozen=True)
class ModeError:
    """s = (Δ + 2 E) d/(4 n), E and how many i^{-γ} > √s are learned, of infinitely many modes at ε = 2 δ."""

    scale: float
    error: float
    learned: int


def rate_constant(gamma: float) -> float:
    """C_γ = 6 - 8/(1 + γ) + 3/(1 + 2γ) + 1/(2γ - 1) in E ~ C_γ s^{1 - 1/(2γ)} as s → 0; InputError for γ ≤ 1/2."""
    _exponent(gamma)
    return 6 - 8 / (1 + gamma) + 3 / (1 + 2 * gamma) + 1 / (2 * gamma - 1)


@one_thread()
def profile(ratio: Tensor) -> Tensor:
    """φ(x), x ≥ 0, elementwise: the squared error of a mode θ = x δ over δ² at the threshold 2 δ."""
    safe = ratio.clamp_min(1)
    return torch.where(ratio >= 1, 6 - 8 / safe + 3 / safe**2, ratio**2)


def decompose(eigenvalues: Tensor, delta: float, threshold: float) -> Decomposition:
    """The parts of E over a bulk of noise around zero: learned noise, modes not learned, errors of learned modes.

    A mode θ > δ stands at θ + δ²/θ with squared overlap 1 - δ²/θ²; below the threshold, or at θ ≤ δ, it is not learned.
    Few of the d eigenvalues of S0 are above δ.

    Raises:
        InputError: for values out of range.
    """
    above_zero("delta", delta), at_least_zero("threshold", threshold)
    d = len(eigenvalues)
    safe = eigenvalues.clamp_min(delta)
    learned = (safe + delta**2 / safe - threshold).clamp_min(0) * (eigenvalues > delta)
    seen = learned > 0
    aligned = 1 - (delta / safe) ** 2
    missed = learned**2 - 2 * learned * eigenvalues * aligned + eigenvalues**2
    angle = math.acos(min(1.0, threshold / (2 * delta)))
    level = 2 * math.cos(angle)
    first = 4 * math.sin(angle) ** 3 / (3 * math.pi)
    square = (angle - math.sin(4 * angle) / 4 - level**2 * (math.sin(2 * angle) / 2 - angle)) / math.pi
    over = delta**2 * (square - 2 * level * first)
    return Decomposition(over, float(missed[~seen].sum()) / d, float(missed[seen].sum()) / d)


@one_thread()
def mode_error(gamma: float, ratio: float, noise: float) -> ModeError:
    """E = s Σ_i φ(i^{-γ}/√s) with s = (Δ + 2 E) d/(4 n), over all i ≥ 1: the largest root, reached from no learning.

    Raises:
        InputError: for values out of range: γ > 1/2, the ratio n/d, and Δ > 0.
        NoConvergence: where the iteration does not settle.
    """
    _exponent(gamma)
    above_zero("n/d", ratio), above_zero("noise", noise)
    error = float(zeta(2 * gamma))
    for _ in range(_STEPS * 10):
        scale = (noise + 2 * error) / (4 * ratio)
        learned = math.ceil(scale ** (-1 / (2 * gamma))) - 1 if scale < 1 else 0
        modes = torch.arange(1, learned + 1, dtype=torch.float64) ** -gamma
        fresh = scale * float(profile(modes / math.sqrt(scale)).sum()) + float(zeta(2 * gamma, learned + 1))
        if abs(fresh - error) <= 1e-14 * error:
            return ModeError(scale, fresh, learned)
        error = fresh
    raise NoConvergence("n/d", 1e-14, abs(fresh - error) / error, "give another ratio")


def _exponent(gamma: float) -> None:
    if not (gamma > 0.5 and math.isfinite(gamma)):
        raise InputError("gamma", "a number above 1/2", gamma, "give a faster decay")
