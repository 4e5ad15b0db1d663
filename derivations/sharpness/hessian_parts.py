"""A bound on the norm of the output's Hessian from the four parts of the chain rule (Theorem 18), for all targets.

With a the weights of layer 2, v its values, l its logits, f = Σ a v and moments under a, along any direction

    f'' = E v'' + 2 Cov(v', l') + Cov(v, l'') + E (v - f)(l' - E l')².

Write W1, V1, M, Gamma, F, W2, V2 for the parts of a direction of unit length, φ for F's data column at the
construction, w2 for W2's column of the output position, o for that position's row, F_d, F_w, F_o for what F's
direction writes into the data channel, along w2 and into channel o, A_t for row t's attention in layer 1, y_t for the
average of tokens that it sees, s_t for that of bits, on_t for its hidden units that are active, h_t for those units
and g(s_t) for the MLP's output. Off the kinks a row changes by

    m_t = (V1's data column)·y_t + σ_t, σ_t = Σ_j A_tj (z_j - s_t) x_jᵀ W1 x_t      its average of bits,
    h_t' = on_t (m_t + s_t M_data + Gamma), φ·h_t' = g'(s_t) m_t + (φ on_t)·(s_t M_data + Gamma),
    x_t' = e_data (φ·h_t') + h_tᵀ F,   v_t' = C (φ·h_t' + h_t·F_d) + x_t·V2,
    l_t' = h_t·F_w |w2| + l_t h_o·F_o + x_tᵀ W2 x_o,

and on the rows of components, which rest on plateaus, g' = 0. Lengths that enter:

    Z² = |y_t|² + |∂σ_t|² ≤ 1 + 65/(64 D), as no weight in A_t exceeds 1/D,
    |φ on_t|² ≤ 32 D²(D+1)/u² = A, from row to row changing by at most 32 D³/u² = B, |on_t|² ≤ 4D+2,
    |h_t|² ≤ L², |h_s - h_t|² ≤ Δ, |x_s - x_t|² ≤ 3, |x_o|² ≤ 2, |g'| ≤ λ = 4D/u,

and the unused rows of the finite network have weight N/(CT²+N), C times which is at most 1/T. As Σ a (v - f) = 0,
Σ a (v - f) ξ_t is C P times a difference of two averages of ξ, P = Σ a (g - Σ a g)₊ ≤ 1/4. Hence, part by part:

* E v'', v'' = C g' s'' + 2C (φ on)·M(σ e_data + V1 y) + 2C h'·F_d + 2 x'·V2: the pairs of W1, V1, V2 with M, Gamma, F
  make a matrix of Frobenius norm √(C²Z²(A + 4D+2) + 2A + L²); F_d with M and Gamma adds √2 C, V2 with W1 and V1
  Z E|g'|; and s'' = E_A (z - s)(q - E_A q)² + 2 Cov_A(x·V1_data, q), q_j = x_jᵀ W1 x_t of range √6 |W1|, is at most
  1/√3 + 3√2/4;
* 2 Cov(v', l') pairs F_w, F_o and W2 with all other parameters: at most a product of two standard deviations, each at
  most half of the largest distance of two rows' gradients; g' is not zero on unused rows alone, variance C² E g'² Z²;
* Cov(v, l''), l'' = 2 h'·F_w |w2| + 2 l h_o'·F_o + 2 x'ᵀ W2 x_o + 2 xᵀ W2 x_o' + 2 (h·F_w)(h_o·F_o) |w2|. With
  K = |w2|² and ρ the range of logits, over C P, F_w pairs with W1 and V1 at 2 √K Z √(4D+2), with M and Gamma at
  √(2K); F_o at ρ Z √(4D+2) and √2 ρ; W2 with M and Gamma at √(2(A+B)) + √(6A), with W1 and V1 at √3 λ Z plus
  √2 Z E|g'|/P, with F at √(2Δ) + √3 L; F_w with F_o at √(KΔ) L;
* E (v - f)(l' - E l')² ≤ C R²/(6√3), R² = KΔ + ρ²L² + 6 the largest squared distance of two rows' gradients of l.

The last part lives on F_w, F_o and W2 alone: with norms p and q it and the second are at most p/2 + √(p²/4 + q²).
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from boundaudit.derivations.sharpness import hessian_lemmas as lemmas
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import KEYS
from boundaudit.derivations.sharpness.mlp import SLOPE
from boundaudit.derivations.sharpness.parameters import D, T, omega
from boundaudit.derivations.symbols import symbol


def _size(name: str, meaning: str) -> sp.Symbol:
    found: sp.Symbol = symbol(name, meaning, nonnegative=True)
    return found


total_h = _size("total_h", "sum of a target's coefficients")
keys_h = _size("keys_h", "squared length of W2's column of the output position")
range_h = _size("range_h", "largest distance of two logits of layer 2")
values_n = _size("values_n", "operator norm of E v''")
covariance_n = _size("covariance_n", "operator norm of 2 Cov(v', l')")
logits_n = _size("logits_n", "operator norm of Cov(v, l'')")
skew_n = _size("skew_n", "operator norm of E (v - f)(l' - E l')²")
whole_n = _size("whole_n", "operator norm of Hess f")

_TOKEN, _ON, _PASSED, _COUNT = lemmas.TOKEN_BOUND, lemmas.GATES, lemmas.RISE, lemmas.UNITS
"""Z², A, B and 4D+2."""
_MOVED = _TOKEN * SLOPE**2

_VALUES_ROOT = sp.sqrt(total_h**2 * _TOKEN * (_ON + _COUNT) + 2 * _ON + LENGTH)
_VALUES_REST = sp.sqrt(2) * total_h + (1 / sp.sqrt(3) + 3 * sp.sqrt(2) / 4) * SLOPE / T + sp.sqrt(_TOKEN) * SLOPE
VALUES = _VALUES_ROOT + _VALUES_REST
"""‖E v''‖."""

REACH = keys_h * SPREAD + range_h**2 * LENGTH + 6
"""R²."""

CHANGES = total_h**2 * (_ON + _PASSED + SPREAD) + 3 + 4 * _MOVED * total_h / T
"""The largest squared distance of two rows' gradients of v, and what slopes add on average."""

