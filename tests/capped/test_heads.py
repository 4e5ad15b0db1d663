"""Heads within caps: the class that their bounds speak of, the projection, the loss, and training as a stack."""

from dataclasses import replace
from fractions import Fraction

import pytest
import torch
from tests.second_device import NAME, SecondDevice
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.capped.heads import (
    MAPS,
    Plan,
    caps_of,
    hinges,
    losses,
    measure,
    outputs,
    require_within,
    train,
    within_sum,
)
from boundaudit.numeric.capped.marked import Stream
from boundaudit.numeric.covering.head import Head

WIDTH, CAPS, NOISE = 5, [0.5, 1.0, 3.0], [0.0, 0.2, 0.4]
PLAN = Plan(samples=40, batch=16, passes=2, rate=0.05)
STARTS = [(7, place) for place in range(3)]


def _stream() -> Stream:
    return Stream.of(3, WIDTH, NOISE, [(1, place) for place in range(3)], "cpu")


@pytest.fixture(scope="module")
def heads() -> Head:
    return train(_stream(), PLAN, CAPS, STARTS)


def _one(heads: Head, place: int) -> Head:
    return Head(*(getattr(heads, name)[place] for name in MAPS))


@pytest.mark.slow
def test_outputs_are_those_of_the_class_that_is_bounded(heads: Head) -> None:
    samples = _stream().draw(0, 6)
    found = outputs(heads, samples)
    for place in range(3):
        one = Head(*(part.expand(6, *part.shape) for part in vars(_one(heads, place)).values()))
        torch.testing.assert_close(found[place], one(samples.tokens[place], samples.queries[place]))


@pytest.mark.parametrize("cap", [0.3, 2.0, 100.0])
def test_the_projection_is_the_nearest_point(cap: float) -> None:
    rows = torch.randn(4, 7, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    found = within_sum(rows, torch.full((4,), cap, dtype=torch.float64))
    assert torch.all(found.abs().sum(-1) <= cap * (1 + 1e-14))
    for row, nearest in zip(rows, found, strict=True):
        corners = cap * torch.cat([torch.eye(7), -torch.eye(7)]).double()
        # Nearest on a convex set: no corner lies ahead, seen from there along the line to the row.
        assert float(((corners - nearest) @ (row - nearest)).max()) <= 1e-12
        assert cap < 100 or torch.equal(row, nearest)


def test_every_head_is_within_its_caps(heads: Head) -> None:
    for place, cap in enumerate(CAPS):
        one = _one(heads, place)
        found = require_within(one, caps_of(WIDTH, cap), 1.0)
        for name in MAPS:
            exact = sum(abs(Fraction(entry)) for entry in getattr(one, name).flatten().tolist())
            assert exact <= Fraction(cap)
            assert found[name] == float(exact)


@pytest.mark.parametrize("name", MAPS)
def test_a_cap_violated_by_one_per_cent_has_no_bound(heads: Head, name: str) -> None:
    one, caps = _one(heads, 1), caps_of(WIDTH, 1.0)
    norm = float(getattr(one, name).abs().sum())
    with pytest.raises(InputError, match=rf"{name}: expected a \(1,1\) norm of at most 1.0, got 1.0(1|09)"):
        require_within(replace(one, **{name: getattr(one, name) * (1.01 / norm)}), caps, 1.0)


def test_caps_are_held_to_the_last_bit() -> None:
    above = torch.zeros(2, 2, dtype=torch.float64)
    above[0, 0], above[1, 1] = 1.0, 2.0**-60
    assert float(above.abs().sum()) == 1  # in floats the cap holds
    inside = torch.eye(2, dtype=torch.float64) / 2
    with pytest.raises(InputError, match="value"):
        require_within(Head(inside, above, inside, inside[0]), caps_of(2, 1.0), 1.0)


@pytest.mark.parametrize("entry", [float("nan"), float("inf")])
def test_what_is_no_number_has_no_bound(heads: Head, entry: float) -> None:
    one = _one(heads, 1)
    with pytest.raises(InputError, match="read: expected"):
        require_within(replace(one, read=torch.full_like(one.read, entry)), caps_of(WIDTH, 1.0), 1.0)


def test_operator_norms_and_tokens_have_caps_too(heads: Head) -> None:
    one, caps = _one(heads, 1), caps_of(WIDTH, 1.0)
    with pytest.raises(InputError, match="out: expected a Frobenius norm"):
        require_within(one, replace(caps, out_operator=float(one.out.norm()) * 0.99), 1.0)
    with pytest.raises(InputError, match="token"):
        require_within(one, caps, 1.01)
    with pytest.raises(InputError, match="token"):
        require_within(one, caps, float("nan"))


def test_the_loss_is_the_chance_of_an_error_and_lipschitz() -> None:
    found = torch.linspace(-3, 3, 601, dtype=torch.float64)
    for label in (0.0, 1.0):
        labels = torch.full_like(found, label)
        loss = losses(found, labels)
        torch.testing.assert_close(loss, (found.clamp(0, 1) - labels).abs())
        assert float(loss.diff().abs().max()) <= 0.01 * (1 + 1e-12)
        assert torch.all(hinges(found, labels) >= loss)


def test_a_head_learns_the_same_alone(heads: Head) -> None:
    stream = Stream.of(3, WIDTH, NOISE[2:], [(1, 2)], "cpu")
    alone = train(stream, PLAN, CAPS[2:], STARTS[2:])
    for name in MAPS:
        torch.testing.assert_close(getattr(alone, name)[0], getattr(heads, name)[2], rtol=1e-9, atol=1e-12)


def test_one_batch_of_all_samples_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    draw = Stream.draw

    def counted(self: Stream, first: int, count: int) -> object:
        asked.append((first, count))
        return draw(self, first, count)

    monkeypatch.setattr(Stream, "draw", counted)
    train(_stream(), replace(PLAN, batch=40), CAPS, STARTS)
    assert asked == [(0, 40)]
    train(_stream(), PLAN, CAPS, STARTS)
    assert asked[1:] == [(0, 16), (16, 16), (32, 8)] * 2


def test_risks_are_of_all_samples(heads: Head, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = _stream().draw(5, 30)
    loss = losses(outputs(heads, samples), samples.labels)
    monkeypatch.setattr("boundaudit.numeric.capped.heads._TOGETHER", 3 * 3 * 7)  # seven at a time
    found = measure(heads, _stream(), 5, 30)
    torch.testing.assert_close(found.risk, loss.mean(-1))
    torch.testing.assert_close(found.error, loss.std(-1) / 30**0.5)
    assert found.longest == _longest(samples.tokens, samples.queries)


def _longest(*parts: Tensor) -> float:
    return max(float(part.square().sum(-1).max()) for part in parts) ** 0.5


def test_training_lowers_the_risk() -> None:
    stream = Stream.of(2, 8, [0.0], [(3,)], "cpu")
    done = train(stream, Plan(2000, 2000, 150, 0.1), [4.0], [(0,)])
    assert float(measure(done, stream, 2000, 4000).risk[0]) < 0.2


def test_everything_stays_on_its_device(heads: Head) -> None:
    with SecondDevice():
        stream = Stream.of(3, WIDTH, NOISE, [(1, place) for place in range(3)], NAME)
        far = train(stream, PLAN, CAPS, STARTS)
        risk = measure(far, stream, 0, 40).risk.cpu()
        found = {name: getattr(far, name).cpu() for name in MAPS}
    for name, value in found.items():
        torch.testing.assert_close(value, getattr(heads, name))
    torch.testing.assert_close(risk, measure(heads, _stream(), 0, 40).risk)
