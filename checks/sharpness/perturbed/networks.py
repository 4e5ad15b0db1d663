"""Theorems 24, 30 and 31: how far noise moves the output, its gradient and its Hessian."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Claim, Count, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, combined, counted, evaluated, measured
from boundaudit.checks.sharpness.gradients.shared import FROM_FOUR, IN_THE_BALL, MEASURED, proof
from boundaudit.checks.sharpness.targets import (
    BOTH,
    KINKED,
    PAPER,
    TRAPEZOIDS,
    by_trapezoid,
    input_bits,
    tiled,
    tiles,
    trapezoid,
)
from boundaudit.checks.sharpness.taylor.expansion import ANY_INPUT, windows
from boundaudit.derivations.sharpness import perturbed_gradient as theorem
from boundaudit.derivations.sharpness.activations import SPREAD
from boundaudit.derivations.sharpness.disjoint_supports import FINITE, n_e
from boundaudit.derivations.sharpness.gradients import G_U_SHARP, OTHERS_SHARP, UPSTREAM_SIMPLE
from boundaudit.derivations.sharpness.parameters import D, T, d, omega, u
from boundaudit.derivations.sharpness.perturbed_hessian import H_P
from boundaudit.derivations.sharpness.perturbed_output import COUNTED, PRINTED, T_P, ell_3, rate, three_components
from boundaudit.derivations.sharpness.perturbed_output import stretched as tiling_derivative
from boundaudit.numeric.sharpness import layer_two, moments
from boundaudit.numeric.sharpness.autodiff import hessian
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.moments import third_squares
from boundaudit.numeric.sharpness.noise import gaussian
from boundaudit.numeric.sharpness.target import TargetBatch
from boundaudit.numeric.sharpness.taylor import QUANTILE

claim = functools.partial(Claim, paper=PAPER)

# At even T no row that all tokens share can sit on a kink of the MLP, where there is no derivative.
_EVEN = Choices(four=4, six=6, eight=8, twelve=12)
LONG = tiles(12).replace(T=_EVEN)
LONGER = tiles(20).replace(T=Choices(four=4, six=6, twelve=12, twenty=20))
_SIZES: dict[Any, Range] = {T: Choices(four=4, six=6), D: Choices(one=1, two=2), omega: Choices(one=1, two=2)}
SMALL = Domain({**_SIZES, u: BOTH, n_e: Choices(none=0, one=1)})
"""Components side by side with equal coefficients of unit length, every second or all with a one."""

TINY = SMALL.replace(T=Choices(four=4))
"""Those at T = 4."""

FOUR_AND_TWENTY = SMALL.replace(T=Choices(four=4, twenty=20))
"""Those at T = 4 and at the length of the experiments."""

THREE = Domain({T: Integers(4, tested_to=8), u: BOTH, ell_3: Integers(0, tested_to=10**5)})
"""Three components of one position with coefficients 1/2, 1/4 and exp(-ell_3); the first holds no one."""

_WINDOWS = "For T from 4 to 20, windows of D < T positions as components"
EACH_INPUT = "At each input by itself; component t is the window of D positions from t on, coefficients are equal."
QUIET = f"{_WINDOWS}, and noise of standard deviation σ from 10⁻⁶ to 1/100 on all parameters, "
COUNTED_WIDTH = "d is read as the number of channels less one, the stricter reading."
PRINTED_WIDTH = "d is read as T+2, as in the printed numbers, the weaker reading."
EXHAUSTIVE = (
    "Components side by side, one or two, with equal coefficients of unit length; at T = 4 and 6 and degrees 1 and 2."
)
NO_FLOOR = (
    "Read without a lower limit on the coefficients; components {1}, {2}, {3}, and the input that has ones at 2 and 3."
)
FIRST_ORDER, PROBABLY = "to first order in σ", "with probability at least 1-δ"
CASES: dict[str, Point] = {
    "T=6, D=1, ω=1": {"T": 6, "D": 1, "omega": 1},
    "T=6, D=2, ω=2": {"T": 6, "D": 2, "omega": 2},
    "T=8, D=2, ω=3": {"T": 8, "D": 2, "omega": 3},
}

# --- claims that several theorems make ------------------------------------------------------------

first_order = functools.partial(claim, mode=FIRST_ORDER)
along_f = functools.partial(
    first_order,
    domain=THREE,
    role="printed",
    reading="plausible",
    expected="refuted",
    limitations=(PRINTED_WIDTH, NO_FLOOR),
)
"""A printed bound along the direction of F that moves the keys, where one coefficient is as small as it likes."""

with_floor = functools.partial(
    first_order,
    domain=LONG,
    rests_on=("sharpness.norms.W2.upper",),
    limitations=(COUNTED_WIDTH, "One direction only; the whole change is measured on small networks."),
)
"""The same direction where coefficients keep to the floor."""

_at_any_input = functools.partial(claim, mode=PROBABLY, domain=ANY_INPUT)
small_noise = functools.partial(_at_any_input, right=sp.Rational(1, 20), limitations=(EACH_INPUT, COUNTED_WIDTH))
"""Noise up to 1/100 rarely exceeds a bound."""


# --- networks -------------------------------------------------------------------------------------

_Found = TypeVar("_Found")


class Network(NamedTuple):
    """One network for each point, each with one input.

    Attributes:
        blocks: the weights.
        batch: the targets.
        bits: the inputs, shape (B, T_max).
    """

    blocks: Blocks
    batch: TargetBatch
    bits: Tensor

    def noise(self, seed: int) -> Blocks:
        """Standard normal noise for each network, zero on padding."""
        return gaussian(self.batch, self.blocks, seed)

    @property
    def single(self) -> tuple[Blocks, TargetBatch, Tensor]:
        """The weights, the target and the input, shape (T,), of one network."""
        return self.blocks, self.batch, self.bits[0]


def complete(point: Point) -> Point:
    """A point of `SMALL` as one of tilings: equal coefficients, no ones outside, half the components without a one."""
    sparsity = point["omega"]
    return {"n_e": (sparsity + 1) // 2, "u": 1, **point, "c": (sparsity**-0.5,) * sparsity, "n_r": 0}


def networks(at: Columns) -> Network:
    """The networks of points that share a trapezoid."""
    batch, bits = tiled(at)
    return Network(build(batch, mlp=trapezoid(at)), batch, bits)


def third_coefficient(at: Columns) -> Network:
    """The networks of `THREE`, whose third coefficient may be smaller than any float."""
    whole = {"D": 1, "omega": 3, "c": (0.5, 0.25, 1.0), "n_e": 1, "n_r": 0}
    found = networks(Columns([{**point, **whole} for point in at.points], at.device))
    exponent = at.real("ell_3")
    found.blocks.W2[:, 2, -2] -= exponent
    found.blocks.V2[:, -1] = 0.75 + torch.exp(-exponent)
    return found


def remembered(compute: Callable[[Network], _Found]) -> Callable[[Point, str], _Found]:
    """What is computed of one network of `SMALL`, which a run computes once."""

    @functools.cache
    def of(point: tuple[tuple[str, Any], ...], device: str) -> _Found:
        return compute(networks(Columns([complete(dict(point))], device)))

    return lambda point, device: of(tuple(sorted(point.items())), device)


def one_by_one(measure: Callable[[Network], float]) -> Measure:
    """A measurement of one network of `SMALL` at a time."""
    found = remembered(measure)
    return measured(lambda at: at.each(lambda point: found(point, at.device)))


def over(bound: Callable[[], sp.Expr], measure: Measure) -> Measure:
    """How many times a bound exceeds what it bounds."""
    return combined(lambda most, found: most / found, evaluated(bound), measure)


def whole(name: str, bound: Callable[[], sp.Expr], latex: str) -> Quantity:
    """A stated bound of many terms that is varied as a whole."""
    return Quantity(name, evaluated(bound), latex, bound)


def at_any_input(point: Point, device: str) -> Network:
    """The network of a point of `ANY_INPUT` with its input."""
    batch = TargetBatch.stack([windows(point["T"], point["D"], point["omega"])], device=device)
    bits = input_bits(torch.tensor([point["x_n"]], device=device), batch).bool()
    return Network(build(batch, mlp=TRAPEZOIDS[point["u"]]), batch, bits)


def exceeding(bound: Callable[[], sp.Expr], size: Callable[[Network, float, int, int], Tensor]) -> Count:
    """How often noise moves a network of `ANY_INPUT` further than a bound: a count for `Probability`."""
    limit = evaluated(bound)

    def beyond(point: Point, trials: int, seed: int, device: str) -> int:
        found = size(at_any_input(point, device), float(point["sigma"]), trials, seed)
        # A change that overflows is beyond every bound.
        return int((~(found <= limit([point], device)[0])).sum())

    return counted(beyond)


def stretched(order: int) -> Quantity:
    """The size of a derivative along the direction of F that moves the keys."""
    return _directional(order, third_coefficient, lambda: sp.Abs(three_components(tiling_derivative(FINITE, order))))


def stretched_by_floor(order: int) -> Quantity:
    """The size of a derivative along the direction of F that moves the keys, where coefficients keep to the floor."""
    return _directional(order, networks, lambda: sp.Abs(tiling_derivative(FINITE, order)))


def first_weight(of: Callable[[Tensor, Tensor], Tensor]) -> Measure:
    """A number of layer 2's attention to the first row of a network of `THREE`."""

    def measure(at: Columns, _: Trapezoid) -> Tensor:
        blocks, batch, bits = third_coefficient(at)
        weight = trace(blocks, batch, bits[:, None]).second[:, 0, 0]
        return of(weight, layer_two.stretched_weights(blocks, batch, bits)[:, 0])

    return by_trapezoid(measure)


