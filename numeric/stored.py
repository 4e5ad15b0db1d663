"""Arrays of a .npy file that somebody else may have written; loads no tensors."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from boundaudit import InputError


def stored_array(path: str | Path, *, name: str, kinds: str, dimensions: int) -> np.ndarray:
    """An array that is mapped, not read: nothing in its file is ever executed, and only what is used takes memory.

    Args:
        path: A .npy file.
        name: What errors call it.
        kinds: NumPy's letters of the number formats that are taken, of ``b``, ``i``, ``u`` and ``f``.
        dimensions: How many axes it must have.

    Returns:
        The array, mapped from the file.

    Raises:
        InputError: where the file holds anything else.
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
