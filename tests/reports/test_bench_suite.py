"""A whole run beside another suite's examples: what is counted, and what is said where the other one is missing."""

import sys
from pathlib import Path
from typing import Any

import pytest

from boundaudit.reports.bench import suite as bench_suite


def test_examples_that_end_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    folder = tmp_path / "some_examples"
    (folder / "inner").mkdir(parents=True)
    for name, text in {"__init__": "", "one": "print('said')", "fails": "raise ValueError", "inner/__init__": "",
                       "inner/two": "assert __name__ == '__main__'"}.items():  # fmt: skip
        (folder / f"{name}.py").write_text(text)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    found = bench_suite.examples("some_examples")
    assert found["count"] == 2
    assert 0 < found["median"] < 1
    assert capsys.readouterr().out == ""


def test_seconds_of_each_claim_and_example(monkeypatch: pytest.MonkeyPatch) -> None:
    def timed(module: str, *arguments: str) -> tuple[dict[str, Any], float]:
        return ({"claims": 4}, 2.0) if module == "boundaudit" else ({"count": 10, "median": 0.05}, 1.0)

    monkeypatch.setattr(bench_suite, "_timed", timed)
    monkeypatch.setattr(bench_suite, "find_spec", lambda name: None)
    alone = bench_suite.suite("cpu")
    assert "boundaudit[oracles]" in alone["PEPit"]
    assert [row["ms each"] for row in alone["rows"]] == ["500"]
    monkeypatch.setattr(bench_suite, "find_spec", lambda name: object())
    both = bench_suite.suite("cpu")
    assert [(row["of"], row["ms each"]) for row in both["rows"]] == [("4 claims", "500"), ("10 examples", "100")]
    assert both["PEPit's median example, s"] == 0.05


def test_what_another_process_prints(tmp_path: Path) -> None:
    (tmp_path / "said.json").write_text('{"claims": 4}')
    found, seconds = bench_suite._timed("json.tool", str(tmp_path / "said.json"))
    assert found == {"claims": 4}
    assert 0 < seconds < 60
