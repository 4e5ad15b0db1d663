"""Training as one stack: the same networks as alone, each with its own rate and end, and going on from a state."""

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.recorded import recorded
from tests.second_device import NAME, SecondDevice

from boundaudit import InputError
from boundaudit.numeric import repeated
from boundaudit.numeric.fourier import walsh_hadamard
from boundaudit.numeric.sharpness.trained import (
    Architecture,
    Plan,
    Tasks,
    Trained,
    mean_risk,
    train_networks,
    true_risk,
)
from boundaudit.numeric.sharpness.trained import ensemble as module

SIZE = Architecture(6, extra=6, hidden=16)
CLASSES = ((1, 1), (2, 3), (3, 2))
PLAN = Plan(batch=32, dropout=0.1, stop=0.1, epochs=15, every=3)
TASKS = Tasks.draw(6, CLASSES, 2, 96, seed=5)
RATES = torch.tensor([0.01, 0.005, 0.01, 0.003, 0.01, 0.0])


@pytest.fixture(scope="module")
def whole() -> Trained:
    return train_networks(SIZE, TASKS, PLAN, RATES, seed=1)


def test_targets_have_their_class_and_training_sets_of_their_own() -> None:
    assert TASKS.classes == tuple(each for each in CLASSES for _ in range(2))
    spectra = walsh_hadamard(TASKS.table()) / 2**6
    for (degree, sparsity), spectrum in zip(TASKS.classes, spectra, strict=True):
        large = [index for index in range(1, 2**6) if abs(spectrum[index]) > 1e-9]
        assert len(large) == sparsity
        assert {index.bit_count() for index in large} == {degree}
    torch.testing.assert_close(TASKS.wanted(), TASKS.table().gather(1, TASKS.inputs))
    assert not torch.equal(TASKS.inputs[0], TASKS.inputs[1])


@pytest.mark.parametrize("number", [0, 3])
def test_a_network_learns_the_same_alone(whole: Trained, number: int) -> None:
    only = slice(number, number + 1)
    task = Tasks(TASKS.members[only], TASKS.coefficients[only], TASKS.inputs[only], TASKS.classes[only])
    alone = train_networks(SIZE, task, PLAN, RATES[only], seed=1, numbers=np.array([number]))
    assert alone.epochs.item() == whole.epochs[number].item()
    assert alone.loss.item() == pytest.approx(whole.loss[number].item(), rel=1e-3)
    for name, tensor in alone.weights.items():
        torch.testing.assert_close(tensor[0], whole.weights[name][number], rtol=1e-2, atol=1e-3)


def test_each_has_its_own_rate_and_end(whole: Trained) -> None:
    start = SIZE.start(np.arange(6), seed=1)
    assert all(torch.equal(tensor[5], start[name][5]) for name, tensor in whole.weights.items())
    assert not whole.converged[5]
    assert whole.epochs[5] == PLAN.epochs
    assert whole.converged[0]
    assert whole.epochs[0] < PLAN.epochs
    for number in range(6):
        weights = {name: tensor[number : number + 1] for name, tensor in whole.weights.items()}
        again = mean_risk(SIZE, weights, TASKS.inputs[number], TASKS.wanted()[number : number + 1])
        assert whole.loss[number].item() == pytest.approx(again.item(), rel=1e-6)
        assert bool(whole.converged[number]) == (again.item() <= PLAN.stop)


def test_a_recorded_step_and_a_full_stack_give_the_same_networks(
    whole: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(module.FULL, "cpu", 0.5)
    monkeypatch.setattr(repeated, "RECORDING", "cpu")
    monkeypatch.setattr(repeated, "recorded", recorded)
    with warnings.catch_warnings(action="error"):
        again = train_networks(SIZE, TASKS, PLAN, RATES, seed=1)
    assert torch.equal(again.epochs, whole.epochs)
    for name, tensor in again.weights.items():
        torch.testing.assert_close(tensor, whole.weights[name], rtol=1e-3, atol=1e-4)


def test_a_pass_waits_for_nothing() -> None:
    with SecondDevice() as device:
        ensemble = module._Ensemble(SIZE, TASKS.to(NAME), PLAN, RATES.to(NAME), np.arange(6), 1)
        before = device.counts.copy()
        ensemble.advance()
    assert device.counts["transfers"] == before["transfers"]
    assert device.counts["operations"] > before["operations"]


def test_the_true_risk_is_the_mean_over_all_inputs(whole: Trained, monkeypatch: pytest.MonkeyPatch) -> None:
    from boundaudit.numeric.enumeration import bit_strings
    from boundaudit.numeric.sharpness.trained import risk

    expected = (SIZE.outputs(whole.weights, bit_strings(6, 0, 64)).double() - TASKS.table()).square().mean(1)
    torch.testing.assert_close(true_risk(SIZE, whole.weights, TASKS), expected)
    monkeypatch.setitem(risk.NUMBERS, "cpu", 1)  # one input at a time
    torch.testing.assert_close(true_risk(SIZE, whole.weights, TASKS), expected)


@pytest.mark.parametrize("epoch", [3, 9])
def test_what_goes_on_ends_as_if_it_had_not_stopped(
    whole: Trained, epoch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SECONDS", 0.0)
    state = tmp_path / "state"

    def interrupt(done: int, going: int) -> None:
        if done > epoch:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_networks(SIZE, TASKS, PLAN, RATES, seed=1, state=state, told=interrupt)
    seen: list[int] = []
    again = train_networks(
        SIZE, TASKS, PLAN, RATES, seed=1, state=state, told=lambda done, going: seen.append(done)
    )  # fmt: skip
    assert seen[0] == epoch + PLAN.every
    assert torch.equal(again.loss, whole.loss)
    assert torch.equal(again.epochs, whole.epochs)
    assert all(torch.equal(again.weights[name], tensor) for name, tensor in whole.weights.items())


def test_a_state_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS", 0.0)
    state = tmp_path / "state"
    state.write_bytes(b"no state")
    with pytest.raises(InputError, match="saved state"):
        train_networks(SIZE, TASKS, PLAN, RATES, seed=1, state=state)
    state.unlink()
    train_networks(SIZE, TASKS, replace(PLAN, epochs=3), RATES, seed=1, state=state)
    with pytest.raises(InputError, match="these networks"):
        train_networks(replace(SIZE, hidden=8), TASKS, PLAN, RATES, seed=1, state=state)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_a_gpu_trains_as_the_processor_does() -> None:
    plan = replace(PLAN, epochs=6, stop=0.0)
    here, there = (train_networks(SIZE, TASKS, plan, RATES, seed=1, device=device) for device in ("cpu", "cuda"))
    assert there.loss.tolist() == pytest.approx(here.loss.tolist(), rel=0.02)
