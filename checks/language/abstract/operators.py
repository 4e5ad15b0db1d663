"""Linear maps of vectors, as relations between the vectors that a claim puts in and what comes out.

The relations are those of interpolation (Bousselmi, Hendrickx & Glineur 2023): they hold for every map of the class,
and wherever they hold there is one, in the same space. For a bound on the norm that is Parrott's theorem, for a
spectrum between two numbers Krein's. A map from one space to another is one of the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import sympy as sp
from sympy.core.function import AppliedUndef, UndefinedFunction
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanFunction

from boundaudit import InputError
from boundaudit.checks.language.abstract.declared import Declared, name_at, require_number
from boundaudit.checks.language.abstract.terms import Inner, Nabla, Norm
from boundaudit.checks.language.abstract.vectors import Combination, basis
from boundaudit.checks.language.domain import Reals

Dot = Callable[[Any, Any], Any]
Number = Callable[[str, Reals], Any]
"""Makes a number, from the end of its name and its range."""
_POSITIVE = Reals(0, open_low=True)


class Pair(NamedTuple):
    """A vector and what a map makes of it."""

    point: Any
    image: Any


@dataclass(frozen=True)
class Linear(Declared):
    """Any linear map between spaces of any dimension, for `Space`: ``A(x)`` and ``adjoint(A)(y)``.

    Example:
        >>> Linear(norm=2).sentence("A")
        'A any linear map with ‖A(x)‖ ≤ 2 ‖x‖'

    Attributes:
        norm: Its largest singular value is at most this; None where nothing is known.
    """

    norm: Any = None

    def __post_init__(self) -> None:
        """A bound is a number."""
        require_number("Linear.norm", self.norm)

    def sentence(self, name: str) -> str:
        """How it reads in a domain."""
        return f"{name} any linear map" + ("" if self.norm is None else f" with ‖{name}(x)‖ ≤ {self.norm} ‖x‖")

    def relations(self, along: Sequence[Pair], back: Sequence[Pair], dot: Dot, new: Number) -> Iterator[Any]:
        """What holds between some vectors, their images (``along``) and those under the adjoint (``back``).

        ``new`` makes a number that stands for what is not named.
        """
        norm = new("norm", _POSITIVE) if self.norm is None else sp.sympify(self.norm, strict=True)
        yield norm >= 0
        yield from (sp.Eq(dot(x, v), dot(y, u)) for x, y in along for u, v in back)
        for label, pairs in (("ratio", along), ("ratio of transposed", back)):
            gap = [[norm**2 * dot(a.point, b.point) - dot(a.image, b.image) for b in pairs] for a in pairs]
            yield from no_negative_direction(gap, new, label)


@dataclass(frozen=True)
class Symmetric(Declared):
    """Any self-adjoint linear map of a space of any dimension, for `Space`; positive semidefinite with ``low=0``.

    Example:
        >>> Symmetric(low=0).sentence("A")
        'A any self-adjoint map with 0 ≤ ⟨A(x), x⟩'

    Attributes:
        low: Its eigenvalues are at least this; None where nothing is known.
        high: Its eigenvalues are at most this.
    """

    low: Any = None
    high: Any = None

    def __post_init__(self) -> None:
        """Ends are numbers."""
        require_number("Symmetric.low", self.low)
        require_number("Symmetric.high", self.high)

    def sentence(self, name: str) -> str:
        """How it reads in a domain."""
        if self.low is None and self.high is None:
            return f"{name} any self-adjoint map"
        low, high = ("" if end is None else f"{end} ‖x‖²" if end != 0 else "0" for end in (self.low, self.high))
        return f"{name} any self-adjoint map with {' ≤ '.join(filter(None, (low, f'⟨{name}(x), x⟩', high)))}"

    def relations(self, along: Sequence[Pair], back: Sequence[Pair], dot: Dot, new: Number) -> Iterator[Any]:
        """What holds between some vectors and their images, as for `Linear`; it is its own adjoint."""
        low, high = self._ends(new)
        yield low <= high
        pairs = [*along, *back]
        for point, image in pairs:  # follows from what comes below, and spares proofs to find that
            yield from (dot(image, point) >= low * dot(point, point) for _ in range(self.low is not None))
            yield from (dot(image, point) <= high * dot(point, point) for _ in range(self.high is not None))
        for a in pairs:  # the same of A - low and high - A at what is put in again
            for b in (b for b in pairs if b.point == a.image):
                near, far = a.image - low * a.point, high * a.point - a.image
                yield dot(b.image - low * b.point, near) <= high * dot(near, near)
                yield dot(high * b.point - b.image, far) >= low * dot(far, far)
        yield from (sp.Eq(dot(a.point, b.image), dot(a.image, b.point)) for k, b in enumerate(pairs) for a in pairs[:k])
        gap = [[dot(a.image - low * a.point, high * b.point - b.image) for b in pairs] for a in pairs]
        yield from no_negative_direction(gap, new, "ratio")

    def _ends(self, new: Number) -> tuple[Any, Any]:
        """Where the spectrum lies: a map of finite dimension has ends, though none may be named."""
        low, high = (None if end is None else sp.sympify(end, strict=True) for end in (self.low, self.high))
        if low is not None and high is not None:
            return low, high
        width = new("width", _POSITIVE)
        if low is None and high is None:
            return -width, width
        return (low, low + width) if high is None else (high - width, high)


def no_negative_direction(matrix: Sequence[Sequence[Any]], new: Number, label: str) -> Iterator[Any]:
    """That a symmetric matrix is positive semidefinite: a lower triangular one with ones, times squares, its transpose.

    So every direction of it is seen to be at least zero by adding up relations. ``label`` names the triangular entries.
    """
    left = [list(row) for row in matrix]
    for k in range(len(left)):
        square, later = left[k][k], range(k + 1, len(left))
        yield square >= 0
        ratio = {i: new(f"{label} {i + 1}{k + 1}", Reals()) for i in later}
        yield from (sp.Eq(left[i][k], ratio[i] * square) for i in later)
        for i in later:
            for j in later:
                left[i][j] -= ratio[i] * ratio[j] * square


def adjoint(operator: Any) -> Any:
    """The adjoint of a linear map: the transposed matrix.

    Example:
        >>> A, y = sp.Function("A"), sp.Symbol("y")
        >>> adjoint(A)(y)
        A^T(y)
        >>> adjoint(adjoint(A)) == A
        True

    Args:
        operator: Such as ``sympy.Function("A")``.

    Returns:
        A function of the same kind.
    """
    return marked(operator, "^T")


def marked(function: Any, mark: str) -> Any:
    """The function whose name has a mark more, or less where it has that: what it is of twice is itself.

    Raises:
        InputError: where it is no function.
    """
    if not isinstance(function, UndefinedFunction):
        raise InputError("adjoint, dual", 'a function such as sympy.Function("A")', function, "declare it as one")
    name = function.__name__
    return sp.Function(name.removesuffix(mark) if name.endswith(mark) else f"{name}{mark}")


def together(written: Any, operators: Iterable[Any]) -> Any:
    """What is written with images that are added up taken together, from the outermost on: A(x) - A(y) is A(x - y).

    So at most one image under a map stands wherever vectors are added up.
    """
    if isinstance(written, (BooleanFunction, Relational)):
        return written.func(*(together(part, operators) for part in written.args))
    terms = {sp.Dummy(): term for term in set(_outermost(written, (AppliedUndef, Nabla, Inner, Norm)))}
    found = written.xreplace({term: symbol for symbol, term in terms.items()})
    for operator in operators:
        images = [symbol for symbol, term in terms.items() if term.func == operator and len(term.args) == 1]
        if images:
            found = sp.expand(found)
            shares = {symbol: found.coeff(symbol) for symbol in images}
            shares = {symbol: share for symbol, share in shares.items() if not share.free_symbols & terms.keys()}
            found = sp.expand(found - sp.Add(*(share * symbol for symbol, share in shares.items())))
            point = sp.expand(sp.Add(*(share * terms[symbol].args[0] for symbol, share in shares.items())))
            found += operator(together(point, operators)) if point != 0 else 0
    inside = {symbol: [together(part, operators) for part in term.args] for symbol, term in terms.items()}
    return found.xreplace({symbol: term.func(*inside[symbol]) for symbol, term in terms.items()})


def _outermost(written: Any, kinds: tuple[Any, ...]) -> Iterator[Any]:
    walk = sp.preorder_traversal(written)
    for part in walk:
        if isinstance(part, kinds):
            yield part
            walk.skip()


class Images:
    """A linear map at the vectors that a claim puts in, as few as all others are combinations of."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._known: dict[Any, tuple[Combination, Any]] = {}

    @property
    def pairs(self) -> list[Pair]:
        """Vectors and what comes out."""
        return [Pair(_added(point), image) for point, image in self._known.values()]

    def put_in(self, vectors: Sequence[Any], points: Sequence[Combination]) -> list[Any]:
        """Make room for the images of some combinations of vectors; those that are new, as symbols of vectors."""
        found = basis(vectors, [self._split(each)[1] for each in points])
        for pivot, point in found.items():
            name = name_at(self._name, _added(point), len(self._known))
            self._known[pivot] = point, sp.Symbol(name)
        return [self._known[pivot][1] for pivot in found]

    def of(self, point: Combination) -> Any:
        """The image of a combination that has been put in."""
        return self._split(point)[0]

    def _split(self, point: Combination) -> tuple[Any, Combination]:
        """The image of what known vectors make up, and what is left."""
        image, left = sp.S.Zero, dict(point)
        for pivot, (known, of_known) in self._known.items():
            share = left.get(pivot, sp.S.Zero)
            image += share * of_known
            left = {v: sp.expand(left.get(v, 0) - share * known.get(v, 0)) for v in {**left, **known}}
        return image, {v: number for v, number in left.items() if number != 0}


def _added(combined: Combination) -> Any:
    return sp.Add(*(number * vector for vector, number in combined.items()))
