"""What a reader asks of a statement first: answered by who wrote it down, else from what was found of its claims."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from boundaudit.checks.language.theorem import MOST_WORDS
from boundaudit.checks.language.verdicts import STANDING, VERDICTS
from boundaudit.checks.run.audit import Audited, Failure, Row
from boundaudit.reports.wording import brief_point, count, greek, listed, ratio_text, shortened, sides

TRUE, WHERE, SIZES, RESERVED, CLOSE, INSTEAD, CHANGES = (
    "True as printed?", "From where on not?", "At the paper's sizes", "With what reservations?", "How close?",
    "Write instead", "What changes",
)  # fmt: skip
FIRST = (TRUE, WHERE, SIZES, INSTEAD, CHANGES)
"""What a scoreboard of many statements has room for."""
_LEAST = 0.01
"""Share of a bound below which how near it is reached says nothing about it."""
_ATTAINED, _CLOSE = 1e-9, 1e-3
_LONGEST_POINT = 100
_MOST_RESERVED = 40
"""Words about conditions; what more there is stands with the claims."""


@dataclass(frozen=True)
class Answer:
    """One question and its answer; the formula and its parts in LaTeX, in lines that a narrow screen holds."""

    question: str
    said: str
    formula: str = ""
    parts: str = ""


def answers(row: Row, claims: Mapping[str, Audited]) -> list[Answer]:
    """What a reader asks of a statement first: the answers of its brief; without one those that the record gives."""
    brief = row.theorem.brief
    if brief is not None:
        return [
            Answer(TRUE, brief.true), Answer(WHERE, brief.where),
            Answer(INSTEAD, brief.instead, brief.formula, brief.parts), Answer(CHANGES, brief.changes),
        ]  # fmt: skip
    told = [
        (TRUE, _true(row)), (WHERE, _where(row)), (SIZES, row.theorem.numbers), (RESERVED, _reserved(row)),
        (CLOSE, _close(row)), *_others(row, claims),
    ]  # fmt: skip
    return list(_fitting([Answer(question, said) for question, said in told if said]))


def _fitting(found: Sequence[Answer]) -> Iterator[Answer]:
    """Answers in their order, but for those with which they were longer than a brief may be."""
    words = 0
    for answer in found:
        more = len(answer.said.split())
        if words + more <= MOST_WORDS:
            words += more
            yield answer


def _true(row: Row) -> str:
    if row.state in ("a definition", "not yet read"):
        return {"a definition": "It is a definition.", "not yet read": "Its text did not reach us."}[row.state]
    if row.state == "not testable":
        why = row.theorem.missing or next(filter(None, (part.claim.missing for part in row.parts)), "")
        return f"Not judged: {why.rstrip('.')}."
    reading = row.readings[0].reading.name
    as_read = f", read as “{reading}”" if reading else ""
    by_coq = {case.label for _, case in row.decisive} <= set(row.accepted_by_coq)
    coq = "; Coq accepts the proof too" if by_coq else ""
    carried = row.stands_fully or row.state != "stands"
    rests = "" if carried else " Not all that its printed proof uses is known to stand."
    return f"{_surely(row)}{as_read}{coq}.{rests}"


def _surely(row: Row) -> str:
    verdicts = Counter(part.found[case.label].verdict for part, case in row.decisive)
    if row.state != "stands":
        parts = listed([f"{n} {verdict}" for verdict in VERDICTS if (n := verdicts[verdict])])
        said = f", {row.strength}" if verdicts.total() == 1 else f": {parts} of its {verdicts.total()} parts"
        return f"{'No' if row.state == 'falls' else 'In part'}{said}"
    if len(verdicts) > 1:
        parts = listed([f"{n} {verdict}" for verdict in STANDING if (n := verdicts[verdict])])
        sure = "Nothing was found against" if verdicts["supported"] else "Yes, all of"
        return f"{sure} its {verdicts.total()} parts: {parts}"
    looked = sum(each.evaluations for part, case in row.decisive for each in part.found[case.label].evidence)
    return {
        "certified": "Yes, certified: every point of a finite domain was checked",
        "supported": f"Nothing was found against it in {count(looked, 'evaluation')}: supported, not proved",
    }.get(row.strength, f"Yes, {row.strength}")


def _where(row: Row) -> str:
    """Where another reading falls: the first that does, at the first failure that was found."""
    for judged in row.readings[1:]:
        labels = {case.label for _, case in row.asserted(judged.reading.labels)}
        failed = (failure for failure in row.failures if failure.label in labels)
        if (failure := next(failed, None)) is not None:
            return f"Read as “{judged.reading.name}” it is false: {_failing(failure)}."
    return ""


def _failing(failure: Failure) -> str:
    witness = failure.witness
    left, right = sides(witness.left, witness.right)
    return f"{left} against {right}{_at(witness.to_json()['point'])}"


def _at(point: Mapping[str, object]) -> str:
    """Where, if it is said in symbols of the paper: those of our own have a subscript of letters."""
    said = brief_point(point)
    return f" at {shortened(said, _LONGEST_POINT)}" if all(map(_plain, point)) else ""


def _plain(words: str) -> bool:
    """Whether words are without symbols of our own, which have a subscript, as components and coefficients have."""
    return not re.search(r"\b(?!(?:c|S|h)_)[A-Za-z]+_\w", words)


def _reserved(row: Row) -> str:
    """On what domain, where that is one, and what its claims do not say."""
    if row.state != "stands":
        return ""
    missing = [f"Not judged: {row.theorem.missing}."] if row.theorem.missing else []
    domains = list(dict.fromkeys(case.domain for _, case in row.decisive))
    limits = dict.fromkeys(words for _, case in row.decisive for words in case.limitations)
    told, words = [], 0
    for said in (*missing, *(f"For {greek(domain)}." for domain in domains if len(domains) == 1), *limits):
        words += len(said.split()) if _plain(said) else 0
        if _plain(said) and words <= _MOST_RESERVED:
            told.append(said)
    return " ".join(told)


def _close(row: Row) -> str:
    """How near the two sides of one bound come; of a statement about probabilities that is chance."""
    if row.state != "stands" or len(row.decisive) > 1:
        return ""
    ((part, case),) = row.decisive
    ratio, worst = part.ratio_of(case.label), part.found[case.label].worst
    if ratio is None or ratio < _LEAST or worst is None or "probability" in part.claim.mode:
        return ""
    if abs(ratio - 1) < _ATTAINED:
        return f"Attained{_at(worst.to_json()['point'])}."
    if abs(ratio - 1) < _CLOSE:
        return "The two sides come within a thousandth of each other."
    apart = ratio_text(max(ratio, 1 / ratio), 3)
    return f"Wherever they were measured, the two sides were apart by a factor of {apart} or more."


def _others(row: Row, claims: Mapping[str, Audited]) -> Iterator[tuple[str, str]]:
    """What to write in its place, and what is sharper or, of what was not judged, known."""
    theorem = row.theorem
    known = "What is sharper?" if row.state == "stands" else "What is known?"
    if theorem.successor and not (row.state == "stands" and len(row.readings) == 1):
        yield INSTEAD, _said(theorem.successor, claims)
    if theorem.improvement and theorem.improvement != theorem.successor:
        yield known, _said(theorem.improvement, claims)


def _said(label: str, claims: Mapping[str, Audited]) -> str:
    """A claim's statement and how surely it holds."""
    audited = claims.get(label.partition("[")[0])
    return "" if audited is None else f"{audited.claim.statement} {audited.strength.capitalize()}."
