"""Changes under noise against difference quotients, whole matrices and loops over single draws."""

import math

import numpy as np
import pytest
import torch
from scipy import stats

from boundaudit.numeric.sharpness import moments
from boundaudit.numeric.sharpness.autodiff import flatten, gradients, hessian, repeat
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.forward import forward, trace
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.normal_sums import tail
from boundaudit.numeric.sharpness.target import Target, TargetBatch

from .cases import column

TARGET = Target(4, ((1, 2), (3, 4)), (0.8, 0.6))
BITS = torch.tensor([0, 0, 1, 0])
STEP = 1e-5


@pytest.fixture(name="network")
def _network() -> tuple[Blocks, TargetBatch]:
    batch = TargetBatch.stack([TARGET])
    return build(batch), batch


def test_first_order_is_the_whole_hessian_times_the_noise(network: tuple[Blocks, TargetBatch]) -> None:
    blocks, batch = network
    noise = gaussian(batch, blocks, 3)
    found = moments.first_order(blocks, batch, BITS[None], noise)
    slope = flatten(gradients(blocks, batch, BITS[None]))[0]
    direction = flatten(noise)[0]
    assert float(found.output[0]) == pytest.approx(float(slope @ direction), rel=1e-12)
    torch.testing.assert_close(found.gradient[0], hessian(blocks, batch, BITS) @ direction, rtol=1e-11, atol=1e-11)


@pytest.mark.slow
def test_change_of_the_hessian_is_a_difference_quotient_of_hessians(network: tuple[Blocks, TargetBatch]) -> None:
    blocks, batch = network
    noise = gaussian(batch, blocks, 5)
    (change,) = moments.hessian_changes(blocks, batch, BITS, noise)
    ahead, behind = (hessian(moved(blocks, noise, sign * STEP), batch, BITS) for sign in (1, -1))
    torch.testing.assert_close(change, (ahead - behind) / (2 * STEP), rtol=0, atol=1e-5)
    assert float(change.abs().max()) > 1


def test_readout_adds_up_to_the_change_of_the_output(network: tuple[Blocks, TargetBatch]) -> None:
    blocks, batch = network
    noise = gaussian(batch, blocks, 7)
    change, now = moments.readout(blocks, batch, BITS[None], noise), trace(blocks, batch, BITS[None])
    a, stream = now.second[0, 0], now.stream[0, 0]
    parts = change.weights[0] @ now.values[0, 0] + a @ (change.rows[0] @ blocks.V2[0]) + a @ (stream @ change.data[0])
    ahead, behind = (float(forward(moved(blocks, noise, sign * STEP), batch, BITS[None])) for sign in (1, -1))
    assert float(parts) == pytest.approx((ahead - behind) / (2 * STEP), rel=1e-6)


def test_row_gradients_are_difference_quotients_in_the_rows(network: tuple[Blocks, TargetBatch]) -> None:
    blocks, batch = network
    found = moments.row_gradients(blocks, batch, BITS[None])[0]
    stream = trace(blocks, batch, BITS[None]).stream[0, 0]

    def output(rows: torch.Tensor) -> float:
        weights = [math.exp(float(row @ blocks.W2[0] @ rows[-1])) for row in rows]
        return sum(w * float(row @ blocks.V2[0]) for w, row in zip(weights, rows, strict=True)) / sum(weights)

    for row in range(stream.shape[0]):
        for channel in range(stream.shape[1]):
            step = torch.zeros_like(stream)
            step[row, channel] = STEP
            quotient = (output(stream + step) - output(stream - step)) / (2 * STEP)
            assert float(found[row, channel]) == pytest.approx(quotient, abs=1e-8)


