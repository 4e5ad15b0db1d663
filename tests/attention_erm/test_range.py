"""Over what is admitted: predictions keep their bounds and order and a finer rule's values, or are refused."""

import dataclasses

import pytest
import torch
from tests import limit_campaign
from tests.limit_campaign import campaign

from boundaudit.numeric.attention_erm import (
    BayesState,
    NoConvergence,
    bayes_state,
    gaussian_target,
    interpolation,
    linear_errors,
    linear_state,
    recovery,
)
from boundaudit.numeric.attention_erm.roots import crossing


@pytest.mark.slow
def test_any_setting_is_right_or_refused() -> None:
    found = campaign("attention-erm", 8, 0)
    assert not found["broken"]
    assert found["answered"] > 4


@pytest.mark.slow
def test_any_softmax_is_right_or_refused() -> None:
    assert set(campaign("softmax", 1, 2)) <= {"answered", "refused"}


@pytest.mark.slow
def test_a_campaign_tells_what_breaks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A best estimator that is off by one part in a hundred is not what nothing but the prior gives."""
    monkeypatch.setattr(limit_campaign, "bayes_state", lambda *given: _raised(bayes_state(*given)))
    assert campaign("attention-erm", 1, 0)["broken"] == 1
    assert "broken at seed (0, 0): best estimator without samples" in capsys.readouterr().out


def _raised(state: BayesState) -> BayesState:
    return dataclasses.replace(state, test=1.01 * state.test)


@pytest.mark.slow
def test_errors_by_a_finer_rule_see_a_state_that_is_none() -> None:
    target = gaussian_target(0.5)
    state = linear_state(target, [0.5], 0.1, 0.5)
    assert float(linear_errors(target, state, 0.1, 0.5)["test"]) < 1e-10
    state.delta.mul_(1.001)
    found = linear_errors(target, state, 0.1, 0.5)
    assert float(found["delta"]) == pytest.approx(1e-3 * float(state.delta), rel=0.01)
    assert float(found["test"]) < 1e-5


@pytest.mark.slow
def test_peak_and_recovery_are_limits_of_predictions() -> None:
    target = gaussian_target(0.25)
    peak = interpolation(target, 0.3)
    assert float(linear_state(target, peak.alpha * (1 - 1e-9), 0.0, 0.3).error) == pytest.approx(peak.error, rel=1e-5)
    threshold = float(recovery(0.25))
    around = linear_state(target, [0.99 * threshold, 1.01 * threshold], 0.0, 0.0)
    assert 0 < float(around.error[0]) < 0.01
    assert (float(around.error[1]), float(around.rank[1])) == (0, 0.25)
    with pytest.raises(NoConvergence, match="residual of inf"):
        linear_state(target, 0.9999 * threshold, 0.0, 0.0)


def test_roots_take_few_evaluations() -> None:
    places: list[torch.Tensor] = []

    def function(x: torch.Tensor) -> torch.Tensor:
        places.append(x)
        return 2 - x.exp()

    found = crossing(function, torch.zeros(1, dtype=torch.float64), torch.full((1,), 4.0, dtype=torch.float64))
    assert float(found) == pytest.approx(0.6931471805599453, rel=1e-13)
    assert len(places) < 20
