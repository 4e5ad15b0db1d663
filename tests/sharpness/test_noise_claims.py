"""Noise up to the MLP: both sides of the claims at named points, against mpmath, fractions and plain loops."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy as sp

from boundaudit.checks.sharpness.noise import averages, chi, flips, rows, slopes
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
    found, stated = sides(chi.tail, n_f=8, tau_f=math.log(100))
    assert found == pytest.approx(-math.log(tail), rel=1e-6)
    assert stated == pytest.approx(math.log(100))


@pytest.mark.slow
@pytest.mark.parametrize(("freedom", "delta"), [(8, 0.25), (52, 0.05), (200, 0.02)])
def test_norms_of_the_noise_keep_to_the_factor(freedom: int, delta: float) -> None:
    """As often as stated, and as often as the tail itself says."""
    limit = freedom * phi(freedom, delta) ** 2
    squares = np.random.default_rng(freedom).standard_normal((100_000, freedom)) ** 2
    share = float((squares.sum(-1) > limit).mean())
    tail = math.exp(-sides(chi.tail, n_f=freedom, tau_f=-math.log(delta))[0])
    assert share == pytest.approx(tail, abs=4 * math.sqrt(tail / 100_000) + 1e-5)
    assert share < delta


@pytest.mark.parametrize("tau", [1e-30, 1e-6, 0.3, 0.5, 2.0, 150.0])
def test_normal_tail(tau: float) -> None:
    with mpmath.workdps(80):
        exact = -mpmath.log(mpmath.erfc(mpmath.sqrt(mpmath.mpf(tau))))
    assert sides(chi.normal_tail, tau_f=tau)[0] == pytest.approx(float(exact), rel=1e-12)


def test_chernoff_by_moments() -> None:
    """The moment generating function of N² - 1 by quadrature; no tilt on a grid gives a better exponent."""
    y = 0.7
    x = y / (1 + 2 * y)
    moment = mpmath.quad(lambda n: mpmath.npdf(n) * mpmath.exp(x * (n * n - 1)), [-mpmath.inf, 0, mpmath.inf])
    left, right = sides(chi.log_moment, y_f=y)
    assert left == pytest.approx(float(mpmath.log(moment)), rel=1e-10)
    assert right == pytest.approx(x * x / (1 - 2 * x), rel=1e-12)
    tilts = np.linspace(0, 0.49, 2000)
    exponents = tilts**2 / (1 - 2 * tilts) - tilts * (2 * y + 2 * y * y)
    assert sides(chi.exponent, y_f=y)[0] <= exponents.min() + 1e-12


def average(length: int, degree: int, k: int, r: int) -> tuple[Fraction, list[tuple[Fraction, int]]]:
    """The average of an active row, and each key's attention and bit."""
    total = degree * length**2 + length + 1 - degree
    keys = [(Fraction(length**2, total), int(n < k)) for n in range(degree)]
    keys += [(Fraction(1, total), int(n < r)) for n in range(length + 1 - degree)]
    return sum((a * z for a, z in keys), Fraction(0)), keys


@pytest.mark.parametrize("point", [(5, 2, 1, 2, 1), (7, 3, 0, 3, 0), (4, 1, 1, 3, 1), (6, 6, 4, 0, 1)])
def test_averages_in_fractions(point: tuple[int, int, int, int, int]) -> None:
    """Key by key: squared attention, and the derivative of softmax along each token."""
    length, degree, k, r, bit = point
    s, keys = average(length, degree, k, r)
    tokens = sum(a * a for a, _ in keys) + s * s
    pull = (1 + bit) * (sum((a * (z - s)) ** 2 for a, z in keys) + sum(a * (z - s) * z for a, z in keys) ** 2)
    at = {"T": length, "D": degree, "k": k, "r": r, "z_t": bit}
    assert sides(averages.data, **at)[0] == pytest.approx(float(tokens + pull), rel=1e-13)
    assert sides(averages.square, **at)[0] == pytest.approx(float((length + 2) * tokens + pull), rel=1e-13)
    named = {symbol: at[symbol.name] for symbol in theorem.AVERAGE_SQUARE.free_symbols}
    assert Fraction(str(theorem.AVERAGE_SQUARE.subs(named))) == (length + 2) * tokens + pull


