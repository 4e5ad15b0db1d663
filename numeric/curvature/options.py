"""Checks of the options that the entries share."""

from __future__ import annotations

from boundaudit import InputError


def check(probabilities: dict[str, float], **counts: tuple[int, int]) -> None:
    """InputError for the first probability outside (0, 1) or count that is no integer or below its least."""
    for field, (value, least) in counts.items():
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise InputError(field, f"an integer of at least {least}", value, "pass such a number")
    for field, number in probabilities.items():
        if not isinstance(number, float) or not 0 < number < 1:
            raise InputError(field, "a number above 0 and below 1", number, "pass 0.05 or 0.95, say")
