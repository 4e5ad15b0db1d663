"""What stands in a `Space` beside ranges of numbers."""

from __future__ import annotations

from typing import Any, ClassVar

import sympy as sp

from boundaudit import InputError

_LONGEST = 24
"""Characters of a point that stand in the name of what a function makes of it."""


class Declared:
    """A parameter that is no number, and how it reads."""

    reads: ClassVar[str]

    def sentence(self, name: str) -> str:
        """How it reads in a domain."""
        return self.reads.format(name=name, **vars(self))


def require_number(field: str, value: Any, kind: type = int) -> None:
    """Require that a modulus is a number of a kind or an expression, or is left out.

    Raises:
        InputError: where it is neither.
    """
    if value is not None and not isinstance(value, (kind, sp.Expr)):
        expected = f"{'an integer' if kind is int else 'a number'} or a SymPy expression"
        raise InputError(field, expected, value, "give one")


def name_at(function: Any, point: Any, known: int) -> str:
    """What a function makes of a point, as a name such as ``f(x - y)``; ``known`` other points tell names apart."""
    text = str(point)
    return f"{function}({text})" if len(text) <= _LONGEST else f"{function}(point {known + 1})"
