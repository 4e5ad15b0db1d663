"""A Gram matrix from a file that somebody else may have written; loads no tensors."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from boundaudit import InputError
from boundaudit.numeric.stored import stored_array

MOST_TOKENS = 2048
"""The roots of a matrix of more take a minute."""
LARGEST = 1e60
"""The modulus of an entry: fourth powers of variances are still numbers."""


def read_gram(path: str | Path) -> np.ndarray:
    """A Gram matrix (s, s), s ≤ `MOST_TOKENS`, from a .npy file, nothing of it executed; InputError for any other."""
    found = stored_array(path, name="--gram", kinds="iuf", dimensions=2)
    if found.shape[0] > MOST_TOKENS:
        raise InputError("--gram", f"at most {MOST_TOKENS} tokens", found.shape[0], "give fewer tokens")
    if found.shape[1] != found.shape[0]:
        raise InputError("--gram", "a square matrix", f"shape {found.shape}", "give all products of two tokens")
    with np.errstate(over="ignore"):  # of what is wider than a double
        matrix = np.array(found, dtype=np.float64)
    if not np.abs(matrix).max(initial=0.0) <= LARGEST:
        raise InputError("--gram", f"finite numbers up to {LARGEST:g}", f"{path}: others", "scale the tokens")
    return matrix
