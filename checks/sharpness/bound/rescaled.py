"""Appendix D inside the bound: the rescaled construction and the one without dead units."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.statement import Relation
from boundaudit.checks.sharpness.bound.groups import AT_E3, at_trapezoid, claim, measured
from boundaudit.checks.sharpness.targets import BOTH, STEEP, WIDE
from boundaudit.derivations.sharpness.bound import rescaled as theorem
from boundaudit.derivations.sharpness.bound.numbers import NORM_OF_EQUAL
from boundaudit.derivations.sharpness.bound.rescaled import (
    beta_r,
    gamma_r,
    h_0,
    h_1,
    h_2,
    j_1,
    j_2,
    j_3,
    j_4,
    l_0,
    l_1,
    l_2,
)
from boundaudit.derivations.sharpness.parameters import u
from boundaudit.numeric.sharpness.mlp import Trapezoid

_PLACE = ("Appendix D",)
_POSITIVE = Reals(0, open_low=True)
_NONNEGATIVE = Reals(0)
_PARTS = {l_0: _NONNEGATIVE, l_1: _POSITIVE, l_2: _POSITIVE, h_0: _NONNEGATIVE, h_2: _POSITIVE, h_1: _POSITIVE}
_SMALL = sp.Rational(1, 100)

# --- when a rescaling helps -----------------------------------------------------------------------

_HEAVIER = Domain(
    {h_0: _NONNEGATIVE, h_2: _POSITIVE, h_1: Reals(0, h_2, open_low=True), beta_r: Reals(1, sp.Rational(11, 10))}
)

printed = claim(
    label="sharpness.bound.rescaled.heavier-in-both",
    statement="Where the output weights are heavier than the input weights, in gradient as in norm, a rescaling by an "
    "α slightly above 1 does not raise the sharpness.",
    left=theorem.sharpness(beta_r),
    relation="<=",
    right=theorem.sharpness(sp.Integer(1)),
    domain=_HEAVIER,
    place=_PLACE,
    reading="plausible",
    expected="refuted",
    limitations=(
        "The reason as the text gives it, in this reading; gradients scale inversely to weights, so that the "
        "sharpness needs the input weights to be heavier. The conclusion is true of the construction.",
    ),
)


def _trade(name: str, words: str, value: Callable[[sp.Expr], sp.Expr], parts: dict[sp.Symbol, Reals]) -> Claim:
    return claim(
        label=f"sharpness.bound.rescaled.{name}",
        statement=f"A rescaling by α ≥ 1 does not raise the {words}.",
        left=value(beta_r),
        relation="<=",
        right=value(sp.Integer(1)),
        domain=Domain({beta_r: Reals(1), **parts}),
        kind="Tight",
        equality=({str(part): 2 if n == 2 else 1 for n, part in enumerate(parts)} | {"beta_r": 2},),
        place=_PLACE,
        expected="proved",
        repairs=("sharpness.bound.rescaled.heavier-in-both",) if name == "sharpness" else (),
    )


trades = (
    _trade("norm", "norm while the output weights are at least α² times as heavy as the input weights",
           theorem.norm, {l_0: _NONNEGATIVE, l_1: _POSITIVE, l_2: Reals(l_1 * beta_r)}),
    _trade("sharpness", "sharpness while that of the input weights is at least α² times that of the output weights",
           theorem.sharpness, {h_0: _NONNEGATIVE, h_2: _POSITIVE, h_1: Reals(h_2 * beta_r)}),
)  # fmt: skip

derivative = claim(
    label="sharpness.bound.rescaled.derivative",
    statement="The product of norm and sharpness, on which the bound's optimum depends, has the derivative "
    "2 l₁g₂β² + (l₀g₂ + l₁g₀)β - (l₀g₁ + l₂g₀)/β - 2 l₂g₁/β² by ln β, β = α².",
    left=theorem.DERIVATIVE,
    relation="=",
    right=theorem.slope(beta_r),
    domain=Domain({**_PARTS, beta_r: _POSITIVE}),
    place=_PLACE,
    expected="proved",
)

one_best = claim(
    label="sharpness.bound.rescaled.one-best",
    statement="That derivative rises with β: one factor is best, the root of a quartic.",
    left=theorem.quartic(beta_r),
    relation="<=",
    right=theorem.quartic(gamma_r),
    domain=Domain({
        j_1: _POSITIVE, j_2: _NONNEGATIVE, j_3: _NONNEGATIVE, j_4: _POSITIVE,
        beta_r: Reals(_SMALL), gamma_r: Reals(beta_r),
    }),
    kind="Tight",
    equality=({"j_1": 1, "j_2": 1, "j_3": 1, "j_4": 1, "beta_r": 1, "gamma_r": 1},),
    place=_PLACE,
    expected="proved",
    rests_on=("sharpness.bound.rescaled.derivative",),
)  # fmt: skip

# --- the construction at E.3 ----------------------------------------------------------------------

_BEST: dict[Trapezoid, float] = {"steep": 6.81, "wide": 3.333}
"""α² near the best."""


def _share(mlp: Trapezoid, factor: float) -> float:
    """What a rescaling leaves of the bound's optimum."""
    return float((measured(mlp, factor).isotropic / measured(mlp).isotropic) ** (2 / 3))


