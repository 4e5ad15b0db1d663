"""What a statement of the suite is, and the symbols and domains that many of them share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import sympy as sp

from boundaudit import Claim, Domain, Integers, Reals, Space

NO_VALUE: Literal["no value"] = "no value"

x, y = sp.symbols("x y", real=True)
n = sp.Symbol("n", integer=True)


def each(found: Integers | Reals, *symbols: sp.Symbol) -> Domain:
    """All symbols in the same range."""
    return Domain(dict.fromkeys(symbols, found))


REAL, PLANE = each(Reals(), x), each(Reals(), x, y)
NONNEGATIVE, QUADRANT = each(Reals(0), x), each(Reals(0), x, y)
POSITIVE, BOTH_POSITIVE = each(Reals(0, open_low=True), x), each(Reals(0, open_low=True), x, y)
UNIT, SQUARE = each(Reals(0, 1), x), each(Reals(0, 1), x, y)
COUNTS = each(Integers(1), n)


@dataclass(frozen=True)
class Truth:
    """A statement whose truth is known.

    Attributes:
        name: What it is called, or says.
        left: The left side, a SymPy expression.
        relation: ``<=``, ``>=`` or ``=``.
        right: The right side.
        domain: Where it is stated.
        holds: Whether it is true everywhere there, or has no value somewhere.
        why: The reason, in a phrase.
        at: Where it is false or has no value: values by parameter name; empty where it holds.
        thin: Whether it fails at single points only, and not on a set that has a volume.
        textbook: Whether it is one of the inequalities that every text on learning theory uses.
    """

    name: str
    left: Any
    relation: Any
    right: Any
    domain: Domain
    holds: bool | Literal["no value"]
    why: str
    at: Mapping[str, Any] = field(default_factory=dict)
    textbook: bool = False
    thin: bool = False

    def claim(self) -> Claim:
        """The statement as an author writes it, expected to hold."""
        return Claim(label="truth.statement", statement=self.name, left=self.left, relation=self.relation,
                     right=self.right, domain=self.domain)  # fmt: skip


def true(name: str, left: Any, relation: str, right: Any, domain: Domain, why: str, *, textbook: bool = False) -> Truth:
    """A statement that holds on its whole domain."""
    return Truth(name, left, relation, right, domain, True, why, textbook=textbook)


def false(name: str, left: Any, relation: str, right: Any, domain: Domain, why: str, **at: Any) -> Truth:
    """A statement that fails at a point of its domain; both sides have a value everywhere."""
    return Truth(name, left, relation, right, domain, False, why, at)


def valueless(name: str, left: Any, relation: str, right: Any, domain: Domain, why: str, **at: Any) -> Truth:
    """A statement of which a side has no value at a point of its domain; elsewhere it holds."""
    return Truth(name, left, relation, right, domain, NO_VALUE, why, at)


class _Unwritten(Truth):
    """A statement on a space, written out in numbers when it is asked for: for all of them that takes seconds."""

    def __getattr__(self, name: str) -> Any:
        if name not in ("left", "right", "domain", "at"):
            raise AttributeError(name)
        space, sides, at = self.__dict__["unwritten"]
        domain, (left, right) = Space(*space).written_out([sp.sympify(side) for side in sides])
        values = dict(zip(domain.ranges, at, strict=True)) if at else {}
        self.__dict__.update(left=left, right=right, domain=domain, at=values)
        return self.__dict__[name]


def in_space(
    name: str, left: Any, relation: str, right: Any, space: tuple[Any, ...], why: str, at: Sequence[Any] = ()
) -> Truth:
    """A statement on a space of some ranges and relations: false with values of the parameters it is written out in."""
    found = object.__new__(_Unwritten)
    found.__dict__.update(name=name, relation=relation, holds=not at, why=why, unwritten=(space, (left, right), at))
    return found
