"""The closed forms against independent integrals and optima, in 30 digits."""

from __future__ import annotations

from collections.abc import Iterator

import mpmath as mp
import pytest
import sympy as sp

from boundaudit.derivations.attention_erm import power_law, spikes
from boundaudit.derivations.attention_erm.symbols import gamma_erm, k_erm, q_erm, x_erm


@pytest.fixture(autouse=True)
def _digits() -> Iterator[None]:
    with mp.workdps(30):
        yield


def test_a_mode_is_as_costly_on_both_sides_of_the_bulk() -> None:
    assert spikes.kept(sp.Integer(1)) == 1
    assert sp.diff(spikes.kept(x_erm), x_erm).subs(x_erm, 1) == 2


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
