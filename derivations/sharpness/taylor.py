"""Theorems 6 and 12, and 17: from the loss under noise to its Hessian.

`P` is the printed allowance for the change of the loss Hessian's trace (Lintilhac & Shaikh 2026, Theorem 17), from the
bounds on how output, gradient and Hessian change. The rest is derived here: what the printed expansion says of one
component at one input, how a trace changes, and how a quadratic form with a matrix of its own can be bounded.
"""

import functools

import sympy as sp

from boundaudit.derivations import heat
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.hessian import H_U, PARAMETERS
from boundaudit.derivations.sharpness.parameters import D, T, u
from boundaudit.derivations.sharpness.perturbed_gradient import G_P, G_P_PRINTED
from boundaudit.derivations.sharpness.perturbed_hessian import H_P
from boundaudit.derivations.sharpness.perturbed_output import T_P
from boundaudit.derivations.symbols import symbol


def allowance(gradient: sp.Expr) -> sp.Expr:
    """P for a bound on the change of the gradient.

    Args:
        gradient: G_p.

    Returns:
        2 G_p (2 √G_u + G_p) + T_p (H_u + H_p) |Θ|.
    """
    return 2 * gradient * (2 * sp.sqrt(G_U) + gradient) + T_P * (H_U + H_P) * PARAMETERS


@functools.cache
def p_printed() -> sp.Expr:
    """P as printed."""
    return allowance(G_P_PRINTED)


@functools.cache
def p_restored() -> sp.Expr:
    """P with σ restored in G_p."""
    return allowance(G_P)


# --- one component, noise on the data entry of V2 -------------------------------------------------

_NODE = sp.sqrt(3)
ONE_OUTPUT = C * (1 - 1 / (C * T + 1))
"""The output for the component {1} at the input 01…1, steep: its own row reads 1, and the T others read 0 with the
mass 1/(C T + 1), as they average to (T-1)/(T+1) ≥ 1/2."""

ONE_ERROR = ONE_OUTPUT - C
SLOPE = ONE_OUTPUT / C
"""The output's derivative by the data entry of V2, which is C: the output is linear in it."""

LOSS_SLOPE = 2 * ONE_ERROR * SLOPE
"""The loss's derivative by the same entry."""


def three_nodes(loss: sp.Expr, noise: sp.Symbol) -> sp.Expr:
    """The Gauss-Hermite rule with nodes 0 and ±√3 σ, exact for polynomials of degree at most 5.

    Args:
        loss: an expression in the noise.
        noise: its variable.

    Returns:
        The mean over N(0, σ²).
    """
    left, right = (loss.subs(noise, sign * _NODE * sigma) for sign in (-1, 1))
    return (left + right) / 6 + 2 * loss.subs(noise, 0) / 3


_noise = sp.Dummy("e", real=True)
EXPECTED_LOSS = three_nodes((ONE_ERROR + SLOPE * _noise) ** 2, _noise)
SECOND_ORDER = sigma**2 * SLOPE**2
"""σ²/2 times the second derivative, which is constant: the expansion has no other term along this entry."""

# --- one bias moved -------------------------------------------------------------------------------

t_b = symbol("t_b", "how far a bias is moved", nonnegative=True)

_RISE = 4 * D * C / u
LOSS_OF_BIAS = (_RISE * sp.Min(t_b, 1 / (4 * D))) ** 2
"""The loss at the input without ones after the bias of the unit that opens the first plateau has gone down by t_b: all
rows average to 0, an edge's 1/(4D) away from its kink."""

PARABOLA = (_RISE * t_b) ** 2


def from_lagrange() -> sp.Expr:
    """How far the loss is from ½ L''(ξ) t_b² for both values of L'' that occur on the way: the parabola's and 0.

    Returns:
        The smaller distance.
    """
    return sp.Min(LOSS_OF_BIAS, sp.Abs(LOSS_OF_BIAS - PARABOLA))


kappa_T = symbol("kappa_T", "input length T = 4 kappa_T + 3", integer=True, nonnegative=True)
KINK_LENGTH = 4 * kappa_T + 3
JUMP = 4 * C / (u * (C * KINK_LENGTH + 1))
"""How far the two one-sided derivatives by the bias of a unit are apart: D = 1, and (T+1)/4 ones outside the component
put the rows without a component, with mass 1/(C T + 1), on that unit's kink at 1/4."""

JUMP_BOUND = 4 / (u * KINK_LENGTH)

# --- Gaussian means -------------------------------------------------------------------------------

L_COEFFICIENTS = tuple(
    symbol(f"L_{n}", f"coefficient of u^{n} in a polynomial loss", real=True) for n in range(7)
)  # fmt: skip
_u = sp.Dummy("u", real=True)
POWERS = (1, 2, 4, 6)
_SIXTH = sp.Add(*(L_COEFFICIENTS[n] * _u**n for n in POWERS))
SECOND_ORDER_OF_CUBIC = L_COEFFICIENTS[0] + sigma**2 * L_COEFFICIENTS[2]
CUBIC_MEAN = heat.mean(sp.Add(*(a * _u**n for n, a in enumerate(L_COEFFICIENTS[:4]))), _u, sigma**2)
SIXTH_MEAN = heat.mean(_SIXTH, _u, sigma**2)


