"""Budgets block by block: as floats here, as formulas in the derivations."""

import pytest
import sympy as sp

from boundaudit.derivations.sharpness import gradients, norms
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.exactness import LEAK
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.numeric.sharpness.bound import published, repaired
from boundaudit.numeric.sharpness.mlp import Trapezoid

CLASSES = [(20, 2, 10), (4, 1, 1), (30, 5, 7)]


def value(expression: sp.Expr, size: tuple[int, int, int], flank: int = 1) -> float:
    """At the largest sum of coefficients, √ω."""
    chosen = dict(zip((T, D, omega), size, strict=True))
    largest = expression.subs(SUM, sp.sqrt(omega)).subs({sp.Symbol("C", positive=True): sp.sqrt(omega)})
    return float(largest.subs({**chosen, u: flank, sp.Symbol("lambda", positive=True): 2}).evalf())


@pytest.mark.parametrize("size", CLASSES)
def test_published(size: tuple[int, int, int]) -> None:
    found = published(*size)
    for block in norms.BLOCKS:
        assert found.sharpness[block] == pytest.approx(value(gradients.PUBLISHED[block], size), rel=1e-14)
        assert found.norms_squared[block] == pytest.approx(value(norms.PUBLISHED[block], size), rel=1e-14)


@pytest.mark.parametrize(("mlp", "flank"), [("steep", 1), ("wide", 2)])
@pytest.mark.parametrize("size", CLASSES)
def test_repaired(size: tuple[int, int, int], mlp: Trapezoid, flank: int) -> None:
    found = repaired(*size, mlp)
    sharpness = {**gradients.UPSTREAM, **gradients.SHARP, "F": gradients.F_SHARP}
    for block in norms.BLOCKS:
        assert found.sharpness[block] == pytest.approx(value(sharpness[block], size, flank), rel=1e-12)
        assert found.norms_squared[block] == pytest.approx(value(norms.REPAIRED[block], size, flank), rel=1e-14)
    assert found.residual == pytest.approx(value(LEAK, size) ** 2, rel=1e-12)


@pytest.mark.parametrize("mlp", ["steep", "wide"])
@pytest.mark.parametrize("size", CLASSES)
def test_the_repaired_sharpness_is_the_proved_bound(size: tuple[int, int, int], mlp: Trapezoid) -> None:
    flank = 1 if mlp == "steep" else 2
    simple = value(gradients.UPSTREAM_SIMPLE, size, flank)
    proved, found = value(gradients.G_U_SHARP, size, flank), repaired(*size, mlp)
    upstream = found.sharpness["W1"] + found.sharpness["V1"]
    assert found.sharpness_total - upstream + simple == pytest.approx(proved, rel=1e-12)
    assert found.sharpness_total <= proved
    assert proved <= value(gradients.G_U_REPAIRED, size, flank)
