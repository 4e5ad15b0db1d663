"""A user's own claims files: run as pytest runs a test file, every error of all of them told in one pass."""

from __future__ import annotations
import __future__

import ast
import functools
import importlib.util
import itertools
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from types import CodeType, ModuleType
from typing import NoReturn

from sympy import IndexedBase, Symbol

from boundaudit import InputError
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.digest import digest
from boundaudit.checks.language.domain.assumptions import unearned
from boundaudit.checks.language.faults import remedy, told
from boundaudit.checks.language.written import names_at
from boundaudit.checks.run.addresses import Entry, members
from boundaudit.checks.run.errors import InputErrors
from boundaudit.checks.run.registry import Registry
from boundaudit.checks.run.validation import named, wrong_in, wrong_in_chain

_FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


@contextmanager
def _staying() -> Iterator[None]:
    """What a file does may not end the audit with the file's own status: in this process `os._exit` raises."""
    own, usual = os.getpid(), os._exit

    def leave(status: int) -> NoReturn:
        if os.getpid() == own:
            raise SystemExit(f"os._exit({status})")
        usual(status)  # of a process that the file started

    os._exit = leave
    try:
        yield
    finally:
        os._exit = usual


@_staying()
def load_files(paths: Sequence[Path]) -> Registry:
    """The claims, derivations and studies of a user's own files, together.

    Each is run, as pytest runs a test file, but for statements that fail: those after them are run too.

    Raises:
        InputError: where a file is missing, does not run, or states no claim; for several errors an `InputErrors`.
    """
    for path in paths:
        if not path.is_file() or path.suffix != ".py":
            raise InputError("claims file", "a readable Python file (.py)", path, "check the path")
        if path.stem in _needed():  # what stands beside a file comes before what is installed
            raise InputError("claims file", "a name that no module has which boundaudit needs", path, "rename it")
    errors: list[InputError] = []
    registry = Registry([])
    symbols: dict[str, dict[str, Symbol]] = {}
    for path in paths:
        before = len(errors)
        module = _ran(path, errors)
        symbols[str(path)] = _symbols_in(module)
        entries = members(module)
        if len(errors) == before and not any(isinstance(entry, Claim) for entry in entries):
            errors.append(
                InputError(str(path), "at least one Claim at module level", "none", "assign a Claim to a name")
            )
        errors += [error for entry in entries for error in _added(registry, entry)]
    errors += registry.wrong_references() if not errors else []  # a reference to what has failed is no other error
    for claim in registry.members.values():
        errors += list(wrong_in(claim)) or _misread(claim, symbols.get(claim.source.rpartition(":")[0], {}))
    for chain in registry.derivations.values():
        errors += wrong_in_chain(chain)
    InputErrors.told(errors)
    return registry


@_staying()
def run_file(path: Path) -> ModuleType:
    """Run a user's own file as claims files are run.

    Raises:
        InputError: where it does not run; for several errors an `InputErrors`.
    """
    errors: list[InputError] = []
    module = _Running(path, errors).run()
    InputErrors.told(errors)
    return module


@functools.cache
def _needed() -> frozenset[str]:
    """The modules that this package stands on, as far as they have their distributions' names."""
    required = metadata.requires("boundaudit") or ()
    return frozenset({"boundaudit", *(re.split(r"\W", name)[0] for name in required)})


def _added(registry: Registry, entry: Entry) -> list[InputError]:
    """Add to a registry; what is wrong with it otherwise."""
    label, source = entry.label, entry.source if isinstance(entry, Claim) else ""
    try:
        registry.add(entry)
    except InputError as error:
        return [named(error, label, source) if source else error]
    except TypeError as error:  # a case changes a field that claims lack
        return [InputError(f"{label} ({source})", "cases that change fields of a claim", error, "correct the cases")]
    return []


def _ran(path: Path, errors: list[InputError]) -> ModuleType:
    """What a file makes; its errors are added to those given."""
    try:
        return _Running(path, errors).run()
    except InputError as error:
        errors.append(error)
        return ModuleType(path.stem)


def _symbols_in(module: ModuleType) -> dict[str, Symbol]:
    """The symbols of a module of which there are two with one name: SymPy tells them apart, a reader cannot."""
    found = {name: value for name, value in vars(module).items() if isinstance(value, (Symbol, IndexedBase))}
    count = Counter((type(value), str(value)) for value in {*found.values()})
    return {name: value for name, value in found.items() if count[type(value), str(value)] > 1}


def _misread(claim: Claim, symbols: Mapping[str, Symbol]) -> list[InputError]:
    """A symbol of a parameter's name of which SymPy assumes more, where the claim is stated: it may have used that."""
    for name in names_at(claim.source) if symbols else ():
        found = claim.domain.ranges.get(str(symbols[name])) if name in symbols else None
        if found is not None and (gap := unearned(symbols[name], found)) is not None:
            field = f"{claim.label}.domain ({claim.source})"
            return [InputError(field, f"one symbol called {symbols[name]}", f"{name}, which is {gap}", "rename one")]
    return []


