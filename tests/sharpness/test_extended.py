"""The claims beyond the paper, against fractions and entry-by-entry sums that stand apart from the suite's formulas."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch

from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.sharpness import extended
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.construction import Layout, build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import TargetBatch

from .cases import TARGETS

LAYOUTS: tuple[Layout, Layout] = ("extended", "published")


def draw(claim: Any, count: int) -> list[dict[str, Any]]:
    points: list[dict[str, Any]] = claim.domain.sample(count, np.random.default_rng(5))
    return points


def test_short_rows_read_the_softmax_in_fractions() -> None:
    points = draw(extended.row_value, 100)
    measured = side_values(extended.row_value.left, points, "cpu")
    for p, value in zip(points, measured, strict=True):
        power = p["T"] ** 2
        keys = [power] * p["D_t"] + [1] * (p["T"] - p["D_t"]) + [(p["D_g"] - p["D_t"]) * power]
        ones = p["k"] * power + p["r_t"]
        assert value == pytest.approx(float(Fraction(ones, sum(keys))), rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("mlp", ["steep", "wide"])
def test_one_size_and_one_sign_are_the_published_construction(mlp: Trapezoid) -> None:
    batch = TargetBatch.stack([target for target in TARGETS.values() if target.length <= 8])
    bits = bit_strings(batch.max_length, 0, 2**batch.max_length)
    extended_outputs, published_outputs = (
        forward(build(batch, layout=layout, mlp=mlp), batch, bits) for layout in LAYOUTS
    )
    torch.testing.assert_close(extended_outputs, published_outputs, rtol=0, atol=1e-12)


def test_errors_and_their_bound_in_fractions() -> None:
    points = draw(extended.error, 20)
    measured, bound = (side_values(side, points, "cpu") for side in (extended.error.left, extended.error.right))
    for p, value, limit in zip(points, measured, bound, strict=True):
        length, omega, power = p["T"], p["omega"], p["T"] ** 2
        kinds = [(p["D_2"], p["nu_2"])] * p["omega_2"] + [(p["D"], 0)] * (omega - p["omega_2"])
        degree, u = max(size + negative for size, negative in kinds), p["u"]
        weights = [Fraction(c) for c in p["c"]]

        def g(x: Fraction, degree: int = degree, u: int = u) -> Fraction:
            return sum((min(max(Fraction(1 + u - 4 * abs(x - i)) / u, Fraction(0)), Fraction(1))
                        for i in range(0, degree + 1, 2)), Fraction(0))  # fmt: skip

        worst = Fraction(0)
        for bits in itertools.product((0, 1), repeat=length):
            mass = Fraction(length + 1 - omega)
            output = mass * g(Fraction(degree * sum(bits), length + 1))
            target = Fraction(0)
            for t, ((size, negative), weight) in enumerate(zip(kinds, weights, strict=True)):
                chosen = {(t + j) % length for j in range(size)}
                keys = [power if j in chosen else 1 for j in range(length)] + [(degree - size) * power or 1]
                row = Fraction(sum(key for key, bit in zip(keys, (*bits, 0), strict=True) if bit), sum(keys))
                mass += weight * power
                output += weight * power * (g(degree * row + negative) - negative)
                even = sum(bits[j] for j in chosen) % 2 == 0
                target += (-weight if negative else weight) * even
            worst = max(worst, abs(sum(weights) * output / mass - target))
        assert value == pytest.approx(float(worst), rel=1e-11)
        assert worst <= limit
