"""The entry point `boundaudit`."""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from boundaudit.reports.cli.bench import bench
from boundaudit.reports.cli.claims.graph import graph
from boundaudit.reports.cli.claims.read import read
from boundaudit.reports.cli.claims.registry import list_claims, show
from boundaudit.reports.cli.claims.theorems import theorems
from boundaudit.reports.cli.new import new
from boundaudit.reports.cli.numbers.bound import bound
from boundaudit.reports.cli.numbers.checkpoint import checkpoint
from boundaudit.reports.cli.numbers.experiment import experiment
from boundaudit.reports.cli.numbers.fourier import fourier
from boundaudit.reports.cli.numbers.learner import learner
from boundaudit.reports.cli.numbers.limit import limit
from boundaudit.reports.cli.numbers.measure import measure
from boundaudit.reports.cli.numbers.model import model
from boundaudit.reports.cli.numbers.norm_bounds import covering, schatten
from boundaudit.reports.cli.output import answered
from boundaudit.reports.cli.runs.check import check
from boundaudit.reports.cli.runs.diff import diff
from boundaudit.reports.cli.runs.export import export
from boundaudit.reports.cli.runs.report import report
from boundaudit.reports.cli.runs.reproduce import reproduce
from boundaudit.reports.cli.runs.sweep import sweep
from boundaudit.reports.cli.runs.verify import verify

_EPILOG = """\b
Examples:
  boundaudit verify --profile smoke           audit everything that ships with the suite
  boundaudit read 'sum(1/sqrt(t), t, 1, T) <= 2*sqrt(T) - 1' --verify
  boundaudit new claims my_claims.py          begin a claims file of your own
  boundaudit verify my_claims.py              audit it
  boundaudit report --format html,md          render the newest run
  boundaudit diff OLD NEW                     what a change made better or worse, and for whom
  boundaudit check RUN                        certificates and counterexamples of a run, again
  boundaudit graph 'Theorem 10'               what it rests on, and what falls with it
  boundaudit show sharpness.norms.total.printed[steep]
  boundaudit reproduce sharpness.norms.total.printed[steep] --script

\b
Exit status: 0 as expected; 1 a verdict differs from what is expected of it;
2 the call or its input is wrong; 3 interrupted (--resume goes on).
"""


@click.group(
    epilog=_EPILOG, no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)  # fmt: skip
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False,
    callback=lambda context, _, asked: _tell_versions(context, asked),
    help="Show the versions on which results depend and exit.",
)  # fmt: skip
def cli() -> None:
    """Audit derivations of generalization bounds: what is true, where, how tight, and what rests on it."""


def _tell_versions(context: click.Context, asked: bool) -> None:
    if asked:
        from boundaudit.checks.run.versions import versions

        found = versions()
        click.echo(f"boundaudit, version {found.pop('boundaudit')}")
        click.echo("\n".join(f"{name} {version}" for name, version in found.items()))
        context.exit()


for command in (
    new, read, verify, report, theorems, list_claims, show, graph, diff, check, export, reproduce, sweep, measure,
    bound, model, fourier, limit, experiment, bench,
):  # fmt: skip
    cli.add_command(command)
for command in (covering, schatten, learner, checkpoint):
    bound.add_command(command)


atexit.register(gc.freeze)  # a process that ends need not search what it read for cycles


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by who called
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as stderr does with what its encoding lacks
    sys.exit(answered(_called, sys.argv[1:] if arguments is None else arguments))


def _called(arguments: Sequence[str]) -> object:
    """What `cli.main` does, but for its own end of a closed pipe: status 1."""
    if "_BOUNDAUDIT_COMPLETE" in os.environ:  # a shell asks how a word goes on
        return cli.main(prog_name="boundaudit")
    try:
        with cli.make_context("boundaudit", list(arguments)) as context:
            return cli.invoke(context)
    except click.exceptions.Exit as ended:
        return ended.exit_code
