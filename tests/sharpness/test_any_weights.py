"""Gradient and Laplacian for any weights, and traces under noise, against automatic differentiation."""

import pytest
import torch

from boundaudit.checks.sharpness.taylor.expansion import ANY_INPUT, traces, windows
from boundaudit.numeric.sharpness.any_weights import slopes
from boundaudit.numeric.sharpness.autodiff import flatten, gradients, hessian
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.target import TargetBatch
from boundaudit.numeric.sharpness.taylor import perturbed


@pytest.mark.parametrize(
    ("length", "degree", "sparsity", "size", "mlp"),
    [(4, 1, 1, 0.3, "steep"), (5, 2, 2, 0.1, "wide"), (5, 1, 3, 0.5, "steep"), (4, 3, 4, 1.0, "wide")],
)
def test_slopes_are_those_of_whole_hessians(
    length: int, degree: int, sparsity: int, size: float, mlp: Trapezoid
) -> None:
    """At weights far from the construction, where no symmetry hides a term."""
    batch = TargetBatch.stack([windows(length, degree, sparsity)])
    plain = build(batch, mlp=mlp)
    blocks = moved(plain, gaussian(batch, plain, 3), size)
    bits = torch.rand(3, length, generator=torch.Generator().manual_seed(length)) > 0.5
    found = slopes(blocks, batch, bits)
    assert torch.allclose(found.output, forward(blocks, batch, bits), rtol=1e-13)
    for n, row in enumerate(bits):
        slope, matrix = flatten(gradients(blocks, batch, row[None])), hessian(blocks, batch, row)
        assert float(found.gradient[0, n]) == pytest.approx(float(slope.square().sum()), rel=1e-11)
        whole = float(matrix.diagonal().abs().sum())
        assert float(found.laplacian[0, n]) == pytest.approx(float(matrix.trace()), rel=1e-10, abs=1e-12 * whole)


def test_networks_of_a_batch_do_not_mix() -> None:
    batch = TargetBatch.stack([windows(5, 2, 2)] * 3)
    plain = build(batch)
    blocks = moved(plain, gaussian(batch, plain, 0), 0.2)
    bits = torch.tensor([[1, 0, 1, 1, 0], [0, 0, 1, 0, 1]]).bool()
    together = slopes(blocks, batch, bits)
    for n in range(3):
        alone = slopes(blocks[n : n + 1], batch[n : n + 1], bits)
        for one, other in zip(alone, together, strict=True):
            assert torch.allclose(one[0], other[n], rtol=1e-12)


def test_traces_under_noise_are_those_of_perturbed_networks() -> None:
    """The trace of the loss Hessian from whole Hessians; the first draw of a sample is that of its seed."""
    point = {"T": 4, "D": 2, "omega": 2, "u": 1, "x_n": 9, "sigma": 0.005}
    assert ANY_INPUT.contains(point)
    plain, noisy = traces(point, 1, 7, "cpu")
    record = perturbed(windows(4, 2, 2), torch.tensor([[True, False, False, True]]), 0.005, 7, "steep")
    assert float(plain[0]) == pytest.approx(float(record.loss_trace[0]), rel=1e-10)
    assert float(noisy[0]) == pytest.approx(float(record.loss_trace[1]), rel=1e-10)


def test_a_sample_of_traces_at_the_length_of_the_experiments() -> None:
    """All draws differ, and a second-order term of the loss is near the gradient's part alone."""
    point = {"T": 20, "D": 2, "omega": 10, "u": 1, "x_n": 2**20 - 1, "sigma": 1e-3}
    plain, noisy = traces(point, 300, 0, "cpu")
    assert len(noisy) == len(set(noisy.tolist())) == 300
    batch, bits = TargetBatch.stack([windows(20, 2, 10)]), torch.ones(1, 20, dtype=torch.bool)
    found = slopes(build(batch), batch, bits)
    residual = float(found.output[0, 0] - evaluate(windows(20, 2, 10), bits)[0])
    expected = 2 * float(found.gradient[0, 0]) + 2 * residual * float(found.laplacian[0, 0])
    assert float(plain[0]) == pytest.approx(expected, rel=1e-12)
    assert float((noisy / plain - 1).abs().median()) < 0.01
