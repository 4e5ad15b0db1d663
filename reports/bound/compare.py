"""All forms of paper 1's bound side by side, with curves against the sample size and against the noise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
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

Row = dict[str, Any]
Options = dict[str, Any]


def compare(
    asked: Request, *, subgaussian: float | None, perturbation: str, clip: float, draws: int, seed: int
) -> dict[str, Any]:
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
        "clip": clip, "rows": rows,
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
    found: float = sharpness_bound(asked, form, **options)["value"]
    return found


def _row(asked: Request, form: str, options: Options) -> Row:
    from boundaudit.numeric.sharpness.bound import informative_from

    found = sharpness_bound(asked, form, **options)
    names = ("form", "bounds", "value", "sigma", "kl", "constant_baseline", "vacuous", "assumes", "claims")
    first = informative_from(
        lambda size: _value(replace(asked, samples=size), form, options), found["constant_baseline"]
    )
    return {name: found[name] for name in names} | {"informative_from": first}


def _norm_alone(asked: Request, clip: float, samples: float) -> Deterministic:
    from boundaudit.numeric.sharpness.bound import norm_alone

    return norm_alone(asked.budgets("repaired"), samples=samples, delta=asked.delta, clip=clip)


def _deterministic(asked: Request, clip: float) -> Row:
    from boundaudit.numeric.sharpness.bound import informative_from

    found, level = _norm_alone(asked, clip, asked.samples), asked.constant_baseline(clip)
    return {
        "form": "norm-alone", "bounds": "E min(loss, M) at the learner's own parameters", "value": found.value,
        "sigma": found.sigma, "kl": found.kl, "constant_baseline": level, "vacuous": found.value >= level,
        "assumes": ["the learner's squared norm is at most L, its loss on the sample at most the construction's"],
        "claims": list(NORM_ALONE),
        "informative_from": informative_from(lambda size: _norm_alone(asked, clip, size).value, level),
    }  # fmt: skip


def _certified(asked: Request, clip: float, draws: int, seed: int) -> Row:
    """The certificate for the target, or for one of its class, on a training set that the seed draws."""
    from boundaudit.numeric.sharpness.bound import best_certified, example_target

    target = asked.target or example_target(asked.length, asked.degree, asked.sparsity, seed)
    level = asked.constant_baseline(clip)
    found = best_certified(target, samples=int(asked.samples), draws=draws, clip=clip, delta=asked.delta, seed=seed)
    return {
        "form": "certified", "bounds": "E over posterior draws of min(loss, M), at the construction itself",
        "value": found.value, "sigma": None, "kl": found.kl,
        "constant_baseline": level, "vacuous": found.value >= level,
        "assumes": ["the training set is the one that the seed draws; for a learner, K and u at its own weights"],
        "claims": list(CERTIFIED),
        "informative_from": None, "training_loss": found.certificate.mean,
        "training_loss_limit": found.certificate.upper,
        "ledger": [entry._asdict() for entry in found.union.entries],
    }  # fmt: skip


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
    yield {
        "form": "covering-shape", "bounds": "E loss, as the shape C √(ln(d m T)/m) through the printed 1.01 at m = 10⁶",
        "value": value, "sigma": None, "kl": None, "constant_baseline": level, "vacuous": value >= level,
        "assumes": ["its constants are not printed: a shape, no bound"],
        "claims": ["sharpness.covering_baseline.constants"],
        "informative_from": informative_from(covering_shape, level),
    }  # fmt: skip
