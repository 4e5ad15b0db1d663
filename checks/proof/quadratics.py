"""Proofs by completing squares, with weights that depend on parameters.

A goal of second degree in some variables, such as coordinates of vectors, is a combination of relations of the domain
and of squares: of the relations with weights that solve linear equations over the rational functions of the other
parameters, of squares by elimination. Inequalities between lengths are squared first.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import ZERO, Tree, add, from_json, multiply, names
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.completing import Form, Matrix, Powers, Row, direction, reduced, unit
from boundaudit.checks.proof.engine import Attempt, Context, Lemma
from boundaudit.checks.proof.kernel.domains import Domain, plain
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.sampling import Array, points, signs

_MOST_RELATIONS = 12
_MOST_WEIGHTS = 400
"""Choices of weights that are looked at."""
_PROVED = 8
"""Signs that are proved as statements of their own for one goal."""

Term = dict[str, Any]


class _Given(NamedTuple):
    """Something of at least 0: as a certificate names it, and as a polynomial."""

    factors: list[Any]
    poly: Form


class _Problem(NamedTuple):
    """The goal and the relations in their variables, and values of the parameters."""

    target: Form
    given: list[_Given]
    sampled: dict[str, Array]

    @property
    def polys(self) -> list[Form]:
        """The goal and the relations."""
        return [self.target, *(each.poly for each in self.given)]


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
        problem = self._problem(goal)
        if problem is None:
            return None
        for weights in self._weights(problem):
            squares = self._completed(problem, weights)
            terms = None if squares is None else self._terms(problem, weights, squares)
            if terms is not None:
                used = [lemma.to_json() for lemma in self.lemmas.values() if lemma is not None]
                return {"kind": "psatz", "terms": [*negated, *terms], **({"lemmas": used} if used else {})}
        return None

    def _problem(self, goal: Ratio) -> _Problem | None:
        """Everything in variables of at most second degree, where there are some."""
        relations = list(self._relations())
        variables = self._variables([goal, *(value for _, value in relations)])
        target = self._poly(goal, variables)
        if len(relations) > _MOST_RELATIONS or not variables or target is None:
            return None
        read = [_Given(factors, self._poly(value, variables) or {}) for factors, value in relations]
        given = [each for each in read if any(powers for powers in each.poly)]
        return _Problem(target, given, points(self._outside(variables)))

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

    def _weights(self, problem: _Problem) -> Iterator[Row]:
        """Weights of the relations that leave nothing but what may be a sum of squares."""
        seen = set()
        for rows in itertools.islice(self._equations(problem), _MOST_WEIGHTS):
            self.tried += 1
            solved = reduced(self.form, rows)
            if solved is None or len(solved) < len(problem.given):
                continue
            weights = [row[-1] for row in solved]
            if str(weights) not in seen and all(self._may_be(weight, problem.sampled) for weight in weights):
                yield weights
            seen.add(str(weights))

    def _equations(self, problem: _Problem) -> Iterator[list[Row]]:
        """Equations that may single out weights: some are zero, monomials vanish, or a determinant is largest."""
        monomials = sorted({powers for poly in problem.polys for powers in poly})
        squared = {powers[0][0] for powers in monomials if len(powers) == 1 and powers[0][1] == 2}
        gone = [self._row(powers, problem) for powers in monomials if all(k in squared for k, _ in powers)]
        # What is in no square has to vanish.
        start = reduced(
            self.form, [self._row(powers, problem) for powers in monomials if any(k not in squared for k, _ in powers)]
        )
        if start is None:
            return
        count = len(problem.given)
        for others in range(count - len(start) + 1):
            for without in itertools.combinations(range(count), count - len(start) - others):
                rows = [*start, *(unit(self.form, count, column) for column in without)]
                yield from ([*rows, *more] for more in itertools.combinations(gone, others))
                if others == 1 and (line := direction(self.form, rows)) is not None:
                    yield from ([*rows, row] for row in self._stationary(line, problem, sorted(squared)))

    def _row(self, powers: Powers, problem: _Problem) -> Row:
        """That a monomial has the same coefficient on both sides."""
        target, *given = problem.polys
        return [poly.get(powers, self.form.constant(0)) for poly in (*given, target)]

    def _stationary(self, line: Row, problem: _Problem, squared: Sequence[int]) -> Iterator[Row]:
        """That the determinant of two variables is largest along a line of weights."""
        form = self.form
        target, *given = (Matrix(form, poly) for poly in problem.polys)
        moved = [(part, step) for part, step in zip(given, line, strict=True) if not step.num.is_zero()]
        for one, other in itertools.combinations([-1, *squared], 2):
            terms = ([form.multiply(step, part.polarised(each, one, other)) for part, step in moved]
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
        weighted: list[tuple[Ratio, list[Any], Term]] = [
            (weight, each.factors, {}) for weight, each in zip(weights, problem.given, strict=True)
        ]
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
            proof = self.context.prove(needed).certificate
            self.lemmas[tree] = None if proof is None else Lemma(needed, proof)
        proved = [known for known, lemma in self.lemmas.items() if lemma is not None]
        if tree not in proved:
            return None
        return [[["where", len(self.domain["where"]) + proved.index(tree)], 1]]


def _term(factors: list[Any], weight: int = 1) -> Term:
    return {"weight": [weight, 1], "factors": factors}
