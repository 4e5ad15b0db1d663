"""Rational functions over ℚ in atoms, with algebraic relations and signs.

An atom is a parameter or an expression that arithmetic does not open further,
such as a logarithm, a root or a whole sum; its key is its expression tree in
normal form, so that equal atoms have equal keys in every session. Relations
such as √a·√a = a lower the degree of an atom. Signs come from the ranges of
the atoms and from facts (polynomials known to be non-negative).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from boundaudit.checks.language.algebra.ranges import Range, exactly, from_ball
from boundaudit.checks.language.balls import Undefined, evaluate, precision
from boundaudit.checks.language.expression import Tree, add, multiply, names, rational
from boundaudit.checks.proof.engine import Rejected

_ATOMS = 64
_CONTEXT = fmpq_mpoly_ctx.get(("g", _ATOMS), Ordering.lex)
_BITS = 256


class Ratio(NamedTuple):
    """A quotient of two polynomials; the denominator vanishes nowhere on the domain."""

    num: fmpq_mpoly
    den: fmpq_mpoly


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
        argument: What a logarithm or exponential is taken of.
        names: The free parameters of the key.
    """

    key: Tree
    range: Range
    integer: bool = False
    relation: Relation | None = None
    argument: Ratio | None = None
    names: frozenset[str] = frozenset()


class Fact(NamedTuple):
    """A polynomial that is non-negative, or positive where ``strict``."""

    poly: fmpq_mpoly
    strict: bool


