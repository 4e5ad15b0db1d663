"""Appendix E.3's example, T = 20, D = 2, ω = 10: its target, the construction for it and what a bound takes from it."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure
from boundaudit.checks.language.domain import Choices, Integers, Reals
from boundaudit.checks.measurements import at_points
from boundaudit.checks.sharpness.targets import PAPER, STEEP, TRAPEZOIDS, WIDE
from boundaudit.numeric.sharpness.autodiff import gradients, repeat
from boundaudit.numeric.sharpness.bound.budgets import Budgets, published
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.norms import norms_squared
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.rescaling import rescale
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Appendix E",))

POSITIVE = Reals(0, open_low=True)
NONNEGATIVE = Reals(0)
SAMPLES = Integers(1, tested_to=10**7)
MILLION = Integers(10**6, 10**6)
FEW = Integers(8192, 8192)
"""As many samples as the paper's experiments have."""
EACH: dict[Trapezoid, tuple[int, Choices]] = {"steep": (1, STEEP), "wide": (2, WIDE)}
"""Both trapezoids: u, and the range that holds nothing else."""

TARGET = Target(20, tuple((2 * n + 1, 2 * n + 2) for n in range(10)), (10**-0.5,) * 10)
"""Ten pairs of bits side by side with coefficients of unit length."""
PUBLISHED = published(20, 2, 10)
SETTING = {"samples": 1e6, "delta": 0.05, "proxy": 0.01}

AT_E3 = "At T = 20, D = 2, ω = 10 with S = 0.01 and δ = 5 %; S must hold at draws of the posterior."
PAIRS = "For ten pairs of bits with coefficients 1/√10; means are over all 2^20 inputs."
COUNTED = "What is gained is the norm inside a logarithm, at the price of p: it is parameter counting, not flatness."


def best(noise: str) -> Choices:
    """A single σ, near the best."""
    return Choices(best=sp.Rational(noise))


@functools.cache
def own_norm(mlp: Trapezoid = "steep") -> float:
    """‖Θ‖² of the construction."""
    return float(norms_squared(TargetBatch.stack([TARGET]), mlp=mlp)["total"][0])


def with_norm(norm: float) -> Budgets:
    """The printed sharpness beside another squared norm."""
    return Budgets({"all": PUBLISHED.sharpness_total}, {"all": norm}, {"all": PUBLISHED.count}, 0.0)


# --- means over all inputs, from one of each kind ---------------------------------------------------


def _half() -> list[tuple[list[int], float]]:
    """Five pairs of bits up to their order and that of the bits in them: bits, and the share of inputs like them."""
    return [
        ([0, 0] * zeros + [1, 1] * ones + [0, 1] * (5 - zeros - ones),
         math.comb(5, zeros) * math.comb(5 - zeros, ones) * 2 ** (5 - zeros - ones) / 4**5)
        for zeros in range(6) for ones in range(6 - zeros)
    ]  # fmt: skip


@functools.cache
def kinds_of_inputs() -> tuple[Tensor, Tensor]:
    """One input of each kind, bits (n, 20), and its share: rows of the first five pairs are active, others not."""
    kinds = list(itertools.product(_half(), _half()))
    bits = torch.tensor([first + second for (first, _), (second, _) in kinds])
    return bits, torch.tensor([share * other for (_, share), (_, other) in kinds], dtype=torch.float64)


@dataclass(frozen=True)
class Measured:
    """The construction for `TARGET`.

    Attributes:
        budgets: sharpness, squared norm and size by block, and the loss without noise.
        coordinates: A of single coordinates, Σ √a_i |θ_i|; W2's, which pairs share alike, by their mean.
    """

    budgets: Budgets
    coordinates: float

    @property
    def shared(self) -> float:
        """A of the seven blocks."""
        norms = self.budgets.norms_squared
        return math.fsum(math.sqrt(found * norms[block]) for block, found in self.budgets.sharpness.items())

    @property
    def isotropic(self) -> float:
        """A of one variance for all."""
        return math.sqrt(self.budgets.sharpness_total * self.budgets.norm_total)


@functools.cache
def measured(mlp: Trapezoid, factor: float = 1.0) -> Measured:
    """The rescaled construction: means over all inputs, by automatic differentiation at one of each kind."""
    bits, share = kinds_of_inputs()
    batch = TargetBatch.stack([TARGET])
    blocks = rescale(build(batch, mlp=mlp), factor)
    found = gradients(repeat(blocks, len(bits)), batch.repeat(len(bits)), bits)
    squares = {name: (weight.flatten(1).square() * share[:, None]).sum(0) for name, weight in found.named()}
    weights = {name: weight[0].flatten() for name, weight in blocks.named()}
    coordinates = math.fsum(_coordinates(name, squares[name], weights[name]) for name in squares)
    budgets = Budgets(
        {name: float(value.sum()) for name, value in squares.items()},
        {name: float(value.square().sum()) for name, value in weights.items()},
        {name: value.numel() for name, value in weights.items()},
        _loss(mlp),
    )
    return Measured(budgets, coordinates)


def _coordinates(name: str, squares: Tensor, weight: Tensor) -> float:
    # The order of pairs, which the kinds of inputs leave out, moves squares only among W2's rows.
    if name == "W2":
        squares = squares[weight != 0].mean().expand_as(weight)
    return float((squares.sqrt() * weight.abs()).sum())


def _loss(mlp: Trapezoid) -> float:
    """The mean squared error over all inputs."""
    bits, share = kinds_of_inputs()
    batch = TargetBatch.stack([TARGET])
    error = forward(build(batch, mlp=mlp), batch, bits)[0] - evaluate(TARGET, bits)
    return float((error.square() * share).sum())


# --- from points to numbers -----------------------------------------------------------------------


def at_trapezoid(value: Callable[[Trapezoid], float]) -> Measure:
    """A number of each trapezoid."""
    return at_points(lambda point: value(TRAPEZOIDS[int(point["u"])]))
