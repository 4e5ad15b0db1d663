"""`boundaudit list` and `boundaudit show`: the registry with what a run found, and which run they read."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.command import CLAIMS, SELECTION, SUITE, Call, part_of, refused, write_claims

from boundaudit.checks.records import reference
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Audit

PRINTED = "sharpness.norms.F.printed"
REFUTED = f"{PRINTED}[upper,steep]"
REPAIRED = "sharpness.norms.F.repaired"


def labels(call: Call, *options: str) -> list[str]:
    return [row["label"] for row in call("list", *options, "--json").json]


# --- list -----------------------------------------------------------------------------------------


def test_list_shows_every_claim_with_its_verdict(in_suite: Call, suite_run: Run) -> None:
    lines = in_suite("list", *SUITE).out.splitlines()
    audit = Audit(suite_run)
    for label in CLAIMS:
        audited = audit.claim(label)
        (at,) = [i for i, line in enumerate(lines) if f" {label} " in line]
        assert lines[at].split()[:2] == [audited.verdict, audited.claim.role]
        assert audited.claim.place[0] in lines[at]
        cases = [case for case in audited.cases if case.case]
        for line, case in zip(lines[at + 1 :], cases, strict=False):
            assert line.split() == [audited.found[case.label].verdict, f"[{case.case}]"]
    assert len(lines) == len(CLAIMS) + 2 + 1


def test_list_filters_by_verdict_and_paper(in_suite: Call) -> None:
    assert labels(in_suite, *SUITE, "--verdict", "refuted") == [PRINTED]
    assert labels(in_suite, *SUITE, "--verdict", "undecided") == []
    everything = labels(in_suite, *SUITE)
    assert sorted(everything) == sorted(CLAIMS)
    for paper in ("sharpness", "lintilhac"):
        assert labels(in_suite, *SUITE, "--paper", paper) == everything


@pytest.mark.slow
def test_list_filters_by_place_and_role(in_suite: Call) -> None:
    assert "sharpness.mlp.height" not in labels(in_suite, *SUITE, "--place", "Theorem 10")
    assert {PRINTED, REPAIRED} <= set(labels(in_suite, *SUITE, "--place", "Theorem 10"))
    assert labels(in_suite, *SUITE, "--role", "printed", "--place", "Theorem 10") == [PRINTED]
    assert REPAIRED in labels(in_suite, *SUITE, "--role", "successor")
    assert labels(in_suite, *SUITE, "--role", "control") == []
    by_role = [labels(in_suite, *SUITE, "--role", role) for role in ("printed", "successor", "improvement", "lemma")]
    assert sorted(label for found in by_role for label in found) == sorted(CLAIMS)


# --- show -----------------------------------------------------------------------------------------


def test_show_tells_all_of_a_claim(in_suite: Call, suite_run: Run) -> None:
    audited = Audit(suite_run).claim(REFUTED)
    claim, (case,) = audited.claim, [case for case in audited.cases if case.label == REFUTED]
    shown = " ".join(in_suite("show", REFUTED).out.split())
    told = [case.statement, claim.paper, claim.role, case.text, case.domain, case.reading]
    told += [suite_run.receipts[REFUTED].fingerprint, *(said[0] for said in case.symbols.values())]
    for part in (REFUTED, "refuted", "Theorem 10", REPAIRED, *told, *case.limitations):
        assert part in shown
    assert "counterexample: T = 2, D = 1, omega = 1, u = 1, c = (1), S = {1}" in shown
    assert "64 against 32" in shown


def test_show_of_a_claim_tells_all_of_its_cases(in_suite: Call) -> None:
    shown = in_suite("show", PRINTED).out
    assert shown.startswith(f"{PRINTED}  refuted: ")
    for case in ("exact,steep", "upper,steep"):
        assert f"\n[{case}]  refuted: " in shown
    assert "[upper,wide]" not in shown
    assert shown.count("counterexample: ") == 2


# --- which run is read ----------------------------------------------------------------------------


@pytest.fixture
def shipped(suite_run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`suite_run` in the place of the run that ships."""
    monkeypatch.setattr(reference, "reference", lambda: suite_run)
    monkeypatch.setattr(reference, "FOLDER", suite_run.path)
    return suite_run


def placed(run: Run, name: str, age: int, claims: Sequence[str] = ()) -> Path:
    """A copy of a run, or of some of its claims, under the working directory; the largest age is the newest."""
    out = Path("boundaudit-runs") / name
    if claims:
        out.parent.mkdir(exist_ok=True)
        part_of(run, claims, out)
    else:
        shutil.copytree(run.path, out)
    os.utime(out / "manifest.json", (age, age))
    return out


def source(call: Call, *arguments: str) -> str:
    """Which run a command says it read."""
    ended = call(*arguments)
    assert ended.code == 0
    (line,) = ended.err.splitlines()
    return line.removeprefix("read from ")


