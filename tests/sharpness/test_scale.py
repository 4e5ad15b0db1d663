"""The scale of the logits: the claims and figures, against numbers that stand apart from the suite's formulas."""

from __future__ import annotations

import math

import pytest
import torch

from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.records.study import Setting
from boundaudit.checks.records.study_record import record
from boundaudit.checks.sharpness.scale import both_layers, studies
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness import attention
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.target import Target, TargetBatch

SMOKE = Setting("smoke", 0, "cpu")


def test_the_norm_of_w2_by_hand() -> None:
    point = {"T": 6, "D": 1, "omega": 2, "lambda": 3.0, "c": (0.5, 2.0), "S": ((1,), (4,))}
    by_hand = math.log(0.5 * 216) ** 2 + math.log(2 * 216) ** 2
    batch = Batch.measure(both_layers.norms.members[1], [point], "cpu")
    assert [batch.left[0], batch.right[0]] == pytest.approx([by_hand, by_hand], rel=1e-13)


@pytest.mark.parametrize(("length", "degree"), [(3, 1), (5, 2), (8, 3), (8, 8)])
def test_a_smaller_first_scale_computes_the_same_function(length: int, degree: int) -> None:
    """Only the scale of layer 1 changes: log((4D-1)(T+1-D)/D)/log T instead of 2."""
    target = Target(length, (tuple(range(1, degree + 1)),), (0.8,))
    batch, bits = TargetBatch.stack([target]), bit_strings(length, 0, 2**length)
    smaller = math.log((4 * degree - 1) * (length + 1 - degree) / degree) / math.log(length)
    assert smaller <= 2 + 1e-12
    two, own = torch.tensor([2.0]).double(), torch.tensor([smaller]).double()
    outputs = [forward(attention.scaled(batch, first, two), batch, bits) for first in (two, own)]
    assert torch.allclose(*outputs, rtol=0, atol=1e-12)


def test_half_of_it_would_not_do() -> None:
    target = Target(8, ((1, 2),), (0.8,))
    batch, bits = TargetBatch.stack([target]), bit_strings(8, 0, 256)
    two, small = torch.tensor([2.0]).double(), torch.tensor([0.5 * math.log(24.5) / math.log(8)]).double()
    outputs = [forward(attention.scaled(batch, first, two), batch, bits) for first in (two, small)]
    assert float((outputs[0] - outputs[1]).abs().max()) > 0.1


def test_the_norms_of_the_printed_example() -> None:
    """T = 20, D = 2, ω = 10, λ = 2: 1492.694348 in all; W1 has 4·20·log²20 and F 512."""
    panels = record(studies.norm_study, SMOKE)["panels"]
    along_t = {series["name"]: dict(zip(series["x"], series["y"], strict=True)) for series in panels[2]["series"]}
    assert along_t["all, measured"][10] == pytest.approx(1492.694348, abs=5e-7)
    assert along_t["all, formula"][10] == pytest.approx(1492.694348, abs=5e-7)
    assert along_t["W1"][10] == pytest.approx(80 * math.log(20) ** 2, rel=1e-12)
    assert set(along_t["F"].values()) == {512.0}
    for panel in panels:
        series = {one["name"]: one["y"] for one in panel["series"]}
        assert series["all, measured"] == pytest.approx(series["all, formula"], rel=1e-12)


def test_the_figure_of_the_leak() -> None:
    panels = record(studies.leak_study, SMOKE)["panels"]
    series = {one["name"]: dict(zip(one["x"], one["y"], strict=True)) for one in panels[0]["series"]}
    for length in range(4, 9):
        assert series["formula, ω = 1"][length] == pytest.approx(1 / (length + 1), rel=1e-12)
        assert series["measured, D = 1, ω = 1"][length] == pytest.approx(1 / (length + 1), rel=1e-10)


def test_measured_points_lie_on_the_front() -> None:
    """T = 8, one bit: at λ the leak is 8/(8^λ + 8) = 1/(8^(λ-1) + 1)."""
    panel = record(studies.pareto_study, SMOKE)["panels"][0]
    points = next(one for one in panel["series"] if one["name"] == "measured, D = 1, ω = 1")
    assert points["y"] == pytest.approx([1 / (8 ** (scale - 1) + 1) for scale in (2, 3, 4, 5)], rel=1e-10)
