"""Targets of paper 1: sums of even-parity indicators on sets of positions.

A target is f(x) = sum_t c_t chi_t(x) with chi_t(x) = 1 when an even number of the
bits in S_t is one, else 0 (Lintilhac & Shaikh 2026, Equation 1). The published construction
needs sets of one size D and positive coefficients; sets of several sizes and negative
coefficients are served by its extension. Either has room for at most T components.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from boundaudit import InputError

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
        """Read a target from decoded JSON: ``{"length", "components", "coefficients"}``.

        Args:
            record: what the JSON decoded to; exactly these three keys are accepted.

        Returns:
            The checked target.

        Raises:
            InputError: when a key is missing or unknown, or a value does not fit.
        """
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
    """Read a target from a JSON file.

    Args:
        path: the file, in UTF-8.

    Returns:
        The checked target.

    Raises:
        InputError: when the file cannot be read, is not strict JSON or holds no valid target.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InputError("target", "a readable UTF-8 file", f"{path} ({error})", "check the path") from error
    try:
        record = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_object_without_repeats)
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError("target", "valid JSON", f"{path} ({error})", "mend the file") from error
    return Target.from_json(record)


@dataclass(frozen=True)
class TargetBatch:
    """Many targets of different T, D and ω, padded to common shapes.

    Attributes:
        length: T of each target, int64, shape (B,).
        degree: the degree of each target's MLP, which is D for sets of one size and positive coefficients
            and else `Target.grid_degree`, int64, shape (B,).
        sparsity: ω of each target, int64, shape (B,).
        members: whether a position lies in a component, bool, shape (B, w_max, T_max).
        coefficients: c_t, zero beyond ω, float64, shape (B, w_max).
    """

    length: Tensor
    degree: Tensor
    sparsity: Tensor
    members: Tensor
    coefficients: Tensor

    @classmethod
    def from_tensors(cls, length: Tensor, members: Tensor, coefficients: Tensor) -> TargetBatch:
        """Take ready tensors and derive the degree and ω from them.

        Args:
            length: T of each target, integers, shape (B,).
            members: bool, shape (B, w_max, T_max); the first ω rows of a target are its components.
            coefficients: shape (B, w_max), zero from the entry ω on and nowhere before.

        Returns:
            The batch, on the device of ``members``.

        Raises:
            InputError: when shapes disagree or a target breaks the rules of `Target` (a set that comes
                twice is not looked for).
        """
        count, rows, columns = members.shape
        if rows > columns or length.shape != (count,) or coefficients.shape != (count, rows):
            expected = "(B, w_max, T_max) with w_max <= T_max, length (B,) and coefficients (B, w_max)"
            got = ", ".join(str(tuple(tensor.shape)) for tensor in (members, length, coefficients))
            raise InputError("members", expected, got, "match the shapes")
        size = members.sum(-1)
        degree = (size + (coefficients < 0)).amax(-1)
        batch = cls(length.long(), degree, (size > 0).sum(-1), members, coefficients.double())
        _check_batch(batch, columns)
        return batch

    @classmethod
    def stack(cls, targets: Sequence[Target], *, device: torch.device | str = "cpu") -> TargetBatch:
        """Stack targets, padding each to the largest T and ω.

        Args:
            targets: at least one target.
            device: where the tensors shall live.

        Returns:
            The batch, in the order of ``targets``.

        Raises:
            InputError: when there is no target.
        """
        if not targets:
            raise InputError("targets", "at least one target", "none", "pass a target")
        length, degree, sparsity = np.array([(t.length, t.grid_degree, t.sparsity) for t in targets]).T
        rows = int(sparsity.max())
        owner = np.repeat(np.arange(len(targets)), sparsity)
        row = np.arange(len(owner)) - np.repeat(np.cumsum(sparsity) - sparsity, sparsity)
        sizes = np.fromiter(chain.from_iterable(t.degrees for t in targets), dtype=np.int64, count=len(owner))
        flat = chain.from_iterable(chain.from_iterable(t.components) for t in targets)
        position = np.fromiter(flat, dtype=np.int64, count=int(sizes.sum())) - 1
        members = np.zeros((len(targets), rows, int(length.max())), dtype=bool)
        members[np.repeat(owner, sizes), np.repeat(row, sizes), position] = True
        coefficients = np.zeros((len(targets), rows))
        coefficients[owner, row] = np.fromiter(chain.from_iterable(t.coefficients for t in targets), dtype=float)
        tensors = (torch.from_numpy(a.copy()) for a in (length, degree, sparsity, members, coefficients))
        return cls(*(tensor.to(device) for tensor in tensors))

    def __len__(self) -> int:
        """Return the number B of targets."""
        return len(self.length)

    def __getitem__(self, part: slice) -> TargetBatch:
        """Return a run of targets, with the padding of the whole batch."""
        return TargetBatch(*(getattr(self, field.name)[part] for field in fields(self)))

    def repeat(self, count: int) -> TargetBatch:
        """Return the only target of a batch of one ``count`` times, without copying it."""
        return TargetBatch(
            *(getattr(self, f.name).expand(count, *getattr(self, f.name).shape[1:]) for f in fields(self))
        )

    @property
    def device(self) -> torch.device:
        """Where the tensors live."""
        return self.members.device

    @property
    def max_length(self) -> int:
        """T_max, the padded number of bits."""
        return self.members.shape[-1]

    @property
    def max_sparsity(self) -> int:
        """The padded number of components."""
        return self.members.shape[-2]

    @property
    def absolute_sum(self) -> Tensor:
        """A of each target, which is C where all coefficients are positive, shape (B,)."""
        return self.coefficients.abs().sum(-1)

    @property
    def sizes(self) -> Tensor:
        """D_t of each component, zero beyond ω, int64, shape (B, w_max)."""
        return self.members.sum(-1)

    @property
    def room(self) -> Tensor:
        """By how much each component is smaller than the degree, zero beyond ω, int64, shape (B, w_max)."""
        return torch.where(self.active, self.degree[:, None] - self.sizes, 0)

    @property
    def active(self) -> Tensor:
        """Whether component t exists, bool, shape (B, w_max)."""
        return torch.arange(self.max_sparsity, device=self.device) < self.sparsity[:, None]

    @property
    def real_positions(self) -> Tensor:
        """Whether a position is an input bit and not padding, bool, shape (B, T_max)."""
        return torch.arange(self.max_length, device=self.device) < self.length[:, None]


