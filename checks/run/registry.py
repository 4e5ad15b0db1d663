"""The registry: every claim, derivation, study and theorem under its unique label, and what rests on what."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from boundaudit import InputError
from boundaudit.checks.evidence.derivation import Derivation
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.labels import LONGEST, is_name
from boundaudit.checks.language.theorem import Theorem
from boundaudit.checks.records.study import Study
from boundaudit.checks.run.addresses import Entry, base, find_shipped, shipped
from boundaudit.checks.run.errors import InputErrors


class Registry:
    """Claims, derivations and studies by label, theorems by number; no two of them share one.

    Reports list the entries in the order in which they are given. Members are what evidence is gathered for: claims
    without cases, and the cases of the others.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.claims: dict[str, Claim] = {}
        self.members: dict[str, Claim] = {}
        self.derivations: dict[str, Derivation] = {}
        self.studies: dict[str, Study] = {}
        self.theorems: dict[tuple[str, str], Theorem] = {}
        for entry in {id(entry): entry for entry in entries}.values():
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Add a claim with its cases, a derivation, a study or a theorem.

        Raises:
            InputError: where its label is taken, or is none.
        """
        if isinstance(entry, Theorem):
            if self.theorems.setdefault((entry.paper, entry.number), entry) != entry:
                raise InputError(_named(entry), "a number used once", "two statements", "rename one")
            return
        self._require_free(entry)
        if isinstance(entry, Claim):
            self.claims[entry.label] = entry
            self.members |= {member.label: member for member in entry.members}
        elif isinstance(entry, Derivation):
            self.derivations[entry.label] = entry
        else:
            self.studies[entry.label] = entry

    def _require_free(self, entry: Claim | Derivation | Study) -> None:
        kind = type(entry).__name__.lower()
        if not is_name(entry.label):
            grammar = f"letters, digits, dots and dashes, at most {LONGEST}"
            raise InputError(f"label of a {kind}", grammar, entry.label, "rename it")
        for taken in (self.claims, self.derivations, self.studies):
            other = taken.get(entry.label)
            if isinstance(other, Claim) and isinstance(entry, Claim):
                places = f"{other.source} and {entry.source}"
                raise InputError(f"{entry.label} ({places})", "a label used once", "two claims", "rename one")
            if other is not None:
                got = f"a {type(other).__name__.lower()} and a {kind}"
                raise InputError(entry.label, "a label used once", got, "rename one")

    def check_references(self) -> None:
        """Check that every label and number that is named exists, and that nothing rests on itself.

        Raises:
            InputError: where one does not, or in a circle.
        """
        InputErrors.told(list(self.wrong_references()))

    def wrong_references(self) -> Iterator[InputError]:
        """Errors for labels and numbers that are named and do not exist, and for claims that rest on themselves."""
        for claim in self.claims.values():
            for label in named_by(claim):
                if not (isinstance(label, str) and self._exists(label)):
                    yield _unknown(f"{claim.label} ({claim.source})", label)
            for name in ("repairs", "improves"):
                named = [(m, m.repairs if name == "repairs" else (m.improves,)) for m in claim.members]
                if any(m.label in others or claim.label in others for m, others in named):
                    field = f"{claim.label}.{name} ({claim.source})"
                    yield InputError(field, "claims that it takes the place of", "itself", "name the other one")
            if claim.label in self._resting_on([member.label for member in claim.members]):
                field = f"{claim.label}.rests_on ({claim.source})"
                yield InputError(field, "claims that do not rest on it", "a circle", "break the circle")
        for study in self.studies.values():
            for label in study.claims:
                if not self._exists(label):
                    yield _unknown(f"{study.label}.claims", label)
        for theorem in self.theorems.values():
            for label in (*theorem.printed, *filter(None, (theorem.successor, theorem.improvement))):
                if not self._exists(label):
                    yield _unknown(_named(theorem), label)
            for label in filter(None, (theorem.successor, theorem.improvement)):
                if any(member.expected == "refuted" for member in self.find(label)):
                    expected = "a claim that stands in its place"
                    yield InputError(_named(theorem), expected, f"{label}, refuted", "correct it")
            for number in theorem.derived_from:
                if (theorem.paper, number) not in self.theorems:
                    yield InputError(f"{_named(theorem)}.derived_from", "numbers that exist", number, "correct it")

    def _exists(self, label: str) -> bool:
        """Here, or among the shipped claims: a user's claim may rest on any of them."""
        return label in self.claims or label in self.members or shipped(label) is not None

    def find(self, label: str) -> tuple[Claim, ...]:
        """The members that a label means, if there are any: the case that it names, or all of a claim's."""
        if label in self.members:
            return (self.members[label],)
        return self.claims[label].members if label in self.claims else find_shipped(label)

    def studies_of(self, chosen: Sequence[str]) -> list[str]:
        """Labels of the studies all of whose claims are chosen, in the order of the registry."""
        there = {*chosen, *map(base, chosen)}
        return [study.label for study in self.studies.values() if study.claims and set(study.claims) <= there]

    def select(self, patterns: Sequence[str]) -> list[str]:
        """Labels of the members that match any of the labels or globs, in order; without any, of all members.

        Raises:
            InputError: where a pattern matches nothing.
        """
        if not patterns:
            return list(self.members)
        for pattern in patterns:
            if not any(_matches(label, pattern) for label in self.members):
                raise InputError("label", "a known label or glob", pattern, "see `boundaudit list`")
        return [label for label in self.members if any(_matches(label, pattern) for pattern in patterns)]

    @functools.cached_property
    def _users(self) -> dict[str, list[str]]:
        """By member, the members that rest on it directly: a label without a case means all its cases."""
        found: dict[str, list[str]] = {}
        for member in self.members.values():
            for label in dict.fromkeys(member.rests_on):
                meant = [label] if label in self.members else [m.label for m in self.find(label)]
                for one in meant:
                    found.setdefault(one, []).append(member.label)
        return found

    def used_by(self, label: str) -> list[str]:
        """The claims that rest directly on a claim, or on one of its cases, in the order of the registry."""
        return self._folded({user for member in self.find(label) for user in self._users.get(member.label, [])})

    def blast_radius(self, label: str) -> list[str]:
        """All claims that rest on a claim or a case, directly or not, in the order of the registry.

        Of a claim some of whose cases are pinned as refuted, only these fall.
        """
        meant = self.find(label)
        refuted = [member.label for member in meant if member.expected == "refuted"]
        return self._resting_on(refuted or [member.label for member in meant])

    def _resting_on(self, members: Sequence[str]) -> list[str]:
        """All claims that rest on one of some members, directly or not."""
        fallen: set[str] = set()
        more = set(members)
        while more:
            more = {other for known in more for other in self._users.get(known, [])} - fallen
            fallen |= more
        return self._folded(fallen)

    def _folded(self, members: set[str]) -> list[str]:
        """Members as the claims that they belong to, in the order of the registry."""
        named = {base(member) for member in members}
        return [label for label in self.claims if label in named]

    def repair_of(self, label: str) -> str | None:
        """The claim that stands in for a refuted one, if any."""
        return self._repairs.get(label) or self._repairs.get(base(label))

    @functools.cached_property
    def _repairs(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for claim in self.claims.values():
            for label in (label for member in (claim, *claim.members) for label in member.repairs):
                found.setdefault(label, claim.label)
        return found


def _named(theorem: Theorem) -> str:
    return f"{theorem.source}: {theorem.number}" if theorem.source else theorem.number


def _unknown(field: str, label: str) -> InputError:
    return InputError(field, "labels that exist", label, "correct the label")


def named_by(claim: Claim) -> Iterator[str]:
    """Every label that a claim or one of its cases names."""
    for member in claim.members:
        yield from (*member.rests_on, *member.repairs, *([] if member.improves is None else [member.improves]))


def _matches(label: str, pattern: str) -> bool:
    """Brackets name a case, so that they are no part of a glob."""
    return pattern in (label, base(label)) or ("[" not in pattern and fnmatchcase(base(label), pattern))
