"""Measure a recorded case again: the counterexample of a refuted claim, else its worst case.

A record agrees where the same point of the domain gives the same numbers, where the claim says there what its verdict
says, and where its certificates and counterexamples still stand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from boundaudit import InputError
from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.evidence.counterexample import counterexample
from boundaudit.checks.evidence.evidence import decimal
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.evidence.grounds import Find
from boundaudit.checks.evidence.trial import count
from boundaudit.checks.language import points as point_json
from boundaudit.checks.language.balls import Undefined, evaluate, precision
from boundaudit.checks.language.claim import Claim, Probability, Quantity
from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.verdicts import STANDING
from boundaudit.checks.records.receipt import Receipt, evidence_key
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.records.standing import (
    agree,
    flaw,
    is_inside,
    is_measured_inside,
    recorded_trials,
    relation_at,
)
from boundaudit.checks.run.addresses import find_shipped
from boundaudit.checks.run.named_files import require_named
from boundaudit.checks.run.own_files import load_files


@dataclass(frozen=True)
class Case:
    """A recorded case: a counterexample, or else the worst measured case, with both sides as recorded."""

    point: Point
    left: str | float
    right: str | float


@dataclass(frozen=True)
class Reproduction:
    """A recorded case, measured again."""

    label: str
    claim: str  # its formula
    point: Point
    left: str  # as measured, to 15 digits; likewise ``right``
    right: str
    recorded: tuple[str | float, str | float]
    in_balls: tuple[str, str] | None  # both by their definitions; None where one has none
    inside: bool | None  # whether the point lies in the domain; None where that cannot be decided
    holds: bool | None  # whether the claim does there; None where nothing says
    agrees: bool  # whether the record stands
    because: str | None  # what does not

    def to_json(self) -> dict[str, object]:
        """What `reproduce --json` prints."""
        found = {
            "label": self.label, "claim": self.claim, "point": point_json.to_json(self.point), "left": self.left,
            "right": self.right, "recorded": list(self.recorded), "in balls": self.in_balls and list(self.in_balls),
            "in the domain": self.inside, "holds": self.holds, "agrees": self.agrees, "because": self.because,
        }  # fmt: skip
        optional = {"in balls", "because"}
        return {name: value for name, value in found.items() if value is not None or name not in optional}


def claim_of(run: Run, receipt: Receipt) -> Claim:
    """The claim behind a receipt, loaded from the suite or from the user's own file.

    Raises:
        InputError: where the claim is gone, its meaning or the code that measures it has changed since the run, or the
            run is of a claims file that the user has never named.
    """
    require_named(run.files)
    found = finder(run)(receipt.label)
    if len(found) != 1 or evidence_key(found[0]) != receipt.key:
        raise InputError(receipt.label, "the claim that the run audited", "another or none", "run verify again")
    return found[0]


def finder(run: Run) -> Find:
    """From labels to claims, as a run means them."""
    return load_files(run.files).find if run.files else find_shipped


def recorded_case(label: str, findings: Findings) -> Case:
    """The counterexample, else the worst case, with both sides as recorded.

    Raises:
        InputError: where the run recorded no case.
    """
    found = findings.witness or findings.worst
    if found is None:
        raise InputError(label, "a recorded worst case", "none", "run verify with a larger profile")
    return Case(found.point, found.left, found.right)


def again(claim: Claim, findings: Findings, find: Find = find_shipped) -> Reproduction:
    """Measure the recorded case again.

    Where a proof stands, ball arithmetic is shown but does not speak against it: at the edge of what floats can hold a
    measurement may underflow.

    Raises:
        InputError: where the run recorded no case, or it cannot be measured.
    """
    case = recorded_case(claim.label, findings)
    if isinstance(claim.left, Probability):
        return _counted_again(claim, findings, case)
    inside = _is_inside(claim, findings, case.point)
    if inside is False:
        return _outside(claim, case)
    try:
        batch = Batch.measure(claim, [case.point], "cpu")
    except ArithmeticError as error:
        raise InputError(claim.label, "a recorded point that floats can hold", error, "run verify again") from None
    left, right = float(batch.left[0]), float(batch.right[0])
    statement = claim.statement_form
    balls = _enclosed(claim, findings) if statement is None else _in_balls(statement, case.point)
    holds = relation_at(claim, case.point, left, right)
    pairs = [(left, _number(case.left)), (right, _number(case.right))]
    if statement is None and balls is not None:
        pairs = []  # `flaw` compares what encloses with what is recorded
    elif balls is not None and findings.proof is None:
        measured = zip((claim.left, claim.right), (left, right), balls, strict=True)
        pairs += [(value, _number(ball)) for side, value, ball in measured if isinstance(side, Quantity)]
    because = _contradiction(findings, holds) or flaw(claim, findings, find)
    if because is None and not all(agree(claim, *pair) or _both_without(*pair) for pair in pairs):
        because = "measured again, the sides are not as recorded"
    return Reproduction(
        claim.label, claim.text, case.point, f"{left:.15g}", f"{right:.15g}", (case.left, case.right), balls, inside,
        holds, because is None, because,
    )  # fmt: skip


def _is_inside(claim: Claim, findings: Findings, point: Point) -> bool | None:
    """A counterexample lies in the domain exactly; a point that was swept, up to the rounding of its ends."""
    exact = findings.witness is not None and not isinstance(claim.left, Probability)
    return is_inside(claim, point) if exact else is_measured_inside(claim, point)


def _outside(claim: Claim, case: Case) -> Reproduction:
    """A point at which the claim says nothing: nothing is measured there."""
    because = "the recorded point is not in the domain"
    sides = (case.left, case.right)
    return Reproduction(claim.label, claim.text, case.point, "", "", sides, None, False, None, False, because)


def _contradiction(findings: Findings, holds: bool | None) -> str | None:
    """What the claim says at the recorded point against what the verdict says of it."""
    if findings.verdict == "refuted" and holds is not False:
        return "the claim is refuted, and its counterexample is none"
    if findings.verdict in STANDING and holds is False:
        return f"the claim is {findings.verdict}, and violated at the recorded point"
    return None


def _enclosed(claim: Claim, findings: Findings) -> tuple[str, str] | None:
    """Both sides of a counterexample that an author's enclosures decide: they are recorded, not what was measured."""
    witness = findings.witness and counterexample(claim, findings.witness.point)
    return None if witness is None else (str(witness.left), str(witness.right))


