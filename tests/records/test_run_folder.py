"""The run folder: written in one step, read whole or not at all, and never believed."""

import errno
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boundaudit import InputError
from boundaudit.checks.records import run_writer
from boundaudit.checks.records.border import read_lines
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.records.run_writer import RunWriter, Unfinished, write_text

RECEIPT: dict[str, Any] = {
    "label": "coin.fair", "key": "k1", "fingerprint": "f1", "verdict": "supported",
    "reason": "200 evaluations found nothing against it",
    "evidence": [
        {
            "method": "sweep", "outcome": "holds", "covers": "200 points", "evaluations": 200,
            "worst": {"point": {"p": "1/2", "n": 3, "c": [0.5, 1]}, "left": 0.25, "right": 0.25}, "seed": 0,
        },
    ],
    "mutants": {"killed": ["halved: 1/8"]},
}  # fmt: skip
CHAIN = {"label": "coin.chain", "samples": [], "factors": [], "holds": [], "points": 3}
CURVES = {"label": "coin.curves", "key": "k2", "panels": []}
MANIFEST = {"profile": "smoke", "seed": 3, "device": "cpu", "claims": ["coin.fair"]}
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
    assert run.manifest.to_json().items() >= MANIFEST.items()
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_measured_value_may_be_as_large_as_a_float_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worst = RECEIPT["evidence"][0]["worst"] | {"left": sys.float_info.max, "right": -sys.float_info.max}
    monkeypatch.setitem(RECEIPT, "evidence", [RECEIPT["evidence"][0] | {"worst": worst}])
    assert written(tmp_path / "run").receipts["coin.fair"].to_json() == RECEIPT


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


def test_a_text_that_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_text(path, "whole")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "\ud800")
    assert path.read_text(encoding="utf-8") == "whole"


# --- what is damaged ------------------------------------------------------------------------------


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


def swap(name: str, old: str, new: str) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return apply


