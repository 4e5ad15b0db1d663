"""Targets with eigenvalues √d i^(-γ): the sum of the modes' errors against its integral.

With s = δ²/d the modes' errors add up to E = s Σ φ(i^(-γ)/√s), φ of `spikes`; φ increases, so that the sum is at most
its integral C_γ s^(1 - 1/(2γ)). Derived here for d → ∞ at n/d fixed and ε = 2δ.
"""

import sympy as sp

from boundaudit.derivations.attention_erm.spikes import kept, mode_error
from boundaudit.derivations.attention_erm.symbols import gamma_erm, k_erm, n_modes, q_erm

CONSTANT = 6 - 8 / (1 + gamma_erm) + 3 / (1 + 2 * gamma_erm) + 1 / (2 * gamma_erm - 1)
"""C_γ = ∫ φ(v^(-γ)) dv over v > 0, for γ > 1/2."""

SUM = sp.Sum(mode_error(q_erm / k_erm), (k_erm, 1, n_modes))
"""Σ φ(q/i) over the modes i of a target with γ = 1, q = 1/√s."""
BEFORE = 6 * k_erm - 4 * k_erm**2 / q_erm + k_erm**3 / q_erm**2
"""∫ φ(q/v) dv from 0 to k ≤ q."""
AFTER = 4 * q_erm - q_erm**2 / k_erm
"""∫ φ(q/v) dv from 0 to k ≥ q."""


def step(integral: sp.Expr, before: sp.Expr) -> sp.Expr:
    """The integral of φ(q/v) over one mode, from k - 1 to k.

    Args:
        integral: From 0 to k.
        before: The form that holds at k - 1.

    Returns:
        Their difference.
    """
    return integral - before.subs(k_erm, k_erm - 1)


KEPT = kept(q_erm / k_erm)
LOST = (q_erm / k_erm) ** 2