def test_weight_deviations_are_those_of_first_order_changes(network: tuple[Blocks, TargetBatch]) -> None:
    blocks, batch = network
    draws = 2000
    copies = batch.repeat(draws)
    many = repeat(blocks, draws)
    change = moments.readout(many, copies, BITS.expand(draws, -1), gaussian(copies, many, 1)).weights
    deviations = moments.weight_deviations(blocks, batch, BITS)
    torch.testing.assert_close(change.square().mean(0).sqrt(), deviations, rtol=0.08, atol=0)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_stretched_derivatives_are_difference_quotients_of_the_network(
    network: tuple[Blocks, TargetBatch], order: int
) -> None:
    blocks, batch = network
    image = blocks.W2[0, :, 4]
    step = 0.02

    def output(size: float) -> float:
        rows = blocks.F.clone()
        rows[0, 0] += size * image / image.norm()
        weights = [rows if name == "F" else weight for name, weight in blocks.named()]
        return float(forward(blocks.with_weights(weights), batch, BITS[None]))

    weights = {1: (1, 0, -1), 2: (1, -2, 1), 3: (1, -2, 0, 2, -1)}[order]
    reach = len(weights) // 2
    scale = {1: 2, 2: 1, 3: 2}[order] * step**order
    quotient = sum(w * output((reach - n) * step) for n, w in enumerate(weights)) / scale
    found = float(moments.stretched(blocks, batch, BITS[None], order)[0])
    assert found == pytest.approx(quotient, rel=2e-2)


def test_sampled_changes_are_those_of_each_network_alone(network: tuple[Blocks, TargetBatch]) -> None:
    blocks, batch = network
    found = moments.sampled(blocks, batch, BITS, 0.01, 5, 11)
    copies, many = batch.repeat(5), repeat(blocks, 5)
    noise = gaussian(copies, many, 11)
    for n in range(5):
        one = moved(blocks, noise[n : n + 1], 0.01)
        slopes = [flatten(gradients(network_, batch, BITS[None])) for network_ in (one, blocks)]
        outputs = [float(forward(network_, batch, BITS[None])) for network_ in (one, blocks)]
        assert float(found.gradient[n]) == pytest.approx(float((slopes[0] - slopes[1]).norm()), rel=1e-12)
        assert float(found.output[n]) == pytest.approx(abs(outputs[0] - outputs[1]), rel=1e-10)


def test_changes_do_not_see_padding() -> None:
    longer = Target(6, ((1, 2, 3),), (1.0,))
    both = TargetBatch.stack([TARGET, longer])
    bits = torch.stack([torch.cat([BITS, torch.zeros(2, dtype=BITS.dtype)]), torch.tensor([1, 0, 0, 0, 0, 1])])
    noise = gaussian(both, build(both), 2)
    together = moments.first_order(build(both), both, bits, noise)
    masked = (flatten(noise) == 0) & (together.gradient != 0)
    assert not masked.any()


@pytest.mark.slow
def test_third_squares_have_the_mean_of_the_hessian_s_change(network: tuple[Blocks, TargetBatch]) -> None:
    """Both estimate ‖D³f‖_F²: one from pairs of directions, the other from whole changes of the Hessian."""
    blocks, batch = network
    pairs = moments.third_squares(blocks, batch, BITS, 400, 0)
    draws = gaussian(batch.repeat(40), repeat(blocks, 40), 0)
    whole = moments.hessian_changes(blocks, batch, BITS, draws).square().sum((1, 2))
    apart = float(pairs.mean() - whole.mean())
    spread = float(pairs.std()) / 20 + float(whole.std()) / 40**0.5
    assert abs(apart) < 4 * spread


def test_alike_entries_have_a_chi_square_tail() -> None:
    """Without an entry of its own variance the tail is SciPy's, from two channels on."""
    channels = column(2, 3, 8, 22, 100)
    found = tail(torch.full((5,), 2.0, dtype=torch.float64), torch.zeros(5, dtype=torch.float64), channels, column(
        3.0, 3.0, 5.6, 7.5, 16.0))  # fmt: skip
    expected = stats.chi2.sf(np.array([3.0, 3.0, 5.6, 7.5, 16.0]) ** 2 / 2, channels.numpy())
    assert found.numpy() == pytest.approx(expected, rel=1e-4, abs=1e-12)
    assert found.numpy()[2:] == pytest.approx(expected[2:], abs=1e-12)


def test_one_entry_of_its_own_variance_agrees_with_draws() -> None:
    """Draws of 22 entries, the last of variance 310 against 10."""
    entries = np.random.default_rng(0).standard_normal((200_000, 22)) * np.sqrt(10)
    entries[:, -1] *= np.sqrt(31)
    share = float((np.linalg.norm(entries, axis=1) > 40).mean())
    found = float(tail(column(10), column(300), column(22), column(40))[0])
    assert abs(found - share) < 4 * (share / len(entries)) ** 0.5
