"""Speed of Hessian traces and norms: ours and the peers', interleaved, on an MLP, an encoder and attention."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from statistics import median
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.func import functional_call, grad, jvp, vmap
from torch.nn.attention import SDPBackend, sdpa_kernel

from boundaudit.numeric.curvature.norm import hessian_norm
from boundaudit.numeric.curvature.problem import Problem as Whole
from boundaudit.numeric.curvature.problem import twice_differentiable
from boundaudit.numeric.curvature.products import slope
from boundaudit.numeric.curvature.record import HessianTrace
from boundaudit.numeric.curvature.trace import hessian_trace
from boundaudit.numeric.timing import timed

Result = dict[str, Any]
Problem = tuple[nn.Module, Tensor, Tensor]
Ways = dict[str, Callable[[], float]]
ROUNDS = 5
CHUNK = 25
"""Basis vectors that torch.func takes at once: faster than 100 on two cores."""
CHANGE = 1e-3
"""PyHessian's default: probes go on until the running mean changes by less than this part of it."""
MOST_PROBES = 1000
PEERS = (
    "BackPACK, exact diagonal", "curvlinops, exact", "curvlinops, Hutch++", "curvlinops, XTrace",
    "curvlinops, norm by SciPy",
)  # fmt: skip
"""Ways that need the extra ``oracles``."""


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


class Encoder(nn.Module):
    """One TransformerEncoderLayer over bits with positions, its mean read out: 714 parameters."""

    def __init__(self, length: int = 10, width: int = 8) -> None:
        super().__init__()
        self.embed = nn.Embedding(2, width)
        self.positions = nn.Parameter(torch.randn(length, width) / width)
        self.layer = nn.TransformerEncoderLayer(width, 2, 16, dropout=0.0, activation="gelu", batch_first=True)
        self.read = nn.Linear(width, 2)

    def forward(self, bits: Tensor) -> Tensor:
        """Logits of two classes for each sequence."""
        logits: Tensor = self.read(self.layer(self.embed(bits) + self.positions).mean(1))
        return logits


def trace_speed(device: str) -> Result:
    """Hessian traces and norms of an MLP, a small encoder and an attention layer, ours beside the peers'.

    For each: seconds (the median of five interleaved rounds after one to warm up), values, and relative errors. Peers
    that are not installed, or do not apply, have null.
    """
    torch.manual_seed(0)
    mlp = nn.Sequential(nn.Linear(20, 32), nn.Tanh(), nn.Linear(32, 10))
    problems: dict[str, Problem] = {
        "MLP": (mlp, torch.randn(1000, 20), torch.randint(10, (1000,))),
        "encoder": (Encoder(), torch.randint(2, (64, 10)), torch.randint(2, (64,))),
        "attention": (Attention(), torch.randn(200, 3, 8), torch.randint(2, (200,))),
    }
    moved = {
        name: (module.to(device).eval(), inputs.to(device), labels.to(device))
        for name, (module, inputs, labels) in problems.items()
    }
    rows = [row for name, problem in moved.items() for row in _rows(name, *problem)]
    return {"rounds": ROUNDS, "threads": torch.get_num_threads(), "device": device, "rows": rows}


def _rows(name: str, module: nn.Module, inputs: Tensor, labels: Tensor) -> list[Result]:
    def ours(**options: Any) -> HessianTrace:
        return hessian_trace(module, F.cross_entropy, inputs, labels, **options)

    guess = ours(method="estimate")
    ways: Ways = {
        "ours, auto": lambda: ours().value,
        "ours, exact": lambda: ours(method="exact").value,
        "ours, estimate": lambda: ours(method="estimate").value,
        "ours, norm": lambda: hessian_norm(module, F.cross_entropy, inputs, labels).value,
        "torch.func, exact": lambda: _torch_func(module, inputs, labels),
        "PyHessian's loop, estimate": lambda: _until_it_settles(module, inputs, labels),
        **_backpack(module, inputs, labels),
        **_curvlinops(module, inputs, labels, guess.probes),
    }
    seconds, values = _interleaved(ways, inputs.device.type)
    trace, norm = _truth(module, inputs, labels)
    return [
        {
            "problem": name, "way": way, "seconds": seconds.get(way), "value": values.get(way),
            "relative error": abs(values[way] / (norm if "norm" in way else trace) - 1) if way in values else None,
            "interval": guess.interval if way == "ours, estimate" else None,
        }
        for way in [*ways, *(way for way in PEERS if way not in ways)]
    ]  # fmt: skip


def _interleaved(ways: Ways, device: str) -> tuple[dict[str, float], dict[str, float]]:
    """Return the median of the seconds and the last value of each way, after one round to warm up."""
    torch.manual_seed(0)
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    values: dict[str, float] = {}
    for _ in range(ROUNDS + 1):
        for way, work in ways.items():
            spent, values[way] = timed(work, device)
            seconds[way].append(spent)
    return {way: median(spent[1:]) for way, spent in seconds.items()}, values


def _truth(module: nn.Module, inputs: Tensor, labels: Tensor) -> tuple[float, float]:
    """Trace and norm of the whole Hessian."""
    problem = Whole.checked(module, F.cross_entropy, inputs, labels, 2**30)
    with twice_differentiable(module):
        matrix = slope(problem).times(torch.eye(problem.size, device=inputs.device)).double()
    return float(matrix.trace()), float(torch.linalg.eigvalsh(matrix).abs().max())


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


def _curvlinops(module: nn.Module, inputs: Tensor, labels: Tensor, probes: int) -> Ways:
    """Its estimates from as many products as ours took; the operator is made once, as one would."""
    if find_spec("curvlinops") is None:
        return {}
    from curvlinops import HessianLinearOperator, hutchpp_trace, xtrace
    from scipy.sparse.linalg import eigsh

    operator = HessianLinearOperator(
        module, nn.CrossEntropyLoss(), list(module.parameters()), [(inputs, labels)], check_deterministic=False
    )
    basis = torch.eye(operator.shape[1], device=inputs.device)
    most = min(probes, operator.shape[1] - 1)

    def here(work: Callable[[], Any]) -> Callable[[], float]:
        def run() -> float:
            with sdpa_kernel(SDPBackend.MATH):
                return float(work())

        return run

    ways: dict[str, Callable[[], Any]] = {
        "curvlinops, exact": lambda: (operator @ basis).trace(),
        "curvlinops, Hutch++": lambda: hutchpp_trace(operator, num_matvecs=most // 3 * 3),
        "curvlinops, XTrace": lambda: xtrace(operator, num_matvecs=most // 2 * 2),
        "curvlinops, norm by SciPy": lambda: abs(
            eigsh(operator.to_scipy(), k=1, tol=0.01, return_eigenvectors=False)[0]
        ),
    }
    return {way: here(work) for way, work in ways.items()}


def _backpack(module: nn.Module, inputs: Tensor, labels: Tensor) -> Ways:
    """BackPACK's exact diagonal, on a copy, since it puts hooks on the module; it has none for attention."""
    if find_spec("backpack") is None or not isinstance(module, nn.Sequential):
        return {}
    from copy import deepcopy

    from backpack import backpack, extend
    from backpack.extensions import DiagHessian

    extended, loss = extend(deepcopy(module)), extend(nn.CrossEntropyLoss())

    def trace() -> float:
        with backpack(DiagHessian()):
            loss(extended(inputs), labels).backward()
        return float(sum(parameter.diag_h.sum() for parameter in extended.parameters()))

    return {"BackPACK, exact diagonal": trace}
