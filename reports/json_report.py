"""A run as JSON for other programs; `schema/report.schema.json` says what they may rely on."""

from __future__ import annotations

from typing import Any

from boundaudit.checks.records.run_folder import Run
from boundaudit.reports.document import Entry, build_document, certificate_summary


def render_json(run: Run) -> dict[str, Any]:
    """Render a run as a JSON object.

    Certificates, which may be long, stay in the run folder; here stand their kind and size. Numbers that do
    not exist or are infinite are null.

    Args:
        run: A finished run.

    Returns:
        The object that the published schema describes; the same one for the same run, without timings.
    """
    document = build_document(run)
    return {
        "audited": [{"paper": paper.title, "claims": len(paper.entries)} for paper in document.papers],
        "manifest": document.manifest,
        "verdicts": document.counts,
        "unexpected": [entry.label for entry in document.unexpected],
        "refuted": [_refuted(entry) for entry in document.refuted],
        "claims": [_claim(entry) for entry in document.entries.values()],
        "derivations": [
            {**chain.record, "binding_step": chain.binding.name if chain.binding else None} for chain in document.chains
        ],
        "studies": list(document.studies),
        "mutation": {**document.mutation, "score": document.mutation_score},
    }


def _refuted(entry: Entry) -> dict[str, Any]:
    return {
        "label": entry.label,
        "paper": entry.claim["paper"],
        "place": entry.claim["place"],
        "reading": entry.claim["reading"],
        "text": entry.claim["text"],
        "witness": entry.witness,
        "where": entry.where or None,
        "blast_radius": list(entry.blast_radius),
        "repair": next(iter(entry.repaired_by), None),
    }


def _claim(entry: Entry) -> dict[str, Any]:
    evidence = [
        {**found, "certificate": certificate_summary(found["certificate"])} for found in entry.receipt["evidence"]
    ]
    return {
        **entry.receipt,
        "evidence": evidence,
        "region": entry.region,
        "where": entry.where or None,
        "used_by": list(entry.used_by),
        "blast_radius": list(entry.blast_radius),
        "repaired_by": list(entry.repaired_by),
        "stands_fully": entry.stands_fully,
    }
