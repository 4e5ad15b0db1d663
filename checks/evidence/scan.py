"""Integers in order, a million of them, by the definitions in floating point: needles that no sample meets."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import numpy as np

from boundaudit.checks.evidence.batch import Batch, Decision, Looked, violation
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.domain.faces import is_scalar
from boundaudit.checks.language.domain.limits import tree_of, whole_of
from boundaudit.checks.language.expression import FOLDS, walk
from boundaudit.checks.language.floats import Array, evaluate_float, float_column
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.statement import Statement

MOST = 10**6
WORK = 2 * 10**7
"""Nodes of an expression times points, beyond which fewer points are looked at."""
CHUNK = 2**16
RECHECKED = 40
"""Suspects of one chunk that go to exact arithmetic, those furthest beyond the claim first."""


def scan(claim: Claim) -> Looked:
    """Look at the integers of each parameter in order, the others at a few values, and at pairs of small integers.

    Nothing where a side has no definition, adds up a sum, or reads a vector, or where something is said of all indices.
    """
    statement, domain = claim.statement_form, claim.domain
    whole = [name for name, found in domain.ranges.items() if isinstance(found, Integers)]
    looked = Looked(claim)
    if statement is None or not whole or not is_scalar(domain) or domain.each or not (size := _size(statement)):
        return looked
    bases = [*itertools.islice(domain.smallest(2), 1), *domain.grid(3)[-1:]]
    lines = [(base, (name,)) for base in bases for name in whole] + [(base, tuple(whole[:2])) for base in bases[:1]]
    for base, moved in lines:
        if len(whole) == 1 and (len(moved) == 2 or (len(domain.ranges) == 1 and base is not bases[0])):
            continue  # the same line again
        for table in _tables(domain, base, moved, min(MOST, WORK // size // len(lines))):
            looked += _judged(claim, statement, base, moved, table)
            if looked.is_refuted:
                return looked
    return looked


def _size(statement: Statement) -> int:
    """How many nodes both sides have; 0 where one adds up a sum or reads a vector."""
    nodes = [node[0] for side in (statement.left, statement.right) for node in walk(side)]
    return 0 if {*FOLDS, "item"} & set(nodes) else len(nodes)


def _tables(domain: Domain, base: Point, moved: tuple[str, ...], most: int) -> Iterator[dict[str, Array]]:
    """Columns of points in order: one integer counted up, or two of them in a square."""
    side = most if len(moved) == 1 else int(most**0.5)
    low = {name: whole_of(domain.ranges[name].low, base, 1) for name in moved}  # type: ignore[union-attr]
    for start in range(0, side ** len(moved), CHUNK):
        place = np.arange(start, min(start + CHUNK, side ** len(moved)))
        steps = dict(zip(moved, [place] if len(moved) == 1 else np.divmod(place, side), strict=True))
        table = {name: np.array([float(value)]) for name, value in base.items()}
        table |= {name: np.asarray(low[name] + step, dtype=np.float64) for name, step in steps.items()}
        kept = np.broadcast_to(_inside(domain, table), place.shape)
        if kept.any():
            yield {name: column[kept] if name in moved else column for name, column in table.items()}


def _inside(domain: Domain, table: Mapping[str, Array]) -> Array:
    """Which rows lie in the domain, as far as floating point can say."""
    inside = np.ones(1, dtype=bool)
    for name, found in domain.ranges.items():
        if isinstance(found, (Integers, Reals)):
            low, high = tree_of(found.low), tree_of(found.high)
            inside = inside & (True if low is None else table[name] >= evaluate_float(low, table))
            inside = inside & (True if high is None else table[name] <= evaluate_float(high, table))
    for above, below, strict in domain.sides:
        reached = np.greater if strict else np.greater_equal
        inside = inside & reached(evaluate_float(above, table), evaluate_float(below, table))
    return inside


def _judged(
    claim: Claim, statement: Statement, base: Point, moved: tuple[str, ...], table: Mapping[str, Array]
) -> Looked:
    """Send the worst of a chunk to exact arithmetic, and those at which floating point has no value."""
    count = len(table[moved[0]])
    left, right = (float_column(tree, table, count) for tree in (statement.left, statement.right))
    gap = violation(claim.relation, left, right, claim.scale)
    suspect = np.flatnonzero(gap > (claim.rounding if claim.relation == "=" else -claim.rounding))
    worst = suspect[np.argsort(-gap[suspect], kind="stable")][:RECHECKED]
    silent = np.flatnonzero(~np.isfinite(left) | ~np.isfinite(right))[:RECHECKED]
    chosen = np.unique(np.concatenate([worst, silent, [int(np.argmax(gap))]]).astype(int))
    points = [{**base, **{name: int(table[name][i]) for name in moved}} for i in chosen]
    batch = Batch(claim, points, left[chosen], right[chosen])
    found = batch.decide()
    # What cannot be decided out here, within rounding of equality, is left to the methods that measure.
    decision = Decision(found.witness, valueless=found.valueless, against=found.against)
    return Looked(claim, decision, None if claim.is_measured else batch.worst(), int(np.isfinite(gap).sum()))
