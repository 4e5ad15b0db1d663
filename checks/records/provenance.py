"""What a measurement consists of: the syntax trees of the functions it reaches, and the values that they read.

Code is read, never run: from a function through every name that it uses, in its own module and in those that it imports
from, down to the engine and to other libraries. Comments, docstrings, annotations, line numbers and functions that are
not reached count for nothing. Module constants, closures, default and bound arguments and the attributes of objects
count by their values, however these came about: only a change of what is computed makes evidence stale.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Hashable, Mapping
from enum import Enum
from functools import cached_property, lru_cache, partial
from importlib import import_module
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from boundaudit.checks.language.built import Built
from boundaudit.checks.records.source import Place, definition, is_followed, module_of

_PLAIN = (str, bytes, int, float, complex, type(None), type(...))
_ADDRESS = re.compile(r"\bat 0x[0-9a-f]+")
_DUMMY = re.compile(r"dummy_index=\d+")


def code_of(*functions: Any) -> list[str]:
    """Sorted hashes of the normalised syntax trees of all that some functions reach, and of the values that they read.

    Functions, bound methods, partial applications or objects that can be called.
    """
    reader = _Reader()
    told = [reader.told(function) for function in functions]
    return sorted({*reader.code.values(), *map(_hash, reader.values.values()), *map(_hash, told)})


class _Reader:
    """Follows functions and values.

    ``code`` holds the hash of what each name that was reached is defined as; ``values`` what each module constant that
    was reached holds, in words that are the same wherever it holds it.
    """

    def __init__(self) -> None:
        self.code: dict[Place, str] = {}
        self.values: dict[Place, str] = {}
        self._names: dict[str, Mapping[str, Any]] = {}
        self._open: set[int] = set()

    def told(self, value: Any) -> str:
        """A value in words, the same in every process, or its type where nothing can be told; its code is followed."""
        if isinstance(value, _PLAIN) and type(value).__module__ == "builtins":
            return f"{type(value).__name__} {value!r}"
        if id(value) in self._open:
            return "itself"
        self._open.add(id(value))
        try:
            return self._told(value)
        finally:
            self._open.discard(id(value))

    def _told(self, value: Any) -> str:
        if isinstance(value, FunctionType):
            return self._function(value)
        if isinstance(value, MethodType):
            return f"{self.told(value.__func__)} of {self.told(value.__self__)}"
        if isinstance(value, partial):
            return self._all("partial", value.func, value.args, value.keywords)
        if hasattr(value, "__wrapped__"):
            return self.told(value.__wrapped__)
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, Enum):
            return f"{self._class(type(value))}.{value.name}"
        if isinstance(value, (set, frozenset)):
            return f"set {sorted(map(self.told, value))}"
        if isinstance(value, (tuple, list)):
            return self._all(_name(type(value)), *value)
        if isinstance(value, Mapping):
            return self._all(_name(type(value)), *(part for item in value.items() for part in item))
        return self._object(value)

    def _all(self, what: str, *parts: Any) -> str:
        return f"{what}({', '.join(map(self.told, parts))})"

    def _function(self, function: FunctionType) -> str:
        """A function: what it is defined as, what it holds, and all that it reaches."""
        code, outermost = function.__code__, function.__qualname__.split(".")[0]
        held = [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]
        if not os.path.isfile(code.co_filename):
            made = _compiled(code)
        elif not is_followed(code.co_filename):
            name = f"{function.__module__}.{function.__qualname__}"
            return self._all(name, *held) if held else name
        else:
            self._names.setdefault(code.co_filename, function.__globals__)
            # A lambda, alone or in a comprehension, has no name of its module's.
            name = str(code.co_firstlineno) if outermost.startswith("<") else outermost
            made = self.reach((code.co_filename, name))
        return self._all(f"function {made}", *held, function.__defaults__, function.__kwdefaults__)

    def _class(self, kind: type) -> str:
        """A class: what it is defined as, and the data that it and what it inherits from hold."""
        place = self._home(kind)
        if place is None:
            return _name(kind)
        held = [item for base in kind.__mro__ if self._home(base) for item in vars(base).items()]
        data = {name: value for name, value in held if not name.startswith("__") and _is_data(value)}
        return self._all(f"class {self.reach(place)}", data)

    def _home(self, kind: type) -> Place | None:
        """Where a class is defined, if its code is followed."""
        name = kind.__qualname__.split(".")[0]
        module = sys.modules.get(kind.__module__)
        file = getattr(module, "__file__", None)
        if file is None:
            file = next((file for file, names in self._names.items() if names.get(name) is kind), None)
        return (file, name) if file is not None and is_followed(file) else None

    def _object(self, value: Any) -> str:
        """An object by its attributes where its class is followed or of the engine; else by how it shows itself."""
        kind, library = type(value), type(value).__module__.partition(".")[0]
        if library != "sympy" and any(base.__module__.startswith("sympy.") for base in kind.__mro__):
            # What SymPy keeps of a symbol differs from process to process; what is ours is public.
            own = {name: held for name, held in sorted(vars(value).items()) if not name.startswith("_")}
            return self._all(f"{_name(kind)} {_expression(value)}", own)
        if isinstance(value, ModuleType):
            return f"module {value.__name__}"
        if library in ("numpy", "torch") and hasattr(value, "shape") and hasattr(value, "tolist"):
            return f"{_name(kind)} {value.dtype} {tuple(value.shape)} {_hash(repr(value.tolist()))}"
        if library == "sympy":
            return (_expression if isinstance(value, Hashable) else _expression.__wrapped__)(value)
        if library == "boundaudit" and self._home(kind) is None:
            meaning = getattr(value, "label", None) or getattr(value, "key", None)
            if isinstance(meaning, str):
                return f"{_name(kind)} {meaning}"
        if self._home(kind) is not None or library == "boundaudit":
            return self._all(self._class(kind), _attributes(value))
        shown = repr(value)
        return _name(kind) if _ADDRESS.search(shown) else f"{_name(kind)} {shown}"

    def reach(self, place: Place) -> str:
        """Follow a name of a module and everything that its definition uses; the hash of its own definition."""
        waiting = [place]
        while waiting:
            at = waiting.pop()
            if at in self.code:
                continue
            found = definition(at, str(self._module(at[0]).get("__package__") or ""))
            self.code[at] = found.hash
            if found.is_constant and at[1] in self._module(at[0]):
                self.values[at] = ""  # met again while it is told, it is itself
                self.values[at] = f"{at[1]} = {self.told(self._module(at[0])[at[1]])}"
            waiting.extend(found.uses)
        return self.code[place]

    def _module(self, file: str) -> Mapping[str, Any]:
        """The names of a module, loaded as its measurements will load it."""
        if file not in self._names:
            name = module_of(file)
            self._names[file] = {} if name is None else vars(import_module(name))
        return self._names[file]


@lru_cache(maxsize=4096)
def _expression(value: Any) -> str:
    """Something of SymPy's, of which many functions hold the same."""
    import sympy as sp

    return _DUMMY.sub("", sp.srepr(value))


