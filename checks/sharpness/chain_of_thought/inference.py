"""Confidence is no error probability: two learners that meet the assumptions and err more often."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import by_columns
from boundaudit.checks.sharpness.chain_of_thought.printed import claim
from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.sharpness import chain_of_thought as theorem
from boundaudit.derivations.sharpness.chain_of_thought import p_w, q_r, q_w
from boundaudit.derivations.sharpness.parameters import T
from boundaudit.numeric.sharpness import chain_learners as learners

_NO_TRANSFORMER = "It refutes the inference; the learner is no transformer, so that the theorem itself stays unproved."
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

LOSSES = Domain({p_w: Reals(0, 1), q_w: Reals(sp.Rational(1, 4)), q_r: Reals(0)})
_CHAINS = Domain({m: Integers(1, tested_to=1000), T: Integers(1, 20)})
_ERROR = Quantity(
    "probability that the chain is wrong, averaged over samples", by_columns(learners.unseen_wrong, "m", "T"),
    r"\mathbb{E}\,\mathbb{P}(\text{chain wrong})", lambda: theorem.wrong(), rounding=1e-9,
)  # fmt: skip

printed = claim(
    label="sharpness.chain_of_thought.inference.printed",
    statement="Theorem 2's bound on the loss of a step is 1/2 at some δ, which bounds the step's error probability: a "
    "chain of T learned steps is wrong with probability at most 4T times this δ.",
    role="printed",
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.chain_of_thought.printed.dropped",),
    cases=(
        Case(
            "two-hypotheses",
            statement="Chains of T steps, each a choice between two hypotheses with m samples of its own, are wrong "
            "with probability at most 4T exp(-m/(8Σ²) + log 2). That is 4T times the δ at which the bound on a step's "
            "loss is 1/2.",
            left=_ERROR,
            right=lambda: theorem.two_hypotheses_printed(),
            domain=_CHAINS,
            limitations=_FINITE,
        ),
        Case(
            "gaussian",
            statement="Take chains of T steps with Gaussian prior and posterior, a bounded loss, and a learner "
            "dominated by the construction in norm and loss under noise. They are wrong with probability at most 4T "
            "exp(-m/(8Σ²) + mA/(2Σ²) + L/(2σ²)), which is 4T times the δ at which the bound on a step's loss is 1/2.",
            left=_ERROR,
            right=lambda: theorem.gaussian_printed(),
            domain=_CHAINS,
            limitations=_GAUSSIAN,
        ),
        Case(
            "threshold",
            statement="A step whose expected squared loss is below 1/2 is not always wrong: it is wrong with "
            "probability at most twice its expected loss.",
            left=p_w,
            right=2 * theorem.MEAN_LOSS,
            domain=LOSSES,
            limitations=(
                "Markov's factor is four, and four times 1/2 is above one. A chain that may be wrong with probability "
                "ε needs steps with a loss of at most ε/(4T); at a loss of 1/4 a step may always be wrong.",
            ),
        ),
    ),
)
