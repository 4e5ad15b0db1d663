"""A run read beside its catalogue: what each claim says and what was found about it, and the state of each theorem."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from boundaudit import InputError
from boundaudit.checks.evidence.evidence import Witness
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.language.theorem import Theorem
from boundaudit.checks.language.verdicts import READINGS, ROLES, accepted
from boundaudit.checks.records.border import REMEDY
from boundaudit.checks.records.coq import accepted_by_coq
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.cached import catalogue
from boundaudit.checks.run.catalogue import Case, Catalogue, Entry
from boundaudit.checks.run.named_files import require_named
from boundaudit.checks.run.states import UNAUDITED, Judged, judged, state_of

_WEAKEST_FIRST = ("refuted", "undecided", "vacuous", "not testable", "supported", "certified", "proved")
_WITHOUT_RATIO = {"Identity", "Rate"}
"""Kinds of claims that no ratio of left to right judges."""
_SOUND = ("stands", "a definition")
"""States of what a proof may use."""
_MOST = 1000
"""Ratio from which on a range over a domain without ends says where its points were drawn, not what one pays."""


def _meaningful(found: dict[str, Any] | None) -> dict[str, Any] | None:
    """A range of ratios, unless it is the same thing twice or has no end."""
    if found is None or found["high"] > _MOST * max(found["low"], 1 / _MOST) or found["low"] == found["high"] == 1:
        return None
    return found


@dataclass(frozen=True)
class Audited:
    """One claim: what it says, and by label what was found about each case; those not audited are missing."""

    claim: Entry
    found: dict[str, Findings]
    fingerprints: dict[str, str]  # a hash of what each case means
    assumed: Mapping[str, Sequence[str]]  # the axioms on which the proof of a case rests
    accepted_by_coq: Sequence[str] = ()  # labels of the cases whose proofs Coq accepts too

    @property
    def verdict(self) -> str:
        """The verdict of a claim without cases, else the weakest of its cases'."""
        return weakest([findings.verdict for findings in self.found.values()])

    @property
    def assumes(self) -> list[str]:
        """The axioms on which the proofs of its cases rest; one that is stated case by case is one."""
        return sorted({label.partition("[")[0] for labels in self.assumed.values() for label in labels})

    @property
    def strength(self) -> str:
        """The verdict, and on how many axioms it rests."""
        return strength(self.verdict, self.assumes)

    @property
    def expected(self) -> str:
        """The pinned verdict, of the weakest case."""
        return weakest([case.expected for case in self.cases])

    @property
    def as_expected(self) -> bool:
        """Whether every case has the verdict that is pinned, or a stronger one."""
        return all(accepted(self.found[case.label].verdict, case.expected) for case in self.cases)

    @property
    def cases(self) -> Sequence[Case]:
        """The cases that the run audited."""
        return [case for case in self.claim.cases if case.label in self.found]

    @property
    def ratio(self) -> float | None:
        """The worst measured left/right over the cases; None for identities, rates and a right side of zero."""
        ratios = [ratio for label in self.found if (ratio := self.ratio_of(label)) is not None]
        if not ratios or self.claim.kind in _WITHOUT_RATIO:
            return None
        return max(ratios) if self.claim.relation == "<=" else min(ratios)

    def ratio_of(self, label: str) -> float | None:
        """The worst measured left/right of one case, by its label."""
        worst = self.found[label].worst
        kinds = {case.kind or self.claim.kind for case in self.claim.cases if case.label == label}
        return None if worst is None or kinds & _WITHOUT_RATIO else worst.ratio

    @property
    def witness(self) -> Witness | None:
        """The first counterexample over the cases."""
        return next((f.witness for f in self.found.values() if f.witness is not None), None)

    def row(self) -> dict[str, Any]:
        """One claim as `list --json` prints it."""
        claim = self.claim
        cases = [
            {
                "case": case.case,
                "label": case.label,
                "verdict": self.found[case.label].verdict,
                "expected": case.expected,
            }
            for case in self.cases
            if case.case is not None
        ]
        return {
            "label": claim.label, "paper": claim.paper, "place": list(claim.place), "kind": claim.kind,
            "mode": claim.mode, "role": claim.role, "reading": claim.reading, "cases": cases, "verdict": self.verdict,
            "expected": self.expected, "assumes": self.assumes, "accepted_by_coq": list(self.accepted_by_coq),
            "ratio": self.ratio,
        }  # fmt: skip


