"""Dudley's step: from nets at the scales 2^{-j} with log N(2^{-j}) ≤ C θ^{2j} to a Rademacher complexity, c = √(C/m).

A function is what its last net leaves of it, at most 2^{-J}, and the sum of its links from net to net. The links of
level j are at most 2^{-j} + 2^{1-j} = 3·2^{-j} long, in number at most exp(2C θ^{2j}). With t = 2mc(2θ)^j/3 their
largest correlation with signs has the mean L, and by Jensen's inequality and cosh x ≤ exp(x²/2)

    exp(t L) ≤ Σ over links Π_i cosh(t v_i/m) ≤ exp(2C θ^{2j} + 9 t² 4^{-j}/(2m)) = exp(t b),   b = 6c (θ/2)^j,

so that L ≤ b: level by level the tangent L ≤ b + (exp(t(L - b)) - 1)/t adds up. For log N(ε) ≤ C/ε², θ = 2, and α from
2^{-J-2} to 2^{-J-1} the sum 2^{-J} + 6cJ is at most 4α + 12 c log(1/α); for log N(ε) ≤ C ε^{-2q} with q ≤ 1/2,
θ = 2^q, the levels add up to at most 6cθ/(2 - θ).
"""

import sympy as sp

from boundaudit.derivations.symbols import symbol, vector

m_cha = symbol("m_cha", "samples on which a class is approximated", integer=True, positive=True)
n_cha = symbol("n_cha", "functions of a class", integer=True, positive=True)
J_cha = symbol("J_cha", "nets of a class, each twice as fine as the one before", integer=True, positive=True)
j_cha = symbol("j_cha", "level of a net", integer=True, positive=True)
i_cha = symbol("i_cha", "a sample", integer=True, positive=True)
v_cha = symbol("v_cha", "a link from one net to the next, numbered", integer=True, positive=True)
theta_cha = symbol("theta_cha", "by how much the root of the entropy grows from net to net", positive=True)
alpha_cha = symbol("alpha_cha", "lower limit of Dudley's integral", positive=True)
c_cha = symbol("c_cha", "root of capacity over samples, for some class", positive=True)
L_cha = symbol("L_cha", "mean largest correlation of some links", real=True)
b_cha = symbol("b_cha", "what it is compared with", real=True)
t_cha = symbol("t_cha", "argument of a moment generating function", positive=True)
x_cha = vector("x_cha", "a link's values on the sample")
X_cha = sp.Symbol("X_cha")
"""The values of a class, a function a row."""

FINEST = 2**-J_cha
SAMPLES = (i_cha, 1, m_cha)
LEVELS = (j_cha, 1, J_cha)
LINKS = (v_cha, 1, J_cha * n_cha)


def log_cosh(x: sp.Expr) -> sp.Expr:
    """Log E exp(σ x) for a fair sign σ.

    Args:
        x: where.

    Returns:
        An expression.
    """
    return sp.log((sp.exp(x) + sp.exp(-x)) / 2)


LOG_SIGNS = sp.Sum(log_cosh(x_cha[i_cha]), SAMPLES)
"""Log Π cosh x_i."""
LOG_NORMAL = sp.Sum(x_cha[i_cha] ** 2, SAMPLES) / 2

TANGENT = b_cha + (sp.exp(t_cha * (L_cha - b_cha)) - 1) / t_cha


def argument(c: sp.Expr) -> sp.Expr:
    """T of level j.

    Args:
        c: √(C/m).

    Returns:
        2mc(2θ)^j/3.
    """
    return 2 * m_cha * c * (2 * theta_cha) ** j_cha / 3


def bound(c: sp.Expr) -> sp.Expr:
    """What the links of level j cost at most.

    Args:
        c: √(C/m).

    Returns:
        6c (θ/2)^j.
    """
    return 6 * c * (theta_cha / 2) ** j_cha


def levels(c: sp.Expr) -> sp.Expr:
    """What the links of all levels cost at most.

    Args:
        c: √(C/m).

    Returns:
        Σ 6c (θ/2)^j.
    """
    return sp.Sum(bound(c), LEVELS)


def integral(c: sp.Expr) -> sp.Expr:
    """Dudley's bound for log N(ε) ≤ C/ε² and functions of size at most one.

    Args:
        c: √(C/m).

    Returns:
        4α + 12 c log(1/α).
    """
    return 4 * alpha_cha + 12 * c * sp.log(1 / alpha_cha)


def slowly(c: sp.Expr) -> sp.Expr:
    """What the links of any number of levels cost at most where θ < 2.

    Args:
        c: √(C/m).

    Returns:
        6cθ/(2 - θ).
    """
    return 6 * c * theta_cha / (2 - theta_cha)
