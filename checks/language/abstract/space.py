"""A domain with vectors, functions and random variables, and how a claim on it becomes one about numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef, UndefinedFunction

from boundaudit import InputError
from boundaudit.checks.language.abstract.events import Event, Events
from boundaudit.checks.language.abstract.functions import At, Functions
from boundaudit.checks.language.abstract.laws import Bernoulli, Density, Gaussian, Laws, Rademacher, Random
from boundaudit.checks.language.abstract.terms import Cov, E, Inner, Nabla, Norm, P, Var
from boundaudit.checks.language.abstract.vectors import Euclidean, Frame, combination
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.language.domain.limits import shown
from boundaudit.checks.language.domain.ranges import Range

_LAWS = (Random, Density, Bernoulli, Rademacher, Gaussian)
_MEANS = (E, Var, Cov, P)
_LONGEST = 24
"""Characters of a point that stand in the name of a function's value there."""


class Space:
    """The points on which a claim speaks, where some parameters are no numbers.

    Example:
        >>> from boundaudit import Claim, Euclidean, inner, norm
        >>> v, w = sp.symbols("v w")
        >>> schwarz = Claim(
        ...     label="example.schwarz",
        ...     statement="An inner product is at most the product of the lengths.",
        ...     left=inner(v, w),
        ...     right=norm(v) * norm(w),
        ...     domain=Space({v: Euclidean(), w: Euclidean()}),
        ... )
        >>> schwarz.text
        '<v, w> <= ‖v‖*‖w‖'
        >>> schwarz.domain.sentence()
        '0 ≤ v.1; w.1 real; 0 ≤ w.2'

    Args:
        ranges: As for `Domain`, and `Euclidean` for vectors, `Functions` for functions (``sympy.Function("f")``), and
            `Random`, `Density`, `Bernoulli`, `Rademacher` and `Gaussian` for random variables, and `Event` for events.
        where: As for `Domain`. An equation with a vector on its left defines it, or a gradient; a relation between
            random variables holds in every outcome.
    """

    def __init__(self, ranges: Mapping[Any, Any], where: Sequence[Any] = ()) -> None:
        known = (Range, Euclidean, Functions, Event, *_LAWS)
        for key, found in ranges.items():
            if not isinstance(found, known) or isinstance(found, Functions) != isinstance(key, UndefinedFunction):
                expected = 'a range, Euclidean(), Event(), a law, or Functions(…) of a sympy.Function("f")'
                raise InputError(f"Space[{key}]", expected, found, "give it one")
        self.ranges, self.where = dict(ranges), tuple(where)

    def sentence(self) -> str:
        """How it reads in reports.

        Returns:
            All parameters and relations in order, separated by semicolons.
        """
        told = [found.sentence(str(key)) for key, found in self.ranges.items()]
        return "; ".join([*told, *map(shown, self.where)])

    @property
    def conventions(self) -> list[str]:
        """How a claim on it is written out in numbers, a sentence for each kind of parameter.

        Returns:
            Sentences.
        """
        told = {
            (Euclidean,): "Vectors stand in coordinates: the first has one, such as x.1, the second two, and so on.",
            (Functions,): "Functions stand in their values and slopes at the points named, in all ways of their class.",
            (Random, Density): "There are finitely many outcomes, any number of them, each with any positive chance.",
            (Event,): "Events stand in the probabilities of all ways in which they come out together.",
        }
        return [words for kinds, words in told.items() if self.of(*kinds)]

    def written_out(self, sides: Sequence[Any]) -> tuple[Domain, list[Any]]:
        """A claim about numbers that says the same.

        Args:
            sides: Expressions in the parameters; what is none is left as it is.

        Returns:
            The domain and the sides.

        Raises:
            InputError: where a term cannot be written out.
        """
        return _Writing(self, sides).result()

    def of(self, *kinds: Any) -> dict[Any, Any]:
        """The parameters of some kinds.

        Returns:
            By symbol, in order.
        """
        return {key: found for key, found in self.ranges.items() if isinstance(found, kinds)}


