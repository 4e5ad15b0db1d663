"""Search for a counterexample: all small points, far ones, integers in order, Hypothesis, a climb, steps from its best.

Nothing here knows a chapter: points come from the claim's own domain, and what is
maximised is the ratio of the sides, as `batch.score` has it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import hypothesis
import numpy as np
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from boundaudit.checks.evidence.ascent import LINES, ascend
from boundaudit.checks.evidence.batch import RECHECKING, SILENT, Batch, Decision, Looked, decided_by
from boundaudit.checks.evidence.climb import GENERATION, Climb
from boundaudit.checks.evidence.counterexample import certainly_holds, counterexample
from boundaudit.checks.evidence.crossings import crossings
from boundaudit.checks.evidence.evidence import Evidence, Step, Worst
from boundaudit.checks.evidence.scan import scan
from boundaudit.checks.evidence.seeds import derived_seed
from boundaudit.checks.evidence.shortened import shortened
from boundaudit.checks.evidence.shrink import shrink
from boundaudit.checks.evidence.stationary import CLOSE, refine
from boundaudit.checks.evidence.swarm import swarm, swarm_afar
from boundaudit.checks.evidence.sweep import sweep_points
from boundaudit.checks.evidence.tables import tables
from boundaudit.checks.evidence.thresholds import thresholds
from boundaudit.checks.evidence.together import shapes, together
from boundaudit.checks.language.arithmetic import LONGEST_SUM, effort
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.long_sums import ADDED_UP, outer_sums, terms_of
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.progress import doing
from boundaudit.checks.language.statement import Statement

CHUNK = 256
LARGEST = 64
"""The largest size of the points taken in order; listing anew for each size costs its square."""
ROUNDS = 8
"""Rounds of steps from the best that a claim gets at least where nothing is measured: to evaluate it costs little."""
SWARMING, SWARMING_MORE = 20, 4
"""Generations of a swarm that a claim gets at least, and more of them for each of the climb's."""
BESIDE = 96
"""Points of a sweep beside which thresholds are looked at."""
LONGEST = 12
"""Steps of a climb that the evidence keeps."""


