"""What a report says, before it has a format: a run as counts, sections, chains, studies and a dependency graph.

HTML, Markdown and JSON are rendered from one `Document`, so that they cannot disagree.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import networkx as nx

from boundaudit import InputError
from boundaudit.checks.records.run_folder import Run
from boundaudit.reports.region import sentence

VERDICTS = ("proved", "certified", "supported", "refuted", "undecided", "vacuous", "not testable")
READINGS = ("certain", "plausible", "derived here")
STANDING = frozenset({"proved", "certified", "supported"})
_SHARED = {"pac_bayes": "PAC-Bayes bounds, shared by papers"}
"""Sections of sub-packages whose claims cite a source each."""
_NO_PAPER = "No paper named"
_OUR_OWN = "Derived here"
_NO_PLACE = "Without a place in the paper"


@dataclass(frozen=True)
class Entry:
    """One claim of the run and where it stands among the others.

    Attributes:
        label: The claim's label.
        receipt: What the runner wrote.
        used_by: Claims that rest on it directly.
        blast_radius: Claims that rest on it directly or through others.
        repaired_by: Claims that stand in for it.
        stands_fully: It stands, and so does everything it rests on.
    """

    label: str
    receipt: dict[str, Any]
    used_by: tuple[str, ...]
    blast_radius: tuple[str, ...]
    repaired_by: tuple[str, ...]
    stands_fully: bool

    @property
    def claim(self) -> dict[str, Any]:
        """The statement and its circumstances."""
        claim: dict[str, Any] = self.receipt["claim"]
        return claim

    @property
    def verdict(self) -> str:
        """The verdict, one of `VERDICTS`."""
        return str(self.receipt["verdict"])

    @property
    def witness(self) -> dict[str, Any] | None:
        """The first counterexample that any evidence holds."""
        found = (evidence["witness"] for evidence in self.receipt["evidence"])
        return next((witness for witness in found if witness is not None), None)

    @property
    def path(self) -> list[dict[str, Any]]:
        """The steps of a climb to a counterexample; empty where there are none, or in an older run."""
        found = (evidence.get("path", []) for evidence in self.receipt["evidence"])
        return next((path for path in found if len(path) > 1), [])

    @property
    def region(self) -> dict[str, Any] | None:
        """Where a refuted claim holds and where it is violated; None for other claims, or in an older run."""
        return self.receipt.get("region")

    @property
    def where(self) -> str:
        """The same in a sentence; empty where there is nothing to say."""
        return sentence(self.region, self.witness)

    @property
    def evaluations(self) -> int:
        """How many points all methods together looked at."""
        return sum(evidence["evaluations"] for evidence in self.receipt["evidence"])


@dataclass(frozen=True)
class Place:
    """The claims of one theorem, lemma or section."""

    title: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Paper:
    """The claims of one paper, by place."""

    title: str
    places: tuple[Place, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All claims of the paper in the order of its sections."""
        return tuple(entry for place in self.places for entry in place.entries)


@dataclass(frozen=True)
class Step:
    """One inequality of a chain and what it loses: right over left, 1 where nothing is lost."""

    name: str
    cites: str | None
    smallest: float | None
    largest: float | None
    mean: float | None
    holds: bool


@dataclass(frozen=True)
class Chain:
    """A derivation: what was written down and, per step, what was measured."""

    record: dict[str, Any]
    steps: tuple[Step, ...]

    @property
    def binding(self) -> Step | None:
        """The step that loses most on geometric mean."""
        return max((step for step in self.steps if step.mean is not None), key=_loss, default=None)


@dataclass(frozen=True)
class Survivor:
    """A mutant that the evidence did not kill: what was changed in a claim, its fate, and how that is known."""

    label: str
    change: str
    fate: str
    how: str


@dataclass(frozen=True)
class Document:
    """Everything that a report says.

    Attributes:
        manifest: How the run was made.
        timings: Seconds by label; only HTML shows them.
        entries: All claims by label, in the order of the registry.
        papers: The same claims in sections.
        counts: Number of claims by verdict, all seven verdicts.
        chains: The derivations.
        studies: The curves, as the run recorded them.
        mutation: Totals of killed, slack, unexplained and all mutants.
        survivors: The mutants that were not killed.
        graph: Edges from a claim to those that rest on it; see `dependency_graph`.
    """

    manifest: dict[str, Any]
    timings: dict[str, Any]
    entries: dict[str, Entry]
    papers: tuple[Paper, ...]
    counts: dict[str, int]
    chains: tuple[Chain, ...]
    studies: tuple[dict[str, Any], ...]
    mutation: dict[str, int]
    survivors: tuple[Survivor, ...]
    graph: nx.DiGraph

    @property
    def refuted(self) -> tuple[Entry, ...]:
        """The refuted claims, widest blast radius first."""
        found = [entry for entry in self.entries.values() if entry.verdict == "refuted"]
        return tuple(sorted(found, key=lambda entry: -len(entry.blast_radius)))

    @property
    def unexpected(self) -> tuple[Entry, ...]:
        """The claims whose verdict differs from the expected one."""
        return tuple(entry for entry in self.entries.values() if not entry.receipt["as_expected"])

    @property
    def mutation_score(self) -> float | None:
        """Killed over killed and unexplained; None where no mutant was judged."""
        judged = self.mutation["killed"] + self.mutation["unexplained"]
        return self.mutation["killed"] / judged if judged else None


