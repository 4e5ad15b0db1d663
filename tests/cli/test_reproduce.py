"""`boundaudit reproduce`: the recorded case measured again, and as a script that needs mpmath only."""

import ast
import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import mpmath
import pytest
from tests.command import SELECTION, Call, write_claims
from tests.shipped import shipped_run

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run import reproduce
from boundaudit.checks.run.addresses import find_shipped, shipped

PRINTED = "sharpness.norms.F.printed"
REFUTED, EXACT = f"{PRINTED}[upper,steep]", f"{PRINTED}[exact,steep]"
ALONE = """
import contextlib, io, json, runpy, sys
found = {}
for path in sys.argv[1:]:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        runpy.run_path(path)
    found[path] = printed.getvalue()
heavy = {"boundaudit", "flint", "numpy", "scipy", "sympy", "torch"}
print(json.dumps({"printed": found, "loaded": sorted(heavy & set(sys.modules))}))
"""


@pytest.mark.parametrize("label", SELECTION)
@pytest.mark.slow
def test_both_sides_agree_with_the_record(in_suite: Call, label: str) -> None:
    ended = in_suite("reproduce", label, "--json")
    found = ended.json
    assert (ended.code, found["agrees"], found["label"]) == (0, True, label)
    assert found["holds"] is (label not in (REFUTED, EXACT))
    for measured, recorded, ball in zip(
        (found["left"], found["right"]), found["recorded"], found["in balls"], strict=True
    ):
        assert float(measured) == pytest.approx(float(ball), rel=1e-12)
        assert float(measured) == pytest.approx(float(recorded), rel=1e-12)


def test_a_refuted_claim_is_reproduced_at_its_counterexample(in_suite: Call) -> None:
    found = in_suite("reproduce", REFUTED, "--json").json
    assert found["point"] == {"T": 2, "D": 1, "omega": 1, "u": 1, "c": [1], "S": [[1]]}
    assert (found["left"], found["right"], found["in balls"]) == ("64", "32", ["64", "32"])


def test_people_read_the_same(in_suite: Call) -> None:
    lines = [line.strip() for line in in_suite("reproduce", REFUTED).out.splitlines()]
    assert {"left: 64", "right: 32", "holds: False", "agrees: True"} <= set(lines)


@pytest.mark.slow
def test_of_a_claim_every_case_is_reproduced(in_suite: Call) -> None:
    ended = in_suite("reproduce", PRINTED, "--json")
    assert ended.code == 0
    assert [found["label"] for found in ended.json] == [EXACT, REFUTED]
    assert ended.json == [in_suite("reproduce", label, "--json").json for label in (EXACT, REFUTED)]
    assert in_suite("reproduce", PRINTED).out.count("agrees: True") == 2
    script = in_suite("reproduce", PRINTED, "--script", "--json").json
    assert script == in_suite("reproduce", EXACT, "--script", "--json").json


def test_fifteen_digits_of_a_measured_side(in_example: Call) -> None:
    found = in_example("reproduce", "example.spectral", "--json").json
    assert found["agrees"] is True
    assert "in balls" not in found
    assert len(re.sub(r"\D", "", found["right"]).lstrip("0")) <= 15


def test_status_is_1_where_the_record_disagrees(call: Call, suite_run: Run) -> None:
    run = Path("boundaudit-runs") / "run"
    shutil.copytree(suite_run.path, run)
    path = run / "receipts" / "sharpness.mlp.jsonl"
    receipt, *others = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert receipt["label"] == SELECTION[0]
    receipt["worst"]["left"] *= 1 + 1e-9
    path.write_text("".join(f"{json.dumps(line)}\n" for line in (receipt, *others)), encoding="utf-8")
    ended = call("reproduce", SELECTION[0], "--json")
    assert (ended.code, ended.json["agrees"]) == (1, False)


@pytest.mark.slow
def test_a_claim_whose_meaning_changed_is_not_reproduced(call: Call, tmp_path: Path) -> None:
    claims = write_claims(tmp_path, 'x = variance(label="coin.x", right=QUARTER)\n')
    call("verify", claims, "--profile", "smoke", "--workers", 1, "--out", "old")
    assert call("reproduce", "coin.x", "--run", "old").code == 0
    write_claims(tmp_path, 'x = variance(label="coin.x", right=1)\n')
    call("verify", claims, "--profile", "smoke", "--workers", 1, "--out", "new")
    ended = call("reproduce", "coin.x", "--run", "old")
    assert (ended.code, ended.out) == (2, "")
    assert "coin.x: expected the claim that the run audited" in ended.err


