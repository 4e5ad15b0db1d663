"""Bad input of every kind: one line that names the culprit, exit status 2, no traceback, nothing written."""

import errno
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.command import Call, refused, write_claims

from boundaudit.__main__ import main
from boundaudit.checks.records.run_writer import RunWriter
from boundaudit.reports.cli.output import answered

GOOD: dict[str, Any] = {"length": 6, "components": [[1, 2], [3, 6], [2, 5]], "coefficients": [0.6, 0.64, 0.48]}


@pytest.fixture
def refuse(call: Call, tmp_path: Path) -> Any:
    """Call, and require that it is refused without a trace in the working directory."""

    def run(arguments: Sequence[object], *culprits: str) -> None:
        before = snapshot(tmp_path)
        refused(call(*arguments), *culprits)
        assert snapshot(tmp_path) == before

    return run


def snapshot(folder: Path) -> dict[str, bytes | None]:
    found = (path for path in folder.rglob("*") if "__pycache__" not in path.parts)
    return {str(path): path.read_bytes() if path.is_file() else None for path in found}


# --- targets --------------------------------------------------------------------------------------

CONTRADICTIONS: dict[str, tuple[dict[str, Any], str]] = {
    "position no integer": ({"components": [[1, 2], [3, 6.0], [2, 5]]}, "components[1]"),
    "two bad fields": ({"components": [[1, 2], [], [3]], "coefficients": [0.6, "x", 1]}, "components[1]"),
    "coefficient beyond float": ({"coefficients": [0.6, 10**400, 0.48]}, "coefficients[1]"),
    "unknown key": ({"degree": 2}, "degree"),
}


@pytest.mark.parametrize(("change", "culprit"), CONTRADICTIONS.values(), ids=CONTRADICTIONS.keys())
def test_a_contradictory_target_is_refused(refuse: Any, tmp_path: Path, change: dict[str, Any], culprit: str) -> None:
    (tmp_path / "target.json").write_text(json.dumps(GOOD | change), encoding="utf-8")
    refuse(["measure", "target.json", "--json"], culprit)


MALFORMED: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "valid JSON"),
    "no text": (b"\xff\xfe\x00{", "UTF-8"),
    "a missing key": (json.dumps({"length": 6, "components": [[1]]}).encode(), "coefficients"),
    "nested without end": (b"[" * 100_000, "valid JSON"),
}


@pytest.mark.parametrize(("content", "culprit"), MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_target_is_refused(refuse: Any, tmp_path: Path, content: bytes, culprit: str) -> None:
    (tmp_path / "target.json").write_bytes(content)
    refuse(["measure", "target.json"], culprit)


@pytest.mark.parametrize("name", ["absent.json", ".", "target.json/inside"])
def test_a_target_that_cannot_be_read_is_refused(refuse: Any, tmp_path: Path, name: str) -> None:
    (tmp_path / "target.json").write_text(json.dumps(GOOD), encoding="utf-8")
    refuse(["measure", name], "target: expected a readable UTF-8 file")


# --- options --------------------------------------------------------------------------------------

MEASURE: dict[str, tuple[list[object], str]] = {
    "--at other digits": (["--at", "٠١٠١٠١"], "at: expected 6 digits"),
    "--at with --inputs": (["--at", "010101", "--inputs", "all"], "inputs"),
    "--scale in words": (["--scale", "large"], "scale"), "--scale minus infinity": (["--scale", "-inf"], "scale"),
    "--scale overflows": (["--scale", "1e400"], "scale"),
    "--inputs without number": (["--inputs", "random:"], "inputs"), "--seed too large": (["--seed", 2**63], "seed"),
    "--seed no number": (["--seed", "x"], "--seed"),
    "--sigma in words": (["--sigma", "some"], "sigma: expected a finite number of at least 0"),
    "--draws in words": (["--sigma", "0.1", "--draws", "few"], "--draws"),
    "--device cuda": (["--device", "cuda"], "CUDA"), "unknown option": (["--hessians"], "--hessians"),
}  # fmt: skip


@pytest.fixture
def _no_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)


@pytest.mark.usefixtures("_no_cuda")
@pytest.mark.parametrize(("options", "culprit"), MEASURE.values(), ids=MEASURE.keys())
def test_a_wrong_measure_option_is_refused(refuse: Any, tmp_path: Path, options: list[object], culprit: str) -> None:
    (tmp_path / "target.json").write_text(json.dumps(GOOD), encoding="utf-8")
    refuse(["measure", "target.json", *options, "--json"], culprit)


