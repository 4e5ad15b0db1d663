"""A bound for θ itself, from its norm and its loss on the sample: no sharpness, no noise on the network. Derived here.

With Frobenius norms V1, M, Γ, F, W2, V2 of the blocks, rows are bounded by h = √2 M V1 + Γ (hidden units) and
g = 1 + F h (what layer 2 reads), and a change of all rows that layer 2 reads by η moves the output by at most c η,
c = V2 + 2 V2 g² W2. The output's gradient then has norm at most

    V2: g;  W2: V2 g³;  F: c h;  Γ: c F;  M: √2 c F V1;  V1: √2 c F M;  W1: 2√2 c F M V1.

The squares sum to a polynomial in the norms. Each of its monomials is bounded on the ball of radius R by its largest
value there, which gives Lip(R). √(E min(loss, M)) moves by at most Lip |ε| when θ moves by ε within the ball, so that

    √L_M(θ) ≤ √(M kl⁻¹((√r + κ)²/M, (K + ln(2√m/δ))/m)) + κ,  κ = σ √p Lip(√L + 1),  K = (p/2) ln(1 + L/(pσ²)),

for all θ with ‖θ‖² ≤ L and loss r on the sample, but for the event |ε| > 1: of probability P, it adds at most M P to
the noisy network's loss on the sample and √M P to √L_M(θ).
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.forms import pac_bayes_bound
from boundaudit.numeric.pac_bayes.gaussian import decoupled_kl
from boundaudit.numeric.sharpness.autodiff import gradients
from boundaudit.numeric.sharpness.bound.budgets import Budgets
from boundaudit.numeric.sharpness.construction import Blocks
from boundaudit.numeric.sharpness.target import Target, TargetBatch

BLOCKS = ("V1", "M", "Gamma", "F", "W2", "V2")
"""The blocks whose norms occur."""

Monomials = Mapping[tuple[int, ...], float]
"""A polynomial in the norms of `BLOCKS`: from exponents to coefficient."""

HIDDEN = 8
"""Hidden units of the networks that try the bounds."""

_EXPONENTS = torch.linspace(-20, 0, 801, dtype=torch.float64)


@dataclass(frozen=True)
class Deterministic:
    """A bound on E min(loss, M) at θ.

    Attributes:
        value: the bound.
        sigma: σ of the noise in its proof.
        kappa: κ, how far noise and no noise differ.
        kl: K.
        lipschitz: Lip(√L + 1).
    """

    value: float
    sigma: float
    kappa: float
    kl: float
    lipschitz: float


def deterministic(
    norm_squared: float, count: int, *, samples: float, delta: float, risk: float = 0.0, clip: float = 1.0
) -> Deterministic:
    """The bound for θ with ‖θ‖² ≤ L, p entries and min(loss, M) ≤ r on the sample, at the best σ of a grid of powers.

    r is fixed beforehand; with it σ is.

    Raises:
        InputError: for a number out of range.
    """
    if not (0 < norm_squared < math.inf and count >= 1):
        raise InputError("norm_squared", "a positive number, with at least one parameter", norm_squared, "correct it")
    if not 0 <= risk <= clip:
        raise InputError("risk", f"a number from 0 to {clip:g}", risk, "a loss above the clip is its clip")
    lipschitz = largest_gradient(math.sqrt(norm_squared) + 1)
    sigma = 10**_EXPONENTS / (lipschitz * math.sqrt(count))
    kl, kappa = decoupled_kl(norm_squared, sigma, count), sigma * math.sqrt(count) * lipschitz
    beyond = torch.exp(-_decay(count, sigma))
    noisy = ((math.sqrt(risk) + kappa) ** 2 + clip * beyond).clamp_max(clip)
    root = torch.sqrt(clip * pac_bayes_bound(noisy / clip, kl, samples, delta)) + kappa + math.sqrt(clip) * beyond
    value, at = root.square().clamp_max(clip).min(0)
    return Deterministic(float(value), float(sigma[at]), float(kappa[at]), float(kl[at]), lipschitz)


def norm_alone(budgets: Budgets, *, samples: float, delta: float, clip: float = 1.0) -> Deterministic:
    """The bound for a learner whose norm and loss on the sample are at most the construction's."""
    risk = min(budgets.residual, clip)
    return deterministic(budgets.norm_total, budgets.count, samples=samples, delta=delta, risk=risk, clip=clip)


def _decay(count: int, sigma: Tensor) -> Tensor:
    """Minus the logarithm of Chernoff's bound on P(|ε| > 1): (x - p - p ln(x/p))/2 with x = 1/σ² ≥ p, else 0."""
    x = (1 / sigma**2).clamp_min(count)
    return (x - count - count * torch.log(x / count)) / 2


def largest_gradient(radius: float) -> float:
    """Lip(R), the root of the sum of all monomials' largest values: no gradient is longer in the ball of radius R."""
    return math.sqrt(math.fsum(_largest(powers, radius) * c for powers, c in squared_gradient().items()))


