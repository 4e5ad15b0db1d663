"""The symbols of an expression that nothing in it binds."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits


def unbound(expression: Any) -> set[Any]:
    """The same as SymPy's ``free_symbols``, which writes every sum anew and simplifies it again to find them.

    Symbols, and entries of vectors.

    Example:
        >>> i, n = sp.symbols("i n", positive=True)
        >>> sorted(map(str, unbound(sp.Sum(n**i, (i, 1, n)) + sp.sqrt(i))))
        ['i', 'n']
    """
    if isinstance(expression, ExprWithLimits):
        found = unbound(expression.function)
        for index, *ends in expression.limits:
            found = found - {index} if ends else found | {index}
            found = found.union(*map(unbound, ends))
        return found
    if type(expression).free_symbols is not sp.Basic.free_symbols:
        return set(expression.free_symbols)
    return set().union(*map(unbound, expression.args))
