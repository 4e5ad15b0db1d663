"""Proofs by completing squares, with weights that depend on parameters.

A goal of second degree in some variables, such as coordinates of vectors, is a combination of relations of the domain
and of squares: of the relations with weights that solve linear equations over the rational functions of the other
parameters, of squares by elimination. Inequalities between lengths are squared first.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import ZERO, Tree, add, from_json, multiply, names, rational
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Attempt, Context, Lemma
from boundaudit.checks.proof.kernel.domains import Domain, plain
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.sampling import Array, points, signs

_MOST_RELATIONS = 12
_MOST_WEIGHTS = 400
"""Choices of weights that are looked at."""
_HALF = Fraction(1, 2)
_PROVED = 8
"""Signs that are proved as statements of their own for one goal."""

Term = dict[str, Any]
Powers = tuple[tuple[int, int], ...]
"""A monomial in the variables: positions of atoms with exponents."""
Form = dict[Powers, Ratio]
"""A polynomial in the variables: its coefficients."""


class _Given(NamedTuple):
    """Something of at least 0: as a certificate names it, and as a polynomial."""

    factors: list[Any]
    poly: Form


def quadratics(statement: Statement, context: Context) -> Attempt:
    """Look for weights of relations that leave a sum of squares.

    Returns:
        Proved with a certificate of kind psatz, or unknown.
    """
    if statement.relation == "=" or statement.is_strict:
        return Attempt("unknown", "quadratics")
    search = _Search(statement, context)
    certificate = search.certificate()
    if certificate is None:
        return Attempt("unknown", "quadratics", effort={"weights": search.tried})
    return Attempt("proved", "quadratics", certificate, effort={"weights": search.tried})


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
        found = self._squared(self.goal)
        if found is None:
            return None
        goal, by = found
        negated = [_term([["n", 1]])]
        if by is not None:  # of a - b, with n = b - a: n² + 2 a n is b² - a²
            negated = [_term([["n", 2]]), _term([["n", 1], [["sign", self.form.tree(by)], 1]], 2)]
        relations = list(self._relations())
        variables = self._variables([goal, *(value for _, value in relations)])
        if len(relations) > _MOST_RELATIONS or not variables:
            return None
        target = self._poly(goal, variables)
        read = [_Given(factors, self._poly(value, variables) or {}) for factors, value in relations]
        given = [each for each in read if any(powers for powers in each.poly)]
        if target is None:
            return None
        sampled = points(self._outside(variables))
        for weights in self._weights(target, given, variables, sampled):
            squares = self._completed(self._rest(target, given, weights), sampled)
            terms = None if squares is None else self._terms(given, weights, squares)
            if terms is not None:
                used = [lemma.to_json() for lemma in self.lemmas.values() if lemma is not None]
                return {"kind": "psatz", "terms": [*negated, *terms], **({"lemmas": used} if used else {})}
        return None

    # --- what is of second degree -----------------------------------------------------------------------------

    def _squared(self, value: Ratio) -> tuple[Ratio, Ratio | None] | None:
        """A difference a - b with roots, a ≥ 0, as a² - b², and a; one without as it is."""
        form = self.form
        if all(form.atoms[k].relation is None for k in form.used(value.num)):
            return value, None
        terms = [Ratio(form.constant(number).num * monomial, value.den) for number, monomial in form.terms(value.num)]
        large = [term for term in terms if form.bounds(term).nonnegative]
        if not 0 < len(large) < len(terms):
            return None
        whole = functools.reduce(form.add, large)
        small = form.subtract(whole, value)
        return form.subtract(form.power(whole, 2), form.power(small, 2)), whole

    def _relations(self) -> Iterator[tuple[list[Any], Ratio]]:
        """Relations with the factors that a certificate names, squared where they are between lengths."""
        for position in plain(self.domain):
            value, _ = self.hypotheses.excess(["where", position])
            found = self._squared(value)
            if found is None:
                continue
            squared, large = found
            label = [["where", position], 1]
            if large is None:
                yield [label], squared
                continue
            both = self.form.add(large, self.form.subtract(large, value))
            if self.form.bounds(both).nonnegative:
                yield [label, [["sign", self.form.tree(both)], 1]], squared

    def _variables(self, values: Sequence[Ratio]) -> frozenset[int]:
        """Parameters without an upper end in which everything is of second degree at most."""
        free = {
            declared["name"] for declared in self.domain["parameters"]
            if declared["range"] == "reals" and declared["high"] is None and not declared["open"][0]
        }  # fmt: skip
        ends = (declared.get(end) for declared in self.domain["parameters"] for end in ("low", "high"))
        free -= set().union(*(names(from_json(end)) for end in ends if end is not None))
        found = {k for k, atom in enumerate(self.form.atoms) if atom.key[0] == "v" and atom.key[1] in free}
        monomials = [monomial for value in values for monomial in value.num.monoms()]
        while True:
            over = [m for m in monomials if sum(int(m[k]) for k in found) > 2]
            counts = {k: sum(int(m[k]) for m in over) for k in found}
            if not over:
                return frozenset(found)
            found.remove(max(sorted(counts), key=lambda k: counts[k]))

    def _poly(self, value: Ratio, variables: frozenset[int]) -> Form | None:
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

    def _outside(self, variables: frozenset[int]) -> Domain:
        """The domain of the other parameters alone."""
        named = {self.form.atoms[k].key[1] for k in variables}
        where = [self.domain["where"][position] for position in plain(self.domain)]
        kept = [entry for entry in where if not named & set().union(*(names(from_json(side)) for side in entry[1:]))]
        parameters = [declared for declared in self.domain["parameters"] if declared["name"] not in named]
        return {"parameters": parameters, "where": kept}

    # --- weights ----------------------------------------------------------------------------------------------

    def _weights(
        self, target: Form, given: Sequence[_Given], variables: frozenset[int], sampled: Mapping[str, Array]
    ) -> Iterator[list[Ratio]]:
        """Weights of the relations that leave nothing but what may be a sum of squares."""
        every = [target, *(each.poly for each in given)]
        monomials = sorted({powers for poly in every for powers in poly})
        squared = {powers[0][0] for powers in monomials if len(powers) == 1 and powers[0][1] == 2}
        bare = [powers for powers in monomials if any(k not in squared for k, _ in powers)]
        rows = [self._row(powers, target, given) for powers in bare]
        start = _reduced(self.form, rows)
        if start is None:
            return
        seen = set()
        for rows in itertools.islice(self._equations(start, target, given, monomials, squared), _MOST_WEIGHTS):
            self.tried += 1
            solved = _reduced(self.form, rows)
            if solved is None or len(solved) < len(given):
                continue
            weights = [row[-1] for row in solved]
            if str(weights) not in seen and all(self._may_be(weight, sampled) for weight in weights):
                yield weights
            seen.add(str(weights))

    def _equations(
        self,
        start: list[list[Ratio]],
        target: Form,
        given: Sequence[_Given],
        monomials: Sequence[Powers],
        squared: set[int],
    ) -> Iterator[list[list[Ratio]]]:
        """Equations that may single out weights: some are zero, monomials vanish, or a determinant is largest."""
        unit = functools.partial(_unit, self.form, len(given))
        gone = [self._row(powers, target, given) for powers in monomials if all(k in squared for k, _ in powers)]
        free = len(given) - len(start)
        for count in range(free + 1):
            for without in itertools.combinations(range(len(given)), free - count):
                rows = [*start, *map(unit, without)]
                yield from ([*rows, *others] for others in itertools.combinations(gone, count))
                if count == 1 and (line := _direction(self.form, rows)) is not None:
                    yield from ([*rows, row] for row in self._stationary(line, target, given, sorted(squared)))

    def _row(self, powers: Powers, target: Form, given: Sequence[_Given]) -> list[Ratio]:
        """That a monomial has the same coefficient on both sides."""
        zero = self.form.constant(0)
        return [*(each.poly.get(powers, zero) for each in given), target.get(powers, zero)]

    def _stationary(
        self, line: Sequence[Ratio], target: Form, given: Sequence[_Given], squared: Sequence[int]
    ) -> Iterator[list[Ratio]]:
        """That the determinant of two variables is largest along a line of weights."""
        form = self.form
        parts, rest = [_Matrix(form, each.poly) for each in given], _Matrix(form, target)
        moved = [(part, step) for part, step in zip(parts, line, strict=True) if not step.num.is_zero()]
        for one, other in itertools.combinations([-1, *squared], 2):
            terms = ([form.multiply(step, part.polarised(each, one, other)) for part, step in moved]
                     for each in (*parts, rest))  # fmt: skip
            row = [functools.reduce(form.add, each) for each in terms]
            if any(not entry.num.is_zero() for entry in row[:-1]):
                yield row

    def _may_be(self, value: Ratio, sampled: Mapping[str, Array]) -> bool:
        """Whether no sampled point shows a ratio negative."""
        number = self.form.number(value)
        if number is not None:
            return number >= 0
        return not bool((signs(self.form.tree(value), sampled) < 0).any())

    def _rest(self, target: Form, given: Sequence[_Given], weights: Sequence[Ratio]) -> Form:
        rest = dict(target)
        for each, weight in zip(given, weights, strict=True):
            for powers, coefficient in each.poly.items():
                taken = self.form.multiply(weight, coefficient)
                rest[powers] = self.form.subtract(rest.get(powers, self.form.constant(0)), taken)
        return {powers: coefficient for powers, coefficient in rest.items() if not coefficient.num.is_zero()}

    # --- squares ----------------------------------------------------------------------------------------------

    def _completed(self, rest: Form, sampled: Mapping[str, Array]) -> list[tuple[Ratio, Tree]] | None:
        """A polynomial as squares with weights, by elimination of one variable after the other."""
        form, left = self.form, _Matrix(self.form, rest)
        squares: list[tuple[Ratio, Tree]] = []
        while left.entries:
            pivot = next((k for k in left.candidates() if self._may_be(left.at(k, k), sampled)), None)
            if pivot is None:
                return None
            weight, ratios = left.eliminated(pivot)
            root = add(*(multiply(form.tree(ratio), left.tree(k)) for k, ratio in ratios.items()))
            squares.append((weight, root))
        return squares

    def _terms(
        self, given: Sequence[_Given], weights: Sequence[Ratio], squares: Sequence[tuple[Ratio, Tree]]
    ) -> list[Term] | None:
        """The certificate's terms; None where a weight is not known to be at least 0."""
        found = []
        weighted = [(weight, each.factors, None) for weight, each in zip(weights, given, strict=True)]
        for weight, factors, square in [*weighted, *((weight, [], root) for weight, root in squares)]:
            if weight.num.is_zero():
                continue
            label = self._known(weight)
            if label is None:
                return None
            found.append(_term([*label, *factors]) | ({} if square is None else {"square": square}))
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
            proof = self.context.prove(needed).certificate
            self.lemmas[tree] = None if proof is None else Lemma(needed, proof)
        proved = [known for known, lemma in self.lemmas.items() if lemma is not None]
        if tree not in proved:
            return None
        return [[["where", len(self.domain["where"]) + proved.index(tree)], 1]]


