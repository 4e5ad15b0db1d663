"""Faults planted in the chains along leading directions of the Hessian: none is proved, though what stands is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.truth.test_planted_rows import Steps, ending, outcome, without

from boundaudit import Claim
from boundaudit.checks.run.addresses import find_shipped

DIRECTIONS = "sharpness.hessian.directions"
PLANTED: dict[str, Callable[[], tuple[Claim, Steps]]] = {
    "a reach without its chain rule": lambda: without(
        _claim(f"{DIRECTIONS}.reach[skew-one-column]"), 1, f"{DIRECTIONS}.logits[skew-one-column]"
    ),
    "half of the leak": lambda: ending(_claim("sharpness.hessian.covariance.leak[finite]"), lambda x: x / 2),
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
