"""Journals of interrupted runs and mapping files, damaged at random: answered, and nothing good is lost."""

import json
from collections.abc import Callable
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings
from tests.checkpoint.test_refusals import MAPPING
from tests.checkpoint.tiny import write
from tests.cli.test_fuzz import attack, bad_lines, damaged, either, require_answer
from tests.records.test_run_folder import RECEIPT

from boundaudit import visible
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.records.run_writer import RunWriter


def journals(tmp_path: Path, examples: int) -> None:
    """Any bytes around and amid good lines: those that are untouched are kept, and one line tells of the others."""
    run = tmp_path / "run"
    writer = RunWriter(run)
    for number in range(4):
        writer.write("receipts", RECEIPT | {"label": f"coin.n{number}"})
    journal = writer.partial / "journal.jsonl"
    valid = journal.read_bytes()
    good = valid.splitlines()

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), deadline=None)
    @given(st.one_of(damaged(valid), bad_lines(valid), st.binary(max_size=40).map(lambda junk: junk + b"\n" + valid)))
    def one(content: bytes) -> None:
        journal.write_bytes(content)
        told: list[str] = []
        resumed = RunWriter(run, resume=True, doubt=told.append)
        untouched = {json.loads(line)["record"]["label"] for line in content.split(b"\n") if line in good}
        assert untouched <= {label for _, label in resumed.done}
        assert len(told) <= 1
        assert all(visible(line) == line and "\n" not in line for line in told)
        before = resumed.done
        told.clear()
        assert RunWriter(run, resume=True, doubt=told.append).done == before
        assert told == []  # what was damaged is gone

    one()


def calls(tmp_path: Path, examples: int) -> None:
    """How an interrupted run was made: the command line answers, whatever the note says."""
    file, out = tmp_path / "my_claims.py", tmp_path / "run"
    file.write_text(
        "import sympy as sp\nfrom boundaudit import Claim, Domain, Reals, symbol\np = symbol('p', 'a share')\n"
        "x = Claim(label='a.x', statement='s', left=p, right=1, domain=Domain({p: Reals(0, 1)}))\n",
        encoding="utf-8",
    )
    call = ("verify", file, "--profile", "smoke", "--device", "cpu", "--workers", 1, "--out", out, "--resume")

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), deadline=None)
    @given(either({"profile": "smoke", "seed": 0, "device": "cpu"}))
    def one(content: bytes) -> None:
        partial = RunWriter(out, resume=True).partial
        (partial / "call.json").write_bytes(content)
        if require_answer(*call) == 0:
            assert list(Run.load(out).receipts) == ["a.x"]
            out.rename(tmp_path / f"done{len(list(tmp_path.iterdir()))}")

    one()


def mappings(tmp_path: Path, examples: int) -> None:
    folder = write(tmp_path / "one")
    file = tmp_path / "map.json"
    attack(file, either(MAPPING), examples, ("model", folder, "--mapping", file, "--json"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "reader", [*(pytest.param(reader, marks=pytest.mark.slow) for reader in (journals, calls)), mappings]
)
def test_a_damaged_file_is_answered(tmp_path: Path, reader: Callable[[Path, int], None]) -> None:
    reader(tmp_path, 30)
