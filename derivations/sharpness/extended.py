"""Our extension of the construction to sets of several sizes and to negative coefficients.

Beyond Lintilhac & Shaikh 2026: the MLP has the degree D_g = max_t (D_t + [c_t < 0]). A row with D_t < D_g
also attends to the output position, with D_g - D_t times the weight of a member; a row with a negative
coefficient reads the MLP one grid step further, where it is 1 - χ_t. Components come in two kinds: ω_2 of
them, the first ones, have the size D_2 and coefficients of one sign, negative for ν_2 = 1; the others have the
size D and positive coefficients.
"""

import sympy as sp

from boundaudit.derivations.sharpness.parameters import T, c, k, omega, t
from boundaudit.derivations.symbols import symbol

D_g = symbol("D_g", "degree of the extended MLP: its grid steps", integer=True, positive=True)
D_t = symbol("D_t", "positions of one component, fewer than the grid steps", integer=True, positive=True)
r_t = symbol("r_t", "ones outside the positions of one component", integer=True, nonnegative=True)
D_2 = symbol("D_2", "positions in each component of the second kind", integer=True, positive=True)
omega_2 = symbol("omega_2", "number of components of the second kind", integer=True, positive=True)
nu_2 = symbol("nu_2", "1 where components of the second kind have negative coefficients, else 0", nonnegative=True)
A = symbol("A", "sum of the absolute values of the coefficients", positive=True)
n_s = symbol("n_s", "share of the negative coefficients in A", nonnegative=True)
f_x = symbol("f_x", "value of the target at one input, as a share of A", real=True)
g_x = symbol("g_x", "output of the MLP on the inactive rows at one input", nonnegative=True)

ROW_BY_WEIGHTS = (k * T**2 + r_t) / (D_t * T**2 + (D_g - D_t) * T**2 + T - D_t)
"""What a short row reads at λ = 2, by the unnormalised weights of members, output position and others."""

ROW = k / D_g + (D_g * r_t - k * (T - D_t)) / (D_g * (D_g * T**2 + T - D_t))
"""The grid point and the shift away from it."""

ROW_SHIFT = sp.Abs(D_g * r_t - k * (T - D_t)) / (D_g * (D_g * T**2 + T - D_t))
WORST_SHIFT = (T - D_t) / (D_g * T**2 + T - D_t)
"""The shift of a row without ones inside its set and with nothing else outside."""

INACTIVE = T + 1 - omega


def leaked(gap: sp.Expr, total: sp.Expr) -> sp.Expr:
    """What layer 2 makes of a gap between the value of the inactive rows and the target, at λ = 2.

    Args:
        gap: A g - f or a bound on it.
        total: A.

    Returns:
        gap (T+1-ω) / (A T² + T+1-ω).
    """
    return gap * INACTIVE / (total * T**2 + INACTIVE)


OUTPUT = (A * T**2 * A * f_x + INACTIVE * A * g_x) / (A * T**2 + INACTIVE)
"""The network's output where all active rows are on their plateaus, by the weights of layer 2."""

TOTAL = sp.Sum(c[t], (t, 1, omega))

NEGATIVE_SHARE = nu_2 * sp.Sum(c[t], (t, 1, omega_2)) / TOTAL
"""The share of the negative coefficients in A; here c are the absolute values."""

ERROR = (1 + NEGATIVE_SHARE) * INACTIVE / T**2
"""The bound on the error, simplified by A T² + T+1-ω ≥ A T²."""
