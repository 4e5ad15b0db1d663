"""Theorems 2, 6 and 17 together: E L ≤ σ² (G_u + P) for networks, and what is true in its place."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import sympy as sp
import torch
from flint import arb

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.balls import Ball, evaluate
from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers
from boundaudit.checks.language.expression import Tree
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.measurements import at_points
from boundaudit.checks.sharpness.proofs import PAIRS as SIDE_BY_SIDE
from boundaudit.checks.sharpness.targets import BOTH, PAPER, TRAPEZOIDS
from boundaudit.checks.sharpness.taylor.expansion import claim, windows
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import mean_loss as theory
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.bound.numbers import SIZES
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import D, T, d, omega, u
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.choices import IDEAL
from boundaudit.numeric.sharpness.mean_loss import Losses, losses
from boundaudit.numeric.sharpness.target import Target

_PLACE = ("Theorem 2", "Theorem 6", "Theorem 17")
_FINITE = 2.0
_ENUMERATED = 8
"""The greatest length at which all inputs are taken; at others they are drawn."""

_NOISE = Choices(millionth=Fraction(1, 10**6), ten_thousandth=Fraction(1, 10**4), hundredth=Fraction(1, 100))
NETWORKS = Domain({
    T: Choices(four=4, six=6, twenty=20),
    D: Integers(1, 2),
    omega: Choices(one=1, two=2, ten=10),
    u: BOTH,
    sigma: _NOISE,
}, where=(omega <= T / 2,))  # fmt: skip

_WHERE = (
    "over all inputs, for components that are windows of D = 1 or 2 positions with equal coefficients of unit length, "
    "T = 4, 6 or 20, ω = 1, 2 or at T = 20 also 10, either trapezoid and σ = 10⁻⁶, 10⁻⁴ or 10⁻²"
)
_INTERVAL = "of an interval that misses the mean once in a million, by the normal law"
_DRAWS = "128 mirrored pairs of draws, each with an input of its own: all in turn at T = 4 and 6, drawn ones at T = 20."


@functools.cache
def _losses(target: Target, pairs: int, width: int, deviation: float, scale: float) -> Losses:
    length = target.length
    if length <= _ENUMERATED:
        bits = bit_strings(length, 0, 2**length).repeat(pairs // 2**length, 1)
    else:
        bits = torch.from_numpy(np.random.default_rng(length).integers(0, 2, (pairs, length))).bool()
    return losses(target, bits, deviation, 0, mlp=TRAPEZOIDS[width], scale=scale)


def _measured(of: Callable[[Losses], float], scale: float = _FINITE) -> Measure:
    """A number of the losses of each point's network, NaN where there are not that many windows."""

    def one(p: Point) -> float:
        length, sparsity = p["T"], p.get("omega", 1)
        if sparsity > length:
            return math.nan
        return of(_losses(windows(length, p["D"], sparsity), 128, p["u"], float(p["sigma"]), scale))

    return at_points(one)


def published(width: int, deviation: float, pairs: int) -> Losses:
    """The losses of the published comparison's network, pairs of bits side by side at T = 20 and ω = 10."""
    target = Target(SIDE_BY_SIDE["T"], SIDE_BY_SIDE["S"], SIDE_BY_SIDE["c"])
    return _losses(target, pairs, width, deviation, _FINITE)


# --- as printed -----------------------------------------------------------------------------------


@functools.cache
def _parts(width: int | None) -> dict[str, Tree]:
    """For one component, or for the published example of that u."""
    parts = theory.parts_of_one() if width is None else theory.parts_of_pairs(width)
    return {name: to_tree(part) for name, part in parts.items()}


def _between(width: int | None, point: Point) -> tuple[Ball | int, Ball | int]:
    loss, bad, change, room = (
        arb(evaluate(_parts(width)[name], point)) for name in ("loss", "bad", "change", "room")
    )  # fmt: skip
    if not (room >= 0 and loss > bad):
        return 0, 1
    least, most = (loss - bad).sqrt() - change, (loss.sqrt() + change) ** 2 + bad
    return least**2 if least > 0 else 0, most if most < 1 else 1


def of_one(point: Point) -> tuple[Ball | int, Ball | int]:
    """Numbers between which E min(L, 1) certainly lies, for one component, T ≥ 4; 0 and 1 off the plateaus."""
    return _between(None, point)


def of_pairs(point: Point) -> tuple[Ball | int, Ball | int]:
    """The same for the published example."""
    return _between(point["u"], point)


