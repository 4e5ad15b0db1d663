"""Sides as their author wrote them: what SymPy has simplified away before anybody else could see it.

SymPy turns ``sqrt(x)**2`` into x, and ``x/x`` into 1, as soon as the line runs; where the first has no value the second
does. The claim's source still has the roots, logarithms and quotients that were written: where the side that came of it
has fewer kinds of them, it may say something else. Names that stand for expressions are not followed.
"""

from __future__ import annotations

import ast
import functools
import tokenize
from collections.abc import Iterator
from typing import Any

import sympy as sp

from boundaudit.checks.language.unbound import unbound

_CALLS = {"sqrt": "root", "log": "logarithm"}


def lost(source: str, case: str | None, field: str, side: Any) -> str | None:
    """What a side was written with and no longer has.

    Args:
        source: File and line of the claim.
        case: The name of the case that the side belongs to, if one.
        field: ``left`` or ``right``.
        side: The side as SymPy left it.

    Returns:
        The side as written, where SymPy dropped a root, a logarithm or a quotient of something that may be negative or
        zero; None where it kept them, or where the source does not show the side.
    """
    if not isinstance(side, sp.Basic):
        return None
    symbols = unbound(side)
    if symbols and all(symbol.is_positive for symbol in symbols):
        return None
    path, _, line = source.rpartition(":")
    for node in _written(path, int(line), case, field):
        if set(_kinds(node)) - set(_kinds_of(side)):
            return ast.unparse(node.body if isinstance(node, ast.Lambda) else node)
    return None


def _written(path: str, line: int, case: str | None, field: str) -> Iterator[ast.expr]:
    """A field of the claim on a line, or of one of its cases: the case's own, or else the claim's."""
    around = [call for call in _calls(path) if call.lineno <= line <= (call.end_lineno or call.lineno)]
    cases = [
        part for call in around for part in ast.walk(call) if isinstance(part, ast.Call) and _names_case(part, case)
    ]
    for call in (*cases, *around):
        found = [keyword.value for keyword in call.keywords if keyword.arg == field]
        found = found or [
            _side(keyword.value, field) for keyword in call.keywords if _is_relation(keyword.arg, keyword.value)
        ]
        if found:
            yield from found
            return


def _is_relation(name: str | None, value: ast.expr) -> bool:
    two = isinstance(value, ast.Compare) and len(value.comparators) == 1
    return name == "relation" and (two or (isinstance(value, ast.Call) and len(value.args) == 2))


def _side(relation: ast.expr, field: str) -> ast.expr:
    """One side of a relation as SymPy's is written; Python turns ``0 <= x`` into ``x >= 0``."""
    if isinstance(relation, ast.Compare):
        sides = [relation.left, relation.comparators[0]]
        sides = sides[::-1] if isinstance(relation.left, ast.Constant) else sides
    else:
        assert isinstance(relation, ast.Call)
        sides = relation.args
    return sides[field == "right"]


def _names_case(call: ast.Call, case: str | None) -> bool:
    first = call.args[0] if call.args else None
    return case is not None and isinstance(first, ast.Constant) and first.value == case


@functools.lru_cache(maxsize=64)
def _calls(path: str) -> tuple[ast.Call, ...]:
    """The calls of a file that state a claim."""
    try:
        with tokenize.open(path) as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return ()
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return tuple(call for call in calls if any(keyword.arg == "label" for keyword in call.keywords))


def _kinds(node: ast.expr) -> Iterator[str]:
    """What a written side has: a root, a logarithm, a quotient, each of more than numbers."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and part.args and _names(part.args[0]):
            name = getattr(part.func, "attr", getattr(part.func, "id", ""))
            if name in _CALLS:
                yield _CALLS[name]
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div) and _names(part.right):
            yield "quotient"


def _names(node: ast.expr) -> bool:
    """Whether it may be more than a number: it has a name that is no function's and no module's."""
    called = {id(part.func) for part in ast.walk(node) if isinstance(part, ast.Call)}
    called |= {id(part.value) for part in ast.walk(node) if isinstance(part, ast.Attribute)}
    return any(isinstance(part, ast.Name) and id(part) not in called for part in ast.walk(node))


def _kinds_of(side: sp.Basic) -> Iterator[str]:
    for power in side.atoms(sp.Pow):
        if not power.exp.is_integer:
            yield "root"
        if power.exp.could_extract_minus_sign():
            yield "quotient"
    if side.atoms(sp.Abs):  # the root of a square
        yield "root"
    if side.atoms(sp.log):
        yield "logarithm"
