"""`boundaudit check`: what was gathered stands, what was forged is told, here and wherever it is shown."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.command import Call, write_claims
from tests.schemas import validator

from boundaudit.checks.run.check import check_folder
from boundaudit.checks.run.runner import verify

BODY = """
good = variance(label="coin.toss.good", right=QUARTER, expected="proved")
bad = variance(label="coin.toss.bad", right=TOO_SMALL, expected="refuted")
half = variance(label="coin.toss.half", right=sp.Rational(1, 2), expected="proved")
"""
FAITHFUL = {"method": "proof", "outcome": "holds", "covers": "the whole domain", "evaluations": 1}


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("check")
    verify(files=[write_claims(folder, BODY)], out=folder / "honest", profile="smoke", device="cpu", workers=1)
    return folder / "honest"


def changed(honest: Path, to: Path, label: str, change: Callable[[dict[str, Any]], object]) -> Path:
    """A copy of a run in which one receipt was edited."""
    shutil.copytree(honest, to)
    (file,) = (to / "receipts").glob("*.jsonl")
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    change(next(record for record in records if record["label"] == label))
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return to


def forge(record: dict[str, Any]) -> None:
    """From refuted to proved, by a certificate that proves nothing of the kind."""
    proof = FAITHFUL | {"whole_domain": True, "engine": "identity", "certificate": {"kind": "identity"}}
    sweep = next(found for found in record["evidence"] if found["method"] == "sweep")
    record["evidence"] = [proof, sweep | {"outcome": "holds"}]
    record |= {"verdict": "proved", "mutants": {"killed": ["halved"]}}
    record.pop("region", None)


@pytest.fixture
def forged(honest: Path, tmp_path: Path) -> Path:
    return changed(honest, tmp_path / "forged", "coin.toss.bad", forge)


def circle(record: dict[str, Any]) -> None:
    """From refuted to proved, by a chain whose only step cites the claim itself."""
    forge(record)
    left = ["*", ["v", "p"], ["+", ["q", 1, 1], ["*", ["q", -1, 1], ["v", "p"]]]]
    step = {"uses": [{"cites": record["label"], "conditions": []}], "proof": {"kind": "given"}}
    certificate = {"kind": "chain", "nodes": [left, ["q", 6, 25]], "steps": [step]}
    record["evidence"][0] |= {"engine": "chain", "certificate": certificate}


def test_what_was_gathered_stands(call: Call, honest: Path) -> None:
    ended = call("check", honest, "--json")
    validator("check").validate(ended.json)
    assert (ended.code, ended.json["doubts"], ended.json["absent"]) == (0, [], [])
    assert (ended.json["claims"], ended.json["certificates"], ended.json["counterexamples"]) == (3, 2, 1)
    assert "0 receipts do not stand" in call("check", honest).out


def test_a_forged_proof_is_told(call: Call, forged: Path) -> None:
    ended = call("check", forged, "--json")
    validator("check").validate(ended.json)
    (doubt,) = ended.json["doubts"]
    assert (ended.code, doubt["label"], doubt["says"]) == (1, "coin.toss.bad", "proved")
    assert "the checker rejects it" in doubt["found"]
    plain = call("check", forged)
    assert plain.code == 1
    assert "coin.toss.bad: the receipt says proved; found evidence[0].certificate: the checker rejects it" in plain.out


def test_a_proof_that_rests_on_itself_is_told(call: Call, honest: Path, tmp_path: Path) -> None:
    ended = call("check", changed(honest, tmp_path / "circle", "coin.toss.bad", circle), "--json")
    (doubt,) = ended.json["doubts"]
    assert (ended.code, doubt["found"]) == (1, "coin.toss.bad, which it cites, does not stand")


@pytest.mark.slow
def test_whoever_shows_a_forged_proof_tells_it(call: Call, honest: Path, forged: Path, tmp_path: Path) -> None:
    shown = call("show", "coin.toss.bad", "--run", forged)
    assert shown.code == 1
    assert "coin.toss.bad does not stand: it says proved" in shown.out
    assert "accepted by the checker" not in shown.out
    sound = call("show", "coin.toss.good", "--run", forged)
    assert (sound.code, "yes, and it stands" in sound.out) == (0, True)
    compared = call("diff", honest, forged)
    assert compared.code == 1
    assert "coin.toss.bad does not stand" in compared.out
    assert call("report", forged, "--format", "html,md,json", "--out", tmp_path / "out").code == 0
    page = (tmp_path / "out" / "report" / "index.html").read_text(encoding="utf-8")
    assert "does not stand: its receipt says proved" in page
    assert "does not stand: its receipt says proved" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    told = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert [doubt["label"] for doubt in told["doubts"]] == ["coin.toss.bad"]


def test_a_run_that_compares_equal_to_itself_is_checked_all_the_same(call: Call, forged: Path) -> None:
    ended = call("diff", forged, forged, "--json")
    assert (ended.json["changed"], ended.code) == ([], 1)
    assert [doubt["label"] for doubt in ended.json["doubts"]] == ["coin.toss.bad"]


@pytest.mark.slow
def test_the_shipped_run_is_said_not_to_have_been_checked(call: Call) -> None:
    shown = call("show", "sharpness.norms.F.repaired")
    assert (shown.code, "no: `boundaudit check` does that" in shown.out) == (0, True)


OTHERS: dict[str, tuple[Callable[[dict[str, Any]], object], str, str]] = {
    "a verdict of one's own": (
        lambda record: record.update(verdict="proved"), "verdict proved", "refuted, as the evidence says"
    ),
    "a witness outside the domain": (
        lambda record: record["evidence"][0]["witness"]["point"].update(p=2), "refuted", "p = 2 is no point"
    ),
    "another statement": (lambda record: record.update(fingerprint="0" * 16), "refuted", "states something else now"),
    "no receipt": (lambda record: record.update(label="coin.toss.other"), "listed", "no receipt"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "says", "found"), OTHERS.values(), ids=OTHERS.keys())
def test_other_changes_are_told(
    honest: Path, tmp_path: Path, change: Callable[[dict[str, Any]], object], says: str, found: str
) -> None:
    checked = check_folder(changed(honest, tmp_path / "changed", "coin.toss.bad", change))
    (doubt,) = [doubt for doubt in checked.doubts if doubt.label == "coin.toss.bad"]
    assert doubt.says == says
    assert found in doubt.found


def test_what_was_taken_from_a_run_is_told(call: Call, honest: Path, tmp_path: Path) -> None:
    """Nothing that is left of such a run tells it from one of fewer claims: both are told."""
    folder = changed(honest, tmp_path / "short", "coin.toss.bad", lambda record: record.update(label="taken"))
    (file,) = (folder / "receipts").glob("*.jsonl")
    kept = [line for line in file.read_text(encoding="utf-8").splitlines() if json.loads(line)["label"] != "taken"]
    file.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["claims"].remove("coin.toss.bad")
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    ended = call("check", folder, "--json")
    validator("check").validate(ended.json)
    assert (ended.code, ended.json["doubts"], ended.json["absent"]) == (0, [], ["coin.toss.bad"])
    assert "not in this run: 1 claims and cases of the same files" in call("check", folder).out


def test_what_is_no_run_is_bad_input(call: Call, tmp_path: Path) -> None:
    ended = call("check", tmp_path / "absent")
    assert (ended.code, ended.out) == (2, "")
    assert "manifest.json" in ended.err


@pytest.mark.slow
def test_no_proof_engine_is_loaded(honest: Path) -> None:
    ask = (
        "import sys; from pathlib import Path; from boundaudit.checks.run.check import check_folder;"
        "assert not check_folder(Path(sys.argv[1])).doubts;"
        "print(*(name for name in sys.modules if name == 'z3' or name.startswith('boundaudit.checks.proof.')))"
    )
    ended = subprocess.run([sys.executable, "-c", ask, str(honest)], capture_output=True, text=True, check=True)
    loaded = ended.stdout.split()
    assert "boundaudit.checks.proof.kernel.checker" in loaded
    assert [name for name in loaded if not name.startswith("boundaudit.checks.proof.kernel")] == []
