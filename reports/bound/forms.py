"""The forms of paper 1's bound by name: what each assumes and which claims speak of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_SUBGAUSSIAN = "the loss is sub-Gaussian with constant S at every posterior draw"
_DOMINATED = "the learner's expected loss under noise on the sample is at most the construction's, its norm too"
_BY_SHARPNESS = "the construction's expected loss rises by at most σ²(G + P)"
_FIXED = "σ fixed before the sample is seen"


@dataclass(frozen=True)
class FormOfBound:
    """One form.

    Attributes:
        bound: the calculator's name of it, in `BOUNDS`.
        formula: the bound as text.
        bounds: what is bounded.
        assumes: what must hold for it.
        claims: labels of the claims that it stands on.
        takes: which of subgaussian, clip, sigma and perturbation it takes.
        budgets: the budgets it is computed from unless others are named.
    """

    bound: str
    formula: str
    bounds: str
    assumes: tuple[str, ...]
    claims: tuple[str, ...]
    takes: tuple[str, ...]
    budgets: str = "repaired"


_STEP = (
    "pac_bayes.change_of_measure.normalised", "pac_bayes.change_of_measure.markov",
    "pac_bayes.subgaussian_pac_bayes.best-value", "pac_bayes.coverage.subgaussian",
)  # fmt: skip
_REPAIRED = (
    "sharpness.norms.total.repaired", "sharpness.gradients.total.sharp", "sharpness.exactness.leak.upper",
    "sharpness.bound.shared_variance.printed",
)  # fmt: skip
_OWN_VARIANCE_KL = ("pac_bayes.gaussian.separate.value", "pac_bayes.gaussian.separate.shorter")
_KL_FORM = ("pac_bayes.binary_kl.moment.maurer", "pac_bayes.coverage.maurer")

_GIBBS = "E over posterior draws of the loss"
_ONE_VARIANCE = "E + σ²(G + P) + S √((2/m)(L/(2σ²) + ln(1/δ)))"
_OWN_VARIANCE = "E + σ²(G + P) + S √((2/m)((p/2) ln(1 + L/(pσ²)) + ln(1/δ)))"

FORMS: Mapping[str, FormOfBound] = {
    "published": FormOfBound(
        "shared-variance", _ONE_VARIANCE, _GIBBS,
        (_DOMINATED, _BY_SHARPNESS, "the construction is exact, E = 0", _SUBGAUSSIAN, _FIXED),
        (*_STEP, "sharpness.bound.shared_variance.printed", "sharpness.bound.optimum.stationary"),
        ("subgaussian", "sigma", "perturbation"), "published",
    ),
    "repaired": FormOfBound(
        "shared-variance", _ONE_VARIANCE, _GIBBS, (_DOMINATED, _BY_SHARPNESS, _SUBGAUSSIAN, _FIXED),
        (*_STEP, *_REPAIRED), ("subgaussian", "sigma", "perturbation"),
    ),
    "per-group": FormOfBound(
        "per-group", "E + Σ a_g σ_g² + S √((2/m)(Σ L_g/(2σ_g²) + ln(1/δ)))", _GIBBS,
        (f"{_DOMINATED}, block by block", _BY_SHARPNESS.replace("σ²(G + P)", "Σ a_g σ_g²"), _SUBGAUSSIAN, _FIXED),
        (*_STEP, *_REPAIRED, "sharpness.bound.groups.confidence"), ("subgaussian",),
    ),
    "decoupled-prior": FormOfBound(
        "separate-prior-variance", _OWN_VARIANCE, _GIBBS, (_DOMINATED, _BY_SHARPNESS, _SUBGAUSSIAN, _FIXED),
        (*_STEP, *_REPAIRED, *_OWN_VARIANCE_KL, "sharpness.bound.separate_prior_variance.loss-kept"),
        ("subgaussian", "sigma", "perturbation"),
    ),
    "clipped-kl": FormOfBound(
        "clipped", "M kl⁻¹((E + σ²(G + P))/M, ((p/2) ln(1 + L/(pσ²)) + ln(2√m/δ))/m)",
        "E over posterior draws of min(loss, M)", (_DOMINATED, _BY_SHARPNESS, _FIXED),
        (*_KL_FORM, *_REPAIRED, *_OWN_VARIANCE_KL, "sharpness.bound.clipped.complete"),
        ("clip", "sigma", "perturbation"),
    ),
}  # fmt: skip
"""The forms in the order in which they are shown; E is the loss at the construction."""

NORM_ALONE = (
    *_KL_FORM,
    *_OWN_VARIANCE_KL,
    "sharpness.bound.deterministic.gradient",
    "sharpness.bound.deterministic.clip",
)
"""What the bound from the norm alone stands on."""

CERTIFIED = (
    *_KL_FORM, "pac_bayes.limits.betting", "pac_bayes.gaussian.separate.value",
    "sharpness.bound.certificate.coverage",
)  # fmt: skip
"""What a certificate stands on."""
