"""The linear case: tabulated solutions, limits, and refusals."""

import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.attention_erm import (
    check_width,
    convolve,
    discrete_target,
    effective_penalty,
    gaussian_target,
    linear_state,
)

# (α, λ~, Δ, κ0): E, train, rank, objective.
TABLE = {
    (0.5, 0.1, 0.5, 0.5): (0.3524, 0.1379, 0.6063, 0.14923), (1.0, 0.1, 0.5, 0.5): (0.1344, 0.3016, 0.6664, 0.37891),
    (0.3, 0.1, 0.5, 0.5): (0.5933, 0.0365, 0.4966, 0.08209), (0.5, 0.5, 0.0, 0.25): (0.0493, 0.0420, 0.2500, 0.22614),
    (0.15, 0.02, 0.1, 0.1): (0.1799, 0.0011, 0.3092, 0.00719),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("setting", TABLE)
def test_tabulated_solutions(setting: tuple[float, float, float, float]) -> None:
    alpha, penalty, noise, kappa0 = setting
    state = linear_state(gaussian_target(kappa0), alpha, penalty, noise)
    found = [float(part) for part in (state.error, state.train, state.rank, state.objective)]
    assert found == pytest.approx(TABLE[setting], abs=6e-5)
    assert float(state.residual) < 1e-11


@pytest.mark.slow
def test_a_curve_solves_both_equations_at_each_point() -> None:
    target, penalty, noise = gaussian_target(0.5), 0.05, 0.5
    state = linear_state(target, torch.linspace(0.1, 2, 7), penalty, noise)
    convolution = convolve(target, state.delta)
    tail = convolution.above(convolution.locate(state.threshold))
    pulled = 4 * state.delta**2 * tail.moment_pull
    error = target.second_moment - tail.second + pulled - 2 * state.threshold * tail.first
    assert (4 * state.alpha * state.delta**2).tolist() == pytest.approx((noise + 2 * error).tolist(), rel=1e-9)
    cut = 4 * state.threshold * (state.alpha - tail.moment_pull)
    assert cut.tolist() == pytest.approx([penalty] * 7, rel=1e-8)


def test_a_target_in_a_list_is_solved_too() -> None:
    state = linear_state(discrete_target([0, 2.0], [0.7, 0.3]), [0.3, 1.0], 0.1, 0.2)
    assert float(state.residual.max()) < 1e-10
    assert bool((state.error.diff() < 0).all())


@pytest.mark.slow
def test_without_penalty_noise_is_interpolated_below_the_threshold() -> None:
    state = linear_state(gaussian_target(0.5), [0.24, 0.35], 0.0, 0.5)
    assert state.train.tolist() == pytest.approx([0.0, 0.01886], abs=1e-5)
    assert state.error.tolist() == pytest.approx([0.87941, 1.51427], abs=1e-5)


@pytest.mark.parametrize(
    ("alpha", "penalty", "noise", "field"),
    [(0.0, 0.1, 0.5, "alpha"), (1.0, -0.1, 0.5, "penalty"), (1, 0.1, -1, "noise")],
)
def test_what_is_out_of_range_is_refused(alpha: float, penalty: float, noise: float, field: str) -> None:
    with pytest.raises(InputError) as caught:
        linear_state(gaussian_target(0.5), alpha, penalty, noise)
    assert caught.value.field == field


@pytest.mark.parametrize("penalty", [40.0, 1e6, 1e12])
def test_a_large_penalty_leaves_the_zero_map(penalty: float) -> None:
    state = linear_state(gaussian_target(0.5), 0.5, penalty, 0.5)
    found = [float(value) for value in (state.error, state.rank, state.test, state.train, state.objective)]
    assert found == pytest.approx([1.5, 0.0, 3.5, 3.5, 1.75], rel=1e-9, abs=1e-12)


def test_widths() -> None:
    assert effective_penalty(0.2, 0.25) == pytest.approx(0.1)
    check_width(0.7, 0.6)
    for width in (0.5, 0.0, 1.5):
        with pytest.raises(InputError, match="student-ratio"):
            check_width(width, 0.6)
