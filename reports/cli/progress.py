"""What a command says while it works, on stderr."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from boundaudit.reports.cli.output import console

SECONDS = 30.0
"""Between two lines where stderr is no terminal."""


@contextmanager
def working(what: str) -> Iterator[Callable[[str], None]]:
    """Show what is being done: on a terminal as it changes, elsewhere a line every half minute."""
    screen, began, now = console(stderr=True), time.monotonic(), [what]
    if screen.is_terminal:
        with screen.status(what) as status:
            yield status.update
        return
    ended = threading.Event()

    def say() -> None:
        while not ended.wait(SECONDS):
            screen.print(
                f"{timedelta(seconds=round(time.monotonic() - began))}  {now[0]}", soft_wrap=True, markup=False
            )

    sayer = threading.Thread(target=say, daemon=True)
    sayer.start()
    try:
        yield lambda text: now.__setitem__(0, text)
    finally:
        ended.set()
        sayer.join()


class Pace:
    """How fast a work of known size goes on, counted from where this call found it."""

    def __init__(self) -> None:
        """Begin."""
        self._first: tuple[int, float] | None = None

    def __call__(self, done: int, most: int) -> str:
        """The rate and the time that is left at most; nothing at the first call."""
        now = time.monotonic()
        first, began = self._first = self._first or (done, now)
        if done == first or now == began:
            return ""
        rate = (done - first) / (now - began)
        return f", {rate:.3g} a second, at most {timedelta(seconds=round((most - done) / rate))} left"
