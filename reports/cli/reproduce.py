"""`boundaudit reproduce`: measure a claim's recorded worst case again."""

from __future__ import annotations

import click

from boundaudit.reports.cli.output import console, emit_json, json_option, run_with


@click.command()
@click.argument("label")
@click.option("--script", is_flag=True, help="Print a standalone script (mpmath only) for the recorded case instead.")
@json_option
def reproduce(label: str, script: bool, as_json: bool) -> int:
    """Measure the recorded worst case of a claim again and say whether it agrees.

    For a refuted claim that is its counterexample. Both sides are given to 15 digits: as measured, and re-evaluated
    in ball arithmetic where the claim has a definition.
    """
    from boundaudit.checks.run.reproduce import again, claim_of

    run = run_with(label)
    claim = claim_of(run, label)
    if script:
        from boundaudit.reports.script import standalone

        text = standalone(claim, run.receipts[label])
        if as_json:
            emit_json({"label": label, "script": text})
        else:
            click.echo(text, nl=False)
        return 0
    found = again(claim, run.receipts[label])
    if as_json:
        emit_json(found)
    else:
        screen = console()
        for name, value in found.items():
            screen.print(f"{name:>12}: {value}", markup=False)
    return 0 if found["agrees"] else 1
