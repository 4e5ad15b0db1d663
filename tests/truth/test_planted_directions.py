"""Faults planted in the chains along leading directions of the Hessian: none is proved, though what stands is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.truth.test_planted_rows import Steps, capped, ending, outcome, without

from boundaudit import Claim
from boundaudit.checks.run.addresses import find_shipped
from boundaudit.derivations.sharpness.parameters import T

DIRECTIONS, COVARIANCE = "sharpness.hessian.directions", "sharpness.hessian.covariance"
MOMENTS, ROWS, VALUES = "sharpness.hessian.moments", "sharpness.hessian.rows", "sharpness.hessian.values"
PARTS, LOGITS = "sharpness.hessian.parts", "sharpness.hessian.logits"
SKEW = "sharpness.hessian.parts.skew[one-column]"
NORM = "sharpness.hessian.parts.covariance"
PLANTED: dict[str, Callable[[], tuple[Claim, Steps]]] = {
    "a reach without its chain rule": lambda: without(
        _claim(f"{DIRECTIONS}.reach[skew-one-column]"), 1, f"{DIRECTIONS}.logits[skew-one-column]"
    ),
    "half of the leak": lambda: ending(_claim(f"{ROWS}.leak"), lambda x: x / 2),
    "a row that moves by any attention": lambda: without(
        _claim(f"{ROWS}.varied[values-ideal-largest]"), 2, f"{ROWS}.attention[values-ideal-largest]"
    ),
    "half of what moves a row": lambda: ending(_claim(f"{ROWS}.moved[values-ideal-largest]"), lambda x: x / 2),
    "no more than four units": lambda: ending(_claim(f"{ROWS}.closed.counted[finite]"), capped),
    "values without their chain rule": lambda: without(_claim(f"{VALUES}.most[ideal]"), 1, f"{VALUES}.flat[ideal]"),
    "the square root of a half": lambda: ending(_claim(f"{VALUES}.written[ideal]"), lambda x: x / 2),
    "values' pairs in a direction of any length": lambda: without(
        _claim(f"{VALUES}.written[ideal]"), 1, f"{VALUES}.unit[ideal]"
    ),
    "bits that turn by less": lambda: ending(_claim(f"{VALUES}.bends[finite]"), lambda x: x / 2),
    "values of any number of units": lambda: without(
        _claim(f"{VALUES}.by-f[ideal]"), 2, f"{ROWS}.closed.counted[ideal]"
    ),
    "values without unused rows": lambda: ending(_claim(f"{PARTS}.values[one-column]"), lambda x: x.subs(1 / T, 0)),
    "values by a smaller share": lambda: ending(_claim(f"{PARTS}.values[ideal]"), lambda x: x / 2),
    "logits' pairs in a direction of any length": lambda: without(
        _claim(f"{LOGITS}.crossed.to-rows[one-column]"), 1, f"{LOGITS}.unit[one-column]"
    ),
    "a root without what stands under it": lambda: without(
        _claim(f"{LOGITS}.root[one-column]"), 1, f"{LOGITS}.paired[one-column]"
    ),
    "flat parts of logits without their chain rule": lambda: without(
        _claim(f"{LOGITS}.reach[one-column]"), 2, f"{LOGITS}.flat[one-column]"
    ),
    "logits by a smaller share": lambda: ending(_claim(f"{PARTS}.logits[one-column]"), lambda x: x / 2),
    "logits without unused rows": lambda: ending(_claim(f"{PARTS}.logits[one-column]"), lambda x: x.subs(1 / T, 0)),
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
@pytest.mark.parametrize(
    "label",
    [
        f"{DIRECTIONS}.reach[skew-one-column]",
        f"{COVARIANCE}.left[ideal]",
        f"{NORM}[one-column]",
        f"{PARTS}.values[ideal]",
    ],
)
def test_what_stands_is_proved(label: str) -> None:
    claim = _claim(label)
    assert outcome(claim, claim.derivation.steps) == "proved"
