"""Corollary 3.2, interpolation: how many samples are fitted exactly, and what the error is there and beyond."""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.attention_erm import PAPER
from boundaudit.checks.attention_erm.measured import (
    LEVEL,
    LEVELS,
    MODEL,
    NOISE_LEVELS,
    ONE_TOKEN,
    RANKS,
    RECONSTRUCTED,
    ROUNDING,
    at_fixed_points,
    no_threshold,
    raised_noise_level,
)
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points
from boundaudit.derivations.attention_erm import interpolation as theory
from boundaudit.derivations.attention_erm.symbols import (
    Delta_erm,
    E_erm,
    K_erm,
    T_erm,
    alpha_erm,
    delta_erm,
    kappa_0,
    l_erm,
    m_erm,
    seed_erm,
)
from boundaudit.numeric.attention_erm.state_evolution import LinearState, linear_state
from boundaudit.numeric.attention_erm.targets import gaussian_target
from boundaudit.numeric.attention_erm.thresholds import interpolation
from boundaudit.numeric.attention_erm.visible import softmax_functionals

_PLACE = ("Corollary 3.2, interpolation",)
_claim = functools.partial(Claim, paper=PAPER, place=_PLACE, limitations=(RECONSTRUCTED,))
_SETTING = f"{ONE_TOKEN}, λ → 0, {LEVELS}, {MODEL}"
_LEVELS = Domain({kappa_0: RANKS, l_erm: NOISE_LEVELS})
_NOISE_SAYS = "effective noises δ, of which every noise Δ > 0 has one"

_THRESHOLD = Quantity(
    "interpolation threshold",
    at_fixed_points(lambda at, found: found.pull, no_threshold),
    r"\alpha_{\mathrm{interp}}(\delta)",
    rounding=ROUNDING,
)
_NOISE = Quantity(
    "noise at the interpolation threshold",
    at_fixed_points(lambda at, found: found.interpolated_noise, no_threshold),
    r"\Delta(\delta)",
    rounding=ROUNDING,
    scale=1.0,
)


@functools.cache
def _around(rank: float, noise: float) -> LinearState:
    """Ridgeless training at 9/10 and 11/10 of the threshold."""
    target = gaussian_target(rank)
    ratios = interpolation(target, noise).alpha * torch.tensor([0.9, 1.1], dtype=torch.float64)
    return linear_state(target, ratios, 0.0, noise)


def _at_ratio(place: int, of: Callable[[LinearState], Tensor], words: str, latex: str) -> Quantity:
    """Something predicted at one of the two ratios."""

    def one(point: Point) -> float:
        return float(of(_around(float(point["kappa_0"]), float(point["Delta_erm"])))[place])

    return Quantity(words, at_points(one), latex, rounding=1e-8)


fitted = _claim(
    label="attention_erm.interpolation.fitted",
    statement="With a vanishing penalty noisy data are interpolated up to the threshold α_interp and not beyond. At "
    "9/10 of it training takes in all of the labels' noise; at 11/10 the training error is at least a 400th of the "
    "error on new data. For one token and a linear read-out, Δ = 1/10 and 2. Targets are WWᵀ/√(p₀ d) with W of p₀ = "
    "κ₀ d independent standard normal columns, κ₀ = 0.1, 0.5 or 1.",
    role="printed",
    reading="certain",
    domain=Domain({kappa_0: RANKS, Delta_erm: Choices(low="1/10", high=2)}),
    cases=(
        Case(
            "up-to", relation="=", kind="Identity", right=sp.Integer(1),
            left=_at_ratio(0, lambda found: found.optimism, "share of the noise that is fitted at 9/10", "b"),
        ),
        Case(
            "beyond", relation=">=", kind="Lower", right=sp.Rational(1, 400),
            left=_at_ratio(
                1, lambda found: found.train / found.test, "training over test error at 11/10",
                r"e_{\mathrm{train}}/e_{\mathrm{test}}",
            ),
        ),
    ),
)  # fmt: skip

between = _claim(
    label="attention_erm.interpolation.between",
    statement="The threshold α = n/d² up to which noisy data are interpolated exceeds 1/4, half of what pure noise on "
    f"a symmetric matrix has, and stays below 1/2 - (1 - κ₀)²/4, for {_NOISE_SAYS}: {_SETTING}.",
    left=_THRESHOLD,
    domain=_LEVELS,
    cases=(
        Case("above", relation=">=", kind="Lower", right=theory.HALF_OF_THE_CONE),
        Case("below", right=theory.TANGENT_CONE),
    ),
)

