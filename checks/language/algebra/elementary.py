"""Normal forms of roots, logarithms, exponentials, absolute values, floors and alternating signs.

Each rule opens a function as far as the known signs allow: log(x·y) splits only
where x and y are known to be positive. What cannot be opened becomes an atom.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from fractions import Fraction

from flint import arb, fmpq_mpoly, fmpz

from boundaudit.checks.language.algebra.ranges import Range
from boundaudit.checks.language.algebra.ring import Atom, Ratio, Rejected, Relation, Ring
from boundaudit.checks.language.expression import rational

_FACTORED_BITS = 128
_TRIAL_BITS = 16
_LARGEST_WHOLE = 64
_SIGN = Range(Fraction(-1), Fraction(1))


class ElementaryRing(Ring):
    """A ring that knows the laws of the elementary functions."""

    # --- powers ----------------------------------------------------------------------------------

    def real_power(self, base: Ratio, exponent: Ratio) -> Ratio:
        """The power ``base^exponent``, where it is known to be defined."""
        fixed = self.number(exponent)
        if fixed is not None and _is_small(fixed):
            return self._rational_power(base, fixed)
        if base.num.is_zero() and self.bounds(exponent).positive:
            return base
        size = self.bounds(base)
        if size.positive:
            return self.exp(self.multiply(exponent, self.log(base)))
        if (-size).positive and self.is_integer(exponent):
            return self.multiply(self.alternating(exponent), self.real_power(self.scale(-1, base), exponent))
        if self.is_integer(exponent) and self.bounds(exponent).nonnegative and not base.num.is_zero():
            return self._whole_power(base, exponent)
        if size.nonnegative and self.bounds(exponent).positive:
            return self._power_atom(base, exponent)
        raise Rejected(f"a power is not known to be defined: the base {self.tree(base)} may be 0 or negative")

    def _whole_power(self, base: Ratio, exponent: Ratio) -> Ratio:
        """A power with a non-negative integer exponent, factor by factor; 0^0 is 1."""
        constant, known, unknown = self._oriented(base)
        result = self.real_power(self.constant(constant), exponent)
        for poly, times in (*known, *unknown):
            if self.bounds(Ratio(poly)).nonzero:
                factor = self.real_power(Ratio(poly), self.scale(times, exponent))
            elif times > 0:
                factor = self.power(self._power_of_factor(Ratio(poly), exponent), times)
            else:
                raise Rejected(f"a denominator is not known to be nonzero: {self.tree(Ratio(poly))}")
            result = self.multiply(result, factor)
        return result

    def _power_of_factor(self, base: Ratio, exponent: Ratio) -> Ratio:
        """A power as a product over the terms of its exponent, each less its least value: x^n is x·x^(n-1), n ≥ 1."""
        terms = [(value, Ratio(monomial)) for value, monomial in self.terms(exponent.num) if not monomial.is_one()]
        left = self.subtract(exponent, functools.reduce(self.add, (self.scale(*t) for t in terms), self.constant(0)))
        if any(value < 0 for value, _ in terms):
            terms = [(Fraction(1), self.subtract(exponent, left))]
        result = self.constant(1)
        for value, term in terms:
            least = self.bounds(term).low
            if isinstance(least, float) or not _is_small(value):
                raise Rejected(f"a power is not taken apart: its exponent {self.tree(exponent)} has no least value")
            low = self.constant(math.ceil(least))
            result = self.multiply(result, self.power(self._power_atom(base, self.subtract(term, low)), int(value)))
            left = self.add(left, self.scale(value, low))
        whole = self.number(left)
        if whole is None or not 0 <= whole <= _LARGEST_WHOLE:
            raise Rejected(f"a power is not taken apart: {self.tree(base)} to the power {self.tree(exponent)}")
        return self.multiply(result, self.power(base, int(whole)))

    def _power_atom(self, base: Ratio, exponent: Ratio) -> Ratio:
        """A power of a base that may be 0, with an integer exponent of at least 0, or of a base of at least 0."""
        size = self.bounds(base)
        high = Fraction(1) if size.low >= -1 and size.high <= 1 else math.inf
        image = Range(Fraction(0) if size.nonnegative else -high, high)
        key = ("^", self.tree(base), self.tree(exponent))
        return self.generator(Atom(key, image, integer=self.is_integer(base) and self.is_integer(exponent)))

    def _rational_power(self, base: Ratio, exponent: Fraction) -> Ratio:
        if exponent.denominator == 1:
            return self.power(base, exponent.numerator)
        return self.power(self._root(base, exponent.denominator), exponent.numerator)

    def _root(self, base: Ratio, degree: int) -> Ratio:
        """The root of a non-negative expression, opened factor by factor."""
        if not self.bounds(base).nonnegative:
            raise Rejected(f"the radicand of a root is not known to be non-negative: {self.tree(base)}")
        if base.num.is_zero():
            return base
        constant, known, unknown = self._oriented(base)
        result, rest = self._root_of_number(abs(constant), degree), self.constant(1)
        for poly, exponent in unknown:
            if degree == 2 and exponent % 2 == 0:
                result = self.multiply(result, self.power(self._abs_factor(poly), exponent // 2))
            else:
                rest = self.multiply(rest, self.power(Ratio(poly), exponent))
        whole_known = self.number(rest) == 1
        for poly, exponent in known:
            whole, left = divmod(exponent, degree)
            factor = Ratio(poly)
            if whole_known or self.bounds(factor).positive:
                result = self.multiply(result, self.power(factor, whole))
                result = self.multiply(result, self.power(self._root_of_factor(poly, degree), left))
            else:
                rest = self.multiply(rest, self.power(factor, exponent))
        if whole_known:
            return result
        return self.multiply(result, self._root_atom(rest if constant > 0 else self.scale(-1, rest), degree))

    def _root_of_factor(self, poly: fmpq_mpoly, degree: int) -> Ratio:
        """The root of an irreducible non-negative polynomial; that of an exponential is one again."""
        atom = self.single(poly)
        if atom is not None and atom.key[0] == "exp" and atom.argument is not None:
            return self.exp(self.scale(Fraction(1, degree), atom.argument))
        return self._root_atom(Ratio(poly), degree)

    def _root_of_number(self, value: Fraction, degree: int) -> Ratio:
        result = self.constant(1)
        for prime, exponent in _prime_powers(value):
            whole, left = divmod(exponent, degree)
            result = self.scale(Fraction(prime) ** whole, result)
            if left:
                result = self.multiply(result, self.power(self._root_atom(self.constant(prime), degree), left))
        return result

    def _root_atom(self, base: Ratio, degree: int) -> Ratio:
        image = self.bounds(base).increasing(lambda ball: ball.root(degree)).at_least(Fraction(0))
        key = ("^", self.tree(base), ("q", 1, degree))
        return self.generator(Atom(key, image, relation=Relation(degree, base), argument=base))

    # --- logarithm and exponential ---------------------------------------------------------------

    def log(self, value: Ratio) -> Ratio:
        """The natural logarithm of a positive expression, as a sum over its factors of known sign."""
        if not self.bounds(value).positive:
            raise Rejected(f"the argument of a logarithm is not known to be positive: {self.tree(value)}")
        constant, known, unknown = self._oriented(value)
        result, rest = self.constant(0), self.constant(1 if constant > 0 else -1)
        for prime, exponent in _prime_powers(abs(constant)):
            result = self.add(result, self.scale(exponent, self._log_atom(self.constant(prime))))
        for poly, exponent in known:
            result = self.add(result, self.scale(exponent, self._log_of_factor(poly)))
        for poly, exponent in unknown:
            rest = self.multiply(rest, self.power(Ratio(poly), exponent))
        return self.add(result, self._log_atom(rest)) if unknown else result

    def _log_of_factor(self, poly: fmpq_mpoly) -> Ratio:
        """The logarithm of an irreducible polynomial, opened where that is an exponential or a root."""
        atom = self.single(poly)
        if atom is None or atom.argument is None or atom.key[0] == "log":
            return self._log_atom(Ratio(poly))
        if atom.key[0] == "exp":
            return atom.argument
        degree = atom.relation.degree if atom.relation is not None else 1
        return self.scale(Fraction(1, degree), self.log(atom.argument))

    def _log_atom(self, argument: Ratio) -> Ratio:
        image = self.bounds(argument).increasing(arb.log)
        return self.generator(Atom(("log", self.tree(argument)), image, argument=argument))

    def exp(self, value: Ratio) -> Ratio:
        """The exponential, as a product over the terms of its argument; that of c·log a is a^c for rational c."""
        result = self.constant(1)
        content, den = self.primitive(value.den)
        for coefficient, monomial in self.terms(value.num):
            unit = self.multiply(Ratio(monomial, den))
            atom = self.single(unit.num) if unit.den.is_one() else None
            share = coefficient / content
            if not _is_small(share):
                factor = self._exp_atom(self.scale(share, unit), 1)
            elif atom is not None and atom.key[0] == "log" and atom.argument is not None:
                factor = self._rational_power(atom.argument, share)
            else:
                factor = self.power(self._exp_atom(unit, share.denominator), share.numerator)
            result = self.multiply(result, factor)
        return result

    def _exp_atom(self, unit: Ratio, degree: int) -> Ratio:
        """exp(unit/degree), whose power is exp(unit)."""
        argument = self.scale(Fraction(1, degree), unit)
        relation = Relation(degree, self._exp_atom(unit, 1)) if degree > 1 else None
        image = self.bounds(argument).increasing(arb.exp).at_least(Fraction(0), is_open=True)
        key, whole = ("exp", self.tree(argument)), self._is_whole_power(argument)
        return self.generator(Atom(key, image, integer=whole, relation=relation, argument=argument))

    def _is_whole_power(self, argument: Ratio) -> bool:
        """Whether an exponential is b^n with integers b and n ≥ 0."""
        if len(argument.num) != 1 or not argument.den.is_one():
            return False
        atoms = {position: self.atoms[position] for position in self.used(argument.num)}
        logs = [(position, atom.argument) for position, atom in atoms.items() if atom.key[0] == "log"]
        bases = [position for position, inner in logs if inner is not None and self.is_integer(inner)]
        if len(bases) != 1 or argument.num.degrees()[bases[0]] != 1:
            return False
        base = self.generator(atoms[bases[0]])
        exponent = self.multiply(argument, self.power(base, -1)) if self.bounds(base).positive else argument
        return self.is_integer(exponent) and self.bounds(exponent).nonnegative

    # --- absolute value, floor, alternating sign, waves ------------------------------------------

    def absolute(self, value: Ratio) -> Ratio:
        """The absolute value, as a product over the factors; ±factor where its sign is known."""
        if value.num.is_zero():
            return value
        constant, known, unknown = self._oriented(value)
        factors = [self.power(Ratio(poly), exponent) for poly, exponent in known]
        factors += [self.power(self._abs_factor(poly), exponent) for poly, exponent in unknown]
        return self.multiply(self.constant(abs(constant)), *factors)

    def _abs_factor(self, poly: fmpq_mpoly) -> Ratio:
        base, size = Ratio(poly), self.bounds(Ratio(poly))
        image, square = Range(Fraction(0), max(-size.low, size.high), size.nonzero), Relation(2, self.power(base, 2))
        return self.generator(Atom(("abs", self.tree(base)), image, integer=self.is_integer(base), relation=square))

    def floor(self, value: Ratio) -> Ratio:
        """The greatest integer not above: of half of an integer n, (2n - 1 + (-1)ⁿ)/4."""
        if self.is_integer(value):
            return value
        twice = self.scale(2, value)
        if self.is_integer(twice):
            correction = self.subtract(self.alternating(twice), self.constant(1))
            return self.add(value, self.scale(Fraction(1, 4), correction))
        size = self.bounds(value)
        low, high = (end if isinstance(end, float) else Fraction(math.floor(end)) for end in (size.low, size.high))
        return self.generator(Atom(("floor", self.tree(value)), Range(low, high), integer=True))

    def alternating(self, exponent: Ratio) -> Ratio:
        """(-1) to an integer exponent, as a product over its terms with odd coefficient."""
        result = self.constant(1)
        for coefficient, monomial in self.terms(exponent.num):
            if coefficient.numerator % 2:
                # An integer and its powers have the same parity.
                odd = self.multiply(*(self.generator(self.atoms[position]) for position in self.used(monomial)))
                result = self.multiply(result, self.constant(-1) if monomial.is_one() else self._sign_atom(odd))
        return result

    def _sign_atom(self, exponent: Ratio) -> Ratio:
        """(-1) to an exponent; ±1 where a fact fixes the sign."""
        key = ("^", rational(-1), self.tree(exponent))
        atom = self.generator(Atom(key, _SIGN, integer=True, relation=Relation(2, self.constant(1))))
        size = self.bounds(atom)
        if size.nonnegative:
            return self.constant(1)
        return self.constant(-1) if (-size).nonnegative else atom

    def wave(self, head: str, value: Ratio) -> Ratio:
        """Sine or cosine, with sin² + cos² = 1."""
        if value.num.is_zero():
            return self.constant(0 if head == "sin" else 1)
        pi = self.find(("pi",))
        turns = None if pi is None else self.number(self.multiply(value, self.constant(2), Ratio(pi.den, pi.num)))
        if turns is not None and turns.denominator == 1:
            # At multiples of π/2, one of the two is 0 and the other is ±1.
            return self.constant((0, 1, 0, -1)[(turns.numerator + (head == "cos")) % 4])
        argument = self.tree(value)
        cosine = self.generator(Atom(("cos", argument), _SIGN))
        if head == "cos":
            return cosine
        square = self.subtract(self.constant(1), self.multiply(cosine, cosine))
        return self.generator(Atom(("sin", argument), _SIGN, relation=Relation(2, square)))

    # --- helpers ---------------------------------------------------------------------------------

    def _oriented(self, value: Ratio) -> tuple[Fraction, list[tuple[fmpq_mpoly, int]], list[tuple[fmpq_mpoly, int]]]:
        """A signed constant, the factors turned so that they are known to be ≥ 0, and the others."""
        constant, factors = self.factors(value)
        known, unknown = [], []
        for poly, exponent in factors:
            size = self.bounds(Ratio(poly))
            if size.nonnegative:
                known.append((poly, exponent))
            elif (-size).nonnegative:
                constant *= Fraction(-1) ** exponent
                known.append((-poly, exponent))
            else:
                unknown.append((poly, exponent))
        return constant, known, unknown


def _is_small(exponent: Fraction) -> bool:
    """Whether a power is taken apart; a float is a fraction over 2^52, whose power no polynomial can hold."""
    return exponent.denominator <= 64 and abs(exponent.numerator) <= 4096


def _prime_powers(value: Fraction) -> Iterator[tuple[int, int]]:
    """The prime powers of a positive rational; of a large one, by trial division and an unsplit remainder."""
    for number, sign in ((value.numerator, 1), (value.denominator, -1)):
        whole = fmpz(number)
        factors = whole.factor() if whole.bit_length() <= _FACTORED_BITS else whole.factor_smooth(_TRIAL_BITS)
        for prime, exponent in factors:
            yield int(prime), sign * int(exponent)
