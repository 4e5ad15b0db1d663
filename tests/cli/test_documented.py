"""Commands that README and the documentation show are commands that there are, with the options that they have."""

import itertools
import re
import shlex
from pathlib import Path

import click
import pytest

from boundaudit.reports.cli.main import cli

ROOT = Path(__file__).parents[2]
PAGES = (
    ROOT / "README.md", *sorted((ROOT / "reports").glob("*.md")), *sorted((ROOT / "reports" / "site").glob("*.md")),
)  # fmt: skip


def documented() -> list[tuple[str, str]]:
    """Page and command of every call in a console."""
    found = []
    for page in PAGES:
        consoles = re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        lines = (line for console in consoles for line in console.splitlines())
        calls = (line.removeprefix("$ boundaudit ") for line in lines if line.startswith("$ boundaudit "))
        found += [(page.name, call) for call in calls]
    return found


@pytest.mark.parametrize(("page", "line"), documented())
def test_a_command_is_one(page: str, line: str) -> None:
    parsed(line)


def parsed(line: str) -> None:
    """Parse a call, as far as the command that does it, without doing it."""
    command: click.Command = cli
    arguments = list(itertools.takewhile(lambda word: word != ">", shlex.split(line, comments=True)))
    while isinstance(command, click.Group):
        with command.make_context(command.name, [*arguments], resilient_parsing=True) as context:
            found = command.get_command(context, arguments[0])
        assert found is not None, line
        command, arguments = found, arguments[1:]
    with command.make_context(command.name, arguments):
        pass


@pytest.mark.parametrize("line", ["reprot", "report --fromat html", "bound nothing", "limit attention-erm --tokens x"])
def test_one_that_is_none_is_noticed(line: str) -> None:
    with pytest.raises((click.UsageError, AssertionError)):
        parsed(line)