def _largest(powers: tuple[int, ...], radius: float) -> float:
    """Max Π x_i^{a_i} over Σ x_i² ≤ R²: R^s Π (a_i/s)^{a_i/2}, s = Σ a_i."""
    total = sum(powers)
    logs = (a / 2 * math.log(a / total) for a in powers if a)
    return math.exp(total * math.log(radius) + math.fsum(logs))


@functools.cache
def squared_gradient() -> Monomials:
    """The bound on |∇f|² as a polynomial in the norms."""
    total: Counter[tuple[int, ...]] = Counter()
    for squared, parts in gradient_bounds().values():
        product = _times(*parts, *parts)
        total.update({powers: squared * c for powers, c in product.items()})
    return total


def gradient_bounds() -> dict[str, tuple[float, tuple[Monomials, ...]]]:
    """The bound on each block's gradient, as a factor's square and polynomials to multiply with its root."""
    one: Monomials = {(0,) * len(BLOCKS): 1.0}
    v1, m, gamma, f, w2, v2 = (_norm(block) for block in BLOCKS)
    h = _plus(_scaled(math.sqrt(2), _times(m, v1)), gamma)
    g = _plus(one, _times(f, h))
    c = _plus(v2, _scaled(2.0, _times(v2, g, g, w2)))
    return {
        "W1": (8.0, (c, f, m, v1)), "V1": (2.0, (c, f, m)), "M": (2.0, (c, f, v1)), "Gamma": (1.0, (c, f)),
        "F": (1.0, (c, h)), "W2": (1.0, (v2, g, g, g)), "V2": (1.0, (g,)),
    }  # fmt: skip


def _norm(block: str) -> Monomials:
    return {tuple(int(block == other) for other in BLOCKS): 1.0}


def _times(*factors: Monomials) -> Monomials:
    product: Mapping[tuple[int, ...], float] = {(0,) * len(BLOCKS): 1.0}
    for factor in factors:
        found: Counter[tuple[int, ...]] = Counter()
        for (left, a), (right, b) in ((x, y) for x in product.items() for y in factor.items()):
            found[tuple(i + j for i, j in zip(left, right, strict=True))] += a * b  # type: ignore[assignment]
        product = found
    return product


def _plus(left: Monomials, right: Monomials) -> Monomials:
    return {powers: left.get(powers, 0.0) + right.get(powers, 0.0) for powers in {**left, **right}}


def _scaled(factor: float, of: Monomials) -> Monomials:
    return {powers: factor * c for powers, c in of.items()}


def pointing(norms: Tensor, length: int, *, aligned: bool, seed: int) -> Blocks:
    """Weights of the published layout, `HIDDEN` units, with Frobenius norms of W1, V1, M, Gamma, F, W2 and V2, (B, 7).

    Aligned ones send every row of ones to the first key, read its position and bit together, and write and read the
    first position's channel: on the input of ones layer by layer attains the bounds on h and g, and on c without W2.
    Others point at random, the same for all B.
    """
    channels, count = length + 2, len(norms)
    shapes = ((channels, channels), (channels, channels), (channels, HIDDEN), (HIDDEN,), (HIDDEN, channels),
              (channels, channels), (channels,))  # fmt: skip
    stream = torch.Generator().manual_seed(seed)
    drawn = [torch.randn(shape, generator=stream, dtype=torch.float64) for shape in shapes]
    directions = [direction.expand(count, *direction.shape) for direction in (_aligned(length) if aligned else drawn)]
    weights = [
        direction / direction.flatten(1).norm(dim=1).reshape(shape) * norm.reshape(shape)
        for norm, direction in zip(norms.unbind(1), directions, strict=True)
        if (shape := (-1, *(1,) * (direction.ndim - 1)))
    ]
    w1, v1, m, gamma, f, w2, v2 = weights
    return Blocks(w1, v1, m, gamma, f, w2, v2, "published")


def _aligned(length: int) -> list[Tensor]:
    unit = torch.eye(length + 2, dtype=torch.float64)
    first, output, bit = unit[0], unit[length], unit[length + 1]
    hidden = torch.ones(HIDDEN, dtype=torch.float64)
    return [
        torch.outer(first, bit + output), torch.outer(first + bit, bit), torch.outer(bit, hidden), hidden,
        torch.outer(hidden, first), torch.outer(first, output), first,
    ]  # fmt: skip


def block_gradients(weights: Blocks, bits: Tensor) -> dict[str, Tensor]:
    """The norm (B,) of the output's gradient by each block, by automatic differentiation, at inputs (B, T)."""
    length = bits.shape[-1]
    batch = TargetBatch.stack([Target(length, ((1,),), (1.0,))]).repeat(len(weights))
    return {name: block.flatten(1).norm(dim=1) for name, block in gradients(weights, batch, bits).named()}
