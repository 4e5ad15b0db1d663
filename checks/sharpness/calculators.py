"""Formulas of paper 1 as numbers, for those who ask for a bound and not for a proof."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import sympy as sp
import torch
from torch import Tensor

from boundaudit.derivations.pac_bayes.symbols import m, sigma
from boundaudit.derivations.sharpness import chain_of_thought, covering_baseline
from boundaudit.derivations.sharpness import noisy_loss as noisy
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.parameters import D, T, d, omega, u
from boundaudit.derivations.sharpness.taylor import p_restored


def perturbation_terms(length: int, degree: int, sparsity: int) -> list[tuple[int, float]]:
    """Theorem 17's P for a class, with σ restored in G_p and d = T + 2.

    Args:
        length: T.
        degree: D.
        sparsity: ω.

    Returns:
        Powers of σ with their coefficients.
    """
    size = {T: length, D: degree, omega: sparsity, d: length + 2}
    terms = sp.Poly(sp.expand(p_restored().subs(size).evalf(30)), sigma).terms()
    return [(power, float(value)) for (power,), value in terms]


_DEVIATIONS = torch.linspace(2, 8, 121, dtype=torch.float64)
"""Values of κ, of which the best is taken."""


def noisy_loss(
    length: int, degree: int, sparsity: int, width: int, coefficients: Sequence[float] | None = None
) -> Callable[[Tensor], Tensor]:
    """The proved bound on the construction's mean min(loss, 1) under noise, over any sample of inputs.

    Args:
        length: T, at least 4.
        degree: D.
        sparsity: ω.
        width: u, 1 for the steep and 2 for the wide trapezoid.
        coefficients: of a target; without them the worst of the class, T⁻⁴ ≤ c ≤ 1 and Σc² ≤ 1.

    Returns:
        A function of σ, shape (n,) to (n,); where no κ up to 8 serves it is 1.
    """
    return _least(noisy.clipped(C * noisy.UNUSED, noisy.EVERY_INPUT), length, degree, sparsity, width, coefficients)


def wrong_under_noise(length: int, degree: int, width: int) -> Callable[[Tensor], Tensor]:
    """The proved bound on how often noise makes the construction of one parity wrong, over any sample of inputs.

    Args:
        length: T, at least 4.
        degree: D.
        width: u, 1 for the steep and 2 for the wide trapezoid.

    Returns:
        A function of σ, shape (n,) to (n,); where no κ up to 8 serves it is 1.
    """
    return _least(chain_of_thought.wrong_under_noise(), length, degree, 1, width, (1.0,))


def _least(
    bound: sp.Expr, length: int, degree: int, sparsity: int, width: int, coefficients: Sequence[float] | None
) -> Callable[[Tensor], Tensor]:
    """A bound at the best κ among those whose good draws leave active rows on their plateaus, at most 1."""
    twice = 2 * math.log(length)
    logits = [2 * twice] if coefficients is None else [math.log(c) + twice for c in coefficients]
    size = {
        T: length, D: degree, omega: sparsity, u: width,
        C: math.sqrt(sparsity) if coefficients is None else math.fsum(coefficients),
        noisy.K_nl: sparsity * twice**2 if coefficients is None else math.fsum(x * x for x in logits),
        noisy.l_nl: max(*logits, 0.0) - min(*logits, 0.0),
    }  # fmt: skip
    parts = [part.subs(size).evalf(20) for part in (bound, noisy.BETA + noisy.FLICKER - noisy.MARGIN)]
    functions = {"sqrt": lambda x: torch.as_tensor(x, dtype=torch.float64).sqrt(), "exp": torch.exp}
    value, beyond = (sp.lambdify((sigma, noisy.kappa_nl), part, [functions], cse=True) for part in parts)

    def least(noise: Tensor) -> Tensor:
        at = noise[:, None].expand(-1, len(_DEVIATIONS)), _DEVIATIONS.expand(len(noise), -1)
        found = torch.ones_like(at[0])
        good = beyond(*at) <= 0
        found[good] = value(*(part[good] for part in at))
        return found.nan_to_num(nan=1.0).amin(1).clamp(max=1.0)

    return least


def covering_shape(samples: float) -> float:
    """C √(ln(d m T)/m) through the one printed value of the covering baseline, at T = 20 and d = 22.

    Args:
        samples: m.

    Returns:
        The number: a shape, no bound.
    """
    return float(covering_baseline.WITH_LOG.subs(m, samples).evalf())
