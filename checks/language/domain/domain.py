"""A domain: parameters in order, each with its range, and relations between them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache, cached_property, partial
from numbers import Real
from operator import itemgetter
from typing import Any

import hypothesis
import numpy as np
import sympy as sp
from hypothesis import strategies as st

from boundaudit import InputError
from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.balls import Undefined
from boundaudit.checks.language.compare import all_of, compare
from boundaudit.checks.language.digest import digest
from boundaudit.checks.language.domain.assumptions import unearned_in
from boundaudit.checks.language.domain.compound import Subsets, Vector
from boundaudit.checks.language.domain.faces import is_scalar, nearly_inside, scattered
from boundaudit.checks.language.domain.limits import Empty, shown
from boundaudit.checks.language.domain.matrix import Matrix
from boundaudit.checks.language.domain.ranges import Range
from boundaudit.checks.language.domain.reals import Reals
from boundaudit.checks.language.domain.surface import onto, within
from boundaudit.checks.language.expression import FOLDS, ONE, Tree, names, subtract, walk
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.relations import ALLOWED, ForAll, entries, holds, spoken_of, trees, ways
from boundaudit.checks.language.unrolled import rolled_out

_BEFORE_INDICES = 2
"""Parts of the tree of an entry before its indices."""
_DRAWN, _DRAWN_FOR_A_MATRIX = 64, 256
"""Coordinates of a random point: of all its parameters, and of each matrix beyond."""
_AT_ONCE = 256
"""Points that go to floating point together, before exact arithmetic decides which relations they satisfy."""
_FILLED = 256
"""The most points of a sample that are looked for on lines where drawn ones hardly satisfy the relations."""
_LONG, _LONG_PULLED, _LONG_MOVED, _LONG_UNROLLED = 20_000, 5000, 1100, 300
"""The most entries of vectors far out; where squares pull them in, relations move points, indices are spoken of."""
_SIMPLER = 16
"""Simpler values of a parameter that are tried where relations move the others with it."""
_PIECES = 16
"""Ways in which alternatives among the relations are looked at one by one."""


class Domain:
    """The points on which a claim speaks.

    Example:
        >>> from boundaudit import Domain, Integers
        >>> T, D = sp.symbols("T D", integer=True, positive=True)
        >>> domain = Domain({T: Integers(2), D: Integers(1, T)}, where=[T * D <= 100])
        >>> domain.sentence()
        '2 ≤ T; 1 ≤ D ≤ T; D*T <= 100'
        >>> domain.contains({"T": 4, "D": 5})
        False

    Args:
        ranges: From SymPy symbols (or vectors) to ranges; a limit may use earlier symbols only. The order is the
            order in which points count as small.
        where: SymPy inequalities and equations (`sympy.Eq`) between the parameters, also with `sympy.Ne`, `sympy.Or`
            and `sympy.And`, and `ForAll` for what holds at all values of an index. Points are drawn on the surface of
            an equation where it is of first or second degree in a parameter or along a line through a vector.
    """

    def __init__(self, ranges: Mapping[Any, Range], where: Sequence[Any] = ()) -> None:
        if not ranges or not isinstance(ranges, Mapping):
            raise InputError("domain", "at least one parameter", ranges or "none", "give {symbol: range}")
        self.ranges: dict[str, Range] = {}
        for key, found in ranges.items():
            name = key.name if isinstance(key, sp.Symbol) else str(key)
            if name in self.ranges:
                raise InputError(f"domain[{name}]", "each parameter once", "two of this name", "rename one")
            if not isinstance(found, Range):
                raise InputError(
                    f"domain[{name}]", "Integers, Reals, Choices, Vector, Matrix or Subsets", found, "give it a range"
                )
            if isinstance(found, (Vector, Matrix)) and not isinstance(found.entries, Reals):
                remedy = "bound reals; integers are single parameters"
                raise InputError(f"domain[{name}]", "entries in Reals", found.entries, remedy)
            self._check_tested(name, found)
            self.ranges[name] = found
        if not isinstance(where, (list, tuple)):
            raise InputError("domain.where", "a list of relations", where, "write such as [x <= y]")
        self.where = tuple(where)
        self._entries = [entry for relation in self.where for entry in entries(relation)]
        self._check_names()
        self._check_assumptions([*ranges, *where])

    @staticmethod
    def _check_tested(name: str, found: Range) -> None:
        """How far numeric methods look is a number."""
        for part in (found, getattr(found, "entries", None)):
            most = getattr(part, "tested_to", 1)
            if not isinstance(most, Real) or not 0 < float(most) < math.inf:
                remedy = "say how far numeric methods look"
                raise InputError(f"domain[{name}].tested_to", "a number above 0", repr(most), remedy)

    def _check_assumptions(self, written: Sequence[Any]) -> None:
        """What SymPy assumed in limits and relations must be granted too."""
        limits = [v for found in self.ranges.values() for v in (*vars(found).values(), *_entries(found))]
        for expression in [*written, *limits]:
            gap = unearned_in(expression, self.ranges)
            if gap is not None:
                name, assumption = gap
                expected = f"a range that makes {name} {assumption}, as its symbol says"
                got = self.ranges[name].sentence(name) if name in self.ranges else "a sum's limits"
                raise InputError(f"domain[{name}]", expected, got, "drop the assumption or narrow the range")

    def _check_names(self) -> None:
        """Limits speak of earlier parameters, relations of any."""
        earlier: set[str] = set()
        for name in self.ranges:
            used = self._read_by(name)
            if not used <= earlier:
                got = ", ".join(sorted(used - earlier))
                raise InputError(f"domain[{name}]", "limits in earlier parameters", got, "reorder or add a range")
            self.require_readable(f"domain[{name}]", *self._limits_of(name))
            earlier.add(name)
        for entry in self._entries:
            used = spoken_of(entry)
            self.require_readable("domain.where", *trees(entry))
            unknown = used - earlier
            if unknown:
                got = ", ".join(sorted(unknown))
                raise InputError("domain.where", f"relations in {', '.join(earlier)}", got, "add a range")

    def _read_by(self, name: str) -> set[str]:
        """The parameters that the limits of a range speak of."""
        return set().union(*map(names, self._limits_of(name)))

    def _limits_of(self, name: str) -> list[Tree]:
        """The expressions of a range: trees are tuples, and what else it writes into its JSON is none."""
        return [part for part in self.ranges[name].to_json().values() if isinstance(part, tuple)]

    def require_readable(self, field: str, *read: Tree) -> None:
        """Require that expressions speak of numbers and of entries of vectors and matrices only.

        Raises:
            InputError: where one speaks of a whole matrix, of a family of subsets, or of an entry by too few or too
                many indices.
        """
        hidden = sorted({node[1] for tree in read for node in walk(tree) if self._is_hidden(node)})
        if hidden:
            remedy = "measured sides only: whole matrices and families of subsets are read by a Quantity"
            raise InputError(field, "numbers and entries such as v[i] and A[i, j]", ", ".join(hidden), remedy)

    def _is_hidden(self, node: Tree) -> bool:
        """Whether a part of an expression is nothing that has a value at a point."""
        found = self.ranges.get(node[1]) if node[0] in ("v", "item") else None
        indices = len(node) - _BEFORE_INDICES if node[0] == "item" else 0
        if isinstance(found, Matrix):
            return indices != len(found._limits)
        return isinstance(found, Subsets) or (isinstance(found, Vector) and indices != 1)

    def to_json(self) -> dict[str, Any]:
        """The meaning, for fingerprints and the proof checker: ``{"parameters": [...], "where": [...]}``."""
        parameters = [{"name": name, **found.to_json()} for name, found in self.ranges.items()]
        return {"parameters": parameters, "where": [list(entry) for entry in self._entries]}

    @cached_property
    def key(self) -> str:
        """A hash of the meaning; equal domains have equal keys."""
        return digest(self.to_json())

    def __eq__(self, other: object) -> bool:
        """Domains of the same meaning are equal."""
        return isinstance(other, Domain) and self.key == other.key

    def __hash__(self) -> int:
        """By meaning."""
        return hash(self.key)

    def sentence(self) -> str:
        """The sentence in the report: all ranges and relations in order, separated by semicolons."""
        phrases = [found.sentence(name) for name, found in self.ranges.items()]
        return "; ".join([*phrases, *map(_told, self.where)])

    def replace(self, **ranges: Range) -> Domain:
        """The same domain with some parameters ranging elsewhere.

        Raises:
            InputError: where a name is none of the parameters.
        """
        for name in ranges:
            if name not in self.ranges:
                raise InputError("domain.replace", f"one of {', '.join(self.ranges)}", name, "correct the name")
        return self._with(self.ranges | ranges, self.where)

    @staticmethod
    def _with(ranges: Mapping[str, Range], where: Sequence[Any]) -> Domain:
        return Domain({sp.Symbol(name): found for name, found in ranges.items()}, where)

    def relaxed(self) -> dict[str, Domain]:
        """This domain with one hypothesis removed, for every hypothesis that can be."""
        looser = {
            f"{what} of {name}": self.replace(**{name: freed})
            for name, found in self.ranges.items()
            for what, freed in found.relaxed().items()
        }
        for i, relation in enumerate(self.where):
            rest = self.where[:i] + self.where[i + 1 :]
            looser[_told(relation)] = self._with(self.ranges, rest)
        return looser

    def contains(self, point: Mapping[str, Any]) -> bool | None:
        """Exact membership, or None where it cannot be decided.

        Raises:
            InputError: where the point has other parameters than the domain.
        """
        if set(point) != set(self.ranges):
            raise InputError("point", f"values for {', '.join(self.ranges)}", sorted(point), "name every parameter")
        inside = (found.contains(point[name], point) for name, found in self.ranges.items())
        return all_of(itertools.chain(inside, self._relations(point)))

    def related(self, point: Mapping[str, Any]) -> bool | None:
        """Whether the relations of `where` hold at a point, or None where it cannot be decided."""
        return all_of(self._relations(point))

    def _relations(self, point: Mapping[str, Any]) -> Iterator[bool | None]:
        for (left, right), signs in self._signs.items():
            try:
                sign = compare(left, right, point)
            except Undefined:
                yield None
                continue
            yield None if sign is None else sign in signs
        yield from (holds(entry, point) for entry in self._entries if entry[0] in ("or", "all"))

    @cached_property
    def _signs(self) -> dict[tuple[Tree, Tree], set[int]]:
        """The signs that the difference of two sides may have: of those of an equation it is one."""
        found: dict[tuple[Tree, Tree], set[int]] = {}
        for sign, left, right in self._plain:
            found[left, right] = found.get((left, right), ALLOWED[sign]) & ALLOWED[sign]
        return found

    @cached_property
    def _plain(self) -> list[list[Any]]:
        """The inequalities, two of them for an equation."""
        return [entry for entry in self._entries if entry[0] in ALLOWED]

    @cached_property
    def each(self) -> list[list[Any]]:
        """What holds for all values of an index, as data."""
        return [entry for entry in self._entries if entry[0] == "all"]

    @cached_property
    def _first(self) -> list[list[Any]]:
        """Inequalities between single entries, such as v[1] ≤ 1 where a recursion starts, as said of one index."""
        alone = [e for e in self._plain if not any(node[0] in FOLDS for side in e[1:] for node in walk(side))]
        return [["all", ONE, ONE, entry] for entry in alone]

    @cached_property
    def pieces(self) -> tuple[Domain, ...]:
        """Domains that make up this one and leave no alternative open, at most so many that each can be looked at."""
        if all(entry[0] != "or" for entry in self._entries):
            return (self,)
        told = [[[relation]] if isinstance(relation, ForAll) else ways(relation) for relation in self.where]
        chosen = itertools.islice(itertools.product(*told), _PIECES)
        return tuple(self._with(self.ranges, list(itertools.chain.from_iterable(parts))) for parts in chosen)

    @cached_property
    def moves(self) -> bool:
        """Whether points are moved to where relations hold."""
        return any(piece.equations or piece.each for piece in self.pieces)

    @cached_property
    def sides(self) -> list[tuple[Tree, Tree, bool]]:
        """The larger and the smaller side of every inequality, an equation both ways, and whether they must differ."""
        return [(*((b, a) if sign[0] == "<" else (a, b)), sign in "<>") for sign, a, b in self._plain]

    @cached_property
    def equations(self) -> tuple[Tree, ...]:
        """What relations say to vanish: an equation, or two inequalities that make one."""
        return tuple(
            _cleared(self, subtract(above, below))
            for k, (above, below, strict) in enumerate(self.sides)
            if not strict and (below, above, False) in self.sides[k + 1 :]
        )

    def settled(self, point: Point, free: Sequence[str] | None = None) -> Point | None:
        """The point where the relations hold, or one beside it where equations do, and what is said of all indices.

        None where there is none. The ``free`` parameters may move, the last ones first; all unless given.
        """
        if self.related(point):
            return point
        movable = tuple(self.ranges) if free is None else free
        if not self.moves:
            return within(self, point, movable)
        found = (piece._moved_onto(point, movable) for piece in self.pieces if piece.moves)
        return next((there for there in found if there is not None), None)

    def _moved_onto(self, point: Point, movable: Sequence[str]) -> Point | None:
        """The point with entries of vectors moved first, one after the other, and then what equations ask for."""
        if self.each:
            unrolled = self._rolled_out(point, movable)
            if unrolled is None or self.contains(unrolled):
                return unrolled
            point = unrolled
        return onto(self, self.equations, point, movable[::-1]) if self.equations else None

    def _rolled_out(
        self, point: Point, movable: Sequence[str], shares: Callable[[], float] | None = None
    ) -> Point | None:
        """A point whose vectors obey what is said of all indices; None where there is none beside it."""
        vectors = [
            name for name, found in self.ranges.items() if isinstance(found, (Vector, Matrix)) and name in movable
        ]
        with suppress(Empty):
            return rolled_out([*self.each, *self._first], vectors, self._ends_of_entries, point, shares)
        return None

    def _ends_of_entries(self, name: str, point: Point) -> Any:
        """The limits of a vector's entries, None where there is none, and how far numeric methods look."""
        entries = self.ranges[name].entries  # type: ignore[union-attr]
        low, high = map(Fraction, entries.ends(point))
        return None if entries.low is None else low, None if entries.high is None else high, low, high

    def strategy(self) -> st.SearchStrategy[Point]:
        """The Hypothesis strategy, parameter by parameter; only empty ranges and relations of `where` reject."""

        @st.composite
        def points(draw: Any) -> Point:
            point: Point = {}
            try:
                for name, found in self.ranges.items():
                    point[name] = draw(found.strategy(point))
            except Empty:
                hypothesis.reject()
            return point

        drawn = points()
        settled = drawn.map(self.settled).filter(lambda point: point is not None)
        return settled if self.where else drawn  # type: ignore[return-value]

    def from_unit(self, coordinates: Sequence[float]) -> Point | None:
        """The point at the given coordinates of the unit cube; missing coordinates are 1/2.

        None where a range is empty there or a relation of `where` excludes it.
        """
        unit = itertools.chain(coordinates, itertools.repeat(0.5))
        point: Point = {}
        try:
            for name, found in self.ranges.items():
                point[name] = found.from_unit(lambda: float(next(unit)), point)
        except Empty:
            return None
        drawn = next((piece for piece in self.pieces if piece.each), None)
        kind = 1.0 if drawn is None else next(unit)
        if drawn is not None and kind < 0.5:
            shares = (lambda: float(kind < 0.125)) if kind < 0.25 else lambda: float(next(unit))
            point = drawn._rolled_out(point, tuple(self.ranges), shares) or point
        return self.settled(point)

    def sample(self, count: int, generator: np.random.Generator) -> list[Point]:
        """At most so many random points, evenly in the coordinates of the unit cube, 1/2 beyond what is drawn.

        Those that `where` admits, and where these are few, others on lines through its corners.
        """
        width = _DRAWN + _DRAWN_FOR_A_MATRIX * sum(isinstance(found, Matrix) for found in self.ranges.values())
        found = (self.from_unit(row) for row in generator.random((count, width)))
        drawn = [point for point in found if point is not None]
        few = min(count // 2, _FILLED) - len(drawn)
        if not (self.where and few > 0 and is_scalar(self)):
            return drawn
        share = -(-few // len(self.pieces))
        return [*drawn, *(point for piece in self.pieces for point in scattered(piece, share, generator))]

    def grid(self, limit: int) -> list[Point]:
        """The factorial grid of points that `where` admits; one larger than the limit is thinned while it is built."""
        if not self.moves:
            return _thinned(list(self._on_grid(limit)), limit)
        candidates = list(self._candidates(limit))  # moving each of them costs more than what is looked at after
        placed = ((k, self._placed(*candidates[k])) for k in _spread(len(candidates)))
        found = itertools.islice(((k, point) for k, point in placed if point is not None), limit)
        return [point for _, point in sorted(found, key=itemgetter(0))]

    def is_somewhere(self, tried: int) -> bool:
        """Whether a point is found among so many of a factorial grid and random ones; there may be one all the same."""
        return next(self._on_grid(tried), None) is not None or bool(self.sample(tried, np.random.default_rng(0)))

    def _on_grid(self, limit: int) -> Iterator[Point]:
        """The points of the grid that `where` admits, as they are found."""
        placed = (self._placed(*candidate) for candidate in self._candidates(limit))
        return (point for point in placed if point is not None)

    def _candidates(self, limit: int) -> Iterator[tuple[Point, Domain | None, float]]:
        """Points of the grid, each with every way to move it."""
        points: list[Point] = [{}]
        for name, found in self.ranges.items():
            listed = self._listed(name, found)
            points = [{**point, name: value} for point in points for value in listed(point)]
            points = _thinned(points, max(4 * limit, 16))
        return ((point, *way) for point in points for way in self._ways)

    @cached_property
    def _ways(self) -> list[tuple[Domain | None, float]]:
        """None at all, or entries of vectors go as far up (1) or down (0) as is said of all indices in a piece."""
        return [(None, 0.0), *((piece, end) for piece in self.pieces if piece.each for end in (1.0, 0.0))]

    def _extreme(self, point: Point, piece: Domain | None, end: float) -> Point | None:
        return point if piece is None else piece._rolled_out(point, tuple(self.ranges), lambda: end)

    def _placed(self, point: Point, piece: Domain | None, end: float) -> Point | None:
        """A point moved in one of these ways to where the relations hold, or None."""
        start = self._extreme(point, piece, end)
        return None if start is None else self.settled(start)

    def _listed(self, name: str, found: Range) -> Callable[[Point], list[Any]]:
        """The grid of one parameter, given the earlier ones: listed once for all points that agree in what it reads."""
        read = sorted(self._read_by(name))
        listed = cache(lambda *values: list(_values(found.grid, dict(zip(read, values, strict=True)))))
        return lambda point: listed(*(point[other] for other in read))

    def every(self, most: int) -> list[Point] | None:
        """Every point of a finite domain; None where there are more than ``most``, or infinitely many."""
        found = list(itertools.islice(self._every({}, list(self.ranges.items())), most + 1))
        return None if len(found) > most or None in found else [point for point in found if point is not None]

    def _every(self, point: Point, rest: list[tuple[str, Range]]) -> Iterator[Point | None]:
        """All points, or a None where a range cannot be listed."""
        if not rest:
            inside = self.related(point)
            if inside is not False:
                yield point if inside else None
            return
        (name, found), *later = rest
        values = None
        with suppress(Empty):  # which is also said of what is too long, or too large, to be looked at
            values = found.every(point)
        if values is None:
            yield None
            return
        for value in values:
            yield from self._every({**point, name: value}, later)

    def far(self, count: int) -> list[Point]:
        """At most so many points beyond what the sweep looks at: one parameter far out, the others near."""
        near = [*itertools.islice(self.smallest(2), 4), *self.grid(8)]
        lengths, sizes = (
            set().union(*(self._read_by(name) for name, found in self.ranges.items() if isinstance(found, kinds)))
            for kinds in (Vector, (Matrix, Subsets))
        )
        unrolled = any(piece.each for piece in self.pieces)
        pulled = any(isinstance(found, Vector) and found.square_sum is not None for found in self.ranges.values())
        free = _LONG_PULLED if pulled else _LONG
        most = _LONG_UNROLLED if unrolled else _LONG_MOVED if self.moves else free
        tried = [
            (changed, way)
            for name, found in self.ranges.items()
            if name not in sizes
            for point in (near[:1] if name in lengths and self.moves else near)
            for value in _values(found.far, point)
            # A vector of 10^18 entries is no point that anybody can look at.
            if name not in lengths or value <= most
            for changed in [cache(partial(self.moved, point, name, value))]  # once for all ways
            for way in self._ways
        ]
        order = _spread(len(tried)) if self.moves else range(len(tried))
        # Where there is but one parameter, what is near does not matter, and every point comes many times.
        placed = _distinct(filter(None, (self._far_out(*tried[k]) for k in order)))
        found = list(itertools.islice(placed, count if self.moves else None))
        return found[:: max(1, -(-len(found) // count))]

    def _far_out(self, changed: Callable[[], Point | None], way: tuple[Domain | None, float]) -> Point | None:
        point = changed()
        return None if point is None else self._extreme(point, *way)

    def near(self, point: Point, step: float) -> Iterator[tuple[str, Any]]:
        """What a search may change next, a parameter and a value of its range; `moved` adapts the others.

        A step is a share of a range.
        """
        for name, found in self.ranges.items():
            for value in _values(lambda env, of=found, at=point[name]: of.near(at, env, step), point):  # type: ignore[misc]
                yield name, value

    def smallest(self, size: int) -> Iterator[Point]:
        """Every point up to a size, which ranges interpret, in lexicographic order of the parameters."""
        yield from (point for point in self.candidates(size) if point is not None)

    def candidates(self, size: int) -> Iterator[Point | None]:
        """Every point up to a size, as `smallest` has it, and a None for each that `where` excludes.

        So who looks for few does not wait for all that are excluded.
        """
        listed = self._smallest({}, list(self.ranges.items()), size)
        if not self.where:
            yield from listed
            return
        seen: set[tuple[Any, ...]] = set()
        while points := list(itertools.islice(listed, _AT_ONCE)):
            inside = [True] * len(points) if self.moves else nearly_inside(self, points)
            for point, near in zip(points, inside, strict=True):
                found = self.settled(point) if near else None
                key = () if found is None else tuple(found.values())
                yield None if key in seen else found
                if self.moves and key:  # many points come to the same place of a surface
                    seen.add(key)

    def _smallest(self, point: Point, rest: list[tuple[str, Range]], size: int) -> Iterator[Point]:
        """What the ranges allow, whatever `where` says."""
        if not rest:
            yield point
            return
        (name, found), *later = rest
        for value in _values(lambda env: found.smallest(env, size), point):
            yield from self._smallest({**point, name: value}, later, size)

    def simpler(self, point: Point) -> Iterator[Point]:
        """What a counterexample shrinks to: one parameter simpler, from the first on, the later ones adapted to it."""
        for name, found in self.ranges.items():
            simpler = found.simpler(point[name], point)
            for value in itertools.islice(simpler, _SIMPLER if self.moves else None):
                changed = self.moved(point, name, value, firmly=True)
                if changed is not None:
                    yield changed

    def moved(self, point: Point, name: str, value: Any, *, firmly: bool = False) -> Point | None:
        """A point with one parameter changed, and every later one brought back into its range.

        ``firmly`` keeps the parameter so where equations move the point. None where a range is empty there or has an
        end beyond all floats, or where a relation of `where` excludes it.
        """
        fresh: Point = {}
        try:
            for other, found in self.ranges.items():
                if other == name:
                    fresh[name] = value
                else:
                    fresh[other] = found.adapt(point[other], fresh) if name in fresh else point[other]
        except (Empty, OverflowError):
            return None
        others = [other for other in self.ranges if other != name]
        return self.settled(fresh, others if firmly else [name, *others])


def _cleared(domain: Domain, equation: Tree) -> Tree:
    """The equation without denominators, where it has a normal form."""
    with suppress(Rejected):
        form = NormalForm(domain.to_json())
        ratio = form.ratio(equation)
        return equation if ratio.den.is_constant() else form.tree(Ratio(ratio.num))
    return equation


def _told(relation: Any) -> str:
    """A relation in plain text."""
    if isinstance(relation, ForAll):
        index, low, high = relation.limits[0]
        return f"{_told(relation.relation)} for {index} = {shown(low)}…{shown(high)}"
    if isinstance(relation, (sp.Or, sp.And)):
        word = " or " if isinstance(relation, sp.Or) else " and "
        return word.join(
            f"({_told(part)})" if isinstance(part, (sp.Or, sp.And)) else _told(part)
            for part in sp.ordered(relation.args)
        )
    signs = {sp.Eq: "=", sp.Ne: "≠"}
    sign = signs.get(type(relation))
    return f"{shown(relation.lhs)} {sign} {shown(relation.rhs)}" if sign else shown(relation)


def _spread(count: int) -> list[int]:
    """The numbers below a count: the first, the last, then all others, in step with no parameter."""
    mixed = np.random.default_rng(count).permutation(count).tolist()
    return list(dict.fromkeys(k for k in (0, count - 1, *mixed) if 0 <= k < count))


def _distinct(points: Iterable[Point]) -> Iterator[Point]:
    seen: set[tuple[Any, ...]] = set()
    for point in points:
        if (values := tuple(point.values())) not in seen:
            seen.add(values)
            yield point


def _thinned(points: list[Point], most: int) -> list[Point]:
    """Some of the points in their order, the first and the last among them; evenly, but in step with no parameter."""
    if len(points) <= most:
        return points
    if most == 1:
        return points[:1]
    chosen = np.random.default_rng(len(points)).choice(len(points), most, replace=False)
    kept = sorted({0, len(points) - 1, *chosen.tolist()[2:]})
    return [points[i] for i in kept]


def _entries(found: Range) -> tuple[Any, ...]:
    return tuple(vars(found.entries).values()) if isinstance(found, (Vector, Matrix)) else ()


def _values(listed: Callable[[Point], Iterable[Any]], point: Point) -> Iterator[Any]:
    """What a range lists, given the earlier parameters; nothing where it is empty."""
    with suppress(Empty):
        yield from listed(point)
