"""Runs of the sparse majority against a slow reference, against themselves alone, and the trend against its chance."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from boundaudit.numeric.covering.majority import (
    HEADS,
    KEY,
    LIMITS,
    PARAMETERS,
    WIDTH,
    Data,
    Plan,
    draw,
    evaluate,
    initial_norm,
    known_before,
    logits,
    losses,
    map_norms,
    present,
    shuffled,
    train,
    unpacked,
)
from boundaudit.reports.experiment.shared.trend import mean_interval, trend

SMALL = Plan(relevant=3, train=40, test=50, batch=16, rate=0.05, cap=6, look=2)
EASY = Plan(relevant=1, train=4, test=20, batch=8, rate=0.03, floor=0.03, cap=60, look=10)
LENGTH = 7


@pytest.fixture(scope="module")
def data() -> Data:
    return draw(LENGTH, SMALL, 3, range(4))


def moved(data: Data) -> Tensor:
    """Variables of which no bias is zero."""
    noise = torch.randn(data.weights.shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    return data.weights + 0.1 * noise


def test_labels_are_majorities_of_the_same_bits(data: Data) -> None:
    for bits, labels in zip(data.bits, data.labels, strict=True):
        tried = [bits[:, list(some)].sum(1) >= 1.5 for some in _triples()]
        assert sum(bool((found == labels).all()) for found in tried) == 1
    plan = Plan(train=300, test=10_000)
    large = draw(20, plan, 0, [0])
    assert large.bits.double().mean().item() == pytest.approx(0.5, abs=5e-3)
    assert large.labels.double().mean().item() == pytest.approx(0.5, abs=0.02)


def _triples() -> list[tuple[int, int, int]]:
    return [(i, j, k) for i in range(LENGTH) for j in range(i) for k in range(j)]


def test_tokens_are_vectors_and_positions(data: Data) -> None:
    i = torch.arange(WIDTH, dtype=torch.float64)
    for place in range(LENGTH):
        angle = place / 10000 ** (i / WIDTH)
        wave = torch.where(i % 2 == 0, angle.sin(), angle.cos())
        zero, one = data.tokens[:, place] - wave, data.tokens[:, LENGTH + place] - wave
        torch.testing.assert_close(zero, data.tokens[:, 0] - (i % 2))
        torch.testing.assert_close(zero.abs().sum(1), torch.ones(4, dtype=torch.float64))
        torch.testing.assert_close(one.abs().sum(1), torch.ones(4, dtype=torch.float64))
        assert (zero * one).sum(1).abs().max() < 1e-15


def test_runs_differ_and_do_not_depend_on_the_others(data: Data) -> None:
    assert len({tuple(row) for row in data.weights[:, :9].tolist()}) == 4
    alone = draw(LENGTH, SMALL, 3, [2])
    for name, value in vars(data).items():
        assert torch.equal(value[2], getattr(alone, name)[0]), name
    assert not torch.equal(draw(LENGTH, SMALL, 4, [2]).bits, alone.bits)


def test_start_and_number_of_variables(data: Data) -> None:
    assert data.weights.shape[1] == PARAMETERS == 37_506
    w = unpacked(data.weights)
    assert sum(w[name].shape[1:].numel() for name in w) == PARAMETERS
    assert LIMITS["query"] == pytest.approx(math.sqrt(6 / (128 + 4096)))
    assert LIMITS["output"] == pytest.approx(math.sqrt(6 / 256))
    for name, limit in LIMITS.items():
        assert 0.99 * limit < w[name].abs().max() <= limit
    assert all(not w[name].any() for name in w if name.endswith("bias"))


def test_expected_norm_at_the_start() -> None:
    many = draw(5, Plan(relevant=3, train=1, test=1), 0, range(200)).weights.abs().sum(1)
    assert many.mean().item() == pytest.approx(initial_norm(), abs=4 * many.std().item() / math.sqrt(200))


def test_outputs_are_the_last_row_of_a_whole_layer_by_pytorch(data: Data) -> None:
    weights = moved(data)
    outputs = logits(weights, data.tokens, present(data.bits))
    for run in range(2):
        expected = _whole_layer(unpacked(weights[run : run + 1]), data, run)
        torch.testing.assert_close(outputs[run], expected, rtol=1e-11, atol=1e-12)


def _whole_layer(stacked: dict[str, Tensor], data: Data, run: int) -> Tensor:
    """Attention of every row to every row by PyTorch, whose width is that of the heads: queries get zeros."""
    w = {name: value[0] for name, value in stacked.items()}
    wide = HEADS * KEY
    layer = torch.nn.MultiheadAttention(wide, HEADS, kdim=WIDTH, vdim=WIDTH, batch_first=True, dtype=torch.float64)
    state = {
        f"{part[0]}_proj_weight": w[part].permute(0, 2, 1).reshape(wide, WIDTH) for part in ("query", "key", "value")
    }
    state["q_proj_weight"] = torch.nn.functional.pad(state["q_proj_weight"], (0, wide - WIDTH))
    state["in_proj_bias"] = torch.cat([w[f"{part}_bias"].flatten() for part in ("query", "key", "value")])
    state["out_proj.weight"] = torch.nn.functional.pad(w["output"].reshape(wide, WIDTH).T, (0, 0, 0, wide - WIDTH))
    state["out_proj.bias"] = torch.nn.functional.pad(w["output_bias"], (0, wide - WIDTH))
    layer.load_state_dict(state)
    bits = data.bits[run].long()
    rows = torch.stack([data.tokens[run, LENGTH * sample + torch.arange(LENGTH)] for sample in bits])
    rows = torch.cat([rows, data.tokens[run, -1].expand(len(bits), 1, WIDTH)], 1)
    attended = layer(torch.nn.functional.pad(rows, (0, wide - WIDTH)), rows, rows)[0][..., :WIDTH]
    found: Tensor = (torch.relu(attended) @ w["dense"] + w["dense_bias"])[:, -1] @ w["read"] + w["read_bias"]
    return found


def test_loss_and_accuracy(data: Data) -> None:
    weights, seen = moved(data), present(data.bits)
    outputs = logits(weights, data.tokens, seen)
    sign = torch.stack([~data.labels, data.labels], -1) * 2.0 - 1
    by_hand = torch.log1p(torch.exp(-sign * outputs)).mean(-1)
    torch.testing.assert_close(losses(outputs, data.labels), by_hand)
    accuracy, loss = evaluate(weights, data.tokens, seen, data.labels)
    torch.testing.assert_close(loss, by_hand.mean(-1))
    torch.testing.assert_close(accuracy, (outputs.argmax(-1) == data.labels).double().mean(-1))


def test_a_run_among_others_is_the_run_alone(data: Data) -> None:
    together, alone = train(data, SMALL), train(draw(LENGTH, SMALL, 3, [2]), SMALL)
    assert not torch.equal(together.end[2], data.weights[2])
    torch.testing.assert_close(together.end[2], alone.end[0], rtol=1e-9, atol=1e-11)
    torch.testing.assert_close(together.selected[2], alone.selected[0], rtol=1e-9, atol=1e-11)


def test_steps_are_those_of_a_plain_loop(data: Data) -> None:
    plan = SMALL
    weights, velocity, rate = data.weights[:1].clone(), torch.zeros_like(data.weights[:1]), plan.rate
    for epoch in (1, 2, 3):
        rate = max(plan.floor, rate * plan.decay)
        order = shuffled(data.streams[:1], epoch, plan.train)[0]
        for part in torch.split(order, plan.batch):
            leaf = weights.requires_grad_()
            outputs = logits(leaf, data.tokens[:1], present(data.bits[:1, part]))
            losses(outputs, data.labels[:1, part]).mean().backward()  # type: ignore[no-untyped-call]
            assert leaf.grad is not None
            velocity = plan.momentum * velocity - rate * leaf.grad
            weights = (weights + velocity).detach()
    three = Plan(**vars(plan) | {"cap": 3})
    torch.testing.assert_close(train(data, three).end[:1], weights, rtol=1e-9, atol=1e-11)


def test_orders_are_permutations_that_change() -> None:
    streams = torch.arange(500)
    first, second = (shuffled(streams, epoch, 5) for epoch in (1, 2))
    assert torch.equal(first.sort(-1).values, torch.arange(5).expand(500, 5))
    assert (first != second).any(-1).double().mean() > 0.9
    counts = torch.stack([(first == i).sum(0) for i in range(5)])
    assert (counts - 100).abs().max() < 5 * math.sqrt(500 * 0.16)


@pytest.mark.slow
def test_runs_stop_one_by_one_and_then_stay() -> None:
    data = draw(3, EASY, 0, range(20))
    told: list[tuple[int, int]] = []
    done = train(data, EASY, lambda epoch, going: told.append((epoch, going)))
    assert len(set(done.epochs[done.stopped].tolist())) > 1
    assert (done.epochs[~done.stopped] == EASY.cap).all()
    assert [going for _, going in told] == sorted((going for _, going in told), reverse=True)
    first = int(done.epochs.argmin())
    until = train(data, Plan(**vars(EASY) | {"cap": int(done.epochs[first])}))
    assert torch.equal(until.end[first], done.end[first])
    assert bool(until.stopped[first])
    alone = train(draw(3, EASY, 0, [0]), EASY)
    assert (int(alone.epochs), int(alone.selected_epochs)) == (int(done.epochs[0]), int(done.selected_epochs[0]))
    torch.testing.assert_close(alone.selected[0], done.selected[0], rtol=1e-9, atol=1e-11)
    assert int(until.stopped.sum()) == int((done.epochs == done.epochs[first]).sum())


def test_selected_is_the_best_of_the_looks(data: Data) -> None:
    seen, cut = present(data.bits)[:, SMALL.train :], data.labels[:, SMALL.train :]
    looks = [train(data, Plan(**vars(SMALL) | {"cap": cap})).end for cap in (2, 4, 6)]
    found = torch.stack([evaluate(weights, data.tokens, seen, cut)[1] for weights in looks])
    done = train(data, SMALL)
    assert done.selected_epochs.tolist() == [2 * (i + 1) for i in found.argmin(0).tolist()]
    torch.testing.assert_close(evaluate(done.selected, data.tokens, seen, cut)[1], found.amin(0))


def test_norms_of_maps(data: Data) -> None:
    norms = map_norms(data.weights)
    w = {name: value[1] for name, value in unpacked(data.weights).items()}
    product = [(w["key"][h] @ w["query"][h].T) / 8 for h in range(HEADS)]
    assert norms["query-key"]["rows"][1].item() == pytest.approx(sum(m.norm(dim=1).sum().item() for m in product))
    assert norms["query-key"]["entries"][1].item() == pytest.approx(sum(m.abs().sum().item() for m in product))
    assert norms["read"]["rows"][1].item() == pytest.approx(w["read"].T.norm(dim=1).sum().item())
    stored = sum(norms[name]["entries"] for name in ("value", "output", "dense", "read"))
    rest = w["query"].abs().sum() + w["key"].abs().sum()
    assert (stored[1] + rest).item() == pytest.approx(data.weights[1].abs().sum().item())  # type: ignore[index]


@pytest.mark.parametrize(("length", "share"), [(9, 0.4437), (13, 0.0360)])
def test_samples_known_before(length: int, share: float) -> None:
    assert known_before(length, 300) == pytest.approx(share, abs=5e-5)
    bits = draw(length, Plan(), 0, [0]).bits[0].double() @ 2 ** torch.arange(length, dtype=torch.float64)
    repeated = torch.isin(bits[300:], bits[:300]).double().mean().item()
    assert repeated == pytest.approx(share, abs=0.05)


# --- trends ---------------------------------------------------------------------------------------

LENGTHS = [20] * 3 + [60] * 4 + [200] * 3


def test_intervals_cover_slope_and_mean_as_often_as_they_say() -> None:
    rng, hits, means, trials = np.random.default_rng(0), 0, 0, 1500
    for noise in rng.normal(0, 2, (trials, len(LENGTHS))):
        found = trend(LENGTHS, (5 + 0.7 * np.log(LENGTHS) + noise).tolist())
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= 0.7 <= found.high
        _, low, high = mean_interval(noise[:4].tolist())
        assert low is not None
        assert high is not None
        means += low <= 0 <= high
    spread = 4 * math.sqrt(0.95 * 0.05 / trials)
    assert hits / trials == pytest.approx(0.95, abs=spread)
    assert means / trials == pytest.approx(0.95, abs=spread)


def test_slope_and_interval_agree_with_scipy() -> None:
    from scipy.stats import linregress, t

    values = np.random.default_rng(1).normal(size=len(LENGTHS))
    found, known = trend(LENGTHS, values.tolist()), linregress(np.log(LENGTHS), values)
    assert found.slope == pytest.approx(known.slope)
    assert found.high == pytest.approx(known.slope + t.ppf(0.975, 8) * known.stderr)
    assert found.low is not None
    assert found.high is not None
    assert found.change == pytest.approx((math.log(10) * found.low, math.log(10) * found.high))


@pytest.mark.parametrize(
    ("slope", "noise", "verdict"),
    [(1.0, 0.1, "trend"), (-1.0, 0.1, "trend"), (0.0, 0.1, "no trend"), (0.0, 5.0, "too wide to say")],
)
def test_what_may_be_concluded(slope: float, noise: float, verdict: str) -> None:
    values = 10 + slope * np.log(LENGTHS) + noise * np.cos(np.arange(len(LENGTHS)) * 2.0)
    found = trend(LENGTHS, values.tolist())
    assert found.verdict == verdict
    assert verdict in found.sentence("the gap")
    if verdict == "trend":
        assert ("rises" if slope > 0 else "falls") in found.sentence("the gap")


def test_nothing_is_concluded_from_a_steep_line_of_few_runs() -> None:
    lengths = [8, 10, 10, 10, 12, 12]
    values = [0, 0.1, 0, 0.1, 0.9, 1]
    assert (trend(lengths, values).low or 0) > 0
    assert trend(lengths, values).verdict == "too few runs"
    assert trend([8, *lengths], [0.1, *values]).verdict == "trend"


@pytest.mark.parametrize(
    ("lengths", "values"),
    [([], []), ([8], [1.0]), ([8, 10], [1.0, 2.0]), ([8] * 4, [1, 2, 3, 4]), ([8, 9, 10], [2] * 3)],
)
def test_where_there_is_no_interval(lengths: list[float], values: list[float]) -> None:
    found = trend(lengths, values)
    assert (found.low, found.high, found.verdict) == (None, None, "no interval")
    assert f"{len(values)} runs" in found.sentence("the gap")
