"""The runner: the same receipts however they were made, whole folders only, resumption."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from boundaudit import InputError
from boundaudit.checks.run_folder import Run
from boundaudit.checks.runner import summary, verify

from .command import write_claims

THREE = """
first = variance(label="coin.first", right=QUARTER, expected="proved")
second = variance(label="coin.second", right=TOO_SMALL, expected="refuted", rests_on=("coin.first",))
third = variance(label="coin.third", right=1, expected="proved")
"""
LABELS = ["coin.first", "coin.second", "coin.third"]


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    return write_claims(tmp_path, THREE)


def run_of(claims: Path, name: str = "run", **options: Any) -> Run:
    options = {"profile": "smoke", "device": "cpu"} | options
    return verify(files=[claims], out=claims.parent / name, **options)


def receipts_of(run: Run) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (run.path / "receipts").iterdir()}


def interrupt_after(count: int) -> Any:
    """A progress callback that presses Ctrl-C once ``count`` claims are finished."""
    seen: list[str] = []

    def progress(label: str, *_: object) -> None:
        seen.append(label)
        if len(seen) == count:
            raise KeyboardInterrupt

    return progress


# --- the same receipts ----------------------------------------------------------------------------


def test_receipts_do_not_depend_on_workers_or_on_what_else_runs(suite_run: Run, tmp_path: Path) -> None:
    chosen = ["sharpness.norms.F.upper-steep", "sharpness.norms.F.repaired"]
    pooled = verify(chosen[::-1], out=tmp_path / "run", profile="smoke", device="cpu", workers=2)
    assert list(pooled.receipts) == chosen
    alone = receipts_of(suite_run)
    assert receipts_of(pooled) == {f"{label}.json": alone[f"{label}.json"] for label in chosen}


def test_a_second_run_is_the_same_but_for_its_timings(claims: Path) -> None:
    one, two = run_of(claims, "one"), run_of(claims, "two")
    assert receipts_of(one) == receipts_of(two)
    assert one.manifest == two.manifest
    assert set(one.timings["claims"]) == set(LABELS)
    assert all(seconds > 0 for seconds in one.timings["claims"].values())


def test_another_seed_leaves_another_record_and_the_same_verdicts(claims: Path) -> None:
    one, two = run_of(claims, "one"), run_of(claims, "two", seed=1)
    assert receipts_of(one) != receipts_of(two)
    assert [r["verdict"] for r in one.receipts.values()] == [r["verdict"] for r in two.receipts.values()]


def test_nothing_in_receipts_or_manifest_is_a_time(claims: Path) -> None:
    run = run_of(claims)
    texts = [path.read_text(encoding="utf-8") for path in run.path.rglob("*.json") if path.name != "timings.json"]
    assert len(texts) == len(LABELS) + 1
    assert not [word for word in ("seconds", "time", "date") for text in texts if f'"{word}' in text]


def test_the_manifest_says_how_the_run_was_made(claims: Path) -> None:
    manifest = run_of(claims, seed=7).manifest
    assert (manifest["profile"], manifest["seed"], manifest["device"]) == ("smoke", 7, "cpu")
    assert {"python", "boundaudit", "torch", "sympy", "python-flint"} <= set(manifest["versions"])
    assert "git" in manifest


# --- whole folders only ---------------------------------------------------------------------------


def test_the_folder_appears_when_the_run_is_complete(claims: Path) -> None:
    out = claims.parent / "run"
    seen: list[bool] = []
    run = run_of(claims, progress=lambda *_: seen.append(out.exists()))
    assert seen == [False] * len(LABELS)
    assert {path.name for path in claims.parent.iterdir() if path.is_dir()} - {"__pycache__"} == {"run"}
    assert {path.name for path in run.path.rglob("*") if path.is_file()} == {
        "manifest.json",
        "timings.json",
        *(f"{label}.json" for label in LABELS),
    }


def test_a_finished_run_is_never_overwritten(claims: Path) -> None:
    before = receipts_of(run_of(claims))
    with pytest.raises(InputError, match="a folder that does not exist yet"):
        run_of(claims, seed=1)
    assert {path.name: path.read_bytes() for path in (claims.parent / "run" / "receipts").iterdir()} == before


@pytest.mark.parametrize("workers", [1, 2])
def test_a_measurement_that_fails_is_one_line_and_leaves_nothing(tmp_path: Path, workers: int) -> None:
    claims = write_claims(
        tmp_path,
        """
