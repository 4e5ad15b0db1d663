"""Faults planted in measurements are noticed by the suite's own claims, which are as expected without them."""

import pytest
import torch
from tests.statements import some_slow

from boundaudit.numeric.softmax import jacobian, shares

from .fault_list import FAULTS, SURVIVORS
from .planted_faults import alarm, alarm_at
from .planting import Fault, faulty, planted

QUICK = {
    "attention_erm.power_law.rate[1,low]", "covering.chaining.massart", "infinite_width.scores.covariance",
    "pac_bayes.limits.maurer-pontil[power]", "schatten.blocks.positive", "sharpness.mlp.interpolation",
}  # fmt: skip
"""Claims of every chapter of whose faults one is planted here; ``python -m tests.truth.planted_faults`` plants all."""


def test_the_list() -> None:
    names = [fault.name for fault in (*FAULTS, *SURVIVORS)]
    assert len(set(names)) == len(names)
    assert len(FAULTS) >= 60
    assert len(FAULTS) / len(names) > 0.8
    chapters = {fault.claim.split(".")[0] for fault in FAULTS}
    assert chapters == {"attention_erm", "covering", "infinite_width", "pac_bayes", "schatten", "sharpness"}
    assert {fault.claim for fault in FAULTS} >= QUICK
    assert {claim.split(".")[0] for claim in QUICK} == chapters


@pytest.mark.slow
def test_a_fault_is_met_by_whoever_holds_the_function_and_goes_again() -> None:
    fault = Fault("", "softmax:jacobian", "torch.diag_embed(weights) - ", "torch.diag_embed(weights) + ", "")
    weights = shares(torch.ones(2))
    with planted(fault):
        assert float(jacobian(weights)[0, 1]) == 0.25
    assert float(jacobian(weights)[0, 1]) == -0.25


def test_a_fault_must_fit_the_source() -> None:
    with pytest.raises(AssertionError, match="stands 0 times"):
        faulty(Fault("", "softmax:jacobian", "no such", "", ""))


def test_every_fault_fits_the_source() -> None:
    for fault in (*FAULTS, *SURVIVORS):
        function, code = faulty(fault)
        assert code != function.__code__, fault.name


@pytest.mark.acceptance
@pytest.mark.parametrize(
    "fault", {f.claim: f for f in FAULTS if f.claim in QUICK}.values(), ids=lambda fault: fault.name
)
def test_a_few_are_noticed(fault: Fault) -> None:
    assert alarm_at(fault) is not None


@pytest.mark.parametrize(
    "label",
    some_slow(
        sorted(QUICK), "covering.chaining.massart", "schatten.blocks.positive", "attention_erm.power_law.rate[1,low]"
    ),
)
def test_a_few_claims_are_as_expected_without_a_fault(label: str) -> None:
    assert alarm(label) is None
