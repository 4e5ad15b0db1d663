"""What rises and what falls with the number of samples: errors beyond the peak, the rank, and the best penalty."""

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
    ROUNDING,
    at_fixed_points,
    no_threshold,
    noise_level,
    raised_noise_level,
)
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.measurements import Columns
from boundaudit.derivations.attention_erm import monotone as theory
from boundaudit.derivations.attention_erm.symbols import (
    Delta_erm,
    E_erm,
    Q_erm,
    alpha_erm,
    delta_erm,
    eps_erm,
    kappa_0,
    l_erm,
    m_erm,
    t_erm,
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


def _at_both(words: str, latex: str, name: str, power: int = 0) -> dict[str, Quantity]:
    """A number of the fixed point without a threshold over a power of δ, at a level and at a higher one."""

    def quantity(mark: str, *level: object) -> Quantity:
        measure = at_fixed_points(
            lambda at, found: getattr(found, name) / found.delta**power,
            no_threshold,
            *level,  # type: ignore[arg-type]
        )
        return Quantity(f"{words}{mark}", measure, latex, rounding=ROUNDING, scale=1.0)

    return {"low": quantity(""), "high": quantity(" at a higher level", raised_noise_level)}


_RATIO = _at_both("error over δ²", r"E/\delta^2", "error", 2)
_ERROR = _at_both("error", "E", "error")
_RANK = _at_both("learned rank", "1 - F_\\delta(0)", "rank")
_PAIRS = Domain({kappa_0: RANKS, l_erm: NOISE_LEVELS, m_erm: Integers(1, 1)})

limit = _claim(
    label="attention_erm.monotone.limit",
    statement="The fixed point without a threshold has these properties of a projection: with δ its error rises and "
    "E/δ² falls, and the learned rank 1 - F_δ(0) falls, so that beyond interpolation rank is gained with every "
    f"sample; neighbouring levels are compared: {ONE_TOKEN}, {LEVELS}, {MODEL}.",
    domain=_PAIRS,
    limitations=(RECONSTRUCTED,),
    rests_on=(f"{projection.label}[over-noise]", f"{projection.label}[itself]", "attention_erm.monotone.rank"),
    cases=(
        Case("error", left=_ERROR["low"], right=_ERROR["high"]),
        Case("over-noise", left=_RATIO["high"], right=_RATIO["low"]),
        Case("rank", left=_RANK["high"], right=_RANK["low"]),
    ),
)

rank = _claim(
    label="attention_erm.monotone.rank",
    statement="The quadratic form of Z + S₀/δ at any vector does not rise with δ, as vᵀS₀v ≥ 0; so the positive "
    "eigenvalues of S₀ + δZ, which are learned beyond interpolation, do not become more as noise grows.",
    left=lambda: theory.both + E_erm / theory.larger,
    right=lambda: theory.both + E_erm / delta_erm,
    domain=lambda: Domain(
        {theory.both: Reals(), E_erm: Reals(0), delta_erm: _POSITIVE, theory.larger: _POSITIVE},
        where=[delta_erm <= theory.larger],
    ),
    limitations=("That fewer directions of a positive form are fewer positive eigenvalues is Courant and Fischer's.",),
    expected="proved",
)

# --- training the map itself, in closed form ------------------------------------------------------

_direct = functools.partial(Claim, paper=PAPER, place=("Figure 2",), expected="proved")
_NOISY = {Q_erm: _POSITIVE, Delta_erm: Reals(0)}

one_valley = _direct(
    label="attention_erm.monotone.one-valley",
    statement="A map trained directly, without penalty, has at α = s/2 < 1/2 the error (1 - s)Q₀ + sΔ/(2(1 - s)) of "
    "Marchenko and Pastur's law, which lies above each of its tangents: it falls to one minimum, and then rises to "
    "the only peak, at α = 1/2.",
    left=lambda: theory.direct(theory.other),
    relation=">=",
    right=lambda: theory.direct(theory.share) + theory.SLOPE * (theory.other - theory.share),
    domain=lambda: Domain(
        {**_NOISY, theory.share: Reals(0, 1, open_low=True, open_high=True), theory.other: Reals(0, 1, open_high=True)}
    ),
    kind="Tight",
    equality=({"Q_erm": 1, "Delta_erm": 1, "share_erm": sp.Rational(1, 2), "other_erm": sp.Rational(1, 2)},),
)

after_peak = _direct(
    label="attention_erm.monotone.after-peak",
    statement="Beyond α = 1/2 its error Δ/(4α - 2) falls with every sample.",
    left=lambda: theory.overdetermined(alpha_erm + E_erm),
    right=lambda: theory.overdetermined(alpha_erm),
    domain=lambda: Domain({
        Delta_erm: Reals(0), alpha_erm: Reals(sp.Rational(1, 2), open_low=True), E_erm: Reals(0),
    }),
)  # fmt: skip

ridge = _direct(
    label="attention_erm.monotone.ridge",
    statement="With a Frobenius penalty the best share of S₀ + δZ is s = Q₀/(Q₀ + δ²), with the error Q₀δ²/(Q₀ + δ²); "
    "the penalty that gives it is Δ/Q₀ at every α, small or large.",
    cases=(
        Case(
            "least", relation=">=", kind="Lower", left=theory.MIXED, right=theory.TUNED,
            domain=lambda: Domain({Q_erm: _POSITIVE, delta_erm: _POSITIVE, theory.share: _POSITIVE}),
        ),
        Case(
            "penalty", relation="=", kind="Identity", left=theory.BEST_RIDGE, right=Delta_erm / Q_erm,
            domain=lambda: Domain({**_NOISY, delta_erm: _POSITIVE}),
        ),
    ),
)  # fmt: skip

no_peak = _direct(
    label="attention_erm.monotone.no-peak",
    statement="At that penalty a smaller effective noise δ belongs to more samples and to a smaller error: the error "
    "falls with every sample, and there is no peak.",
    domain=lambda: Domain(
        {**_NOISY, delta_erm: _POSITIVE, theory.larger: _POSITIVE}, where=[delta_erm <= theory.larger]
    ),
    rests_on=(f"{ridge.label}[least]", f"{ridge.label}[penalty]"),
    cases=(
        Case("error", left=theory.TUNED, right=theory.TUNED_LARGER),
        Case(
            "samples", relation=">=", kind="Lower", left=theory.samples(theory.TUNED, delta_erm),
            right=theory.samples(theory.TUNED_LARGER, theory.larger),
        ),
    ),
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


def _error(more: int, words: str) -> Quantity:
    """That of the fixed point with the threshold (t + more)δ/2."""

    def level(at: Columns) -> Tensor:
        return (at.real("t_erm") + more) / 2 * noise_level(at)

    return Quantity(words, at_fixed_points(lambda at, found: found.error, level), "E", rounding=ROUNDING, scale=1.0)


past = _PENALTY(
    label="attention_erm.monotone.past",
    statement="The fixed point's error rises with the threshold from ε = 2δ on: 2δ, 2.5δ and 3δ are compared: "
    f"{ONE_TOKEN}, {LEVELS}, {MODEL}.",
    left=_error(0, "error at a threshold"),
    right=_error(1, "error at a threshold half a δ higher"),
    domain=Domain({kappa_0: RANKS, l_erm: NOISE_LEVELS, t_erm: Integers(4, 5)}),
    limitations=(RECONSTRUCTED,),
    rests_on=(threshold.label,),
)

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