class _Matrix:
    """A quadratic polynomial as a symmetric matrix; -1 stands for the constant 1."""

    def __init__(self, form: NormalForm, poly: Form) -> None:
        self._form = form
        self.entries: dict[tuple[int, int], Ratio] = {}
        for powers, coefficient in poly.items():
            places = [k for k, power in powers for _ in range(power)]
            first, second = sorted([*places, -1, -1][:2])
            whole = first == second
            self.entries[first, second] = coefficient if whole else form.scale(_HALF, coefficient)

    def at(self, one: int, other: int) -> Ratio:
        """An entry."""
        return self.entries.get((min(one, other), max(one, other)), self._form.constant(0))

    def polarised(self, other: _Matrix, i: int, j: int) -> Ratio:
        """Twice the mixed determinant of two matrices at two places."""
        form = self._form
        crossed = form.add(form.multiply(self.at(i, i), other.at(j, j)), form.multiply(self.at(j, j), other.at(i, i)))
        return form.subtract(crossed, form.scale(2, form.multiply(self.at(i, j), other.at(i, j))))

    def tree(self, place: int) -> Tree:
        """A variable, or 1."""
        return rational(1) if place < 0 else self._form.atoms[place].key

    def candidates(self) -> list[int]:
        """Variables by which others can be divided: what it takes is a polynomial, or known to be one."""
        places = sorted({k for pair in self.entries for k in pair}, reverse=True)
        return [k for k in places if (k, k) in self.entries and self._divides(k)]

    def _divides(self, pivot: int) -> bool:
        try:
            return all(self._form.bounds(Ratio(ratio.den)).nonzero for ratio in self._ratios(pivot).values())
        except Rejected:
            return False

    def _ratios(self, pivot: int) -> dict[int, Ratio]:
        diagonal = self.at(pivot, pivot)
        inverse = Ratio(diagonal.den, diagonal.num)
        row = {k for pair in self.entries if pivot in pair for k in pair}
        return {k: self._form.multiply(self.at(pivot, k), inverse) for k in sorted(row)}

    def eliminated(self, pivot: int) -> tuple[Ratio, dict[int, Ratio]]:
        """Take off the square in which a variable occurs: its weight, and the coefficients of its root."""
        weight, ratios = self.at(pivot, pivot), self._ratios(pivot)
        for one, other in itertools.combinations_with_replacement(sorted(ratios), 2):
            taken = self._form.multiply(weight, ratios[one], ratios[other])
            left = self._form.subtract(self.at(one, other), taken)
            if left.num.is_zero():
                self.entries.pop((one, other), None)
            else:
                self.entries[one, other] = left
        return weight, ratios


