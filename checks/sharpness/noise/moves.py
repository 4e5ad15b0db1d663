"""Noise up to the MLP: domains, variances of one row, and its moves in trials."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Probability, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, counted, evaluated
from boundaudit.checks.sharpness.targets import BOTH, PAPER, by_trapezoid
from boundaudit.derivations.pac_bayes.symbols import delta as fail
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.noise import z_t
from boundaudit.derivations.sharpness.parameters import D, T, k, u
from boundaudit.numeric.sharpness import normal_sums
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.noise import gaussian
from boundaudit.numeric.sharpness.row_noise import Moves, Row, active_row, first_order, idle_row
from boundaudit.numeric.sharpness.target import TargetBatch

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
    """A variance of an active row to first order, in units of σ².

    Args:
        what: What it is the variance of.
        of: How it is read off the row.
        latex: How the report writes it.
        definition: The expression, or a function that makes it.

    Returns:
        The quantity.
    """
    return Quantity(what, _measured(_active, of), latex, definition, rounding=1e-11, scale=1.0)


def idle_variance(what: str, of: Callable[[Row], Tensor], latex: str) -> Quantity:
    """A variance of a row that no component uses.

    Args:
        what: What it is the variance of.
        of: How it is read off the row.
        latex: How the report writes it.

    Returns:
        The quantity.
    """
    return Quantity(what, _measured(_idle, of), latex, rounding=1e-11, scale=1.0)


def stated(what: str, bound: Callable[[], sp.Expr], latex: str) -> Quantity:
    """A stated side that is varied as a whole.

    Args:
        what: What it is.
        bound: Makes the expression.
        latex: How the report writes it.

    Returns:
        The quantity, known by its values alone.
    """
    return Quantity(what, evaluated(bound), latex)


def _measured(row: Callable[[Columns, Trapezoid], Row], of: Callable[[Row], Tensor]) -> Measure:
    return by_trapezoid(lambda at, mlp: of(row(at, mlp)))


def tail(what: str, of: Callable[[Row], tuple[Tensor, Tensor]], bound: Callable[[], sp.Expr], latex: str) -> Quantity:
    """The probability that noise moves what an active row holds beyond a bound, to first order and without trials.

    Args:
        what: The event.
        of: From the row to the variance of every channel and what the data channel has more, in units of σ².
        bound: Makes the bound over σ, an expression in the parameters of the point.
        latex: How the report writes it.

    Returns:
        The quantity.
    """
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
    """The probability that noise moves a component's row by more than a bound, to first order.

    Args:
        what: The event.
        of: From the moves of n networks to n sizes.
        bound: Makes the bound over σ, an expression in the parameters of the point.
        latex: How the report writes it.

    Returns:
        The probability, counted by differentiating whole networks along independent directions.
    """
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
