"""`boundaudit diff`: what changed from one run to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from boundaudit import InputError
from boundaudit.reports.cli.lookup import reference_run, said_of
from boundaudit.reports.cli.options import PATH, json_option
from boundaudit.reports.cli.output import STYLES, answer, console, table, text
from boundaudit.reports.wording import brief

if TYPE_CHECKING:
    from rich.text import Text

    from boundaudit.checks.records.run_folder import Run
    from boundaudit.reports.diff import Change, Difference, Shift

_MOST = 12
"""Names that one cell of the table has room for; `--json` has all."""


@click.command()
@click.argument("folders", nargs=-1, type=PATH, metavar="[OLD] NEW")
@json_option
def diff(folders: tuple[Path, ...], as_json: bool) -> int:
    """Compare two runs: which verdicts, ratios and statements changed, and what rests on them.

    Two machines round differently: ratios are one up to a relative difference of 1e-9, or 1e-6 where either run was
    made on a GPU. So a run on a second machine is compared with the first.

    With one folder: that run against the records that ship with the suite, of the claims that it holds.

    What the newer run says of up to 100 claims, all of them or those that changed, is checked again as `boundaudit
    check` does.

    Exit status 1 where a verdict got worse: a claim fell, is less surely known than before, or is no longer what is
    expected of it; or where a receipt of the newer run does not stand.
    """
    from boundaudit.checks.records.run_folder import Run
    from boundaudit.reports.diff import Difference

    if len(folders) not in (1, 2):
        raise InputError("diff", "two run folders, or one", len(folders), "call `boundaudit diff OLD NEW`")
    *before, new = map(Run.load, folders)
    found = Difference(before[0] if before else reference_run(), new, partly=not before)
    answer(found.to_json(), partial(_tell, found), as_json=as_json)
    return 1 if found.worse or found.doubts else 0


def _tell(found: Difference) -> None:
    screen = console()
    rows, shifts = [_row(change) for change in found.changed], [_shift(shift) for shift in found.theorems]
    screen.print(f"{_named(found.old)} → {_named(found.new)}", markup=False, soft_wrap=True)
    if rows:
        screen.print(table(("claim", "verdict", "left/right", "statement", "rests on it"), rows, fold=True))
    for shift in shifts:
        screen.print(shift)
    for words, labels in (("added", found.added), ("removed", found.removed)):
        if labels:
            screen.print(f"{words}: {_some(labels)}", markup=False)
    screen.print(
        f"{found.compared:,} claims and cases in both: {len(found.changed):,} changed, {len(found.worse):,} for the "
        f"worse; {len(found.added):,} added, {len(found.removed):,} removed (ratios within {found.tolerance:g} are one)"
    )
    doubts = None if found.doubts is None else list(map(asdict, found.doubts))
    screen.print(f"checked again: {said_of(doubts)}", markup=False, soft_wrap=True)


def _named(run: Run) -> str:
    return f"{run.path} ({run.manifest.profile}, {run.manifest.device})"


def _row(change: Change) -> tuple[Text | str, ...]:
    name = text(change.label, "bold" if change.is_worse else "")
    meaning = "another statement" if change.old.fingerprint != change.new.fingerprint else ""
    verdicts = _arrow(change.old.verdict, change.new.verdict)
    return name, verdicts, _ratios(change), meaning, text(_some(change.blast_radius))


def _arrow(old: str, new: str) -> Text:
    if old == new:
        return text(new, STYLES[new])
    return text(old, STYLES[old]).append(" → ", "not bold").append(new, STYLES[new])


def _ratios(change: Change) -> str:
    if not change.ratio_changed:
        return brief(change.new.ratio, 6)
    return f"{brief(change.old.ratio, 6)} → {brief(change.new.ratio, 6)}"


def _shift(shift: Shift) -> Text:
    theorem = shift.row.theorem
    line = text(f"{theorem.number} ({theorem.paper})" if theorem.paper else theorem.number, "bold").append(": ")
    line.append_text(_arrow(shift.old, shift.row.state))
    derived = _some(shift.row.blast_radius)
    return line.append(f"; derived from it: {derived}" if derived else "")


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST]) + (f" and {len(names) - _MOST:,} more" if len(names) > _MOST else "")
