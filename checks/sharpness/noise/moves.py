"""Lemmas 21, 22 and 25: how far noise moves averages of bits, whether units flip, and how far slopes move."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Measure, Probability, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, counted, evaluated
from boundaudit.checks.sharpness.targets import BOTH, PAPER, STEEP, TRAPEZOIDS, WIDE, by_trapezoid
from boundaudit.derivations.pac_bayes.symbols import delta as fail
from boundaudit.derivations.sharpness import noise as theorem
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.noise import z_t
from boundaudit.derivations.sharpness.parameters import D, T, k, u
from boundaudit.derivations.sharpness.projection import K
from boundaudit.numeric.sharpness import normal_sums
from boundaudit.numeric.sharpness import row_noise as measured
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.noise import gaussian
from boundaudit.numeric.sharpness.row_noise import Moves, Row, active_row, first_order, idle_row, least_margin
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER)
FIRST_ORDER = "to first order in σ"
WITH_PROBABILITY = "to first order in σ, with probability at least 1-δ"

ROWS = Domain({T: Integers(4, tested_to=16), D: Integers(1, T), k: Integers(0, D), r: Integers(0, T - D), u: BOTH})
"""Rows of a component with k ones inside it and r outside, from T = 4 on, where they rest on their plateaus."""

AVERAGES = Domain(
    {
        T: Integers(2, tested_to=16),
        D: Integers(1, T),
        k: Integers(0, D),
        r: Integers(0, T - D),
        z_t: Integers(0, sp.Min(1, k + r)),
    }
)
"""Rows of a component, with the bit at the row's own position."""

TRIALS = Domain(
    {
        T: Integers(4, 10),
        D: Integers(1, T),
        k: Integers(0, D),
        r: Integers(0, T - D),
        u: BOTH,
        fail: Reals(sp.Rational(1, 50), sp.Rational(1, 4)),
    }
)

RARE = sp.Rational(1, 20)
"""The probability of failure at which constants that a statement leaves open are judged."""
NINETEEN = "to first order in σ, with probability at least 19/20"
OPEN = "The text leaves the constant open; it is a parameter here, judged at failures of probability 1/20."

VARIANCE = "Variances are in units of σ²: the exact law to first order in σ is normal."
EVERY_ROW = "One component {1…D}; its row depends on the input through the ones inside the component and outside it."
WIDTHS = "All T+2 channels of the construction without projection count."


def variance(what: str, of: Callable[[Row], Tensor], latex: str, definition: Any) -> Quantity:
    """A variance of an active row to first order, in units of σ²."""
    return Quantity(what, _measured(_active, of), latex, definition, rounding=1e-11, scale=1.0)


def idle_variance(what: str, of: Callable[[Row], Tensor], latex: str) -> Quantity:
    """A variance of a row that no component uses."""
    return Quantity(what, _measured(_idle, of), latex, rounding=1e-11, scale=1.0)


def stated(what: str, bound: Callable[[], sp.Expr], latex: str) -> Quantity:
    """A stated side that is varied as a whole."""
    return Quantity(what, evaluated(bound), latex)


def _measured(row: Callable[[Columns, Trapezoid], Row], of: Callable[[Row], Tensor]) -> Measure:
    return by_trapezoid(lambda at, mlp: of(row(at, mlp)))


def tail(what: str, of: Callable[[Row], tuple[Tensor, Tensor]], bound: Callable[[], sp.Expr], latex: str) -> Quantity:
    """The probability that noise moves an active row beyond a bound over σ, to first order and without trials."""
    limit = evaluated(bound)

    def beyond(at: Columns, mlp: Trapezoid) -> Tensor:
        row = _active(at, mlp)
        reach = torch.tensor(limit(at.points, at.device), dtype=torch.float64, device=at.device)
        return normal_sums.tail(*of(row), row.channels, reach)

    return Quantity(what, by_trapezoid(beyond), latex, rounding=1e-11, scale=1.0)


def _active(at: Columns, mlp: Trapezoid) -> Row:
    length, degree, inside, outside = map(at.whole, "TDkr")
    return active_row(length, degree, inside, outside, at.whole("z_t", 0), mlp)


def _idle(at: Columns, mlp: Trapezoid) -> Row:
    return idle_row(at.whole("T"), at.whole("D"), at.whole("n_z"), at.whole("z_t"), mlp)


def chance(what: str, of: Callable[[Moves], Tensor], bound: Callable[[], sp.Expr], latex: str) -> Probability:
    """The probability that noise moves a component's row beyond a bound over σ, by differentiating whole networks."""
    limit = evaluated(bound)

    def beyond(point: Point, trials: int, seed: int, device: str) -> int:
        return int((of(_moves(point, trials, seed, device)) > float(limit([point], device)[0])).sum())

    return Probability(what, counted(beyond), latex)


