"""What rises and what falls with the number of samples: errors beyond the peak, and the best penalty."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.attention_erm import PAPER
from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.derivations.attention_erm import monotone as theory
from boundaudit.derivations.attention_erm.symbols import (
    Delta_erm,
    E_erm,
    Q_erm,
    alpha_erm,
    delta_erm,
    eps_erm,
)

_claim = functools.partial(Claim, paper=PAPER, place=("Corollary 3.2, interpolation",))
_POSITIVE = Reals(0, open_low=True)
_SIZES = {theory.ratio: Reals(0, 1, open_low=True, open_high=True), theory.near: Reals(0), theory.far: Reals(0)}

# --- beyond the peak ------------------------------------------------------------------------------

together = _claim(
    label="attention_erm.monotone.together",
    statement="For u = (Π(S₀ + δZ) - S₀)/δ, Π the projection on a convex set that holds S₀, and u' the same at δ' = "
    "δ/r, the variational inequalities of both at each other's point and ⟨u, u'⟩ ≤ ‖u‖‖u'‖ give "
    "(‖u'‖ - ‖u‖)(‖u'‖ - r‖u‖) ≤ 0: at every dimension and for every Z.",
    left=theory.PRODUCT,
    right=sp.Integer(0),
    domain=lambda: Domain(
        {**_SIZES, theory.both: Reals(), theory.near_noise: Reals(), theory.far_noise: Reals()},
        where=[*theory.AT_NEAR, *theory.AT_FAR, theory.both <= theory.near * theory.far],
    ),
    expected="proved",
)

projection = _claim(
    label="attention_erm.monotone.projection",
    statement="So the distance ‖Π(S₀ + δZ) - S₀‖ over δ never rises with δ, and the distance itself never falls.",
    domain=lambda: Domain(_SIZES, where=[theory.PRODUCT <= 0]),
    rests_on=(together.label,),
    expected="proved",
    cases=(
        Case("over-noise", left=theory.far, right=theory.near),
        Case("itself", left=theory.ratio * theory.near, right=theory.far),
    ),
)

beyond = _claim(
    label="attention_erm.monotone.beyond",
    statement="Beyond the interpolation threshold, where ε = 0, a larger effective noise δ' belongs to fewer samples, "
    "α - α' ≥ Δ(1/δ² - 1/δ'²)/4, as E/δ² does not rise: with δ the error E falls as samples are added, at every "
    "noise, so that the peak at the threshold is the last one.",
    left=theory.samples(E_erm, delta_erm) - theory.samples(theory.E_larger, theory.larger),
    relation=">=",
    right=Delta_erm / (4 * delta_erm**2) - Delta_erm / (4 * theory.larger**2),
    domain=lambda: Domain(
        {
            Delta_erm: Reals(0), delta_erm: _POSITIVE, theory.larger: _POSITIVE, E_erm: Reals(0),
            theory.E_larger: Reals(0),
        },
        where=[delta_erm <= theory.larger, theory.E_larger * delta_erm**2 <= E_erm * theory.larger**2],
    ),
    rests_on=(f"{projection.label}[over-noise]", f"{projection.label}[itself]"),
    expected="proved",
)  # fmt: skip

# --- the best penalty -----------------------------------------------------------------------------

_PENALTY = functools.partial(Claim, paper=PAPER, place=("Figure 2",))

threshold = _PENALTY(
    label="attention_erm.monotone.threshold",
    statement="Past ε = 2δ a larger threshold only adds error, at every dimension: the slope of ‖(S₀ + δZ - ε)₊ - S₀‖² "
    "in ε is 2 Σ (ε - δ vᵀZv) over the eigenvectors v that are learned, and vᵀZv is at most 2, Z's largest eigenvalue.",
    left=theory.BY_THRESHOLD,
    relation=">=",
    right=sp.Integer(0),
    domain=lambda: Domain({
        theory.learned: Integers(1, tested_to=6), delta_erm: _POSITIVE, eps_erm: Reals(2 * delta_erm),
        theory.forms: Vector(theory.learned, Reals(high=2, tested_to=2)),
    }),
    expected="proved",
)  # fmt: skip


penalty = _PENALTY(
    label="attention_erm.monotone.penalty",
    statement="The best penalty of the nuclear norm is at most 4√(α(Δ + 2Q₀)) at every α, as its threshold is at most "
    "2δ and its error at most Q₀, that of learning nothing: it vanishes at least like √α as samples become few, and "
    "grows at most like √α as they become many.",
    left=lambda: theory.PENALTY,
    right=lambda: theory.PENALTY_BOUND.subs(alpha_erm, theory.samples(E_erm, delta_erm)),
    domain=lambda: Domain({Q_erm: _POSITIVE, Delta_erm: Reals(0), delta_erm: _POSITIVE, E_erm: Reals(0, Q_erm)}),
    rests_on=(threshold.label, f"{projection.label}[over-noise]"),
    limitations=(
        "With ε over δ fixed E/δ² does not rise with δ, so that past ε = 2δ the error rises with ε at fixed samples "
        "too: that step is in words.",
    ),
    expected="proved",
)