def _enclosed(point: Point) -> tuple[Ball | int, Ball | int]:
    return of_one(point) if point["omega"] == 1 and point["T"] <= _ENUMERATED else (0, 1)


_CLIPPED = Quantity(
    "mean of min(loss, 1) under noise, lower end", _measured(lambda found: found.mean(1).low),
    r"\mathbb{E} \min(L(\Theta + \varepsilon), 1)", rounding=1e-9, enclosure=_enclosed,
)  # fmt: skip


def _bound(allowance: Callable[[], sp.Expr]) -> Callable[[], sp.Expr]:
    """σ² (G_u + P), with d = T+1."""
    return lambda: sigma**2 * (G_U + allowance()).subs(d, T + 1)


_SHARE = 2 * sigma**2 * G_U / 5
_IDEAL = Quantity(
    "mean loss of the ideal network under noise, upper end",
    _measured(lambda found: found.mean().high, IDEAL),
    r"\mathbb{E} L(\Theta_\infty + \varepsilon)", rounding=1e-9,
)  # fmt: skip
_RESTORED = _bound(theorem.p_restored)

chain = Derivation(
    label="sharpness.taylor.noisy.chain",
    title="From the ideal network's mean loss under noise to σ² (G_u + P)",
    steps=(
        Step(_IDEAL, "mean loss under noise"),
        Step(_SHARE, "two fifths of σ² G_u", "half the trace of the loss's Hessian", "sharpness.taylor.noisy.ideal"),
        Step(_RESTORED(), "σ² (G_u + P)", "P ≥ 0"),
    ),
    domain=NETWORKS, paper=PAPER, place=_PLACE,
    samples={
        "T=6, D=2, ω=2, σ=10⁻⁴": {"T": 6, "D": 2, "omega": 2, "u": 1, "sigma": Fraction(1, 10**4)},
        "T=20, D=2, ω=10, σ=10⁻⁴": {"T": 20, "D": 2, "omega": 10, "u": 1, "sigma": Fraction(1, 10**4)},
    },
)  # fmt: skip

printed = claim(
    label="sharpness.taylor.noisy.printed",
    statement="Under noise of standard deviation σ on all parameters the construction's mean loss over all inputs is "
    "at most σ² (G_u + P). For windows of D = 1 or 2 positions as components, with equal coefficients of unit length; "
    "T = 4, 6 or 20, ω = 1 or 2 and at T = 20 also 10, either trapezoid and σ = 10⁻⁶, 10⁻⁴ or 10⁻².",
    left=_CLIPPED,
    domain=NETWORKS,
    role="printed",
    place=_PLACE,
    reading="plausible",
    expected="refuted",
    rests_on=(
        "sharpness.taylor.expansion.printed", "sharpness.taylor.lagrange.printed", "sharpness.taylor.trace.printed",
        "sharpness.exactness.loss.zero[finite]",
    ),
    limitations=(
        f"Even min(loss, 1) is too large on average: the lower end {_INTERVAL}, from {_DRAWS}",
        "The counterexample is certain, by the closed form of sharpness.taylor.noisy.floor, and the same where d is "
        "read as T+2, not as T+1: P is thousands of times too small.",
    ),
    cases=(
        Case("notebook", right=_bound(theorem.p_printed)),
        Case("restored", right=_bound(theorem.p_restored)),
        Case("none", right=_bound(lambda: sp.S.Zero)),
        Case(
            "ideal",
            statement="Under noise of standard deviation σ on all parameters the mean loss of the construction whose "
            "softmaxes attend to nothing but their support is at most σ² (G_u + P), with σ restored in P. This holds "
            f"{_WHERE}.",
            left=_IDEAL,
            right=_RESTORED,
            derivation=chain,
            expected="supported",
            rests_on=("sharpness.exactness.loss.zero[ideal]", "sharpness.gradients.total.printed"),
            limitations=(f"The upper end {_INTERVAL}, from {_DRAWS}", "d is read as T+1, where P is smaller."),
        ),
    ),
)  # fmt: skip

_PAIRS_OF_DRAWS = 256
_SMALL = Choices(millionth=Fraction(1, 10**6), three_millionths=Fraction(3, 10**6))