def _check_length(length: object) -> None:
    """Require an integer of at least 2: the logits are multiples of log T.

    Raises:
        InputError: otherwise.
    """
    if type(length) is not int or length < 2:
        raise InputError("length", "an integer of at least 2", repr(length), "give the number of input bits")


def _check_memory(length: int, degree: int) -> None:
    """Require that the weights of the larger layout (T+3 channels) fit in memory.

    Raises:
        InputError: when they do not.
    """
    channels, units = length + 3, 4 * (degree + 1)
    needed = 8 * (3 * channels**2 + channels + (2 * channels + 1) * units)
    if needed > MEMORY_LIMIT:
        expected = f"blocks of at most {MEMORY_LIMIT} bytes"
        raise InputError("length", expected, f"{length}, which needs {needed} bytes", "shorten the input")


def _checked_components(components: object, length: int) -> tuple[tuple[int, ...], ...]:
    """Return the components as sorted tuples.

    Raises:
        InputError: names the first bad one.
    """
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
    """Return one component as a sorted tuple of distinct positions 1..length.

    Raises:
        InputError: when it is no such set.
    """
    if not isinstance(component, list | tuple) or not component:
        raise InputError(name, "a non-empty list of positions", repr(component), "list the positions, from 1")
    for position in component:
        if type(position) is not int or not 1 <= position <= length:
            raise InputError(name, f"integers from 1 to {length}", repr(position), "count positions from 1")
    if len(set(component)) < len(component):
        raise InputError(name, "distinct positions", repr(component), "name each position once")
    return tuple(sorted(component))


def _checked_coefficients(coefficients: object, count: int) -> tuple[float, ...]:
    """Return the coefficients as floats, one for each component.

    Raises:
        InputError: names the first bad one.
    """
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
    """Return one coefficient as a finite float other than zero.

    Raises:
        InputError: when it is none.
    """
    largest = sys.float_info.max
    if type(value) not in {int, float} or not 0 < abs(value) <= largest:
        raise InputError(name, "a finite number other than zero", repr(value), "drop components of weight zero")
    return float(value)


def _check_batch(batch: TargetBatch, columns: int) -> None:
    """Apply the rules of `Target` to a whole batch at once.

    Raises:
        InputError: names the rule and the first target that breaks it.
    """
    first = (batch.sizes > 0) == batch.active
    padding = (batch.members & ~batch.real_positions[:, None]).flatten(1).any(-1)
    weighted = (batch.coefficients != 0) == batch.active
    finite = batch.coefficients.isfinite()
    rules = {
        "length": ((batch.length >= 2) & (batch.length <= columns), f"from 2 to {columns}"),
        "members": (~padding & first.all(-1), "positions within the length, in the first rows"),
        "sparsity": (
            (batch.sparsity >= 1) & (batch.sparsity <= batch.length),
            "at least one component and at most as many as positions",
        ),
        "coefficients": ((weighted & finite).all(-1), "one number other than zero for each component, zeros after"),
    }
    for name, (holds, expected) in rules.items():
        if not bool(holds.all()):
            index = int((~holds).nonzero()[0])
            got = getattr(batch, name)[index].tolist()
            raise InputError(f"{name}[{index}]", expected, got, "mend this target of the batch")


def _refuse_constant(name: str) -> float:
    """Refuse the NaN and Infinity that Python's reader accepts beyond the standard.

    Raises:
        InputError: always.
    """
    raise InputError("target", "finite numbers", name, "write a number")


def _object_without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object.

    Raises:
        InputError: when a key stands in it twice.
    """
    record: dict[str, Any] = {}
    for key, value in pairs:
        if key in record:
            raise InputError(key, "one value", "the key twice", "keep one of them")
        record[key] = value
    return record
