"""Softmax attention: the channel against differentiation, tabulated solutions, and the free energy at the solution."""

import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.attention_erm import (
    NoConvergence,
    gaussian_target,
    interpolation,
    softmax_state,
    softmax_state_evolution,
)
from boundaudit.numeric.attention_erm.channel import Channel, basis, product_rule, sobol_rule


@pytest.mark.parametrize("tokens", [2, 3, 4])
def test_the_basis_has_the_variance_of_the_indices(tokens: int) -> None:
    maps = basis(tokens)
    centred = maps - maps.mean((0, 1))
    assert maps.shape[-1] == tokens * (tokens + 1) // 2 - 1
    full = torch.ones(tokens, tokens, dtype=torch.float64) + torch.eye(tokens, dtype=torch.float64)
    rows = maps[:, :, None] - maps[:, None]
    # Var(h_ab - h_ac) is the sum of the two variances.
    wanted = full[:, :, None] + full[:, None]
    wanted = wanted * (1 - torch.eye(tokens, dtype=torch.float64))
    assert torch.allclose((rows**2).sum(-1), wanted, atol=1e-12)
    assert bool((centred.flatten(0, 1).T @ centred.flatten(0, 1)).diagonal().gt(0).all())


@pytest.mark.slow
def test_divergences_by_steins_lemma_are_those_by_differences() -> None:
    channel = Channel(2, 1.0, 1.0, product_rule(16))
    moments = channel.moments(1.75, 1.0, 1.2, 0.4)
    h = 1e-4
    shift = [
        [float(Channel(2, 1.0, 1.0, product_rule(16)).moments(*at).envelope) for at in pair]
        for pair in (
            [(1.75, 1.0, 1.2, 0.4 + h), (1.75, 1.0, 1.2, 0.4 - h)],
            [(1.75, 1.0 + h, 1.2, 0.4), (1.75, 1.0 - h, 1.2, 0.4)],
            [(1.75, 1.0, 1.2 + h, 0.4), (1.75, 1.0, 1.2 - h, 0.4)],
        )
    ]
    by_width, by_overlap, by_power = ((up - down) / (2 * h) for up, down in shift)
    assert by_width == pytest.approx(-float(moments.square) / 2, rel=1e-5)
    assert by_overlap == pytest.approx(-float(moments.by_target), rel=1e-4)
    assert by_power == pytest.approx(-float(moments.by_input) / 2, rel=1e-4)
    assert float(moments.residual) < 1e-9


def test_two_rules_agree() -> None:
    fine = Channel(2, 1.0, 1.0, product_rule(16)).moments(1.75, 1.0, 1.2, 0.4)
    drawn = Channel(2, 1.0, 1.0, sobol_rule(2, 4096, 1)).moments(1.75, 1.0, 1.2, 0.4)
    assert float(drawn.train) == pytest.approx(float(fine.train), rel=3e-3)
    assert float(drawn.by_target) == pytest.approx(float(fine.by_target), rel=1e-2)


@pytest.mark.acceptance
def test_tabulated_solution_for_two_tokens() -> None:
    state = softmax_state(gaussian_target(0.5), 1.0, 0.02, 0.5)
    found = [float(part) for part in (state.test, state.train, state.objective, state.rank, state.error, state.eta)]
    # The table's own Monte Carlo error is about 4e-4.
    assert found == pytest.approx([0.1001, 0.0515, 0.0649, 0.669, 0.0950, 0.893], abs=1.5e-3)
    assert float(state.free_energy) == pytest.approx(float(state.objective), rel=1e-6)
    assert float(state.uncertainty["test"]) < 1e-5
    assert float(state.residual) < 1e-8


@pytest.fixture
def _coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much as a table's digits need."""
    for name, enough in (("_ORDERS", (8, 12)), ("_STARTS", (0.9,)), ("_TOLERANCE", 1e-5)):
        monkeypatch.setattr(softmax_state_evolution, name, enough)


@pytest.mark.slow
@pytest.mark.usefixtures("_coarse")
def test_tabulated_solution_with_fewer_samples() -> None:
    state = softmax_state(gaussian_target(0.5), 0.3, 0.02, 0.5)
    found = [float(part) for part in (state.test, state.train, state.objective, state.rank, state.error, state.eta)]
    assert found == pytest.approx([0.1593, 0.0214, 0.0184, 0.555, 0.306, 0.842], abs=2e-3)


@pytest.mark.slow
@pytest.mark.usefixtures("_coarse")
def test_three_tokens_with_their_errors() -> None:
    state = softmax_state(gaussian_target(0.5), 0.3, 0.02, 0.5, 3)
    assert 0 < float(state.uncertainty["test"]) < 1e-3
    assert float(state.free_energy) == pytest.approx(float(state.objective), rel=1e-6)


@pytest.mark.parametrize(
    ("changed", "field"),
    [({"tokens": 1}, "tokens"), ({"penalty": -1.0}, "penalty"), ({"noise": -1.0}, "noise"), ({"beta": 0.0}, "beta")],
)
def test_what_is_out_of_range_is_refused(changed: dict[str, float], field: str) -> None:
    setting = {"alpha": 1.0, "penalty": 0.02, "noise": 0.5, **changed}
    with pytest.raises(InputError) as caught:
        softmax_state(gaussian_target(0.5), **setting)  # type: ignore[arg-type]
    assert caught.value.field == field


@pytest.mark.acceptance
@pytest.mark.parametrize(("tokens", "target_beta"), [(2, 2.0), (3, 0.5)])
def test_without_a_penalty_it_is_interpolation_up_to_the_peak(tokens: int, target_beta: float) -> None:
    target = gaussian_target(0.3)
    peak = interpolation(target, 0.3, tokens, target_beta)
    found = softmax_state(target, [0.5 * peak.alpha, (1 - 1e-9) * peak.alpha], 0.0, 0.3, tokens, 1.0, target_beta)
    assert found.train.tolist() == [0, 0]
    assert found.eta.tolist() == [target_beta] * 2
    assert float(found.error[1]) == pytest.approx(peak.error, rel=1e-5)
    again = softmax_state(target, 0.5 * peak.alpha, 0.0, 0.3, tokens, target_beta, target_beta)
    # A target as steep as the student leaves the same overlap, and only its scale changes.
    assert float(found.delta[0]) == pytest.approx(float(again.delta), rel=1e-12)
    assert float(found.test[0]) > 0


@pytest.mark.acceptance
@pytest.mark.usefixtures("_coarse")
def test_a_small_penalty_comes_near_its_limit() -> None:
    limit, *near = (softmax_state(gaussian_target(0.5), 0.1, penalty, 0.5) for penalty in (0.0, 1e-4, 3e-3))
    gaps = [float(limit.error - state.error) for state in near]
    assert 0 < 1.5 * gaps[0] < gaps[1] < 0.1


def test_noise_free_labels_recover_the_target_at_another_temperature() -> None:
    found = softmax_state(gaussian_target(0.25), 0.5, 0.0, 0.0, 2, 2.0, 1.0)
    assert float(found.test) < 1e-12
    assert float(found.error) == pytest.approx(1.25 / 4, rel=1e-12)


@pytest.mark.slow
def test_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(softmax_state_evolution, "_SCOUTING", 1e4)
    with pytest.raises(NoConvergence, match="penalty: expected a setting whose equations can be solved to 1e-08"):
        softmax_state(gaussian_target(0.5), 0.1, 1e-4, 0.5)
    with pytest.raises(InputError, match="tokens: expected at most 10"):
        softmax_state(gaussian_target(0.5), 0.1, 0.1, 0.5, 20)
