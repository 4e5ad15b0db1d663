"""Norms and their duals, as relations between the vectors that a claim names and those at which norms are attained.

A norm at a vector is the inner product with a subgradient, its slope there. The relations hold for every norm, and
wherever they hold there is one: with the slopes at named vectors, and the named vectors of the dual over their norms,
as functionals of at most 1 (our derivation). The nuclear norm and the operator norm are such a pair, with the trace as
inner product, and so are norms of p-th powers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import sympy as sp

from boundaudit.checks.language.abstract.declared import Declared, require_number
from boundaudit.checks.language.abstract.functions import At, Dot
from boundaudit.checks.language.abstract.operators import Number, marked
from boundaudit.checks.language.domain import Reals

_POSITIVE = Reals(0, open_low=True)


@dataclass(frozen=True)
class Norms(Declared):
    """Any norm of vectors of any dimension, for `Space`: ``N(x)``, and ``dual(N)(y)``.

    Example:
        >>> Norms(low=1).sentence("N")
        'N any norm with 1 ‖x‖ ≤ N(x)'

    Attributes:
        low: The norm is at least this number of times the length; None where nothing is known.
        high: The norm is at most this number of times the length. Of matrices of rank r, ``low=1, high=sqrt(r)`` is so
            of the nuclear norm.
    """

    has_slopes: ClassVar[bool] = True
    of_numbers: ClassVar[bool] = False
    sub_root: ClassVar[bool] = False
    low: Any = None
    high: Any = None

    def __post_init__(self) -> None:
        """Ends are numbers."""
        require_number("Norms.low", self.low)
        require_number("Norms.high", self.high)

    def sentence(self, name: str) -> str:
        """How it reads in a domain."""
        low, high = ("" if end is None else f"{end} ‖x‖" for end in (self.low, self.high))
        known = " ≤ ".join(filter(None, (low, f"{name}(x)", high)))
        return f"{name} any norm" + (f" with {known}" if low or high else "")

    def relations(self, points: Sequence[At], of_dual: Sequence[At], dot: Dot, new: Number) -> Iterator[Any]:
        """What holds between values at vectors, those of the dual at others, and where each is attained.

        ``new`` makes a number that stands for what is not named: every norm has such ends.
        """
        low, high = (
            new(name, _POSITIVE) if end is None else sp.sympify(end, strict=True)
            for name, end in (("low", self.low), ("high", self.high))
        )
        yield from (low > 0, low <= high)
        for at in points:
            yield low**2 * dot(at.point, at.point) <= at.value**2
            yield dot(at.slope, at.slope) <= high**2
        for at in of_dual:
            yield dot(at.point, at.point) <= high**2 * at.value**2
            yield low**2 * dot(at.slope, at.slope) <= 1
        for pairs in (points, of_dual):
            yield from (at.value >= 0 for at in pairs)
            for one, other in itertools.permutations(pairs, 2):
                yield from _at_most(dot(one.slope, other.point), other.value)
        for one, other in itertools.product(points, of_dual):
            yield from _at_most(dot(one.point, other.point), one.value * other.value)
            yield from _at_most(dot(one.slope, other.slope), sp.S.One)


def _at_most(product: Any, bound: Any) -> Iterator[Any]:
    yield from (product <= bound, -bound <= product)


def dual(norm: Any) -> Any:
    """The dual of a norm: the largest inner product with vectors of norm 1.

    Example:
        >>> N, y = sp.Function("N"), sp.Symbol("y")
        >>> dual(N)(y)
        N^*(y)
        >>> dual(dual(N)) == N
        True

    Args:
        norm: Such as ``sympy.Function("N")``.

    Returns:
        A function of the same kind.
    """
    return marked(norm, "^*")
