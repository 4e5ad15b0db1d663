"""Independent random variables, any number of them, and the means of what is made of their sums."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.utilities.iterables import multiset_partitions

from boundaudit import InputError
from boundaudit.checks.language.abstract.declared import require_number

_MOST_SUMS = 4
"""Factors of a product of sums: moments up to the fourth."""


@dataclass(frozen=True)
class Independent:
    """Random variables ``X[1]``, …, ``X[size]`` that are independent of each other and of all else, for `Space`.

    They are written as a ``sympy.IndexedBase`` and stand in ``E``, ``Var``, ``Cov`` and ``P``: one of them in any
    expression, all of them in sums, products of up to four sums, products over the index, and exponentials of sums.

    Example:
        >>> from boundaudit import Random, Reals
        >>> Independent(sp.Symbol("n"), Random(Reals(0, 1))).sentence("X")
        'X[i] random, 0 ≤ X[i] ≤ 1, independent for i = 1, …, n'

    Attributes:
        size: How many there are.
        law: Of each, `Random` with any law there, or one that is known.
        alike: Whether all have the same law, whatever it is.
    """

    size: Any
    law: Any
    alike: bool = False

    def __post_init__(self) -> None:
        """The size is a number."""
        require_number("Independent.size", self.size)

    def sentence(self, name: str) -> str:
        """How it reads in a domain."""
        one = ", all of one law" if self.alike else ""
        return f"{self.law.sentence(f'{name}[i]')}, independent for i = 1, …, {self.size}{one}"


class Means:
    """The means of expressions in independent random variables.

    ``single`` gives the mean of an expression in the one variable at an index, which it is given too.
    """

    def __init__(self, base: Any, single: Callable[[Any, Any], Any]) -> None:
        self._base, self._single = base, single

    def of(self, expression: Any) -> Any:
        """The mean of an expression, in what `single` makes of single variables; all else in it is known.

        Raises:
            InputError: where it is none that sums over single variables say.
        """
        terms = sp.Add.make_args(sp.expand(_outward(expression), power_exp=False))
        return sp.Add(*map(self._of_term, terms))

    def _of_term(self, term: Any) -> Any:
        known, alone, sums, products = sp.S.One, [], [], []
        for factor in self._factors(term):
            base, power = factor.as_base_exp() if isinstance(factor, sp.Pow) else (factor, sp.S.One)
            if not factor.has(self._base):
                known *= factor
            elif isinstance(base, sp.Sum) and power.is_Integer and power > 0:
                sums += [base] * int(power)
            elif isinstance(base, sp.Product) and power.is_Integer:
                products.append(sp.Product(base.function**power, *base.limits))
            elif any(part.has(self._base) for part in factor.atoms(ExprWithLimits)):
                raise self._refused(factor)
            else:
                alone.append(factor)
        if sum(map(bool, (alone, sums, products))) > 1 or len(sums) > _MOST_SUMS:
            raise self._refused(term)
        return known * self._of_factors(alone) * self._of_sums(sums) * self._of_products(products)

    def _factors(self, term: Any) -> Iterator[Any]:
        """What it is a product of, an exponential of a sum being a product."""
        for factor in sp.Mul.make_args(term):
            if not (isinstance(factor, sp.exp) and factor.has(self._base)):
                yield factor
                continue
            for part in sp.Add.make_args(factor.args[0]):
                number, rest = part.as_independent(sp.Sum, as_Add=False)
                if isinstance(rest, sp.Sum) and rest.has(self._base) and not number.has(self._base):
                    yield sp.Product(sp.exp(number * rest.function), *rest.limits)
                else:
                    yield sp.exp(part)

    def _of_factors(self, factors: Sequence[Any]) -> Any:
        """The mean of a product in which variables stand alone, at one index or at several numbers."""
        at: dict[Any, Any] = {}
        for factor in factors:
            index = self._index(factor)
            at[index] = at.get(index, sp.S.One) * factor
        if len(at) > 1 and not all(index.is_Integer for index in at):
            raise self._refused(sp.Mul(*factors))
        return sp.Mul(*(self._single(part, index) for index, part in at.items()))

    def _of_sums(self, sums: Sequence[Any]) -> Any:
        """The mean of a product of sums: joint cumulants of sums are the sums of joint cumulants."""
        if not sums:
            return sp.S.One
        index, ends, parts = self._together(sums)
        return sp.Add(*(
            sp.Mul(*(sp.Sum(self._cumulant(block, index), (index, *ends)) for block in blocks))
            for blocks in _partitions(parts)
        ))  # fmt: skip

    def _cumulant(self, parts: Sequence[Any], index: Any) -> Any:
        """The joint cumulant of expressions in one variable."""
        return sp.Add(*(
            (-1) ** (len(blocks) - 1) * math.factorial(len(blocks) - 1)
            * sp.Mul(*(self._single(sp.Mul(*block), index) for block in blocks))
            for blocks in _partitions(parts)
        ))  # fmt: skip

    def _of_products(self, products: Sequence[Any]) -> Any:
        if not products:
            return sp.S.One
        index, ends, parts = self._together(products)
        return sp.Product(self._single(sp.Mul(*parts), index), (index, *ends))

    def _together(self, folded: Sequence[Any]) -> tuple[Any, tuple[Any, Any], list[Any]]:
        """Sums or products over the same indices, by one index."""
        index, ends = sp.Dummy("i", integer=True, positive=True), list(folded[0].limits[0][1:])
        parts = [each.function.xreplace({each.limits[0][0]: index}) for each in folded]
        for each, part in zip(folded, parts, strict=True):
            if len(each.limits) > 1 or list(each.limits[0][1:]) != ends or self._index(part) != index:
                raise self._refused(each)
        return index, (ends[0], ends[1]), parts

    def _index(self, part: Any) -> Any:
        """The one index at which variables stand in it."""
        found = {each.indices for each in part.atoms(sp.Indexed) if each.base == self._base}
        if len(found) != 1 or len(indices := found.pop()) != 1:
            raise self._refused(part)
        return indices[0]

    def _refused(self, of: Any) -> InputError:
        name = self._base.label.name
        expected = (
            f"one of {name} in any expression, or all in sums over the index, products of up to "
            f"{_MOST_SUMS} such, exponentials of a sum, or products over the index"
        )
        of = of.xreplace({self._base: sp.IndexedBase(name)})
        return InputError("E", expected, of, "declare it as a Random of its own, with what is known of it in where")


def _partitions(parts: Sequence[Any]) -> Iterator[list[list[Any]]]:
    """All ways to divide expressions, equal ones among them, into blocks."""
    for places in multiset_partitions(list(range(len(parts)))):
        yield [[parts[place] for place in block] for block in places]


def _outward(expression: Any) -> Any:
    """With what does not depend on the index of a sum drawn out of it."""

    def drawn(function: Any, *limits: Any) -> Any:
        if len(limits) > 1:
            return drawn(drawn(function, limits[0]), *limits[1:])
        terms = sp.Add.make_args(sp.expand(function, power_exp=False)) if function.has(sp.Sum) else [function]
        parts = (term.as_independent(limits[0][0], as_Add=False) for term in terms)
        return sp.Add(*(apart * sp.Sum(within, *limits) for apart, within in parts))

    return expression.replace(sp.Sum, drawn)
