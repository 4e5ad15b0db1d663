"""Lemmas 19 to 22, Remark 23 and Lemma 25: Gaussian noise of every parameter, from the weights up to the MLP.

Printed are a chi tail and what it gives for the rows of the averages b and of the MLP's outputs g to first order in
σ (Lintilhac & Shaikh 2026, Appendix L). Derived here: the tail with its constants, and the exact variances. With a
the row's attention, x_j the tokens and s = Σ a_j z_j its average, noise of V1 moves every channel of b by a normal
variable of variance ‖X^T a‖², and noise of W1 moves the data channel by Σ a_j (z_j - s) x_j^T U x_t. On a plateau
the MLP does not pass this on; noise of M and Γ adds (1 + s²) Σ F_u² over the active units to the data channel of g,
and noise of F adds ‖h‖² to every channel. All variances are in units of σ².
"""

import functools

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import delta as fail
from boundaudit.derivations.sharpness.activations import ACTIVE, length_by_units
from boundaudit.derivations.sharpness.attention import OUTSIDE
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.kinks import n_z, shift
from boundaudit.derivations.sharpness.parameters import D, T, k, u
from boundaudit.derivations.symbols import symbol

n_f = symbol("n_f", "degrees of freedom of a chi variable", integer=True, positive=True)
y_f = symbol("y_f", "x/(1-2x) for the tilt x of a Chernoff bound; at its best √(log(1/δ)/n)", nonnegative=True)
q_f = symbol("q_f", "√(a/K) for widths of at least K log T / ε² and failures of T^-a", nonnegative=True)
c_f = symbol("c_f", "constant that 1 + O(ε) leaves open", nonnegative=True)
z_t = symbol("z_t", "the bit at the row's own position", integer=True, nonnegative=True)

# --- Lemmas 19 and 20: the chi tail ---------------------------------------------------------------

_TILT = y_f / (1 + 2 * y_f)

LOG_MOMENT = -sp.log(1 - 2 * _TILT) / 2 - _TILT
"""log E exp(x (N² - 1)) for a standard normal N."""

LOG_MOMENT_MOST = y_f**2 / (1 + 2 * y_f)
"""x²/(1-2x)."""

FACTOR_SQUARED = 1 + 2 * y_f + 2 * y_f**2
"""φ² where y is √(log(1/δ)/n)."""


def markov(factor_squared: sp.Expr) -> sp.Expr:
    """Markov's inequality for exp(x χ²_n), whose mean is (1-2x)^(-n/2).

    Args:
        factor_squared: φ².

    Returns:
        What -log P(χ²_n > n φ²) is at least over n, x φ² + log(1-2x)/2.
    """
    return _TILT * factor_squared + sp.log(1 - 2 * _TILT) / 2


def at_one(share: sp.Expr) -> sp.Expr:
    """What (1 + c)² must be at least for φ ≤ 1 + cε at every ε ≤ 1 and every width from K log T / ε² on, δ = T^-a.

    As y ≤ qε, φ² - 1 is at most 2qε + 2q²ε², and (1 + cε)² - 1 is 2cε + c²ε². Over ε both are linear in it: q ≤ c
    decides near zero and 2q + 2q² ≤ 2c + c² at one, of which the second asks for more.

    Args:
        share: q = √(a/K).

    Returns:
        1 + 2q + 2q².
    """
    return FACTOR_SQUARED.subs(y_f, share)


def phi_squared(freedom: sp.Expr, log_odds: sp.Expr) -> sp.Expr:
    """The square of the factor φ by which a chi variable stays within √n.

    Args:
        freedom: n.
        log_odds: log(1/δ).

    Returns:
        1 + 2 √(log(1/δ)/n) + 2 log(1/δ)/n.
    """
    return FACTOR_SQUARED.subs(y_f, sp.sqrt(log_odds / freedom))


# --- Lemma 21: averages ---------------------------------------------------------------------------

_TOTAL = D * T**2 + OUTSIDE

TOKENS = (D * T**4 + OUTSIDE) / _TOTAL**2 + ACTIVE**2
"""‖X^T a‖² of an active row: squared attention weights, and the squared average in the bit's channel."""

_SPREAD = (
    T**4 * (k * (1 - ACTIVE) ** 2 + (D - k) * ACTIVE**2) + r * (1 - ACTIVE) ** 2 + (OUTSIDE - r) * ACTIVE**2
) / _TOTAL**2 + (ACTIVE * (1 - ACTIVE)) ** 2
PULL = (1 + z_t) * _SPREAD
"""What noise of W1 adds to the data channel: ‖x_t‖² ‖Σ a_j (z_j - s) x_j‖²."""

