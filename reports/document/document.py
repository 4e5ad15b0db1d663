"""What a report says, before it has a format: a page for each theorem, and where each claim, chain and study belongs.

HTML, Markdown and JSON are rendered from one `Document`, so that they cannot disagree.
"""

from __future__ import annotations

import functools
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from boundaudit.checks.evidence.evidence import Evidence
from boundaudit.checks.evidence.family import family_wise
from boundaudit.checks.evidence.findings import FATES, Mutation, mutation_score
from boundaudit.checks.evidence.sweep_table import ENDING, FOLDER, Sample, read_sample
from boundaudit.checks.evidence.waterfall import Outline, Waterfall
from boundaudit.checks.language.theorem import Theorem
from boundaudit.checks.language.verdicts import VERDICTS
from boundaudit.checks.records.receipt import chapter
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.addresses import base
from boundaudit.checks.run.audit import Audit, Audited, Row
from boundaudit.checks.run.catalogue import Case, Catalogue
from boundaudit.checks.run.doubts import Doubt, quick_doubts
from boundaudit.reports.document.kept import Kept, kept_runs
from boundaudit.reports.figures.studies import Figure
from boundaudit.reports.figures.sweeps import MOST_DRAWN
from boundaudit.reports.wording import count, listed, numbered, titled

FALLEN = ("falls",)
UNREAD = ("not testable", "not yet read")


@dataclass(frozen=True)
class Step:
    """One inequality of a chain and what it loses: right over left, 1 where nothing is lost."""

    name: str
    cites: str
    smallest: float | None
    largest: float | None
    mean: float | None
    holds: bool


@dataclass(frozen=True)
class Chain:
    """A derivation: what was written down and, per step, what was measured."""

    words: Outline  # title, place, domain and nodes, from the catalogue
    measured: Waterfall  # samples, factors and points, from the run

    @property
    def label(self) -> str:
        """Its label."""
        return self.words.label

    @property
    def is_current(self) -> bool:
        """Whether what was measured has the steps that are stated now."""
        return len(self.measured.holds) == len(self.words.nodes) - 1

    @functools.cached_property
    def steps(self) -> list[Step]:
        """Both together."""
        found = zip(self.words.nodes[1:], self.measured.factors, self.measured.holds, strict=False)
        return [
            Step(node.name, node.cites, factor.smallest, factor.largest, factor.geometric_mean, held)
            for node, factor, held in found
        ]

    @functools.cached_property
    def binding(self) -> Step | None:
        """The step that loses most on geometric mean."""
        return max((step for step in self.steps if step.mean is not None), key=lambda s: s.mean or 0.0, default=None)

    @property
    def claims(self) -> list[str]:
        """The claims that state its steps."""
        return [label for node in self.words.nodes if node.claim for label in node.claim.split(", ")]

    def to_json(self) -> dict[str, object]:
        """Words and measurements in one object."""
        binding = self.binding.name if self.binding else None
        return {**self.words.to_json(), **self.measured.to_json(), "binding_step": binding}


@dataclass(frozen=True)
class Method:
    """A kind of evidence over a whole run: on how many cases it came to what, and how many points it looked at."""

    name: str
    outcomes: Counter[str]
    evaluations: int


@dataclass
class Page:
    """What stands together: a theorem with its claims, or the claims of a chapter that belong to no theorem."""

    slug: str  # its name in links, unique
    folder: str  # where its file stands
    title: str
    row: Row | None = None  # the theorem; None for a chapter
    claims: list[Audited] = field(default_factory=list)  # the claims that have their home here, printed ones first
    chains: list[Chain] = field(default_factory=list)  # derivations whose place or claims belong here
    studies: list[Figure] = field(default_factory=list)  # the same of studies

    def of_role(self, role: str) -> list[Audited]:
        """Its claims of a role, those first that the theorem names as the best."""
        named = () if self.row is None else (self.row.theorem.successor, self.row.theorem.improvement)
        best = {base(label) for label in named if label}
        found = [audited for audited in self.claims if audited.claim.role == role]
        return sorted(found, key=lambda audited: audited.claim.label not in best)

    @property
    def encoding(self) -> list[Audited]:
        """The printed claims by which the theorem stands or falls; of a chapter all printed ones."""
        return [audited for audited in self.of_role("printed") if self.row is None or audited in self.row.parts]

    @property
    def steps(self) -> list[Audited]:
        """What else is printed there."""
        encoding = self.encoding
        return [audited for audited in self.of_role("printed") if audited not in encoding]


