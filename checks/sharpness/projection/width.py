"""Appendix B.2: the width to which positions may be projected."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Claim, Count, Measure, Probability, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Subsets
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, completed, counted, evaluated, measured
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.targets import PAPER, SPARSITY
from boundaudit.derivations.pac_bayes.symbols import delta as fail
from boundaudit.derivations.sharpness import projection as theorem
from boundaudit.derivations.sharpness import projection_chaos as chaos
from boundaudit.derivations.sharpness.parameters import D, T, d, omega
from boundaudit.derivations.sharpness.projection import K, epsilon, p_1, p_2, p_12
from boundaudit.numeric.enumeration import Inputs
from boundaudit.numeric.sharpness import projected_network as network
from boundaudit.numeric.sharpness import projected_width as medians
from boundaudit.numeric.sharpness import projection as tails_network
from boundaudit.numeric.sharpness.projection import any_length_upper
from boundaudit.numeric.sharpness.target import Target

claim = functools.partial(Claim, paper=PAPER, place=("Appendix B.2",))


# --- all pairwise products at once, the Johnson-Lindenstrauss step --------------------------------

pairwise_printed = claim(
    label="sharpness.projection.pairwise.printed", role="printed", relation=">=", mode="with high probability",
    reading="plausible", expected="not testable",
    statement="A Gaussian projection to a width d of order log T / ε² preserves all pairwise products of the T+1 "
    "positions up to ε.",
    left=d, right=lambda: theorem.K * sp.log(T) / epsilon**2,
    domain=Domain(
        {T: Integers(2), epsilon: Reals(0, 1, open_low=True), theorem.K: Reals(0, open_low=True), d: Integers(1)}
    ),
    missing="the constant in d = O(log T / ε²)",
)  # fmt: skip


# --- how much longer the projected tokens are, by a chi-square tail and a union -------------------

_claim = functools.partial(claim, place=("Theorem 11", "Appendix B.2"))

exponent = _claim(
    label="sharpness.projection.tokens.exponent", kind="Tight", expected="proved",
    statement="For ε ≤ 1, log(1+η) is at most η - 4ε² with η = 4ε + 2ε², the excess of χ²_d/d that makes a projected "
    "token √2 (1+ε) long: Chernoff's exponent d (η - log(1+η))/2 is at least 2dε².",
    left=sp.log(1 + theorem.LENGTHENED), right=theorem.LENGTHENED_LOG, domain=Domain({epsilon: Reals(0, 1)}),
    equality=({"epsilon": 0},),
)  # fmt: skip

_WIDTH, _EXCESS = evaluated(theorem.token_width), evaluated(lambda: theorem.LENGTHENED)


@measured
def _longer(at: Columns) -> Tensor:
    width, excess = (torch.tensor(of(at.points, at.device), device=at.device) for of in (_WIDTH, _EXCESS))
    return any_length_upper(at.whole("T") + 1, width, excess)


_TOKENS = Quantity(
    "probability that one of T+1 projected tokens is longer than √2 (1+ε)", _longer,
    r"\mathbb{P}\left[\|\tilde X\|_{2,\infty} > \sqrt{2}\, (1+\epsilon)\right]", rounding=1e-9,
    nonnegative=True, of=("T", "epsilon", "delta", "K"),
)  # fmt: skip
_ALL_SET = "The input of ones, whose tokens are longest; at the output position's token, too, a one is counted."
_TOKENS_OF = Domain({
    T: Integers(2, tested_to=1000),
    epsilon: Reals(sp.Rational(1, 100), 1),
    fail: Reals(sp.Rational(1, 10**9), 1),
    K: Reals(sp.Rational(1, 2), tested_to=8),
})  # fmt: skip
_LEAST = K * sp.log((T + 1) / fail)

any_longer = _claim(
    label="sharpness.projection.tokens.markov", role="axiom",
    statement="One of T+1 projected tokens is longer than √2 (1+ε) with probability at most T+1 times Chernoff's bound "
    "exp(-d (η - log(1+η))/2) of χ²_d ≥ (1+η)d, η = 4ε + 2ε².",
    left=_TOKENS.atom, right=lambda: (T + 1) * sp.exp(-theorem.token_width() * theorem.LENGTHENED_EXPONENT),
    domain=_TOKENS_OF, limitations=(_ALL_SET,),
)  # fmt: skip

rounded = _claim(
    label="sharpness.projection.tokens.rounded", expected="proved",
    statement="A width that is rounded up makes a tail no larger: exp(-2ε² ⌈w/ε²⌉) is at most exp(-2w).",
    left=sp.exp(-2 * epsilon**2 * sp.ceiling(theorem.w_K / epsilon**2)), right=sp.exp(-2 * theorem.w_K),
    domain=Domain({epsilon: Reals(0, open_low=True, tested_to=1), theorem.w_K: Reals(0)}),
)  # fmt: skip

printed = _claim(
    label="sharpness.projection.tokens.printed", mode="with probability at least 1-δ", role="printed",
    reading="plausible", expected="proved",
    statement="A Gaussian projection of the positions to a width of order log T, ⌈K log((T+1)/δ)/ε²⌉, leaves every "
    "token at most √2 (1+ε) long with probability at least 1-δ, for every constant K ≥ 1/2 and ε ≤ 1.",
    left=_TOKENS.atom, right=fail, domain=_TOKENS_OF,
    derivation=Derivation(
        label="sharpness.projection.tokens.steps", title="Chernoff's bound, T+1 times", domain=_TOKENS_OF,
        samples={"T = 20, ε = 1/2": {"T": 20, "epsilon": "1/2", "delta": "1/20", "K": "1/2"}},
        steps=(
            Step(_TOKENS.atom, "one of T+1"),
            Step((T + 1) * sp.exp(-theorem.token_width() * theorem.LENGTHENED_EXPONENT), "Chernoff", "Markov",
                 any_longer.label),
            Step((T + 1) * sp.exp(-2 * theorem.token_width() * epsilon**2), "exponent", "logarithm by three terms",
                 exponent.label),
            Step((T + 1) * sp.exp(-2 * _LEAST), "width", "rounded up", Instance(rounded.label, {theorem.w_K: _LEAST})),
            Step(fail, "δ", "2K ≥ 1"),
        ),
    ),
    limitations=("The text leaves the constant of the width open; it is a parameter here.", _ALL_SET),
)  # fmt: skip


# --- how wide a random projection of the positions must be ----------------------------------------

_OURS = "The printed width leaves its constant open; the constant is ours."
_EQUAL = "Measured for equal coefficients of unit length."

_SHARE = 0.25
"""The error allowed, over C: half of what the constant C/2 misses by."""

_NETWORKS = Domain(
    {
        T: Integers(8, 24),
        D: Integers(1, 3),
        omega: SPARSITY,
        fail: Reals(sp.Rational(1, 50), sp.Rational(1, 5)),
        sp.Symbol("S"): Subsets(omega, D, T),
    }
)


def _target(point: Point) -> Target:
    """The target with equal coefficients of unit length."""
    return Target(point["T"], point["S"], (point["omega"] ** -0.5,) * point["omega"])


def _width(formula: Callable[[], sp.Expr]) -> Measure:
    """A width of the derivation, q the number of components on the busiest position."""

    def known(p: Point) -> Point:
        return {**p, "q": max(sum(j in part for part in p["S"]) for j in range(1, p["T"] + 1))}

    return completed(evaluated(formula), known)


_STATED, _CORRECTED = _width(theorem.width_as_stated), _width(theorem.width_corrected)
_CHAOS = _width(chaos.width)


def _far_off(points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
    counts = []
    for n, (point, width) in enumerate(zip(points, _STATED(points, device), strict=True)):
        inputs = next(Inputs(point["T"], "random", 16, seed=n).batches(16, device=device))
        counts.append(network.far_off(_target(point), int(width), _SHARE, inputs=inputs, draws=trials, seed=seed + n))
    return np.array(counts, dtype=np.int64)


def _not_close_at(widths: Measure) -> Count:
    def count(point: Point, trials: int, seed: int, device: str) -> int:
        width = int(widths([point], device)[0])
        return network.not_close(_target(point), width, _SHARE, draws=trials, seed=seed, device=device)

    return counted(count)


width_as_stated = claim(
    label="sharpness.projection.width.as-stated", role="printed", mode="with probability", reading="plausible",
    expected="refuted",
    statement="At a width of order log T the projected network's largest error exceeds C/4 with probability at most δ, "
    "C the sum of the coefficients. The width is ⌈24 log((T+1)(T+2)/δ)⌉ with a constant of ours, which keeps every "
    "product of the projected positions within 1/2 of its value with probability 1-δ.",
    left=Probability(
        "probability that the error exceeds C/4 at ⌈24 log((T+1)(T+2)/δ)⌉",
        _far_off,
        r"\mathbb{P}\left[\max_x |f_\Theta - f| > \frac{C}{4}\right]",
    ),
    right=fail, domain=_NETWORKS, rests_on=("sharpness.projection.pairwise.printed",),
    limitations=(
        _OURS,
        "Printed is that the projected network approximates the target arbitrarily well at such a width.",
        "The error is looked for at sixteen random inputs and counts where both trapezoids make it.",
        _EQUAL,
    ),
)  # fmt: skip

width_corrected = claim(
    label="sharpness.projection.width.corrected", mode="with probability",
    statement="At the width ⌈log((T+1)(T+2)/δ)/(ε²/4 - ε³/6)⌉ every component of the projected network stays on its "
    "plateau, and the network's error within C/4 on every input, except with probability at most δ. Here ε = 1/(17 log "
    "T (D(D+q)+ω)), q is the largest number of components that share a position, and C is the sum of the coefficients.",
    left=Probability(
        "probability that a component leaves its plateau or the error exceeds C/4 at the corrected width",
        _not_close_at(_CORRECTED),
        r"\mathbb{P}\left[\text{a plateau is left or } \max_x |f_\Theta - f| > \frac{C}{4}\right]",
    ),
    right=fail, domain=_NETWORKS,
    rests_on=(
        "sharpness.projection.pairwise.stated",
        "sharpness.projection.budget",
    ),
    repairs=("sharpness.projection.width.as-stated",),
    limitations=(
        "Sufficient, not necessary: of order (D(D+q)+ω)² log³ T, and far above the width measured.",
        _EQUAL,
    ),
)  # fmt: skip

width_chaos = claim(
    label="sharpness.projection.width.chaos", mode="with probability", reading="derived here",
    statement="From T = 16 on a smaller width is enough: every component of the projected network stays on its "
    "plateau, and the network's error within C/4 on every input, except with probability at most δ. The width is the "
    "largest of four, t/s² with αs + βs² = τ. Each of the four makes the variance of a difference of logits small "
    "enough for one part of the proof.",
    left=Probability(
        "probability that a component leaves its plateau or the error exceeds C/4 at the width from variances",
        _not_close_at(_CHAOS),
        r"\mathbb{P}\left[\text{a plateau is left or } \max_x |f_\Theta - f| > \frac{C}{4}\right]",
    ),
    right=fail, domain=_NETWORKS.replace(T=Integers(16, 24)), improves="sharpness.projection.width.corrected",
    rests_on=(
        "sharpness.projection.half-angle",
        *(f"sharpness.projection.{name}" for name in ("union", "amplification", "leak.small")),
        *(
            f"sharpness.projection.chaos.{name}"
            for name in ("tail", "row", "size", "second-order", "attention", "root", "factor")
        ),
    ),
    limitations=(
        "τ is 1/(4D log T) for a difference within a component, 1/(4 log T) for one within layer 2's support and "
        "log(T/8)/(2 log T) for an excess outside of either; α, β and t are in the derivation.",
        "Proved are the scalar steps. That they add up to the claim was checked by reading alone.",
        _EQUAL,
    ),
)  # fmt: skip

# --- the figure -----------------------------------------------------------------------------------


def _pairs(length: int, sparsity: int) -> Target:
    """Disjoint pairs of positions with equal coefficients of unit length."""
    parts = tuple((2 * t + 1, 2 * t + 2) for t in range(sparsity))
    return Target(length, parts, (sparsity**-0.5,) * sparsity)


def _sampled(length: int, setting: Setting) -> Tensor:
    return next(Inputs(length, "random", 128, seed=setting.seed).batches(128, device=setting.device))


_STEP = 2**0.25
_EVEN_ODDS = 0.5
"""The δ of the formulas beside a median."""


def _measured_widths(lengths: Sequence[int], draws: int, setting: Setting) -> Series:
    """The width at which the median of the largest error reaches C/4."""
    grid = [round(32 * _STEP**n) for n in range(25)]
    found = []
    for length in lengths:
        errors = medians.median_errors(
            _pairs(length, 4), grid, bits=_sampled(length, setting), draws=draws, seed=setting.seed
        )
        found.append(medians.width_reached(errors, _SHARE))
    return Series(
        "measured: median of the largest error at C/4", lengths, [at.width for at in found],
        low=[at.low for at in found], high=[at.high for at in found], drawn="points",
    )  # fmt: skip


def _stated_widths(name: str, of: Measure, lengths: Sequence[int]) -> Series:
    points = [{"T": t, "D": 2, "omega": 4, "delta": _EVEN_ODDS, "S": _pairs(t, 4).components} for t in lengths]
    return Series(name, lengths, [float(int(width)) for width in of(points, "cpu")])


def _medians(name: str, found: Sequence[medians.Median], scale: float) -> Series:
    return Series(
        name, [m.width for m in found], [scale * m.value for m in found],
        low=[scale * m.low for m in found], high=[scale * m.high for m in found], drawn="points",
    )  # fmt: skip


def _study(setting: Setting) -> list[Panel]:
    quick = setting.profile == "smoke"
    lengths, draws = ((8, 16), 11) if quick else ((8, 12, 16, 24, 32, 48, 64, 100), 161)
    stated = [
        _stated_widths("corrected width", _CORRECTED, lengths),
        _stated_widths("width from variances of differences", _CHAOS, [t for t in lengths if t >= 16]),
        _stated_widths("all products within 1/2, of order log T", _STATED, lengths),
        Series("T + 2, without projection", lengths, [t + 2.0 for t in lengths]),
    ]
    target = _pairs(20, 10)
    widths = [21, 100, 500, 2000, 5000, 20000]
    bits = _sampled(20, setting)
    missed = medians.median_errors(target, widths, bits=bits, draws=draws, seed=setting.seed, worst=False)
    shares = medians.median_shares(target, widths, draws=draws, seed=setting.seed, device=setting.device)
    return [
        Panel("Width against T, at D = 2, ω = 4", "T", "width d", [_measured_widths(lengths, draws, setting), *stated],
              "xy"),
        Panel("Error against the width, at T = 20, D = 2, ω = 10", "width d", "root mean squared error",
              [_medians("median over draws", missed, target.coefficient_sum)], "xy"),
        Panel("Plateaus against the width, at T = 20, D = 2, ω = 10", "width d", "share of components on their plateau",
              [_medians("median over draws", shares, 1.0)], "x"),
    ]  # fmt: skip


width_study = Study(
    label="sharpness.projection.width-measured",
    title="How wide a random projection must be",
    caption="The width that a small error needs grows faster than log T and lies far above the T+2 channels that the "
    "projection should save; the corrected width is safe and larger still, that from variances as safe and of the "
    "measured order log² T. Intervals hold the median with 95 %.",
    claims=tuple(f"sharpness.projection.width.{name}" for name in ("as-stated", "corrected", "chaos")),
    compute=_study,
    paper=PAPER,
    place=("Appendix B.2",),
)


# --- Chernoff's bounds, chi-square tails and the union bound --------------------------------------

chernoff = claim(
    label="sharpness.projection.chernoff", kind="Tight", expected="proved",
    statement="The logarithms in Chernoff's bounds for squared lengths and products of projected positions are at most "
    "the first terms of their series.",
    cases=(
        Case(
            "upper",
            statement="log(1+ε) is at most ε - ε²/2 + ε³/3, the first three terms of its series, for ε ≥ 0.",
            left=sp.log(1 + epsilon),
            right=theorem.UPPER_SERIES,
            domain=Domain({epsilon: Reals(0, tested_to=4)}),
            equality=({"epsilon": 0},),
        ),
        Case(
            "lower",
            statement="log y is at most -(1-y) - (1-y)²/2, the first two terms of the series of log(1-ε) in ε = 1-y, "
            "for 0 < y ≤ 1.",
            left=sp.log(theorem.y),
            right=theorem.LOWER_SERIES,
            domain=Domain({theorem.y: Reals(0, 1, open_low=True)}),
            equality=({"y": 1},),
        ),
        Case(
            "pair",
            statement="At the tilt ε/2 the exponent of Chernoff's bound for a product of independent normals is at "
            "most -ε²/3, for 0 ≤ ε ≤ 1.",
            left=lambda: theorem.pair_exponent(),
            right=-theorem.PAIR_RATE,
            domain=Domain({epsilon: Reals(0, 1)}),
            equality=({"epsilon": 0},),
        ),
    ),
)  # fmt: skip


def _rate(what: str, of: Callable[[Tensor, Tensor], Tensor], event: str) -> Quantity:
    """How fast a tail falls: -log P / d."""
    measure = measured(lambda at: -of(at.whole("d"), at.real("epsilon")).log() / at.whole("d"))
    return Quantity(f"rate of the probability of a {what}", measure, rf"-\tfrac{{1}}{{d}} \log \mathbb{{P}}({event})",
                    rounding=1e-9, scale=1.0, nonnegative=True, of=("d", "epsilon"))  # fmt: skip


_TAILS = {
    "upper": (
        "The squared length of a unit vector under a Gaussian projection to width d exceeds 1 + ε with probability at "
        "most exp(-d(ε²/4 - ε³/6)).",
        _rate("squared length beyond 1+ε", tails_network.length_upper, r"\chi^2_d \ge (1 + \epsilon) d"),
        theorem.UPPER_EXPONENT, theorem.UPPER_RATE, Reals(0, tested_to=1),
    ),
    "lower": (
        "The squared length of a unit vector under a Gaussian projection to width d is below 1 - ε with probability at "
        "most exp(-dε²/4), for ε < 1.",
        _rate("squared length below 1-ε", tails_network.length_lower, r"\chi^2_d \le (1 - \epsilon) d"),
        theorem.LOWER_EXPONENT, theorem.LOWER_RATE, Reals(0, 1, open_high=True),
    ),
    "pair": (
        "The product of two positions under a Gaussian projection to width d exceeds ε ≤ 1 with probability at most "
        "exp(-dε²/3).",
        _rate("product beyond ε", tails_network.product_upper, r"\langle x, y\rangle \ge \epsilon d"),
        -theorem.pair_exponent(), theorem.PAIR_RATE, Reals(0, 1),
    ),
}  # fmt: skip
_WIDTHS = Integers(2, tested_to=256)

markov = claim(
    label="sharpness.projection.markov", role="axiom", relation=">=",
    statement="Markov's inequality for the exponential of a squared length or product of projected positions, times "
    "the best factor or, of a product, ε/2: its mean bounds the probability.",
    cases=tuple(
        Case(name, left=rate.atom, right=exponent, domain=Domain({d: _WIDTHS, epsilon: sizes}))
        for name, (_, rate, exponent, _, sizes) in _TAILS.items()
    ),
)  # fmt: skip


def _tail(name: str) -> Case:
    """A tail by Chernoff's bound."""
    statement, rate, exponent, least, sizes = _TAILS[name]
    domain = Domain({d: _WIDTHS, epsilon: sizes})
    at = {theorem.y: 1 - epsilon} if name == "lower" else {}
    steps = (
        Step(least, "rate"),
        Step(exponent, "exponent", "the first terms of a series", Instance(f"{chernoff.label}[{name}]", at)),
        Step(rate.atom, "tail", "Markov's inequality", f"{markov.label}[{name}]"),
    )
    chain = Derivation(
        label=f"sharpness.projection.tail.{name}", title="Chernoff's bound of a tail", steps=steps, domain=domain,
        samples={"d = 64, ε = 1/2": {"d": 64, "epsilon": "1/2"}},
    )  # fmt: skip
    return Case(name, statement=statement, left=rate.atom, right=least, domain=domain, derivation=chain)


