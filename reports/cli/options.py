"""Options of commands: what each of them takes, and those that several commands have."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from boundaudit import InputError

PATH = click.Path(path_type=Path)


def option(*names: str, **words: Any) -> Callable[[Any], Any]:
    """An option of a command, which shows its default."""
    return click.option(*names, **{"show_default": True} | words)


DEVICE = option("--device", default="auto", help="auto, cpu or cuda.")

json_option = option("--json", "as_json", is_flag=True, help="Print JSON alone on stdout; progress goes to stderr.")


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