_MEASURED = (AT_E3, "With the construction's own norms and its mean squared gradients over all 2^20 inputs.")

better = claim(
    label="sharpness.bound.rescaled.best",
    statement="At E.3 one rescaling of the MLP leaves 0.5997 (steep, α² = 6.81) and 0.8035 (wide, α² = 3.333) of the "
    "bound with one variance.",
    left=Quantity(
        "share of the bound's optimum that the best rescaling leaves",
        at_trapezoid(lambda mlp: _share(mlp, _BEST[mlp] ** 0.5)), r"B_\alpha / B_1", rounding=1e-9,
    ),
    relation="<=",
    right=sp.Rational("0.5997") * (2 - u) + sp.Rational("0.8035") * (u - 1),
    domain=Domain({u: BOTH}),
    place=_PLACE,
    rests_on=("sharpness.bound.rescaled.one-best",),
    limitations=(*_MEASURED, "A variance per block does better and needs no rescaling."),
)  # fmt: skip


def _any_share(points: Sequence[Point], device: str) -> Array:
    """The same from the blocks of the network that is not rescaled."""
    squares = torch.tensor([float(p["beta_r"]) for p in points], dtype=torch.float64)
    wide = torch.tensor([int(p["u"]) == 2 for p in points])
    found: Array = torch.where(wide, _from_parts("wide", squares), _from_parts("steep", squares)).numpy()
    return found


def _from_parts(mlp: Trapezoid, square: Tensor) -> Tensor:
    budgets = measured(mlp).budgets
    powers = {"M": 1, "Gamma": 1, "F": -1}
    norm = sum(value * square ** powers.get(block, 0) for block, value in budgets.norms_squared.items())
    rise = sum(value * square ** -powers.get(block, 0) for block, value in budgets.sharpness.items())
    found: Tensor = (norm / budgets.norm_total * (rise / budgets.sharpness_total)) ** (1 / 3)
    return found


no_better = claim(
    label="sharpness.bound.rescaled.floor",
    statement="No rescaling of the MLP leaves less than 0.5996 (steep) and 0.8034 (wide) of it.",
    left=Quantity("share of the bound's optimum that a rescaling leaves", _any_share, r"B_\alpha / B_1", rounding=1e-9),
    relation=">=",
    right=sp.Rational("0.5996") * (2 - u) + sp.Rational("0.8034") * (u - 1),
    domain=Domain({u: BOTH, beta_r: _POSITIVE}),
    place=_PLACE,
    rests_on=("sharpness.bound.rescaled.one-best",),
    limitations=_MEASURED,
)


def _inner(sharpness: Mapping[str, float]) -> float:
    return (sharpness["M"] + sharpness["Gamma"]) / sharpness["F"]


inverse = claim(
    label="sharpness.bound.rescaled.construction",
    statement="At E.3 the sharpness of the construction's input weights is at least 11 (wide) and 49 (steep) times "
    "that of its output weights.",
    left=Quantity(
        "sharpness of M and Gamma over that of F",
        at_trapezoid(lambda mlp: _inner(measured(mlp).budgets.sharpness)), r"g_1/g_2", rounding=1e-9,
    ),
    relation=">=",
    right=sp.Integer(49) * (2 - u) + 11 * (u - 1),
    domain=Domain({u: BOTH}),
    place=_PLACE,
    limitations=_MEASURED,
)  # fmt: skip


# --- without dead units ---------------------------------------------------------------------------


def _own(name: str, words: str, norm: sp.Expr, relation: Relation, limit: str, domain: Domain) -> Claim:
    return claim(
        label=f"sharpness.bound.rescaled.{name}",
        statement=f"At E.3 with the printed sharpness the bound's optimum {words}.",
        left=theorem.optimum(norm),
        relation=relation,
        right=sp.Rational(limit),
        domain=domain,
        place=("Appendix E", "Theorem 10"),
        expected="certified",
        limitations=(AT_E3, "Without ln(1/δ) and without the loss at the construction."),
    )


pruned = (
    _own("own-norm-steep", "with the steep construction's own norm is above 0.25, the constant predictor's risk",
         NORM_OF_EQUAL, ">=", "0.25008", Domain({u: STEEP})),
    _own("pruned-steep", "without the steep MLP's dead units is below 0.25",
         theorem.PRUNED_NORM, "<=", "0.24980", Domain({u: STEEP})),
    _own("pruned-wide", "without the wide MLP's dead units is at most 0.22616",
         theorem.PRUNED_NORM, "<=", "0.22616", Domain({u: WIDE})),
)  # fmt: skip
