"""The code behind a measurement, as hashes: what other code has found is stale."""

from __future__ import annotations

import ast
import functools
import hashlib
import inspect
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.records.study import Study

_FOLDERS = Path(__file__).parents[2]
_MEASUREMENTS = "boundaudit.numeric."
_FORMULAS = "boundaudit.derivations."


def measuring_code(claim: Claim) -> list[str]:
    """What the measurement of a claim consists of.

    Its functions, the functions outside the measurements' own layer that they call, and the modules of that layer
    that any of them imports, directly or by way of others.

    Args:
        claim: The claim.

    Returns:
        Hashes of all sources, sorted; empty where nothing is measured.
    """
    measures = [side.measure for side in (claim.left, claim.right) if isinstance(side, Quantity)]
    functions = [function for measure in measures for function in _reached(measure, set())]
    written = [function for function in functions if not _measures(function)]
    used = {function.__module__ for function in functions if _measures(function)}
    for function in written:
        imported = _imports(_file_of(function), _MEASUREMENTS)
        used |= {imported[name] for name in _names(function.__code__) if name in imported}
    return _hashes([*map(inspect.getsource, written), *_with_imports(used)])


def study_code(study: Study) -> list[str]:
    """What the curves of a study depend on.

    The modules of its chapter in which the functions that compute it stand, with their constants, the functions of
    the engine that they call, and the measurements and closed forms that those modules import.

    Args:
        study: The study.

    Returns:
        Hashes of all sources, sorted.
    """
    functions = [function for function in _reached(study.compute, set()) if not _measures(function)]
    chapter = study.label.split(".")[0]
    modules = {_file_of(function) for function in functions if _is_chapters(function, chapter)}
    engine = [inspect.getsource(function) for function in functions if not _is_chapters(function, chapter)]
    used = {name for path in modules for layer in (_MEASUREMENTS, _FORMULAS) for name in _imports(path, layer).values()}
    return _hashes([*engine, *map(_read, modules), *_with_imports(used)])


def _hashes(sources: Iterable[str]) -> list[str]:
    return sorted({hashlib.sha256(source.encode()).hexdigest() for source in sources})


def _is_chapters(function: FunctionType, chapter: str) -> bool:
    """A function of the study's chapter, or a user's own: constants of its module count too."""
    return not function.__module__.startswith("boundaudit.") or chapter in function.__module__.split(".")


def _measures(function: FunctionType) -> bool:
    return function.__module__.startswith(_MEASUREMENTS)


def _with_imports(modules: set[str]) -> Iterator[str]:
    """The sources of modules and of all that they import from their own layer."""
    seen: set[str] = set()
    open_ = sorted(modules)
    while open_:
        module = open_.pop()
        path = _path(module)
        if module not in seen and path is not None:
            seen.add(module)
            layer = ".".join(module.split(".")[:2]) + "."
            open_.extend(_imports(path, layer).values())
            yield _read(path)


@functools.cache
def _imports(path: Path, layer: str) -> dict[str, str]:
    """The module of a layer behind every name that a file imports from it."""
    found = {}
    for node in ast.walk(ast.parse(_read(path))):
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(layer):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found[alias.asname or alias.name] = str(whole if _path(whole) else node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.asname or alias.name: alias.name for alias in node.names if alias.name.startswith(layer)}
    return found


def _path(module: str) -> Path | None:
    """The file of one of the package's modules; None for what is none."""
    base = _FOLDERS.joinpath(*module.split(".")[1:])
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def _file_of(function: FunctionType) -> Path:
    return Path(function.__code__.co_filename)


@functools.cache
def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _reached(function: Any, seen: set[CodeType]) -> Iterator[FunctionType]:
    """A function and those that it reaches, down to the first ones of the layer of measurements."""
    if isinstance(function, partial):
        for part in (function.func, *function.args, *function.keywords.values()):
            yield from _reached(part, seen)
    if not isinstance(function, FunctionType) or function.__code__ in seen:
        return
    seen.add(function.__code__)
    if not (function.__module__.startswith("boundaudit.") or _is_users(function)):
        return
    yield function
    if _measures(function):
        return
    reached = [cell.cell_contents for cell in function.__closure__ or ()]
    reached += [function.__globals__[name] for name in _names(function.__code__) if name in function.__globals__]
    for value in reached:
        yield from _reached(value, seen)


def _is_users(function: FunctionType) -> bool:
    """A user's own code, not an installed library's."""
    return "site-packages" not in function.__code__.co_filename


def _names(code: CodeType) -> Iterator[str]:
    """The global names that a function and the functions written inside it use."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
