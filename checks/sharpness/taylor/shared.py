"""What the claims on the Taylor step share: one component at one input, and networks under noise."""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction

import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Probability
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, completed, counted
from boundaudit.checks.sharpness.exactness.errors import COEFFICIENT, leading
from boundaudit.checks.sharpness.targets import BOTH, PAPER, STEEP, TRAPEZOIDS, by_trapezoid, input_bits
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness.parameters import D, T, omega, u, x_n
from boundaudit.numeric.sharpness import taylor as network
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 6", "Theorem 12"))
NOISE = Reals(0, open_low=True, tested_to=1)
ONE_BIT = Domain({T: Integers(3, tested_to=16), u: STEEP, **COEFFICIENT})
"""The component {1}, of weight C, at the input 01…1: where the second layer leaks most."""

ANY_INPUT = Domain(
    {
        T: Integers(4, 20),
        D: Integers(1, T - 1),
        omega: Integers(1, T),
        u: BOTH,
        x_n: Integers(0, 2**T - 1),
        sigma: Reals(Fraction(1, 10**6), Fraction(1, 100)),
    }
)
"""Networks up to the size of the experiments under noise, at any one input: component t is the window of D positions
from t on, coefficients are equal and of unit length."""


def one_bit(of: Callable[[TargetBatch, Tensor, Columns, Trapezoid], Tensor]) -> Measure:
    """A measurement on the component {1} at the input 01…1.

    Args:
        of: From targets, inputs, columns and the trapezoid to one number per point.

    Returns:
        The measurement.
    """
    measure = by_trapezoid(lambda at, mlp: of(*leading(at), at, mlp))
    return completed(measure, lambda p: {**p, "D": 1, "k": 0, "r": p["T"] - 1})


def windows(length: int, degree: int, sparsity: int) -> Target:
    """Windows of D positions from 1, 2, …, ω on, with equal coefficients of unit length."""
    sets = tuple(tuple(sorted((t + n) % length + 1 for n in range(degree))) for t in range(sparsity))
    return Target(length, sets, (sparsity**-0.5,) * sparsity)


def traces(point: Point, draws: int, seed: int, device: str) -> tuple[Tensor, Tensor]:
    """The trace of the loss Hessian at one input, without noise and under independent draws of it.

    Args:
        point: A point of `ANY_INPUT`.
        draws: How many draws.
        seed: Of the noise.
        device: Where to compute.

    Returns:
        The trace without noise, shape (1,), and those with noise, shape (draws,).
    """
    batch = TargetBatch.stack([windows(point["T"], point["D"], point["omega"])], device=device)
    bits = input_bits(torch.tensor([point["x_n"]], device=device), batch)
    return network.noisy_traces(batch, bits, float(point["sigma"]), draws, seed, TRAPEZOIDS[point["u"]])


def chance(name: str, beyond: Callable[[Tensor, Tensor, Point], Tensor], latex: str) -> Probability:
    """The probability of an event of the trace of the loss Hessian under noise.

    Args:
        name: The event.
        beyond: From the trace without noise, those of independent draws and the point to where it happens.
        latex: How the report writes it.

    Returns:
        The probability, counted at one input with fresh noise in every trial.
    """

    def happens(point: Point, trials: int, seed: int, device: str) -> int:
        return int(beyond(*traces(point, trials, seed, device), point).sum())

    return Probability(name, counted(happens), latex)


PAIRS = 8
"""Inputs, spread evenly over all by their numbers, that a chain takes, each with a draw of its own."""


@functools.cache
def sizes(length: int, degree: int, sparsity: int, width: int, deviation: float, device: str) -> dict[str, Array]:
    """What a chain for the trace needs, after noise and before, at several inputs with a draw of noise each.

    Args:
        length: T.
        degree: D.
        sparsity: ω.
        width: u.
        deviation: σ.
        device: Where to compute.

    Returns:
        Arrays over the inputs: the trace after the noise, the count of the parameters, the norms of the gradient plain
        and noisy and of its change, the residual's size at the start and after the noise and the output's change
        (moved), the operator norms of Hess f plain and noisy and of its change.
    """
    target = windows(length, degree, sparsity)
    numbers = torch.linspace(0, 2**length - 1, PAIRS, device=device).long()
    inputs = input_bits(numbers, TargetBatch.stack([target] * PAIRS, device=device)).bool()
    found = network.perturbed(target, inputs, deviation, 0, TRAPEZOIDS[width])
    (plain, noisy), (start, residual) = found.gradient, found.residual
    matrices = torch.stack([*found.hessian, found.hessian[1] - found.hessian[0]])
    norm, noisy_norm, norm_change = torch.linalg.eigvalsh(matrices).abs().amax(-1)
    of = {
        "trace": found.loss_trace[1], "count": torch.full_like(start, plain.shape[-1]),
        "plain": plain.norm(dim=-1), "noisy": noisy.norm(dim=-1), "change": (noisy - plain).norm(dim=-1),
        "start": start.abs(), "residual": residual.abs(), "moved": (residual - start).abs(),
        "norm": norm, "noisy_norm": noisy_norm, "norm_change": norm_change,
    }  # fmt: skip
    return {name: values.cpu().numpy() for name, values in of.items()}
