"""What others raise, in words."""

from __future__ import annotations

import re


def told(error: BaseException) -> str:
    """An error that is none of ours, in words: its kind and what it says, where it can say something.

    Example:
        >>> told(ValueError("too large"))
        'ValueError: too large'
    """
    try:
        words = str(error)
    except Exception:  # a class of the user's own
        words = ""
    return f"{type(error).__name__}{': ' if words else ''}{words}"


def remedy(error: BaseException, otherwise: str) -> str:
    """What helps against an error that is none of ours.

    Example:
        >>> remedy(IndexError("Invalid indices (2, 2)"), "correct the claim")
        'count rows and columns of a matrix from 0, entries of a vector from 1'
        >>> remedy(TypeError("f() missing 2 required keyword-only arguments: 'a' and 'b'"), "correct the claim")
        'add a=…, b=…'
    """
    if missing := _MISSING.search(told(error)):
        return "add " + ", ".join(f"{name}=…" for name in re.findall(r"'(\w+)'", missing[1]))
    return _REMEDIES.get(type(error).__name__, otherwise)


_MISSING = re.compile(r"^TypeError: .* missing \d+ required .*arguments?: (.*)")
_SHAPES = "give matrices shapes that fit: sums want the same, Trace, Determinant and powers as many rows as columns"
_REMEDIES = {
    "IndexError": "count rows and columns of a matrix from 0, entries of a vector from 1",
    "ShapeError": _SHAPES,
    "NonSquareMatrixError": _SHAPES,
}
"""By the name of the error: SymPy takes long to load."""