tail = claim(
    label="sharpness.projection.tail", relation=">=", expected="proved",
    statement="A squared length or product of positions under a Gaussian projection to width d is off by more than ε "
    "with a probability that falls exponentially in dε².",
    cases=tuple(map(_tail, _TAILS)),
)  # fmt: skip

union = claim(
    label="sharpness.projection.union", kind="Tight", expected="proved",
    statement="One of two events, dependent or not, happens with probability at most the sum of both probabilities; by "
    "induction the same holds for any number of events.",
    left=theorem.ONE_OF_TWO, right=theorem.SUM_OF_TWO,
    domain=Domain({p_1: Reals(0, 1), p_2: Reals(0, 1), p_12: Reals(0, 1)}, where=[p_1 + p_2 + p_12 <= 1]),
    equality=({"p_1": sp.Rational(1, 4), "p_2": sp.Rational(1, 2), "p_12": 0},),
    limitations=("The step to any number of events is the usual induction and is not checked here.",),
)  # fmt: skip

# --- all products at once, by a union ---------------------------------------------------------------


def _products_off(point: Point, trials: int, seed: int, device: str) -> int:
    return network.products_off(point["T"], point["d"], float(point["epsilon"]), draws=trials, seed=seed, device=device)


def _tails(up: sp.Expr, down: sp.Expr, pair: sp.Expr) -> sp.Expr:
    """Two tails of T+1 squared norms and T(T+1)/2 products, by their rates."""
    return (T + 1) * (sp.exp(-d * up) + sp.exp(-d * down)) + T * (T + 1) * sp.exp(-d * pair)


