"""Lemma 22 and Remark 23: how far noise moves the MLP's outputs while no unit flips."""

from __future__ import annotations

import numpy as np
import sympy as sp

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.measurements import combined, evaluated
from boundaudit.checks.sharpness.noise.moves import (
    EVERY_ROW,
    FIRST_ORDER,
    NINETEEN,
    RARE,
    ROWS,
    VARIANCE,
    WIDTHS,
    claim,
    idle_variance,
    stated,
    variance,
)
from boundaudit.checks.sharpness.targets import BOTH, STEEP, WIDE
from boundaudit.derivations.sharpness import noise as theorem
from boundaudit.derivations.sharpness.kinks import n_z
from boundaudit.derivations.sharpness.noise import z_t
from boundaudit.derivations.sharpness.parameters import D, T, u
from boundaudit.derivations.sharpness.projection import K
from boundaudit.numeric.sharpness.row_noise import Row

_PLATEAU = "sharpness.exactness.plateau.margin[four]"
_HIDDEN = "sharpness.activations.hidden.norm"
_TAIL = "sharpness.noise.normal-tail"

_DATA = variance(
    "variance of the data channel of an active row's output", Row.data,
    r"\mathbb{V}[\tilde g_{t,\mathrm{data}}] / \sigma^2", lambda: theorem.row_variance(sp.Integer(1)),
)  # fmt: skip
_SQUARE = variance(
    "mean squared move of an active row's output", Row.square, r"\mathbb{E} \|\tilde g_t - g_t\|^2 / \sigma^2",
    lambda: theorem.row_variance(T + 2),
)  # fmt: skip

_THREE_DEVIATIONS = Quantity(
    "nine times the variance of the data channel of an active row's output",
    combined(lambda variance: 9 * variance, _DATA.measure),
    r"9 \mathbb{V}[\tilde g_{t,\mathrm{data}}] / \sigma^2", lambda: 9 * theorem.row_variance(sp.Integer(1)),
    rounding=1e-11, scale=1.0,
)  # fmt: skip
_READING = (
    "Three standard deviations, which are exceeded with probability 0.0027, are our reading of a high probability; "
    "fewer suffice only for larger failures."
)


def _beyond(variance: Array, limit: Array) -> Array:
    """How often a normal variable exceeds a limit on either side."""
    from scipy import special  # loaded with the first measurement

    return np.asarray(special.erfc(limit / np.sqrt(2 * variance)))


printed = claim(
    label="sharpness.noise.rows.printed",
    statement="While no unit flips, noise of standard deviation σ moves an active row of the MLP's output by at most "
    "32 σ D² with high probability. The check takes two readings: 32 σ D² is at least three standard deviations of the "
    "row's data channel, or at least the root mean square of the row's move over all T+2 channels.",
    right=theorem.PRINTED_ROW**2,
    mode=FIRST_ORDER,
    role="printed",
    place=("Lemma 22",),
    reading="plausible",
    expected="refuted",
    rests_on=(
        _PLATEAU,
        "sharpness.noise.averages.printed",
        "sharpness.noise.flips.condition",
        "sharpness.noise.phi.dropped",
    ),
    cases=(
        Case(
            "steep,data",
            left=_THREE_DEVIATIONS,
            domain=ROWS.replace(u=STEEP),
            limitations=(
                VARIANCE,
                _READING,
                "It falls short for D = 1 alone. For long inputs, without leak, 32 σ D² is there 2.78 standard "
                "deviations, which are exceeded with probability 0.0055 on every row, however long the input.",
            ),
        ),
        Case(
            "wide,data",
            left=_THREE_DEVIATIONS,
            domain=ROWS.replace(u=WIDE),
            expected="supported",
            limitations=(VARIANCE, _READING),
        ),
        Case(
            "all-channels",
            left=_SQUARE,
            domain=ROWS.replace(T=Integers(4, tested_to=240)),
            limitations=(
                VARIANCE,
                "The mean square is weaker than a bound with high probability, which fails for shorter inputs already.",
            ),
        ),
    ),
)

_TWENTIETH = Quantity(
    "probability that the data channel of an active row's output moves by more than K σ D²",
    combined(_beyond, _DATA.measure, evaluated(lambda: K * D**2)),
    r"\mathbb{P}\left[|\tilde g_{t,\mathrm{data}} - g_{t,\mathrm{data}}| > K \sigma D^2\right]",
    lambda: sp.erfc(K * D**2 / sp.sqrt(2 * theorem.row_variance(sp.Integer(1))), evaluate=False), rounding=1e-9,
    scale=1.0,
)  # fmt: skip

