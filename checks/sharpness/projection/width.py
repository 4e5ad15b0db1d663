"""Appendix B.2: the width to which positions may be projected."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Count, Measure, Probability
from boundaudit.checks.language.domain import Domain, Integers, Reals, Subsets
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import completed, counted, evaluated
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.targets import PAPER, SPARSITY
from boundaudit.derivations.pac_bayes.symbols import delta as fail
from boundaudit.derivations.sharpness import projection as theorem
from boundaudit.derivations.sharpness import projection_chaos as chaos
from boundaudit.derivations.sharpness.parameters import D, T, omega
from boundaudit.numeric.enumeration import Inputs
from boundaudit.numeric.sharpness import projected_network as network
from boundaudit.numeric.sharpness import projected_width as medians
from boundaudit.numeric.sharpness.target import Target

claim = functools.partial(Claim, paper=PAPER, place=("Appendix B.2",))


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