def _moves(point: Point, trials: int, seed: int, device: str) -> Moves:
    """The moves of one row in independent trials."""
    length, degree, inside, outside = (point[name] for name in ("T", "D", "k", "r"))
    position = torch.arange(length, device=device)
    bits = (position < inside) | ((position >= degree) & (position < degree + outside))
    lengths, coefficient = torch.tensor([length], device=device), torch.ones(1, 1, device=device)
    batch = TargetBatch.from_tensors(lengths, (position < degree)[None, None], coefficient)
    one = build(batch, mlp="steep" if point["u"] == 1 else "wide")
    copies = batch.repeat(trials)
    blocks = one.with_weights([weight.repeat(trials, *(1,) * (weight.ndim - 1)) for _, weight in one.named()])
    return first_order(blocks, copies, bits.expand(trials, -1), gaussian(copies, blocks, seed))


# --- how far noise moves the averages of the first attention, to first order ----------------------

_PLACE = ("Lemma 21",)
_NORMALISER = "sharpness.activations.normaliser"

_BEYOND = tail(
    "probability that a row of averages moves by more than K σ √(T+2)", lambda row: (row.tokens, row.pull),
    lambda: K * sp.sqrt(T + 2), r"\mathbb{P}\left[\|\tilde b_t - b_t\| > K \sigma \sqrt{T+2}\right]",
)  # fmt: skip
_LEAST = sp.Rational("1.813")

printed = claim(
    label="sharpness.noise.averages.printed", mode=NINETEEN, role="printed", place=_PLACE, reading="plausible",
    statement="Noise of standard deviation σ on all parameters moves an active row of the first attention's output by "
    "at most K σ √d, d = T+2 its width. To first order that holds with probability at least 19/20, for every constant "
    "K ≥ 1.813.",
    left=_BEYOND, right=RARE, domain=Domain({**AVERAGES.ranges, K: Reals(_LEAST, tested_to=20)}),
    rests_on=("sharpness.noise.chi.tail", "sharpness.noise.phi.printed"),
    limitations=(OPEN, EVERY_ROW, "For long inputs √2 is enough, in the limit."),
)  # fmt: skip

least = claim(
    label="sharpness.noise.averages.least", relation=">=", mode=NINETEEN, place=_PLACE,
    statement="For no constant K ≤ 1.812 does K σ √(T+2) bound the first-order move of every active row of the first "
    "attention's output with probability at least 19/20: a row of one bit at the input 11111 moves farther more often.",
    left=_BEYOND, right=RARE,
    domain=Domain({
        T: Integers(5, 5), D: Integers(1, 1), k: Integers(1, 1), r: Integers(4, 4), z_t: Integers(1, 1),
        K: Reals(0, sp.Rational("1.812"), open_low=True),
    }),
)  # fmt: skip

_SQUARE = variance(
    "mean squared move of a row of averages", Row.average_square, r"\mathbb{E} \|\tilde b_t - b_t\|^2 / \sigma^2",
    theorem.AVERAGE_SQUARE,
)  # fmt: skip

data = claim(
    label="sharpness.noise.averages.data", mode=FIRST_ORDER, place=_PLACE,
    statement="To first order the data channel of an active row's average s moves with variance at most 2σ²: ‖X^T a‖² "
    "σ² from the noise of the values, and ‖x_t‖² ‖Σ a_j (z_j - s) x_j‖² σ² from that of the attention a over tokens "
    "x_j with bits z_j.",
    left=variance(
        "variance of an average's data channel", Row.average_data,
        r"\mathbb{V}[\tilde b_{t,\mathrm{data}}] / \sigma^2", theorem.AVERAGE_DATA,
    ),
    right=sp.Integer(2), domain=AVERAGES, rests_on=(_NORMALISER,),
    limitations=(VARIANCE, EVERY_ROW, "The constant is approached at D = 1 and long inputs."),
)  # fmt: skip

square = claim(
    label="sharpness.noise.averages.square", mode=FIRST_ORDER, place=_PLACE,
    statement="To first order an active row of the first attention's output moves by at most √(2(T+2)) σ in the mean "
    "square: every one of its T+2 channels takes the noise of V1.",
    left=_SQUARE, right=2 * (T + 2), domain=AVERAGES, rests_on=("sharpness.noise.averages.data",),
    limitations=(VARIANCE, EVERY_ROW, WIDTHS),
)  # fmt: skip

