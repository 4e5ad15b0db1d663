"""Lemma 15 and Theorem 29: the softmax's Jacobian R = diag(a) - a aᵀ (Lintilhac & Shaikh 2026, Appendices F and L).

Weights a_t = w_t / Σ w, so that R v = (a_t (v_t - v̄))_t with v̄ = Σ a v. For any unit vector e the
length of Xᵀ R v is Σ_t (x_t·e) a_t (v_t - v̄), where |x_t·e| is at most the length of row t: one column
of X says it all. Derived here: with y_t = x_t·e and centres ȳ, v̄

    Σ a y (v - v̄) = Σ a (y - ȳ)(v - v̄) ≤ ½ Σ a (y - ȳ)² + ½ Σ a (v - v̄)² ≤ ½ Σ a y² + ½ Σ a v²,

so the constant is 1. As R maps constants to 0, values in [0, C] may be centred: then it is C/2.

Theorem 29: let p, q be the weights of column i before and after, Δ = ã - a and S = Σ|Δ|. Column i of
Σ̃ - Σ adds up to |Δ_i| |1 - p - q| + Σ_{j≠i} |ã_j q - a_j p|, and from ã_j q - a_j p = Δ_j p + ã_j Δ_i
the second part is at most p (S - |Δ_i|) + |Δ_i| (1 - q), or the same with p and q exchanged. As Σ Δ = 0,
|Δ_i| ≤ S/2: where p + q ≥ 1 the column is at most p S, elsewhere at most S (1 - q). The constant is 1.
"""

import sympy as sp

from boundaudit.derivations.sharpness.parameters import j, t
from boundaudit.derivations.symbols import symbol, vector

n_k = symbol("n_k", "keys of a softmax", integer=True, positive=True)
m_k = symbol("m_k", "columns of X", integer=True, positive=True)
w_a = vector("w_a", "exponentials of a softmax's logits")
a_k = vector("a_k", "weights of all keys of a softmax but one")
b_k = vector("b_k", "their weights in a second softmax")
x_a = vector("x_a", "one column of X: the keys' entries along one direction")
v_a = vector("v_a", "a softmax's values")
p_a = symbol("p_a", "weight of one key in a softmax", real=True)
p_b = symbol("p_b", "weight of the same key in a second softmax", real=True)
y_0 = symbol("y_0", "a centre of the keys' entries", real=True)
v_0 = symbol("v_0", "a centre of a softmax's values", real=True)
q_a = symbol("q_a", "weight of another key in a softmax", real=True)
q_b = symbol("q_b", "weight of the other key in a second softmax", real=True)
S_a = symbol("S_a", "sum of the absolute differences of two softmaxes' weights", real=True)


def total(body: sp.Expr) -> sp.Expr:
    """A sum over the keys.

    Args:
        body: an expression in t.

    Returns:
        Σ_t body.
    """
    return sp.Sum(body, (t, 1, n_k))


def mean(body: sp.Expr) -> sp.Expr:
    """A softmax's average.

    Args:
        body: an expression in t.

    Returns:
        Σ_t a_t body.
    """
    return total(w_a[t] * body) / total(w_a[t])


def _shift(values: sp.IndexedBase, centre: sp.Expr) -> sp.Expr:
    """Σ w (v - centre)² less Σ w v²."""
    return centre**2 * total(w_a[t]) - 2 * centre * total(w_a[t] * values[t])


# --- Lemma 15 -------------------------------------------------------------------------------------

JACOBIAN_PRODUCT = mean(x_a[t] * v_a[t]) - mean(x_a[t]) * mean(v_a[t])
"""xᵀ R v for one column x, as R is written: diag(a) less a aᵀ."""

ABOUT_CENTRES = 2 * total(w_a[t] * (x_a[t] - y_0) * (v_a[t] - v_0))
SQUARES_ABOUT_CENTRES = 2 * total(w_a[t]) + _shift(x_a, y_0) + _shift(v_a, v_0)
"""At the two means the shifts are -W ȳ² and -W v̄²."""

# --- Theorem 29 -----------------------------------------------------------------------------------

OWN_A, OWN_B = (1 - sp.Sum(others[j], (j, 1, n_k)) for others in (a_k, b_k))
"""The weights p and q of the key whose column it is: what the other keys leave."""

OTHERS = total(sp.Abs(b_k[t] - a_k[t]))
CHANGE = sp.Abs(OWN_B - OWN_A) + OTHERS
"""‖ã - a‖₁."""

COLUMN = sp.Abs(OWN_B * (1 - OWN_B) - OWN_A * (1 - OWN_A)) + total(sp.Abs(b_k[t] * OWN_B - a_k[t] * OWN_A))
"""Σ_j |Σ̃_ji - Σ_ji| of column i, entry by entry: key i itself, then the others."""

_OWN = sp.Abs(p_a - p_b)
COLUMN_SPLIT = _OWN * sp.Abs(1 - p_a - p_b) + sp.Min(
    p_a * (S_a - _OWN) + _OWN * (1 - p_b), p_b * (S_a - _OWN) + _OWN * (1 - p_a)
)
"""What a column is at most, by its own two weights and S."""

OFF_DIAGONAL = sp.Abs(q_b * p_b - q_a * p_a)
OFF_DIAGONAL_SPLIT = p_a * sp.Abs(q_b - q_a) + sp.Abs(p_b - p_a) * q_b
"""Of another key with weight q_a before and q_b after; summed over these keys, p (S - |Δ_i|) + |Δ_i| (1 - q)."""
