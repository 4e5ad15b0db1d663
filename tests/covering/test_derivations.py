"""Closed forms of the derivations against independent numbers."""

import math

import pytest
import sympy as sp

from boundaudit.derivations.covering import comparison, dudley, layer, linear, loss, rademacher
from boundaudit.derivations.covering.dudley import A_dud, C_dud, m_dud
from boundaudit.derivations.covering.symbols import B_cov, d_cov, k_cov, s_cov
from boundaudit.numeric.covering import bounds


def test_linear_covering_numbers() -> None:
    at = {d_cov: 2, k_cov: 1, s_cov: 2}
    assert [linear.ENTRIES.subs(at), linear.SHRUNK.subs(at)] == [4 * sp.log(5), sp.log(4)]
    assert linear.SHRUNK.subs({d_cov: 3, k_cov: 2, s_cov: sp.Rational(9, 10)}) == 0
    # Volumes make the finer cover of 64 × 64 from there on.
    fine = (linear.ENTRIES - linear.VOLUMETRIC).subs({d_cov: 64, k_cov: 64, s_cov: sp.Rational("45.316425")})
    assert float(fine) == pytest.approx(0, abs=1e-3)


def test_closed_form_of_dudley() -> None:
    assert float(dudley.BY_SAMPLES.subs({C_dud: 10, m_dud: 1000, A_dud: 2})) == pytest.approx(3.476543982, abs=5e-10)
    assert float(dudley.BY_SAMPLES.subs({C_dud: 8, m_dud: 1, A_dud: 1})) == pytest.approx(-38.636, abs=5e-4)
    assert float(dudley.BY_SAMPLES.subs({C_dud: 2, m_dud: 2 * 10**6, A_dud: 1})) == pytest.approx(
        bounds.dudley(2.0, 2 * 10**6), rel=1e-14
    )


@pytest.mark.parametrize("softmax", ["sharp", "published"])
@pytest.mark.parametrize("samples", [10, 10**7, 10**10])
def test_complexity_of_one_head_is_the_calculators(softmax: str, samples: int) -> None:
    caps = bounds.Caps(dim=4, inner=4, key=2.5, value=1, out=1, read=1)
    expected = bounds.dudley(bounds.single_layer_capacity(caps, softmax=softmax).total, samples)
    at = {B_cov: sp.Rational(5, 2), rademacher.m_rad: samples}
    form = rademacher.head(4, 1 if softmax == "sharp" else 2)
    assert float(form.subs(at)) == pytest.approx(expected, rel=1e-13)


def test_lengths_at_which_the_two_papers_cross() -> None:
    at = {d_cov: 64, k_cov: 64, comparison.m_cmp: 300, comparison.r_cmp: sp.Rational(3, 2)}
    # (2·64² + 1)^1.5 / (64·300): the comparator's log(dmT) is above 1.5 log(2dk + 1) beyond 38.6 tokens.
    assert float(comparison.CROSSING.subs(at)) == pytest.approx(38.62, abs=5e-3)
    dense = comparison.CROSSING.subs({**at, comparison.r_cmp: 128 / sp.pi})
    assert float(sp.log(dense)) == pytest.approx(357.2799, abs=5e-5)


@pytest.mark.parametrize("b", [0.25, 1.0, 4.0])
def test_layer_constants(b: float) -> None:
    caps = bounds.Caps(dim=2, inner=2, key=1, value=1, out=1, read=1, key_operator=b)
    for softmax, expression in (("published", layer.PUBLISHED), ("sharp", layer.SHARP)):
        expected = math.log(float(expression.subs(B_cov, sp.Rational(b))))
        assert bounds.log_layer_factor(caps, softmax=softmax) == pytest.approx(expected, rel=1e-14)


def test_largest_losses_of_a_box() -> None:
    at = {loss.K_out: 30522, loss.R_out: 5}
    assert float(loss.BOX.subs(at)) == pytest.approx(20.326170, abs=5e-7)
