"""The command line starts fast: heavy libraries wait for the commands that need them."""

import subprocess
import sys
from pathlib import Path

import pytest

from boundaudit.checks.records.reference import FOLDER
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.cached import catalogue

from .command import SELECTION, SUITE
from .counted import calls_of

HEAVY = ("flint", "hypothesis", "matplotlib", "numpy", "scipy", "sympy", "torch", "z3")
LOADED = f"""
import sys
from boundaudit.reports.cli.main import main
calls = [[]]
for word in sys.argv[1:]:
    calls.append([]) if word == "+" else calls[-1].append(word)
for call in calls:
    try:
        main(call)
    except SystemExit as ended:
        assert not ended.code, ended.code
    print("loaded", *(name for name in {HEAVY} if name in sys.modules), file=sys.stderr)
"""
COMMANDS = (
    "check", "verify", "report", "theorems", "list", "show", "reproduce", "sweep", "measure", "bound", "model",
    "experiment", "bench",
)  # fmt: skip


def loaded_by(*arguments: str, cwd: Path | None = None) -> list[str]:
    """The heavy libraries that a call imports, or several with + between them."""
    command = [sys.executable, "-c", LOADED, *arguments]
    ended = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300, check=True)
    return ended.stderr.splitlines()[-1].split()[1:]


@pytest.mark.slow
def test_help_imports_nothing_heavy() -> None:
    assert loaded_by("--help", "+", "--version") == []
    assert loaded_by(*(word for command in COMMANDS for word in (command, "--help", "+")), "--help") == []


READING = [
    ("list", *SUITE), ("theorems", *SUITE), ("show", SELECTION[-1], "--run", str(FOLDER)),
    ("show", "Theorem 9", *SUITE),
]  # fmt: skip


@pytest.mark.slow
def test_reading_a_run_needs_neither_tensors_nor_algebra(suite_run: Run) -> None:
    catalogue.cache_clear()
    catalogue()  # kept in the user's cache folder
    calls = (word for arguments in READING for word in (*arguments, "--json", "+"))
    assert loaded_by(*calls, "--version", cwd=suite_run.path.parents[1]) == []


@pytest.mark.slow
def test_reading_the_shipped_run_takes_a_second_or_two(tmp_path: Path) -> None:
    catalogue.cache_clear()
    catalogue()
    assert loaded_by("list", "--json", cwd=tmp_path) == []
    assert calls_of("list", "--json", cwd=tmp_path) < 4_000_000


WRONG = [["target.json"], ["absent.py"], ["--profile", "quick"], ["--out", "."], ["--resume"]]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_a_wrong_verify_call_is_answered_at_once(tmp_path: Path, arguments: list[str]) -> None:
    command = [sys.executable, "-c", LOADED.replace("assert not ended.code", "assert ended.code == 2")]
    ended = subprocess.run([*command, "verify", *arguments], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert not {"torch", "sympy"} & set(ended.stderr.splitlines()[-1].split()), ended.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_help_takes_a_fraction_of_a_second(tmp_path: Path) -> None:
    assert calls_of("--help", cwd=tmp_path) < 300_000