AVERAGE_DATA = TOKENS + PULL
"""Variance of the data channel of b."""

AVERAGE_SQUARE = (T + 2) * TOKENS + PULL
"""E ‖b̃ - b‖², all T+2 channels."""


def average_bound() -> sp.Expr:
    """What bounds ‖b̃ - b‖/σ but for a probability δ.

    Returns:
        √(2(T+2)) φ(T+2, δ).
    """
    return sp.sqrt(2 * (T + 2) * phi_squared(T + 2, sp.log(1 / fail)))


# --- Lemma 22: rows of the MLP --------------------------------------------------------------------

OUTER = 32 * D**2 * (k + 1) / u**2
"""Σ F_u² over the active units of a row that rests on the plateau of k: four at even grid points below k, and two at k
where k is even; both parities give 2(k+1) units of (4D/u)²."""


@functools.cache
def row_variance(channels: sp.Expr, share: sp.Expr = ACTIVE) -> sp.Expr:
    """How far noise moves a row of g.

    Args:
        channels: 1 for the data channel, T+2 for all of them.
        share: What the row averages.

    Returns:
        The variance of the data channel, or E ‖g̃ - g‖².
    """
    return (1 + share**2) * OUTER + channels * length_by_units(share)


HIDDEN_MOST = 4 * (D + 1)
OUTER_MOST = 32 * D**2 * (D + 1) / u**2


def row_most(channels: sp.Expr) -> sp.Expr:
    """What that is at most.

    Args:
        channels: 1 for the data channel, T+2 for all of them.

    Returns:
        64 D²(D+1)/u², and 4(D+1) for each channel.
    """
    return 2 * OUTER_MOST + channels * HIDDEN_MOST


ROW_DATA_MOST = row_most(sp.S.One)
ROW_SQUARE_MOST = row_most(T + 2)
PRINTED_ROW = 32 * D**2
"""The printed bound on ‖g̃ - g‖ over σ."""


def two_parts(data: sp.Expr, others: sp.Expr) -> sp.Expr:
    """What bounds a move over σ, of a normal variable and of a vector of T+2 channels, each but for δ/2.

    Args:
        data: The variance of the normal variable.
        others: The variance of each channel of the vector.

    Returns:
        √(2 log(2/δ) data) + √(others (T+2)) φ(T+2, δ/2).
    """
    odds = sp.log(2 / fail)
    return sp.sqrt(2 * odds * data) + sp.sqrt(others * (T + 2) * phi_squared(T + 2, odds))


# --- Remark 23: rows that no component uses -------------------------------------------------------

_IDLE = n_z / (T + 1)
IDLE_AVERAGE = 1 / (T + 1) + _IDLE**2 + (1 + z_t) * (_IDLE * (1 - _IDLE) / (T + 1) + (_IDLE * (1 - _IDLE)) ** 2)
"""Variance of the data channel of b where attention is uniform."""

IDLE_MOST = (4 * D / u) ** 2 * IDLE_AVERAGE + ROW_DATA_MOST
"""The MLP's Lipschitz constant squared times the variance of what it reads, and the MLP's own part."""

# --- Lemma 25: the MLP's slopes -------------------------------------------------------------------

ACTIVE_UNITS = 4 * k + 2
SLOPE_SQUARE = OUTER + (T + 2) * ACTIVE_UNITS
"""E ‖δ(∂g/∂b)‖² for the data channel of b: noise of M meets F in the data channel, noise of F meets the ones of M in
every channel."""

SLOPE_SQUARE_MOST = OUTER_MOST + (T + 2) * (4 * D + 2)

# --- flips ----------------------------------------------------------------------------------------

MARGIN_PRINTED = 1 / (4 * D)


def margin_by_shift() -> sp.Expr:
    """Half a plateau less the farthest that layer 1 moves an active row: without ones inside, or with all and no other.

    Returns:
        The distance from a breakpoint.
    """
    return (1 - sp.Max(shift(sp.Integer(0), T - D), shift(D, sp.Integer(0)))) / (4 * D)


MARGIN = 1 / (4 * D) - OUTSIDE / _TOTAL

ARGUMENT = AVERAGE_DATA + ACTIVE**2 + 1
