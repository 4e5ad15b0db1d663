"""What the claims compare, against independent computation."""

import math

import pytest
import sympy as sp

from boundaudit.derivations.schatten import generalization, interpolation, metric_entropy, proxy
from boundaudit.derivations.schatten.symbols import L_sch, N_sch, S_sch, epsilon_sch, n_sch, p_sch, s_sch, tau_sch

_VALUES = {n_sch: 4, tau_sch: sp.Integer(2), p_sch: sp.Rational(1, 2)}


def _of(expression: sp.Expr, values: tuple[int, ...]) -> float:
    entries = {s_sch[k + 1]: value for k, value in enumerate(values)}
    return float(expression.subs(_VALUES).doit().subs(entries))


def test_large_and_small_singular_values() -> None:
    assert _of(interpolation.LARGE, (5, 3, 2, 1)) == 2
    assert _of(interpolation.SMALL, (5, 3, 2, 1)) == 5
    assert _of(interpolation.power_sum(p_sch), (9, 4, 1, 0)) == pytest.approx(6)


def test_the_balanced_threshold_makes_both_parts_equal_to_psi() -> None:
    point = {N_sch: 48, S_sch: sp.Rational(7, 3), p_sch: sp.Rational(2, 3), epsilon_sch: sp.Rational(1, 9)}
    at = {tau_sch: interpolation.BALANCED.subs(point)}
    psi = float(interpolation.PSI.subs(point))
    for part in (interpolation.LOW_RANK, interpolation.REMAINDER, interpolation.BY_COUNT):
        assert float(part.subs(point).subs(at)) == pytest.approx(psi, rel=1e-12)
    scale = 9.0
    summand = (7 / 3) ** (3 / 8) * scale**0.25 * 48 ** (5 / 8)
    assert math.sqrt(psi) == pytest.approx(summand, rel=1e-12)


def test_closed_form_of_a_decaying_spectrum() -> None:
    total, tenth = math.fsum(1 / k for k in range(1, 1025)), sp.Rational(1, 10)
    terms = (metric_entropy.decaying(sp.Integer(1), 1024), sp.Rational(1, 2), sp.Integer(1024), tenth, sp.Integer(33))
    psi = 1024**1.2 * total**0.8 * 0.1**-0.4
    assert float(metric_entropy.closed_form(*terms)) == pytest.approx(33 * psi + math.log(2), rel=1e-12)


def test_audited_figures() -> None:
    assert float(metric_entropy.C_F) == pytest.approx(47.433722, abs=1e-6)
    assert float(proxy.STEEPEST) == pytest.approx(1.128904145185, abs=1e-12)
    assert float(proxy.NOISE_AT_FIRST_INDEX) == pytest.approx(704 * 10 ** (-16 / 19), rel=1e-12)


def test_price_of_indices_covers_the_grid_that_the_proxy_uses() -> None:
    for depth, width in ((1, 1), (2, 128), (12, 768)):
        steps = math.ceil(depth + math.log(width))
        limit = float(generalization.LARGEST_M.subs({L_sch: depth, N_sch: width}))
        assert limit - 1 <= steps <= limit
