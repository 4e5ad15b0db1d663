"""`boundaudit new` and `verify --watch`: beginning a claims file, and auditing it whenever it is saved."""

import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import sympy as sp
from tests.command import Call, refused, write_claims

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.own_files import load_files
from boundaudit.reports.cli.runs import watch as watching
from boundaudit.reports.cli.runs.watch import stamps


@pytest.mark.slow
def test_the_template_runs_and_every_verdict_is_as_expected(call: Call) -> None:
    assert call("new", "claims", "my_claims.py").out.startswith("wrote my_claims.py")
    ended = call("verify", "my_claims.py", "--profile", "smoke", "--workers", 1, "--json")
    assert ended.code == 0, ended.err
    assert ended.json["verdicts"] == {"proved": 1, "refuted": 1, "supported": 2}
    before = Path("my_claims.py").read_bytes()
    assert call("new", "claims", "my_claims.py").code == 2
    assert Path("my_claims.py").read_bytes() == before


@pytest.mark.slow
def test_a_package_for_a_paper_runs_and_every_verdict_is_as_expected(call: Call) -> None:
    assert call("new", "paper", "fresh_bounds").out.startswith("wrote fresh_bounds")
    made = {file.name for file in Path("fresh_bounds").iterdir()}
    assert made == {"__init__.py", "claims.py", "derivations.py", "numeric.py", "test_fresh_bounds.py"}
    ended = call("verify", "fresh_bounds/claims.py", "--profile", "smoke", "--workers", 1, "--json")
    assert ended.code == 0, ended.err
    assert ended.json["verdicts"] == {"proved": 2, "refuted": 1}
    assert call("report", "--out", "out").code == 0
    assert "fresh_bounds.eigenvalue.corrected" in Path("out/report/theorems/theorem-2.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_package_for_a_paper_passes_its_tests(call: Call, tmp_path: Path) -> None:
    assert call("new", "paper", "tested_bounds").code == 0
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tested_bounds"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout
    assert "7 passed" in ended.stdout


NO_NAMES = {
    **dict.fromkeys(("9x", "a-b", "class", "__main__", "né"), "the name of a Python package"),
    "numpy": "a name that no installed module has",
    "absent/own_bounds": "a folder that can be made",
    "taken": "a folder that does not exist yet",
}


@pytest.mark.parametrize(("name", "expected"), NO_NAMES.items())
def test_no_package_is_made_of_a_bad_name_or_over_a_folder(call: Call, name: str, expected: str) -> None:
    Path("taken").mkdir()
    refused(call("new", "paper", name), f"expected {expected}")
    assert [path.name for path in Path().iterdir()] == ["taken"]
    assert not list(Path("taken").iterdir())


def test_a_claims_file_imports_what_stands_beside_it(tmp_path: Path) -> None:
    (tmp_path / "limits_beside.py").write_text("from sympy import Rational\nLIMIT = Rational(1, 4)\n", encoding="utf-8")
    body = 'from limits_beside import LIMIT\nx = variance(label="coin.x", right=LIMIT)\n'
    claim = load_files([write_claims(tmp_path, body)]).members["coin.x"]
    assert claim.right == sp.Rational(1, 4)


def test_what_is_saved_beside_a_claims_file_counts(tmp_path: Path) -> None:
    claims = write_claims(tmp_path, "")
    seen = [stamps([claims])]
    (tmp_path / "notes.txt").touch()
    assert stamps([claims]) == seen[0]
    (tmp_path / "helper.py").write_text("x = 1\n", encoding="utf-8")
    seen.append(stamps([claims]))
    (tmp_path / "helper.py").write_text("x = 12\n", encoding="utf-8")
    seen.append(stamps([claims]))
    claims.unlink()
    seen.append(stamps([claims]))
    assert all(one != other for one, other in itertools.pairwise(seen))


TWO = """
x = variance(label="coin.x", right=QUARTER)
y = variance(label="coin.y", right={right})
"""


@pytest.mark.slow
def test_what_changed_is_audited_again_until_ctrl_c(tmp_path: Path) -> None:
    claims = write_claims(tmp_path, TWO.format(right=1))
    command = [sys.executable, "-m", "boundaudit", "verify", claims.name, "--watch", "--profile", "smoke"]
    run = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert run.stderr is not None
    rounds = []
    for right in (2, None):
        said = iter(run.stderr.readline, "")
        rounds.append([line.split()[-1] for line in iter(said.__next__, "watching my_claims.py (Ctrl-C ends)\n")])
        if right:
            write_claims(tmp_path, TWO.format(right=right))
    os.kill(run.pid, signal.SIGINT)
    assert run.wait(timeout=300) == 0
    assert [sorted(labels) for labels in rounds] == [["coin.x", "coin.y"], ["coin.y"]]
    newest = max((tmp_path / "boundaudit-runs").iterdir())
    assert set(Run.load(newest).receipts) == {"coin.x", "coin.y"}


def test_a_round_that_is_killed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looks = iter([lambda: None, lambda: os.kill(os.getpid(), signal.SIGINT)])  # at the second one Ctrl-C
    monkeypatch.setattr(watching, "stamps", lambda files: next(looks)())

    def killed(target: Path, before: Path | None) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return 0

    assert watching.watch([tmp_path / "my_claims.py"], lambda number: tmp_path / "run", killed) == 2
    assert "the round was killed by signal 9" in capsys.readouterr().err
