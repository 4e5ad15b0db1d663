"""Layer 2 under noise: gradients against automatic differentiation, and changes against first order."""

import pytest
import torch

from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.perturbed.networks import Network, at_any_input, third_coefficient
from boundaudit.numeric.sharpness import layer_two
from boundaudit.numeric.sharpness.autodiff import repeat
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.moments import readout, row_gradients
from boundaudit.numeric.sharpness.noise import gaussian, moved

POINTS = ({"T": 6, "D": 2, "omega": 3, "u": 1, "x_n": 37}, {"T": 8, "D": 1, "omega": 8, "u": 2, "x_n": 90})


@pytest.fixture(params=POINTS, ids=("pairs", "bits"))
def network(request: pytest.FixtureRequest) -> Network:
    return at_any_input(request.param, "cpu")


def test_row_changes_are_those_of_automatic_differentiation(network: Network) -> None:
    """∂f/∂X2 of perturbed networks, row by row, less that of the network itself."""
    sigma, draws, seed = 0.01, 5, 3
    found = layer_two.sampled(*network.single, sigma, draws, seed)
    copies, batch = repeat(network.blocks, draws), network.batch.repeat(draws)
    noisy = moved(copies, gaussian(batch, copies, seed), sigma)
    bits = network.bits.expand(draws, -1)
    change = row_gradients(noisy, batch, bits) - row_gradients(copies, batch, bits)
    torch.testing.assert_close(found.rows, change.norm(dim=-1))
    torch.testing.assert_close(found.whole, change.flatten(1).norm(dim=-1))


def test_small_noise_moves_the_weights_to_first_order(network: Network) -> None:
    """‖ã - a‖₁ and ‖Σ̃ - Σ‖₁ at σ = 10⁻⁷ are σ times those of the directional derivative."""
    sigma, seed = 1e-7, 5
    found = layer_two.sampled(*network.single, sigma, 1, seed)
    slope = readout(network.blocks, network.batch, network.bits, network.noise(seed)).weights[0]
    weights = trace(network.blocks, network.batch, network.bits[:, None]).second[0, 0]
    turned = torch.diag(slope) - torch.outer(slope, weights) - torch.outer(weights, slope)
    assert float(found.weights[0]) / sigma == pytest.approx(float(slope.abs().sum()), rel=1e-4)
    assert float(found.jacobian[0]) / sigma == pytest.approx(float(turned.abs().sum(0).max()), rel=1e-4)


def test_a_step_along_the_keys_moves_the_weights_as_differentiated() -> None:
    """Central differences along the unit direction w2ᵀ/|w2| in F's first row."""
    blocks, batch, bits = third_coefficient(Columns([{"T": 4, "u": 1, "ell_3": 3}], "cpu"))
    stream = trace(blocks, batch, bits[:, None]).stream[:, 0]
    image = (stream[:, -1:] @ blocks.W2.mT)[:, 0]
    direction = torch.zeros_like(blocks.F)
    direction[:, 0] = torch.nn.functional.normalize(image, dim=-1)
    ends = []
    for step in (1e-5, -1e-5):
        weights = [w + step * direction if name == "F" else w for name, w in blocks.named()]
        ends.append(trace(blocks.with_weights(weights), batch, bits[:, None]).second[:, 0])
    found = layer_two.stretched_weights(blocks, batch, bits)
    torch.testing.assert_close(found, (ends[0] - ends[1]) / 2e-5, rtol=1e-6, atol=1e-8)
