"""The binary relative entropy: lower bounds, the certified inverse, and the exponential moment behind the kl forms."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp
import torch
from flint import arb, ctx
from scipy import special, stats

from boundaudit.checks.language.balls import evaluate
from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.translate import to_tree
from boundaudit.derivations.pac_bayes import binary_kl as theory
from boundaudit.derivations.pac_bayes.binary_kl import b_kl, o_1kl, o_2kl, o_3kl, p_kl, q_kl, s_kl, x_1kl, x_2kl, y_kl
from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.numeric.pac_bayes import binary_kl, certified_inverse, inverse_binary_kl
from boundaudit.numeric.pac_bayes.certified import BITS, certified_kl

_INSIDE = Reals(0, 1, open_low=True, open_high=True)
_ODDS = Reals(0, open_low=True)
_QUARTER = sp.Rational(1, 4)


def _between(low: Any, high: Any) -> Reals:
    return Reals(low, high, open_low=True, open_high=True)


def _columns(points: Sequence[Point], *names: str) -> list[torch.Tensor]:
    return [torch.tensor([float(p[name]) for p in points], dtype=torch.float64) for name in names]


def _numeric(points: Sequence[Point], device: str) -> Array:
    found: Array = binary_kl(*_columns(points, "q_kl", "p_kl")).numpy()
    return found


_PROBABILITIES = Choices(thousandth="1/1000", tenth="1/10", half="1/2", nine_tenths="9/10", most="999/1000")

measured = Claim(
    label="pac_bayes.binary_kl.measured",
    statement="The numerical relative entropy is its formula.",
    left=Quantity("binary relative entropy", _numeric, r"\mathrm{kl}(q \| p)", rounding=1e-12, scale=1.0),
    relation="=",
    right=theory.KL,
    domain=Domain({q_kl: _PROBABILITIES, p_kl: _PROBABILITIES}),
)

pinsker = Claim(
    label="pac_bayes.binary_kl.pinsker",
    statement="The relative entropy of two Bernoulli laws is at least twice the squared difference of their means; "
    "here in the odds of the means.",
    left=theory.KL_OF_ODDS,
    relation=">=",
    right=theory.PINSKER_OF_ODDS,
    domain=Domain({o_1kl: _ODDS, o_2kl: _ODDS}),
    kind="Tight",
    equality=({"o_1kl": 1, "o_2kl": 1},),
    paper="Pinsker 1964",
    expected="proved",
)

small = Claim(
    label="pac_bayes.binary_kl.small",
    statement="For q below p the relative entropy is at least (p-q)²/(2p), better than Pinsker's bound where p is "
    "below a quarter.",
    left=theory.KL,
    relation=">=",
    right=theory.SMALL,
    domain=Domain({p_kl: _INSIDE, q_kl: Reals(0, p_kl, open_low=True)}),
    kind="Tight",
    equality=({"p_kl": _QUARTER, "q_kl": _QUARTER},),
    expected="proved",
)

rising = Claim(
    label="pac_bayes.binary_kl.rising",
    statement="Beyond q the relative entropy rises in its second argument: at most one p there has a given value, so "
    "that the inverse is well defined; here in the odds.",
    left=theory.of_odds(o_1kl, o_1kl + x_1kl),
    relation="<=",
    right=theory.of_odds(o_1kl, o_1kl + x_1kl + x_2kl),
    domain=Domain({o_1kl: _ODDS, x_1kl: _ODDS, x_2kl: _ODDS}),
    expected="proved",
)

falling = Claim(
    label="pac_bayes.binary_kl.falling",
    statement="Below p the relative entropy falls in its first argument: an upper bound on the empirical risk may "
    "take its place in the inverse; here in the odds.",
    left=theory.of_odds(o_3kl, o_2kl),
    relation="<=",
    right=theory.KL_OF_ODDS,
    domain=Domain({o_2kl: _ODDS, o_1kl: _between(0, o_2kl), o_3kl: _between(o_1kl, o_2kl)}),
    expected="proved",
)

# --- the inverse ----------------------------------------------------------------------------------


_BEYOND = q_kl + s_kl * (1 - q_kl)


def _inverse(points: Sequence[Point], device: str) -> Array:
    """The inverse at the relative entropy itself, computed in balls."""
    tree = to_tree(theory.KL.subs(p_kl, _BEYOND))
    budget = torch.tensor([float(evaluate(tree, p)) for p in points], dtype=torch.float64)
    found: Array = inverse_binary_kl(_columns(points, "q_kl")[0], budget).numpy()
    return found


inverse = Claim(
    label="pac_bayes.binary_kl.inverse",
    statement="The numerical inverse of the relative entropy from q to a p beyond it is that p; here p = q + s(1-q).",
    left=Quantity(
        "inverse of the relative entropy", _inverse, r"\mathrm{kl}^{-1}(q, \mathrm{kl}(q \| p))", rounding=1e-9
    ),
    relation="=",
    right=_BEYOND,
    domain=Domain({
        q_kl: Choices(millionth="1/1000000", tenth="1/10", half="1/2", nine_tenths="9/10"),
        s_kl: Choices(thousandth="1/1000", tenth="1/10", half="1/2", most="999999/1000000"),
    }),
    rests_on=("pac_bayes.binary_kl.rising",),
)  # fmt: skip


def _no_errors(points: Sequence[Point], device: str) -> Array:
    (budget,) = _columns(points, "b_kl")
    found: Array = inverse_binary_kl(torch.zeros_like(budget), budget).numpy()
    return found


no_errors = Claim(
    label="pac_bayes.binary_kl.no-errors",
    statement="At risk 0 the inverse of the relative entropy is 1 - exp(-b).",
    left=Quantity("inverse at risk 0", _no_errors, r"\mathrm{kl}^{-1}(0, b)", rounding=1e-14, scale=1.0),
    relation="=",
    right=1 - sp.exp(-b_kl),
    domain=Domain({b_kl: Reals(0, open_low=True, tested_to=20)}),
)


def _place(points: Sequence[Point], device: str) -> Array:
    """Where the budget lies between the entropies at the certified end and at the float below it."""
    with ctx.workprec(BITS):
        return np.array([_share(float(p["q_kl"]), float(p["b_kl"])) for p in points])


def _share(q: float, budget: float) -> float:
    end = certified_inverse(q, budget)
    at, below = (certified_kl(arb(q), arb(p)) for p in (end, np.nextafter(end, 0)))
    return float((at - arb(budget)) / (at - below))


_ENDS = Domain({
    q_kl: Choices(millionth="1/1000000", hundredth="1/100", third="1/3", half="1/2", nine_tenths="9/10"),
    b_kl: Choices(
        millionth="1/1000000", thousandth="1/1000", hundredth="1/100", tenth="1/10", half="1/2", one=1, two=2, three=3
    ),
})  # fmt: skip
_OF_FLOATS = "Of the float64 numbers nearest to q and b, in balls of 212 bits."


def _end_claim(name: str, statement: str, quantity: str, latex: str, measure: Measure) -> Claim:
    return Claim(
        label=f"pac_bayes.binary_kl.{name}",
        statement=statement,
        left=Quantity(quantity, measure, latex, scale=1.0),
        relation="<=",
        right=sp.Integer(1),
        domain=_ENDS,
        rests_on=("pac_bayes.binary_kl.rising",),
        limitations=(_OF_FLOATS,),
    )


certain = _end_claim(
    "certified.certain",
    "The certified inverse is a float at which the relative entropy is not below the budget: from the float below, the "
    "budget is at most one step away.",
    "how far the budget is above the entropy at the float below, in steps",
    r"\frac{b - \mathrm{kl}(q \| p^-)}{\mathrm{kl}(q \| p) - \mathrm{kl}(q \| p^-)}",
    lambda points, device: 1 - _place(points, device),
)

closest = _end_claim(
    "certified.closest",
    "No smaller float is certain: at the float below the certified inverse the relative entropy is not above the "
    "budget.",
    "how far the entropy at the certified inverse is above the budget, in steps",
    r"\frac{\mathrm{kl}(q \| p) - b}{\mathrm{kl}(q \| p) - \mathrm{kl}(q \| p^-)}",
    _place,
)

# --- the exponential moment -----------------------------------------------------------------------

_COUNTS: dict[Any, Range] = {m: Integers(1, tested_to=48)}
_SIZES = Domain(_COUNTS)


def _moment(mean: Callable[[Point], Array | float]) -> Measure:
    """Σ_k P(k errors) exp(m kl(k/m‖R)), with R a function of the point and, for the closed form, of k/m itself."""

    def one(p: Point) -> float:
        shares = np.arange(p["m"] + 1) / p["m"]
        risk = np.broadcast_to(mean(p), shares.shape)
        entropy = binary_kl(torch.from_numpy(shares), torch.from_numpy(risk.copy())).numpy()
        return float(np.sum(stats.binom.pmf(np.arange(p["m"] + 1), p["m"], risk) * np.exp(p["m"] * entropy)))

    return lambda points, device: np.array([one(p) for p in points])


def _by_count(points: Sequence[Point], device: str) -> Array:
    """ξ(m) by the logarithms of its terms."""

    def one(count: int) -> float:
        k = np.arange(count + 1)
        choices = special.gammaln(count + 1) - special.gammaln(k + 1) - special.gammaln(count - k + 1)
        return float(np.exp(choices + special.xlogy(k, k / count) + special.xlogy(count - k, 1 - k / count)).sum())

    return np.array([one(p["m"]) for p in points])


_MOMENT = Quantity("exponential moment of m kl", _by_count, r"\xi(m)", theory.MOMENT, rounding=1e-11)
_kl_form = functools.partial(Claim, paper="Maurer 2004", domain=_SIZES)

any_mean = Claim(
    label="pac_bayes.binary_kl.moment.any-mean",
    statement="For m Bernoulli losses with mean R the mean of exp(m kl(r‖R)) is ξ(m), whatever R is.",
    left=Quantity(
        "mean of exp(m kl) for Bernoulli losses", _moment(lambda p: float(p["p_kl"])),
        r"\mathbb{E}\, e^{m\, \mathrm{kl}(r \| R)}", rounding=1e-10,
    ),
    relation="=",
    right=theory.MOMENT,
    domain=Domain({m: Integers(1, tested_to=32), p_kl: _PROBABILITIES}),
    paper="Maurer 2004",
    limitations=(
        "For losses between 0 and 1 Bernoulli losses of the same mean are the worst, by convexity of exp(m kl).",
    ),
)  # fmt: skip

abel = _kl_form(
    label="pac_bayes.binary_kl.moment.abel",
    statement="Σ_k C(m,k) (k/m)^k (1-k/m)^(m-k) is one plus Ramanujan's Q(m).",
    left=Quantity("exponential moment by the number of errors", _by_count, r"\xi(m)", rounding=1e-11),
    relation="=",
    right=theory.MOMENT,
    paper="Abel's identity",
)

maurer = _kl_form(
    label="pac_bayes.binary_kl.moment.maurer",
    statement="ξ(m) is at most 2√m for every m ≥ 1, with equality at m = 1.",
    left=_MOMENT,
    relation="<=",
    right=theory.MAURER,
    kind="Tight",
    equality=({"m": 1},),
    expected="certified",
    rests_on=("pac_bayes.binary_kl.moment.abel",),
    limitations=("Certified for the m of a grid; beyond it Maurer's proof speaks.",),
)

lower = _kl_form(
    label="pac_bayes.binary_kl.moment.lower",
    statement="ξ(m) is at least √m: no kl form on the exponential moment can do without half a logarithm of m.",
    left=_MOMENT,
    relation=">=",
    right=sp.sqrt(m),
    expected="certified",
    rests_on=("pac_bayes.binary_kl.moment.abel",),
)

seeger = _kl_form(
    label="pac_bayes.binary_kl.moment.seeger",
    statement="ξ(m) is at most m + 1, the number of its terms, each a probability; equality at m = 1.",
    left=_MOMENT,
    relation="<=",
    right=theory.SEEGER,
    kind="Tight",
    equality=({"m": 1},),
    paper="Seeger 2002",
    expected="certified",
)

sharper = _kl_form(
    label="pac_bayes.binary_kl.moment.sharper",
    statement="ξ(m) is at most √(πm/2) + 2/3 + √(π/(2m))/12: for large m a factor √(8/π) = 1.596 below 2√m.",
    left=_MOMENT,
    relation="<=",
    right=theory.SHARPER,
    paper="Ramanujan's expansion",
    expected="certified",
    improves="pac_bayes.binary_kl.moment.maurer",
    limitations=("Worth ln(1.596) = 0.467 nats in a bound; certified for the m of a grid.",),
)

growth = _kl_form(
    label="pac_bayes.binary_kl.moment.growth",
    statement="ξ(m) grows as √(πm/2) + 2/3, from above.",
    left=_MOMENT,
    relation=">=",
    right=theory.GROWTH,
    kind="Rate",
    mode="as m→∞",
    paper="Ramanujan's expansion",
    expected="certified",
)

# --- what the best temperature of Catoni's form stands on -----------------------------------------

variational = Claim(
    label="pac_bayes.binary_kl.variational",
    statement="Donsker and Varadhan for Bernoulli laws: q ln y - kl(q‖p) is at most ln(1 - p + p y) for every y up to "
    "1, with equality at the tilt y = q(1-p)/(p(1-q)); here in the odds of q and p.",
    left=theory.VARIATIONAL,
    relation="<=",
    right=theory.LOG_MEAN,
    domain=Domain({o_1kl: _ODDS, o_2kl: _ODDS, y_kl: Reals(0, 1, open_low=True)}),
    kind="Tight",
    equality=({"o_1kl": 1, "o_2kl": 3, "y_kl": theory.BEST_TILT.subs({o_1kl: 1, o_2kl: 3})},),
    paper="Donsker & Varadhan 1975",
    expected="proved",
)
