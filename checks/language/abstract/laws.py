"""Random variables: on finitely many outcomes, however many and with whatever chances, or with a law of their own.

An expectation becomes a sum over outcomes, or the value that the law gives it. What is proved is so for every law on
finitely many outcomes, as the claim's page says.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, NamedTuple

import sympy as sp
from sympy.logic.boolalg import Boolean

from boundaudit import InputError
from boundaudit.checks.language.abstract.declared import Declared, require_number
from boundaudit.checks.language.abstract.independent import Independent, Means
from boundaudit.checks.language.abstract.terms import Cov, P, Var
from boundaudit.checks.language.domain import Integers, Matrix, Reals, Vector
from boundaudit.checks.language.domain.ranges import Range
from boundaudit.checks.language.relations import ForAll
from boundaudit.checks.language.translate import Branches, Quotient

MOST_OUTCOMES = 6
"""With how many outcomes numeric methods look at a law."""
_Place = tuple[str, str | None]
"""A part of chance: its name, and that of the part that comes first, if one does."""


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
        given: A random variable that comes first, with all of its part: this one's law depends on the outcome in any
            way, and so does what else of the same part is given the same.
    """

    values: Reals = field(default_factory=Reals)
    apart: str = ""
    given: Any = None

    def __post_init__(self) -> None:
        """Values are where they may lie."""
        if not isinstance(self.values, Reals):
            raise InputError("Random.values", "Reals", self.values, "write such as Random(Reals(0, 1))")

    def sentence(self, name: str) -> str:
        """How it reads in a domain."""
        part = f", independent of all but “{self.apart}”" if self.apart else ""
        first = f" given {self.given}" if self.given is not None else ""
        return f"{name} random{first}, {self.values.sentence(name)}{part}"


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

    def __post_init__(self) -> None:
        """A chance is a number."""
        require_number("Bernoulli.chance", self.chance, Real)

    @property
    def exists(self) -> list[Any]:
        """What makes it a law."""
        return _open([sp.Ge(self.chance, 0), sp.Le(self.chance, 1)])

    def mean(self, variable: Any, of: Any) -> Any:
        """The expectation of an expression in it."""
        return self.chance * _at(of, variable, sp.S.One) + (1 - self.chance) * _at(of, variable, sp.S.Zero)


@dataclass(frozen=True)
class Rademacher(Declared):
    """A fair sign, independent of all else.

    Example:
        >>> Rademacher().sentence("s")
        's a fair sign'
    """

    reads = "{name} a fair sign"

    def mean(self, variable: Any, of: Any) -> Any:
        """The expectation of an expression in it."""
        return sp.Add(*(_at(of, variable, sign) / 2 for sign in (sp.S.One, sp.S.NegativeOne)))


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

    def __post_init__(self) -> None:
        """Mean and deviation are numbers."""
        require_number("Gaussian.center", self.center, Real)
        require_number("Gaussian.deviation", self.deviation, Real)

    @property
    def exists(self) -> list[Any]:
        """What makes it a law."""
        return _open([sp.Ge(self.deviation, 0)])

    def mean(self, variable: Any, of: Any) -> Any:
        """The expectation of a polynomial in it, also times exponentials of polynomials of second degree.

        Raises:
            InputError: where the expression is something else, or the symbols' assumptions leave open whether the
                expectation is finite.
        """
        standard, tilt = sp.Dummy("z", real=True), sp.Dummy("a", real=True)
        found = sp.S.Zero
        for term in sp.Add.make_args(sp.expand(of.xreplace({variable: self.center + self.deviation * standard}))):
            curve, rate, power, rest = sp.S.Zero, sp.S.Zero, sp.S.Zero, sp.S.One
            for factor in sp.Mul.make_args(term):
                base, exponent = factor.as_base_exp()
                if isinstance(factor, sp.exp) and _is_quadratic(factor.args[0], standard):
                    curve += factor.args[0].coeff(standard, 2)
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
            narrowed = 1 - 2 * curve
            if not narrowed.is_positive:
                remedy = "declare symbols from whose signs that follows, or write its value"
                raise InputError("E", "an exponential whose mean is known to be finite", of, remedy)
            moment = sp.exp(tilt**2 / (2 * narrowed)) / sp.sqrt(narrowed)
            found += rest * sp.expand(moment.diff(tilt, power).subs(tilt, rate))
        return found


def _at(of: Any, variable: Any, value: Any) -> Any:
    """An expression at a value of a variable: where that makes 0 of what is before a quotient, it still divides."""
    found = of.xreplace({variable: value})
    divisors = {part.xreplace({variable: value}).args[1] for part in of.atoms(Quotient)}
    kept = {part.args[1] for part in found.atoms(Quotient)}
    return sp.Add(found, *(Quotient(sp.S.Zero, each) for each in divisors - kept if not each.is_nonzero))


def _is_quadratic(of: Any, variable: Any) -> bool:
    """Whether it is a polynomial of at most second degree; of cases no derivative tells."""
    return bool(of.is_polynomial(variable)) and of.diff(variable, 3) == 0


