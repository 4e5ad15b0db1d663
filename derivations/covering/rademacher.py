"""A bound on the Rademacher complexity of a head, by its covering number and Dudley's integral.

The head reads relu(vᵀ Σ_t p_t x_t) through maps with caps of one on (1,1) norms, B on that of W_QK, and d outputs
each. Its output is at most one, so that the guarded closed form has the range one.
"""

import sympy as sp

from boundaudit.derivations.covering.dudley import GUARDED, A_dud, c_dud
from boundaudit.derivations.covering.symbols import B_cov
from boundaudit.derivations.symbols import symbol

m_rad = symbol("m_rad", "samples on which a Rademacher complexity is taken", integer=True, positive=True)
nu_rad = symbol("nu_rad", "how much chance there is in tokens and queries drawn", nonnegative=True)


def head(d: int, softmax: int) -> sp.Expr:
    """The guarded bound on the complexity of one head of the caps above.

    Args:
        d: length of a token and outputs of every map.
        softmax: how far the softmax is taken to move, 1 or 2.

    Returns:
        The bound, in B and m.
    """
    matrix, third = sp.log(2 * d**2 + 1), sp.Rational(1, 3)
    gamma = sp.log(2 * d + 1) ** third + (2 + (softmax * B_cov) ** (2 * third)) * matrix**third
    return GUARDED.subs({A_dud: 1, c_dud: sp.sqrt(gamma**3 / m_rad)})
