"""Theorem 2: a smaller norm and a smaller trace do not make a smaller loss under noise; what does."""

from __future__ import annotations

import functools

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Reals
from boundaudit.checks.measurements import by_columns
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import domination as theorem
from boundaudit.derivations.sharpness.domination import L_2, L_4, K_r, L_c, d_r, kappa_b
from boundaudit.numeric import heat
from boundaudit.numeric.sharpness.domination import biased_loss, bump_mean

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 2",))
_NOISE = Reals(0, open_low=True, tested_to=1)
_REALISABLE = "One parameter, at the same distance from the origin; the loss is the square of u √(L_2 + L_4 u²)."
_BOUNDED = "One parameter; the loss is the square of sign(u) √(1 - exp(-κu²)), the construction's that of √L_c u."
_NETWORK = (
    "The network -(b + 2) + 3/2 relu(b + 1) + K_r relu(b - 1 - d_r) of one trainable bias b at one input, target 0: "
    "b = 1 has a smaller norm and a smaller trace (1/2 against 2) than b = -2."
)


def _quartic(square: Tensor, fourth: Tensor, noise: Tensor) -> Tensor:
    zero = torch.zeros_like(square)
    return heat.polynomial_mean(torch.stack([zero, zero, square, zero, fourth], dim=1), noise)


_MEAN = Quantity(
    "mean loss under noise", by_columns(_quartic, "L_2", "L_4", "sigma"),
    r"\mathbb{E}\,(L_2 \varepsilon^2 + L_4 \varepsilon^4)", theorem.MEAN,
)  # fmt: skip
_BUMP = Quantity(
    "mean of a bounded loss under noise",
    by_columns(lambda steepness, noise: 1 - bump_mean(steepness, noise), "kappa_b", "sigma"),
    r"\mathbb{E}\,(1 - e^{-\kappa \varepsilon^2})", theorem.BUMP_MEAN, rounding=1e-11, scale=1.0,
)  # fmt: skip
_STEEPNESS = Reals(0, tested_to=100)
_RELU = Domain({
    K_r: Choices(one=1, three=3, ten=10, hundred=100),
    d_r: Choices(none=0, hundredth="1/100", tenth="1/10", quarter="1/4"),
    sigma: Choices(half="1/2", one=1, two=2, five=5, twenty=20),
})  # fmt: skip

# --- three readings of what is dominated ----------------------------------------------------------

printed = claim(
    label="sharpness.domination.printed", role="printed", reading="plausible", expected="refuted",
    statement="Parameters whose norm and whose trace of the loss's Hessian are at most the construction's have a mean "
    "loss under Gaussian noise of at most the construction's.",
    right=theorem.MEAN_OF_CONSTRUCTION,
    cases=(
        Case(
            "trace",
            statement="Take parameters with the construction's norm whose trace of the loss's Hessian, at the "
            "parameters themselves, is at most nine tenths of the construction's. Their mean loss under Gaussian noise "
            "is at most the construction's.",
            left=_MEAN,
            domain=Domain({
                L_c: Reals(sp.Rational(1, 2), 1), L_2: Reals(0, sp.Rational(9, 10) * L_c),
                sigma: Reals(0, sp.Rational(1, 10), open_low=True), L_4: Reals(0, tested_to=1000),
            }),
            limitations=(
                "That the norm and the trace at the parameters themselves are what is dominated is one reading; they "
                "are what Figure 2 shows.",
                _REALISABLE,
            ),
        ),
        Case(
            "one-variance",
            statement="Take parameters whose trace of the loss's Hessian, averaged over Gaussian noise of deviation σ, "
            "is at most the construction's. Their mean loss under that noise is at most the construction's.",
            left=_BUMP,
            domain=Domain({kappa_b: _STEEPNESS, sigma: _NOISE, L_c: Reals(theorem.BUMP_TRACE / 2, tested_to=100)}),
            limitations=("That the trace is averaged at one σ, that of the bound, is one reading.", _BOUNDED),
        ),
        Case(
            "one-landscape",
            statement="Let two parameter vectors of one ReLU network both fit, one with the smaller norm and the "
            "smaller trace. Its mean loss under Gaussian noise is at most the other's: a lower bound on its mean is at "
            "most an upper bound on the other's.",
            left=theorem.LEARNED_BELOW,
            right=theorem.CONSTRUCTION_ABOVE,
            domain=_RELU,
            rests_on=("sharpness.domination.relu.learned", "sharpness.domination.relu.construction"),
            limitations=("The norm and the trace at the parameters themselves; one reading.", _NETWORK),
        ),
    ),
)  # fmt: skip

