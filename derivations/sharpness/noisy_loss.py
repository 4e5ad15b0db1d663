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
from collections.abc import Sequence

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
n_nl = symbol("n_nl", "draws of noise for each input", integer=True, positive=True)
LESS, MORE = (
    tuple(symbol(f"{letter}_{name}nl", f"{what} block {name} of the first-order part", real=True) for name in "evxqkwh")
    for letter, what in (("b", "the size of"), ("B", "a larger size of"))
)

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
_WHOLE = D * T**2 + T + 1 - D
PLATEAUS = 4 * D * _WHOLE * (BETA + FLICKER) <= _WHOLE - 4 * D * (T + 1 - D)
"""Good draws leave active rows on their plateaus: β and the noise of a unit's input are within the margin."""
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
EVENTS = (T + 1) * (T + UNITS + 7) + 1
"""(T+1)² logits of layer 1; per row two of V1, n units, two of F, one of the keys and one of W2; the query."""
BAD = EVENTS * sp.exp(-(kappa_nl**2) / 2)

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


def fourth_moment(query: sp.Expr, key: sp.Expr, grown: sp.Expr, row: sp.Expr) -> sp.Expr:
    """The fourth moment of a o + b q (1 + g o) + c w for independent standard normal o, q and w.

    Args:
        query: a.
        key: b.
        grown: g.
        row: c.

    Returns:
        A polynomial.
    """
    given_query = query**2 * (key**2 * (1 + 3 * grown**2) + row**2)
    return 3 * (
        query**4 + 2 * given_query + key**4 * (1 + 6 * grown**2 + 3 * grown**4)
        + 2 * key**2 * row**2 * (1 + grown**2) + row**4
    )  # fmt: skip


def fourth_root(query: sp.Expr, key: sp.Expr, grown: sp.Expr, row: sp.Expr) -> sp.Expr:
    """A bound on its root of order four.

    Args:
        query: a.
        key: b.
        grown: g.
        row: c.

    Returns:
        3^¼ (a + b (1 + 3^¼ g) + c).
    """
    return _FOURTH * (query + key * (1 + _FOURTH * grown) + row)


def logit(length: sp.Expr, far: sp.Expr, row: sp.Expr, keys: sp.Expr = K_nl, span: sp.Expr = l_nl) -> sp.Expr:
    """What the noise adds to a logit, less what it adds to all: a bound on the root of the fourth moment.

    Args:
        length: of the hidden units.
        far: how far they lie from the middle.
        row: the length of a row of the stream.
        keys: the squared length of the logits.
        span: how far apart they are.

    Returns:
        Of first and second order in σ.
    """
    return sigma * fourth_root(length * span / 2, _root(keys) * far, sigma * length, row**2)


def value(length: sp.Expr, row: sp.Expr, inputs: sp.Expr, total: sp.Expr = C) -> sp.Expr:
    """How far a value of an active row moves: a bound on the root of the fourth moment.

    Args:
        length: of the hidden units.
        row: the length of a row of the stream.
        inputs: the root of Σ F² (1 + |b̃|²) over units that are on.
        total: C.

    Returns:
        Of first order in σ.
    """
    return _FOURTH * sigma * (total * inputs + total * length + row)


def at_once(turn: sp.Expr, first: sp.Expr, second: sp.Expr) -> sp.Expr:
    """e^Ω times two numbers, factors in the order written here.

    Args:
        turn: Ω.
        first: the one.
        second: the other.

    Returns:
        The product.
    """
    return sp.Mul(sp.exp(turn), first, second, evaluate=False)


ON_MOST = 2 * FLANK**2 * (D + 1)
"""Σ F² over the units that are on."""
LOGIT = logit(ETA, RHO, STREAM)
VALUE = value(ETA, STREAM, INPUT * _root(ON_MOST))


