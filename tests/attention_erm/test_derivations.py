"""The closed forms against independent integrals and optima, in 30 digits."""

from __future__ import annotations

from collections.abc import Iterator

import mpmath as mp
import pytest
import sympy as sp

from boundaudit.derivations.attention_erm import power_law, recovery, spikes
from boundaudit.derivations.attention_erm.symbols import gamma_erm, k_erm, kappa_0, phi_erm, q_erm, x_erm


def _semicircle(power: int, level: float) -> mp.mpf:
    return mp.quad(lambda s: (s - level) ** power * mp.sqrt(4 - s**2) / (2 * mp.pi), [level, 2])


@pytest.fixture(autouse=True)
def _digits() -> Iterator[None]:
    with mp.workdps(30):
        yield


@pytest.mark.parametrize("angle", [0.3, 1.0, 1.5])
def test_integrals_of_the_semicircle(angle: float) -> None:
    for expression, power in ((recovery.FIRST, 1), (recovery.SECOND, 2)):
        exact = mp.mpf(str(sp.N(expression.subs(phi_erm, sp.Float(angle, 40)), 30)))
        assert mp.almosteq(exact, _semicircle(power, 2 * mp.cos(angle)), rel_eps=mp.mpf(10) ** -18)


@pytest.mark.slow
@pytest.mark.parametrize("angle", [0.2, 0.8, 1.4])
def test_the_threshold_is_the_least_over_all_angles(angle: float) -> None:
    at = {phi_erm: sp.Float(angle, 30)}
    rank = recovery.BEST_RANK.subs(at)
    slope = sp.diff(recovery.ENOUGH, phi_erm).subs(at).subs(kappa_0, rank)
    assert abs(slope) < 1e-20
    needed = sp.lambdify(phi_erm, recovery.ENOUGH.subs(kappa_0, rank), "mpmath")
    least = min(needed(mp.mpf(k) / 400 * mp.pi / 2) for k in range(401))
    assert 0 <= least - float(recovery.THRESHOLD.subs(at)) < 1e-4


def test_known_thresholds() -> None:
    assert float(recovery.THRESHOLD.subs(phi_erm, sp.pi / 2)) == pytest.approx(0.5)
    small = {phi_erm: sp.Rational(1, 20)}
    rank, needed = (sp.N(e.subs(small), 60) for e in (recovery.BEST_RANK, recovery.THRESHOLD))
    assert float((3 * rank - needed) / rank ** sp.Rational(7, 5)) == pytest.approx(float(recovery.SMALL_RANK), rel=2e-3)


def test_a_mode_is_as_costly_on_both_sides_of_the_bulk() -> None:
    assert spikes.kept(sp.Integer(1)) == 1
    assert sp.diff(spikes.kept(x_erm), x_erm).subs(x_erm, 1) == 2
    assert sp.simplify(spikes.CURVE.subs(spikes.alpha_bar, spikes.ALPHA_OF_R) - spikes.CURVE_OF_R) == 0


@pytest.mark.parametrize("exponent", [sp.Rational(3, 4), sp.Integer(1), sp.Integer(2)])
def test_the_constant_is_an_integral(exponent: sp.Rational) -> None:
    g = mp.mpf(str(sp.N(exponent, 30)))
    integral = mp.quad(lambda v: 6 - 8 * v**g + 3 * v ** (2 * g), [0, 1]) + mp.quad(
        lambda v: v ** (-2 * g), [1, 9, mp.inf]
    )
    assert float(power_law.CONSTANT.subs(gamma_erm, exponent)) == pytest.approx(float(integral), rel=1e-9)


@pytest.mark.parametrize(
    ("k", "q", "integral"), [(2, 5, power_law.BEFORE), (4, sp.Rational(7, 2), power_law.AFTER)], ids=["kept", "last"]
)
def test_the_integral_over_one_mode(k: int, q: sp.Rational, integral: sp.Expr) -> None:
    step = power_law.step(integral, power_law.BEFORE).subs({k_erm: k, q_erm: q})
    error = sp.lambdify(x_erm, spikes.mode_error(x_erm), "math")
    numeric = mp.quad(lambda v: error(float(q) / float(v)), [k - 1, min(float(q), k), k])
    assert float(step) == pytest.approx(float(numeric), rel=1e-9)
