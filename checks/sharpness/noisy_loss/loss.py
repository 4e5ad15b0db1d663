"""In place of Theorems 6, 12 and 17: the loss under noise of a finite size, clipped at one, with no allowance P."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from boundaudit.checks.evidence.derivation import Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.noisy_loss.draws import (
    ALL_PARTS,
    BAD,
    SAMPLED,
    Inputs,
    mean_square,
    over_draws,
    pairs,
    replaced,
    root_mean_square,
    sampled,
)
from boundaudit.checks.sharpness.noisy_loss.measured import RESIDUAL
from boundaudit.checks.sharpness.noisy_loss.rows import NORMALISER, margin
from boundaudit.checks.sharpness.noisy_loss.shared import FLAT, claim, samples
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.noisy_loss import LESS

_ROOT = root_mean_square(RESIDUAL)
_WHOLE = mean_square(RESIDUAL, *ALL_PARTS)
_CLIPPED = sampled(
    "mean over inputs and noise of min(loss, 1)", r"\mathbb{E}\min(L(\Theta + \varepsilon), 1)", over_draws("clipped")
)

change = claim(
    label="sharpness.noisy_loss.change",
    statement="What noise adds to an output is the sum of four parts, so that the mean clipped loss is at most the "
    "mean square on good draws of the error without noise and of the four, and the share of the others.",
    role="axiom",
    expected="supported",
    domain=FLAT,
    left=_CLIPPED,
    right=_WHOLE + BAD.atom,
)


def _case(inputs: Inputs, statement: str) -> Case:
    """The claim over some inputs: one part after the other by its bound."""

    def whole(parts: Sequence[sp.Expr], bad: sp.Expr) -> sp.Expr:
        return theory.all_parts((_ROOT, *parts), bad)

    measured = [root_mean_square(part) for part in ALL_PARTS]
    last = replaced(inputs, "loss", whole, {LESS[5]: _ROOT})
    chain = proof(
        f"sharpness.noisy_loss.clipped.{inputs}", f"The clipped loss under noise, {inputs}", FLAT,
        Step(_CLIPPED, "mean loss, clipped at one"),
        Step(_WHOLE + BAD.atom, "error and change on good draws", "four parts", (NORMALISER, change.label)),
        Step(whole(measured, BAD.atom), "error and four parts", "Cauchy and Schwarz",
             pairs(RESIDUAL, *ALL_PARTS)),
        *last, samples=samples(8),
    )  # fmt: skip
    return Case(inputs, statement=statement, right=last[-1].value, derivation=chain)


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
    domain=FLAT,
    rests_on=(margin.label,),
    role="improvement",
    limitations=(
        SAMPLED,
        "Nothing is said where good draws may leave plateaus. What the far tail adds to the unclipped loss is open.",
    ),
    cases=(
        _case("average", _SAYS.format("all inputs", "(20D³+52D²+8D)")),
        _case("sample", _SAYS.format("any sample of inputs", "64D²(D+1)")),
    ),
)
