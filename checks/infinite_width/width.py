"""Finite width: how fast an output's law approaches the limit, and what random inputs add to that."""

from __future__ import annotations

import functools

import sympy as sp
import torch

from boundaudit.checks.infinite_width import OUTPUTS, PAPER
from boundaudit.checks.infinite_width.measured import against_limit, at_width, orthogonal
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points, estimated
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.derivations.infinite_width.symbols import b_iw, seed_iw
from boundaudit.numeric.infinite_width.distances import (
    dkw_floor,
    excess_gap,
    kde_divergence,
    ks_distance,
    relative_entropy,
)
from boundaudit.numeric.infinite_width.mixture import PointEstimate
from boundaudit.numeric.infinite_width.one_output import Inputs
from boundaudit.numeric.infinite_width.simulation import limit_outputs

_claim = functools.partial(Claim, paper=PAPER, place=("Figure 1",))
_WIDTH = sp.Integer(2) ** b_iw
_WIDTHS = Domain({b_iw: Integers(4, 9)})
_FEATURES = "the inputs of the authors' simulation, Wⁱ h for random Wⁱ and one Gaussian h"
_FIXED = "inputs whose Gram matrix is n times the identity"
_EXACT = (
    "By integration over the exact law at each width, by the same nodes as the limit; it holds by more than three "
    "standard errors."
)


def _distance(inputs: Inputs, heads: int) -> Quantity:
    name, latex = f"distance to the limit, {inputs}, H = {heads}", rf"\mathrm{{KS}}_{{{heads}}}"
    return estimated(name, against_limit(ks_distance, inputs, heads), latex)


def _divergence(heads: int) -> Quantity:
    name, latex = f"divergence from the limit, H = {heads}", rf"\mathrm{{KL}}_{{{heads}}}"
    return estimated(name, against_limit(relative_entropy, "features", heads), latex)


_KURTOSIS = estimated(
    "excess kurtosis less its limit, random features", against_limit(excess_gap, "features"),
    r"\gamma_n - \gamma",
)  # fmt: skip


# --- distance -------------------------------------------------------------------------------------

converges = _claim(
    label="infinite_width.width.converges",
    statement="As the width n grows the law of an output converges to the limit. For four tokens the "
    "Kolmogorov-Smirnov distance is at most c/n, with c = 1/2 for one head and 2/5 for two. Inputs are those of the "
    "authors' simulation, Wⁱ h for random Wⁱ and one Gaussian h.",
    role="printed",
    domain=_WIDTHS,
    kind="Rate",
    place=(OUTPUTS, "Figure 1"),
    reading="plausible",
    limitations=("The paper states convergence; the rate is measured here.", _EXACT),
    cases=(
        Case("one-head", left=_distance("features", 1), right=lambda: sp.Rational(1, 2) / _WIDTH),
        Case("two-heads", left=_distance("features", 2), right=lambda: sp.Rational(2, 5) / _WIDTH),
    ),
)

no_faster = _claim(
    label="infinite_width.width.no-faster",
    statement="At width n the law of one output of four tokens is no closer to the limit than c/n in the "
    f"Kolmogorov-Smirnov distance, with c = 0.4 for one head and 0.31 for two. Inputs are {_FEATURES}.",
    relation=">=",
    domain=_WIDTHS,
    kind="Rate",
    improves=converges.label,
    limitations=(_EXACT,),
    cases=(
        Case("one-head", left=_distance("features", 1), right=lambda: sp.Rational("0.4") / _WIDTH),
        Case("two-heads", left=_distance("features", 2), right=lambda: sp.Rational("0.31") / _WIDTH),
    ),
)

given_inputs = _claim(
    label="infinite_width.width.given-inputs",
    statement=f"Most of the distance to the limit is that of random inputs: for {_FIXED} an output of four tokens is "
    "within 0.165/n of the limit with one head and within 0.095/n with two, a third of what random features give.",
    domain=_WIDTHS,
    kind="Rate",
    limitations=(_EXACT,),
    cases=(
        Case("one-head", left=_distance("fixed", 1), right=lambda: sp.Rational("0.165") / _WIDTH),
        Case("two-heads", left=_distance("fixed", 2), right=lambda: sp.Rational("0.095") / _WIDTH),
    ),
)

