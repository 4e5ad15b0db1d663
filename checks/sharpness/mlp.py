"""Theorem 9: the MLP interpolates even parity on the grid; its shape, slopes and units."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.targets import BOTH, PAPER, STEEP, WIDE, by_trapezoid
from boundaudit.derivations.sharpness import mlp as theorem
from boundaudit.derivations.sharpness.parameters import D, even, k, s, u, v
from boundaudit.numeric.sharpness.mlp import Trapezoid, breakpoints, response, slopes, unit_counts, units

_claim = functools.partial(Claim, paper=PAPER, place=("Theorem 9",))
DEGREES = Domain({D: Integers(1, tested_to=64), u: BOTH})
"""Every degree, for both trapezoids."""


def _degrees(points: Sequence[Point], device: str) -> Tensor:
    return torch.tensor([point["D"] for point in points], device=device)


def _response(argument: Callable[[Point], float]) -> Measure:
    """The MLP's output at s = argument/D, batched over points."""

    def measure(points: Sequence[Point], device: str) -> Array:
        def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
            degree = _degrees(chosen, device)
            x = torch.tensor([argument(p) for p in chosen], dtype=torch.float64, device=device)
            return response((x / degree)[:, None], degree, mlp)[:, 0]

        return by_trapezoid(points, of)

    return measure


def _per_degree(of: Callable[[int, Trapezoid], float]) -> Measure:
    """A number that belongs to one MLP, measured once for each degree and trapezoid."""

    def measure(points: Sequence[Point], device: str) -> Array:
        known: dict[tuple[int, Trapezoid], float] = {}

        def one(point: Point, mlp: Trapezoid) -> float:
            key = (point["D"], mlp)
            if key not in known:
                known[key] = of(*key)
            return known[key]

        return by_trapezoid(
            points, lambda chosen, mlp: torch.tensor([one(p, mlp) for p in chosen], dtype=torch.float64)
        )

    return measure


def _counts(which: int) -> Measure:
    """Live (0) or dead (1) hidden units."""
    return lambda points, device: by_trapezoid(
        points, lambda chosen, mlp: unit_counts(_degrees(chosen, device), mlp)[which].double()
    )


def _wave(name: str, argument: Callable[[Point], float], latex: str, x: sp.Expr) -> Quantity:
    """The MLP's output at s = x/D, measured and defined; it is of size one, and D+1 quadruples round."""
    return Quantity(name, _response(argument), latex, theorem.wave(x), rounding=1e-12, scale=1.0)


# --- values ---------------------------------------------------------------------------------------

interpolation = _claim(
    label="sharpness.mlp.interpolation",
    statement="The MLP's output at s = k/D is the even-parity indicator of k, at every grid point.",
    left=_wave("g(k/D)", lambda p: float(p["k"]), r"g\left(\tfrac{k}{D}\right)", k),
    relation="=",
    right=even(k),
    domain=Domain({D: Integers(1, tested_to=64), k: Integers(0, D), u: BOTH}),
    reading="certain",
    expected="certified",
)

_KAPPA = sp.Symbol("kappa", integer=True, nonnegative=True)


def _plateau(offset: int) -> Callable[[Point], float]:
    return lambda p: 2 * p["kappa"] + offset + float(p["v"])


plateau_one = _claim(
    label="sharpness.mlp.plateau-one",
    statement="Within 1/(4D) of an even grid point the MLP's output is exactly one.",
    left=_wave("g((2 kappa + v)/D)", _plateau(0), r"g\left(\tfrac{2\kappa + v}{D}\right)", 2 * _KAPPA + v),
    relation="=",
    right=sp.Integer(1),
    domain=Domain(
        {
            D: Integers(1, tested_to=32),
            _KAPPA: Integers(0, D / 2),
            u: BOTH,
            v: Reals(-sp.Rational(1, 4), sp.Rational(1, 4)),
        }
    ),
    reading="certain",
    expected="certified",
    rests_on=("sharpness.mlp.interpolation",),
)