VERIFY: dict[str, tuple[list[object], str]] = {
    "unknown label": (["sharpness.no.such"], "sharpness.no.such"),
    "a set of letters": (["sharpness.mlp.[ab]*"], "sharpness.mlp.[ab]*"),
    "unknown glob": (["sharpness.mlp.height", "nothing.*"], "nothing.*"),
    "unknown label in a file": (["my_claims.py", "coin.y"], "coin.y"), "no such file": (["absent.py"], "absent.py"),
    "a folder for a file": (["folder.py"], "folder.py"),
    "--profile": (["my_claims.py", "--profile", "quick"], "smoke, standard, deep"),
    "--device": (["my_claims.py", "--device", "gpu"], "auto, cpu or cuda"),
    "--device cuda": (["my_claims.py", "--device", "cuda"], "CUDA"),
    "--workers zero": (["my_claims.py", "--workers", "0"], "--workers: expected at least 1"),
    "--workers negative": (["my_claims.py", "--workers", "-2"], "--workers: expected at least 1"),
    "--workers in words": (["my_claims.py", "--workers", "all"], "--workers"),
    "--seed in words": (["my_claims.py", "--seed", "lucky"], "--seed"),
    "--seed negative": (["my_claims.py", "--seed", "-1"], "--seed"),
    "--watch of what ships": (["--watch"], "--watch: expected claims files"),
    "--watch with --out": (["my_claims.py", "--watch", "--out", "run"], "--watch"),
    "a target": (["target.json"], "boundaudit measure"), "a path": (["claims/of/mine"], "labels, globs or FILE.py"),
    "one of two files": (["my_claims.py", "absent.py"], "absent.py"),
    "unknown case": (["sharpness.norms.F.printed[narrow]"], "sharpness.norms.F.printed[narrow]"),
    "unknown case in a file": (["my_claims.py", "coin.x[narrow]"], "coin.x[narrow]"),
    "--out inside a file": (["my_claims.py", "--out", "file/run"], "--out: expected a writable folder"),
    "--out taken": (["my_claims.py", "--out", "folder.py"], "--out"),
    "--out the working directory": (["my_claims.py", "--out", "."], "--out"),
    "--out empty": (["my_claims.py", "--out", ""], "--out"),
    "--out too long": (["my_claims.py", "--out", "x" * 300], "--out: expected a writable folder"),
    "--resume without --out": (["my_claims.py", "--resume"], "--resume"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.usefixtures("_no_cuda")
@pytest.mark.parametrize(("options", "culprit"), VERIFY.values(), ids=VERIFY.keys())
def test_a_wrong_verify_call_is_refused(refuse: Any, tmp_path: Path, options: list[object], culprit: str) -> None:
    write_claims(tmp_path, 'x = variance(label="coin.x", right=QUARTER)\n')
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "file").touch()
    refuse(["verify", *options, "--json"], culprit)


def test_an_interrupted_run_is_not_overwritten(refuse: Any, tmp_path: Path) -> None:
    claims = write_claims(tmp_path, 'x = variance(label="coin.x", right=QUARTER)\n')
    RunWriter(tmp_path / "run").write("receipts", {"label": "coin.x", "key": "k"})
    refuse(["verify", claims, "--out", tmp_path / "run"], "run.partial", "--resume")


CHAINED = """from boundaudit import Derivation, Instance, Step
def chained(*steps, **at):
    chain = Derivation(label="coin.chain", title="No chain", steps=steps, domain=Domain({p: Reals(0, 1)}), samples=at)
    return variance(label="coin.x", right=1, derivation=chain)
"""
CLAIMS_FILES: dict[str, tuple[str, str]] = {
    "syntax error": ("x = variance(\n", "my_claims.py:12: expected Python"),
    "leaves early": ("raise SystemExit(0)\n", "my_claims.py:12: expected a file that runs"),
    "leaves as pytest does": ("import pytest; pytest.importorskip('no_module')\n", "got Skipped: could not import"),
    "leaves in a side": (
        """false = variance(label="coin.false", right=TOO_SMALL)
x = variance(label="coin.x", right=lambda: exit(0))\n""",
        "coin.x (",
    ),
    "no claim": ("x = 1\n", "at least one Claim"),
    "bad label": ('x = variance(label="coin", right=1)\n', "coin.label"),
    "unknown reference": ('x = variance(label="coin.x", right=1, rests_on=("coin.y",))\n', "coin.y"),
    "improves itself": ('x = variance(label="coin.x", right=1, improves="coin.x")\n', "got itself"),
    "a chain without steps": (CHAINED + "x = chained()\n", "coin.chain.steps"),
    "a chain at no point": (CHAINED + 'x = chained(Step(p, "it"), a={"q": 1})\n', "coin.chain.samples['a']"),
    "an instance of nothing": (CHAINED + 'x = chained(Step(p, "it", "", Instance("coin.y", [p])))\n', "of coin.y"),
    "an index without an end": (CHAINED + 'x = Instance("coin.y", over=(p, 1))\n', "over=(i, 1, n)"),
    "unbound symbol": ('x = variance(label="coin.x", right=symbol("q", "free"))\n', "none for q"),
    "unknown verdict": ('x = variance(label="coin.x", right=1, expected="true")\n', "coin.x.expected"),
    "unknown function": ('x = variance(label="coin.x", right=sp.zeta(2 + p))\n', "zeta"),
    "measurement raises": (
        'x = variance(label="coin.x", right=Quantity("a ratio", lambda points, device: 1 / 0, "r"))\n',
        "a ratio",
    ),
    "measurement of another shape": (
        'x = variance(label="coin.x", right=Quantity("a pair", lambda points, device: np.zeros((9, 2)), "r"))\n',
        "a pair",
    ),
}


@pytest.mark.parametrize(("body", "culprit"), CLAIMS_FILES.values(), ids=CLAIMS_FILES.keys())
def test_a_claims_file_that_cannot_be_used_is_refused(refuse: Any, tmp_path: Path, body: str, culprit: str) -> None:
    claims = write_claims(tmp_path, body)
    refuse(["verify", claims.name, "--profile", "smoke", "--workers", 1, "--out", "run"], culprit)


RUN = "boundaudit-runs/run"
BOUND = ["bound", "sharpness", "--length", 20, "--degree", 2, "--sparsity", 10, "--samples", 9, "--subgaussian", 0.1]
LIMIT = ["limit", "attention-erm", "--alpha", 0.5, "--penalty", 0.1, "--noise", 0.1, "--width-ratio", 0.5]
SCHATTEN = ["bound", "schatten", "--width", 16, "--layers", 2, "--samples", 9]
SCHATTEN += [word for name in ("query", "value", "into", "out") for word in (f"--{name}", "1,2")]
CALLS: dict[str, tuple[list[object], str]] = {
    "no command": ([], "Missing command"), "a group without one": (["bound"], "Missing command (see"),
    "unknown command": (["prove"], "prove"),
    "unknown option": (["--quiet"], "--quiet"), "show without label": (["show"], "LABEL"),
    "show unknown": (["show", "sharpness.no.such"], "sharpness.no.such"),
    "show a glob": (["show", "sharpness.*"], "sharpness.*"),
    "show unknown case": (["show", "example.variance[steep]"], "example.variance[steep]"),
    "show unknown theorem": (["show", "Theorem 999", "--run", RUN], "Theorem 999"),
    "show a word": (["show", "variance", "--run", RUN], "variance"),
    "show of no run": (["show", "example.variance", "--run", "absent"], "absent"),
    "show what a run lacks": (["show", "sharpness.mlp.height", "--run", RUN], "sharpness.mlp.height"),
    "reproduce what a run lacks": (["reproduce", "sharpness.mlp.height", "--run", RUN], "sharpness.mlp.height"),
    "reproduce unknown": (["reproduce", "sharpness.no.such"], "sharpness.no.such"),
    "list unknown paper": (["list", "--paper", "euclid", "--run", RUN], "euclid"),
    "list no paper": (["list", "--paper", "", "--run", RUN], "--paper"),
    "list unknown place": (["list", "--place", "Step 99", "--run", RUN], "Step 99"),
    "list unknown role": (["list", "--role", "hero"], "printed, successor"),
    "list of no run": (["list", "--run", "absent"], "absent"),
    "theorems unknown paper": (["theorems", "--paper", "euclid", "--run", RUN], "euclid"),
    "theorems no paper": (["theorems", "--paper", "", "--run", RUN], "--paper"),
    "theorems unknown state": (["theorems", "--state", "wobbles"], "stands in part"),
    "theorems of no run": (["theorems", "--run", "absent"], "absent"),
    "list unknown verdict": (["list", "--verdict", "true"], "proved, certified"),
    "report unknown format": (["report", "--format", "html,docx"], "docx"),
    "report no format": (["report", "--format", ""], "--format"),
    "a run whose name is too long": (["check", "x" * 300], "xxx...: expected a place that can be reached"),
    "report of no folder": (["report", "absent"], "absent"),
    "report of another folder": (["report", "other"], "manifest.json"),
    "report into a file": (["report", "--format", "md", "--out", "other/file"], "--out"),
    "a folder of pages into a file": (["report", "--format", "html", "--out", "other/file"], "--out: expected a place"),
    "new over a file": (["new", "claims", "other/file.py"], "a file that does not exist yet"),
    "new without ending": (["new", "claims", "mine.txt"], ".py"),
    "new in no folder": (["new", "claims", "absent/mine.py"], "a file that can be written"),
    "half a sample": (["bound", "sharpness", "--samples", "1.5"], "'1.5' is no whole number"),
    "infinite samples": (
        ["bound", "chain-of-thought", "--length", "9", "--samples", "inf"], "'inf' is no whole number",
    ),
    "infinite kl": (["bound", "pac-bayes", "--risk", "0.1", "--samples", "9", "--kl", "inf"], "is no finite number"),
    "no kl": (["bound", "pac-bayes", "--risk", "0.1", "--samples", "9", "--kl", "nan"], "is no finite number"),
    "beyond floats": ([*BOUND, "--subgaussian", "1e308"], "'--subgaussian': '1e308' is neither 0 nor a number from"),
    "below floats": ([*BOUND, "--sigma", "1e-320"], "'--sigma': '1e-320' is neither 0 nor a number from"),
    "beyond powers": ([*BOUND, "--trace", "1e21"], "trace: expected a positive number, up to 1e+20"),
    "a large P": ([*BOUND, "--perturbation", "1e101"], "--perturbation"),
    "more than anything": ([*BOUND, "--parameters", 10**400], "is more than 1e15"),
    "samples without end": ([*BOUND, "--samples", "9" * 5000], "9... is no whole number"),
    "form with a space": ([*BOUND, "--form", "published "], "got 'published '"),
    "draws for ever": (["bound", "compare", "--samples", 9, "--draws", 10**23], "--draws"),
    "no activation": ([*SCHATTEN, "--activation", 0], "activation: expected a number above 0"),
    "a negative Lipschitz constant": ([*SCHATTEN, "--lipschitz", -1], "lipschitz: expected a number above 0"),
    "layers for ever": ([*SCHATTEN, "--layers", 1001], "layers: expected at most 4,000 matrices, got 4,004,"),
    "width for ever": ([*SCHATTEN, "--width", 10**6], "width: expected from 1 to 100,000"),
    "layers of rows for ever": (["bound", "covering", "--layers", 10**9], "--layers"),
    "a penalty that is none": ([*LIMIT, "--penalty", "1e-10"], "penalty: expected 0 or a number from"),
    "a ratio that is none": ([*LIMIT, "--width-ratio", "1e-30"], "width-ratio: expected 0 or a number from"),
    "a target without end": (["measure", "/dev/zero"], "target: expected at most 64 MiB"),
    "measurements without end": (
        ["bound", "sharpness", "--samples", 9, "--measured", "/dev/zero"], "--measured: expected at most 64 MiB",
    ),
    "a model whose name is too long": (["limit", "model", "x" * 300, "--alpha", 1], "FILE.py: expected a readable"),
    "samples that no simulation holds": (
        ["limit", "model", "ridge", "--alpha", "1e16"], "--alpha: expected at most 682 for this model",
    ),
    "negative seed": (["bound", "grid", "--seed", "-1"], "--seed"),
    "bench unknown": (["bench", "everything"], "everything"),
    "bench device": (["bench", "norms", "--device", "tpu"], "--device"),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "culprit"), CALLS.values(), ids=CALLS.keys())
