"""Sides as their author wrote them: what SymPy has simplified away before anybody else could see it.

SymPy turns ``sqrt(x)**2`` into x, and ``x/x`` into 1, as soon as the line runs; where the first has no value the second
does. The claim's source still has the roots, logarithms and quotients that were written: where the side that came of it
has fewer of a kind, it may say something else. So may a case with ``==``, which Python decides before SymPy sees it.
Names that the file gives once, to an expression or to a function that returns one, are followed.
"""

from __future__ import annotations

import ast
import copy
import functools
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import sympy as sp

from boundaudit.checks.language.translate import Quotient
from boundaudit.checks.language.unbound import unbound

_CALLS = {"sqrt": "root", "cbrt": "root", "root": "root", "log": "logarithm", "ln": "logarithm"}


_FOLDS = ("Sum", "Product")


def lost(source: str, case: str | None, field: str, side: Any) -> str | None:
    """What the ``left`` or ``right`` side was written with and no longer has, as SymPy left it.

    The side as written, where SymPy dropped a root, a logarithm or a quotient of something that may be negative or
    zero, or where a case of it is an ``==``; None where it kept them, or where file and line do not show the side.
    """
    if not isinstance(side, sp.Basic):
        return None
    symbols = unbound(side)
    positive = symbols and all(symbol.is_positive for symbol in symbols)
    path, _, line = source.rpartition(":")
    kept = Counter(_kinds_of(side))
    for node in _written(path, int(line), case, field):
        whole = _Followed(_given(path)).visit(copy.deepcopy(node))
        if any(map(_compares, ast.walk(whole))) or (not positive and Counter(kind for kind, _ in _kinds(whole)) - kept):
            return ast.unparse(node.body if isinstance(node, ast.Lambda) else node)
    return None


def closed(source: str, case: str | None, field: str, side: Any) -> str | None:
    """A side as written, of which SymPy added up a sum before a matrix; None where file and line do not show it.

    Where such a sum ends before it begins, SymPy counts terms backwards, and `expression` none.
    """
    if not (isinstance(side, sp.Basic) and side.has(sp.MatrixExpr)):
        return None
    path, _, line = source.rpartition(":")
    for node in _written(path, int(line), case, field):
        parts = ast.walk(_Followed(_given(path)).visit(copy.deepcopy(node)))
        folds = {ast.unparse(part) for part in parts if isinstance(part, ast.Call) and _called(part) in _FOLDS}
        if len(folds) > len(side.atoms(sp.Sum, sp.Product)):
            return ast.unparse(node)
    return None


def names_at(source: str) -> list[str]:
    """The names in the statement that a file and line belong to, each as often as it stands there."""
    path, _, line = source.rpartition(":")
    stated = [part for part in _parsed(path).body if part.lineno <= int(line) <= (part.end_lineno or part.lineno)]
    return [node.id for part in stated for node in ast.walk(part) if isinstance(node, ast.Name)]


def _compares(node: ast.AST) -> bool:
    """Whether it is a Piecewise, a case of which Python has decided."""
    cases = node.args if isinstance(node, ast.Call) and _called(node) == "Piecewise" else []
    compared = (part for case in cases for part in ast.walk(case) if isinstance(part, ast.Compare))
    return any(isinstance(sign, (ast.Eq, ast.NotEq)) for part in compared for sign in part.ops)


def _called(call: ast.Call) -> str:
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


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
def _parsed(path: str) -> ast.Module:
    try:
        with tokenize.open(path) as file:
            return ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return ast.Module([], [])


@functools.lru_cache(maxsize=64)
def _calls(path: str) -> tuple[ast.Call, ...]:
    """The calls of a file that state a claim."""
    calls = (node for node in ast.walk(_parsed(path)) if isinstance(node, ast.Call))
    return tuple(call for call in calls if any(keyword.arg == "label" for keyword in call.keywords))


@functools.lru_cache(maxsize=64)
def _given(path: str) -> Mapping[str, ast.expr]:
    """What names of a file stand for: expressions, given once, and what functions without arguments return."""
    found: dict[str, list[ast.expr]] = {}
    for node in _parsed(path).body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.setdefault(name, []).append(value)
            case ast.FunctionDef(name=name, args=ast.arguments(args=[])):
                returned = [part.value for part in ast.walk(node) if isinstance(part, ast.Return) and part.value]
                found.setdefault(name, []).extend(returned)
    return {name: values[0] for name, values in found.items() if len(values) == 1 and _names(values[0])}


class _Followed(ast.NodeTransformer):
    """Puts what names stand for in their place."""

    def __init__(self, given: Mapping[str, ast.expr], depth: int = 4) -> None:
        self._given = given
        self._depth = depth

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """What a name has, such as a claim's side, is not what it stands for."""
        return node if isinstance(node.value, ast.Name) else self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A name of an expression."""
        stands_for = self._given.get(node.id) if self._depth else None
        if not isinstance(stands_for, (ast.BinOp, ast.Call, ast.UnaryOp)):
            return node
        found: ast.expr = _Followed(self._given, self._depth - 1).visit(copy.deepcopy(stands_for))
        return found


def _kinds(node: ast.expr) -> set[tuple[str, str]]:
    """What a written side has: roots, logarithms and quotients of more than numbers, each with what it is of."""
    found = [(kind, of) for part in ast.walk(node) for kind, of in _kind(part) if _names(of)]
    return {(kind, ast.unparse(_without_numbers(of))) for kind, of in found}


def _kind(part: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    match part:
        case ast.Call(args=[of, *_]) if _called(part) in _CALLS:
            yield _CALLS[_called(part)], of
        case ast.BinOp(op=ast.Div(), right=of):
            yield "quotient", of
        case ast.BinOp(op=ast.Pow(), left=of, right=ast.UnaryOp(op=ast.USub())):
            yield "quotient", of
        case ast.BinOp(op=ast.Pow(), left=of, right=ast.Call() as power) if _called(power) in ("Rational", "S"):
            yield "root", of
        case ast.Call(args=[of]) if _called(part) == "Inverse":
            yield "quotient", of
        case ast.Attribute(value=of, attr="I" | "inv" | "inverse"):
            yield "quotient", of


def _without_numbers(node: ast.expr) -> ast.expr:
    """The expression without factors that are numbers."""
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        factors = [factor for factor in (node.left, node.right) if _names(factor)]
        if len(factors) != 1:
            break
        node = factors[0]
    return node


def _names(node: ast.expr) -> bool:
    """Whether it may be more than a number: it has a name that is no function's and no module's."""
    called = {id(part.func) for part in ast.walk(node) if isinstance(part, ast.Call)}
    called |= {id(part.value) for part in ast.walk(node) if isinstance(part, ast.Attribute)}
    return any(isinstance(part, ast.Name) and id(part) not in called for part in ast.walk(node))


def _kinds_of(side: sp.Basic) -> Iterator[str]:
    """What a side has, one for each of different roots, logarithms and quotients."""
    for power in side.atoms(sp.Pow):
        if not power.exp.is_integer:
            yield "root"
        if power.exp.could_extract_minus_sign():
            yield "quotient"
    yield from ("root" for _ in side.atoms(sp.Abs))  # the root of a square
    yield from ("logarithm" for _ in side.atoms(sp.log))
    yield from ("quotient" for _ in side.atoms(Quotient))