class _Writing:
    """Sides and relations on their way from what they say of things to what they say of numbers."""

    def __init__(self, space: Space, sides: Sequence[Any]) -> None:
        self._space, self._count = space, len(sides)
        self._all = [*sides, *space.where]
        self._vectors = list(space.of(Euclidean))
        self._added: dict[Any, Range] = {}
        self._laws = Laws(space.of(*_LAWS))
        self._events = Events(space.of(Event))
        self._random = {*self._laws.variables.values(), *space.of(Event)}
        self._put(self._laws.variables)

    def result(self) -> tuple[Domain, list[Any]]:
        self._define(self._vectors)
        self._functions()
        self._lengths()
        self._means()
        sides, where = self._all[: self._count], [self._laws.surely(each) for each in self._all[self._count :]]
        left = {symbol for side in sides if isinstance(side, sp.Basic) for symbol in side.free_symbols}
        alone = sorted(each.name for each in left & {*self._vectors, *self._random, *self._laws.outcomes})
        if alone:
            raise InputError(", ".join(alone), "vectors in inner, norm and functions, random variables in E, Var and P",
                             "alone", "write such as norm(v), E(X)")  # fmt: skip
        ranges: dict[Any, Range] = {}
        for key, found in self._space.ranges.items():
            written = self._laws.ranges | self._events.ranges
            ranges |= {key: found} if isinstance(found, Range) else written.get(key, {})
        return Domain({**ranges, **self._added}, where=[*where, *self._laws.where, *self._events.where]), sides

    def _put(self, instead: Mapping[Any, Any]) -> None:
        self._all = [each.xreplace(instead) if isinstance(each, sp.Basic) else each for each in self._all]
        self._all = [each for n, each in enumerate(self._all) if n < self._count or each is not sp.true]

    def _define(self, vectors: Sequence[Any]) -> None:
        """Put what equations make of vectors in their place, one equation after the other."""
        while True:
            found = [
                each for each in self._all[self._count :]
                if isinstance(each, sp.Eq) and (each.lhs in vectors or (each.rhs in vectors and each.lhs == 0))
            ]  # fmt: skip
            if not found:
                return
            lhs, rhs = found[0].args if found[0].lhs in vectors else found[0].args[::-1]
            if rhs.has(lhs):
                raise InputError("Space.where", "vectors in terms of others", found[0], "solve the equation for one")
            self._all.remove(found[0])
            self._put({lhs: rhs})

    # --- functions ----------------------------------------------------------------------------------------------

    def _functions(self) -> None:
        """Values and slopes of functions become numbers and vectors, and what binds them becomes relations."""
        functions = self._space.of(Functions)
        self._of_vectors = {
            term.func for each in self._expressions() for term in each.atoms(AppliedUndef)
            if term.free_symbols & set(self._vectors)
        }  # fmt: skip
        points: dict[Any, list[At]] = {key: [] for key in functions}
        slopes = []
        while (term := self._innermost(AppliedUndef)) is not None:
            if term.func not in functions or len(term.args) != 1:
                raise InputError(str(term.func), "a function of one point that the Space declares", term, "declare it")
            at = self._at(term, functions[term.func], points[term.func])
            slopes.append(at.slope)
            self._put({Nabla(term): at.slope, term: at.value})
            points = {key: [At(*(part.xreplace({Nabla(term): at.slope, term: at.value}) for part in each))
                            for each in found] for key, found in points.items()}  # fmt: skip
        if (term := self._innermost(Nabla)) is not None:
            raise InputError("gradient", "a declared function at a point, such as gradient(f(x))", term, "rewrite it")
        start = len(self._all)
        for key, found in points.items():
            self._all += functions[key].relations(found, self._dot)
        self._all[start:] = [each for each in self._all[start:] if each is not sp.true]
        self._define([slope for slope in slopes if slope in self._vectors])

    def _at(self, term: Any, function: Functions, known: list[At]) -> At:
        """The function at a point, which may have been met in another form."""
        point = term.args[0]
        for at in known:
            if sp.expand(at.point - point) == 0:
                return at
        if point.free_symbols & self._random:
            raise InputError(str(term), "functions at points that are not random", term, "write out its expectation")
        text = str(point)
        name = f"{term.func}({text})" if len(text) <= _LONGEST else f"{term.func}(point {len(known) + 1})"
        vectors = term.func in self._of_vectors
        if vectors and function.of_numbers:
            raise InputError(str(term), "a function of numbers, since it is ordered", term, "leave the property out")
        value, slope = sp.Symbol(name, real=True), sp.Symbol(f"∇{name}", real=None if vectors else True)
        self._added[value] = Reals()
        if vectors and function.has_slopes:
            self._vectors.append(slope)
        elif function.has_slopes:
            self._added[slope] = Reals()
        known.append(At(point, value, slope))
        return known[-1]

    def _innermost(self, *kinds: Any) -> Any:
        """A term of some kind that has none inside, the first in the order of names."""
        terms = set().union(*(each.atoms(*kinds) for each in self._expressions()))
        alone = [term for term in terms if not any(part.has(*kinds) for part in term.args)]
        return min(alone, key=str, default=None)

    def _expressions(self) -> Iterator[sp.Basic]:
        return (each for each in self._all if isinstance(each, sp.Basic))

    def _dot(self, left: Any, right: Any) -> Any:
        vectors = set(self._vectors)
        return Inner(left, right) if (left.free_symbols | right.free_symbols) & vectors else left * right

    # --- vectors and means --------------------------------------------------------------------------------------

    def _lengths(self) -> None:
        """Inner products and lengths in coordinates."""
        terms: list[tuple[Any, Any, Any]] = []
        while (term := self._innermost(Inner, Norm)) is not None:
            number = sp.Dummy(real=True, nonnegative=isinstance(term, Norm) or None)
            terms.append((number, type(term), [combination(part, self._vectors) for part in term.args]))
            self._put({term: number})
        frame = Frame(self._vectors, [part for _, _, parts in terms for part in parts])
        for number, kind, parts in reversed(terms):
            product = frame.inner(parts[0], parts[-1])
            self._put({number: sp.sqrt(product) if kind is Norm else product})
        self._added |= frame.ranges

    def _means(self) -> None:
        """Expectations, variances and probabilities as sums and closed forms."""
        while (term := self._innermost(*_MEANS)) is not None:
            kind = self._events if term.free_symbols & set(self._space.of(Event)) else self._laws
            self._put({term: kind.value(term)})
