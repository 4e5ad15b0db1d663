"""The forms of paper 1's bound by name: what each assumes and which claims speak of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SUBGAUSSIAN = "E S(θ)² ≤ S² over the learner's posterior draws, S(θ) for the loss's lower tail"
DOMINATED = "domination: the learner's loss under noise on the sample, and its norm, are the construction's at most"
BY_BLOCK = "domination block by block, in noise and norm: much stronger than the paper's for the whole network"
TAYLOR = "the construction's loss under noise rises by σ²(G + P) at most"
BY_GROUP = "the construction's loss under noise rises by Σ a_g σ_g² at most"
FIXED = "σ is fixed before the sample is seen"
"""What a form may stand on beyond its claims."""

BUDGETS = {
    "published": "G and L are as printed, and the construction is exact",
    "repaired": "G, L and the loss at the construction hold for every target of the class, as derived",
}
PERTURBATIONS = {
    "none": "P = 0: measured safe at T = 20, D = 2, ω = 10, no proof; --perturbation derived needs no P",
    "analytic": "P is Theorem 17's, with σ restored",
}
"""What is taken for granted by the name of the budgets and of P."""

DERIVED_LOSS = "the loss is clipped at 1; its mean under noise at the construction is at most what is derived for it"
"""What takes the place of the rise under noise with P derived."""

OWN_TAYLOR = "the model's loss under noise rises by σ² trace/2 at most: a Taylor step, unchecked at this σ"
OWN_NORM = "‖θ‖² is at most L, a number fixed before the sample is seen"
"""What takes the place of domination for measured numbers."""


@dataclass(frozen=True)
class FormOfBound:
    """One form."""

    bound: str  # the calculator's name of it, in `BOUNDS`
    formula: str
    bounds: str
    # what must hold for it; domination, S and the rise under noise are not checked for a learned network
    assumes: tuple[str, ...]
    claims: tuple[str, ...]  # labels of the claims that it stands on
    takes: tuple[str, ...]  # which of subgaussian, clip, sigma and perturbation it takes
    budgets: str = "repaired"  # the budgets it is computed from unless others are named


_STEP = (
    "pac_bayes.bounds.linear", "pac_bayes.subgaussian_pac_bayes.best-value", "pac_bayes.coverage.subgaussian",
    "sharpness.subgaussian.inside",
)  # fmt: skip
REPAIRED = (
    "sharpness.norms.total.repaired", "sharpness.gradients.total.sharp", "sharpness.exactness.leak.upper",
    "sharpness.bound.shared_variance.printed",
)  # fmt: skip
"""What the repaired budgets of a class stand on."""

_OWN_VARIANCE_KL = ("pac_bayes.gaussian.separate.value", "pac_bayes.gaussian.separate.shorter")
_KL_FORM = ("pac_bayes.binary_kl.moment.maurer", "pac_bayes.bounds.relative-entropy", "pac_bayes.coverage.maurer")

_GIBBS = "E over posterior draws of the loss"
_ONE_VARIANCE = "E + σ²(G + P) + S √((2/m)(L/(2σ²) + ln(1/δ)))"
_OWN_VARIANCE = "E + σ²(G + P) + S √((2/m)((p/2) ln(1 + L/(pσ²)) + ln(1/δ)))"

FORMS: Mapping[str, FormOfBound] = {
    "published": FormOfBound(
        "shared-variance", _ONE_VARIANCE, _GIBBS,
        (DOMINATED, TAYLOR, SUBGAUSSIAN, FIXED),
        (*_STEP, "sharpness.bound.shared_variance.printed", "sharpness.bound.optimum.stationary"),
        ("subgaussian", "sigma", "perturbation"), "published",
    ),
    "repaired": FormOfBound(
        "shared-variance", _ONE_VARIANCE, _GIBBS, (DOMINATED, TAYLOR, SUBGAUSSIAN, FIXED),
        (*_STEP, *REPAIRED), ("subgaussian", "sigma", "perturbation"),
    ),
    "per-group": FormOfBound(
        "per-group", "E + Σ a_g σ_g² + S √((2/m)(Σ L_g/(2σ_g²) + ln(1/δ)))", _GIBBS,
        (BY_BLOCK, BY_GROUP, SUBGAUSSIAN, FIXED),
        (*_STEP, *REPAIRED, "sharpness.bound.groups.confidence"), ("subgaussian",),
    ),
    "decoupled-prior": FormOfBound(
        "separate-prior-variance", _OWN_VARIANCE, _GIBBS, (DOMINATED, TAYLOR, SUBGAUSSIAN, FIXED),
        (*_STEP, *REPAIRED, *_OWN_VARIANCE_KL, "sharpness.bound.separate_prior_variance.loss-kept"),
        ("subgaussian", "sigma", "perturbation"),
    ),
    "clipped-kl": FormOfBound(
        "clipped", "M kl⁻¹((E + σ²(G + P))/M, ((p/2) ln(1 + L/(pσ²)) + ln(2√m/δ))/m)",
        "E over posterior draws of min(loss, M)", (DOMINATED, TAYLOR, FIXED),
        (*_KL_FORM, *REPAIRED, *_OWN_VARIANCE_KL, "sharpness.bound.clipped.complete"),
        ("clip", "sigma", "perturbation"),
    ),
}  # fmt: skip
"""The forms in the order in which they are shown; E is the loss at the construction."""

NORM_ALONE = (
    *_KL_FORM, *_OWN_VARIANCE_KL, "sharpness.bound.deterministic.gradient", "sharpness.bound.deterministic.clip",
)  # fmt: skip
"""What the bound from the norm alone stands on."""

OWN_MODEL = (*_KL_FORM, "pac_bayes.limits.kl", "pac_bayes.gaussian.separate.value")
"""What a bound from a measured loss under noise stands on."""

OCCAM = ("pac_bayes.limits.kl", "sharpness.bound.occam.coverage", "sharpness.bound.occam.rounding")
"""What a bound for one network without noise stands on."""

CERTIFIED = (
    *_KL_FORM, "pac_bayes.limits.betting", "pac_bayes.gaussian.separate.value",
    "sharpness.bound.certificate.coverage",
)  # fmt: skip
"""What a certificate stands on."""
