"""All forms of paper 1's bound side by side, with curves against the sample size and against the noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from boundaudit import InputError
from boundaudit.checks.records.study import Panel, Series
from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.sharpness import covering_baseline
from boundaudit.numeric.sharpness.bound.deterministic import Deterministic, deterministic
from boundaudit.numeric.sharpness.bound.grid import Path, best, random_target
from boundaudit.numeric.sharpness.target import Target
from boundaudit.reports.bound.forms import CERTIFIED, FORMS, NORM_ALONE
from boundaudit.reports.bound.request import Request
from boundaudit.reports.bound.sharpness import sharpness_bound

LARGEST = 1e15
"""No sample size beyond this is looked at."""

_SIZES = np.logspace(3, 10, 15)
_NOISE = np.logspace(-6, -1, 41)
PILOT = 200
"""Noisy networks by which each posterior of a path is judged before one is certified."""

_LARGEST_TRAINING = 1e8
_LONGEST = 62

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
    rows = [_row(asked, form, options) for form, options in _options(asked, subgaussian, perturbation, clip)]
    rows.append(_deterministic(asked, clip))
    if draws and not asked.is_measured:
        check_certifiable(asked.length, asked.samples)
        rows.append(_certified(asked, clip, draws, seed))
    rows.extend(_competitor(asked))
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
    chosen = list(_options(asked, subgaussian, perturbation, clip))
    by_size = [
        Series(form, _SIZES.tolist(), [_value(replace(asked, samples=size), form, options) for size in _SIZES])
        for form, options in chosen
    ]
    by_noise = [
        Series(form, _NOISE.tolist(), [_value(asked, form, {**options, "sigma": float(s)}) for s in _NOISE])
        for form, options in chosen
        if "sigma" in FORMS[form].takes
    ]
    for name, value in _others(asked, clip):
        by_size.append(Series(name, _SIZES.tolist(), [value(size) for size in _SIZES.tolist()]))
    level = asked.constant_baseline()
    flat = Series("constant_baseline", [float(_SIZES[0]), float(_SIZES[-1])], [level, level])
    edge = Series("constant_baseline", [float(_NOISE[0]), float(_NOISE[-1])], [level, level])
    return (
        Panel("against the sample size", "sample size m", "bound", [*by_size, flat], "xy"),
        Panel("against the noise", "noise σ", "bound", [*by_noise, edge], "xy"),
    )


def informative_from(value: Callable[[float], float], level: float) -> float | None:
    """The smallest sample size at which a falling bound is below a level.

    Args:
        value: the bound by sample size.
        level: the constant baseline.

    Returns:
        A whole number; None where no sample size up to `LARGEST` does.
    """
    if not value(LARGEST) < level:
        return None
    low, high = 0.0, LARGEST
    while high - low > max(1.0, 1e-9 * high):
        middle = math.sqrt(low * high) if low > 1 else high / 1024
        middle = min(max(math.floor(middle), low + 1), high - 1)
        low, high = (low, middle) if value(middle) < level else (middle, high)
    return math.ceil(high)


def check_certifiable(length: int, samples: float) -> None:
    """Reject what no training set can be drawn for.

    Args:
        length: T.
        samples: m.

    Raises:
        InputError: for a longer input or a larger sample than can be held.
    """
    for name, value, most in (("--samples", samples, _LARGEST_TRAINING), ("--length", length, _LONGEST)):
        if value > most:
            raise InputError(
                name, f"at most {most:g} where a certificate is made", value, "lower it, or give --draws 0"
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
    found = sharpness_bound(asked, form, **options)
    names = ("form", "bounds", "value", "sigma", "kl", "constant_baseline", "vacuous", "assumes", "claims")
    first = informative_from(
        lambda size: _value(replace(asked, samples=size), form, options), found["constant_baseline"]
    )
    return {name: found[name] for name in names} | {"informative_from": first}


def _norm_alone(asked: Request, clip: float, samples: float) -> Deterministic:
    used = asked.budgets("repaired")
    risk = min(used.residual, clip)
    return deterministic(used.norm_total, used.count, samples=samples, delta=asked.delta, risk=risk, clip=clip)


def _deterministic(asked: Request, clip: float) -> Row:
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
    target, level = asked.target or example(asked, seed), asked.constant_baseline(clip)
    found = best(
        Path.of(target), samples=int(asked.samples), draws=draws, pilot=PILOT, clip=clip, delta=asked.delta,
        eta=asked.delta / 10, seed=seed,
    )  # fmt: skip
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


def example(asked: Request, seed: int) -> Target:
    """A target of the class: components side by side where they fit, else random ones; coefficients 1/√ω.

    Args:
        asked: the class.
        seed: of random components.

    Returns:
        The target.
    """
    length, degree, sparsity = asked.length, asked.degree, asked.sparsity
    if degree * sparsity > length:
        return random_target(length, degree, sparsity, seed)
    components = tuple(tuple(range(t * degree + 1, (t + 1) * degree + 1)) for t in range(sparsity))
    return Target(length, components, (sparsity**-0.5,) * sparsity)


def _others(asked: Request, clip: float) -> Iterator[tuple[str, Callable[[float], float]]]:
    """Curves beside the forms of the theorem."""
    yield "norm-alone", lambda size: _norm_alone(asked, clip, size).value
    if _printed_for(asked):
        yield "covering-shape", _covering


def _printed_for(asked: Request) -> bool:
    """The comparison is printed for one class alone."""
    return (asked.length, asked.degree, asked.sparsity) == (20, 2, 10)


def _covering(samples: float) -> float:
    return float(covering_baseline.WITH_LOG.subs(m, samples).evalf())


def _competitor(asked: Request) -> Iterator[Row]:
    if not _printed_for(asked):
        return
    value, level = _covering(asked.samples), asked.constant_baseline()
    yield {
        "form": "covering-shape", "bounds": "E loss, as the shape C √(ln(d m T)/m) through the printed 1.01 at m = 10⁶",
        "value": value, "sigma": None, "kl": None, "constant_baseline": level, "vacuous": value >= level,
        "assumes": ["its constants are not printed: a shape, no bound"],
        "claims": ["sharpness.covering_baseline.constants"],
        "informative_from": informative_from(_covering, level),
    }  # fmt: skip
