"""`boundaudit verify`: gather evidence with a live table, write a run folder."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import click

from boundaudit.reports.cli.output import RUNS, STYLES, console, emit_json, json_option, number


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
    from boundaudit.checks.run import runner

    files = tuple(dict.fromkeys(Path(word) for word in what if word.endswith(".py")))
    labels = tuple(word for word in what if not word.endswith(".py"))
    if resume and out is None:
        raise InputError("--resume", "the --out of the interrupted run", "no --out", "name the folder")
    target = out or RUNS / f"{time.strftime('%Y-%m-%dT%H-%M-%S')}-{profile}-{os.getpid()}"
    processes = (os.cpu_count() or 1) if workers is None else workers
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
        _tell(run.receipts, summary)
    return 1 if summary["unexpected"] else 0


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

    def add(self, label: str, receipt: dict[str, Any], seconds: float, left: int) -> None:
        """Show one finished claim."""
        from rich.text import Text

        self._done += 1
        verdict = receipt["verdict"]
        line = Text(f"{seconds:6.1f} s  ").append(f"{verdict:<13}", STYLES[verdict])
        line.append(label).append("" if receipt["as_expected"] else f"  (expected {receipt['claim']['expected']})")
        self._console.print(line)
        if self._status is not None:
            self._status.update(f"{self._done} claims done, {left} to come …")


def _tell(receipts: dict[str, dict[str, Any]], summary: dict[str, Any]) -> None:
    """The summary for people."""
    from rich.table import Table

    screen = console()
    table = Table(box=None, pad_edge=False)
    for title in ("verdict", "claim", "left/right", "worst case or counterexample"):
        table.add_column(title, overflow="fold")
    for label, receipt in receipts.items():
        verdict = receipt["verdict"]
        if verdict == "refuted" or not receipt["as_expected"]:
            point = _witness(receipt)
            table.add_row(f"[{STYLES[verdict]}]{verdict}[/]", label, number(receipt["ratio"]), point)
    if table.row_count:
        screen.print(table)
    counts = ", ".join(f"{count} {name}" for name, count in sorted(summary["verdicts"].items()))
    mutation = summary["mutation"]
    screen.print(f"\n{summary['claims']} claims: {counts}")
    screen.print(
        f"mutants: {mutation['killed']} killed, {mutation['slack']} slack, {mutation['unexplained']} unexplained"
        f" of {mutation['total']}"
    )
    if summary["unexpected"]:
        screen.print(f"not as expected: {', '.join(summary['unexpected'])}")
    screen.print(f"run folder: {summary['out']}", soft_wrap=True)


def _witness(receipt: dict[str, Any]) -> str:
    for evidence in receipt["evidence"]:
        if evidence["witness"]:
            witness = evidence["witness"]
            point = ", ".join(f"{name}={value}" for name, value in witness["point"].items())
            return f"{witness['left']} against {witness['right']} at {point}"
    return str(receipt["reason"])
