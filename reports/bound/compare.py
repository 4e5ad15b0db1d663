"""All forms of paper 1's bound side by side, with curves against the sample size and against the noise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from boundaudit.numeric.sharpness.bound import check_certifiable, check_setting
from boundaudit.reports.bound.forms import CERTIFIED, FORMS, NORM_ALONE
from boundaudit.reports.bound.request import Request
from boundaudit.reports.bound.sharpness import SharpnessBound, check_perturbation, sharpness_bound
from boundaudit.reports.wording import listed

if TYPE_CHECKING:
    from boundaudit.checks.records.study import Panel
    from boundaudit.numeric.sharpness import Target
    from boundaudit.numeric.sharpness.bound import Deterministic

_SIZES = [10 ** (3 + n / 2) for n in range(15)]
_NOISE = [10 ** (-6 + n / 8) for n in range(41)]

Options = dict[str, Any]
"""Keyword arguments of `sharpness_bound`."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One form: what it bounds and on what conditions, and its value beside the constant baseline."""

    form: str
    bounds: str
    value: float
    sigma: float | dict[str, float] | None
    kl: float | None
    constant_baseline: float
    assumes: Sequence[str]
    claims: Sequence[str]
    # whether all that it assumes holds for the network that it speaks of; else a value says something only where the
    # learned network is no worse than assumed
    checked: bool = False
    oracle: bool = False  # whether that network is the construction of the known target
    # the smallest sample at which it is below the baseline; None where there is none, or none is looked for
    informative_from: float | None = None
    details: Mapping[str, object] = field(default_factory=dict)  # what belongs to one kind of row alone

    def to_json(self) -> dict[str, object]:
        """Plain JSON."""
        vacuous = self.value >= self.constant_baseline
        return {
            "form": self.form, "bounds": self.bounds, "value": self.value, "sigma": self.sigma, "kl": self.kl,
            "constant_baseline": self.constant_baseline, "vacuous": vacuous, "assumptions_checked": self.checked,
            "informative": False if vacuous else self.checked or None, "oracle": self.oracle,
            "assumes": list(self.assumes), "claims": list(self.claims), "informative_from": self.informative_from,
            **self.details,
        }  # fmt: skip


def compare(
    asked: Request, *, subgaussian: float | None, perturbation: str, clip: float, draws: int | None, seed: int
) -> dict[str, object]:
    """Every form at one setting: ``rows``, ``notes``, each once, and ``says``, what the comparison comes to.

    Without S the forms that take it are left out. The certificate takes so many draws, as many as are enough if None;
    for 0 draws, and where measured numbers stand for a network that is not at hand, it is left out with the networks
    without noise and what is measured under noise.
    """
    length, degree, sparsity = asked.known_size
    check_perturbation(perturbation)
    given = {} if subgaussian is None else {"subgaussian": subgaussian}
    check_setting(asked.samples, asked.delta, clip=clip, **given)
    target = None
    if draws != 0 and not asked.is_measured:
        check_certifiable(length, asked.samples, draws)
        target = _target(asked, seed)
    rows = [_row(asked, form, options, target, seed) for form, options in _options(asked, given, perturbation, clip)]
    rows.append(_norm_alone(asked, clip))
    if target is not None:
        from boundaudit.reports.bound.without_noise import rows_without_noise

        rows.append(_certified(asked, target, clip, draws, seed))
        rows.extend(Row(**one) for one in rows_without_noise(asked, target, clip=clip, seed=seed))
    rows.extend(_covering_rows(asked))
    return {
        "class": {"length": length, "degree": degree, "sparsity": sparsity},
        "samples": asked.samples, "delta": asked.delta, "subgaussian": subgaussian, "perturbation": perturbation,
        "clip": clip, "rows": [row.to_json() for row in rows],
        "notes": list(dict.fromkeys(text for row in rows for text in (row.bounds, *row.assumes))),
        "says": list(_says(rows)),
    }  # fmt: skip


def _target(asked: Request, seed: int) -> Target:
    from boundaudit.numeric.sharpness.bound import example_target

    return asked.target or example_target(*asked.known_size, seed)


def _says(rows: Sequence[Row]) -> Iterator[str]:
    vacuous = [row.form for row in rows if row.value >= row.constant_baseline]
    if len(vacuous) > 1:
        yield f"{listed(vacuous)} are vacuous: which of them is smaller says nothing."
    elif vacuous:
        yield f"{vacuous[0]} is vacuous: it says no more than the best constant prediction."
    by_form = {row.form: row for row in rows}
    if "certified" not in by_form:
        return
    certified = by_form["certified"].value
    below = [row for row in rows if row.checked and row.kl is None and row.value < certified]
    if below:
        named, ends = listed([f"{row.form} ({row.value:.3g})" for row in below]), "s" if len(below) == 1 else ""
        yield f"Without any noise {named} beat{ends} the certified PAC-Bayes value ({certified:.3g})."
    else:
        yield f"No bound for a network without noise is below the certified PAC-Bayes value ({certified:.3g})."
    missed = [row.form for row in rows if row.details.get("subgaussian_met") is False]
    if missed:
        yield f"S as measured around the construction is above the S assumed by {listed(missed)}."


