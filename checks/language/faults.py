"""What others raise, in words."""

from __future__ import annotations


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
