"""Losses under noise against plain quadrature and sampling."""

from collections.abc import Callable
from typing import Any

import mpmath
import pytest
import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import domination as theorem
from boundaudit.derivations.sharpness.domination import L_2, L_4, L_c, kappa_b
from boundaudit.numeric.sharpness import domination

from .cases import column


def gaussian_mean(of: Callable[[Any], Any], deviation: float, kinks: tuple[float, ...] = ()) -> float:
    """E of(σZ) by mpmath, piece by piece."""
    cuts = sorted({-12 * deviation, 12 * deviation, *(k for k in kinks if abs(k) < 12 * deviation)})

    def weighted(z: Any) -> Any:
        return of(z) * mpmath.npdf(z, 0, deviation)

    return float(mpmath.quad(weighted, cuts))


def test_the_quartic_instance() -> None:
    point = {L_2: sp.Rational(9, 20), L_4: 1000, L_c: sp.Rational(1, 2), sigma: sp.Rational(1, 10)}
    assert theorem.MEAN.subs(point) == sp.Rational(609, 2000)
    assert theorem.MEAN_OF_CONSTRUCTION.subs(point) == sp.Rational(1, 200)
    assert gaussian_mean(lambda z: 0.45 * z**2 + 1000 * z**4, 0.1) == pytest.approx(0.3045, rel=1e-9)


def test_the_bounded_instance() -> None:
    point = {kappa_b: 50, sigma: 1}
    assert float(theorem.BUMP_MEAN.subs(point)) == pytest.approx(0.9004962810, abs=1e-10)
    assert float(theorem.BUMP_TRACE.subs(point)) == pytest.approx(0.0985185337, abs=1e-10)
    trace = gaussian_mean(lambda z: (100 - 10000 * z**2) * mpmath.exp(-50 * z**2), 1.0, (-1.0, -0.1, 0.0, 0.1, 1.0))
    assert trace == pytest.approx(0.0985185337, abs=1e-9)
    assert float(domination.bump_mean(column(50.0), column(1.0))) == pytest.approx(101**-0.5, rel=1e-12)


@pytest.mark.parametrize("start", [1.0, -2.0])
@pytest.mark.parametrize(("weight", "gap", "deviation"), [(20.0, 0.01, 0.1), (3.0, 0.25, 0.5), (7.0, 2.0, 5.0)])
def test_the_relu_network(start: float, weight: float, gap: float, deviation: float) -> None:
    def output(b: float) -> float:
        return -(b + 2) + 1.5 * max(b + 1, 0) + weight * max(b - 1 - gap, 0)

    assert output(1.0) == output(-2.0) == 0
    expected = gaussian_mean(lambda z: output(start + z) ** 2, deviation, (-1 - start, 1 + gap - start))
    found = float(domination.biased_loss(start, column(weight), column(gap), column(deviation)))
    assert found == pytest.approx(expected, rel=1e-9)
