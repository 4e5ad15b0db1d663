"""Expressions as plain text and in LaTeX, as SymPy prints them.

SymPy's printers sort the terms of a sum again each time that they meet it, and they meet what stands inside of
quotients and powers many times over. Here each sum is sorted once.
"""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter
from sympy.printing.str import StrPrinter

from boundaudit import MOST_DIGITS


@functools.lru_cache(maxsize=4096)
def _terms(total: sp.Expr) -> list[sp.Expr]:
    return list(total.as_ordered_terms())


def _printed(printer: Any, expression: sp.Expr) -> str:
    printer._as_ordered_terms = lambda total, order=None: _terms(total)
    try:
        return str(printer.doprint(expression))
    except ValueError:  # Python's, at an integer that the engine refuses too
        return f"an expression with a number of more than {MOST_DIGITS:,} digits"


@functools.lru_cache(maxsize=4096)
def text_of(expression: sp.Expr) -> str:
    """Plain text: SymPy's string, with ``^`` for powers."""
    return _printed(StrPrinter(), expression).replace("**", "^")


@functools.lru_cache(maxsize=4096)
def latex_of(expression: sp.Expr) -> str:
    """LaTeX as SymPy writes it, without a frame."""
    return _printed(LatexPrinter(), expression)
