"""A head on frozen features, certified by labelled samples: PAC-Bayes, hold-out beside it, and which to use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from boundaudit import InputError
from boundaudit.numeric.checkpoint import FEWEST, Checkpoint, Head, LabelledFeatures, same_body
from boundaudit.numeric.pac_bayes import (
    FittedPosterior,
    FlatModule,
    UnionLedger,
    bounded_cross_entropy,
    certified_binomial,
    fit_posterior,
    zero_one_loss,
)
from boundaudit.reports.document.shown import Shown, Table

PRIOR, GIVEN, PART = (f"PAC-Bayes, {words}" for words in ("from the prior", "from the given head", "prior from a part"))
HELD_OUT, AS_IT_WAS = "hold-out", "hold-out, untuned"

MOST_WEIGHTS = 50_000_000
"""Their means, scales and what Adam keeps of them take a few gigabytes."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is to be certified."""

    model: Path  # the checkpoint; its head may have seen the samples
    data: Path  # features and labels, an .npz file
    head: str
    pretrained: Path | None  # the checkpoint before tuning, which has seen none of the samples
    rank: int | None  # of an update of the head; all of the head unless given
    split: float  # the part of the samples that a prior is trained on
    delta: float  # δ of all rows together
    steps: int  # of each posterior and of the prior that is trained
    rate: float  # Adam's first
    draws: int  # of weights for each certificate
    seed: int  # of the split and all draws


@dataclass(frozen=True, kw_only=True)
class _Given:
    """What the files hold."""

    sample: LabelledFeatures
    tuned: Head
    before: Head  # the head that priors are centred at, or begin from: the pretrained one, or zero
    untuned: bool  # whether it is the pretrained one
    body: int | None  # how many tensors of the body were compared; nothing without a checkpoint to compare with

    @classmethod
    def read(cls, asked: Asked) -> _Given:
        model, sample = Checkpoint.open(asked.model), LabelledFeatures.read(asked.data)
        tuned = Head.read(model, asked.head, sample.features.shape[1])
        sample.check(tuned)
        if asked.pretrained is None:
            return cls(sample=sample, tuned=tuned, before=tuned.zero, untuned=False, body=None)
        pretrained = Checkpoint.open(asked.pretrained)
        untuned = f"{asked.head}.weight" in pretrained.tensors
        before = Head.read(pretrained, asked.head, sample.features.shape[1]) if untuned else tuned.zero
        if before.weight.shape != tuned.weight.shape or (before.bias is None) != (tuned.bias is None):
            got = f"{tuple(before.weight.shape)}, bias {'none' if before.bias is None else 'there'}"
            raise InputError(f"{asked.head}.weight", "the same head in both checkpoints", got, "leave --pretrained out")
        body = same_body(model, pretrained, asked.head)
        return cls(sample=sample, tuned=tuned, before=before, untuned=untuned, body=body)

    def modules(self, asked: Asked) -> tuple[nn.Module, nn.Module]:
        """What is trained: at the prior's centre, and where the first posterior begins."""
        if asked.rank is None:
            return self.before.module(), self.tuned.module()
        return self.before.update(asked.rank, asked.seed), self.before.update(asked.rank, asked.seed, self.tuned)


