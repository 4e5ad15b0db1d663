"""The free Poisson law of Gaussian factors, and the integrals over a law that the convolution needs.

The Stieltjes transform G(z) = ∫ μ(ds)/(z - s) is kept in four real sums, which lose no digits near the real axis, where
the convolution with a semicircle has its edges.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor


class Resolvent(NamedTuple):
    """Integrals over a law at points u + i√y, with D = (u - s)² + y; one shape for all.

    ∫ (u - s)/D, the real part of G; ∫ 1/D, minus its imaginary part over √y; ∫ 1/D²; and ∫ (u - s)/D².
    """

    real: Tensor
    first: Tensor
    second: Tensor
    skew: Tensor


@dataclass(frozen=True)
class Wishart:
    """The law of W0 W0ᵀ/√(p0 d) times a scale, W0 a d × p0 matrix of independent standard Gaussian entries.

    It is the free Poisson law of rate κ0 = p0/d, in (0, 1], and jump a = 1/√κ0: z = √κ0/(1 - a g) + 1/g for its
    transform g.
    """

    kappa0: float
    scale: float = 1.0

    @property
    def edges(self) -> tuple[float, float]:
        """The ends of the part without its mass 1 - κ0 at zero."""
        root = math.sqrt(self.kappa0)
        return self.scale * (1 - root) ** 2 / root, self.scale * (1 + root) ** 2 / root

    def resolvent(self, u: Tensor, y: Tensor) -> Resolvent:
        """The four integrals at points u + i√y; y is positive inside the support.

        With A = 1/g and B = 1/(1 - a g), √y/|Im g| = |A|² - |B|² and -1/g' = A² - B². Written in the squares of the
        moduli, nothing cancels as y → 0.
        """
        a = 1 / math.sqrt(self.kappa0)
        u, height = u / self.scale, y.sqrt() / self.scale
        real, depth = self._transform(u, height, a)
        remainder = 1 - a * real
        rate, other = 1 / (real**2 + depth**2), 1 / (remainder**2 + (a * depth) ** 2)
        gap = torch.where(depth > 0, height / depth, rate - other)
        cross = rate * other
        slope = gap**2 + 4 * (depth * cross) ** 2
        second = (2 * cross**2 + gap * (rate**2 - (a * other) ** 2)) / (gap**3 * slope)
        skew = (real * rate**2 + a * remainder * other**2) / (gap * slope)
        scale = self.scale
        return Resolvent(real / scale, 1 / (gap * scale**2), second / scale**4, skew / scale**3)

    def _transform(self, u: Tensor, height: Tensor, a: float) -> tuple[Tensor, Tensor]:
        """Re g and -Im g of the unscaled law at u + i height, each to its own relative accuracy."""
        low, high = (edge / self.scale for edge in self.edges)
        first, second = _root(u - low, height), _root(u - high, height)
        radical = first[0] * second[0] - first[1] * second[1], first[0] * second[1] + first[1] * second[0]
        middle = u + (a - 1 / a)
        plus, minus = (middle + radical[0], height + radical[1]), (middle - radical[0], height - radical[1])
        size, rest = plus[0] ** 2 + plus[1] ** 2, minus[0] ** 2 + minus[1] ** 2
        below = 2 * a * (u**2 + height**2)
        direct = size >= rest
        real = torch.where(direct, 2 * plus[0] / size, (minus[0] * u + minus[1] * height) / below)
        depth = torch.where(direct, 2 * plus[1] / size, (minus[0] * height - minus[1] * u) / below)
        return real, depth


def _root(real: Tensor, imaginary: Tensor) -> tuple[Tensor, Tensor]:
    """The principal square root of complex numbers of the upper half-plane, without cancellation."""
    large = ((torch.hypot(real, imaginary) + real.abs()) / 2).sqrt().clamp_min(1e-300)
    small = imaginary / (2 * large)
    right = real >= 0
    return torch.where(right, large, small), torch.where(right, small, large)
