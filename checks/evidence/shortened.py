"""A claim about vectors at a short length, as a claim about numbers: what looks at numbers then sees their entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp

from boundaudit import InputError
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.domain.limits import Empty, tree_names, whole_of
from boundaudit.checks.language.domain.lines import simple
from boundaudit.checks.language.expression import names
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.relations import ForAll
from boundaudit.checks.language.translate import to_tree

LENGTHS = (2, 3)
MOST = 12
"""Entries of all vectors together."""

_Lift = Callable[[Point], Point]


def shortened(claim: Claim) -> Iterator[tuple[Claim, _Lift]]:
    """A claim about vectors as claims about numbers, the lengths fixed, and the way back from their points to its own.

    Nothing where it speaks of no vector, of matrices or of what is measured.
    """
    ranges = claim.domain.ranges
    vectors = {name: found for name, found in ranges.items() if isinstance(found, Vector)}
    plain = all(isinstance(found, (Integers, Reals, Choices, Vector)) for found in ranges.values())
    if not vectors or not plain or claim.statement_form is None or claim.is_measured:
        return
    sizes = set().union(*(names(to_tree(found.length)) for found in vectors.values()))
    for length in LENGTHS if sizes else LENGTHS[:1]:
        fixed = dict.fromkeys(sizes, length)
        ends = (tree_names(end) for name in sizes for end in _ends(ranges[name]))
        if set().union(*ends) <= sizes and all(ranges[name].contains(length, fixed) for name in sizes):
            with suppress(Empty, InputError):  # SymPy adds sums up to what is no expression of ours
                short = _Short(claim.domain, fixed)
                domain, left, right = short.domain(), short.written(claim.left), short.written(claim.right)
                found = replace(claim, domain=domain, left=left, right=right, equality=())
                if found.statement_form is not None:
                    yield found, short.lifted


def _ends(found: Range) -> tuple[Any, ...]:
    return (found.low, found.high) if isinstance(found, (Integers, Reals)) else ()


class _Short:
    """A domain whose vectors have as many entries as some sizes say."""

    def __init__(self, domain: Domain, sizes: dict[str, int]) -> None:
        self.whole, self.sizes = domain, sizes
        self.entries = {
            name: [sp.Symbol(f"{name}_{i + 1}", real=True) for i in range(whole_of(found.length, sizes, -1))]
            for name, found in domain.ranges.items()
            if isinstance(found, Vector)
        }
        named = {entry.name for row in self.entries.values() for entry in row}
        if sum(map(len, self.entries.values())) > MOST or named & set(domain.ranges):
            raise Empty
        self.solved: dict[Any, Any] = {}

    def written(self, expression: Any) -> Any:
        """An expression or a relation in the entries, its sums written out."""
        expression = sp.sympify(expression, strict=True)  # a number, or an expression of SymPy's
        known = {symbol: self.sizes[symbol.name] for symbol in expression.free_symbols
                 if isinstance(symbol, sp.Symbol) and symbol.name in self.sizes}  # fmt: skip
        summed = expression.subs(known).doit()
        return summed.replace(lambda part: isinstance(part, sp.Indexed), self._entry).subs(self.solved)

    def _entry(self, part: sp.Indexed) -> sp.Symbol:
        """The parameter that an entry is; Empty where its index is a parameter too, or beyond the length."""
        row, (index,) = self.entries[str(part.base)], part.indices
        if not (index.is_Integer and 1 <= index <= len(row)):
            raise Empty
        return row[int(index) - 1]

    def domain(self) -> Domain:
        """The domain of the entries and of the other parameters; Empty where a relation fails at these sizes."""
        where = [self.written(relation) for stated in self.whole.where for relation in self._instances(stated)]
        self._solve(where)
        ranges: dict[Any, Any] = {}
        for name, found in self.whole.ranges.items():
            if isinstance(found, Vector):
                ranges |= dict.fromkeys(self.entries[name], self._limited(found.entries))
                if found.square_sum is not None:
                    where.append(sum(entry**2 for entry in self.entries[name]) <= self.written(found.square_sum))
            elif name not in self.sizes:
                ranges[sp.Symbol(name)] = self._limited(found)
        for entry in self.solved:
            found = ranges.pop(entry)
            where += [] if found.low is None else [entry > found.low if found.open_low else entry >= found.low]
            where += [] if found.high is None else [entry < found.high if found.open_high else entry <= found.high]
        where = [told for relation in where if (told := relation.subs(self.solved)) != sp.true]
        if sp.false in where or not ranges:
            raise Empty
        return Domain(ranges, where)

    def _solve(self, where: list[Any]) -> None:
        """Entries that an equation gives, such as the last chance of a law: no search has to stay on its surface."""
        for relation in where:
            if isinstance(relation, sp.Eq):
                gap = (relation.lhs - relation.rhs).subs(self.solved)
                for entry in (row[-1] for row in self.entries.values() if row):
                    slope = gap.diff(entry)
                    if slope.is_number and slope != 0 and entry not in self.solved:
                        self.solved[entry] = entry - gap / slope
                        break

    def _instances(self, relation: Any) -> Iterator[Any]:
        """What is said of all indices, one by one; Empty where an end is a parameter."""
        if not isinstance(relation, ForAll):
            yield relation
            return
        index, low, high = relation.limits[0]
        first, last = (self.written(end) for end in (low, high))
        if not (first.is_Integer and last.is_Integer):
            raise Empty
        yield from (relation.relation.subs(index, i) for i in range(int(first), int(last) + 1))

    def _limited(self, found: Any) -> Any:
        """A range with these sizes in its limits."""
        if isinstance(found, Choices):
            return found
        low, high = (None if end is None else self.written(end) for end in (found.low, found.high))
        return replace(found, low=low, high=high)

    def lifted(self, point: Point) -> Point:
        """The point of the whole domain."""
        known = dict(point)
        for entry, value in self.solved.items():
            there = value.subs({symbol: sp.Rational(Fraction(known[symbol.name])) for symbol in value.free_symbols})
            known[entry.name] = simple(Fraction(int(there.p), int(there.q)))
        return {
            name: tuple(known[entry.name] for entry in self.entries[name]) if name in self.entries
            else self.sizes.get(name, known.get(name))
            for name in self.whole.ranges
        }  # fmt: skip