def certified_head(asked: Asked, told: Callable[[str], object] = str) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Every bound at its share of δ, so that all hold together and the least may be kept; ``told`` hears each row.

    Plain JSON, and what the rows are about: means, standard deviations and the head held to the test, by name.

    Raises:
        InputError: for files, sizes or options that cannot be used.
    """
    if not 0 < asked.split < 1:
        raise InputError("--split", "a part between 0 and 1", asked.split, "correct --split")
    if not 0 < asked.rate <= 1:
        raise InputError("--rate", "a number above 0, at most 1", asked.rate, "correct --rate")
    given = _Given.read(asked)
    count, baseline = len(given.sample.labels), given.sample.constant_error
    first = round(asked.split * count)
    if min(first, count - first) < FEWEST:
        raise InputError("--split", f"{FEWEST} samples in each part", f"{first} and {count - first}", "move --split")
    prior, start = given.modules(asked)
    weights = FlatModule(prior).weights.shape[-1]
    if weights > MOST_WEIGHTS:
        raise InputError(asked.head, f"at most {MOST_WEIGHTS:,} trained weights", weights, "tune fewer, with --rank")
    each = UnionLedger(asked.delta).spend("rows", asked.delta, 5 if given.untuned else 4)
    rows, made = _rows(asked, given.sample, prior, start, each, told)
    if given.untuned:
        rows[AS_IT_WAS] = _held_out(
            "the pretrained head, as it was", given.sample.errors(given.before.module()), count, each
        )
    found = {
        "parameters": {
            "head": asked.head, "classes": len(given.tuned.weight), "features": given.sample.features.shape[1],
            "rank": asked.rank or min(given.tuned.weight.shape), "trained_weights": weights, "samples": count,
            "samples_that_train_a_prior": first, "delta": asked.delta, "delta_of_each_row": each, "seed": asked.seed,
        },
        "value": min(row["value"] for row in rows.values()), "constant_baseline": baseline,
        "error_of_the_given_head": given.sample.errors(given.tuned.module()) / count,
        "body_tensors_compared": given.body,
        "rows": [{"bound": name, **row, "vacuous": row["value"] >= baseline} for name, row in rows.items()],
    }  # fmt: skip
    return found | {"says": _says(found), "notes": _notes(asked, given)}, made


def _rows(
    asked: Asked, sample: LabelledFeatures, prior: nn.Module, start: nn.Module, each: float,
    told: Callable[[str], object],
) -> tuple[dict[str, dict[str, Any]], dict[str, Tensor]]:  # fmt: skip
    """PAC-Bayes by two priors, and hold-out by what the second was trained on; the given head only begins a search."""
    common: dict[str, Any] = {
        "surrogate": bounded_cross_entropy, "delta": each, "steps": asked.steps, "rate": asked.rate,
        "draws": asked.draws, "seed": asked.seed, "progress": False,
    }  # fmt: skip
    data = sample.features, sample.labels
    fitted: dict[str, FittedPosterior] = {}
    options: dict[str, dict[str, Any]] = {PRIOR: {}, GIVEN: {"start": start}, PART: {"split": asked.split}}
    for name, own in options.items():
        told(name)
        fitted[name] = fit_posterior(prior, zero_one_loss, data, **common, **own)
    part, flat = fitted[PART], FlatModule(prior)
    errors = sample.errors(lambda features: flat.output(part.prior.mean, features), part.counted)
    rows = {name: _gibbs(_HEADS[name], found) for name, found in fitted.items()}
    rows[HELD_OUT] = _held_out("the head that a part trained, itself", errors, len(part.counted), each)
    made = {f"held_out.{name}": value for name, value in flat.named(part.prior.mean).items()}
    for key, found in zip(("prior", "given", "part"), fitted.values(), strict=True):
        made |= {f"{key}.{name}": value for name, value in flat.named(found.weights.mean[0]).items()}
        made |= {f"{key}.{name}.sigma": value for name, value in found.sigma.items()}
    return rows, made


_HEADS = {
    PRIOR: "drawn; tuned from the prior's centre, on all samples",
    GIVEN: "drawn; tuned from the given head, on all samples",
    PART: "drawn; trained on a part, then tuned on the rest",
}


def _gibbs(head: str, found: FittedPosterior) -> dict[str, Any]:
    return {
        "head": head, "value": found.value, "on_the_sample": found.risk, "limit": found.limit,
        "without_draws": found.exact, "kl": found.kl, "samples": found.samples, "draws": found.draws,
        "ledger": [entry._asdict() for entry in found.ledger.entries],
    }  # fmt: skip


def _held_out(head: str, errors: int, count: int, delta: float) -> dict[str, Any]:
    return {
        "head": head, "value": certified_binomial(errors, count, delta), "on_the_sample": errors / count,
        "limit": None, "without_draws": None, "kl": None, "samples": count, "draws": None,
        "ledger": [{"name": "binomial tail", "delta": delta, "choices": 1}],
    }  # fmt: skip


def _says(found: Mapping[str, Any]) -> str:
    """Which number to use; all hold together, so that the least may be kept."""
    baseline, rows = found["constant_baseline"], found["rows"]
    if found["value"] >= baseline:
        return (
            f"None of these informs: the best constant prediction is wrong on {baseline:.4g} of the samples. More "
            "samples are needed, fewer trained weights (--rank), or other features."
        )
    drawn, fixed = (
        min((row for row in rows if (row["kl"] is None) == alone), key=lambda row: row["value"])
        for alone in (False, True)
    )
    if fixed["value"] <= drawn["value"]:
        whole = min(row["value"] for row in rows[:2])
        return (
            f"Use {fixed['head']}, at most {fixed['value']:.4g} by hold-out: one head, nothing drawn. PAC-Bayes on all "
            f"samples, at most {whole:.4g}, is for when each of them has to tune the head and none is left for a test."
        )
    return (
        f'Use "{drawn["bound"]}", a head drawn anew for each prediction: at most {drawn["value"]:.4g}. Where it has to '
        f"be one head, use {fixed['head']}: at most {fixed['value']:.4g} by hold-out."
    )


def _notes(asked: Asked, given: _Given) -> list[str]:
    """What the numbers take, and what was looked at."""
    sample, centre = given.sample, "the pretrained head" if given.untuned else "zero"
    notes = [
        f"All rows hold together with probability at least {1 - asked.delta:g} over independent samples of one "
        "distribution, the split and the draws: each has its share of δ, so that the least may be kept. Options that "
        "were tried on these samples (rates, ranks, seeds, splits) are choices too: divide --delta by their number.",
        f"The prior on all samples is centred at {centre}; the given head, which may have seen them, only begins a "
        f"search. On a split, by seed {asked.seed}, a head is trained from {centre} on one part; "
        "PAC-Bayes and hold-out count the other alone. A prior's scale is one of a grid, which a union bound pays for.",
        "PAC-Bayes is for heads drawn anew for each prediction, not for their mean; the mean error over draws enters "
        "by an upper limit, for a tenth of the row's δ. Values are rounded up. Heads compute in single precision, "
        "which the bounds are about.",
        f"The body is that of --pretrained: {given.body} tensors equal. That it saw none of the samples is assumed."
        if given.body
        else "Not checked: that no label of these samples has changed the body whose features these are.",
    ]
    if sample.logits is None:
        notes.append("Not checked: that these features are what the head takes. Add the model's logits to the file.")
    if sample.repeated:
        notes.append(f"{sample.repeated} samples have the features of an earlier one: copies are not independent.")
    return notes


_COLUMNS = {
    "bound": "bound", "value": "risk at most", "on_the_sample": "on its samples", "samples": "samples", "kl": "KL",
}  # fmt: skip


def shown(found: Mapping[str, Any]) -> Shown:
    """The rows of `certified_head` as people read them."""
    rows = [(*(row[key] for key in _COLUMNS), row["head"]) for row in found["rows"]]
    says = f"The given head is wrong on {found['error_of_the_given_head']:.4g} of the samples, which certifies nothing."
    return Shown(
        title="A head, certified", question="", conclusions=[says, found["says"]],
        tables=[Table("Errors on new samples", (*_COLUMNS.values(), "of the head"), rows)], panels=(),
    )  # fmt: skip