def test_a_wrong_call_is_refused(
    refuse: Any,
    in_example: Call,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: list[object],
    culprit: str,
) -> None:
    runs = Path("boundaudit-runs").resolve()
    monkeypatch.chdir(tmp_path)
    Path("boundaudit-runs").symlink_to(runs)
    Path("other").mkdir()
    Path("other/file").touch()
    Path("other/file.py").touch()
    refuse(arguments, culprit)


@pytest.mark.slow
def test_a_full_disk_leaves_nothing_behind(
    refuse: Any, in_example: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run = Path(RUN).resolve()
    monkeypatch.chdir(tmp_path)

    def half(path: Path, data: bytes) -> None:
        with path.open("wb") as file:
            file.write(data[:9])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half)
    for arguments in (
        ["new", "claims", "mine.py"],
        ["read", "n <= n^2, n >= 1", "--out", "read.py"],
        ["export", "--needs", "--run", run, "--out", "made/needs.json"],
        ["report", run, "--format", "html", "--out", "made/deep"],
        ["report", run, "--format", "json", "--out", "made"],
    ):
        refuse(arguments, "No space left on device")


def test_a_file_of_another_kind_is_not_written_over(refuse: Any, tmp_path: Path) -> None:
    write_claims(tmp_path, 'x = variance(label="coin.x", right=QUARTER)\n')
    for arguments in (["export", "--needs"], ["graph", "--format", "svg"]):
        refuse([*arguments, "--out", "my_claims.py"], "--out: expected a .")


