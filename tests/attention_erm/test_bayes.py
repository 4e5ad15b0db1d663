"""The Bayes-optimal benchmark and the best penalty."""

import pytest
import torch

from boundaudit.numeric.attention_erm import (
    NoConvergence,
    bayes_recovery,
    bayes_state,
    convolve,
    discrete_target,
    gaussian_target,
    linear_state,
    minimal_error,
    tuned_state,
)

ALPHAS = [0.1, 0.3, 0.5, 1.0]


@pytest.mark.slow
def test_tabulated_errors() -> None:
    state = bayes_state(gaussian_target(0.5), ALPHAS, 0.5)
    assert state.error.tolist() == pytest.approx([0.80074, 0.42643, 0.24884, 0.11139], abs=6e-6)
    again = minimal_error(gaussian_target(0.5), state.delta)
    assert again.tolist() == pytest.approx(state.error.tolist(), rel=1e-8)


def test_the_minimal_error_is_that_of_the_spectral_shrinkage() -> None:
    target = discrete_target([0, 1, 3], [0.5, 0.3, 0.2])
    convolution = convolve(target, [0.3, 1.0])
    # E[S0 | x] = x - 2 δ² Re G(x), integrated on a fine grid of parameters.
    share = torch.linspace(0, 1, 20001, dtype=torch.float64)
    shrunk = torch.zeros(2, dtype=torch.float64)
    for low, high in zip(convolution.lower.T, convolution.upper.T, strict=True):
        u = low[:, None] + (high - low)[:, None] * share
        law = convolution.curve(u)
        estimate = law.x - 2 * convolution.delta[:, None] ** 2 * law.hilbert
        shrunk += torch.trapezoid(estimate**2 * law.density, law.x)
    assert minimal_error(target, [0.3, 1.0]).tolist() == pytest.approx(
        (target.second_moment - shrunk).tolist(), rel=1e-4
    )


def test_few_samples_leave_the_variance_of_the_prior() -> None:
    target = gaussian_target(0.5)
    state = bayes_state(target, [1e-3, 1e-5, 1e-7, 1e-9, 1e-12], 0.5)
    below = 2.5 - state.test
    assert bool((below > 0).all())
    assert bool((below.diff() < 0).all())
    # E = 1 - 1/δ² with 4 α δ² = 2.5.
    assert below[2:].tolist() == pytest.approx([3.2e-7, 3.2e-9, 3.2e-12], rel=0.01)


@pytest.mark.slow
def test_a_best_penalty_that_cancels_is_refused() -> None:
    target = gaussian_target(0.5)
    # In the limit of few samples it falls as the root of their number.
    few = tuned_state(target, [1e-5, 4e-5], 0.5).penalty
    assert float(few[1] / few[0]) == pytest.approx(2, rel=0.02)
    with pytest.raises(NoConvergence, match="alpha"):
        tuned_state(target, [1e-7], 0.5)


@pytest.mark.slow
def test_where_no_penalty_helps_the_best_is_that_of_none() -> None:
    target = gaussian_target(0.25)
    tuned, bare = tuned_state(target, [0.285], 0.0), linear_state(target, [0.285], 0.0, 0.0)
    assert float(tuned.penalty) == 0
    assert float(tuned.error) == pytest.approx(float(bare.error), rel=1e-9)


def test_the_best_estimate_joins_the_linear_one() -> None:
    target = gaussian_target(0.5)
    near, far = minimal_error(target, [(0.999e4 * 1.5) ** 0.5, (1.001e4 * 1.5) ** 0.5]).tolist()
    assert near == pytest.approx(far, abs=1e-6)


@pytest.mark.slow
def test_recovery_without_noise() -> None:
    threshold = bayes_recovery(0.25)
    assert threshold == pytest.approx(0.21875)
    below, above = bayes_state(gaussian_target(0.25), [threshold - 0.002, threshold + 0.002], 0.0).error.tolist()
    assert below > 1e-4
    assert above == 0.0


@pytest.mark.slow
def test_no_penalty_does_better_than_the_best() -> None:
    tuned = tuned_state(gaussian_target(0.5), [0.3, 0.5], 0.5)
    assert tuned.error.tolist() == pytest.approx([0.51466, 0.27351], abs=6e-6)
    assert tuned.penalty.tolist() == pytest.approx([0.303, 0.384], abs=1e-3)
    for factor, slack in ((1.0, 1e-7), (1.2, None), (0.8, None)):
        again = float(linear_state(gaussian_target(0.5), 0.5, factor * float(tuned.penalty[1]), 0.5).error)
        if slack is None:
            assert again > float(tuned.error[1]) + 1e-5
        else:
            assert again == pytest.approx(float(tuned.error[1]), rel=slack)
