"""Theorem 24 and Lemmas 26 to 28: how far Gaussian noise of every parameter moves the output.

`T_P` is the printed bound on |f̃ - f|, term by term (Lintilhac & Shaikh 2026, Appendix L): through the second
layer's weights, through its values, and through the MLP. To first order the change is σ⟨∇f, ε⟩, normal with standard
deviation σ|∇f|, so that `rate` of a bound is compared with |∇f|. The rest is derived here.
"""

from collections.abc import Sequence

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import FINITE, KEYS, Kind, n_e, n_r
from boundaudit.derivations.sharpness.gradients import output
from boundaudit.derivations.sharpness.parameters import D, T, c, d, omega
from boundaudit.derivations.symbols import symbol

T_P_TERMS: dict[str, sp.Expr] = {
    "weights": 128 * sigma * D**2 * omega * sp.log(T),
    "values": sigma * sp.sqrt(2 * d),
    "MLP": 32 * sp.sqrt(omega) * sigma * D**2,
}
"""The terms of T_p as printed."""

T_P = sp.Add(*T_P_TERMS.values())

WEIGHTS = 128 * sigma * D**2 * sp.sqrt(omega) * sp.log(T)
"""Lemma 27: the bound on ‖ã - a‖₁ that the first term of T_p holds, times |v| ≤ √ω."""


JACOBIAN = 3 * WEIGHTS
"""Theorem 29 with Lemma 27 put in; 2 √ω log T times it is the 768 of the bound on the Hessian's change."""

_QUERY, _ROOT = 2 * sp.sqrt(omega) * sp.log(T), sp.sqrt(omega)
_VALUE = 32 * sigma * D**2 * _ROOT + sigma * sp.sqrt(2 * d)
"""|w2| ≤ 2 √ω log T, C ≤ √ω, and how far Lemma 22 and the noise of V2 move a value."""
_IMAGE = sigma * sp.sqrt(2 * d) + 32 * sigma * D**2 * _QUERY
"""How far the noise of W2 and Lemma 22 move w2."""

ROW_TERMS: dict[str, sp.Expr] = {
    "values": WEIGHTS * _ROOT + sigma * sp.sqrt(2 * d),
    "keys": _QUERY * (WEIGHTS * _ROOT + _VALUE + T_P),
    "query": _ROOT * _IMAGE,
}
"""Lemma 26: changes of a_t V2, of a_t (v_t - f) w2 through its factor, and through w2, by the product rule."""

STREAM_TERMS: dict[str, sp.Expr] = {
    "values": WEIGHTS * _ROOT + sigma * sp.sqrt(2 * d),
    "keys": _QUERY * (JACOBIAN * omega + _VALUE),
    "query": 2 * _ROOT * _IMAGE,
}
"""Lemma 28: the same for all rows at once, with (diag(a) - a aᵀ) v for a_t (v_t - f), |v|₂ ≤ C √ω ≤ ω as printed, and
the query's own row."""

ROWS, STREAM = sp.Add(*ROW_TERMS.values()), sp.Add(*STREAM_TERMS.values())


def rate(bound: sp.Expr, width: sp.Expr) -> sp.Expr:
    """A bound that is linear in σ, for each unit of σ and a given width.

    Args:
        bound: the bound.
        width: what d stands for.

    Returns:
        The bound over σ.
    """
    return bound.subs({sigma: sp.Integer(1), d: width})


COUNTED = T + 1
"""d where the stream has d+1 channels, of which the construction needs T+2."""

PRINTED = T + 2
"""d in the printed numbers."""

# --- what the output draws from one row -------------------------------------------------------------


def row_gradient(mass: sp.Expr, value: sp.Expr, f: sp.Expr) -> sp.Expr:
    """The squared gradient of f in a row of what layer 2 reads, of any row but the output position's.

    The data channel carries a C; the channels of positions, through the keys, a (v - f) w2.

    Args:
        mass: the attention to the row.
        value: v, its value.
        f: the output.

    Returns:
        a² (C² + (v - f)² |w2|²).
    """
    return mass**2 * (SUM**2 + (value - f) ** 2 * KEYS)


_SCALE = T**2 / (SUM * T**2 + T + 1 - omega)
FIRST_MASS = c[1] * _SCALE
"""Attention to the first row at finite length."""


def first_value() -> sp.Expr:
    """The value of the first row for tilings, which is among those without a one wherever there are any.

    Returns:
        C or 0.
    """
    return SUM * sp.Min(1, n_e)


def first_weight_moves() -> sp.Expr:
    """The derivative of layer 2's attention to the first row along the direction of F that moves the keys.

    Returns:
        |w2| a (s - s̄), s the row's mean of bits and s̄ the attention's, for tilings whose first component is even.
    """
    mean = sp.Add(*(kind.mass * kind.s for kind in FINITE))
    return sp.sqrt(KEYS) * FIRST_MASS * (FINITE[0].s - mean)


# --- a direction in F that the coefficients stretch -------------------------------------------------


def stretched(kinds: Sequence[Kind], order: int) -> sp.Expr:
    """A derivative of f along one unit direction of F, for tilings.

    The direction is w2ᵀ/|w2| in the row of the first hidden unit. This unit is on in every row and holds the row's
    mean s and a constant, so that a step e adds e |w2| s_t to the logit of row t, and derivatives are |w2| to their
    order times joint cumulants of value and s under the attention.

    Args:
        kinds: `disjoint_supports.FINITE` or `disjoint_supports.IDEAL`.
        order: 1, 2 or 3.

    Returns:
        The derivative at e = 0.
    """
    f, mean = output(kinds), sp.Add(*(kind.mass * kind.s for kind in kinds))

    def moment(power: int) -> sp.Expr:
        return sp.Add(*(kind.mass * (SUM * kind.g - f) * (kind.s - mean) ** power for kind in kinds))

    spread = sp.Add(*(kind.mass * (kind.s - mean) ** 2 for kind in kinds))
    cumulant = {1: moment(1), 2: moment(2), 3: moment(3) - 3 * moment(1) * spread}[order]
    return sp.sqrt(KEYS) ** order * cumulant


ell_3 = symbol("ell_3", "minus the logarithm of the third coefficient", nonnegative=True)


def three_components(expression: sp.Expr) -> sp.Expr:
    """An expression for tilings at D = 1 and coefficients 1/2, 1/4 and exp(-ell_3), the first component without a one.

    Args:
        expression: in T, D, omega, u, c, n_e and n_r.

    Returns:
        An expression in T, u and ell_3.
    """
    sizes = {D: sp.Integer(1), omega: sp.Integer(3), n_e: sp.Integer(1), n_r: sp.Integer(0)}
    written = expression.subs(sizes).doit()
    return written.subs({c[1]: sp.Rational(1, 2), c[2]: sp.Rational(1, 4), c[3]: sp.exp(-ell_3)})
