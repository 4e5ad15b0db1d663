"""Theorems 6 and 12, and 17: from the loss under noise to its Hessian.

`P` is the printed allowance for the change of the loss Hessian's trace (Lintilhac & Shaikh 2026, Theorem 17), from the
bounds on how output, gradient and Hessian change.
"""

import sympy as sp

from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.hessian import H_U, PARAMETERS
from boundaudit.derivations.sharpness.perturbed_gradient import G_P, G_P_PRINTED
from boundaudit.derivations.sharpness.perturbed_hessian import H_P
from boundaudit.derivations.sharpness.perturbed_output import T_P


def allowance(gradient: sp.Expr) -> sp.Expr:
    """P for a bound on the change of the gradient.

    Args:
        gradient: G_p.

    Returns:
        2 G_p (2 √G_u + G_p) + T_p (H_u + H_p) |Θ|.
    """
    return 2 * gradient * (2 * sp.sqrt(G_U) + gradient) + T_P * (H_U + H_P) * PARAMETERS


P_PRINTED = allowance(G_P_PRINTED)
P = allowance(G_P)
"""The same with σ restored in G_p."""