plateau_zero = _claim(
    label="sharpness.mlp.plateau-zero",
    statement="Within (3-u)/(4D) of an odd grid point the MLP's output is exactly zero: half the grid for the steep "
    "trapezoid, a quarter for the wide one.",
    left=_wave("g((2 kappa + 1 + v)/D)", _plateau(1), r"g\left(\tfrac{2\kappa + 1 + v}{D}\right)", 2 * _KAPPA + 1 + v),
    relation="=",
    right=sp.Integer(0),
    domain=Domain(
        {
            D: Integers(1, tested_to=32),
            _KAPPA: Integers(0, (D - 1) / 2),
            u: BOTH,
            v: Reals(-(3 - u) / 4, (3 - u) / 4),
        }
    ),
    expected="certified",
    rests_on=("sharpness.mlp.interpolation",),
)

_WAVE = _wave("g(s)", lambda p: float(p["s"]) * p["D"], "g(s)", D * s)
_LINE = Domain({D: Integers(1, tested_to=32), u: BOTH, s: Reals(tested_to=2)})

range_upper = _claim(
    label="sharpness.mlp.range-upper",
    statement="The MLP's output never exceeds one, on the whole line.",
    left=_WAVE,
    relation="<=",
    right=sp.Integer(1),
    domain=_LINE,
    expected="certified",
    reading="certain",
)

range_lower = _claim(
    label="sharpness.mlp.range-lower",
    statement="The MLP's output is never negative, on the whole line.",
    left=_WAVE,
    relation=">=",
    right=sp.Integer(0),
    domain=_LINE,
    expected="certified",
    reading="certain",
)


# --- shape ----------------------------------------------------------------------------------------


def _sum_of_ramps(degree: int, mlp: Trapezoid) -> float:
    """Σ ± relu(h + Γ) over one quadruple at its own grid point h = 0."""
    signs = torch.tensor([1.0, -1.0, -1.0, 1.0], dtype=torch.float64)
    bias = units(torch.tensor([degree]), mlp).bias[0, :4]
    return float(signs @ torch.relu(bias))


height = _claim(
    label="sharpness.mlp.height",
    statement="Before the output weights scale it to one, a quadruple's four ramps add up to u/(4D) at its grid point.",
    left=Quantity(
        "sum of ramps",
        _per_degree(_sum_of_ramps),
        r"\sum_o \pm \mathrm{ReLU}(h + \Gamma_o)",
        theorem.RAMPS_ADDED,
    ),
    relation="=",
    right=theorem.SUM_OF_RAMPS,
    domain=DEGREES,
    expected="proved",
)

_SLOPE = Quantity(
    "largest slope of g", _per_degree(lambda d, mlp: float(slopes(d, mlp).abs().max())), r"\max_s |g'(s)|",
    theorem.SLOPE_BY_PIECES, rounding=1e-9,
)  # fmt: skip

slope = _claim(
    label="sharpness.mlp.slope",
    statement="The largest slope of the MLP's output is 4D/u: 4D for the steep trapezoid, 2D for the wide one.",
    left=_SLOPE,
    relation="=",
    right=theorem.SLOPE,
    domain=DEGREES,
    expected="proved",
    limitations=("Slopes are differences over whole affine pieces; their rounding budget is 1e-9.",),
)

slope_published = _claim(
    label="sharpness.mlp.slope-upper",
    statement="The derivative of the MLP's output stays between -4D and 4D.",
    left=_SLOPE,
    relation="<=",
    right=4 * D,
    domain=DEGREES,
    kind="Tight",
    equality=({"D": 1, "u": 1},),
    reading="certain",
    expected="proved",
    rests_on=("sharpness.mlp.slope",),
)


def _plateau_widths(degree: int, mlp: Trapezoid) -> tuple[float, float]:
    """Widths of the plateaus at one and at zero, from the breakpoints of the live units."""
    points = breakpoints(degree, mlp)
    zero = points[4] - points[3] if len(points) > 4 else torch.tensor(float("nan"))
    return float(points[2] - points[1]), float(zero)