def _is_filled(cell: CellType) -> bool:
    """Whether the name that a closure holds has a value yet."""
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


def _is_data(value: Any) -> bool:
    """Whether a class attribute is no code, which counts by its syntax tree."""
    coded = (FunctionType, staticmethod, classmethod, property, cached_property)
    return not isinstance(value, coded) and not hasattr(type(value), "__get__")


def _attributes(value: Any) -> dict[str, Any]:
    """What an object holds, sorted; not what it has computed or built of itself, which depends on what has run."""
    kind: Any = type(value)  # no Hashable to mypy
    lazy, slots = _parts(kind)
    held = {**getattr(value, "__dict__", {}), **{name: getattr(value, name) for name in slots if hasattr(value, name)}}
    return {name: held[name] for name in sorted(held) if name not in lazy}


@lru_cache(maxsize=1024)
def _parts(kind: type) -> tuple[frozenset[str], tuple[str, ...]]:
    """Where objects of a class keep what they compute or build of themselves, and their slots."""
    own = [item for base in kind.__mro__ for item in vars(base).items()]
    computed = {name for name, value in own if isinstance(value, cached_property)}
    built = {f"_{name}" for name, value in own if isinstance(value, Built)}
    return frozenset(computed | built), tuple(name for base in kind.__mro__ for name in _slots(base))


def _slots(kind: type) -> tuple[str, ...]:
    slots = vars(kind).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _compiled(code: CodeType) -> str:
    """A function that was typed in, of which there is no source."""
    constants = [_compiled(part) if isinstance(part, CodeType) else repr(part) for part in code.co_consts]
    return _hash(repr((code.co_code, code.co_names, constants)))


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