class Document:
    """Everything that a report says; ``doubts`` are receipts that do not stand, None where nobody looked again."""

    def __init__(self, audit: Audit, doubts: Sequence[Doubt] | None = None) -> None:
        self.audit = audit
        self.doubts = doubts
        self.run = audit.run
        self.claims = audit.claims
        self.rows = audit.theorems
        known = audit.catalogue
        chains = (
            Chain(Outline.from_json(words), Waterfall.from_json(audit.run.derivations[label]))
            for label, words in known.derivations.items()
            if label in audit.run.derivations
        )
        self.chains = [chain for chain in chains if chain.is_current]
        self.studies = [
            Figure.from_json(words, audit.run.studies[label])
            for label, words in known.studies.items()
            if label in audit.run.studies
        ]

    @functools.cached_property
    def experiments(self) -> list[Kept]:
        """Experiments that were run again, where the run is of the claims of their paper."""
        return list(kept_runs()) if any(label.startswith("sharpness.") for label in self.claims) else []

    @functools.cached_property
    def papers(self) -> dict[str, list[Page]]:
        """The pages of the theorems, by paper."""
        found: dict[str, list[Page]] = {}
        for page in self.pages:
            if page.row is not None:
                found.setdefault(page.row.theorem.paper or "Without a paper", []).append(page)
        return found

    @property
    def statements(self) -> dict[str, list[Row]]:
        """The theorems, by paper."""
        return {paper: [page.row for page in pages if page.row is not None] for paper, pages in self.papers.items()}

    @property
    def chapters(self) -> list[Page]:
        """The pages of claims that belong to no theorem."""
        return [page for page in self.pages if page.row is None]

    @functools.cached_property
    def pages(self) -> list[Page]:
        """All pages, theorems first."""
        theorems = {row.theorem.label: Page(name, "theorems", titled(row.theorem), row) for row, name in self._named()}
        chapters: dict[str, Page] = {}
        homes = self._homes
        for label, audited in self.claims.items():
            if audited.claim.role == "control":
                continue
            page = theorems.get(homes.get(label, ""))
            if page is None:
                page = _chapter(chapters, label)
            page.claims.append(audited)
        self._place(theorems, chapters)
        return [*theorems.values(), *chapters.values()]

    @functools.cached_property
    def page_of(self) -> dict[str, Page]:
        """By label, the page that holds a claim; controls stand on a page of their own."""
        return {audited.claim.label: page for page in self.pages for audited in page.claims}

    @functools.cached_property
    def _homes(self) -> dict[str, str]:
        """By label of a claim the label of the theorem whose page holds it."""
        homes: dict[str, str] = {}
        for row in self.rows:
            for label in row.theorem.printed:
                homes.setdefault(base(label), row.theorem.label)
        by_number = {(row.theorem.paper, row.theorem.number): row.theorem.label for row in self.rows}
        for label, audited in self.claims.items():
            places = (by_number.get((audited.claim.paper, place)) for place in audited.claim.place)
            home = next(filter(None, places), None)
            if home is not None:
                homes.setdefault(label, home)
        for row in self.rows:
            for named in filter(None, (row.theorem.successor, row.theorem.improvement)):
                homes.setdefault(base(named), row.theorem.label)
        return homes

    def _place(self, theorems: Mapping[str, Page], chapters: dict[str, Page]) -> None:
        """Put chains and studies on the page of their place, else of one of their claims, else of their chapter."""
        numbers = {(p.row.theorem.paper, p.row.theorem.number): p for p in theorems.values() if p.row is not None}
        pages = [*theorems.values(), *chapters.values()]
        holding = {audited.claim.label: page for page in pages for audited in page.claims}

        def home(label: str, paper: str, places: Sequence[str], labels: Sequence[str]) -> Page:
            found = [*(numbers.get((paper, place)) for place in places), *(holding.get(base(n)) for n in labels)]
            return next(filter(None, found), None) or _chapter(chapters, label)

        for chain in self.chains:
            home(chain.label, chain.words.paper, chain.words.place, chain.claims).chains.append(chain)
        for study in self.studies:
            home(study.label, study.paper, study.place, study.claims).studies.append(study)

    @property
    def controls(self) -> list[Audited]:
        """The claims that show that a check can fail."""
        return [audited for audited in self.claims.values() if audited.claim.role == "control"]

    @property
    def unexpected(self) -> list[str]:
        """Labels of the cases whose verdict is not as pinned."""
        return [
            case.label
            for audited in self.claims.values()
            for case in audited.cases
            if not audited.as_expected and audited.found[case.label].verdict != case.expected
        ]

    @property
    def verdicts(self) -> dict[str, int]:
        """How many claims, each case counted, have each of the seven verdicts."""
        found = self.audit.verdicts()
        return {verdict: found[verdict] for verdict in VERDICTS}

    @functools.cached_property
    def mutants(self) -> dict[str, int]:
        """How many mutants met each fate, and all together."""
        totals: Counter[str] = Counter()
        for _, mutation in self.judged:
            totals.update({fate: mutation.count(fate) for fate in FATES})
        return {**{fate: totals[fate] for fate in FATES}, "total": totals.total()}

    @property
    def mutation_score(self) -> float | None:
        """Killed over killed and unexplained; None where no mutant was judged."""
        return mutation_score(self.mutants["killed"], self.mutants["unexplained"])

    @property
    def statistics(self) -> dict[str, float]:
        """How many decisions rest on trials, and a bound on the probability that any is wrong."""
        return family_wise(findings for audited in self.claims.values() for findings in audited.found.values())

    @functools.cached_property
    def sweeps(self) -> dict[str, Sample]:
        """By label, some rows of each sweep in the run's folder that is of what the run audited."""
        found = [read_sample(path, MOST_DRAWN) for path in sorted((self.run.path / FOLDER).glob(f"*{ENDING}"))]
        meant = {label: receipt.fingerprint for label, receipt in self.run.receipts.items()}
        return {s.swept.label: s for s in found if s.swept.fingerprint == meant.get(s.swept.label)}

    @functools.cached_property
    def judged(self) -> list[tuple[Case, Mutation]]:
        """Every case that mutants of it were judged for, with their fates."""
        cases = [(case, audited.found[case.label]) for audited in self.claims.values() for case in audited.cases]
        return [(case, found.mutation) for case, found in cases if found.mutation is not None and found.mutation.total]

    @property
    def methods(self) -> list[Method]:
        """What each kind of evidence came to, the widest kind last."""
        found: dict[str, list[Evidence]] = {}
        for audited in self.claims.values():
            for evidence in itertools.chain.from_iterable(case.evidence for case in audited.found.values()):
                found.setdefault(evidence.method, []).append(evidence)
        totals = {name: sum(one.evaluations for one in every) for name, every in found.items()}
        names = sorted(found, key=lambda name: totals[name])
        return [Method(name, Counter(one.outcome for one in found[name]), totals[name]) for name in names]

    def _named(self) -> Iterator[tuple[Row, str]]:
        """Theorems with names for links: the number, and the paper's as well where two papers share it."""
        taken: set[str] = set()
        for row in self.rows:
            name = slug(row.theorem.number)
            name = slug(row.theorem.label) if name in taken else name
            taken.add(name)
            yield row, name

    @functools.cached_property
    def outcome(self) -> str:
        """The one sentence that says what came out."""
        if not self.rows:
            told = [f"{n} {verdict}" for verdict, n in self.verdicts.items() if n]
            return f"{count(sum(self.verdicts.values()), 'claim')}: {', '.join(told) or 'none audited'}."
        rows = [row for row in self.rows if not row.theorem.paper.endswith((SHARED, OURS))] or list(self.rows)
        of = " of one paper" if len({row.theorem.paper for row in rows}) == 1 else ""
        return f"{count(len(rows), 'statement')}{of}: {outcome_of(rows)}.{''.join(_which(rows))}"


