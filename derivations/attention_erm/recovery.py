"""Perfect recovery without noise: how many samples the nuclear norm needs, as the size of a descent cone.

For a target of rank p₀ = κ₀ d the penalty λ → 0 recovers S₀ from n = α d² samples of quadratic forms where α exceeds
half the least over c ≥ 0 of κ₀(2-κ₀) + κ₀ c² + (1-κ₀) ∫ (√(1-κ₀) s - c)₊² sc(ds), sc the semicircle on [-2, 2]: the
mean squared distance of a GOE matrix to the scaled subdifferential. With c = 2 √(1-κ₀) cos φ the integral is
elementary. Derived here by the statistical dimension of Amelunxen et al. 2014; the printed formula was not seen.
"""

import sympy as sp

from boundaudit.derivations.attention_erm.symbols import kappa_0, phi_erm

_AREA = phi_erm / 2 - sp.sin(2 * phi_erm) / 4
"""∫ sin²θ from 0 to φ."""
SECOND = 8 / sp.pi * (
    phi_erm / 8 - sp.sin(4 * phi_erm) / 32 - sp.Rational(2, 3) * sp.cos(phi_erm) * sp.sin(phi_erm) ** 3
    + sp.cos(phi_erm) ** 2 * _AREA
)  # fmt: skip
"""∫ (s - 2 cos φ)₊² sc(ds)."""
FIRST = 4 / sp.pi * (sp.sin(phi_erm) ** 3 / 3 - sp.cos(phi_erm) * _AREA)
"""∫ (s - 2 cos φ)₊ sc(ds)."""

ENOUGH = (
    kappa_0 * (2 - kappa_0) + 4 * kappa_0 * (1 - kappa_0) * sp.cos(phi_erm) ** 2 + (1 - kappa_0) ** 2 * SECOND
) / 2
"""α that suffices, for every φ from 0 to π/2; the threshold is the least."""
BEST_RANK = FIRST / (FIRST + 2 * sp.cos(phi_erm))
"""κ₀ for which an angle gives the least: the derivative in φ is zero."""
THRESHOLD = ENOUGH.subs(kappa_0, BEST_RANK)
"""The threshold as a curve in φ, beside κ₀ = `BEST_RANK`."""

PARAMETERS = kappa_0 - kappa_0**2 / 2
"""Free parameters of a symmetric matrix of rank κ₀ d over d²."""
AT_THE_EDGE = 3 * kappa_0 - sp.Rational(5, 2) * kappa_0**2
"""α that suffices by φ = 0: the penalty at the bulk's edge."""
WITHOUT_PENALTY = sp.Rational(1, 2) - (1 - kappa_0) ** 2 / 4
"""α that suffices by φ = π/2: the cone of positive semidefinite matrices alone."""
DIRECT = sp.Rational(1, 2)
"""α at which a symmetric map with a Frobenius penalty is determined: all its parameters."""
SMALL_RANK = sp.Rational(4, 21) / sp.pi * (sp.Rational(15, 2) * sp.pi) ** sp.Rational(7, 5)
"""(3κ₀ - threshold)/κ₀^(7/5) as κ₀ → 0: κ₀ ~ 2φ⁵/(15π) and 3κ₀ - threshold ~ 4φ⁷/(21π)."""
