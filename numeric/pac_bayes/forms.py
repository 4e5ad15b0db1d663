"""The usual PAC-Bayes bounds on the Gibbs risk, one formula each.

Every form holds with probability at least 1-δ over m independent samples, for all posteriors at once. Formulas use
only what PyTorch tensors and Arb balls share, so the same lines give vectorised values with gradients
(`pac_bayes_bound`) and certified upper ends (`certified_bound`). PyTorch is loaded with the first value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb, ctx

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.certified import BITS, certified_inverse, upper_end

if TYPE_CHECKING:
    from torch import Tensor

Number = Any
"""A tensor or a ball."""


@dataclass(frozen=True)
class Form:
    """One PAC-Bayes bound.

    Attributes:
        value: From risk, KL, samples, δ and the parameters by name to the bound.
        source: Where it is from.
        formula: The bound as text.
        bounded: Whether it is for losses in [0, 1].
        parameters: What it needs besides risk, KL, samples and δ.
    """

    value: Callable[..., Number]
    source: str
    formula: str
    bounded: bool = True
    parameters: tuple[str, ...] = ()


def maurer_budget(kl: Number, samples: Number, delta: Number) -> Number:
    """(K + ln(2√m/δ))/m, as E exp(m kl(r‖R)) ≤ 2√m (Maurer 2004)."""
    return (kl + (2 * samples.sqrt() / delta).log()) / samples


def seeger_budget(kl: Number, samples: Number, delta: Number) -> Number:
    """(K + ln((m+1)/δ))/m, as E exp(m kl(r‖R)) ≤ m + 1 (Seeger 2002)."""
    return (kl + ((samples + 1) / delta).log()) / samples


def _inverse(risk: Number, budget: Number) -> Number:
    if isinstance(budget, arb):
        return arb(certified_inverse(float(risk), budget))
    from boundaudit.numeric.pac_bayes.bernoulli import inverse_binary_kl

    return inverse_binary_kl(risk, budget)


def _mcallester(risk: Number, kl: Number, samples: Number, delta: Number) -> Number:
    return risk + (maurer_budget(kl, samples, delta) / 2).sqrt()


def _maurer(risk: Number, kl: Number, samples: Number, delta: Number) -> Number:
    return _inverse(risk, maurer_budget(kl, samples, delta))


def _seeger(risk: Number, kl: Number, samples: Number, delta: Number) -> Number:
    return _inverse(risk, seeger_budget(kl, samples, delta))


def _quadratic(risk: Number, kl: Number, samples: Number, delta: Number) -> Number:
    half = maurer_budget(kl, samples, delta) / 2
    return ((risk + half).sqrt() + half.sqrt()) ** 2


def _catoni(risk: Number, kl: Number, samples: Number, delta: Number, temperature: Number) -> Number:
    exponent = temperature * risk + (kl - delta.log()) / samples
    return (-exponent).expm1() / (-temperature).expm1()


def _subgaussian(risk: Number, kl: Number, samples: Number, delta: Number, proxy: Number, rate: Number) -> Number:
    return risk + rate * proxy**2 / (2 * samples) + (kl - delta.log()) / rate


def _second_moment(risk: Number, kl: Number, samples: Number, delta: Number, moment: Number, rate: Number) -> Number:
    return risk + rate * moment / (2 * samples) + (kl - delta.log()) / rate


FORMS: Mapping[str, Form] = {
    "mcallester": Form(_mcallester, "McAllester 1999, with Maurer's constant", "r + √((K + ln(2√m/δ))/(2m))"),
    "maurer": Form(_maurer, "Maurer 2004", "kl⁻¹(r, (K + ln(2√m/δ))/m)"),
    "seeger": Form(_seeger, "Seeger 2002", "kl⁻¹(r, (K + ln((m+1)/δ))/m)"),
    "quadratic": Form(
        _quadratic, "Rivasplata et al. 2019; Pérez-Ortiz et al. 2021", "(√(r + b) + √b)², b = (K + ln(2√m/δ))/(2m)"
    ),
    "catoni": Form(
        _catoni,
        "Catoni 2007, Theorem 1.2.6",
        "(1 - exp(-C r - (K + ln(1/δ))/m)) / (1 - exp(-C)), C fixed in advance",
        parameters=("temperature",),
    ),
    "subgaussian": Form(
        _subgaussian,
        "Alquier 2024, for losses with E exp(t(R - ℓ)) ≤ exp(t²S²/2)",
        "r + λS²/(2m) + (K + ln(1/δ))/λ, λ fixed in advance",
        bounded=False,
        parameters=("proxy", "rate"),
    ),
    "second-moment": Form(
        _second_moment,
        "for losses ≥ 0 with E_ρ E ℓ² ≤ v: the one-sided form of Haddouche & Guedj 2023; derived here",
        "r + λv/(2m) + (K + ln(1/δ))/λ, λ fixed in advance",
        bounded=False,
        parameters=("moment", "rate"),
    ),
}
"""The forms by name."""

_RANGES: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "risk": ("at least 0", lambda x: x >= 0),
    "kl": ("at least 0", lambda x: x >= 0),
    "samples": ("at least 1", lambda x: x >= 1),
    "delta": ("between 0 and 1", lambda x: (x > 0) & (x < 1)),
    "temperature": ("above 0", lambda x: x > 0),
    "proxy": ("above 0", lambda x: x > 0),
    "rate": ("above 0", lambda x: x > 0),
    "moment": ("above 0", lambda x: x > 0),
}


def pac_bayes_bound(
    risk: Tensor | float, kl: Tensor | float, samples: Tensor | float, delta: Tensor | float, form: str = "maurer",
    **parameters: Tensor | float,
) -> Tensor:  # fmt: skip
    """A PAC-Bayes bound on the Gibbs risk, elementwise and differentiable.

    Example:
        >>> round(float(pac_bayes_bound(0.02, 5000, 60000, 0.025, "mcallester")), 4)
        0.2243

    Args:
        risk: r, the Gibbs risk on the samples; in [0, 1] for the forms of bounded losses (divide by the largest loss).
        kl: K, the relative entropy of posterior to prior in nats.
        samples: m.
        delta: δ, the probability with which the bound may fail.
        form: a name in `FORMS`.
        **parameters: what the form needs besides, fixed before the samples are seen: ``temperature`` C of Catoni's;
            sub-Gaussian ``proxy`` S or second ``moment`` v, with the ``rate`` λ.

    Returns:
        The bound, float64, of the shape to which the arguments broadcast.

    Raises:
        InputError: for an unknown form, a missing or surplus parameter, or a value out of its range.
    """
    import torch

    chosen = {"risk": risk, "kl": kl, "samples": samples, "delta": delta, **parameters}
    values = {name: torch.as_tensor(value, dtype=torch.float64) for name, value in chosen.items()}
    return checked(form, values).value(**values)  # type: ignore[no-any-return]


def certified_bound(
    risk: float, kl: float, samples: float, delta: float, form: str = "maurer", **parameters: float
) -> float:
    """A float that is certainly at least the bound: its upper end in ball arithmetic.

    Example:
        >>> round(certified_bound(0.02, 5000, 60000, 0.025, "maurer"), 4)
        0.1344

    Args:
        risk: as for `pac_bayes_bound`; a float stands for itself, exactly, here and below.
        kl: K.
        samples: m.
        delta: δ.
        form: a name in `FORMS`.
        **parameters: what the form needs besides.

    Returns:
        The upper end.

    Raises:
        InputError: as `pac_bayes_bound`.
    """
    values: dict[str, float] = {"risk": risk, "kl": kl, "samples": samples, "delta": delta, **parameters}
    chosen = checked(form, values)
    with ctx.workprec(BITS):
        return upper_end(chosen.value(**{name: arb(value) for name, value in values.items()}))


def checked(name: str, values: Mapping[str, Any]) -> Form:
    """The form of that name, where the values are what it needs.

    Args:
        name: a name in `FORMS`.
        values: risk, kl, samples, delta and the parameters by name: numbers, or tensors of them.

    Returns:
        The form.

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
    for field, value in values.items():
        words, holds = _RANGES[field]
        if not _everywhere(holds(value)):
            raise InputError(field, f"a number {words}", _shown(value), f"correct {field}")
    if form.bounded and not _everywhere(values["risk"] <= 1):
        raise InputError("risk", "a number from 0 to 1", _shown(values["risk"]), "divide by the largest loss")
    return form


def _needs(form: Form) -> str:
    return " and ".join(form.parameters) or "nothing besides risk, kl, samples and delta"


def _everywhere(holds: Any) -> bool:
    return holds if isinstance(holds, bool) else bool(holds.all())


def _shown(value: Any) -> str:
    return str(value if isinstance(value, float | int) or value.numel() > 1 else value.item())
