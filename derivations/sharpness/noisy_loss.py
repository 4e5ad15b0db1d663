"""The construction's loss under noise of any finite size: a bound without Taylor's allowance P.

All parameters of the construction get independent N(0, σ²) noise; the input is fixed, T ≥ 4. Let n = 4(D+1) units,
tildes stand for the noisy network, a, v = C g, h for the construction, and call the draw good where none of these
Gaussian variables, each given those before it, exceeds κ times its standard deviation (a length of k of them √k + κ):

* x_jᵀ N_W1 x_t, of variance at most 4: averages of bits move by at most σκ, as a softmax turns by a quarter of the
  spread of what is added to its logits;
* N_V1ᵀ x̄_t, of variance at most 2 an entry: layer 1's data coordinate moves by at most β = (1 + √2) σκ, its row
  by ζ' = σκ + √2 σ (√(T+2) + κ);
* the noise δ of a unit's input, of variance σ² (1 + |b̃|²): at most `FLICKER`. Where β + FLICKER is below the margin
  of the plateaus no active row's unit flips, and active rows err by R = Σ F δ over the units that are on;
* N_Fᵀ h̃: |h̃| is at most η = |h(1)| + √n (β + FLICKER), half its spread at most ρ, a row of the stream at most X;
* what the noise adds to layer 2's logits: after a common shift at most Ω/2.

The change of the output is, as `numeric.sharpness.noisy_loss` takes it apart, a sum of four parts. On good draws

* the first-order part has mean square at most `FIRST`²: given layer 1 and the MLP's input its terms in V2, F's data
  column, F's other columns and W2 are centred and uncorrelated;
* unused rows weigh at most e^Ω N/(CT²+N), and their MLP is 4D/u-Lipschitz;
* along the way from a to ã weights stay below e^Ω a, so that the softmax bends by at most ½ C e^Ω Σ a (Δl - c)² and
  values and attention together by e^Ω (Σ a Δv²)^½ (Σ a (Δl - c)²)^½: fourth moments of normal variables.

By Minkowski the root of the mean loss, clipped at one, is at most that of the construction plus these, but for the
share of draws that are not good. Σ F² over the units that are on at k/D is 32 D² (k+1)/u², whose mean over all
inputs, with the factor 1 + (k/D)², is (20 D³ + 52 D² + 8 D)/u²: at every input it is at most 64 D² (D+1)/u².
"""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import FIRST_LEAK, C, lam
from boundaudit.derivations.sharpness.averages import OWN_SQUARES, a_av, e_av, n_av, r_av, s_av, total, x_av
from boundaudit.derivations.sharpness.parameters import D, T, k, omega, t, u
from boundaudit.derivations.symbols import symbol

kappa_nl = symbol("kappa_nl", "standard deviations that no variable of a good draw exceeds", nonnegative=True)
K_nl = symbol("K_nl", "sum of the squared logits of layer 2, Σ (log c + 2 log T)²", nonnegative=True)
l_nl = symbol("l_nl", "largest less smallest logit of layer 2", nonnegative=True)
y_nl = symbol("y_nl", "an average of bits on the grid, k/D", real=True)
z_nl = symbol("z_nl", "how far noise moves it", real=True)
x_nl = symbol("x_nl", "a unit's input", real=True)
g_nl = symbol("g_nl", "the factor by which the root of a bit's odds grows, less one", real=True)
p_nl = symbol("p_nl", "a part of a number, in either direction", real=True)
m_nl = symbol("m_nl", "a part of what moves it", real=True)
d_nl = symbol("d_nl", "the noise of a unit's input", real=True)

_root = sp.sqrt
_FOURTH = sp.Rational(3) ** sp.Rational(1, 4)
"""The root of order four of the fourth moment of a normal variable, over its standard deviation."""

UNITS = 4 * (D + 1)
UNUSED_ROWS = T + 1 - omega
LEAK = FIRST_LEAK.subs(lam, 2)
"""How far an active row may lie from k/D without noise."""

UNUSED = UNUSED_ROWS / (C * T**2 + UNUSED_ROWS)
FLANK = 4 * D / u
OUTPUT_SUM = FLANK * 4 * (sp.floor(D / 2) + 1)
"""Σ |F|."""

