"""Lemma 22: how much noise turns units of the MLP on or off, from margins to a sufficient σ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Probability, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Subsets
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, counted, evaluated
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.noise.moves import (
    AVERAGES,
    EVERY_ROW,
    FIRST_ORDER,
    OPEN,
    RARE,
    ROWS,
    VARIANCE,
    claim,
    variance,
)
from boundaudit.checks.sharpness.targets import BOTH, SPARSITY, TRAPEZOIDS, by_trapezoid
from boundaudit.derivations.pac_bayes.symbols import delta as fail
from boundaudit.derivations.sharpness import noise as theorem
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.derivations.sharpness.projection import K
from boundaudit.numeric.enumeration import Inputs
from boundaudit.numeric.sharpness import flips as measured
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.row_noise import Row, least_margin
from boundaudit.numeric.sharpness.target import Target, TargetBatch

_PLACE = ("Lemma 22",)
_DEAD = "Units of odd grid points count too: their output weight is zero, but noise moves it."


@by_trapezoid
def _margins(at: Columns, mlp: Trapezoid) -> Tensor:
    sizes, place = torch.unique(torch.stack([at.whole("T"), at.whole("D")]), dim=1, return_inverse=True)
    return least_margin(sizes[0], sizes[1], mlp)[place]


_SIZES = Domain({T: Integers(4, tested_to=16), D: Integers(1, T), u: BOTH})
_MARGIN = Quantity(
    "least distance of an active row's average from a breakpoint", _margins,
    r"\min_{t, x, u} |s_t + \Gamma_u|", theorem.margin_by_shift, rounding=1e-11, scale=1.0,
)  # fmt: skip

margin_printed = claim(
    label="sharpness.noise.flips.margin-printed",
    statement="For T ≥ 4 and with either trapezoid the averages of active rows keep 1/(4D) from the breakpoints of all "
    "units.",
    left=_MARGIN,
    relation=">=",
    right=theorem.MARGIN_PRINTED,
    domain=_SIZES,
    role="printed",
    place=_PLACE,
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.exactness.plateau.margin[four]",),
    limitations=("True of the ideal network alone, whose rows average to k/D.", _DEAD),
)

margin = claim(
    label="sharpness.noise.flips.margin",
    statement="For T ≥ 4 and with either trapezoid the averages of active rows keep exactly 1/(4D) - (T+1-D)/(D T² + "
    "T+1-D) from the breakpoints of all units. The leak of the first attention moves the row farthest in which all "
    "bits of the component are set.",
    left=_MARGIN,
    relation="=",
    right=theorem.MARGIN,
    domain=_SIZES,
    place=_PLACE,
    rests_on=("sharpness.exactness.plateau.margin[four]",),
    repairs=("sharpness.noise.flips.margin-printed",),
    limitations=(_DEAD,),
)

argument = claim(
    label="sharpness.noise.flips.argument",
    statement="To first order the argument of a unit of the MLP in an active row, which averages to s, moves with "
    "variance at most 4σ²: at most 2σ² through the average, s²σ² through M and σ² through Γ.",
    left=variance(
        "variance of a unit's argument", Row.argument, r"\mathbb{V}[\tilde b_t \tilde M_u + \tilde\Gamma_u] / \sigma^2",
        theorem.ARGUMENT,
    ),
    right=sp.Integer(4),
    domain=AVERAGES,
    mode=FIRST_ORDER,
    place=_PLACE,
    rests_on=("sharpness.noise.averages.data", "sharpness.activations.averaged"),
    limitations=(VARIANCE, EVERY_ROW),
)  # fmt: skip

# --- a sufficient σ -------------------------------------------------------------------------------


def _equal(length: int, components: Sequence[Sequence[int]]) -> Target:
    """The target with equal coefficients of unit length."""
    return Target(length, tuple(map(tuple, components)), (len(components) ** -0.5,) * len(components))


def _flips(point: Point, sigma: float, draws: int, seed: int, device: str) -> measured.Flips:
    """Flips of one target on T+1 inputs, one of each weight."""
    length = point["T"]
    batch = TargetBatch.stack([_equal(length, point["S"])], device=device)
    bits = torch.ones(length + 1, length, dtype=torch.bool, device=device).tril(-1)
    return measured.flips(build(batch, mlp=TRAPEZOIDS[point["u"]]), batch, bits, sigma, draws, seed)


_SAFE = evaluated(lambda: theorem.SAFE_SIGMA)


def _at_safe(point: Point, trials: int, seed: int, device: str) -> measured.Flips:
    return _flips(point, float(_SAFE([point], device)[0]), trials, seed, device)


_NETWORKS = Domain(
    {
        T: Integers(4, 8),
        D: Integers(1, 3),
        omega: SPARSITY,
        u: BOTH,
        fail: Reals(sp.Rational(1, 50), sp.Rational(1, 4)),
        sp.Symbol("S"): Subsets(omega, D, T),
    }
)
_ROW = ROWS.replace(T=Integers(4, 16), D=Integers(1, sp.Min(T, 5)))
_INPUTS = "Inputs whose ones come first, one of each weight: T+1 of them. Coefficients do not matter."

every_row = claim(
    label="sharpness.noise.flips.every-row",
    statement="At σ = m/√(8 log(2ω(D+1)(T+1)/δ)), m = 1/(4D) - (T+1-D)/(D T² + T+1-D), no unit of any row, rows that "
    "no component uses among them, flips on T+1 inputs with probability at least 1-δ.",
    left=Probability(
        "probability that a unit of any row flips at the sufficient σ", counted(lambda *trial: _at_safe(*trial).any),
        r"\mathbb{P}[\text{a unit of any row flips}]",
    ),
    right=fail,
    domain=_NETWORKS,
    mode="with probability at least 1-δ",
    role="control",
    place=_PLACE,
    expected="refuted",
    limitations=(
        "A reading that the text does not ask for; the condition on σ is ours. Unused rows average to n/(T+1), on a "
        "kink or close to one for some weight n: no σ excludes flips there.",
        _INPUTS,
    ),
)  # fmt: skip

active_rows = claim(
    label="sharpness.noise.flips.active-rows",
    statement="At σ = m/√(8 log(2ω(D+1)(T+1)/δ)), m = 1/(4D) - (T+1-D)/(D T² + T+1-D), noise of standard deviation σ "
    "on all parameters flips no unit of an active row on T+1 inputs with probability at least 1-δ, for T from 4 to 8 "
    "and D ≤ 3.",
    left=Probability(
        "probability that a unit of an active row flips at the sufficient σ",
        counted(lambda *trial: _at_safe(*trial).active),
        r"\mathbb{P}[\text{a unit of an active row flips}]",
    ),
    right=fail,
    domain=_NETWORKS,
    mode="with probability at least 1-δ",
    place=_PLACE,
    rests_on=(
        "sharpness.noise.flips.margin", "sharpness.noise.flips.argument", "sharpness.noise.normal-tail",
        "sharpness.projection.union",
    ),
    limitations=(
        "Proved to first order: one-sided tails of at most exp(-m²/(8σ²))/2 over (T+1) ω 4(D+1) arguments; counted on "
        "networks with noise of that size, with every higher order.",
        _INPUTS,
    ),
)  # fmt: skip

# --- the condition on σ for one row --------------------------------------------------------------------


def _one_row(point: Point, trials: int, seed: int, device: str) -> int:
    """In how many trials noise of size K/D flips a unit of the component {1…D}'s row at one input."""
    length, degree = point["T"], point["D"]
    position = torch.arange(length, device=device)
    bits = (position < point["k"]) | ((position >= degree) & (position < degree + point["r"]))
    batch = TargetBatch.stack([_equal(length, [range(1, degree + 1)])], device=device)
    blocks = build(batch, mlp=TRAPEZOIDS[point["u"]])
    return measured.flips(blocks, batch, bits[None], float(point["K"]) / degree, trials, seed).active


