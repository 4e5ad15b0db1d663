"""Perfect recovery without noise: how many samples the nuclear norm needs, as the size of a descent cone.

For a target of rank p₀ = κ₀ d the penalty λ → 0 recovers S₀ from n = α d² samples of quadratic forms where α exceeds
half the least over c ≥ 0 of κ₀(2-κ₀) + κ₀ c² + (1-κ₀) ∫ (√(1-κ₀) s - c)₊² sc(ds), sc the semicircle on [-2, 2]: the
mean squared distance of a GOE matrix to the scaled subdifferential. Derived here by the statistical dimension of
Amelunxen et al. 2014; the printed formula was not seen.
"""

import sympy as sp

from boundaudit.derivations.attention_erm.symbols import kappa_0

PARAMETERS = kappa_0 - kappa_0**2 / 2
"""Free parameters of a symmetric matrix of rank κ₀ d over d²."""
AT_THE_EDGE = 3 * kappa_0 - sp.Rational(5, 2) * kappa_0**2
"""α that suffices by φ = 0: the penalty at the bulk's edge."""
WITHOUT_PENALTY = sp.Rational(1, 2) - (1 - kappa_0) ** 2 / 4
"""α that suffices by φ = π/2: the cone of positive semidefinite matrices alone."""
DIRECT = sp.Rational(1, 2)
"""α at which a symmetric map with a Frobenius penalty is determined: all its parameters."""
