"""`boundaudit verify`: gather evidence with a live table, write a run folder."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundaudit.reports.cli.output import RUNS, STYLES, console, emit_json, json_option

if TYPE_CHECKING:
    from boundaudit.checks.evidence.findings import Findings
    from boundaudit.checks.language.claim import Claim
    from boundaudit.checks.records.receipt import Receipt
    from boundaudit.checks.records.run_folder import Run


@click.command()
@click.argument("what", nargs=-1, metavar="[LABEL_OR_GLOB | FILE.py]…")
@click.option("--profile", default="standard", show_default=True, help="How hard to look: smoke, standard or deep.")
@click.option("--device", default="auto", show_default=True, help="Where to measure: auto, cpu or cuda.")
@click.option("--workers", type=int, default=None, help="Processes, one thread each. [default: all cores]")
@click.option("--seed", type=int, default=0, show_default=True, help="Everything random derives from it.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=None,
    help="Folder to write. [default: a new one under ./boundaudit-runs]",
)
@click.option("--resume", is_flag=True, help="Go on with the interrupted run of the same --out.")
@json_option
def verify(
    what: tuple[str, ...], profile: str, device: str, workers: int | None, seed: int, out: Path | None, resume: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Gather evidence for claims and say which verdicts differ from what is expected.

    Labels and globs such as 'sharpness.norms.*' select claims that ship with the suite; a FILE.py holds claims
    of your own. The run folder holds one receipt per claim; `boundaudit report` renders it.
    """
    from boundaudit import InputError
    from boundaudit.checks.evidence.profile import PROFILES

    files = tuple(dict.fromkeys(Path(word) for word in what if word.endswith(".py")))
    labels = tuple(word for word in what if not word.endswith(".py"))
    if profile not in PROFILES:
        raise InputError("--profile", ", ".join(PROFILES), profile, "choose one of these")
    if resume and out is None:
        raise InputError("--resume", "the --out of the interrupted run", "no --out", "name the folder")
    for word in labels:
        if Path(word).suffix in (".json", ".npy", ".md") or os.sep in word:
            raise InputError("label", "labels, globs or FILE.py", word, "audit a target with `boundaudit measure`")
    for file in files:
        if not file.is_file():
            raise InputError("claims file", "a readable Python file (.py)", file, "check the path")
    target = out or RUNS / f"{time.strftime('%Y-%m-%dT%H-%M-%S')}-{profile}-{os.getpid()}"
    _require_writable(target)
    processes = (os.cpu_count() or 1) if workers is None else workers
    from boundaudit.checks.run import runner

    try:
        with _Board() as board:
            run = runner.verify(labels, files, out=target, profile=profile, device=device, workers=processes,
                                seed=seed, resume=resume, progress=board.add)  # fmt: skip
    except KeyboardInterrupt:
        click.echo(f"boundaudit: interrupted; the same call with --out {target} --resume goes on", err=True)
        return 3
    summary = runner.summary(run)
    if as_json:
        emit_json(summary)
    else:
        _tell(run, summary)
    return 1 if summary["unexpected"] else 0


def _require_writable(target: Path) -> None:
    """An --out that cannot be written is told before anything is loaded."""
    from boundaudit import InputError

    try:
        if target.exists():
            raise InputError("--out", "a folder that does not exist yet", target, "choose another name or remove it")
        parent = next(folder for folder in target.absolute().parents if folder.exists())
        with tempfile.TemporaryFile(dir=parent):
            pass
    except OSError as error:
        raise InputError("--out", "a writable folder", f"{target} ({error.strerror})", "choose another") from None


class _Board:
    """A live table on stderr: one line per finished claim, and where stderr is a terminal, how many are to come."""

    def __init__(self) -> None:
        self._console = console(stderr=True)
        self._status: Any = None
        self._done = 0

    def __enter__(self) -> _Board:
        if self._console.is_terminal:
            self._status = self._console.status("gathering evidence …")
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def add(self, receipt: Receipt, claim: Claim, seconds: float, left: int) -> None:
        """Show one finished claim."""
        from rich.text import Text

        self._done += 1
        found = receipt.findings
        line = Text(f"{seconds:6.1f} s  ").append(f"{found.verdict:<13}", STYLES[found.verdict])
        line.append(receipt.label).append("" if found.as_expected(claim) else f"  (expected {claim.expected})")
        self._console.print(line)
        if self._status is not None:
            self._status.update(f"{self._done} claims done, {left} to come …")


def _tell(run: Run, summary: dict[str, Any]) -> None:
    """The summary for people."""
    from rich.table import Table

    screen = console()
    table = Table(box=None, pad_edge=False)
    for title in ("verdict", "claim", "worst case or counterexample"):
        table.add_column(title, overflow="fold")
    for label, receipt in run.receipts.items():
        verdict = receipt.findings.verdict
        if verdict == "refuted" or label in summary["unexpected"]:
            table.add_row(f"[{STYLES[verdict]}]{verdict}[/]", label.replace("[", "\\["), _witness(receipt.findings))
    if table.row_count:
        screen.print(table)
    counts = ", ".join(f"{count} {name}" for name, count in sorted(summary["verdicts"].items()))
    mutation = summary["mutation"]
    screen.print(f"\n{summary['claims']} claims and cases: {counts}")
    screen.print(
        f"mutants: {mutation['killed']} killed, {mutation['slack']} slack, {mutation['unexplained']} unexplained"
        f" of {mutation['total']}"
    )
    if summary["unexpected"]:
        screen.print(f"not as expected: {', '.join(summary['unexpected'])}", markup=False)
    screen.print(f"run folder: {summary['out']}", soft_wrap=True, markup=False)


def _witness(found: Findings) -> str:
    if found.witness is None:
        return found.reason
    shown = found.witness.to_json()
    point = ", ".join(f"{name}={value}" for name, value in shown["point"].items())
    return f"{shown['left']} against {shown['right']} at {point}"