_ONE_ROW = Probability(
    "probability that a unit of one component's row flips at σ = K/D", counted(_one_row),
    r"\mathbb{P}[\text{a unit of the row flips}]",
)  # fmt: skip
_SINGLE = "One row at one input; for all rows of components at many inputs σ must be smaller by a logarithm's root."

condition = claim(
    label="sharpness.noise.flips.condition",
    statement="Noise of standard deviation σ ≤ K/D on all parameters leaves every unit of the MLP in a component's row "
    "on its side of the kink, at any one input with probability at least 19/20. For T ≥ 4 and every constant K ≤ 1/70.",
    left=_ONE_ROW,
    right=RARE,
    domain=lambda: Domain({**_ROW.ranges, K: Reals(sp.Rational(1, 1000), sp.Rational(1, 70))}),
    mode="with probability at least 19/20",
    role="printed",
    place=_PLACE,
    reading="plausible",
    rests_on=("sharpness.noise.flips.margin-printed", "sharpness.noise.averages.printed"),
    limitations=(OPEN, _SINGLE, EVERY_ROW),
)


# --- the figure -----------------------------------------------------------------------------------

_SIGMAS = [10 ** (-3 + n / 6) for n in range(10)]
_LENGTH, _SPARSITY, _LEVEL = 20, 7, 0.025


