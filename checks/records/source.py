"""Modules as text: what each name is defined as, and which definitions that uses."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import symtable
import sys
import sysconfig
import tokenize
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_PACKAGE = Path(__file__).parents[2]
_ENGINE = tuple(f"boundaudit.checks.{part}" for part in ("language", "proof", "evidence", "records", "run"))
"""What the engine does is covered by its version."""
_LIBRARIES = tuple({str(Path(sysconfig.get_path(name)).resolve()) for name in ("stdlib", "platstdlib")})
_INSTALLED = {"site-packages", "dist-packages"}
_CHANGES = {
    "add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update",
}  # fmt: skip
_WHOLE: dict[str, bool] = {"show_empty": True} if sys.version_info >= (3, 13) else {}
"""How a syntax tree is written with all of its fields."""

Place = tuple[str, str]
"""A file and a name in it; of a lambda the line."""


class Definition(NamedTuple):
    """What a name is defined as."""

    hash: str  # of its normalised syntax trees
    uses: tuple[Place, ...]  # the definitions that they use
    is_constant: bool  # whether it names a value that no function of its module changes


class Module(NamedTuple):
    """A module as its text says it."""

    defined: dict[str, list[ast.AST]]  # syntax trees of functions, classes, assignments and lambdas by name
    # for a name, the module and the name there; no name for a module itself
    imported: dict[str, tuple[str, str | None]]
    stars: list[str]  # the modules all of whose names are imported
    changed: set[str]  # names of values that its functions change: what they hold depends on what has run
    own: dict[tuple[str, int], frozenset[str]]  # for a function, by name and line, the names in it that are its own


def definition(place: Place, package: str = "") -> Definition:
    """What a name of a file is defined as; empty where the file has no such name of its own.

    Relative imports of the file start from ``package``.
    """
    state = Path(place[0]).stat()
    return _definition(place, package, (state.st_mtime_ns, state.st_size))


@functools.cache
def _definition(place: Place, package: str, state: tuple[int, int]) -> Definition:
    file, name = place
    module = _parsed(file, package, state)
    nodes = module.defined.get(name, [])
    bare = [_bare(node) for node in nodes]
    used = [place for node, tree in zip(nodes, bare, strict=True) for place in _used(file, module, node, tree)]
    if not nodes:
        used += _elsewhere(module, name)  # a package hands on what one of its modules defines
    coded = any(isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) for node in nodes)
    # Python 3.12 adds a field to functions, 3.13 leaves out what is empty: evidence is that of every version.
    text = "".join(ast.dump(node, **_WHOLE) for node in bare).replace(", type_params=[]", "")
    constant = bool(nodes) and not coded and name not in module.changed
    return Definition(hashlib.sha256(text.encode()).hexdigest(), tuple(dict.fromkeys(used)), constant)


# --- which modules there are ----------------------------------------------------------------------


@functools.cache
def is_followed(file: str) -> bool:
    """Whether a file holds measurements or formulas: no part of the engine, of Python or of an installed library."""
    path = Path(file).resolve()
    for layer in ("checks", "derivations", "numeric", "reports"):
        with suppress(ValueError):
            inside = path.relative_to((_PACKAGE / layer).resolve())
            return file_of(".".join(("boundaudit", layer, *inside.with_suffix("").parts))) is not None
    return path.suffix == ".py" and not _INSTALLED & set(path.parts) and not str(path).startswith(_LIBRARIES)


def file_of(module: str) -> str | None:
    """The file of a module; None where it is of the engine, of Python, or installed: these are not followed."""
    if module.partition(".")[0] == "boundaudit":
        if not module.startswith("boundaudit.") or module.startswith(_ENGINE):
            return None
        base = _PACKAGE.joinpath(*module.split(".")[1:])
        return _found(module, next((p for p in (base.with_suffix(".py"), base / "__init__.py") if p.is_file()), None))
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None and module.partition(".")[0] not in sys.stdlib_module_names:
        with suppress(ImportError, ValueError, AttributeError):
            spec = importlib.util.find_spec(module)
            file = None if spec is None else spec.origin
    return _found(module, file if file is not None and Path(file).is_file() and is_followed(file) else None)


_FOUND: dict[str, str] = {}


def _found(module: str, file: str | Path | None) -> str | None:
    """Note where a module stands."""
    if file is None:
        return None
    _FOUND[str(file)] = module
    return str(file)


def module_of(file: str) -> str | None:
    """The module that was found to stand in a file; None where `file_of` never gave that file."""
    return _FOUND.get(file)


# --- which names a module has, and what they use --------------------------------------------------


@functools.cache
def _parsed(file: str, package: str, state: tuple[int, int]) -> Module:
    """The definitions and imports of a file."""
    with tokenize.open(file) as opened:  # by the encoding that it declares
        text = opened.read()
    tree = ast.parse(text)
    tables = symtable.symtable(text, file, "exec").get_children()
    functions = [table for table in tables if table.get_type() == "function"]
    own = {(table.get_name(), table.get_lineno()): _own_names(table) for table in functions}
    module = Module({}, {}, [], set(), own)
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda):
            module.defined.setdefault(str(node.lineno), []).append(node)
        elif isinstance(node, ast.ImportFrom):
            _note_from(module, node, package)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                name, first = alias.asname or alias.name.partition(".")[0], alias.name.partition(".")[0]
                module.imported[name] = (alias.name if alias.asname else first, None)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            module.changed.update(_changed_by(node))
    for statement in tree.body:
        for name in _names_of(statement):
            module.defined.setdefault(name, []).append(statement)
    return module


def _note_from(module: Module, node: ast.ImportFrom, package: str) -> None:
    """``from … import …``."""
    source = node.module or ""
    if node.level:
        with suppress(ImportError, ValueError):
            source = importlib.util.resolve_name("." * node.level + source, package)
    for alias in node.names:
        whole = f"{source}.{alias.name}"
        if alias.name == "*":
            module.stars.append(source)
        elif source:
            module.imported[alias.asname or alias.name] = (whole, None) if file_of(whole) else (source, alias.name)


def _names_of(node: ast.AST) -> Iterator[str]:
    """The names that a statement of a module defines, inside ``if``, ``try``, ``for`` and ``with`` too."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
        yield node.name
    elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))
    elif isinstance(node, (ast.stmt, ast.ExceptHandler)):
        for child in ast.iter_child_nodes(node):
            yield from _names_of(child)


