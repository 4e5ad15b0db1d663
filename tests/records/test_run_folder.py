"""The run folder: written in one step, read whole or not at all."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from boundaudit import InputError
from boundaudit.checks.records.run_folder import Run, RunWriter, write_json

RECEIPT = {"claim": {"label": "coin.fair"}, "evidence_key": "k1", "verdict": "proved"}
CHAIN = {"label": "coin.chain", "nodes": []}
CURVES = {"label": "coin.curves", "panels": []}
MANIFEST = {"seed": 3, "claims": ["coin.fair"], "derivations": ["coin.chain"], "studies": ["coin.curves"]}


def written(path: Path) -> Run:
    writer = RunWriter(path)
    writer.write("receipts", "coin.fair", RECEIPT)
    writer.write("derivations", "coin.chain", CHAIN)
    writer.write("studies", "coin.curves", CURVES)
    writer.finish(MANIFEST, {"total_seconds": 1.5})
    return Run.load(path)


def test_what_was_written_reads_back(tmp_path: Path) -> None:
    run = written(tmp_path / "run")
    assert run.receipts == {"coin.fair": RECEIPT}
    assert run.derivations == [CHAIN]
    assert run.studies == [CURVES]
    assert run.timings == {"total_seconds": 1.5}
    assert run.manifest.items() >= MANIFEST.items()
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_run_without_timings_is_whole(tmp_path: Path) -> None:
    run = written(tmp_path / "run")
    (run.path / "timings.json").unlink()
    assert Run.load(run.path).timings == {}


def test_nothing_bears_the_name_before_the_end(tmp_path: Path) -> None:
    writer = RunWriter(tmp_path / "run")
    writer.write("receipts", "coin.fair", RECEIPT)
    assert [path.name for path in tmp_path.iterdir()] == ["run.partial"]
    with pytest.raises(InputError, match=r"manifest\.json"):
        Run.load(tmp_path / "run.partial")


def test_a_receipt_is_done_only_under_its_evidence_key(tmp_path: Path) -> None:
    RunWriter(tmp_path / "run").write("receipts", "coin.fair", RECEIPT)
    resumed = RunWriter(tmp_path / "run", resume=True)
    assert resumed.done("coin.fair", "k1") == RECEIPT
    assert resumed.done("coin.fair", "k2") is None
    assert resumed.done("coin.other", "k1") is None


def test_a_value_that_is_no_json_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "receipt.json"
    write_json(path, {"ratio": 1.0})
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(path, {"ratio": float("nan")})
    assert json.loads(path.read_text(encoding="utf-8")) == {"ratio": 1.0}
    assert [found.name for found in tmp_path.iterdir()] == ["receipt.json"]


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
    "no receipt": remove("receipts/coin.fair.json"),
    "receipt cut short": rewrite("receipts/coin.fair.json", b"{"),
    "receipt empty": rewrite("receipts/coin.fair.json", b"{}"),
    "receipt no object": rewrite("receipts/coin.fair.json", b"[1]"),
    "receipt of another claim": edit("receipts/coin.fair.json", claim={"label": "coin.other"}),
    "no derivation": remove("derivations/coin.chain.json"),
    "no study": remove("studies/coin.curves.json"),
    "study cut short": rewrite("studies/coin.curves.json", b"{"),
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
