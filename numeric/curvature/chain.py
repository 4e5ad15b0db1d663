"""The trace in closed form for feed-forward chains of linear layers and layers that act entry by entry.

Let z = W a + b be a linear layer with input a, L a loss that is a sum over samples, g = ∂L/∂z and H = ∂²L/∂z² of
one sample. Since z is linear in W and b, the traces of their blocks are Σ ‖a‖² tr H and Σ tr H over samples. Below
the layer the sample's Hessian is WᵀHW, and below an activation φ that acts entry by entry it is
diag(φ') H diag(φ') + diag(φ''·g), with g continued as Wᵀg and φ'·g.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile

import torch
from torch import Tensor, nn

from boundaudit.numeric.curvature.problem import Problem
from boundaudit.numeric.curvature.samples import SampleHessians, of_loss, pointwise


@dataclass(frozen=True)
class Linear:
    """A linear layer and what enters it, shape (N, in)."""

    layer: nn.Linear
    entering: Tensor


@dataclass(frozen=True)
class Pointwise:
    """A layer that acts entry by entry: φ' and φ'' where it acts, shape (N, width); φ'' is None where it is 0."""

    first: Tensor
    second: Tensor | None


Stage = Linear | Pointwise


def closed_form(problem: Problem, seed: int) -> dict[str, float] | None:
    """Each parameter's share of the trace by name, where module and loss are a chain under a sum over samples.

    That layers act entry by entry, and that no second derivative of the loss mixes samples, is tested at the point
    along random directions, drawn by the seed; a derivative that is there passes with probability zero, up to rounding.
    None where the form does not apply or does not fit into the memory.
    """
    layers = _layers(problem.module)
    if layers is None or not isinstance(problem.inputs, Tensor) or not _only_linear_layers_train(problem, layers):
        return None
    generator = torch.Generator().manual_seed(seed)
    passed = _forward(layers, problem.inputs, generator)
    if passed is None or not _same(passed[1], problem.output()):
        return None
    stages, output = passed
    step = _samples_at_once(problem, stages)
    top = of_loss(problem, output, generator) if step else None
    return None if top is None else _shares(problem, stages, *top, step)


def _layers(module: nn.Module) -> list[nn.Module] | None:
    """Return the layers of nested ``nn.Sequential`` in order, or None where anything else happens on the way."""
    hooks = (module._forward_hooks, module._forward_pre_hooks, module._backward_hooks, module._backward_pre_hooks)
    if "forward" in vars(module) or any(hooks):
        return None
    if not isinstance(module, nn.Sequential) or type(module).forward is not nn.Sequential.forward:
        return [module]
    layers: list[nn.Module] = []
    for part in module:
        nested = _layers(part)
        if nested is None:
            return None
        layers += nested
    return layers


def _only_linear_layers_train(problem: Problem, layers: Sequence[nn.Module]) -> bool:
    """Tell whether each trainable parameter stands once in the chain, in a layer that is exactly ``nn.Linear``."""
    training = [p for layer in layers if type(layer) is nn.Linear for p in layer.parameters() if p.requires_grad]
    return len(training) == len(set(training)) == len(problem.parameters) and not any(
        _trains(layer) for layer in layers if type(layer) is not nn.Linear
    )


def _forward(
    layers: Sequence[nn.Module], inputs: Tensor, generator: torch.Generator
) -> tuple[list[Stage], Tensor] | None:
    """Return the stages from the first trainable layer on, and the output; None where one is no stage."""
    chain = list(dropwhile(lambda layer: not _trains(layer), layers))
    with torch.no_grad():
        for layer in layers[: len(layers) - len(chain)]:
            inputs = layer(inputs)
    if not isinstance(inputs, Tensor) or inputs.dim() != 2:
        return None
    stages: list[Stage] = []
    for layer in chain:
        if type(layer) is nn.Linear:
            stages.append(Linear(layer, inputs))
            inputs = layer(inputs).detach()
            continue
        found = pointwise(layer, inputs, generator)
        if found is None:
            return None
        inputs = found[0]
        stages.append(Pointwise(*found[1:]))
    return stages, inputs


def _shares(
    problem: Problem, stages: Sequence[Stage], gradient: Tensor, top: SampleHessians, step: int
) -> dict[str, float]:
    names: dict[Tensor, str] = {parameter: name for name, parameter in problem.parameters.items()}
    shares = dict.fromkeys(problem.parameters, 0.0)
    for start in range(0, len(gradient), step):
        rows = slice(start, start + step)
        for stage, traces in _descend(stages, gradient[rows], SampleHessians(top.core[rows]), rows):
            lengths = stage.entering[rows].square().sum(1)
            for parameter, share in ((stage.layer.weight, lengths * traces), (stage.layer.bias, traces)):
                if parameter in names:
                    shares[names[parameter]] += float(share.double().sum())
    return shares


def _descend(
    stages: Sequence[Stage], gradient: Tensor, hessians: SampleHessians, rows: slice
) -> Iterator[tuple[Linear, Tensor]]:
    """Yield each linear layer, from the last to the first, with the traces of the Hessians in its output."""
    left = sum(isinstance(stage, Linear) for stage in stages)
    for stage in reversed(stages):
        if isinstance(stage, Pointwise):
            first, second = stage.first[rows], stage.second
            hessians = hessians.before(first, None if second is None else second[rows] * gradient)
            gradient = gradient * first
            continue
        yield stage, hessians.traces()
        left -= 1
        weight = stage.layer.weight.detach()
        if left:
            hessians = hessians.diagonal_below(weight) if left == 1 else hessians.below(weight)
            gradient = gradient @ weight


def _samples_at_once(problem: Problem, stages: Sequence[Stage]) -> int:
    """How many samples' Hessians fit into the memory at once: a few square matrices of the widest layer for each."""
    widest = max(stage.layer.out_features for stage in stages if isinstance(stage, Linear))
    return problem.memory // (6 * widest**2 * problem.leaves[0].element_size())


def _trains(layer: nn.Module) -> bool:
    return any(parameter.requires_grad for parameter in layer.parameters())


def _same(one: Tensor, other: Tensor) -> bool:
    close = torch.finfo(one.dtype).eps ** 0.5
    return one.shape == other.shape and torch.allclose(one, other, rtol=close, atol=close)