@pytest.mark.parametrize(("raised", "said"), [
    (SystemExit(0), "a fault of the program: SystemExit: 0"),
    (GeneratorExit(), "a fault of the program: GeneratorExit ("),
    (OSError(errno.ENOSPC, "No space left on device"), "output: expected a place that takes it"),
    (OSError(errno.EACCES, "Permission denied", "a/b"), "a/b: expected a place that can be reached, got Permission"),
])  # fmt: skip
def test_whatever_is_raised_is_a_line(raised: BaseException, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    def call() -> None:
        raise raised

    assert answered(call) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


LIST = ["list", "--run", RUN]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [LIST, [*LIST, "--json"], ["--help"], ["show", "--help"], ["--version"]])
def test_who_reads_no_further_is_no_error(arguments: list[str], in_example: Call) -> None:
    command = [sys.executable, "-m", "boundaudit", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as called:
        assert called.stdout is not None
        assert called.stderr is not None
        called.stdout.close()
        assert (called.wait(), called.stderr.read()) == (0, "")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize(("arguments", "streams", "code"), [
    (LIST, ">/dev/full", 2), (["list", "--run", "nope"], "2>/dev/full", 2), (LIST, ">&-", 0),
    (["list", "--run", "nope"], "2>&-", 2),
])  # fmt: skip
def test_streams_that_take_nothing_change_no_status(
    arguments: list[str], streams: str, code: int, in_example: Call
) -> None:
    command = f"exec {sys.executable} -m boundaudit {shlex.join(arguments)} {streams}"
    ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert ended.returncode == code
    assert len(ended.stderr.splitlines()) == (1 if streams.startswith(">") else 0)


@pytest.mark.slow
def test_characters_that_an_encoding_lacks_are_written_out(in_example: Call) -> None:
    command = [sys.executable, "-m", "boundaudit", "show", "example.variance", "--run", RUN]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    ended = subprocess.run(command, capture_output=True, encoding="latin-1", env=environment, check=False)
    assert ended.returncode == 0
    assert r"\u" in ended.stdout


def test_an_interrupt_while_commands_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupting:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "boundaudit.reports.cli.main":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "boundaudit.reports.cli.main")
    monkeypatch.setattr(sys, "meta_path", [Interrupting(), *sys.meta_path])
    with pytest.raises(SystemExit, match="3"):
        main()


DAMAGED = [["list"], ["theorems"], ["show", "a.b"], ["show", "Theorem 10"], ["reproduce", "a.b"], ["report"]]


@pytest.mark.parametrize("manifest", [b"", b"[]", b'{"schema": 7}'])
def test_a_damaged_run_that_is_named_is_refused(refuse: Any, tmp_path: Path, manifest: bytes) -> None:
    (tmp_path / "boundaudit-runs" / "run").mkdir(parents=True)
    (tmp_path / "boundaudit-runs" / "run" / "manifest.json").write_bytes(manifest)
    for command in DAMAGED:
        refuse([*command, "--run", "boundaudit-runs/run", "--json"], "expected")


@pytest.mark.parametrize("command", ["show", "reproduce"])
def test_a_damaged_newest_run_makes_no_claim_known(refuse: Any, tmp_path: Path, command: str) -> None:
    (tmp_path / "boundaudit-runs" / "run").mkdir(parents=True)
    (tmp_path / "boundaudit-runs" / "run" / "manifest.json").write_bytes(b'{"schema": 3, "claims": ["a.b"]}')
    refuse([command, "a.b", "--json"], "label: expected a label of", "a.b")
