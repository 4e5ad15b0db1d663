"""What every command shares: JSON on stdout alone, tables for people, one line for an error."""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
import re
import sys
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TextIO

import click

from boundaudit import InputError, visible
from boundaudit.checks.language.faults import told
from boundaudit.reports.cli.lookup import said_from

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

    from boundaudit.checks.records.run_folder import Run


def emit_json(data: Any) -> None:
    """Print JSON on stdout; numbers that do not exist or are infinite are null."""
    click.echo(json.dumps(_finite(data), indent=1, ensure_ascii=False, allow_nan=False))


def answer(
    found: Any, show: Callable[[], object], *, as_json: bool, run: Run | None = None, again: bool = False
) -> None:
    """Print what was found as JSON, or let it show itself to people, with the run that it was read from.

    ``again`` says that what was read from the run was looked at again.
    """
    if as_json:
        emit_json(found)
        return
    show()
    if run is not None:
        console(stderr=True).print(said_from(run, again=again), soft_wrap=True, markup=False)


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: _finite(value) for name, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def complain(message: str) -> None:
    """One line on stderr, whatever characters the message has; where nothing can be written there, none."""
    try:
        click.echo(f"boundaudit: {visible(' '.join(message.split()))}", err=True)
    except OSError:
        _silence(sys.stderr)


def interrupted(out: object) -> int:
    """Tell how to go on where a folder keeps what was done, and return the exit status."""
    complain(f"interrupted; the same call with --out {out} --resume goes on" if out else "interrupted")
    return 3


def answered(call: Callable[..., object], *arguments: object) -> int:
    """The status of a command, 2 where something is wrong, 3 where it was interrupted; what is wrong, as one line."""
    try:
        code = call(*arguments)
    except InputError as error:
        return _fail(*error.lines)
    except click.UsageError as error:
        hint = f" (see `{error.ctx.command_path} --help`)" if error.ctx else ""
        message = _LONG.sub(r"\1...", error.format_message())
        message = "Missing command" if message.startswith("Usage: ") else message  # a group alone tells all its help
        return _fail(message.rstrip(".") + hint)
    except (KeyboardInterrupt, click.Abort):
        return interrupted(None)
    except BrokenPipeError:
        _silence(sys.stdout)
        return 0
    except BaseException as fault:  # nothing that is raised may become a status of another meaning
        if isinstance(fault, OSError) and fault.filename is None and fault.errno in _UNWRITTEN:
            _silence(sys.stdout)
            return _fail(f"output: expected a place that takes it, got {fault.strerror}; make room, or write elsewhere")
        if isinstance(fault, OSError) and fault.filename is not None and fault.errno in _UNREACHED:
            place = _LONG.sub(r"\1...", str(fault.filename))
            return _fail(f"{place}: expected a place that can be reached, got {fault.strerror}; name another")
        last = traceback.extract_tb(fault.__traceback__)[-1]
        return _fail(f"a fault of the program: {told(fault)} ({last.filename}:{last.lineno})")
    return code if isinstance(code, int) else 0


_LONG = re.compile(r"(\S{100})\S{20,}")
"""A word that nobody reads to its end."""
_UNWRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""Why a stream takes no more."""
_UNREACHED = (errno.ENAMETOOLONG, errno.EACCES, errno.EPERM, errno.EROFS)
"""Why the question whether there is a file is not answered."""


def _silence(stream: TextIO) -> None:
    """Drop what a stream still holds: Python would try again as it ends, and make a status of that."""
    with contextlib.suppress(OSError):  # a stream that is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _fail(*lines: str) -> int:
    for line in lines:
        complain(line)
    return 2


def console(*, stderr: bool = False) -> Console:
    """A rich console: plain text where output is no terminal or NO_COLOR is set, and wide where it is a file."""
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # as everywhere: rich itself would end the process with status 1

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else 160
    return Plain(stderr=stderr, width=width, highlight=False, no_color="NO_COLOR" in os.environ or None)


def text(words: str, style: str = "") -> Text:
    """Words that are no markup, in a style."""
    from rich.text import Text

    return Text(words, style)


def table(
    titles: Iterable[str], rows: Iterable[Iterable[RenderableType]], *, right: Collection[int] = (),
    whole: Collection[int] = (), fold: bool = False,
) -> Table:  # fmt: skip
    """A table without lines; by their places the columns of numbers, and those that keep their words in one line."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False)
    for place, title in enumerate(titles):
        justify: Literal["left", "right"] = "right" if place in right else "left"
        made.add_column(title, justify=justify, no_wrap=place in whole, overflow="fold" if fold else "ellipsis")
    for row in rows:
        made.add_row(*row)
    return made


def show_facts(pairs: Iterable[tuple[str, RenderableType]], **values: Any) -> None:
    """Print names with values, a line each; ``values`` is how `Table.add_column` has these."""
    from rich.table import Table

    made = Table(box=None, show_header=False, pad_edge=False)
    made.add_column(style="dim", no_wrap=True)
    made.add_column(**values)
    for pair in pairs:
        made.add_row(*pair)
    console().print(made)


def leaves(found: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every value that is no dictionary, with the keys that lead to it as words."""
    for name, value in found.items():
        words = f"{prefix} {name}".replace("_", " ").strip()
        yield from leaves(value, words) if isinstance(value, dict) else [(words, value)]


def show_told(fields: Mapping[str, str | None]) -> None:
    """Print the facts that there are."""
    show_facts(((name, text(value)) for name, value in fields.items() if value), overflow="fold")


def tell_written(*paths: Path) -> None:
    """Name files that were written, on stderr."""
    for path in paths:
        console(stderr=True).print(f"wrote {path}", soft_wrap=True, markup=False)


STYLES = {
    "proved": "green", "certified": "green", "supported": "cyan", "refuted": "red", "undecided": "yellow",
    "vacuous": "yellow", "not testable": "dim", "stands": "green", "stands in part": "yellow", "falls": "red",
    "not yet read": "dim", "a definition": "dim",
}  # fmt: skip
"""Terminal colours of verdicts and states; the word always stands beside the colour."""
