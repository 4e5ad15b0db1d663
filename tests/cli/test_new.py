"""`boundaudit new` and `verify --watch`: beginning a claims file, and auditing it whenever it is saved."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.command import Call, write_claims

from boundaudit.checks.records.run_folder import Run
from boundaudit.reports.cli.watch import stamps


def test_the_template_runs_and_every_verdict_is_as_expected(call: Call) -> None:
    assert call("new", "claims", "my_claims.py").out.startswith("wrote my_claims.py")
    ended = call("verify", "my_claims.py", "--profile", "smoke", "--workers", 1, "--json")
    assert ended.code == 0, ended.err
    assert ended.json["verdicts"] == {"proved": 1, "refuted": 1, "supported": 2}
    before = Path("my_claims.py").read_bytes()
    assert call("new", "claims", "my_claims.py").code == 2
    assert Path("my_claims.py").read_bytes() == before


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
    assert run.wait(timeout=30) == 0
    assert [sorted(labels) for labels in rounds] == [["coin.x", "coin.y"], ["coin.y"]]
    newest = max((tmp_path / "boundaudit-runs").iterdir())
    assert set(Run.load(newest).receipts) == {"coin.x", "coin.y"}