MANIFEST_FILE, RECEIPTS, STUDIES = "manifest.json", "receipts/coin.fair.jsonl", "studies/coin.curves.jsonl"
DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "no folder": (shutil.rmtree, "run folder: expected a folder with manifest.json"),
    "no manifest": (remove(MANIFEST_FILE), "run folder: expected a folder with manifest.json"),
    "empty manifest": (rewrite(MANIFEST_FILE, b""), "run/manifest.json: expected JSON"),
    "manifest no object": (rewrite(MANIFEST_FILE, b"[]"), "manifest.json: schema"),
    "manifest cut short": (rewrite(MANIFEST_FILE, b'{"schema": 2'), "manifest.json: expected JSON"),
    "manifest no text": (rewrite(MANIFEST_FILE, b"\xff\xfe\x00"), "manifest.json: expected a readable UTF-8 file"),
    "manifest nested": (rewrite(MANIFEST_FILE, b"[" * 100_000), "manifest.json: expected JSON"),
    "another schema": (edit(MANIFEST_FILE, schema=1), "manifest.json: schema: expected 3, got 1"),
    "no schema": (edit(MANIFEST_FILE, schema=None), "manifest.json: schema"),
    "no profile": (edit(MANIFEST_FILE, profile=None), "manifest.json: profile: expected words"),
    "claims a number": (edit(MANIFEST_FILE, claims=3), "manifest.json: claims: expected a list"),
    "claims unknown": (edit(MANIFEST_FILE, claims=["coin.absent"]), "claims: expected those that have receipts"),
    "claims a path": (edit(MANIFEST_FILE, claims=["../../coin.fair"]), "manifest.json: claims: expected labels"),
    "files no claims": (edit(MANIFEST_FILE, files=["/etc/passwd"]), "manifest.json: files: expected claims files"),
    "versions no words": (edit(MANIFEST_FILE, versions={"sympy": 1}), "manifest.json: versions.sympy: expected words"),
    "no receipt": (remove(RECEIPTS), "claims: expected those that have receipts, and no other, got coin.fair"),
    "receipt cut short": (rewrite(RECEIPTS, b"{"), "receipts/coin.fair.jsonl:1: expected JSON"),
    "receipt empty": (rewrite(RECEIPTS, b"{}"), "receipts/coin.fair.jsonl:1: label: expected a label"),
    "receipt no object": (rewrite(RECEIPTS, b"[1]"), "receipts/coin.fair.jsonl:1: label: expected a label"),
    "receipt no text": (rewrite(RECEIPTS, b"\xff\n"), "receipts/coin.fair.jsonl: expected a readable UTF-8 file"),
    "receipt nested": (
        swap(RECEIPTS, '"killed":["halved: 1/8"]', f'"killed":{"[" * 300}{"]" * 300}'), "at most 200 levels"
    ),
    "receipt twice": (
        lambda folder: (folder / RECEIPTS).write_text((folder / RECEIPTS).read_text() * 2), "one receipt a label"
    ),
    "NaN": (swap(RECEIPTS, '"right":0.25', '"right":NaN'), "coin.fair.jsonl:1: expected JSON, got a finite number"),
    "beyond floats": (swap(RECEIPTS, '"right":0.25', '"right":1e999'), "expected JSON, got a finite number"),
    "a huge integer": (swap(RECEIPTS, '"n":3', f'"n":{"9" * 200_000}'), "expected JSON, got Exceeds the limit"),
    "another claim": (edit(RECEIPTS, label="coin.other"), "claims: expected those that have receipts"),
    "a path for a label": (edit(RECEIPTS, label="../../coin"), "coin.fair.jsonl:1: label: expected a label"),
    "a long label": (edit(RECEIPTS, label="coin." + "x" * 300), "label: expected a label of a claim, of at most 200"),
    "a hidden label": (edit(RECEIPTS, label="coin.fair[\u202e]"), "label: expected a label"),
    "another verdict": (
        edit(RECEIPTS, verdict="proved"), "coin.fair: verdict: expected supported, as the evidence says, got proved"
    ),
    "no verdict": (edit(RECEIPTS, verdict="true"), "coin.fair: verdict: expected proved, certified"),
    "no evidence": (edit(RECEIPTS, evidence=[]), "coin.fair: verdict: expected vacuous"),
    "evidence no list": (edit(RECEIPTS, evidence=3), "coin.fair: expected a receipt"),
    "words for a count": (swap(RECEIPTS, '"evaluations":200', '"evaluations":"200"'), "evidence[0].evaluations"),
    "an unknown field": (swap(RECEIPTS, '"method"', '"methods"'), "coin.fair: expected a receipt"),
    "no key": (edit(RECEIPTS, key=None), "coin.fair: key: expected a value, got null"),
    "no worst case": (swap(RECEIPTS, '"label"', '"worst":null,"label"'), "coin.fair: worst: expected a value"),
    "evidence without a worst case": (
        swap(RECEIPTS, '"seed":0', '"engine":null'), "evidence[0].engine: expected a value, got null"
    ),
    "a point of words": (swap(RECEIPTS, '"p":"1/2"', '"p":"half"'), "coin.fair: point: expected a number"),
    "a point of truth": (swap(RECEIPTS, '"n":3', '"n":true'), "coin.fair: evidence[0].worst.point: expected numbers"),
    "receipts no folder": (
        lambda folder: (shutil.rmtree(folder / "receipts"), (folder / "receipts").touch()),
        "run/receipts: expected a folder that can be read, got Not a directory",
    ),
    "study cut short": (rewrite(STUDIES, b"{"), "studies/coin.curves.jsonl:1: expected JSON"),
    "study without panels": (rewrite(STUDIES, b'{"label":"coin.curves","key":"k"}'), "jsonl:1: expected a record"),
    "chain without points": (
        rewrite("derivations/coin.chain.jsonl", b'{"label":"coin.chain"}'), "coin.chain.jsonl:1: expected a record"
    ),
    "timings cut short": (rewrite("timings.json", b"{"), "run/timings.json: expected JSON"),
    "timings in words": (rewrite("timings.json", b'{"total_seconds": "long"}'), "run/timings.json: total_seconds"),
}  # fmt: skip


