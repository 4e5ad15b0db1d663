"""Short vectors with simple entries, such as laws of a few outcomes and what is drawn from them, many at once.

A statement about random variables often fails where a few outcomes are equally likely and values lie at ends.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from boundaudit.checks.evidence.batch import Batch, Decision
from boundaudit.checks.evidence.seeds import generator
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.language.domain.limits import Empty, exact_limit, whole_of
from boundaudit.checks.language.domain.lines import simple
from boundaudit.checks.language.expression import names
from boundaudit.checks.language.points import Point

DRAWN = 2000
"""Points that are drawn."""
LONGEST = 4
"""Entries of a vector at most, as far as its range allows so few."""
CHECKED = 48
"""Points that go to exact arithmetic, those furthest beyond the claim."""
_SHARES = (0, 4, 2, 1, 3)
"""Quarters of a range at which an entry lies: its ends, or these."""
_SIMPLE = (0, 1, -1, 2, 3)
"""Where an entry without one of its limits lies beside the other one, or zero."""


def tables(claim: Claim, seed: int) -> Decision:
    """What refutes a claim among short vectors with simple entries.

    Nothing where a side has no definition, or the domain no vector among its equations.
    """
    statement, domain = claim.statement_form, claim.domain
    vectors = {name for name, found in domain.ranges.items() if isinstance(found, Vector)}
    laws = vectors & min(map(names, domain.equations), key=len, default=frozenset())
    plain = all(isinstance(found, (Integers, Reals, Vector)) for found in domain.ranges.values())
    if statement is None or not laws or not plain:
        return Decision()
    rng = generator(seed, claim.label, "tables")
    drawn = (_drawn(domain, laws, rng) for _ in range(DRAWN))
    points = list({tuple(point.values()): point for point in drawn if point is not None}.values())
    beyond = Batch.defined(claim, statement, points).violation
    best = [i for i in np.argsort(-beyond, kind="stable") if beyond[i] > claim.rounding]
    inside = [points[i] for i in best[: 8 * CHECKED] if domain.contains(points[i])][:CHECKED]
    found = Batch.defined(claim, statement, inside).decide()
    return Decision(found.witness, valueless=found.valueless)


def _drawn(domain: Domain, laws: set[str], rng: np.random.Generator) -> Point | None:
    """One point: laws with small whole weights, other entries at the ends of their range or at quarters of it."""
    point: Point = {}
    few = int(rng.choice((2, 2, 5)))
    even = bool(rng.random() < 0.5)
    try:
        for name, found in domain.ranges.items():
            if isinstance(found, Integers):
                low, high = found.ends(point)
                point[name] = int(rng.integers(low, min(high, max(low, LONGEST)) + 1))
            elif isinstance(found, Reals):
                point[name] = _entry(found, point, 5, rng)
            elif isinstance(found, Vector):
                count = whole_of(found.length, point, -1)
                if name in laws:
                    weights = [1] * count if even else rng.integers(1, 4, count).tolist()
                    point[name] = tuple(simple(Fraction(weight, sum(weights))) for weight in weights)
                else:
                    point[name] = tuple(_entry(found.entries, point, few, rng) for _ in range(count))
    except Empty:
        return None
    return point


def _entry(found: Any, point: Point, few: int, rng: np.random.Generator) -> int | Fraction:
    """A simple number at an end of a range, or one of some others."""
    low, high = exact_limit(found.low, point), exact_limit(found.high, point)
    chosen = int(rng.integers(few))
    if low is not None and high is not None:
        return simple(low + (high - low) * _SHARES[chosen] / 4)
    step = abs(_SIMPLE[chosen]) if low is not None or high is not None else _SIMPLE[chosen]
    return simple(low + step if low is not None else high - step if high is not None else Fraction(step))
