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
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TextIO

import click

from boundaudit import InputError, visible
from boundaudit.checks.language.faults import told

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from boundaudit.checks.records.run_folder import Run

RUNS = Path("boundaudit-runs")
PATH = click.Path(path_type=Path)


def option(*names: str, **words: Any) -> Callable[[Any], Any]:
    """An option of a command, which shows its default."""
    return click.option(*names, **{"show_default": True} | words)


DEVICE = option("--device", default="auto", help="auto, cpu or cuda.")

json_option = option("--json", "as_json", is_flag=True, help="Print JSON alone on stdout; progress goes to stderr.")


def emit_json(data: Any) -> None:
    """Print JSON on stdout; numbers that do not exist or are infinite are null."""
    click.echo(json.dumps(_finite(data), indent=1, ensure_ascii=False, allow_nan=False))


def answer(found: Any, show: Callable[[], object], *, as_json: bool, run: Run | None = None) -> None:
    """Print what was found as JSON, or let it show itself to people, with the run that it was read from."""
    if as_json:
        emit_json(found)
        return
    show()
    if run is not None:
        console(stderr=True).print(said_from(run), soft_wrap=True, markup=False)


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
        last = traceback.extract_tb(fault.__traceback__)[-1]
        return _fail(f"a fault of the program: {told(fault)} ({last.filename}:{last.lineno})")
    return code if isinstance(code, int) else 0


_LONG = re.compile(r"(\S{100})\S{20,}")
"""A word that nobody reads to its end."""
_UNWRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""Why a stream takes no more."""


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


def show_told(fields: Mapping[str, str | None]) -> None:
    """Print the facts that there are."""
    from rich.text import Text

    show_facts(((name, Text(value)) for name, value in fields.items() if value), overflow="fold")


def tell_written(*paths: Path) -> None:
    """Name files that were written, on stderr."""
    for path in paths:
        console(stderr=True).print(f"wrote {path}", soft_wrap=True, markup=False)


def choose(name: str, value: str | None, known: Iterable[str], remedy: str = "choose one of these") -> None:
    """Refuse what is none of the words that an option knows."""
    if value is not None and value not in (words := list(known)):
        raise InputError(name, ", ".join(words), value, remedy)


LARGEST, SMALLEST = 1e100, 1e-100
"""Of the numbers that options take: bounds multiply powers of them, and floating point ends at 1e308 and 1e-308."""


class _Number(click.ParamType):  # type: ignore[type-arg]
    """A finite number; infinity, what is no number and what no bound can be computed from are wrong in every option."""

    name = "number"

    def __init__(self, *, whole: bool) -> None:
        self._whole = whole

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read an option."""
        try:
            found = float(value)
        except ValueError:
            found = math.nan
        if not math.isfinite(found) or (self._whole and not found.is_integer()):
            self.fail(f"{value!r} is no {'whole' if self._whole else 'finite'} number", param, ctx)
        if found and not SMALLEST <= abs(found) <= LARGEST:
            self.fail(f"{value!r} is neither 0 nor a number from {SMALLEST:g} to {LARGEST:g}", param, ctx)
        return found


class _Count(click.types.IntParamType):
    """A whole number that can be the number of anything; how small it may be, each command says."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read an option."""
        found: int = super().convert(value, param, ctx)
        if found > 10**15:
            self.fail(f"{value!r} is more than 1e15", param, ctx)
        return found


COUNT = _Count()
FINITE = _Number(whole=False)
WHOLE = _Number(whole=True)
"""Such as 8192 or 1e6."""
SEED = click.IntRange(0, 2**63 - 1)
DELTA = option("--delta", type=FINITE, default=0.05, help="Probability of failure.")

run_option = option(
    "--run", "folder", type=PATH, metavar="DIR",
    help="Read this run. [default: the newest under ./boundaudit-runs that has all that is asked for, else shipped]",
)  # fmt: skip


def runs() -> list[Path]:
    """The folders of the finished runs under ./boundaudit-runs, the newest first."""
    manifests = sorted(RUNS.glob("*/manifest.json"), key=lambda path: -path.stat().st_mtime)
    return [path.parent for path in manifests if path.parent.suffix != ".partial"]


