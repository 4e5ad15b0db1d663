"""All forms of paper 1's bound side by side, with curves against the sample size and against the noise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from boundaudit.numeric.sharpness.bound import check_certifiable, check_setting
from boundaudit.reports.bound.forms import CERTIFIED, FORMS, NORM_ALONE
from boundaudit.reports.bound.request import Request
from boundaudit.reports.bound.sharpness import check_perturbation, sharpness_bound

if TYPE_CHECKING:
    from boundaudit.checks.records.study import Panel
    from boundaudit.numeric.sharpness.bound import Deterministic

_SIZES = [10 ** (3 + n / 2) for n in range(15)]
_NOISE = [10 ** (-6 + n / 8) for n in range(41)]

Options = dict[str, Any]
"""Keyword arguments of `sharpness_bound`."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One form: what it bounds and on what conditions, and its value beside the constant baseline.

    Attributes:
        informative_from: the smallest sample at which it is below that; None where there is none, or none is looked
            for.
        certificate: of a certified value, the losses on the sample and the union ledger.
    """

    form: str
    bounds: str
    value: float
    sigma: float | dict[str, float] | None
    kl: float | None
    constant_baseline: float
    assumes: Sequence[str]
    claims: Sequence[str]
    informative_from: float | None
    certificate: Mapping[str, object] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """Plain JSON."""
        return {
            "form": self.form, "bounds": self.bounds, "value": self.value, "sigma": self.sigma, "kl": self.kl,
            "constant_baseline": self.constant_baseline, "vacuous": self.value >= self.constant_baseline,
            "assumes": list(self.assumes), "claims": list(self.claims), "informative_from": self.informative_from,
            **self.certificate,
        }  # fmt: skip


def compare(
    asked: Request, *, subgaussian: float | None, perturbation: str, clip: float, draws: int, seed: int
) -> dict[str, object]:
    """Every form at one setting.

    Args:
        asked: class or target, and sample.
        subgaussian: S; without it the forms that take it are left out.
        perturbation: P for the forms that take it.
        clip: M for the forms that clip.
        draws: noisy networks of the certificate, which is left out if 0, and where measured numbers stand for a
            network that is not at hand.
        seed: of components, training set and draws.

    Returns:
        Plain JSON: ``rows``, each with form, value, σ, KL, constant baseline, whether it says anything and from which
        sample size it does; and what they were asked for.
    """
    check_perturbation(perturbation)
    given = {} if subgaussian is None else {"subgaussian": subgaussian}
    check_setting(asked.samples, asked.delta, clip=clip, **given)
    certify = bool(draws) and not asked.is_measured
    if certify:
        check_certifiable(asked.length, asked.samples, draws)
    rows = [_row(asked, form, options) for form, options in _options(asked, subgaussian, perturbation, clip)]
    rows.append(_deterministic(asked, clip))
    if certify:
        rows.append(_certified(asked, clip, draws, seed))
    rows.extend(_covering_rows(asked))
    return {
        "class": {"length": asked.length, "degree": asked.degree, "sparsity": asked.sparsity},
        "samples": asked.samples, "delta": asked.delta, "subgaussian": subgaussian, "perturbation": perturbation,
        "clip": clip, "rows": [row.to_json() for row in rows],
    }  # fmt: skip


def curves(asked: Request, *, subgaussian: float | None, perturbation: str, clip: float) -> tuple[Panel, Panel]:
    """The forms against the sample size, each at its best σ, and against σ at the sample size asked for.

    Args:
        asked: class or target, and sample.
        subgaussian: S, or None.
        perturbation: P.
        clip: M.

    Returns:
        Two panels.
    """
    from boundaudit.checks.records.study import Panel, Series

    chosen = list(_options(asked, subgaussian, perturbation, clip))
    by_size = [
        Series(form, _SIZES, [_value(replace(asked, samples=size), form, options) for size in _SIZES])
        for form, options in chosen
    ]
    by_noise = [
        Series(form, _NOISE, [_value(asked, form, {**options, "sigma": s}) for s in _NOISE])
        for form, options in chosen
        if "sigma" in FORMS[form].takes
    ]
    for name, value in _others(asked, clip):
        by_size.append(Series(name, _SIZES, [value(size) for size in _SIZES]))
    level = asked.constant_baseline()
    flat = Series("constant baseline", [_SIZES[0], _SIZES[-1]], [level, level])
    edge = Series("constant baseline", [_NOISE[0], _NOISE[-1]], [level, level])
    return (
        Panel("against the sample size", "sample size m", "bound", [*by_size, flat], "xy"),
        Panel("against the noise", "noise σ", "bound", [*by_noise, edge], "xy"),
    )


def _options(
    asked: Request, subgaussian: float | None, perturbation: str, clip: float
) -> Iterator[tuple[str, Options]]:
    """The forms that can be computed for what is asked, with their options."""
    given = {"subgaussian": subgaussian, "clip": clip, "perturbation": perturbation}
    for form, chosen in FORMS.items():
        without = subgaussian is None and "subgaussian" in chosen.takes
        by_block = "perturbation" not in chosen.takes and (perturbation != "none" or asked.is_measured)
        if not (without or by_block):
            yield form, {name: value for name, value in given.items() if name in chosen.takes}


def _value(asked: Request, form: str, options: Options) -> float:
    return sharpness_bound(asked, form, **options).found.value


def _row(asked: Request, form: str, options: Options) -> Row:
    from boundaudit.numeric.sharpness.bound import informative_from

    chosen, whole = FORMS[form], sharpness_bound(asked, form, **options)
    found, level = whole.found, whole.constant_baseline
    first = informative_from(lambda size: _value(replace(asked, samples=size), form, options), level)
    return Row(
        form=form, bounds=chosen.bounds, value=found.value, sigma=whole.sigma, kl=found.kl, constant_baseline=level,
        assumes=chosen.assumes, claims=chosen.claims, informative_from=first,
    )  # fmt: skip


def _norm_alone(asked: Request, clip: float, samples: float) -> Deterministic:
    from boundaudit.numeric.sharpness.bound import norm_alone

    return norm_alone(asked.budgets("repaired"), samples=samples, delta=asked.delta, clip=clip)


def _deterministic(asked: Request, clip: float) -> Row:
    from boundaudit.numeric.sharpness.bound import informative_from

    found, level = _norm_alone(asked, clip, asked.samples), asked.constant_baseline(clip)
    return Row(
        form="norm-alone", bounds="E min(loss, M) at the learner's own parameters", value=found.value,
        sigma=found.sigma, kl=found.kl, constant_baseline=level,
        assumes=["the learner's squared norm is at most L, its loss on the sample at most the construction's"],
        claims=NORM_ALONE,
        informative_from=informative_from(lambda size: _norm_alone(asked, clip, size).value, level),
    )  # fmt: skip


def _certified(asked: Request, clip: float, draws: int, seed: int) -> Row:
    """The certificate for the target, or for one of its class, on a training set that the seed draws."""
    from boundaudit.numeric.sharpness.bound import best_certified, example_target

    target = asked.target or example_target(asked.length, asked.degree, asked.sparsity, seed)
    level = asked.constant_baseline(clip)
    found = best_certified(target, samples=int(asked.samples), draws=draws, clip=clip, delta=asked.delta, seed=seed)
    certificate = {
        "training_loss": found.certificate.mean, "training_loss_limit": found.certificate.upper,
        "ledger": [entry._asdict() for entry in found.union.entries],
    }  # fmt: skip
    return Row(
        form="certified", bounds="E over posterior draws of min(loss, M), at the construction itself",
        value=found.value, sigma=None, kl=found.kl, constant_baseline=level,
        assumes=["the training set is the one that the seed draws; for a learner, K and u at its own weights"],
        claims=CERTIFIED, informative_from=None, certificate=certificate,
    )  # fmt: skip


def _others(asked: Request, clip: float) -> Iterator[tuple[str, Callable[[float], float]]]:
    """Curves beside the forms of the theorem."""
    yield "norm-alone", lambda size: _norm_alone(asked, clip, size).value
    if _printed_for(asked):
        from boundaudit.checks.sharpness.calculators import covering_shape

        yield "covering-shape", covering_shape


def _printed_for(asked: Request) -> bool:
    """The covering baseline is printed for one class alone."""
    return (asked.length, asked.degree, asked.sparsity) == (20, 2, 10)


def _covering_rows(asked: Request) -> Iterator[Row]:
    """The covering baseline where it is printed."""
    if not _printed_for(asked):
        return
    from boundaudit.checks.sharpness.calculators import covering_shape
    from boundaudit.numeric.sharpness.bound import informative_from

    value, level = covering_shape(asked.samples), asked.constant_baseline()
    yield Row(
        form="covering-shape", bounds="E loss, as the shape C √(ln(d m T)/m) through the printed 1.01 at m = 10⁶",
        value=value, sigma=None, kl=None, constant_baseline=level,
        assumes=["its constants are not printed: a shape, no bound"], claims=["sharpness.covering_baseline.constants"],
        informative_from=informative_from(covering_shape, level),
    )  # fmt: skip
