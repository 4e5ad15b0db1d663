"""The registry as ``needs.json``, the exchange format of sphinx-needs: theorems are requirements, claims specify them.

An importer reads titles as text and contents as reStructuredText, in which two square brackets call a function. So
words from a claims file are written on one line, behind a word of ours, with all that would be markup escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from boundaudit import __version__
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Audit, Audited, Row
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.wording import titled

_MARKUP = re.compile(r"([\\`*_|<>:])")
"""A colon makes an address of what stands before it."""


def render_needs(run: Run, known: Catalogue | None = None) -> dict[str, Any]:
    """Every theorem and claim of a run as needs, with its verdict as status and what it rests on as links."""
    audit = Audit(run, known)
    rows = {row.theorem.label: row for row in audit.theorems}
    ids = _ids([*rows, *audit.claims])
    needs = [_theorem(row, audit, ids) for row in rows.values()]
    needs += [_claim(found, audit, ids) for found in audit.claims.values()]
    version = {
        "creator": {"program": "boundaudit", "version": __version__},
        "needs_amount": len(needs),
        "needs": {need["id"]: need for need in needs},
    }
    return {"project": "boundaudit", "current_version": __version__, "versions": {__version__: version}}


def _ids(labels: Iterable[str]) -> dict[str, str]:
    """Ids of capitals, digits and underscores, each once."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for label in labels:
        plain = re.sub(r"[^A-Z0-9]+", "_", label.upper()).strip("_").ljust(5, "_")
        name, number = plain, 1
        while name in taken:
            number += 1
            name = f"{plain}_{number}"
        taken.add(name)
        found[label] = name
    return found


def _theorem(row: Row, audit: Audit, ids: Mapping[str, str]) -> dict[str, Any]:
    theorem = row.theorem
    above = [
        other.label
        for other in audit.catalogue.theorems
        if other.paper == theorem.paper and other.number in theorem.derived_from
    ]
    return {
        "id": ids[theorem.label], "type": "req", "type_name": "Requirement",
        "title": _line(titled(theorem)),
        "content": _content({
            "It says": theorem.says, "Formula": theorem.formula, "Not tested": theorem.missing,
            "In its place": theorem.successor, "The authors' answer": theorem.answer,
        }),
        "status": row.state, "tags": ["theorem"], "links": [ids[label] for label in above if label in ids],
        "label": _line(theorem.label), "paper": _line(theorem.paper), "version": _line(theorem.version),
    }  # fmt: skip


def _claim(found: Audited, audit: Audit, ids: Mapping[str, str]) -> dict[str, Any]:
    claim = found.claim
    stated = [
        other.label
        for other in audit.catalogue.theorems
        if other.number in claim.place and claim.paper in ("", other.paper)
    ]
    above = [*stated, *(label.partition("[")[0] for label in claim.rests_on)]
    cases = {f"Case {case.case}": found.found[case.label].verdict for case in found.cases if case.case}
    formulas = {f"Formula {case.case or ''}".strip(): case.text for case in found.cases}
    return {
        "id": ids[claim.label], "type": "spec", "type_name": "Specification", "title": _line(claim.label),
        "content": _content({"It says": claim.statement, **formulas, **cases}),
        "status": found.verdict, "tags": ["claim", claim.role],
        "links": list(dict.fromkeys(ids[label] for label in above if label in ids)),
        "label": claim.label, "paper": _line(claim.paper), "role": claim.role, "expected": found.expected,
        "fingerprint": ", ".join(found.fingerprints.values()), "source": _line(claim.source),
    }  # fmt: skip


def _content(parts: Mapping[str, str | None]) -> str:
    """A paragraph for each part that there is."""
    told = [f"{_escaped(name)}: {_escaped(words)}" for name, words in parts.items() if words]
    return "\n\n".join(told)


def _escaped(words: str) -> str:
    return _MARKUP.sub(r"\\\1", _line(words))


def _line(words: str) -> str:
    """Words on one line, in which no function is called."""
    return re.sub(r"\[(?=\[)", "[ ", " ".join(words.split()))
