"""What is being done, for whoever watches: methods and engines say it, a run shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_WATCHERS: list[Callable[[str], None]] = []


def doing(what: str) -> None:
    """Say what begins now: a method or an engine, and what it may spend."""
    for watcher in _WATCHERS:
        watcher(what)


@contextmanager
def watched(by: Callable[[str], None]) -> Iterator[None]:
    """Let somebody hear all that is said inside the block."""
    _WATCHERS.append(by)
    try:
        yield
    finally:
        _WATCHERS.remove(by)
