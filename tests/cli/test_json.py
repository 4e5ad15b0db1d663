"""The JSON that others rely on: valid by its schema, which names every field, and saying what was found."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from tests.command import CLAIMS, EXAMPLE, SELECTION, SUITE, Call, write_claims
from tests.schemas import validator

from boundaudit.checks.records.run_folder import Run
from boundaudit.reports.cli.main import cli

pytestmark = pytest.mark.slow

PRINTED, REPAIRED, IDENTITY = "sharpness.norms.F.printed", "sharpness.norms.F.repaired", "sharpness.mlp.height"
REFUTED = f"{PRINTED}[upper,steep]"
TARGET = {"length": 4, "components": [[1, 2], [3, 4]], "coefficients": [0.6, 0.8]}


def test_every_command_takes_json() -> None:
    found = dict(commands(cli))
    known = {
        "verify", "report", "theorems", "list", "show", "reproduce", "measure", "bound sharpness", "model", "bench",
        "bound covering", "bound schatten", "experiment sparse-majority",
    }  # fmt: skip
    assert known <= set(found)
    options = {name: {option for p in command.params for option in p.opts} for name, command in found.items()}
    assert [name for name, known in options.items() if "--json" not in known] == []
    assert all(command.help for command in found.values())


def commands(group: click.Group) -> Iterator[tuple[str, click.Command]]:
    """Every command by its whole name, those of groups too."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", found) for inner, found in commands(command))
        else:
            yield name, command


# --- list -----------------------------------------------------------------------------------------


def test_list(in_suite: Call) -> None:
    rows = in_suite("list", *SUITE, "--json").json
    validator("list").validate(rows)
    assert sorted(row["label"] for row in rows) == sorted(CLAIMS)
    cases = {row["label"]: [case["label"] for case in row["cases"]] for row in rows}
    assert cases == {label: [name for name in SELECTION if name.startswith(f"{label}[")] for label in CLAIMS}


def test_ratio_is_the_worst_left_over_right_and_null_for_identities(in_suite: Call) -> None:
    shown = {label: in_suite("show", label, "--json").json for label in SELECTION}
    for found in shown.values():
        worst, identity = found["worst"], found["kind"] == "Identity"
        assert found["ratio"] == (None if identity else worst["left"] / worst["right"])
    assert shown[IDENTITY]["ratio"] is None
    assert shown[REPAIRED]["ratio"] == 1
    # Even D makes the printed bound worst: 2 (D+2)/(D+1), largest at D = 2.
    assert shown[REFUTED]["ratio"] == pytest.approx(8 / 3, rel=1e-12)
    ratios = {row["label"]: row["ratio"] for row in in_suite("list", *SUITE, "--json").json}
    assert ratios == {label: None if label == PRINTED else shown[label]["ratio"] for label in CLAIMS}


OF_THREE = """
from boundaudit.checks.language.claim import Case
x = variance(label="coin.x", right=QUARTER, cases=(Case("loose", right=1), Case("false", right=TOO_SMALL,
             expected="refuted"), Case("tight", expected="proved")))
"""


def test_ratio_of_a_claim_with_cases_is_that_of_the_worst(call: Call, tmp_path: Path) -> None:
    claims = write_claims(tmp_path, OF_THREE)
    assert call("verify", claims, "--profile", "smoke", "--workers", 1, "--out", "run").code == 0
    (row,) = call("list", "--run", "run", "--json").json
    assert (row["verdict"], row["expected"]) == ("refuted", "refuted")
    assert [(case["case"], case["verdict"]) for case in row["cases"]] == [
        ("loose", "proved"), ("false", "refuted"), ("tight", "proved"),
    ]  # fmt: skip
    assert row["ratio"] == pytest.approx(0.25 / 0.24)
    whole = call("show", "coin.x", "--run", "run", "--json").json
    assert whole["ratio"] == row["ratio"] == whole["worst"]["left"] / whole["worst"]["right"]
    assert [case["ratio"] for case in whole["cases"]] == pytest.approx([0.25, 0.25 / 0.24, 1])
    assert call("show", "coin.x[tight]", "--run", "run", "--json").json["ratio"] == pytest.approx(1)


def test_a_right_side_of_zero_has_no_ratio(call: Call, tmp_path: Path) -> None:
    claims = write_claims(tmp_path, 'x = variance(label="coin.x", right=0, expected="refuted")\n')
    assert call("verify", claims, "--profile", "smoke", "--workers", 1, "--out", "run").code == 0
    assert [row["ratio"] for row in call("list", "--run", "run", "--json").json] == [None]


# --- show -----------------------------------------------------------------------------------------


