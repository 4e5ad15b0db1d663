"""Claim 4.1: the eigenvalues of the learned map, η ReLU(S₀ + δZ - ε).

An eigenvalue θ > δ of a target of small rank shows at θ + δ²/θ, in units of the noise level x + 1/x, x = θ/δ > 1.
"""

from boundaudit.derivations.attention_erm.symbols import x_erm

PLACE = x_erm + 1 / x_erm
"""Where a mode stands before the threshold, in units of δ."""
EDGE = 2
"""The bulk's end."""


def outlier(theta: float, delta: float, level: float) -> float:
    """The learned eigenvalue of a mode.

    Args:
        theta: θ > δ.
        delta: δ.
        level: ε.

    Returns:
        θ + δ²/θ - ε.
    """
    return theta + delta**2 / theta - level
