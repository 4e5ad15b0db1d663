"""`boundaudit list` and `boundaudit show`: the registry with what the last run found."""

from __future__ import annotations

from typing import Any

import click

from boundaudit.reports.cli.output import STYLES, console, emit_json, json_option, number, run_to_read, run_with

_ROW = ("label", "paper", "place", "kind", "mode", "reading")


def row(receipt: dict[str, Any]) -> dict[str, Any]:
    """One claim as `list --json` prints it.

    Returns:
        Label, paper, place, kind, mode, reading, verdict, expected and ratio.
    """
    claim = receipt["claim"]
    found = {"verdict": receipt["verdict"], "expected": claim["expected"], "ratio": receipt["ratio"]}
    return {name: claim[name] for name in _ROW} | found


@click.command("list")
@click.option(
    "--paper", default=None, help="Only this paper: a sub-package such as sharpness, or part of its citation."
)
@click.option("--verdict", default=None, help="Only this verdict.")
@json_option
def list_claims(paper: str | None, verdict: str | None, as_json: bool) -> int:
    """List the claims with their verdicts."""
    from boundaudit import InputError
    from boundaudit.checks.evidence.verdict import VERDICTS

    if verdict is not None and verdict not in VERDICTS:
        raise InputError("--verdict", ", ".join(VERDICTS), verdict, "choose one of these")
    run = run_to_read(None)
    rows = [row(receipt) for receipt in run.receipts.values()]
    if paper is not None:
        known = sorted({found["label"].split(".")[0] for found in rows})
        rows = [r for r in rows if paper and (r["label"].split(".")[0] == paper or paper.lower() in r["paper"].lower())]
        if not rows:
            raise InputError("--paper", f"one of {', '.join(known)}", paper, "choose one of these")
    rows = [found for found in rows if verdict in (None, found["verdict"])]
    if as_json:
        emit_json(rows)
    else:
        _table(rows)
        console(stderr=True).print(f"read from {run.path}", soft_wrap=True)
    return 0


def _table(rows: list[dict[str, Any]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("verdict", "claim", "place", "kind", "reading"):
        table.add_column(title, no_wrap=True)
    table.add_column("left/right", justify="right")
    for found in rows:
        verdict = f"[{STYLES[found['verdict']]}]{found['verdict']}[/]"
        place = ", ".join(found["place"])
        table.add_row(verdict, found["label"], place, found["kind"], found["reading"], number(found["ratio"]))
    console().print(table)


@click.command()
@click.argument("label")
@json_option
def show(label: str, as_json: bool) -> int:
    """Show one claim: statement, formula, domain, evidence, worst case, what rests on it."""
    details = describe(run_with(label).receipts[label])
    if as_json:
        emit_json(details)
    else:
        _page(details)
    return 0


def describe(receipt: dict[str, Any]) -> dict[str, Any]:
    """One claim as `show --json` prints it.

    Returns:
        The row of `list`, and statement, formula, domain, fingerprint, evidence, worst case and references.
    """
    from boundaudit.reports.region import sentence

    claim = receipt["claim"]
    witness = next((evidence["witness"] for evidence in receipt["evidence"] if evidence["witness"]), None)
    names = ("statement", "latex", "text", "domain", "fingerprint", "repair", "repairs", "improves", "rests_on",
             "used_by", "limitations", "source")  # fmt: skip
    worst = receipt["worst"] and {name: receipt["worst"][name] for name in ("point", "left", "right")}
    found = {
        "evidence": receipt["evidence"],
        "worst": worst,
        "reason": receipt["reason"],
        "mutation": receipt["mutation"],
        "region": receipt.get("region"),
        "where": sentence(receipt.get("region"), witness) or None,
    }
    return row(receipt) | {name: claim[name] for name in names} | found


def _page(details: dict[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    screen = console()
    verdict = details["verdict"]
    screen.print(
        Text(details["label"], "bold").append(f"  {verdict}", STYLES[verdict]).append(f": {details['reason']}")
    )
    fields = {
        "statement": details["statement"], "formula": details["text"], "domain": details["domain"],
        "place": ": ".join(filter(None, [details["paper"], ", ".join(details["place"])])),
        "reading": details["reading"],
        "worst measured": _case(details["worst"]), "where it is true": details["where"],
        "repaired by": details["repair"], "repairs": ", ".join(details["repairs"]), "improves": details["improves"],
        "rests on": ", ".join(details["rests_on"]), "used by": ", ".join(details["used_by"]),
        "limitations": " ".join(details["limitations"]), "fingerprint": details["fingerprint"],
    }  # fmt: skip
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in fields.items():
        if value:
            table.add_row(name, Text(value))
    screen.print(table)
    for evidence in details["evidence"]:
        screen.print(Text(f"\n{evidence['method']}: {evidence['outcome']}", "bold"))
        screen.print(Text(f"  {evidence['covers']} ({evidence['evaluations']} evaluations)"))
        if evidence["witness"]:
            witness = evidence["witness"]
            screen.print(Text(f"  counterexample: {_point(witness['point'])}"))
            screen.print(Text(f"  {witness['left']} against {witness['right']}"))


def _case(worst: dict[str, Any] | None) -> str:
    if worst is None:
        return ""
    return f"{number(worst['left'], 15)} against {number(worst['right'], 15)} at {_point(worst['point'])}"


def _point(point: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in point.items())