class Ring:
    """Arithmetic on ratios; atoms join as they are met."""

    def __init__(self) -> None:
        self.atoms: list[Atom] = []
        self.facts: list[Fact] = []
        self._index: dict[Tree, int] = {}
        self._related: list[int] = []

    # --- construction ----------------------------------------------------------------------------

    def constant(self, value: Fraction | int) -> Ratio:
        """A rational number.

        Returns:
            The ratio of a constant polynomial and 1.
        """
        exact = Fraction(value)
        return Ratio(_CONTEXT.constant(fmpq(exact.numerator, exact.denominator)), _CONTEXT.constant(1))

    def generator(self, atom: Atom) -> Ratio:
        """The ratio of an atom; an atom with the same key is met again, not added twice.

        Returns:
            The generator over 1.

        Raises:
            Rejected: where there are more atoms than the ring has room for.
        """
        if atom.key not in self._index:
            if len(self.atoms) == _ATOMS:
                raise Rejected(f"more than {_ATOMS} atoms in one proof step")
            self._index[atom.key] = len(self.atoms)
            if atom.relation is not None:
                self._related.append(len(self.atoms))
            self.atoms.append(_with_names(atom))
        return Ratio(_CONTEXT.gen(self._index[atom.key]), _CONTEXT.constant(1))

    def find(self, key: Tree) -> Ratio | None:
        """The generator with a key, if it was met before.

        Returns:
            The generator over 1, or None.
        """
        known = self._index.get(key)
        return None if known is None else Ratio(_CONTEXT.gen(known), _CONTEXT.constant(1))

    def single(self, poly: fmpq_mpoly) -> Atom | None:
        """The atom that a polynomial is, if it is just one generator.

        Returns:
            The atom, or None.
        """
        used = self.used(poly)
        return self.atoms[used[0]] if len(used) == 1 and poly == _CONTEXT.gen(used[0]) else None

    # --- arithmetic ------------------------------------------------------------------------------

    def add(self, a: Ratio, b: Ratio) -> Ratio:
        """The sum.

        Returns:
            It in lowest terms.
        """
        if a.den == b.den:
            return self.simplify(a.num + b.num, a.den)
        return self.simplify(a.num * b.den + b.num * a.den, a.den * b.den)

    def subtract(self, a: Ratio, b: Ratio) -> Ratio:
        """The difference.

        Returns:
            It in lowest terms.
        """
        return self.add(a, Ratio(-b.num, b.den))

    def multiply(self, *factors: Ratio) -> Ratio:
        """The product.

        Returns:
            It in lowest terms.
        """
        result = self.constant(1)
        for factor in factors:
            result = self.simplify(result.num * factor.num, result.den * factor.den)
        return result

    def power(self, base: Ratio, exponent: int) -> Ratio:
        """An integer power.

        Returns:
            It in lowest terms.

        Raises:
            Rejected: where the exponent is negative and the base is not known to avoid 0.
        """
        if exponent < 0:
            if not self.bounds(base).nonzero:
                raise Rejected(f"a denominator is not known to be nonzero: {self.tree(base)}")
            return self.power(Ratio(base.den, base.num), -exponent)
        return self.simplify(base.num**exponent, base.den**exponent)

    def simplify(self, num: fmpq_mpoly, den: fmpq_mpoly) -> Ratio:
        """Apply the relations, clear roots from the denominator and cancel common factors.

        Returns:
            The ratio with a denominator of leading coefficient 1.
        """
        upper, lower = self._reduce(num), self._reduce(den)
        num, den = upper.num * lower.den, lower.num * upper.den
        if den.is_constant():
            return Ratio(num / den.leading_coefficient(), _CONTEXT.constant(1))
        for atom in self.used(den):
            relation = self.atoms[atom].relation
            low = min(int(monomial[atom]) for monomial in den.monoms())
            if relation is not None and low > 0:
                root = _CONTEXT.gen(atom) ** (relation.degree - low)
                return self.simplify(num * root, den * root)
        common = num.gcd(den)
        num, den = num / common, den / common
        leading = den.leading_coefficient()
        return Ratio(num / leading, den / leading)

    def _reduce(self, poly: fmpq_mpoly) -> Ratio:
        """Replace powers of atoms that have a relation, the latest atom first: it may rest on others."""
        result = Ratio(poly, _CONTEXT.constant(1))
        if not self._related:
            return result
        degrees = poly.degrees()
        for atom in reversed(self._related):
            relation = self.atoms[atom].relation
            if relation is not None and degrees[atom] >= relation.degree:
                lowered = self._lower(poly, atom, relation)
                rest = self._reduce(lowered.num)
                return Ratio(rest.num, rest.den * lowered.den)
        return result

    @staticmethod
    def _lower(poly: fmpq_mpoly, atom: int, relation: Relation) -> Ratio:
        """One atom brought below the degree of its relation."""
        most = int(poly.degrees()[atom]) // relation.degree
        total = _CONTEXT.constant(0)
        for monomial, coefficient in poly.terms():
            steps, left = divmod(int(monomial[atom]), relation.degree)
            rest = _CONTEXT.term(coefficient, (*monomial[:atom], left, *monomial[atom + 1 :]))
            total += rest * relation.value.num**steps * relation.value.den ** (most - steps)
        return Ratio(total, relation.value.den**most)

    # --- inspection ------------------------------------------------------------------------------

    @staticmethod
    def used(poly: fmpq_mpoly) -> list[int]:
        """The generators that occur in a polynomial.

        Returns:
            Their positions, in order.
        """
        return [position for position, degree in enumerate(poly.degrees()) if degree > 0]

    @staticmethod
    def terms(poly: fmpq_mpoly) -> Iterator[tuple[Fraction, fmpq_mpoly]]:
        """The terms of a polynomial.

        Yields:
            Coefficient and monomial.
        """
        for monomial, coefficient in poly.terms():
            yield Fraction(int(coefficient.p), int(coefficient.q)), _CONTEXT.term(1, monomial)

    def names(self, poly: fmpq_mpoly) -> frozenset[str]:
        """The free parameters of a polynomial.

        Returns:
            Their names.
        """
        return frozenset().union(*(self.atoms[position].names for position in self.used(poly)))

    def tree(self, ratio: Ratio) -> Tree:
        """The expression of a ratio, the same in every session.

        Returns:
            A sum of monomials, times the inverse of another where there is a denominator.
        """
        scale, den = self.primitive(ratio.den)
        num = self._poly_tree(ratio.num / fmpq(scale.numerator, scale.denominator))
        return num if den.is_one() else multiply(num, ("^", self._poly_tree(den), rational(-1)))

    def primitive(self, poly: fmpq_mpoly) -> tuple[Fraction, fmpq_mpoly]:
        """Split off the content, so that integer coefficients without a common factor remain.

        Returns:
            The content with a sign, and a polynomial whose first term in the order of `tree` is positive.
        """
        terms = self._sorted_terms(poly)
        below = math.lcm(*(value.denominator for _, value in terms))
        content = Fraction(math.gcd(*(int(value * below) for _, value in terms)), below)
        if terms[0][1] < 0:
            content = -content
        return content, poly / fmpq(content.numerator, content.denominator)

    def _poly_tree(self, poly: fmpq_mpoly) -> Tree:
        terms = self._sorted_terms(poly)
        return add(*(_term_tree(factors, value) for factors, value in terms)) if terms else rational(0)

    def _sorted_terms(self, poly: fmpq_mpoly) -> list[tuple[tuple[Tree, ...], Fraction]]:
        """Pairs (factors of the monomial, coefficient) in an order that no session changes."""
        found = []
        for monomial, coefficient in poly.terms():
            factors = [
                self.atoms[position].key if power == 1 else ("^", self.atoms[position].key, rational(int(power)))
                for position, power in enumerate(monomial)
                if power > 0
            ]
            value = Fraction(int(coefficient.p), int(coefficient.q))
            found.append((tuple(sorted(factors, key=repr)), value))
        return sorted(found, key=lambda item: repr(item[0]))

    # --- signs -----------------------------------------------------------------------------------

    def assume(self, ratio: Ratio, *, strict: bool) -> None:
        """Note that a ratio is non-negative, or positive."""
        sign = self.bounds(Ratio(ratio.den, _CONTEXT.constant(1)))
        poly = ratio.num if sign.positive else -ratio.num if (-sign).positive else ratio.num * ratio.den
        if not poly.is_constant():
            self.facts.append(Fact(poly, strict))

    def factors(self, ratio: Ratio) -> tuple[Fraction, list[tuple[fmpq_mpoly, int]]]:
        """The irreducible factors of a nonzero ratio.

        Returns:
            A constant with a sign, and primitive polynomials with nonzero exponents.
        """
        constant, found = Fraction(1), []
        for poly, sign in ((ratio.num, 1), (ratio.den, -1)):
            scale, factors = poly.factor()
            constant *= Fraction(int(scale.p), int(scale.q)) ** sign
            for factor, exponent in factors:
                content, rest = self.primitive(factor)
                constant *= content ** (sign * int(exponent))
                found.append((rest, sign * int(exponent)))
        return constant, found

    def bounds(self, ratio: Ratio) -> Range:
        """A range that holds all values of a ratio on the domain.

        Returns:
            The product of the ranges of its factors.
        """
        if ratio.num.is_zero():
            return exactly(Fraction(0))
        constant, factors = self.factors(ratio)
        result = exactly(constant)
        for poly, exponent in factors:
            power = self._bounds_of_factor(poly) ** abs(exponent)
            result = result * (power if exponent > 0 else power.reciprocal())
        return result

    def _bounds_of_factor(self, poly: fmpq_mpoly) -> Range:
        found = self._termwise(poly)
        if found.nonzero or found.nonnegative or (-found).nonnegative:
            return found
        if not self.names(poly):
            return self._closed(poly)
        for sign in (1, -1):
            low = self._least(sign * poly)
            if low is not None:
                bound = Range(low[0], (found if sign > 0 else -found).high, low[1])
                return bound if sign > 0 else -bound
        return found

    def _termwise(self, poly: fmpq_mpoly) -> Range:
        total = exactly(Fraction(0))
        for monomial, coefficient in poly.terms():
            term = exactly(Fraction(int(coefficient.p), int(coefficient.q)))
            for position, power in enumerate(monomial):
                if power:
                    term = term * self.atoms[position].range ** power
            total = total + term
        return total

    def _closed(self, poly: fmpq_mpoly) -> Range:
        """A ball around an expression without parameters; a sum not written out is too long to add."""
        if any(self.atoms[position].key[0] == "sum" for position in self.used(poly)):
            return Range()
        with precision(_BITS):
            try:
                return from_ball(evaluate(self._poly_tree(poly), {}))
            except Undefined:
                return Range()

    def _least(self, poly: fmpq_mpoly) -> tuple[Fraction, bool] | None:
        """A lower bound ≥ 0, and whether it is missed, where poly - λ·fact shows one for some λ > 0."""
        coefficients = poly.to_dict()
        own = self.used(poly)
        for fact, strict in self.facts:
            if any(self._is_bound(position) and position not in own for position in self.used(fact)):
                continue
            for monomial, value in fact.to_dict().items():
                scale = coefficients.get(monomial, fmpq(0)) / value
                rest = self._termwise(poly - scale * fact) if scale > 0 else Range()
                if rest.nonnegative:
                    return Fraction(rest.low), rest.low_open or strict
        return None

    def _is_bound(self, position: int) -> bool:
        """Whether an atom is the index of a sum: what is known of it says nothing where the sum is empty."""
        return any(name.startswith("#") for name in self.atoms[position].names)


def _term_tree(factors: tuple[Tree, ...], value: Fraction) -> Tree:
    if not factors:
        return rational(value)
    return multiply(*factors) if value == 1 else multiply(rational(value), *factors)


def _with_names(atom: Atom) -> Atom:
    return Atom(atom.key, atom.range, atom.integer, atom.relation, atom.argument, frozenset(names(atom.key)))
