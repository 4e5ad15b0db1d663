"""Bad input is told in one line that names the field."""

from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from boundaudit import InputError
from boundaudit.numeric.curvature import hessian_trace

INPUTS, LABELS = torch.ones(4, 3), torch.tensor([0, 1, 2, 0])


class Once(torch.autograd.Function):
    @staticmethod
    def forward(_context: Any, inputs: Tensor) -> Tensor:
        return inputs.clone()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(_context: Any, along: Tensor) -> Tensor:
        return along


def linear(**changes: Any) -> nn.Module:
    return nn.Linear(3, 3, **changes)


def complex_entries() -> nn.Module:
    module = linear()
    module.register_parameter("phase", nn.Parameter(torch.ones(1, dtype=torch.complex64)))
    return module


def noisy() -> nn.Module:
    class Noise(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = linear()

        def forward(self, inputs: Tensor) -> Tensor:
            return self.layer(F.dropout(inputs, 0.5, training=True))

    return Noise()


MODULES = {
    "no parameters": (lambda: nn.Tanh(), "module", "none"),
    "all frozen": (lambda: linear().requires_grad_(False), "module", "2 parameters, all frozen"),
    "no module": (lambda: F.relu, "module", "function"),
    "complex": (complex_entries, "module.phase", "complex64"),
    "lazy": (lambda: nn.LazyLinear(3), "module.weight", "lazy"),
    "dropout": (lambda: nn.Sequential(linear(), nn.Dropout(0.1)), "module", "call module.eval()"),
    "batch norm": (lambda: nn.Sequential(linear(), nn.BatchNorm1d(3)), "module", "call module.eval()"),
    "attention dropout": (lambda: nn.MultiheadAttention(4, 2, dropout=0.1), "module", "call module.eval()"),
    "noise": (noisy, "module", "the same loss each time"),
    "nan": (lambda: nn.Sequential(linear(), nn.Threshold(1e9, float("nan"))), "loss", "nan"),
}

LOSSES = {
    "not a scalar": (lambda output, _: output, "shape (4, 3)"),
    "a number": (lambda output, _: output.sum().item(), "float"),
    "an integer": (lambda output, _: output.argmax(), "int64"),
    "a constant": (lambda output, _: (output > 0).double().mean(), "a constant"),
    "infinite": (lambda output, _: output.sum() / 0, "inf"),
    "once": (lambda output, _: Once.apply(output).square().sum(), "differentiates twice"),
}

OPTIONS = [
    ("probes", 1), ("probes", 2.5), ("probes", True), ("seed", -1), ("confidence", 0.0), ("confidence", 1.0),
    ("confidence", float("nan")), ("confidence", 95),
    ("rel_error", 0.0), ("rel_error", 5), ("memory", 0), ("memory", 1e9), ("method", "closed form"),
]  # fmt: skip


def said(module: Any, loss: Any = F.cross_entropy, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        hessian_trace(module, loss, INPUTS, LABELS, **options)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("name", MODULES)
def test_modules(name: str) -> None:
    make, field, word = MODULES[name]
    error = said(make())
    assert error.field == field
    assert word in str(error)


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("method", ["auto", "exact", "estimate"])
def test_losses(name: str, method: str) -> None:
    loss, word = LOSSES[name]
    error = said(linear(), loss, method=method)
    assert error.field == "loss"
    assert word in str(error)


@pytest.mark.parametrize(("field", "value"), OPTIONS)
def test_options(field: str, value: Any) -> None:
    assert said(linear(), **{field: value}).field == field


def test_memory() -> None:
    error = said(nn.Sequential(linear(), nn.LayerNorm(3)), memory=100)
    assert error.field == "memory"
    assert "or more, got 100" in str(error)
