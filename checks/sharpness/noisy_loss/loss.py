"""In place of Theorems 6, 12 and 17: the loss under noise of a finite size, clipped at one, with no allowance P."""

from __future__ import annotations

from boundaudit.checks.evidence.derivation import Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.sharpness.noisy_loss import moments
from boundaudit.checks.sharpness.noisy_loss.moments import BAD, PARTS_SUM, ROOT
from boundaudit.checks.sharpness.noisy_loss.parts import Inputs, bounds
from boundaudit.checks.sharpness.noisy_loss.passes import number
from boundaudit.checks.sharpness.noisy_loss.scalars import tail
from boundaudit.checks.sharpness.noisy_loss.shared import FLAT, MANY, SAMPLES, claim, lower_end, over_draws
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.derivations.sharpness import noisy_loss as theory

TAILED = FLAT.replace(kappa_nl=Reals(0, 8))
"""Where the tail of a normal variable is bounded."""

_CLIPPED = number(
    "mean over inputs and noise of min(loss, 1), lower end", r"\mathbb{E}\min(L(\Theta + \varepsilon), 1)",
    over_draws(lambda one: (one.new.output - one.target).square().clamp(max=1), lower_end, MANY),
)  # fmt: skip

minkowski = claim(
    label="sharpness.noisy_loss.minkowski",
    statement="The loss clipped at one is at most one on draws that are not good, and on others the root of its mean "
    "square is by Minkowski at most that of the loss without noise and of the four parts of the output's change.",
    expected="supported",
    left=_CLIPPED,
    right=lambda: (ROOT.atom + PARTS_SUM) ** 2 + BAD.atom,
    domain=FLAT,
    limitations=(moments.BY_DRAWS,),
)


def _case(inputs: Inputs, statement: str) -> Case:
    """The claim over some inputs."""
    change, cited = bounds(inputs, ROOT.atom)
    end = (ROOT.atom + change) ** 2 + theory.BAD
    chain = proof(
        f"sharpness.noisy_loss.clipped.{inputs}", f"The clipped loss under noise, {inputs}", TAILED,
        Step(_CLIPPED, "mean loss, clipped at one"),
        Step((ROOT.atom + PARTS_SUM) ** 2 + BAD.atom, "four parts", "Minkowski", minkowski.label),
        Step((ROOT.atom + change) ** 2 + BAD.atom, "each by its bound", "", cited),
        Step(end, "bad draws by their probability", "union bound", (moments.bad.label, tail.label)),
        samples=SAMPLES,
    )  # fmt: skip
    return Case(inputs, statement=statement, right=end, derivation=chain)


_SAYS = (
    "Under noise of any size σ the mean over {0} and draws of min(loss, 1) of the construction is at most "
    "(√L + Δ)² + ((T+1)(T+4D+11)+1) e^(-κ²/2) for every κ up to 8 at which good draws leave active rows on their "
    "plateaus: L is the mean loss there without noise and Δ = σ √(C² {1}/u² + …) + … a closed form of first and "
    "second order in σ, in T, D, ω, C = Σ c and the logits of layer 2; for sets of one size, T ≥ 4 and any positive "
    "coefficients."
)

clipped = claim(
    label="sharpness.noisy_loss.clipped",
    statement=_SAYS.format("all inputs", "(20D³+52D²+8D)"),
    left=_CLIPPED,
    domain=TAILED,
    role="improvement",
    expected="supported",
    improves="sharpness.taylor.simpler.network",
    limitations=(
        f"Measured at up to {MANY.inputs} inputs with {MANY.draws} draws each; at length 20 inputs are a sample.",
        "What the far tail adds to the unclipped loss is open.",
    ),
    cases=(
        _case("average", _SAYS.format("all inputs", "(20D³+52D²+8D)")),
        _case("sample", _SAYS.format("any sample of inputs", "64D²(D+1)")),
    ),
)
