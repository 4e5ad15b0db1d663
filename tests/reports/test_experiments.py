"""Experiments that ship with the package, what a report shows of them; and that none of their parts is lost."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from boundaudit import InputError
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.document.document import Document, build_document
from boundaudit.reports.document.kept import Kept, kept_runs
from boundaudit.reports.experiment.shared.parts import Parts
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


IN_THE_WAY: list[Callable[[Path], object]] = [
    lambda path: path.symlink_to("nowhere"),
    lambda path: (path / "of another process").mkdir(parents=True),
]


@pytest.mark.parametrize("stands", IN_THE_WAY)
def test_what_stands_in_the_way_loses_no_part(tmp_path: Path, stands: Callable[[Path], object]) -> None:
    run = tmp_path / "run"
    kept = Parts(run, {"seed": 0})
    assert kept.part("first", lambda: {"value": 1}) == {"value": 1}
    stands(run)
    with pytest.raises(InputError, match=r"--out: expected a writable folder.*add --resume"):
        kept.finish(lambda folder: None)
    with pytest.raises(InputError, match="--out: expected a folder that does not exist yet"):
        Parts(run, {"seed": 0}, resume=True)
    run.rename(tmp_path / "elsewhere")
    again = Parts(run, {"seed": 0}, resume=True)
    assert again.part("first", lambda: {"value": 2}) == {"value": 1}
    again.finish(lambda folder: (folder / "results.json").touch())
    assert [path.name for path in run.iterdir()] == ["results.json"]


def test_a_part_nested_without_end_is_one_line(tmp_path: Path) -> None:
    part = tmp_path / "run.partial" / "parts" / "first.json"
    Parts(tmp_path / "run", {"seed": 0})
    part.parent.mkdir()
    part.write_text("[" * 100_000)
    with pytest.raises(InputError, match=r"first\.json"):
        Parts(tmp_path / "run", {"seed": 0}, resume=True).part("first", dict)