COVARIANCE = sp.sqrt(CHANGES) * sp.sqrt(REACH) / 4
"""‖2 Cov(v', l')‖."""

_PULL = total_h / 4
_PAIRED_UNITS = (sp.sqrt(2) * sp.sqrt(_ON + _PASSED) + sp.sqrt(6) * sp.sqrt(_ON)) ** 2
PAIRED = (
    _PULL**2 * (4 * keys_h * _TOKEN * _COUNT + 2 * keys_h + range_h**2 * (_TOKEN * _COUNT + 2) + _PAIRED_UNITS)
    + _TOKEN * (_PULL * sp.sqrt(3) * SLOPE + sp.sqrt(2) * SLOPE / T) ** 2
)  # fmt: skip
"""The squared Frobenius norm of what pairs W1, V1, M and Gamma with F and W2."""

_LOGITS_ROOT = sp.sqrt(PAIRED)
_LOGITS_REST = _PULL * (
    sp.sqrt(SPREAD) * sp.sqrt(keys_h) * sp.sqrt(LENGTH) + sp.sqrt(2) * sp.sqrt(SPREAD) + sp.sqrt(3) * sp.sqrt(LENGTH)
)
LOGITS = _LOGITS_ROOT + _LOGITS_REST
"""‖Cov(v, l'')‖."""

SKEW = lemmas.THIRD * total_h * REACH
"""‖E (v - f)(l' - E l')²‖."""

RISING = {
    "values": VALUES, "skew": SKEW, "pairings": _LOGITS_ROOT, "others": _LOGITS_REST, "changes": CHANGES,
    "reach": REACH,
}  # fmt: skip
"""The values', the skew's, both summands of the logits' and, squared, both factors of the covariance's bound."""

UNDER_ROOTS = {
    "changes": CHANGES, "reach": REACH, "paired": PAIRED,
    "both": (lemmas.THIRD * total_h) ** 2 / 4 * REACH + CHANGES / 16,
}  # fmt: skip
"""What stands under roots; the last, times R², where skew and covariance are added up."""

PARTS = {"values": VALUES, "covariance": COVARIANCE, "logits": LOGITS, "skew": SKEW}
NORMS = {"values": values_n, "covariance": covariance_n, "logits": logits_n, "skew": skew_n}

FOUR = values_n + logits_n + skew_n / 2 + sp.sqrt(skew_n**2 / 4 + covariance_n**2)
"""A form of norm p on one half of the parameters and one of norm q across two: p/2 + √(p²/4 + q²)."""


def four(sizes: Mapping[str, sp.Expr]) -> sp.Expr:
    """That bound at what stands for the norms of the parts.

    Args:
        sizes: By part.

    Returns:
        An expression.
    """
    return FOUR.xreplace({norm: sizes[part] for part, norm in NORMS.items()})


ABOVE = {norm: symbol(f"{name}_a", f"a bound on the {norm}", real=True) for name, norm in NORMS.items()}
"""What the norms of the parts are at most."""