@pytest.mark.parametrize(("damage", "culprit"), DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_folder_is_refused_in_one_line(
    tmp_path: Path, damage: Callable[[Path], object], culprit: str
) -> None:
    damage(written(tmp_path / "run").path)
    with pytest.raises(InputError) as raised:
        Run.load(tmp_path / "run")
    assert culprit in str(raised.value)
    assert str(raised.value).isprintable()


def test_what_a_terminal_would_obey_is_written_out(tmp_path: Path) -> None:
    path = written(tmp_path / "run").path / RECEIPTS
    path.write_text(json.dumps(RECEIPT).replace("200 points", r"\u001b[31m\u202e\ud800"), encoding="utf-8")
    (evidence,) = Run.load(tmp_path / "run").receipts["coin.fair"].findings.evidence
    assert evidence.covers == r"\u001b[31m\u202e\ud800"


def test_the_words_of_a_verdict_are_those_of_its_evidence(tmp_path: Path) -> None:
    edit(RECEIPTS, reason="by hand")(written(tmp_path / "run").path)
    assert Run.load(tmp_path / "run").receipts["coin.fair"].to_json() == RECEIPT


def test_a_doubted_receipt_is_told_and_left_out(tmp_path: Path) -> None:
    edit(RECEIPTS, verdict="proved")(written(tmp_path / "run").path)
    told: list[InputError] = []
    run = Run.load(tmp_path / "run", doubt=told.append)
    assert run.receipts == {}
    assert [error.field for error in told] == ["receipts/coin.fair.jsonl:1: coin.fair: verdict"]


# --- an interrupted run ---------------------------------------------------------------------------


@pytest.fixture
def interrupted(tmp_path: Path) -> Path:
    """A run with one receipt, and how it was made."""
    writer = RunWriter(tmp_path / "run")
    writer.bind({"seed": 3})
    writer.write("receipts", RECEIPT)
    return tmp_path / "run.partial"


LEFT: dict[str, tuple[Callable[[Path], None], str]] = {
    "no call": (remove("call.json"), "run.partial/call.json: expected a readable UTF-8 file"),
    "call cut short": (rewrite("call.json", b'{"seed"'), "run.partial/call.json: expected JSON"),
    "call no object": (rewrite("call.json", b"[]"), "run.partial/call.json: seed: expected how"),
    "call without a seed": (rewrite("call.json", b"{}"), "run.partial/call.json: seed: expected how"),
}


@pytest.mark.parametrize(("damage", "culprit"), LEFT.values(), ids=LEFT.keys())
def test_what_an_interrupted_run_left_is_refused_where_it_is_damaged(
    interrupted: Path, damage: Callable[[Path], None], culprit: str
) -> None:
    damage(interrupted)
    with pytest.raises(InputError) as raised:
        RunWriter(interrupted.with_name("run"), resume=True).bind({"seed": 3})
    assert culprit in str(raised.value)


BAD_LINES: dict[str, tuple[bytes, str]] = {
    "cut short": (b'{"kind"', "expected JSON"), "no record": (b'{"kind":"receipts"}', "expected a kind"),
    "a kind that is a path": (b'{"kind":"../..","record":{"label":"coin.x"}}', "expected a kind"),
    "a label that is a path": (b'{"kind":"receipts","record":{"label":"../../coin"}}', "label: expected"),
    "a study without panels": (b'{"kind":"studies","record":{"label":"coin.x","key":"k"}}', "expected a record of"),
    "no text": (b"\xff\x00", "expected UTF-8"), "no list": (b"[" * 300, "expected JSON"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "culprit"), BAD_LINES.values(), ids=BAD_LINES.keys())
def test_a_journal_keeps_its_good_lines_and_tells_the_others_once(interrupted: Path, line: bytes, culprit: str) -> None:
    journal = interrupted / "journal.jsonl"
    good = journal.read_bytes()
    journal.write_bytes(line + b"\n" + good + line)
    told: list[str] = []
    resumed = RunWriter(interrupted.with_name("run"), resume=True, doubt=told.append)
    resumed.bind({"seed": 3})
    assert resumed.kept("receipts", "coin.fair", "k1")
    assert list(resumed.done) == [("receipts", "coin.fair")]
    (words,) = told
    assert words.startswith("2 of 3 lines are damaged and gathered again, the first: run.partial/journal.jsonl:1: ")
    assert culprit in words
    assert words.isprintable()
    assert journal.read_bytes() == good


def test_a_run_without_its_journal_is_begun_again(interrupted: Path) -> None:
    (interrupted / "journal.jsonl").unlink()
    resumed = RunWriter(interrupted.with_name("run"), resume=True)
    resumed.bind({"seed": 3})
    assert not resumed.done


def test_a_run_that_was_stopped_before_it_began_is_begun(tmp_path: Path) -> None:
    RunWriter(tmp_path / "run")
    RunWriter(tmp_path / "run", resume=True).bind({"seed": 3})


def test_a_full_disk_is_one_line_and_keeps_what_is_finished(interrupted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = RunWriter(interrupted.with_name("run"), resume=True)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(run_writer, "write_text", full)
    for write in (lambda: writer.finish(MANIFEST | {"records": RECORDS}, {}), lambda: writer.bind({"seed": 3})):
        with pytest.raises(Unfinished, match=r"room to write.*No space left on device.*--resume"):
            write()
    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(Unfinished, match="No space left on device"):
        writer.write("receipts", RECEIPT | {"label": "coin.next"})
    monkeypatch.undo()
    resumed = RunWriter(interrupted.with_name("run"), resume=True)
    assert resumed.kept("receipts", "coin.fair", "k1")
    assert not resumed.has("receipts", "coin.next")


@pytest.mark.parametrize("value", [float("nan"), 10**200_000, object()], ids=["NaN", "huge", "no JSON"])
def test_what_no_file_can_hold_is_one_line(tmp_path: Path, value: object) -> None:
    with pytest.raises(InputError, match=r"coin\.fair: expected what can be written down"):
        RunWriter(tmp_path / "run").write("receipts", RECEIPT | {"region": value})


@pytest.mark.parametrize("name", ["file/run", ".", "taken", "x" * 300])
def test_a_name_that_cannot_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    Path("taken").mkdir()
    with pytest.raises(InputError, match="--out"):
        RunWriter(Path(name))
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "taken"]


def test_a_pipe_among_the_files_of_a_run_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "coin.jsonl")
    with pytest.raises(InputError, match=r"coin\.jsonl: expected a readable UTF-8 file, got a pipe"):
        list(read_lines(tmp_path / "coin.jsonl"))


def test_a_link_that_leads_nowhere_is_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "run").symlink_to("run")
    with pytest.raises(InputError, match="--out: expected a folder that does not exist yet"):
        RunWriter(tmp_path / "run")
