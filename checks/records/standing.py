"""Whether what a record says still stands: derived again from its claim, where its evidence counts anew.

Reading a run derives verdicts from evidence. Here the evidence itself is looked at: certificates by the checker,
counterexamples in balls, recorded points against the domain and the claim, trials by their counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypedDict

import numpy as np

from boundaudit import InputError
from boundaudit.checks.evidence.batch import Batch, violation
from boundaudit.checks.evidence.counterexample import certainly_holds, counterexample
from boundaudit.checks.evidence.equality import equality
from boundaudit.checks.evidence.evidence import Evidence, Witness, Worst
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.evidence.grounds import TOO_COARSE, Find, is_ground, is_rounding, obstacles
from boundaudit.checks.evidence.seeds import derived_seed
from boundaudit.checks.evidence.sweep import exact_points
from boundaudit.checks.evidence.trial import SEEDS, Trials, judge_trials
from boundaudit.checks.evidence.verdict import judge
from boundaudit.checks.language import points as point_json
from boundaudit.checks.language.balls import Undefined, evaluate, precision
from boundaudit.checks.language.claim import Claim, Probability, Quantity, definition, measured_in
from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.verdicts import STANDING
from boundaudit.checks.proof.kernel import Rejected, check
from boundaudit.checks.records.border import Misfit, conform
from boundaudit.checks.records.run_writer import RunWriter

AGREEMENT = 1e-12
"""Relative difference up to which two measurements of one case agree."""


def nothing(label: str) -> Sequence[Claim]:
    """What there is to cite for a claim that stands alone."""
    return ()


def flaw(claim: Claim, findings: Findings, find: Find = nothing) -> str | None:
    """What of some findings does not stand, the field and what is wrong with it in one line; None where all stands.

    The claim is under the key that they are bound to. Whether claims that a proof by steps cites stand is asked
    elsewhere.
    """
    try:
        return next(_flaws(claim, findings, find), None)
    except (InputError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as error:
        return f"evidence: {' '.join(str(error).split())}"


def unsound(writer: RunWriter, claim: Claim, find: Find = nothing) -> str | None:
    """What of a receipt of a claim, under its current key, that an interrupted run left does not stand, in one line.

    File, label and field are named; None where all stands.
    """
    try:
        receipt = writer.receipt(claim.label)
    except InputError as error:
        return str(error).rpartition(";")[0]
    wrong = flaw(claim, receipt.findings, find)
    if wrong is None and receipt.fingerprint != claim.fingerprint:
        wrong = "fingerprint: of another statement"
    if wrong is None and receipt.findings.verdict == "undecided" and not receipt.findings.as_expected(claim):
        wrong = "verdict: undecided, by what no key holds perhaps, such as an error budget"
    return None if wrong is None else f"{writer.partial.name}: {claim.label}: {wrong}"


def _flaws(claim: Claim, findings: Findings, find: Find) -> Iterator[str]:
    killed = None if findings.mutation is None else findings.mutation.deaths
    if findings.evidence or claim.missing is not None:
        verdict, _ = judge(findings.evidence, missing=claim.missing, killed=killed)
        if verdict != findings.verdict:
            yield f"verdict: its evidence says {verdict}"
    elif findings.verdict == "not testable":
        yield "verdict: the claim leaves nothing open"
    for i, evidence in enumerate(findings.evidence):
        for field, wrong in _evidence_flaws(claim, findings, evidence, find):
            yield f"evidence[{i}].{field}: {wrong}"
    if findings.worst is not None:
        for wrong in _case_flaws(claim, findings, findings.worst):
            yield f"worst: {wrong}"
    if findings.verdict in STANDING and (stated := equality(claim)).outcome == "undecided":
        yield f"equality: {stated.covers}"


def _evidence_flaws(claim: Claim, findings: Findings, evidence: Evidence, find: Find) -> Iterator[tuple[str, str]]:
    """Fields of one method's evidence, and what is wrong with them."""
    if evidence.method == "proof" and evidence.outcome == "holds":
        yield from _rejected(claim, evidence, find)
    elif evidence.method == "derivation" and claim.derivation is None:
        yield "method", "the claim has no derivation"
    elif evidence.method == "certificate" and evidence.outcome == "holds":
        found = exact_points(claim, 1, 0)
        if not (found.outcome == "holds" and found.whole_domain):
            yield "outcome", f"every point of the domain, decided again, says {found.outcome}"
    elif evidence.method == "trial":
        yield from _miscounted(claim, evidence)
        return
    if evidence.witness is not None:
        yield from (("witness", wrong) for wrong in _witness_flaws(claim, evidence.witness))
    recorded = [("worst", evidence.worst), *(("path", step.worst) for step in evidence.path)]
    for field, worst in recorded:
        if worst is not None:
            yield from ((field, wrong) for wrong in _case_flaws(claim, findings, worst))


