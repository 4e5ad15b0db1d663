"""Theorem 2: a smaller norm and a smaller trace do not make a smaller loss under noise; what does."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import domination as theorem
from boundaudit.derivations.sharpness.domination import L_2, L_4, K_r, L_c, d_r, kappa_b
from boundaudit.numeric import heat
from boundaudit.numeric.sharpness import domination as numeric

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 2", "Theorem 6", "Theorem 12"))
_NOISE = Reals(0, open_low=True, tested_to=1)
_ONE_READING = "That the norm and the trace at the parameters themselves are what is dominated is one reading."
_REALISABLE = "One parameter, at the same distance from the origin; the loss is the square of u √(L_2 + L_4 u²)."


def _column(points: Sequence[Point], device: str, name: str) -> Tensor:
    return torch.tensor([float(p[name]) for p in points], dtype=torch.float64, device=device)


def _quartic(points: Sequence[Point], device: str) -> Array:
    square, fourth, noise = (_column(points, device, name) for name in ("L_2", "L_4", "sigma"))
    zero = torch.zeros_like(square)
    rows = torch.stack([zero, zero, square, zero, fourth], dim=1)
    found: Array = heat.polynomial_mean(rows, noise).cpu().numpy()
    return found


_MEAN = Quantity(
    "mean loss under noise", _quartic, r"\mathbb{E}\,(L_2 \varepsilon^2 + L_4 \varepsilon^4)", theorem.MEAN
)

# --- the trace at the parameters ------------------------------------------------------------------

trace = claim(
    label="sharpness.domination.trace",
    statement="Parameters of the construction's norm and a trace of the loss's Hessian smaller by a tenth have no "
    "larger mean loss under noise.",
    left=_MEAN,
    relation="<=",
    right=theorem.MEAN_OF_CONSTRUCTION,
    domain=Domain({
        L_c: Reals(sp.Rational(1, 2), 1), L_2: Reals(0, sp.Rational(9, 10) * L_c),
        sigma: Reals(0, sp.Rational(1, 10), open_low=True), L_4: Reals(0, tested_to=1000),
    }),
    reading="plausible",
    expected="refuted",
    limitations=(_ONE_READING, _REALISABLE),
)  # fmt: skip

instance = claim(
    label="sharpness.domination.instance",
    statement="At σ = 1/10 the loss 0.45 u² + 1000 u⁴, whose trace is 0.9, has the mean 0.3045: 60.9 times that of "
    "u²/2, whose trace is 1.",
    left=_MEAN,
    relation="=",
    right=sp.Rational(609, 10) * theorem.MEAN_OF_CONSTRUCTION,
    domain=Domain({
        L_c: Choices(half="1/2"), L_2: Choices(nearly="9/20"), L_4: Choices(steep=1000), sigma: Choices(tenth="1/10"),
    }),
    expected="certified",
    limitations=(_REALISABLE,),
)  # fmt: skip

small_quartic = claim(
    label="sharpness.domination.small-fourth-order",
    statement="A smaller trace means a smaller mean loss exactly as long as it is smaller by 6σ² L_4, so by what the "
    "fourth-order term adds under noise.",
    left=_MEAN,
    relation="<=",
    right=theorem.MEAN_OF_CONSTRUCTION,
    domain=Domain({L_2: Reals(0, tested_to=1), L_4: Reals(0, tested_to=1000), sigma: _NOISE,
                   L_c: Reals(theorem.LEAST_OF_CONSTRUCTION, tested_to=4000)}),
    kind="Tight",
    equality=({"L_c": 2, "L_2": 1, "sigma": 1, "L_4": sp.Rational(1, 3)},),
    expected="proved",
    repairs=("sharpness.domination.trace",),
    limitations=(_REALISABLE,),
)  # fmt: skip

# --- the smoothed trace at one variance -----------------------------------------------------------


def _bump(points: Sequence[Point], device: str) -> Array:
    steepness, noise = (_column(points, device, name) for name in ("kappa_b", "sigma"))
    found: Array = (1 - numeric.bump_mean(steepness, noise)).cpu().numpy()
    return found


_BUMP = Quantity(
    "mean of a bounded loss under noise", _bump, r"\mathbb{E}\,(1 - e^{-\kappa \varepsilon^2})", theorem.BUMP_MEAN,
    rounding=1e-11, scale=1.0,
)  # fmt: skip
_STEEPNESS = Reals(0, tested_to=100)
_BOUNDED = "One parameter; the loss is the square of sign(u) √(1 - exp(-κu²)), the construction's that of √L_c u."

one_variance = claim(
    label="sharpness.domination.one-variance",
    statement="Parameters whose trace, averaged over the noise at σ, is no larger than the construction's have no "
    "larger mean loss under that noise.",
    left=_BUMP,
    relation="<=",
    right=theorem.MEAN_OF_CONSTRUCTION,
    domain=Domain({kappa_b: _STEEPNESS, sigma: _NOISE, L_c: Reals(theorem.BUMP_TRACE / 2, tested_to=100)}),
    reading="plausible",
    expected="refuted",
    limitations=("That the trace is averaged at one σ, that of the bound, is one reading.", _BOUNDED),
)

bump_instance = claim(
    label="sharpness.domination.one-variance-instance",
    statement="The loss 1 - exp(-50u²) has, at σ = 1, a mean trace of 100·101^(-3/2) = 0.0985 below 1, the trace of "
    "u²/2, but a mean of 1 - 101^(-1/2) = 0.9005 above 1/2: the ratio of means is 2 - 2·101^(-1/2).",
    left=_BUMP,
    relation="=",
    right=(2 - 2 / sp.sqrt(101)) * theorem.MEAN_OF_CONSTRUCTION,
    domain=Domain({kappa_b: Choices(steep=50), sigma: Choices(one=1), L_c: Choices(half="1/2")}),
    expected="certified",
    limitations=(_BOUNDED,),
)

bump_flow = claim(
    label="sharpness.domination.flow-of-bounded-loss",
    statement="The mean of 1 - exp(-κu²) under noise is half the integral of its smoothed trace over all variances up "
    "to σ².",
    left=_BUMP,
    relation="=",
    right=theorem.BUMP_FLOW,
    domain=Domain({kappa_b: _STEEPNESS, sigma: _NOISE}),
    expected="proved",
    limitations=("The integral is taken in closed form; the mean is measured by quadrature.",),
)

every_variance = claim(
    label="sharpness.domination.every-variance",
    statement="A loss whose smoothed trace is at most the construction's at every variance up to σ², here where it is "
    "largest, at 0, has no larger mean under noise.",
    left=_BUMP,
    relation="<=",
    right=theorem.MEAN_OF_CONSTRUCTION.subs(L_c, kappa_b),
    domain=Domain({kappa_b: _STEEPNESS, sigma: _NOISE}),
    kind="Tight",
    equality=({"kappa_b": 0, "sigma": 1},),
    expected="proved",
    repairs=("sharpness.domination.one-variance",),
    rests_on=("sharpness.domination.flow-of-bounded-loss",),
    limitations=(_BOUNDED, "Stated for L_c = κ, the smallest that dominates."),
)

# --- one landscape of a ReLU network --------------------------------------------------------------


def _relu(start: float) -> Measure:
    def measure(points: Sequence[Point], device: str) -> Array:
        columns = (_column(points, device, name) for name in ("K_r", "d_r", "sigma"))
        found: Array = numeric.biased_loss(start, *columns).cpu().numpy()
        return found

    return measure


_RELU = Domain({
    K_r: Choices(one=1, three=3, ten=10, hundred=100),
    d_r: Choices(none=0, hundredth="1/100", tenth="1/10", quarter="1/4"),
    sigma: Choices(half="1/2", one=1, two=2, five=5, twenty=20),
})  # fmt: skip
_NETWORK = (
    "The network -(b + 2) + 3/2 relu(b + 1) + K_r relu(b - 1 - d_r) of one trainable bias b at one input, target 0: "
    "b = 1 has a smaller norm and a smaller trace (1/2 against 2) than b = -2."
)

relu_learned = claim(
    label="sharpness.domination.relu.learned",
    statement="In a ReLU network whose next kink is at distance c the mean loss under noise is at least "
    "K_r² (σ²/2 - 2cσ/√(2π)), whatever the slope at the parameters.",
    left=Quantity("mean loss under noise around b = 1", _relu(1.0), r"\mathbb{E} f(1 + \varepsilon)^2"),
    relation=">=",
    right=theorem.LEARNED_BELOW,
    domain=_RELU,
    expected="supported",
    limitations=(_NETWORK,),
)

relu_construction = claim(
    label="sharpness.domination.relu.construction",
    statement="Around b = -2, three away from the kink, the mean loss under noise is at most "
    "σ² + (K_r + 1/2)² σ²/2 exp(-9/(2σ²)).",
    left=Quantity("mean loss under noise around b = -2", _relu(-2.0), r"\mathbb{E} f(-2 + \varepsilon)^2"),
    relation="<=",
    right=theorem.CONSTRUCTION_ABOVE,
    domain=_RELU,
    expected="supported",
    limitations=(_NETWORK,),
)

relu = claim(
    label="sharpness.domination.relu.one-landscape",
    statement="Of two parameters of one ReLU network that both fit, the one with the smaller norm and the smaller "
    "trace has no larger mean loss under noise: not even the lower bound on it exceeds the upper bound on the other's.",
    left=theorem.LEARNED_BELOW,
    relation="<=",
    right=theorem.CONSTRUCTION_ABOVE,
    domain=_RELU,
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.domination.relu.learned", "sharpness.domination.relu.construction"),
    limitations=(_ONE_READING, _NETWORK),
)
