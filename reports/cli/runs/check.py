"""`boundaudit check`: look at every receipt of a run again, without any engine that made it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from boundaudit.reports.cli.lookup import run_to_read
from boundaudit.reports.cli.options import PATH, json_option
from boundaudit.reports.cli.output import STYLES, answer, console, text

if TYPE_CHECKING:
    from boundaudit.checks.run.check import Checked

_OFTEN = 100
"""Receipts after which progress is told."""
_NAMED = 5
"""Claims and cases that a line names."""


@click.command()
@click.argument("folder", required=False, type=PATH, metavar="[RUN]")
@json_option
def check(folder: Path | None, as_json: bool) -> int:
    """Check a run again: is every verdict what its evidence gives, and does the evidence stand?

    Every certificate goes to the proof checker with the claim's statement as the registry has it now, every
    counterexample is evaluated again in exact or ball arithmetic and held against the domain, and every verdict is
    derived again from the evidence. No proof engine is loaded. What was measured is not measured again: `boundaudit
    verify` does that, and `boundaudit reproduce LABEL` for one worst case.

    Without RUN the newest run of all shipped claims under ./boundaudit-runs is checked, else the reference receipts
    that ship with the suite.

    Exit status 1 where a receipt does not stand; each is named, with what it says and what was found. Claims of the
    same files, or of the suite, that the run does not have are named too: a run of a few claims has as little of them.
    """
    from boundaudit.checks.run.check import check_folder

    target = folder or run_to_read(None).path

    def tell(done: int) -> None:
        if done % _OFTEN == 0:
            click.echo(f"{done:,} checked", err=True)

    found = check_folder(target, tell)
    answer(found.to_json(), partial(_tell, found), as_json=as_json)
    return 1 if found.doubts else 0


def _tell(found: Checked) -> None:
    screen = console()
    for doubt in found.doubts:
        line = text(doubt.label, "bold").append(": the receipt says ", "not bold").append(doubt.says, "not bold")
        screen.print(line.append(f"; found {doubt.found}", STYLES["refuted"]), soft_wrap=True)
    screen.print(
        f"{found.run}: {found.claims:,} receipts, {found.certificates:,} certificates and {found.counterexamples:,} "
        f"counterexamples checked, {len(found.doubts):,} receipts do not stand; {found.measured:,} verdicts rest on "
        "measurements, which were not made again",
        markup=False, soft_wrap=True,
    )  # fmt: skip
    if found.absent:
        named = ", ".join(found.absent[:_NAMED]) + (", …" if len(found.absent) > _NAMED else "")
        screen.print(
            f"not in this run: {len(found.absent):,} claims and cases of the same files, or of the suite ({named})",
            markup=False, soft_wrap=True,
        )  # fmt: skip