def _unit(form: NormalForm, count: int, column: int) -> list[Ratio]:
    """That a weight is zero."""
    return [form.constant(int(k == column)) for k in range(count)] + [form.constant(0)]


def _direction(form: NormalForm, rows: Sequence[list[Ratio]]) -> list[Ratio] | None:
    """The way in which solutions of linear equations may move, where it is one."""
    solved = _reduced(form, rows)
    count = len(rows[0]) - 1 if rows else 0
    if solved is None or len(solved) != count - 1:
        return None
    pivots = [next(k for k, entry in enumerate(row) if not entry.num.is_zero()) for row in solved]
    (free,) = set(range(count)) - set(pivots)
    at = {pivot: form.scale(-1, row[free]) for pivot, row in zip(pivots, solved, strict=True)}
    return [at.get(k, form.constant(1)) for k in range(count)]


def _reduced(form: NormalForm, rows: Sequence[list[Ratio]]) -> list[list[Ratio]] | None:
    """Linear equations in echelon form, the right side last; None where they contradict each other."""
    left: list[list[Ratio]] = [list(row) for row in rows]
    found: list[list[Ratio]] = []
    for column in range(len(rows[0]) - 1 if rows else 0):
        pivot = next((row for row in left if not row[column].num.is_zero()), None)
        if pivot is None:
            continue
        left.remove(pivot)
        inverse = Ratio(pivot[column].den, pivot[column].num)
        pivot = [form.multiply(entry, inverse) for entry in pivot]
        left, found = (
            [[form.subtract(a, form.multiply(row[column], b)) for a, b in zip(row, pivot, strict=True)] for row in some]
            for some in (left, found)
        )
        found.append(pivot)
    return None if any(not row[-1].num.is_zero() for row in left) else found


def _term(factors: list[Any], weight: int = 1) -> Term:
    return {"weight": [weight, 1], "factors": factors}