def search(
    claim: Claim,
    *,
    smallest: int,
    examples: int,
    generations: int,
    seed: int,
    device: str,
    starts: Sequence[tuple[Point, float]] = (),
) -> Evidence:
    """Look for a counterexample as hard as the budget allows.

    Exhaustively first, ``smallest`` points in the order of the parameters; then Hypothesis; then the climb, in
    generations of at most 48 points, a quarter of them steps from the best, of which a claim gets more where neither
    side is measured. ``starts`` come close to a violation, with their scores. Violated with a witness, or without one
    where a measurement speaks against the claim and nothing confirms it; else holds, or undecided where a suspect
    stayed so.
    """
    doing(f"search: {smallest} smallest points, {examples} examples, {generations} generations of a climb")
    rounds = -(-generations // 4)
    steps = rounds if claim.is_measured else max(rounds, ROUNDS)
    looked = _exhaustive(claim, smallest, device)
    path: tuple[Step, ...] = ()
    scanned = 0
    tops: list[tuple[Point, float]] = []
    if not looked.is_refuted:
        flown, tops = _flown(claim, SWARMING + SWARMING_MORE * generations, seed)
        looked += flown
    if not looked.is_refuted:
        climb = Climb(claim, seed, device)
        climb.run(generations - rounds)
        highest = climb.path[-1].worst if climb.path else None
        # Where a swarm has been, what is measured need not reach: it flies by the definitions.
        known = [*(() if claim.is_measured else tops), *starts, *((line.point, line.score) for line in climb.lines)]
        known += [] if looked.worst is None else [(looked.worst.point, _score(claim, looked.worst))]
        tied = _tied(claim, [*sweep_points(claim.domain, BESIDE, seed), *(point for point, _ in known)], device)
        swept = _scanned(claim)
        scanned = swept.count
        for found in (
            tied, _far(claim), swept, _hypothesis(claim, examples, seed, device),
            Looked(claim, climb.decision, highest, climb.looked), ascend(claim, known, steps, seed, device),
        ):  # fmt: skip
            looked += found
        if not looked.is_refuted and looked.worst is not None:
            looked += _refined(claim, [looked.worst.point, *(point for point, _ in known)], device)
        path = thinned(climb.path) if climb.decision.witness else ()
    decision, worst, witness = looked.decision, looked.worst, looked.decision.found
    if witness is not None and witness.order != order_of(claim):
        witness = shrink(claim, witness)
    outcome = decision.outcome if looked.count or witness else "undecided"
    covers = (
        "small points in order, corners and a swarm from them, another through sizes, laws of a few outcomes, vectors "
        "of two and three entries as numbers, integers where terms all but agree, where a condition just holds, far "
        "ones in geometric steps and close to the ends, also with many terms, long vectors that fall, "
        f"{examples} Hypothesis examples, "
        f"a climb of at most {(generations - rounds + steps) * GENERATION:,} points with steps from its best"
    )
    covers += f", {scanned:,} integers in order in floating point" if scanned else ""
    return Evidence(
        "search", outcome, covers, looked.count, worst=worst, witness=witness, path=path, notes=decision.notes,
        against=decision.speaks(claim, worst), seed=seed, device=device,
    )  # fmt: skip


def _flown(claim: Claim, generations: int, seed: int) -> tuple[Looked, list[tuple[Point, float]]]:
    """Swarms near and afar, needles and short laws, for each alternative of the domain, until one refutes; the tops."""
    looked = Looked(claim)
    tops: list[tuple[Point, float]] = []
    for piece in claim.domain.pieces:
        part, flights = replace(claim, domain=piece), generations // len(claim.domain.pieces)
        near, best = swarm(part, flights, seed)
        looked += near
        tops += best
        if not looked.is_refuted:
            looked += swarm_afar(part, flights, seed) + Looked(part, crossings(part) + tables(part, seed))
        if not looked.is_refuted:
            looked += Looked(part, _shortened(part, flights, seed))
    return looked, tops


def _shortened(claim: Claim, generations: int, seed: int) -> Decision:
    """The same for a claim about vectors at short lengths: what refutes it."""
    for short, lifted in shortened(claim):
        found = swarm(short, generations, seed)[0].decision
        found += Decision() if found.witness else swarm_afar(short, generations, seed).decision + crossings(short)
        witness = found.witness and counterexample(claim, lifted(found.witness.point))
        if witness is not None:
            return decided_by(witness)
    return Decision()


def _tied(claim: Claim, points: Sequence[Point], device: str) -> Looked:
    """At the thresholds of conditions beside some points, those that are written shortest first."""
    return Batch.measure(claim, sorted(thresholds(claim, points), key=lambda point: len(str(point))), device).looked()


def _scanned(claim: Claim) -> Looked:
    """Integers in order, for each alternative of the domain."""
    return sum((scan(replace(claim, domain=piece)) for piece in claim.domain.pieces), Looked(claim))


def _score(claim: Claim, worst: Worst) -> float:
    """The score of a case."""
    return float(Batch(claim, [worst.point], np.array([worst.left]), np.array([worst.right])).score[0])


def _refined(claim: Claim, points: Sequence[Point], device: str) -> Looked:
    """Stationary points beside those that nearly touch equality."""
    if claim.relation == "=" or claim.statement_form is None:
        return Looked(claim)
    batch = Batch.measure(claim, points, device)
    close = [point for point, gap in zip(points, batch.violation, strict=True) if gap > -CLOSE]
    return refine(claim, claim.statement_form, close[:LINES])


def thinned(path: Sequence[Step]) -> tuple[Step, ...]:
    """A path of at most twelve steps: its ends, and evenly spaced ones between."""
    kept = min(len(path), LONGEST)
    return tuple(path[round(i * (len(path) - 1) / max(kept - 1, 1))] for i in range(kept))


def order_of(claim: Claim) -> str:
    """The order in which points of a claim count as small."""
    return f"smallest by {', '.join(claim.domain.ranges)}"


def _exhaustive(claim: Claim, budget: int, device: str) -> Looked:
    """The first violation among all small points, in order: the smallest of them."""
    points, looked = _small_points(claim, budget), Looked(claim)
    for start in range(0, len(points), CHUNK):
        looked += Batch.measure(claim, points[start : start + CHUNK], device).looked(order_of(claim))
        if looked.is_refuted:
            break
    return looked


FAR = 400
LONG, ADDING = 8, 8 * RECHECKING
"""Points at which floating point adds up more of them, and steps of work for the one that is furthest beyond."""


def _far(claim: Claim) -> Looked:
    """Far out on infinite ranges and close to open ends, by the definitions: what was measured does not reach there."""
    statement = claim.statement_form
    if statement is None:
        return Looked(claim)
    sums = [total for side in (statement.left, statement.right) for total in outer_sums(side)]
    more = [*together(claim), *shapes(claim)]
    every = [*claim.domain.far(FAR), *more[:: max(1, -(-len(more) // FAR))]]
    terms = [terms_of(statement.goal, point) for point in every]
    reached = [point for point, count in zip(every, terms, strict=True) if count <= ADDED_UP]
    beyond = [point for point, count in zip(every, terms, strict=True) if LONGEST_SUM < count < math.inf]
    beyond = beyond[:: max(1, -(-len(beyond) // SILENT))]  # in balls alone, of runs of terms
    near, silent = Batch.defined(claim, statement, reached), np.full(len(beyond), np.nan)
    batch = Batch.joined(claim, [near, Batch(claim, beyond, silent, silent)])
    # A difference of high order, that far out, is too small for balls: what they leave open within rounding of equality
    # counts for nothing. Nor are floats that cancel on the way a measurement that strays from its definition.
    found = replace(batch.decide(), undecided=0, astray=0)
    if found.witness is None and not any(any(outer_sums(total[3])) for total in sums):
        long = [point for point, count in zip(every, terms, strict=True) if ADDED_UP < count <= LONGEST_SUM]
        found += _added_up(claim, statement, long[:: max(1, -(-len(long) // LONG))])
    return Looked(claim, found, batch.worst() if found.against else None, batch.usable)


def _added_up(claim: Claim, statement: Statement, points: Sequence[Point]) -> Decision:
    """Long sums in floating point: what certainly speaks against the claim there."""
    batch = Batch.defined(claim, statement, points)
    if not points or batch.violation.max() <= claim.rounding:
        return Decision()
    with effort(ADDING):
        witness = counterexample(claim, points[int(batch.violation.argmax())])
    return Decision() if witness is None else decided_by(witness)


TRIED, MOVED = 20, 5
"""Candidates that the exhaustive phase looks at, over all sizes, for each point of its budget; fewer where equations
move each of them onto a surface."""


def _small_points(claim: Claim, budget: int) -> list[Point]:
    """All points of the largest size that fits the budget, as far as so many candidates reach."""
    points: list[Point] = []
    left = (MOVED if claim.domain.moves else TRIED) * budget
    for size in range(1, min(budget, LARGEST) + 1):
        larger: list[Point] = []
        for point in claim.domain.candidates(size):
            left -= 1
            if point is not None:
                larger.append(point)
            if len(larger) > budget or left == 0:
                return points or larger[:budget]
        if len(larger) == len(points) and size > 8:
            return points
        points = larger
    return points


@contextmanager
def _no_constants_from_source() -> Iterator[None]:
    """Keep Hypothesis from mixing in constants of whatever modules happen to be loaded: receipts must repeat."""
    kept = {name: getattr(providers, name) for name in ("_get_local_constants", "CONSTANTS_CACHE")}
    empty = Constants()
    providers._get_local_constants = lambda: empty
    providers.CONSTANTS_CACHE = {}  # type: ignore[assignment]
    try:
        yield
    finally:
        for name, value in kept.items():
            setattr(providers, name, value)


TARGETED = 4
"""Times the examples that Hypothesis may draw: its own limit counts neither those that follow a target nor rejected."""


class _Enough(BaseException):
    """Ends Hypothesis, which takes any other exception for a failure to be shrunk."""


def _bounded(strategy: st.SearchStrategy[Point], most: int) -> st.SearchStrategy[Point]:
    """The same points, for so many draws, those that a range or a relation rejects among them."""
    draws = itertools.count()

    @st.composite
    def points(draw: st.DrawFn) -> Point:
        if next(draws) >= most:
            raise _Enough
        return draw(strategy)

    return points()


def _hypothesis(claim: Claim, examples: int, seed: int, device: str) -> Looked:
    """Let Hypothesis hunt the largest violation; a certain violation is shrunk."""
    seen: list[Batch] = []
    failing: list[Point] = []
    work = effort(RECHECKING)

    def falsify(point: Point) -> None:
        batch = Batch.measure(claim, [point], device)
        seen.append(batch)
        if np.isfinite(batch.score[0]):
            hypothesis.target(float(batch.score[0]))
        if len(batch.suspects()):
            with work:
                holds = certainly_holds(claim, point)
            if holds is False:
                failing.append(point)
                raise AssertionError

    quiet: dict[str, Any] = {"database": None, "deadline": None, "print_blob": False}
    quiet |= {"suppress_health_check": list(HealthCheck), "verbosity": hypothesis.Verbosity.quiet}
    run = settings(max_examples=examples, phases=(Phase.generate, Phase.target, Phase.shrink), **quiet)
    strategy = _bounded(claim.domain.strategy(), TARGETED * examples)
    test = hypothesis.seed(derived_seed(seed, claim.domain.key, "hypothesis"))(run(hypothesis.given(strategy)(falsify)))
    try:
        with _no_constants_from_source():
            test()
    except (AssertionError, _Enough, hypothesis.errors.FlakyStrategyDefinition):
        pass  # a counterexample, or the end of the budget, in which Hypothesis may see a flaky strategy
    except hypothesis.errors.Unsatisfiable:
        return Looked(claim)
    batch = Batch.joined(claim, seen)
    witness = counterexample(claim, failing[-1], "shrunk by Hypothesis") if failing else None
    return batch.looked() if witness is None else Looked(claim, decided_by(witness), batch.worst(), batch.usable)