# --- what suffices --------------------------------------------------------------------------------

small_quartic = claim(
    label="sharpness.domination.small-fourth-order", kind="Tight", expected="proved",
    statement="Take one parameter with the loss L_2 u² + L_4 u⁴. If its trace is smaller than that of the "
    "construction's L_c u² by at least 6σ² L_4, what the fourth-order term adds under noise of deviation σ, its mean "
    "loss under that noise is at most the construction's.",
    left=_MEAN, right=theorem.MEAN_OF_CONSTRUCTION,
    domain=Domain({L_2: Reals(0, tested_to=1), L_4: Reals(0, tested_to=1000), sigma: _NOISE,
                   L_c: Reals(theorem.LEAST_OF_CONSTRUCTION, tested_to=4000)}),
    equality=({"L_c": 2, "L_2": 1, "sigma": 1, "L_4": sp.Rational(1, 3)},),
    repairs=("sharpness.domination.printed[trace]",), limitations=(_REALISABLE,),
)  # fmt: skip

bump_flow = claim(
    label="sharpness.domination.flow-of-bounded-loss", relation="=", expected="proved",
    statement="The mean of 1 - exp(-κu²) under Gaussian noise of variance σ² is half the integral of its second "
    "derivative's mean under noise of variance v, over v from 0 to σ².",
    left=_BUMP, right=lambda: theorem.bump_flow(), domain=Domain({kappa_b: _STEEPNESS, sigma: _NOISE}),
    limitations=("The integral is taken in closed form; the mean is measured by quadrature.",),
)  # fmt: skip

every_variance = claim(
    label="sharpness.domination.every-variance", kind="Tight", expected="proved",
    statement="The second derivative of the loss 1 - exp(-κu²) under noise is at most that of κu² at every variance up "
    "to σ². Its mean under noise of deviation σ is then at most that of κu²: domination at every variance suffices.",
    left=_BUMP, right=theorem.MEAN_OF_CONSTRUCTION.subs(L_c, kappa_b),
    domain=Domain({kappa_b: _STEEPNESS, sigma: _NOISE}), equality=({"kappa_b": 0, "sigma": 1},),
    repairs=("sharpness.domination.printed[one-variance]",), rests_on=("sharpness.domination.flow-of-bounded-loss",),
    limitations=(_BOUNDED, "Stated for L_c = κ, the smallest that dominates, at variance 0."),
)  # fmt: skip

# --- one landscape of a ReLU network --------------------------------------------------------------


def _relu(start: float) -> Quantity:
    measure = by_columns(functools.partial(biased_loss, start), "K_r", "d_r", "sigma")
    return Quantity(
        f"mean loss under noise around b = {start:g}", measure, rf"\mathbb{{E}} f({start:g} + \varepsilon)^2"
    )


relu_learned = claim(
    label="sharpness.domination.relu.learned", relation=">=",
    statement="In a ReLU network of one bias b whose next kink is at distance d_r from b = 1 and has slope K_r the "
    "mean loss around b = 1 under noise of deviation σ is at least K_r² (σ²/2 - 2 d_r σ/√(2π)), whatever the slope "
    "there, at the 80 choices of K_r, d_r and σ.",
    left=_relu(1.0), right=theorem.LEARNED_BELOW, domain=_RELU, limitations=(_NETWORK,),
)  # fmt: skip

relu_construction = claim(
    label="sharpness.domination.relu.construction",
    statement="In a ReLU network of one bias b with a unit of slope K_r three away from b = -2 the mean loss around "
    "b = -2 under noise of deviation σ is at most σ² + (K_r + 1/2)² σ²/2 exp(-9/(2σ²)), at the 80 choices of K_r, its "
    "kink and σ.",
    left=_relu(-2.0), right=theorem.CONSTRUCTION_ABOVE, domain=_RELU, limitations=(_NETWORK,),
)  # fmt: skip
