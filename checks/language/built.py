"""Attributes that are built when they are first asked for: stating a claim costs nothing, reading it does."""

from __future__ import annotations

from types import FunctionType
from typing import Any


class Built:
    """A dataclass field that takes a value, or a function of no arguments that makes it when it is first read.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True)
        ... class Box:
        ...     side: Any = Built()
        >>> Box(side=lambda: 1 + 1).side
        2
    """

    def __set_name__(self, owner: type, name: str) -> None:
        """Note where instances keep the value."""
        self._place = f"_{name}"

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """The value, built once.

        Returns:
            The value; None on the class, which is the field's default.
        """
        if instance is None:
            return None
        value = instance.__dict__[self._place]
        if isinstance(value, FunctionType):
            value = instance.__dict__[self._place] = value()
        return value

    def __set__(self, instance: Any, value: Any) -> None:
        """Keep the value, or what makes it."""
        instance.__dict__[self._place] = value
