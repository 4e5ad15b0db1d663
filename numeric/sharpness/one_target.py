"""One target function of paper 1: a sum of even-parity indicators on sets of positions; loads no tensors.

A target is f(x) = sum_t c_t chi_t(x) with chi_t(x) = 1 when an even number of the bits in S_t is one, else 0 (Lintilhac
& Shaikh 2026, Equation 1). The published construction needs sets of one size D and positive coefficients; sets of
several sizes and negative coefficients are served by its extension. Either has room for at most T components.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from boundaudit import InputError
from boundaudit.numeric.files import read_bytes

MEMORY_LIMIT = 2**30
"""Bytes that the float64 weights of one target's network may take."""


@dataclass(frozen=True)
class Target:
    """One target function, checked when it is made.

    Attributes:
        length: the number T of input bits, at least 2.
        components: the sets S_t as sorted tuples of positions 1..T.
        coefficients: the numbers c_t, one for each component, none of them zero.
    """

    length: int
    components: tuple[tuple[int, ...], ...]
    coefficients: tuple[float, ...]

    def __post_init__(self) -> None:
        """Check every field and bring it into its canonical form."""
        _check_length(self.length)
        components = _checked_components(self.components, self.length)
        coefficients = _checked_coefficients(self.coefficients, len(components))
        object.__setattr__(self, "components", components)
        object.__setattr__(self, "coefficients", coefficients)
        _check_memory(self.length, self.grid_degree)

    @property
    def degrees(self) -> tuple[int, ...]:
        """The size D_t of each component."""
        return tuple(map(len, self.components))

    @property
    def degree(self) -> int:
        """The largest size D of a component."""
        return max(self.degrees)

    @property
    def grid_degree(self) -> int:
        """The degree of the MLP: the largest D_t, a component with a negative coefficient counting one more."""
        return max(d + (c < 0) for d, c in zip(self.degrees, self.coefficients, strict=True))

    @property
    def is_positive(self) -> bool:
        """Whether all coefficients are positive."""
        return min(self.coefficients) > 0

    @property
    def sparsity(self) -> int:
        """The number ω of components."""
        return len(self.components)

    @property
    def coefficient_sum(self) -> float:
        """The sum C of the coefficients, which is also the value f(0)."""
        return math.fsum(self.coefficients)

    @property
    def absolute_sum(self) -> float:
        """The sum A of the coefficients' absolute values; C where all of them are positive."""
        return math.fsum(map(abs, self.coefficients))

    @property
    def negative_sum(self) -> float:
        """The sum of the absolute values of the negative coefficients alone."""
        return math.fsum(-c for c in self.coefficients if c < 0)

    @classmethod
    def from_json(cls, record: object) -> Target:
        """Read ``{"length", "components", "coefficients"}``, exactly, from JSON; InputError where it does not fit."""
        names = [field.name for field in fields(cls)]
        form = "an object with the keys " + ", ".join(names)
        if not isinstance(record, Mapping):
            raise InputError("target", form, type(record).__name__, "write one JSON object")
        for name in names:
            if name not in record:
                raise InputError(name, "a value", "nothing", f"add the key {name!r}")
        for key in record:
            if key not in names:
                raise InputError(str(key), form, f"the key {key!r}", "remove this key")
        return cls(**record)


def load_target(path: str | Path) -> Target:
    """Read a target from a UTF-8 JSON file; InputError when it cannot be read, is no strict JSON or no valid target."""
    try:
        text = read_bytes(Path(path), "target").decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError("target", "a readable UTF-8 file", f"{path} ({error})", "check the path") from error
    try:
        record = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_object_without_repeats)
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError("target", "valid JSON", f"{path} ({error})", "mend the file") from error
    return Target.from_json(record)


def _check_length(length: object) -> None:
    """Raise InputError unless this is an integer of at least 2: the logits are multiples of log T."""
    if type(length) is not int or length < 2:
        raise InputError("length", "an integer of at least 2", repr(length), "give the number of input bits")


def _check_memory(length: int, degree: int) -> None:
    """Raise InputError unless the weights of the larger layout (T+3 channels) fit in memory."""
    channels, units = length + 3, 4 * (degree + 1)
    needed = 8 * (3 * channels**2 + channels + (2 * channels + 1) * units)
    if needed > MEMORY_LIMIT:
        expected = f"blocks of at most {MEMORY_LIMIT} bytes"
        raise InputError("length", expected, f"{length}, which needs {needed} bytes", "shorten the input")


def _checked_components(components: object, length: int) -> tuple[tuple[int, ...], ...]:
    """The components as sorted tuples; InputError names the first bad one."""
    if not isinstance(components, list | tuple) or not components:
        raise InputError("components", "a non-empty list of lists of positions", repr(components), "list the sets")
    if len(components) > length:
        got = f"{len(components)} components"
        raise InputError("components", f"at most T = {length} of them", got, "drop some or lengthen the input")
    result: dict[tuple[int, ...], int] = {}
    for index, component in enumerate(components):
        name = f"components[{index}]"
        positions = _checked_positions(component, length, name)
        if positions in result:
            got = f"the set of components[{result[positions]}] again"
            raise InputError(name, "a set of its own", got, "add the two coefficients and keep one set")
        result[positions] = index
    return tuple(result)


def _checked_positions(component: object, length: int, name: str) -> tuple[int, ...]:
    """One component as a sorted tuple; InputError unless it is a set of positions 1..length."""
    if not isinstance(component, list | tuple) or not component:
        raise InputError(name, "a non-empty list of positions", repr(component), "list the positions, from 1")
    for position in component:
        if type(position) is not int or not 1 <= position <= length:
            raise InputError(name, f"integers from 1 to {length}", repr(position), "count positions from 1")
    if len(set(component)) < len(component):
        raise InputError(name, "distinct positions", repr(component), "name each position once")
    return tuple(sorted(component))


def _checked_coefficients(coefficients: object, count: int) -> tuple[float, ...]:
    """The coefficients as floats, one for each component; InputError names the first bad one."""
    if not isinstance(coefficients, list | tuple):
        raise InputError("coefficients", "a list of numbers", repr(coefficients), "list one for each component")
    if len(coefficients) != count:
        expected = f"{count} numbers, one for each component"
        raise InputError("coefficients", expected, f"{len(coefficients)}", "match the two lists")
    values = tuple(_checked_coefficient(c, f"coefficients[{i}]") for i, c in enumerate(coefficients))
    total = sum(map(abs, values))
    if not math.isfinite(total * total):
        expected = "absolute values whose sum has a finite square"
        raise InputError("coefficients", expected, repr(total), "rescale the target")
    return values


def _checked_coefficient(value: Any, name: str) -> float:
    """The coefficient as a float; InputError unless it is finite and not zero."""
    largest = sys.float_info.max
    if type(value) not in {int, float} or not 0 < abs(value) <= largest:
        raise InputError(name, "a finite number other than zero", repr(value), "drop components of weight zero")
    return float(value)


def _refuse_constant(name: str) -> float:
    """Raise InputError for the NaN and Infinity that Python's reader accepts beyond the standard."""
    raise InputError("target", "finite numbers", name, "write a number")


def _object_without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A JSON object; InputError when a key stands in it twice."""
    record: dict[str, object] = {}
    for key, value in pairs:
        if key in record:
            raise InputError(key, "one value", "the key twice", "keep one of them")
        record[key] = value
    return record