def first_order(
    energy: sp.Expr, read: sp.Expr, row: sp.Expr, query: sp.Expr, keys: sp.Expr, logits: sp.Expr, length: sp.Expr,
    *, total: sp.Expr = C,
) -> sp.Expr:  # fmt: skip
    """The root mean square of the first-order part from those of its blocks, terms in the order written here.

    Args:
        energy: of Σ a Σ F δ, squared.
        read: of what noise in F's data column adds to the values, over C.
        row: of V2.
        query: of the query.
        keys: of the keys, for a query without noise.
        logits: of W2.
        length: of the query's hidden units.
        total: C.

    Returns:
        σ times the root of a sum over blocks.
    """
    with sp.evaluate(False):
        values = total**2 * (energy + read**2) + row**2
        return sigma * _root(values + query**2 + (1 + sigma**2 * length**2) * keys**2 + logits**2)


def blocks(
    energy: sp.Expr, length: sp.Expr = ETA, far: sp.Expr = RHO, row: sp.Expr = STREAM, total: sp.Expr = C,
    keys: sp.Expr = K_nl, span: sp.Expr = l_nl,
) -> tuple[sp.Expr, ...]:  # fmt: skip
    """The blocks of the first-order part, from the largest rows.

    Args:
        energy: as in `first_order`.
        length: of the hidden units.
        far: how far they lie from the middle.
        row: the length of a row of the stream.
        total: C.
        keys: the squared length of the logits.
        span: how far apart they are.

    Returns:
        What `first_order` takes.
    """
    query, key, logits = length * total * span / 4, _root(keys) * total * far / 2, total * row**2 / 2
    return energy, length, row, query, key, logits, length


def unused(turn: sp.Expr, moved: sp.Expr, noise: sp.Expr, total: sp.Expr = C) -> sp.Expr:
    """What unused rows add, at most.

    Args:
        turn: how far logits of layer 2 move apart.
        moved: how far a row's value moves, with its average of bits.
        noise: the noise of units' inputs.
        total: C.

    Returns:
        e^Ω times C, and the attention on them times the sum of the two.
    """
    return at_once(turn, total, UNUSED.subs(C, total) * (moved + OUTPUT_SUM * noise))


UNUSED_PART = unused(OMEGA, FLANK * BETA, sigma * INPUT)
BEND = at_once(OMEGA, C * LOGIT / 2, LOGIT)
CROSS = at_once(OMEGA, VALUE, LOGIT)


def every_part(energy: sp.Expr) -> tuple[sp.Expr, ...]:
    """Bounds on the root mean squares of the four parts on good draws.

    Args:
        energy: `EVERY_INPUT`, or `AVERAGE_INPUT` on average over all inputs.

    Returns:
        First order, unused rows, the softmax bends, both move.
    """
    return first_order(*blocks(energy * SHIFTED)), UNUSED_PART, BEND, CROSS


@functools.cache
def change(energy: sp.Expr) -> sp.Expr:
    """The root mean square of the output's change on good draws.

    Args:
        energy: `EVERY_INPUT`, or `AVERAGE_INPUT` on average over all inputs.

    Returns:
        The sum of the four parts.
    """
    return sp.Add(*every_part(energy))


def all_parts(parts: Sequence[sp.Expr], bad: sp.Expr, scale: sp.Expr | None = None) -> sp.Expr:
    """The square of a sum, and the share of draws that are not good, terms in the order written here.

    Args:
        parts: root mean squares.
        bad: the share.
        scale: what the sum is multiplied by, if anything.

    Returns:
        The sum of the two.
    """
    with sp.evaluate(False):
        whole = sp.Add(*parts)
        return (whole if scale is None else whole * scale) ** 2 + bad


def clipped(root: sp.Expr, energy: sp.Expr) -> sp.Expr:
    """A bound on the mean over draws of the loss, clipped at one.

    Args:
        root: the root of the mean loss of the construction.
        energy: `EVERY_INPUT`, or `AVERAGE_INPUT` on average over all inputs.

    Returns:
        An expression in T, D, ω, u, σ, κ, C, Σ l² and the span of the logits.
    """
    return all_parts((root, *every_part(energy)), BAD)


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
