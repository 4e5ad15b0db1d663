"""What Coq is said to accept: nothing but the very certificates that it was given."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.coq import file_hash
from tests.shipped import shipped_run

from boundaudit.checks.records import coq
from boundaudit.checks.records.coq import accepted_by_coq, certificate_key, judgements
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Audit
from boundaudit.checks.run.coq import export_coq

LABEL = "sharpness.averages.less"


@pytest.fixture
def run() -> Run:
    return shipped_run()


def said(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, label: str = LABEL, **entry: Any) -> bool:
    """Whether a claim counts as accepted where the record says so, but for some fields."""
    file = tmp_path / "coq.json"
    written = {"word": "accepted", "key": certificate_key(run, label), "file": "", "said": ""} | entry
    file.write_text(json.dumps({"judged": {label: written}}))
    monkeypatch.setattr(coq, "FILE", file)
    judgements.cache_clear()
    return accepted_by_coq(run, label)


def with_certificate(run: Run, label: str, change: Any) -> Run:
    """The run with another certificate of one claim."""
    receipt = run.receipts[label]
    evidence = tuple(
        replace(each, certificate=change(each.certificate)) if each is receipt.findings.proof else each
        for each in receipt.findings.evidence
    )
    changed = replace(receipt, findings=replace(receipt.findings, evidence=evidence))
    return replace(run, receipts={**run.receipts, label: changed})


@pytest.mark.slow
def test_a_judgement_counts_for_what_was_judged(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(run, tmp_path, monkeypatch)
    assert Audit(run).claim(LABEL).row()["accepted_by_coq"] == [LABEL]


@pytest.mark.parametrize("word", ["refused", "out of time", "not exported", "not judged"])
def test_another_word_is_not_acceptance(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    assert not said(run, tmp_path, monkeypatch, word=word)


def test_a_stale_key_is_not_acceptance(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not said(run, tmp_path, monkeypatch, key="0123456789abcdef")


def test_a_changed_certificate_or_statement_is_not_judged(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(run, tmp_path, monkeypatch)
    changed = with_certificate(run, LABEL, lambda found: {**found, "terms": found["terms"][:1]})
    assert not accepted_by_coq(changed, LABEL)
    restated = replace(run.receipts[LABEL], fingerprint="another")
    assert not accepted_by_coq(replace(run, receipts={**run.receipts, LABEL: restated}), LABEL)


def test_a_chain_is_judged_with_what_it_cites(run: Run) -> None:
    chain, cites = next(
        (label, proof.cites[0])
        for label, receipt in run.receipts.items()
        if (proof := receipt.findings.proof) is not None and proof.cites
        and certificate_key(run, proof.cites[0]) is not None
    )  # fmt: skip
    changed = with_certificate(run, cites, lambda found: {**found, "kind": "another"})
    assert certificate_key(changed, chain) != certificate_key(run, chain)


def test_a_chain_is_judged_with_the_axioms_that_it_rests_on(run: Run) -> None:
    chain, axiom = next(
        (label, cited)
        for label, receipt in run.receipts.items()
        if (proof := receipt.findings.proof) is not None
        for cited in proof.cites
        if run.receipts[cited].findings.proof is None
    )
    restated = replace(run.receipts[axiom], fingerprint="another")
    changed = replace(run, receipts={**run.receipts, axiom: restated})
    assert certificate_key(run, axiom) is None
    assert certificate_key(changed, chain) != certificate_key(run, chain)


def test_what_has_no_proof_is_not_accepted(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    label = next(name for name, receipt in run.receipts.items() if receipt.findings.proof is None)
    assert certificate_key(run, label) is None
    assert not said(run, tmp_path, monkeypatch, label)
    assert not said(run, tmp_path, monkeypatch, label, key="")


def test_the_record_is_of_what_is_exported_today(run: Run) -> None:
    files: dict[str, str] = {}
    (found,) = export_coq(run, [LABEL], files.__setitem__)
    assert judgements(coq.FILE)[LABEL]["file"] == file_hash(files, found.file or "")
