"""The entry point `boundaudit`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from boundaudit import InputError, __version__
from boundaudit.reports.cli.bench import bench
from boundaudit.reports.cli.bound import bound
from boundaudit.reports.cli.measure import measure
from boundaudit.reports.cli.registry import list_claims, show
from boundaudit.reports.cli.report import report
from boundaudit.reports.cli.reproduce import reproduce
from boundaudit.reports.cli.theorems import theorems
from boundaudit.reports.cli.verify import verify

_EPILOG = """\b
Examples:
  boundaudit verify --profile smoke           audit everything that ships with the suite
  boundaudit verify my_claims.py              audit your own claims file
  boundaudit report --format html,md          render the newest run
  boundaudit show sharpness.norms.total.printed[steep]
  boundaudit reproduce sharpness.norms.total.printed[steep] --script

\b
Exit status: 0 as expected; 1 a verdict differs from what is expected of it;
2 the call or its input is wrong; 3 interrupted (--resume goes on).
"""


@click.group(
    epilog=_EPILOG,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="boundaudit")
def cli() -> None:
    """Audit derivations of generalization bounds: what is true, where, how tight, and what rests on it."""


for command in (verify, report, theorems, list_claims, show, reproduce, measure, bound, bench):
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    try:
        code = cli.main(
            args=None if arguments is None else list(arguments), prog_name="boundaudit", standalone_mode=False
        )
    except InputError as error:
        code = _fail(str(error))
    except click.UsageError as error:
        hint = f" (see `{error.ctx.command_path} --help`)" if error.ctx else ""
        code = _fail(error.format_message().rstrip(".") + hint)
    except (KeyboardInterrupt, click.Abort):
        click.echo("boundaudit: interrupted", err=True)
        code = 3
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str) -> int:
    """One line on stderr; exit status 2."""
    click.echo(f"boundaudit: {' '.join(message.split())}", err=True)
    return 2