def outcome_of(rows: Sequence[Row]) -> str:
    """What came out of some statements, such as ``3 stand as printed and 1 falls``, and what is in their place."""
    states = Counter(row.state for row in rows)
    fallen = [row for row in rows if row.state in FALLEN]
    told = [
        _many(states["stands"], "stands", "stand") + " as printed",
        _many(states["stands in part"], "stands in part", "stand in part"),
        _many(len(fallen), "falls", "fall"),
        *(_many(states[state], f"is {state}", f"are {state}") for state in UNREAD),
        _many(states["a definition"], "is a definition", "are definitions"),
    ]
    return listed([part for part in told if not part.startswith("0 ")]) + _replaced(fallen)


def _which(rows: Sequence[Row]) -> Iterator[str]:
    """Which statements fall, a sentence a paper."""
    for paper in dict.fromkeys(row.theorem.paper for row in rows):
        fallen = [row.theorem.number for row in rows if row.state in FALLEN and row.theorem.paper == paper]
        if fallen and paper:
            yield f" Of {paper.partition(' (')[0]} {'these fall' if len(fallen) > 1 else 'falls'}: {numbered(fallen)}."


OURS = "derived here"
"""How the citation ends of results that are no paper's."""
SHARED = "shared by papers"
"""How the citation of results ends that several papers use: the one sentence speaks of the papers."""


