"""`boundaudit experiment property-testing`: what it reports, its folder, and that it goes on after an interruption."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.command import Call

from boundaudit.reports.experiment import property_testing
from boundaudit.reports.experiment.acceptance import DIRECTIONS, SUBSPACES, Profile
from boundaudit.reports.experiment.property_testing import PROFILES

COMMAND = ("experiment", "property-testing", "--device", "cpu")
FILES = ("results.json", "rows.parquet", "page.html")
TINY = Profile(6, (1, 2), (1, 3), 3, (0.2, 0.02), 4, (3, 5), 4, (0.0, 1e-3, 1e-2))


@pytest.fixture
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROFILES, "smoke", TINY)


@pytest.mark.usefixtures("_tiny")
def test_json_has_the_figure_and_what_is_printed(call: Call) -> None:
    ended = call(*COMMAND, "--json")
    assert (ended.code, ended.err) == (0, "")
    found = ended.json
    assert len(found["rows"]) == 3 * 2 * 2 + 3 * 2 * (2 * 2 + 1)
    assert len({tuple(row) for row in found["rows"]}) == 1
    rows = {(row["tester"], row["bits"], row["epsilon"], row["truth"]): row for row in found["rows"]}
    for truth in TINY.degrees:
        row = rows[DIRECTIONS["disjoint"], None, 0.02, truth]
        assert (row["mean"], row["matched"]) == (truth, 1)
        assert rows[DIRECTIONS["xor"], None, 0.02, truth]["mean"] > truth
    for truth in TINY.sparsities:
        exact = rows["all values", 6, 0.0, truth]
        assert (exact["mean"], exact["sd"], exact["queries"]) == (truth, 0, 64)
        for tester in SUBSPACES.values():
            row = rows[tester, 5, 0.0, truth]
            assert row["mean"] <= truth
            assert row["low"] <= row["mean"] <= row["high"]
            assert row["queries"] == 4 * 32
    verdicts = {each["verdict"] for each in found["replications"]}
    assert verdicts <= {"holds", "does not hold", "undecided"}
    assert any("0 of 24 degrees" in note for note in found["notes"])


@pytest.mark.usefixtures("_tiny")
def test_the_parts_of_a_loss_add_up(call: Call) -> None:
    found = call(*COMMAND, "--json").json
    for row in found["wilting"]:
        mine = [each for each in found["rows"] if each["epsilon"] == row["epsilon"] and each["property"] == "sparsity"]
        for key, tester, bits in (("lost", SUBSPACES["restriction"], row["bits"]), ("allowed", "all values", 6)):
            means = [each["truth"] - each["mean"] for each in mine if (each["tester"], each["bits"]) == (tester, bits)]
            assert row[key] == pytest.approx(sum(means) / len(means), abs=1e-5)
        if row["lost"]:
            assert row["share"] == pytest.approx(row["allowed"] / row["lost"], abs=1e-5)


@pytest.mark.slow
@pytest.mark.usefixtures("_tiny")
def test_an_interrupted_run_goes_on_to_the_same_bytes(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = call(*COMMAND, "--out", "whole")
    assert whole.code == 0
    assert "Printed and measured" in whole.out
    see, calls = property_testing.see, []

    def broken(*given: Any) -> dict[str, Any]:
        calls.append(given[1:3])
        if len(calls) == 3:
            raise KeyboardInterrupt
        return see(*given)

    monkeypatch.setattr(property_testing, "see", broken)
    ended = call(*COMMAND, "--out", "cut")
    assert (ended.code, "--resume goes on" in ended.err) == (3, True)
    assert call(*COMMAND, "--out", "cut", "--seed", 1, "--resume").code == 2
    assert call(*COMMAND, "--out", "cut", "--resume").code == 0
    assert calls == [(1, 1), (1, 3), (2, 1), (2, 1), (2, 3)]
    assert sorted(path.name for path in (tmp_path / "cut").iterdir()) == sorted(FILES)
    for name in FILES:
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    page = (tmp_path / "whole" / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") == len(DIRECTIONS) + len(SUBSPACES) * len(TINY.bits)


def test_the_paper_profile_has_the_classes_of_the_paper() -> None:
    paper = PROFILES["paper"]
    assert (paper.length, paper.degrees, paper.sparsities, paper.functions) == (20, (1, 2, 3, 4, 5), (1, 7, 14, 20), 8)


def test_the_kept_run_is_of_that_profile_and_can_be_shown() -> None:
    path = Path(property_testing.__file__).parent / "kept" / "property-testing.json"
    assert path.stat().st_size < 60_000
    found = json.loads(path.read_text(encoding="utf-8"))
    assert (found["profile"], found["parameters"]["T"]) == ("paper", 20)
    shown = property_testing.shown(found)
    assert len(shown.conclusions) == len(found["replications"]) + 2
    assert len(shown.panels) == len(DIRECTIONS) + len(SUBSPACES) * len(PROFILES["paper"].bits)
