"""From SymPy to expression trees: the only door through which formulas enter the engine."""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from typing import Any

import sympy as sp

from boundaudit import InputError
from boundaudit.checks.language.expression import ONE, Tree, add, is_name, multiply, rational, summation

_FUNCTIONS = {sp.log: "log", sp.exp: "exp", sp.sin: "sin", sp.cos: "cos", sp.Abs: "abs", sp.floor: "floor"}
_LATTICE = {sp.Max: "max", sp.Min: "min"}


def to_tree(expression: Any) -> Tree:
    """Translate a SymPy expression.

    Args:
        expression: A SymPy expression, or a number; a float stands for the dyadic rational it is.

    Returns:
        The expression tree.

    Raises:
        InputError: where a number is not finite or a function is not on the engine's whitelist.
    """
    if isinstance(expression, (int, float, Fraction)) and not isinstance(expression, bool):
        if isinstance(expression, float) and not math.isfinite(expression):
            raise InputError("expression", "finite numbers", expression, "leave a limit out where there is none")
        return rational(expression)
    return _translated(expression) if isinstance(expression, sp.Basic) else _compound(expression)


@functools.lru_cache(maxsize=2**16, typed=True)
def _translated(expression: sp.Basic) -> Tree:
    """Translate a SymPy expression, each distinct part once: long definitions repeat theirs."""
    if isinstance(expression, sp.Rational):
        return ("q", int(expression.p), int(expression.q))
    if isinstance(expression, sp.Float):
        return to_tree(sp.Rational(expression))
    if expression is sp.pi:
        return ("pi",)
    if expression is sp.E:
        return ("exp", ONE)
    if isinstance(expression, sp.Indexed) and len(expression.indices) == 1:
        return ("item", _named(str(expression.base)), to_tree(expression.indices[0]))
    if isinstance(expression, sp.Symbol):
        return ("v", _named(expression.name))
    if isinstance(expression, sp.Sum):
        return _sum(expression)
    return _compound(expression)


def _named(name: str) -> str:
    if not is_name(name):
        raise InputError("expression", "names that do not start with #", name or "an empty one", "rename the symbol")
    return name


def _sum(expression: sp.Sum) -> Tree:
    """Nested sums for a sum over several indices; SymPy lists the innermost first."""
    tree = to_tree(expression.function)
    known = {index for index, *_ in expression.limits}
    for symbol in expression.function.free_symbols - known:
        if symbol.name in {index.name for index in known}:
            raise InputError("expression", "an index with a name of its own", symbol.name, "rename the index")
    for index, low, high in expression.limits:
        tree = summation(index.name, to_tree(low), to_tree(high), tree)
    return tree


def _compound(expression: Any) -> Tree:
    arguments = [to_tree(part) for part in getattr(expression, "args", ())]
    if isinstance(expression, sp.Add):
        return add(*arguments)
    if isinstance(expression, sp.Mul):
        return multiply(*arguments)
    if isinstance(expression, sp.Pow):
        return ("^", arguments[0], arguments[1])
    if isinstance(expression, sp.ceiling):
        return multiply(rational(-1), ("floor", multiply(rational(-1), arguments[0])))
    head = _FUNCTIONS.get(type(expression)) or _LATTICE.get(type(expression))
    if head is None or not arguments:
        known = ", ".join(sorted([*_FUNCTIONS.values(), *_LATTICE.values(), "sqrt", "ceiling", "Sum"]))
        raise InputError("expression", f"arithmetic with {known}", expression, "rewrite the statement with these")
    return (head, *arguments)
