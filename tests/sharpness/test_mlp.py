"""Theorem 9: the claims on the MLP, against exact fractions that stand apart from the suite's formulas."""

import dataclasses
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from tests.statements import collected

from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.run.addresses import shipped

from .cases import wave


def claim(name: str) -> Claim:
    found = shipped(f"sharpness.mlp.{name}")
    assert found is not None
    return found


@pytest.mark.parametrize("name", ["interpolation", "range[upper]", "range[lower]", "plateaus[one]", "plateaus[zero]"])
def test_measurements_agree_with_fractions(name: str) -> None:
    points = claim(name).domain.sample(200, np.random.default_rng(3))
    measured = Batch.measure(claim(name), points, "cpu").left
    places: dict[str, Callable[[Point], Fraction]] = {
        "interpolation": lambda p: Fraction(p["k"], p["D"]),
        "plateaus[one]": lambda p: (2 * p["kappa"] + Fraction(p["v"])) / p["D"],
        "plateaus[zero]": lambda p: (2 * p["kappa"] + 1 + Fraction(p["v"])) / p["D"],
        "range[upper]": lambda p: (2 * p["kappa"] + Fraction(p["v"])) / p["D"],
        "range[lower]": lambda p: Fraction(p["s"]),
    }
    where = places[name]
    points = [{"D": 2 * p["n_q"] + p["n_o"] if "n_q" in p else p["D"], **p} for p in points]
    expected = [float(wave(where(p), p["D"], p["u"])) for p in points]
    assert np.abs(measured - expected).max() < 1e-12


def shifted(points: Sequence[Point], device: str) -> Array:
    """A network whose breakpoints are all off by a hundredth of a grid step."""
    return np.array([float(wave(Fraction(p["k"] * 100 + 30, p["D"] * 100), p["D"], p["u"])) for p in points])


@pytest.mark.slow
def test_a_wrong_network_does_not_pass() -> None:
    quantity = claim("interpolation").left
    assert isinstance(quantity, Quantity)
    fields = {f.name: getattr(claim("interpolation"), f.name) for f in dataclasses.fields(Claim) if f.init}
    wrong = Claim(**{**fields, "left": dataclasses.replace(quantity, measure=shifted)})
    found = collected(wrong)
    assert found.verdict == "undecided"
    assert "measurement" in found.reason