# --- a good draw ----------------------------------------------------------------------------------

AVERAGE = sigma * kappa_nl
BETA = (1 + _root(2)) * AVERAGE
ROW = AVERAGE + _root(2) * sigma * (_root(T + 2) + kappa_nl)
INPUT = _root(1 + (1 + ROW) ** 2)
FLICKER = AVERAGE * INPUT
MARGIN = 1 / (4 * D) - LEAK
_MOVED = _root(UNITS) * (BETA + FLICKER)
ETA = _root(LENGTH) + _MOVED
RHO = _root(SPREAD) / 2 + _MOVED


def sides_of_row(length: sp.Expr, flicker: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Bounds on a row of the stream, from the hidden units' length and the noise of their inputs.

    Args:
        length: of the hidden units.
        flicker: how far the noise in M and Γ moves an input.

    Returns:
        One on its positions' channels, and one on the data channel.
    """
    return 1 + sigma * length * (_root(T + 1) + kappa_nl), 1 + OUTPUT_SUM * flicker + AVERAGE * length


STREAM = _root(sum(side**2 for side in sides_of_row(ETA, FLICKER)))


def parted(query: sp.Expr, span: sp.Expr, key: sp.Expr, logit: sp.Expr) -> sp.Expr:
    """How far two logits of layer 2 move apart at most.

    Args:
        query: what noise adds to the query, over σ.
        span: how far apart the logits are.
        key: what it adds to a key, over σ.
        logit: what noise in W2 adds to a logit, over σ.

    Returns:
        The sum of the three.
    """
    return sigma * (query * span + 2 * key * (1 + sigma * query) + 2 * logit)


def turned(
    length: sp.Expr, far: sp.Expr, row: sp.Expr, keys: sp.Expr = K_nl, span: sp.Expr = l_nl, size: sp.Expr = AVERAGE
) -> sp.Expr:
    """How far two logits of layer 2 move apart at most on good draws, terms and factors in the order written here.

    Args:
        length: of the hidden units.
        far: how far they lie from the middle.
        row: the length of a row of the stream.
        keys: the squared length of the logits.
        span: how far apart they are.
        size: σκ.

    Returns:
        Twice κ of the standard deviations of the three parts.
    """

    def product(*factors: sp.Expr) -> sp.Expr:
        return sp.Mul(*factors, evaluate=False)

    query = product(span / 2, length)
    key = product(_root(keys), far, sp.Add(1, product(size, length), evaluate=False))
    return product(2, size, sp.Add(query, key, sp.Pow(row, 2, evaluate=False), evaluate=False))


OMEGA = turned(ETA, RHO, STREAM)
TILT = sp.exp(OMEGA)
BAD = ((T + 1) * (T + UNITS + 7) + 1) * sp.exp(-(kappa_nl**2) / 2)
"""(T+1)² logits of layer 1; per row two of V1, n units, two of F, one of the keys and one of W2; the query."""

# --- the four parts -------------------------------------------------------------------------------

ON = 4 * sp.floor((k + 1) / 2) + 1 + (-1) ** k
"""Units that are on at k/D and live: four of each even grid point below, two of an even k."""

GRID_ENERGY = (1 + k**2 / D**2) * (k + 1)
GRID_MOST = 2 * (D + 1)
GRID_MEAN = 5 * D / 8 + sp.Rational(13, 8) + 1 / (4 * D)
"""Its largest, and its mean over the ones k among D fair bits."""

EVERY_INPUT, AVERAGE_INPUT = (2 * FLANK**2 * energy for energy in (GRID_MOST, GRID_MEAN))
"""Σ F² (1 + (k/D)²) over the 2(k+1) units that are on: 64 D² (D+1)/u² at most, (20 D³ + 52 D² + 8 D)/u² on average."""

MOVED = 1 + (y_nl + z_nl) ** 2
MOVED_BOUND = (1 + y_nl**2) * (1 + z_nl + z_nl**2)
SHIFTED = (MOVED_BOUND / (1 + y_nl**2)).subs(z_nl, LEAK + ROW)
LOGIT = _FOURTH * sigma * (ETA * l_nl / 2 + _root(K_nl) * RHO * (1 + _FOURTH * sigma * ETA) + STREAM**2)
"""What the noise adds to a logit, less what it adds to all: root of the fourth moment."""
VALUE = _FOURTH * sigma * (C * INPUT * _root(32 * D**2 * (D + 1)) / u + C * ETA + STREAM)
"""How far a value of an active row moves: root of the fourth moment."""


def first(energy: sp.Expr) -> sp.Expr:
    """The root mean square of the first-order part.

    Args:
        energy: `EVERY_INPUT`, or `AVERAGE_INPUT` on average over all inputs.

    Returns:
        σ times the root of a sum over blocks.
    """
    values = C**2 * (energy * SHIFTED + ETA**2) + STREAM**2
    query, keys, logits = ETA * C * l_nl / 4, _root(K_nl) * C * RHO / 2, C * STREAM**2 / 2
    return sigma * _root(values + query**2 + (1 + sigma**2 * ETA**2) * keys**2 + logits**2)


UNUSED_PART = UNUSED * TILT * C * (FLANK * BETA + OUTPUT_SUM * sigma * INPUT)
BEND = C * TILT * LOGIT**2 / 2
CROSS = TILT * VALUE * LOGIT


@functools.cache
def change(energy: sp.Expr) -> sp.Expr:
    """The root mean square of the output's change on good draws.

    Args:
        energy: `EVERY_INPUT`, or `AVERAGE_INPUT` on average over all inputs.

    Returns:
        The sum of the four parts.
    """
    return first(energy) + UNUSED_PART + BEND + CROSS


def clipped(root: sp.Expr, energy: sp.Expr) -> sp.Expr:
    """A bound on the mean over draws of the loss, clipped at one.

    Args:
        root: the root of the mean loss of the construction.
        energy: `EVERY_INPUT`, or `AVERAGE_INPUT` on average over all inputs.

    Returns:
        An expression in T, D, ω, u, σ, κ, C, Σ l² and the span of the logits.
    """
    return (root + change(energy)) ** 2 + BAD


# --- lemmas ---------------------------------------------------------------------------------------

TWO_SIDED_TAIL = 1 - sp.erf(kappa_nl / _root(2))
GAUSSIAN = sp.exp(-(kappa_nl**2) / 2)
RAMP_CHANGE = sp.Abs(sp.Max(x_nl + d_nl, 0) - sp.Max(x_nl, 0))
_MOMENTS = {1: D / 2, 2: D * (D - 1) / 4, 3: D * (D - 1) * (D - 2) / 8}
"""Means of k, k(k-1) and k(k-1)(k-2) over the ones among D fair bits: j given bits are all set with probability 2⁻ʲ."""

GRID_MEAN_BY_MOMENTS = 1 + _MOMENTS[1] + (2 * _MOMENTS[1] + 4 * _MOMENTS[2] + _MOMENTS[3]) / D**2
"""The mean of (1 + k²/D²)(k+1), as k² + k³ is k(k-1)(k-2) + 4 k(k-1) + 2k."""

ODDS = (r_av * (1 - s_av), (1 + g_nl) ** 2 * s_av * (1 - r_av))
"""The first at most the second: odds of an average r that are at most (1+g)² those of s."""
MOST_TURNED = g_nl * (2 + g_nl) * s_av * (1 - s_av) / (1 + g_nl * (2 + g_nl) * s_av)
FARTHEST = g_nl / (2 + g_nl)
"""How much larger r is, and its largest over s."""
GROWTH = FARTHEST.subs(g_nl, sp.exp(2 * e_av) - 1)
LENGTHENED = _root(total((a_av[t] + e_av) ** 2))
LENGTHENED_MOST = _root(OWN_SQUARES) + _root(n_av) * e_av
APART = sp.Abs(s_av + x_av) - e_av * sp.Abs(r_av - s_av)
AVERAGE_APART = sp.Abs((1 - e_av) * s_av + e_av * r_av + x_av)
"""How far averages lie from -x, from below and as they are."""
