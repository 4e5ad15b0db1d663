"""Lemmas 19, 20 and 22: the tail of a chi variable, and how far noise moves outputs of the MLP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Probability, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
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
from boundaudit.checks.sharpness.targets import BOTH, PAPER, STEEP, WIDE
from boundaudit.derivations.pac_bayes.symbols import delta as fail
from boundaudit.derivations.pac_bayes.symbols import tau_f
from boundaudit.derivations.sharpness import noise as theorem
from boundaudit.derivations.sharpness.activations import ACTIVE, LENGTH
from boundaudit.derivations.sharpness.averages import s_av
from boundaudit.derivations.sharpness.kinks import n_z
from boundaudit.derivations.sharpness.noise import c_f, n_f, q_f, y_f, z_t
from boundaudit.derivations.sharpness.parameters import D, T, k, u
from boundaudit.derivations.sharpness.projection import K, epsilon
from boundaudit.numeric.sharpness.row_noise import Row

_LEMMA_19, _LEMMA_20 = ("Lemma 19",), ("Lemma 20",)

log_moment = claim(
    label="sharpness.noise.chi.log-moment", kind="Tight", place=_LEMMA_19, expected="proved",
    statement="The logarithm of the moment generating function of N² - 1, N standard normal, at x is at most "
    "x²/(1-2x), for every x from 0 to below 1/2, in terms of y = x/(1-2x) ≥ 0.",
    left=theorem.LOG_MOMENT, right=theorem.LOG_MOMENT_MOST, domain=Domain({y_f: Reals(0)}), equality=({"y_f": 0},),
)  # fmt: skip


def _chi_squared() -> Any:
    """The law of a squared chi variable."""
    from scipy import stats  # loaded with the first measurement

    return stats.chi2


_TAIL_RATE = Quantity(
    "minus the logarithm of the probability that a chi variable exceeds √n φ",
    combined(
        lambda limit, freedom: -_chi_squared().logsf(limit, freedom),
        evaluated(lambda: n_f * theorem.phi_squared(n_f, tau_f)), evaluated(lambda: n_f),
    ),
    r"-\log \mathbb{P}(\chi_n > \sqrt{n} \, \varphi(n, \delta))",
    rounding=1e-9, scale=1.0, nonnegative=True, of=("n_f", "tau_f"),
)  # fmt: skip
_FREEDOM: dict[Any, Range] = {n_f: Integers(1, tested_to=200), tau_f: Reals(0, tested_to=14)}

_BEST_TILT = {y_f: sp.sqrt(tau_f / n_f)}
_EXPONENT = (n_f * theorem.markov(theorem.FACTOR_SQUARED)).subs(_BEST_TILT)

markov = claim(
    label="sharpness.noise.chi.markov", role="axiom", relation=">=", place=_LEMMA_19,
    statement="Markov's inequality for exp(x χ²), x = y/(1+2y): a squared chi variable of n degrees of freedom exceeds "
    "n φ², φ² = 1 + 2y + 2y², with probability at most exp(-x n φ²) times the mean (1-2x)^(-n/2), for y = √(τ/n).",
    left=_TAIL_RATE.atom, right=_EXPONENT, domain=Domain(_FREEDOM), limitations=("The tail is that of SciPy.",),
)  # fmt: skip

_CHERNOFF = Derivation(
    label="sharpness.noise.chi.tail.steps", title="Chernoff's bound of a squared chi variable",
    steps=(
        Step(tau_f, "log(1/δ)"),
        Step(_EXPONENT, "exponent", "the moment at y = √(τ/n)", Instance(log_moment.label, _BEST_TILT)),
        Step(_TAIL_RATE.atom, "tail", "Markov's inequality", markov.label),
    ),
    domain=Domain(_FREEDOM), samples={"δ = 1/20, n = 22": {"n_f": 22, "tau_f": 3}},
)  # fmt: skip

tail = claim(
    label="sharpness.noise.chi.tail", relation=">=", role="printed", place=_LEMMA_19, reading="certain",
    expected="proved",
    statement="A chi variable with n degrees of freedom, such as the norm of n entries of the noise over σ, exceeds "
    "√n φ(n, δ) with probability at most δ. Here φ² = 1 + 2 √(τ/n) + 2 τ/n with τ = log(1/δ).",
    left=_TAIL_RATE.atom, right=tau_f, domain=Domain(_FREEDOM), derivation=_CHERNOFF,
    repairs=("sharpness.noise.phi.dropped",),
)  # fmt: skip


# --- Lemma 20 -------------------------------------------------------------------------------------

printed = claim(
    label="sharpness.noise.phi.printed", kind="Tight", role="printed", place=_LEMMA_20, reading="plausible",
    expected="proved",
    statement="At a width d ≥ K log T / ε², ε ≤ 1, and for failures as rare as δ = T^-a the factor φ(d, δ) of a chi "
    "variable's tail is at most 1 + cε. Here c = √(1 + 2q + 2q²) - 1 with q = √(a/K), and no smaller c will do; φ² = 1 "
    "+ 2y + 2y² with y = √(a log T / d), which is at most qε.",
    left=theorem.FACTOR_SQUARED, right=(1 + c_f * epsilon) ** 2,
    domain=lambda: Domain(
        {q_f: Reals(0, tested_to=10), epsilon: Reals(0, 1), c_f: Reals(0), y_f: Reals(0, q_f * epsilon)},
        where=[(1 + c_f) ** 2 >= theorem.at_one(q_f)],
    ),
    equality=({"q_f": 3, "epsilon": 1, "y_f": 3, "c_f": 4},), rests_on=("sharpness.noise.chi.tail",),
    limitations=(
        "K of the width, c of O(ε) and a of the failure are open in the text; here they are parameters. Equality at "
        "ε = 1 and the least width shows that no smaller c will do.",
    ),
)  # fmt: skip

factor_squared = claim(
    label="sharpness.noise.phi.squared", kind="Tight", place=_LEMMA_20, expected="proved",
    statement="With n ≥ log(1/δ)/ε² degrees of freedom and ε ≤ 1 the square of the factor φ(n, δ), 1 + 2y + 2y² with y "
    "= √(log(1/δ)/n), is at most 1 + 2ε + 2ε².",
    left=theorem.FACTOR_SQUARED, right=1 + 2 * epsilon + 2 * epsilon**2,
    domain=Domain({epsilon: Reals(0, 1), y_f: Reals(0, epsilon)}), equality=({"epsilon": 1, "y_f": 1},),
    limitations=("For δ = T^-a this is a width of a log T / ε².",),
)  # fmt: skip

factor = claim(
    label="sharpness.noise.phi.factor", kind="Tight", place=_LEMMA_20, expected="proved",
    statement="With n ≥ log(1/δ)/ε² degrees of freedom and ε ≤ 1 the factor φ(n, δ) is at most √(1 + 2ε + 2ε²), which "
    "is at most 1 + ε + ε²/2.",
    left=sp.sqrt(1 + 2 * epsilon + 2 * epsilon**2), right=1 + epsilon + epsilon**2 / 2,
    domain=Domain({epsilon: Reals(0, 1)}), equality=({"epsilon": 0},), rests_on=("sharpness.noise.phi.squared",),
    improves="sharpness.noise.phi.printed", limitations=("For δ = T^-a this is a width of a log T / ε².",),
)  # fmt: skip


def _beyond_root(points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
    freedom = np.array([4 * (point["D"] + 1) for point in points])[:, None]
    squares = np.random.default_rng(seed).chisquare(freedom, (len(points), trials))
    return np.array((squares > freedom).sum(-1), dtype=np.int64)


dropped = claim(
    label="sharpness.noise.phi.dropped", mode="with probability at least 1-δ", role="printed",
    place=("Lemma 20", "Lemma 22", "Lemma 25"), reading="plausible", expected="refuted",
    statement="A row of M, Γ and a column of F have 4(D+1) entries each. Noise of standard deviation σ on one of these "
    "has norm at most 2 √(D+1) σ, without the factor φ, with probability at least 1-δ, for D ≤ 16 and δ from 0.001 to "
    "0.25.",
    left=Probability(
        "probability that 4(D+1) entries of the noise have a norm beyond 2 √(D+1) σ",
        _beyond_root,
        r"\mathbb{P}(\chi_{4(D+1)} > 2 \sqrt{D+1})",
    ),
    right=fail, domain=Domain({D: Integers(1, 16), fail: Reals(sp.Rational(1, 1000), sp.Rational(1, 4))}),
    rests_on=("sharpness.noise.phi.printed",),
    limitations=(
        "Lemma 20 is for widths that grow; that later bounds set φ to one for the MLP's 4(D+1) entries, too, is read "
        "off their constants, which leave no room for it. There φ does not tend to one: φ(8, 1/100) = 1.915.",
    ),
)  # fmt: skip


normal_tail = claim(
    label="sharpness.noise.normal-tail", place=("Lemma 22", "Lemma 25"), expected="proved",
    statement="A normal variable is beyond √(2τ) standard deviations on either side, with probability 1 - erf(√τ), at "
    "most with probability exp(-τ).",
    left=sp.erfc(sp.sqrt(tau_f)), right=sp.exp(-tau_f), domain=Domain({tau_f: Reals(0)}),
)  # fmt: skip


# --- how far noise moves the MLP's outputs while no unit flips ------------------------------------

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


_ANY = Domain({D: Integers(1, tested_to=24), k: Integers(0, D), u: BOTH, s_av: Reals(0, 1), n_f: Integers(1)})

any_average = claim(
    label="sharpness.noise.rows.any-average", place=("Lemma 22",), expected="proved",
    statement="Let k of the D positions of a component be one and the row's average be any s from 0 to 1, h(s) its "
    "hidden units. The data channel and n channels then move by 32 D²(k+1)(1+s²)/u² + n |h(s)|² in the mean square, "
    "which is at most 64 D²(D+1)/u² + 4 n (D+1), u = 1 steep and 2 wide.",
    left=theorem.row_variance(n_f, s_av), right=theorem.row_most(n_f), domain=_ANY,
    derivation=Derivation(
        label="sharpness.noise.rows.any-average.steps", title="How far noise moves an active row of the MLP's output",
        steps=(
            Step(theorem.row_variance(n_f, s_av), "M and Γ, and F channel by channel"),
            Step((1 + s_av**2) * theorem.OUTER + n_f * LENGTH, "h is longest at one", "h grows with s",
                 "sharpness.activations.hidden.length"),
            Step(theorem.row_most(n_f), "s ≤ 1, k ≤ D", "|h(1)|² ≤ 4(D+1)",
                 "sharpness.activations.hidden.length.simple"),
        ),
        domain=_ANY, samples={"D = 2, a one": {"D": 2, "k": 1, "u": 2, "s_av": "1/2", "n_f": 1}}, paper=PAPER,
        place=("Lemma 22",),
    ),
)  # fmt: skip


_ONE_BIT = {"T": 6, "D": 2, "k": 1, "r": 0, "u": 2}


def _steps(
    label: str, row: Quantity, channels: sp.Expr, *end: Step, times: sp.Expr = sp.S.One, domain: Domain = ROWS
) -> Derivation:
    """From so many times an active row's variance to that of a row of any average, and on."""
    return Derivation(
        label=f"{label}.steps", title="How far noise moves an active row", paper=PAPER, place=("Lemma 22",),
        domain=domain, samples={"T = 6, D = 2, a one": _ONE_BIT},
        steps=(
            Step(row, "the row's variance"),
            Step(times * theorem.row_most(channels), "for any average", "",
                 Instance(any_average.label, {s_av: ACTIVE, n_f: channels})),
            *end,
        ),
    )  # fmt: skip


