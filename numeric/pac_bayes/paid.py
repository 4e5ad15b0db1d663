"""A certified bound with all that its δ pays for: draws behind the risk, choices made, and a grid of what is fixed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from boundaudit.numeric.pac_bayes.alternating import best_tradeoff
from boundaudit.numeric.pac_bayes.certified import certified_inverse, log_over
from boundaudit.numeric.pac_bayes.forms import certified_bound, checked
from boundaudit.numeric.pac_bayes.union import UnionLedger, check_count

FIXED = {
    "catoni": ("temperature",), "subgaussian": ("rate",), "second-moment": ("rate",),
    "unexpected-bernstein": ("rate",), "empirical-bernstein": ("rate", "variance_rate"),
}  # fmt: skip
"""What a form needs fixed in advance, for which a grid stands in."""


@dataclass(frozen=True, kw_only=True)
class PacBayesSetting:
    """What a bound on the Gibbs risk is computed from.

    Attributes:
        risk: r on the samples, exact, or the mean over draws, which is then from 0 to 1.
        kl: K.
        samples: m.
        delta: δ of everything together.
        form: a name in `FORMS`.
        parameters: what the form needs besides; without a temperature or rates a grid of them is tried and paid for;
            without a trade-off the best one is taken, which costs nothing.
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
    """A bound on the Gibbs risk, at least the form's value; InputError for values or parts of δ out of range."""
    for name, count in (*at.choices.items(), *([] if at.draws is None else [("draws", at.draws)])):
        check_count(name, count)
    ledger, counts = UnionLedger(at.delta), dict(at.choices)
    part = at.delta / 2 if at.draws_delta is None else at.draws_delta
    share = None if at.draws is None else ledger.spend("risk from draws", part)
    grid = _grid(at)
    if len(grid) > 1:
        counts[" and ".join(FIXED[at.form])] = len(grid)
    words = "".join(f" × {count} {name}" for name, count in counts.items())
    each = ledger.spend(f"{at.form} bound{words}", ledger.left, math.prod(counts.values()))
    given = {"risk": at.risk, "kl": at.kl, "samples": at.samples, "delta": each}
    free = at.form == "lambda" and "tradeoff" not in at.parameters
    checked(at.form, {**given, **at.parameters, **grid[0], **({"tradeoff": 1.0} if free else {})})
    entered = at.risk
    if at.draws is not None and share is not None:
        entered = certified_inverse(at.risk, log_over(share, at.draws))
    if free:
        grid = [{"tradeoff": float(best_tradeoff(entered, at.kl, at.samples, each))}]
    values = [certified_bound(entered, at.kl, at.samples, each, at.form, **at.parameters, **point) for point in grid]
    return PaidBound(min(values), entered, each, ledger)


def _grid(at: PacBayesSetting) -> list[dict[str, float]]:
    """Values of what has to be fixed in advance: the one given, or a grid that is paid for by a union bound."""
    names = FIXED.get(at.form, ())
    if not names or not at.samples >= 1 or set(names) & set(at.parameters):
        return [{}]
    if at.form == "catoni":
        return [{"temperature": 2 ** (k / 4)} for k in range(-40, 25)]
    if at.form in ("subgaussian", "second-moment"):
        spread = at.parameters["proxy"] ** 2 if at.form == "subgaussian" else at.parameters["moment"]
        return [{"rate": math.sqrt(2 * at.samples / spread) * 2 ** (k / 2)} for k in range(-4, 60)]
    # What is seen in the sample may not choose the rates: they fall from m on, which no useful one exceeds.
    most = at.samples if at.form == "unexpected-bernstein" else max(at.samples - 1, 0.5)
    return [dict.fromkeys(names, most * 2 ** (-k / 2)) for k in range(1, 65)]
