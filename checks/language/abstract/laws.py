"""Random variables: on finitely many outcomes, however many and with whatever chances, or with a law of their own.

An expectation becomes a sum over outcomes, or the value that the law gives it. What is proved is so for every law on
finitely many outcomes, as the claim's page says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from boundaudit import InputError
from boundaudit.checks.language.abstract.declared import Declared
from boundaudit.checks.language.domain import Integers, Reals, Vector
from boundaudit.checks.language.domain.ranges import Range
from boundaudit.checks.language.relations import ForAll

MOST_OUTCOMES = 6
"""With how many outcomes numeric methods look at a law."""


@dataclass(frozen=True)
class Random:
    """A random variable with finitely many values, for `Space`: it stands in ``E``, ``Var`` and ``P``.

    Example:
        >>> Random(Reals(0, 1)).sentence("X")
        'X random, 0 ≤ X ≤ 1'

    Attributes:
        values: Where its values lie.
        apart: A name for a part of chance: variables of one part depend on each other in any way, those of different
            parts not at all.
    """

    values: Reals = field(default_factory=Reals)
    apart: str = ""

    def sentence(self, name: str) -> str:
        """How it reads in a domain.

        Returns:
            A phrase.
        """
        part = f", independent of all but “{self.apart}”" if self.apart else ""
        return f"{name} random, {self.values.sentence(name)}{part}"


@dataclass(frozen=True)
class Density(Declared):
    """The density of another law by the law of chance: positive, with mean 1; for `Space`, in ``E``, ``Var`` and ``P``.

    Example:
        >>> Density().sentence("D")
        'D the density of a law'

    Attributes:
        apart: The part of chance, as for `Random`.
    """

    apart: str = ""

    @property
    def reads(self) -> str:  # type: ignore[override]
        """With the part of chance, where it has a name."""
        return "{name} the density of a law" + (" on “{apart}”" if self.apart else "")


@dataclass(frozen=True)
class Bernoulli(Declared):
    """One with some chance, else zero; independent of all else.

    Example:
        >>> Bernoulli(sp.Symbol("p")).sentence("X")
        'X Bernoulli with mean p'

    Attributes:
        chance: Of a one.
    """

    chance: Any
    reads = "{name} Bernoulli with mean {chance}"

    def mean(self, variable: Any, of: Any) -> Any:
        """The expectation of an expression in it.

        Returns:
            A sum of two terms.
        """
        return self.chance * of.xreplace({variable: sp.S.One}) + (1 - self.chance) * of.xreplace({variable: sp.S.Zero})


@dataclass(frozen=True)
class Rademacher(Declared):
    """A fair sign, independent of all else.

    Example:
        >>> Rademacher().sentence("s")
        's a fair sign'
    """

    reads = "{name} a fair sign"

    def mean(self, variable: Any, of: Any) -> Any:
        """The expectation of an expression in it.

        Returns:
            A sum of two terms.
        """
        return sp.Add(*(of.xreplace({variable: sign}) / 2 for sign in (sp.S.One, sp.S.NegativeOne)))


@dataclass(frozen=True)
class Gaussian(Declared):
    """A normal variable, independent of all else.

    Example:
        >>> Gaussian(0, sp.Symbol("sigma")).sentence("Z")
        'Z normal with mean 0 and standard deviation sigma'

    Attributes:
        center: Its mean.
        deviation: Its standard deviation.
    """

    center: Any = 0
    deviation: Any = 1
    reads = "{name} normal with mean {center} and standard deviation {deviation}"

    def mean(self, variable: Any, of: Any) -> Any:
        """The expectation of a polynomial in it, also times exponentials of multiples of it.

        Returns:
            A closed form.

        Raises:
            InputError: where the expression is something else.
        """
        standard, tilt = sp.Dummy("z", real=True), sp.Dummy("a", real=True)
        found = sp.S.Zero
        for term in sp.Add.make_args(sp.expand(of.xreplace({variable: self.center + self.deviation * standard}))):
            rate, power, rest = sp.S.Zero, sp.S.Zero, sp.S.One
            for factor in sp.Mul.make_args(term):
                base, exponent = factor.as_base_exp()
                if isinstance(factor, sp.exp) and factor.args[0].diff(standard, 2) == 0:
                    rate += factor.args[0].coeff(standard)
                    rest *= sp.exp(factor.args[0].subs(standard, 0))
                elif base == standard and exponent.is_Integer and exponent > 0:
                    power += exponent
                else:
                    rest *= factor
            if rest.has(standard):
                raise InputError(
                    "E", "a polynomial of a normal variable, times exponentials of it", of, "write its value"
                )
            moment = sp.exp(tilt**2 / 2).diff(tilt, power) if power else sp.exp(tilt**2 / 2)
            found += rest * sp.expand(moment.subs(tilt, rate))
        return found


Drawn = Random | Density
"""What has a value in each outcome."""
Law = Drawn | Bernoulli | Rademacher | Gaussian


class Laws:
    """The random variables of a claim, as numbers and vectors.

    Args:
        variables: Their laws, by symbol.

    Attributes:
        ranges: By symbol of each that has a value in each outcome: parameters in its place, in order.
        where: That chances add up to one.
    """

    def __init__(self, variables: Mapping[Any, Law]) -> None:
        self._laws = variables
        self.ranges: dict[Any, dict[Any, Range]] = {}
        self.where: list[Any] = []
        self._parts: dict[str, tuple[Any, Any]] = {}
        self._values: dict[Any, Callable[[Any], Any]] = {}
        self._used = 0
        for variable, law in variables.items():
            if isinstance(law, Drawn):
                self.ranges[variable] = self._declared(variable, law)

    def _declared(self, variable: Any, law: Drawn) -> dict[Any, Range]:
        found: dict[Any, Range] = {}
        if law.apart not in self._parts:
            tail = f" of {law.apart}" if law.apart else ""
            count, chance = sp.Symbol(f"outcomes{tail}", integer=True, positive=True), sp.IndexedBase(f"chance{tail}")
            self._parts[law.apart] = count, chance
            found = {count: Integers(1, tested_to=MOST_OUTCOMES), **self._law(chance, count)}
        count, chance = self._parts[law.apart]
        if isinstance(law, Density):
            other = sp.IndexedBase(f"chance by {variable.name}")
            self._values[variable] = lambda index: other[index] / chance[index]
            return found | self._law(other, count)
        values = sp.IndexedBase(variable.name, real=True)
        self._values[variable] = values.__getitem__
        return found | {values: Vector(count, law.values)}

    def _law(self, chance: Any, count: Any) -> dict[Any, Range]:
        """Chances, which add up to one."""
        index = self._index()
        self.where.append(sp.Eq(sp.Sum(chance[index], (index, 1, count)), 1))
        return {chance: Vector(count, Reals(0, 1, open_low=True))}

    def _index(self) -> Any:
        self._used += 1
        return sp.Symbol(f"o{self._used}", integer=True, positive=True)

    def _at(self, variables: Iterable[Any], index: Any) -> dict[Any, Any]:
        """The values of variables of one part of chance in an outcome."""
        return {variable: self._values[variable](index) for variable in variables}

    def mean(self, of: Any) -> Any:
        """The expectation of an expression.

        Args:
            of: In random variables and numbers.

        Returns:
            An expression in numbers, chances and values.
        """
        parts: dict[str, list[Any]] = {}
        for variable in sorted(of.free_symbols & set(self._laws), key=str):
            law = self._laws[variable]
            if isinstance(law, Drawn):
                parts.setdefault(law.apart, []).append(variable)
            else:
                of = law.mean(variable, of)
        for name, variables in sorted(parts.items()):
            (count, chance), index = self._parts[name], self._index()
            of = sp.Sum(chance[index] * of.xreplace(self._at(variables, index)), (index, 1, count))
        return of

    def surely(self, relation: Any) -> Any:
        """A relation between random variables, in every outcome.

        Returns:
            A `ForAll`; the relation itself where it has no random variable.

        Raises:
            InputError: where it is no single relation, or its variables do not share their outcomes.
        """
        spoken_of = relation.free_symbols & set(self._laws)
        if not spoken_of:
            return relation
        apart = {law.apart if isinstance(law := self._laws[x], Drawn) else x for x in spoken_of}
        if len(apart) > 1 or not apart <= set(self._parts):
            raise InputError(
                "Space.where", "a relation between variables of one part of chance", relation, "rewrite it"
            )
        (name,) = apart
        index = self._index()
        return ForAll(relation.xreplace(self._at(spoken_of, index)), (index, 1, self._parts[name][0]))
