"""How flat trained networks are, and the construction beside them: the loss's Hessian's trace, the loss under noise.

Of L = mean (f - y)² the trace is 2 mean |∇f|² + 2 mean (f - y) tr ∇²f. The first part is exact, by the gradient at each
input; the second, small where the loss is, is a mean over random signs s of sᵀ∇²g s for g = 2 mean (f - y) f with
f - y held fixed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.func import grad, jvp, vmap

from boundaudit.numeric.enumeration import choose_inputs, numbered_bits
from boundaudit.numeric.sharpness.autodiff import flatten
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.loss_hessian import curvature
from boundaudit.numeric.sharpness.mean_loss import Interval, losses
from boundaudit.numeric.sharpness.target import Target, TargetBatch
from boundaudit.numeric.sharpness.trained.architecture import Architecture
from boundaudit.numeric.sharpness.trained.family import Weights
from boundaudit.numeric.sharpness.trained.risk import NUMBERS

_LISTED, _SAMPLE = 14, "random:8192"
"""Up to which T the construction's trace is taken over all inputs, and over which sample beyond it."""
_SIGNS = np.array([-1, 1], dtype=np.float32)


class Trace(NamedTuple):
    """The trace of the Hessian of each network's loss."""

    gauss_newton: Tensor  # 2 mean |∇f|², float64, (S,)
    residual: Tensor  # 2 mean (f - y) tr ∇²f of each draw of signs, float64, (probes, S)

    @property
    def total(self) -> Tensor:
        """Of each draw of signs, shape (probes, S): its mean is the trace."""
        return self.gauss_newton + self.residual


def squared_norm(weights: Weights) -> Tensor:
    """The squared norm of all weights of each network, float64, shape (S,)."""
    return torch.stack([tensor.double().flatten(1).square().sum(1) for tensor in weights.values()]).sum(0)


def loss_trace(
    architecture: Architecture, weights: Weights, inputs: Tensor, wanted: Tensor, *, probes: int, seed: int
) -> Trace:  # fmt: skip
    """Both parts of the trace of each network's loss on its own inputs.

    Numbers of inputs, int64, and the targets there, float64, have shape (S, n); weights are float32, `probes` draws of
    signs serve the second part.
    """
    bits = numbered_bits(inputs, architecture.length)
    squares = [_squared_gradient(architecture, weights, number, bits[number]) for number in range(len(inputs))]
    return Trace(2 * torch.stack(squares), _residual(architecture, weights, bits, wanted, probes, seed))


def _squared_gradient(architecture: Architecture, weights: Weights, number: int, bits: Tensor) -> Tensor:
    """The mean of |∇f|² of one network over its inputs, shape (n, T)."""
    alone = {name: tensor[number] for name, tensor in weights.items()}

    def output(w: Weights, row: Tensor) -> Tensor:
        return architecture.outputs({name: tensor[None] for name, tensor in w.items()}, row[None])[0, 0]

    some = max(1, NUMBERS[bits.device.type] // (2 * architecture.count))
    total = bits.new_zeros((), dtype=torch.float64)
    for part in torch.split(bits, some):
        gradients = vmap(grad(output), in_dims=(None, 0))(alone, part)
        total += sum(gradient.double().square().sum() for gradient in gradients.values())
    return total / len(bits)


def _residual(
    architecture: Architecture, weights: Weights, bits: Tensor, wanted: Tensor, probes: int, seed: int
) -> Tensor:  # fmt: skip
    with torch.no_grad():
        residual = architecture.outputs(weights, bits) - wanted.float()

    def weighted(w: Weights) -> Tensor:
        return (2 * residual * architecture.outputs(w, bits)).mean(-1).sum()

    found = []
    for probe in range(probes):
        random = np.random.default_rng([seed, probe])
        signs = {
            name: torch.from_numpy(random.choice(_SIGNS, tensor.shape)).to(tensor.device)
            for name, tensor in weights.items()
        }
        turned = jvp(grad(weighted), (dict(weights),), (signs,))[1]
        parts = [(signs[name] * turned[name]).double().flatten(1).sum(1) for name in weights]
        found.append(torch.stack(parts).sum(0))
    return torch.stack(found)


def noisy_losses(
    architecture: Architecture, weights: Weights, inputs: Tensor, wanted: Tensor, sigma: float, *, draws: int,
    inputs_per_draw: int, seed: int,
) -> Tensor:  # fmt: skip
    """The mean of (f - y)² of each noisy copy of each network, independent with the mean sought, float64, (S, draws).

    Each copy sees inputs of its own, drawn with replacement from numbers (S, n), int64, with targets (S, n), float64.
    """
    device = inputs.device
    found = []
    each = max(1, NUMBERS[device.type] // (architecture.count + inputs_per_draw * architecture.numbers()))
    for number in range(len(inputs)):
        generator = torch.Generator(device).manual_seed(_state(seed, number))
        losses = []
        for start in range(0, draws, each):
            copies = min(each, draws - start)
            noisy = {
                name: tensor[number]
                + sigma * torch.randn(copies, *tensor.shape[1:], generator=generator, device=device)
                for name, tensor in weights.items()
            }
            size = (copies, inputs_per_draw)
            chosen = torch.randint(inputs.shape[1], size, generator=generator, device=device)
            bits = numbered_bits(inputs[number][chosen], architecture.length)
            with torch.no_grad():
                outputs = architecture.outputs(noisy, bits).double()
            losses.append((outputs - wanted[number][chosen]).square().mean(-1))
        found.append(torch.cat(losses))
    return torch.stack(found)


def _state(seed: int, number: int) -> int:
    return int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0] >> np.uint64(1))


class Construction(NamedTuple):
    """What the construction of a function measures, in the published layout with the steep trapezoid."""

    squared_norm: float
    trace: float  # of the Hessian of the mean of (f - y)², over all inputs or a sample of them
    noisy: Interval  # the mean of (f - y)² under noise, over uniform inputs


def measure_construction(target: Target, sigma: float, *, draws: int, seed: int) -> Construction:
    """Norm, trace and loss under noise of the construction of a function of sets of one size and positive coefficients.

    `draws` are pairs of noisy copies, each on an input of its own.
    """
    generator = torch.Generator().manual_seed(seed)
    bits = torch.rand(draws, target.length, generator=generator) < 0.5
    some = None if target.length <= _LISTED else _SAMPLE
    trace = curvature(target, choose_inputs(target.length, inputs=some, seed=seed)).loss_trace
    assert trace is not None
    norm = flatten(build(TargetBatch.stack([target]))).square().sum()
    return Construction(float(norm), trace.mean, losses(target, bits, sigma, seed).mean())
