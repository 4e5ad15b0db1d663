"""Faults planted in the chains on means over inputs and on property tests: none of them is proved, what stands is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.truth.test_planted_rows import Steps, capped, ending, from_a_larger_start, outcome, throughout, without

from boundaudit import Claim
from boundaudit.checks.sharpness.loss_hessian import averaged, output_weights
from boundaudit.checks.sharpness.property_testing import degree
from boundaudit.derivations.sharpness import loss_hessian as theory

_F = next(case for case in averaged.blocks.members if case.label.endswith("[F]"))
_QUERY = output_weights.bounded.members[1]
_MEANS = "sharpness.loss_hessian.means"

PLANTED: dict[str, Callable[[], tuple[Claim, Steps]]] = {
    "F's bound without the logits": lambda: ending(_F, lambda _: theory.MEAN_VALUES),
    "the degree capped at four, in F's mean": lambda: ending(_F, capped),
    "F's cubes of ones left open": lambda: without(_F, 6, f"{_MEANS}.ones[3]"),
    "half of what the query moves by": lambda: throughout(_QUERY, lambda value: value / 2, 3),
    "a fifth for a fourth": lambda: ending(output_weights.moves, lambda bound: 4 * bound / 5),
    "the trace of a network that errs": lambda: without(averaged.trace, 1, averaged.no_error.label),
    "twice the least rate": lambda: from_a_larger_start(degree.least, 2),
    "the pairs left open": lambda: without(degree.least, 3, degree.pairs.label),
    "means of any size": lambda: without(degree.soundness, 5, degree.event.label),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_not_proved(fault: str) -> None:
    assert outcome(*PLANTED[fault]()) == "unknown"


@pytest.mark.slow
def test_what_stands_is_proved() -> None:
    assert outcome(averaged.trace, averaged.trace.derivation.steps) == "proved"
