"""Fixtures that tests share: the command line in this process, and runs made once per session."""

import gc
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

# As in the workers of a run: a thread for each core costs the small tensors of the tests more than it saves.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import hypothesis
import pytest

from boundaudit.checks.records.run_folder import Run
from boundaudit.reports.cli import progress
from boundaudit.reports.cli.main import main

from .command import EXAMPLE, SELECTION, Call, Outcome


def pytest_configure(config: pytest.Config) -> None:
    """Tests mean the processor, also where there is a GPU; ``-m gpu`` runs those that mean one."""
    if config.getoption("markexpr") != "gpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes an acceptance test takes longer than a slow one."""
    for item in items:
        if item.get_closest_marker("acceptance"):
            item.add_marker("slow")


def pytest_collection_finish() -> None:
    """What modules hold stays: the garbage collector need not look through it again and again while tests run."""
    gc.set_threshold(50_000, 20, 200)
    gc.enable()


def pytest_sessionfinish() -> None:
    """Nor when pytest collects, five times over, as it ends."""
    gc.freeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    """Say at the end what was left out for want of a browser, and how to get it."""
    yield
    without = [skipped for skipped in terminalreporter.stats.get("skipped", ()) if "Chromium" in str(skipped.longrepr)]
    if without:
        terminalreporter.write_line(
            f"{len(without)} tests in a browser skipped: apt-get install chromium chromium-driver"
        )


hypothesis.settings.register_profile("suite", deadline=None, derandomize=True, database=None, max_examples=50)
hypothesis.settings.load_profile("suite")


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Call:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress, "SECONDS", threading.TIMEOUT_MAX)  # beside other work half a minute is soon over

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        assert isinstance(ended.value.code, int)
        return Outcome(ended.value.code, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def suite_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A smoke run of `SELECTION`, the only run in its ``boundaudit-runs``."""
    out = tmp_path_factory.mktemp("suite") / "boundaudit-runs" / "run"
    return smoke_run(SELECTION, out=out)


@pytest.fixture(scope="session")
def example_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A smoke run of the example file, the only run in its ``boundaudit-runs``."""
    out = tmp_path_factory.mktemp("example") / "boundaudit-runs" / "run"
    return smoke_run(files=[EXAMPLE], out=out)


def smoke_run(*labels: Sequence[str], **options: Any) -> Run:
    from boundaudit.checks.run.runner import verify  # loads SymPy, which who hands out the tests does not need

    return verify(*labels, profile="smoke", device="cpu", **options)


@pytest.fixture
def in_suite(call: Call, suite_run: Run, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls from the folder whose newest run is `suite_run`."""
    monkeypatch.chdir(suite_run.path.parents[1])
    return call


@pytest.fixture
def in_example(call: Call, example_run: Run, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls from the folder whose newest run is `example_run`."""
    monkeypatch.chdir(example_run.path.parents[1])
    return call
