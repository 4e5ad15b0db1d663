"""`boundaudit experiment property-testing`: what it reports, its folder, and that it goes on after an interruption."""

import json
from pathlib import Path

import pytest
from tests.command import Call

from boundaudit.reports.experiment import property_testing
from boundaudit.reports.experiment.acceptance import DIRECTIONS, SUBSPACES
from boundaudit.reports.experiment.property_testing import PROFILES

from .tiny_experiments import TINY

COMMAND = ("experiment", "property-testing", "--device", "cpu")


@pytest.mark.usefixtures("tiny")
def test_json_has_the_figure_what_is_printed_and_parts_that_add_up(call: Call) -> None:
    ended = call(*COMMAND, "--json")
    assert (ended.code, ended.err) == (0, "")
    found = ended.json
    assert len(found["rows"]) == 3 * 2 * 2 + 3 * 2 * (2 * 2 + 1)
    assert len({tuple(row) for row in found["rows"]}) == 1
    rows = {(row["tester"], row["bits"], row["epsilon"], row["truth"]): row for row in found["rows"]}
    for truth in TINY["property-testing"].degrees:
        row = rows[DIRECTIONS["disjoint"], None, 0.02, truth]
        assert (row["mean"], row["matched"]) == (truth, 1)
        assert rows[DIRECTIONS["xor"], None, 0.02, truth]["mean"] > truth
    for truth in TINY["property-testing"].sparsities:
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
    for row in found["wilting"]:
        mine = [each for each in found["rows"] if each["epsilon"] == row["epsilon"] and each["property"] == "sparsity"]
        for key, tester, bits in (("lost", SUBSPACES["restriction"], row["bits"]), ("allowed", "all values", 6)):
            means = [each["truth"] - each["mean"] for each in mine if (each["tester"], each["bits"]) == (tester, bits)]
            assert row[key] == pytest.approx(sum(means) / len(means), abs=1e-5)
        if row["lost"]:
            assert row["share"] == pytest.approx(row["allowed"] / row["lost"], abs=1e-5)


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
