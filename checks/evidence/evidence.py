"""Evidence: one method applied to one claim. Written by the runner only.

A run is read without loading what made it: ball arithmetic is imported where it is used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundaudit.checks.language import points
from boundaudit.checks.language.points import Point

if TYPE_CHECKING:
    from boundaudit.checks.language.balls import Ball
    from boundaudit.checks.language.expression import Tree
    from boundaudit.checks.language.statement import Statement

HOLDS = {"<=": (-1, 0), ">=": (1, 0), "=": (0,), "<": (-1,)}
DIGITS = 20
LONGEST_EXACT = 4096
"""Bits of a whole number that is shown in all its digits."""
_CERTAIN = 128
"""Bits of a value from which its digits are written."""
NO_VALUE = "no value"
"""How a witness says that a side has none at its point."""


@dataclass(frozen=True)
class Worst:
    """The point that came closest to a violation, and both sides there in float64."""

    point: Point
    left: float
    right: float

    @property
    def ratio(self) -> float | None:
        """Left over right; None where the right side is zero."""
        return None if self.right == 0 else finite(self.left / self.right)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {"point": points.to_json(self.point), "left": finite(self.left), "right": finite(self.right)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Worst:
        """Read it back; what was infinite is not a number."""
        sides = (float("nan") if data[side] is None else data[side] for side in ("left", "right"))
        return cls(points.from_json(data["point"]), *sides)


@dataclass(frozen=True)
class Step:
    """A step of a climb: the worst case after so many evaluations."""

    evaluations: int
    worst: Worst

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {"evaluations": self.evaluations, **self.worst.to_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Step:
        """Read it back."""
        return cls(data["evaluations"], Worst.from_json(data))


@dataclass(frozen=True)
class Witness:
    """A counterexample that exact or ball arithmetic confirms, both sides as decimal strings."""

    point: Point
    left: str
    right: str
    order: str | None = None

    @property
    def is_valueless(self) -> bool:
        """Whether it is no violation but a point at which a side has no value."""
        return NO_VALUE in (self.left, self.right)

    def as_worst(self) -> Worst | None:
        """The same case in float64; None where a side has no value."""
        return None if self.is_valueless else Worst(self.point, float(self.left), float(self.right))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return present(
            {"point": points.to_json(self.point), "left": self.left, "right": self.right, "order": self.order}
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Witness:
        """Read it back."""
        return cls(points.from_json(data["point"]), data["left"], data["right"], data.get("order"))


@dataclass(frozen=True)
class Evidence:
    """What one method found."""

    # proof, derivation (a chain of proved claims and facts), certificate (every point of a finite domain), exact sample
    # (points of a larger one), search, sweep, trial or replication; equality, whether stated cases attain it; coverage,
    # where too few points satisfy the hypotheses; fault where none could end
    method: str
    outcome: str  # holds, violated, undecided or inapplicable
    covers: str  # in words
    evaluations: int  # points or engine steps
    whole_domain: bool = False  # whether it speaks for every point
    engine: str | None = None  # of a proof
    worst: Worst | None = None
    certificate: Mapping[str, Any] | None = None  # of a proof, or the description of a grid
    witness: Witness | None = None  # confirmed
    path: tuple[Step, ...] = ()  # of a climb to a counterexample, and beyond
    notes: tuple[str, ...] = ()
    against: str | None = None  # what speaks against the claim although nothing confirms it, in one sentence
    seed: int | None = None  # None where there is no randomness
    device: str = "cpu"

    def to_json(self) -> dict[str, Any]:
        """Plain JSON for a receipt: what there is to say and nothing else."""
        found = {
            **{name: getattr(self, name) for name in ("method", "outcome", "covers", "evaluations")},
            "whole_domain": self.whole_domain or None,
            "engine": self.engine,
            "worst": self.worst and self.worst.to_json(),
            "certificate": self.certificate and json.loads(json.dumps(self.certificate)),
            "witness": self.witness and self.witness.to_json(),
            "path": [step.to_json() for step in self.path],
            "notes": list(self.notes),
            "against": self.against,
            "seed": self.seed,
            "device": None if self.device == "cpu" else self.device,
        }
        return present(found)

    @property
    def cites(self) -> list[str]:
        """The labels that a proof by a chain of steps cites, each once."""
        if self.certificate is None or self.certificate.get("kind") != "chain":
            return []
        return list(dict.fromkeys(use["cites"] for step in self.certificate["steps"] for use in step["uses"]))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Evidence:
        """Read it back."""
        read: dict[str, Any] = {"worst": Worst.from_json, "witness": Witness.from_json}
        plain: dict[str, Any] = {name: read[name](value) if name in read else value for name, value in data.items()}
        plain["path"] = tuple(map(Step.from_json, data.get("path", ())))
        plain["notes"] = tuple(data.get("notes", ()))
        return cls(**plain)


def present(data: Mapping[str, Any]) -> dict[str, Any]:
    """What of some fields has a value: neither None nor an empty list."""
    return {name: value for name, value in data.items() if value is not None and value != []}


def finite(value: float | None) -> float | None:
    """A number for JSON; None where it does not exist or is infinite."""
    return value if value is not None and abs(value) < float("inf") else None


def shown(point: Point) -> str:
    """A point in one line, such as ``n = 3, x = 1/2``, cut where it is long."""
    text = ", ".join(f"{name} = {value}" for name, value in points.to_json(point).items())
    return text if len(text) <= 120 else text[:117] + "..."


def holds_at(statement: Statement, point: Point) -> bool | None:
    """Whether a statement certainly holds at a point; where a side certainly has no value, it does not.

    None where neither balls nor exact algebra decide within the `effort` around.
    """
    from boundaudit.checks.evidence.values import absent
    from boundaudit.checks.language.arithmetic import Exhausted, Undefined
    from boundaudit.checks.language.compare import compare

    try:
        try:
            sign = compare(statement.left, statement.right, point)
        except Undefined:
            missing = absent(statement.left, point) or absent(statement.right, point)
            return False if missing else None
    except Exhausted:
        return None
    return None if sign is None else sign in HOLDS[statement.relation]


def decimal(value: Ball) -> str:
    """A ball as an exact fraction where it is one and short, else as certain digits, at most 20."""
    import flint

    if isinstance(value, flint.fmpq):
        exact = Fraction(int(value.p), int(value.q))
        if exact.denominator == 1 and exact.numerator.bit_length() <= LONGEST_EXACT:
            return str(exact)
        value = flint.arb(value)
    return str(value.str(DIGITS, radius=False))


def shown_at(tree: Tree, point: Point) -> str:
    """The value of a side at a point, for a witness, or that there is none.

    Raises:
        Undefined: where nobody can say whether there is one.
    """
    import flint

    from boundaudit.checks.evidence.values import absent
    from boundaudit.checks.language.balls import TooLong, Undefined, evaluate, precision
    from boundaudit.checks.language.compare import LONG_SUMS, PRECISIONS, at, has_steps
    from boundaudit.checks.language.long_sums import in_runs

    closed, values, found = tree, point, ""
    if has_steps(tree):  # balls alone do not say what the floor of an irrational expression is that comes to an integer
        with suppress(Undefined):
            closed, values = at(tree, point), {}
    for bits in PRECISIONS[1:]:
        with precision(bits):
            try:
                value = evaluate(closed, values)
            except TooLong:
                with precision(LONG_SUMS[-1]):
                    return decimal(in_runs(tree, point))
            except Undefined:
                continue
            found = decimal(value)
        if not isinstance(value, flint.arb) or value.rel_accuracy_bits() > _CERTAIN:
            break
    if found:
        return found
    if absent(tree, point):
        return NO_VALUE
    raise Undefined("nobody can say whether there is a value")


def confirm(statement: Statement, point: Point, inside: bool | None, order: str | None = None) -> Witness | None:
    """The counterexample evaluated again where rounding cannot fake it; None where it is not certain.

    ``inside`` says whether the exact point certainly lies in the domain, ``order`` in which order it is the smallest,
    if any.
    """
    from boundaudit.checks.language.balls import Undefined

    if inside is not True or holds_at(statement, point) is not False:
        return None
    try:
        return Witness(point, shown_at(statement.left, point), shown_at(statement.right, point), order)
    except Undefined:
        return None  # one side has no value, and of the other nobody can say
