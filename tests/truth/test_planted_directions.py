"""Faults planted in the chains along leading directions of the Hessian: none is proved, though what stands is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.truth.test_planted_rows import Steps, capped, ending, outcome, without

from boundaudit import Claim
from boundaudit.checks.run.addresses import find_shipped

DIRECTIONS = "sharpness.hessian.directions"
MOMENTS = "sharpness.hessian.moments"
SKEW = "sharpness.hessian.parts.skew[one-column]"
PLANTED: dict[str, Callable[[], tuple[Claim, Steps]]] = {
    "a reach without its chain rule": lambda: without(
        _claim(f"{DIRECTIONS}.reach[skew-one-column]"), 1, f"{DIRECTIONS}.logits[skew-one-column]"
    ),
    "half of the leak": lambda: ending(_claim("sharpness.hessian.covariance.leak[finite]"), lambda x: x / 2),
    "half of the third moment's part": lambda: ending(_claim(SKEW), lambda x: x / 2),
    "a part of the Hessian that nothing is said of": lambda: without(
        _claim(SKEW), 1, "sharpness.hessian.skew.form[one-column]"
    ),
    "weights of any sum": lambda: without(_claim(SKEW), 2, "sharpness.gradients.rows.weights[finite]"),
    "a part of any third moment": lambda: without(_claim(SKEW), 2, f"{MOMENTS}.third"),
    "a direction of any length": lambda: without(_claim(SKEW), 4, f"{DIRECTIONS}.unit[skew-one-column]"),
    "the degree capped at four, in the third moment's part": lambda: ending(
        _claim("sharpness.hessian.parts.skew[finite]"), capped
    ),
    "half of a third moment": lambda: ending(_claim(f"{MOMENTS}.two-groups"), lambda x: x / 2),
    "a third moment one side of the middle": lambda: without(_claim(f"{MOMENTS}.two-groups"), 3, f"{MOMENTS}.hump"),
    "a third moment without Cauchy-Schwarz": lambda: without(
        _claim(f"{MOMENTS}.third.down"), 3, "sharpness.hessian.vectors.cauchy"
    ),
    "a third moment of one sign alone": lambda: without(_claim(f"{MOMENTS}.third"), 1, f"{MOMENTS}.third.down"),
}


def _claim(label: str) -> Claim:
    (found,) = find_shipped(label)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_not_proved(fault: str) -> None:
    claim, steps = PLANTED[fault]()
    assert outcome(claim, steps) == "unknown"


def test_what_stands_is_proved() -> None:
    claim = _claim(f"{DIRECTIONS}.reach[skew-one-column]")
    assert outcome(claim, claim.derivation.steps) == "proved"
