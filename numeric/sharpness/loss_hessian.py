"""Curvature of the squared loss at the construction: traces over many inputs (Theorem 5).

At one input, with residual r = f_Θ - f, L = r² has Hess L = 2 ∇f_Θ ∇f_Θᵀ + 2 r Hess f_Θ: the Gauss-Newton part, of rank
one, and the residual part. Their traces are summed input by input.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit.numeric.enumeration import Inputs
from boundaudit.numeric.sharpness import autodiff
from boundaudit.numeric.sharpness.choices import BLOCKS
from boundaudit.numeric.sharpness.construction import Blocks, Channels, Layout, build
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.gradients import Derivatives, derivatives
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.rows import CLOSE
from boundaudit.numeric.sharpness.target import Target, TargetBatch

BATCH = 2**16
"""Inputs taken at once; fixed, so that means do not depend on the machine's memory."""

LEVEL = 0.95


@dataclass(frozen=True)
class Spread:
    """One number over the inputs."""

    mean: float
    smallest: float
    largest: float
    interval: tuple[float, float] | None  # of a sample's mean: 95 %, by Student's t, for large samples

    def doubled(self) -> Spread:
        """The spread of twice the number."""
        ends = None if self.interval is None else (2 * self.interval[0], 2 * self.interval[1])
        return Spread(2 * self.mean, 2 * self.smallest, 2 * self.largest, ends)


@dataclass(frozen=True)
class Curvature:
    """Gradients and Hessian traces at the construction, over the inputs where they exist; None where there is none."""

    gradient: Spread | None  # |∇f_Θ|²
    blocks: dict[str, Spread | None]  # the same of each block alone
    gauss_newton: Spread | None  # 2 |∇f_Θ|², the first part of tr Hess L
    residual: Spread | None  # 2 (f_Θ - f) tr Hess f_Θ, the second; None as well without traces
    loss_trace: Spread | None  # tr Hess L; None likewise
    network_trace: Spread | None  # tr Hess f_Θ; None likewise
    inputs: int  # over how many
    kinks: int  # how many more were left out, as a live unit sits on its kink there


def has_closed_form(target: Target, layout: Layout) -> bool:
    """Whether `gradients.derivatives` covers it: sets of one size, positive coefficients, not the extended layout."""
    return layout != "extended" and target.is_positive and len(set(target.degrees)) == 1


def curvature(
    target: Target, inputs: Inputs, *, traces: bool = True, layout: Layout = "published", mlp: Trapezoid = "steep",
    scale: float = 2.0, pruned: bool = False, device: torch.device | str = "cpu",
) -> Curvature:  # fmt: skip
    """Gradients and, where traces are wanted, Hessian traces over inputs, exact up to rounding, whatever the threads.

    Where there is no closed form every input is differentiated on its own, for a trace along every parameter: about a
    second for each input of 20 bits.
    """
    batch = TargetBatch.stack([target], device=device)
    closed = has_closed_form(target, layout)
    blocks = build(batch, layout=layout, mlp=mlp, scale=scale, pruned=pruned)
    sums: dict[str, list[_Sum]] = {}
    for bits in inputs.batches(BATCH if closed else 1, device=device):
        if closed:
            found, smooth = _in_closed_form(
                derivatives(batch, bits, layout=layout, mlp=mlp, scale=scale, pruned=pruned)
            )
        else:
            smooth = ~on_kink(blocks, batch, bits, scale=scale)
            found = _differentiated(blocks, batch, bits[smooth], scale, traces)
        output = found.pop("output")
        if traces:
            residual = 2 * (output - evaluate(target, bits[smooth])) * found["network trace"]
            found |= {"residual": residual, "loss": 2 * found["gradient"] + residual}
        for name, values in found.items():
            sums.setdefault(name, []).append(_Sum.of(values))
    spread = {name: _spread(parts, sampled=inputs.mode == "random") for name, parts in sums.items()}
    return _collected(spread, sum(part.count for part in sums["gradient"]), inputs.count)


