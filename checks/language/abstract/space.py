"""A domain with vectors, functions and random variables, and how a claim on it becomes one about numbers."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.function import AppliedUndef, UndefinedFunction

from boundaudit import InputError
from boundaudit.checks.language.abstract.declared import name_at
from boundaudit.checks.language.abstract.events import Event, Events
from boundaudit.checks.language.abstract.extremes import Maximum, Minimum
from boundaudit.checks.language.abstract.functions import At, Functions
from boundaudit.checks.language.abstract.independent import Independent
from boundaudit.checks.language.abstract.laws import Bernoulli, Density, Gaussian, Laws, Rademacher, Random
from boundaudit.checks.language.abstract.matrices import in_entries, spelled_out
from boundaudit.checks.language.abstract.norms import Norms, dual
from boundaudit.checks.language.abstract.operators import Images, Linear, Symmetric, adjoint, together
from boundaudit.checks.language.abstract.terms import Cov, E, Inner, Nabla, Norm, P, Var
from boundaudit.checks.language.abstract.vectors import Euclidean, Frame, combination
from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.domain.assumptions import unearned
from boundaudit.checks.language.domain.limits import shown
from boundaudit.checks.language.domain.ranges import Range
from boundaudit.checks.language.relations import ForAll
from boundaudit.checks.language.translate import to_tree, uncancelled
from boundaudit.checks.language.unbound import unbound

_LAWS = (Random, Density, Bernoulli, Rademacher, Gaussian, Independent)
_MEANS = (E, Var, Cov, P)
_OPERATORS = (Linear, Symmetric)
_OF_POINTS = (Functions, Norms, *_OPERATORS)


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
        ranges: As for `Domain`, and `Euclidean` for vectors, `Functions` for functions (``sympy.Function("f")``),
            `Norms` for norms, `Linear` and `Symmetric` for linear maps, written likewise, `Random`, `Density`,
            `Bernoulli`, `Rademacher` and `Gaussian` for random variables, and `Event` for events. A
            ``sympy.MatrixSymbol`` of a fixed size has the range of its entries, or is `Linear` or `Symmetric`.
        where: As for `Domain`. An equation with a vector on one side defines it, or a gradient, or an image; a relation
            between random variables holds in every outcome.
    """

    def __init__(self, ranges: Mapping[Any, Any], where: Sequence[Any] = ()) -> None:
        known = (Range, Euclidean, Event, *_OF_POINTS, *_LAWS)
        if not isinstance(ranges, Mapping):
            raise InputError("Space", "a dictionary of parameters", ranges, "give such as {X: Random()}")
        if not isinstance(where, (list, tuple)) or not all(isinstance(each, sp.Basic) for each in where):
            raise InputError("Space.where", "a list of relations", where, "write such as [x <= y]")
        for key, found in ranges.items():
            if not isinstance(key, (sp.Basic, UndefinedFunction)):
                raise InputError(f"Space[{key}]", "a symbol or function of SymPy's", type(key).__name__, "make it one")
            if isinstance(key, sp.MatrixSymbol):
                _require_matrix(key, found)
            elif isinstance(found, _LAWS) and isinstance(found, Independent) != isinstance(key, sp.IndexedBase):
                expected = "Independent(size, law) for a sympy.IndexedBase, and a law for a symbol"
                raise InputError(f"Space[{key}]", expected, found, "give it one")
            elif not isinstance(found, known) or isinstance(found, _OF_POINTS) != isinstance(key, UndefinedFunction):
                expected = (
                    "a range, Euclidean(), Event(), a law, or Functions, Norms, Linear, Symmetric of a "
                    'sympy.Function("f")'
                )
                raise InputError(f"Space[{key}]", expected, found, "give it one")
        self.ranges, self.where = dict(ranges), tuple(where)
        self._check_symbols()

    def _check_symbols(self) -> None:
        """SymPy may assume of a parameter only what its kind grants, and no two have one name."""
        for key, found in self.ranges.items():
            if sum(str(other) == str(key) for other in self.ranges) > 1:
                raise InputError(f"Space[{key}]", "each parameter once", "two of this name", "rename one")
            if isinstance(key, sp.MatrixSymbol):
                continue
            self._check_mark(key, found)
            number = sp.Dummy(**key.default_assumptions) if isinstance(key, UndefinedFunction) else key
            gap = unearned(number, _values(found))
            if gap is not None:
                expected, remedy = f"what makes {key} {gap}, as its symbol says", "drop the assumption"
                raise InputError(f"Space[{key}]", expected, found.sentence(str(key)), remedy)

    def _check_mark(self, key: Any, found: Any) -> None:
        """The dual of a norm and the adjoint of a map are declared with it, and nothing else is called so."""
        if isinstance(found, (Norms, *_OPERATORS)):
            other = str(dual(key) if isinstance(found, Norms) else adjoint(key))
            if other in map(str, self.ranges):
                made = f"{other}, which stands for what is made of {key}"
                raise InputError(f"Space[{other}]", "a name of its own", made, "rename it")

    def sentence(self) -> str:
        """How it reads in reports."""
        told = [found.sentence(str(key)) + _size(key) for key, found in self.ranges.items()]
        return "; ".join([*told, *map(shown, self.where)])

    @property
    def conventions(self) -> list[str]:
        """How a claim on it is written out in numbers, a sentence for each kind of parameter."""
        told = {
            "Vectors stand in coordinates: the first has one, such as x.1, the second two, and so on.":
                self.of(Euclidean),
            "Linear maps stand in their images of the vectors named, in all ways of their class.": self.maps,
            "Matrices stand in their entries, and symmetric ones with a bound on their eigenvalues as that bound and a "
            "triangular matrix with ones, times squares, times its transpose.": self.matrices,
            "Functions stand in their values and slopes at the points named, in all ways of their class.":
                self.of(Functions),
            "Norms stand in vectors whose inner products with those named attain them.":
                self.of(Norms),
            "There are finitely many outcomes, any number of them, each with any positive chance.":
                self.of(Random, Density),
            "Sums of independent variables stand in sums of the means of single ones, by their joint cumulants, and "
            "products in products of them.": self.of(Independent),
            "Events stand in the probabilities of all ways in which they come out together.": self.of(Event),
        }  # fmt: skip
        return [words for words, found in told.items() if found]

    def written_out(self, sides: Sequence[Any]) -> tuple[Domain, list[Any]]:
        """A claim about numbers that says the same, as domain and sides; a side that is no expression is left as it is.

        Raises:
            InputError: where a term cannot be written out.
        """
        return _Writing(self, sides).result()

    def of(self, *kinds: Any) -> dict[Any, Any]:
        """The parameters of some kinds by symbol, in order."""
        return {key: found for key, found in self.ranges.items() if isinstance(found, kinds)}

    @property
    def maps(self) -> dict[Any, Linear | Symmetric]:
        """Linear maps, by what they are written as."""
        return {key: found for key, found in self.of(*_OPERATORS).items() if isinstance(key, UndefinedFunction)}

    @property
    def matrices(self) -> dict[Any, Any]:
        """What matrices of a fixed size are, by symbol."""
        return {key: found for key, found in self.ranges.items() if isinstance(key, sp.MatrixSymbol)}