def build_document(run: Run) -> Document:
    """Arrange a run for reading.

    Returns:
        The document that all formats render.
    """
    graph = dependency_graph(run.receipts)
    entries = {label: _entry(label, run.receipts, graph) for label in run.receipts}
    verdicts = Counter(entry.verdict for entry in entries.values())
    return Document(
        manifest=run.manifest,
        timings=run.timings,
        entries=entries,
        papers=tuple(_papers(entries)),
        counts={verdict: verdicts[verdict] for verdict in VERDICTS},
        chains=tuple(_chain(record) for record in run.derivations),
        studies=tuple(run.studies),
        mutation=_mutation(run.receipts),
        survivors=tuple(_survivors(run.receipts)),
        graph=graph,
    )


def dependency_graph(receipts: dict[str, dict[str, Any]]) -> nx.DiGraph:
    """What rests on what.

    A node carries its ``verdict`` and ``reading`` (None where a claim is named but no part of the run), its
    ``rank`` in the registry, and two flags: ``stands_fully``, it and all it rests on stand; ``falls``, it or
    something it rests on is refuted. An edge goes from a claim to one that rests on it.

    Returns:
        The graph, nodes in the order of the registry.

    Raises:
        InputError: where claims rest on each other in a circle.
    """
    graph = nx.DiGraph()
    for label, receipt in receipts.items():
        graph.add_node(label, verdict=receipt["verdict"], reading=receipt["claim"]["reading"], rank=len(graph))
    for label, receipt in receipts.items():
        for support in receipt["claim"]["rests_on"]:
            if support not in graph:
                graph.add_node(support, verdict=None, reading=None, rank=len(graph))
            graph.add_edge(support, label)
    if not nx.is_directed_acyclic_graph(graph):
        circle = " → ".join(edge[0] for edge in nx.find_cycle(graph))
        raise InputError("rests_on", "claims that rest on earlier ones", circle, "break the circle")
    for label in nx.topological_sort(graph):
        node, supports = graph.nodes[label], [graph.nodes[support] for support in graph.predecessors(label)]
        fully = all(support["stands_fully"] for support in supports)
        node["stands_fully"] = fully and node["verdict"] in STANDING
        node["falls"] = node["verdict"] == "refuted" or any(support["falls"] for support in supports)
    return graph


def certificate_summary(certificate: Any) -> dict[str, Any] | None:
    """What is said of a certificate, which may be long: its kind and its size.

    Returns:
        ``{"kind": ..., "bytes": ...}``, or None where there is none.
    """
    if certificate is None:
        return None
    kind = certificate.get("kind") if isinstance(certificate, dict) else None
    return {"kind": kind or "unnamed", "bytes": len(json.dumps(certificate, separators=(",", ":")))}


def _entry(label: str, receipts: dict[str, dict[str, Any]], graph: nx.DiGraph) -> Entry:
    below = nx.descendants(graph, label)
    return Entry(
        label=label,
        receipt=receipts[label],
        used_by=tuple(other for other in receipts if graph.has_edge(label, other)),
        blast_radius=tuple(other for other in receipts if other in below),
        repaired_by=tuple(other for other in receipts if label in receipts[other]["claim"]["repairs"]),
        stands_fully=graph.nodes[label]["stands_fully"],
    )


def _papers(entries: dict[str, Entry]) -> Iterator[Paper]:
    """Papers and places in the order in which the registry first names them."""
    sections: dict[str, dict[str, list[Entry]]] = {}
    for entry in entries.values():
        paper, places = entry.claim["paper"], entry.claim["place"]
        shared = _SHARED.get(entry.label.split(".")[0])
        title = shared or paper or _NO_PAPER
        place = (paper or _OUR_OWN) if shared else next(iter(places), _NO_PLACE)
        sections.setdefault(title, {}).setdefault(place, []).append(entry)
    for title, by_place in sections.items():
        yield Paper(title, tuple(Place(place, tuple(found)) for place, found in by_place.items()))


def _chain(record: dict[str, Any]) -> Chain:
    nodes, factors, holds = record["nodes"], record["factors"], record["holds"]
    return Chain(
        record,
        tuple(
            Step(
                name=after["name"],
                cites=after["cites"],
                smallest=factor["smallest"],
                largest=factor["largest"],
                mean=factor["geometric_mean"],
                holds=held,
            )
            for before, after, factor, held in zip(nodes, nodes[1:], factors, holds, strict=False)
        ),
    )


def _loss(step: Step) -> float:
    return step.mean if step.mean is not None else 0.0


def _mutation(receipts: dict[str, dict[str, Any]]) -> dict[str, int]:
    judged = [receipt["mutation"] for receipt in receipts.values() if receipt["mutation"]]
    return {name: sum(part[name] for part in judged) for name in ("killed", "slack", "unexplained", "total")}


def _survivors(receipts: dict[str, dict[str, Any]]) -> Iterator[Survivor]:
    for label, receipt in receipts.items():
        for mutant in (receipt["mutation"] or {"mutants": []})["mutants"]:
            if mutant["fate"] != "killed":
                yield Survivor(label, mutant["name"], mutant["fate"], mutant["how"])