def _windows(degree: int) -> Target:
    """The first components: windows of neighbouring positions."""
    return _equal(_LENGTH, [sorted((t + n) % _LENGTH + 1 for n in range(degree)) for t in range(_SPARSITY)])


def _counted(name: str, events: Sequence[int], draws: int) -> Series:
    from boundaudit.checks.evidence.trial import Trials  # loads SciPy's distributions, which no claim needs

    trials = Trials([{"sigma": sigma} for sigma in _SIGMAS], np.array(events), draws, 0)
    return Series(
        name, _SIGMAS, trials.frequency.tolist(), low=trials.lower(_LEVEL).tolist(),
        high=trials.upper(_LEVEL).tolist(), drawn="points",
    )  # fmt: skip


def _panel(degree: int, draws: int, inputs: int, setting: Setting) -> Panel:
    batch = TargetBatch.stack([_windows(degree)], device=setting.device)
    blocks = build(batch)
    bits = next(Inputs(_LENGTH, "random", inputs, seed=setting.seed).batches(inputs, device=setting.device))
    found = [measured.flips(blocks, batch, bits, sigma, draws, setting.seed + n) for n, sigma in enumerate(_SIGMAS)]
    single, union = measured.predicted(blocks, batch, bits, torch.tensor(_SIGMAS, dtype=torch.float64))
    return Panel(
        f"T = {_LENGTH}, D = {degree}, ω = {_SPARSITY}", "σ", f"probability of a flip on one of {inputs} inputs",
        [
            _counted("active rows, measured", [flip.active for flip in found], draws),
            _counted("any row, measured", [flip.any for flip in found], draws),
            Series("active rows, one unit to first order", _SIGMAS, single.tolist()),
            Series("active rows, union bound to first order", _SIGMAS, union.tolist()),
        ],
        log="x",
    )  # fmt: skip


def _study(setting: Setting) -> list[Panel]:
    draws, inputs = (20, 16) if setting.profile == "smoke" else (200, 64)
    return [_panel(degree, draws, inputs, setting) for degree in (1, 2, 5)]


study = Study(
    label="sharpness.noise.flips.probability",
    title="How much noise flips units of the MLP",
    caption="Share of perturbed networks in which a unit changes between on and off on at least one input, with "
    "simultaneous 95 % intervals; steep trapezoid. Rows that no component uses flip at smaller noise than active rows. "
    "To first order the truth for active rows lies between the likeliest single flip and the union bound.",
    claims=("sharpness.noise.flips.active-rows", "sharpness.noise.flips.every-row"),
    compute=_study,
    paper=active_rows.paper,
    place=_PLACE,
)
