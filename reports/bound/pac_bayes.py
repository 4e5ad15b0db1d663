"""A PAC-Bayes bound as a record, with the union ledger that its δ adds up in."""

from __future__ import annotations

import math
from collections.abc import Mapping

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import FIXED, FORMS, PacBayesSetting, paid_bound

OPTIONS = {
    "proxy": "--subgaussian", "temperature": "--temperature", "tradeoff": "--tradeoff", "order": "--order",
    "moment": "--moment", "variance": "--variance", "sample_moment": "--sample-moment",
    "sample_variance": "--sample-variance", "rate": "--rate", "variance_rate": "--variance-rate",
}  # fmt: skip
"""The option for each parameter of a form."""


def pac_bayes_record(at: PacBayesSetting) -> dict[str, object]:
    """A bound on the Gibbs risk, rounded up. Raises InputError for values out of range, and too large a part of δ."""
    _check_draws(at)
    for name, count in at.choices.items():
        if count < 1:
            raise InputError(f"--choices {name}", "at least 1", count, "count the values that were tried")
    _check_needed(at.form, at.parameters)
    found, form = paid_bound(at), FORMS[at.form]
    return {
        "value": found.value, "form": at.form, "divergence": form.divergence,
        "parts": {"risk": found.risk, "complexity": found.value - found.risk},
        "vacuous": found.value >= 1 if form.bounded else None,
        "ledger": [entry._asdict() for entry in found.ledger.entries], "delta": at.delta,
        "delta_of_each_bound": found.each, "formula": form.formula, "source": form.source,
    }  # fmt: skip


_SEEN = ("disintegrated", "disintegrated-renyi", "unexpected-bernstein", "empirical-bernstein")
"""Forms for one network, and forms that see more of the posterior than its risk."""


def _check_draws(at: PacBayesSetting) -> None:
    """Reject a share of δ without draws, and a risk that cannot be a mean over them."""
    if at.draws is None and at.draws_delta is not None:
        raise InputError("--draws-delta", "none without --draws", at.draws_delta, "give --draws, or leave it out")
    if at.draws is not None and at.draws < 1:
        raise InputError("--draws", "at least 1", at.draws, "say how many draws the risk is a mean over")
    if at.draws is not None and at.form in _SEEN:
        raise InputError("--draws", f"none for form {at.form}", at.draws, "its limit covers the mean of the risk alone")
    if at.draws is not None and not 0 <= at.risk <= 1:
        raise InputError("--risk", "a number from 0 to 1 for a mean over draws", at.risk, "divide by the largest loss")


def _check_needed(form: str, parameters: Mapping[str, float]) -> None:
    """Reject a form without a number, by its option, for which nothing can stand in."""
    if form not in FORMS:
        return
    for name in FORMS[form].parameters:
        if name in ("tradeoff", *FIXED.get(form, ())) and name not in parameters:
            continue
        value = parameters.get(name)
        if value is None or not 0 <= value < math.inf or (value == 0 and not name.startswith("sample_")):
            got = "none" if value is None else value
            raise InputError(OPTIONS[name], f"a positive number for form {form}", got, f"correct {OPTIONS[name]}")
