"""The state of a statement, from the verdicts of the claims that encode it.

The first of its readings decides: the strongest plausible one. In a setting all that is asserted must hold; a reading
that holds in some settings and fails in others stands in part. Other readings are told, and decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boundaudit.checks.language.theorem import UNTESTED, Reading, Theorem
from boundaudit.checks.language.verdicts import STANDING

OPEN = "open"
"""Of a setting that has no claims, or undecided or vacuous ones: it speaks neither for a statement nor against it."""

Verdicts = Mapping[str, Mapping[str, str]]
"""By label of a claim, the verdict of each case: by the case's label; of one that was not audited, `UNAUDITED`."""
UNAUDITED = "not audited"


@dataclass(frozen=True)
class Judged:
    """A reading and what came of it, one of `theorem.STATES`.

    By setting, its state, one of these or open; cases of a claim that come out differently are settings.
    """

    reading: Reading
    state: str
    settings: Mapping[str, str]

    def where(self, *states: str) -> list[str]:
        """The settings of some states; none where there is one setting."""
        return [name for name, state in self.settings.items() if name and state in states]

    def to_json(self) -> dict[str, Any]:
        """As `theorems --json` prints it."""
        settings = [{"setting": name or None, "state": state} for name, state in self.settings.items()]
        return {"name": self.reading.name or None, "why": self.reading.why or None, "state": self.state,
                "settings": settings}  # fmt: skip


def judged(theorem: Theorem, verdicts: Verdicts) -> list[Judged]:
    """Every reading of a statement of which some claim was audited, the one that decides first."""
    found = ((reading, _settings(reading, verdicts)) for reading in theorem.readings)
    return [Judged(reading, together(settings.values()), settings) for reading, settings in found if settings]


def state_of(theorem: Theorem, readings: Sequence[Judged]) -> str:
    """The state of a statement whose readings were judged."""
    if readings and readings[0].reading == theorem.readings[0]:  # what decides has to have been audited
        return readings[0].state
    return theorem.missing if theorem.missing in UNTESTED else "not testable"


def together(states: Iterable[str]) -> str:
    """The state of a reading, from those of its settings."""
    found = set(states)
    if "falls" in found and found <= {"falls", OPEN, "not testable"}:
        return "falls"
    if found == {"stands"}:
        return "stands"
    return "stands in part" if found & {"stands", "stands in part"} else "not testable"


def _settings(reading: Reading, verdicts: Verdicts) -> dict[str, str]:
    found: dict[str, str] = {}
    unjudged: list[str] = []
    for name, labels in reading.settings.items():
        conjuncts = [_cases(label, verdicts) for label in labels]
        there = [cases for cases in conjuncts if cases]
        if there:
            here = _setting(name, there, whole=len(there) == len(conjuncts))
            found |= {each: _all([state, found.get(each, state)]) for each, state in here.items()}
        else:
            unjudged.append(name)
    return found | {name: _all([OPEN, found.get(name, OPEN)]) for name in unjudged} if found else {}


def _cases(label: str, verdicts: Verdicts) -> dict[str, str]:
    """The verdicts of the cases that a label means."""
    base, case, _ = label.partition("[")
    return {name: verdict for name, verdict in verdicts.get(base, {}).items() if not case or name == label}


def _setting(name: str, conjuncts: Sequence[Mapping[str, str]], *, whole: bool) -> dict[str, str]:
    """The state of all that is asserted in a setting, open where some was not audited; differing cases are settings."""
    states = [_asserted(cases.values()) for cases in conjuncts]
    if "falls" in states or "stands in part" not in states:
        return {name: _all(states if whole else [*states, OPEN])}
    apart = [cases for cases, state in zip(conjuncts, states, strict=True) if state == "stands in part"]
    parts = [(label.partition("[")[2].rstrip("]"), verdict) for cases in apart for label, verdict in cases.items()]
    beside = [state for state in states if state != "stands in part"] + ([] if whole else [OPEN])
    return {
        f"{name}, {part}" if name else part: _all([*beside, *(_asserted([v]) for other, v in parts if other == part)])
        for part, _ in parts
    }


def _asserted(verdicts: Iterable[str]) -> str:
    """The state of one claim."""
    found = {
        "falls" if verdict == "refuted" else "stands" if verdict in STANDING
        else "not testable" if verdict == "not testable" else OPEN
        for verdict in verdicts
    }  # fmt: skip
    if "stands" in found:
        return "stands" if found == {"stands"} else "stands in part"
    return "falls" if "falls" in found else "not testable" if found == {"not testable"} else OPEN


def _all(states: Sequence[str]) -> str:
    """The state of several claims that are all asserted; beside what stands, what cannot be tested leaves part open."""
    found = set(states)
    if "falls" in found:
        return "falls"
    return found.pop() if len(found) == 1 else "stands in part" if found == {"stands", "not testable"} else OPEN