def _in_closed_form(found: Derivatives) -> tuple[dict[str, Tensor], Tensor]:
    """What is averaged, at the inputs without a kink, and which these are."""
    smooth = ~found.kink[0]
    blocks = {name: values[0][smooth] for name, values in found.squared.items()}
    rest = {"gradient": found.gradient, "network trace": found.laplacian, "output": found.output}
    return blocks | {name: values[0][smooth] for name, values in rest.items()}, smooth


def _differentiated(blocks: Blocks, batch: TargetBatch, bits: Tensor, scale: float, traces: bool) -> dict[str, Tensor]:
    """The same for any network, by automatic differentiation; traces only where they are wanted."""
    output = trace(blocks, batch, bits, scale=scale).output[0]
    slopes = autodiff.gradients(autodiff.repeat(blocks, len(bits)), batch.repeat(len(bits)), bits, scale=scale)
    found = {name: slope.flatten(1).square().sum(-1) for name, slope in slopes.named()}
    found |= {"gradient": torch.stack(list(found.values())).sum(0), "output": output}
    if traces:
        second = [torch.trace(autodiff.hessian(blocks, batch, z, scale=scale)) for z in bits]
        found["network trace"] = torch.stack(second) if second else output
    return found


def _collected(spread: Mapping[str, Spread | None], counted: int, inputs: int) -> Curvature:
    """The record; a Gauss-Newton part is twice the squared gradient to the last digit."""
    gradient = spread["gradient"]
    blocks = {name: spread[name] for name in BLOCKS}
    return Curvature(
        gradient, blocks, None if gradient is None else gradient.doubled(), spread.get("residual"), spread.get("loss"),
        spread.get("network trace") if "loss" in spread else None, counted, inputs - counted,
    )  # fmt: skip


def on_kink(blocks: Blocks, batch: TargetBatch, bits: Tensor, *, scale: float = 2.0) -> Tensor:
    """Whether a live unit of a row with weight sits on its kink, from one network's weights; at (N, T), bool (N,)."""
    run = trace(blocks, batch, bits, scale=scale)
    bias = blocks.Gamma[0]
    if blocks.layout == "extended":
        bias = bias + blocks.M[0, : Channels(batch.max_length, blocks.layout).output + 1]
    argument = run.averaged[0] @ blocks.M[0] + bias
    weighted = run.second[0] > 0
    weighted[:, -1] = True
    touched = (argument.abs() < CLOSE) & (blocks.F[0] != 0).any(-1) & weighted[..., None]
    return touched.flatten(1).any(-1)


# --- sums -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Sum:
    """A batch of numbers: what means, ranges and variances need."""

    count: int
    total: float
    squares: float
    """Of the distances from the batch's own mean."""
    smallest: float
    largest: float

    @classmethod
    def of(cls, values: Tensor) -> _Sum:
        # NumPy sums by pairs in one thread: the same bits every time, and close to a sum rounded once.
        numbers = values.cpu().numpy()
        if not len(numbers):
            return cls(0, 0.0, 0.0, math.inf, -math.inf)
        total = float(numbers.sum())
        away = numbers - total / len(numbers)
        return cls(len(numbers), total, float((away * away).sum()), float(numbers.min()), float(numbers.max()))


def _spread(parts: list[_Sum], *, sampled: bool) -> Spread | None:
    """The batches together; nothing where they hold no number."""
    parts = [part for part in parts if part.count]
    count = sum(part.count for part in parts)
    if not count:
        return None
    mean = math.fsum(part.total for part in parts) / count
    between = (part.count * (part.total / part.count - mean) ** 2 for part in parts)
    squares = math.fsum([*(part.squares for part in parts), *between])
    ends = _student(mean, squares, count) if sampled and count > 1 else None
    return Spread(mean, min(p.smallest for p in parts), max(p.largest for p in parts), ends)


def _student(mean: float, squares: float, count: int) -> tuple[float, float]:
    """Student's interval, from a sum of squared distances from the mean."""
    from scipy.special import stdtrit  # loaded with the first measurement

    half = float(stdtrit(count - 1, (1 + LEVEL) / 2)) * math.sqrt(squares / (count - 1) / count)
    return mean - half, mean + half
