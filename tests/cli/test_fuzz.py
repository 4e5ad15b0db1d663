"""Every file that the command line reads, damaged at random: exit 0, 1 or 2, one line an error, no fault, no hang."""

import contextlib
import io
import json
import resource
import shutil
import signal
import struct
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import DataObject, SearchStrategy
from tests.checkpoint.tiny import CONFIG, QUERY, write, write_shards

from boundaudit.checks.records.run_folder import Run
from boundaudit.reports.cli.main import cli
from boundaudit.reports.cli.output import answered

SECONDS = 60
GROWTH = 2**20
"""Memory that one call may add to the most this process ever had, in KiB: 1 GiB."""

TOKENS = (
    b"NaN", b"-Infinity", b"1e999", b"1e308", b"-1e308", b"5e-324", b"9" * 5000, b"9" * 400, b"-1", b"0", b"null",
    b"true", b'""', b"[]", b"{}", b"[" * 3000, b'{"a":' * 3000, b'"\\ud800"', b'"\\u202e\\u001b[31m"', b"\xff", b"\x00",
    b"'O'", b"'<f2'", b"2**62", b"(1," * 300, b"\\", b"\n", b"-0.0", b"1.5",
)  # fmt: skip
ODD: SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4),
    st.sampled_from([10**400, -(10**20), 2**63, 1e308, 5e-324, -0.0, "", "\x1b[31m", "../x", [], {}, [[]], {"": None}]),
    st.integers(1, 1200).map(lambda depth: [json.loads("[" * depth + "]" * depth)]),
)  # fmt: skip


@st.composite
def damaged(draw: Any, valid: bytes) -> bytes:
    """A file with a few flipped, inserted, repeated, replaced or missing bytes."""
    found = bytearray(valid)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(found)))
        stop = min(len(found), start + draw(st.integers(0, 12)))
        kind = draw(st.sampled_from(["flip", "cut", "token", "repeat", "drop", "bytes"]))
        if kind == "flip" and start < len(found):
            found[start] ^= 1 << draw(st.integers(0, 7))
        elif kind == "cut":
            del found[start:]
        elif kind == "token":
            found[start:stop] = draw(st.sampled_from(TOKENS))
        elif kind == "repeat":
            found[start:start] = found[start:stop] * 3
        elif kind == "drop":
            del found[start:stop]
        else:
            found[start:stop] = draw(st.binary(max_size=12))
    return bytes(found)


@st.composite
def misfits(draw: Any, valid: Any) -> bytes:
    """JSON in which one value, anywhere, is another, is missing, or comes twice."""
    found = json.loads(json.dumps(valid))
    at, parts = found, []
    while isinstance(at, (dict, list)) and at and draw(st.integers(0, 5)):
        parts.append((at, draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))))
        at = at[parts[-1][1]]
    if not parts:
        found = draw(ODD)
    elif draw(st.booleans()):
        parts[-1][0][parts[-1][1]] = draw(ODD)
    else:
        del parts[-1][0][parts[-1][1]]
    text = json.dumps(found)
    if draw(st.integers(0, 9)) == 0 and text.startswith("{") and len(text) > 2:
        text = text[:-1] + "," + text[1:]
    return text.encode()


def either(valid: Any) -> SearchStrategy[bytes]:
    """Damaged bytes of a JSON file, or JSON that does not fit."""
    return st.one_of(damaged(json.dumps(valid).encode()), misfits(valid))


