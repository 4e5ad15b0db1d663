"""The general entry: the Hessian trace of any module and loss."""

from __future__ import annotations

import math
from typing import Any, Literal, get_args

from torch import nn

from boundaudit import InputError
from boundaudit.numeric.curvature.chain import closed_form
from boundaudit.numeric.curvature.estimate import estimate
from boundaudit.numeric.curvature.exact import exact
from boundaudit.numeric.curvature.options import check
from boundaudit.numeric.curvature.problem import Loss, Problem, twice_differentiable
from boundaudit.numeric.curvature.products import slope
from boundaudit.numeric.curvature.record import Found, HessianTrace

Method = Literal["auto", "exact", "estimate"]

QUICK = 2**30
"""Bytes of intermediates up to which ``method="auto"`` computes the trace exactly: a second or two on one core."""


def hessian_trace(
    module: nn.Module, loss: Loss, inputs: Any, targets: Any, *, method: Method = "auto", rel_error: float = 0.05,
    probes: int = 1000, seed: int = 0, confidence: float = 0.95, memory: int = 2**30,
) -> HessianTrace:  # fmt: skip
    """Trace of the Hessian of ``loss(module(inputs), targets)`` in all parameters that require a gradient.

    Three ways: a *closed form* for feed-forward chains (``nn.Sequential``, nested or not, of ``nn.Linear`` and layers
    without trainable parameters that act entry by entry) under a loss that is a sum over samples; whether layers and
    loss are so is tested on their derivatives at the point, never guessed from names. *Exact*: the Hessian's diagonal
    by automatic differentiation, for every module, one product for each parameter entry, in batches. *Estimate*:
    Hutch++ in rounds that double, until the interval is short enough.

    Everything is computed on the device and in the precision of the module, sums in float64. Attention runs by
    PyTorch's elementary operations meanwhile, since its fused kernels have no second derivative. At a kink of a
    piecewise-linear activation the derivative is PyTorch's, as if the kink were not there. The module, its buffers,
    gradients and PyTorch's switches are left as they were.

    Args:
        module: any module, with dropout and batch norm in evaluation mode.
        loss: a scalar of the output and the targets, such as ``torch.nn.functional.cross_entropy``.
        inputs: what the module is called with; a tuple holds several arguments.
        targets: what the loss gets beside the output.
        method: "auto" takes the closed form if it applies; else "exact" where its predicted cost, products times the
            bytes that one passes through, is at most `QUICK`; else "estimate". "exact" is always the automatic
            differentiation, a check of the closed form.
        rel_error: where an estimate stops: half the interval's width, relative to every value in the interval.
        probes: most Hessian products of an estimate, at least 2; never more are taken than there are parameters. Where
            they end, the interval is wider than asked for.
        seed: of the random directions, which are the same on every device.
        confidence: of the interval around an estimate, for all rounds at once, so that stopping early costs nothing. It
            is Student's over the last round's probes: it assumes that the mean of their independent values vᵀHv is
            nearly normal, which holds for tens of probes unless a few entries of the Hessian outweigh all others.
        memory: bytes that working arrays may take, estimated from what the forward pass keeps for the backward pass.

    Raises:
        InputError: when module, loss or an option cannot be used; the message is one line.

    Example:
        >>> import torch
        >>> from torch import nn
        >>> model = nn.Linear(2, 1, bias=False)
        >>> inputs, targets = torch.tensor([[1.0, 2.0], [0.0, 1.0]]), torch.zeros(2, 1)
        >>> hessian_trace(model, nn.functional.mse_loss, inputs, targets).value
        6.0
    """
    check({"rel_error": rel_error, "confidence": confidence}, probes=(probes, 2), seed=(seed, 0), memory=(memory, 1))
    if method not in get_args(Method):
        raise InputError("method", " or ".join(get_args(Method)), method, "choose one of these")
    problem = Problem.checked(module, loss, inputs, targets, memory)
    with twice_differentiable(module):
        if method == "auto" and (shares := closed_form(problem, seed)) is not None:
            return _record(problem, shares, "closed form", "a chain of linear and entrywise layers, a sum over samples")
        gradient = slope(problem)
        reason = "as asked"
        if method == "auto":
            cost = gradient.cost * problem.size
            method = "exact" if cost <= QUICK else "estimate"
            reason = (
                f"exactly {problem.size} products of {gradient.cost / 1e6:.3g} MB, {cost / 1e9:.3g} GB in all, "
                f"{'at most' if method == 'exact' else 'above'} {QUICK / 1e9:.3g} GB"
            )
        if method == "exact":
            return _record(problem, exact(gradient), "exact", reason)
        found = estimate(gradient, rel_error, min(probes, max(2, problem.size)), seed, confidence)
    return _record(problem, found.shares, "estimate", reason, found.ends, found.products)


def _record(
    problem: Problem, shares: dict[str, float], method: Found, reason: str, ends: tuple[float, float] | None = None,
    probes: int = 0,
) -> HessianTrace:  # fmt: skip
    value = math.fsum(shares.values())
    return HessianTrace(value, ends, method, shares, problem.size, probes, str(problem.device), reason)
