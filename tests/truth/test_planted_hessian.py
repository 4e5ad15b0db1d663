"""Faults planted in the chains on the Hessian where F's last column alone counts: none is proved, what stands is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sympy as sp
from tests.truth.test_planted_rows import Steps, capped, ending, outcome, throughout

from boundaudit import Claim
from boundaudit.checks.run.addresses import find_shipped
from boundaudit.derivations.sharpness.hessian_parts import KAPPA
from boundaudit.derivations.sharpness.parameters import omega


def _claim(name: str) -> Claim:
    (found,) = find_shipped(f"sharpness.hessian.{name}")
    return found


PLANTED: dict[str, Callable[[], tuple[Claim, Steps]]] = {
    "a smaller multiple": lambda: ending(_claim("one-column.simple"), lambda bound: bound * (KAPPA - 1) / KAPPA),
    "√ω dropped before the root": lambda: throughout(
        _claim("one-column.scaled[covariance]"), lambda value: value / sp.sqrt(omega), 1
    ),
    "the degree capped at four, against the printed bound": lambda: throughout(
        _claim("bound.printed[one-column]"), capped, 2
    ),
    "half of the printed bound": lambda: ending(_claim("bound.printed[one-column]"), lambda bound: bound / 2),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_not_proved(fault: str) -> None:
    assert outcome(*PLANTED[fault]()) == "unknown"


@pytest.mark.slow
def test_what_stands_is_proved() -> None:
    claim = _claim("bound.printed[one-column]")
    assert outcome(claim, claim.derivation.steps) == "proved"