@pytest.mark.parametrize("width", OFFSETS)
@pytest.mark.parametrize("point", [(5, 1, 1, 2), (6, 2, 1, 0), (9, 4, 4, 5), (8, 3, 2, 1)])
def test_rows_in_fractions(point: tuple[int, int, int, int], width: int) -> None:
    """Unit by unit, dead ones included."""
    length, degree, k, r = point
    s, _ = average(length, degree, k, r)
    outer = hidden = Fraction(0)
    active = 0
    for i in range(degree + 1):
        for offset in OFFSETS[width]:
            argument = s - Fraction(4 * i + offset, 4 * degree)
            active += argument > 0
            outer += (argument > 0) * (i % 2 == 0) * Fraction(4 * degree, width) ** 2
            hidden += max(argument, Fraction(0)) ** 2
    at = {"T": length, "D": degree, "k": k, "r": r, "u": width}
    data = (1 + s * s) * outer + hidden
    assert sides(rows.data_variance, **at)[0] == pytest.approx(float(data), rel=1e-12)
    assert sides(rows.norm_square, **at)[0] == pytest.approx(float(data + (length + 1) * hidden), rel=1e-12)
    assert sides(slopes.square, **at)[0] == pytest.approx(float(outer + (length + 2) * active), rel=1e-12)


def test_printed_rows_fall_and_their_repairs_stand() -> None:
    """D = 1, steep: three deviations at T = 4 already, the Euclidean norm from T = 180 on."""
    by_case = {member.case: member for member in rows.printed.members}
    left, right = sides(by_case["steep,data"], T=4, D=1, k=1, r=1, u=1)
    assert (left, right) == (pytest.approx(1024.9875, rel=1e-12), 1024)
    for length, falls in ((179, False), (180, True)):
        left, right = sides(by_case["all-channels"], T=length, D=1, k=1, r=length - 1, u=1)
        assert (left > right) is falls
    left, right = sides(rows.data_repaired, T=2000, D=2, k=2, r=1998, u=1)
    places = [(4 * i + offset) / 8 for i in range(3) for offset in OFFSETS[1]]
    assert left == pytest.approx(768 + sum(max(0, 1 - place) ** 2 for place in places), rel=1e-3)
    assert left < right == 16384 / 20


def test_unused_rows_by_loops() -> None:
    """T = 6, D = 2, three ones: s = 3/7 lies on the falling flank between 3/8 and 5/8."""
    s = Fraction(3, 7)
    spread = sum(Fraction(1, 49) * (z - s) ** 2 for z in (1, 1, 1, 0, 0, 0, 0)) + (s * (1 - s)) ** 2
    averages_variance = Fraction(1, 7) + s * s + 2 * spread
    # Flanks of the even points 0 and 1 of the steep trapezoid: breakpoints over 8.
    places = [(sign * (i % 2 == 0), Fraction(4 * i + o, 8)) for i in range(3) for sign, o in
              zip((1, -1, -1, 1), OFFSETS[1], strict=True)]  # fmt: skip
    slope = sum(8 * sign for sign, place in places if s > place)
    outer = sum(64 * abs(sign) for sign, place in places if s > place)
    hidden = sum((s - place) ** 2 for _, place in places if s > place)
    expected = slope**2 * averages_variance + (1 + s * s) * outer + hidden
    left, right = sides(rows.idle, T=6, D=2, u=1, n_z=3, z_t=1)
    assert left == pytest.approx(float(expected), rel=1e-12)
    assert right == pytest.approx(64 * float(averages_variance) + 64 * 4 * 3 + 12, rel=1e-12)


def test_the_margin_of_one_bit() -> None:
    left, right = sides(flips.margin, T=6, D=1, u=1)
    assert left == pytest.approx(3 / 28, rel=1e-13)
    assert right == pytest.approx(1 / 4 - 1 / 7, rel=1e-13)


@pytest.mark.slow
def test_trials_count_events() -> None:
    """None at the stated bound."""
    point = {"T": 5, "D": 1, "k": 1, "r": 2, "u": 1, "delta": 0.05}
    assert averages.bound.left.measure([point], 500, 3, "cpu").tolist() == [0]


def test_constants_that_the_text_leaves_open_are_bracketed() -> None:
    """At the constant a row moves farther with probability just below 1/20, a little under it just above."""
    row = {"T": 5, "D": 1, "k": 1, "r": 4, "z_t": 1}
    above, below = (sides(averages.printed, **row, K=constant)[0] for constant in (1.813, 1.812))
    assert 0.0499 < above < 0.05 < below < 0.0503
    slope = {"T": 4, "D": 2, "k": 2, "r": 0, "u": 1}
    above, below = (sides(slopes.printed.members[0], **slope, K=constant)[0] for constant in (5.3, 5.29))
    assert 0.0499 < above < 0.05 < below < 0.0505
    output = {"T": 100, "D": 1, "k": 1, "r": 99, "u": 2}
    above, below = (sides(rows.constant.members[1], **output, K=constant)[0] for constant in (12.07, 12.06))
    assert 0.0498 < above < 0.05 < below < 0.0502