# --- scripts --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_scripts_run_alone_and_agree(call: Call, in_suite: Call, tmp_path: Path) -> None:
    """One process without the suite runs the script of every claim."""
    measured = {}
    for label in SELECTION:
        ended = in_suite("reproduce", label, "--script")
        assert (ended.code, ended.err) == (0, "")
        assert imported(ended.out) == {"mpmath"}
        assert len([line for line in ended.out.splitlines() if line.strip()]) <= 25
        (tmp_path / f"{label}.py").write_text(ended.out, encoding="utf-8")
        measured[str(tmp_path / f"{label}.py")] = in_suite("reproduce", label, "--json").json
    command = [sys.executable, "-I", "-c", ALONE, *measured]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout)
    assert found["loaded"] == []
    for path, again in measured.items():
        left, right, verdict = found["printed"][path].splitlines()
        with mpmath.workdps(30):
            for line, ball in zip((left, right), again["in balls"], strict=True):
                printed = mpmath.mpf(line.split("=")[1])
                assert mpmath.almosteq(printed, mpmath.mpf(ball), rel_eps=mpmath.mpf(10) ** -18)
        assert verdict.endswith("holds here" if again["holds"] else "violated here")


def imported(script: str) -> set[str | None]:
    """The modules that a script imports."""
    nodes = list(ast.walk(ast.parse(script)))
    named = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return named | {node.module for node in nodes if isinstance(node, ast.ImportFrom)}


def test_a_script_names_the_statement_and_its_place(in_suite: Call) -> None:
    (claim,) = find_shipped(REFUTED)
    docstring = ast.get_docstring(ast.parse(in_suite("reproduce", REFUTED, "--script").out))
    assert docstring
    assert all(part in docstring for part in (claim.statement, claim.paper, "Theorem 10", REFUTED))


def test_a_measured_side_alone_has_no_script(in_example: Call) -> None:
    ended = in_example("reproduce", "example.spectral", "--script")
    assert (ended.code, ended.out) == (2, "")
    assert "use `boundaudit reproduce` without --script" in ended.err


ODD = r'''
x, left = symbol("lambda", "a rate", nonnegative=True), symbol("left", "a share", nonnegative=True)
half = Quantity("one\nhalf {0}", lambda points, device: np.full(len(points), 0.5), "h", sp.Rational(1, 2))
odd = Claim(
    label="coin.odd",
    statement='Quotes """ and \\ and {braces},\nin two lines.',
    left=x * left,
    relation="<=",
    right=half,
    domain=Domain({x: Reals(0, 1), left: Reals(0, 1)}),
    paper='A "B" 2024',
    expected="refuted",
)
'''


@pytest.mark.slow
def test_words_and_names_of_any_kind_give_a_script_that_runs(call: Call, tmp_path: Path) -> None:
    assert call("verify", write_claims(tmp_path, ODD), "--profile", "smoke", "--workers", 1).code == 0
    script = call("reproduce", "coin.odd", "--script").out
    assert imported(script) == {"mpmath"}
    ran = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, timeout=300, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.endswith("violated here\n")
    assert 'A "B" 2024' in (ast.get_docstring(ast.parse(script)) or "")


@pytest.mark.slow
def test_a_counterexample_that_an_enclosure_decides_is_enclosed_again() -> None:
    claim = shipped("sharpness.taylor.noisy.published[restored]")
    assert claim is not None
    findings = shipped_run().receipts[claim.label].findings
    found = reproduce.again(claim, findings)
    assert (found.agrees, found.in_balls) == (True, found.recorded)
    moved = [
        replace(each, witness=replace(each.witness, left="0.00021"))
        for each in findings.evidence
        if each.witness is not None
    ]
    because = reproduce.again(claim, replace(findings, evidence=tuple(moved))).because
    assert because is not None
    assert "the sides are 0.00020" in because