_READING = (
    "Three standard deviations, which are exceeded with probability 0.0027, are our reading of a high probability; "
    "fewer suffice only for larger failures."
)


def _beyond(variance: Array, limit: Array) -> Array:
    """How often a normal variable exceeds a limit on either side."""
    from scipy import special  # loaded with the first measurement

    return np.asarray(special.erfc(limit / np.sqrt(2 * variance)))


rows_printed = claim(
    label="sharpness.noise.rows.printed", mode=FIRST_ORDER, role="printed", place=("Lemma 22",), reading="plausible",
    expected="refuted",
    statement="While no unit flips, noise of standard deviation σ moves an active row of the MLP's output by at most "
    "32 σ D² with high probability. The check takes two readings: 32 σ D² is at least three standard deviations of the "
    "row's data channel, or at least the root mean square of the row's move over all T+2 channels.",
    right=theorem.PRINTED_ROW**2,
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
            expected="proved",
            derivation=_steps(
                "sharpness.noise.rows.printed", _THREE_DEVIATIONS, sp.S.One, Step(theorem.PRINTED_ROW**2, "(32 D²)²"),
                times=sp.Integer(9), domain=ROWS.replace(u=WIDE),
            ),
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
)  # fmt: skip

_TWENTIETH = Quantity(
    "probability that the data channel of an active row's output moves by more than K σ D²",
    combined(_beyond, _DATA.measure, evaluated(lambda: K * D**2)),
    r"\mathbb{P}\left[|\tilde g_{t,\mathrm{data}} - g_{t,\mathrm{data}}| > K \sigma D^2\right]",
    lambda: sp.erfc(K * D**2 / sp.sqrt(2 * theorem.row_variance(sp.Integer(1))), evaluate=False), rounding=1e-9,
    scale=1.0,
)  # fmt: skip