divergence = _claim(
    label="infinite_width.width.divergence",
    statement="As the width n grows the divergence KL of an output from the limit vanishes. For four tokens it is at "
    "most c/n², with c = 14 for one head and 12 for two. Inputs are those of the authors' simulation, Wⁱ h for "
    "random Wⁱ and one Gaussian h.",
    role="printed",
    domain=_WIDTHS,
    kind="Rate",
    reading="plausible",
    limitations=("The figure shows kernel density estimates; the rate of the law itself is measured here.", _EXACT),
    cases=(
        Case("one-head", left=_divergence(1), right=lambda: 14 / _WIDTH**2),
        Case("two-heads", left=_divergence(2), right=lambda: 12 / _WIDTH**2),
    ),
)

# --- moments --------------------------------------------------------------------------------------

moments = _claim(
    label="infinite_width.width.excess",
    statement=f"The excess kurtosis of one output of four tokens converges slowly: at width n it is above its "
    f"limit 0.2433 by between 30/n and 42/n, for {_FEATURES} and one head.",
    left=_KURTOSIS,
    domain=_WIDTHS,
    kind="Rate",
    limitations=("At n = 64 it is more than three times its limit.", _EXACT),
    cases=(
        Case("high", right=lambda: sp.Integer(42) / _WIDTH),
        Case("low", relation=">=", right=lambda: sp.Integer(30) / _WIDTH),
    ),
)  # fmt: skip


# --- the floor of density estimates ---------------------------------------------------------------

_DRAWS = 50_000


@functools.cache
def _between_samples(seed: int) -> float:
    """The divergence between two samples of the limit."""
    return kde_divergence(_drawn(2 * seed), _drawn(2 * seed + 1))


@at_points
def _floor(point: Point) -> float:
    return _between_samples(point["seed_iw"])


def _drawn(seed: int) -> torch.Tensor:
    """As many draws of one output as the authors make, four tokens and one head."""
    return limit_outputs(orthogonal(4, 1)[0], _DRAWS, seed).outputs[:, 0, 0]


floor = _claim(
    label="infinite_width.width.floor",
    statement="Kernel density estimates of two samples of 50 000 draws, both from the limit of four tokens and one "
    "head, have a divergence of at least 2e-4: below that the figure cannot tell a width from the limit.",
    left=Quantity("divergence between two samples of the limit", _floor, r"\widehat{\mathrm{KL}}", rounding=1e-9),
    relation=">=",
    right=sp.Rational(2, 10_000),
    domain=Domain({seed_iw: Integers(0, 3)}),
    rests_on=(divergence.label,),
    limitations=("The law's own divergence is 1.9e-4 at n = 256 and 1.2e-5 at n = 1024: a flat curve says nothing.",),
)

# --- the figure -----------------------------------------------------------------------------------


_KINDS: tuple[tuple[Inputs, str], ...] = (("features", "random features"), ("fixed", "fixed inputs"))


def _compute(setting: Setting) -> list[Panel]:
    widths = [16, 64, 256] if setting.profile == "smoke" else [16, 32, 64, 128, 256, 512, 1024]
    distances: dict[str, list[PointEstimate]] = {}
    excesses: dict[str, list[PointEstimate]] = {}
    for inputs, words in _KINDS:
        for heads in (1, 2):
            limit, name = orthogonal(4, heads)[2], f"{words}, H = {heads}"
            laws = [at_width(4, heads, n, inputs) for n in widths]
            distances[name] = [ks_distance(law, limit) for law in laws]
            excesses[name] = [excess_gap(law, limit) for law in laws]
    sample = Series("95 % floor of a million draws", widths, [dkw_floor(1_000_000)] * len(widths))
    return [
        Panel("Distance to the limit", "n", "Kolmogorov-Smirnov distance",
              [*(_series(name, widths, found) for name, found in distances.items()), sample], log="xy"),
        Panel("Excess kurtosis above its limit", "n", "difference, two standard errors",
              [_series(name, widths, found) for name, found in excesses.items()], log="xy"),
    ]  # fmt: skip


def _series(name: str, widths: list[int], found: list[PointEstimate]) -> Series:
    low = [each.value - 2 * each.error if each.value > 2 * each.error else None for each in found]
    high = [each.value + 2 * each.error for each in found]
    return Series(name, widths, [each.value for each in found], low, high, drawn="points")


study = Study(
    label="infinite_width.width.study",
    title="How fast one output of four tokens approaches its limit",
    caption="Both fall like 1/n. Random inputs account for two thirds of the distance and four fifths of the excess "
    "kurtosis. A million draws cannot see the distance beyond n of a few hundred.",
    claims=(f"{converges.label}[one-head]", f"{moments.label}[high]"),
    compute=_compute,
    paper=PAPER,
    place=("Figure 1",),
)
