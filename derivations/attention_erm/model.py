"""Section 2: the indices of attention, in the eigenvectors of the map.

There tokens have independent standard normal entries again and S is diagonal, so that √d h_ab = Σ λ_i x_ai x_bi, less
the trace Σ λ_i where a = b. Everything follows from moments of normal variables (Boncoraglio et al. 2025, Section 2).
"""

import sympy as sp

from boundaudit.derivations.attention_erm.symbols import d_erm, i_erm
from boundaudit.derivations.symbols import vector

lambda_map = vector("lambda_map", "eigenvalues of a symmetric map")
x_tok = vector("x_tok", "entries of a token")
y_tok = vector("y_tok", "entries of another token")
z_tok = vector("z_tok", "entries of a third token")
c_idx = vector("c_idx", "coefficients of five indices")


def index(first: sp.IndexedBase, second: sp.IndexedBase) -> sp.Expr:
    """An index of attention.

    Args:
        first: The entries of one token.
        second: Those of the other, perhaps the same.

    Returns:
        (Σ λ_i x_i y_i - δ Σ λ_i)/√d.
    """
    centred = first[i_erm] * second[i_erm] - (1 if first == second else 0)
    return sp.Sum(lambda_map[i_erm] * centred, (i_erm, 1, d_erm)) / sp.sqrt(d_erm)


def trace(power: int) -> sp.Expr:
    """Tr S^p.

    Args:
        power: p.

    Returns:
        Σ λ_i^p.
    """
    return sp.Sum(lambda_map[i_erm] ** power, (i_erm, 1, d_erm))
