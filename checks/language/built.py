"""Attributes that are built when they are first asked for: stating a claim costs nothing, reading it does."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from boundaudit import InputError
from boundaudit.checks.language.faults import remedy, told


@functools.cache
def _remembering() -> Any:
    """How SymPy makes a maximum, with a memory; SymPy takes long to load, and a run is read without it."""
    from sympy.core.cache import cacheit
    from sympy.functions.elementary.miscellaneous import MinMaxBase

    return MinMaxBase, cacheit(MinMaxBase.__new__)


@contextmanager
def _maxima_compared_once() -> Iterator[None]:
    """SymPy compares the arguments of a maximum whenever what is around it is made anew: here it remembers each."""
    maximum, once = _remembering()
    kept, maximum.__new__ = maximum.__new__, once
    try:
        yield
    finally:
        maximum.__new__ = kept


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
        """The value, built once; None on the class, which is the field's default.

        Raises:
            InputError: where what makes it fails.
        """
        if instance is None:
            return None
        value = instance.__dict__[self._place]
        if isinstance(value, FunctionType):
            with _maxima_compared_once():
                value = instance.__dict__[self._place] = self._made(instance, value)
        return value

    def _made(self, instance: Any, make: FunctionType) -> Any:
        """What the function makes; what SymPy raises of it is told with the field."""
        try:
            return make()
        except (InputError, RecursionError):
            raise
        except Exception as error:
            of = [str(vars(instance).get(name, "")) for name in ("label", "source")]
            field = f"{of[0] or type(instance).__name__}.{self._place[1:]}{f' ({of[1]})' if of[1] else ''}"
            raise InputError(field, "what can be built", told(error), remedy(error, "correct what makes it")) from error

    def __set__(self, instance: Any, value: Any) -> None:
        """Keep the value, or what makes it."""
        instance.__dict__[self._place] = value
