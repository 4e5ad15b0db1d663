"""Progress bars on stderr, one for each part of the work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from boundaudit.numeric.pac_bayes.posterior.training import Told

Bar = Callable[[str, int], Told]
"""Makes a bar of a name and a number of steps, and gives what is told of each."""


@contextmanager
def bars(shown: bool) -> Iterator[Bar]:
    """What makes bars with the last value that each part told, where anybody sees them."""
    if not shown:
        yield lambda name, total: lambda done, values: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    value, console = TextColumn("{task.fields[value]}"), Console(stderr=True)
    with Progress(*columns, value, console=console) as shown_bars:

        def bar(name: str, total: int) -> Told:
            task = shown_bars.add_task(name, total=total, value="")
            return lambda done, values: shown_bars.update(task, completed=done, value=f"{float(values.mean()):.4f}")

        yield bar
