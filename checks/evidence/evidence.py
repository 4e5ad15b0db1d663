"""Evidence: one method applied to one claim. Written by the runner only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from boundaudit.checks.language import points
from boundaudit.checks.language.balls import Ball, Undefined, evaluate, precision
from boundaudit.checks.language.compare import PRECISIONS, compare
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.statement import Statement

_HOLDS = {"<=": (-1, 0), ">=": (1, 0), "=": (0,)}
DIGITS = 20


@dataclass(frozen=True)
class Worst:
    """The point that came closest to a violation, and both sides there in float64."""

    point: Point
    left: float
    right: float

    @property
    def ratio(self) -> float | None:
        """Left over right; None where the right side is zero."""
        return None if self.right == 0 else self.left / self.right

    def to_json(self) -> dict[str, Any]:
        """Plain JSON.

        Returns:
            A dictionary with point, left, right and ratio.
        """
        sides = {"left": finite(self.left), "right": finite(self.right), "ratio": finite(self.ratio)}
        return {"point": points.to_json(self.point), **sides}


@dataclass(frozen=True)
class Step:
    """A step of a climb: the worst case after so many evaluations."""

    evaluations: int
    worst: Worst

    def to_json(self) -> dict[str, Any]:
        """Plain JSON.

        Returns:
            A dictionary with evaluations, point, left, right and ratio.
        """
        return {"evaluations": self.evaluations, **self.worst.to_json()}


@dataclass(frozen=True)
class Witness:
    """A counterexample that exact or ball arithmetic confirms, both sides as decimal strings."""

    point: Point
    left: str
    right: str
    order: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON.

        Returns:
            A dictionary with point, left, right and the order in which it is smallest, if any.
        """
        point = points.to_json(self.point)
        return {"point": point, "left": self.left, "right": self.right, "order": self.order}


@dataclass(frozen=True)
class Evidence:
    """What one method found.

    Attributes:
        method: proof, certificate, search or sweep.
        outcome: holds, violated, undecided or inapplicable.
        covers: What was covered, in words.
        evaluations: How many points (or engine steps) it looked at.
        whole_domain: Whether it speaks for every point of the domain.
        engine: The engine of a proof.
        worst: The worst case it saw.
        certificate: A proof certificate or the description of a grid.
        witness: A confirmed counterexample.
        path: How a climb came to a counterexample, and beyond.
        notes: What else a reader should know.
        seed: The seed it used; None where there is no randomness.
        device: Where quantities were measured.
    """

    method: str
    outcome: str
    covers: str
    evaluations: int
    whole_domain: bool = False
    engine: str | None = None
    worst: Worst | None = None
    certificate: Mapping[str, Any] | None = None
    witness: Witness | None = None
    path: tuple[Step, ...] = ()
    notes: tuple[str, ...] = ()
    seed: int | None = None
    device: str = "cpu"

    def to_json(self) -> dict[str, Any]:
        """Plain JSON for a receipt.

        Returns:
            A dictionary with every field.
        """
        return {
            **self.__dict__,
            "worst": None if self.worst is None else self.worst.to_json(),
            "witness": None if self.witness is None else self.witness.to_json(),
            "path": [step.to_json() for step in self.path],
            "notes": list(self.notes),
        }


def finite(value: float | None) -> float | None:
    """A number for JSON.

    Returns:
        The number; None where it does not exist or is infinite.
    """
    return value if value is not None and abs(value) < float("inf") else None


def holds_at(statement: Statement, point: Point) -> bool | None:
    """Whether a statement certainly holds at a point.

    Returns:
        True, False, or None where neither balls nor exact algebra decide, or a side is undefined.
    """
    try:
        sign = compare(statement.left, statement.right, point)
    except Undefined:
        return None
    return None if sign is None else sign in _HOLDS[statement.relation]


def decimal(value: Ball) -> str:
    """A ball as a decimal string, to 20 significant digits.

    Returns:
        An exact fraction where it is one and short, else certain digits.
    """
    if isinstance(value, flint.fmpq):
        exact = Fraction(int(value.p), int(value.q))
        if exact.denominator == 1:
            return str(exact)
        value = flint.arb(value)
    return str(value.str(DIGITS, radius=False))


def confirm(statement: Statement, point: Point, inside: bool | None, order: str | None = None) -> Witness | None:
    """Re-evaluate a counterexample where rounding cannot fake it.

    Args:
        statement: The statement.
        point: The exact point.
        inside: Whether the point certainly lies in the domain.
        order: The order in which it is the smallest counterexample, if it is.

    Returns:
        The witness; None where it is not certain.
    """
    if inside is not True or holds_at(statement, point) is not False:
        return None
    with precision(PRECISIONS[-1]):
        left, right = evaluate(statement.left, point), evaluate(statement.right, point)
        return Witness(point, decimal(left), decimal(right), order)
