"""Perturbed networks: small ones, where claims speak of them, and what several claims have in common."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Count, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, combined, counted, evaluated, measured
from boundaudit.checks.sharpness.disjoint_supports import tiled, tiles
from boundaudit.checks.sharpness.targets import BOTH, PAPER, TRAPEZOIDS, by_trapezoid, input_bits, trapezoid
from boundaudit.checks.sharpness.taylor.shared import ANY_INPUT, windows
from boundaudit.derivations.sharpness.disjoint_supports import FINITE, n_e
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.derivations.sharpness.perturbed_output import ell_3, three_components
from boundaudit.derivations.sharpness.perturbed_output import stretched as tiling_derivative
from boundaudit.numeric.sharpness import layer_two, moments
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.noise import gaussian
from boundaudit.numeric.sharpness.target import TargetBatch

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
EVEN_LENGTHS = "Lengths are even, where no row sits on a kink and derivatives exist; inputs are those of tilings."
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
    """A point of `SMALL` as one of tilings.

    Returns:
        The point with equal coefficients of unit length, no ones outside, and, unless it says so, half of the
        components without a one.
    """
    sparsity = point["omega"]
    return {"n_e": (sparsity + 1) // 2, "u": 1, **point, "c": (sparsity**-0.5,) * sparsity, "n_r": 0}


def networks(at: Columns) -> Network:
    """The networks of points that share a trapezoid.

    Args:
        at: Points of tilings.

    Returns:
        The networks with their inputs.
    """
    batch, bits = tiled(at)
    return Network(build(batch, mlp=trapezoid(at)), batch, bits)


def third_coefficient(at: Columns) -> Network:
    """The networks of `THREE`, whose third coefficient may be smaller than any float.

    Args:
        at: Points with T, u and ell_3, u alike.

    Returns:
        The networks with their inputs.
    """
    whole = {"D": 1, "omega": 3, "c": (0.5, 0.25, 1.0), "n_e": 1, "n_r": 0}
    found = networks(Columns([{**point, **whole} for point in at.points], at.device))
    exponent = at.real("ell_3")
    found.blocks.W2[:, 2, -2] -= exponent
    found.blocks.V2[:, -1] = 0.75 + torch.exp(-exponent)
    return found


def remembered(compute: Callable[[Network], _Found]) -> Callable[[Point, str], _Found]:
    """What is computed of one network of `SMALL`, which a run computes once.

    Args:
        compute: From one network to what is found.

    Returns:
        From a point and a device to what is found.
    """

    @functools.cache
    def of(point: tuple[tuple[str, Any], ...], device: str) -> _Found:
        return compute(networks(Columns([complete(dict(point))], device)))

    return lambda point, device: of(tuple(sorted(point.items())), device)


def one_by_one(measure: Callable[[Network], float]) -> Measure:
    """A measurement of one network of `SMALL` at a time.

    Args:
        measure: From one network to a number.

    Returns:
        A measurement.
    """
    found = remembered(measure)
    return measured(lambda at: at.each(lambda point: found(point, at.device)))


def over(bound: Callable[[], sp.Expr], measure: Measure) -> Measure:
    """How many times a bound exceeds what it bounds.

    Args:
        bound: Makes the bound, an expression in the parameters of the points.
        measure: What it bounds.

    Returns:
        A measurement of the quotient.
    """
    return combined(lambda most, found: most / found, evaluated(bound), measure)


def whole(name: str, bound: Callable[[], sp.Expr], latex: str) -> Quantity:
    """A stated bound of many terms that is varied as a whole.

    Args:
        name: What it is.
        bound: Makes it, an expression in the parameters of the points.
        latex: How the report writes it.

    Returns:
        The quantity.
    """
    return Quantity(name, evaluated(bound), latex, bound)


def at_any_input(point: Point, device: str) -> Network:
    """The network of a point of `ANY_INPUT` with its input.

    Returns:
        One network.
    """
    batch = TargetBatch.stack([windows(point["T"], point["D"], point["omega"])], device=device)
    bits = input_bits(torch.tensor([point["x_n"]], device=device), batch).bool()
    return Network(build(batch, mlp=TRAPEZOIDS[point["u"]]), batch, bits)


def exceeding(bound: Callable[[], sp.Expr], size: Callable[[Network, float, int, int], Tensor]) -> Count:
    """How often noise moves a network of `ANY_INPUT` further than a bound.

    Args:
        bound: Makes the bound, an expression in the parameters of the points.
        size: From a network, σ, a number of draws and a seed to the size of the change in each draw.

    Returns:
        A count for `Probability`.
    """
    limit = evaluated(bound)

    def beyond(point: Point, trials: int, seed: int, device: str) -> int:
        found = size(at_any_input(point, device), float(point["sigma"]), trials, seed)
        # A change that overflows is beyond every bound.
        return int((~(found <= limit([point], device)[0])).sum())

    return counted(beyond)


def stretched(order: int) -> Quantity:
    """The size of a derivative along the direction of F that moves the keys.

    Args:
        order: 1, 2 or 3.

    Returns:
        The quantity on `THREE`.
    """
    return _directional(order, third_coefficient, lambda: sp.Abs(three_components(tiling_derivative(FINITE, order))))


def stretched_by_floor(order: int) -> Quantity:
    """The size of a derivative along the direction of F that moves the keys, where coefficients keep to the floor.

    Args:
        order: 1, 2 or 3.

    Returns:
        The quantity on `LONG`.
    """
    return _directional(order, networks, lambda: sp.Abs(tiling_derivative(FINITE, order)))


def first_weight(of: Callable[[Tensor, Tensor], Tensor]) -> Measure:
    """A number of layer 2's attention to the first row of a network of `THREE`.

    Args:
        of: From the weight and its derivative along the direction of F that moves the keys.

    Returns:
        A measurement.
    """

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
