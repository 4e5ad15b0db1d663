"""A certified bound with all that its δ pays for: draws behind the risk, choices made, and a grid of what is fixed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from boundaudit.numeric.pac_bayes.certified import certified_inverse, log_over
from boundaudit.numeric.pac_bayes.forms import certified_bound, checked
from boundaudit.numeric.pac_bayes.union import UnionLedger

_FIXED = {"catoni": "temperature", "subgaussian": "rate", "second-moment": "rate"}
"""What a form needs fixed in advance."""


@dataclass(frozen=True, kw_only=True)
class PacBayesSetting:
    """What a bound on the Gibbs risk is computed from.

    Attributes:
        risk: r on the samples, exact, or the mean over draws, which is then from 0 to 1.
        kl: K.
        samples: m.
        delta: δ of everything together.
        form: a name in `FORMS`.
        parameters: what the form needs besides; without a temperature or rate a grid of them is tried and paid for.
        draws: how many independent posterior draws (each with one random sample) the risk is a mean over.
        draws_delta: the part of δ for that mean; half of δ unless given.
        choices: how many values were tried of what had to be fixed in advance, by name.
    """

    risk: float
    kl: float
    samples: float
    delta: float
    form: str
    parameters: Mapping[str, float]
    draws: int | None = None
    draws_delta: float | None = None
    choices: Mapping[str, int] = field(default_factory=dict)


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


def paid_bound(at: PacBayesSetting) -> PaidBound:
    """A bound on the Gibbs risk, certified to be at least the form's value.

    Args:
        at: the setting.

    Returns:
        The bound.

    Raises:
        InputError: for values out of range or a part of δ that is too large.
    """
    ledger, counts = UnionLedger(at.delta), dict(at.choices)
    part = at.delta / 2 if at.draws_delta is None else at.draws_delta
    share = None if at.draws is None else ledger.spend("risk from draws", part)
    grid = _grid(at)
    if len(grid) > 1:
        counts[_FIXED[at.form]] = len(grid)
    words = "".join(f" × {count} {name}" for name, count in counts.items())
    each = ledger.spend(f"{at.form} bound{words}", ledger.left, math.prod(counts.values()))
    given = {"risk": at.risk, "kl": at.kl, "samples": at.samples, "delta": each}
    checked(at.form, {**given, **at.parameters, **grid[0]})
    entered = at.risk
    if at.draws is not None and share is not None:
        entered = certified_inverse(at.risk, log_over(share, at.draws))
    values = [certified_bound(entered, at.kl, at.samples, each, at.form, **at.parameters, **point) for point in grid]
    return PaidBound(min(values), entered, each, ledger)


def _grid(at: PacBayesSetting) -> list[dict[str, float]]:
    """Values of what has to be fixed in advance: the one given, or a grid that is paid for by a union bound."""
    name = _FIXED.get(at.form)
    if name is None or name in at.parameters or not at.samples >= 1:
        return [{}]
    if at.form == "catoni":
        return [{name: 2 ** (k / 4)} for k in range(-40, 25)]
    spread = at.parameters["proxy"] ** 2 if at.form == "subgaussian" else at.parameters["moment"]
    return [{name: math.sqrt(2 * at.samples / spread) * 2 ** (k / 2)} for k in range(-4, 60)]
