"""Speed of Hessian traces: ours and the peers', interleaved, on an MLP and on attention."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.func import functional_call, grad, jvp, vmap
from torch.nn.attention import SDPBackend, sdpa_kernel

from boundaudit.numeric.curvature.record import HessianTrace
from boundaudit.numeric.curvature.trace import hessian_trace
from boundaudit.numeric.timing import timed

Result = dict[str, Any]
Problem = tuple[nn.Module, Tensor, Tensor]
ROUNDS = 5
PROBES = 100
CHUNK = 25
"""Basis vectors that torch.func takes at once: faster than 100 on two cores."""
CHANGE = 1e-3
"""PyHessian's default: probes go on until the running mean changes by less than this part of it."""
MOST_PROBES = 1000


class Attention(nn.Module):
    """MultiheadAttention of two heads, a residual and a LayerNorm, three tokens read out together: 354 parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.attend = nn.MultiheadAttention(8, 2, batch_first=True)
        self.norm = nn.LayerNorm(8)
        self.read = nn.Linear(24, 2)

    def forward(self, tokens: Tensor) -> Tensor:
        """Logits of two classes for each sequence."""
        mixed, _ = self.attend(tokens, tokens, tokens, need_weights=False)
        logits: Tensor = self.read(self.norm(tokens + mixed).flatten(1))
        return logits


def trace_speed(device: str) -> Result:
    """Hessian traces of an MLP of 1,002 parameters and of an attention layer of 354, ours beside the peers'.

    Returns:
        For both: seconds (the best of five interleaved rounds), values, and relative errors of the estimates. Peers
        that are not installed have null.
    """
    torch.manual_seed(0)
    mlp = nn.Sequential(nn.Linear(20, 32), nn.Tanh(), nn.Linear(32, 10))
    problems: dict[str, Problem] = {
        "MLP": (mlp, torch.randn(1000, 20), torch.randint(10, (1000,))),
        "attention": (Attention(), torch.randn(200, 3, 8), torch.randint(2, (200,))),
    }
    moved = {
        name: (module.to(device).eval(), inputs.to(device), labels.to(device))
        for name, (module, inputs, labels) in problems.items()
    }
    rows = [row for name, problem in moved.items() for row in _rows(name, *problem)]
    return {"probes": PROBES, "threads": torch.get_num_threads(), "device": device, "rows": rows}


def _rows(name: str, module: nn.Module, inputs: Tensor, labels: Tensor) -> list[Result]:
    def ours(**options: Any) -> HessianTrace:
        return hessian_trace(module, F.cross_entropy, inputs, labels, **options)

    ways: dict[str, Callable[[], float] | None] = {
        "ours, auto": lambda: ours().value,
        "ours, exact": lambda: ours(method="exact").value,
        "torch.func, exact": lambda: _torch_func(module, inputs, labels),
        "BackPACK, exact diagonal": _backpack(module, inputs, labels),
        "ours, estimate": lambda: ours(method="estimate", probes=PROBES).value,
        "curvlinops, estimate": _curvlinops(module, inputs, labels),
        "PyHessian's loop, estimate": lambda: _until_it_settles(module, inputs, labels),
    }
    torch.manual_seed(0)
    seconds, values = _interleaved(ways, inputs.device.type)
    exact = values["ours, exact"]
    interval = ours(method="estimate", probes=PROBES).interval
    return [
        {
            "problem": name, "way": way, "seconds": seconds[way], "value": values[way],
            "relative error": None if (value := values[way]) is None or exact is None else abs(value / exact - 1),
            "interval": interval if way == "ours, estimate" else None,
        }
        for way in ways
    ]  # fmt: skip


def _interleaved(
    ways: dict[str, Callable[[], float] | None], device: str
) -> tuple[dict[str, float | None], dict[str, float | None]]:
    """Return the best seconds and the last value of each way, after one round to warm up."""
    seconds: dict[str, float | None] = dict.fromkeys(ways)
    values: dict[str, float | None] = dict.fromkeys(ways)
    for turn in range(ROUNDS + 1):
        for way, work in ways.items():
            if work is None:
                continue
            spent, values[way] = timed(work, device)
            best = seconds[way]
            if turn:
                seconds[way] = spent if best is None else min(best, spent)
    return seconds, values


def _torch_func(module: nn.Module, inputs: Tensor, labels: Tensor) -> float:
    """Forward over reverse on basis vectors, in chunks."""
    parameters = {name: parameter.detach() for name, parameter in module.named_parameters()}
    sizes = [parameter.numel() for parameter in parameters.values()]

    def loss(values: dict[str, Tensor]) -> Tensor:
        return F.cross_entropy(functional_call(module, values, (inputs,)), labels)

    def entry(flat: Tensor) -> Tensor:
        parts = zip(parameters, torch.split(flat, sizes), strict=True)
        along = {name: part.reshape(parameters[name].shape) for name, part in parts}
        product = jvp(grad(loss), (parameters,), (along,))[1]
        return torch.stack([(along[name] * product[name]).sum() for name in along]).sum()

    basis = torch.eye(sum(sizes), device=inputs.device)
    with sdpa_kernel(SDPBackend.MATH):
        return float(sum(vmap(entry)(few).double().sum() for few in torch.split(basis, CHUNK)))


def _until_it_settles(module: nn.Module, inputs: Tensor, labels: Tensor) -> float:
    """Probes one by one until the running mean hardly changes, as PyHessian does."""
    parameters = list(module.parameters())
    with sdpa_kernel(SDPBackend.MATH):
        loss = F.cross_entropy(module(inputs), labels)
    gradient = torch.autograd.grad(loss, parameters, create_graph=True)
    total, mean = 0.0, 0.0
    for probe in range(1, MOST_PROBES + 1):
        signs = [torch.randint_like(parameter, 2) * 2 - 1 for parameter in parameters]
        product = torch.autograd.grad(gradient, parameters, signs, retain_graph=True)
        total += float(torch.stack([(v * hv).sum() for v, hv in zip(signs, product, strict=True)]).sum())
        before, mean = mean, total / probe
        if abs(mean - before) < CHANGE * (abs(before) + 1e-6):
            break
    return mean


def _curvlinops(module: nn.Module, inputs: Tensor, labels: Tensor) -> Callable[[], float] | None:
    if find_spec("curvlinops") is None:
        return None
    from curvlinops import HessianLinearOperator, hutchinson_trace

    def trace() -> float:
        with sdpa_kernel(SDPBackend.MATH):
            operator = HessianLinearOperator(
                module, nn.CrossEntropyLoss(), list(module.parameters()), [(inputs, labels)], check_deterministic=False
            )
            return float(hutchinson_trace(operator, num_matvecs=PROBES, distribution="rademacher"))

    return trace


def _backpack(module: nn.Module, inputs: Tensor, labels: Tensor) -> Callable[[], float] | None:
    """BackPACK's exact diagonal, on a copy, since it puts hooks on the module; it has none for attention."""
    if find_spec("backpack") is None or not isinstance(module, nn.Sequential):
        return None
    from copy import deepcopy

    from backpack import backpack, extend
    from backpack.extensions import DiagHessian

    extended, loss = extend(deepcopy(module)), extend(nn.CrossEntropyLoss())

    def trace() -> float:
        with backpack(DiagHessian()):
            loss(extended(inputs), labels).backward()
        return float(sum(parameter.diag_h.sum() for parameter in extended.parameters()))

    return trace