class TooSlow(BaseException):
    """No error of a file: nothing that catches those catches it."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooSlow


@contextlib.contextmanager
def within(seconds: int) -> Iterator[None]:
    """End what takes longer."""
    before = signal.signal(signal.SIGALRM, _stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def require_answer(*arguments: object) -> int:
    """Call the command line, and require that it answers: what it returned."""
    out, err = io.StringIO(), io.StringIO()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with (
        within(SECONDS),
        warnings.catch_warnings(action="error"),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        warnings.simplefilter("ignore", ResourceWarning)  # NumPy leaves what it cannot read to the collector
        code = answered(lambda: cli.main(args=[str(part) for part in arguments], standalone_mode=False))
    assert code in (0, 1, 2), err.getvalue()
    assert "a fault of the program" not in err.getvalue(), err.getvalue()
    assert "Traceback" not in err.getvalue()
    if code == 2:
        assert out.getvalue() == ""
        assert err.getvalue().startswith("boundaudit: ")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most < GROWTH
    return code


def attack(path: Path, files: SearchStrategy[bytes], examples: int, *calls: tuple[object, ...]) -> None:
    """Write many versions of a file, and call the command line on each."""

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), deadline=None)
    @given(files)
    def one(content: bytes) -> None:
        path.write_bytes(content)
        for arguments in calls:
            require_answer(*arguments)

    one()


TARGET = {"length": 6, "components": [[1, 2], [3, 6]], "coefficients": [0.6, 0.8]}
MEASURED = {"trace": 5911.0, "norm_squared": 400, "parameters": 1002, "risk": 0.1}


def npy(header: str, data: bytes = b"\0" * 64) -> bytes:
    """A .npy file with any header."""
    text = header.encode("latin-1") + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data


def stored(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


HEADERS = st.one_of(
    st.builds(
        "{{'descr': {!r}, 'fortran_order': {}, 'shape': {}, }}".format,
        st.sampled_from(["<f8", ">f8", "<f2", "|b1", "<i8", "<u8", "|O", "<c16", "<M8[s]", "<U3", "|V0", "", "<f16"]),
        st.sampled_from(["True", "False", "None", "1"]),
        st.sampled_from(
            ["()", "(0,)", "(8,)", "(2, 2)", "(-1,)", "(2**70,)", f"({2**62},)", f"({2**40}, {2**40})", "(8.0,)", "8",
             "(True,)", "(" * 90 + ")" * 90, "(" * 3000, f"({'9' * 4400},)", "('8',)", "(0, 4)", f"(0, {2**62})"]
        ),
    ).map(npy),
    st.text(max_size=30).map(lambda text: text.encode("latin-1", "replace").decode("latin-1")).map(npy),
)  # fmt: skip


def zipped(count: int) -> bytes:
    """An archive of zeros that is far smaller than what it holds."""
    file = io.BytesIO()
    np.savez_compressed(file, f=np.zeros(count))
    return file.getvalue()


def tables(array: np.ndarray) -> SearchStrategy[bytes]:
    """Damaged .npy files, hostile headers, archives, and every float in a sound one."""
    floats = st.lists(st.floats(), min_size=array.size, max_size=array.size)
    return st.one_of(
        damaged(stored(array)), HEADERS, st.sampled_from([zipped(4), zipped(10**6), b"", b"PK\x03\x04", b"\x80\x04N."]),
        floats.map(lambda values: stored(np.array(values).reshape(array.shape))),
    )  # fmt: skip


def targets(tmp_path: Path, examples: int) -> None:
    file = tmp_path / "target.json"
    attack(file, either(TARGET), examples, ("measure", file, "--inputs", "random:4", "--device", "cpu"))


def measured(tmp_path: Path, examples: int) -> None:
    file = tmp_path / "measured.json"
    size = ("--length", 6, "--degree", 2, "--sparsity", 2, "--samples", 1e6)
    attack(file, either(MEASURED), examples, ("bound", "sharpness", *size, "--measured", file, "--json"))


def truth_tables(tmp_path: Path, examples: int) -> None:
    file = tmp_path / "f.npy"
    attack(file, tables(np.arange(8.0)), examples, ("fourier", file, "--trials", 10, "--json"))


def gram_matrices(tmp_path: Path, examples: int) -> None:
    file = tmp_path / "G.npy"
    gram = np.array([[1.0, 0.5], [0.5, 1.0]])
    attack(file, tables(gram), examples, ("limit", "infinite-width", "--gram", file, "--json"))


def weights(tmp_path: Path, examples: int) -> None:
    folder = write(tmp_path / "one")
    file = folder / "model.safetensors"
    sound = file.read_bytes()
    size = 8 + int.from_bytes(sound[:8], "little")
    heads = st.one_of(
        damaged(sound[:size]),
        misfits(json.loads(sound[8:size])).map(lambda text: struct.pack("<Q", len(text)) + text),
        st.integers(0, 2**64 - 1).map(lambda length: struct.pack("<Q", length) + sound[8:size]),
    )
    attack(file, heads.map(lambda head: head + sound[size:]), examples, ("model", folder, "--json"))


def configurations(tmp_path: Path, examples: int) -> None:
    folder = write(tmp_path / "one")
    attack(folder / "config.json", either(CONFIG), examples, ("model", folder, "--json"))


def indices(tmp_path: Path, examples: int) -> None:
    folder = write_shards(tmp_path / "many")
    index = folder / "model.safetensors.index.json"
    attack(index, either(json.loads(index.read_bytes())), examples, ("model", folder, "--json"))


def mappings(tmp_path: Path, examples: int) -> None:
    folder, file = write(tmp_path / "one"), tmp_path / "map.json"
    part = {"name": "encoder.layer.{layer}.intermediate.dense.weight", "part": [0, 2]}
    mapping = {"stored": "outputs-inputs", "matrices": {"query": QUERY, "into": part}}
    attack(file, either(mapping), examples, ("model", folder, "--spectra", "--mapping", file, "--json"))


READERS = [targets, measured, truth_tables, gram_matrices, weights, configurations, indices, mappings]


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_a_damaged_file_is_answered(tmp_path: Path, reader: Callable[[Path, int], None]) -> None:
    reader(tmp_path, 120)


LABEL = "example.variance"


def run_files(run: Path) -> list[Path]:
    """The files of a run that are read."""
    return [run / "manifest.json", run / "timings.json", *sorted(run.glob("*/*.jsonl"))]


@st.composite
def bad_lines(draw: Any, valid: bytes) -> bytes:
    """A file of JSON lines, one of them damaged."""
    lines = valid.splitlines()
    place = draw(st.integers(0, len(lines) - 1))
    lines[place] = draw(st.one_of(damaged(lines[place]), misfits(json.loads(lines[place]))))
    return b"\n".join(lines) + b"\n"


def attack_run(data: DataObject, run: Path, *calls: tuple[object, ...]) -> None:
    """Damage one file of a run for a call."""
    file = data.draw(st.sampled_from(run_files(run)))
    valid = file.read_bytes()
    versions = bad_lines(valid) if file.suffix == ".jsonl" else either(json.loads(valid))
    try:
        file.write_bytes(data.draw(versions))
        for arguments in calls:
            require_answer(*arguments)
    finally:
        file.write_bytes(valid)


@pytest.fixture
def a_run(tmp_path: Path, example_run: Run) -> Path:
    return Path(shutil.copytree(example_run.path, tmp_path / "run"))


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=list(HealthCheck), deadline=None)
@given(data=st.data())
def test_every_command_answers_on_a_damaged_run(a_run: Path, data: DataObject) -> None:
    run = ("--run", a_run)
    page = ("report", "--format", "json,md,junit,sarif", "--out", a_run.parent / "page", *run)
    commands = [
        ("list", *run), ("show", LABEL, *run), ("theorems", *run), ("graph", *run), ("diff", a_run), page,
        ("export", "--needs", *run), ("reproduce", LABEL, *run),
    ]  # fmt: skip
    attack_run(data, a_run, *data.draw(st.lists(st.sampled_from(commands), min_size=3, max_size=3)))


CLAIMS = """
import sympy as sp
from boundaudit import Claim, Domain, Reals, symbol
p = symbol({symbol!r}, {meaning!r})
fair = Claim(label={label!r}, statement={statement!r}, paper={paper!r}, place=({place!r},), limitations=({limit!r},),
             left=p * (1 - p), right=1, domain=Domain({{p: Reals(0, 1)}}))
"""
WORDS = st.one_of(
    st.text(max_size=8),
    st.sampled_from(["\x1b[31m", "</script><script>alert(1)</script>", "$\\input{x}$", "[/red]", "a" * 10**5]),
)


def attack_claims(folder: Path, examples: int) -> None:
    file, out = folder / "my_claims.py", folder / "run"
    fields = dict.fromkeys(("meaning", "statement", "paper", "place", "limit"), WORDS)
    named = {"symbol": st.one_of(st.just("p"), WORDS), "label": st.one_of(st.just("coin.x"), WORDS)}

    def verified(said: dict[str, str]) -> bytes:
        shutil.rmtree(out, ignore_errors=True)
        return CLAIMS.format(**said).encode("utf-8", "surrogatepass")

    files = st.fixed_dictionaries(fields | named).map(verified)
    attack(
        file, files, examples, ("verify", file, "--profile", "smoke", "--workers", 1, "--out", out),
        ("list", "--run", out), ("report", "--run", out, "--format", "html,md,json,tex", "--single-file"),
    )  # fmt: skip


@pytest.mark.slow
def test_hostile_words_of_claims_are_answered(tmp_path: Path) -> None:
    attack_claims(tmp_path, 15)
