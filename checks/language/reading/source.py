"""A claim that was read, as Python that can be pasted into a claims file: executed, it states the same claim."""

from __future__ import annotations

import ast
import json
import keyword
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import sympy as sp
from sympy.printing.str import StrPrinter

from boundaudit import InputError
from boundaudit.checks.language.abstract.extremes import Extreme
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Integers, Range, Reals, Vector
from boundaudit.checks.language.files import write_whole

_IMPORTED = {"sp", "Case", "Claim", "Domain", "ForAll", "Integers", "Maximum", "Minimum", "Reals", "Space", "Vector"}
_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


class _Python(StrPrinter):  # type: ignore[misc]
    """Expressions as Python that makes them, with the names that a file has for symbols."""

    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__()
        self._names = names

    def _print_Symbol(self, expr: Any) -> str:
        return self._names[expr.name]

    def _print_Indexed(self, expr: Any) -> str:
        return f"{self._names[str(expr.base)]}[{self._print(expr.indices[0])}]"

    def _print_Function(self, expr: Any) -> str:
        arguments = ", ".join(map(self._print, expr.args))
        number = not expr.free_symbols and not (expr.func is sp.log and expr.args[0].is_Rational)
        kept = number or expr.func(*expr.args) != expr  # what SymPy would make something else of
        return f"sp.{expr.func.__name__}({arguments}{', evaluate=False' if kept else ''})"

    _print_factorial = _print_LatticeOp = _print_ExpBase = _print_Function

    def _print_Sum(self, expr: Any) -> str:
        limits = ", ".join(f"({', '.join(map(self._print, limit))})" for limit in expr.limits)
        module = "" if isinstance(expr, Extreme) else "sp."
        return f"{module}{expr.func.__name__}({self._print(expr.function)}, {limits})"

    _print_Product = _print_Maximum = _print_Minimum = _print_Sum

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        if abs(expr.exp) == sp.S.Half:
            return f"{'1/' if expr.exp < 0 else ''}sp.sqrt({self._print(expr.base)})"
        return str(super()._print_Pow(expr, rational=True))

    def _print_Rational(self, expr: Any) -> str:
        return f"{'-' if expr.p < 0 else ''}sp.Rational({abs(expr.p)}, {expr.q})"

    def _print_Relational(self, expr: Any) -> str:
        return f"sp.{type(expr).__name__}({self._print(expr.lhs)}, {self._print(expr.rhs)})"

    def _print_ForAll(self, expr: Any) -> str:
        return f"ForAll({self._print(expr.relation)}, ({', '.join(map(self._print, expr.limits[0]))}))"

    def _print_Exp1(self, expr: Any) -> str:
        return "sp.E"

    def _print_Pi(self, expr: Any) -> str:
        return "sp.pi"

    def _print_Infinity(self, expr: Any) -> str:
        return "sp.oo"


def python_of(claim: Claim, existing: str = "") -> str:
    """The Python statements that state a claim of expressions, as `read` makes it.

    What the existing file imports and defines already is not said again, and a name that means something else there is
    left alone.
    """
    bound = _bindings(existing)
    domain = claim.written("domain")
    spans = {str(name): found for name, found in domain.ranges.items()}
    vectors = {name for name, found in spans.items() if isinstance(found, Vector)}
    parts = [member.written(side) for member in claim.members for side in _SIDES]
    parts += [*domain.where, *(end for found in spans.values() for end in _ends(found))]
    used = {symbol.name for part in parts for symbol in sp.sympify(part, strict=True).atoms(sp.Symbol)}
    lines, names = [], {}
    for name in [*spans, *sorted(used - set(spans))]:
        made = f"sp.{'IndexedBase' if name in vectors else 'Symbol'}({_quoted(name)}, real=True)"
        names[name] = _free(name, bound, made)
        if names[name] not in bound:
            lines.append(f"{names[name]} = {made}")
    printer = _Python(names)
    ranges = ", ".join(f"{names[name]}: {_range(found, printer)}" for name, found in spans.items())
    where = ", ".join(map(printer.doprint, domain.where))
    facts = {
        "label": _quoted(claim.label), "statement": _quoted(claim.statement), **_sides(claim, printer),
        "domain": f"{type(domain).__name__}({{{ranges}}}{f', where=[{where}]' if where else ''})",
        "limitations": _listed(map(_quoted, claim.limitations)) if claim.limitations else "",
    }  # fmt: skip
    stated = "".join(f"    {field}={words},\n" for field, words in facts.items() if words)
    name = _free(claim.label, bound, "")
    text = "\n".join([*lines, f"{name} = Claim(\n{stated})"])
    words = sorted(word for word in _IMPORTED - {"sp"} if f"{word}(" in text)
    imports = ["import sympy as sp", "", f"from boundaudit import {', '.join(words)}", ""]
    return "\n".join([*(line for line in imports if not line or line not in existing.splitlines()), text, ""])


