"""Arrays of a .npy or .npz file that somebody else may have written; loads no tensors."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from boundaudit import InputError

MOST_BYTES = 2**32
"""The largest array that is read from an .npz file, which cannot be mapped."""


def stored_array(path: str | Path, *, name: str, kinds: str, dimensions: int) -> np.ndarray:
    """An array of a .npy file, mapped, not read: nothing in it is ever executed, and only what is used takes memory.

    It has so many dimensions, and one of the number formats whose NumPy letters kinds holds, of ``b``, ``i``, ``u``,
    ``f``.

    Raises:
        InputError: with the name, where the file holds anything else.
    """
    try:
        with np.errstate(all="ignore"):  # of a shape whose product is no number
            found = np.load(path, allow_pickle=False, mmap_mode="r")
    except Exception as error:  # whatever a header makes NumPy raise, and that is many things
        why = " ".join(str(error).split())[:120] or type(error).__name__
        raise InputError(name, "a .npy file of real numbers", f"{path}: {why}", "write it with numpy.save") from None
    if not isinstance(found, np.ndarray) or found.dtype.kind not in kinds or found.ndim != dimensions:
        form = {1: "a one-dimensional array of real numbers", 2: "a matrix of real numbers"}[dimensions]
        if isinstance(found, np.lib.npyio.NpzFile):
            found.close()
        got = f"{path}: {getattr(found, 'dtype', type(found).__name__)}, shape {getattr(found, 'shape', None)}"
        raise InputError(name, form, got, "write it with numpy.save")
    return found


def stored_arrays(path: str | Path, kinds: Mapping[str, tuple[str, int]]) -> dict[str, np.ndarray]:
    """Those of these arrays that an .npz file has, read whole; what one takes is known before from its header.

    For each name NumPy's letters of the number formats that are taken, and how many axes it must have.

    Raises:
        InputError: where the file is none, or holds under one of the names anything else.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
            return {name: _member(archive, members[name], *kinds[name]) for name in kinds if name in members}
    except InputError:
        raise
    except Exception as error:  # a damaged archive or header raises many things
        why = " ".join(str(error).split())[:120] or type(error).__name__
        raise InputError("npz", "an .npz file of real numbers", f"{path}: {why}", "write it with numpy.savez") from None


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, kinds: str, dimensions: int) -> np.ndarray:
    name = info.filename.removesuffix(".npy")
    with archive.open(info) as file:
        version = np.lib.format.read_magic(file)
        reader = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = reader(file)
    if dtype.kind not in kinds or len(shape) != dimensions:
        got = f"{dtype}, shape {shape}"
        raise InputError(name, f"{dimensions} axes of numbers of kind {' or '.join(kinds)}", got, "convert the array")
    if info.file_size > MOST_BYTES:
        remedy = "take a part of the samples, chosen at random"
        raise InputError(name, f"at most {MOST_BYTES / 2**30:g} GiB", f"{info.file_size / 2**30:.3g} GiB", remedy)
    expected = int(np.prod([int(size) for size in shape], dtype=object)) * dtype.itemsize
    if expected >= info.file_size:
        raise InputError(name, f"{info.file_size} bytes", f"a header that says {expected}", "write it again")
    with archive.open(info) as file:
        return np.lib.format.read_array(file, allow_pickle=False)
