"""Faults planted in the chains along leading directions of the Hessian: none is proved, though what stands is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.truth.test_planted_rows import Steps, ending, outcome, without

from boundaudit import Claim
from boundaudit.checks.run.addresses import find_shipped

DIRECTIONS, COVARIANCE = "sharpness.hessian.directions", "sharpness.hessian.covariance"
MOMENTS = "sharpness.hessian.moments"
SKEW = "sharpness.hessian.parts.skew[one-column]"
NORM = "sharpness.hessian.parts.covariance"
PLANTED: dict[str, Callable[[], tuple[Claim, Steps]]] = {
    "a reach without its chain rule": lambda: without(
        _claim(f"{DIRECTIONS}.reach[skew-one-column]"), 1, f"{DIRECTIONS}.logits[skew-one-column]"
    ),
    "half of the leak": lambda: ending(_claim(f"{COVARIANCE}.leak[finite]"), lambda x: x / 2),
    "half of the third moment's part": lambda: ending(_claim(SKEW), lambda x: x / 2),
    "a part of the Hessian that nothing is said of": lambda: without(
        _claim(SKEW), 1, "sharpness.hessian.skew.form[one-column]"
    ),
    "weights of any sum": lambda: without(_claim(SKEW), 2, "sharpness.gradients.rows.weights[finite]"),
    "a direction of any length": lambda: without(_claim(SKEW), 4, f"{DIRECTIONS}.unit[skew-one-column]"),
    "half of a third moment": lambda: ending(_claim(f"{MOMENTS}.two-groups"), lambda x: x / 2),
    "a third moment of one sign alone": lambda: without(_claim(f"{MOMENTS}.third"), 1, f"{MOMENTS}.third.down"),
    "half of a product of two sizes": lambda: ending(_claim("sharpness.hessian.vectors.crossed"), lambda x: x / 2),
    "values along a direction of any length": lambda: without(
        _claim(f"{COVARIANCE}.left[ideal]"), 2, f"{COVARIANCE}.unit[ideal]"
    ),
    "a norm that no form attains": lambda: without(_claim(f"{NORM}[ideal]"), 1, f"{COVARIANCE}.form[ideal]"),
    "a norm without its square": lambda: without(
        _claim(f"{NORM}[one-column]"), 2, f"{COVARIANCE}.gathered[one-column]"
    ),
}


def _claim(label: str) -> Claim:
    (found,) = find_shipped(label)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_not_proved(fault: str) -> None:
    claim, steps = PLANTED[fault]()
    assert outcome(claim, steps) == "unknown"


@pytest.mark.slow
def test_what_stands_is_proved() -> None:
    claim = _claim(f"{COVARIANCE}.left[ideal]")
    assert outcome(claim, claim.derivation.steps) == "proved"
