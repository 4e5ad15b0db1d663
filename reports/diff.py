"""Two runs side by side: which verdicts, ratios and statements changed, and for whom."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property

from boundaudit.checks.language.verdicts import STANDING, accepted
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Audit, Audited, Row
from boundaudit.checks.run.doubts import MOST, Doubt, quick_doubts
from boundaudit.reports.document.document import FALLEN

TOLERANCE = {"cpu": 1e-9, "cuda": 1e-6}
"""Relative difference up to which two ratios are one, by device: two machines round differently, and a GPU sums in
another order; between two devices the larger counts. Verdicts have none."""
_RANK = {**{verdict: rank for rank, verdict in enumerate(STANDING)}, "refuted": len(STANDING) + 1}


@dataclass(frozen=True)
class Side:
    """What one run says about a claim, or one of its cases."""

    verdict: str
    ratio: float | None
    fingerprint: str


@dataclass(frozen=True)
class Change:
    """A claim, or one of its cases, of which two runs say different things."""

    label: str
    old: Side
    new: Side
    expected: str  # the verdict that is pinned now
    tolerance: float  # relative difference up to which two ratios are one
    place: tuple[str, ...] = ()  # the statements that it belongs to
    blast_radius: tuple[str, ...] = ()  # the claims that rest on it, directly or not

    @property
    def ratio_changed(self) -> bool:
        """Whether the worst measured ratio is another."""
        before, after = self.old.ratio, self.new.ratio
        if before is None or after is None:
            return before is not after
        return not math.isclose(before, after, rel_tol=self.tolerance)

    @property
    def is_change(self) -> bool:
        """Whether there is any."""
        same = (self.old.verdict, self.old.fingerprint) == (self.new.verdict, self.new.fingerprint)
        return not same or self.ratio_changed

    @property
    def is_worse(self) -> bool:
        """Whether the claim fell, is less surely known, or is no longer what is expected of it."""
        before, after = (_RANK.get(side.verdict, len(STANDING)) for side in (self.old, self.new))
        was, is_ = (accepted(side.verdict, self.expected) for side in (self.old, self.new))
        return (was and not is_) or (after > before and (self.old.verdict in STANDING or not is_))

    def to_json(self) -> dict[str, object]:
        """One entry of ``changed``."""
        return {
            "label": self.label, "place": list(self.place), "expected": self.expected, "worse": self.is_worse,
            **{
                name: {"old": getattr(self.old, name), "new": getattr(self.new, name)}
                for name in ("verdict", "ratio", "fingerprint")
            },
            "blast_radius": list(self.blast_radius),
        }  # fmt: skip


@dataclass(frozen=True)
class Shift:
    """A theorem whose state changed."""

    row: Row  # as the newer run has it
    old: str  # its state before

    def to_json(self) -> dict[str, object]:
        """One entry of ``theorems``."""
        theorem = self.row.theorem
        return {
            "paper": theorem.paper, "number": theorem.number, "title": theorem.title, "old": self.old,
            "new": self.row.state, "falls": self.row.state in FALLEN, "blast_radius": list(self.row.blast_radius),
        }  # fmt: skip


@dataclass(frozen=True)
class Difference:
    """What changed from one run to another; words, pins and links are those of the newer one."""

    old: Run
    new: Run
    # whether the newer run may hold some of the claims only: what it lacks is not removed then
    partly: bool = field(default=False, kw_only=True)

    @cached_property
    def _audits(self) -> tuple[Audit, Audit]:
        after = Audit(self.new)
        old = self.old
        if self.partly:
            old = replace(
                old, receipts={name: old.receipts[name] for name in self.new.receipts if name in old.receipts}
            )
        return Audit(old, after.catalogue), after

    @property
    def added(self) -> list[str]:
        """Claims and cases that the older run does not have."""
        return [label for label in self.new.receipts if label not in self.old.receipts]

    @property
    def removed(self) -> list[str]:
        """Claims and cases that the newer run does not have."""
        return [] if self.partly else [label for label in self.old.receipts if label not in self.new.receipts]

    @cached_property
    def doubts(self) -> list[Doubt] | None:
        """What of the newer run does not stand, of all where they are few, else of what changed; None: not checked."""
        few = len(self.new.receipts) <= MOST
        return quick_doubts(self.new, list(self.new.receipts) if few else [change.label for change in self.changed])

    @cached_property
    def _both(self) -> list[Change]:
        """Every claim and case of which both runs speak."""
        before, after = self._audits
        return list(_compared(before.claims, after.claims, self.tolerance))

    @property
    def tolerance(self) -> float:
        """Relative difference up to which two ratios are one."""
        devices = (self.old.manifest.device, self.new.manifest.device)
        return max(TOLERANCE.get(device, max(TOLERANCE.values())) for device in devices)

    @property
    def compared(self) -> int:
        """Of how many claims and cases both runs speak."""
        return len(self._both)

    @property
    def changed(self) -> list[Change]:
        """Those of which they say different things; what got worse first, then what has another verdict."""
        found = [change for change in self._both if change.is_change]
        return sorted(found, key=lambda change: (not change.is_worse, change.old.verdict == change.new.verdict))

    @property
    def worse(self) -> list[Change]:
        """The changes for the worse."""
        return [change for change in self.changed if change.is_worse]

    @cached_property
    def theorems(self) -> list[Shift]:
        """The theorems whose state changed."""
        before = {row.theorem.label: row.state for row in self._audits[0].theorems}
        rows = [row for row in self._audits[1].theorems if row.theorem.label in before]
        return [Shift(row, before[row.theorem.label]) for row in rows if before[row.theorem.label] != row.state]

    def to_json(self) -> dict[str, object]:
        """What `diff --json` prints."""
        return {
            "old": _run(self.old), "new": _run(self.new), "tolerance": self.tolerance, "compared": self.compared,
            "added": self.added, "removed": self.removed, "changed": [change.to_json() for change in self.changed],
            "theorems": [shift.to_json() for shift in self.theorems], "worse": [change.label for change in self.worse],
            "doubts": None if self.doubts is None else list(map(asdict, self.doubts)),
        }  # fmt: skip


def _compared(before: Mapping[str, Audited], after: Mapping[str, Audited], tolerance: float) -> Iterator[Change]:
    """Every case that both sides know."""
    for label, audited in after.items():
        if label not in before:
            continue
        for case in audited.cases:
            if case.label in before[label].found:
                old, new = _side(before[label], case.label), _side(audited, case.label)
                links = tuple(audited.claim.place), tuple(audited.claim.blast_radius)
                yield Change(case.label, old, new, case.expected, tolerance, *links)


def _side(audited: Audited, label: str) -> Side:
    return Side(audited.found[label].verdict, audited.ratio_of(label), audited.fingerprints[label])


def _run(run: Run) -> dict[str, object]:
    manifest = run.manifest
    return {
        "path": str(run.path), "profile": manifest.profile, "seed": manifest.seed, "device": manifest.device,
        "claims": len(run.receipts),
    }  # fmt: skip
