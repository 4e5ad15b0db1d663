"""Proofs by completing squares, with weights that depend on parameters.

A goal of second degree in some variables, such as coordinates of vectors, is a combination of relations of the domain
and of squares: of the relations with weights that solve linear equations over the rational functions of the other
parameters, of squares by elimination; equations count as often as one likes. Inequalities between lengths are squared
first, and are a statement of their own where no squares are found.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import ZERO, Tree, add, from_json, multiply, names
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.completing import Form, Matrix, Powers, Row, direction, reduced
from boundaudit.checks.proof.engine import Context, Lemma
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import Domain, plain
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.sampling import Array, points, signs

_MOST_RELATIONS = 14
_MOST_WEIGHTS = 400
"""Choices of weights that are looked at."""
_PROVED = 8
"""Signs that are proved as statements of their own for one goal."""

Term = dict[str, Any]


class _Given(NamedTuple):
    """Something of at least 0: as a certificate names it, and as a polynomial; also turned, where it is equal to 0."""

    factors: list[Any]
    poly: Form
    turned: list[Any] | None = None


class _Chosen(NamedTuple):
    """The goal and some relations: equations for their weights that have to hold, and that may."""

    polys: list[Form]
    rows: list[Row]
    free: list[Row]
    squared: list[int]


class _Problem(NamedTuple):
    """The goal and the relations in their variables, and values of the parameters."""

    target: Form
    given: list[_Given]
    sampled: dict[str, Array]


def quadratics(statement: Statement, context: Context) -> Certificate | None:
    """Look for weights of relations that leave a sum of squares."""
    if statement.relation == "=" or statement.is_strict:
        return None
    search = _Search(statement, context)
    certificate = search.certificate()
    if certificate is None:
        return None
    return certificate


class _Search:
    """The goal and the relations of a statement as polynomials of second degree."""

    def __init__(self, statement: Statement, context: Context) -> None:
        self.domain, self.context = statement.domain, context
        self.hypotheses = Hypotheses(statement.domain)
        self.form = self.hypotheses.form
        self.goal = self.form.ratio(statement.goal)
        self.lemmas: dict[Tree, Lemma | None] = {}
        self.tried = 0

    def certificate(self) -> dict[str, Any] | None:
        """The first that is found."""
        squared = [(*each, True) for each in self._squared(self.goal)]
        for goal, by, alone in (*squared, *((*each, False) for each in self._lengths(self.goal))):
            negated = self._negated(by)
            terms = None if negated is None else self._found(goal) or (alone and by and self._proved(goal))
            if negated and terms:
                used = [lemma.to_json() for lemma in self.lemmas.values() if lemma is not None]
                return {"kind": "psatz", "terms": [*negated, *terms], **({"lemmas": used} if used else {})}
        return None

    def _negated(self, by: Ratio | None) -> list[Term] | None:
        """The negation of the goal, as terms that are that of its square."""
        if by is None:
            return [_term([["n", 1]])]
        label = self._known(by) if self._may_be(by, points(self.domain)) else None
        # Of a - b, with n = b - a: n² + 2 a n is b² - a².
        return None if label is None else [_term([["n", 2]]), _term([["n", 1], *label], 2)]

    def _proved(self, goal: Ratio) -> list[Term] | None:
        """The square of the goal as a statement of its own, to which all other engines come."""
        label = self._known(goal) if self._may_be(goal, points(self.domain)) else None
        return None if label is None else [_term(label)]

    def _found(self, goal: Ratio) -> list[Term] | None:
        """Of a goal without roots."""
        relations = list(self._relations())
        if len(relations) > _MOST_RELATIONS:
            return None
        for variables in self._variables([goal, *(value for _, value in relations)]):
            problem = self._problem(goal, relations, variables)
            if problem is None:
                continue
            for weights in self._weights(problem):
                squares = self._completed(problem, weights)
                terms = None if squares is None else self._terms(problem, weights, squares)
                if terms is not None:
                    return terms
        return None

    def _problem(
        self, goal: Ratio, relations: Sequence[tuple[list[Any], Ratio]], variables: Set[int]
    ) -> _Problem | None:
        """Everything in variables of at most second degree, where there are some."""
        target = self._poly(goal, variables) if variables else None
        if target is None:
            return None
        read = [_Given(factors, self._poly(value, variables) or {}) for factors, value in relations]
        given = self._paired([each for each in read if any(powers for powers in each.poly)])
        return _Problem(target, given, points(self._outside(variables)))

    def _paired(self, given: Sequence[_Given]) -> list[_Given]:
        """The two inequalities of an equation as one, of which any multiple may be added."""
        found: list[_Given] = []
        for each in given:
            negated = {powers: self.form.scale(-1, coefficient) for powers, coefficient in each.poly.items()}
            other = next((k for k, known in enumerate(found) if known.poly == negated), None)
            if other is None:
                found.append(each)
            else:
                found[other] = found[other]._replace(turned=each.factors)
        return found

    # --- what is of second degree -----------------------------------------------------------------------------

    def _squared(self, value: Ratio) -> Iterator[tuple[Ratio, Ratio | None]]:
        """A difference a - b with roots as a² - b², and a, which has to be at least 0; one without roots as it is."""
        form = self.form
        used = {k: form.atoms[k].key[0] for k in form.used(value.num)}
        # Beside logarithms, what an absolute value is squared to is out of reach.
        lengths = ("^", "abs") if {"log", "exp"}.isdisjoint(used.values()) else ("^",)
        rooted = {k for k, head in used.items() if form.atoms[k].relation is not None and head in lengths}
        if not rooted:
            yield value, None
            return
        terms = [Ratio(form.constant(number).num * monomial, value.den) for number, monomial in form.terms(value.num)]
        with_roots = [term for term in terms if rooted & set(form.used(term.num))]
        without = [term for term in terms if term not in with_roots]
        seen = set()
        for large in (self._nonnegative(terms, rooted), with_roots, without):
            whole = functools.reduce(form.add, large, form.constant(0))
            if 0 < len(large) < len(terms) and str(whole) not in seen:
                seen.add(str(whole))
                yield form.subtract(form.power(whole, 2), form.power(form.subtract(whole, value), 2)), whole

    def _lengths(self, value: Ratio) -> Iterator[tuple[Ratio, Ratio]]:
        """A difference a - b of a number of which relations say something squared and another, as `_squared` does."""
        form = self.form
        terms = [Ratio(form.constant(number).num * monomial, value.den) for number, monomial in form.terms(value.num)]
        if len(terms) == 2 and self._first_degree(value):
            for large, other in (terms, terms[::-1]):
                small = form.scale(-1, other)
                if form.bounds(large).nonnegative and form.bounds(small).nonnegative:
                    yield form.subtract(form.power(large, 2), form.power(small, 2)), large

    def _first_degree(self, value: Ratio) -> bool:
        """Whether an atom has degree 1 in a value, of which relations have the square."""
        excesses = (self.hypotheses.excess(["where", position])[0] for position in plain(self.domain))
        squares = {k for excess in excesses for powers in excess.num.monoms() for k, by in enumerate(powers) if by == 2}
        return any(max(int(powers[k]) for powers in value.num.monoms()) == 1 for k in squares)

    def _nonnegative(self, terms: Sequence[Ratio], rooted: Set[int]) -> list[Ratio]:
        """Terms that are at least 0: alone, or with all others of the same roots."""
        alike: dict[tuple[int, ...], list[Ratio]] = {}
        for term in terms:
            (powers,) = term.num.monoms()
            alike.setdefault(tuple(int(powers[k]) for k in sorted(rooted)), []).append(term)
        found: list[Ratio] = []
        for powers, group in alike.items():
            together = functools.reduce(self.form.add, group)
            signed = any(powers) and self.form.bounds(together).nonnegative
            found += group if signed else [term for term in group if self.form.bounds(term).nonnegative]
        return found

    def _relations(self) -> Iterator[tuple[list[Any], Ratio]]:
        """Relations with the factors that a certificate names, squared where they are between lengths."""
        for position in plain(self.domain):
            value, _ = self.hypotheses.excess(["where", position])
            found = next(self._squared(value), None)
            if found is None:
                continue
            squared, large = found
            label = [["where", position], 1]
            if large is None:
                yield [label], squared
                for length in self._lengths(value):
                    yield from self._times_both(label, value, *length)
                continue
            yield from self._times_both(label, value, squared, large)

    def _times_both(
        self, label: list[Any], value: Ratio, squared: Ratio, large: Ratio
    ) -> Iterator[tuple[list[Any], Ratio]]:
        """A relation a - b times a + b, where this is known to be at least 0."""
        both = self.form.add(large, self.form.subtract(large, value))
        if self.form.bounds(both).nonnegative:
            yield [label, [["sign", self.form.tree(both)], 1]], squared

    def _variables(self, values: Sequence[Ratio]) -> list[Set[int]]:
        """Parameters without an upper end in which everything is of second degree at most.

        Those that are left where what occurs most often goes first, and those that are taken one after the other.
        """
        free = {
            declared["name"] for declared in self.domain["parameters"]
            if declared["range"] == "reals" and declared["high"] is None and not declared["open"][0]
        }  # fmt: skip
        ends = (declared.get(end) for declared in self.domain["parameters"] for end in ("low", "high"))
        free -= set().union(*(names(from_json(end)) for end in ends if end is not None))
        every = [k for k, atom in enumerate(self.form.atoms) if atom.key[0] == "v" and atom.key[1] in free]
        monomials = [monomial for value in values for monomial in value.num.monoms()]
        left, taken = set(every), set[int]()
        while over := _over(monomials, left):
            counts = {k: sum(int(m[k]) for m in over) for k in left}
            left.remove(max(sorted(counts), key=lambda k: counts[k]))
        if len(left) < len(every):
            for k in every:
                taken |= set() if _over(monomials, {*taken, k}) else {k}
        return [left] if taken <= left else [left, taken]

    def _poly(self, value: Ratio, variables: Set[int]) -> Form | None:
        """The coefficients of a ratio; None where the variables occur in other ways."""
        named = {self.form.atoms[k].key[1] for k in variables}
        for k in {*self.form.used(value.num), *self.form.used(value.den)} - variables:
            if named & self.form.atoms[k].names:
                return None
        if variables & set(self.form.used(value.den)):
            return None
        parts: dict[Powers, Any] = {}
        for monomial, coefficient in value.num.terms():
            powers = tuple((k, int(monomial[k])) for k in sorted(variables) if monomial[k])
            rest = tuple(0 if k in variables else int(e) for k, e in enumerate(monomial))
            term = value.num.context().term(coefficient, rest)
            parts[powers] = parts[powers] + term if powers in parts else term
        return {
            powers: self.form.multiply(Ratio(part), Ratio(self.form.constant(1).num, value.den))
            for powers, part in parts.items()
        }

    def _outside(self, variables: Set[int]) -> Domain:
        """The domain of the other parameters alone."""
        named = {self.form.atoms[k].key[1] for k in variables}
        where = [self.domain["where"][position] for position in plain(self.domain)]
        kept = [entry for entry in where if not named & set().union(*(names(from_json(side)) for side in entry[1:]))]
        parameters = [declared for declared in self.domain["parameters"] if declared["name"] not in named]
        return {"parameters": parameters, "where": kept}

    # --- weights ----------------------------------------------------------------------------------------------

    def _weights(self, problem: _Problem) -> Iterator[Row]:
        """Weights of the relations that leave nothing but what may be a sum of squares."""
        seen = set()
        for chosen, rows in itertools.islice(self._equations(problem), _MOST_WEIGHTS):
            self.tried += 1
            solved = reduced(self.form, rows)
            if solved is None or len(solved) < len(chosen):
                continue
            found = {k: row[-1] for k, row in zip(chosen, solved, strict=True)}
            signed = [weight for k, weight in found.items() if problem.given[k].turned is None]
            weights = [found.get(k, self.form.constant(0)) for k in range(len(problem.given))]
            if str(weights) not in seen and all(self._may_be(weight, problem.sampled) for weight in signed):
                yield weights
            seen.add(str(weights))

    def _equations(self, problem: _Problem) -> Iterator[tuple[tuple[int, ...], list[Row]]]:
        """Relations, with equations that may single out weights for them; those first that least is added to."""
        count = len(problem.given)
        start = self._chosen(problem, range(count))
        if start is None:
            return
        yield from self._nothing_left(start)
        found = functools.cache(functools.partial(self._chosen, problem))
        beside = {size: abs(size - len(start.rows)) for size in range(count + 1)}
        for level in range(2 * count + 1):
            for size in sorted(beside, key=lambda size: beside[size]):
                missing = level - beside[size]
                for chosen in itertools.combinations(range(count), size) if missing >= 0 else ():
                    part = found(chosen)
                    if part is not None and size - len(part.rows) == missing:
                        yield from ((chosen, rows) for rows in self._singled_out(part, missing))

    def _nothing_left(self, start: _Chosen) -> Iterator[tuple[tuple[int, ...], list[Row]]]:
        """The relations of which multiples add up to the goal, without any square."""
        solved = reduced(self.form, [*start.rows, *start.free])
        if solved:
            chosen = [next(k for k, entry in enumerate(row) if not entry.num.is_zero()) for row in solved]
            yield tuple(chosen), [[*(row[k] for k in chosen), row[-1]] for row in solved]

    def _chosen(self, problem: _Problem, chosen: Sequence[int]) -> _Chosen | None:
        """Some relations, with what has to hold for their weights: what is in no square vanishes."""
        polys = [problem.target, *(problem.given[k].poly for k in chosen)]
        monomials = sorted({powers for poly in polys for powers in poly})
        squared = {powers[0][0] for powers in monomials if len(powers) == 1 and powers[0][1] == 2}
        free: list[Row] = []
        bound: list[Row] = []
        for powers in monomials:
            row = [poly.get(powers, self.form.constant(0)) for poly in (*polys[1:], polys[0])]
            (free if all(k in squared for k, _ in powers) else bound).append(row)
        rows = reduced(self.form, bound)
        return None if rows is None else _Chosen(polys, rows, free, sorted(squared))

    def _singled_out(self, part: _Chosen, missing: int) -> Iterator[list[Row]]:
        """What has to hold, with so many equations more: monomials vanish, or a determinant is largest."""
        yield from ([*part.rows, *more] for more in itertools.combinations(part.free, missing))
        for more in itertools.combinations(part.free, missing - 1) if missing else ():
            rows = [*part.rows, *more]
            if (line := direction(self.form, rows, len(part.polys) - 1)) is not None:
                yield from ([*rows, row] for row in self._stationary(line, part))

    def _stationary(self, line: Row, part: _Chosen) -> Iterator[Row]:
        """That the determinant of two variables is largest along a line of weights."""
        form = self.form
        target, *given = (Matrix(form, poly) for poly in part.polys)
        moved = [(matrix, step) for matrix, step in zip(given, line, strict=True) if not step.num.is_zero()]
        for one, other in itertools.combinations([-1, *part.squared], 2):
            terms = ([form.multiply(step, matrix.polarised(each, one, other)) for matrix, step in moved]
                     for each in (*given, target))  # fmt: skip
            row = [functools.reduce(form.add, each) for each in terms]
            if any(not entry.num.is_zero() for entry in row[:-1]):
                yield row

    def _may_be(self, value: Ratio, sampled: Mapping[str, Array]) -> bool:
        """Whether no sampled point shows a ratio negative."""
        number = self.form.number(value)
        if number is not None:
            return number >= 0
        return not bool((signs(self.form.tree(value), sampled) < 0).any())

    # --- squares ----------------------------------------------------------------------------------------------

    def _completed(self, problem: _Problem, weights: Row) -> list[tuple[Ratio, Tree]] | None:
        """What relations leave of the goal as squares with weights, by elimination of one variable after the other."""
        form, left = self.form, Matrix(self.form, self._rest(problem, weights))
        squares: list[tuple[Ratio, Tree]] = []
        while left.entries:
            pivot = next((k for k in left.candidates() if self._may_be(left.at(k, k), problem.sampled)), None)
            if pivot is None:
                return None
            weight, ratios = left.eliminated(pivot)
            root = add(*(multiply(form.tree(ratio), left.tree(k)) for k, ratio in ratios.items()))
            squares.append((weight, root))
        return squares

    def _rest(self, problem: _Problem, weights: Row) -> Form:
        rest = dict(problem.target)
        for each, weight in zip(problem.given, weights, strict=True):
            for powers, coefficient in each.poly.items():
                taken = self.form.multiply(weight, coefficient)
                rest[powers] = self.form.subtract(rest.get(powers, self.form.constant(0)), taken)
        return {powers: coefficient for powers, coefficient in rest.items() if not coefficient.num.is_zero()}

    def _terms(self, problem: _Problem, weights: Row, squares: Sequence[tuple[Ratio, Tree]]) -> list[Term] | None:
        """The certificate's terms; None where a weight is not known to be at least 0."""
        found = []
        weighted: list[tuple[Ratio, list[Any], Term]] = []
        for weight, each in zip(weights, problem.given, strict=True):
            if each.turned is None or self.form.bounds(weight).nonnegative:
                weighted.append((weight, each.factors, {}))
            elif not self.form.bounds(Ratio(weight.den)).nonzero:
                return None
            else:  # of any sign: 4 w e is (w + 1)² e + (w - 1)² (-e)
                for factors, by in ((each.factors, 1), (each.turned, -1)):
                    root = self.form.tree(self.form.add(weight, self.form.constant(by)))
                    found.append({"weight": [1, 4], "factors": factors, "square": root})
        for weight, factors, square in [*weighted, *((weight, [], {"square": root}) for weight, root in squares)]:
            label = [] if weight.num.is_zero() else self._known(weight)
            if label is None:
                return None
            if label:
                found.append(_term([*label, *factors]) | square)
        return found

    def _known(self, weight: Ratio) -> list[Any] | None:
        """A factor of a certificate that is at least 0: by its range, or by a lemma of its own."""
        tree = self.form.tree(weight)
        if self.form.bounds(weight).nonnegative:
            return [[["sign", tree], 1]]
        if tree not in self.lemmas and len(self.lemmas) < _PROVED:
            spoken_of = names(tree)
            parameters = self.domain["parameters"]
            where = [self.domain["where"][k] for k in plain(self.domain)]
            domain = {"parameters": parameters, "where": [
                entry for entry in where if set().union(*(names(from_json(side)) for side in entry[1:])) <= spoken_of
            ]}  # fmt: skip
            needed = Statement(ZERO, "<=", tree, domain)
            proof = self.context.prove(needed)
            self.lemmas[tree] = None if proof is None else Lemma(needed, proof)
        proved = [known for known, lemma in self.lemmas.items() if lemma is not None]
        if tree not in proved:
            return None
        return [[["where", len(self.domain["where"]) + proved.index(tree)], 1]]


def _over(monomials: Sequence[Any], variables: Set[int]) -> list[Any]:
    """Monomials of more than second degree."""
    return [monomial for monomial in monomials if sum(int(monomial[k]) for k in variables) > 2]


def _term(factors: list[Any], weight: int = 1) -> Term:
    return {"weight": [weight, 1], "factors": factors}
