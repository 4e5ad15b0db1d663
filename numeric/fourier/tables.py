"""Functions on bit strings as tables, and tables as functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.fourier.transform import checked_size, subset_indices
from boundaudit.numeric.stored import stored_array

BlackBox = Callable[[Tensor], Tensor]
"""From inputs, bool, shape (n, T), to one real number each, shape (n,)."""

LONGEST = 26
"""The largest T of a table that is read or made."""

LARGEST = 1e60
"""The largest float of a table: sums of fourth powers are still numbers."""

BATCH = 2**18
"""Inputs handed to a black box at once."""


def truth_table(function: BlackBox, length: int, *, device: torch.device | str = "cpu") -> Tensor:
    """All values of a function of inputs, bool, shape (n, T), T at most 26, made on a device.

    The values in the order of `boundaudit.numeric.enumeration.bit_strings`, float64, shape (2^T,), on the CPU.

    Raises:
        InputError: for a length out of range, or values of another shape or that are not finite.

    Example:
        >>> truth_table(lambda bits: bits.sum(-1) % 2, 2).tolist()
        [0.0, 1.0, 1.0, 0.0]
    """
    if type(length) is not int or not 0 <= length <= LONGEST:
        raise InputError("length", f"an integer from 0 to {LONGEST}", repr(length), "test a longer function by queries")
    values = torch.empty(2**length, dtype=torch.float64)
    for start in range(0, 2**length, BATCH):
        stop = min(start + BATCH, 2**length)
        values[start:stop] = asked(function, bit_strings(length, start, stop, device=device))
    return values


def asked(function: BlackBox, bits: Tensor) -> Tensor:
    """Values of a black box at inputs (n, T), float64, shape (n,); InputError for others than n finite reals."""
    with torch.no_grad():
        values = torch.as_tensor(function(bits))
    if values.shape != bits.shape[:1] or values.is_complex():
        got = f"{values.dtype}, shape {tuple(values.shape)}"
        raise InputError("function", f"{len(bits)} real numbers for {len(bits)} inputs", got, "return one for each")
    if not values.isfinite().all():
        raise InputError("function", "finite values", "NaN or infinity", "mend the function")
    return values.double()


def table_function(values: Tensor) -> BlackBox:
    """A table, shape (2^T,), as a function that can be queried."""
    checked_size(values)
    return lambda bits: values[subset_indices(bits)]


def read_table(path: str | Path) -> Tensor:
    """A truth table from a .npy file of 2^T values, T at most 26; nothing in it is ever executed.

    Booleans and integers become int64, floats stay float16, float32 or float64.

    Raises:
        InputError: where the file holds anything else.
    """
    found = stored_array(path, name="TABLE.npy", kinds="biuf", dimensions=1)
    size = len(found)
    if size < 1 or size & (size - 1):
        raise InputError("TABLE.npy", "2^T values", f"{path}: {size} values", "list every input once, in binary order")
    if size > 2**LONGEST:
        raise InputError("TABLE.npy", f"at most 2^{LONGEST} values", f"{path}: {size}", "give a shorter function")
    return _as_tensor(found, path)


def _as_tensor(found: np.ndarray, path: str | Path) -> Tensor:
    """int64 exactly, or floats as they are; InputError for NaN, floats above `LARGEST`, integers above 2^53/2^T."""
    if found.dtype.kind == "f":
        kept = found.dtype.itemsize if found.dtype.itemsize < 8 else 8
        with np.errstate(all="ignore"):  # of what is wider: the check tells
            values = torch.from_numpy(found.astype(f"=f{kept}"))
        largest = max(abs(float(end)) for end in values.aminmax())
        if not largest <= LARGEST:
            got = f"one of modulus {largest:g}" if math.isfinite(largest) else "NaN or infinity"
            raise InputError(
                "TABLE.npy", f"finite values up to {LARGEST:g}", f"{path}: {got}", "mend or scale the table"
            )
        return values
    most = 2**53 // len(found)
    if found.dtype.kind != "b" and (int(found.max()) > most or int(found.min()) < -most):
        expected = f"integers of at most 2^53/2^T = {most}"
        raise InputError("TABLE.npy", expected, f"{path}: larger ones", "store them as floats")
    return torch.from_numpy(found.astype(np.int64))
