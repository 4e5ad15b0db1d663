"""The pytest plugin: claims are test items, and a failure says what a reader needs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.command import write_claims

CLAIMS = """
import os
from boundaudit.checks.language.claim import Case
lemma = variance(label="coin.lemma", right=TOO_SMALL, expected="proved", paper="Ames 2024", place=("Lemma 1",))
theorem = variance(label="coin.theorem", right=QUARTER, expected="proved", rests_on=("coin.lemma",))
corollary = variance(label="coin.corollary", right=1, expected="supported", rests_on=("coin.theorem",))
pinned = variance(label="coin.pinned", right=TOO_SMALL, expected="refuted")
cases = variance(label="coin.cases", right=QUARTER, rests_on=("pac_bayes.binary_kl.falling",),
                 cases=(Case("tight", expected="proved"), Case("false", right=TOO_SMALL, expected="refuted")))
broken = variance(label="coin.broken", right=Quantity("a ratio", lambda points, device: 1 / 0, "r"))
gone = variance(label="coin.gone", right=Quantity("a ratio", lambda points, device: os._exit(0), "r"))
"""


def pytest_on(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A pytest of its own, as a user calls it, without others' plugins that take seconds to load."""
    without = [part for name in ("cacheprovider", "anyio", "jaxtyping", "xdist") for part in ("-p", f"no:{name}")]
    command = [sys.executable, "-m", "pytest", *without, "-rA", "--no-header", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What pytest prints about a folder with a claims file and an ordinary test."""
    folder = tmp_path_factory.mktemp("proof")
    write_claims(folder, CLAIMS)
    (folder / "test_ordinary.py").write_text("def test_ordinary():\n    pass\n", encoding="utf-8")
    (folder / "notes.py").write_text("raise SystemExit\n", encoding="utf-8")
    ended = pytest_on(folder)
    assert ended.returncode == 1
    return ended.stdout


def lines_about(report: str, label: str) -> list[str]:
    """What the failure of a claim prints."""
    block = re.search(rf"^_+ {re.escape(label)} _+$\n(.*?)^(?:_+ \S+ _+|=+ .*)$", report, re.MULTILINE | re.DOTALL)
    assert block
    return block[1].splitlines()


@pytest.mark.slow
def test_each_claim_is_an_item_beside_ordinary_tests(report: str) -> None:
    assert "3 failed, 6 passed" in report
    outcomes = re.findall(r"^(PASSED|FAILED) my_claims\.py::(\S+)", report, re.MULTILINE)
    assert {label: outcome for outcome, label in outcomes} == {
        "coin.theorem": "PASSED", "coin.corollary": "PASSED", "coin.pinned": "PASSED", "coin.cases[tight]": "PASSED",
        "coin.cases[false]": "PASSED", "coin.lemma": "FAILED", "coin.broken": "FAILED", "coin.gone": "FAILED",
    }  # fmt: skip


@pytest.mark.slow
def test_a_failure_shows_pin_counterexample_place_and_blast_radius(report: str) -> None:
    lines = lines_about(report, "coin.lemma")
    assert lines[0] == "coin.lemma: refuted, expected proved"
    text = "\n".join(lines)
    assert "p*(1 - p) <= 6/25" in text
    assert re.search(r"^E +assert 0\.250* <= 0\.240* +at p = 1/2$", text, re.MULTILINE)
    assert re.search(r"^E +\+ +where 0\.250* = p\*\(1 - p\)$", text, re.MULTILINE)
    assert re.search(r"^E +\+ +and +0\.240* = 6/25$", text, re.MULTILINE)
    assert "place: Ames 2024, Lemma 1" in text
    assert "blast radius: coin.theorem, coin.corollary" in text
    assert len(lines) <= 8


@pytest.mark.slow
def test_a_measurement_that_fails_is_one_line(report: str) -> None:
    (line,) = lines_about(report, "coin.broken")
    assert "coin.broken.right" in line
    assert "ZeroDivisionError" in line
    (line,) = lines_about(report, "coin.gone")
    assert "coin.gone.right" in line
    assert "its process ended itself with status 0" in line


@pytest.mark.slow
def test_a_syntax_error_is_one_line(tmp_path: Path) -> None:
    """Of a file that is named, and of one in a folder that is."""
    (tmp_path / "folder").mkdir()
    paths = [write_claims(folder, "x = variance(\n") for folder in (tmp_path, tmp_path / "folder")]
    ended = pytest_on(tmp_path, "my_claims.py", "folder")
    line = paths[0].read_text(encoding="utf-8").splitlines().index("x = variance(") + 1
    body = re.findall(r"^(?![=_!]|ERROR|collect|$).+", ended.stdout, re.MULTILINE)
    assert ended.returncode == 2
    assert body == [f"{path}:{line}: expected Python, got '(' was never closed; correct the syntax" for path in paths]


def test_an_unknown_profile_is_refused_before_anything_runs(tmp_path: Path) -> None:
    write_claims(tmp_path, "raise SystemExit\n")
    ended = pytest_on(tmp_path, "--claims-profile=quick")
    assert ended.returncode == 4
    assert "smoke, standard, deep" in ended.stderr.replace("'", "")
