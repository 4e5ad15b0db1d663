"""Certified ends: the smallest float that is certain, in mpmath's judgement too."""

import math

import mpmath
import pytest
from flint import arb

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import certified_binomial, certified_bound, certified_inverse, pac_bayes_bound
from boundaudit.numeric.pac_bayes.certified import certified_kl, upper_end

from .test_binary_kl import divergence


@pytest.mark.parametrize("q", [0.0, 1e-12, 0.02, 0.25, 0.5, 0.9])
@pytest.mark.parametrize("budget", [1e-9, 1e-4, 0.05, 1.0, 3.0])
def test_the_end_is_certain_and_the_float_below_is_not(q: float, budget: float) -> None:
    end = certified_inverse(q, budget)
    with mpmath.workdps(80):
        assert divergence(q, end) >= budget
        assert divergence(q, math.nextafter(end, 0)) < budget


def test_ends_of_the_range() -> None:
    assert certified_inverse(1.0, 0.1) == 1.0
    assert certified_inverse(0.5, math.inf) == 1.0
    assert certified_inverse(0.5, 200.0) == 1.0
    assert 0.25 <= certified_inverse(0.25, 0.0) <= math.nextafter(0.25, 1)
    assert certified_inverse(0.0, 1e-40) == pytest.approx(1e-40, rel=1e-15)


def test_a_ball_for_a_budget_counts_with_its_upper_end() -> None:
    assert certified_inverse(0.1, arb(0.2, 1e-15)) >= certified_inverse(0.1, 0.2 + 0.9e-15)


def test_relative_entropy_in_balls_holds_the_value() -> None:
    with mpmath.workdps(40):
        assert float(certified_kl(arb("0.5"), arb("0.25")).mid()) == pytest.approx(
            float(divergence(0.5, 0.25)), rel=1e-14
        )
    assert certified_kl(arb(0), arb("0.5")).overlaps(arb(2).log())


def test_upper_end_is_the_smallest_float_above_a_ball() -> None:
    assert upper_end(arb(0.5)) == 0.5
    third = arb(1) / 3
    assert arb(upper_end(third)) >= third
    assert upper_end(arb("inf")) == math.inf


@pytest.mark.parametrize(("q", "budget"), [(-0.1, 1.0), (1.5, 1.0), (math.nan, 1.0), (0.5, -1.0), (0.5, math.nan)])
def test_bad_input(q: float, budget: float) -> None:
    with pytest.raises(InputError):
        certified_inverse(q, budget)


@pytest.mark.parametrize("form", ["mcallester", "maurer", "seeger", "quadratic"])
def test_a_certified_bound_is_next_to_the_bound_and_not_below_its_exact_value(form: str) -> None:
    arguments = (0.02, 5000.0, 60000.0, 0.025)
    found, numeric = certified_bound(*arguments, form), float(pac_bayes_bound(*arguments, form))
    assert found == pytest.approx(numeric, rel=1e-12)
    r, kl, samples, delta = (mpmath.mpf(value) for value in arguments)
    with mpmath.workdps(60):
        first = samples + 1 if form == "seeger" else 2 * mpmath.sqrt(samples)
        budget = (kl + mpmath.log(first / delta)) / samples
        half = budget / 2
        if form == "mcallester":
            assert found >= r + mpmath.sqrt(half) > math.nextafter(found, 0) - 1e-15
        elif form == "quadratic":
            assert found >= (mpmath.sqrt(r + half) + mpmath.sqrt(half)) ** 2
        else:
            assert divergence(0.02, found) >= budget > divergence(0.02, math.nextafter(found, 0))


@pytest.mark.parametrize(("q", "budget"), [(0.0, 5e-324), (0.0, 1e-300), (0.2, 1e-40), (1e-300, 1e-300)])
def test_the_smallest_budgets_end_at_once(q: float, budget: float) -> None:
    found = certified_inverse(q, budget)
    assert q < found < max(1.1 * q, 4 * budget)


def test_a_wide_ball_is_served_by_its_upper_end() -> None:
    assert certified_inverse(0.2, arb(0.2, 1e-3)) == pytest.approx(certified_inverse(0.2, 0.201), rel=1e-6)
    assert certified_inverse(0.2, arb(0.2, 1e-3)) >= certified_inverse(0.2, 0.201)


def _tail(errors: int, samples: int, p: float) -> mpmath.mpf:
    return mpmath.fsum(
        mpmath.binomial(samples, k) * mpmath.mpf(p) ** k * (1 - mpmath.mpf(p)) ** (samples - k)
        for k in range(errors + 1)
    )


@pytest.mark.parametrize(("errors", "samples"), [(0, 1), (0, 40), (3, 40), (39, 40), (20, 400)])
@pytest.mark.parametrize("delta", [1e-9, 0.05, 0.7])
def test_the_binomial_end_is_certain_and_the_float_below_is_not(errors: int, samples: int, delta: float) -> None:
    end = certified_binomial(errors, samples, delta)
    with mpmath.workdps(80):
        assert _tail(errors, samples, end) <= delta
        assert _tail(errors, samples, math.nextafter(end, 0)) > delta


@pytest.mark.parametrize("risk", [0.01, 0.1, 0.5, 0.97])
def test_the_binomial_end_is_below_the_risk_as_rarely_as_it_says(risk: float) -> None:
    samples, delta = 50, 0.1
    low = [k for k in range(samples + 1) if certified_binomial(k, samples, delta) < risk]
    assert low == list(range(len(low)))  # the fewest errors are those that mislead
    assert _tail(len(low) - 1, samples, risk) <= delta < _tail(len(low), samples, risk)


@pytest.mark.parametrize("given", [(-1, 10, 0.1), (11, 10, 0.1), (0, 0, 0.1), (1, 10, 0.0), (1, 10, math.nan)])
def test_no_binomial_end_for_what_is_no_count(given: tuple[int, int, float]) -> None:
    with pytest.raises(InputError):
        certified_binomial(*given)
    assert certified_binomial(10, 10, 0.1) == 1.0
