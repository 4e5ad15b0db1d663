"""Vectors of any dimension, by coordinates in which the first has one of them, the second two, and so on.

Any n vectors of a Euclidean space can be turned so that the k-th lies in the span of the first k axes, with nothing
below zero along the k-th. So what is claimed of lengths and inner products in every dimension is claimed of these
n (n+1)/2 numbers. Where all combinations that are spoken of stay the same when some vectors move together, as
differences of points do, one vector stands at the origin.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from boundaudit import InputError
from boundaudit.checks.language.abstract.declared import Declared
from boundaudit.checks.language.domain import Reals

Combination = dict[Any, Any]
"""Numbers before vectors, by vector."""


@dataclass(frozen=True)
class Euclidean(Declared):
    """A vector of any dimension, for `Space`: it stands in ``inner``, in ``norm`` and in functions.

    Example:
        >>> Euclidean().sentence("v")
        'v a vector of any dimension'
    """

    reads = "{name} a vector of any dimension"


def combination(expression: Any, vectors: Sequence[Any]) -> Combination:
    """The numbers, those that are not zero, before vectors in an expression such as ``v - alpha*w``.

    Raises:
        InputError: where it is no combination of vectors.
    """
    expected = "numbers times vectors, added up"
    try:
        found = sp.Poly(expression, *vectors)
    except sp.PolynomialError:
        raise InputError("inner, norm", expected, expression, "write such as v - alpha*w") from None
    if any(sum(powers) != 1 for powers, number in found.terms() if number != 0):
        raise InputError("inner, norm", expected, expression, "write such as v - alpha*w")
    return {vectors[powers.index(1)]: number for powers, number in found.terms() if number != 0}


class Frame:
    """Coordinates for vectors, in order, where some combinations of them occur; ``ranges`` says where each ranges."""

    def __init__(self, vectors: Sequence[Any], spoken_of: Iterable[Combination]) -> None:
        self._at: dict[Any, list[Any]] = {}
        kept = list(basis(vectors, spoken_of))  # these can be chosen at will where the others are zero
        for count, vector in enumerate(kept, 1):
            names = [f"{vector.name}.{place}" if len(kept) > 1 else f"|{vector.name}|" for place in range(1, count + 1)]
            self._at[vector] = [sp.Symbol(name, real=True) for name in names[:-1]]
            self._at[vector].append(sp.Symbol(names[-1], nonnegative=True))
        self.ranges = {each: Reals(0 if each.is_nonnegative else None) for at in self._at.values() for each in at}

    def inner(self, left: Combination, right: Combination) -> Any:
        """The inner product of two combinations, in coordinates."""
        pairs = zip(self._coordinates(left), self._coordinates(right), strict=True)
        return sp.Add(*(a * b for a, b in pairs))

    def _coordinates(self, of: Combination) -> list[Any]:
        found: list[Any] = [sp.S.Zero] * len(self._at)
        for vector, number in of.items():
            for place, coordinate in enumerate(self._at.get(vector, ())):
                found[place] += number * coordinate
        return found


def basis(vectors: Sequence[Any], combinations: Iterable[Combination]) -> dict[Any, Combination]:
    """As few rational combinations as make up some others, whatever values the numbers in these have.

    By a vector that stands once in it, and in none of the others.
    """
    rows: dict[tuple[int, Any], dict[Any, Any]] = {}
    for place, combined in enumerate(combinations):
        for vector, number in combined.items():
            for part, rational in sp.expand(number).as_coefficients_dict().items():
                rows.setdefault((place, part), {})[vector] = rational
    if not rows:
        return {}
    reduced, pivots = sp.Matrix([[row.get(vector, 0) for vector in vectors] for row in rows.values()]).rref()
    return {
        vectors[pivot]: {vectors[k]: number for k, number in enumerate(reduced.row(place)) if number != 0}
        for place, pivot in enumerate(pivots)
    }
