"""Appendix B.2: how likely products of projected positions are off, and tokens long, by Chernoff's bounds."""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Probability, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, counted, evaluated, measured
from boundaudit.checks.sharpness.projection.width import claim
from boundaudit.derivations.pac_bayes.symbols import delta as fail
from boundaudit.derivations.sharpness import projection as theorem
from boundaudit.derivations.sharpness.parameters import T, d
from boundaudit.derivations.sharpness.projection import K, epsilon, p_1, p_2, p_12
from boundaudit.numeric.sharpness import projected_network as network
from boundaudit.numeric.sharpness import projection as measured_tails

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
        _rate("squared length beyond 1+ε", measured_tails.length_upper, r"\chi^2_d \ge (1 + \epsilon) d"),
        theorem.UPPER_EXPONENT, theorem.UPPER_RATE, Reals(0, tested_to=1),
    ),
    "lower": (
        "The squared length of a unit vector under a Gaussian projection to width d is below 1 - ε with probability at "
        "most exp(-dε²/4), for ε < 1.",
        _rate("squared length below 1-ε", measured_tails.length_lower, r"\chi^2_d \le (1 - \epsilon) d"),
        theorem.LOWER_EXPONENT, theorem.LOWER_RATE, Reals(0, 1, open_high=True),
    ),
    "pair": (
        "The product of two positions under a Gaussian projection to width d exceeds ε ≤ 1 with probability at most "
        "exp(-dε²/3).",
        _rate("product beyond ε", measured_tails.product_upper, r"\langle x, y\rangle \ge \epsilon d"),
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
    return measured_tails.any_length_upper(at.whole("T") + 1, width, excess)


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
    "token at most √2 (1+ε) long with probability at least 1-δ, for every constant K ≥ 1/2, ε from 1/100 to 1 and δ "
    "from 10⁻⁹ on.",
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
    limitations=(
        "The text leaves the constant of the width open; it is a parameter here.", _ALL_SET,
        "Smaller ε and δ are left out because the probability is not computed there; no step needs that.",
    ),
)  # fmt: skip