def _changed_by(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The names from outside that a function rebinds, or whose values it changes."""
    nodes = list(ast.walk(function))
    rebound = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    own = {node.arg for node in nodes if isinstance(node, ast.arg)}
    own |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    touched = set()
    for node in nodes:
        if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
            touched.add(_root(node))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
            touched.add(_root(node.func))
    return rebound | (touched - own)


def _root(node: ast.expr) -> str:
    """The name that a chain of attributes and indices starts with; nothing where it starts otherwise."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _used(file: str, module: Module, stated: ast.AST, bare: ast.AST) -> Iterator[Place]:
    """The definitions behind the names that a syntax tree uses, as it is stated and without its annotations."""
    own = module.own.get((getattr(stated, "name", ""), getattr(stated, "lineno", 0)), frozenset())
    for node in ast.walk(bare):
        if isinstance(node, ast.Attribute):
            yield from _attribute(module, node)
        elif isinstance(node, ast.Name) and node.id not in own:
            if node.id in module.defined:
                yield file, node.id
            else:
                yield from _elsewhere(module, node.id)


def _own_names(table: symtable.SymbolTable) -> frozenset[str]:
    """The names in a function that are never those of its module, in whatever function inside it."""
    tables = [table]
    names: set[str] = set()
    shared: set[str] = set()
    while tables:
        inner = tables.pop()
        for symbol in inner.get_symbols():
            (shared if symbol.is_global() or symbol.is_imported() else names).add(symbol.get_name())
        tables.extend(inner.get_children())
    return frozenset(names - shared)


def _elsewhere(module: Module, name: str) -> Iterator[Place]:
    """The definition of a name that is imported from a module that is followed."""
    origin = module.imported.get(name)
    if origin is not None:
        if origin[1] is not None and (path := file_of(origin[0])):
            yield path, origin[1]
        return
    for star in module.stars:
        if path := file_of(star):
            yield path, name


def _attribute(module: Module, node: ast.Attribute) -> Iterator[Place]:
    """The definition behind ``package.module.name``."""
    attributes = [node.attr]
    inner = node.value
    while isinstance(inner, ast.Attribute):
        attributes.append(inner.attr)
        inner = inner.value
    origin = module.imported.get(inner.id) if isinstance(inner, ast.Name) else None
    if origin is None or origin[1] is not None:
        return
    name = origin[0]
    for attribute in reversed(attributes):
        if (path := file_of(name)) and not file_of(f"{name}.{attribute}"):
            yield path, attribute
            return
        name = f"{name}.{attribute}"


# --- syntax trees without what does not change what they compute ----------------------------------


class _Bare(ast.NodeTransformer):
    """Drops docstrings and annotations."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        """A statement that is a string says nothing to the machine."""
        return None if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) else node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        """A variable without its annotation; a field of a class has nothing else."""
        if node.value is None:
            return ast.Expr(ast.List([node.target], ast.Load()))
        return ast.Assign(targets=[node.target], value=node.value, lineno=0)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """An argument without its annotation."""
        return ast.arg(arg=node.arg)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A function without its return type."""
        self.generic_visit(node)
        node.returns = None
        return node


def _bare(node: ast.AST) -> ast.AST:
    """A copy of a syntax tree without what does not change what it computes."""
    bare: ast.AST = _Bare().visit(ast.parse(ast.unparse(node)))
    return bare
