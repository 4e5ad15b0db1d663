"""Sides as their author wrote them: what SymPy has simplified away before anybody else could see it.

SymPy turns ``sqrt(x)**2`` into x, and ``x/(x*y)`` into 1/y, as soon as the line runs; where the first has no value the
second does. The claim's source still has the roots, logarithms and quotients that were written: where the side that
came of it lacks what one of them is of, it may say something else. So may a case with ``==``, which Python decides
before SymPy sees it. Names that the file gives once, to an expression or to a function that returns one, are followed;
of names that only a function knows, roots, logarithms and quotients are counted.
"""

from __future__ import annotations

import ast
import copy
import functools
import operator
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import sympy as sp

from boundaudit import InputError
from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.translate import Quotient, to_tree
from boundaudit.checks.language.unbound import unbound

KINDS = {
    **dict.fromkeys(("sqrt", "cbrt", "root"), "root"), **dict.fromkeys(("log", "ln"), "logarithm"), "tan": "tangent",
    **dict.fromkeys(("factorial", "binomial"), "factorial"), **dict.fromkeys(("gamma", "loggamma"), "gamma"),
    **dict.fromkeys(("asin", "acos", "acosh", "atanh"), "partial inverse"),
}  # fmt: skip
"""What has no value at some numbers."""
_ATOMS = {
    "logarithm": (sp.log,), "tangent": (sp.tan,), "gamma": (sp.gamma, sp.loggamma),
    "factorial": (sp.factorial, sp.binomial), "partial inverse": (sp.asin, sp.acos, sp.acosh, sp.atanh),
}  # fmt: skip


_FOLDS = ("Sum", "Product")


def lost(
    source: str,
    case: str | None,
    field: str,
    sides: Sequence[Any],
    names: Iterable[str],
    domain: Mapping[str, Any],
) -> str | None:
    """What the ``left`` or ``right`` side was written with and no longer has, as SymPy left it.

    The side as written, where SymPy dropped a root, a logarithm or a quotient of something that may be negative or
    zero, or where a case of it is an ``==``; None where it kept them, or where file and line do not show the side. Of a
    claim on a `Space` there are two: what it is in numbers, and as it is written. The names are the parameters', of
    which the domain, in its JSON form, may show that what was dropped has a value.
    """
    if not all(isinstance(side, sp.Basic) for side in sides):
        return None
    symbols = set().union(*map(unbound, sides))
    positive = symbols and all(symbol.is_positive for symbol in symbols)
    path, _, line = source.rpartition(":")
    kept = set().union(*map(kept_in, sides))
    for node in _written(path, int(line), case, field):
        whole = _Followed(_given(path)).visit(copy.deepcopy(node))
        if any(map(_compares, ast.walk(whole))):
            return ast.unparse(node)
        counted: set[tuple[str, str]] = set()
        kinds = list(_kinds(whole))
        known = _known(path, sides) if kinds else {}
        spoken_of = {*names, *(symbol.name for side in sides for symbol in side.atoms(sp.Symbol))}
        for kind, of in kinds:
            value = _value(of, known)
            if value is None or not {symbol.name for symbol in value.atoms(sp.Symbol)} <= spoken_of:
                counted.add((kind, ast.unparse(_without_numbers(of))))
            elif not (
                is_sure(kind, value)
                or {(kind, each) for each in factors(value)} <= kept
                or _has_value(kind, value, domain)
            ):
                return ast.unparse(node.body if isinstance(node, ast.Lambda) else node)
        if not positive and Counter(kind for kind, _ in counted) - Counter(_kinds_of(sides[0])):
            return ast.unparse(node.body if isinstance(node, ast.Lambda) else node)
    return None


def _known(path: str, sides: Sequence[sp.Basic]) -> dict[str, Any]:
    """What names stand for: those of a file that runs, or else those of the sides' own symbols."""
    found = {str(symbol): symbol for side in sides for symbol in side.atoms(sp.Symbol, sp.IndexedBase)}
    modules = (vars(module) for module in list(sys.modules.values()) if getattr(module, "__file__", None) == path)
    return found | next(modules, {})


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    """What a part of a side is; None where its names are not known here, or it is no number."""
    try:
        value = sp.sympify(_worked_out(node, known), strict=True)
    except Exception:  # names of a function, or what SymPy may raise
        return None
    return value if isinstance(value, sp.Expr) and not value.has(sp.MatrixExpr) else None


_OPERATORS: dict[type, Any] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}  # fmt: skip


