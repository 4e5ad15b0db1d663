"""The scale of the logits: claims and figures against numbers that stand apart, and the best one for a stated error."""

import math

import pytest

from boundaudit import InputError
from boundaudit.checks.records.study import Setting
from boundaudit.checks.records.study_record import record
from boundaudit.checks.sharpness import scale as studies
from boundaudit.numeric.enumeration import choose_inputs
from boundaudit.numeric.sharpness.exactness import error_bound, exactness, leak_bound, plateaus
from boundaudit.numeric.sharpness.measurement import default_layout, measure
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.scale import scale_needed
from boundaudit.numeric.sharpness.target import Target

from .cases import SMALL, TARGETS

SMOKE = Setting("smoke", 0, "cpu")


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


SIGNED = Target(8, ((1, 2), (3, 4, 6), (5,)), (0.6, -0.5, 0.4))


@pytest.mark.parametrize(("mlp", "error"), [("steep", 0.2), ("wide", 0.01), ("steep", 1e-5)])
@pytest.mark.parametrize("target", [*(TARGETS[name] for name in SMALL), SIGNED], ids=[*SMALL, "signed"])
def test_the_error_is_met_and_no_smaller_scale_meets_it(target: Target, error: float, mlp: Trapezoid) -> None:
    scale = scale_needed(target, error, mlp)
    assert leak_bound(target, scale) <= error
    assert plateaus(target, scale, mlp) == "inside"
    less = scale * (1 - 1e-9)
    assert leak_bound(target, less) > error or plateaus(target, less, mlp) == "outside"
    layout = default_layout(target)
    found = exactness(target, choose_inputs(target.length), layout=layout, mlp=mlp, scale=scale)
    assert found.max_abs_error <= error + error_bound(target, math.inf, mlp)


def test_one_bit_at_the_published_scale() -> None:
    # The leak of one bit with coefficient one is 1/(T+1) at λ = 2.
    assert scale_needed(Target(6, ((3,),), (1.0,)), 1 / 7) == pytest.approx(2, rel=1e-11)


def test_any_scale_will_do_for_an_error_as_large_as_the_target() -> None:
    target = Target(6, ((3,),), (1.0,))
    assert plateaus(target, 1e-3, "steep") == "outside"
    assert leak_bound(target, 1e-3) < 1
    assert 0 < scale_needed(target, 2.0) < 2


@pytest.mark.parametrize("error", [0, -1.0, math.nan, math.inf, True, "x", 1e-300])
def test_an_error_that_is_none_is_one_line(error: object) -> None:
    with pytest.raises(InputError, match=r"^error: expected "):
        scale_needed(Target(2, ((1, 2),), (1.0,)), error)  # type: ignore[arg-type]


def test_measure_says_the_scale_and_its_norm() -> None:
    found = measure(SIGNED, error=0.01)
    assert set(found["needed"]) == {"error", "scale", "norm_squared"}
    again = measure(SIGNED, scale=found["needed"]["scale"])
    assert again["norms_squared"]["total"] == pytest.approx(found["needed"]["norm_squared"], rel=1e-14)
    assert again["exactness"]["max_abs_error"] <= 0.01 * (1 + 1e-9)
