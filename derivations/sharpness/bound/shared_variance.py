"""Theorem 2: the bound whose prior and posterior share one variance, and its best σ (Lintilhac & Shaikh 2026).

With a loss under noise of at most σ²G, ‖θ‖² ≤ L and a sub-Gaussian constant S the bound is

    σ² G + 2 √(S²/(2m) (L/(2σ²) + ln 1/δ)).

Without ln(1/δ) it is a sum of two powers, σ²G + S√(L/m)/σ, and the inequality of arithmetic and geometric means gives
its minimum. With it, x = σ² solves 4G²(L x³ + 2 x⁴ ln(1/δ)) = L² S²/m, whose left side grows; derived here.
"""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import N_2, S, hat_r, m, sigma, tau_f
from boundaudit.derivations.sharpness.norms import PUBLISHED, total
from boundaudit.derivations.sharpness.parameters import D, T, omega
from boundaudit.derivations.symbols import symbol

G_s = symbol("G_s", "what multiplies σ² in a bound on the loss under noise", positive=True)
P_s = symbol("P_s", "what a perturbation term adds to it", nonnegative=True)
N_h = symbol("N_h", "squared norm of the learned parameters", positive=True)
v_s = symbol("v_s", "variance of the noise on every parameter", positive=True)
t_x = symbol("t_x", "a variance of the noise over the best one", positive=True)
h_x = symbol("h_x", "twice the best variance times ln(1/δ) over the squared norm", nonnegative=True)
c_m = symbol("c_m", "sub-Gaussian constant over the root of the sample size", positive=True)
sigma_o = symbol("sigma_o", "a second standard deviation of the noise", positive=True)
b_s = symbol("b_s", "what multiplies 1/σ in a bound", positive=True)
P_3 = symbol("P_3", "what multiplies σ³ in a bound on the loss under noise", nonnegative=True)
P_4 = symbol("P_4", "what multiplies σ⁴ in a bound on the loss under noise", nonnegative=True)

L_PRINTED = total(PUBLISHED)
"""The printed bound on ‖Θ‖²."""


def complexity(norm: sp.Expr, log: sp.Expr) -> sp.Expr:
    """What the sample and the relative entropy add, as printed.

    Args:
        norm: L.
        log: ln(1/δ).

    Returns:
        2 √(S²/(2m) (L/(2σ²) + ln 1/δ)).
    """
    return 2 * sp.sqrt(S**2 / (2 * m) * (norm / (2 * sigma**2) + log))


def _of_share(risk: sp.Expr, norm: sp.Expr) -> sp.Expr:
    return risk + c_m * sp.sqrt(norm / sigma**2 + 2 * tau_f)


LEARNED = _of_share(hat_r, N_h)
"""What the PAC-Bayes step gives a learner, from its own loss under noise on the sample and its own squared norm."""

OF_SHARE = _of_share(sigma**2 * G_s, N_2)
"""The bound through c = S/√m."""

# --- the best σ without ln(1/δ) -------------------------------------------------------------------

NORM_PART = S * sp.sqrt(N_2 / m) / sigma
TRUNCATED = sigma**2 * G_s + NORM_PART
BEST_SIGMA = (S**2 * N_2 / (4 * m * G_s**2)) ** sp.Rational(1, 6)
OPTIMUM = 3 * (G_s * S**2 * N_2 / (4 * m)) ** sp.Rational(1, 3)
OPTIMUM_CUBED = 27 * G_s * S**2 * N_2 / (4 * m)


def needed(level: sp.Expr) -> sp.Expr:
    """The number of samples at which the optimum is a level: with more it is lower.

    Args:
        level: a number.

    Returns:
        27 G S² L / (4 t³).
    """
    return 27 * G_s * S**2 * N_2 / (4 * level**3)


# --- with ln(1/δ) ---------------------------------------------------------------------------------

BY_VARIANCE = G_s * v_s + 2 * sp.sqrt(S**2 / (2 * m) * (N_2 / (2 * v_s) + tau_f))


@functools.cache
def curvature() -> sp.Expr:
    """The second derivative of the bound by the variance.

    Returns:
        An expression in σ².
    """
    return sp.diff(BY_VARIANCE, v_s, 2)


CURVATURE_FLOOR = (
    sp.Rational(3, 16) * S * sp.sqrt(2 / m) * N_2**2 / v_s**4 * (N_2 / (2 * v_s) + tau_f) ** sp.Rational(-3, 2)
)
"""What is left of the second derivative without the term 2 L ln(1/δ)/x³; it is positive."""


def stationary(x: sp.Expr) -> sp.Expr:
    """The left side of the equation for the best variance.

    Args:
        x: σ².

    Returns:
        4 G² (L x³ + 2 x⁴ ln(1/δ)).
    """
    return 4 * G_s**2 * (N_2 * x**3 + 2 * tau_f * x**4)


ELASTICITY = 4 * G_s**2 * (3 * N_2 * v_s**3 + 8 * tau_f * v_s**4)
"""x times the derivative of that."""

RELATIVE_VALUE = t_x + 2 * sp.sqrt((1 + h_x) * (1 / t_x + h_x))
"""The bound at the variance t_x v_o over G v_o, with S²/m such that v_o solves the equation."""

# --- with a perturbation term ---------------------------------------------------------------------


def posynomial(noise: sp.Expr) -> sp.Expr:
    """The bound with a P that is a polynomial of degree 2 in σ with coefficients that are not negative.

    Args:
        noise: σ.

    Returns:
        Gσ² + P_3 σ³ + P_4 σ⁴ + b/σ.
    """
    return G_s * noise**2 + P_3 * noise**3 + P_4 * noise**4 + b_s / noise


GEOMETRIC = posynomial(sp.sqrt(sigma * sigma_o))
ARITHMETIC = (posynomial(sigma) + posynomial(sigma_o)) / 2

HALF_OF_TRACE = sigma**2 / 2 * (2 * G_s + P_s)
"""σ²/2 times the trace 2G and its change P: the second-order term, and Theorem 16's form."""

WHOLE_CHANGE = sigma**2 * (G_s + P_s)
"""Theorem 2's form."""

HALF_CHANGE = sigma**2 * (G_s + P_s / 2)

# --- what the O-forms hide ------------------------------------------------------------------------

SHARPNESS_ORDER = 272 * omega * D**3
NORM_ORDER = 49 * D**3 + omega + 8 * omega * D * sp.log(T) ** 2