constant = claim(
    label="sharpness.noise.rows.constant", mode=NINETEEN, role="printed", place=("Lemma 22",), reading="plausible",
    statement="While no unit flips, noise of standard deviation σ moves the data channel of an active row of the "
    "MLP's output by at most K σ D², at inputs of length T ≥ 4. To first order that holds with "
    "probability at least 19/20 for every constant K ≥ 22.6 (steep) and K ≥ 12.07 (wide).",
    left=_TWENTIETH, right=RARE, rests_on=("sharpness.noise.rows.data", _PLATEAU),
    limitations=(
        "For a single row. The constant 32, read off the bound on the output, is one of these and is judged by itself.",
        EVERY_ROW,
    ),
    cases=(
        Case("steep", domain=Domain({**ROWS.replace(u=STEEP).ranges, K: Reals(sp.Rational("22.6"), tested_to=100)})),
        Case("wide", domain=Domain({**ROWS.replace(u=WIDE).ranges, K: Reals(sp.Rational("12.07"), tested_to=100)})),
    ),
)  # fmt: skip


_LARGER = ROWS.replace(D=Integers(2, T))

data_repaired = claim(
    label="sharpness.noise.rows.data.repaired", mode=FIRST_ORDER, place=("Lemma 22",),
    statement="For components of at least two positions and inputs of length T ≥ 4, with either trapezoid, 32 σ D² is "
    "at least √20 standard deviations of the data channel of an active row's output. To first order in σ it is "
    "exceeded with probability at most 1/100000.",
    left=_DATA, right=theorem.PRINTED_ROW**2 / 20, domain=_LARGER, expected="proved",
    derivation=_steps(
        "sharpness.noise.rows.data.repaired", _DATA, sp.S.One, Step(theorem.PRINTED_ROW**2 / 20, "(32 D²)²/20"),
        domain=_LARGER,
    ),
    rests_on=("sharpness.noise.rows.data", _PLATEAU, _TAIL), repairs=("sharpness.noise.rows.printed[steep,data]",),
    limitations=(VARIANCE, EVERY_ROW),
)  # fmt: skip

