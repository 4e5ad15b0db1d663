"""A run as JSON for other programs; `schema/report.schema.json` says what they may rely on."""

from __future__ import annotations

from dataclasses import asdict

from boundaudit.checks.evidence.evidence import Evidence
from boundaudit.checks.evidence.findings import FATES
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Audited
from boundaudit.checks.run.catalogue import Case, Catalogue
from boundaudit.reports.document.document import build_document, certificate_summary
from boundaudit.reports.figures.region import sentence

_LINKS = (
    "statement", "relation", "rests_on", "used_by", "blast_radius", "repair", "repairs", "improves", "source"
)  # fmt: skip


def render_json(run: Run, known: Catalogue | None = None) -> dict[str, object]:
    """Render a run as the object that the published schema describes; the same one for the same run, without timings.

    Certificates, which may be long, stay in the run folder; here stand their kind and size. Numbers that do
    not exist or are infinite are null.
    """
    document = build_document(run, known)
    roles = {role: {verdict: n for verdict, n in found.items() if n} for role, found in document.audit.roles().items()}
    return {
        "outcome": document.outcome,
        "manifest": {name: value for name, value in run.manifest.to_json().items() if name != "claims"},
        "verdicts": document.verdicts, "roles": roles, "unexpected": document.unexpected,
        "doubts": None if document.doubts is None else list(map(asdict, document.doubts)),
        "theorems": [row.to_json() for row in document.rows],
        "claims": [_claim(audited) for audited in document.claims.values()],
        "derivations": [chain.to_json() for chain in document.chains],
        "studies": [study.to_json() for study in document.studies],
        "mutation": {**document.mutants, "score": document.mutation_score}, "statistics": document.statistics,
    }  # fmt: skip


def _claim(audited: Audited) -> dict[str, object]:
    claim = audited.claim
    links = {name: getattr(claim, name) for name in _LINKS}
    cases = [_case(case, audited) for case in audited.cases]
    return {**audited.row(), **links, "missing": claim.missing, "cases": cases}


def _case(case: Case, audited: Audited) -> dict[str, object]:
    found = audited.found[case.label]
    return {
        "case": case.case, "label": case.label, "text": case.text, "latex": case.latex, "domain": case.domain,
        "fingerprint": audited.fingerprints[case.label], "reading": case.reading, "expected": case.expected,
        "verdict": found.verdict, "reason": found.reason, "limitations": list(case.limitations),
        "symbols": {name: list(said) for name, said in case.symbols.items()},
        "evidence": [_evidence(evidence) for evidence in found.evidence],
        "witness": found.witness and found.witness.to_json(), "worst": found.worst and found.worst.to_json(),
        "region": found.region and found.region.to_json(), "where": sentence(found) or None,
        "mutation": None if found.mutation is None else {
            **{fate: list(found.mutation.fates.get(fate, ())) for fate in FATES}, "direction": found.mutation.direction,
        },
    }  # fmt: skip


def _evidence(evidence: Evidence) -> dict[str, object]:
    return {
        "method": evidence.method, "outcome": evidence.outcome, "covers": evidence.covers,
        "evaluations": evidence.evaluations, "whole_domain": evidence.whole_domain, "engine": evidence.engine,
        "certificate": certificate_summary(evidence.certificate), "notes": list(evidence.notes),
        "seed": evidence.seed, "device": evidence.device,
    }  # fmt: skip
