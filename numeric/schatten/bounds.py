"""Covering numbers of Schatten classes, and the gap of a transformer that they give, with explicit constants.

The exponents are those of Sakai & Imaizumi (arXiv 2605.07297); the constants are derived here. A cover is one in the
operator norm with its centres inside the class; logarithms are natural.

A network is one of blocks Π(Π(φ(Π(Σ_h softmax(X Q_h Xᵀ) X V_h) M_in)) M_out) with φ(0) = 0, where Π projects rows
on the unit ball; outputs are compared by their farthest token. Residual connections, biases and
normalisation with gains are not in it: for checkpoints that have them these numbers compare and do not certify.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.logarithms import log
from boundaudit.numeric.schatten.proxy import Block, schatten_proxy
from boundaudit.numeric.spectra import Spectrum

MOST_COMPLEX = 0.5
"""The Rademacher complexity that no class of losses in [0, 1] exceeds: less 1/2, they are at most 1/2 in modulus."""


@dataclass(frozen=True)
class MatrixClass:
    """The matrices W of one shape with S_p(W) ≤ total and ‖W‖ ≤ operator.

    Attributes:
        shape: rows and columns.
        index: p, from 0 to 2; 0 stands for the rank.
        total: the largest sum of p-th powers of singular values, or rank.
        operator: the largest singular value.
        log_sensitivity: ln of how far the network's output moves when the matrix moves by one.
    """

    shape: tuple[int, int]
    index: float
    total: float
    operator: float
    log_sensitivity: float = 0.0

    def __post_init__(self) -> None:
        """The numbers describe a class that holds a matrix."""
        ranges = (
            ("shape", min(self.shape) >= 1, "at least one row and column", self.shape),
            ("index", 0 <= self.index <= 2, "a number from 0 to 2", self.index),
            ("total", 0 <= self.total < math.inf, "a finite number of at least 0", self.total),
            ("operator", 0 <= self.operator < math.inf, "a finite number of at least 0", self.operator),
        )
        for name, holds, expected, got in ranges:
            if not holds:
                raise InputError(name, expected, str(got), "state the class of matrices")


def matrix_entropy(radius: float | Tensor, matrix: MatrixClass) -> Tensor:
    """An upper bound, in nats, elementwise, on the logarithm of the covering number of a Schatten class.

    The radius is positive, in the operator norm. The least of: nothing (radius at least the operator norm); volume; for
    index 0 the volume of two thin factors; else the k largest singular values by their factors and the rest by a
    Gaussian shift with a second stage by volume, for the best k.
    """
    return _entropy(torch.as_tensor(radius, dtype=torch.float64).log(), matrix)


def network_entropy(radius: float | Tensor, classes: Sequence[MatrixClass]) -> Tensor:
    """The same for the whole network, in the norm of its output, every matrix getting an equal part of the radius."""
    logarithm = torch.as_tensor(radius, dtype=torch.float64).log() - math.log(len(classes))
    return torch.stack([_entropy(logarithm - matrix.log_sensitivity, matrix) for matrix in classes]).sum(0)


def post_hoc_curve(
    blocks: Sequence[Block], width: int, delta: float, lipschitz: float = 1.0, activation: float = 1.13
) -> Callable[[float], float]:
    """How far the risk can be above that on n samples, but with probability δ, for norms seen after training.

    From n to the gap, 1 or more says nothing, by a union over grids of indices, Schatten sums and norms. The index of
    each matrix is the one at which its contribution to the proxy is smallest. Its sum is rounded up to a power of 2,
    and its norm to a power of e^{1/L}, so that no product of norms grows by more than a constant factor. The width is
    N, the hidden size, activation the Lipschitz constant of the MLP's.

    Raises:
        InputError: where δ is not between 0 and 1.
    """
    if not 0 < delta < 1:
        raise InputError("delta", "a number between 0 and 1", str(delta), "say how often the bound may fail")
    proxy = schatten_proxy(blocks, width, activation)
    indices = iter([part.index for part in proxy.contributions])
    depth, price = len(blocks), 0.0
    rounded: list[list[MatrixClass]] = []
    for block in blocks:
        rounded.append([])
        for spectrum in matrices_of(block):
            index = next(indices)
            exact = spectrum.schatten_at_most(index)
            total, exponent = rounded_up(exact, math.log(2))
            operator, step = rounded_up(spectrum.operator, 1 / depth)
            price += math.log(len(proxy.grid)) + weight_price(step)
            # Ranks need no grid of radii: they are among the width's few integers.
            price += math.log(min(spectrum.shape)) if index == 0 else weight_price(exponent)
            rounded[-1].append(MatrixClass(spectrum.shape, index, exact if index == 0 else total, operator))
    return gap_curve(with_sensitivities(rounded, activation), price - math.log(delta), lipschitz)


def weight_price(k: int) -> float:
    """Nats of ln(1/w(k)) for w(k) = 1/((π²/3 - 1)(1 + |k|)²), weights of all integers that sum to one."""
    return math.log(math.pi**2 / 3 - 1) + 2 * math.log1p(abs(k))


def matrices_of(block: Block) -> list[Spectrum]:
    """Query-key and value matrix of each head in turn, then the two of the MLP.

    Raises:
        InputError: for a gated MLP, experts or cross-attention, which are not in the class.
    """
    mlp = block.mlps[0]
    if len(block.mlps) > 1 or mlp.gate is not None or block.cross_queries:
        expected = "self-attention and an MLP of two matrices"
        raise InputError("block", expected, "a gate, experts or cross-attention", "compare it by its proxies")
    heads = zip(block.queries, block.values, strict=True)
    return [*(matrix for head in heads for matrix in head), mlp.into, mlp.out]


def rounded_up(value: float, step: float) -> tuple[float, int]:
    """The next power of e^step and its exponent; nothing below e^{-690} is told apart."""
    exponent = math.ceil(math.log(max(value, 1e-300)) / step)
    return max(math.exp(exponent * step), value), exponent


def with_sensitivities(blocks: Sequence[Sequence[MatrixClass]], activation: float = 1.13) -> list[MatrixClass]:
    """Each class, block by block in the order of `matrices_of`, with its α γ."""
    found = log_sensitivities([[matrix.operator for matrix in block] for block in blocks], activation)
    classes = (matrix for block in blocks for matrix in block)
    return [replace(matrix, log_sensitivity=moved) for matrix, moved in zip(classes, found, strict=True)]


def log_sensitivities(norms: Sequence[Sequence[float]], activation: float = 1.13) -> list[float]:
    """How far, ln(α γ), the output moves with each matrix: later blocks by the sharp constant of attention, own by 1.

    Norms are the operator norms of each block's matrices, in the order of `matrices_of`.
    """
    found: list[float] = []
    alpha = 0.0
    for *heads, into, out in reversed(norms):
        mlp = math.log(activation) + log(into) + log(out)
        queries, values = heads[::2], heads[1::2]
        gammas = [gamma for value in values for gamma in (mlp + log(value), mlp)]
        found = [alpha + gamma for gamma in (*gammas, math.log(activation) + log(out), 0.0)] + found
        attention = math.fsum(v * (q + math.hypot(1, q)) for q, v in zip(queries, values, strict=True))
        alpha += mlp + log(attention)
    return found


def gap_curve(classes: Sequence[MatrixClass], confidence: float, lipschitz: float = 1.0) -> Callable[[float], float]:
    """The gap as a function of the sample's size n, for classes fixed in advance; InputError for n below 1.

    Twice Dudley's integral by left end points, which bound it from above, cut where it pays best, plus √(c/(2n)): the
    covers do not depend on the sample, so that one deviation suffices. The confidence c is ln(1/δ), and what was paid
    for choices beside it. The loss takes values in [0, 1] and has a Lipschitz constant in the network's output.
    """
    scales = torch.logspace(-8, 0, 257, dtype=torch.float64)
    roots = network_entropy(scales / lipschitz, classes).sqrt()
    pieces = scales.diff() * roots[:-1]
    integrals = torch.cat([pieces.flip(0).cumsum(0).flip(0), torch.zeros(1, dtype=torch.float64)])

    def gap(samples: float) -> float:
        if samples < 1:
            raise InputError("samples", "at least 1", str(samples), "give the size of the sample")
        complexity = float((4 * scales + 12 / math.sqrt(samples) * integrals).min())
        return 2 * min(complexity, MOST_COMPLEX) + math.sqrt(confidence / (2 * samples))

    return gap


def _entropy(log_radius: Tensor, matrix: MatrixClass) -> Tensor:
    rows, columns = matrix.shape
    largest = log(matrix.operator) - log_radius
    best = rows * columns * _log_one_plus(math.log(2) + largest)
    if matrix.index == 0:
        factors = math.floor(matrix.total) * (rows + columns) * _log_one_plus(math.log(4) + largest)
        best = torch.minimum(best, factors)
    elif matrix.total > 0:
        best = torch.minimum(best, entropy_by_count(log_radius, matrix).amin(-1))
    return torch.where(largest <= 0, 0.0, best)


def entropy_by_count(log_radius: Tensor, matrix: MatrixClass) -> Tensor:
    """The k largest singular values by factors and the rest as a Frobenius ball, at a quarter of the radius each.

    In nats, a last axis for k from 0 to one less than the shorter side; index and sum of the class are above 0.
    """
    (rows, columns), p = matrix.shape, matrix.index
    least = min(rows, columns)
    kept = torch.arange(least, dtype=torch.float64)
    # No more than k singular values exceed the threshold (S/(k+1))^{1/p}: k + 1 of them would sum to more than S.
    threshold = (log(matrix.total) - torch.log(kept + 1)) / p
    square = torch.minimum((2 - p) * threshold + log(matrix.total), math.log(least) + 2 * threshold)
    quarter = log_radius[..., None] - math.log(4)
    sizes = (math.sqrt(rows) + math.sqrt(columns)) ** 2
    shift = 8 * sizes * (square - 2 * quarter).exp()
    stretch = (2 * shift / (rows * columns)).sqrt().clamp(min=1.0)
    staged = shift / stretch**2 + rows * columns * torch.log1p(2 * stretch)
    rest = torch.where(threshold <= quarter, 0.0, math.log(2) + torch.minimum(shift, staged.nan_to_num(math.inf)))
    factors = kept * (rows + columns) * _log_one_plus(math.log(16) + log(matrix.operator) - log_radius)[..., None]
    found: Tensor = factors + rest
    return found


def _log_one_plus(logarithm: Tensor) -> Tensor:
    """ln(1 + e^x), also where e^x overflows."""
    return torch.logaddexp(logarithm, torch.zeros_like(logarithm))
