"""The normal form of an expression tree on a domain: a rational function in atoms.

Two trees with the same normal form are equal at every point of the domain at
which the domain data make sense; the normal form exists only where the facts
of the domain show every denominator nonzero, every logarithm's argument
positive and every index within its vector. Nothing here searches: this is the
arithmetic on which the proof checker stands.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.elementary import ElementaryRing
from boundaudit.checks.language.algebra.ranges import Range
from boundaudit.checks.language.algebra.ring import Atom, Ratio
from boundaudit.checks.language.expression import Tree, children, digest, rational, substitute, subtract
from boundaudit.checks.proof.engine import Rejected

_EXPANDED = 64
_HALF = Fraction(1, 2)
_PI = Range(Fraction(314159, 100000), Fraction(314160, 100000), True, True)
EMPTY_DOMAIN: dict[str, Any] = {"parameters": [], "where": []}


class NormalForm(ElementaryRing):
    """Normal forms on one domain."""

    def __init__(self, domain: Mapping[str, Any]) -> None:
        """Read the parameters and constraints of a domain in its JSON form.

        Args:
            domain: ``{"parameters": [...], "where": [...]}``.

        Raises:
            Rejected: where a parameter is malformed or uses a later one.
        """
        super().__init__()
        self._vectors: dict[str, tuple[Range, Ratio]] = {}
        self._scope: set[str] = set()
        for parameter in domain["parameters"]:
            self._declare(parameter)
        for relation, left, right in domain["where"]:
            self._assume_relation(relation, left, right)

    def ratio(self, tree: Tree) -> Ratio:
        """The normal form.

        Returns:
            A ratio of polynomials in the atoms of this ring.

        Raises:
            Rejected: where the expression is not known to be defined on the whole domain.
        """
        head = tree[0]
        if head == "q":
            return self.multiply(self.constant(tree[1]), self.power(self.constant(tree[2]), -1))
        if head == "v":
            return self._parameter(tree[1])
        if head == "pi":
            return self.generator(Atom(tree, _PI))
        if head == "item":
            return self._item(tree[1], self.ratio(tree[2]))
        if head == "sum":
            return self._sum(tree)
        parts = [self.ratio(part) for part in tree[1:]]
        return functools.reduce(self._binary(head), parts) if len(parts) > 1 else self._unary(head, parts[0])

    def vanishes(self, tree: Tree) -> bool:
        """Whether the normal form of an expression is 0.

        Returns:
            True where it is; False says only that this arithmetic does not see it.
        """
        return bool(self.ratio(tree).num.is_zero())

    def range_of(self, tree: Tree) -> Range:
        """A range that holds all values of an expression on the domain.

        Returns:
            The whole line where nothing is known.
        """
        return self.bounds(self.ratio(tree))

    # --- the domain ------------------------------------------------------------------------------

    def _declare(self, parameter: Mapping[str, Any]) -> None:
        name, kind = parameter["name"], parameter["range"]
        if kind == "subsets":
            return
        if not isinstance(name, str) or name.startswith("#") or name in self._scope or name in self._vectors:
            raise Rejected(f"not a fresh parameter name: {name}")
        if kind == "choices":
            values = [self.range_of(value) for value in parameter["values"]]
            span = Range(min(value.low for value in values), max(value.high for value in values))
            self._enter(name, span, integer=all(value.low % 1 == 0 for value in values))
            return
        low, high = (self._end(parameter[side]) for side in ("low", "high"))
        opens = parameter.get("open", [False, False])
        span = Range(low.low, high.high, low.low_open or opens[0], high.high_open or opens[1])
        if kind == "vector":
            self._vectors[name] = (span, self.ratio(parameter["length"]))
        elif kind in ("integers", "reals"):
            self._enter(name, span, integer=kind == "integers")
            self._assume_ends(("v", name), parameter, opens)
        else:
            raise Rejected(f"unknown range of a parameter: {kind}")

    def _enter(self, name: str, span: Range, *, integer: bool) -> Ratio:
        self._scope.add(name)
        return self.generator(Atom(("v", name), span, integer=integer))

    def _end(self, tree: Tree | None) -> Range:
        return Range() if tree is None else self.range_of(tree)

    def _assume_ends(self, subject: Tree, parameter: Mapping[str, Any], opens: list[bool]) -> None:
        for side, relation, is_open in (("low", ">=", opens[0]), ("high", "<=", opens[1])):
            if parameter[side] is not None:
                self._assume_relation(relation.rstrip("=") if is_open else relation, subject, parameter[side])

    def _assume_relation(self, relation: str, left: Tree, right: Tree) -> None:
        if relation not in ("<=", ">=", "<", ">"):
            raise Rejected(f"unknown relation: {relation}")
        small, large = (left, right) if relation[0] == "<" else (right, left)
        self.assume(self.subtract(self.ratio(large), self.ratio(small)), strict="=" not in relation)

    # --- nodes -----------------------------------------------------------------------------------

    def _parameter(self, name: str) -> Ratio:
        found = self.find(("v", name))
        if found is None or name not in self._scope:
            raise Rejected(f"unknown parameter: {name}")
        atom = self.single(found.num)
        if atom is not None and atom.range.low == atom.range.high:
            return self.constant(Fraction(atom.range.low))
        return found

    def _item(self, vector: str, index: Ratio) -> Ratio:
        if vector not in self._vectors:
            raise Rejected(f"unknown vector: {vector}")
        span, length = self._vectors[vector]
        after_first = self.bounds(self.subtract(index, self.constant(1)))
        before_last = self.bounds(self.subtract(length, index))
        if not (self.is_integer(index) and after_first.nonnegative and before_last.nonnegative):
            raise Rejected(f"an index of {vector} is not known to lie in 1..length: {self.tree(index)}")
        return self.generator(Atom(("item", vector, self.tree(index)), span))

    def _binary(self, head: str) -> Callable[[Ratio, Ratio], Ratio]:
        rules: dict[str, Callable[[Ratio, Ratio], Ratio]] = {
            "+": self.add,
            "*": self.multiply,
            "^": self.real_power,
            "max": lambda a, b: self._middle(a, b, 1),
            "min": lambda a, b: self._middle(a, b, -1),
        }
        return rules[head]

    def _unary(self, head: str, value: Ratio) -> Ratio:
        rules: dict[str, Callable[[Ratio], Ratio]] = {
            "log": self.log,
            "exp": self.exp,
            "abs": self.absolute,
            "floor": self.floor,
            "sin": functools.partial(self.wave, "sin"),
            "cos": functools.partial(self.wave, "cos"),
        }
        if head in ("+", "*", "max", "min"):
            return value
        if head not in rules:
            raise Rejected(f"unknown node: {head}")
        return rules[head](value)

    def _middle(self, a: Ratio, b: Ratio, sign: int) -> Ratio:
        """(a + b ± |a - b|)/2, the larger or the smaller of two."""
        spread = self._scaled(sign, self.absolute(self.subtract(a, b)))
        return self._scaled(_HALF, self.add(self.add(a, b), spread))

    # --- sums ------------------------------------------------------------------------------------

    def _sum(self, tree: Tree) -> Ratio:
        """A sum, split over the terms of its body with constant factors pulled out."""
        low, high = self.ratio(tree[2]), self.ratio(tree[3])
        ends = self.rational_value(low), self.rational_value(high)
        if ends[0] is not None and ends[1] is not None and ends[1] - ends[0] < _EXPANDED:
            steps = range(int(ends[0]), int(ends[1]) + 1)
            return functools.reduce(
                self.add,
                (self.ratio(substitute(tree[4], {tree[1]: rational(step)})) for step in steps),
                self.constant(0),
            )
        if not (self.is_integer(low) and self.is_integer(high)):
            raise Rejected("the ends of a sum are not known to be integers")
        limits = self.tree(low), self.tree(high)
        name = f"#{_height(tree)}:{digest(limits)}"
        body = self._body(substitute(tree[4], {tree[1]: ("v", name)}), name, low, high)
        return self._linear_sum(body, name, low, high)

    def _body(self, tree: Tree, name: str, low: Ratio, high: Ratio) -> Ratio:
        """The normal form of a body with its index between the ends."""
        if self.find(("v", name)) is None:
            index = self._enter(name, Range(self.bounds(low).low, self.bounds(high).high), integer=True)
            self.assume(self.subtract(index, low), strict=False)
            self.assume(self.subtract(high, index), strict=False)
        self._scope.add(name)
        try:
            return self.ratio(tree)
        finally:
            self._scope.discard(name)

    def _linear_sum(self, body: Ratio, name: str, low: Ratio, high: Ratio) -> Ratio:
        fixed, moving = self.constant(1), self.constant(1)
        for poly, exponent in self.factors(Ratio(body.den, self.constant(1).num))[1]:
            factor = self.power(self._over_one(poly), exponent)
            if name in self.names(poly):
                moving = self.multiply(moving, factor)
            else:
                fixed = self.multiply(fixed, factor)
        leading = self.multiply(body, fixed, moving)
        if not leading.den.is_one():
            raise Rejected("the body of a sum does not split into terms")
        total = self.constant(0)
        for moving_part, coefficient in self._groups(leading.num, name):
            inner = self.multiply(moving_part, self.power(moving, -1))
            total = self.add(total, self.multiply(coefficient, self._sum_atom(inner, name, low, high)))
        return self.multiply(total, self.power(fixed, -1))

    def _groups(self, poly: fmpq_mpoly, name: str) -> list[tuple[Ratio, Ratio]]:
        """Pairs (monomial in atoms that move with the index, its coefficient in the others)."""
        found: dict[str, tuple[Ratio, Ratio]] = {}
        for value, monomial in self.terms(poly):
            moves, rests = self.constant(1), self.constant(value)
            for position, exponent in enumerate(monomial.degrees()):
                if exponent:
                    power = self.power(self.generator(self.atoms[position]), int(exponent))
                    if name in self.atoms[position].names:
                        moves = self.multiply(moves, power)
                    else:
                        rests = self.multiply(rests, power)
            key = str(moves.num)
            before = found[key][1] if key in found else self.constant(0)
            found[key] = (moves, self.add(before, rests))
        return list(found.values())

    def _sum_atom(self, body: Ratio, name: str, low: Ratio, high: Ratio) -> Ratio:
        """The sum of one monomial; that of 1 counts the terms, where there are none or more."""
        count = self.add(self.subtract(high, low), self.constant(1))
        if self.rational_value(body) == 1 and self.bounds(count).nonnegative:
            return count
        size = Range(Fraction(0)) if self.bounds(body).nonnegative else Range()
        return self.generator(Atom(("sum", name, self.tree(low), self.tree(high), self.tree(body)), size))


def _height(tree: Tree) -> int:
    """How deep sums are nested, so that an inner index never has the name of an outer one."""
    inner = max((_height(part) for part in children(tree)), default=0)
    return inner + 1 if tree[0] == "sum" else inner


def vanishes(tree: Tree) -> bool:
    """Whether an expression without parameters is exactly 0.

    Returns:
        True where exact algebra shows it; False says only that it does not.
    """
    return is_zero(tree, EMPTY_DOMAIN)


def is_zero(tree: Tree, domain: Mapping[str, Any]) -> bool:
    """Whether an expression is 0 on a whole domain, by its normal form.

    Returns:
        True where the normal form is 0; False says only that it is not, or that there is none.
    """
    try:
        return NormalForm(domain).vanishes(tree)
    except Rejected:
        return False


def equal(left: Tree, right: Tree, domain: Mapping[str, Any]) -> bool:
    """Whether two expressions have the same normal form on a domain.

    Returns:
        True where they have.
    """
    return is_zero(subtract(left, right), domain)
