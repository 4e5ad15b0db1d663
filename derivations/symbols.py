"""Symbols with a meaning: each is defined once, with its unit and one line of prose."""

from __future__ import annotations

import sys
from typing import Any

import sympy as sp

from boundaudit import InputError, visible

_GLOSSARY: dict[str, tuple[str, str]] = {}
_OWN: dict[str, tuple[str, str]] = {}
"""Symbols of a user's own files, beside those of the package."""


def symbol(name: str, meaning: str = "", unit: str = "1", **assumptions: bool) -> Any:
    """A SymPy symbol with a meaning; the domain of a claim says where it ranges.

    Example:
        >>> symbol("step", "size of a step", positive=True).is_positive
        True

    Args:
        name: As it is printed; LaTeX names such as ``omega`` render as Greek.
        meaning: One line of prose.
        unit: The unit, ``"1"`` for a pure number.
        **assumptions: SymPy assumptions, such as ``positive=True``.

    Returns:
        A ``sympy.Symbol``.

    Raises:
        InputError: where a word holds what a terminal would obey.
        ValueError: where a name is given two meanings in the package's own derivations.
    """
    _define(name, meaning, unit)
    return sp.Symbol(name, **assumptions)


def vector(name: str, meaning: str = "", unit: str = "1") -> Any:
    """A vector of reals; ``c[t]`` is its entry t, counted from 1.

    Args:
        name: As it is printed.
        meaning: One line of prose.
        unit: The unit of the entries.

    Returns:
        A ``sympy.IndexedBase``.
    """
    _define(name, meaning, unit)
    return sp.IndexedBase(name, real=True)


def meaning_of(name: str) -> tuple[str, str] | None:
    """What a symbol means, and its unit.

    Returns:
        A line of prose and the unit; None where nobody said.
    """
    return _OWN.get(name) or _GLOSSARY.get(name)


def _define(name: str, meaning: str, unit: str) -> None:
    """Record a meaning; inside the package a name has one meaning, outside it is the user's own."""
    for words in (name, meaning, unit):
        if visible(words) != words:
            expected = "words without control or bidirectional characters"
            raise InputError(f"symbol {name}", expected, words, "rewrite them")
    if not sys._getframe(2).f_globals.get("__name__", "").startswith("boundaudit."):
        _OWN[name] = (meaning, unit)
        return
    known = _GLOSSARY.setdefault(name, (meaning, unit))
    if known != (meaning, unit):
        raise ValueError(f"symbol {name}: already defined as {known[0]!r}")
