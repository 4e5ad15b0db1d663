"""Theorems 2, 6, 12 and 17: the allowance P, Lagrange's point, and E L ≤ σ² (G_u + P) for networks."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
import torch
from flint import arb
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.balls import Ball, evaluate
from boundaudit.checks.language.claim import Case, Measure, Probability, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals
from boundaudit.checks.language.expression import Tree
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.measurements import Columns, at_points, evaluated
from boundaudit.checks.sharpness.exactness import COEFFICIENT
from boundaudit.checks.sharpness.proofs import PAIRS as SIDE_BY_SIDE
from boundaudit.checks.sharpness.targets import BOTH, PAPER, TRAPEZOIDS, by_trapezoid
from boundaudit.checks.sharpness.taylor.expansion import ANY_INPUT, chance, claim, windows
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import mean_loss as theory
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.bound.numbers import SIZES
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import D, T, d, omega, u
from boundaudit.derivations.sharpness.taylor import G_0, G_1, R_1, f_1, g_1, kappa_T, t_b
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness import attention as construction
from boundaudit.numeric.sharpness import taylor as network
from boundaudit.numeric.sharpness.choices import IDEAL
from boundaudit.numeric.sharpness.mean_loss import Losses, losses
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import Target

# --- a flip ---------------------------------------------------------------------------------------


def _after_bias(at: Columns, mlp: Trapezoid) -> Tensor:
    """The loss at the input without ones after the second unit's bias has gone down."""
    batch = construction.leading(at.whole("T"), at.whole("D"), at.real("C"))
    zeros = torch.zeros(len(batch), batch.max_length, dtype=torch.bool, device=at.device)
    return network.loss_after_bias(batch, zeros, 1, at.real("t_b"), mlp)


@by_trapezoid
def _from_lagrange(at: Columns, mlp: Trapezoid) -> Tensor:
    loss = _after_bias(at, mlp)
    degree, width, total, shift = map(at.real, ("D", "u", "C", "t_b"))
    return torch.minimum(loss, (loss - (4 * degree * total / width * shift) ** 2).abs())


_SIZES: dict[Any, Range] = {T: Integers(2, tested_to=12), D: Integers(1, T), u: BOTH, **COEFFICIENT}

printed = claim(
    label="sharpness.taylor.lagrange.printed", relation="=", role="printed", place=("Theorem 6", "Theorem 12"),
    statement="Let the bias of the unit that opens the first plateau go down by t, at the input without ones. Then "
    "there is a point ξ on the way with L = ½ L''(ξ) t². Half of L'' is (4DC/u)², u = 1 (steep) or 2 (wide), up to the "
    "flip at t = 1/(4D), and zero after it.",
    cases=(
        Case(
            "no-flip",
            left=Quantity(
                "loss after a bias has moved", by_trapezoid(_after_bias), r"L(t)", theorem.LOSS_OF_BIAS, rounding=1e-11,
                scale=1e2,
            ),
            right=theorem.PARABOLA,
            domain=Domain({**_SIZES, t_b: Reals(0, 1 / (4 * D))}),
            reading="certain",
            expected="proved",
        ),
        Case(
            "with-flips",
            left=Quantity(
                "distance of the loss from ½ L'' t², over all values of L''", _from_lagrange,
                r"\min_{\xi} |L(t) - \tfrac{1}{2} L''(\xi) t^2|", theorem.from_lagrange, rounding=1e-11, scale=1e2,
            ),
            right=sp.Integer(0),
            domain=Domain({**_SIZES, t_b: Reals(0, tested_to=1)}),
            reading="plausible",
            expected="refuted",
            limitations=(
                "The text assumes that no unit flips; but Gaussian noise flips units with positive probability, and "
                "the mean that the expansion states runs over all noise.",
            ),
        ),
    ),
)  # fmt: skip

# --- a kink at the construction -------------------------------------------------------------------


