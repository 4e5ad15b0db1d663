"""Experiments that ship with the package: what a report shows of them, and where."""

from __future__ import annotations

import json

import pytest

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.document.document import Document, build_document
from boundaudit.reports.document.kept import Kept, kept_runs
from boundaudit.reports.experiment.shared.replication import Replication
from boundaudit.reports.formats.html import render_site
from boundaudit.reports.formats.markdown import render_markdown

KEPT = list(kept_runs())


@pytest.mark.parametrize("kept", KEPT, ids=[kept.name for kept in KEPT])
def test_every_run_is_whole_and_can_be_shown(kept: Kept) -> None:
    found = kept.found
    assert found["experiment"] == kept.name
    assert {"boundaudit", "torch"} <= set(found["versions"])
    said = [Replication(**each) for each in found["replications"]]
    assert [row[-1] for row in kept.shown.tables[0].rows] == [each.verdict for each in said]
    assert kept.shown.panels
    assert sum(kept.tally.values()) == len(said) > 0
    assert len(json.dumps(found)) < 80_000


def test_a_run_of_other_claims_says_nothing_of_them(run: Run, known: Catalogue) -> None:
    assert not any(label.startswith("sharpness.") for label in known.claims)
    assert build_document(run, known).experiments == []
    assert "experiments.html" not in render_site(run, known)
    assert "Experiments run again" not in render_markdown(run, known)


def test_where_reports_show_them(run: Run, known: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Document, "experiments", KEPT[:2])
    files, text = render_site(run, known), render_markdown(run, known)
    assert f"{len(KEPT[:2])} run again" in files["index.html"]
    for kept in KEPT[:2]:
        assert f'id="experiment-{kept.name}"' in files["experiments.html"]
        assert kept.made in text
        for each in kept.found["replications"]:
            assert f"| {each['verdict']} |" in text
    assert text.count(f"| {KEPT[0].name} |") == len(KEPT[0].found["replications"])