def save(path: Path, claim: Claim) -> None:
    """Add a claim to a claims file, or begin one with it; the file changes as a whole or not at all.

    Raises:
        InputError: where the file is none of Python's, has the label already, or cannot be written.
    """
    try:
        before = path.read_bytes() if path.exists() else b""
        existing = before.decode("utf-8").replace("\r\n", "\n")
        added = python_of(claim, existing)
    except SyntaxError as error:
        raise InputError("--out", "a file of Python", f"{path}, line {error.lineno}", "correct it") from None
    except (OSError, ValueError) as error:
        raise InputError("--out", "a file that can be read", f"{path} ({error})", "choose another") from None
    if _quoted(claim.label) in existing:
        raise InputError("--out", f"a file without {claim.label}", path, "choose another --label")
    try:
        text = f"{existing.rstrip()}\n\n\n{added.lstrip()}" if existing.strip() else added
        whole = text.replace("\n", "\r\n") if b"\r\n" in before else text
        write_whole(Path(os.path.realpath(path)), whole.encode())  # a link stays one
    except OSError as error:
        got = f"{path} ({error.strerror})"
        raise InputError("--out", "a file that can be written", got, "choose another") from None


def _bindings(text: str) -> dict[str, str]:
    """What a file's names are bound to, at its top level: an expression, or nothing that is known."""
    bound: dict[str, str] = {}
    for statement in ast.parse(text).body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                bound[node.id] = ""
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                bound[node.name] = ""
            elif isinstance(node, ast.alias):
                bound[(node.asname or node.name).partition(".")[0]] = ""
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            bound[statement.targets[0].id] = ast.unparse(statement.value).replace("'", '"')
    return bound


def _free(name: str, bound: Mapping[str, str], made: str) -> str:
    """A Python name that is bound to nothing else."""
    found = re.sub(r"\W", "_", name)
    found = found if found.isidentifier() else f"_{found}"
    while keyword.iskeyword(found) or found in _IMPORTED or bound.get(found, made) != made:
        found += "_"
    return found


def _quoted(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)


def _sides(claim: Claim, printer: Any) -> dict[str, str]:
    def stated(member: Claim) -> dict[str, str]:
        left, right = (printer.doprint(member.written(side)) for side in _SIDES)
        return {"left": left, "relation": _quoted(member.relation), "right": right}

    if not claim.cases:
        return stated(claim)
    cases = [
        ", ".join(
            [_quoted(str(member.case)), *(f"{k}={v}" for k, v in stated(member).items()), f'kind="{member.kind}"']
        )
        for member in claim.members
    ]
    return {"cases": _listed(f"Case({case})" for case in cases)}


def _listed(lines: Iterable[str]) -> str:
    return "".join(["(", *(f"\n        {line}," for line in lines), "\n    )"])


def _ends(found: Range) -> list[Any]:
    """The expressions of a range."""
    if isinstance(found, Vector):
        return [found.length, *_ends(found.entries)]
    assert isinstance(found, (Integers, Reals))
    return [end for end in (found.low, found.high) if end is not None]


def _range(found: Range, printer: Any) -> str:
    if isinstance(found, Vector):
        return f"Vector({printer.doprint(sp.sympify(found.length, strict=True))}, {_range(found.entries, printer)})"
    assert isinstance(found, (Integers, Reals))
    ends = ["None" if end is None else printer.doprint(sp.sympify(end, strict=True)) for end in (found.low, found.high)]
    while ends and ends[-1] == "None":
        ends.pop()
    opened = [f"{end}=True" for end in ("open_low", "open_high") if getattr(found, end, False)]
    return f"{type(found).__name__}({', '.join([*ends, *opened])})"
