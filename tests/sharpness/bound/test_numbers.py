"""The numbers of Appendix E.3, against high-precision arithmetic written out here."""

import math
from collections.abc import Callable

import mpmath
import pytest
import sympy as sp

from boundaudit.checks.sharpness.bound import shared_variance as chain
from boundaudit.derivations.pac_bayes.symbols import S, m
from boundaudit.derivations.sharpness.bound import numbers, shared_variance
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.numeric.sharpness.bound.budgets import published
from boundaudit.numeric.sharpness.bound.shared_variance import shared_variance as bound
from boundaudit.numeric.sharpness.bound.shared_variance import truncated_optimum
from boundaudit.numeric.sharpness.norms import norms_squared
from boundaudit.numeric.sharpness.target import Target, TargetBatch

mpmath.mp.dps = 30
SHARPNESS = 4 + 40 * (2 + 2 + 32 * 4 + 32 * 8)
NORM = 16 * 4 * 3 + 8 * 3 + 1 + 10 + 4 * mpmath.log(20) ** 2 * 10 * 3


def value(noise: mpmath.mpf, sharpness: float = SHARPNESS, norm: mpmath.mpf = NORM, log: float = 0) -> mpmath.mpf:
    """The bound at S = 0.01 and m = 10⁶."""
    return noise**2 * sharpness + mpmath.mpf("0.01") * mpmath.sqrt(2 * (norm / (2 * noise**2) + log) / 10**6)


def minimum(function: Callable[[mpmath.mpf], mpmath.mpf]) -> mpmath.mpf:
    """Where the derivative of a convex function of log σ vanishes."""
    return mpmath.exp(mpmath.findroot(lambda x: mpmath.diff(lambda y: function(mpmath.exp(y)), x), mpmath.log(0.002)))


def test_the_best_noise_and_value_are_those_of_a_search() -> None:
    best = minimum(value)
    assert float(best) == pytest.approx(2.265676000e-3, rel=1e-10)
    assert float(value(best)) == pytest.approx(0.2390674765, abs=5e-11)
    formula = {**numbers.PUBLISHED, **numbers.SETTING}
    assert float(shared_variance.BEST_SIGMA.subs(numbers.PUBLISHED).subs(numbers.SETTING)) == pytest.approx(
        float(best), rel=1e-12
    )
    assert float(shared_variance.OPTIMUM.subs(formula).subs(numbers.SETTING)) == pytest.approx(
        float(value(best)), rel=1e-12
    )


@pytest.mark.parametrize(("length", "degree", "sparsity"), [(5, 1, 1), (5, 4, 5), (50, 1, 5), (50, 4, 1)])
@pytest.mark.parametrize("proxy", [0.01, 2.0])
def test_the_optimum_without_the_logarithm_is_the_closed_form(
    length: int, degree: int, sparsity: int, proxy: float
) -> None:
    at = {T: length, D: degree, omega: sparsity, S: proxy, m: 100}
    noise, value_ = truncated_optimum(published(length, degree, sparsity), samples=100, proxy=proxy)
    assert noise == pytest.approx(float(shared_variance.BEST_SIGMA.subs(numbers.PUBLISHED).subs(at)), rel=1e-12)
    assert value_ == pytest.approx(float(shared_variance.OPTIMUM.subs(numbers.PUBLISHED).subs(at)), rel=1e-12)


@pytest.mark.parametrize("variance", [1e-8, 1e-2])
@pytest.mark.parametrize("failure", [0.5, 1e-6])
@pytest.mark.parametrize(("length", "degree", "sparsity"), [(5, 1, 1), (5, 4, 5), (50, 1, 5), (50, 4, 1)])
def test_the_numerical_optimum_is_at_the_root(
    length: int, degree: int, sparsity: int, failure: float, variance: float
) -> None:
    budgets, samples, log = published(length, degree, sparsity), 10**6, float(-mpmath.log(failure))
    norm, sharpness = budgets.norm_total, budgets.sharpness_total
    # S such that 4G²(L x³ + 2 x⁴ ln(1/δ)) = L²S²/m at the wanted variance x.
    proxy = 2 * sharpness * (samples * (norm * variance**3 + 2 * log * variance**4)) ** 0.5 / norm
    found = bound(budgets, samples=samples, delta=failure, proxy=proxy)
    assert isinstance(found.sigma, float)
    assert found.sigma**2 == pytest.approx(variance, rel=1e-9)
    assert found.value == pytest.approx(sharpness * (3 * variance + 4 * log * variance**2 / norm), rel=1e-12)
    assert found.floor is not None
    assert 1 - 1e-7 <= found.floor / found.value <= 1


def test_the_root_of_the_stationarity_equation_is_the_best_variance() -> None:
    log = mpmath.log(20)
    x = minimum(lambda noise: value(noise, log=float(log))) ** 2
    at = {
        shared_variance.G_s: SHARPNESS,
        shared_variance.N_2: sp.Float(str(NORM), 30),
        shared_variance.tau_f: sp.Float(str(log), 30),
    }
    left = shared_variance.stationary(shared_variance.v_s).subs(at).subs(shared_variance.v_s, sp.Float(str(x), 30))
    assert float(left) == pytest.approx(float(NORM**2 * mpmath.mpf("1e-4") / 10**6), rel=1e-10)


def test_the_norm_of_equal_coefficients_is_that_of_the_tensors() -> None:
    target = Target(20, tuple((2 * n + 1, 2 * n + 2) for n in range(10)), (10**-0.5,) * 10)
    for width, mlp, written in ((1, "steep", 1492.694), (2, "wide", 1109.163)):
        measured = float(norms_squared(TargetBatch.stack([target]), mlp=mlp)["total"][0])  # type: ignore[arg-type]
        formula = float(numbers.norm_of_equal().subs({**numbers.SIZES, u: width}))
        assert formula == pytest.approx(measured, rel=1e-12)
        assert formula == pytest.approx(written, abs=5e-4)


def test_the_chain_ends_in_the_printed_bound() -> None:
    found = chain.chain.measure(points=2, seed=0, device="cpu")
    wide, steep = found.samples
    assert wide.values[6] == pytest.approx(0.2390674784, abs=1e-10)
    assert steep.values[6] == wide.values[6]
    norm_part = 0.01 * math.sqrt(2 * (1492.69434834 / (2 * 2.265676e-3**2) + math.log(20)) / 10**6)
    assert steep.values[1] - steep.values[0] == pytest.approx(norm_part, rel=1e-6)
    assert found.holds[2], "the second-order term is the mean loss under noise within the draws' error"
    assert not found.holds[4], "the printed L is not above the steep construction's norm"
    assert not found.holds[5], "the loss at the construction is not zero"