class _Writing:
    """Sides and relations on their way from what they say of things to what they say of numbers."""

    def __init__(self, space: Space, sides: Sequence[Any]) -> None:
        self._space, self._count = space, len(sides)
        self._all = [*(uncancelled(side) for side in sides), *space.where]
        self._given = list(self._expressions())
        self._check_names()
        self._check_places()
        self._vectors = list(space.of(Euclidean))
        self._added: dict[Any, Range] = {}
        self._free: dict[Any, Range] = {}  # last, so that points are moved along these first
        self._laws = Laws(space.of(*_LAWS))
        self._events = Events(space.of(Event))
        self._random = {*space.of(Event)}.union(*(each.free_symbols for each in self._laws.variables.values()))
        self._put(self._laws.variables)
        self._entries()

    def _check_names(self) -> None:
        """What is spoken of is what is declared: a symbol of other assumptions is another."""
        declared = {str(key): key for key in self._space.ranges if not isinstance(key, sp.IndexedBase)}
        for each in self._given:
            spoken_of = {*unbound(each), *(term.func for term in each.atoms(AppliedUndef))}
            for other in sorted(spoken_of - set(declared.values()), key=str):
                if str(other) in declared and not isinstance(self._space.ranges[declared[str(other)]], Range):
                    remedy = "use the one that the Space declares"
                    raise InputError(f"Space[{other}]", "one symbol of this name", "two", remedy)
            for term in each.atoms(ExprWithLimits, ForAll):
                for index in (limit[0] for limit in term.limits if str(limit[0]) in declared):
                    raise InputError(f"Space[{index}]", "an index with a name of its own", term, "rename the index")

    def _check_places(self) -> None:
        """Of independent variables the first comes at 1, and the last at the size: their laws know of no other."""
        several = self._space.of(Independent)
        for each in self._given:
            for entry, limits in _entries_of(each, several, ()):
                size, whole = several[entry.base].size, [*self._space.of(Integers), *(limit[0] for limit in limits)]
                for place in entry.indices:
                    within = all(self._is_nonnegative(_least(gap, limits)) for gap in (place - 1, size - place))
                    if not within or not place.xreplace({each: sp.Dummy(integer=True) for each in whole}).is_integer:
                        remedy = "narrow the index, or widen the range of the size"
                        raise InputError(str(entry), f"an integer known to lie from 1 to {size}", place, remedy)

    def _check_made(self, made: Iterable[Any]) -> None:
        """No name that the writing-out makes is one that its author gave."""
        binding = set().union(*(each.atoms(ExprWithLimits, ForAll) for each in self._given))
        given = {str(name) for name in (*self._space.ranges, *(limit[0] for term in binding for limit in term.limits))}
        for name in map(str, made):
            if name in given:
                raise InputError(f"Space[{name}]", "names of its own", f"{name}, which stands for something else here",
                                 "rename the parameter or index")  # fmt: skip
            given.add(name)

    def result(self) -> tuple[Domain, list[Any]]:
        self._define(self._vectors)
        self._applied()
        self._lengths()
        self._means()
        self._extremes()
        sides, where = self._all[: self._count], [self._laws.surely(each) for each in self._all[self._count :]]
        left = {symbol for side in sides if isinstance(side, sp.Basic) for symbol in side.free_symbols}
        alone = sorted(each.name for each in left & {*self._vectors, *self._random, *self._laws.outcomes})
        if alone:
            raise InputError(", ".join(alone), "vectors in inner, norm and functions, random variables in E, Var and P",
                             "alone", "write such as norm(v), E(X)")  # fmt: skip
        ranges: dict[Any, Range] = {}
        written = self._laws.ranges | self._events.ranges
        of_laws = (made for key, found in written.items() for made in found if str(made) != str(key))
        self._check_made([*of_laws, *self._added, *self._free])
        for key, found in self._space.ranges.items():
            stays = isinstance(found, Range) and key not in self._space.matrices
            ranges |= {key: found} if stays else written.get(key, {})
        where += [*self._laws.where, *self._events.where]
        return Domain({**ranges, **self._added, **self._free}, where=where), sides

    def _put(self, instead: Mapping[Any, Any]) -> None:
        self._change(lambda each: each.xreplace(instead))

    def _say(self, relations: Iterable[Any]) -> None:
        self._all += [each for each in relations if each is not sp.true]

    def _change(self, change: Callable[[Any], Any]) -> None:
        """Every side and relation; relations that become true are left out."""
        self._all = [change(each) if isinstance(each, sp.Basic) else each for each in self._all]
        self._all = [each for n, each in enumerate(self._all) if n < self._count or each is not sp.true]

    def _entries(self) -> None:
        """Matrices of a fixed size in their entries."""
        matrices = {}
        for key, found in self._space.matrices.items():
            shape = int(key.rows), int(key.cols)
            matrices[key], relations = in_entries(found, shape, functools.partial(self._number, key))
            self._say(relations)
        self._change(lambda each: spelled_out(each, matrices))
        alone = set().union(*(each.atoms(sp.MatrixSymbol) for each in self._expressions()))
        if alone:
            expected = "matrices in Trace, Determinant, entries, inner and norm"
            raise InputError(", ".join(sorted(map(str, alone))), expected, "alone", "write such as sympy.Trace(A * B)")

    def _number(self, owner: Any, name: str, within: Reals) -> Any:
        """A number that stands for part of something, or for what is not named of it."""
        positive, nonnegative = within.low == 0 and within.open_low, within.low == 0
        symbol = sp.Symbol(f"{owner}.{name}", real=True, positive=positive or None, nonnegative=nonnegative or None)
        (self._free if within == Reals() else self._added)[symbol] = within
        return symbol

    def _define(self, vectors: Sequence[Any]) -> None:
        """Put what equations make of vectors in their place, one equation after the other."""
        while found := list(filter(None, (_solved(each, vectors) for each in self._all[self._count :]))):
            relation, instead = found[0]
            self._all.remove(relation)
            self._put(instead)

    # --- functions and linear maps ------------------------------------------------------------------------------

    def _applied(self) -> None:
        """What functions and maps make of points becomes numbers and vectors, and what binds it becomes relations."""
        norms, operators = self._space.of(Norms), self._space.maps
        functions = {**self._space.of(Functions), **norms, **{dual(key): found for key, found in norms.items()}}
        for key in self._space.of(Symmetric).keys() & operators.keys():
            self._change(functools.partial(sp.Basic.replace, query=adjoint(key), value=key))
        self._of_vectors = {
            term.func for each in self._expressions() for term in each.atoms(AppliedUndef)
            if term.free_symbols & set(self._vectors)
        }  # fmt: skip
        points: dict[Any, list[At]] = {key: [] for key in functions}
        self._images = {each: Images(each.__name__) for key in operators for each in (key, adjoint(key))}
        self._change(lambda each: together(each, self._images))
        made = []
        while (term := self._innermost(AppliedUndef)) is not None:
            if term.func not in {**points, **self._images} or len(term.args) != 1:
                raise InputError(str(term.func), "a function of one point that the Space declares", term, "declare it")
            if term.func in self._images:
                made += self._put_in(term.func)
                continue
            self._require_fixed(term, "a function at a point", "name its values one by one, or write them as a vector")
            function = functions[term.func]
            at = self._at(term, function, points[term.func])
            made.append(at.slope)
            self._put({Nabla(term): at.slope, term: at.value} if function.has_slopes else {term: at.value})
        if (term := self._innermost(Nabla)) is not None:
            expected = "a declared function at a point, such as gradient(f(x)), that is convex, concave or smooth"
            raise InputError("gradient", expected, term, "say so of it, or rewrite it")
        for key, function in self._space.of(Functions).items():
            self._say(function.relations(points[key], self._dot))
        for key, known in norms.items():
            self._say(known.relations(points[key], points[dual(key)], Inner, functools.partial(self._number, key)))
        for key, operator in operators.items():
            along, back = (self._images[each].pairs for each in (key, adjoint(key)))
            self._say(operator.relations(along, back, Inner, functools.partial(self._number, key)))
        self._define([each for each in made if each in self._vectors])

    def _put_in(self, operator: Any) -> list[Any]:
        """Images of all points that have none inside become vectors."""
        images, terms = self._images[operator], [term for term in self._alone(AppliedUndef) if term.func == operator]
        inside = {term: combination(term.args[0], self._vectors) for term in terms}
        made = images.put_in(self._vectors, list(inside.values()))
        self._check_made(made)
        self._vectors += made
        self._put({term: images.of(inside[term]) for term in terms})
        return made

    def _at(self, term: Any, function: Functions | Norms, known: list[At]) -> At:
        """The function at a point, which may have been met in another form."""
        point = term.args[0]
        for at in known:
            if sp.expand(at.point - point) == 0:
                return at
        if point.free_symbols & self._random:
            raise InputError(str(term), "functions at points that are not random", term, "write out its expectation")
        if function.sub_root and not self._is_nonnegative(point):
            remedy = "give its parameters a range, or say in where that it is"
            raise InputError(str(term), "a sub-root function at numbers known to be at least zero", point, remedy)
        name = name_at(term.func, point, len(known))
        vectors = term.func in self._of_vectors
        if vectors and function.of_numbers:
            raise InputError(str(term), "a function of numbers, since it is ordered", term, "leave the property out")
        if isinstance(function, Norms) and not vectors:
            raise InputError(str(term), "a norm of vectors", term, "write such as N(v), and Abs of a number")
        slope = sp.Symbol(f"∇{name}", real=None if vectors else True)
        value = Inner(slope, point) if isinstance(function, Norms) else sp.Symbol(name, real=True)
        if not isinstance(function, Norms):
            self._added[value] = Reals()
        if vectors and function.has_slopes:
            self._check_made([slope])
            self._vectors.append(slope)
        elif function.has_slopes:
            self._added[slope] = Reals()
        known.append(At(point, value, slope))
        return known[-1]

    def _require_fixed(self, term: Any, called: str, remedy: str) -> None:
        """Require that one number stands for a term: none of the indices around it is in it."""
        for each in set().union(*(each.atoms(ExprWithLimits, ForAll) for each in self._expressions())):
            if each != term and each.has(term) and {limit[0] for limit in each.limits} & term.free_symbols:
                raise InputError(str(term), f"{called} that is the same at each index around it", each, remedy)

    def _is_nonnegative(self, point: Any) -> bool:
        """Whether a number is at least zero, as ranges and relations of the claim say it."""
        stated = (each for each in self._space.where if isinstance(each, (sp.Ge, sp.Gt, sp.Le, sp.Lt)))
        if point.is_nonnegative or any(sp.expand(each.gts - each.lts - point) == 0 for each in stated):
            return True
        with suppress(InputError, Rejected):
            numbers = Domain(self._space.of(Integers, Reals, Choices)).to_json()
            return bool(NormalForm(numbers).range_of(to_tree(point)).nonnegative)
        return False

    def _innermost(self, *kinds: Any) -> Any:
        """The first of these terms."""
        return next(iter(self._alone(*kinds)), None)

    def _alone(self, *kinds: Any) -> list[Any]:
        """Terms of some kind that have none inside, in the order of names."""
        terms = set().union(*(each.atoms(*kinds) for each in self._expressions()))
        return sorted((term for term in terms if not any(part.has(*kinds) for part in term.args)), key=str)

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

    # --- extremes -----------------------------------------------------------------------------------------------

    def _extremes(self) -> None:
        """Maxima and minima over an index become expressions at another index."""
        while (term := self._innermost(Maximum, Minimum)) is not None:
            self._require_fixed(term, "a maximum", "state it for a vector of these maxima, bound by ForAll")
            at, found, there, beyond = term.taken(f"arg{term.told}({term.function})")
            if at in self._added:
                raise InputError(str(term), "one range of the index", "two", "name the expressions differently")
            self._added[at] = found
            self._put({term: there})
            self._all.append(beyond)