bound = claim(
    label="sharpness.noise.averages.bound", mode=WITH_PROBABILITY, place=_PLACE,
    statement="To first order in σ an active row of the first attention's output moves, with probability at least "
    "1-δ, by at most σ √(2(T+2)) φ(T+2, δ), φ² = 1 + 2 √(log(1/δ)/n) + 2 log(1/δ)/n at n = T+2; for T "
    "from 4 to 10 and δ from 1/50 to 1/4.",
    left=chance(
        "probability that a row of averages moves by more than σ √(2(T+2)) φ",
        lambda moves: moves.average.norm(dim=-1), theorem.average_bound,
        r"\mathbb{P}\left[\|\tilde b_t - b_t\| > \sigma \sqrt{2(T+2)} \, \varphi(T+2, \delta)\right]",
    ),
    right=fail, domain=TRIALS,
    rests_on=("sharpness.noise.averages.data", "sharpness.noise.averages.square", "sharpness.noise.chi.tail"),
    improves="sharpness.noise.averages.printed", limitations=(EVERY_ROW, WIDTHS),
)  # fmt: skip


# --- how much noise turns units of the MLP on or off, from margins to a sufficient σ --------------

_FLIPS_PLACE = ("Lemma 22",)
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
    label="sharpness.noise.flips.margin-printed", relation=">=", role="printed", place=_FLIPS_PLACE,
    reading="plausible", expected="refuted",
    statement="For T ≥ 4 and with either trapezoid the averages of active rows keep 1/(4D) from the breakpoints of all "
    "units.",
    left=_MARGIN, right=theorem.MARGIN_PRINTED, domain=_SIZES, rests_on=("sharpness.exactness.plateau.margin[four]",),
    limitations=("True of the ideal network alone, whose rows average to k/D.", _DEAD),
)  # fmt: skip

margin = claim(
    label="sharpness.noise.flips.margin", relation="=", place=_FLIPS_PLACE, expected="proved",
    statement="For T ≥ 4 and with either trapezoid the averages of active rows keep exactly 1/(4D) - (T+1-D)/(D T² + "
    "T+1-D) from the breakpoints of all units. The leak of the first attention moves the row farthest in which all "
    "bits of the component are set.",
    left=_MARGIN, right=theorem.MARGIN, domain=_SIZES, rests_on=("sharpness.exactness.plateau.margin[four]",),
    repairs=("sharpness.noise.flips.margin-printed",), limitations=(_DEAD,),
)  # fmt: skip

argument = claim(
    label="sharpness.noise.flips.argument", mode=FIRST_ORDER, place=_FLIPS_PLACE,
    statement="To first order the argument of a unit of the MLP in an active row, which averages to s, moves with "
    "variance at most 4σ²: at most 2σ² through the average, s²σ² through M and σ² through Γ.",
    left=variance(
        "variance of a unit's argument", Row.argument, r"\mathbb{V}[\tilde b_t \tilde M_u + \tilde\Gamma_u] / \sigma^2",
        theorem.ARGUMENT,
    ),
    right=sp.Integer(4), domain=AVERAGES, rests_on=("sharpness.noise.averages.data", "sharpness.activations.averaged"),
    limitations=(VARIANCE, EVERY_ROW),
)  # fmt: skip


# --- a sufficient σ -------------------------------------------------------------------------------


def _equal(length: int, components: Sequence[Sequence[int]]) -> Target:
    """The target with equal coefficients of unit length."""
    return Target(length, tuple(map(tuple, components)), (len(components) ** -0.5,) * len(components))


_ROW = ROWS.replace(T=Integers(4, 16), D=Integers(1, sp.Min(T, 5)))


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
    label="sharpness.noise.flips.condition", mode="with probability at least 19/20", role="printed", place=_FLIPS_PLACE,
    reading="plausible",
    statement="Noise of standard deviation σ ≤ K/D on all parameters leaves every unit of the MLP in a component's row "
    "on its side of the kink, at any one input with probability at least 19/20. For T ≥ 4 and every constant K ≤ 1/70.",
    left=_ONE_ROW, right=RARE,
    domain=lambda: Domain({**_ROW.ranges, K: Reals(sp.Rational(1, 1000), sp.Rational(1, 70))}),
    rests_on=("sharpness.noise.flips.margin-printed", "sharpness.noise.averages.printed"),
    limitations=(OPEN, _SINGLE, EVERY_ROW),
)  # fmt: skip


# --- how far noise moves the MLP's slopes while no unit flips -------------------------------------

