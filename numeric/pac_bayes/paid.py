"""A certified bound with all that its δ pays for: draws behind the risk, choices made, and a grid of what is fixed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from boundaudit.numeric.pac_bayes.certified import certified_inverse, log_over
from boundaudit.numeric.pac_bayes.forms import certified_bound, checked
from boundaudit.numeric.pac_bayes.union import UnionLedger

_FIXED = {"catoni": "temperature", "subgaussian": "rate", "second-moment": "rate"}
"""What a form needs fixed in advance."""


@dataclass(frozen=True)
class PaidBound:
    """A bound that holds with probability at least 1-δ, everything together.

    Attributes:
        value: certified from above.
        risk: what entered: the risk, or its upper confidence limit.
        each: δ of each of the bounds that were tried.
        ledger: what of δ went where.
    """

    value: float
    risk: float
    each: float
    ledger: UnionLedger


def paid_bound(
    *, risk: float, kl: float, samples: float, delta: float, form: str, parameters: Mapping[str, float],
    draws: int | None = None, draws_delta: float | None = None, choices: Mapping[str, int] | None = None,
) -> PaidBound:  # fmt: skip
    """A bound on the Gibbs risk, certified to be at least the form's value.

    Args:
        risk: r on the samples, exact, or the mean over draws, which is then from 0 to 1.
        kl: K.
        samples: m.
        delta: δ of everything together.
        form: a name in `FORMS`.
        parameters: what the form needs besides; without a temperature or rate a grid of them is tried and paid for.
        draws: how many independent posterior draws (each with one random sample) the risk is a mean over.
        draws_delta: the part of δ for that mean; half of δ unless given.
        choices: how many values were tried of what had to be fixed in advance, by name.

    Returns:
        The bound.

    Raises:
        InputError: for values out of range or a part of δ that is too large.
    """
    ledger, counts = UnionLedger(delta), dict(choices or {})
    part = delta / 2 if draws_delta is None else draws_delta
    share = None if draws is None else ledger.spend("risk from draws", part)
    grid = _grid(form, samples, parameters)
    if len(grid) > 1:
        counts[_FIXED[form]] = len(grid)
    words = "".join(f" × {count} {name}" for name, count in counts.items())
    each = ledger.spend(f"{form} bound{words}", ledger.left, math.prod(counts.values()))
    checked(form, {"risk": risk, "kl": kl, "samples": samples, "delta": each, **parameters, **grid[0]})
    entered = risk if draws is None or share is None else certified_inverse(risk, log_over(share, draws))
    value = min(certified_bound(entered, kl, samples, each, form, **parameters, **point) for point in grid)
    return PaidBound(value, entered, each, ledger)


def _grid(form: str, samples: float, parameters: Mapping[str, float]) -> list[dict[str, float]]:
    """Values of what has to be fixed in advance: the one given, or a grid that is paid for by a union bound."""
    name = _FIXED.get(form)
    if name is None or name in parameters or not samples >= 1:
        return [{}]
    if form == "catoni":
        return [{name: 2 ** (k / 4)} for k in range(-40, 25)]
    spread = parameters["proxy"] ** 2 if form == "subgaussian" else parameters["moment"]
    return [{name: math.sqrt(2 * samples / spread) * 2 ** (k / 2)} for k in range(-4, 60)]
