"""Normal forms of the gamma function, binomial coefficients and the error function."""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb

from boundaudit.checks.language.algebra.elementary import ElementaryRing
from boundaudit.checks.language.algebra.ranges import Range
from boundaudit.checks.language.algebra.ring import Atom, Ratio, Rejected

_STEPS = 64
_LARGEST_FACTORIAL = 200
_LEAST_GAMMA = Fraction(88, 100)
"""Γ(x) ≥ 0.8856… for x > 0."""


class SpecialRing(ElementaryRing):
    """A ring that knows Γ(x + 1) = x Γ(x), factorials, and that the error function is odd."""

    def gamma(self, value: Ratio) -> Ratio:
        """Γ of a positive expression, moved to where its argument has no whole number added, or is just positive."""
        if not self.bounds(value).positive:
            raise Rejected(f"the argument of the gamma function is not known to be positive: {self.tree(value)}")
        number = self.number(value)
        if number is not None and number.denominator == 1 and number <= _LARGEST_FACTORIAL:
            return self.constant(math.factorial(int(number) - 1))
        steps = self._whole_part(value)
        base = self.subtract(value, self.constant(steps))
        while not self.bounds(base).positive:
            base, steps = self.add(base, self.constant(1)), steps - 1
        atom = Atom(("gamma", self.tree(base)), Range(_LEAST_GAMMA), integer=self.is_integer(base))
        lower, sign = (base, 1) if steps >= 0 else (value, -1)
        factors = [self.add(lower, self.constant(step)) for step in range(abs(steps))]
        return self.multiply(self.generator(atom), *(self.power(factor, sign) for factor in factors))

    def _whole_part(self, value: Ratio) -> int:
        """The whole number that a polynomial adds to its terms; 0 where that is far."""
        constants = [c for c, monomial in self.terms(value.num) if monomial.is_one()] if value.den.is_one() else []
        whole = math.floor(constants[0]) if constants else 0
        return whole if abs(whole) <= _STEPS else 0

    def binomial(self, upper: Ratio, lower: Ratio) -> Ratio:
        """n!/(k! (n - k)!), where 0 ≤ k ≤ n are known to be integers."""
        rest = self.subtract(upper, lower)
        for part in (lower, rest):
            if not (self.is_integer(part) and self.by_facts(part)):
                raise Rejected("a binomial coefficient is not known to be one of integers 0 ≤ k ≤ n")
            self.assume(part, strict=False)  # which one fact alone may not show
        above, *below = (self.gamma(self.add(part, self.constant(1))) for part in (upper, lower, rest))
        return self.multiply(above, *(self.power(part, -1) for part in below))

    def error_function(self, value: Ratio) -> Ratio:
        """The error function, odd and between -1 and 1."""
        if value.num.is_zero():
            return value
        if self.primitive(value.num)[0] < 0:
            return self.scale(-1, self.error_function(self.scale(-1, value)))
        image = self.bounds(value).increasing(arb.erf).at_least(Fraction(-1), is_open=True)
        image = -((-image).at_least(Fraction(-1), is_open=True))
        return self.generator(Atom(("erf", self.tree(value)), image))
