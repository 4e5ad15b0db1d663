"""The joint law: against draws of all weight matrices, against wrong limits, and the constant that is proved."""

import pytest
import sympy as sp
import torch
from tests.truth.fault_list import FAULTS
from tests.truth.planted_faults import alarm_at
from tests.truth.planting import Fault

from boundaudit.checks.infinite_width import joint as claims
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.proof.portfolio import prove
from boundaudit.derivations.infinite_width.symbols import n_iw
from boundaudit.numeric.infinite_width import limit_outputs, simulated_outputs
from boundaudit.numeric.infinite_width.joint import characteristic, joint_law
from boundaudit.numeric.infinite_width.one_output import Inputs

WRONG_LIMITS = [fault for fault in FAULTS if fault.claim.startswith("infinite_width.joint.")]


@pytest.mark.slow
@pytest.mark.parametrize("inputs", ["fixed", "features"])
def test_characteristic_functions_are_those_of_drawn_outputs(inputs: Inputs) -> None:
    """At width 6 and in the limit, for two coordinates of three tokens at once."""
    law = claims.LAYERS["three-tokens"]
    theta = 3 * torch.rand(20, 2, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64) - 1.5
    found = joint_law(law, 6, inputs=inputs, draws=2**14, seed=0)
    for covariance, drawn in (
        (found.finite, simulated_outputs(law, 6, 40_000, 1, inputs=inputs, coordinates=2)),
        (found.limit[None], limit_outputs(law, 40_000, 1, coordinates=2)),
    ):
        given = characteristic(covariance, theta).mean(0)
        plain = torch.einsum("nks,pks->np", drawn.outputs, theta).cos()
        error = (given.var(0) / len(given) + plain.var(0) / len(plain)).sqrt()
        assert ((given.mean(0) - plain.mean(0)).abs() < 4.5 * error).all()


@pytest.mark.acceptance
@pytest.mark.parametrize("fault", WRONG_LIMITS, ids=lambda each: each.kind)
def test_a_wrong_limit_is_noticed(fault: Fault) -> None:
    assert alarm_at(fault) == "undecided"


@pytest.mark.slow
def test_a_smaller_constant_of_the_values_is_refuted() -> None:
    stated = claims.fluctuation.statement_form
    assert stated is not None
    smaller = Statement(stated.left, "<=", to_tree(1 / (2 * n_iw)), stated.domain)
    assert prove(smaller).outcome == "refuted"
    assert prove(Statement(stated.left, "<=", to_tree(sp.Rational(3, 4) / n_iw), stated.domain)).outcome == "proved"