_SLOPES_PLACE = ("Lemma 25",)
_PLATEAU = "sharpness.exactness.plateau.margin[four]"
_TAIL = "sharpness.noise.normal-tail"
_FIRST_ORDER_ONLY = "On the event that no unit flips, which first order takes for granted."

_SLOPES_BEYOND = tail(
    "probability that an active row's slope moves by more than K σ (D² + √((T+2)D))", Row.slope_parts,
    lambda: K * (D**2 + sp.sqrt((T + 2) * D)),
    r"\mathbb{P}\left[\|\delta (\partial g_t / \partial b_{t,\mathrm{data}})\| > K \sigma (D^2 + \sqrt{(T+2)D})\right]",
)  # fmt: skip

slopes_printed = claim(
    label="sharpness.noise.slopes.printed", mode=NINETEEN, role="printed", place=_SLOPES_PLACE, reading="plausible",
    statement="While no unit flips, noise of standard deviation σ moves the Jacobian ∂g_t/∂b_t in its data channel's "
    "column by at most K σ (D² + √(dD)), in an active row of the MLP of width d = T+2 ≥ 6. To first order that holds "
    "with probability at least 19/20 for every constant K ≥ 5.3 (steep) and K ≥ 3.2 (wide).",
    left=_SLOPES_BEYOND, right=RARE, rests_on=(_PLATEAU, "sharpness.noise.phi.dropped", "sharpness.noise.chi.tail"),
    limitations=(OPEN, EVERY_ROW, _FIRST_ORDER_ONLY, "One constant in front of both terms."),
    cases=(
        Case("steep", domain=Domain({**ROWS.replace(u=STEEP).ranges, K: Reals(sp.Rational("5.3"), tested_to=50)})),
        Case("wide", domain=Domain({**ROWS.replace(u=WIDE).ranges, K: Reals(sp.Rational("3.2"), tested_to=50)})),
    ),
)  # fmt: skip


_SLOPE = variance(
    "mean squared move of an active row's slope in the data channel", Row.slope_square,
    r"\mathbb{E} \|\delta (\partial g_t / \partial b_{t,\mathrm{data}})\|^2 / \sigma^2", theorem.SLOPE_SQUARE,
)  # fmt: skip

slopes_square = claim(
    label="sharpness.noise.slopes.square", kind="Tight", mode=FIRST_ORDER, place=_SLOPES_PLACE, expected="proved",
    statement="For inputs of length T ≥ 4 and to first order in σ the data channel's column of the Jacobian ∂g_t/∂b_t "
    "of an active row moves by at most √(32 D²(D+1)/u² + (4D+2)(T+2)) σ in the mean square, with equality where all D "
    "bits are one: 4k+2 units are active.",
    left=_SLOPE, right=theorem.SLOPE_SQUARE_MOST, domain=ROWS,
    equality=({"T": 4, "D": 1, "k": 1, "r": 0, "u": 1}, {"T": 6, "D": 3, "k": 3, "r": 1, "u": 2}), rests_on=(_PLATEAU,),
    limitations=(VARIANCE, EVERY_ROW, WIDTHS),
)  # fmt: skip

slopes_bound = claim(
    label="sharpness.noise.slopes.bound", mode=WITH_PROBABILITY, place=_SLOPES_PLACE,
    statement="To first order in σ the data channel's column of the Jacobian ∂g_t/∂b_t of an active row moves, with "
    "probability at least 1-δ, by at most σ (√(2 log(2/δ) 32 D²(D+1)/u²) + √((4D+2)(T+2)) φ(T+2, δ/2)), "
    "φ² = 1 + 2 √(log(1/δ)/n) + 2 log(1/δ)/n and u = 1 (steep) or 2 (wide); for T from 4 to 10 and δ from "
    "1/50 to 1/4.",
    left=chance(
        "probability that an active row's slope moves by more than its bound",
        lambda moves: moves.slope.norm(dim=-1), lambda: theorem.two_parts(theorem.OUTER_MOST, 4 * D + 2),
        r"\mathbb{P}\left[\|\delta (\partial g_t / \partial b_{t,\mathrm{data}})\| > \sigma "
        r"(\sqrt{2 \log(2/\delta) 32 D^2 (D+1) / u^2} + \sqrt{(4D+2)(T+2)} \, \varphi(T+2, \delta/2))\right]",
    ),
    right=fail, domain=TRIALS, rests_on=("sharpness.noise.slopes.square", _TAIL, "sharpness.noise.chi.tail"),
    improves="sharpness.noise.slopes.printed", limitations=(EVERY_ROW, WIDTHS, _FIRST_ORDER_ONLY),
)  # fmt: skip
