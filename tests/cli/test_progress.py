"""What a command says while it works."""

import time

import pytest

from boundaudit.reports.cli import progress


def test_a_line_now_and_then_where_stderr_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "SECONDS", 0.01)
    with progress.working("drawing data") as update:
        for said in ("drawing data", "epoch 5 of 10"):
            update(said)
            while f"  {said}\n" not in capsys.readouterr().err:
                time.sleep(0.001)
    capsys.readouterr()
    time.sleep(0.05)
    assert capsys.readouterr() == ("", "")


def test_pace_and_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([100.0, 110.0, 150.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    pace = progress.Pace()
    assert pace(40, 100) == ""  # what an interrupted run had done says nothing of this machine
    assert pace(60, 100) == ", 2 a second, at most 0:00:20 left"
    assert pace(90, 100) == ", 1 a second, at most 0:00:10 left"