def reference_run() -> Run:
    """The run that ships with the suite. Raises InputError where none is shipped."""
    from boundaudit.checks.records.reference import FOLDER, reference

    found = reference()
    if found is None:
        raise InputError("reference run", "a shipped run", f"none in {FOLDER}", "make one with `make reference`")
    return found


def run_to_read(folder: Path | None) -> Run:
    """The run that a command about many claims reads.

    The one given, else the newest of the suite's own claims that has all of the shipped ones, else the shipped one: a
    small run, or one of somebody's own claims, hides nothing.
    """
    from boundaudit.checks.records.run_folder import Run

    if folder is not None:
        return Run.load(folder)
    shipped = reference_run()
    return _newest(lambda claims: set(shipped.receipts) <= set(claims)) or shipped


def newest_or_shipped() -> Run:
    """The newest finished run under ./boundaudit-runs, whatever it audits, else the shipped one."""
    return _newest(bool) or reference_run()


def _newest(wanted: Callable[[Sequence[str]], bool]) -> Run | None:
    """The newest run whose claims are wanted; one that is damaged or of another version is passed over."""
    from boundaudit.checks.records.run_folder import Run, claims_of

    for path in runs():
        if wanted(claims_of(path)):
            with contextlib.suppress(InputError):
                return Run.load(path)
    return None


def run_with(label: str, folder: Path | None = None) -> Run:
    """The run that knows a claim: the one given, else the newest with a receipt of it, else the shipped one."""
    from boundaudit.checks.records.run_folder import Run

    if folder is not None:
        found = [Run.load(folder)]
    else:
        newest = _newest(lambda claims: any(_means(label, name) for name in claims))
        found = [newest] if newest is not None else [reference_run()]
    for run in found:
        if members_in(run, label):
            return run
    raise InputError("label", f"a label of {found[0].path}", label, "see `boundaudit list`")


def members_in(run: Run, label: str) -> list[str]:
    """The receipts of a run that a label means: its case, or all cases of a claim."""
    return [name for name in run.receipts if _means(label, name)]


def _means(label: str, name: str) -> bool:
    """Whether a label means a claim or case: by its name, or by that of the claim it is a case of."""
    return label in (name, name.partition("[")[0])


def next_steps(run: Run) -> Callable[[str], str]:
    """What to try next for the claims of a user's own files, by label; nothing for those of the suite."""
    if not run.files:
        return lambda label: ""
    from boundaudit.checks.run.advice import advice
    from boundaudit.checks.run.reproduce import finder

    find = finder(run)

    return lambda label: advice(find(label)[0], run.receipts[label].findings, find) or ""


def said_from(run: Run) -> str:
    """Which run was read, and how large it is."""
    from boundaudit.checks.records.reference import FOLDER
    from boundaudit.checks.records.run_folder import claims_of

    name = "the run that ships with the suite" if run.path == FOLDER else str(run.path)
    newer = [path for path in runs() if claims_of(path)][:1]
    newer = [path for path in newer if path.resolve() != run.path.resolve()]
    hint = f"; the newest run is {newer[0]} (--run)" if newer else ""
    return f"read from {name}: {len(run.receipts):,} claims and cases, profile {run.manifest.profile}{hint}"


def said_of(doubts: Sequence[Mapping[str, str]] | None) -> str:
    """What came of looking at receipts again: a sentence, or a line for each that does not stand."""
    if doubts is None:
        return "no: `boundaudit check` does that"
    lines = [f"{doubt['label']} does not stand: it says {doubt['says']}; found {doubt['found']}" for doubt in doubts]
    return "\n".join(lines) or "yes, and it stands"


def number(value: float | None, digits: int = 6) -> str:
    """A number for a table, a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}g}"


STYLES = {
    "proved": "green", "certified": "green", "supported": "cyan", "refuted": "red", "undecided": "yellow",
    "vacuous": "yellow", "not testable": "dim", "stands": "green", "stands in part": "yellow", "falls": "red",
    "not yet read": "dim", "a definition": "dim",
}  # fmt: skip
"""Terminal colours of verdicts and states; the word always stands beside the colour."""
