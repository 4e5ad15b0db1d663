"""Claims that hold from somewhere on: ``as n→∞`` promises nothing at n = 1.

Points can support such a claim and never prove it: what is told is from where on no violation was found. Nor can points
refute it, however far out they lie: a proof of the opposite from somewhere on can.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.evidence.counterexample import counterexample
from boundaudit.checks.evidence.evidence import Evidence, Witness, Worst
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.statement import Statement

FAR = 400
TAILS = 4
"""How often a tail may turn out to have started too early."""
FURTHEST = 10**15
"""Beyond this, a tail has no far points left."""

Gather = Callable[[Claim], list[Evidence]]
"""From a claim to what search and sweep say of it."""
Proves = Callable[[Statement], bool]


def judge_tails(claim: Claim, name: str, batch: Batch, gather: Gather, proves: Proves) -> tuple[Claim, list[Evidence]]:
    """Judge a claim that is violated somewhere on its tails, each beyond all violations that are known.

    ``gather`` searches and sweeps a claim. A tail on which no violation was found, and what speaks for it; else the
    claim, and a proof of the opposite from somewhere on, or how far out it is violated.
    """
    looked = [*_fates(batch), *_fates(_far(claim))]
    last = _last(looked, name, violated=True)
    for _ in range(TAILS):
        tail = _tail(claim, name, last)
        if tail is None:
            break
        evidence = gather(tail)
        seen = [found.point[name] for e in evidence if (found := _violation_of(e)) is not None]
        if not seen:
            return tail, [replace(e, covers=f"from {name} = {_start(last)} on: {e.covers}") for e in evidence]
        last = max(2 * last, *seen)
    return claim, [_opposite(claim, name, looked, proves) or _open(name, looked, last)]


def _violation_of(evidence: Evidence) -> Witness | Worst | None:
    """The violation that a method found, if it found one."""
    return evidence.witness or (evidence.worst if evidence.outcome == "violated" else None)


def _far(claim: Claim) -> Batch:
    """Points far out by the definitions in floating point; none without them."""
    statement = claim.statement_form
    if statement is None:
        return Batch(claim, [], np.empty(0), np.empty(0))
    return Batch.defined(claim, statement, claim.domain.far(FAR))


def _fates(batch: Batch) -> list[tuple[Point, bool]]:
    """Points with whether the claim is violated there, where floating point can say."""
    gaps = zip(batch.points, batch.violation, strict=True)
    return [(point, bool(gap > batch.claim.rounding)) for point, gap in gaps if not np.isneginf(gap)]


def _last(looked: Sequence[tuple[Point, bool]], name: str, *, violated: bool) -> Any:
    """The largest value of the parameter at which the claim is, or is not, violated; 0 where there is none."""
    return max((point[name] for point, broken in looked if broken is violated), default=0)


def _start(last: Any) -> int:
    beyond: int = math.floor(last) + 1
    return max(1, beyond)


def _tail(claim: Claim, name: str, last: Any) -> Claim | None:
    """The claim beyond a value of the parameter; None where nobody can look that far out."""
    found, start = claim.domain.ranges[name], _start(last)
    assert isinstance(found, (Integers, Reals))
    stated = claim.statement_form is not None
    if start > (FURTHEST if stated else found.tested_to / 2):
        return None
    beyond: Any = replace(found, low=start, tested_to=max(int(found.tested_to), 4 * start if stated else 0))
    return replace(claim, domain=claim.domain.replace(**{name: beyond}))


def _opposite(claim: Claim, name: str, looked: Sequence[tuple[Point, bool]], proves: Proves) -> Evidence | None:
    """The opposite, proved from somewhere on: the only thing that refutes such a claim."""
    statement, last = claim.statement_form, _last(looked, name, violated=False)
    tail = _tail(claim, name, last)
    if statement is None or claim.relation == "=" or tail is None:
        return None
    larger, smaller = (statement.left, statement.right)[:: 1 if claim.relation == "<=" else -1]
    if not proves(Statement(smaller, "<", larger, tail.domain.to_json())):
        return None
    points = (point for point, broken in looked if broken and point[name] > last)
    witness = next((found for point in points if (found := counterexample(claim, point)) is not None), None)
    covers = f"from {name} = {_start(last)} on the opposite is proved"
    return Evidence("proof", "violated", covers, 1, whole_domain=True, witness=witness) if witness else None


def _open(name: str, looked: Sequence[tuple[Point, bool]], last: Any) -> Evidence:
    """Violations as far out as anybody looked: nothing shows that they end, or that they do not."""
    against = f"it is violated as far out as {name} = {last}, and nothing shows whether it holds from somewhere on"
    return Evidence(
        "search", "violated", f"{len(looked)} points, far ones in geometric steps", len(looked), against=against
    )