def _rejected(claim: Claim, evidence: Evidence, find: Find) -> Iterator[tuple[str, str]]:
    statement = claim.proof_form
    if statement is None:
        yield "certificate", "the claim has no statement that could be proved"
        return
    certificate = dict(evidence.certificate or {})
    if claim.derivation is not None and certificate.get("kind") == "chain" and not is_ground(claim, find):
        yield "certificate", next(obstacles(claim, find), "what its chain stands on is measured by sampling")
        return
    if not is_rounding(claim):
        yield "certificate", TOO_COARSE
        return
    try:
        check(statement, certificate, statements_of(evidence.cites, find))
    except Rejected as reason:
        yield "certificate", f"the checker rejects it: {reason}"


def statements_of(labels: Sequence[str], find: Find) -> dict[str, Statement]:
    """What some labels say, as proofs see it; a label that does not mean one claim alone is left out."""
    found = {label: find(label) for label in labels}
    forms = {label: members[0].proof_form for label, members in found.items() if len(members) == 1}
    return {label: form for label, form in forms.items() if form is not None}


def _witness_flaws(claim: Claim, witness: Witness) -> Iterator[str]:
    inside = is_inside(claim, witness.point)
    again = counterexample(claim, witness.point, witness.order) if inside else None
    if not inside:
        yield f"{shown(witness.point)} is no point of the domain"
    elif again is None:
        yield f"the claim is not violated at {shown(witness.point)}"
    elif not (_same(again.left, witness.left) and _same(again.right, witness.right)):
        yield f"the sides are {again.left} and {again.right}, not {witness.left} and {witness.right}"


def _case_flaws(claim: Claim, findings: Findings, worst: Worst) -> Iterator[str]:
    """A measured case: a point of the domain, with sides that are those of the claim and say what the verdict says."""
    if is_measured_inside(claim, worst.point) is False:
        yield f"{shown(worst.point)} is no point of the domain"
        return
    if findings.verdict not in STANDING or findings.proof is not None or isinstance(claim.left, Probability):
        return
    if relation_at(claim, worst.point, worst.left, worst.right) is False:
        yield f"the claim, which is {findings.verdict}, is violated at {shown(worst.point)}"
    elif Batch(claim, [worst.point], np.array([worst.left]), np.array([worst.right])).decide().close:
        yield f"the sides at {shown(worst.point)} are no further apart than what is measured may be off"
    for name, recorded in (("left", worst.left), ("right", worst.right)):
        value = value_at(claim, name, worst.point)
        if value is not None and not (agree(claim, recorded, value) or _moves_together(claim, worst.point)):
            yield f"the {name} side is {value:.15g}, not {recorded:.15g}"


def _moves_together(claim: Claim, point: Point) -> bool:
    """Whether both sides of an identity between measurements are equal here too: rounding may decide which number."""
    # Along a direction in which a form is largest that is rounding alone, say, both are others on another processor.
    sides = (claim.left, claim.right)
    if claim.relation != "=" or not all(map(measured_in, sides)):
        return False
    return agree(claim, *(float(side_values(side, [point], "cpu")[0]) for side in sides))