def _many(n: int, one: str, more: str) -> str:
    return f"{n} {one if n == 1 else more}"


def _replaced(fallen: Sequence[Row]) -> str:
    """How many of the fallen ones have a true statement in their place."""
    mended = sum(row.theorem.successor is not None for row in fallen)
    if not fallen or not mended:
        return ""
    if mended == len(fallen):
        every = "the fallen one has" if len(fallen) == 1 else "every fallen one has"
        return f"; {every} a true statement in its place"
    have, their = ("has", "its") if mended == 1 else ("have", "their")
    return f"; {mended} of the fallen {have} a true statement in {their} place"


def build_document(run: Run, known: Catalogue | None = None) -> Document:
    """Arrange a run for reading, with the suite's own catalogue, or that of its files, unless one is given."""
    return Document(Audit(run, known), quick_doubts(run, list(run.receipts)) if known is None else None)


def slug(words: str) -> str:
    """A name that needs no quoting in a link or as a file: ``theorem-10`` for ``Theorem 10``."""
    return re.sub(r"[^\w.]+", "-", words.lower()).strip("-.")


def proved_cases(audited: Audited) -> list[Case]:
    """The cases of a claim on which a proof says that it holds."""
    return [case for case in audited.cases if audited.found[case.label].verdict == "proved"]


def shared_limitations(audited: Audited) -> list[str]:
    """What no case of a claim says; what one of them alone does not say stands with that case."""
    first, *others = audited.cases
    return [words for words in first.limitations if all(words in case.limitations for case in others)]


def certificate_summary(certificate: Mapping[str, object] | None) -> dict[str, str | int] | None:
    """What is said of a certificate, which may be long: its kind and its size in bytes; None where there is none."""
    if certificate is None:
        return None
    return {
        "kind": str(certificate.get("kind") or "unnamed"), "bytes": len(json.dumps(certificate, separators=(",", ":"))),
    }  # fmt: skip


def symbols_of(claims: Sequence[Audited]) -> dict[str, Sequence[str]]:
    """Meaning and unit of the symbols that occur in some claims, by name."""
    found = {name: said for audited in claims for case in audited.cases for name, said in case.symbols.items()}
    return dict(sorted(found.items(), key=lambda item: (item[0].lower(), item[0])))


def theorems_by_number(document: Document, theorem: Theorem) -> dict[str, Page]:
    """The pages of a theorem's paper by number."""
    return {
        page.row.theorem.number: page
        for page in document.pages
        if page.row is not None and page.row.theorem.paper == theorem.paper
    }


def _chapter(chapters: dict[str, Page], label: str) -> Page:
    """The page of a label's chapter, made where there is none."""
    name = chapter(label)
    return chapters.setdefault(name, Page(slug(name), "chapters", name))
