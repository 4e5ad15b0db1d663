"""Functions known by properties, as relations between their values and slopes at the points that a claim names.

The relations are those of interpolation: they hold for every function of the class, and wherever they hold there is one
that passes through. So a proof from them is one for all such functions, and what refutes the claim is a function.
(Convex and smooth: Taylor, Hendrickx & Glineur 2017. Lipschitz: McShane 1934. Smooth and nonnegative, convex or not:
the largest smooth function through the points, plus β|x|²/2, is the convex hull of parabolas, each of which lies above
β|x|²/2 as f ≥ |∇f|²/2β, and so does the hull; our derivation.)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import sympy as sp

from boundaudit import InputError
from boundaudit.checks.language.abstract.declared import require_number

Dot = Callable[[Any, Any], Any]
"""The inner product of two differences: of numbers, their product."""


class At(NamedTuple):
    """A function at a point, a number or a combination of vectors: its value, and its gradient or a subgradient."""

    point: Any
    value: Any
    slope: Any


@dataclass(frozen=True)
class Functions:
    """Any function with some properties, for `Space`: of vectors or of numbers.

    Example:
        >>> beta = sp.Symbol("beta", positive=True)
        >>> Functions(convex=True, smooth=beta).sentence("f")
        'f any function that is convex, beta-smooth'

    Attributes:
        convex: Whether it is convex.
        concave: Whether it is concave.
        smooth: How fast its gradient changes at most; None where nothing is known.
        strong: It is still convex when this number times |x|²/2 is taken off; less than ``smooth``.
        lipschitz: How fast it changes at most.
        nondecreasing: Whether it never falls; of numbers alone.
        sub_root: Whether, on numbers of at least zero, it is at least zero, never falls, and grows no faster than a
            root: f(r)/√r never rises.
        nonnegative: Whether its values are at least zero.
    """

    convex: bool = False
    concave: bool = False
    smooth: Any = None
    strong: Any = None
    lipschitz: Any = None
    nondecreasing: bool = False
    sub_root: bool = False
    nonnegative: bool = False

    def __post_init__(self) -> None:
        """Refuse what no relations between points are known to say in full, and what is no number."""
        for name in ("smooth", "strong", "lipschitz"):
            require_number(f"Functions.{name}", getattr(self, name))
        said = {each.name for each in fields(self) if getattr(self, each.name) not in (None, False)}
        known = (
            {"convex", "lipschitz", "nondecreasing", "nonnegative"}, {"concave", "lipschitz", "nondecreasing"},
            {"convex", "smooth", "strong"}, {"convex", "smooth", "lipschitz"}, {"concave", "smooth", "lipschitz"},
            {"convex", "smooth", "nonnegative"}, {"sub_root"},
        )  # fmt: skip
        alone = {"strong"}, {"nonnegative"}, {"smooth", "strong"}, {"smooth", "lipschitz"}
        if not said or said in alone or not any(said <= those for those in known):
            expected = "properties of which relations between points say all, such as convex with smooth"
            remedy = "add convex=True" if any(said | {"convex"} <= those for those in known) else "leave one out"
            raise InputError("Functions", expected, ", ".join(sorted(said)) or "none", f"{remedy}, or say it in where")

    @property
    def has_slopes(self) -> bool:
        """Whether gradients enter."""
        return self.convex or self.concave or self.smooth is not None

    @property
    def of_numbers(self) -> bool:
        """Whether it is a function of numbers alone."""
        return self.nondecreasing or self.sub_root

    def sentence(self, name: str) -> str:
        """How it reads in a domain."""
        words = {
            "convex": "convex", "concave": "concave", "smooth": f"{self.smooth}-smooth",
            "strong": f"{self.strong}-strongly convex", "lipschitz": f"{self.lipschitz}-Lipschitz",
            "nondecreasing": "nondecreasing", "sub_root": "sub-root", "nonnegative": "nonnegative",
        }  # fmt: skip
        said = [words[each.name] for each in fields(self) if getattr(self, each.name) not in (None, False)]
        return f"{name} any function that is {', '.join(said)}"

    def relations(self, points: Sequence[At], dot: Dot) -> Iterator[Any]:
        """What holds between a function's values and slopes at points that differ as expressions."""
        for number in filter(None, (self.smooth, self.strong, self.lipschitz)):
            yield sp.sympify(number, strict=True) >= 0
        if self.strong is not None and self.smooth is not None:
            yield sp.sympify(self.strong, strict=True) < self.smooth
        for at in points:
            yield from self._at_one(at, dot)
        if self.has_slopes:
            turned = [At(x, -f, -g) for x, f, g in points] if self.concave else points
            for first, second in itertools.permutations(turned, 2):
                yield from self._curved(first, second, dot)
        elif self.lipschitz is not None:
            for one, other in itertools.combinations(points, 2):
                yield (one.value - other.value) ** 2 <= self.lipschitz**2 * _square(one.point - other.point, dot)
                if self.nondecreasing:
                    yield (one.value - other.value) * (one.point - other.point) >= 0
        elif len(points) > 1:
            yield self._ordered(points)

    def _at_one(self, at: At, dot: Dot) -> Iterator[Any]:
        if self.has_slopes and self.lipschitz is not None:
            yield _square(at.slope, dot) <= self.lipschitz**2
        if self.has_slopes and self.nondecreasing:
            yield at.slope >= 0
        if self.smooth is not None and self.nonnegative:
            yield 2 * self.smooth * at.value >= _square(at.slope, dot)
        elif self.nonnegative or self.sub_root:
            yield at.value >= 0

    def _curved(self, first: At, second: At, dot: Dot) -> Iterator[Any]:
        """How far the second value lies above the tangent at the first."""
        way, turn = second.point - first.point, second.slope - first.slope
        above = second.value - first.value - dot(first.slope, way)
        if self.smooth is None:
            yield above >= (self.strong or 0) * _square(way, dot) / 2
            return
        least = self.strong or (0 if self.convex or self.concave else -self.smooth)
        yield 2 * (self.smooth - least) * above >= (
            _square(turn, dot) + least * self.smooth * _square(way, dot) - 2 * least * dot(turn, way)
        )
        if self.strong is None and not sp.sympify(self.smooth, strict=True).is_positive:
            yield above >= least * _square(way, dot) / 2

    def _ordered(self, points: Sequence[At]) -> Any:
        """The points in any order, with ties: values follow."""
        return sp.Or(*(sp.And(*self._along(order)) for order in _orders(list(points))))

    def _along(self, order: Sequence[tuple[bool, At]]) -> Iterator[Any]:
        for (_, one), (tied, other) in itertools.pairwise(order):
            if tied:
                yield from (sp.Eq(one.point, other.point), sp.Eq(one.value, other.value))
                continue
            yield from (one.point < other.point, one.value <= other.value)
            if self.sub_root:
                yield other.value * sp.sqrt(one.point) <= one.value * sp.sqrt(other.point)


def _square(way: Any, dot: Dot) -> Any:
    return dot(way, way)


def _orders(points: list[At]) -> Iterator[list[tuple[bool, At]]]:
    """All orders of some points, each with whether it lies where the one before it does; ties keep the list's order."""
    for order in itertools.permutations(range(len(points))):
        for ties in itertools.product((False, True), repeat=len(points) - 1):
            if all(not tie or order[k] < order[k + 1] for k, tie in enumerate(ties)):
                yield [(tie, points[k]) for tie, k in zip((False, *ties), order, strict=True)]
