"""A union ledger: which event may fail with which probability, adding up to δ."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Integral, Real
from typing import NamedTuple

from boundaudit import InputError


class Entry(NamedTuple):
    """One event that may fail with probability δ, all its choices together, each of which has an equal share."""

    name: str
    delta: float
    choices: int


@dataclass
class UnionLedger:
    """What is spent of a failure probability, in order.

    Example:
        >>> from boundaudit import UnionLedger
        >>> ledger = UnionLedger(0.5)
        >>> ledger.spend("grid of σ", 0.25, choices=4)
        0.0625
        >>> ledger.left
        0.25
    """

    delta: float
    entries: list[Entry] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not (_is_number(self.delta) and 0 < self.delta < 1):
            raise InputError("delta", "a number between 0 and 1", self.delta, "correct delta")
        self.delta = float(self.delta)

    @property
    def left(self) -> float:
        """What is not spent yet; exactly what was given, less exactly what was spent, rounded down."""
        return _down(Fraction(self.delta) - sum((Fraction(entry.delta) for entry in self.entries), Fraction(0)))

    def spend(self, name: str, delta: float, choices: int = 1) -> float:
        """Set a part of δ aside for an event, of which so many values are tried, such as a grid of σ.

        The δ of each choice, rounded down: their exact sum is at most what is set aside.

        Raises:
            InputError: where less is left, the part is not positive, choices are no whole number above 0, or so many
                that nothing is left for each.
        """
        if not (_is_number(delta) and 0 < delta <= self.left):
            remedy = "spend less, or begin with a larger delta"
            raise InputError(f"delta of {name}", f"above 0 and at most {self.left:g}", delta, remedy)
        check_count(f"choices of {name}", choices)
        share = _down(Fraction(float(delta)) / int(choices))
        if share == 0:
            raise InputError(f"choices of {name}", "few enough for a share above 0 each", choices, "try fewer")
        self.entries.append(Entry(name, float(delta), int(choices)))
        return share


def check_count(field: str, value: object) -> None:
    """Refuse what is no whole number above 0 with an InputError that names the field."""
    if not (isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1):
        raise InputError(field, "a whole number that is at least 1", value, "count them")


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _down(exact: Fraction) -> float:
    """The largest float that is not above an exact number."""
    rounded = float(exact)
    return rounded if Fraction(rounded) <= exact else math.nextafter(rounded, -math.inf)