def _directional(order: int, make: Callable[[Columns], Network], written: Callable[[], sp.Expr]) -> Quantity:
    return Quantity(
        f"derivative of order {order} of the output along a unit direction of F",
        by_trapezoid(lambda at, _: moments.stretched(*make(at), order).abs()),
        rf"|\partial_\phi^{order} f|", written, rounding=1e-9, scale=1e-3,
    )  # fmt: skip


# --- how far noise moves the output ---------------------------------------------------------------

_PLACE = ("Theorem 24",)


printed = along_f(
    label="sharpness.perturbed.output.printed", place=_PLACE,
    statement="For any positive coefficients noise of standard deviation σ on all parameters moves the output with "
    "high probability by at most T_p. The check, for coefficients 1/2, 1/4 and a third one: let noise act along one "
    "direction of F alone, the one that moves the keys. To first order T_p is then at least one standard deviation of "
    "the output's change.",
    left=stretched(1), right=lambda: three_components(rate(T_P, PRINTED)),
    rests_on=(
        "sharpness.noise.chi.tail", "sharpness.noise.phi.dropped", "sharpness.noise.averages.printed",
        "sharpness.noise.rows.printed", "sharpness.noise.rows.idle", "sharpness.perturbed.weights.printed",
    ),
)  # fmt: skip

