"""The proxy of one matrix as a function of its Schatten index, its cap by ranks, and the comparator by (2,1) norms."""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.schatten.symbols import L_sch, i_sch, n_sch, p_sch
from boundaudit.derivations.symbols import symbol, vector

v_sch = symbol("v_sch", "sixth root of the weight of a network of scalars", positive=True)
h_sch = symbol("h_sch", "distance of two Schatten indices", nonnegative=True)
t_cap = symbol("t_cap", "scale over the one from which rank counting is best", positive=True)
r_noise = symbol("r_noise", "singular values that are not", integer=True, positive=True)
Lambda_sch = symbol("Lambda_sch", "Lipschitz factor of a block in the bound", positive=True)
xi_sch = symbol("xi_sch", "what a block adds to the sum of the comparator", positive=True)

x_sch = vector("x_sch", "logarithms of positive singular values")
r_sch = symbol("r_sch", "mean of the powers of singular values over that of their geometric mean", positive=True)


def summand(powers: sp.Expr) -> sp.Expr:
    """The summand of a matrix, (S_p s^p N^(p+1))^(1/(p+2)), at the scale s = t √(r/N)/GM, over √(rN).

    Args:
        powers: S_p/(r GM^p).

    Returns:
        (t^p powers)^(1/(p+2)).
    """
    return (t_cap**p_sch * powers) ** (1 / (p_sch + 2))


_VALUES = (i_sch, 1, n_sch)
POWERS = sp.Sum(sp.exp(p_sch * x_sch[i_sch]), _VALUES) / n_sch / sp.exp(p_sch * sp.Sum(x_sch[i_sch], _VALUES) / n_sch)
"""S_p/(r GM^p) in the logarithms of r singular values."""

# --- the comparator -------------------------------------------------------------------------------

SCALAR_LEAST = (1 + v_sch**3) ** 2
"""(1 + √w)², w = v⁶: the square of √L and of M_out's summand at index 2, its best for w ≤ 1."""
SCALAR_CAP = sp.Integer(25)
"""The square of four ranks of one and √L."""
SCALAR_COMPARATOR = (1 + v_sch**16 + v_sch**12 + v_sch**8 + v_sch**4) ** 3
"""The square of (1 + Σ ξ)^{3/2}: the block's products of norms are w⁴, w³, w² and w."""

COMPARATOR = (1 + Lambda_sch ** (2 * (L_sch - 1) / sp.Integer(3)) * xi_sch) ** sp.Rational(3, 2)
"""What the first of L equal blocks makes of the comparator's proxy."""
EXPONENTIAL = Lambda_sch ** (L_sch - 1) * xi_sch ** sp.Rational(3, 2)

# --- rounding noise -------------------------------------------------------------------------------

NOISE = sp.Rational(1, 10**16)
NOISE_AT_FIRST_INDEX = 704 * NOISE ** sp.Rational(1, 19)
"""What 704 values of 1e-16 add to S_p at p = 1/19, the first index above 0 of 12 blocks and width 768."""

# --- the activation -------------------------------------------------------------------------------

x_gelu = symbol("x_gelu", "input of an activation over √2", real=True)
GELU_SLOPE = (1 + sp.erf(x_gelu)) / 2 + x_gelu * sp.exp(-(x_gelu**2)) / sp.sqrt(sp.pi)
"""The derivative of x Φ(x) at √2 x_gelu."""
STEEPEST = GELU_SLOPE.subs(x_gelu, 1)
PUBLISHED = sp.Rational(113, 100)
"""GELU's Lipschitz constant in the authors' code."""
