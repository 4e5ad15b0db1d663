"""The usual PAC-Bayes bounds on the Gibbs risk, one formula each.

Every form holds with probability at least 1-δ over m independent samples, for all posteriors at once, those of one
network excepted, which hold for one draw from the posterior. `pac_bayes_bound` gives vectorised values with gradients,
`certified_bound` certain upper ends. PyTorch is loaded with the first value. Bounds that take more than numbers have
modules of their own: `split_kl`, `coin_betting`, and `alternating` for the posterior that makes λ's form least.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, SupportsFloat

from flint import arb, ctx

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import formulas
from boundaudit.numeric.pac_bayes.certified import BITS, upper_end
from boundaudit.numeric.pac_bayes.formulas import Number

if TYPE_CHECKING:
    from torch import Tensor

_KL = "K = KL(ρ‖π), the relative entropy of posterior to prior in nats"


@dataclass(frozen=True)
class Form:
    """One PAC-Bayes bound.

    Attributes:
        value: from risk, KL, samples, δ and the parameters by name to the bound.
        source: where it is from.
        formula: the bound as text.
        bounded: whether it is for losses in [0, 1].
        parameters: what it needs besides risk, KL, samples and δ.
        divergence: what stands for K.
        signed: whether that may be negative.
        anytime: whether it holds for all m at once, for samples that come one by one, with the same δ.
        below: a parameter, its limit in words, and the limit as a function of m.
    """

    value: Callable[..., Number]
    source: str
    formula: str
    bounded: bool = True
    parameters: tuple[str, ...] = ()
    divergence: str = _KL
    signed: bool = False
    anytime: bool = False
    below: tuple[str, str, Callable[[Any], Any]] | None = None


FORMS: Mapping[str, Form] = {
    "mcallester": Form(
        formulas.mcallester, "McAllester 1999, with Maurer's constant", "r + √((K + ln(2√m/δ))/(2m))", anytime=True,
    ),
    "maurer": Form(formulas.maurer, "Maurer 2004", "kl⁻¹(r, (K + ln(2√m/δ))/m)", anytime=True),
    "seeger": Form(formulas.seeger, "Seeger 2002", "kl⁻¹(r, (K + ln((m+1)/δ))/m)", anytime=True),
    "quadratic": Form(
        formulas.quadratic, "Rivasplata et al. 2019; Pérez-Ortiz et al. 2021",
        "(√(r + b) + √b)², b = (K + ln(2√m/δ))/(2m)", anytime=True,
    ),
    "lambda": Form(
        formulas.lambda_form, "Thiemann, Igel, Wintenberger & Seldin 2017; quadratic is its least value over λ",
        "r/(1 - λ/2) + (K + ln(2√m/δ))/(mλ(1 - λ/2)), λ in (0, 2), which may be chosen after the sample",
        parameters=("tradeoff",), anytime=True,
    ),
    "catoni": Form(
        formulas.catoni, "Catoni 2007, Theorem 1.2.6",
        "(1 - exp(-C r - (K + ln(1/δ))/m)) / (1 - exp(-C)), C fixed in advance", parameters=("temperature",),
        anytime=True,
    ),
    "disintegrated": Form(
        formulas.maurer,
        "Rivasplata et al. 2020, Theorem 1; for one network h drawn from the posterior, r and R its own risks",
        "kl⁻¹(r, (ln(ρ(h)/π(h)) + ln(2√m/δ))/m)",
        divergence="K = ln(ρ(h)/π(h)), the logarithm of posterior over prior density at the drawn network h",
        signed=True,
    ),
    "disintegrated-renyi": Form(
        formulas.disintegrated_renyi,
        "Viallard, Germain, Habrard & Morvant 2024; for one network h drawn from the posterior, r and R its own risks",
        "kl⁻¹(r, (D + ln(2√m) + (2α-1)/(α-1) ln(2/δ))/m), D = D_α(ρ‖π), the order α > 1 fixed in advance",
        parameters=("order",), divergence="K = D_α(ρ‖π), Rényi's divergence of order α in nats",
    ),
    "subgaussian": Form(
        formulas.subgaussian, "Alquier 2024, for losses with E exp(t(R - ℓ)) ≤ exp(t²S²/2)",
        "r + λS²/(2m) + (K + ln(1/δ))/λ, λ fixed in advance", bounded=False, parameters=("proxy", "rate"),
    ),
    "second-moment": Form(
        formulas.second_moment,
        "for losses ≥ 0 with E_ρ E ℓ² ≤ v, which alone gives R ≤ √v; the one-sided form of Haddouche & Guedj 2023; "
        "derived here",
        "r + λv/(2m) + (K + ln(1/δ))/λ, λ fixed in advance", bounded=False, parameters=("moment", "rate"),
    ),
    "unexpected-bernstein": Form(
        formulas.unexpected_bernstein,
        "Mhammedi, Grünwald & Guedj 2019; v is the posterior mean of the mean square of the losses on the sample",
        "r + (λ/m) θ(λ/m) v + (K + ln(1/δ))/λ, θ(u) = (-ln(1-u) - u)/u², λ < m fixed in advance",
        parameters=("sample_moment", "rate"), below=("rate", "below m", lambda samples: samples),
    ),
    "empirical-bernstein": Form(
        formulas.empirical_bernstein,
        "in the manner of Tolstikhin & Seldin 2013, with rates in place of their grids; derived here; V is the "
        "posterior mean of the unbiased variance of the losses on the sample",
        "r + (λ/m) φ(λ/m) W + (K + ln(2/δ))/λ, W = (V + (K + ln(2/δ))/κ)/(1 - κ/(2(m-1))), "
        "φ(u) = (exp(u) - 1 - u)/u², λ and κ < 2(m-1) fixed in advance",
        parameters=("sample_variance", "rate", "variance_rate"),
        below=("variance_rate", "below 2(m-1)", lambda samples: 2 * (samples - 1)),
    ),
    "chi-squared": Form(
        formulas.chi_squared,
        "Alquier & Guedj 2018 with p = 2; v is at least the prior's mean of the variance of the loss, 1/4 in [0, 1]",
        "r + √((1 + χ²) v/(mδ)), χ² = E_π (dρ/dπ)² - 1", bounded=False, parameters=("variance",),
        divergence="K = χ²(ρ‖π), the chi-squared divergence of posterior to prior",
    ),
}  # fmt: skip
"""The forms by name."""

_POSITIVE = ("above 0", lambda x: x > 0)
_RANGES: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "risk": ("at least 0", lambda x: x >= 0),
    "kl": ("at least 0", lambda x: x >= 0),
    "samples": ("at least 1, and finite", lambda x: (x >= 1) & (x < float("inf"))),
    "delta": ("between 0 and 1", lambda x: (x > 0) & (x < 1)),
    "tradeoff": ("between 0 and 2", lambda x: (x > 0) & (x < 2)),
    "order": ("above 1", lambda x: x > 1),
    "sample_moment": ("at least 0", lambda x: x >= 0),
    "sample_variance": ("at least 0", lambda x: x >= 0),
    **dict.fromkeys(("temperature", "proxy", "rate", "moment", "variance_rate", "variance"), _POSITIVE),
}


def pac_bayes_bound(
    risk: Tensor | float, kl: Tensor | float, samples: Tensor | float, delta: Tensor | float, form: str = "maurer",
    **parameters: Tensor | float,
) -> Tensor:  # fmt: skip
    """A PAC-Bayes bound on the Gibbs risk, elementwise and differentiable, float64, of the shape of all arguments.

    Args:
        risk: r, the Gibbs risk on the samples; in [0, 1] for the forms of bounded losses (divide by the largest loss).
        kl: K, what the form's ``divergence`` says: the relative entropy of posterior to prior in nats for most.
        samples: m.
        delta: δ, the probability with which the bound may fail.
        form: a name in `FORMS`.
        **parameters: what the form needs besides, as its ``parameters`` and ``formula`` say. What is *fixed in advance*
            may not depend on the samples; a grid of it is paid for by `paid_bound`.

    Raises:
        InputError: for an unknown form, a missing or surplus parameter, or a value out of its range.

    Example:
        >>> round(float(pac_bayes_bound(0.02, 5000, 60000, 0.025, "mcallester")), 4)
        0.2243
        >>> round(float(pac_bayes_bound(0.02, 5000, 60000, 0.025, "lambda", tradeoff=0.8)), 4)
        0.2073
    """
    import torch

    chosen = {"risk": risk, "kl": kl, "samples": samples, "delta": delta, **parameters}
    values = {name: torch.as_tensor(value, dtype=torch.float64) for name, value in chosen.items()}
    return checked(form, values).value(**values)  # type: ignore[no-any-return]


def certified_bound(
    risk: SupportsFloat, kl: SupportsFloat, samples: SupportsFloat, delta: SupportsFloat, form: str = "maurer",
    **parameters: SupportsFloat,
) -> float:  # fmt: skip
    """A float that is certainly at least the bound of `pac_bayes_bound`: its upper end in ball arithmetic.

    A float stands for itself, exactly. NumPy's scalars and tensors of one element are taken as the numbers that they
    hold.

    Raises:
        InputError: as `pac_bayes_bound`, and for what is no single number that float64 or an integer holds.

    Example:
        >>> round(certified_bound(0.02, 5000, 60000, 0.025, "maurer"), 4)
        0.1344
    """
    given = {"risk": risk, "kl": kl, "samples": samples, "delta": delta, **parameters}
    values = {name: exact_number(name, value) for name, value in given.items()}
    chosen = checked(form, values)
    with ctx.workprec(BITS):
        return upper_end(chosen.value(**{name: arb(value) for name, value in values.items()}))


def exact_number(field: str, value: SupportsFloat) -> float | int:
    """A number of Python's or NumPy's, or a tensor of one element, as Python's own, which a ball holds exactly.

    Raises:
        InputError: naming the field, for anything else, and for what float64 would round.
    """
    try:
        number = int(value) if isinstance(value, Integral) else float(value)
        held = number == value or number != number
    except (TypeError, ValueError, RuntimeError, OverflowError):
        held = False
    if not held:
        raise InputError(field, "one number that float64 holds exactly", value, f"give {field} as a float")
    return number


def checked(name: str, values: Mapping[str, Any]) -> Form:
    """The form of that name in `FORMS`, where the values, numbers or tensors by name, are what it needs.

    Raises:
        InputError: for an unknown form, a missing or surplus parameter, or a value out of its range.
    """
    if name not in FORMS:
        raise InputError("form", f"one of {', '.join(FORMS)}", name, "choose one of these")
    form = FORMS[name]
    given = set(values) - {"risk", "kl", "samples", "delta"}
    for field in sorted(given ^ set(form.parameters)):
        what = "a value" if field in form.parameters else f"no such parameter of {name}"
        raise InputError(field, what, "none" if field in form.parameters else "one", f"{name} needs {_needs(form)}")
    for field, words, holds in _conditions(name, values):
        if not everywhere(holds):
            raise InputError(field, f"a number {words}", _shown(values[field]), f"correct {field}")
    return form


def _conditions(name: str, values: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """What must hold: the field, its range in words, and where it does."""
    form = FORMS[name]
    for field, value in values.items():
        words, holds = _RANGES[field]
        if field == "kl" and form.signed:
            words, holds = "that is finite", lambda x: abs(x) < float("inf")
        yield field, words, holds(value)
    if form.bounded:
        yield "risk", "from 0 to 1, the loss being divided by its largest value", values["risk"] <= 1
    if form.below is not None:
        field, words, limit = form.below
        yield field, words, values[field] < limit(values["samples"])


def _needs(form: Form) -> str:
    return " and ".join(form.parameters) or "nothing besides risk, kl, samples and delta"


def everywhere(holds: Any) -> bool:
    """Whether a condition on numbers or tensors holds everywhere."""
    if isinstance(holds, bool):
        return holds
    from boundaudit.numeric.pac_bayes.tensors import every

    return every(holds)


def _shown(value: Any) -> str:
    """A number, or the smallest and the largest of a tensor's as far as they can be looked at."""
    if isinstance(value, float | int):
        return str(value)
    try:
        low, high = float(value.min()), float(value.max())
    except RuntimeError:  # inside torch.vmap
        return "others"
    return str(low) if low == high else f"{low} to {high}"