_ANY_SIZES = Domain({T: Integers(4, tested_to=60), D: Integers(1, T), omega: Integers(1, T), u: BOTH})
_LEAST, _LOG = (rate(T_P, COUNTED) / 16) ** 2, sp.log(T) ** 2
_F = omega * (D + 1) * (4 * (1 + _LOG) + omega * _LOG)

sizes = claim(
    label="sharpness.perturbed.output.sizes", place=_PLACE, expected="proved",
    statement="Sixteen times the root of the sharp bound on the squared gradient of the output is at most T_p over σ, "
    "for every T ≥ 4, D and ω up to T and either trapezoid.",
    left=G_U_SHARP, right=_LEAST, domain=_ANY_SIZES,
    derivation=Derivation(
        label="sharpness.perturbed.output.sizes.steps", title="T_p against the size of the gradient", domain=_ANY_SIZES,
        samples={"T = 20, D = 2, ω = 10": {"T": 20, "D": 2, "omega": 10, "u": 1}}, paper=PAPER, place=_PLACE,
        steps=(
            Step(G_U_SHARP, "the sharp bound on |∇f|²"),
            Step(
                OTHERS_SHARP + omega * (4 * (D + 1) * (1 + _LOG) + omega * SPREAD * _LOG / 4), "H ≤ 4(D+1)", "",
                "sharpness.activations.hidden.length.simple",
            ),
            Step(OTHERS_SHARP + _F, "R ≤ 4(D+1)"),
            Step(2 + omega * (sp.Rational(3, 8) + 128 * D**3) + UPSTREAM_SIMPLE + _F, "D + 1 ≤ 2D, u ≥ 1"),
            Step(2 + omega * (1 + 128 * D**3) + 2 * D**2 + _F, "T ≥ 4"),
            Step(D**4 * (omega * (141 + 8 * _LOG) + 2 * omega**2 * _LOG), "in D⁴"),
            Step(4 * D**4 * (16 * omega**2 * _LOG + omega + 8 * omega * sp.log(T)), "log T ≥ log 4"),
            Step(_LEAST, "(T_p/16)²"),
        ),
    ),
)  # fmt: skip

