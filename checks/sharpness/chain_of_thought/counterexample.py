"""Confidence is no error probability: two learners that meet the assumptions and err more often."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Count, Probability, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.chain_of_thought.printed import claim
from boundaudit.derivations.pac_bayes.symbols import delta, m
from boundaudit.derivations.sharpness import chain_of_thought as theorem
from boundaudit.derivations.sharpness.parameters import T
from boundaudit.numeric.sharpness import chain_learners as learners

_NO_TRANSFORMER = "It refutes the inference; the learner is no transformer, so that the theorem itself stays unproved."
_STEPS = Integers(1, 20)
_FINITE = (
    "Prior 1/2 on each of two hypotheses, losses in {0, 1} and so Σ = 1/2, a learner without loss on its sample; "
    "the relative entropy log 2 stands in place of L/(2σ²).",
    "h_0 is exact, h_1 wrong on a set of mass 1/m; each step has a sample of its own.",
    _NO_TRANSFORMER,
)
_GAUSSIAN = (
    "f_θ(x) = 1[x ∈ B] φ(θ), target 0, P(B) = 1/m; φ is smooth, 1 up to θ = 1/2 and 0 from θ = 1 on. Prior N(0, σ²) "
    "and posterior N(θ, σ²) with σ = 10/3, construction θ* = 11, so that L/(2σ²) = 5.445 and the loss under noise is "
    "at most P(z < -3); squared losses in [0, 1] and so Σ = 1/2, for every θ.",
    "The learner returns the interpolator of least norm among 0 and θ*: where the sample misses B this is 0, whose "
    "norm and loss under noise are below those of the construction.",
    "Of the learned step itself; drawn with the posterior's noise it is wrong at least 0.58 times as often.",
    _NO_TRANSFORMER,
)


def _exact(points: Sequence[Point], device: str) -> Array:
    sizes, steps = (torch.tensor([p[name] for p in points], dtype=torch.float64, device=device) for name in ("m", "T"))
    return np.asarray(learners.unseen_wrong(sizes, steps).cpu())


_ERROR = Quantity(
    "probability that the chain is wrong, averaged over samples", _exact,
    r"\mathbb{E}\,\mathbb{P}(\text{chain wrong})", theorem.WRONG, rounding=1e-9,
)  # fmt: skip


def _counted(draw: Callable[[int, int, int, torch.Generator], Tensor]) -> Count:
    """Counts of wrong chains at each point."""

    def count(points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
        generator = torch.Generator().manual_seed(seed)
        found = [int(draw(p["m"], p["T"], trials, generator).sum()) for p in points]
        return np.array(found, dtype=np.int64)

    return count


def _gaussian(samples: int, steps: int, trials: int, generator: torch.Generator) -> Tensor:
    return learners.gaussian_learner(samples, float(theorem.CENTRE), steps, trials, generator)


_TWO_WRONG = Probability(
    "probability that a chain of learned steps is wrong, two hypotheses", _counted(learners.two_hypotheses),
    r"\mathbb{P}(\text{chain wrong})",
)  # fmt: skip
_GAUSSIAN_WRONG = Probability(
    "probability that a chain of learned steps is wrong, Gaussian prior and posterior", _counted(_gaussian),
    r"\mathbb{P}(\text{chain wrong})",
)  # fmt: skip

two_hypotheses = claim(
    label="sharpness.chain_of_thought.inference.two-hypotheses",
    statement="The δ at which the loss bound is 1/2 bounds the error probability, on two hypotheses: chains are wrong "
    "with probability at most 4T exp(-m/(8Σ²) + log 2).",
    left=_ERROR,
    relation="<=",
    right=theorem.FINITE_PRINTED,
    domain=Domain({m: Integers(1, tested_to=1000), T: _STEPS}),
    reading="plausible",
    expected="refuted",
    limitations=_FINITE,
)

two_hypotheses_counted = claim(
    label="sharpness.chain_of_thought.inference.two-hypotheses-counted",
    statement="Counted in simulated chains of 50 to 100 samples a step: wrong with probability at most "
    "4T exp(-m/(8Σ²) + log 2), on two hypotheses.",
    left=_TWO_WRONG,
    relation="<=",
    right=theorem.FINITE_PRINTED,
    domain=Domain({m: Integers(50, 100), T: _STEPS}),
    reading="plausible",
    expected="refuted",
    limitations=_FINITE,
)

gaussian = claim(
    label="sharpness.chain_of_thought.inference.gaussian",
    statement="The same with Gaussian prior and posterior, a bounded loss, and a learner dominated by the construction "
    "in norm and loss under noise: wrong with probability at most 4T exp(-m/(8Σ²) + mA/(2Σ²) + L/(2σ²)).",
    left=_ERROR,
    relation="<=",
    right=theorem.GAUSSIAN_PRINTED,
    domain=Domain({m: Integers(1, tested_to=1000), T: _STEPS}),
    reading="plausible",
    expected="refuted",
    limitations=_GAUSSIAN,
)

gaussian_counted = claim(
    label="sharpness.chain_of_thought.inference.gaussian-counted",
    statement="Counted in simulated chains of 50 to 100 samples a step: wrong with probability at most "
    "4T exp(-m/(8Σ²) + mA/(2Σ²) + L/(2σ²)), with Gaussian prior and posterior.",
    left=_GAUSSIAN_WRONG,
    relation="<=",
    right=theorem.GAUSSIAN_PRINTED,
    domain=Domain({m: Integers(50, 100), T: _STEPS}),
    reading="plausible",
    expected="refuted",
    limitations=_GAUSSIAN,
)

finite_repaired = claim(
    label="sharpness.chain_of_thought.inference.repaired",
    statement="Chains of the same two hypotheses are wrong with probability at most T times 1 - exp(-log(2/δ)/m) + δ, "
    "for every δ: the bound that holds for all samples but a share δ, and that share.",
    left=_ERROR,
    relation="<=",
    right=theorem.FINITE_REPAIRED,
    domain=Domain({m: Integers(1, tested_to=1000), T: _STEPS, delta: Reals(0, 1, open_low=True, open_high=True)}),
    expected="certified",
    rests_on=("sharpness.chain_of_thought.expectation", "sharpness.chain_of_thought.union"),
    repairs=("sharpness.chain_of_thought.inference.two-hypotheses",),
    limitations=_FINITE,
)

finite_repaired_counted = claim(
    label="sharpness.chain_of_thought.inference.repaired-counted",
    statement="Counted in simulated chains of 50 to 100 samples a step: wrong with probability at most T times "
    "1 - exp(-log(2/δ)/m) + δ, on two hypotheses.",
    left=_TWO_WRONG,
    relation="<=",
    right=theorem.FINITE_REPAIRED,
    domain=Domain({m: Integers(50, 100), T: Integers(1, 5), delta: Reals(0.01, 0.05)}),
    mode="averaged over samples",
    rests_on=("sharpness.chain_of_thought.inference.repaired",),
    repairs=("sharpness.chain_of_thought.inference.two-hypotheses-counted",),
    limitations=_FINITE,
)
