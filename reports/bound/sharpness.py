"""One form of paper 1's bound as a record: value, σ, parts, constants and assumptions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundaudit import InputError
from boundaudit.numeric.sharpness.bound import check_setting
from boundaudit.reports.bound import forms
from boundaudit.reports.bound.forms import FORMS
from boundaudit.reports.bound.request import Measured, Request

if TYPE_CHECKING:
    from boundaudit.numeric.sharpness.bound import Bound, Budgets, Perturbation, WholeLoss


_LARGEST = 1e100
"""Of a perturbation, as of all numbers that options take."""
_NAMED = ("none", "analytic", "derived")
_OWN = {forms.DOMINATED: forms.OWN_NORM, forms.TAYLOR: forms.OWN_TAYLOR}
_ADVICE = (
    "measure the loss under the noise: --sigma σ --noisy-risk R --noisy-draws N, which takes no Taylor step and no S "
    "(boundaudit.numeric.sharpness.bound.noisy_risk measures it for a PyTorch module)",
    "or train and certify a network: boundaudit bound learner",
)


@dataclass(frozen=True)
class SharpnessBound:
    """A bound of paper 1 and what it was computed from."""

    form: str  # the name of its form
    found: Bound  # value, σ, parts and KL
    used: Budgets
    budgets: str  # their name
    perturbation: str  # P as it was asked for
    at: float  # P at the σ that was taken
    constant_baseline: float  # the risk of the best constant prediction, or 1
    measured: Measured  # what of the budgets the user has measured
    truncated: tuple[float, float] | None  # σ and value of the truncated optimum, for a form that has one

    @property
    def sigma(self) -> float | dict[str, float]:
        """σ, of a form with several one a group."""
        return dict(self.found.sigma) if isinstance(self.found.sigma, Mapping) else self.found.sigma

    @property
    def vacuous(self) -> bool:
        """Whether it says no more than the best constant prediction."""
        return self.found.value >= self.constant_baseline

    @property
    def assumes(self) -> list[str]:
        """What it takes for granted."""
        base, derived = FORMS[self.form].assumes, self.perturbation == "derived"
        if self.measured.is_whole:
            return [_OWN.get(text, text) for text in base]
        swapped = [forms.DERIVED_LOSS if derived and text == forms.TAYLOR else text for text in base]
        p = [] if derived else [forms.PERTURBATIONS.get(self.perturbation, f"P = {self.perturbation}, as given")]
        own = [forms.OWN_TAYLOR, forms.OWN_NORM] if self.measured != Measured() else []
        return [*swapped, *p, forms.BUDGETS[self.budgets], *own]

    @property
    def claims(self) -> list[str]:
        """Labels of what it stands on."""
        derived = ["sharpness.noisy_loss.clipped"] if self.perturbation == "derived" else []
        of_class = forms.REPAIRED if self.measured.is_whole else ()
        return [*(label for label in FORMS[self.form].claims if label not in of_class), *derived]

    @property
    def _warnings(self) -> list[str]:
        if isinstance(self.found.sigma, Mapping):
            return []
        return noise_warnings(self.found.sigma * math.sqrt(self.used.count / self.used.norm_total))

    def to_json(self) -> dict[str, object]:
        """Plain JSON."""
        found, used, form = self.found, self.used, FORMS[self.form]
        record: dict[str, object] = {
            "value": found.value, "sigma": self.sigma, "parts": dict(found.parts), "kl": found.kl,
            "floor": found.floor,
            "constants": {
                "G_u": used.sharpness_total, "L": used.norm_total, "P": self.at, "parameters": used.count,
                "residual": used.residual,
            },
            "form": self.form, "budgets": self.budgets, "perturbation": self.perturbation,
            "constant_baseline": self.constant_baseline, "vacuous": self.vacuous,
            "assumptions_checked": False, "informative": False if self.vacuous else None,
            "formula": form.formula, "bounds": form.bounds, "assumes": self.assumes, "claims": self.claims,
            "warnings": self._warnings, "advice": list(_ADVICE) if self.measured != Measured() else [],
        }  # fmt: skip
        if self.truncated is not None:
            best, value = self.truncated
            parts = {"sharpness": value / 3, "norm": 2 * value / 3}
            record["truncated"] = {"sigma": best, "value": value, "parts": parts}
        return record


def sharpness_bound(
    asked: Request, form: str = "repaired", *, subgaussian: float | None = None, clip: float | None = None,
    perturbation: str = "none", sigma: float | None = None, budgets: str | None = None,
) -> SharpnessBound:  # fmt: skip
    """A bound of paper 1; σ is the best, M is 1 and the budgets are the form's own unless given.

    Raises:
        InputError: for an unknown form, or an option that the form does not take.
    """
    if form not in FORMS:
        raise InputError("--form", ", ".join(FORMS), repr(form), "choose one of these")
    chosen = FORMS[form]
    check_perturbation(perturbation)
    numbers = {"subgaussian": subgaussian, "clip": clip, "sigma": sigma}
    given = {name: value for name, value in numbers.items() if value is not None}
    _check_options(form, given, asked, perturbation)
    used = asked.budgets(budgets or chosen.budgets)
    check_setting(asked.samples, asked.delta, **given)

    from boundaudit.numeric.sharpness.bound import BOUNDS, truncated_optimum

    p = _perturbation(perturbation, asked, clip)
    names = {"subgaussian": "proxy"}
    options: dict[str, Perturbation] = {names.get(name, name): value for name, value in given.items()}
    if "perturbation" in chosen.takes:
        options["perturbation"] = p
    found = BOUNDS[chosen.bound](used, samples=asked.samples, delta=asked.delta, **options)
    baseline = asked.constant_baseline((clip or 1.0) if "clip" in chosen.takes else math.inf)
    truncated = None
    if chosen.bound == "shared-variance" and subgaussian is not None:
        truncated = truncated_optimum(used, samples=asked.samples, proxy=subgaussian)
    named = "measured" if asked.measured.is_whole else budgets or chosen.budgets
    return SharpnessBound(
        form, found, used, named, perturbation, _at(p, found), baseline, asked.measured, truncated
    )  # fmt: skip


def noise_warnings(noise_to_norm: float) -> list[str]:
    """What to say of noise that is long beside the weights, σ√p/‖θ‖ times: a warning from 1 on."""
    if noise_to_norm < 1:
        return []
    return [f"the noise is {noise_to_norm:.3g} times as long as the weights, σ√p over ‖θ‖: no Taylor step holds there"]


def check_perturbation(text: str) -> None:
    """Reject a P that is neither none, analytic, derived nor a number. Raises InputError for anything else."""
    if text in _NAMED:
        return
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= _LARGEST:
        expected = f"none, analytic, derived or a number from 0 to {_LARGEST:g}"
        raise InputError("--perturbation", expected, text, "choose one of these")


def _check_options(form: str, given: Mapping[str, float], asked: Request, perturbation: str) -> None:
    """Require what the form takes and nothing else."""
    takes = FORMS[form].takes
    for name in (*given, *(() if _is_none(perturbation) else ("perturbation",))):
        if name not in takes:
            taken = " and ".join(f"--{option}" for option in takes)
            raise InputError(f"--{name}", f"none, as {form} takes {taken} alone", "one", f"leave --{name} out")
    if "subgaussian" in takes and "subgaussian" not in given:
        raise InputError("--subgaussian", f"the constant S of {form}", "none", "give it, or use --form clipped-kl")
    if form == "per-group" and asked.is_measured:
        raise InputError("--form", "one that takes totals", form, "measured totals do not say how groups share them")


def _is_none(perturbation: str) -> bool:
    return perturbation == "none" or (perturbation not in _NAMED and float(perturbation) == 0)


def _perturbation(text: str, asked: Request, clip: float | None) -> Perturbation:
    """P as a number, Theorem 17's polynomial in σ for the class, or our bound on the loss under noise instead."""
    if text == "derived":
        return _derived(asked, clip)
    if text != "analytic":
        return 0.0 if text == "none" else float(text)
    from boundaudit.checks.sharpness.calculators import perturbation_terms
    from boundaudit.numeric.sharpness.bound import polynomial

    return polynomial(perturbation_terms(*asked.known_size))


def _derived(asked: Request, clip: float | None) -> WholeLoss:
    """The derived bound on the mean of min(loss, 1) under noise."""
    if asked.is_measured:
        raise InputError(
            "--perturbation", "none, analytic or a number beside measured numbers", "derived", "leave it out"
        )
    if (clip or 1.0) != 1:
        raise InputError("--clip", "1 with --perturbation derived", clip, "leave --clip out")
    if (length := asked.known_size[0]) < 4:
        raise InputError("--length", "at least 4 with --perturbation derived", length, "use a longer input")
    from boundaudit.checks.sharpness.calculators import noisy_loss
    from boundaudit.numeric.sharpness.bound import WholeLoss

    width = 1 if asked.mlp == "steep" else 2
    coefficients = None if asked.target is None else asked.target.coefficients
    return WholeLoss(noisy_loss(*asked.known_size, width, coefficients))


def _at(perturbation: Perturbation, found: Bound) -> float:
    """P at the σ that was taken."""
    if isinstance(perturbation, float):
        return perturbation
    assert isinstance(found.sigma, float)
    return found.parts["perturbation"] / found.sigma**2
