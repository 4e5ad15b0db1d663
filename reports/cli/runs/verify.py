"""`boundaudit verify`: gather evidence with a live table, write a run folder."""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundaudit import InputError
from boundaudit.reports.cli.lookup import RUNS, next_steps
from boundaudit.reports.cli.options import PATH, SEED, choose, json_option, option
from boundaudit.reports.cli.output import STYLES, answer, answered, complain, console, interrupted, table
from boundaudit.reports.cli.runs.board import Board

if TYPE_CHECKING:
    from boundaudit.checks.evidence.findings import Findings
    from boundaudit.checks.records.run_folder import Run
    from boundaudit.checks.run.runner import Summary


@click.command()
@click.argument("what", nargs=-1, metavar="[LABEL_OR_GLOB | FILE.py]…")
@option("--profile", default="standard", help="How hard to look: smoke, standard or deep.")
@option("--device", default="auto", help="Where to measure: auto, cpu or cuda.")
@option("--workers", type=int, help="Processes, one thread each. [default: all cores]")
@option("--scheduler", metavar="ADDR", help="A dask scheduler whose workers do it instead.")
@option("--seed", type=SEED, default=0, help="Everything random derives from it.")
@option("--out", type=PATH, help="Folder to write. [default: a new one under ./boundaudit-runs]")
@option("--resume", is_flag=True, help="Go on with the interrupted run of the same --out.")
@option("--watch", "again", is_flag=True, help="Audit again what has changed whenever a FILE.py is saved.")
@json_option
def verify(
    what: tuple[str, ...], profile: str, out: Path | None, resume: bool, again: bool, as_json: bool, **asked: Any
) -> int:
    """Gather evidence for claims and say which verdicts differ from what is expected.

    Labels and globs such as 'sharpness.norms.*' select claims that ship with the suite; a FILE.py holds claims
    of your own. The run folder holds one receipt per claim; `boundaudit report` renders it.

    A claim that needs more than 60 s of computing in the smoke profile (300 s in standard, 2 h in deep) or 4 GiB of
    memory (8 in deep) is undecided: out of budget. One whose measurement fails is told at the end, with status 2;
    the others are judged.
    """
    from boundaudit.checks.evidence.profile import PROFILES

    files = tuple(dict.fromkeys(Path(word) for word in what if word.endswith(".py")))
    labels = tuple(word for word in what if not word.endswith(".py"))
    choose("--profile", profile, PROFILES)
    if resume and out is None:
        raise InputError("--resume", "the --out of the interrupted run", "no --out", "name the folder")
    for word in labels:
        if Path(word).suffix in (".json", ".npy", ".md") or os.sep in word:
            raise InputError("label", "labels, globs or FILE.py", word, "audit a target with `boundaudit measure`")
    for file in files:
        if not file.is_file():
            raise InputError("claims file", "a readable Python file (.py)", file, "check the path")
    if again and (not files or out is not None or as_json):
        raise InputError("--watch", "claims files, and neither --out nor --json", " ".join(what), "drop the others")
    folder = out or RUNS / f"{time.strftime('%Y-%m-%dT%H-%M-%S')}-{profile}-{os.getpid()}"
    _require_writable(folder)
    if asked["workers"] is None and asked["scheduler"] is None:
        asked["workers"] = os.cpu_count() or 1
    asked |= {"files": files, "profile": profile, "resume": resume}
    call = partial(_audit, labels, asked, as_json)
    if not again:
        return call(folder)
    from boundaudit.reports.cli.runs.watch import watch

    return watch(files, lambda number: folder.with_name(f"{folder.name}-{number}"), partial(answered, call))


def _audit(
    labels: tuple[str, ...], asked: dict[str, Any], as_json: bool, target: Path, before: Path | None = None
) -> int:
    """Audit, show it, and tell how it ended."""
    try:
        from boundaudit.checks.records.run_folder import Run
        from boundaudit.checks.run import runner

        kept = None if before is None else Run.load(before)
        with Board() as board:
            run = runner.verify(
                labels, out=target, **asked, known=kept.receipts if kept else None,
                curves=kept.studies if kept else None, progress=board.add, watch=board.watch, doubt=complain,
            )  # fmt: skip
    except KeyboardInterrupt:
        return interrupted(target)
    return _concluded(run, runner.summary(run), as_json=as_json)


def _concluded(run: Run, summary: Summary, *, as_json: bool) -> int:
    """Tell how the run ended, and return the exit status."""
    answer(asdict(summary), partial(_tell, run, summary), as_json=as_json)
    for line in summary.errors.values():
        complain(line)
    return 2 if summary.errors else 1 if summary.unexpected else 0


def _require_writable(target: Path) -> None:
    """An --out that cannot be written is told before anything is loaded."""
    try:
        if target.exists():
            raise InputError("--out", "a folder that does not exist yet", target, "choose another name or remove it")
        parent = next(folder for folder in target.absolute().parents if folder.exists())
        with tempfile.TemporaryFile(dir=parent):
            pass
    except OSError as error:
        raise InputError("--out", "a writable folder", f"{target} ({error.strerror})", "choose another") from None


def _tell(run: Run, summary: Summary) -> None:
    screen = console()
    following, rows = next_steps(run), []
    for label, receipt in run.receipts.items():
        verdict = receipt.findings.verdict
        further = f"; next: {next_step}" if (next_step := following(label)) else ""
        if verdict == "refuted" or label in summary.unexpected or further:
            said = witness(receipt.findings) + further
            rows.append((f"[{STYLES[verdict]}]{verdict}[/]", label.replace("[", "\\["), said.replace("[", "\\[")))
    if rows:
        screen.print(table(("verdict", "claim", "worst case or counterexample"), rows, fold=True))
    counts = ", ".join(f"{count} {name}" for name, count in sorted(summary.verdicts.items()))
    mutation = summary.mutation
    screen.print(f"\n{summary.claims} claims and cases: {counts}")
    screen.print(
        f"mutants: {mutation['killed']} killed, {mutation['slack']} slack, {mutation['unexplained']} unexplained"
        f" of {mutation['total']}"
    )
    if summary.statistics["decisions"]:
        decisions, error = summary.statistics.values()
        screen.print(f"statistical decisions: {decisions:.0f}, any of them wrong with probability at most {error:.2g}")
    if summary.unexpected:
        screen.print(f"not as expected: {', '.join(summary.unexpected)}", markup=False)
    screen.print(f"run folder: {summary.out}", soft_wrap=True, markup=False)


def witness(found: Findings) -> str:
    """A counterexample in one line, else the reason of the verdict."""
    if found.witness is None:
        return found.reason
    from boundaudit.reports.wording import exact_point

    shown = found.witness.to_json()
    return f"{shown['left']} against {shown['right']} at {exact_point(shown['point'])}"
