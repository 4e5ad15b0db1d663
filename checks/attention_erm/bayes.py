"""The Bayes-optimal benchmark: what weight decay leaves to be gained."""

from __future__ import annotations

import functools

import sympy as sp
from torch import Tensor

from boundaudit.checks.attention_erm import PAPER
from boundaudit.checks.attention_erm.measured import (
    LEVELS,
    MODEL,
    NOISE_LEVELS,
    ONE_TOKEN,
    RANKS,
    RECONSTRUCTED,
    at_fixed_points,
    noise_level,
    raised_noise_level,
    with_threshold,
)
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers
from boundaudit.checks.measurements import Columns, at_points, small
from boundaudit.derivations.attention_erm.symbols import kappa_0, l_erm, lambda_erm, m_erm, t_erm
from boundaudit.numeric.attention_erm.bayes import bayes_state, minimal_error
from boundaudit.numeric.attention_erm.state_evolution import linear_state
from boundaudit.numeric.attention_erm.targets import gaussian_target

_claim = functools.partial(Claim, paper=PAPER, place=("Bayes benchmark",))
_NODES, _ERROR = 61, 1e-6
_SETTING = f"{ONE_TOKEN}, {LEVELS}, {MODEL}"


def _mmse(at: Columns, delta: Tensor) -> Tensor:
    """The least error of any estimate."""
    return minimal_error(gaussian_target(float(at.points[0]["kappa_0"])), delta, _NODES)


_BAYES = Quantity(
    "least error of any estimate", small(lambda at: _mmse(at, noise_level(at)), "kappa_0"),
    r"\mathrm{mmse}(\delta)", rounding=_ERROR,
)  # fmt: skip

least = _claim(
    label="attention_erm.bayes.least",
    statement="At one effective noise δ no threshold of the spectrum leaves less error than the best estimate of the "
    "target, δ² - (4π²/3) δ⁴ ∫ ρ³. Thresholds are ε = 0, δ/2, …, 4δ and noises δ = 2^(l/2)/16, l = 1, …, 20, for one "
    "token and a linear read-out. Targets are WWᵀ/√(p₀ d) with W of p₀ = κ₀ d independent standard normal columns, "
    "κ₀ = 0.1, 0.5 or 1.",
    left=_BAYES,
    right=Quantity(
        "error with a threshold",
        at_fixed_points(lambda at, found: found.error, with_threshold),
        r"E(\delta, \epsilon)",
        rounding=_ERROR,
    ),
    domain=Domain({kappa_0: RANKS, l_erm: NOISE_LEVELS, t_erm: Integers(0, 8)}),
    role="printed",
    reading="plausible",
    limitations=(RECONSTRUCTED,),
)  # fmt: skip

_RAISED = Quantity(
    "least error of any estimate at a higher level", small(lambda at: _mmse(at, raised_noise_level(at)), "kappa_0"),
    r"\mathrm{mmse}(\delta')", rounding=_ERROR,
)  # fmt: skip
_PER_VARIANCE = Quantity(
    "least error of any estimate at a higher level over its variance's ratio",
    small(lambda at: _mmse(at, raised_noise_level(at)) / 2 ** at.real("m_erm"), "kappa_0"),
    r"\mathrm{mmse}(\delta') \delta^2/\delta'^2", rounding=_ERROR,
)  # fmt: skip

unique = _claim(
    label="attention_erm.bayes.unique",
    statement="The least error of any estimate rises with the effective noise δ, and its ratio to δ² falls, so that "
    "more noise or fewer samples never help and 4αδ² = Δ + 2 mmse(δ) has one solution at every α: no transition of "
    f"first order; the levels l and l + m, m ≤ 4, are compared: {_SETTING}.",
    domain=Domain({kappa_0: RANKS, l_erm: NOISE_LEVELS, m_erm: Integers(1, 4)}),
    limitations=(RECONSTRUCTED,),
    cases=(Case("rises", left=_BAYES, right=_RAISED), Case("falls", left=_PER_VARIANCE, right=_BAYES)),
)

# --- the gap --------------------------------------------------------------------------------------


@functools.cache
def _gap(ratio: float, penalty: float) -> float:
    """Error of weight decay over the least of any learner, κ₀ = Δ = 1/2."""
    target = gaussian_target(0.5)
    return float(linear_state(target, ratio, penalty, 0.5).error) / _bayes(ratio)


@functools.cache
def _bayes(ratio: float) -> float:
    return float(bayes_state(gaussian_target(0.5), ratio, 0.5).error)


def _gap_at(ratio: float) -> Quantity:
    return Quantity(
        f"error of weight decay over the least, α = {ratio}",
        at_points(lambda point: _gap(ratio, float(point["lambda_erm"]))),
        rf"E_{{{ratio}}}(\tilde\lambda) / E_{{\mathrm{{Bayes}}}}",
        rounding=_ERROR,
    )


gap = _claim(
    label="attention_erm.bayes.gap",
    statement="With few samples, α = 0.1, weight decay leaves at least 1.45 times the least error of any learner at "
    "the penalties 0.1, 0.2, 0.337, 0.5 and 1, of which 0.337 is the best. With α = 0.5 and the penalty 0.38 it "
    f"leaves at most 1.1 times the least error, with α = 1 and the penalty 0.51 at most 1.05 times. For {ONE_TOKEN}, "
    "κ₀ = Δ = 1/2.",
    limitations=(RECONSTRUCTED,),
    cases=(
        Case(
            "few", left=_gap_at(0.1), relation=">=", kind="Lower", right=sp.Rational(145, 100),
            domain=Domain({lambda_erm: Choices(tenth="1/10", fifth="1/5", best="337/1000", half="1/2", one=1)}),
        ),
        Case("half", left=_gap_at(0.5), right=sp.Rational(11, 10), domain=Domain({lambda_erm: Choices(best="38/100")})),
        Case(
            "many", left=_gap_at(1.0), right=sp.Rational(105, 100), domain=Domain({lambda_erm: Choices(best="51/100")})
        ),
    ),
)  # fmt: skip