_UP, _DOWN, _PAIR = (rate.atom for _, rate, _, _, _ in _TAILS.values())
_ALL = Domain({T: Integers(2, tested_to=64), d: _WIDTHS, epsilon: Reals(0, 1, open_high=True)})

pairwise_stated = claim(
    label="sharpness.projection.pairwise.stated", role="successor", mode="with probability",
    statement="Under a Gaussian projection to width d the products and squared norms of T+1 positions are not all "
    "within ε of their values with probability at most (T+1)(T+2) exp(-d(ε²/4 - ε³/6)): the T+1 squared norms and "
    "T(T+1)/2 products have two tails each.",
    right=theorem.ANY_PRODUCT,
    rests_on=("sharpness.projection.union",),
    cases=(
        Case(
            "tails", left=_tails(_UP, _DOWN, _PAIR), domain=_ALL, expected="proved",
            derivation=Derivation(
                label="sharpness.projection.pairwise.tails", title="A union of tails", domain=_ALL,
                samples={"d = 64, ε = 1/2": {"T": 4, "d": 64, "epsilon": "1/2"}},
                steps=(
                    Step(_tails(_UP, _DOWN, _PAIR), "sum of the tails"),
                    Step(_tails(theorem.UPPER_RATE, _DOWN, _PAIR), "too long", "Chernoff", f"{tail.label}[upper]"),
                    Step(_tails(theorem.UPPER_RATE, theorem.LOWER_RATE, _PAIR), "too short", "Chernoff",
                         f"{tail.label}[lower]"),
                    Step(_tails(theorem.UPPER_RATE, theorem.LOWER_RATE, theorem.PAIR_RATE), "pairs", "Chernoff",
                         f"{tail.label}[pair]"),
                    Step(theorem.ANY_PRODUCT, "the largest, for each", "the smallest rate"),
                ),
            ),
        ),
        Case(
            "drawn",
            left=Probability(
                "probability that a product is off by more than ε", counted(_products_off),
                r"\mathbb{P}\left[\max_{ij} |G_{ij} - \delta_{ij}| > \epsilon\right]",
            ),
            domain=lambda: Domain(
                {T: Integers(2, 16), d: Integers(256, 1024), epsilon: Reals(sp.Rational(1, 8), sp.Rational(1, 4))},
                where=[sp.Ge(theorem.ANY_PRODUCT, sp.Rational(1, 4)), sp.Le(theorem.ANY_PRODUCT, sp.Rational(9, 10))],
            ),
        ),
    ),
)  # fmt: skip
