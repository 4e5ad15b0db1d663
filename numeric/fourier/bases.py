"""Two bases of the functions on bit strings: characters (-1)^(x·S), and indicators of even parity.

An indicator is (1 + (-1)^(x·S))/2, that of the empty set the constant one. So f = Σ_S λ_S [x·S even] has the weights
f^(S) = λ_S/2 for S ≠ ∅ and f^(∅) = λ_∅ + Σ_{S ≠ ∅} λ_S/2, and λ_∅ = 2 f^(∅) - f(0). Members of sets are bool of shape
(..., s, T), inputs bool of shape (..., n, T), and weights and coefficients have shape (..., 2^T).
"""

from __future__ import annotations

from torch import Tensor

from boundaudit.numeric.fourier.transform import checked_size


def indicators(members: Tensor, bits: Tensor) -> Tensor:
    """1 or 0 where a set holds an even or odd number of ones, float64, shape (..., n, s)."""
    return 1 - _parity(members, bits)


def _parity(members: Tensor, bits: Tensor) -> Tensor:
    # Counts of ones are exact in float32, whose products are the fastest everywhere.
    return (bits.float() @ members.float().mT).double().remainder_(2)


def to_characters(coefficients: Tensor) -> Tensor:
    """Coefficients λ_S of the even-parity indicators as weights f^(S) in the characters."""
    checked_size(coefficients)
    found = coefficients / 2
    found[..., 0] = coefficients[..., 0] + found[..., 1:].sum(-1)
    return found
