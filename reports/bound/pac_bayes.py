"""A PAC-Bayes bound as a record, with the union ledger that its δ adds up in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import FORMS, paid_bound


def pac_bayes_record(
    *, risk: float, kl: float, samples: float, delta: float, form: str, parameters: Mapping[str, float],
    draws: int | None = None, draws_delta: float | None = None, choices: Mapping[str, int] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """A bound on the Gibbs risk, certified to be at least the form's value.

    Args:
        risk: r on the samples, exact, or the mean over draws.
        kl: K.
        samples: m.
        delta: δ of everything together.
        form: a name in `FORMS`.
        parameters: what the form needs besides; without a temperature or rate a grid of them is tried and paid for.
        draws: how many independent posterior draws (each with one random sample) the risk is a mean over.
        draws_delta: the part of δ for that mean; half of δ unless given.
        choices: how many values were tried of what had to be fixed in advance, by name.

    Returns:
        Plain JSON.

    Raises:
        InputError: for values out of range or a part of δ that is too large.
    """
    if draws is None and draws_delta is not None:
        raise InputError("--draws-delta", "none without --draws", draws_delta, "give --draws, or leave it out")
    if draws is not None and draws < 1:
        raise InputError("--draws", "at least 1", draws, "say how many draws the risk is a mean over")
    if draws is not None and not 0 <= risk <= 1:
        raise InputError("--risk", "a number from 0 to 1 for a mean over draws", risk, "divide by the largest loss")
    for name, count in (choices or {}).items():
        if count < 1:
            raise InputError(f"--choices {name}", "at least 1", count, "count the values that were tried")
    _check_needed(form, parameters)
    found = paid_bound(
        risk=risk, kl=kl, samples=samples, delta=delta, form=form, parameters=parameters, draws=draws,
        draws_delta=draws_delta, choices=choices,
    )  # fmt: skip
    return {
        "value": found.value, "form": form, "parts": {"risk": found.risk, "complexity": found.value - found.risk},
        "vacuous": found.value >= 1 if FORMS[form].bounded else None,
        "ledger": [entry._asdict() for entry in found.ledger.entries], "delta": delta,
        "delta_of_each_bound": found.each, "formula": FORMS[form].formula, "source": FORMS[form].source,
    }  # fmt: skip


def _check_needed(form: str, parameters: Mapping[str, float]) -> None:
    """Reject a form without the number, by its option, that no grid can stand in for."""
    needed = {"subgaussian": ("proxy", "--subgaussian"), "second-moment": ("moment", "--moment")}
    if form in needed:
        name, option = needed[form]
        value = parameters.get(name)
        if value is None or not 0 < value < math.inf:
            got = "none" if value is None else value
            raise InputError(option, f"a positive number for form {form}", got, f"correct {option}")