LARGER = {size: symbol(f"{size}_a", "at least that", real=True) for size in (total_h, keys_h, range_h)}
"""What C, |w2|² and the range of logits are at most."""

# --- sizes in closed form -------------------------------------------------------------------------

Sizes = dict[sp.Symbol, sp.Expr]
"""What stands for C, |w2|² and the range of logits."""

NO_LOGITS: Sizes = {keys_h: sp.S.Zero, range_h: sp.S.Zero}
"""Where F writes into the data channel alone, no logit enters."""


def put(expression: sp.Expr, *steps: Sizes) -> sp.Expr:
    """Put closed forms in, one step after the other.

    Args:
        expression: in sizes.
        *steps: what stands for which sizes.

    Returns:
        The expression in what is left of them.
    """
    for step in steps:
        expression = expression.xreplace(step)
    return expression


OWN_BOUND = four(PARTS)
"""By T, D, u and the target's own C, |w2|² and range of logits."""

OF_C: Sizes = {total_h: sp.sqrt(omega)}
OF_KEYS: Sizes = {keys_h: 4 * omega * sp.log(T) ** 2}
OF_RANGE: Sizes = {range_h: 2 * lemmas.LONGEST_LOGIT}
ANY_RANGE: Sizes = {range_h: sp.sqrt(2 * keys_h)}
TARGET: Sizes = {total_h: SUM, keys_h: KEYS}

H_STAR = put(OWN_BOUND, OF_C, OF_KEYS, OF_RANGE)
"""For coefficients from T⁻⁴ to 1 in the unit ball."""

H_ONE_COLUMN = put(OWN_BOUND, NO_LOGITS, OF_C)


def h_star_own() -> sp.Expr:
    """With the target's own C and |w2|, for coefficients from T⁻⁴ to 1.

    Returns:
        An expression in T, D, u, ω and c.
    """
    return put(OWN_BOUND, OF_RANGE, TARGET)


H_ANY = put(OWN_BOUND, ANY_RANGE, TARGET)
"""With the target's own C and |w2|, whatever its coefficients."""

# --- F's last column alone ------------------------------------------------------------------------

UNDER = {
    "values": (_TOKEN * (_ON + _COUNT), 2 * _ON + LENGTH, sp.S.Zero),
    "covariance": (6 * (_ON + _PASSED + SPREAD), sp.Integer(18), 24 * _MOVED),
    "logits": (_PAIRED_UNITS / 16 + 3 * _MOVED / 16, 2 * _MOVED / T**2, sp.sqrt(6) * _MOVED / 2),
}
"""What stands under the root of a bound on a part at C = √ω: x, y and z of ω x + y + √ω z/T."""

_BESIDE = {"values": (1, _VALUES_REST), "covariance": (4, sp.S.Zero), "logits": (1, _LOGITS_REST)}


def taken_out(part: str) -> sp.Expr:
    """The bound on a part at C = √ω with √ω before its root.

    Args:
        part: A key of `UNDER`.

    Returns:
        An expression in T, D, u and ω.
    """
    x, y, z = UNDER[part]
    over, rest = _BESIDE[part]
    return sp.sqrt(omega) * sp.sqrt(x + y + z / 4) / over + put(rest, NO_LOGITS, OF_C)


SHORTEST: Sizes = {T: sp.Integer(4), omega: sp.S.One}
ONE_COLUMN_PARTS = {name: put(part, NO_LOGITS, OF_C) for name, part in PARTS.items()}
ONE_COLUMN = {name: part.xreplace(SHORTEST) for name, part in ONE_COLUMN_PARTS.items()}
"""Bounds on the parts over C at C = 1 and T = 4, where they are largest, by D and u."""

ONE_COLUMN_SIMPLE = {"values": 26, "covariance": 8, "logits": 13, "skew": 1}
"""They are at most these multiples of D^(3/2)."""

POWER = D ** sp.Rational(3, 2)
KAPPA = sum(ONE_COLUMN_SIMPLE.values())
SIMPLE = KAPPA * POWER * sp.sqrt(omega)
ROOM = 19 * (T + 2)
"""At least κ √D; the two terms of H_u that grow fastest leave more."""

_FASTEST = (T + 2) * D * sp.sqrt(omega), (T + 2) ** sp.Rational(3, 2) * D
ROUNDED = 11 * _FASTEST[0] + 8 * _FASTEST[1]
H_U_TWO_TERMS = 8 * sp.sqrt(2) * _FASTEST[0] + 6 * sp.sqrt(2) * _FASTEST[1]
