"""What a bound is computed from: sharpness, squared norm and size of each block, and the loss at the construction.

Lintilhac & Shaikh 2026: Theorem 10 bounds the squared norms, Theorem 14 the squared gradient. With noise of variance
σ² on every parameter of a block the expected loss rises by σ² times its squared gradient, to first order in σ².
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from boundaudit import InputError
from boundaudit.numeric.sharpness.bound.setting import check_class
from boundaudit.numeric.sharpness.choices import BLOCKS, Trapezoid


@dataclass(frozen=True)
class Budgets:
    """Sharpness, squared norm and size by group of parameters.

    Attributes:
        sharpness: a_g, by which E L̂(θ+ε) rises at most with the variance σ_g² of the noise on the group.
        norms_squared: L_g ≥ ‖θ_g‖².
        counts: p_g, the number of parameters.
        residual: the loss at θ itself.
    """

    sharpness: Mapping[str, float]
    norms_squared: Mapping[str, float]
    counts: Mapping[str, int]
    residual: float

    @property
    def sharpness_total(self) -> float:
        """G: the sum over the groups."""
        return math.fsum(self.sharpness.values())

    @property
    def norm_total(self) -> float:
        """L: the sum over the groups."""
        return math.fsum(self.norms_squared.values())

    @property
    def count(self) -> int:
        """p: the number of all parameters."""
        return sum(self.counts.values())


def published(length: int, degree: int, sparsity: int) -> Budgets:
    """The printed budgets: G_u of Theorem 14, L of Theorem 10, exact; InputError for a class without targets."""
    check_class(length, degree, sparsity)
    units = 64 * sparsity * degree**2 * (degree + 1)
    log = math.log(length)
    sharpness = [0, 0, units, units, 4 * sparsity * (degree + 1), 4 * sparsity, 4]
    norms = [
        4 * sparsity * degree * log**2, 1, 4 * (degree + 1), 4 * (degree + 1), 16 * degree**2 * (degree + 1),
        4 * sparsity * log**2, sparsity,
    ]  # fmt: skip
    return _budgets(sharpness, norms, length, degree, residual=0.0)


def repaired(length: int, degree: int, sparsity: int, mlp: Trapezoid = "steep") -> Budgets:
    """Budgets that hold for every target with coefficients in [T⁻⁴, 1] and Σc² ≤ 1, from T = 4 on, block by block.

    Norms of F and Gamma as the trapezoid has them; the sharp bound on the squared gradient, block by block, proved for
    every family of components and every input; the loss at the construction at most its largest squared error.

    Raises:
        InputError: for a class without targets, or a length below 4.
    """
    check_class(length, degree, sparsity)
    if length < 4:
        raise InputError("length", "at least 4 bits", length, "use form published, or a longer input")
    flank = 1 if mlp == "steep" else 2
    log, root, idle = math.log(length), math.sqrt(sparsity), length + 1 - sparsity
    live = 32 * degree**2 * (degree + 1) / flank**2
    length_squared = (2 * degree + 1) * (2 * (degree + 1) / (3 * degree) + 5 * flank / (16 * degree**2))
    spread = 2 * (degree + 1) * (2 * degree + 1) / (3 * degree) - (8 - flank) / (8 * degree)
    upstream = (4 * degree / flank * root / (root * length**2 + idle)) ** 2
    sharpness = [
        upstream * idle * (idle + 1) * (1 / 16 + 1 / (4 * (length + 1))),
        upstream * idle**2 * (1 + 1 / (length + 1)),
        sparsity * live, sparsity * live,
        sparsity * (length_squared * (1 + log**2) + sparsity * spread * log**2 / 4),
        3 / 8 * sparsity, 2,
    ]  # fmt: skip
    biases = (degree + 1) * ((8 * degree + 4) / (6 * degree) + (1 + (1 + flank) ** 2) / (8 * degree**2))
    outputs = 64 * degree**2 * (degree // 2 + 1) / flank**2
    norms = [4 * sparsity * degree * log**2, 1, 4 * (degree + 1), biases, outputs, 4 * sparsity * log**2, sparsity]
    leak = root * idle / (root * length**2 + idle)
    return _budgets(sharpness, norms, length, degree, residual=leak**2)


def _budgets(
    sharpness: Sequence[float], norms: Sequence[float], length: int, degree: int, *, residual: float
) -> Budgets:
    channels, hidden = length + 2, 4 * (degree + 1)
    counts = [channels**2, channels**2, channels * hidden, hidden, hidden * channels, channels**2, channels]
    return Budgets(
        dict(zip(BLOCKS, sharpness, strict=True)), dict(zip(BLOCKS, norms, strict=True)),
        dict(zip(BLOCKS, counts, strict=True)), residual,
    )  # fmt: skip
