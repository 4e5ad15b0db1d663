"""Noise up to the MLP: both sides of the claims at named points, against mpmath, fractions and plain loops."""

import math

import mpmath
import numpy as np
import pytest
import sympy as sp

from boundaudit.checks.sharpness.noise import moves, rows
from boundaudit.derivations.sharpness import noise as theorem

from .cases import OFFSETS
from .stated import sides


def phi(freedom: int, delta: float) -> float:
    return float(sp.sqrt(theorem.phi_squared(sp.Integer(freedom), sp.log(1 / sp.Float(delta)))))


def test_factor_at_the_widths_of_the_mlp() -> None:
    """Eight degrees of freedom and one in a hundred; the true tail there by quadrature."""
    assert phi(8, 0.01) == pytest.approx(1.91539, abs=5e-6)
    assert phi(52, 0.01 / 52) == pytest.approx(1.46300, abs=5e-6)
    limit = 8 * phi(8, 0.01) ** 2
    weighted = mpmath.quad(lambda x: x**3 * mpmath.exp(-x / 2), [limit, 2 * limit, mpmath.inf])
    tail = float(weighted) / 96
    assert tail == pytest.approx(2.75e-4, rel=5e-3)
    found, stated = sides(rows.tail, n_f=8, tau_f=math.log(100))
    assert found == pytest.approx(-math.log(tail), rel=1e-6)
    assert stated == pytest.approx(math.log(100))


def test_chernoff_by_moments() -> None:
    """The moment generating function of N² - 1 by quadrature; no tilt on a grid gives a better exponent."""
    y = 0.7
    x = y / (1 + 2 * y)
    moment = mpmath.quad(lambda n: mpmath.npdf(n) * mpmath.exp(x * (n * n - 1)), [-mpmath.inf, 0, mpmath.inf])
    left, right = sides(rows.log_moment, y_f=y)
    assert left == pytest.approx(float(mpmath.log(moment)), rel=1e-10)
    assert right == pytest.approx(x * x / (1 - 2 * x), rel=1e-12)
    tilts = np.linspace(0, 0.49, 2000)
    exponents = tilts**2 / (1 - 2 * tilts) - tilts * (2 * y + 2 * y * y)
    assert -float(theorem.markov(theorem.FACTOR_SQUARED).subs(theorem.y_f, y)) <= exponents.min() + 1e-12


def test_printed_rows_fall_and_their_repairs_stand() -> None:
    """D = 1, steep: three deviations at T = 4 already, the Euclidean norm from T = 180 on."""
    by_case = {member.case: member for member in rows.rows_printed.members}
    left, right = sides(by_case["steep,data"], T=4, D=1, k=1, r=1, u=1)
    assert (left, right) == (pytest.approx(1024.9875, rel=1e-12), 1024)
    for length, falls in ((179, False), (180, True)):
        left, right = sides(by_case["all-channels"], T=length, D=1, k=1, r=length - 1, u=1)
        assert (left > right) is falls
    left, right = sides(rows.data_repaired, T=2000, D=2, k=2, r=1998, u=1)
    places = [(4 * i + offset) / 8 for i in range(3) for offset in OFFSETS[1]]
    assert left == pytest.approx(768 + sum(max(0, 1 - place) ** 2 for place in places), rel=1e-3)
    assert left < right == 16384 / 20


def test_the_margin_of_one_bit() -> None:
    left, right = sides(moves.margin, T=6, D=1, u=1)
    assert left == pytest.approx(3 / 28, rel=1e-13)
    assert right == pytest.approx(1 / 4 - 1 / 7, rel=1e-13)


@pytest.mark.slow
def test_trials_count_events() -> None:
    """None at the stated bound."""
    point = {"T": 5, "D": 1, "k": 1, "r": 2, "u": 1, "delta": 0.05}
    assert moves.bound.left.measure([point], 500, 3, "cpu").tolist() == [0]


def test_constants_that_the_text_leaves_open_are_bracketed() -> None:
    """At the constant a row moves farther with probability just below 1/20, a little under it just above."""
    row = {"T": 5, "D": 1, "k": 1, "r": 4, "z_t": 1}
    above, below = (sides(moves.printed, **row, K=constant)[0] for constant in (1.813, 1.812))
    assert 0.0499 < above < 0.05 < below < 0.0503
    slope = {"T": 4, "D": 2, "k": 2, "r": 0, "u": 1}
    above, below = (sides(moves.slopes_printed.members[0], **slope, K=constant)[0] for constant in (5.3, 5.29))
    assert 0.0499 < above < 0.05 < below < 0.0505
    output = {"T": 100, "D": 1, "k": 1, "r": 99, "u": 2}
    above, below = (sides(rows.constant.members[1], **output, K=constant)[0] for constant in (12.07, 12.06))
    assert 0.0498 < above < 0.05 < below < 0.0502
