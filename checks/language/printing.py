"""Expressions as plain text and in LaTeX, as SymPy prints them.

SymPy's printers sort the terms of a sum again each time that they meet it, and they meet what stands inside of
quotients and powers many times over. Here each sum is sorted once, and each part printed once, wherever it stands.
"""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter
from sympy.printing.printer import Printer
from sympy.printing.str import StrPrinter

from boundaudit import MOST_DIGITS


@functools.lru_cache(maxsize=4096)
def _terms(total: sp.Expr) -> list[sp.Expr]:
    return list(total.as_ordered_terms())


class _Once(Printer):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self._part = functools.lru_cache(maxsize=1 << 16, typed=True)(super()._print)

    def _print(self, expression: Any, **around: Any) -> str:
        composed = isinstance(expression, sp.Basic) and expression.args  # a decimal alone reads otherwise
        return str(self._part(expression) if composed and not around else super()._print(expression, **around))

    def _as_ordered_terms(self, expression: sp.Expr, order: Any = None) -> list[sp.Expr]:
        return _terms(expression)

    def printed(self, expression: sp.Expr) -> str:
        try:
            return str(self.doprint(expression))
        except ValueError:  # Python's, at an integer that the engine refuses too
            return f"an expression with a number of more than {MOST_DIGITS:,} digits"


class _Text(_Once, StrPrinter):  # type: ignore[misc]
    pass


class _Latex(_Once, LatexPrinter):  # type: ignore[misc]
    pass


_TEXT, _LATEX = _Text(), _Latex()


@functools.lru_cache(maxsize=4096)
def text_of(expression: sp.Expr) -> str:
    """Plain text: SymPy's string, with ``^`` for powers."""
    return _TEXT.printed(expression).replace("**", "^")


@functools.lru_cache(maxsize=4096)
def latex_of(expression: sp.Expr) -> str:
    """LaTeX as SymPy writes it, without a frame."""
    return _LATEX.printed(expression)
