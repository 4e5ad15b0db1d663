"""A wrong call is answered before tensors and algebra are loaded; `python -m boundaudit` is the command line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.counted import calls_of

CALLS = """
import contextlib, io, json, sys
from boundaudit.reports.cli.main import main
answers = {}
for call in sys.argv[1:]:
    with contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            main(call.split())
        except SystemExit as ended:
            loaded = [name for name in ("torch", "sympy", "scipy") if sys.modules.pop(name, None)]
            answers[call] = [ended.code, said.getvalue().count(chr(10)), loaded]
print(json.dumps(answers))
"""
"""Each call and how it ends: its status, how many lines it says, and what it loads."""
CLASS = "--length 20 --degree 2 --sparsity 10"
WRONG = [
    "measure nowhere.json", "measure target.json --layout thin", "measure target.json --mlp thin",
    "measure target.json --scale much", "measure target.json --at 2", "measure target.json --inputs some",
    "measure target.json --sigma -1", "measure target.json --sigma 0.1 --draws 1", "measure target.json --error 0",
    "measure target.json --device tpu", "measure negative.json --layout published",
    f"bound sharpness {CLASS} --samples 0 --subgaussian 0.01", f"bound sharpness {CLASS} --samples 1e6",
    f"bound sharpness {CLASS} --samples 1e6 --form clipped-kl --clip 0",
    f"bound sharpness {CLASS} --samples 1e6 --subgaussian 0.01 --sigma 0",
    f"bound sharpness {CLASS} --samples 1e6 --subgaussian 0.01 --perturbation much",
    "bound sharpness --length 3 --degree 4 --sparsity 1 --samples 1e6 --subgaussian 0.01",
    "bound sharpness --target nowhere.json --samples 1e6 --subgaussian 0.01",
    f"bound sharpness {CLASS} --samples 1e6 --measured nowhere.json", f"bound compare {CLASS} --samples 1e12",
    f"bound compare {CLASS} --samples 1e6 --clip 0", f"bound compare {CLASS} --samples 1e6 --draws 1",
    "bound grid --delta 2", "bound grid --degrees 20 --sparsities 2", "bound pac-bayes --risk 2 --kl 1 --samples 100",
    "bound pac-bayes --risk 0.1 --kl 1 --samples 100 --form pinsker",
    "bound pac-bayes --risk 0.1 --kl 1 --samples 100 --draws 10 --draws-delta 0.5",
    "bound chain-of-thought --length 20 --samples 1e6 --form tied --subgaussian 0.01",
    "bound chain-of-thought --length 1 --samples 1e6 --subgaussian 0.01", "bench nothing",
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("targets")
    target = {"length": 6, "components": [[1, 2], [3, 6]], "coefficients": [0.6, 0.8]}
    (folder / "target.json").write_text(json.dumps(target), encoding="utf-8")
    negative = target | {"coefficients": [0.6, -0.8]}
    (folder / "negative.json").write_text(json.dumps(negative), encoding="utf-8")
    return folder


@pytest.mark.slow
def test_a_wrong_call_loads_no_tensors(folder: Path) -> None:
    command = [sys.executable, "-c", CALLS, *WRONG]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=True)
    assert json.loads(ended.stdout) == {call: [2, 1, []] for call in WRONG}


@pytest.mark.slow
def test_a_wrong_call_takes_a_fraction_of_a_second(folder: Path) -> None:
    assert calls_of("measure", "nowhere.json", cwd=folder) < 600_000


@pytest.mark.slow
def test_the_package_runs_as_a_module(folder: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "boundaudit", *arguments], cwd=folder, capture_output=True, text=True, timeout=300
        )

    assert run("--version").stdout.startswith("boundaudit, version")
    assert run("nothing").returncode == 2
