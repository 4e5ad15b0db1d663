"""Theorem 2 as a chain: from the loss of the network under noise to the printed bound, at the printed best σ."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points
from boundaudit.checks.sharpness.bound.allowances import allowances
from boundaudit.checks.sharpness.targets import BOTH, PAPER, TRAPEZOIDS
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.pac_bayes import tied_kl
from boundaudit.numeric.sharpness.autodiff import repeat
from boundaudit.numeric.sharpness.bound.budgets import published
from boundaudit.numeric.sharpness.bound.shared_variance import truncated_optimum
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.norms import norms_squared
from boundaudit.numeric.sharpness.oracle import evaluate_batch
from boundaudit.numeric.sharpness.target import Target, TargetBatch

SAMPLES, PROXY, DELTA = 10**6, 0.01, 0.05
_DRAWS, _INPUTS = 64, 64


class Measured(NamedTuple):
    """What the nodes are made of.

    Attributes:
        sigma: the best σ for the printed budgets.
        gibbs: the mean loss under noise, from draws.
        loss: the loss at the construction.
        gradient: the mean of |∇f|².
        norm: ‖θ‖².
        sharpness: G_u.
        budget: L.
        allowance: P with σ restored.
        printed: P as printed.
    """

    sigma: float
    gibbs: float
    loss: float
    gradient: float
    norm: float
    sharpness: float
    budget: float
    allowance: float
    printed: float

    def complexity(self, norm: float) -> float:
        """What the sample and the relative entropy add."""
        entropy = float(tied_kl(norm, self.sigma)) + math.log(1 / DELTA)
        return PROXY * math.sqrt(2 * entropy / SAMPLES)


@functools.cache
def _measured(length: int, degree: int, sparsity: int, width: int) -> Measured:
    budgets, mlp = published(length, degree, sparsity), TRAPEZOIDS[width]
    noise, _ = truncated_optimum(budgets, samples=SAMPLES, proxy=PROXY)
    sets = tuple(tuple(range(t * degree + 1, (t + 1) * degree + 1)) for t in range(sparsity))
    one = TargetBatch.stack([Target(length, sets, (sparsity**-0.5,) * sparsity)])
    bits = _inputs(length)
    plain, wanted = build(one, mlp=mlp), evaluate_batch(one, bits)
    found = derivatives(one, bits, mlp=mlp)
    many, blocks = one.repeat(_DRAWS), repeat(plain, _DRAWS)
    outputs = forward(moved(blocks, gaussian(many, blocks, seed=0), noise), many, bits)
    allowance = allowances(length, degree, sparsity, noise)
    return Measured(
        noise, float((outputs - wanted).square().mean()), float((found.output - wanted).square().mean()),
        float(found.gradient[~found.kink].mean()), float(norms_squared(one, mlp=mlp)["total"][0]),
        budgets.sharpness_total, budgets.norm_total, allowance["restored"], allowance["printed"],
    )  # fmt: skip


def _inputs(length: int) -> torch.Tensor:
    """All inputs where there are few, else a sample with a fixed seed."""
    if 2**length <= _INPUTS:
        return bit_strings(length, 0, 2**length)
    return torch.from_numpy(np.random.default_rng(0).integers(0, 2, (_INPUTS, length)).astype(bool))


def _node(
    of: Callable[[Measured], float], name: str, cites: str, latex: str, claim: str | None = None,
    rounding: float = 1e-12,
) -> Step:  # fmt: skip
    measure = at_points(lambda p: of(_measured(p["T"], p["D"], p["omega"], p["u"])))
    return Step(Quantity(name, measure, latex, rounding=rounding), name, cites, claim)


_DRAWN = 0.2
"""Error of a mean over the draws, relative; the spread over draws is about the mean."""
_C = r"2\sqrt{\tfrac{S^2}{2m}(\tfrac{\|\theta\|^2}{2\sigma^2} + \ln\tfrac{1}{\delta})}"
_C_L = r"2\sqrt{\tfrac{S^2}{2m}(\tfrac{L}{2\sigma^2} + \ln\tfrac{1}{\delta})}"

_STEPS = (
    _node(lambda s: s.gibbs, "mean loss under noise", "", r"\mathbb{E}_\rho R", rounding=_DRAWN),
    _node(
        lambda s: s.gibbs + s.complexity(s.norm), "PAC-Bayes step at the best rate",
        "Donsker-Varadhan, Markov, S sub-Gaussian (assumed), best λ", rf"\mathbb{{E}}_\rho r + {_C}",
        "pac_bayes.subgaussian_pac_bayes.best", rounding=_DRAWN,
    ),
    _node(
        lambda s: s.gibbs + s.complexity(s.norm), "the construction in place of the learner",
        "domination (assumed; the construction itself is measured, so that the factor is 1)",
        rf"\mathbb{{E}}_\rho r(\theta^*) + {_C}", "sharpness.bound.shared_variance.printed", rounding=_DRAWN,
    ),
    _node(
        lambda s: s.loss + s.sigma**2 * s.gradient + s.complexity(s.norm), "second-order term",
        "Theorem 12, P left out (assumed)", rf"L(\theta^*) + \sigma^2\,\overline{{|\nabla f|^2}} + {_C}",
        "sharpness.taylor.expansion.constant",
    ),
    _node(
        lambda s: s.loss + s.sigma**2 * s.sharpness + s.complexity(s.norm), "G_u for the mean squared gradient",
        "Theorem 14", rf"L(\theta^*) + \sigma^2 G_u + {_C}",
    ),
    _node(
        lambda s: s.loss + s.sigma**2 * s.sharpness + s.complexity(s.budget), "L for the squared norm", "Theorem 10",
        rf"L(\theta^*) + \sigma^2 G_u + {_C_L}", "sharpness.norms.total.printed[wide]",
    ),
    _node(
        lambda s: s.sigma**2 * s.sharpness + s.complexity(s.budget), "loss at the construction left out",
        "the construction is exact (assumed)", rf"\sigma^2 G_u + {_C_L}",
        "sharpness.exactness.loss.zero[finite]",
    ),
    _node(
        lambda s: s.sigma**2 * (s.sharpness + s.allowance) + s.complexity(s.budget), "P with σ restored",
        "Theorem 17", rf"\sigma^2 (G_u + P_\sigma) + {_C_L}", "sharpness.taylor.trace.printed[restored]",
    ),
    _node(
        lambda s: s.sigma**2 * (s.sharpness + s.printed) + s.complexity(s.budget), "P as printed",
        "two terms of G_p without σ", rf"\sigma^2 (G_u + P) + {_C_L}", "sharpness.perturbed.gradient.left-over",
    ),
)  # fmt: skip

_PUBLISHED_EXAMPLE: Point = {"T": 20, "D": 2, "omega": 10}

chain = Derivation(
    label="sharpness.bound.chain",
    title="Theorem 2 at its best σ, m = 10⁶, S = 0.01, δ = 0.05",
    steps=_STEPS,
    domain=Domain({T: Choices(four=4, six=6), D: Integers(1, 2), omega: Integers(1, 2), u: BOTH}),
    samples={
        "T=20, D=2, ω=10, wide": {**_PUBLISHED_EXAMPLE, "u": 2},
        "T=20, D=2, ω=10, steep": {**_PUBLISHED_EXAMPLE, "u": 1},
    },
    paper=PAPER,
    place=("Theorem 2", "Appendix E"),
)
