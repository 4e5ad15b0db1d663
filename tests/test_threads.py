"""Small dense work runs on one thread, whatever its caller has set."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from boundaudit.numeric.attention_erm import gaussian_target, linear_state, state_evolution
from boundaudit.numeric.threads import one_thread


@pytest.fixture(autouse=True)
def _three() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(before)


def test_the_callers_number_comes_back() -> None:
    with one_thread():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 3
    with one_thread(only_if=False):
        assert torch.get_num_threads() == 3


@pytest.mark.slow
def test_state_equations_are_solved_on_one(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, convolve = set(), state_evolution.convolve
    monkeypatch.setattr(
        state_evolution, "convolve", lambda *given: (seen.add(torch.get_num_threads()), convolve(*given))[1]
    )
    linear_state(gaussian_target(0.5), [0.5], 0.1, 0.5)
    assert (seen, torch.get_num_threads()) == ({1}, 3)
