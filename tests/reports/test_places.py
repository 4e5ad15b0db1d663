"""Where a claim is written, as tools of continuous integration find it."""

from dataclasses import replace
from pathlib import Path

import pytest

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.document.places import outcomes, place_of


def test_shipped_claims_stand_in_the_package() -> None:
    assert place_of("checks/sharpness/norms.py:12", "sharpness.norms.x", ()) == ("checks/sharpness/norms.py", 12)


def test_own_files_are_named_from_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for file in (Path("papers/one/my_claims.py"), tmp_path / "papers/one/my_claims.py"):
        assert place_of("my_claims.py:7", "a.b", [Path("other.py"), file]) == ("papers/one/my_claims.py", 7)


def test_a_file_elsewhere_keeps_its_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    file = Path("../my_claims.py")
    assert place_of("my_claims.py:7", "a.b", [file]) == (file.absolute().as_posix(), 7)


def test_two_files_of_one_name_are_told_apart_by_the_label(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = [Path("one/my_claims.py"), Path("two/my_claims.py")]
    for file, label in zip(files, ("coin.a", "coin.b"), strict=True):
        file.parent.mkdir()
        file.write_text(f'x = Claim(label="{label}")', encoding="utf-8")
    assert place_of("my_claims.py:1", "coin.b", files) == ("two/my_claims.py", 1)
    assert place_of("my_claims.py:1", "coin.a", files) == ("one/my_claims.py", 1)


def test_every_case_is_told_and_what_could_not_be_judged(run: Run, known: Catalogue) -> None:
    errors = {"coins.lost": "left:\x1b[31m no\nnumber"}
    found = outcomes(replace(run, manifest=replace(run.manifest, errors=errors)), known)
    assert [outcome.label for outcome in found] == [*run.receipts, "coins.lost"]
    assert [outcome.label for outcome in found if not outcome.as_expected] == ["coins.gap.printed", "coins.lost"]
    lost = found[-1]
    assert (lost.verdict, lost.details) == ("", ("left:\\u001b[31m no number",))
    plot = found[0]
    assert plot.headline == "coins.variance.printed[plot]: refuted, as expected"
    assert "counterexample: p = 1/2, where the sides are 0.25 and 0.24" in plot.details
    assert (plot.file, plot.line, plot.seconds) == ("claims/coins.py", 12, 1.25)
