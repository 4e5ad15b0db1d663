"""Faults planted in chains on the sharpness bounds: none is proved, though what stands is.

Of each kind, in each place, those that are decided soonest.
"""

from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp
from tests.truth.planted_steps import (
    Planted,
    assert_not_proved,
    claim_of,
    ending,
    exchanged,
    from_a_larger_start,
    throughout,
    without,
)

from boundaudit.checks.sharpness import property_testing as degree
from boundaudit.checks.sharpness.activations import hidden
from boundaudit.checks.sharpness.noisy_loss import passes, rows
from boundaudit.derivations.sharpness import noisy_loss
from boundaudit.derivations.sharpness.hessian_parts import KAPPA
from boundaudit.derivations.sharpness.noisy_loss import kappa_nl
from boundaudit.derivations.sharpness.parameters import D, omega


def capped(value: Any) -> Any:
    return value.subs(D, sp.Min(D, 4))


_ACTIVATIONS, _HESSIAN = "sharpness.activations", "sharpness.hessian"
_DIRECTIONS, _COVARIANCE = f"{_HESSIAN}.directions", f"{_HESSIAN}.covariance"
_LOGITS = f"{_HESSIAN}.logits"
_ROWS = f"{_HESSIAN}.moved-rows"
_SKEW = f"{_HESSIAN}.parts.skew[one-column]"

PLANTED: dict[str, Callable[[], Planted]] = {
    # rows of networks
    "half of the shift": lambda: ending(rows.shift, lambda value: value / 2),
    "the root of κ": lambda: ending(rows.shift, lambda value: value.subs(kappa_nl, sp.sqrt(kappa_nl))),
    "the units' length without what moves it": lambda: ending(rows.length, lambda _: sp.sqrt(noisy_loss.LENGTH)),
    "the degree capped at four, in the norm of hidden units": lambda: ending(hidden.units_printed, capped),
    "two units a grid point": lambda: ending(hidden.units_printed, lambda value: value / 2),
    "a logit's moments for a value's": lambda: exchanged(
        rows.value, 1, f"{passes.moments.label}[value]", f"{passes.moments.label}[logit]"
    ),
    "hidden units that see anything": lambda: without(hidden.units_printed, 1, f"{_ACTIVATIONS}.hidden.row-by-row"),
    "a logit less in W1": lambda: ending(hidden.w1_operator, lambda value: value * (omega - 1) / omega),
    "W1 of any norm": lambda: without(hidden.w1_operator, 1, f"{_ACTIVATIONS}.W1.frobenius"),
    # property tests
    "twice the least rate": lambda: from_a_larger_start(degree.least, 2),
    "the pairs left open": lambda: without(degree.least, 3, degree.pairs.label),
    # leading directions of the Hessian
    "a reach without its chain rule": lambda: without(
        claim_of(f"{_DIRECTIONS}.reach[skew-one-column]"), 1, f"{_DIRECTIONS}.logits[skew-one-column]"
    ),
    "a part of the Hessian that nothing is said of": lambda: without(
        claim_of(_SKEW), 1, f"{_HESSIAN}.skew.form[one-column]"
    ),
    "weights of any sum": lambda: without(claim_of(_SKEW), 2, "sharpness.gradients.rows.weights[finite]"),
    "a direction of any length": lambda: without(claim_of(_SKEW), 4, f"{_DIRECTIONS}.unit[skew-one-column]"),
    "half of a product of two sizes": lambda: ending(claim_of(f"{_HESSIAN}.vectors.crossed"), lambda x: x / 2),
    "values along a direction of any length": lambda: without(
        claim_of(f"{_COVARIANCE}.left[finite]"), 2, f"{_COVARIANCE}.unit[finite]"
    ),
    "a row that attends to anything": lambda: without(
        claim_of(f"{_ROWS}.moved[covariance-finite-farthest]"), 4, f"{_ROWS}.weights[covariance-finite-farthest]"
    ),
    "unused rows with any attention": lambda: without(
        claim_of(f"{_HESSIAN}.parts.values[one-column]"), 3, f"{_HESSIAN}.idle-rows.leak"
    ),
    "half of what moves are worth": lambda: ending(claim_of(f"{_LOGITS}.by-moves[finite]"), lambda bound: bound / 2),
    "logits that bend along a direction of any length": lambda: without(
        claim_of(f"{_LOGITS}.root[one-column]"), 2, f"{_LOGITS}.unit[entries-one-column]"
    ),
    "bends that no chain rule adds up": lambda: without(
        claim_of(f"{_HESSIAN}.parts.logits[one-column]"), 3, f"{_LOGITS}.bend[one-column]"
    ),
    "a Hessian whose parts have no bound": lambda: without(
        claim_of(f"{_HESSIAN}.bound.one-column"), 2, f"{_HESSIAN}.parts.values[one-column]"
    ),
    # the Hessian where F's last column alone counts
    "a smaller multiple": lambda: ending(
        claim_of(f"{_HESSIAN}.one-column.simple"), lambda bound: bound * (KAPPA - 1) / KAPPA
    ),
    "√ω dropped before the root": lambda: throughout(
        claim_of(f"{_HESSIAN}.one-column.scaled[covariance]"), lambda value: value / sp.sqrt(omega), 1
    ),
    "the degree capped at four, against the printed bound": lambda: throughout(
        claim_of(f"{_HESSIAN}.bound.printed[one-column]"), capped, 2
    ),
    "half of the printed bound": lambda: ending(
        claim_of(f"{_HESSIAN}.bound.printed[one-column]"), lambda bound: bound / 2
    ),
}


@pytest.mark.acceptance
@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_not_proved(fault: str) -> None:
    assert_not_proved(PLANTED[fault]())
