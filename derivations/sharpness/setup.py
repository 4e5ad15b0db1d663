"""The setting: indicators of even parity, and what targets weigh in them.

A target is f = Σ_t c_t χ_t with χ_t = (1 + (-1)^{k_t})/2 the indicator that S_t holds an even
number k_t of ones (Lintilhac & Shaikh 2026, Equation 1). Derived here: the characters
(-1)^{x·S} are orthonormal, so for distinct non-empty sets

    E χ_t = 1/2,   E χ_s χ_t = 1/4 for s ≠ t,   f = C/2 + Σ_t (c_t/2) (-1)^{k_t}   with C = Σ_t c_t,

and the indicators are a basis without being orthonormal. At x = 0 every χ_t is 1: f(0) = C is
the largest value. Where f has the values 0 and C alone, E f(C-f) = 0; but E χ_s (1-χ_t) = 1/4
for s ≠ t, so every pair of components adds c_s c_t / 2 to it: only one component remains. Values
-1 and 1 are no way out, since f is never negative. (Two values other than 0 are possible: equal
weights on {1,2}, {1,3} and {2,3} give c and 3c.)
"""

import sympy as sp

from boundaudit.derivations.sharpness.parameters import T, c, j, omega, t
from boundaudit.derivations.symbols import symbol

n_1 = symbol("n_1", "positions in the first of two sets alone", integer=True, nonnegative=True)
n_2 = symbol("n_2", "positions in the second of two sets alone", integer=True, nonnegative=True)
n_12 = symbol("n_12", "positions that two sets share", integer=True, nonnegative=True)

# --- indicators -----------------------------------------------------------------------------------

LOG_DETERMINANT_BY_STEPS = sp.Sum(2 ** (T - 1), (j, 1, T)) - (2**T - 1)
"""log2 |det| of the matrix of all indicators at all inputs, step by step.

The characters' matrix is T levels of 2^{T-1} butterflies [[1, 1], [1, -1]], each of
determinant -2. The indicators' matrix follows by halving every row but that of the empty set,
after that row, which is all ones, has been added to it.
"""

LOG_DETERMINANT = T * 2 ** (T - 1) - 2**T + 1


def zero(n: sp.Expr) -> sp.Expr:
    """The indicator that a non-negative integer is zero.

    Returns:
        The mean of a character of n positions: bit by bit the mean of (-1)^x is 0, and no bit leaves 1.
    """
    return sp.Max(0, 1 - n)


def gram_by_characters() -> sp.Expr:
    """E χ_S χ_S' from (1 + h)(1 + h')/4, where h h' is the character of the symmetric difference."""
    return (1 + zero(n_1 + n_12) + zero(n_2 + n_12) + zero(n_1 + n_2)) / 4


def gram() -> sp.Expr:
    """E χ_S χ_S': 1/2 where two sets are equal, and 1/4 elsewhere."""
    return (1 + zero(n_1 + n_2)) / 4


# --- moments --------------------------------------------------------------------------------------

MASS = sp.Sum(c[t], (t, 1, omega))
"""C, the sum of the coefficients."""

SQUARES = sp.Sum(c[t] ** 2, (t, 1, omega))

_ALL_PAIRS = sp.Sum(c[j], (j, 1, omega)) * MASS
"""Σ_j Σ_t c_j c_t, factored."""

MEAN_BY_COMPONENTS = sp.Sum(c[t] / 2, (t, 1, omega))
MEAN = MASS / 2

SQUARE_BY_PAIRS = _ALL_PAIRS / 4 + SQUARES / 4
"""E f²: 1/4 for every ordered pair of components, and another 1/4 where both are the same."""

VARIANCE_BY_PAIRS = SQUARE_BY_PAIRS - MEAN_BY_COMPONENTS**2
VARIANCE = SQUARES / 4