constant = claim(
    label="sharpness.noise.rows.constant",
    statement="While no unit flips, noise of standard deviation σ moves the data channel of an active row of the "
    "MLP's output by at most K σ D², at inputs of length T ≥ 4. To first order that holds with "
    "probability at least 19/20 for every constant K ≥ 22.6 (steep) and K ≥ 12.07 (wide).",
    left=_TWENTIETH,
    right=RARE,
    mode=NINETEEN,
    role="printed",
    place=("Lemma 22",),
    reading="plausible",
    rests_on=("sharpness.noise.rows.data", _PLATEAU),
    limitations=(
        "For a single row. The constant 32, read off the bound on the output, is one of these and is judged by itself.",
        EVERY_ROW,
    ),
    cases=(
        Case("steep", domain=Domain({**ROWS.replace(u=STEEP).ranges, K: Reals(sp.Rational("22.6"), tested_to=100)})),
        Case("wide", domain=Domain({**ROWS.replace(u=WIDE).ranges, K: Reals(sp.Rational("12.07"), tested_to=100)})),
    ),
)


data_repaired = claim(
    label="sharpness.noise.rows.data.repaired",
    statement="For components of at least two positions and inputs of length T ≥ 4, with either trapezoid, 32 σ D² is "
    "at least √20 standard deviations of the data channel of an active row's output. To first order in σ it is "
    "exceeded with probability at most 1/100000.",
    left=_DATA,
    right=theorem.PRINTED_ROW**2 / 20,
    domain=ROWS.replace(D=Integers(2, T)),
    mode=FIRST_ORDER,
    place=("Lemma 22",),
    rests_on=("sharpness.noise.rows.data", _PLATEAU, _TAIL),
    repairs=("sharpness.noise.rows.printed[steep,data]",),
    limitations=(VARIANCE, EVERY_ROW),
)

data_variance = claim(
    label="sharpness.noise.rows.data",
    statement="For inputs of length T ≥ 4 and to first order in σ the data channel of an active row's output moves "
    "with variance at most (64 D²(D+1)/u² + 4(D+1)) σ², u = 1 steep and 2 wide: noise of M and Γ meets the output "
    "weights of the active units, noise of F the hidden units; what the first attention adds stays on the plateau.",
    left=_DATA,
    right=theorem.ROW_DATA_MOST,
    domain=ROWS,
    mode=FIRST_ORDER,
    place=("Lemma 22",),
    rests_on=(_PLATEAU, _HIDDEN),
    limitations=(VARIANCE, EVERY_ROW),
)


# --- all channels ---------------------------------------------------------------------------------

norm_square = claim(
    label="sharpness.noise.rows.norm",
    statement="For inputs of length T ≥ 4 and to first order in σ an active row of the MLP's output moves by at most "
    "√(64 D²(D+1)/u² + 4(D+1)(T+2)) σ in root mean square, u = 1 (steep) or 2 (wide). Noise of F adds the hidden "
    "units' norm to every channel.",
    left=_SQUARE,
    right=theorem.ROW_SQUARE_MOST,
    domain=ROWS,
    mode=FIRST_ORDER,
    place=("Lemma 22",),
    rests_on=(_PLATEAU, _HIDDEN),
    repairs=("sharpness.noise.rows.printed[all-channels]",),
    limitations=(VARIANCE, EVERY_ROW, WIDTHS),
)


# --- Remark 23 ------------------------------------------------------------------------------------

idle = claim(
    label="sharpness.noise.rows.idle",
    statement="In a row that no component uses the variance of the data channel of the MLP's output is, to first order "
    "in σ, at most the sum of two parts. One is the variance of the row's average times the squared Lipschitz constant "
    "(4D/u)² of the MLP; the other, (64 D²(D+1)/u² + 4(D+1)) σ², is the MLP's own, as in an active row.",
    left=idle_variance(
        "variance of the data channel of an unused row's output", Row.data,
        r"\mathbb{V}[\tilde g_{t,\mathrm{data}}] / \sigma^2",
    ),
    right=stated(
        "the average's variance times the squared Lipschitz constant, and the MLP's own part",
        lambda: theorem.IDLE_MOST,
        r"(4D/u)^2 \mathbb{V}[\tilde b_{t,\mathrm{data}}] / \sigma^2 + 64 D^2 (D+1) / u^2 + 4(D+1)",
    ),
    domain=Domain(
        {
            T: Integers(2, tested_to=16),
            D: Integers(1, T),
            u: BOTH,
            n_z: Integers(0, T),
            z_t: Integers(0, sp.Min(1, n_z)),
        }
    ),
    mode=FIRST_ORDER,
    role="printed",
    place=("Remark 23",),
    reading="plausible",
    rests_on=(_HIDDEN,),
    limitations=(
        VARIANCE,
        "A unit on its kink counts as off.",
        "The constants of the printed bound on the output leave no room for this factor: 128 = 2 · 2 · 32 there.",
    ),
)  # fmt: skip