_FLOORED = IN_THE_BALL.replace(T=FROM_FOUR)

deviation = first_order(
    label="sharpness.perturbed.output.deviation", place=_PLACE, expected="proved",
    statement="For coefficients from T⁻⁴ to 1 in the unit ball T_p is at least sixteen standard deviations σ|∇f| of "
    "the output's first-order change under noise on all parameters; for every family of components of D positions, "
    "every input and T ≥ 4.",
    left=MEASURED["finite"]["total"], right=_LEAST, domain=_FLOORED, repairs=("sharpness.perturbed.output.printed",),
    derivation=proof(
        "sharpness.perturbed.output.deviation", "finite", _FLOORED,
        Step(MEASURED["finite"]["total"], "measured |∇f|²"),
        Step(G_U_SHARP, "its sharp bound", "", "sharpness.gradients.total.sharp[finite]"),
        Step(_LEAST, "(T_p/16)²", "", ("sharpness.gradients.unused", sizes.label)),
    ),
    limitations=(
        KINKED, COUNTED_WIDTH,
        "The factor that turns standard deviations into a probability 1-δ is not in the printed T_p.",
    ),
)  # fmt: skip


# --- how far noise moves the gradient -------------------------------------------------------------

_GRADIENT_PLACE = ("Theorem 30",)

_GRADIENT_SIZES: dict[Any, Range] = {
    T: Integers(2, tested_to=64), D: Integers(1, T), omega: Integers(1, T), d: Integers(1, tested_to=64)
}  # fmt: skip

gradient_printed = along_f(
    label="sharpness.perturbed.gradient.printed", place=_GRADIENT_PLACE,
    statement="For any positive coefficients noise of standard deviation σ on all parameters moves the gradient with "
    "high probability by at most G_p, with σ restored in two terms. The check, for coefficients 1/2, 1/4 and a third "
    "one: let v be the direction of F that moves the keys, and let noise act along v alone. To first order G_p is then "
    "at least one standard deviation of the gradient's change along v.",
    left=stretched(2), right=lambda: three_components(rate(theorem.G_P, PRINTED)),
    rests_on=(
        "sharpness.perturbed.output.printed", "sharpness.perturbed.weights.printed", "sharpness.noise.slopes.printed",
        "sharpness.softmax.change.printed", "sharpness.softmax.jacobian.printed",
        "sharpness.perturbed.rows.stream.printed",
    ),
)  # fmt: skip

floored = with_floor(
    label="sharpness.perturbed.gradient.with-floor", place=_GRADIENT_PLACE,
    statement="For coefficients from T⁻⁴ to 1 in the unit ball let v be the direction of F that moves the keys. Then "
    "G_p, with σ restored, is at least a thousand standard deviations of the gradient's first-order change along v "
    "under noise along v; for components side by side and even T.",
    left=stretched_by_floor(2),
    right=whole(
        "a thousandth of G_p with σ restored, over σ", lambda: rate(theorem.G_P, COUNTED) / 1000, r"G_p / (1000 \sigma)"
    ),
    repairs=("sharpness.perturbed.gradient.printed",),
)  # fmt: skip

left_over = claim(
    label="sharpness.perturbed.gradient.left-over", relation="=", place=_GRADIENT_PLACE, expected="proved",
    statement="In the authors' notebook, which reproduces the printed number 0.0733, two terms of G_p carry no σ: "
    "without noise it is 64√2 D² ω² log T (d+2), and not zero.",
    left=theorem.WITHOUT_NOISE, right=theorem.LEFT_OVER, domain=Domain(_GRADIENT_SIZES),
    limitations=("A fact of the notebook; the theorem's own display may have the σ.",),
)  # fmt: skip