def curves(asked: Request, *, subgaussian: float | None, perturbation: str, clip: float) -> tuple[Panel, Panel]:
    """The forms against the sample size, each at its best σ, and against σ at the sample size asked for."""
    from boundaudit.checks.records.study import Panel, Series

    given = {} if subgaussian is None else {"subgaussian": subgaussian}
    chosen = list(_options(asked, given, perturbation, clip))
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
    asked: Request, given: Mapping[str, float], perturbation: str, clip: float
) -> Iterator[tuple[str, Options]]:
    """The forms that can be computed for what is asked, with their options."""
    numbers = {**given, "clip": clip, "perturbation": perturbation}
    for form, chosen in FORMS.items():
        without = "subgaussian" in chosen.takes and "subgaussian" not in given
        by_block = "perturbation" not in chosen.takes and (perturbation != "none" or asked.is_measured)
        if not (without or by_block):
            yield form, {name: value for name, value in numbers.items() if name in chosen.takes}


def _value(asked: Request, form: str, options: Options) -> float:
    return sharpness_bound(asked, form, **options).found.value


def _row(asked: Request, form: str, options: Options, target: Target | None, seed: int) -> Row:
    from boundaudit.numeric.sharpness.bound import informative_from

    whole = sharpness_bound(asked, form, **options)
    level = whole.constant_baseline
    first = informative_from(lambda size: _value(replace(asked, samples=size), form, options), level)
    return Row(
        form=form, bounds=FORMS[form].bounds, value=whole.found.value, sigma=whole.sigma, kl=whole.found.kl,
        constant_baseline=level, assumes=whole.assumes, claims=whole.claims, informative_from=first,
        details={} if target is None else _under_noise(asked, whole, options.get("subgaussian"), target, seed),
    )  # fmt: skip


def _under_noise(
    asked: Request, whole: SharpnessBound, subgaussian: float | None, target: Target, seed: int
) -> dict[str, object]:
    """What the form assumes about noise beside what is measured around the construction of one target."""
    from boundaudit.numeric.sharpness.bound import under_noise

    found = under_noise(target, whole.sigma, mlp=asked.mlp, seed=seed)
    parts = whole.found.parts
    allowed = parts["residual"] + parts["sharpness"] + parts["perturbation"]
    measured: dict[str, object] = {
        "loss_under_noise": {"assumed": allowed, "measured": found.loss, "draws": found.draws, "inputs": found.inputs}
    }
    if subgaussian is not None:
        measured["subgaussian_assumed"], measured["subgaussian_measured"] = subgaussian, found.lower
        measured["subgaussian_met"] = found.lower <= subgaussian
    return measured


def _found_norm_alone(asked: Request, clip: float, samples: float) -> Deterministic:
    from boundaudit.numeric.sharpness.bound import norm_alone

    return norm_alone(asked.budgets("repaired"), samples=samples, delta=asked.delta, clip=clip)


def _norm_alone(asked: Request, clip: float) -> Row:
    from boundaudit.numeric.sharpness.bound import informative_from

    found, level = _found_norm_alone(asked, clip, asked.samples), asked.constant_baseline(clip)
    return Row(
        form="norm-alone", bounds="E min(loss, M) at the learner's own parameters", value=found.value,
        sigma=found.sigma, kl=found.kl, constant_baseline=level,
        assumes=["the learner's squared norm is at most L, its loss on the sample at most the construction's"],
        claims=NORM_ALONE,
        informative_from=informative_from(lambda size: _found_norm_alone(asked, clip, size).value, level),
    )  # fmt: skip


def _certified(asked: Request, target: Target, clip: float, draws: int | None, seed: int) -> Row:
    """The certificate for the target, or for one of its class, on a training set that the seed draws."""
    from boundaudit.numeric.sharpness.bound import best_certified

    found = best_certified(target, samples=int(asked.samples), draws=draws, clip=clip, delta=asked.delta, seed=seed)
    details = {
        "training_loss": found.certificate.mean, "training_loss_limit": found.certificate.upper,
        "draws": found.certificate.draws, "sampling_surplus": found.surplus,
        "ledger": [entry._asdict() for entry in found.union.entries],
    }  # fmt: skip
    return Row(
        form="certified", bounds="E over posterior draws of min(loss, M), at the construction itself",
        value=found.value, sigma=None, kl=found.kl, constant_baseline=asked.constant_baseline(clip),
        assumes=[
            "oracle: the posterior is the construction of the known target; a learner enters by K and u of its own",
            "the prior's scales were tuned at T = 20, D = 2, ω = 10, on other samples",
        ],
        claims=CERTIFIED, checked=True, oracle=True, details=details,
    )  # fmt: skip


def _others(asked: Request, clip: float) -> Iterator[tuple[str, Callable[[float], float]]]:
    """Curves beside the forms of the theorem."""
    yield "norm-alone", lambda size: _found_norm_alone(asked, clip, size).value
    if _printed_for(asked):
        from boundaudit.checks.sharpness.calculators import covering_shape

        yield "covering-shape", covering_shape


def _printed_for(asked: Request) -> bool:
    """The covering baseline is printed for one class alone."""
    return asked.size == (20, 2, 10)


def _covering_rows(asked: Request) -> Iterator[Row]:
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
