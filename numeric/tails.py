"""What a matrix's eigenvalues, those of WᵀW, look like: against noise, and as a power law.

Everything is a function of all singular values, in falling order, and of the shape, rows and columns. Scaling a matrix
scales eigenvalues and changes no exponent, distance or test; permutation and transposition change nothing.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import torch
from torch import Tensor

LEAST = 20
"""Eigenvalues without which no power law is fitted."""
TAIL = 50
"""The shortest tail that can speak for a power law: the rule of thumb of Clauset, Shalizi & Newman, section 3."""
LEVEL = 0.1
"""Below this p a test speaks against a power law, as theirs do."""
_ROUNDING = 1e-10
_TRACY_WIDOM = 2.0234
"""The 99 % quantile of the Tracy-Widom law of order 1 (Johnstone 2001)."""
_DRAWS = 999
_AT_ONCE = 2**22
_SPOTS = 60


@dataclass(frozen=True)
class Bulk:
    """The Marchenko-Pastur law whose median is that of the eigenvalues.

    Attributes:
        deviation: σ, the standard deviation of an entry of such noise.
        edge: σ²(√n + √m)², where the law of n × m noise ends.
        soft_rank: the edge over the largest eigenvalue.
        beyond: eigenvalues above all but 1 % of the largest ones of Gaussian noise with this σ. As σ is estimated, a
            few in a hundred matrices of pure noise have one.
    """

    deviation: float
    edge: float
    soft_rank: float
    beyond: int


@dataclass(frozen=True)
class PowerLaw:
    """A density proportional to λ^(-α) above a smallest eigenvalue.

    Attributes:
        alpha: α by maximum likelihood.
        error: its standard error for independent draws, (α - 1)/√n.
        start: the smallest eigenvalue of the tail, in logarithms; `least` has it as a number.
        tail: n, how many eigenvalues it has.
        distance: of Kolmogorov, between the tail and the law.
        lognormal_p: how often the logarithms of such a tail spread as little as these: small where a log-normal law
            fits better.
        exponential_ratio: log-likelihood over that of an exponential law, normalised; negative where that fits better.
        exponential_p: two-sided, of the ratio.
    """

    alpha: float
    error: float
    start: float
    tail: int
    distance: float
    lognormal_p: float
    exponential_ratio: float
    exponential_p: float

    @property
    def least(self) -> float:
        """The smallest eigenvalue of the tail."""
        return math.exp(self.start)

    @property
    def judged(self) -> str:
        """``excluded`` in favour of another law, ``too short`` for a test to tell, or ``not excluded``."""
        if self.lognormal_p < LEVEL or (self.exponential_ratio < 0 and self.exponential_p < LEVEL):
            return "excluded"
        return "too short" if self.tail < TAIL else "not excluded"


def singular_values(stack: Tensor) -> Tensor:
    """Singular values of matrices of one shape; a tall one first becomes the triangle of its QR decomposition.

    The stack, (matrices, rows, columns), has any number format; a few thousand rows at a time become float64. In
    falling order, shape (matrices, the smaller side), float64 on the CPU.
    """
    tall = stack if stack.shape[1] >= stack.shape[2] else stack.mT
    width = tall.shape[2]
    core = tall[:, :0].to(torch.float64)
    for part in torch.split(tall, max(4 * width, 1024), dim=1):
        core = torch.cat([core, part.to(torch.float64)], dim=1)
        if core.shape[1] > 2 * width:
            core = torch.linalg.qr(core, mode="r").R
    values: Tensor = torch.linalg.svdvals(core)
    return values.cpu()


def positive(values: Tensor, shape: tuple[int, int]) -> Tensor:
    """The singular values that rounding tells from 0, by the rule of `torch.linalg.matrix_rank`."""
    least = max(shape) * torch.finfo(torch.float64).eps * values.max()
    return values[values > least]


def bulk(values: Tensor, shape: tuple[int, int]) -> Bulk:
    """Fit noise to a nonzero spectrum by its median (Gavish & Donoho 2014); σ is 0 below half the full rank."""
    short, long = sorted(shape)
    largest, kept = float(values[0]), positive(values, shape)
    shares = torch.zeros_like(values)
    shares[: len(kept)] = (kept / largest) ** 2  # numbers, whatever the scale
    middle = float(shares[(short - 1) // 2] + shares[short // 2]) / 2
    variance = middle / (long * median(short / long))
    edge = variance * (math.sqrt(long) + math.sqrt(short)) ** 2
    centre = math.sqrt(max(long - 1, 1)) + math.sqrt(short)
    room = centre * (1 / math.sqrt(max(long - 1, 1)) + 1 / math.sqrt(short)) ** (1 / 3)
    threshold = max(edge, variance * (centre**2 + _TRACY_WIDOM * room))
    return Bulk(
        deviation=math.sqrt(variance) * largest, edge=edge * largest**2, soft_rank=edge,
        beyond=int((shares > threshold).sum()),
    )  # fmt: skip


@functools.cache
def median(ratio: float) -> float:
    """The median of the Marchenko-Pastur law of unit variance, over the larger side, by the ratio of the sides."""
    low, high = 0.0, math.pi
    for _ in range(60):
        angle = (low + high) / 2
        low, high = (angle, high) if _noise(ratio, angle)[1] < 1 / 2 else (low, angle)
    return _noise(ratio, low)[0]


def _noise(ratio: float, angle: float) -> tuple[float, float]:
    """An eigenvalue of unit noise by its angle, from 0 at the lower edge to π at the upper; the share below it."""
    root, middle = math.sqrt(ratio), 1 + ratio
    inner = math.atan2((1 + root) * math.sin(angle / 2), (1 - root) * math.cos(angle / 2))
    below = 2 * root * math.sin(angle) + middle * angle - 2 * (1 - ratio) * inner
    return middle - 2 * root * math.cos(angle), below / (2 * math.pi * ratio)


def noise_above(found: Bulk, shape: tuple[int, int]) -> tuple[list[float], list[float]]:
    """The law of a fit as a curve: rising eigenvalues, and the share above each, from 1 to half of one eigenvalue."""
    short, long = sorted(shape)
    spots = [_noise(short / long, math.pi * k / _SPOTS) for k in range(_SPOTS)]
    drawn = [(found.deviation**2 * long * spot, 1 - below) for spot, below in spots if 1 - below > 1 / (2 * short)]
    return [spot for spot, _ in drawn], [share for _, share in drawn]


def power_law(values: Tensor, shape: tuple[int, int]) -> PowerLaw | None:
    """Fit a power law to the largest eigenvalues (Clauset, Shalizi & Newman 2009).

    Where the tail begins is chosen to make Kolmogorov's distance smallest. As in its authors' program, that is taken
    just below each eigenvalue; from both sides it is larger by 1/n at most. None where there are fewer eigenvalues than
    `LEAST` different from 0, or no two that rounding tells apart.
    """
    if (fitted := _fitted(values, shape, LEAST)) is None:
        return None
    logs, alphas, distances, best = fitted
    alpha, tail = 1 + float(alphas[best]), len(logs) - best
    excess = logs[best + 1 :] - logs[best]
    ratio, p = _against_exponential(logs[best:] - logs[best], alpha)
    return PowerLaw(
        alpha=alpha, error=(alpha - 1) / math.sqrt(tail), start=float(logs[best]), tail=tail,
        distance=float(distances[best]), lognormal_p=_against_lognormal(excess),
        exponential_ratio=ratio, exponential_p=p,
    )  # fmt: skip


def exponent(values: Tensor, shape: tuple[int, int]) -> float | None:
    """α of the same fit, from three eigenvalues on, to compare small matrices alone; None as there."""
    fitted = _fitted(values, shape, 3)
    return None if fitted is None else 1 + float(fitted[1][fitted[3]])


def _fitted(values: Tensor, shape: tuple[int, int], least: int) -> tuple[Tensor, Tensor, Tensor, int] | None:
    """Logarithms of the eigenvalues, rising, the candidates, and the place of the best."""
    logs = 2 * positive(values, shape).log().flip(0)
    if len(logs) < least or logs[-1] - logs[0] < _ROUNDING:
        return None
    alphas, distances = _candidates(logs)
    return logs, alphas, distances, int(distances.argmin())


def _candidates(logs: Tensor) -> tuple[Tensor, Tensor]:
    """α - 1 and the distance for a tail from each eigenvalue on, but for the last; infinite where it has no spread."""
    counts = torch.arange(len(logs), 0, -1, dtype=torch.float64)
    excess = logs.flip(0).cumsum(0).flip(0) - counts * logs
    starts = (logs[-1] - logs > _ROUNDING).nonzero()[:, 0]
    alphas, distances = counts / excess, torch.full_like(logs, math.inf)
    places = torch.arange(len(logs))
    for part in torch.split(starts, max(_AT_ONCE // len(logs), 1)):
        first = part[:, None]
        law = -torch.expm1(-alphas[first] * (logs - logs[first]))
        gaps = (law - (places - first) / counts[first]).abs()
        distances[part] = torch.where(places >= first, gaps, 0.0).amax(1)
    return alphas, distances


def _against_exponential(excess: Tensor, alpha: float) -> tuple[float, float]:
    """Vuong's ratio of log-likelihoods, α against an exponential law of the eigenvalues, and its p."""
    beyond = torch.expm1(excess)
    rate = 1 / beyond.mean()
    each = math.log(alpha - 1) - alpha * excess - (rate.log() - rate * beyond)
    spread = float(each.std(correction=0)) * math.sqrt(len(each))
    ratio = float(each.sum()) / spread if spread > 0 else 0.0
    return ratio, math.erfc(abs(ratio) / math.sqrt(2))


def _against_lognormal(excess: Tensor) -> float:
    """P of the uniformly most powerful unbiased test against log-normal laws (del Castillo & Puig 1999).

    Under a power law logarithms are exponential above the first; cut off normal ones have a smaller coefficient of
    variation. Its law depends on their number alone, and is drawn.
    """
    drawn = _coefficients(len(excess))
    return float(1 + (drawn <= _coefficient(excess[None])).sum()) / (1 + len(drawn))


@functools.lru_cache(maxsize=64)
def _coefficients(count: int) -> Tensor:
    """The coefficients of variation of as many exponential variables, many times."""
    generator = torch.Generator().manual_seed(count)
    size = max(_AT_ONCE // count, 1)
    parts = [min(size, _DRAWS - i) for i in range(0, _DRAWS, size)]
    drawn = (torch.empty(n, count, dtype=torch.float64).exponential_(generator=generator) for n in parts)
    return torch.cat([_coefficient(part) for part in drawn])


def _coefficient(excess: Tensor) -> Tensor:
    return (excess**2).mean(1) / excess.mean(1) ** 2