def strength(verdict: str, axioms: Sequence[str]) -> str:
    """A verdict with the number of axioms that it assumes, such as ``proved, assuming 2 axioms``."""
    if verdict != "proved" or not axioms:
        return verdict
    return f"proved, assuming {len(axioms)} axiom{'s' if len(axioms) > 1 else ''}"


def weakest(verdicts: Sequence[str]) -> str:
    """The verdict that several together deserve: refuted where one is."""
    return min(verdicts, key=_WEAKEST_FIRST.index)


@dataclass(frozen=True)
class Failure:
    """Where a printed statement first fails."""

    label: str
    case: str
    witness: Witness


@dataclass(frozen=True)
class Row:
    """One theorem on the scoreboard."""

    theorem: Theorem
    state: str  # one of `theorem.STATES`
    stands_fully: bool  # whether it and all that it is derived from stands
    parts: Sequence[Audited]  # the printed claims that encode it
    failures: Sequence[Failure]  # the counterexample of every case that fails
    blast_radius: Sequence[str]  # numbers of the statements that are derived from it, directly or not
    price: dict[str, Any] | None  # smallest and largest ratio of the successor's right side to the printed one
    gain: dict[str, Any] | None  # the same for the improvement
    claims: dict[str, int]  # how many claims name the statement, by role
    # the axioms on which its printed claims, its successor and its improvement rest where they are proved
    assumes: Sequence[str] = ()
    falls_with_it: Sequence[str] = ()  # those of them that fall too; none where it stands
    readings: Sequence[Judged] = ()  # what came of each of its readings, the one that decides first
    accepted_by_coq: Sequence[str] = ()  # labels, among these claims, of those whose proofs Coq accepts too

    @property
    def failure(self) -> Failure | None:
        """The first counterexample to the reading that decides, in the order of what that asserts."""
        labels = [label for judged in self.readings[:1] for label in judged.reading.labels]
        meant = (
            failure
            for label in labels
            for failure in self.failures
            if label in (failure.label, failure.label.partition("[")[0])
        )
        return next(meant, None)

    @property
    def surely(self) -> str | None:
        """How surely the statement was recovered, in the reading that decides; None where nothing of it was audited."""
        return max((case.reading for _, case in self.decisive), key=READINGS.index, default=None)

    @property
    def strength(self) -> str:
        """How surely all that the reading that decides asserts holds: as its weakest case does; empty without cases."""
        verdicts = [part.found[case.label].verdict for part, case in self.decisive]
        axioms = {axiom.partition("[")[0] for part, case in self.decisive for axiom in part.assumed[case.label]}
        return strength(weakest(verdicts), sorted(axioms)) if verdicts else ""

    @property
    def excess(self) -> float | None:
        """How far a bound of the reading that decides is exceeded at the worst, left over right; None where none is."""
        seen = [
            worst.ratio
            for part, case in self.decisive
            if part.claim.relation == "<=" and part.found[case.label].verdict == "refuted"
            if (worst := part.found[case.label].worst) is not None and worst.ratio is not None
        ]
        return max(seen, default=None)

    @functools.cached_property
    def decisive(self) -> list[tuple[Audited, Case]]:
        """The cases of the reading that decides, each with its claim."""
        return self.asserted([label for judged in self.readings[:1] for label in judged.reading.labels])

    def asserted(self, labels: Collection[str]) -> list[tuple[Audited, Case]]:
        """The cases of printed claims that some labels mean, each with its claim."""
        return [(part, c) for part in self.parts for c in part.cases if {part.claim.label, c.label} & set(labels)]

    @property
    def uses(self) -> dict[str, list[str]]:
        """The statements derived from it: those that fall too, and those that only lose their printed proofs."""
        others = [number for number in self.blast_radius if number not in self.falls_with_it]
        told = "Loses its printed proof" if self.failures else "Used by"
        return {what: found for what, found in (("Falls with it", [*self.falls_with_it]), (told, others)) if found}

    def to_json(self) -> dict[str, Any]:
        """One row as `theorems --json` prints it."""
        failed = {failure.label: failure.witness.to_json() for failure in self.failures}
        cases = [
            {
                "case": case.case, "label": case.label, "verdict": part.found[case.label].verdict,
                "first_failure": failed.get(case.label),
            }
            for part in self.parts
            for case in part.cases
        ]  # fmt: skip
        theorem = self.theorem
        return {
            "paper": theorem.paper, "number": theorem.number, "title": theorem.title, "says": theorem.says,
            "formula": theorem.formula, "state": self.state, "stands_fully": self.stands_fully, "cases": cases,
            "reading": self.surely, "readings": [judged.to_json() for judged in self.readings],
            "successor": theorem.successor, "price": self.price, "improvement": theorem.improvement,
            "gain": self.gain, "derived_from": list(theorem.derived_from), "blast_radius": list(self.blast_radius),
            "falls_with_it": list(self.falls_with_it),
            "assumes": list(self.assumes), "accepted_by_coq": list(self.accepted_by_coq), "claims": self.claims,
            "missing": theorem.missing or None, "version": theorem.version or None, "answer": theorem.answer or None,
            "numbers": theorem.numbers or None,
            "brief": None if theorem.brief is None else asdict(theorem.brief),
        }  # fmt: skip