def _jumps(unit: int) -> Measure:
    """The jump at the input 01…10…0 of (T+1)/4 ones, D = 1."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        ones = at.whole("kappa_T") + 1
        length, degree = 4 * ones - 1, torch.ones_like(ones)
        batch = construction.leading(length, degree, at.real("C"))
        bits = construction.leading_bits(length, degree, torch.zeros_like(ones), ones)
        return network.derivative_jump(batch, bits, unit, mlp)

    return by_trapezoid(of)


_JUMP = Quantity(
    "jump of the output's derivative by a bias", _jumps(2),
    r"|\partial_+ f / \partial \gamma - \partial_- f / \partial \gamma|", theorem.JUMP, rounding=1e-10, scale=1.0,
)  # fmt: skip
_ON_KINK = Domain({kappa_T: Integers(0, tested_to=5), u: BOTH, **COEFFICIENT})

differentiable = claim(
    label="sharpness.taylor.kink.differentiable", relation="=", role="printed", reading="plausible", expected="refuted",
    statement="The output is differentiable in all parameters at the construction, so that its Hessian is well defined "
    "there. The check at T = 4κ+3, D = 1 and an input of weight κ+1: the two one-sided derivatives by a bias agree.",
    left=_JUMP, right=sp.Integer(0), domain=_ON_KINK, rests_on=("sharpness.kinks.none",),
    limitations=("At even T, such as the 20, 30, 40 and 50 of the text, there is no kink.",),
)  # fmt: skip

jump = claim(
    label="sharpness.taylor.kink.jump", expected="proved",
    statement="At T = 4κ+3, D = 1 and an input of weight κ+1 the one-sided derivatives of the output by the bias of "
    "the unit on its kink differ by at most 4/(uT), u = 1 (steep) or 2 (wide). Only rows that no component uses sit "
    "there, and their mass is below 1/(CT).",
    left=_JUMP, right=theorem.JUMP_BOUND, domain=_ON_KINK,
    rests_on=("sharpness.kinks.family[steep]", "sharpness.kinks.family[wide]"),
    repairs=("sharpness.taylor.kink.differentiable",),
)  # fmt: skip


# --- the change of the trace that the allowance P stands for, and networks under noise at every input ---

_PLACE = ("Theorem 17",)

# --- the change of the trace, as algebra ----------------------------------------------------------

_NONNEGATIVE = Reals(0, tested_to=10)
_CHANGES = Domain({
    G_0: _NONNEGATIVE, G_1: _NONNEGATIVE, R_1: _NONNEGATIVE, g_1: Reals(0, G_0 + G_1), f_1: Reals(-R_1, R_1)
})  # fmt: skip
_UNITS = {"G_0": 1, "G_1": 1, "R_1": 1, "g_1": 2, "f_1": 1}

change_printed = claim(
    label="sharpness.taylor.trace.change.printed", role="printed", place=_PLACE, reading="plausible",
    statement="Half of the trace of (f-y)²'s Hessian, or the trace itself, rises by at most 2 G_p (2 √G_u + G_p) + T_p "
    "(H_u + H_p) |Θ|. This supposes that the gradient has norm √G_u and changes by at most G_p. It also supposes that "
    "the residual, zero before, times the trace of Hess f is at most T_p (H_u + H_p) |Θ| after the change.",
    right=theorem.CHANGE_PRINTED, domain=_CHANGES, rests_on=("sharpness.loss_hessian.identity",),
    limitations=(
        "The step as algebra in its bounds; no network attains all of them. Whether the text bounds the trace or half "
        "of it by G_u + P is not known.",
    ),
    cases=(
        Case("trace", left=theorem.TRACE_CHANGE, expected="refuted"),
        Case(
            "half",
            left=theorem.TRACE_CHANGE / 2,
            kind="Tight",
            equality=({**_UNITS, "G_1": 0, "g_1": 1},),
            expected="proved",
        ),
    ),
)  # fmt: skip

change = claim(
    label="sharpness.taylor.trace.change", kind="Tight", place=_PLACE, expected="proved",
    statement="The trace of (f-y)²'s Hessian rises by at most 2 G_p (2 √G_u + G_p) + 2 T_p (H_u + H_p) |Θ|. This "
    "supposes that the gradient has norm √G_u and changes by at most G_p. It also supposes that the residual, zero "
    "before, times the trace of Hess f is at most T_p (H_u + H_p) |Θ| after the change.",
    left=theorem.TRACE_CHANGE, right=theorem.CHANGE, domain=_CHANGES, equality=(_UNITS,),
    rests_on=("sharpness.loss_hessian.identity",), repairs=("sharpness.taylor.trace.change.printed[trace]",),
)  # fmt: skip

# --- networks -------------------------------------------------------------------------------------

_EACH_INPUT = "At each input by itself; the Hessian is taken almost everywhere, without the kinks' mass."
_WINDOWS = "Components are windows of D positions from 1, 2, … on, with equal coefficients of unit length."
_WIDTH = "d = T+1, the smaller of two readings."


def _above(bound: Callable[[], sp.Expr], name: str, latex: str) -> Probability:
    """The probability that the trace under noise is above a bound, d = T+1."""
    limit = evaluated(lambda: bound().subs(d, T + 1))
    return chance(
        f"the trace of the loss Hessian after noise is above {name}",
        lambda _, noisy, point: noisy > float(limit([point], "cpu")[0]),
        rf"\mathbb{{P}}[\mathrm{{tr}}\,\mathrm{{Hess}}\,L(\Theta + \varepsilon) > {latex}]",
    )


allowance_printed = claim(
    label="sharpness.taylor.trace.printed", role="printed", place=_PLACE, mode="with probability at least 1-δ",
    reading="plausible",
    statement="After noise of standard deviation σ from 10⁻⁶ to 1/100 the trace of the loss Hessian is above 2 G_u + P "
    "with probability at most 1/20 at every input. P is that of the authors' notebook, or has σ restored in its G_p. "
    "For T from 4 to 20 and windows of D < T positions as components.",
    right=sp.Rational(1, 20), domain=ANY_INPUT,
    rests_on=(
        "sharpness.taylor.expansion.printed", "sharpness.taylor.lagrange.trace",
        "sharpness.taylor.trace.change.printed", "sharpness.perturbed.output.printed",
        "sharpness.perturbed.gradient.printed", "sharpness.perturbed.hessian.printed",
        "sharpness.gradients.total.printed", "sharpness.hessian.bound.printed",
    ),
    limitations=(_EACH_INPUT, _WINDOWS, _WIDTH),
    cases=(
        Case("notebook", left=_above(lambda: 2 * G_U + theorem.p_printed(), "2 G_u + P", "2 G_u + P")),
        Case(
            "restored",
            left=_above(lambda: 2 * G_U + theorem.p_restored(), "2 G_u + P with σ restored", r"2 G_u + P_\sigma"),
        ),
    ),
)  # fmt: skip


# --- E L ≤ σ² (G_u + P) for networks, and what is true in its place -------------------------------

_NOISY_PLACE = ("Theorem 2", "Theorem 6", "Theorem 17")
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
    domain=NETWORKS, paper=PAPER, place=_NOISY_PLACE,
    samples={
        "T=6, D=2, ω=2, σ=10⁻⁴": {"T": 6, "D": 2, "omega": 2, "u": 1, "sigma": Fraction(1, 10**4)},
        "T=20, D=2, ω=10, σ=10⁻⁴": {"T": 20, "D": 2, "omega": 10, "u": 1, "sigma": Fraction(1, 10**4)},
    },
)  # fmt: skip

noisy_printed = claim(
    label="sharpness.taylor.noisy.printed", role="printed", place=_NOISY_PLACE, reading="plausible", expected="refuted",
    statement="Under noise of standard deviation σ on all parameters the construction's mean loss over all inputs is "
    "at most σ² (G_u + P). For windows of D = 1 or 2 positions as components, with equal coefficients of unit length; "
    "T = 4, 6 or 20, ω = 1 or 2 and at T = 20 also 10, either trapezoid and σ = 10⁻⁶, 10⁻⁴ or 10⁻².",
    left=_CLIPPED, domain=NETWORKS,
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
    label="sharpness.taylor.noisy.published", role="printed", place=(*_NOISY_PLACE, "Theorem 12"), reading="plausible",
    expected="refuted",
    statement="Under noise of standard deviation σ on all parameters the construction's mean loss over all inputs is "
    "at most σ² (G_u + P). For T = 20, D = 2, ω = 10, coefficients 1/√10 and pairs of bits side by side, and σ = 10⁻⁶ "
    "or 3·10⁻⁶.",
    left=Quantity(
        "mean of min(loss, 1) of the published example under noise, lower end",
        at_points(lambda p: published(p["u"], float(p["sigma"]), _PAIRS_OF_DRAWS).mean(1).low),
        r"\mathbb{E} \min(L(\Theta + \varepsilon), 1)", rounding=1e-9, enclosure=of_pairs,
    ),
    domain=Domain({u: BOTH, sigma: _SMALL}), rests_on=noisy_printed.rests_on,
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
    label="sharpness.taylor.noisy.with-loss", place=_NOISY_PLACE,
    statement="No P is needed where the loss without noise is added. Under noise of standard deviation σ on all "
    "parameters the construction's mean loss over all inputs is at most that loss plus 2/5 σ² G_u. For windows of D = "
    "1 or 2 positions as components, with equal coefficients of unit length; T = 4, 6 or 20, ω = 1 or 2 and at T = 20 "
    "also 10, either trapezoid and σ = 10⁻⁶, 10⁻⁴ or 10⁻².",
    left=Quantity(
        "rise of the mean loss under noise, upper end", _measured(lambda found: found.rise.high),
        r"\mathbb{E} L(\Theta + \varepsilon) - L(\Theta)", rounding=1e-6,
    ),
    right=_SHARE, domain=NETWORKS, rests_on=("sharpness.gradients.total.sharp",),
    repairs=(
        *(f"{noisy_printed.label}[{case}]" for case in ("notebook", "restored", "none")),
        *(f"{at_published_size.label}[{case}]" for case in ("restored", "none")),
    ),
    limitations=(f"The upper end {_INTERVAL}, from {_DRAWS}",
                 "Proved, at any size and for any sets, is the bound of sharpness.noisy_loss.clipped."),
)  # fmt: skip

ideal = claim(
    label="sharpness.taylor.noisy.ideal", place=_NOISY_PLACE,
    statement="With attention to its support alone the construction needs no P. Under noise of standard deviation σ on "
    "all parameters its mean loss over all inputs is at most 2/5 σ² G_u. For windows of D = 1 or 2 positions as "
    "components, with equal coefficients of unit length; T = 4, 6 or 20, ω = 1 or 2 and at T = 20 also 10, either "
    "trapezoid and σ = 10⁻⁶, 10⁻⁴ or 10⁻².",
    left=_IDEAL, right=_SHARE, domain=NETWORKS, improves=f"{noisy_printed.label}[ideal]",
    limitations=(f"The upper end {_INTERVAL}, from {_DRAWS}",),
)  # fmt: skip

floor = claim(
    label="sharpness.taylor.noisy.floor", relation=">=", place=_NOISY_PLACE,
    statement="Under noise of standard deviation σ on all parameters the mean of min(loss, 1) over all inputs is at "
    "least (√(L - β) - Δ)², L the loss without noise, β the probability of a draw with a variable beyond eight "
    "standard deviations and Δ the root mean square by which others change the output, in closed form, where no active "
    "row can leave its plateau: for one component of D = 1 or 2 positions, T = 4 or 6.",
    left=Quantity(
        "mean of min(loss, 1) under noise of one component, upper end",
        _measured(lambda found: found.mean(1).high),
        r"\mathbb{E} \min(L(\Theta + \varepsilon), 1)", rounding=1e-9,
    ),
    right=Quantity(
        "(√(L - β) - Δ)², or zero", at_points(lambda p: float(of_one(p)[0])), r"(\sqrt{L - \beta} - \Delta)^2",
        rounding=1e-9,
    ),
    domain=Domain({T: Choices(four=4, six=6), D: Integers(1, 2), u: BOTH, sigma: _NOISE}),
    rests_on=("sharpness.noisy_loss.clipped",),
)  # fmt: skip
