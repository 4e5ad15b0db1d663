"""`boundaudit reproduce`: measure a claim's recorded worst case again."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from boundaudit.reports.cli.lookup import members_in, run_with
from boundaudit.reports.cli.options import json_option, option, run_option
from boundaudit.reports.cli.output import answer, console, emit_json


@click.command()
@click.argument("label")
@option("--script", is_flag=True, help="Print a standalone script (mpmath only) for the recorded case instead.")
@run_option
@json_option
def reproduce(label: str, script: bool, folder: Path | None, as_json: bool) -> int:
    """Measure the recorded worst case of a claim again and say whether it agrees.

    For a refuted claim that is its counterexample. Both sides are given to 15 digits: as measured, and re-evaluated
    in ball arithmetic where the claim has a definition. Of a claim with cases every one is reproduced.
    """
    from boundaudit.checks.run.reproduce import again, claim_of, finder

    run = run_with(label, folder)
    receipts = [run.receipts[name] for name in members_in(run, label)]
    if script:
        from boundaudit.reports.formats.script import standalone

        failing = [receipt for receipt in receipts if receipt.findings.witness is not None]
        receipt = (failing or receipts)[0]
        text = standalone(claim_of(run, receipt), receipt.findings)
        if as_json:
            emit_json({"label": receipt.label, "script": text})
        else:
            click.echo(text, nl=False)
        return 0
    found = [again(claim_of(run, receipt), receipt.findings, find=finder(run)) for receipt in receipts]
    shown = [case.to_json() for case in found]
    answer(shown[0] if len(shown) == 1 else shown, partial(_tell, shown), as_json=as_json, run=run, again=True)
    return 0 if all(case.agrees for case in found) else 1


def _tell(shown: list[dict[str, Any]]) -> None:
    from boundaudit.reports.wording import exact_point

    for case in shown:
        for name, value in case.items():
            console().print(f"{name:>12}: {exact_point(value) if isinstance(value, dict) else value}", markup=False)
