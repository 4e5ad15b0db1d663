"""Theorem 2: what must be dominated, the trace at the parameters or the loss under noise.

Losses of one parameter u, the distance from the parameters that were found, each the square of an output: the
construction's L_c u² with trace 2 L_c, against L_2 u² + L_4 u⁴ or 1 - exp(-κu²). By the heat-flow identity E L(σZ) is
half the integral of the smoothed trace E L''(√v Z) over v from 0 to σ²; its value at one v says nothing about the
others.

The last part is one landscape: with input 1 and a trainable bias b the ReLU network

    f(b) = -(b + 2) + 3/2 relu(b + 1) + K_r relu(b - 1 - d_r)

has the target 0 at b = -2 with slope -1 and at b = 1 with slope 1/2. Near b = 1 the loss under noise is at least the
mean of K_r² relu(σZ - d_r)², and relu(z - c)² ≥ relu(z)² - 2c relu(z). Around b = -2, |f| is at most |b + 2| below
b = 1 and adds at most (K_r + 1/2) relu(b - 1) above it; relu(z - d)² has a mean of at most ½σ² exp(-d²/(2σ²)).
Derived here.
"""

import functools

import sympy as sp

from boundaudit.derivations import heat
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.symbols import symbol

_u = sp.Dummy("u", real=True)
_v = sp.Dummy("v", nonnegative=True)
# The meanings are those of the polynomial losses of Theorems 6 and 12.
L_2, L_4 = (symbol(f"L_{n}", f"coefficient of u^{n} in a polynomial loss", real=True) for n in (2, 4))
L_c = symbol("L_c", "coefficient of u² in the loss of the construction", real=True)
kappa_b = symbol("kappa_b", "steepness κ of the loss 1 - exp(-κu²)", nonnegative=True)

# --- polynomial losses ----------------------------------------------------------------------------

_QUARTIC = L_2 * _u**2 + L_4 * _u**4
MEAN = heat.mean(_QUARTIC, _u, sigma**2)
MEAN_OF_CONSTRUCTION = heat.mean(L_c * _u**2, _u, sigma**2)
LEAST_OF_CONSTRUCTION = L_2 + 3 * sigma**2 * L_4
"""The smallest L_c with which a smaller trace still means a smaller mean."""

# --- a bounded loss -------------------------------------------------------------------------------

BUMP_MEAN = 1 - 1 / sp.sqrt(1 + 2 * kappa_b * sigma**2)
"""E (1 - exp(-κσ²Z²))."""

_CURVATURE = 2 * kappa_b * (1 + 2 * kappa_b * _v) ** sp.Rational(-3, 2)
BUMP_TRACE = _CURVATURE.subs(_v, sigma**2)
"""E L''(σZ), twice the derivative of the mean by σ²."""


@functools.cache
def bump_flow() -> sp.Expr:
    """½ ∫_0^{σ²} E L''(√v Z) dv.

    Returns:
        An expression.
    """
    return sp.integrate(_CURVATURE, (_v, 0, sigma**2)) / 2


# --- a ReLU network -------------------------------------------------------------------------------

K_r = symbol("K_r", "output weight of the ReLU unit next to the parameters that were found", positive=True)
d_r = symbol("d_r", "distance of that unit's kink from them", nonnegative=True)

LEARNED_BELOW = K_r**2 * (sigma**2 / 2 - 2 * d_r * sigma / sp.sqrt(2 * sp.pi))
CONSTRUCTION_ABOVE = sigma**2 + (K_r + sp.Rational(1, 2)) ** 2 * sigma**2 / 2 * sp.exp(-9 / (2 * sigma**2))
