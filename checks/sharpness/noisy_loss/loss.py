"""In place of Theorems 6, 12 and 17: the loss under noise of a finite size, clipped at one, with no allowance P."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.measurements import combined
from boundaudit.checks.sharpness.noisy_loss.parts import measured, replaced
from boundaudit.checks.sharpness.noisy_loss.scalars import tail
from boundaudit.checks.sharpness.noisy_loss.shared import (
    ARGUED,
    MANY,
    NOISY,
    SAMPLES,
    claim,
    formula,
    mean,
    node,
    over_draws,
    part,
    sampled,
)
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.noisy_loss import kappa_nl

_ROOT = over_draws(lambda one: (one.old.output - one.target).square(), lambda values: values.mean(1).sqrt(), MANY)
_BAD, _EVENTS = mean(lambda one: (~one.good).double()), mean(lambda one: one.events)
_ON_PLATEAUS = combined(
    lambda moved, room: moved <= room, formula(lambda: theory.BETA + theory.FLICKER), formula(lambda: theory.MARGIN)
)
"""Whether good draws leave active rows on their plateaus."""

_TAILED = NOISY.replace(kappa_nl=Reals(0, 8))
"""Where the tail of a normal variable is bounded."""


def _loss(name: str, shown: str, *parts: Measure, bad: Measure = _BAD) -> Quantity:
    """(√L + Σ parts)² and the share of bad draws, at most 1: what the clipped loss is where nothing else is known."""

    def of(flat: Array, root: Array, share: Array, *more: Array) -> Array:
        whole = np.minimum(root + sum(more), 1)
        return np.where(flat, np.minimum(whole**2 + share, 1), 1.0)

    return node(name, rf"(\sqrt{{L}} + {shown})^2 + \ldots", combined(of, _ON_PLATEAUS, _ROOT, bad, *parts))


_CLIPPED = sampled(
    "mean over inputs and noise of min(loss, 1)", r"\mathbb{E}\min(L(\Theta + \varepsilon), 1)",
    mean(lambda one: (one.new.output - one.target).square().clamp(max=1)),
)  # fmt: skip


def _case(inputs: Literal["average", "sample"], statement: str, energy: Callable[[], sp.Expr]) -> Case:
    """The claim over some inputs: one part after the other by its bound."""
    now = measured()
    steps = [
        Step(_CLIPPED, "mean loss, clipped at one"),
        Step(_loss("change", r"\|\tilde f - f\|", part("change")), "change of the output", "Minkowski"),
        Step(_loss("four parts", r"\ldots", *now.values()), "four parts", "triangle inequality"),
    ]
    for name, cited in replaced(now, inputs):
        steps.append(Step(_loss(f"{name} by its bound", r"\ldots", *now.values()), name, "", cited))
    end = _loss(
        f"bound without allowance, {inputs}", r"\|\tilde f - f\|", formula(lambda: theory.change(energy())),
        bad=formula(lambda: theory.BAD),
    )  # fmt: skip
    rare = combined(lambda count, size: count * np.exp(-(size**2) / 2), _EVENTS, formula(lambda: kappa_nl))
    steps += [
        Step(
            _loss("bad draws by their probability", r"\ldots", *now.values(), bad=rare),
            "bad draws",
            "union bound",
            tail.label,
        ),
        Step(end, "closed", "definition"),
    ]  # fmt: skip
    chain = Derivation(
        label=f"sharpness.noisy_loss.clipped.{inputs}.proof", title=f"The clipped loss under noise, {inputs}",
        steps=tuple(steps), domain=_TAILED, samples=SAMPLES, paper=PAPER, place=("Theorem 12", "Theorem 17"),
    )  # fmt: skip
    return Case(inputs, statement=statement, right=end, derivation=chain)


_SAYS = (
    "Under noise of any size σ the mean of min(loss, 1) of the construction, over {0} and draws, is at most "
    "(√L + Δ)² + ((T+1)(T+4D+11)+1) e^(-κ²/2) for every κ up to 8 at which good draws leave active rows on their "
    "plateaus. L is the mean loss there without noise. Δ = σ √(C² {1}/u² + …) + … is a closed form of first and "
    "second order in σ, in T, D, ω, C = Σ c and the logits of layer 2. For sets of one size D, T ≥ 4 and any positive "
    "coefficients."
)

clipped = claim(
    label="sharpness.noisy_loss.clipped",
    expected="supported",
    statement="Under noise of any size σ the mean of min(loss, 1) of the construction, over all inputs and draws, is "
    "at most (√L + Δ)² + ((T+1)(T+4D+11)+1) e^(-κ²/2). L is the mean loss without noise, and Δ = σ √(C² "
    "(20D³+52D²+8D)/u² + …) + … is a closed form of first and second order in σ. κ is at most 8 and so small that good "
    "draws leave active rows on their plateaus. For sets of one size D, T ≥ 4 and any positive coefficients, C their "
    "sum.",
    left=_CLIPPED,
    domain=_TAILED,
    role="improvement",
    improves="sharpness.taylor.simpler.network",
    limitations=(
        ARGUED,
        "Where good draws may leave the plateaus the bound is 1. What the far tail adds to the unclipped loss is open.",
    ),
    cases=(
        _case("average", _SAYS.format("all inputs", "(20D³+52D²+8D)"), lambda: theory.AVERAGE_INPUT),
        _case("sample", _SAYS.format("any sample of inputs", "64D²(D+1)"), lambda: theory.EVERY_INPUT),
    ),
)
