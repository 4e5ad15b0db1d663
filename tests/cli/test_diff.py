"""`boundaudit diff`: which verdicts, ratios and statements changed, for whom, on which machine, and the exit status."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.command import SELECTION, Call, part_of, refused, write_claims

from boundaudit.checks.records import reference
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.cached import catalogue

BODY = """
from boundaudit import Theorem

base = variance(label="coin.base", right={base}, expected={expected!r}, role="printed", paper="Me", place=("Lemma 1",))
user = variance(label="coin.user", right=sp.Rational(1, 2), rests_on=("coin.base",), paper="Me", expected="proved")
{more}
lemma = Theorem(number="Lemma 1", title="Variance", says="Small.", printed=("coin.base",), paper="Me")
after = Theorem(number="Theorem 2", title="", says="It follows.", derived_from=("Lemma 1",), paper="Me")
"""
OTHER = 'other = variance(label="coin.other", right=sp.Rational(1, 3))'

Runs = Callable[..., Path]


@pytest.fixture
def made(call: Call, tmp_path: Path) -> Runs:
    """A smoke run of `BODY` with a right side, a pin and further claims; the file is as the last call left it."""

    def run(name: str, base: str, expected: str = "proved", more: str = "") -> Path:
        write_claims(tmp_path, BODY.format(base=base, expected=expected, more=more))
        call("verify", "my_claims.py", "--profile", "smoke", "--workers", 1, "--out", name)
        catalogue.cache_clear()  # another process would read the file as it is now
        return tmp_path / name

    return run


@pytest.mark.slow
def test_a_verdict_that_got_worse(call: Call, made: Runs) -> None:
    made("old", "QUARTER", more=OTHER)
    made("new", "TOO_SMALL")
    ended = call("diff", "old", "new", "--json")
    found = ended.json
    assert (ended.code, ended.err) == (1, "")
    assert (found["worse"], found["added"], found["removed"], found["compared"]) == (
        ["coin.base"], [], ["coin.other"], 2,
    )  # fmt: skip
    (change,) = found["changed"]
    assert change["verdict"] == {"old": "proved", "new": "refuted"}
    assert change["ratio"] == pytest.approx({"old": 1.0, "new": 25 / 24})
    assert change["fingerprint"]["old"] != change["fingerprint"]["new"]
    assert (change["place"], change["blast_radius"], change["worse"]) == (["Lemma 1"], ["coin.user"], True)
    (shift,) = found["theorems"]
    told = {name: shift[name] for name in ("number", "old", "new", "falls", "blast_radius")}
    assert told == {
        "number": "Lemma 1", "old": "stands", "new": "falls", "falls": True, "blast_radius": ["Theorem 2"],
    }  # fmt: skip


@pytest.mark.slow
def test_the_table_says_the_same(call: Call, made: Runs) -> None:
    made("old", "QUARTER", more=OTHER)
    made("new", "TOO_SMALL")
    words = " ".join(call("diff", "old", "new").out.split())
    for part in (
        "old (smoke, cpu) → new (smoke, cpu)", "coin.base proved → refuted 1 → 1.04167 another statement coin.user",
        "Lemma 1 (Me): stands → falls; derived from it: Theorem 2", "removed: coin.other",
        "2 claims and cases in both: 1 changed, 1 for the worse; 0 added, 1 removed (ratios within 1e-09 are one)",
    ):  # fmt: skip
        assert part in words


@pytest.mark.slow
def test_what_got_better_or_is_new_is_no_fault(call: Call, made: Runs) -> None:
    made("old", "TOO_SMALL")
    made("new", "QUARTER", more=OTHER)
    ended = call("diff", "old", "new", "--json")
    assert (ended.code, ended.json["worse"], ended.json["added"]) == (0, [], ["coin.other"])
    assert [change["verdict"]["new"] for change in ended.json["changed"]] == ["proved"]


def test_a_run_does_not_differ_from_itself(call: Call, made: Runs) -> None:
    made("run", "TOO_SMALL", "refuted")
    ended = call("diff", "run", "run", "--json")
    assert (ended.code, ended.json["compared"], ended.json["changed"], ended.json["theorems"]) == (0, 2, [], [])


@pytest.mark.slow
def test_a_refutation_that_is_lost_is_worse(call: Call, made: Runs) -> None:
    """A claim that is pinned as refuted, and no longer is, shows that a check has lost its teeth."""
    made("old", "TOO_SMALL", "refuted")
    made("new", "QUARTER", "refuted")
    assert call("diff", "old", "new", "--json").code == 1
    made("newer", "QUARTER", "proved")  # the statement and its pin were mended together
    assert call("diff", "old", "newer", "--json").code == 0


@pytest.mark.slow
def test_a_changed_statement_with_the_same_verdict_is_told(call: Call, made: Runs) -> None:
    made("old", "QUARTER")
    made("new", "sp.Rational(3, 10)")
    ended = call("diff", "old", "new", "--json")
    (change,) = ended.json["changed"]
    assert (ended.code, change["verdict"]) == (0, {"old": "proved", "new": "proved"})
    assert change["fingerprint"]["old"] != change["fingerprint"]["new"]
    assert change["ratio"]["new"] == pytest.approx(5 / 6)


@pytest.mark.slow
def test_one_run_is_compared_with_what_ships(
    call: Call, suite_run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference, "reference", lambda: suite_run)
    part_of(suite_run, SELECTION[:2], tmp_path / "part")
    ended = call("diff", "part", "--json")
    found = ended.json
    assert (ended.code, found["compared"], found["removed"], found["theorems"]) == (0, 2, [], [])
    assert found["old"]["path"] == str(suite_run.path)


@pytest.mark.parametrize("folders", [[], ["a", "b", "c"], ["none"], ["damaged", "damaged"]], ids=str)
def test_bad_input_is_one_line(call: Call, folders: list[str]) -> None:
    Path("damaged").mkdir()
    Path("damaged/manifest.json").write_text('{"schema": 3, "claims": ["\\u202ex"]}', encoding="utf-8")
    ended = call("diff", *folders)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert "expected" in ended.err
    assert ended.err[:-1].isprintable()


def test_a_damaged_receipt_is_one_line(call: Call, copied: Path, example_run: Run) -> None:
    next((copied / "receipts").iterdir()).write_text('{"label": "a', encoding="utf-8")
    refused(call("diff", example_run.path, copied))


def second_machine(run: Run, device: str, factor: float) -> Path:
    """A copy of a run whose measured left sides differ by a factor."""
    folder = Path(shutil.copytree(run.path, "second"))

    def other(value: Any) -> Any:
        if isinstance(value, list):
            return [other(entry) for entry in value]
        if not isinstance(value, dict):
            return value
        return {name: entry * factor if name == "left" and isinstance(entry, float) else other(entry)
                for name, entry in value.items()}  # fmt: skip

    for file in (folder / "receipts").iterdir():
        lines = [json.dumps(other(json.loads(line))) for line in file.read_text(encoding="utf-8").splitlines()]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(json.dumps(manifest | {"device": device}), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("device", "factor", "tolerance", "same"),
    [("cpu", 1 + 1e-12, 1e-9, True), ("cpu", 1 + 1e-7, 1e-9, False), ("cuda", 1 + 1e-7, 1e-6, True),
     ("cuda", 1 + 1e-5, 1e-6, False)],
)  # fmt: skip
def test_ratios_within_the_tolerance_of_the_device_are_one(
    call: Call, example_run: Run, device: str, factor: float, tolerance: float, same: bool
) -> None:
    ended = call("diff", example_run.path, second_machine(example_run, device, factor), "--json")
    assert (ended.code, ended.json["tolerance"], ended.json["changed"] == []) == (0, tolerance, same)
