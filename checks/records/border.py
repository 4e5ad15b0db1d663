"""JSON that somebody else may have written: read strictly, or refused in one line that names the place.

Numbers are finite, nesting is bounded, and no text holds a character that a terminal would obey.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import json
import math
import re
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NoReturn, Union, get_args, get_origin, get_type_hints, is_typeddict

from boundaudit import InputError, visible

REMEDY = "give a folder that `boundaudit verify --out` wrote, or run verify again"
MOST_NESTED = 200
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_BRACKETS = re.compile(r"[][{}]+")
_ESCAPED = re.compile(r"\\[bfu]")


class Misfit(ValueError):
    """Data of another shape than a record has: what field, what it needs, what it is."""

    def __init__(self, field: str, expected: str, got: object) -> None:
        """Keep the parts."""
        super().__init__(field, expected, got)

    def at(self, place: str) -> InputError:
        """The same, not yet raised, for the reader of a file: the place is such as a file, a line and a label."""
        field, expected, got = self.args
        return InputError(f"{place}: {field}" if field else place, expected, got, REMEDY)


@contextlib.contextmanager
def without_collecting() -> Iterator[None]:
    """Leave the cyclic collector off while records are read: none has a cycle, and it would search them all again."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()  # to the oldest generation, as if they had been searched
            gc.enable()


def read_json(path: Path) -> Any:
    """The JSON value that is a whole file.

    Raises:
        InputError: where it cannot be read, or is not strict JSON.
    """
    return parsed(read_text(path), _short(path))


def read_lines(path: Path) -> Iterator[tuple[str, Any]]:
    """The JSON values of a file, one a line, and where each stands, such as ``receipts/coin.jsonl:3``.

    Raises:
        InputError: where one cannot be read, or is not strict JSON.
    """
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if line:
            place = f"{_short(path)}:{number}"
            yield place, parsed(line, place)


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        InputError: where it cannot be read, or is not UTF-8.
    """
    if path.is_fifo():  # nobody may ever write there
        raise InputError(_short(path), "a readable UTF-8 file", "a pipe", REMEDY)
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(_short(path), "a readable UTF-8 file", error, REMEDY) from None


def parsed(text: str, place: str) -> Any:
    """Read JSON strictly; control and bidirectional characters in its texts are written out.

    Raises:
        InputError: where it is no JSON, is nested too deeply, or holds a number that is none.
    """
    try:
        if text.count("[") + text.count("{") > MOST_NESTED and _depth(text) > MOST_NESTED:
            raise InputError(place, f"JSON of at most {MOST_NESTED} levels", "more", REMEDY)
        value = json.loads(text, parse_constant=_refused, parse_float=_finite)
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError(place, "JSON", error, REMEDY) from None
    return _visible(value) if _ESCAPED.search(text) or visible(text) != text else value


def _short(path: Path) -> str:
    """A file of a run, by its folder's name and its own."""
    return "/".join(path.parts[-2:])


def _depth(text: str) -> int:
    """How deep lists and objects are nested, at most one more than is allowed."""
    brackets = "".join(_BRACKETS.findall(_STRING.sub("", text)))
    for depth in range(MOST_NESTED + 1):
        inner = brackets.replace("[]", "").replace("{}", "")
        if inner == brackets:
            return depth
        brackets = inner
    return MOST_NESTED + 1


def _refused(name: str) -> NoReturn:
    raise ValueError(f"a finite number is needed, not {name}")


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _refused(text)


def _visible(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, list):
        return [_visible(entry) for entry in value]
    return {visible(name): _visible(entry) for name, entry in value.items()} if isinstance(value, dict) else value


# --- shapes ---------------------------------------------------------------------------------------


def conform(value: Any, hint: Any, field: str = "") -> None:
    """Require that a value is what an annotation says, dataclasses and their fields included.

    Raises:
        Misfit: where it is not; it names the field, such as ``evidence[0].evaluations``.
    """
    if hint in _PLAIN:
        right = isinstance(value, _PLAIN[hint]) and (hint is bool or not isinstance(value, bool))
        _require(right and not (hint is float and abs(value) > _LARGEST), field, _NAMES[hint], value)
        return
    origin, arguments = _parts(hint)
    if origin in (Union, types.UnionType):
        _conform_to_one(value, arguments, field)
    elif origin is Literal:
        _require(value in arguments, field, ", ".join(map(str, arguments)), value)
    elif origin in (tuple, list, Sequence):
        _require(isinstance(value, (tuple, list)), field, "a list", value)
        for place, entry in enumerate(value):
            conform(entry, arguments[0], f"{field}[{place}]")
    elif origin in (dict, Mapping):
        _require(isinstance(value, dict), field, "an object", value)
        for name, entry in value.items():
            conform(entry, arguments[1], f"{field}.{name}")
    elif is_typeddict(hint):
        _conform_to_keys(value, hint, field)
    elif hint is not Any:
        _require(isinstance(value, hint), field, hint.__name__, value)
        for name, entry in _hints(hint).items():
            conform(getattr(value, name), entry, f"{field}.{name}" if field else name)


_LARGEST = sys.float_info.max
"""What a number may be at most: a larger integer would fail where it is divided."""
_PLAIN: dict[Any, tuple[type, ...]] = {int: (int,), float: (int, float), str: (str,), bool: (bool,)}
_NAMES = {int: "an integer", float: "a number", str: "words", bool: "true or false"}


def _conform_to_one(value: Any, hints: Sequence[Any], field: str) -> None:
    """One of several annotations; what is wrong is told of the last."""
    if value is None and type(None) in hints:
        return
    *others, last = [hint for hint in hints if hint is not type(None)]
    if not any(_conforms(value, hint) for hint in others):
        conform(value, last, field)


def _conforms(value: Any, hint: Any) -> bool:
    try:
        conform(value, hint)
    except Misfit:
        return False
    return True


def _conform_to_keys(value: Any, hint: Any, field: str) -> None:
    """An object with all the keys that are required; what else it has is left alone."""
    _require(isinstance(value, dict), field, "an object", value)
    for name, entry in _hints(hint).items():
        where = f"{field}.{name}" if field else name
        _require(name in value or name not in hint.__required_keys__, where, "a value", "none")
        if name in value:
            conform(value[name], entry, where)


@functools.cache
def _parts(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(hint), get_args(hint)


@functools.cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _require(holds: bool, field: str, expected: str, got: object) -> None:
    if not holds:
        raise Misfit(field, expected, got)