def _in_balls(statement: Statement, point: Point) -> tuple[str, str] | None:
    """Both sides by their definitions; None where one has no value."""
    try:
        with precision(256):
            left, right = (decimal(evaluate(tree, point)) for tree in (statement.left, statement.right))
    except Undefined:
        return None
    return left, right


def _number(value: str | float) -> float:
    """A recorded side; not a number where it has no value."""
    try:
        return float(value)
    except ValueError:
        return math.nan


def _both_without(measured: float, recorded: float) -> bool:
    """Where a side has no value, floating point has none either, or an infinite one."""
    return math.isnan(recorded) and not math.isfinite(measured)


def _counted_again(claim: Claim, findings: Findings, case: Case) -> Reproduction:
    """The recorded trials again, with their seed: the same counts, or something has changed."""
    evidence = next((found for found in findings.evidence if found.method == "trial"), None)
    trials = None if evidence is None else recorded_trials(evidence)
    if trials is None or case.point not in trials.points:
        raise InputError(claim.label, "a record of trials at the recorded point", "none", "run verify again")
    counted = count(claim, trials.points, trials.trials, trials.seed, "cpu").tolist()
    i, right = list(trials.points).index(case.point), side_values(claim.right, [case.point], "cpu")
    because = flaw(claim, findings)
    if because is None and counted != trials.events.tolist():
        because = _other_counts(counted, trials.events.tolist())
    return Reproduction(
        claim.label, claim.text, case.point, f"{counted[i] / trials.trials:.15g}",
        f"{float(right[0]):.15g}",
        (f"{int(trials.events[i]) / trials.trials:.15g}", case.right), None, _is_inside(claim, findings, case.point),
        findings.verdict != "refuted", because is None, because,
    )  # fmt: skip


def _other_counts(counted: Sequence[int], recorded: Sequence[int]) -> str:
    other = sum(a != b for a, b in zip(counted, recorded, strict=True))
    return f"counted again, {other} of {len(recorded)} points have other counts"