def test_show(in_suite: Call, suite_run: Run) -> None:
    for label in SELECTION:
        found = in_suite("show", label, "--json").json
        validator("show").validate(found)
        assert found["label"] == label
        assert re.fullmatch(r"[0-9a-f]{12,}", found["fingerprint"])
        receipt = suite_run.receipts[label].to_json()
        assert found["evidence"] == receipt["evidence"]
        assert (found["verdict"], found["worst"]) == (receipt["verdict"], receipt["worst"])
        assert [e for e in found["evidence"] if None in e.values() or [] in e.values()] == []
        assert found["cases"] == []


def test_show_of_a_claim_with_cases(in_suite: Call, suite_run: Run) -> None:
    found = in_suite("show", PRINTED, "--json").json
    validator("show").validate(found)
    labels = [label for label in SELECTION if label.startswith(PRINTED)]
    assert [case["label"] for case in found["cases"]] == labels
    for case in found["cases"]:
        alone = in_suite("show", case["label"], "--json").json
        assert case.items() <= alone.items()
        assert case["evidence"] == suite_run.receipts[case["label"]].to_json()["evidence"]
    first, second = found["cases"]
    assert first["statement"] != second["statement"]
    assert (first["kind"], second["kind"]) == ("Identity", "Upper")


def test_show_links_what_is_refuted_with_what_stands_in_for_it(in_suite: Call) -> None:
    refuted, repaired = (in_suite("show", label, "--json").json for label in (REFUTED, REPAIRED))
    assert (refuted["verdict"], refuted["repair"]) == ("refuted", REPAIRED)
    assert repaired["repair"] is None
    assert repaired["verdict"] in ("proved", "certified", "supported")
    assert "sharpness.norms.F.closed-form" in repaired["rests_on"]
    closed = in_suite("show", "sharpness.norms.F.closed-form", "--json").json
    assert REPAIRED in closed["used_by"]
    assert set(closed["used_by"]) <= set(closed["blast_radius"])


# --- verify ---------------------------------------------------------------------------------------


def test_verify(call: Call) -> None:
    ended = call("verify", EXAMPLE, "--profile", "smoke", "--workers", 1, "--seed", 5, "--device", "cpu", "--json")
    found = ended.json
    validator("verify").validate(found)
    assert not validator("verify").is_valid(found | {"unheard of": 1})
    assert (ended.code, found["claims"], found["seed"], found["device"]) == (0, 3, 5, "cpu")
    assert found["verdicts"] == {"proved": 1, "supported": 1, "refuted": 1}
    assert found["unexpected"] == []
    mutation = found["mutation"]
    assert mutation["killed"] + mutation["slack"] + mutation["unexplained"] == mutation["total"] > 0
    assert mutation["score"] == mutation["killed"] / (mutation["killed"] + mutation["unexplained"])
    assert set(found["mutants"]) == {"example.logarithm", "example.spectral"}  # those that stand
    assert sum(each["killed"] for each in found["mutants"].values()) == mutation["killed"]
    assert [line.split()[-1] for line in ended.err.splitlines()] == [
        "example.logarithm", "example.spectral", "example.variance",
    ]  # fmt: skip


def test_verify_names_what_is_unexpected(call: Call, tmp_path: Path) -> None:
    claims = write_claims(tmp_path, 'x = variance(label="coin.x", right=TOO_SMALL, expected="proved")\n')
    ended = call("verify", claims, "--profile", "smoke", "--workers", 1, "--json")
    validator("verify").validate(ended.json)
    assert (ended.code, ended.json["unexpected"]) == (1, ["coin.x"])


def test_numbers_that_do_not_exist_are_null(call: Call, tmp_path: Path) -> None:
    body = """
x = variance(label="coin.x", right=Quantity("overflow", lambda points, device: np.full(len(points), np.inf), "o"))
y = variance(label="coin.y", right=Quantity("nothing", lambda points, device: np.full(len(points), np.nan), "n"))
"""
    call("verify", write_claims(tmp_path, body), "--profile", "smoke", "--workers", 1, "--out", "boundaudit-runs/run")
    for label in ("coin.x", "coin.y"):
        found = call("show", label, "--json").json
        assert found["ratio"] in (None, 0)
        assert found["worst"] is None or found["worst"]["right"] is None
        assert found["verdict"] != "proved"
    assert call("report", "--format", "html,md,json", "--json").code == 0


# --- the others -----------------------------------------------------------------------------------


def test_bench(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    from boundaudit.reports import bench

    monkeypatch.setattr(bench, "BENCHMARKS", {"nothing": lambda device: {"seconds": 0.5, "device": device}})
    ended = call("bench", "nothing", "--device", "cpu", "--json")
    assert (ended.code, ended.json) == (0, {"nothing": {"seconds": 0.5, "device": "cpu"}})
