"""The committed receipts: current, as pinned, and noticed when they are not."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from boundaudit.checks.evidence.verdict import STANDING
from boundaudit.checks.records.reference import FOLDER, reference
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.registry import Registry, built_in
from boundaudit.reports import reference as keeper

pytestmark = pytest.mark.slow

LABEL = "sharpness.mlp.height"


def test_the_committed_receipts_and_report_are_current() -> None:
    assert keeper.stale() == []


def test_every_verdict_is_as_expected_and_every_refuted_claim_is_repaired() -> None:
    receipts = reference()
    assert set(receipts) == set(built_in().claims)
    assert all(receipt["as_expected"] for receipt in receipts.values())
    refuted = [label for label, receipt in receipts.items() if receipt["verdict"] == "refuted"]
    repairs = {label: built_in().repair_of(label) for label in refuted}
    assert len(refuted) >= 10
    assert all(receipts[str(repair)]["verdict"] in STANDING for repair in repairs.values())


def test_statements_are_distinct() -> None:
    receipts = reference().values()
    assert len({receipt["claim"]["statement"] for receipt in receipts}) == len(receipts)
    assert len({receipt["claim"]["fingerprint"] for receipt in receipts}) == len(receipts)


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ({"statement": "Something else."}, "its description has changed"),
        ({"right": 1}, "the statement or the code that measures it has changed"),
    ],
)
def test_a_changed_claim_is_noticed(change: dict[str, Any], finding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    claim = built_in().claims[LABEL]
    fields = {field.name: getattr(claim, field.name) for field in dataclasses.fields(claim) if field.init}
    changed = type(claim)(**{**fields, **change})
    claims = [changed if label == LABEL else known for label, known in built_in().claims.items()]
    known = built_in()
    other = Registry(claims, known.derivations.values(), known.studies.values())
    monkeypatch.setattr(keeper, "built_in", lambda: other)
    assert keeper.stale() == [f"{LABEL}: {finding}"]


def test_a_report_that_is_not_rendered_from_the_receipts_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "render_markdown", lambda run: "another report")
    assert keeper.stale() == ["reports/AUDIT.md is not what the committed receipts render to"]


def test_receipts_hold_no_timings_and_no_paths_of_a_machine() -> None:
    run = Run.load(FOLDER)
    assert run.timings == {}
    text = "".join(path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.json"))
    assert str(FOLDER) not in text
