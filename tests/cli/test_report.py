"""`boundaudit report`: which files are written, where, and from which run."""

import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from tests.command import EXAMPLE, Call, strict_json

from boundaudit.checks.records.run_folder import Run


@pytest.fixture
def run(call: Call, example_run: Run) -> Path:
    """A copy of the example run, the newest under the working directory."""
    copy = Path("boundaudit-runs") / "run"
    shutil.copytree(example_run.path, copy)
    return copy


@pytest.mark.slow
def test_the_newest_run_is_rendered_into_its_own_folder(call: Call, run: Path) -> None:
    before = {path.name for path in run.iterdir()}
    ended = call("report")
    assert (ended.code, ended.out.split()) == (0, [str(run / "report" / "index.html")])
    assert {path.name for path in run.iterdir()} - before == {"report"}
    assert (run / "report" / "index.html").read_text(encoding="utf-8").lower().startswith("<!doctype html>")


@pytest.mark.slow
def test_every_format_speaks_of_the_run(call: Call, run: Path) -> None:
    ended = call("report", "--run", run, "--format", "html, md, json, tex", "--single-file", "--out", "elsewhere/deep")
    paths = [Path("elsewhere/deep") / f"report.{name}" for name in ("html", "md", "json", "tex")]
    assert ended.out.split() == [str(path) for path in paths]
    assert sorted(Path("elsewhere/deep").iterdir()) == sorted(paths)
    for path in paths[:3:2]:
        text = path.read_text(encoding="utf-8")
        assert [label for label in Run.load(run).receipts if label not in text] == []


def test_continuous_integration_is_told_where_each_claim_stands(call: Call, run: Path) -> None:
    ended = call("report", run, "--format", "junit,sarif", "--out", "ci")
    assert (ended.code, ended.out.split()) == (0, ["ci/report.junit.xml", "ci/report.sarif"])
    cases = {case.attrib["name"]: case for case in ET.parse("ci/report.junit.xml").iter("testcase")}
    assert set(cases) == set(Run.load(run).receipts)
    (result,) = strict_json(Path("ci/report.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    variance = cases["example.variance"]
    for uri, line in (
        (place["artifactLocation"]["uri"], place["region"]["startLine"]),
        (Path(variance.attrib["file"]).as_uri(), int(variance.attrib["line"])),
    ):
        assert uri == EXAMPLE.as_uri()
        assert lines[line - 1 : line + 1] == ["variance = Claim(", '    label="example.variance",']


def test_the_json_report_is_strict_json(call: Call, run: Path) -> None:
    call("report", "--format", "json")
    report = strict_json((run / "report.json").read_text(encoding="utf-8"))
    counts = {verdict: count for verdict, count in report["verdicts"].items() if count}
    assert counts == {"proved": 1, "supported": 1, "refuted": 1}
    assert [found["label"] for found in report["claims"] if found["verdict"] == "refuted"] == ["example.variance"]


def test_two_different_runs_are_refused(call: Call, run: Path) -> None:
    ended = call("report", run, "--run", "other")
    assert ended.code == 2
    assert "the same folder" in ended.err


def test_a_new_report_replaces_the_old_one(call: Call, run: Path) -> None:
    (run / "report.md").write_text("old", encoding="utf-8")
    call("report", run, "--format", "md")
    assert "example.variance" in (run / "report.md").read_text(encoding="utf-8")
