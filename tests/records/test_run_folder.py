"""The run folder: written in one step, read whole or not at all."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from boundaudit import InputError
from boundaudit.checks.records.run_folder import Run, RunWriter, write_text

RECEIPT = {"label": "coin.fair", "key": "k1", "fingerprint": "f1", "verdict": "proved", "reason": "by hand"}
CHAIN = {"label": "coin.chain", "samples": []}
CURVES = {"label": "coin.curves", "key": "k2", "panels": []}
MANIFEST = {"seed": 3, "claims": ["coin.fair"]}
RECORDS = {"receipts": {"coin.fair"}, "derivations": {"coin.chain"}, "studies": {"coin.curves"}, "prices": set()}


def written(path: Path) -> Run:
    writer = RunWriter(path)
    writer.write("receipts", RECEIPT)
    writer.write("receipts", RECEIPT | {"label": "coin.dropped"})
    writer.write("derivations", CHAIN)
    writer.write("studies", CURVES)
    writer.finish(MANIFEST | {"records": RECORDS}, {"total_seconds": 1.5})
    return Run.load(path)


def test_what_was_written_reads_back(tmp_path: Path) -> None:
    run = written(tmp_path / "run")
    assert {label: receipt.to_json() for label, receipt in run.receipts.items()} == {"coin.fair": RECEIPT}
    assert run.derivations == {"coin.chain": CHAIN}
    assert run.studies == {"coin.curves": CURVES}
    assert run.timings == {"total_seconds": 1.5}
    assert run.manifest.items() >= MANIFEST.items()
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_run_without_timings_is_whole(tmp_path: Path) -> None:
    run = written(tmp_path / "run")
    (run.path / "timings.json").unlink()
    assert Run.load(run.path).timings == {}


def test_nothing_bears_the_name_before_the_end(tmp_path: Path) -> None:
    writer = RunWriter(tmp_path / "run")
    writer.write("receipts", RECEIPT)
    assert [path.name for path in tmp_path.iterdir()] == ["run.partial"]
    with pytest.raises(InputError, match=r"manifest\.json"):
        Run.load(tmp_path / "run.partial")


def test_a_receipt_is_done_only_under_its_evidence_key(tmp_path: Path) -> None:
    RunWriter(tmp_path / "run").write("receipts", RECEIPT)
    resumed = RunWriter(tmp_path / "run", resume=True)
    assert resumed.kept("receipts", "coin.fair", "k1")
    assert not resumed.kept("receipts", "coin.fair", "k2")
    assert not resumed.kept("receipts", "coin.other", "k1")
    assert not resumed.kept("studies", "coin.fair", "k1")


def test_a_line_that_was_cut_off_is_made_again(tmp_path: Path) -> None:
    RunWriter(tmp_path / "run").write("receipts", RECEIPT)
    journal = tmp_path / "run.partial" / "journal.jsonl"
    journal.write_text(journal.read_text("utf-8") + '{"kind": "receipts", "rec', "utf-8")
    resumed = RunWriter(tmp_path / "run", resume=True)
    assert resumed.kept("receipts", "coin.fair", "k1")
    resumed.write("receipts", RECEIPT | {"label": "coin.next"})
    assert RunWriter(tmp_path / "run", resume=True).kept("receipts", "coin.next", "k1")


def test_a_text_that_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_text(path, "whole")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "\ud800")
    assert path.read_text(encoding="utf-8") == "whole"


def rewrite(name: str, content: bytes) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        (folder / name).write_bytes(content)

    return apply


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def edit(name: str, **changes: object) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        path = folder / name
        path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | changes), encoding="utf-8")

    return apply


DAMAGE: dict[str, Callable[[Path], None]] = {
    "no folder": shutil.rmtree,
    "no manifest": remove("manifest.json"),
    "empty manifest": rewrite("manifest.json", b""),
    "manifest no object": rewrite("manifest.json", b"[]"),
    "manifest cut short": rewrite("manifest.json", b'{"schema": 2'),
    "manifest no text": rewrite("manifest.json", b"\xff\xfe\x00"),
    "another schema": edit("manifest.json", schema=1),
    "no schema": edit("manifest.json", schema=None),
    "claims a number": edit("manifest.json", claims=3),
    "claims unknown": edit("manifest.json", claims=["coin.absent"]),
    "no receipt": remove("receipts/coin.fair.jsonl"),
    "receipt cut short": rewrite("receipts/coin.fair.jsonl", b"{"),
    "receipt empty": rewrite("receipts/coin.fair.jsonl", b"{}"),
    "receipt no object": rewrite("receipts/coin.fair.jsonl", b"[1]"),
    "receipt of another claim": edit("receipts/coin.fair.jsonl", label="coin.other"),
    "study cut short": rewrite("studies/coin.curves.jsonl", b"{"),
    "timings cut short": rewrite("timings.json", b"{"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_folder_is_refused_in_one_line(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    damage(written(tmp_path / "run").path)
    with pytest.raises(InputError, match=r"run folder|manifest") as raised:
        Run.load(tmp_path / "run")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", ["file/run", ".", "taken", "x" * 300])
def test_a_name_that_cannot_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    Path("taken").mkdir()
    with pytest.raises(InputError, match="--out"):
        RunWriter(Path(name))
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "taken"]