def _frobenius(network: Network) -> float:
    """‖Hess f‖_F, the root mean square of the first-order change of the gradient for each unit of σ."""
    return float(torch.linalg.matrix_norm(hessian(*network.single)))


second_moment = first_order(
    label="sharpness.perturbed.gradient.second-moment", relation=">=", place=_GRADIENT_PLACE, role="improvement",
    statement="To first order noise of standard deviation σ on all parameters moves the gradient by σ‖Hess f‖_F in "
    "root mean square, which is at most a hundredth of G_p with σ restored. For one or two components side by side "
    "with equal coefficients, T = 4 or 6 and D ≤ 2.",
    left=Quantity(
        "G_p with σ restored over the first-order change of the gradient",
        over(lambda: rate(theorem.G_P, COUNTED), one_by_one(_frobenius)),
        r"\frac{G_p}{\sigma \|\nabla^2 f\|_F}", rounding=1e-9,
    ),
    right=sp.Integer(100), domain=SMALL, limitations=(EXHAUSTIVE, COUNTED_WIDTH),
)  # fmt: skip


# --- how far noise moves the Hessian of the output ------------------------------------------------

_HESSIAN_PLACE = ("Theorem 31",)
_BLOCKS = "The printed proof bounds six blocks of the Hessian; the change that is measured is that of all of them."


_PAIRS = 32


def _change(network: Network) -> float:
    """The upper end of a 99 % interval of ‖D³f‖_F, the root mean square over draws of ‖D³f[ε]‖_F."""
    squares = third_squares(*network.single, _PAIRS, 0)
    return math.sqrt(float(squares.mean() + QUANTILE * squares.std() / _PAIRS**0.5))


hessian_printed = along_f(
    label="sharpness.perturbed.hessian.printed", place=_HESSIAN_PLACE,
    statement="For any positive coefficients noise of standard deviation σ on all parameters moves the Hessian of the "
    "output with high probability by at most H_p in operator norm. The check, for coefficients 1/2, 1/4 and a third "
    "one: let v be the direction of F that moves the keys, and let noise act along v alone. To first order H_p is then "
    "at least one standard deviation of the change of vᵀ Hess f v.",
    left=stretched(3), right=lambda: three_components(rate(H_P, PRINTED)),
    rests_on=(
        "sharpness.hessian.blocks.six",
        "sharpness.perturbed.gradient.printed",
        "sharpness.softmax.change.printed",
    ),
)  # fmt: skip

hessian_floored = with_floor(
    label="sharpness.perturbed.hessian.with-floor", place=_HESSIAN_PLACE,
    statement="For coefficients from T⁻⁴ to 1 in the unit ball let v be the direction of F that moves the keys. Then "
    "H_p is at least a thousand standard deviations of the first-order change of vᵀ Hess f v under noise along v; for "
    "components side by side and even T.",
    left=stretched_by_floor(3),
    right=whole("a thousandth of H_p, over σ", lambda: rate(H_P, COUNTED) / 1000, r"H_p / (1000 \sigma)"),
    repairs=("sharpness.perturbed.hessian.printed",),
)  # fmt: skip

hessian_second_moment = first_order(
    label="sharpness.perturbed.hessian.first-order", relation=">=", place=_HESSIAN_PLACE,
    statement="To first order noise moves the Hessian by more than H_p in operator norm with probability at most "
    "1/62500. The first-order change has a root mean square of σ‖D³f‖_F in Frobenius norm, which is no smaller than "
    "the operator norm, and this is at most a 250th of H_p. For one or two components side by side with equal "
    "coefficients, T = 4 or 20 and D ≤ 2.",
    left=Quantity(
        "H_p over the first-order change of the Hessian", over(lambda: rate(H_P, COUNTED), one_by_one(_change)),
        r"\frac{H_p}{\sigma \|D^3 f\|_F}", rounding=1e-9,
    ),
    right=sp.Integer(250), domain=FOUR_AND_TWENTY, improves="sharpness.perturbed.hessian.with-floor",
    limitations=(
        "Components side by side, one or two, with equal coefficients of unit length.",
        COUNTED_WIDTH,
        "The upper end of a 99 % interval from 32 pairs of directions, as |D³f[ε, ε']|² has mean ‖D³f‖_F²; the "
        "probability is Chebyshev's.",
        _BLOCKS,
    ),
)  # fmt: skip
