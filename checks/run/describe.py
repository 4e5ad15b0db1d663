"""From a registry to its catalogue: every side is built, every symbol explained."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import sympy as sp

from boundaudit.checks.language.abstract.space import Space
from boundaudit.checks.language.claim import LATEX, Claim, side_latex, side_text
from boundaudit.checks.language.conventions import conventions
from boundaudit.checks.language.domain import Range, Subsets
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.run.addresses import case_words
from boundaudit.checks.run.catalogue import Case, Catalogue, Entry, Side
from boundaudit.checks.run.registry import Registry
from boundaudit.checks.run.workers import Limits, Lost, Say, Workers, can_fork
from boundaudit.derivations.symbols import meaning_of

_TOGETHER = 10
"""Claims that a process describes at once, and from ten times as many on it is done by several."""


def described(registry: Registry) -> Catalogue:
    """What every claim, theorem, derivation and study of a registry says."""
    studies = {
        study.label: {
            "label": study.label, "title": study.title, "caption": study.caption, "paper": study.paper,
            "place": list(study.place), "claims": list(study.claims),
        }
        for study in registry.studies.values()
    }  # fmt: skip
    return Catalogue(
        _entries(registry),
        tuple(registry.theorems.values()),
        {chain.label: chain.describe().to_json() for chain in registry.derivations.values()},
        studies,
    )


def _entries(registry: Registry) -> dict[str, Entry]:
    """Each claim's entry: of many, half a minute's work for one core, by processes side by side."""

    def work(labels: Sequence[str], say: Say = lambda what: None) -> dict[str, Entry]:
        return {label: _entry(registry.claims[label], registry) for label in labels}

    labels = list(registry.claims)
    if len(labels) < 10 * _TOGETHER or not can_fork():
        return work(labels)
    parts = [labels[start : start + _TOGETHER] for start in range(0, len(labels), _TOGETHER)]
    found: dict[str, Entry] = {}
    with Workers(os.cpu_count() or 1, work, lambda part: Limits(3600, 8), fork=True) as workers:
        for ended in workers.results(parts):
            found |= work(ended.job) if isinstance(ended.result, Lost) else ended.result
    return {label: found[label] for label in labels}


def _entry(claim: Claim, registry: Registry) -> Entry:
    rests_on = dict.fromkeys(label for member in claim.members for label in member.rests_on)
    repairs = dict.fromkeys(label for member in claim.members for label in member.repairs)
    return Entry(
        label=claim.label,
        statement=claim.statement,
        paper=claim.paper,
        place=list(claim.place),
        kind=str(claim.kind),
        mode=claim.mode,
        role=str(claim.role),
        reading=claim.reading,
        relation=claim.relation,
        rests_on=list(rests_on),
        used_by=registry.used_by(claim.label),
        blast_radius=registry.blast_radius(claim.label),
        repair=next(filter(None, (registry.repair_of(m.label) for m in (claim, *claim.members))), None),
        repairs=list(repairs),
        improves=claim.improves,
        missing=claim.missing,
        source=_portable(claim.source),
        cases=[_case(member, registry.repair_of(member.label)) for member in claim.members],
    )


def _case(claim: Claim, repair: str | None) -> Case:
    # Every symbol of a side has a range: the definitions of measured sides, which take long to build, are not needed.
    meanings = {name: _meaning(name, found) for name, found in sorted(claim.domain.ranges.items())}
    symbols = {name: found for name, found in meanings.items() if found and found[0]}
    left, right = (Side(side_text(side), side_latex(side)) for side in (claim.written("left"), claim.written("right")))
    return Case(
        label=claim.label,
        case=claim.case,
        text=f"{left.text} {claim.relation} {right.text}",
        latex=f"{left.latex} {LATEX[claim.relation]} {right.latex}",
        left=left,
        right=right,
        domain=claim.scope,
        expected=claim.expected,
        reading=claim.reading,
        limitations=[*claim.limitations, *_conventions(claim)],
        symbols={name: list(found) for name, found in symbols.items()},
        repair=repair,
        statement=claim.statement,
        kind=str(claim.kind),
        relation=claim.relation,
        words=case_words(claim.label),
        steps=[] if claim.derivation is None else claim.derivation.outline,
    )


def _conventions(claim: Claim) -> list[str]:
    trees = (to_tree(side) for side in (claim.left, claim.right) if isinstance(side, sp.Basic))
    written = claim.written("domain")
    return [*conventions(trees, claim.domain), *(written.conventions if isinstance(written, Space) else ())]


def _meaning(name: str, found: Range) -> tuple[str, str] | None:
    """What a symbol means; a family of sets bears a letter that stands for a number elsewhere."""
    return ("the components: distinct sets of positions", "1") if isinstance(found, Subsets) else meaning_of(name)


def _portable(source: str) -> str:
    """Where a claim was written, without the folders of this machine."""
    path, line = source.rsplit(":", 1)
    parts = Path(path).parts
    known = [i for i, part in enumerate(parts) if part == "boundaudit" and i + 1 < len(parts)]
    return f"{'/'.join(parts[known[-1] + 1 :]) if known else parts[-1]}:{line}"
