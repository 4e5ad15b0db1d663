"""Lemma 25: how far noise moves the MLP's slopes while no unit flips."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.sharpness.noise.moves import (
    EVERY_ROW,
    FIRST_ORDER,
    NINETEEN,
    OPEN,
    RARE,
    ROWS,
    TRIALS,
    VARIANCE,
    WIDTHS,
    WITH_PROBABILITY,
    chance,
    claim,
    tail,
    variance,
)
from boundaudit.checks.sharpness.targets import STEEP, WIDE
from boundaudit.derivations.pac_bayes.symbols import delta as fail
from boundaudit.derivations.sharpness import noise as theorem
from boundaudit.derivations.sharpness.parameters import D, T
from boundaudit.derivations.sharpness.projection import K
from boundaudit.numeric.sharpness.row_noise import Row

_PLACE = ("Lemma 25",)
_PLATEAU = "sharpness.exactness.plateau.margin[four]"
_TAIL = "sharpness.noise.normal-tail"
_FIRST_ORDER_ONLY = "On the event that no unit flips, which first order takes for granted."

_BEYOND = tail(
    "probability that an active row's slope moves by more than K σ (D² + √((T+2)D))", Row.slope_parts,
    lambda: K * (D**2 + sp.sqrt((T + 2) * D)),
    r"\mathbb{P}\left[\|\delta (\partial g_t / \partial b_{t,\mathrm{data}})\| > K \sigma (D^2 + \sqrt{(T+2)D})\right]",
)  # fmt: skip

printed = claim(
    label="sharpness.noise.slopes.printed",
    statement="While no unit flips, noise of standard deviation σ moves the Jacobian ∂g_t/∂b_t in its data channel's "
    "column by at most K σ (D² + √(dD)), in an active row of the MLP of width d = T+2 ≥ 6. To first order that holds "
    "with probability at least 19/20 for every constant K ≥ 5.3 (steep) and K ≥ 3.2 (wide).",
    left=_BEYOND,
    right=RARE,
    mode=NINETEEN,
    role="printed",
    place=_PLACE,
    reading="plausible",
    rests_on=(_PLATEAU, "sharpness.noise.phi.dropped", "sharpness.noise.chi.tail"),
    limitations=(OPEN, EVERY_ROW, _FIRST_ORDER_ONLY, "One constant in front of both terms."),
    cases=(
        Case("steep", domain=Domain({**ROWS.replace(u=STEEP).ranges, K: Reals(sp.Rational("5.3"), tested_to=50)})),
        Case("wide", domain=Domain({**ROWS.replace(u=WIDE).ranges, K: Reals(sp.Rational("3.2"), tested_to=50)})),
    ),
)


_SLOPE = variance(
    "mean squared move of an active row's slope in the data channel", Row.slope_square,
    r"\mathbb{E} \|\delta (\partial g_t / \partial b_{t,\mathrm{data}})\|^2 / \sigma^2", theorem.SLOPE_SQUARE,
)  # fmt: skip

square = claim(
    label="sharpness.noise.slopes.square",
    statement="For inputs of length T ≥ 4 and to first order in σ the data channel's column of the Jacobian ∂g_t/∂b_t "
    "of an active row moves by at most √(32 D²(D+1)/u² + (4D+2)(T+2)) σ in the mean square, with equality where all D "
    "bits are one: 4k+2 units are active.",
    left=_SLOPE,
    right=theorem.SLOPE_SQUARE_MOST,
    domain=ROWS,
    kind="Tight",
    equality=({"T": 4, "D": 1, "k": 1, "r": 0, "u": 1}, {"T": 6, "D": 3, "k": 3, "r": 1, "u": 2}),
    mode=FIRST_ORDER,
    place=_PLACE,
    expected="proved",
    rests_on=(_PLATEAU,),
    limitations=(VARIANCE, EVERY_ROW, WIDTHS),
)

bound = claim(
    label="sharpness.noise.slopes.bound",
    statement="To first order in σ the data channel's column of the Jacobian ∂g_t/∂b_t of an active row moves, with "
    "probability at least 1-δ, by at most σ (√(2 log(2/δ) 32 D²(D+1)/u²) + √((4D+2)(T+2)) φ(T+2, δ/2)), "
    "φ² = 1 + 2 √(log(1/δ)/n) + 2 log(1/δ)/n and u = 1 (steep) or 2 (wide); for T from 4 to 10 and δ from "
    "1/50 to 1/4.",
    left=chance(
        "probability that an active row's slope moves by more than its bound",
        lambda moves: moves.slope.norm(dim=-1), lambda: theorem.two_parts(theorem.OUTER_MOST, 4 * D + 2),
        r"\mathbb{P}\left[\|\delta (\partial g_t / \partial b_{t,\mathrm{data}})\| > \sigma "
        r"(\sqrt{2 \log(2/\delta) 32 D^2 (D+1) / u^2} + \sqrt{(4D+2)(T+2)} \, \varphi(T+2, \delta/2))\right]",
    ),
    right=fail,
    domain=TRIALS,
    mode=WITH_PROBABILITY,
    place=_PLACE,
    rests_on=("sharpness.noise.slopes.square", _TAIL, "sharpness.noise.chi.tail"),
    improves="sharpness.noise.slopes.printed",
    limitations=(EVERY_ROW, WIDTHS, _FIRST_ORDER_ONLY),
)  # fmt: skip