def _outcomes(tail: str) -> tuple[Any, Any]:
    """How many outcomes there are, and their chances, by names that end so."""
    return sp.Symbol(f"outcomes{tail}", integer=True, positive=True), sp.IndexedBase(f"chance{tail}")


def _open(relations: list[Any]) -> list[Any]:
    """Those that SymPy does not know to hold."""
    return [each for each in relations if each is not sp.true]


Drawn = Random | Density
"""What has a value in each outcome."""
Alone = Bernoulli | Rademacher | Gaussian
"""What has a law that gives means."""
Law = Drawn | Alone | Independent


class _Part(NamedTuple):
    """Outcomes of a part of chance: how many there are, their chances, and one."""

    count: Any
    chance: Any
    outcome: Any


class Laws:
    """The random variables of a claim, as numbers, vectors and matrices.

    ``variables`` has by symbol what stands for it while expressions speak of it: its values have its name; ``ranges``
    by symbol of each that has a value in each outcome, parameters in its place, in order; ``where`` that chances add up
    to one.
    """

    def __init__(self, laws: Mapping[Any, Law]) -> None:
        self.variables = {key: sp.Dummy(key.name, real=True) for key in laws}
        self.variables |= {
            key: sp.IndexedBase(self.variables[key]) for key, law in laws.items() if isinstance(law, Independent)
        }
        self._laws = {self.variables[key]: law for key, law in laws.items()}
        self._alone = {variable: law for variable, law in self._laws.items() if isinstance(law, Alone)}
        self._means: dict[Any, Means] = {}
        self.ranges: dict[Any, dict[Any, Range]] = {}
        self.where: list[Any] = []
        self._parts: dict[_Place, _Part] = {}
        self._values: dict[Any, Any] = {}
        self._used = 0
        for key, law in laws.items():
            if isinstance(law, Drawn):
                self.ranges[key] = self._declared(self.variables[key], law)
            elif isinstance(law, Independent):
                self.ranges[key] = self._each(self.variables[key], law)
            self.where += getattr(law.law if isinstance(law, Independent) else law, "exists", [])

    @property
    def outcomes(self) -> dict[Any, _Place]:
        """The outcomes of the parts of chance as symbols, with these parts: what speaks of one is random."""
        return {part.outcome: place for place, part in self._parts.items()}

    def _declared(self, variable: Any, law: Drawn) -> dict[Any, Range]:
        before = self._before(variable, law)
        place = law.apart, None if before is None else before.apart
        for apart, first in self._parts:
            if apart == law.apart and first != place[1] and {first, place[1]} != {None, apart}:
                expected = "a part of chance of its own, which no variable has that is given something else"
                raise InputError(f"Space[{variable.name}]", expected, law.sentence(variable.name), "name it with apart")
        found: dict[Any, Range] = {}
        if place not in self._parts:
            name = law.apart if before is None else f"{law.apart or 'all'} given {before.apart or 'all'}"
            tail = f" of {name}" if name else ""
            count, chance = _outcomes(tail)
            outcome = sp.Dummy(f"outcome{tail}", integer=True, positive=True)
            self._parts[place] = _Part(count, chance, outcome)
            found = {count: Integers(1, tested_to=MOST_OUTCOMES), **self._law(chance, count)}
        count, chance, outcome = self._parts[place]
        if isinstance(law, Density):
            other = sp.IndexedBase(f"chance by {variable.name}")
            self._values[variable] = other[outcome] / chance[outcome]
            return found | self._law(other, count)
        values = sp.IndexedBase(variable.name, real=True)
        if before is None:
            self._values[variable] = values[outcome]
            return found | {values: Vector(count, law.values)}
        # Finitely many laws with finitely many outcomes are those of functions of one variable: so the chances do not
        # depend on what is given, and the values do.
        rows = self._parts[before.apart, None]
        self._values[variable] = values[rows.outcome, outcome]
        return found | {values: Matrix(rows.count, count, law.values)}

    def _each(self, base: Any, several: Independent) -> dict[Any, Range]:
        """Independent variables, whose finitely many laws are those of functions of one variable."""
        name, law = base.label.name, several.law
        if isinstance(law, Alone):
            drawn = sp.Dummy(name, real=True)
            mean = functools.cache(functools.partial(law.mean, drawn))  # joint cumulants ask for each many times
            self._means[base] = Means(base, lambda of, index: mean(of.xreplace({base[index]: drawn})))
            return {}
        if not isinstance(law, Random) or law != Random(law.values):
            expected = "Bernoulli, Rademacher, Gaussian, or Random with nothing given and no part of chance"
            raise InputError(f"Independent.law of {name}", expected, law, "give it one")
        part = _Part(*_outcomes(f" of each {name}"), sp.Dummy("outcome", integer=True, positive=True))
        values, place = sp.IndexedBase(name, real=True), slice(several.alike, None)

        def single(of: Any, index: Any) -> Any:
            return self._summed(of.xreplace({base[index]: values[(index, part.outcome)[place]]}), part)

        self._means[base] = Means(base, single)
        found = Vector(part.count, law.values) if several.alike else Matrix(several.size, part.count, law.values)
        return {part.count: Integers(1, tested_to=MOST_OUTCOMES), **self._law(part.chance, part.count), values: found}

    def _before(self, variable: Any, law: Drawn) -> Random | None:
        """The law of what a variable is given, which has been declared and is itself given nothing."""
        first = law.given if isinstance(law, Random) else None
        if first is None:
            return None
        before = self._laws.get(self.variables.get(first))
        if not isinstance(before, Random) or before.given is not None or first not in self.ranges:
            expected = "a Random declared before it that is itself given nothing"
            raise InputError(f"Random.given of {variable.name}", expected, first, "declare that first")
        return before

    def _law(self, chance: Any, count: Any) -> dict[Any, Range]:
        """Chances, which add up to one."""
        index = self._index()
        self.where.append(sp.Eq(sp.Sum(chance[index], (index, 1, count)), 1))
        return {chance: Vector(count, Reals(0, 1, open_low=True))}

    def _index(self) -> Any:
        self._used += 1
        return sp.Dummy(f"o{self._used}", integer=True, positive=True)  # another than a user's of this name

    def value(self, term: Any) -> Any:
        """A mean, variance, covariance or probability, with no such term inside.

        An expression in numbers, chances and values, and in the outcome of what is given.

        Raises:
            InputError: where it is the mean of a relation, or the probability of a number.
        """
        of, given = term.of, term.given
        for part in of:
            if isinstance(term, P) != (isinstance(part, Boolean) and not part.is_Symbol):
                expected = "a relation" if isinstance(term, P) else "a number"
                raise InputError(type(term).__name__, f"{expected} inside", part, "write such as P(X >= t) and E(X)")
        if isinstance(term, P):
            of = (sp.Piecewise((1, *of), (0, True)),)
        if given is None or isinstance(given, sp.Tuple):
            mean = functools.partial(self._mean, known=given or ())
        else:
            mean = functools.partial(self._mean_within, given)
        if isinstance(term, (Var, Cov)):
            return mean(of[0] * of[-1]) - mean(of[0]) * mean(of[-1])
        return mean(*of)

    def _mean_within(self, event: Any, of: Any) -> Any:
        """The expectation of an expression given an event."""
        return Quotient(
            self._mean(sp.Piecewise((of, event), (0, True))), self._mean(sp.Piecewise((1, event), (0, True)))
        )

    def _mean(self, of: Any, known: Iterable[Any] = ()) -> Any:
        """The expectation of an expression given some random variables."""
        held = self._held(set(known))
        of = of.xreplace(self._values)
        for base in [base for base in self._means if of.has(base)]:
            of = self._means[base].of(of)
        for variable in sorted(of.free_symbols & set(self._alone) - held, key=str):
            of = self._alone[variable].mean(variable, of)
        for _, part in sorted(self._parts.items(), key=lambda each: (each[0][1] is None, each[0][0], each[0][1] or "")):
            if part.outcome in of.free_symbols - held:
                of = self._summed(of, part)
        return of

    def _summed(self, of: Any, part: _Part) -> Any:
        """The sum of an expression over the outcomes of a part."""
        index = self._index()
        found = sp.Sum(part.chance[index] * of.xreplace({part.outcome: index}), (index, 1, part.count))
        return found.replace(sp.Piecewise, lambda *cases: Branches(*map(tuple, cases)))

    def _held(self, known: set[Any]) -> set[Any]:
        """What does not vary once some random variables are known: those, and the outcomes of their parts.

        Raises:
            InputError: where some are known and others of a part are not: an outcome says all of them.
        """
        held = known | {outcome for variable in known for outcome in self._outcomes(variable)}
        if unknown := known - set(self._laws):
            raise InputError("given", "random variables that the Space declares", unknown.pop(), "declare it")
        first = {self.variables[law.given] for x in known if isinstance(law := self._laws[x], Random) and law.given}
        also = {x for x in self._values if self._outcomes(x) <= held}
        if missing := (first | also) - known:
            told = ", ".join(sorted(each.name for each in known))
            remedy = "name it in given too, or declare it with Random(given=…)"
            raise InputError(
                "given", f"all that is known with {told}", f"no {min(each.name for each in missing)}", remedy
            )
        return held

    def _outcomes(self, variable: Any) -> set[Any]:
        """The outcomes that the value of a random variable depends on."""
        return self._values[variable].free_symbols & set(self.outcomes) if variable in self._values else set()

    def surely(self, relation: Any) -> Any:
        """A relation between random variables, in every outcome: a `ForAll`; itself where it has no random variable.

        Raises:
            InputError: where it is no single relation, or its variables do not share their outcomes.
        """
        relation = relation.xreplace(self._values)
        random = relation.free_symbols & (set(self.outcomes) | set(self._laws))
        if not random:
            return relation
        if len(random) > 1 or not random <= set(self.outcomes):
            raise InputError(
                "Space.where", "a relation between variables of one part of chance", relation, "rewrite it"
            )
        (outcome,) = random
        index = self._index()
        return ForAll(relation.xreplace({outcome: index}), (index, 1, self._parts[self.outcomes[outcome]].count))
