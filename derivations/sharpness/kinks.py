"""Where rows of layer 1 sit on a kink of the MLP: 2-adic rules and margins.

An inactive row averages the input to n/(T+1), n = |z|; live units break at (8κ+o)/(4D), with
o = ±1, ±(1+u). For 0 < n < T+1 the equation 4Dn = (8κ+o)(T+1) has a solution iff 2^(u+ν)
divides T+1, ν the power of two in D, and then gcd(4D, T+1)/2 of them. Derived here: with
g = gcd(4D, T+1) the candidates are n = a(T+1)/g, 0 < a < g, at the place q = a·4D/g over 4D.
The wide trapezoid breaks at odd q, so a and 4D/g must be odd: g/2 cases. The steep one breaks
at q = ±1, ±2 mod 8. Where 4D/g is twice an odd number, these are the odd a: g/2 cases. Where
it is odd, 4 divides g and these are the a = 2 mod 4, g/4 cases, and half of the odd a, g/4
cases again: replacing a by a + 4 (8 divides g), else by g - a, moves q from ±1 to ±3 mod 8.
"""

import sympy as sp

from boundaudit.derivations.sharpness.mlp import kappa
from boundaudit.derivations.sharpness.parameters import D, T, i, t, u
from boundaudit.derivations.symbols import symbol

nu_D = symbol("nu_D", "the power of two in D", integer=True, nonnegative=True)
o = symbol("o", "offset of a kink from its grid point, over 4D", integer=True)
n_z = symbol("n_z", "ones of the input", integer=True)

_OFFSETS = (-(1 + u), sp.Integer(-1), sp.Integer(1), 1 + u)


def _equal(a: sp.Expr, b: sp.Expr) -> sp.Expr:
    """1 where two integers are equal, else 0."""
    return sp.Max(0, 1 - sp.Abs(a - b))


def _divides(divisor: sp.Expr, number: sp.Expr) -> sp.Expr:
    """1 where an integer divides another, else 0."""
    return _equal(number, divisor * sp.floor(number / divisor))


def hits() -> sp.Expr:
    """Weights n at which an inactive row sits on a kink, one by one over the offsets of the even grid points.

    Returns:
        How many there are.
    """
    at_point = sum(_equal(4 * D * t, (8 * i + offset) * (T + 1)) for offset in _OFFSETS)
    return sp.Sum(sp.Sum(at_point, (i, 0, sp.floor(D / 2))), (t, 1, T))


def rule() -> sp.Expr:
    """Half of g = gcd(4D, T+1), or 0 where 4D/g is a multiple of 4 (steep) or of 2 (wide)."""
    common = sp.Sum(_divides(T + 1, 4 * D * t), (t, 1, T + 1))
    return common / 2 * (1 - _divides(6 - 2 * u, 4 * D / common))


def family(width: int) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """Sizes at which the row of weight n sits on the kink (8κ+o)/(4D) of the even grid point 2κ/D.

    Args:
        width: u.

    Returns:
        T and D by κ, o, ν and n, and the kink.
    """
    degree = (8 * kappa + o) * 2 ** (nu_D + width - 2)
    return 2 ** (width + nu_D) * n_z - 1, degree, (8 * kappa + o) / (4 * degree)


# --- active rows ----------------------------------------------------------------------------------

_LEAKED = T + 1 - D
_TOTAL = D * T**2 + _LEAKED


def shift(ones: sp.Expr, outside: sp.Expr) -> sp.Expr:
    """How far layer 1 moves an active row with so many ones inside its component and outside.

    Args:
        ones: k, inside.
        outside: ones outside.

    Returns:
        The distance from k/D, in units of 1/(4D).
    """
    return 4 * D * sp.Abs((ones * T**2 + outside) / _TOTAL - ones / D)
