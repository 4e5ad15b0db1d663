"""Runs that somebody else wrote: one line that names file and field, exit status 2, and nothing a terminal obeys."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.command import Call, refused, strict_json, write_claims

from boundaudit.checks.run import named_files
from boundaudit.checks.run.cached import catalogue

LABEL = "example.variance"
COMMANDS = [["list"], ["theorems"], ["show", LABEL], ["reproduce", LABEL], ["report", "--format", "md,json,html,tex"]]


def receipts(run: Path, change: Callable[[str], str]) -> None:
    """Change the text of all receipts."""
    for path in sorted((run / "receipts").iterdir()):
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")


def record(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    """Change the receipt of `LABEL`."""

    def apply(run: Path) -> None:
        def edited(text: str) -> str:
            lines = [json.loads(line) for line in text.splitlines()]
            for line in lines:
                if line["label"] == LABEL:
                    change(line)
            return "".join(f"{json.dumps(line)}\n" for line in lines)

        receipts(run, edited)

    return apply


def manifest(**said: Any) -> Callable[[Path], None]:
    """Change entries of the manifest."""

    def apply(run: Path) -> None:
        path = run / "manifest.json"
        path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | said), encoding="utf-8")

    return apply


HOSTILE: dict[str, tuple[Callable[[Path], None], str]] = {
    "a verdict": (record(lambda line: line.update(verdict="proved")), f"{LABEL}: verdict: expected refuted"),
    "NaN": (record(lambda line: line["worst"].update(left=float("nan"))), "expected JSON, got a finite number"),
    "a path": (record(lambda line: line.update(label="../../../etc/x.y")), "label: expected a label of a claim"),
    "no claims file": (manifest(files=[]), LABEL),
    "a chain of nothing": (
        record(lambda line: line["evidence"][0].update(certificate={"kind": "chain", "steps": True})),
        f"{LABEL}: evidence[0].certificate: expected steps that name what they use",
    ),
    "no field": (record(lambda line: line.pop("fingerprint")), f"{LABEL}: expected the field fingerprint"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("change", "culprit"), HOSTILE.values(), ids=HOSTILE.keys())
def test_every_command_refuses_it_in_one_line(
    call: Call, copied: Path, change: Callable[[Path], None], culprit: str
) -> None:
    change(copied)
    for command in COMMANDS:
        refused(call(*command, "--run", copied), culprit)


@pytest.mark.slow
def test_what_a_terminal_would_obey_reaches_neither_it_nor_a_report(call: Call, copied: Path) -> None:
    evil = "\x1b[31m\u202eevil\x9b\u2066\ud800"

    def poison(line: dict[str, Any]) -> None:
        for evidence in line["evidence"]:
            evidence |= {"covers": evil, "notes": [evil]}
        line["reason"] = evil

    record(poison)(copied)
    manifest = copied / "manifest.json"
    found = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps(found | {"device": evil, "versions": {evil: evil}}), encoding="utf-8")
    for command in COMMANDS:
        for options in ((), ("--json",)):
            ended = call(*command, "--run", copied, *options)
            assert ended.code in (0, 1)
            assert visible_only(ended.out + ended.err)
    strict_json((copied / "report.json").read_text(encoding="utf-8"))
    written = [copied / f"report.{name}" for name in ("md", "json", "tex")] + sorted(
        (copied / "report").rglob("*.html")
    )
    assert all(visible_only(path.read_text(encoding="utf-8")) for path in written)


def visible_only(text: str) -> bool:
    return all(character.isprintable() or character in "\n\t\xa0\u2009\u202f" for character in text)


HEAD = """
import sympy as sp
from boundaudit import Claim, Derivation, Domain, Quantity, Reals, Step, Study, Theorem, symbol
p, unit = symbol("p", "a share"), {"domain": Domain({sp.Symbol("p"): Reals(0, 1)})}
fair = Claim(label="a.fair", statement="s", left=p, right=1, **unit)
"""
HIDDEN: dict[str, tuple[str, str]] = {
    "a long label": (f"Claim(label='a.{'b' * 300}', statement='s', left=p, right=1, **unit)", "at most 200 characters"),
    "a statement": ("Claim(label='a.b', statement='\\u202e', left=p, right=1, **unit)", "a.b.statement"),
    "a paper": ("Claim(label='a.b', statement='s', paper='\\x1b[31m', left=p, right=1, **unit)", "a.b.paper"),
    "a place": ("Claim(label='a.b', statement='s', place=('\\x9b',), left=p, right=1, **unit)", "a.b.place"),
    "half a character": (
        "Claim(label='a.b', statement='s', limitations=('\\ud800',), left=p, right=1, **unit)", "a.b.limitations"
    ),
    "a quantity": (
        "Claim(label='a.b', statement='s', left=p, right=Quantity('\\x1b', len, 'q'), **unit)", "a.b.right"
    ),
    "an index": (
        "Claim(label='a.b', statement='s', left=p, right=sp.Sum(p, (sp.Symbol('\\u2066'), 1, 2)), **unit)", "a.b"
    ),
    "a parameter": (
        "Claim(label='a.b', statement='s', left=1, right=1, domain=Domain({sp.Symbol('\\u200f'): Reals(0, 1)}))", "a.b"
    ),
    "a symbol": ("symbol('q', 'a \\u202e share')", "symbol q"),
    "a theorem": ("Theorem(number='Theorem 1', title='\\x1b', says='s')", "Theorem 1"),
    "a study": ("Study(label='a.s', title='t', caption='\\x07', claims=(), compute=len)", "a.s"),
    "a chain": ("Derivation(label='a.c', title='t', steps=(Step(p, '\\u202d'),), samples={}, **unit)", "a.c"),
}  # fmt: skip


@pytest.mark.parametrize(("stated", "culprit"), HIDDEN.values(), ids=HIDDEN.keys())
def test_words_that_hide_something_are_refused_in_a_claims_file(
    call: Call, tmp_path: Path, stated: str, culprit: str
) -> None:
    (tmp_path / "bad.py").write_text(f"{HEAD}bad = {stated}\n", encoding="utf-8")
    ended = call("verify", "bad.py", "--profile", "smoke")
    assert (ended.code, ended.out) == (2, "")
    assert culprit in ended.err
    assert visible_only(ended.err)
    assert not Path("boundaudit-runs").exists()


READING = [*COMMANDS, ["graph", "Theorem 1"], ["export", "--needs"]]


@pytest.mark.slow
def test_a_run_executes_no_claims_file_that_was_never_named_here(
    call: Call, copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What somebody unpacks and enters: a run, its newest there, whose manifest names code beside it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    claims = write_claims(tmp_path, "import pathlib\npathlib.Path('executed').touch()\n", "evil.py")
    manifest = copied / "manifest.json"
    found = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps(found | {"files": [claims.name]}), encoding="utf-8")
    shutil.copytree(copied, "boundaudit-runs/run")
    calls = [[*command, "--run", copied] for command in READING] + [["report"], ["show", LABEL], ["diff", copied]]
    for arguments in calls:
        refused(call(*arguments), "look at it, then call `boundaudit verify evil.py`")
    assert not Path("executed").exists()


def test_a_run_reads_the_file_that_was_named_and_none_that_took_its_place(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    catalogue.cache_clear()  # other tests have files of that name
    claims = write_claims(tmp_path, 'x = variance(label="coin.x", right=QUARTER)\n')
    arguments = ("verify", claims.name, "--profile", "smoke", "--workers", 1, "--out")
    assert call(*arguments, "run").code == 0
    monkeypatch.setattr(named_files, "_here", set())  # as another process
    assert call("show", "coin.x", "--run", "run").code == 0
    body = claims.read_text(encoding="utf-8")
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    Path("my_claims.py").write_text(body, encoding="utf-8")
    assert call("show", "coin.x", "--run", "../run").code == 2
    monkeypatch.chdir("..")
    catalogue.cache_clear()
    claims.write_text(f"{body}open('executed', 'w').close()\n", encoding="utf-8")
    refused(call("list", "--run", "run"))
    assert not Path("executed").exists()
    catalogue.cache_clear()
    assert call(*arguments, "again").code == 0
    assert call("list", "--run", "again").code == 0