class Audit:
    """A run beside its catalogue.

    Raises:
        InputError: where the run is of a claims file that the user has never named.
    """

    def __init__(self, run: Run, known: Catalogue | None = None) -> None:
        self.run = run
        self._alone = known is None  # beside another run's catalogue it may have nothing to tell
        if known is None:
            require_named(run.files)
        self.catalogue = catalogue(run.files) if known is None else known

    @functools.cached_property
    def claims(self) -> dict[str, Audited]:
        """The claims that the run audited, in the order of the catalogue; records of others are left out.

        Raises:
            InputError: where it has records of others alone, and nothing would be told.
        """
        found: dict[str, Audited] = {}
        for label, claim in self.catalogue.claims.items():
            labels = [case.label for case in claim.cases if case.label in self.run.receipts]
            receipts = {name: self.run.receipts[name] for name in labels}
            if receipts:
                findings = {name: receipt.findings for name, receipt in receipts.items()}
                assumed = {name: sorted(self._assumed(name)) for name in receipts}
                fingerprints = {name: receipt.fingerprint for name, receipt in receipts.items()}
                by_coq = [name for name in labels if accepted_by_coq(self.run, name)]
                found[label] = Audited(claim, findings, fingerprints, assumed, by_coq)
        if self._alone and self.run.receipts and not found:
            got = ", ".join(self.run.receipts)
            raise InputError(f"{self.run.path}/manifest.json: files", "the claims files of its receipts", got, REMEDY)
        return found

    def _assumed(self, label: str) -> set[str]:
        """The axioms on which the proof of a member rests; what it cites and this run did not audit is one of them."""
        assumed: set[str] = set()
        open_, seen = [label], {label}
        while open_:
            receipt = self.run.receipts.get(open_.pop())
            proof = None if receipt is None else receipt.findings.proof
            for other in () if proof is None else proof.cites:
                entry = self.catalogue.claims.get(other.partition("[")[0])
                if entry is None or entry.role == "axiom" or other not in self.run.receipts:
                    assumed.add(other)
                elif other not in seen:
                    open_.append(other)
                seen.add(other)
        return assumed

    @functools.cached_property
    def theorems(self) -> list[Row]:
        """The scoreboard, in the order of the papers; statements whose claims the run did not audit are left out."""
        states = {theorem.label: state_of(theorem, self._judged(theorem)) for theorem in self.catalogue.theorems}
        read = (theorem for theorem in self.catalogue.theorems if self._parts(theorem) or not theorem.printed)
        return [self._row(theorem, states) for theorem in read]

    def theorem(self, number: str) -> list[Row]:
        """The theorems of a number, one per paper that has it."""
        return [row for row in self.theorems if row.theorem.number.lower() == number.lower()]

    def claim(self, label: str) -> Audited:
        """A claim by its label, with or without a case.

        Raises:
            InputError: where the run has none of that label.
        """
        found = self.claims.get(label.partition("[")[0])
        if found is None or ("[" in label and label not in found.found):
            raise InputError("label", f"a label of {self.run.path}", label, "see `boundaudit list`")
        return found

    def of(self, theorem: Theorem) -> list[Audited]:
        """The claims that name a theorem as their place, of its paper or of none."""
        claims = [audited for audited in self.claims.values() if audited.claim.paper in ("", theorem.paper)]
        return [audited for audited in claims if theorem.number in audited.claim.place]

    def verdicts(self) -> Counter[str]:
        """How many claims, cases counted by themselves, have each verdict."""
        return Counter(findings.verdict for audited in self.claims.values() for findings in audited.found.values())

    def roles(self) -> dict[str, Counter[str]]:
        """By role, how many claims have each verdict."""
        found: dict[str, Counter[str]] = {role: Counter() for role in ROLES}
        for audited in self.claims.values():
            found[audited.claim.role][audited.verdict] += 1
        return found

    def _parts(self, theorem: Theorem) -> list[Audited]:
        """The printed claims that the run audited, each once."""
        labels = dict.fromkeys(label.partition("[")[0] for label in theorem.printed)
        return [self.claims[label] for label in labels if label in self.claims]

    def _judged(self, theorem: Theorem) -> list[Judged]:
        return judged(theorem, {part.claim.label: _verdicts(part) for part in self._parts(theorem)})

    def _row(self, theorem: Theorem, states: dict[str, str]) -> Row:
        parts = self._parts(theorem)
        failures = [
            Failure(case.label, case.said, witness)
            for part in parts
            for case in part.cases
            if (witness := part.found[case.label].witness) is not None
        ]
        prices = self.run.prices.get(theorem.label, {})
        roles = Counter(audited.claim.role for audited in self.of(theorem))
        ancestors = self._reached(theorem, lambda known: known.derived_from)
        sound = states[theorem.label] == "stands" and all(states[known.label] in _SOUND for known in ancestors)
        descendants = self._reached(theorem, self._derived)
        readings = self._judged(theorem)
        fallen = states[theorem.label] in ("falls", "stands in part")
        return Row(
            theorem, states[theorem.label], sound, parts, failures, [known.number for known in descendants],
            _meaningful(prices.get("price")), _meaningful(prices.get("gain")), {role: roles[role] for role in ROLES},
            sorted({axiom for audited in self._named(theorem, parts) for axiom in audited.assumes}),
            [known.number for known in descendants if fallen and states[known.label] == "falls"], readings,
            [label for audited in self._named(theorem, parts) for label in audited.accepted_by_coq],
        )  # fmt: skip

    def _named(self, theorem: Theorem, parts: Sequence[Audited]) -> list[Audited]:
        """The printed claims of a statement, its successor and its improvement, each once."""
        others = (label.partition("[")[0] for label in (theorem.successor, theorem.improvement) if label)
        labels = dict.fromkeys([*(part.claim.label for part in parts), *others])
        return [self.claims[label] for label in labels if label in self.claims]

    def _derived(self, theorem: Theorem) -> list[str]:
        """Numbers of the statements whose proofs use a statement directly."""
        others = (other for other in self.catalogue.theorems if other.paper == theorem.paper)
        return [other.number for other in others if theorem.number in other.derived_from]

    def _reached(self, theorem: Theorem, step: Any) -> list[Theorem]:
        """All statements that a step reaches, in the order of the paper."""
        known = {other.number: other for other in self.catalogue.theorems if other.paper == theorem.paper}
        seen: set[str] = set()
        open_ = [theorem]
        while open_:
            for number in step(open_.pop()):
                if number in known and number not in seen:
                    seen.add(number)
                    open_.append(known[number])
        return [other for number, other in known.items() if number in seen and other is not theorem]


def _verdicts(part: Audited) -> dict[str, str]:
    """By label, the verdict of each case that a claim has: a run may have audited some of them."""
    found = {case.label: part.found.get(case.label) for case in part.claim.cases}
    return {label: UNAUDITED if findings is None else findings.verdict for label, findings in found.items()}