def test_a_small_run_and_one_of_own_claims_hide_nothing(call: Call, shipped: Run, example_run: Run) -> None:
    everything = labels(call)
    assert sorted(everything) == sorted(CLAIMS)
    again = "not checked again (`boundaudit check` does that)"
    said = f"the run that ships with the suite: {len(SELECTION)} claims and cases, profile smoke, {again}"
    assert source(call, "list") == source(call, "theorems") == said
    placed(shipped, "small", 1, [REFUTED])
    placed(example_run, "own", 2)
    assert labels(call) == everything
    for arguments in (["list"], ["theorems"]):
        assert source(call, *arguments) == f"{said}; the newest run is boundaudit-runs/own (--run)"
    assert labels(call, "--run", "boundaudit-runs/small") == [PRINTED]
    assert labels(call, "--run", "boundaudit-runs/own") == ["example.logarithm", "example.spectral", "example.variance"]


def test_the_newest_whole_run_is_read(call: Call, shipped: Run) -> None:
    placed(shipped, "b", 1)
    placed(shipped, "a", 2)
    placed(shipped, "c.partial", 3)
    assert source(call, "list").startswith(f"boundaudit-runs/a: {len(SELECTION)} claims and cases")
    os.utime("boundaudit-runs/b/manifest.json", (9, 9))
    assert source(call, "theorems").startswith("boundaudit-runs/b: ")
    placed(shipped, "small", 20, [REFUTED])
    assert source(call, "list").startswith("boundaudit-runs/b: ")


@pytest.mark.slow
def test_one_claim_is_read_from_the_newest_run_that_has_it(call: Call, shipped: Run, example_run: Run) -> None:
    placed(shipped, "small", 1, [REFUTED])
    placed(example_run, "own", 2)
    assert source(call, "show", REFUTED).startswith("boundaudit-runs/small: 1 claims and cases, profile smoke")
    assert source(call, "reproduce", REFUTED).startswith("boundaudit-runs/small: ")
    assert source(call, "show", REPAIRED).startswith("the run that ships with the suite: ")
    assert source(call, "show", "example.variance") == "boundaudit-runs/own: 3 claims and cases, profile smoke"
    assert "example.variance refuted" in " ".join(call("show", "example.variance").out.split())
    assert source(call, "show", REFUTED, "--run", str(shipped.path)).startswith("the run that ships with the suite: ")


DAMAGE = {
    "no JSON": lambda run: (run / "manifest.json").write_bytes(b"\xff"),
    "an old schema": lambda run: (run / "manifest.json").write_text('{"schema": 2, "claims": []}', encoding="utf-8"),
    "a cut receipt": lambda run: next((run / "receipts").iterdir()).write_text('{"label": "a', encoding="utf-8"),
}


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_run_is_passed_over_unless_it_is_named(call: Call, shipped: Run, damage: object) -> None:
    placed(shipped, "whole", 1)
    broken = placed(shipped, "broken", 2)
    assert callable(damage)
    damage(broken)
    os.utime(broken / "manifest.json", (9, 9))
    for arguments in (["list"], ["theorems"], ["show", REFUTED], ["reproduce", REFUTED]):
        assert source(call, *arguments).startswith("boundaudit-runs/whole: ")
    written = call("report", "--format", "md", "--json")
    assert (written.code, written.json["run"]) == (0, "boundaudit-runs/whole")
    for arguments in (["list"], ["theorems"], ["show", REFUTED], ["reproduce", REFUTED], ["report"]):
        refused(call(*arguments, "--run", str(broken)), "expected")


def test_a_report_is_of_the_newest_run_whatever_it_audits(call: Call, shipped: Run, example_run: Run) -> None:
    for age, (name, run) in enumerate({"suite": shipped, "own": example_run}.items()):
        placed(run, name, age)
        assert call("report", "--format", "md", "--json").json["run"] == f"boundaudit-runs/{name}"


def test_without_any_run_the_shipped_one_is_rendered_elsewhere(call: Call, shipped: Run) -> None:
    ended = call("report", "--format", "md", "--json")
    assert ended.json == {"run": str(shipped.path), "written": ["boundaudit-report/report.md"]}


def test_a_run_ships_with_the_suite() -> None:
    from boundaudit.reports.cli.lookup import reference_run

    assert reference_run().receipts


# --- claims of one's own --------------------------------------------------------------------------

OWN = """
mine = variance(label="coin.mine", right=QUARTER, rests_on=("coin.half", "pac_bayes.binary_kl.falling",
                "sharpness.mlp.height", "sharpness.norms.F.printed[upper,steep]"))
half = variance(label="coin.half", right=sp.Rational(1, 2))
"""


@pytest.mark.slow
def test_own_claims_may_rest_on_shipped_ones_of_any_chapter(call: Call, tmp_path: Path) -> None:
    assert call("verify", write_claims(tmp_path, OWN), "--profile", "smoke", "--workers", 1, "--out", "run").code == 0
    shown = call("show", "coin.mine", "--run", "run", "--json").json
    chapters = ["pac_bayes.binary_kl.falling", "sharpness.mlp.height", REFUTED]
    assert shown["rests_on"] == ["coin.half", *chapters]
    assert labels(call, "--run", "run") == ["coin.mine", "coin.half"]
    assert call("show", "coin.half", "--run", "run", "--json").json["blast_radius"] == ["coin.mine"]


@pytest.mark.slow
def test_a_case_whose_name_has_spaces_is_shown(call: Call) -> None:
    label = "sharpness.noisy_loss.passes.pooled[logits with values]"
    assert call("show", label, "--json").json["label"] == label
