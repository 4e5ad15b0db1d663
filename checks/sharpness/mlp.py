"""Theorem 9: the MLP interpolates even parity on the grid; its shape, slopes and units."""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.targets import BOTH, PAPER, by_trapezoid
from boundaudit.derivations.sharpness import mlp as theorem
from boundaudit.derivations.sharpness.mlp import kappa, n_o, n_q
from boundaudit.derivations.sharpness.parameters import D, even, k, s, u, v
from boundaudit.numeric.sharpness.mlp import Trapezoid, response, slopes, unit_counts, units

_claim = functools.partial(Claim, paper=PAPER, place=("Theorem 9",))
DEGREES = Domain({D: Integers(1, tested_to=64), u: BOTH})
"""Every degree, for both trapezoids."""


def _wave(
    name: str, latex: str, over_grid: Callable[[Columns, Tensor], Tensor], definition: Callable[[], sp.Expr]
) -> Quantity:
    """The MLP's output at s = x/D for an x that columns and D give; it is of size one, and D+1 quadruples round."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        degree = at.whole("D") if "D" in at.points[0] else 2 * at.whole("n_q") + at.whole("n_o")
        return response((over_grid(at, degree) / degree)[:, None], degree, mlp)[:, 0]

    return Quantity(name, by_trapezoid(of), latex, definition, rounding=1e-12, scale=1.0)


def _per_degree(of: Callable[[int, Trapezoid], float]) -> Measure:
    """A number that belongs to one MLP, measured once for each degree and trapezoid."""
    known = functools.cache(of)
    return by_trapezoid(lambda at, mlp: at.each(lambda p: known(p["D"], mlp)))


# --- values ---------------------------------------------------------------------------------------

interpolation = _claim(
    label="sharpness.mlp.interpolation", relation="=", role="printed", reading="certain", expected="proved",
    statement="The MLP of Theorem 9 interpolates even parity: at every grid point s = k/D, k = 0…D, its output g(s) "
    "is 1 for even and 0 for odd k, for every degree D and with either trapezoid.",
    left=_wave("g(k/D)", r"g\left(\tfrac{k}{D}\right)", lambda at, _: at.real("k"),
               lambda: theorem.wave_near(k, sp.Integer(0))),
    right=even(k), domain=Domain({D: Integers(1, tested_to=64), k: Integers(0, D), u: BOTH}),
    rests_on=("sharpness.mlp.height",),
)  # fmt: skip


def _plateau(name: str, odd: int, value: int, last: sp.Expr, width: sp.Expr) -> Case:
    grid = "2 kappa + 1 + v" if odd else "2 kappa + v"
    return Case(
        name,
        left=_wave(
            f"g(({grid})/D)", rf"g\left(\tfrac{{{grid}}}{{D}}\right)".replace("kappa", r"\kappa"),
            lambda at, _: 2 * at.real("kappa") + odd + at.real("v"), lambda: theorem.wave_near(2 * kappa + odd, v),
        ),
        right=sp.Integer(value),
        domain=Domain({D: Integers(1, tested_to=32), kappa: Integers(0, last), u: BOTH, v: Reals(-width, width)}),
    )  # fmt: skip


plateaus = _claim(
    label="sharpness.mlp.plateaus", relation="=", reading="certain", expected="proved",
    statement="The output g of Theorem 9's MLP is exactly 1 within 1/(4D) of the even grid points 2κ/D, and exactly 0 "
    "within (3-u)/(4D) of the odd ones, (2κ+1)/D: 1/(2D) with the steep trapezoid (u = 1), 1/(4D) with the wide one "
    "(u = 2).",
    cases=(_plateau("one", 0, 1, D / 2, sp.Rational(1, 4)), _plateau("zero", 1, 0, (D - 1) / 2, (3 - u) / 4)),
    rests_on=("sharpness.mlp.interpolation",),
)  # fmt: skip

range_ = _claim(
    label="sharpness.mlp.range", role="printed", reading="certain", expected="proved",
    statement="The output g of Theorem 9's MLP alternates between 0 and 1: it is never negative, and it does not "
    "exceed 1 for s from -1/D to 1+1/D, which are all s within 1/D of an even grid point.",
    cases=(
        Case(
            "lower",
            left=_wave("g(s)", "g(s)", lambda at, degree: at.real("s") * degree, lambda: theorem.wave(D * s)),
            relation=">=",
            kind="Lower",
            right=sp.Integer(0),
            domain=Domain({D: Integers(1, tested_to=32), u: BOTH, s: Reals(tested_to=2)}),
        ),
        Case(
            "upper",
            left=_wave("g((2 kappa + v)/D)", r"g\left(\tfrac{2\kappa + v}{D}\right)",
                       lambda at, _: 2 * at.real("kappa") + at.real("v"), theorem.live_wave),
            right=sp.Integer(1),
            domain=Domain(
                {n_q: Integers(0, tested_to=16), n_o: Choices(even=0, odd=1), kappa: Integers(0, n_q), u: BOTH,
                 v: Reals(-1, 1)},
                where=[2 * n_q + n_o >= 1],
            ),
            limitations=("The degree is D = 2 n_q + n_o, which is every degree once.",),
        ),
    ),
)  # fmt: skip


# --- shape ----------------------------------------------------------------------------------------


def _sum_of_ramps(degree: int, mlp: Trapezoid) -> float:
    """Σ ± relu(h + Γ) over one quadruple at its own grid point h = 0."""
    signs = torch.tensor([1.0, -1.0, -1.0, 1.0], dtype=torch.float64)
    bias = units(torch.tensor([degree]), mlp).bias[0, :4]
    return float(signs @ torch.relu(bias))


height = _claim(
    label="sharpness.mlp.height", relation="=", expected="proved",
    statement="Before the output weights scale it to one, the four ramps of one quadruple of hidden units in Theorem "
    "9's MLP add up to u/(4D) at their grid point, u = 1 for the steep and u = 2 for the wide trapezoid.",
    left=Quantity("sum of ramps", _per_degree(_sum_of_ramps), r"\sum_o \pm \mathrm{ReLU}(h + \Gamma_o)",
                  theorem.ramps_added),
    right=theorem.SUM_OF_RAMPS, domain=DEGREES,
)  # fmt: skip

slope = _claim(
    label="sharpness.mlp.slope", relation="=", role="printed", reading="certain", expected="proved",
    statement="The largest slope of Theorem 9's MLP output is 4D/u: its derivative is a square wave that reaches 4D "
    "with the steep trapezoid (u = 1) and 2D with the wide one (u = 2).",
    left=Quantity(
        "largest slope of g", _per_degree(lambda d, mlp: float(slopes(d, mlp).abs().max())), r"\max_s |g'(s)|",
        theorem.slope_by_pieces, rounding=1e-9,
    ),
    right=theorem.SLOPE, domain=DEGREES,
    limitations=("Slopes are differences over whole affine pieces; their rounding budget is 1e-9.",),
)  # fmt: skip


# --- units ----------------------------------------------------------------------------------------

_LIVE = Quantity(
    "live units",
    by_trapezoid(lambda at, mlp: unit_counts(at.whole("D"), mlp)[0].double()),
    r"\#\{j : F_j \ne 0\}",
    theorem.LIVE_BY_QUADRUPLES,
)

units_printed = _claim(
    label="sharpness.mlp.units-printed", role="printed", reading="plausible",
    statement="Theorem 9's interpolation of even parity on D+1 grid points requires 4(D+1) hidden units: so many "
    "suffice.",
    left=_LIVE, right=theorem.UNITS, domain=DEGREES,
    cases=(
        Case("suffice", expected="proved"),
        Case(
            "needed",
            statement="Theorem 9's interpolation of even parity on D+1 grid points requires 4(D+1) hidden units: no "
            "fewer of them act on the output.",
            relation=">=",
            kind="Lower",
            expected="refuted",
        ),
    ),
    rests_on=("sharpness.mlp.interpolation",),
    limitations=("The text says that so many units are required, which has two readings.",),
)  # fmt: skip

units_live = _claim(
    label="sharpness.mlp.units-live", relation="=", expected="proved",
    statement="4(⌊D/2⌋+1) hidden units suffice for Theorem 9's interpolation. Those of odd grid points, at least four, "
    "have output weight zero: without them the function is the same and the norm strictly smaller.",
    left=_LIVE, right=theorem.LIVE_UNITS, domain=DEGREES, repairs=("sharpness.mlp.units-printed[needed]",),
)  # fmt: skip
