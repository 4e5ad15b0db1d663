"""Mutants of a statement: what the evidence must be able to kill.

A check that cannot fail is a defect. The same points, with the measured side computed
once, judge variants of the statement that claim more: a constant halved, an exponent
lowered, a term dropped, a sign flipped, a hypothesis removed. A mutant is *killed* by a
confirmed counterexample, *slack* where it holds too on evidence of its own or by an
earlier node of the chain that proves the claim, or else *unexplained*. The flipped direction is scored apart.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from boundaudit.checks.evidence.batch import RECHECKING, Batch, violation
from boundaudit.checks.evidence.evidence import holds_at
from boundaudit.checks.evidence.findings import FATES, Mutation
from boundaudit.checks.evidence.seeds import generator
from boundaudit.checks.language.arithmetic import effort
from boundaudit.checks.language.claim import Claim, Quantity, definition, measured_in
from boundaudit.checks.language.domain import Domain, Range
from boundaudit.checks.language.expression import FOLDS, ZERO, Tree, children, multiply, rational, rebuild
from boundaudit.checks.language.floats import Array, float_column
from boundaudit.checks.language.measuring import table
from boundaudit.checks.language.points import Point, columns
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.text import to_text
from boundaudit.checks.language.translate import to_tree

FLIPPED = {"<=": ">=", ">=": "<=", "=": "="}
_FACTORS = {"halved": Fraction(1, 2), "doubled": Fraction(2), "sign flipped": Fraction(-1)}
WORST = 3
"""Points furthest beyond a mutant, and as many others beyond it, that may kill it."""
WIDER = 120
"""The most points of a grid, and at random, for a claim without one of its hypotheses; or five a mutant, if fewer."""
GRID = 40
"""Points of the ball certificate that can show a mutant slack."""


@dataclass(frozen=True)
class Fate:
    """What became of one mutant: killed, slack or unexplained."""

    name: str
    fate: str


@dataclass(frozen=True)
class Mutant:
    """A variant of a claim: another side, another domain, or another relation."""

    name: str  # what was done
    left: Tree | None  # where it has a definition; likewise right
    right: Tree | None
    relation: str
    domain: Domain
    batch: Batch | None  # its sides at the claim's points; None where a wider domain needs points of its own


def judge_mutants(
    claim: Claim,
    batch: Batch,
    *,
    most: int,
    prove: Callable[[Statement], bool],
    seed: int,
    device: str,
    first: Sequence[str] = (),
) -> Mutation | None:
    """The fates of at most so many mutants of a claim that stands, on its measured points.

    Those named ``first`` are judged in any case; ``prove`` is asked about those that survive. None where no side can be
    mutated.
    """
    court = _Court(claim, batch, prove, min(WIDER, 5 * most), seed, device)
    mutants = [*_altered(claim, batch, device), *_freed(claim)]
    step = max(1, -(-len(mutants) // most))
    fates = [court.judge(mutant) for n, mutant in enumerate(mutants) if n % step == 0 or mutant.name in first]
    if not fates:
        return None
    flipped = None
    if claim.relation != "=":
        left, right = definition(claim.left), definition(claim.right)
        flipped = court.judge(Mutant("direction flipped", left, right, FLIPPED[claim.relation], claim.domain, batch))
    return fates_of(fates, flipped)


def fates_of(fates: Sequence[Fate], flipped: Fate | None) -> Mutation:
    """Mutants by their fate."""
    named = {fate: tuple(found.name for found in fates if found.fate == fate) for fate in FATES}
    return Mutation(named, None if flipped is None else flipped.fate)


def _altered(claim: Claim, batch: Batch, device: str) -> Iterator[Mutant]:
    """Variants of the stated side that claim more than the claim at some measured point."""
    mutate_right = not isinstance(claim.right, Quantity) and to_tree(claim.right) != ZERO
    side = claim.right if mutate_right else claim.left
    if isinstance(side, Quantity):
        yield from _scaled(claim, batch, on_right=isinstance(claim.right, Quantity))
        return
    known = table(side, batch.points, device) if batch.points else {}
    for name, tree in variants(to_tree(side)):
        values = float_column(tree, known, len(batch.points))
        sides = (batch.left, values) if mutate_right else (values, batch.right)
        altered = Batch(claim, batch.points, *sides, batch.error)
        if (altered.violation > batch.violation + 1e-9).any():
            stated_tree = None if measured_in(side) else tree
            stated = (definition(claim.left), stated_tree) if mutate_right else (stated_tree, definition(claim.right))
            yield Mutant(name, stated[0], stated[1], claim.relation, claim.domain, altered)


def _scaled(claim: Claim, batch: Batch, *, on_right: bool) -> Iterator[Mutant]:
    """A measured side times a constant, where there is no stated side to vary."""
    for name, factor in _FACTORS.items():
        factors = (1.0, float(factor)) if on_right else (float(factor), 1.0)
        sides = factors[0] * batch.left, factors[1] * batch.right
        error = batch.error if batch.error is None else max(1.0, abs(float(factor))) * batch.error
        scaled = Batch(claim, batch.points, *sides, error)
        if (scaled.violation > batch.violation + 1e-9).any():
            left, right = definition(claim.left), definition(claim.right)
            if on_right:
                right = right and multiply(rational(factor), right)
            else:
                left = left and multiply(rational(factor), left)
            side = "right" if on_right else "left"
            yield Mutant(f"{name}: the {side} side", left, right, claim.relation, claim.domain, scaled)


def _freed(claim: Claim) -> Iterator[Mutant]:
    """The claim with one hypothesis removed."""
    for what, domain in claim.domain.relaxed().items():
        yield Mutant(
            f"hypothesis removed: {what}",
            definition(claim.left),
            definition(claim.right),
            claim.relation,
            domain,
            None,
        )


def variants(tree: Tree) -> Iterator[tuple[str, Tree]]:
    """Every variant of a side, with what was done to it."""
    terms = list(tree[1:]) if tree[0] == "+" else [tree]
    for i, term in enumerate(terms):
        shown = to_text(term)
        for name, factor in _FACTORS.items():
            changed = multiply(rational(factor), term)
            yield f"{name}: {shown}", _with_term(terms, i, changed)
        if len(terms) > 1:
            yield f"dropped: {shown}", _with_term(terms, i, None)
        for lowered, where in _exponents(term):
            yield f"exponent lowered: {where}", _with_term(terms, i, lowered)


def _with_term(terms: Sequence[Tree], i: int, changed: Tree | None) -> Tree:
    new = [*terms[:i], *([] if changed is None else [changed]), *terms[i + 1 :]]
    return new[0] if len(new) == 1 else ("+", *new)


def _exponents(tree: Tree) -> Iterator[tuple[Tree, str]]:
    """Variants of a tree with one integer exponent of at least 2 lowered by one."""
    if tree[0] == "^" and tree[2][0] == "q" and tree[2][2] == 1 and tree[2][1] >= 2:
        yield ("^", tree[1], rational(tree[2][1] - 1)), to_text(tree)
    if tree[0] in FOLDS:
        return
    parts = children(tree)
    for i, part in enumerate(parts):
        for lowered, where in _exponents(part):
            yield rebuild(tree, [*parts[:i], lowered, *parts[i + 1 :]]), where


@functools.lru_cache(maxsize=32)
def _wider(
    domain: Domain, looked_at: tuple[Range, ...], count: int, seed: int
) -> tuple[Sequence[Point], Sequence[Point]]:
    """A grid and random points of a domain without one of its hypotheses, the same for all claims."""
    return domain.grid(count), domain.sample(count, generator(seed, domain.key, "mutants"))


def _holds(statement: Statement, point: Point, work: effort) -> bool | None:
    with work:
        return holds_at(statement, point)


@dataclass(frozen=True)
class _Court:
    """Judges mutants of one claim on the points that were measured for it."""

    claim: Claim
    batch: Batch
    prove: Callable[[Statement], bool]
    count: int
    seed: int
    device: str

    def judge(self, mutant: Mutant) -> Fate:
        statement = self._statement(mutant)
        for batch in self._batches(mutant):
            gaps = violation(mutant.relation, batch.left, batch.right, self.claim.scale)
            if self._is_killed(mutant, statement, batch, gaps):
                return Fate(mutant.name, "killed")
        slack = self._is_passed(mutant) or (statement is not None and self._holds_too(statement, batch.points, gaps))
        return Fate(mutant.name, "slack" if slack else "unexplained")

    def _is_passed(self, mutant: Mutant) -> bool:
        """Whether an earlier node of the claim's chain already obeys the altered right side."""
        chain, right, points = self.claim.derivation, mutant.right, self.batch.points
        stated = mutant.domain is self.claim.domain and mutant.relation == self.claim.relation
        if chain is None or right is None or not stated or right == definition(self.claim.right):
            return False
        known = columns(points)
        for node in filter(None, (definition(step.value) for step in chain.steps[1:-1])):
            reached, altered = (float_column(side, known, len(points)) for side in (node, right))
            statement = Statement(node, mutant.relation, right, mutant.domain.to_json())  # type: ignore[arg-type]
            if self._holds_on_grid(statement, points, violation(mutant.relation, reached, altered, self.claim.scale)):
                return True
        return False

    @staticmethod
    def _statement(mutant: Mutant) -> Statement | None:
        if mutant.left is None or mutant.right is None:
            return None
        return Statement(mutant.left, mutant.relation, mutant.right, mutant.domain.to_json())  # type: ignore[arg-type]

    def _batches(self, mutant: Mutant) -> Iterator[Batch]:
        """What may kill a mutant: the claim's points, or those of its wider domain, of which a grid often suffices."""
        if mutant.batch is not None:
            yield mutant.batch
            return
        measured: list[Batch] = []
        for points in _wider(mutant.domain, tuple(mutant.domain.ranges.values()), self.count, self.seed):
            measured.append(Batch.measure(self.claim, points, self.device))
            yield Batch.joined(self.claim, measured)

    def _is_killed(self, mutant: Mutant, statement: Statement | None, batch: Batch, gaps: Array) -> bool:
        """Some points beyond it, re-evaluated where the statement has definitions."""
        # The worst by floats may be artefacts of cancellation, so that others are looked at too.
        worst = np.argsort(-gaps, kind="stable")
        points, beyond = batch.points, worst[(gaps > batch.allowed)[worst]].tolist()
        if statement is None:
            return bool(beyond)
        others = beyond[WORST :: max(1, len(beyond) // WORST)][:WORST]
        work = effort(RECHECKING)
        return any(
            mutant.domain.contains(points[i]) and _holds(statement, points[i], work) is False
            for i in (*beyond[:WORST], *others)
        )

    def _holds_too(self, statement: Statement, points: Sequence[Point], gaps: Array) -> bool:
        """Evidence that a mutant holds as well: points of a grid, or else a proof."""
        return self._holds_on_grid(statement, points, gaps) or self.prove(statement)

    def _holds_on_grid(self, statement: Statement, points: Sequence[Point], gaps: Array) -> bool:
        """Whether a statement holds at points of a grid, in balls where floats leave it open."""
        step = max(1, len(points) // GRID)
        sample = range(0, len(points), step)
        clear = (np.isfinite(gaps) & (gaps < -self.claim.rounding))[::step].tolist()
        work = effort(RECHECKING)
        return bool(clear) and all(
            c or _holds(statement, points[i], work) is True for i, c in zip(sample, clear, strict=True)
        )