sharp = _claim(
    label="attention_erm.interpolation.high-noise",
    statement="The threshold up to which noisy data are interpolated is at most 1/4 + 2√κ₀/(3πδ), δ being the "
    "effective noise there. For one token and a linear read-out, λ → 0, δ = 2^(l/2)/16, l = 1, …, 20. Targets are "
    "WWᵀ/√(p₀ d) with W of p₀ = κ₀ d independent standard normal columns, κ₀ = 0.1, 0.5 or 1.",
    left=_THRESHOLD,
    right=theory.HIGH.subs(delta_erm, LEVEL),
    domain=_LEVELS,
    improves=f"{between.label}[below]",
)

falls = _claim(
    label="attention_erm.interpolation.falls",
    statement="More effective noise lowers the interpolation threshold and belongs to more noise Δ, so that every Δ "
    "has one threshold and the noisier data are interpolated less far; the levels l and l + m, m ≤ 4, are compared: "
    f"{_SETTING}.",
    domain=Domain({kappa_0: RANKS, l_erm: NOISE_LEVELS, m_erm: Integers(1, 4)}),
    cases=(
        Case(
            "threshold",
            left=Quantity(
                "interpolation threshold at a higher level",
                at_fixed_points(lambda at, found: found.pull, no_threshold, raised_noise_level),
                r"\alpha_{\mathrm{interp}}(\delta')", rounding=ROUNDING,
            ),
            right=_THRESHOLD,
        ),
        Case(
            "noise",
            left=_NOISE,
            right=Quantity(
                "noise at the interpolation threshold at a higher level",
                at_fixed_points(lambda at, found: found.interpolated_noise, no_threshold, raised_noise_level),
                r"\Delta(\delta')", rounding=ROUNDING, scale=1.0,
            ),
        ),
    ),
)  # fmt: skip


@functools.cache
def _functionals(tokens: int, seed: int) -> int:
    return softmax_functionals(tokens, seed)


tokens = _claim(
    label="attention_erm.interpolation.tokens",
    statement="A softmax along each row of symmetric T × T indices shows T(T + 1)/2 - 1 independent linear "
    "functionals of them, all but a common shift. For T ≥ 2 the interpolation threshold of one token is therefore "
    "divided by that number.",
    left=Quantity(
        "rank of the derivative of a softmax of symmetric indices",
        at_points(lambda point: _functionals(int(point["T_erm"]), int(point["seed_erm"]))),
        r"\operatorname{rank} \partial\, \mathrm{softmax}(h) / \partial h",
    ),
    relation="=",
    right=theory.FUNCTIONALS,
    domain=Domain({T_erm: Integers(2, 6), seed_erm: Integers(0, 3)}),
    role="printed",
    reading="plausible",
    rests_on=("attention_erm.ridgeless.read", "attention_erm.ridgeless.shifted"),
    limitations=("That the ridgeless problem reduces to one token holds up to interpolation, for Gaussian features.",),
)  # fmt: skip


# --- the peak -------------------------------------------------------------------------------------


_PEAK = Quantity(
    "error at the interpolation threshold",
    at_fixed_points(lambda at, found: found.error, no_threshold),
    r"E_{\mathrm{peak}}",
    rounding=ROUNDING,
    scale=1.0,
)


size = _claim(
    label="attention_erm.interpolation.size",
    statement="Above interpolation the error of ridgeless training with effective noise δ is at most 2Kδ² with K = "
    f"1/2 - (1 - κ₀)²/4, the threshold without noise: {_SETTING}.",
    left=_PEAK,
    right=theory.SIZE.subs(delta_erm, LEVEL),
    domain=_LEVELS,
    rests_on=(f"{between.label}[below]", falls.label),
)

above = _claim(
    label="attention_erm.interpolation.above",
    statement="Let the error E be at most 2Kδ² at a noise Δ = 4αδ² - 2E, as for ridgeless training on the cone of "
    "positive semidefinite maps above its threshold K = 1/2 - (1 - κ₀)²/4. For α > K then E ≤ ΔK/(2(α - K)), the "
    "error of least squares with K d² parameters. An unconstrained map has d²/2 and diverges at α = 1/2.",
    left=E_erm,
    right=lambda: theory.above(4 * alpha_erm * delta_erm**2 - 2 * E_erm),
    domain=lambda: Domain(
        {
            K_erm: Reals(0, sp.Rational(1, 2), open_low=True),
            alpha_erm: Reals(K_erm, open_low=True),
            delta_erm: Reals(0, open_low=True),
            E_erm: Reals(0, 2 * K_erm * delta_erm**2),
        }
    ),
    kind="Tight",
    equality=({"K_erm": sp.Rational(1, 4), "alpha_erm": 1, "delta_erm": 2, "E_erm": 2},),
    rests_on=(size.label,),
    expected="proved",
)
