"""Lemma 21: how far noise moves the averages of the first attention, to first order."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.sharpness.noise.moves import (
    AVERAGES,
    EVERY_ROW,
    FIRST_ORDER,
    NINETEEN,
    OPEN,
    RARE,
    TRIALS,
    VARIANCE,
    WIDTHS,
    WITH_PROBABILITY,
    chance,
    claim,
    tail,
    variance,
)
from boundaudit.derivations.pac_bayes.symbols import delta as fail
from boundaudit.derivations.sharpness import noise as theorem
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.noise import z_t
from boundaudit.derivations.sharpness.parameters import D, T, k
from boundaudit.derivations.sharpness.projection import K
from boundaudit.numeric.sharpness.row_noise import Row

_PLACE = ("Lemma 21",)
_NORMALISER = "sharpness.activations.normaliser"

_BEYOND = tail(
    "probability that a row of averages moves by more than K σ √(T+2)", lambda row: (row.tokens, row.pull),
    lambda: K * sp.sqrt(T + 2), r"\mathbb{P}\left[\|\tilde b_t - b_t\| > K \sigma \sqrt{T+2}\right]",
)  # fmt: skip
_LEAST = sp.Rational("1.813")

printed = claim(
    label="sharpness.noise.averages.printed",
    statement="Noise of standard deviation σ on all parameters moves an active row of the first attention's output by "
    "at most K σ √d, d = T+2 its width. To first order that holds with probability at least 19/20, for every constant "
    "K ≥ 1.813.",
    left=_BEYOND,
    right=RARE,
    domain=Domain({**AVERAGES.ranges, K: Reals(_LEAST, tested_to=20)}),
    mode=NINETEEN,
    role="printed",
    place=_PLACE,
    reading="plausible",
    rests_on=("sharpness.noise.chi.tail", "sharpness.noise.phi.printed"),
    limitations=(OPEN, EVERY_ROW, "For long inputs √2 is enough, in the limit."),
)

least = claim(
    label="sharpness.noise.averages.least",
    statement="For no constant K ≤ 1.812 does K σ √(T+2) bound the first-order move of every active row of the first "
    "attention's output with probability at least 19/20: a row of one bit at the input 11111 moves farther more often.",
    left=_BEYOND,
    relation=">=",
    right=RARE,
    domain=Domain({
        T: Integers(5, 5), D: Integers(1, 1), k: Integers(1, 1), r: Integers(4, 4), z_t: Integers(1, 1),
        K: Reals(0, sp.Rational("1.812"), open_low=True),
    }),
    mode=NINETEEN,
    place=_PLACE,
)  # fmt: skip

_SQUARE = variance(
    "mean squared move of a row of averages", Row.average_square, r"\mathbb{E} \|\tilde b_t - b_t\|^2 / \sigma^2",
    theorem.AVERAGE_SQUARE,
)  # fmt: skip

data = claim(
    label="sharpness.noise.averages.data",
    statement="To first order the data channel of an active row's average s moves with variance at most 2σ²: ‖X^T a‖² "
    "σ² from the noise of the values, and ‖x_t‖² ‖Σ a_j (z_j - s) x_j‖² σ² from that of the attention a over tokens "
    "x_j with bits z_j.",
    left=variance(
        "variance of an average's data channel", Row.average_data,
        r"\mathbb{V}[\tilde b_{t,\mathrm{data}}] / \sigma^2", theorem.AVERAGE_DATA,
    ),
    right=sp.Integer(2),
    domain=AVERAGES,
    mode=FIRST_ORDER,
    place=_PLACE,
    rests_on=(_NORMALISER,),
    limitations=(VARIANCE, EVERY_ROW, "The constant is approached at D = 1 and long inputs."),
)  # fmt: skip

square = claim(
    label="sharpness.noise.averages.square",
    statement="To first order an active row of the first attention's output moves by at most √(2(T+2)) σ in the mean "
    "square: every one of its T+2 channels takes the noise of V1.",
    left=_SQUARE,
    right=2 * (T + 2),
    domain=AVERAGES,
    mode=FIRST_ORDER,
    place=_PLACE,
    rests_on=("sharpness.noise.averages.data",),
    limitations=(VARIANCE, EVERY_ROW, WIDTHS),
)

bound = claim(
    label="sharpness.noise.averages.bound",
    statement="To first order in σ an active row of the first attention's output moves, with probability at least "
    "1-δ, by at most σ √(2(T+2)) φ(T+2, δ), φ² = 1 + 2 √(log(1/δ)/n) + 2 log(1/δ)/n at n = T+2; for T "
    "from 4 to 10 and δ from 1/50 to 1/4.",
    left=chance(
        "probability that a row of averages moves by more than σ √(2(T+2)) φ",
        lambda moves: moves.average.norm(dim=-1), theorem.average_bound,
        r"\mathbb{P}\left[\|\tilde b_t - b_t\| > \sigma \sqrt{2(T+2)} \, \varphi(T+2, \delta)\right]",
    ),
    right=fail,
    domain=TRIALS,
    mode=WITH_PROBABILITY,
    place=_PLACE,
    rests_on=("sharpness.noise.averages.data", "sharpness.noise.averages.square", "sharpness.noise.chi.tail"),
    improves="sharpness.noise.averages.printed",
    limitations=(EVERY_ROW, WIDTHS),
)  # fmt: skip
