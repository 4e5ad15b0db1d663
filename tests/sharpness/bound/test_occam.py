"""Bounds for one network without noise: the closed form of its loss, and Chernoff's bound with a price for a choice."""

import math

import pytest
import torch
from mpmath import log, mp, mpf

from boundaudit import InputError
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.bound import (
    coefficient_cells,
    construction_loss,
    family_nats,
    one_network,
    rounded_coefficients,
    rounding_error,
    training_set,
)
from boundaudit.numeric.sharpness.bound.certificate import certificate
from boundaudit.numeric.sharpness.bound.posterior import by_block
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.target import Target, TargetBatch

TARGETS = [
    Target(4, ((1, 2), (3, 4)), (0.6, 0.8)),
    Target(6, ((1, 2, 5), (2, 3, 6), (1, 4, 5)), (0.3, 0.5, 0.7)),
    Target(7, ((3,),), (1.0,)),
]


@pytest.mark.parametrize("mlp", ["steep", "wide"])
@pytest.mark.parametrize("target", TARGETS)
def test_the_closed_form_is_the_networks_loss(target: Target, mlp: Trapezoid) -> None:
    bits = bit_strings(target.length, 0, 2**target.length)
    own = rounded_coefficients(target.coefficients, 9)
    for coefficients in (target.coefficients, own):
        batch = TargetBatch.stack([Target(target.length, target.components, coefficients)])
        errors = forward(build(batch, mlp=mlp), batch, bits)[0] - evaluate(target, bits)
        found = construction_loss(target, torch.arange(2**target.length), coefficients=coefficients, mlp=mlp, clip=0.1)
        assert found == pytest.approx(float(errors.square().clamp_max(0.1).mean()), rel=1e-9)
        cells = math.inf if coefficients is target.coefficients else 9
        assert float(errors.abs().max()) <= rounding_error(target.length, target.sparsity, cells) * (1 + 1e-12)


def test_it_is_certain_and_pays_for_the_choice() -> None:
    with mp.workdps(40):
        for loss, nats in ((0.0, 0.0), (0.03, 0.0), (0.03, 37.1)):
            r, value = mpf(loss) / 2, mpf(one_network(loss, samples=8192, delta=0.05, nats=nats, clip=2.0)) / 2
            kl = (r * log(r / value) if loss else 0) + (1 - r) * log((1 - r) / (1 - value))
            budget = (mpf(nats) - log(mpf(0.05))) / 8192
            assert budget <= kl <= budget * (1 + mpf(10) ** -12)
    assert one_network(1.0, samples=10, delta=0.05) == 1.0


def test_ten_pairs_of_twenty_bits_are_37_nats() -> None:
    assert family_nats(20, 2, 10) == pytest.approx(37.1, abs=0.05)
    with pytest.raises(InputError, match="sparsity"):
        family_nats(4, 4, 2)


@pytest.mark.parametrize("cells", [1, 7, 1000])
def test_coefficients_move_by_half_a_cell_at_most(cells: int) -> None:
    coefficients = torch.linspace(1e-6, 1, 997, dtype=torch.float64).tolist()
    moved = rounded_coefficients(coefficients, cells)
    assert max(abs(a - b) for a, b in zip(coefficients, moved, strict=True)) <= 0.5 / cells * (1 + 1e-12)
    assert len(set(moved)) <= cells
    assert min(moved) == pytest.approx(0.5 / cells)


def test_the_lowest_cell_stays_within_the_class() -> None:
    assert rounded_coefficients([1e-9], coefficient_cells(4, 1e9))[0] >= 4.0**-4
    assert coefficient_cells(20, 10**6) == 409


def test_the_sample_is_the_certificates() -> None:
    target = TARGETS[0]
    still = by_block(target, dict.fromkeys(("W1", "V1", "M", "Gamma", "F", "W2", "V2"), 1e-12))
    found = certificate(target, still, samples=3, draws=4000, inputs_per_draw=1, seed=5)
    assert construction_loss(target, training_set(4, 3, 5)) == pytest.approx(found.mean, rel=0.1)


@pytest.mark.parametrize("options", [{"loss": 1.5}, {"loss": math.nan}, {"nats": -1.0}, {"samples": 0}, {"delta": 0.0}])
def test_bad_input(options: dict[str, float]) -> None:
    with pytest.raises(InputError):
        one_network(**({"loss": 0.1, "samples": 100, "delta": 0.05} | options))  # type: ignore[arg-type]