at_published_size = claim(
    label="sharpness.taylor.noisy.published",
    statement="Under noise of standard deviation σ on all parameters the construction's mean loss over all inputs is "
    "at most σ² (G_u + P). For T = 20, D = 2, ω = 10, coefficients 1/√10 and pairs of bits side by side, and σ = 10⁻⁶ "
    "or 3·10⁻⁶.",
    left=Quantity(
        "mean of min(loss, 1) of the published example under noise, lower end",
        at_points(lambda p: published(p["u"], float(p["sigma"]), _PAIRS_OF_DRAWS).mean(1).low),
        r"\mathbb{E} \min(L(\Theta + \varepsilon), 1)", rounding=1e-9, enclosure=of_pairs,
    ),
    domain=Domain({u: BOTH, sigma: _SMALL}),
    role="printed",
    place=(*_PLACE, "Theorem 12"),
    reading="plausible",
    expected="refuted",
    rests_on=printed.rests_on,
    limitations=(
        f"The lower end {_INTERVAL}, from {_PAIRS_OF_DRAWS} mirrored pairs of draws, each with a drawn input; what "
        "refutes it is a closed form, (√(L - β) - Δ)² as in sharpness.taylor.noisy.floor: at least 0.00019 (steep) and "
        "0.00016 (wide).",
    ),
    cases=(
        Case("restored", right=lambda: _RESTORED().subs(SIZES)),
        Case("none", right=lambda: sigma**2 * G_U.subs(SIZES)),
    ),
)  # fmt: skip

# --- what is true in its place ----------------------------------------------------------------------

with_loss = claim(
    label="sharpness.taylor.noisy.with-loss",
    statement="No P is needed where the loss without noise is added. Under noise of standard deviation σ on all "
    "parameters the construction's mean loss over all inputs is at most that loss plus 2/5 σ² G_u. For windows of D = "
    "1 or 2 positions as components, with equal coefficients of unit length; T = 4, 6 or 20, ω = 1 or 2 and at T = 20 "
    "also 10, either trapezoid and σ = 10⁻⁶, 10⁻⁴ or 10⁻².",
    left=Quantity(
        "rise of the mean loss under noise, upper end", _measured(lambda found: found.rise.high),
        r"\mathbb{E} L(\Theta + \varepsilon) - L(\Theta)", rounding=1e-6,
    ),
    right=_SHARE,
    domain=NETWORKS,
    place=_PLACE,
    rests_on=("sharpness.gradients.total.sharp",),
    repairs=(
        *(f"{printed.label}[{case}]" for case in ("notebook", "restored", "none")),
        *(f"{at_published_size.label}[{case}]" for case in ("restored", "none")),
    ),
    limitations=(f"The upper end {_INTERVAL}, from {_DRAWS}",
                 "Proved, at any size and for any sets, is the bound of sharpness.noisy_loss.clipped."),
)  # fmt: skip

ideal = claim(
    label="sharpness.taylor.noisy.ideal",
    statement="With attention to its support alone the construction needs no P. Under noise of standard deviation σ on "
    "all parameters its mean loss over all inputs is at most 2/5 σ² G_u. For windows of D = 1 or 2 positions as "
    "components, with equal coefficients of unit length; T = 4, 6 or 20, ω = 1 or 2 and at T = 20 also 10, either "
    "trapezoid and σ = 10⁻⁶, 10⁻⁴ or 10⁻².",
    left=_IDEAL,
    right=_SHARE,
    domain=NETWORKS,
    place=_PLACE,
    improves=f"{printed.label}[ideal]",
    limitations=(f"The upper end {_INTERVAL}, from {_DRAWS}",),
)

floor = claim(
    label="sharpness.taylor.noisy.floor",
    statement="Under noise of standard deviation σ on all parameters the mean of min(loss, 1) over all inputs is at "
    "least (√(L - β) - Δ)², L the loss without noise, β the probability of a draw with a variable beyond eight "
    "standard deviations and Δ the root mean square by which others change the output, in closed form, where no active "
    "row can leave its plateau: for one component of D = 1 or 2 positions, T = 4 or 6.",
    left=Quantity(
        "mean of min(loss, 1) under noise of one component, upper end",
        _measured(lambda found: found.mean(1).high),
        r"\mathbb{E} \min(L(\Theta + \varepsilon), 1)", rounding=1e-9,
    ),
    relation=">=",
    right=Quantity(
        "(√(L - β) - Δ)², or zero", at_points(lambda p: float(of_one(p)[0])), r"(\sqrt{L - \beta} - \Delta)^2",
        rounding=1e-9,
    ),
    domain=Domain({T: Choices(four=4, six=6), D: Integers(1, 2), u: BOTH, sigma: _NOISE}),
    place=_PLACE,
    rests_on=("sharpness.noisy_loss.clipped",),
)  # fmt: skip
