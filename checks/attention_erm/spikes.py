"""Targets of small rank: what a learned mode costs under the nuclear norm, and the way from weak to strong recovery."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.attention_erm import PAPER
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.derivations.attention_erm import spikes as theory
from boundaudit.derivations.attention_erm.symbols import r_erm, x_erm

_claim = functools.partial(Claim, paper=PAPER, place=("Weak recovery",))
_LEARNED = Domain({x_erm: Reals(1)})
_HALF = sp.Rational(1, 2)
_WAY = Domain({r_erm: Reals(1, 4)})
_SETTING = "one token, a linear read-out, no noise, λ → 0, rank p₀ = κ₀ d with equal eigenvalues, κ₀ → 0 after d → ∞"

mode = _claim(
    label="attention_erm.spikes.mode",
    statement="A mode with eigenvalue θ = xδ, x ≥ 1, that is learned as θ + δ²/θ - 2δ with squared overlap 1 - δ²/θ², "
    "has the squared error δ² (6 - 8/x + 3/x²).",
    left=theory.ERROR,
    relation="=",
    right=theory.kept(x_erm),
    domain=_LEARNED,
    expected="proved",
)

price = _claim(
    label="attention_erm.spikes.price",
    statement="The squared error 6 - 8/x + 3/x² of a learned mode under the nuclear norm is less than three times 2 - "
    "1/x², the least that any function of the outlier leaves, for every x ≥ 1; the factor nears 3 as x grows.",
    left=theory.kept(x_erm) / theory.BEST,
    right=sp.Integer(3),
    domain=_LEARNED,
    rests_on=(mode.label,),
    expected="proved",
)


balance = _claim(
    label="attention_erm.spikes.curve.balance",
    statement="At noise level δ = (4 - r)/3, r = √(6a - 2), the errors of all modes add up to what the noise level "
    f"says, 6 - 8δ + 3δ² = 2a, for 1/2 ≤ a = n/(p₀ d) ≤ 3, 1 ≤ r ≤ 4: {_SETTING}.",
    left=theory.BALANCE,
    relation="=",
    right=2 * theory.ALPHA_OF_R,
    domain=_WAY,
    rests_on=(mode.label,),
    expected="proved",
)

in_r = _claim(
    label="attention_erm.spikes.curve.take-off",
    statement="With r = √(6a - 2), a = n/(p₀ d), the share of the target that is learned, 1 - E with E = 2aδ², is (r "
    "- 1)³ (5 - r)/27 for 1 ≤ r ≤ 4.",
    left=1 - theory.CURVE_OF_R,
    relation="=",
    right=theory.TAKE_OFF,
    domain=_WAY,
    rests_on=(balance.label,),
    expected="proved",
)

slow = _claim(
    label="attention_erm.spikes.curve.slow",
    statement="Past weak recovery at a = n/(p₀ d) = 1/2, at most 4 (a - 1/2)³ of the target's squared norm is "
    f"learned. The formula has r = √(6a - 2) from 1 to 4, for {_SETTING}.",
    left=1 - theory.CURVE_OF_R,
    right=4 * (theory.ALPHA_OF_R - _HALF) ** 3,
    domain=_WAY,
    kind="Tight",
    equality=({"r_erm": 1},),
    rests_on=(in_r.label,),
    expected="proved",
)


best = _claim(
    label="attention_erm.spikes.curve.best",
    statement="The error 4a(1 - a) that the best function of the outliers leaves for 1/2 ≤ a = n/(p₀ d) ≤ 1 is never "
    f"above that of the nuclear norm; it is zero from n = p₀ d on, where the nuclear norm needs 3 p₀ d: {_SETTING}.",
    left=theory.BEST_CURVE_OF_R,
    right=theory.CURVE_OF_R,
    domain=Domain({r_erm: Reals(1, 2)}),
    kind="Tight",
    equality=({"r_erm": 1},),
    rests_on=(balance.label, price.label),
    expected="proved",
)
