"""Dudley's step: from nets at the scales 2^{-j} with log N(2^{-j}) ≤ C 4^j to a Rademacher complexity, c = √(C/m).

A function is what its last net leaves of it, at most 2^{-J}, and the sum of its links from net to net. The links of
level j are at most 2^{-j} + 2^{1-j} = 3·2^{-j} long, in number at most exp(5C 4^j/4). With t = m c 4^j/2 their largest
correlation with signs has the mean L, and by Jensen's inequality and cosh x ≤ exp(x²/2)

    exp(t L) ≤ Σ over links Π_i cosh(t v_i/m) ≤ exp(5C 4^j/4 + 9 t² 4^{-j}/(2m)) = exp(19 c t/4),

so that L ≤ 19c/4: level for level the tangent L ≤ 19c/4 + (exp(t(L - 19c/4)) - 1)/t adds up. For α from 2^{-J-2} to
2^{-J-1} the sum 2^{-J} + 19cJ/4 is at most 4α + 12 c log(1/α).
"""

import sympy as sp

from boundaudit.derivations.symbols import symbol, vector

m_cha = symbol("m_cha", "samples on which a class is approximated", integer=True, positive=True)
n_cha = symbol("n_cha", "functions of a class", integer=True, positive=True)
J_cha = symbol("J_cha", "nets of a class, each twice as fine as the one before", integer=True, positive=True)
j_cha = symbol("j_cha", "level of a net", integer=True, positive=True)
i_cha = symbol("i_cha", "a sample", integer=True, positive=True)
v_cha = symbol("v_cha", "a link from one net to the next, numbered", integer=True, positive=True)
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
        m c 4^j/2.
    """
    return m_cha * c * 4**j_cha / 2


def bound(c: sp.Expr) -> sp.Expr:
    """What the links of one level cost at most.

    Args:
        c: √(C/m).

    Returns:
        19c/4.
    """
    return sp.Rational(19, 4) * c


def integral(c: sp.Expr) -> sp.Expr:
    """Dudley's bound for log N(ε) ≤ C/ε² and functions of size at most one.

    Args:
        c: √(C/m).

    Returns:
        4α + 12 c log(1/α).
    """
    return 4 * alpha_cha + 12 * c * sp.log(1 / alpha_cha)
