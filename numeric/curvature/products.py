"""Products of Hessians with many directions at once: reverse over reverse on the parameters themselves.

The gradient's graph is made once and read again for each direction. Since the parameters are the leaves, tied
weights, hooks, parametrizations and losses that read the parameters (weight decay) are differentiated as they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks

from boundaudit import InputError
from boundaudit.numeric.curvature.problem import Problem

CPU_BATCH = 2**23
"""Bytes of intermediates that one pass on a CPU takes at once: larger batches leave its caches and are slower."""

TWICE = "a loss and module that PyTorch differentiates twice"


@dataclass(frozen=True)
class Slope:
    """The gradient with its graph, one tensor for each leaf.

    The footprint is the bytes that the forward pass keeps for the backward pass, parameters apart.
    """

    problem: Problem
    gradient: list[Tensor]
    footprint: int

    @property
    def cost(self) -> int:
        """Bytes that one product passes through: of the intermediates, and of a direction."""
        return self.footprint + self.problem.size * _itemsize(self.problem)

    def chunk(self, entries: int) -> int:
        """How many directions of so many entries fit into the memory at once, at least one."""
        problem = self.problem
        room = problem.memory - _kept(problem, self.footprint)
        if problem.device.type == "cpu":
            room = min(room, CPU_BATCH)
        return max(1, room // (2 * self.footprint + 3 * entries * _itemsize(problem)))

    def times(self, directions: Tensor) -> Tensor:
        """The Hessian times directions, all parameters in one axis, shape (count, size); of their precision."""
        found = [
            torch.cat([part.flatten(1).to(few) for part in self._along(few)], dim=1)
            for few in torch.split(directions, self.chunk(self.problem.size))
        ]
        return torch.cat(found)

    def _along(self, directions: Tensor) -> list[Tensor]:
        leaves = self.problem.leaves
        parts = torch.split(directions, [leaf.numel() for leaf in leaves], dim=1)
        along = [part.reshape(-1, *leaf.shape).to(leaf) for part, leaf in zip(parts, leaves, strict=True)]
        return products(self.gradient, leaves, along)


def slope(problem: Problem) -> Slope:
    """Differentiate the loss once, keeping the graph.

    Raises:
        InputError: when the loss does not depend on the parameters, or is another one when computed again, or the
            memory does not hold the graph.
    """
    value, footprint = _surveyed(problem)
    least = _kept(problem, footprint) + 2 * footprint + 3 * problem.size * _itemsize(problem)
    if least > problem.memory:
        raise InputError("memory", f"about {least} bytes or more", problem.memory, "raise it or pass fewer inputs")
    loss = problem.value(problem.output())
    if not math.isclose(value, float(loss.detach()), rel_tol=torch.finfo(loss.dtype).eps ** 0.5, abs_tol=1e-12):
        raise InputError(
            "module", "the same loss each time", f"{value} and {float(loss.detach())}", "switch its noise off"
        )
    return Slope(problem, list(derivative(loss, problem.leaves, graph=True)), footprint)


def differentiable(loss: Tensor) -> Tensor:
    """The loss itself, a scalar; InputError when it is a constant to PyTorch, so that it has no derivative at all."""
    if loss.requires_grad:
        return loss
    remedy = "drop argmax, comparisons and detach from module and loss"
    raise InputError("loss", "a loss that is differentiable in the parameters", "a constant", remedy)


def derivative(value: Tensor, leaves: Sequence[Tensor], *, graph: bool = False) -> tuple[Tensor, ...]:
    """The gradient of a scalar, one tensor a leaf, zero where it does not depend on it, with a graph to differentiate.

    Raises:
        InputError: when PyTorch has no such derivative.
    """
    if not value.requires_grad:
        return tuple(torch.zeros_like(leaf) for leaf in leaves)
    try:
        gradient = torch.autograd.grad(
            value, leaves, create_graph=graph, retain_graph=True, allow_unused=True, materialize_grads=True
        )
    except RuntimeError as error:
        raise InputError("loss", TWICE, error, "replace the operation that cannot be") from error
    if graph and _ends_early(gradient):
        raise InputError("loss", TWICE, "an operation marked once_differentiable", "replace this operation")
    return gradient


def products(gradient: Sequence[Tensor], leaves: Sequence[Tensor], directions: Sequence[Tensor]) -> list[Tensor]:
    """Σ_i (∂gradient_i/∂leaves)ᵀ direction_i for several directions in one backward pass.

    For each gradient a stack of directions, for each leaf their products, the first axis counting directions.

    Raises:
        InputError: when PyTorch has no such derivative.
    """
    count = len(directions[0])
    pairs = [(g, d) for g, d in zip(gradient, directions, strict=True) if g.requires_grad]
    if not pairs:
        return [leaf.new_zeros(count, *leaf.shape) for leaf in leaves]
    outputs, along = [g for g, _ in pairs], [d for _, d in pairs]
    found: tuple[Tensor | None, ...] | None = None
    if count > 1:  # one by itself is faster than as a batch
        with suppress(RuntimeError):
            found = torch.autograd.grad(
                outputs, leaves, along, retain_graph=True, allow_unused=True, is_grads_batched=True
            )
    if found is None:
        found = _one_by_one(outputs, leaves, along)
    return [
        leaf.new_zeros(count, *leaf.shape) if product is None else product
        for leaf, product in zip(leaves, found, strict=True)
    ]


def _one_by_one(
    outputs: Sequence[Tensor], leaves: Sequence[Tensor], along: Sequence[Tensor]
) -> tuple[Tensor | None, ...]:
    """Products each by itself: for one, or where an operation cannot be batched (a custom one, say)."""
    try:
        rows = [
            torch.autograd.grad(outputs, leaves, direction, retain_graph=True, allow_unused=True)
            for direction in zip(*along, strict=True)
        ]
    except RuntimeError as error:
        raise InputError("loss", TWICE, error, "replace the operation that cannot be") from error
    return tuple(None if column[0] is None else torch.stack(column) for column in zip(*rows, strict=True))


def _ends_early(gradient: Sequence[Tensor]) -> bool:
    """Tell whether the graph holds an operation without second derivative; PyTorch takes its output for a constant."""
    ahead = [part.grad_fn for part in gradient if part.grad_fn is not None]
    seen = set(ahead)
    while ahead:
        node = ahead.pop()
        if node.name() == "torch::autograd::Error":
            return True
        new = {following for following, _ in node.next_functions if following is not None} - seen
        seen |= new
        ahead += new
    return False


def _surveyed(problem: Problem) -> tuple[float, int]:
    """Return the loss, and the bytes that its forward pass keeps."""
    kept: dict[int, int] = {}
    own = {parameter.untyped_storage().data_ptr() for parameter in problem.module.parameters()}

    def note(saved: Tensor) -> Tensor:
        storage = saved.untyped_storage()
        if storage.data_ptr() not in own:
            kept[storage.data_ptr()] = storage.nbytes()
        return saved.detach()

    with saved_tensors_hooks(note, lambda saved: saved):
        loss = differentiable(problem.value(problem.output()))
    return float(loss.detach()), sum(kept.values())


def _kept(problem: Problem, footprint: int) -> int:
    """Bytes of the gradient and of the two graphs that stay while directions pass: forward, and backward's own."""
    return 4 * footprint + problem.size * _itemsize(problem)


def _itemsize(problem: Problem) -> int:
    return max(parameter.element_size() for parameter in problem.leaves)