def sixth_flow() -> sp.Expr:
    """The mean of L_1 u + L_2 u² + L_4 u⁴ + L_6 u⁶ by the heat flow.

    Returns:
        ½ ∫_0^{σ²} E L''(√v Z) dv.
    """
    return heat.flow(_SIXTH, _u, sigma**2)


L_k = symbol("L_k", "half the jump of a loss's slope at a kink", nonnegative=True)
KINKED_MEAN = L_COEFFICIENTS[2] * sigma**2 + L_k * sp.sqrt(2 / sp.pi) * sigma
"""E of L_2 u² + L_k |u|, from E|u| = σ √(2/π)."""


def kinked_flow(*, with_jump: bool = True) -> sp.Expr:
    """The heat flow of L_2 u² + L_k |u|.

    Args:
        with_jump: Whether the jump of the slope at the kink counts.

    Returns:
        The flow.
    """
    smooth = heat.flow(L_COEFFICIENTS[2] * _u**2, _u, sigma**2)
    return smooth + heat.flow_of_kink(2 * L_k, sigma) if with_jump else smooth


# --- quadratic forms ------------------------------------------------------------------------------

A_11 = symbol("A_11", "entry of a symmetric matrix", real=True)
A_12 = symbol("A_12", "entry of a symmetric matrix off the diagonal", real=True)
A_22 = symbol("A_22", "second diagonal entry of a symmetric matrix", real=True)
_e, _f = sp.Dummy("e", real=True), sp.Dummy("f", real=True)
_FORM = A_11 * _e**2 + 2 * A_12 * _e * _f + A_22 * _f**2


def form_moment(power: int) -> sp.Expr:
    """A moment of the quadratic form of two independent normal variables.

    Args:
        power: 1 or 2.

    Returns:
        E (A_11 ε² + 2 A_12 ε φ + A_22 φ²)^power.
    """
    over_first = heat.mean(sp.expand(_FORM**power), _e, sigma**2)
    return sp.expand(heat.mean(sp.expand(over_first), _f, sigma**2))


TRACE = A_11 + A_22

alpha_1 = symbol("alpha_1", "first eigenvalue of a symmetric matrix", real=True)
alpha_2 = symbol("alpha_2", "second eigenvalue of a symmetric matrix", real=True)
A_op = symbol("A_op", "operator norm of a symmetric matrix", nonnegative=True)
epsilon_1 = symbol("epsilon_1", "noise along the first eigenvector", real=True)
epsilon_2 = symbol("epsilon_2", "noise along the second eigenvector", real=True)
n_theta = symbol("n_theta", "number of parameters", integer=True, positive=True)

A_0 = symbol("A_0", "constant part of a random matrix", nonnegative=True)
A_2 = symbol("A_2", "coefficient of ε² in a random matrix", nonnegative=True)
_RANDOM = A_0 + A_2 * _e**2
RANDOM_FORM = heat.mean(_RANDOM * _e**2, _e, sigma**2)
RANDOM_MEAN = heat.mean(_RANDOM, _e, sigma**2)
RANDOM_SQUARE = heat.mean(sp.expand(_RANDOM**2), _e, sigma**2)
LENGTH_SQUARE = heat.moment(4, sigma**2)

FOURTH_POWER = sigma**4 * n_theta * (n_theta + 2)
"""E|u|⁴."""
FOURTH_AT_LAGRANGE = sigma**2 / 2 * (4 * n_theta + 8) * n_theta * sigma**2 / 6
"""σ²/2 · E tr Hess L(ξ) for L = |u|⁴: L(u) = ½ uᵀ Hess L(τu) u = 6τ²|u|⁴ gives τ² = 1/6, and tr Hess L(ξ) is
(4n+8)|ξ|²."""


def fourth_flow() -> sp.Expr:
    """E|u|⁴ by the heat flow.

    Returns:
        ½ ∫_0^{σ²} (4n+8) n v dv.
    """
    return heat.flow_of_fourth_power(n_theta, sigma**2)


# --- the change of a trace ------------------------------------------------------------------------

G_0 = symbol("G_0", "norm of the output's gradient", nonnegative=True)
G_1 = symbol("G_1", "bound on the change of the output's gradient", nonnegative=True)
R_1 = symbol("R_1", "bound T_p (H_u + H_p)|Θ| on residual times trace of the output's Hessian", nonnegative=True)
g_1 = symbol("g_1", "norm of the output's gradient after the change", nonnegative=True)
f_1 = symbol("f_1", "residual times trace of the output's Hessian after the change, zero before", real=True)

TRACE_CHANGE = 2 * g_1**2 + 2 * f_1 - 2 * G_0**2
"""tr Hess (f-y)² = 2|∇f|² + 2(f-y) tr Hess f, after the change and before."""
GRADIENT_PART = 2 * G_1 * (2 * G_0 + G_1)
CHANGE_PRINTED = GRADIENT_PART + R_1
CHANGE = GRADIENT_PART + 2 * R_1