good = variance(label="coin.good", right=QUARTER)
bad = variance(label="coin.bad", right=Quantity("a ratio", lambda points, device: 1 / 0, "r"))
""",
    )
    with pytest.raises(InputError, match=r"a ratio .*ZeroDivisionError") as raised:
        run_of(claims, workers=workers)
    assert "\n" not in str(raised.value)
    assert [path.name for path in tmp_path.iterdir() if path.is_dir() and path.name != "__pycache__"] == []


# --- resumption -----------------------------------------------------------------------------------


def test_resuming_makes_what_is_left_and_gives_the_same_receipts(claims: Path) -> None:
    whole = receipts_of(run_of(claims, "whole"))
    with pytest.raises(KeyboardInterrupt):
        run_of(claims, progress=interrupt_after(1))
    assert not (claims.parent / "run").exists()
    with pytest.raises(InputError, match="add --resume"):
        run_of(claims)
    made: list[str] = []
    resumed = run_of(claims, resume=True, progress=lambda label, *_: made.append(label))
    assert made == LABELS[1:]
    assert receipts_of(resumed) == whole
    assert not (claims.parent / "run.partial").exists()


def test_resuming_a_run_that_never_began_begins_it(claims: Path) -> None:
    assert list(run_of(claims, resume=True).receipts) == LABELS


def test_what_was_recorded_for_another_statement_is_made_again(claims: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run_of(claims, progress=interrupt_after(2))
    write_claims(claims.parent, THREE.replace("right=QUARTER", "right=1"))
    made: list[str] = []
    run_of(claims, resume=True, progress=lambda label, *_: made.append(label))
    assert made == ["coin.first", "coin.third"]


@pytest.mark.parametrize("change", [{"seed": 1}, {"profile": "standard"}], ids=["seed", "profile"])
def test_a_run_is_not_resumed_as_another(claims: Path, change: dict[str, Any]) -> None:
    """Receipts of two seeds or profiles under one manifest would be a false record."""
    with pytest.raises(KeyboardInterrupt):
        run_of(claims, progress=interrupt_after(1))
    with pytest.raises(InputError, match="--resume") as raised:
        run_of(claims, resume=True, **change)
    assert next(iter(change)) in str(raised.value)
    assert list(run_of(claims, resume=True).receipts) == LABELS


# --- the summary ----------------------------------------------------------------------------------


def test_the_summary_counts_what_the_receipts_say(suite_run: Run) -> None:
    found = summary(suite_run)
    verdicts = [receipt["verdict"] for receipt in suite_run.receipts.values()]
    assert found["verdicts"] == {name: verdicts.count(name) for name in set(verdicts)}
    judged = [receipt["mutation"] for receipt in suite_run.receipts.values() if receipt["mutation"]]
    assert judged
    assert found["mutation"] == {name: sum(m[name] for m in judged) for name in found["mutation"]}
    assert found["mutation"]["total"] == sum(len(m["mutants"]) for m in judged)
    assert found["unexpected"] == []


def test_a_refuted_claim_is_recorded_with_a_counterexample_that_refutes_it(suite_run: Run) -> None:
    receipt = suite_run.receipts["sharpness.norms.F.upper-steep"]
    witness = next(e["witness"] for e in receipt["evidence"] if e["witness"])
    assert receipt["verdict"] == "refuted"
    assert (witness["point"]["T"], witness["point"]["D"], witness["point"]["omega"]) == (2, 1, 1)
    assert (witness["left"], witness["right"]) == ("64", "32")
    json.dumps(receipt, allow_nan=False)
