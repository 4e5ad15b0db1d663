"""A module, a loss and data, checked; and the surroundings in which all of it can be differentiated twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.parameter import is_lazy

from boundaudit import InputError

Loss = Callable[[Any, Any], Tensor]


@dataclass(frozen=True)
class Problem:
    """loss(module(inputs), targets) as a function of the trainable parameters by name, tied ones once.

    Working arrays may take as many bytes as memory says; inputs in a tuple are several arguments.
    """

    module: nn.Module
    loss: Loss
    inputs: Any
    targets: Any
    parameters: dict[str, nn.Parameter]
    memory: int

    @classmethod
    def checked(cls, module: nn.Module, loss: Loss, inputs: Any, targets: Any, memory: int) -> Problem:
        """Gather the trainable parameters of a module that can be differentiated.

        Raises:
            InputError: when nothing is trainable, a parameter is no real number, or the module draws at random.
        """
        parameters = trainable(module)
        noisy = [name or "the module" for name, part in module.named_modules() if _depends_on_mode(part)]
        if noisy:
            raise InputError(
                "module", "dropout and batch norm in evaluation mode", f"{noisy[0]} in training", "call module.eval()"
            )
        return cls(module, loss, inputs, targets, parameters, memory)

    @property
    def leaves(self) -> list[nn.Parameter]:
        """The trainable parameters."""
        return list(self.parameters.values())

    @property
    def size(self) -> int:
        """How many trainable entries there are."""
        return sum(parameter.numel() for parameter in self.leaves)

    @property
    def device(self) -> torch.device:
        """Where the first trainable parameter lives."""
        return self.leaves[0].device

    def output(self) -> Any:
        """The module's output at the inputs."""
        return self.module(*self.inputs) if isinstance(self.inputs, tuple) else self.module(self.inputs)

    def value(self, output: Any) -> Tensor:
        """The loss of what the module returned, or of something in its place: a tensor without axes.

        Raises:
            InputError: when the loss is no finite real scalar.
        """
        value = self.loss(output, self.targets)
        if not isinstance(value, Tensor) or value.numel() != 1 or not value.is_floating_point():
            got = f"shape {tuple(value.shape)}, {value.dtype}" if isinstance(value, Tensor) else type(value).__name__
            raise InputError("loss", "a real scalar tensor", got, "reduce it over samples, without .item()")
        if not bool(torch.isfinite(value)):
            raise InputError(
                "loss", "a finite value", float(value.detach()), "mend the weights, the inputs or the targets"
            )
        return value.reshape(())


def trainable(module: nn.Module) -> dict[str, nn.Parameter]:
    """The parameters that require a gradient by name, tied ones once; InputError if there is none, or one not real."""
    if not isinstance(module, nn.Module):
        raise InputError("module", "an nn.Module", type(module).__name__, "wrap the function in a module")
    parameters = {name: p for name, p in module.named_parameters() if p.requires_grad}
    if not parameters:
        count = len(list(module.parameters()))
        got = f"{count} parameters, all frozen" if count else "none"
        raise InputError("module", "a parameter that requires a gradient", got, "call requires_grad_() on one")
    for name, parameter in parameters.items():
        if is_lazy(parameter) or not parameter.is_floating_point():
            got = "a lazy parameter" if is_lazy(parameter) else str(parameter.dtype)
            raise InputError(f"module.{name}", "real floating-point entries", got, "convert or freeze it")
    return parameters


@contextmanager
def twice_differentiable(module: nn.Module) -> Iterator[None]:
    """Run attention and recurrence by operations that have second derivatives; leave the module as it was.

    Fused attention and recurrent kernels have none. The module's buffers, should a forward pass write them, and
    PyTorch's own switches are restored.
    """
    fast = torch.backends.mha.get_fastpath_enabled()
    recurrent = any(isinstance(part, nn.RNNBase) for part in module.modules())
    with ExitStack() as stack:
        stack.enter_context(torch.inference_mode(False))
        stack.enter_context(torch.enable_grad())
        stack.enter_context(sdpa_kernel(SDPBackend.MATH))
        stack.enter_context(_same_buffers(module))
        stack.callback(torch.backends.mha.set_fastpath_enabled, fast)
        torch.backends.mha.set_fastpath_enabled(False)
        if recurrent:
            stack.enter_context(torch.backends.cudnn.flags(enabled=False))
        yield


@contextmanager
def _same_buffers(module: nn.Module) -> Iterator[None]:
    held = [
        (part, name, buffer, buffer._version, buffer.clone())
        for part in module.modules()
        for name, buffer in part._buffers.items()
        if buffer is not None
    ]
    try:
        yield
    finally:
        for part, name, buffer, version, before in held:
            part._buffers[name] = buffer
            if buffer._version != version:
                with torch.no_grad():
                    buffer.copy_(before)


def _depends_on_mode(part: nn.Module) -> bool:
    if not part.training:
        return False
    dropout = part.p if isinstance(part, nn.modules.dropout._DropoutNd) else getattr(part, "dropout", 0.0)
    if isinstance(dropout, float | int) and dropout > 0:
        return True
    if isinstance(part, nn.modules.batchnorm._BatchNorm):
        return True
    return isinstance(part, nn.modules.instancenorm._InstanceNorm) and bool(part.track_running_stats)