one_width = _claim(
    label="sharpness.mlp.one-width",
    statement="Each plateau at one is 1/(2D) wide.",
    left=Quantity(
        "width at one",
        _per_degree(lambda d, mlp: _plateau_widths(d, mlp)[0]),
        r"|\{g = 1\}|",
        theorem.ONE_BETWEEN_BREAKPOINTS,
        rounding=1e-10,
    ),
    relation="=",
    right=theorem.ONE_PLATEAU,
    domain=DEGREES,
    expected="proved",
)

_ZERO_WIDTH = Quantity(
    "width at zero", _per_degree(lambda d, mlp: _plateau_widths(d, mlp)[1]), r"|\{g = 0\}|",
    theorem.ZERO_BETWEEN_BREAKPOINTS, rounding=1e-10,
)  # fmt: skip
_SEVERAL = Domain({D: Integers(2, tested_to=64), u: BOTH})

zero_width = _claim(
    label="sharpness.mlp.zero-width",
    statement="Each plateau at zero between two even grid points is (3-u)/(2D) wide: 1/D steep, 1/(2D) wide.",
    left=_ZERO_WIDTH,
    relation="=",
    right=theorem.ZERO_PLATEAU,
    domain=_SEVERAL,
    expected="proved",
)

equal_plateaus_steep = _claim(
    label="sharpness.mlp.equal-plateaus-steep",
    statement="The steep wave alternates between plateaus of equal width at zero and at one.",
    left=_ZERO_WIDTH,
    relation="=",
    right=theorem.ONE_PLATEAU,
    domain=_SEVERAL.replace(u=STEEP),
    reading="plausible",
    expected="refuted",
    limitations=("The text says that the wave alternates between 0 and 1; equal plateaus are one reading of it.",),
)

equal_plateaus_wide = _claim(
    label="sharpness.mlp.equal-plateaus-wide",
    statement="The wide wave alternates between plateaus of equal width at zero and at one.",
    left=_ZERO_WIDTH,
    relation="=",
    right=theorem.ONE_PLATEAU,
    domain=_SEVERAL.replace(u=WIDE),
    reading="plausible",
    expected="proved",
    repairs=("sharpness.mlp.equal-plateaus-steep",),
)


# --- units ----------------------------------------------------------------------------------------

_LIVE = Quantity("live units", _counts(0), r"\#\{j : F_j \ne 0\}", theorem.LIVE_BY_QUADRUPLES)
_DEAD = Quantity("dead units", _counts(1), r"\#\{j : F_j = 0\}", theorem.DEAD_BY_QUADRUPLES)

units_needed = _claim(
    label="sharpness.mlp.units-needed",
    statement="Interpolation needs 4(D+1) hidden units: no fewer of them act on the output.",
    left=_LIVE,
    relation=">=",
    right=theorem.UNITS,
    domain=DEGREES,
    reading="plausible",
    expected="refuted",
    limitations=("The text says that 4(D+1) units are required; as a count that suffices it is true.",),
)

units_live = _claim(
    label="sharpness.mlp.units-live",
    statement="4(⌊D/2⌋+1) hidden units suffice: those of odd grid points have output weight zero.",
    left=_LIVE,
    relation="=",
    right=theorem.LIVE_UNITS,
    domain=DEGREES,
    expected="proved",
    repairs=("sharpness.mlp.units-needed",),
)

units_dead = _claim(
    label="sharpness.mlp.units-dead",
    statement="At least four hidden units are dead: without them the function is the same and the norm strictly "
    "smaller.",
    left=_DEAD,
    relation=">=",
    right=sp.Integer(4),
    domain=DEGREES,
    kind="Tight",
    equality=({"D": 1, "u": 1}, {"D": 2, "u": 1}),
    expected="certified",
    rests_on=("sharpness.mlp.units-live",),
)