def _miscounted(claim: Claim, evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Counts of trials give their outcome, their counterexample and their worst case again."""
    trials = recorded_trials(evidence)
    if trials is None:
        yield "certificate", "no record of trials"
        return
    if any(is_measured_inside(claim, point) is False for point in trials.points):
        yield "certificate.points", "one is no point of the domain"
        return
    if evidence.seed is None or trials.seed not in [derived_seed(evidence.seed, claim.label, word) for word in SEEDS]:
        yield "certificate.seed", "not the one of this claim"
    again = judge_trials(claim, trials, evidence.seed or 0, evidence.device)
    if again.outcome != evidence.outcome:
        yield "outcome", f"the counts say {again.outcome}"
    for name in ("witness", "worst"):
        before, after = getattr(evidence, name), getattr(again, name)
        if not _same_case(before, after):
            yield name, "the counts give another"


def recorded_trials(evidence: Evidence) -> Trials | None:
    """The counts that a record of trials holds; None where they are none."""
    record: Any = evidence.certificate
    try:
        conform(record, _Counts)
    except Misfit:
        return None
    points, events, trials = record["points"], record["events"], record["trials"]
    if trials < 1 or not points or len(points) != len(events) or not all(0 <= count <= trials for count in events):
        return None
    return Trials(list(map(point_json.from_json, points)), np.array(events, dtype=np.int64), trials, record["seed"])


class _Counts(TypedDict):
    """How often an event happened in so many trials at each of some points."""

    points: Sequence[Mapping[str, Any]]
    events: Sequence[int]
    trials: int
    seed: int


def _same_case(before: Any, after: Any) -> bool:
    if before is None or after is None:
        return before is after
    return bool(before.point == after.point) and all(
        _same(getattr(before, side), getattr(after, side)) for side in ("left", "right")
    )


def _same(a: str | float, b: str | float) -> bool:
    """Whether two values are written the same, or are the same to all but the last digits."""
    try:
        return a == b or abs(float(a) - float(b)) <= AGREEMENT * max(abs(float(a)), abs(float(b)))
    except ValueError:
        return False  # one of them is no number: a side without a value


# --- recorded points ------------------------------------------------------------------------------


def is_inside(claim: Claim, point: Point) -> bool | None:
    """Whether a point lies in a claim's domain, whatever somebody has written there; None where nothing decides."""
    try:
        inside: bool | None = claim.domain.contains(point)
    except (InputError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
        return False
    return inside


def is_measured_inside(claim: Claim, point: Point) -> bool | None:
    """Whether a point that was swept lies in the domain: the end of a range is rounded to a float, up or down.

    None where that cannot be decided.
    """
    inside = is_inside(claim, point)
    if inside is not False:
        return inside
    ways: tuple[Callable[[float], Any], ...] = (
        lambda value: Fraction(repr(value)),
        lambda value: math.nextafter(value, math.inf),
        lambda value: math.nextafter(value, -math.inf),
    )
    return any(is_inside(claim, {name: _rounded(value, way) for name, value in point.items()}) for way in ways)


def _rounded(value: Any, way: Callable[[float], Any]) -> Any:
    if isinstance(value, tuple):
        return tuple(_rounded(entry, way) for entry in value)
    return way(value) if isinstance(value, float) else value


def relation_at(claim: Claim, point: Point, left: float, right: float) -> bool | None:
    """Whether a claim holds at a point: as balls say, else as both sides, measured, say beyond their error budget.

    None where neither says.
    """
    said = certainly_holds(claim, point)
    if said is not None or claim.statement_form is not None:
        return said
    beyond = float(violation(claim.relation, np.array([left]), np.array([right]), claim.scale)[0])
    if abs(beyond) <= claim.rounding or not np.isfinite(beyond):
        return None
    return bool(beyond < 0)


def value_at(claim: Claim, name: str, point: Point) -> float | None:
    """What the ``left`` or ``right`` side is at an exact point, by its formula or the definition of what is measured.

    None where it has no definition, or no value there.
    """
    side = getattr(claim, name)
    if not isinstance(side, Quantity):
        return float(side_values(side, [point], "cpu")[0])
    tree = definition(side)
    try:
        with precision(256):
            return None if tree is None else float(evaluate(tree, point))
    except Undefined:
        return None


def agree(claim: Claim, a: float, b: float) -> bool:
    """Whether two measurements of one side agree, within the error budget of the claim."""
    scale = max(claim.scale, 1e-300)
    return a == b or abs(a - b) <= max(AGREEMENT, claim.rounding) * max(abs(a), abs(b), scale)


def shown(point: Point) -> str:
    """A point in words."""
    return ", ".join(f"{name} = {value}" for name, value in point_json.to_json(point).items())
