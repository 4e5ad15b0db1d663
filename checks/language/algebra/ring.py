"""Rational functions over ℚ in atoms, with algebraic relations and signs.

An atom is a parameter or an expression that arithmetic does not open further,
such as a logarithm, a root or a whole sum; its key is its expression tree in
normal form, so that equal atoms have equal keys in every session. Relations
such as √a·√a = a lower the degree of an atom. Signs come from the ranges of
the atoms and from facts (polynomials known to be non-negative).
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from boundaudit.checks.language.algebra.ranges import End, Range, exactly, from_ball
from boundaudit.checks.language.arithmetic import Undefined, evaluate, precision, spend
from boundaudit.checks.language.expression import Tree, add, multiply, names, rational

_ATOMS = 64
_CONTEXT = fmpq_mpoly_ctx.get(("g", _ATOMS), Ordering.lex)
_ONE = _CONTEXT.constant(1)
_NOTHING = fmpq(0)
_BITS = 256
_PER_TERM = 10
"""Steps that a term costs which is taken apart, and a quotient of small polynomials which is put in lowest terms."""
_TERMS = 200_000
"""The most terms that one operation on polynomials may make, before like ones are put together."""


class Rejected(Exception):
    """A step that exact arithmetic, or the checker of proofs, does not accept; the message says why."""


class Ratio(NamedTuple):
    """A quotient of two polynomials; the denominator vanishes nowhere on the domain."""

    num: fmpq_mpoly
    den: fmpq_mpoly = _ONE


class Relation(NamedTuple):
    """``atom^degree = value``."""

    degree: int
    value: Ratio


@dataclass(frozen=True)
class Atom:
    """One generator of the polynomial ring.

    Attributes:
        key: Its expression tree in normal form.
        range: Where its values lie on the whole domain.
        integer: Whether its values are integers.
        relation: The power that arithmetic replaces.
        argument: What a root, logarithm or exponential is taken of.
    """

    key: Tree
    range: Range
    integer: bool = False
    relation: Relation | None = None
    argument: Ratio | None = None

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """The free parameters of the key."""
        return frozenset(names(self.key))


_Monomial: TypeAlias = "tuple[int, ...]"
_Terms: TypeAlias = "dict[_Monomial, fmpq]"
_Span: TypeAlias = "tuple[tuple[fmpq | None, bool], tuple[fmpq | None, bool]]"
_Factors: TypeAlias = "list[tuple[fmpq_mpoly, int]]"


class _Fact(NamedTuple):
    """A polynomial that is non-negative, or positive where strict; the indices of sums in it, and its terms."""

    poly: fmpq_mpoly
    strict: bool
    bound: frozenset[str]
    terms: _Terms


class Ring:
    """Arithmetic on ratios, each in lowest terms; atoms join as they are met."""

    def __init__(self) -> None:
        self.atoms: list[Atom] = []
        self._index: dict[Tree, int] = {}
        self._relations: list[tuple[int, Relation]] = []
        """Positions and relations of the atoms that have one, the latest first: it may rest on others."""
        self._facts: list[_Fact] = []
        """What is known to be non-negative on the domain."""
        self._found: dict[tuple[int | str, ...], Range] = {}
        """The ranges of ratios and of factors, by how many facts were known and as they are written."""
        self._trees: dict[str, Tree] = {}
        self._factored: dict[str, tuple[Fraction, _Factors]] = {}
        """The trees and the factors of polynomials, as they are written."""
        self._spans: dict[_Monomial, _Span] = {}
        """The ranges of monomials."""
        self._around: dict[str, frozenset[str]] = {}
        """The indices of the sums around each index: itself, and those that its ends speak of."""

    # --- construction ----------------------------------------------------------------------------

    def constant(self, value: Fraction | int) -> Ratio:
        """A rational number."""
        exact = Fraction(value)
        return Ratio(_CONTEXT.constant(fmpq(exact.numerator, exact.denominator)))

    def generator(self, atom: Atom) -> Ratio:
        """The ratio of an atom; an atom with the same key is met again, not added twice."""
        if atom.key not in self._index:
            if len(self.atoms) == _ATOMS:
                raise Rejected(f"more than {_ATOMS} atoms in one proof step")
            self._index[atom.key] = len(self.atoms)
            if atom.relation is not None:
                self._relations.insert(0, (len(self.atoms), atom.relation))
            self.atoms.append(atom)
        return Ratio(_CONTEXT.gen(self._index[atom.key]))

    def find(self, key: Tree) -> Ratio | None:
        """The generator with a key, if it was met before."""
        known = self._index.get(key)
        return None if known is None else Ratio(_CONTEXT.gen(known))

    def single(self, poly: fmpq_mpoly) -> Atom | None:
        """The atom that a polynomial is, if it is just one generator."""
        used = self.used(poly) if len(poly) == 1 else []
        return self.atoms[used[0]] if len(used) == 1 and poly == _CONTEXT.gen(used[0]) else None

    # --- arithmetic ------------------------------------------------------------------------------

    def add(self, a: Ratio, b: Ratio) -> Ratio:
        """The sum."""
        if a.den == b.den:
            return self._simplify(a.num + b.num, a.den)
        return self._simplify(_product(a.num, b.den) + _product(b.num, a.den), _product(a.den, b.den))

    def subtract(self, a: Ratio, b: Ratio) -> Ratio:
        """The difference."""
        return self.add(a, Ratio(-b.num, b.den))

    def multiply(self, *factors: Ratio) -> Ratio:
        """The product."""
        result = Ratio(_ONE)
        for factor in factors:
            result = self._simplify(_product(result.num, factor.num), _product(result.den, factor.den))
        return result

    def scale(self, factor: Fraction | int, value: Ratio) -> Ratio:
        """The product with a rational number."""
        return self.multiply(self.constant(factor), value)

    def power(self, base: Ratio, exponent: int) -> Ratio:
        """An integer power; the base of a negative one must be known to avoid 0."""
        if exponent < 0:
            if not self.bounds(base).nonzero:
                raise Rejected(f"a denominator is not known to be nonzero: {self.tree(base)}")
            return self.power(Ratio(base.den, base.num), -exponent)
        return self._simplify(_power(base.num, exponent), _power(base.den, exponent))

    def _simplify(self, num: fmpq_mpoly, den: fmpq_mpoly) -> Ratio:
        """Apply the relations, clear roots from the denominator, cancel, and make its leading coefficient 1."""
        spend(_PER_TERM)
        upper, lower = self._reduce(num), self._reduce(den)
        num, den = _product(upper.num, lower.den), _product(lower.num, upper.den)
        if den.is_one():
            return Ratio(num)
        if den.is_constant():
            return Ratio(num / den.leading_coefficient())
        common = den.term_content().degrees() if self._relations else ()
        for position, relation in self._relations:
            if common[position] > 0:
                root = _CONTEXT.gen(position) ** (relation.degree - common[position])
                return self._simplify(num * root, den * root)
        divisor = num.gcd(den) * den.leading_coefficient()  # the former is monic
        return Ratio(num, den) if divisor.is_one() else Ratio(num / divisor, den / divisor)

    def _reduce(self, poly: fmpq_mpoly) -> Ratio:
        """Replace powers of atoms that have a relation."""
        if poly.is_one() or not self._relations:
            return Ratio(poly)
        degrees = poly.degrees()
        for position, relation in self._relations:
            if degrees[position] >= relation.degree:
                lowered = self._lower(poly, position, relation)
                rest = self._reduce(lowered.num)
                return Ratio(rest.num, rest.den * lowered.den)
        return Ratio(poly)

    @staticmethod
    def _lower(poly: fmpq_mpoly, position: int, relation: Relation) -> Ratio:
        """One atom brought below the degree of its relation."""
        spend(_PER_TERM * len(poly))
        most = int(poly.degrees()[position]) // relation.degree
        shares: dict[int, dict[_Monomial, fmpq]] = {}
        for monomial, coefficient in poly.terms():
            steps, left = divmod(int(monomial[position]), relation.degree)
            shares.setdefault(steps, {})[*monomial[:position], left, *monomial[position + 1 :]] = coefficient
        num, den = relation.value
        parts = (_CONTEXT.from_dict(share) * num**steps * den ** (most - steps) for steps, share in shares.items())
        return Ratio(sum(parts, _CONTEXT.constant(0)), den**most)

    # --- inspection ------------------------------------------------------------------------------

    def used(self, poly: fmpq_mpoly) -> list[int]:
        """The positions of the generators that occur in a polynomial, in order."""
        return [position for position, degree in enumerate(poly.degrees()[: len(self.atoms)]) if degree > 0]

    @staticmethod
    def terms(poly: fmpq_mpoly) -> Iterator[tuple[Fraction, fmpq_mpoly]]:
        """The coefficients of a polynomial with their monomials."""
        for monomial, coefficient in poly.terms():
            yield _fraction(coefficient), _CONTEXT.term(1, monomial)

    def names(self, poly: fmpq_mpoly) -> frozenset[str]:
        """The free parameters of a polynomial."""
        return frozenset().union(*(self.atoms[position].names for position in self.used(poly)))

    def around(self, poly: fmpq_mpoly) -> frozenset[str]:
        """The indices of the sums known to be around a polynomial: where others are empty, nothing is known of it."""
        return frozenset().union(*(self._around.get(name, ()) for name in self.names(poly)))

    def is_integer(self, value: Ratio) -> bool:
        """Whether it is a polynomial with integer coefficients in integer atoms."""
        whole = value.den.is_one() and all(coefficient.q == 1 for coefficient in value.num.coeffs())
        return whole and all(self.atoms[k].integer for k in self.used(value.num))

    @staticmethod
    def number(value: Ratio) -> Fraction | None:
        """The rational number that a ratio is; None where atoms occur."""
        if len(value.num) > 1 or not (value.num.is_constant() and value.den.is_constant()):
            return None
        return Fraction(0) if value.num.is_zero() else _fraction(value.num.leading_coefficient())

    def tree(self, ratio: Ratio) -> Tree:
        """The expression of a ratio, the same in every session."""
        if ratio.den.is_one():
            return self._poly_tree(ratio.num)
        scale, den = self.primitive(ratio.den)
        num = self._poly_tree(ratio.num / fmpq(scale.numerator, scale.denominator))
        return multiply(num, ("^", self._poly_tree(den), rational(-1)))

    def primitive(self, poly: fmpq_mpoly) -> tuple[Fraction, fmpq_mpoly]:
        """The content with the sign of the first term in the order of `tree`, and the polynomial without it."""
        values = poly.coeffs()
        below = math.lcm(*(int(value.q) for value in values))
        content = Fraction(math.gcd(*(int(value.p) * (below // int(value.q)) for value in values)), below)
        if any(value < 0 for value in values) and self._sorted_terms(poly)[0][1] < 0:
            content = -content
        return content, poly / fmpq(content.numerator, content.denominator)

    def _poly_tree(self, poly: fmpq_mpoly) -> Tree:
        written = str(poly)
        if written not in self._trees:
            terms = self._sorted_terms(poly)
            self._trees[written] = add(*(_term_tree(factors, value) for factors, value in terms or [((), Fraction(0))]))
        return self._trees[written]

    def _sorted_terms(self, poly: fmpq_mpoly) -> list[tuple[tuple[Tree, ...], Fraction]]:
        """Pairs (factors of the monomial, coefficient) in an order that no session changes."""
        used, found = self.used(poly), []
        for monomial, coefficient in poly.terms():
            powers = ((self.atoms[position].key, int(monomial[position])) for position in used if monomial[position])
            factors = [key if power == 1 else ("^", key, rational(power)) for key, power in powers]
            found.append((tuple(sorted(factors, key=repr)), _fraction(coefficient)))
        return sorted(found, key=lambda item: repr(item[0])) if len(found) > 1 else found

    # --- signs -----------------------------------------------------------------------------------

    def assume(self, ratio: Ratio, *, strict: bool) -> None:
        """Note that a ratio is non-negative, or positive; so is a factor beside one of known sign."""
        sign = self.bounds(Ratio(ratio.den))
        poly = ratio.num if sign.positive else -ratio.num if (-sign).positive else ratio.num * ratio.den
        if poly.is_constant() or any((fact.poly, fact.strict) == (poly, strict) for fact in self._facts):
            return
        self._facts.append(_Fact(poly, strict, self.around(poly), poly.to_dict()))
        alone = self.around(poly) or poly.total_degree() == 1  # a factor may outlive the index of a sum
        for factor, _ in [] if alone else self.factors(Ratio(poly))[1]:
            rest = self.bounds(Ratio(poly / factor))
            if rest.nonzero and not (poly / factor).is_constant():
                self.assume(Ratio(factor if rest.positive else -factor), strict=strict)

    def factors(self, ratio: Ratio) -> tuple[Fraction, _Factors]:
        """The irreducible factors of a nonzero ratio: a signed constant, and primitive polynomials with exponents."""
        spend(_PER_TERM * (len(ratio.num) + len(ratio.den)))
        above, upper = self._factors(ratio.num)
        if ratio.den.is_one():
            return above, list(upper)
        below, lower = self._factors(ratio.den)
        return above / below, [*upper, *((factor, -exponent) for factor, exponent in lower)]

    def _factors(self, poly: fmpq_mpoly) -> tuple[Fraction, _Factors]:
        written = str(poly)
        if written not in self._factored:
            scale, found = (fmpq(1), [(poly, 1)]) if poly.total_degree() == 1 else self._irreducible(poly)
            parts = [(*self.primitive(factor), int(exponent)) for factor, exponent in found]
            constant = math.prod((content**exponent for content, _, exponent in parts), start=_fraction(scale))
            self._factored[written] = constant, [(rest, exponent) for _, rest, exponent in parts]
        return self._factored[written]

    def _irreducible(self, poly: fmpq_mpoly) -> tuple[fmpq, _Factors]:
        """The factors, found among the generators that occur: all others take most of the time."""
        back: dict[int | str, int | str] = dict(enumerate(self.used(poly)))
        few = fmpq_mpoly_ctx.get(("g", len(back)), Ordering.lex)
        scale, found = poly.project_to_context(few, {position: k for k, position in back.items()}).factor()
        return scale, [(factor.project_to_context(_CONTEXT, back), exponent) for factor, exponent in found]

    def bounds(self, ratio: Ratio) -> Range:
        """A range that holds all values of a ratio on the domain: the product of those of its factors."""
        if ratio.num.is_zero():
            return exactly(0)
        known = (len(self._facts), str(ratio.num), str(ratio.den))
        if known not in self._found:
            constant, factors = self.factors(ratio)
            self._found[known] = functools.reduce(operator.mul, map(self._bounds_of_power, factors), exactly(constant))
        return self._found[known]

    def _bounds_of_power(self, factor: tuple[fmpq_mpoly, int]) -> Range:
        """The range of a power of a factor."""
        poly, exponent = factor
        known = (len(self._facts), str(poly))
        if known not in self._found:
            self._found[known] = self._bounds_of_factor(poly)
        power = self._found[known] ** abs(exponent)
        return power if exponent > 0 else power.reciprocal()

    def by_facts(self, ratio: Ratio, most: int = 2) -> bool:
        """Whether it is not negative by its range, once some facts are taken off: j ≤ i, i ≤ k and k ≤ n give j ≤ n."""
        if self.bounds(ratio).nonnegative:
            return True
        own, terms = self.around(ratio.num), ratio.num.to_dict()
        facts = (f for f in self._facts if f.bound <= own and any(terms.get(m) == v for m, v in f.terms.items()))
        return most > 0 and any(self.by_facts(self.subtract(ratio, Ratio(fact.poly)), most - 1) for fact in facts)

    def _bounds_of_factor(self, poly: fmpq_mpoly) -> Range:
        terms = poly.to_dict()
        found = self._termwise(terms)
        if found.nonzero:
            return found
        if not self.names(poly):
            return self._closed(poly)
        own = self.around(poly)
        if not (-found).nonnegative:
            found = self._raised(terms, own, found)
        return found if found.nonnegative else -self._raised({m: -value for m, value in terms.items()}, own, -found)

    def _termwise(self, terms: _Terms) -> Range:
        """The sum of the ranges of terms."""
        spend(_PER_TERM * len(terms))
        spans = [(value, self._span(monomial)[:: 1 if value > 0 else -1]) for monomial, value in terms.items()]
        low, high = ([(value, *span[side]) for value, span in spans] for side in (0, 1))
        missed = (any(is_open for _, _, is_open in parts) for parts in (low, high))
        return Range(_total(low, -math.inf), _total(high, math.inf), *missed)

    def _span(self, monomial: _Monomial) -> _Span:
        """The ends of the range of a monomial, None for an infinite one, and whether each is missed."""
        if monomial not in self._spans:
            powers = (self.atoms[position].range ** power for position, power in enumerate(monomial) if power)
            found = functools.reduce(operator.mul, powers, exactly(1))
            self._spans[monomial] = ((_exact(found.low), found.low_open), (_exact(found.high), found.high_open))
        return self._spans[monomial]

    def _closed(self, poly: fmpq_mpoly) -> Range:
        """A ball around an expression without parameters; a sum not written out is too long to add."""
        if any(self.atoms[position].key[0] == "sum" for position in self.used(poly)):
            return Range()
        with precision(_BITS):
            try:
                return from_ball(evaluate(self._poly_tree(poly), {}))
            except Undefined:
                return Range()

    def _raised(self, terms: _Terms, own: frozenset[str], found: Range) -> Range:
        """A range with a lower end ≥ 0, open if possible, where poly - λ·fact shows one for some λ > 0."""
        endless = {m for m, value in terms.items() if self._span(m)[value < 0][0] is None}
        for fact in self._facts:
            if not (fact.bound <= own and endless <= fact.terms.keys()):  # else what is left is as endless
                continue
            for monomial, value in fact.terms.items():
                scale = terms.get(monomial, _NOTHING) / value
                rest = self._termwise(_less(terms, scale, fact.terms)) if scale > 0 else Range()
                if rest.nonnegative and (rest.low, rest.low_open or fact.strict) > (found.low, found.low_open):
                    found = Range(rest.low, found.high, rest.low_open or fact.strict, found.high_open)
                if found.positive:
                    return found
        return found


def _exact(end: End) -> fmpq | None:
    return None if isinstance(end, float) else fmpq(end.numerator, end.denominator)


def _total(parts: list[tuple[fmpq, fmpq | None, bool]], infinite: float) -> End:
    """A sum of multiples of ends."""
    found = [factor * end for factor, end, _ in parts if end is not None]
    return _fraction(sum(found, _NOTHING)) if len(found) == len(parts) else infinite


def _less(terms: _Terms, scale: fmpq, others: _Terms) -> _Terms:
    """The terms of a polynomial less a multiple of another."""
    rest = {monomial: terms.get(monomial, _NOTHING) - scale * value for monomial, value in others.items()}
    return {monomial: value for monomial, value in (terms | rest).items() if value}


def _product(a: fmpq_mpoly, b: fmpq_mpoly) -> fmpq_mpoly:
    """The product of two polynomials, not of such that it would take minutes."""
    _count(len(a) * len(b))
    return b if a.is_one() else a if b.is_one() else a * b


def _power(base: fmpq_mpoly, exponent: int) -> fmpq_mpoly:
    """The power of a polynomial, likewise."""
    _count(math.comb(len(base) + exponent - 1, exponent) if len(base) > 1 and exponent < _TERMS else exponent)
    return base if exponent == 1 else base**exponent


def _count(terms: int) -> None:
    if terms > _TERMS:
        raise Rejected("a polynomial with too many terms")
    spend(terms)


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _term_tree(factors: tuple[Tree, ...], value: Fraction) -> Tree:
    if not factors:
        return rational(value)
    return multiply(*factors) if value == 1 else multiply(rational(value), *factors)