data_variance = claim(
    label="sharpness.noise.rows.data", mode=FIRST_ORDER, place=("Lemma 22",),
    statement="For inputs of length T ≥ 4 and to first order in σ the data channel of an active row's output moves "
    "with variance at most (64 D²(D+1)/u² + 4(D+1)) σ², u = 1 steep and 2 wide: noise of M and Γ meets the output "
    "weights of the active units, noise of F the hidden units; what the first attention adds stays on the plateau.",
    left=_DATA, right=theorem.ROW_DATA_MOST, domain=ROWS, rests_on=(_PLATEAU, _HIDDEN), expected="proved",
    derivation=_steps("sharpness.noise.rows.data", _DATA, sp.S.One),
    limitations=(VARIANCE, EVERY_ROW),
)  # fmt: skip


# --- all channels ---------------------------------------------------------------------------------

norm_square = claim(
    label="sharpness.noise.rows.norm", mode=FIRST_ORDER, place=("Lemma 22",),
    statement="For inputs of length T ≥ 4 and to first order in σ an active row of the MLP's output moves by at most "
    "√(64 D²(D+1)/u² + 4(D+1)(T+2)) σ in root mean square, u = 1 (steep) or 2 (wide). Noise of F adds the hidden "
    "units' norm to every channel.",
    left=_SQUARE, right=theorem.ROW_SQUARE_MOST, domain=ROWS, rests_on=(_PLATEAU, _HIDDEN), expected="proved",
    derivation=_steps("sharpness.noise.rows.norm", _SQUARE, T + 2),
    repairs=("sharpness.noise.rows.printed[all-channels]",), limitations=(VARIANCE, EVERY_ROW, WIDTHS),
)  # fmt: skip


# --- Remark 23 ------------------------------------------------------------------------------------

idle = claim(
    label="sharpness.noise.rows.idle", mode=FIRST_ORDER, role="printed", place=("Remark 23",), reading="plausible",
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
    rests_on=(_HIDDEN,),
    limitations=(
        VARIANCE,
        "A unit on its kink counts as off.",
        "The constants of the printed bound on the output leave no room for this factor: 128 = 2 · 2 · 32 there.",
    ),
)  # fmt: skip