def _entries_of(part: Any, several: Mapping[Any, Independent], limits: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
    """Entries of independent variables, with the limits of the indices around them, the outermost first."""
    if isinstance(part, sp.Indexed) and part.base in several:
        yield part, limits
    if isinstance(part, (ExprWithLimits, ForAll)):
        limits = (*limits, *reversed(part.limits))
    for inner in part.args:
        yield from _entries_of(inner, several, limits)


def _least(gap: Any, limits: Sequence[Any]) -> Any:
    """The least of an expression that grows or falls steadily with the indices around it."""
    for index, low, high in reversed(limits):
        share = sp.expand(gap).coeff(index)
        if share.is_number and not (gap - share * index).expand().has(index):
            gap = gap.xreplace({index: low if share > 0 else high})
    return sp.expand(gap)


def _solved(relation: Any, vectors: Sequence[Any]) -> tuple[Any, dict[Any, Any]] | None:
    """An equation between vectors, and one of them in terms of the others: its left side, where that is one."""
    if not isinstance(relation, sp.Eq):
        return None
    if relation.lhs in vectors and relation.rhs.has(relation.lhs):
        raise InputError("Space.where", "vectors in terms of others", relation, "solve the equation for one")
    if relation.lhs in vectors:
        return relation, {relation.lhs: relation.rhs}
    difference = sp.expand(relation.lhs - relation.rhs)
    for vector in vectors:
        number = difference.coeff(vector)
        rest = sp.expand(difference - number * vector)
        if number.is_Rational and number != 0 and not rest.has(vector):
            return relation, {vector: -rest / number}
    return None


def _values(found: Any) -> Range:
    """Where the values of what is declared lie, as far as SymPy may assume anything of them."""
    match found:
        case Random():
            return found.values
        case Independent():
            return _values(found.law)
        case Density():
            return Reals(0, open_low=True)
        case Bernoulli():
            return Integers(0, 1)
        case Rademacher():
            return Integers(-1, 1)
        case Norms():
            return Reals(0)
        case Functions() if found.nonnegative or found.sub_root:
            return Reals(0)
    return found if isinstance(found, Range) else Reals()


def _require_matrix(key: Any, found: Any) -> None:
    fits = isinstance(found, (Reals, Linear)) or (isinstance(found, Symmetric) and key.rows == key.cols)
    if not fits or not all(size.is_Integer and size > 0 for size in key.shape):
        expected = "Reals(…) for entries, Linear(…), or Symmetric(…) of as many rows as columns, and a size in numbers"
        remedy = 'for any size write sympy.Function("A"), or sympy.Symbol("A") with Euclidean()'
        raise InputError(f"Space[{key}]", expected, f"{found} of {key.rows}×{key.cols}", remedy)


def _size(key: Any) -> str:
    return f", {key.rows}×{key.cols}" if isinstance(key, sp.MatrixSymbol) else ""
