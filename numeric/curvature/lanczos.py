"""Extreme eigenvalues by Lanczos' method from a random start, and how far beyond its values they can be.

After k products the extreme Ritz values θ lie within the spectrum. Let λ be the largest eigenvalue, w the spectrum's
width and c the start's component along an eigenvector of λ, the start being uniform on the sphere of dimension n. If
every vector of the Krylov space had a Rayleigh quotient below λ - εw, so would the start times the polynomial
p(x) = T(y)/y in x, T the Chebyshev polynomial of degree 2k - 1 and y² = (λ - εw - x)/((1 - ε)w). Where y² is in
[0, 1], y²p² is at most 1; at λ it is -sinh²((2k - 1) artanh √ε). So c² sinh² ≤ 1 - c², which is

    |c| ≤ 1 / cosh((2k - 1) artanh √ε),

and c is that small with probability at most √(2n/π) / cosh(…). The same holds at the lower end. The rate is that of

J. Kuczyński and H. Woźniakowski, Estimating the largest eigenvalue by the power and Lanczos algorithms with a random
start, 1992.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

ROUNDING = 64
"""Units of rounding below which a new direction counts as nothing."""


def steps(size: int, share: float, confidence: float) -> int:
    """Products after which neither extreme Ritz value is off by more than a share ε of the spectrum's width.

    The least k, at most n, the size, for which both ends are that near with the confidence; ε is below 1.
    """
    degree = math.acosh(_inverse_chance(size, confidence)) / math.atanh(math.sqrt(share))
    return min(size, math.ceil((degree + 1) / 2))


def beyond(size: int, products: int, confidence: float) -> float:
    """The share ε of the width by which the spectrum may exceed the Ritz values at either end after so many products.

    Both ends are that near with the confidence; 0 where the Krylov space is everything.
    """
    if products >= size:
        return 0.0
    return math.tanh(math.acosh(_inverse_chance(size, confidence)) / (2 * products - 1)) ** 2


def extremes(times: Callable[[Tensor], Tensor], start: Tensor, products: int) -> tuple[float, float, int]:
    """Smallest and largest Ritz value of a symmetric matrix, every vector orthogonalised against all before it.

    The matrix times rows (1, n), from a start (n,); with both values comes after how many products the Krylov space was
    exhausted or the number reached.
    """
    basis = (start / start.norm())[None]
    projected = basis.new_zeros(products, products)
    for k in range(products):
        along = times(basis[-1:])[0]
        rest, scale = along, along.norm()
        for _ in range(2):
            part = basis @ rest
            projected[: k + 1, k] += part
            rest = rest - part @ basis
        if k + 1 == products or rest.norm() <= ROUNDING * torch.finfo(rest.dtype).eps * scale:
            break
        basis = torch.cat([basis, (rest / rest.norm())[None]])
    values = torch.linalg.eigvalsh(projected[: k + 1, : k + 1].double(), UPLO="U")
    return float(values[0]), float(values[-1]), k + 1


def _inverse_chance(size: int, confidence: float) -> float:
    return math.sqrt(2 * size / math.pi) * 2 / (1 - confidence)
