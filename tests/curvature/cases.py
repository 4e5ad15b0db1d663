"""Modules, losses and data small enough for a whole Hessian, and that Hessian by torch.func."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.func import functional_call, hessian
from torch.nn.attention import SDPBackend, sdpa_kernel

Case = tuple[nn.Module, Callable[[Any, Any], Tensor], Tensor, Tensor]


class Attention(nn.Module):
    """One MultiheadAttention with a residual and a LayerNorm, all tokens read out together; 354 parameters."""

    def __init__(self, width: int = 8, tokens: int = 3, classes: int = 2) -> None:
        super().__init__()
        self.attend = nn.MultiheadAttention(width, 2, batch_first=True)
        self.norm = nn.LayerNorm(width)
        self.read = nn.Linear(tokens * width, classes)

    def forward(self, tokens: Tensor) -> Tensor:
        mixed, _ = self.attend(tokens, tokens, tokens, need_weights=False)
        return self.read(self.norm(tokens + mixed).flatten(1))


class Tied(nn.Module):
    """A layer used twice, through its transpose as well."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.again = self.first

    def forward(self, inputs: Tensor) -> Tensor:
        return torch.tanh(self.again(torch.tanh(self.first(inputs)))) @ self.first.weight.T


def mlp(
    *activations: nn.Module, widths: tuple[int, ...] = (3, 4, 3), outermost: nn.Module | None = None
) -> nn.Sequential:
    layers: list[nn.Module] = []
    for n, (wide, narrow) in enumerate(pairwise(widths)):
        layers.append(nn.Linear(wide, narrow))
        if n < len(widths) - 2:
            layers.append(activations[n % len(activations)])
    return nn.Sequential(*layers, *([outermost] if outermost else []))


def case(module: nn.Module, loss: Callable[[Any, Any], Tensor], inputs: Tensor, targets: Tensor) -> Case:
    return module.double().eval(), loss, inputs.double(), targets


def classes(module: nn.Module, loss: Callable[[Any, Any], Tensor] = F.cross_entropy, count: int = 6) -> Case:
    return case(module, loss, torch.randn(count, 3), torch.randint(3, (count,)))


def brute_force(
    module: nn.Module, loss: Callable[[Any, Any], Tensor], inputs: Tensor, targets: Tensor
) -> dict[str, float]:
    """Each trainable parameter's trace, from the whole Hessian."""
    diagonal = whole(module, loss, inputs, targets).diagonal()
    trainable = [(name, p.numel()) for name, p in module.named_parameters() if p.requires_grad]
    parts = diagonal.split([size for _, size in trainable])
    return {name: float(part.sum()) for (name, _), part in zip(trainable, parts, strict=True)}


def whole(module: nn.Module, loss: Callable[[Any, Any], Tensor], inputs: Tensor, targets: Tensor) -> Tensor:
    """The Hessian in all trainable parameters, forward over reverse, shape (p, p)."""
    trainable = {name: p.detach() for name, p in module.named_parameters() if p.requires_grad}
    sizes = {name: p.numel() for name, p in trainable.items()}

    def of(parameters: dict[str, Tensor]) -> Tensor:
        return loss(functional_call(module, parameters, (inputs,)), targets)

    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with sdpa_kernel(SDPBackend.MATH):
            blocks = hessian(of)(trainable)
    finally:
        torch.backends.mha.set_fastpath_enabled(True)
    return torch.cat([torch.cat([blocks[a][b].reshape(m, n) for b, n in sizes.items()], 1) for a, m in sizes.items()])
