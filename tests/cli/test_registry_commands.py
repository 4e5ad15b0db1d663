"""`boundaudit list` and `boundaudit show`: the registry with what the newest run found."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tests.command import SELECTION, Call

from boundaudit.checks.records.run_folder import Run

REFUTED = "sharpness.norms.F.printed[upper,steep]"


def labels(call: Call, *options: str) -> list[str]:
    return [row["label"] for row in call("list", *options, "--json").json]


def test_list_shows_every_claim_with_its_verdict(in_suite: Call, suite_run: Run) -> None:
    lines = in_suite("list").out.splitlines()
    for label, receipt in suite_run.receipts.items():
        (line,) = [line for line in lines if f" {label} " in line]
        assert line.startswith(receipt["verdict"])
        assert receipt["claim"]["place"][0] in line
    assert len(lines) == len(SELECTION) + 1


def test_list_filters_by_verdict_and_paper(in_suite: Call) -> None:
    refuted = [REFUTED.replace("upper", "exact"), REFUTED]
    assert labels(in_suite, "--verdict", "refuted") == refuted
    assert labels(in_suite, "--verdict", "undecided") == []
    assert labels(in_suite, "--paper", "sharpness") == labels(in_suite, "--paper", "lintilhac") == list(SELECTION)


def test_show_tells_all_of_a_claim(in_suite: Call, suite_run: Run) -> None:
    claim = suite_run.receipts[REFUTED]["claim"]
    shown = " ".join(in_suite("show", REFUTED).out.split())
    told = [claim[name] for name in ("statement", "text", "domain", "paper", "reading", "fingerprint")]
    for part in (REFUTED, "refuted", "Theorem 10", "sharpness.norms.F.repaired", *told, *claim["limitations"]):
        assert part in shown
    assert "counterexample: T=2, D=1, omega=1, u=1, c=[1], S=[[1]]" in shown
    assert "64 against 32" in shown


def test_commands_read_the_newest_finished_run(call: Call, suite_run: Run, example_run: Run) -> None:
    runs = Path("boundaudit-runs")
    for age, (name, run) in enumerate({"b": example_run, "a": suite_run, "c.partial": example_run}.items()):
        shutil.copytree(run.path, runs / name)
        os.utime(runs / name / "manifest.json", (age, age))
    assert labels(call) == list(SELECTION)
    os.utime(runs / "b" / "manifest.json", (9, 9))
    assert labels(call) == ["example.logarithm", "example.spectral", "example.variance"]
    assert "example.variance refuted" in " ".join(call("show", "example.variance").out.split())