class _Running:
    """A claims file that is run statement by statement."""

    def __init__(self, path: Path, errors: list[InputError]) -> None:
        self._path = path
        self._errors = errors
        self._lost: set[str] = set()

    def run(self) -> ModuleType:
        """Run the file as a module, with all that the statements that ran have made."""
        statements = self._parsed()
        module = self._module()
        held: list[tuple[int, str, object]] = []
        for statement, code in statements:
            made = set(_names_made_by(statement))
            held += [(statement.lineno, name, vars(module).get(name)) for name in made]
            try:
                exec(code, vars(module))
            except BaseException as error:  # a file may raise anything, also what pytest skips a test with
                if isinstance(error, KeyboardInterrupt):
                    raise
                # What uses a name that a failed statement would have made fails for no reason of its own.
                if not (isinstance(error, NameError) and error.name in self._lost):
                    self._errors.append(self._told(statement, error))
                self._lost |= made
                if not isinstance(error, Exception):
                    break
        self._errors += self._renamed(held, module)
        return module

    def _renamed(self, held: Sequence[tuple[int, str, object]], module: ModuleType) -> Iterator[InputError]:
        """The claims whose names were given to something else, by line: nothing would judge them."""
        kept = {entry.label for entry in members(module) if isinstance(entry, Claim)}
        for line, name, old in held:
            if isinstance(old, Claim) and old.label not in kept:
                got = f"{name} for something else than {old.label}"
                yield InputError(f"{self._path}:{line}", "a name of its own for each claim", got, "rename one")

    def _module(self) -> ModuleType:
        folders = _packages(self._path)
        if (root := str(self._path.resolve().parents[len(folders)])) not in sys.path:
            sys.path.insert(0, root)  # as pytest does: what stands beside the file, or its package, can be imported
        name = ".".join([*folders, f"boundaudit_claims_{self._path.stem}_{digest(str(self._path.resolve()))}"])
        spec = importlib.util.spec_from_file_location(name, self._path)
        if spec is None:
            raise InputError("claims file", "a Python file (.py)", self._path, "rename it")
        sys.modules[name] = importlib.util.module_from_spec(spec)
        return sys.modules[name]

    def _parsed(self) -> list[tuple[ast.stmt, CodeType]]:
        """The statements of the file and their code."""
        name = str(self._path)
        try:
            tree = ast.parse(self._path.read_bytes(), name)
            flags = compile(tree, name, "exec", dont_inherit=True).co_flags & _FUTURE
            compiled: Callable[[ast.stmt], CodeType] = lambda statement: compile(  # noqa: E731
                ast.Module([statement], []), name, "exec", flags, dont_inherit=True
            )
            return [(statement, compiled(statement)) for statement in tree.body]
        except SyntaxError as error:
            raise InputError(f"{name}:{error.lineno or 1}", "Python", error.msg, "correct the syntax") from None
        except OSError as error:
            raise InputError(
                "claims file", "a readable Python file (.py)", f"{name} ({error.strerror})", "check it"
            ) from None
        except (ValueError, RecursionError, MemoryError) as error:
            got = str(error) or "more levels of brackets than can be read"
            raise InputError(f"{name}:1", "Python", got, "correct the syntax") from None

    def _told(self, statement: ast.stmt, error: BaseException) -> InputError:
        """An error in one line, with file, line, and the claim that the statement makes there."""
        line = self._line(error) or statement.lineno
        place = f"{self._path}:{line}"
        if not isinstance(error, InputError):
            return InputError(place, "a file that runs", told(error), remedy(error, "correct the file"))
        if str(self._path) in error.field:
            return error
        label = _label_at(statement, line)
        return InputError(f"{f'{label} ({place})' if label else place}: {error.field}", *error.args[1:])

    def _line(self, error: BaseException) -> int:
        """The last line of the user's own file in a traceback; 0 where there is none."""
        line, trace = 0, error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == str(self._path):
                line = trace.tb_lineno
            trace = trace.tb_next
        return line


def _packages(path: Path) -> list[str]:
    """The packages that a file is in, the outermost first."""
    found = itertools.takewhile(lambda folder: (folder / "__init__.py").exists(), path.resolve().parents)
    return [folder.name for folder in found][::-1]


def _names_made_by(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement of a module makes."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]


def _label_at(statement: ast.stmt, line: int) -> str | None:
    """The label of the innermost call around a line that has one."""
    found = None
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and node.lineno <= line <= (node.end_lineno or line):
            labels = [
                word.value.value
                for word in node.keywords
                if word.arg == "label" and isinstance(word.value, ast.Constant)
            ]
            found = str(labels[0]) if labels else found
    return found
