"""What a measurement consists of: the syntax trees of the functions it reaches, and of nothing else.

Code is read, never run: from a function through every name that it uses, in its own module and in those that it imports
from, down to the engine and to other libraries. Comments, docstrings, annotations, line numbers and functions that are
not reached count for nothing, so that only a change of what is computed makes evidence stale.
"""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

_PACKAGE = Path(__file__).parents[2]
_ENGINE = tuple(f"boundaudit.checks.{part}" for part in ("language", "proof", "evidence", "records", "run"))
"""What the engine does is covered by its version."""


class Module(NamedTuple):
    """A module as text says it.

    Attributes:
        defined: Syntax trees of functions, classes and assignments by name.
        imported: For a name, the module and the name there; no name for a module itself.
    """

    defined: dict[str, list[ast.AST]]
    imported: dict[str, tuple[str, str | None]]


def code_of(*functions: Any) -> list[str]:
    """Hashes of all that some functions reach.

    Args:
        *functions: Functions, or partial applications of them.

    Returns:
        Sorted hashes of normalised syntax trees, and of the constants that closures hold.
    """
    found: dict[tuple[str, str], str] = {}
    constants: set[str] = set()
    for function in functions:
        _follow(function, found, constants)
    return sorted({*found.values(), *map(_hash, constants)})


def _follow(value: Any, found: dict[tuple[str, str], str], constants: set[str]) -> None:
    """A function with what its closure holds, a partial application with its arguments, or a constant."""
    if isinstance(value, partial):
        for part in (value.func, *value.args, *value.keywords.items()):
            _follow(part, found, constants)
    elif isinstance(value, FunctionType):
        file = value.__code__.co_filename
        outermost = value.__qualname__.split(".")[0]
        _reach(file, f"{value.__code__.co_firstlineno}" if outermost == "<lambda>" else outermost, found)
        for cell in value.__closure__ or ():
            _follow(cell.cell_contents, found, constants)
    elif hasattr(value, "__wrapped__"):
        _follow(value.__wrapped__, found, constants)
    elif isinstance(value, (tuple, list)):
        for part in value:
            _follow(part, found, constants)
    elif isinstance(value, (str, int, float, type(None))):
        constants.add(repr(value))


def _reach(file: str, name: str, found: dict[tuple[str, str], str]) -> None:
    """A name of a module and everything that its definition uses."""
    open_ = [(file, name)]
    while open_:
        place = open_.pop()
        if place not in found:
            found[place], used = _definition(*place)
            open_.extend(used)


@functools.cache
def _definition(file: str, name: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The hash of what a name is defined as, and the definitions that it uses."""
    module = _parsed(file)
    nodes = module.defined.get(name, [])
    used = list(_used(file, module, nodes))
    origin = module.imported.get(name, ("", None))
    if not nodes and origin[1] and (path := _file_of(origin[0])):
        used.append((path, origin[1]))  # a package hands on what one of its modules defines
    return _hash("".join(map(_normalised, nodes))), tuple(dict.fromkeys(used))


def _used(file: str, module: Module, nodes: list[ast.AST]) -> Iterator[tuple[str, str]]:
    """The definitions behind the names that some syntax trees use."""
    for node in (part for tree in nodes for part in ast.walk(tree)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            origin = module.imported.get(node.value.id)
            if origin is not None and origin[1] is None and (path := _file_of(origin[0])):
                yield path, node.attr
        if isinstance(node, ast.Name):
            if node.id in module.defined:
                yield file, node.id
            elif (origin := module.imported.get(node.id)) and origin[1] and (path := _file_of(origin[0])):
                yield path, origin[1]


@functools.cache
def _parsed(file: str) -> Module:
    """The definitions and imports of a file."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    module = Module({}, {})
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda):
            module.defined.setdefault(str(node.lineno), []).append(node)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                origin = (whole, None) if _file_of(whole) else (node.module, alias.name)
                module.imported[alias.asname or alias.name] = origin
        elif isinstance(node, ast.Import):
            module.imported.update({alias.asname or alias.name: (alias.name, None) for alias in node.names})
    for node in tree.body:
        for name in _names_of(node):
            module.defined.setdefault(name, []).append(node)
    return module


def _names_of(node: ast.stmt) -> Iterator[str]:
    """The names that a statement of a module defines."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
        yield node.name
    elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))


@functools.cache
def _file_of(module: str) -> str | None:
    """The file of one of the package's modules that hold measurements and formulas; None for the engine and others."""
    if not module.startswith("boundaudit.") or module.startswith(_ENGINE):
        return None
    base = _PACKAGE.joinpath(*module.split(".")[1:])
    return next((str(path) for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


class _Bare(ast.NodeTransformer):
    """Drops docstrings and annotations."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        """A statement that is a string says nothing to the machine."""
        return None if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) else node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        """A variable without its annotation."""
        return None if node.value is None else ast.Assign(targets=[node.target], value=node.value, lineno=0)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """An argument without its annotation."""
        return ast.arg(arg=node.arg)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A function without its return type."""
        self.generic_visit(node)
        node.returns = None
        return node


def _normalised(node: ast.AST) -> str:
    """A syntax tree as text, without what does not change what it computes."""
    copy = ast.parse(ast.unparse(node))
    return ast.dump(_Bare().visit(copy))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
