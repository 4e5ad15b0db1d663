"""boundaudit: a verification suite for derivations of generalization bounds.

Everything a user needs is importable from here or one level below. Names load
on first use, so that ``import boundaudit`` stays fast.
"""

from __future__ import annotations

import sys
from importlib import import_module, metadata
from typing import Any

__version__ = metadata.version("boundaudit")

MOST_DIGITS = 100_000
"""Of an integer in a statement, and in what is kept of it."""
if 0 < sys.get_int_max_str_digits() < MOST_DIGITS:
    sys.set_int_max_str_digits(MOST_DIGITS)  # Python's own limit, 4,300, is less than proofs need

_UNSEEN = {
    code: f"\\u{code:04x}"
    for low, high in (
        (0, 8), (11, 31), (127, 159), (0x61C, 0x61C), (0x200E, 0x200F), (0x2028, 0x202E), (0x2066, 0x2069),
        (0xD800, 0xDFFF),
    )
    for code in range(low, high + 1)
}  # fmt: skip
"""Characters that a terminal obeys or that turn text around, and halves of characters; not tabs and line ends."""


def visible(text: str) -> str:
    """Text with every control and bidirectional character written out, as in Python's own notation.

    Returns:
        The same text where there is none.
    """
    return text if text.isprintable() else text.translate(_UNSEEN)


class InputError(ValueError):
    """Input that cannot be used: names the field, what it needs and the remedy.

    The message is one line; the command line prints it and exits with 2.

    Example:
        >>> print(InputError("delta", "a number between 0 and 1", 2, "correct delta"))
        delta: expected a number between 0 and 1, got 2; correct delta
    """

    def __init__(self, field: str, expected: str, got: object, remedy: str) -> None:
        """Keep the parts; ``got`` is shown on one line and cut where it is long."""
        shown = " ".join(str(got).split())
        super().__init__(field, expected, shown if len(shown) <= 120 else shown[:117] + "...", remedy)
        self.field = field

    def __str__(self) -> str:
        field, expected, got, remedy = self.args
        return visible(f"{field}: expected {expected}, got {got}; {remedy}")

    @property
    def lines(self) -> tuple[str, ...]:
        """The message, a line for each thing that is wrong."""
        return (str(self),)


def __getattr__(name: str) -> Any:
    table = import_module("boundaudit.public")
    if name == "__all__":
        return table.ALL
    if name in table.PUBLIC:
        return getattr(import_module(table.PUBLIC[name]), name)
    raise AttributeError(f"module 'boundaudit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(import_module("boundaudit.public").ALL)
