"""`boundaudit theorems`: the scoreboard, one row a theorem."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundaudit import InputError
from boundaudit.reports.cli.lookup import run_to_read, said_of
from boundaudit.reports.cli.options import choose, json_option, option, run_option
from boundaudit.reports.cli.output import STYLES, answer, console, show_told, table, text
from boundaudit.reports.wording import other_readings, ratio_range, read_as

if TYPE_CHECKING:
    from boundaudit.checks.language.theorem import Theorem
    from boundaudit.checks.run.audit import Audit, Row


@click.command()
@option("--paper", help="Only this paper: part of its citation, or a sub-package such as sharpness.")
@option("--state", help="Only this state, such as 'falls'.")
@run_option
@json_option
def theorems(paper: str | None, state: str | None, folder: Path | None, as_json: bool) -> int:
    """The scoreboard: for each statement whether it is true as printed, where it first fails, what stands instead."""
    from boundaudit.checks.language.theorem import STATES
    from boundaudit.checks.run.audit import Audit

    choose("--state", state, STATES)
    run = run_to_read(folder)
    rows = Audit(run).theorems
    if paper is not None:
        rows = rows_of_paper(rows, paper)
    rows = [row for row in rows if state in (None, row.state)]
    answer([row.to_json() for row in rows], partial(_table, rows), as_json=as_json, run=run)
    return 0


def rows_of_paper(rows: list[Row], paper: str) -> list[Row]:
    """The rows of the papers whose citation has these words, or whose claims stand in this sub-package.

    Raises:
        InputError: where there are none.
    """
    papers = {row.theorem.paper for row in rows if paper in {part.claim.label.split(".")[0] for part in row.parts}}
    papers |= {row.theorem.paper for row in rows if paper and paper.lower() in row.theorem.paper.lower()}
    if not papers:
        raise InputError("--paper", "a paper that has theorems here", paper, "see `boundaudit theorems`")
    return [row for row in rows if row.theorem.paper in papers]


def _table(rows: list[Row]) -> None:
    shown = (
        (
            text(row.theorem.number, "bold").append(f" {row.theorem.title}", "not bold"),
            text(row.state, STYLES[row.state]), _first_failure(row), row.theorem.successor or "",
            ratio_range(row.price), ", ".join(row.falls_with_it),
        )
        for row in rows
    )  # fmt: skip
    titles = ("statement", "state", "first fails at", "in its place", "price", "falls with it")
    console().print(table(titles, shown, fold=True))


def _first_failure(row: Row) -> str:
    failure = row.failure
    if failure is None:
        return ""
    shown = failure.witness.to_json()
    point = ", ".join(f"{name} = {value}" for name, value in shown["point"].items())
    return f"{point if len(point) < 90 else point[:87] + '…'}: {shown['left'][:9]} against {shown['right'][:9]}"


def show_theorem(number: str, folder: Path | None, as_json: bool) -> int:
    """Answer for a theorem as `show LABEL` answers for a claim.

    Raises:
        InputError: where no theorem and no claim has that number.
    """
    from boundaudit.checks.run.audit import Audit

    run = run_to_read(folder)
    audit = Audit(run)
    rows = audit.theorem(number)
    if not rows:
        known = any(theorem.number.lower() == number.lower() for theorem in audit.catalogue.theorems)
        expected = f"a statement whose printed claims are in {run.path}" if known else "a label or a statement's number"
        raise InputError("label", expected, number, "see `boundaudit theorems`")
    found = [row.to_json() | {"members": [claim.row() for claim in audit.of(row.theorem)]} for row in rows]

    def show() -> None:
        for row, shown in zip(rows, found, strict=True):
            _page(row, shown, audit)

    answer(found[0] if len(found) == 1 else found, show, as_json=as_json, run=run)
    return 0


def _cited(theorem: Theorem) -> str:
    return ", ".join(filter(None, [theorem.paper, theorem.version]))


def _asked(row: Row, audit: Audit) -> dict[str, str]:
    """What a reader asks first, with the answers."""
    from boundaudit.reports.document.answers import answers

    told: dict[str, str] = {}
    for each in answers(row, audit.claims):
        told[each.question.rstrip("?").lower()] = "\n".join(filter(None, [each.said, each.formula, each.parts]))
    return told


def _page(row: Row, shown: dict[str, Any], audit: Audit) -> None:
    from boundaudit.checks.language.verdicts import ROLES

    screen = console()
    theorem = row.theorem
    screen.print(text(f"{theorem.number}: {theorem.title}", "bold").append(f"  {row.state}", STYLES[row.state]))
    facts = {
        "checked again": said_of(None),
        **_asked(row, audit), "says": theorem.says, "formula": theorem.formula, "paper": _cited(theorem),
        "not tested": theorem.missing,
        "read as": read_as(row), "other readings": other_readings(row),
        "stands fully": "yes" if row.stands_fully else "", "first fails at": _first_failure(row),
        "in its place": theorem.successor, "price": ratio_range(row.price), "sharper": theorem.improvement,
        "gain": ratio_range(row.gain), "derived from": ", ".join(theorem.derived_from),
        **{what.lower(): ", ".join(numbers) for what, numbers in row.uses.items()},
        "the authors' answer": theorem.answer,
    }  # fmt: skip
    show_told(facts)
    for role in ROLES:
        members = [claim for claim in shown["members"] if claim["role"] == role]
        if members:
            screen.print(text(f"\n{role}", "bold"))
        for claim in members:
            cases = "".join(f" [{case['case']}: {case['verdict']}]" for case in claim["cases"])
            screen.print(text(f"  {claim['verdict']:<12} {claim['label']}{cases}"))
