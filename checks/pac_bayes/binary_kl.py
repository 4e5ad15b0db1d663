"""The binary relative entropy: lower bounds, where it rises, and the exponential moment behind the kl forms."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.relations import ForAll
from boundaudit.checks.measurements import at_points
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.derivations.pac_bayes import binary_kl as theory
from boundaudit.derivations.pac_bayes.binary_kl import (
    h_xi,
    i_xi,
    n_xi,
    o_1kl,
    o_2kl,
    o_3kl,
    p_kl,
    p_xi,
    q_kl,
    s_xi,
    t_xi,
    v_xi,
    x_1kl,
    x_2kl,
    y_kl,
)
from boundaudit.derivations.pac_bayes.symbols import m

_claim = functools.partial(Claim, paper=PAPER)
_ODDS = Reals(0, open_low=True)
_QUARTER = sp.Rational(1, 4)


def _between(low: Any, high: Any) -> Reals:
    return Reals(low, high, open_low=True, open_high=True)


pinsker = _claim(
    label="pac_bayes.binary_kl.pinsker",
    statement="The relative entropy kl(q‖p) of two Bernoulli laws is at least 2(p-q)², for all means q and p "
    "strictly between 0 and 1. The formula has the odds of q and p.",
    role="printed",
    left=theory.KL_OF_ODDS,
    relation=">=",
    right=theory.PINSKER_OF_ODDS,
    domain=Domain({o_1kl: _ODDS, o_2kl: _ODDS}),
    kind="Tight",
    equality=({"o_1kl": 1, "o_2kl": 1},),
    place=("Pinsker",),
    expected="proved",
)

small = _claim(
    label="pac_bayes.binary_kl.small",
    statement="For 0 < q ≤ p < 1 the relative entropy kl(q‖p) of two Bernoulli laws is at least (p-q)²/(2p), which is "
    "more than Pinsker's 2(p-q)² where p is below a quarter.",
    left=theory.KL,
    relation=">=",
    right=theory.SMALL,
    domain=Domain({p_kl: _between(0, 1), q_kl: Reals(0, p_kl, open_low=True)}),
    kind="Tight",
    equality=({"p_kl": _QUARTER, "q_kl": _QUARTER},),
    place=("Rivasplata",),
    expected="proved",
)

rising = _claim(
    label="pac_bayes.binary_kl.rising",
    statement="For q < p < p' < 1, given by their odds, kl(q‖p) is at most kl(q‖p'): beyond q at most one p has a "
    "given relative entropy, so that the inverse of kl is well defined and rises with its budget.",
    left=theory.of_odds(o_1kl, o_1kl + x_1kl),
    relation="<=",
    right=theory.of_odds(o_1kl, o_1kl + x_1kl + x_2kl),
    domain=Domain({o_1kl: _ODDS, x_1kl: _ODDS, x_2kl: _ODDS}),
    place=("Maurer", "Seeger"),
    expected="proved",
)

falling = _claim(
    label="pac_bayes.binary_kl.falling",
    statement="For q < q' < p, given by their odds, kl(q'‖p) is at most kl(q‖p): an upper bound on the risk on the "
    "sample may take its place in the inverse of kl.",
    left=theory.of_odds(o_3kl, o_2kl),
    relation="<=",
    right=theory.KL_OF_ODDS,
    domain=Domain({o_2kl: _ODDS, o_1kl: _between(0, o_2kl), o_3kl: _between(o_1kl, o_2kl)}),
    place=("Maurer",),
    expected="proved",
)

# --- the exponential moment -----------------------------------------------------------------------


@at_points
def _by_count(p: Point) -> float:
    """ξ(m) by the logarithms of its terms."""
    from scipy import special  # loaded with the first measurement

    count = p["m"]
    k = np.arange(count + 1)
    choices = special.gammaln(count + 1) - special.gammaln(k + 1) - special.gammaln(count - k + 1)
    return float(np.exp(choices + special.xlogy(k, k / count) + special.xlogy(count - k, 1 - k / count)).sum())


_XI = "The mean of exp(m kl(r‖R)) for m Bernoulli losses with mean R, ξ(m) = Σ_k C(m,k) (k/m)^k (1-k/m)^(m-k),"
_MOMENT = Quantity("exponential moment of m kl", _by_count, r"\xi(m)", lambda: theory.MOMENT, rounding=1e-11)


@at_points
def _between_zero_and_one(point: Point) -> float:
    """E exp(m kl(r‖R)) for m losses of zero, v or one."""
    from scipy import special  # loaded with the first measurement

    count, value, chance = point["m"], point["v_xi"], point["h_xi"]
    ones = (1 - chance) * point["p_xi"]
    one, some = (found.ravel() for found in np.indices((count + 1, count + 1)))
    one, some = one[one + some <= count], some[one + some <= count]
    parts = ((count - one - some, 1 - chance - ones), (some, chance), (one, ones))
    law = special.gammaln(count + 1) + sum(special.xlogy(k, p) - special.gammaln(k + 1) for k, p in parts)
    seen, risk = np.minimum((one + value * some) / count, 1), ones + value * chance
    entropy = special.rel_entr(seen, risk) + special.rel_entr(1 - seen, 1 - risk)
    with np.errstate(invalid="ignore"):  # beyond the domain, where mutants look
        return float(np.sum(np.exp(law + count * entropy)))


# The definition is a sum of products that nobody adds up far out; the measurement is one of m + 1 terms.
_MEASURED = Quantity(
    "exponential moment of m kl", _by_count, r"\xi(m)", rounding=1e-10, nonnegative=True, of=("m",)
)  # fmt: skip
_moment = functools.partial(_claim, place=("Maurer",), rests_on=("pac_bayes.binary_kl.moment.any-mean",))

any_mean = _claim(
    label="pac_bayes.binary_kl.moment.any-mean",
    statement="For m losses of zero or one with mean R, 0 < R < 1, and r the mean that is seen, the mean of exp(m "
    "kl(r‖R)) is Σ_k C(m,k) (k/m)^k (1-k/m)^(m-k), whatever R is. The first and the last terms, without errors and "
    "without successes, are one each.",
    left=lambda: theory.MEAN_EXPONENTIAL,
    relation="=",
    right=lambda: theory.BY_COUNT,
    domain=Domain({m: Integers(1), p_kl: _between(0, 1)}),
    place=("Maurer", "Seeger"),
    expected="proved",
    limitations=(
        "For losses between 0 and 1 Bernoulli losses of the same mean are the worst, by convexity of exp(m kl).",
    ),
)

abel = _claim(
    label="pac_bayes.binary_kl.moment.abel",
    statement="Abel's identity: Σ_k C(m,k) (k/m)^k (1-k/m)^(m-k) is Σ_k Π_{i<k} (1 - i/m), k from 0 to m, which is one "
    "plus Ramanujan's Q(m).",
    role="axiom",
    left=_MEASURED.atom,
    relation="=",
    right=lambda: theory.MOMENT,
    domain=Domain({m: Integers(1, tested_to=48)}),
    place=("Maurer", "Seeger"),
)

_UNIT_LOSSES = Quantity(
    "exponential moment of m kl for losses of zero, v or one", _between_zero_and_one,
    r"\mathbb{E}\, e^{m\, \mathrm{kl}(r \| R)}", rounding=1e-10, nonnegative=True,
)  # fmt: skip
_MOST = sp.Rational(9, 10)
_LAWS = {v_xi: Reals(0, 1), h_xi: Reals(0, _MOST), p_xi: Reals(1 - _MOST, _MOST)}

worst = _claim(
    label="pac_bayes.binary_kl.moment.worst",
    statement="Of losses in [0, 1] with a given mean those of zero or one have the largest mean of exp(m kl(r‖R)), as "
    "it is convex in each loss (Maurer 2004): at most ξ(m). Measured for losses of zero, v or one.",
    role="axiom",
    left=_UNIT_LOSSES.atom,
    relation="<=",
    right=_MEASURED.atom,
    domain=Domain({m: Integers(1, tested_to=24), **_LAWS}),
    place=("Maurer", "Seeger"),
)

_LENGTH = Integers(1, tested_to=8)
_ONE_MORE = "pac_bayes.binary_kl.moment.term"
_SIDES: dict[str, tuple[dict[str, Any], int]] = {
    "above": ({"relation": "<=", "kind": "Upper"}, 2),
    "below": ({"relation": ">=", "kind": "Lower"}, 4),
}
_FALLS = [sp.Eq(t_xi[1], 1), ForAll(*theory.FALLS)]
_TERMS = Domain({m: _LENGTH, t_xi: Vector(m, Reals(0))}, where=_FALLS)

one_more = _moment(
    label=_ONE_MORE,
    statement="A term s of ξ(m) that p others come before is at most s (B(p) - (1 - (p+1)/m) B(p+1)) with B(p) = "
    "√(p² + 2m) - p, and at least that with (√(p² + 4m) - p)/2 for B(p).",
    left=s_xi,
    domain=Domain({m: Integers(1), i_xi: Integers(0, m - 1), s_xi: Reals(0)}),
    expected="proved",
    cases=tuple(Case(side, right=s_xi * theory.passed(c), **relation) for side, (relation, c) in _SIDES.items()),
)

telescoped = _moment(
    label="pac_bayes.binary_kl.moment.telescoped",
    statement="As each term is 1 - k/m times the one before, t_{p+1} (B(p) - (1 - (p+1)/m) B(p+1)) is B(p) t_{p+1} - "
    "B(p+1) t_{p+2}, and the sum of these, from the second term on, is its two ends.",
    relation="=",
    domain=Domain({m: _LENGTH, n_xi: Integers(1, m), t_xi: Vector(m, Reals(0))}, where=_FALLS),
    expected="proved",
    cases=tuple(Case(side, left=theory.fallen(c, n_xi), right=theory.ends(c, n_xi)) for side, (_, c) in _SIDES.items()),
)


def _chain(side: str, nodes: Sequence[tuple[Any, str]], links: Sequence[tuple[str, Any]], **others: Any) -> Derivation:
    """A bound from above as it is read; a chain rises, so that one from below starts at its end."""
    forward = slice(None, None, 1 if side == "above" else -1)
    (first, *rest), ways = nodes[forward], links[forward]
    steps = (Step(*first), *(Step(*node, *way) for node, way in zip(rest, ways, strict=True)))
    return Derivation(steps=steps, **others)


def _summed(side: str) -> Case:
    """The sum of all terms but that of no errors, from one side."""
    relation, c = _SIDES[side]
    each = Instance(f"{_ONE_MORE}[{side}]", {s_xi: t_xi[i_xi + 1]}, over=(i_xi, 1, m - 1))
    chain = _chain(
        side,
        (
            (theory.TERMS, "terms"),
            (1 + theory.FURTHER, "the first, and the others"),
            (1 + theory.fallen(c, m), "what each takes off"),
            (theory.most(c), "the bound at the start"),
        ),
        (
            ("t_1 = 1", ()),
            ("term by term", each),
            ("telescoping", Instance(f"{telescoped.label}[{side}]", {n_xi: m})),
        ),
        label=f"pac_bayes.binary_kl.moment.summed.{side}",
        title="Ramanujan's Q as the tail of a Gaussian",
        domain=_TERMS,
        samples={"three": {"m": 3, "t_xi": ("1", "2/3", "2/9")}},
    )
    return Case(side, right=theory.most(c), derivation=chain, **relation)


summed = _moment(
    label="pac_bayes.binary_kl.moment.summed",
    statement="Numbers t_1 = 1, t_{k+1} = (1 - k/m) t_k, k < m, which are Ramanujan's Q(m), add up to at most 1 + (1 - "
    "1/m)(√(2m + 1) - 1), and at least 1 + (1 - 1/m)(√(4m + 1) - 1)/2.",
    left=theory.TERMS,
    domain=_TERMS,
    expected="proved",
    cases=tuple(map(_summed, _SIDES)),
)


def _bounded(name: str, side: str, bound: Any, **said: Any) -> Claim:
    """A bound on the moment for every number of samples."""
    domain, label = Domain({m: Integers(1, tested_to=256)}), f"pac_bayes.binary_kl.moment.{name}"
    chain = _chain(
        side,
        (
            (_MEASURED.atom, "exponential moment"),
            (theory.MOMENT, "products"),
            (1 + theory.most(_SIDES[side][1]), "their sum"),
            (bound, "its bound"),
        ),
        (
            ("Abel's identity", abel.label),
            ("no errors, and the others", Instance(f"{summed.label}[{side}]", {t_xi: theory.term})),
            ("at least one sample", ()),
        ),
        label=f"{label}.steps",
        title="The exponential moment for any number of samples",
        domain=domain,
        samples={"hundred": {"m": 100}},
    )
    relation = "<=" if side == "above" else ">="
    return _moment(
        label=label, left=_MEASURED.atom, relation=relation, right=bound, domain=domain, derivation=chain,
        expected="proved", **said,
    )  # fmt: skip


maurer = _bounded(
    "maurer", "above", theory.MAURER,
    statement=f"{_XI} is at most 2√m for every m ≥ 1, with equality at m = 1, by bounds that its terms pass on as the "
    "tail of a Gaussian does.",
    role="printed",
    kind="Tight",
    equality=({"m": 1},),
)  # fmt: skip

lower = _bounded(
    "lower", "below", sp.sqrt(m),
    statement=f"{_XI} is at least √m for every m ≥ 1: no kl form on the exponential moment can do without half a "
    "logarithm of m.",
)  # fmt: skip

seeger = _bounded(
    "seeger", "above", theory.SEEGER,
    statement=f"{_XI} is at most m + 1 for every m ≥ 1: the sum has m + 1 terms, each a probability.",
    role="printed",
    place=("Seeger",),
    kind="Tight",
    equality=({"m": 1},),
)  # fmt: skip

_INTERVAL = Domain({m: Integers(1, tested_to=24), **_LAWS})

unit_interval = _moment(
    label="pac_bayes.binary_kl.moment.unit-interval",
    statement="For m independent losses in [0, 1] with mean R, and r the mean that is seen, the mean of exp(m kl(r‖R)) "
    "is at most 2√m. The formula has losses of zero, v or one.",
    role="printed",
    left=_UNIT_LOSSES.atom,
    relation="<=",
    right=theory.MAURER,
    domain=_INTERVAL,
    expected="proved",
    derivation=Derivation(
        label="pac_bayes.binary_kl.moment.unit-interval.steps", title="Losses of zero or one are the worst",
        domain=_INTERVAL, samples={"ten": {"m": 10, "v_xi": "1/2", "h_xi": "1/2", "p_xi": "1/4"}},
        steps=(
            Step(_UNIT_LOSSES.atom, "exponential moment"),
            Step(_MEASURED.atom, "of losses of zero or one", "convexity in each loss", worst.label),
            Step(theory.MAURER, "2√m", "Maurer", maurer.label),
        ),
    ),
)  # fmt: skip

sharper = _moment(
    label="pac_bayes.binary_kl.moment.sharper",
    statement=f"{_XI} is at most √(πm/2) + 2/3 + √(π/(2m))/12 for every m ≥ 1, by Ramanujan's expansion. For large m "
    "that is a factor √(8/π) = 1.596 below 2√m.",
    relation="<=",
    right=lambda: theory.SHARPER,
    improves="pac_bayes.binary_kl.moment.maurer",
    limitations=("Worth ln(1.596) = 0.467 nats in a bound.", "Below 2√m from m = 2 on; at m = 1 it is 2.024."),
    cases=(
        Case("finite", left=_MOMENT, domain=Domain({m: Integers(1, 64)}), expected="certified"),
        Case("beyond", left=_MEASURED.atom, domain=Domain({m: Integers(65, tested_to=4096)})),
    ),
)

# --- what the best temperature of Catoni's form stands on -----------------------------------------

variational = _claim(
    label="pac_bayes.binary_kl.variational",
    statement="For Bernoulli laws with means q and p strictly between 0 and 1, given by their odds, q ln y - kl(q‖p) "
    "is at most ln(1 - p + p y) for every y in (0, 1], with equality at the tilt y = q(1-p)/(p(1-q)): Donsker and "
    "Varadhan's inequality.",
    left=theory.VARIATIONAL,
    relation="<=",
    right=theory.LOG_MEAN,
    domain=Domain({o_1kl: _ODDS, o_2kl: _ODDS, y_kl: Reals(0, 1, open_low=True)}),
    kind="Tight",
    equality=lambda: ({"o_1kl": 1, "o_2kl": 3, "y_kl": theory.BEST_TILT.subs({o_1kl: 1, o_2kl: 3})},),
    place=("Donsker-Varadhan", "Catoni"),
    expected="proved",
)