def _worked_out(node: ast.expr, known: Mapping[str, Any]) -> Any:
    """Arithmetic on what names stand for, and calls of SymPy's functions and ours: no text of a file is run."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(id=name):
            return known[name]
        case ast.Attribute(value=of, attr=name):
            return getattr(_worked_out(of, known), name)
        case ast.UnaryOp(op=ast.USub(), operand=of):
            return -_worked_out(of, known)
        case ast.BinOp(left=left, op=sign, right=right):
            return _OPERATORS[type(sign)](_worked_out(left, known), _worked_out(right, known))
        case ast.Subscript(value=of, slice=index):
            return _worked_out(of, known)[_worked_out(index, known)]
        case ast.Tuple(elts=parts):
            return tuple(_worked_out(part, known) for part in parts)
        case ast.Call(func=called, args=arguments, keywords=[]):
            function = _worked_out(called, known)
            if function.__module__.startswith(("sympy.", "boundaudit.checks.language.")):
                return function(*(_worked_out(each, known) for each in arguments))
    raise NotImplementedError


def is_sure(kind: str, value: Any) -> bool:
    """Whether a root, a logarithm or a quotient has a value wherever its symbols lie as they say."""
    sure = {"quotient": value.is_nonzero, "logarithm": value.is_positive, "gamma": value.is_positive}
    return bool(value.is_nonnegative if kind in ("root", "factorial") else sure.get(kind))


def _stands(kind: str, value: Any, kept: set[tuple[str, Any]]) -> bool:
    return {(kind, each) for each in factors(value)} <= kept


def _has_value(kind: str, of: Any, domain: Mapping[str, Any]) -> bool:
    """Whether ranges show that a root, a logarithm or a quotient has a value everywhere on a domain."""
    try:
        size = NormalForm(domain).range_of(to_tree(of))
    except (Rejected, InputError):
        return False
    whole = dict.fromkeys(("root", "factorial"), size.nonnegative)
    return {**whole, "logarithm": size.positive, "quotient": size.nonzero}.get(kind, False)


def factors(part: Any) -> Iterator[Any]:
    """The factors of an expression without exponents, numbers and signs."""
    for factor in sp.Mul.make_args(part):
        base = factor.as_base_exp()[0]
        if base != factor or base.is_Mul:
            yield from factors(base)
        elif not base.is_number:
            plain = base.primitive()[1] if base.is_Add else base
            yield -plain if plain.could_extract_minus_sign() else plain


def kept_in(side: sp.Basic) -> set[tuple[str, Any]]:
    """What the roots, logarithms and quotients of a side are of."""
    found = [("root", part.args[0]) for part in side.atoms(sp.Abs)]  # the root of a square
    for power in side.atoms(sp.Pow):
        found += [] if power.exp.is_integer else [("root", power.base)]
        found += [("quotient", power.base)] if power.exp.could_extract_minus_sign() else []
    found += [("quotient", part.args[1]) for part in side.atoms(Quotient)]
    found += [(kind, part.args[0]) for kind, heads in _ATOMS.items() for part in side.atoms(*heads)]
    return {(kind, factor) for kind, of in found for factor in factors(of)}


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


def _kinds(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """What a written side has: roots, logarithms and quotients of more than numbers, each with what it is of."""
    return ((kind, of) for part in ast.walk(node) for kind, of in _kind(part) if _names(of))


def _kind(part: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    match part:
        case ast.Call(args=[of, base]) if KINDS.get(_called(part)) == "logarithm":
            yield from (("logarithm", each) for each in (of, base))
            yield "quotient", ast.Call(part.func, [base], [])
        case ast.Call(args=[of, *_]) if _called(part) in KINDS:
            yield KINDS[_called(part)], of
        case ast.BinOp(op=ast.Div(), right=of):
            yield "quotient", of
        case ast.BinOp(op=ast.Pow(), left=of, right=power):
            yield from _kinds_of_power(of, power)
        case ast.Call(args=[of, power, *_]) if _called(part) == "Pow" and not part.keywords:
            yield from _kinds_of_power(of, power)
        case ast.Call(args=[of]) if _called(part) == "Inverse":
            yield "quotient", of
        case ast.Attribute(value=of, attr="I" | "inv" | "inverse"):
            yield "quotient", of


def _kinds_of_power(of: ast.expr, power: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(power, ast.UnaryOp) and isinstance(power.op, ast.USub):
        yield "quotient", of
        power = power.operand
    match power:
        case ast.Call() if _called(power) in ("Rational", "S"):
            yield "root", of
        case ast.Attribute(attr="Half") | ast.BinOp(op=ast.Div()):
            yield "root", of


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
    """What a side has, one for each of different roots, logarithms and quotients, and of what else has no value."""
    for power in side.atoms(sp.Pow):
        if not power.exp.is_integer:
            yield "root"
        if power.exp.could_extract_minus_sign():
            yield "quotient"
    yield from ("root" for _ in side.atoms(sp.Abs))  # the root of a square
    yield from (kind for kind, heads in _ATOMS.items() for _ in side.atoms(*heads))
    yield from ("quotient" for _ in side.atoms(Quotient))
