"""The normal form of an expression tree on a domain: a rational function in atoms.

Two trees with the same normal form are equal at every point of the domain at
which the domain data make sense; the normal form exists only where the facts
of the domain show every denominator nonzero, every logarithm's argument
positive and every index within its vector. Nothing here searches: this is the
arithmetic on which the proof checker stands.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any, TypeAlias

from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.ranges import Range
from boundaudit.checks.language.algebra.ring import Atom, Ratio, Rejected
from boundaudit.checks.language.algebra.special import SpecialRing
from boundaudit.checks.language.arithmetic import spend, spent, work
from boundaudit.checks.language.expression import BRANCHES, FOLDS, Tree, from_json, opened, summation

_EXPANDED = 64
_HALF = Fraction(1, 2)
_NO_PARAMETERS: Mapping[str, Any] = {"parameters": [], "where": []}
_PI = Range(Fraction(314159, 100000), Fraction(314160, 100000), True, True)
_SHAPES = {"vector": ("length",), "matrix": ("rows", "columns")}
"""How many entries there are along each index."""
_JOINED = {"+": "add", "*": "multiply", "^": "real_power", "binomial": "binomial"}
_SINGLE = {"log": "log", "exp": "exp", "abs": "absolute", "floor": "floor", "gamma": "gamma", "erf": "error_function"}
"""The methods for functions of two parts, or more, and of one."""

_State: TypeAlias = dict[str, Any]
_READ: dict[tuple[str, ...], tuple[float, _State]] = {}
"""Domains that were read, by their parameters and relations: the steps that it took, and what came of it."""
_MOST_READ = 256
_PAID: dict[tuple[str, ...], float] = {}
"""The steps that domains took in this piece of work: a proof pays once for what all its engines read and is kept."""
_work = [0.0]


def _copied(state: _State) -> _State:
    return {name: held.copy() for name, held in state.items()}


class NormalForm(SpecialRing):
    """Normal forms on one domain."""

    def __init__(self, domain: Mapping[str, Any]) -> None:
        """Read the parameters and constraints of a domain in its JSON form."""
        super().__init__()
        self._vectors: dict[str, tuple[Range, list[Ratio]]] = {}
        self._scope: set[str] = set()
        self._known: dict[Tree, Ratio] = {}
        self._read(domain)

    def _read(self, domain: Mapping[str, Any]) -> None:
        """Read a domain, from where one that begins alike was read to its end."""
        written = repr(domain["parameters"]), *map(repr, domain["where"])
        begun = [written[:k] for k in range(len(written), 0, -1)]
        if _work[0] != work() or len(_PAID) == _MOST_READ:  # what a proof may take depends on no other
            _work[0] = work()
            _PAID.clear()
        paid = next((_PAID[part] for part in begun if part in _PAID), 0.0)
        spend(-paid)  # which is spent again below, whether it is kept or read anew
        before = spent()
        known = next((part for part in begun if part in _READ), ())
        if known:
            steps, state = _READ[known]
            spend(steps)
            vars(self).update(_copied(state))
        self._read_from(domain, len(known))
        if len(_READ) == _MOST_READ:
            _READ.clear()
        _PAID[written] = spent() - before
        _READ[written] = _PAID[written], _copied(vars(self))

    def _read_from(self, domain: Mapping[str, Any], known: int) -> None:
        """Read the rest of a domain whose parameters, and relations but one less than so many, are known."""
        for parameter in () if known else domain["parameters"]:
            self._declare(parameter)
        for relation, *sides in domain["where"][max(known - 1, 0) :]:
            if relation in ("<=", ">=", "<", ">"):  # of alternatives nothing is known, of all indices what is asked for
                with suppress(Rejected):  # nor of what has no normal form
                    self._assume_relation(relation, *map(from_json, sides))

    def ratio(self, tree: Tree) -> Ratio:
        """The normal form, where the expression is known to be defined on the whole domain."""
        head = tree[0]
        if head == "q":
            return self.constant(Fraction(tree[1], tree[2]))
        if head == "v":
            return self._parameter(tree[1])
        if head == "pi":
            return self.generator(Atom(tree, _PI))
        if head == "item":
            return self._item(tree[1], [self.ratio(index) for index in tree[2:]])
        if head == "b":
            raise Rejected("an index stands outside of its sum")
        if tree not in self._known:
            self._known[tree] = self._composed(tree)
        return self._known[tree]

    def _composed(self, tree: Tree) -> Ratio:
        head = tree[0]
        if head in FOLDS:
            return self._folded(tree)
        if head in BRANCHES:
            return self._branch(tree)
        parts = list(map(self.ratio, tree[1:]))
        if head in ("sin", "cos"):
            return self.wave(head, parts[0])
        if head in ("max", "min"):
            return functools.reduce(functools.partial(self._middle, sign=1 if head == "max" else -1), parts)
        method = getattr(self, _JOINED.get(head) or _SINGLE[head])
        return functools.reduce(method, parts) if head in _JOINED else method(parts[0])

    def _abs_factor(self, poly: fmpq_mpoly) -> Ratio:
        key = self.tree(Ratio(poly))
        if key[0] != "^":
            return super()._abs_factor(poly)
        return self.real_power(self.absolute(self.ratio(key[1])), self.ratio(key[2]))  # |x^n| = |x|^n

    def has(self, tree: Tree) -> bool:
        """Whether an expression has a normal form, and is therefore known to be defined on the whole domain."""
        with suppress(Rejected):
            self.ratio(tree)
            return True
        return False

    def vanishes(self, tree: Tree) -> bool:
        """Whether the normal form of an expression is 0; False says only that this arithmetic does not see it."""
        return bool(self.ratio(tree).num.is_zero())

    def range_of(self, tree: Tree) -> Range:
        """A range that holds all values of an expression on the domain."""
        return self.bounds(self.ratio(tree))

    # --- the domain ------------------------------------------------------------------------------

    def _declare(self, parameter: Mapping[str, Any]) -> None:
        name, kind = parameter["name"], parameter["range"]
        if kind == "subsets":  # what no expression reads
            return
        if kind == "choices":
            values = [Fraction(*value[1:]) for value in parameter["values"]]
            self._enter(name, Range(min(values), max(values)), integer=all(value % 1 == 0 for value in values))
            return
        ends = [None if parameter[side] is None else from_json(parameter[side]) for side in ("low", "high")]
        low, high = (Range() if end is None else self.range_of(end) for end in ends)
        opens = parameter.get("open", [False, False])
        span = Range(low.low, high.high, low.low_open or opens[0], high.high_open or opens[1])
        if kind in _SHAPES:
            self._vectors[name] = (span, [self.ratio(from_json(parameter[key])) for key in _SHAPES[kind]])
            if not all(map(self.is_integer, self._vectors[name][1])):
                raise Rejected(f"the size of {name} is not known to be an integer")
            return
        self._enter(name, span, integer=kind == "integers")
        for end, relation, is_open in zip(ends, (">", "<"), opens, strict=True):
            if end is not None:
                self._assume_relation(relation if is_open else relation + "=", ("v", name), end)

    def _enter(self, name: str, span: Range, *, integer: bool) -> Ratio:
        self._scope.add(name)
        return self.generator(Atom(("v", name), span, integer=integer))

    def _assume_relation(self, relation: str, left: Tree, right: Tree) -> None:
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

    def _item(self, vector: str, indices: list[Ratio]) -> Ratio:
        if vector not in self._vectors:
            raise Rejected(f"unknown vector: {vector}")
        span, lengths = self._vectors[vector]
        for index, length in zip(indices, lengths, strict=True):
            after_first, before_last = self.subtract(index, self.constant(1)), self.subtract(length, index)
            if not (self.is_integer(index) and self.by_facts(after_first) and self.by_facts(before_last)):
                raise Rejected(f"an index of {vector} is not known to lie in 1..length: {self.tree(index)}")
        return self.generator(Atom(("item", vector, *map(self.tree, indices)), span))

    def _branch(self, tree: Tree) -> Ratio:
        """The branch that is taken on the whole domain; inside a sum, where it depends on the index, an atom."""
        size = self.range_of(tree[1])
        taken, other = {
            "if<": ((-size).positive, size.nonnegative),
            "if<=": ((-size).nonnegative, size.positive),
            "if=": (size.low == size.high == 0, size.nonzero),
        }[tree[0]]
        if taken or other:
            return self.ratio(tree[2] if taken else tree[3])
        if not any(name.startswith("#") for name in self.names(self.ratio(tree[1]).num)):
            raise Rejected(f"which branch is taken depends on the sign of {tree[1]}")
        one, two = self.range_of(tree[2]), self.range_of(tree[3])
        size = Range(min(one.low, two.low), max(one.high, two.high))
        return self.generator(Atom((tree[0], *(self.tree(self.ratio(part)) for part in tree[1:])), size))

    def _middle(self, a: Ratio, b: Ratio, sign: int) -> Ratio:
        """(a + b ± |a - b|)/2, the larger or the smaller of two; what an index shows holds where its sum has terms."""
        spread = self.scale(sign, self.absolute(self.subtract(a, b)))
        result = self.scale(_HALF, self.add(self.add(a, b), spread))
        least = (max if sign > 0 else min)((size.low, size.low_open) for size in map(self.bounds, (a, b)))
        if least >= (0, False) and {name for name in self._scope if name[0] == "#"} <= self.names(result.num):
            self.assume(result, strict=least > (0, False))
        return result

    # --- sums and products -----------------------------------------------------------------------

    def _folded(self, tree: Tree) -> Ratio:
        """A sum, split over the terms of its body with constant factors pulled out; or a product."""
        low, high = self.ratio(tree[1]), self.ratio(tree[2])
        if not (self.is_integer(low) and self.is_integer(high)):
            raise Rejected("the ends of a sum are not known to be integers")
        length = self.number(self.subtract(high, low))
        if length is not None and length < _EXPANDED:
            steps = (self.tree(self.add(low, self.constant(step))) for step in range(int(length) + 1))
            terms = (self.ratio(opened(tree, step)) for step in steps)
            join, none = (self.add, 0) if tree[0] == "sum" else (self.multiply, 1)
            return functools.reduce(join, terms, self.constant(none))
        name = self._fresh(f"{self.tree(low), self.tree(high)}")
        body = self._body(opened(tree, ("v", name)), name, low, high)
        return (self._linear_sum if tree[0] == "sum" else self._product)(body, name, low, high)

    def _fresh(self, ends: str) -> str:
        """A name for the index of a sum with such ends: none that a sum around it has."""
        return next(name for name in (f"#{k}:{ends}" for k in itertools.count()) if name not in self._scope)

    def _product(self, body: Ratio, name: str, low: Ratio, high: Ratio) -> Ratio:
        """A product, factor by factor: of positive ones, the exponential of the sum of their logarithms."""
        constant, factors = (Fraction(1), [(body.num, 1)]) if body.num.is_zero() else self.factors(body)
        positive, result = self.constant(abs(constant)), self.constant(1)
        for poly, exponent in factors if constant > 0 else [*factors, (self.constant(-1).num, 1)]:
            if self.bounds(Ratio(poly)).positive:
                positive = self.multiply(positive, self.power(Ratio(poly), exponent))
            else:
                atom = self._product_atom(Ratio(poly), name, low, high)
                result = self.multiply(result, self.power(atom, exponent))
        return self.multiply(result, self.exp(self._linear_sum(self.log(positive), name, low, high)))

    def _product_atom(self, body: Ratio, name: str, low: Ratio, high: Ratio) -> Ratio:
        """A product of factors that may be 0 or negative; of equal ones, a power."""
        count = self.add(self.subtract(high, low), self.constant(1))
        if name not in self.names(body.num) and self.bounds(count).nonnegative:
            return self.real_power(body, count)
        each = self.bounds(body)
        most = Fraction(1) if each.low >= -1 and each.high <= 1 else math.inf
        image = Range(Fraction(0) if each.nonnegative else -most, most)
        key = summation(name, self.tree(low), self.tree(high), self.tree(body), "product")
        return self.generator(Atom(key, image, integer=self.is_integer(body)))

    def _body(self, tree: Tree, name: str, low: Ratio, high: Ratio) -> Ratio:
        """The normal form of a body with its index between the ends."""
        outside, self._known = self._known, {}  # what is known of an index holds in its sum alone
        try:
            if self.find(("v", name)) is None:
                self._around[name] = self.around(low.num) | self.around(high.num) | {name}
                index = self._enter(name, Range(self.bounds(low).low, self.bounds(high).high), integer=True)
                self.assume(self.subtract(index, low), strict=False)
                self.assume(self.subtract(high, index), strict=False)
            self._scope.add(name)
            return self.ratio(tree)
        finally:
            self._scope.discard(name)
            self._known = outside

    def _linear_sum(self, body: Ratio, name: str, low: Ratio, high: Ratio) -> Ratio:
        found = ((fixed, self._sum_atom(moving, name, low, high)) for fixed, moving in self.parts(body, name))
        return functools.reduce(self.add, itertools.starmap(self.multiply, found), self.constant(0))

    def parts(self, body: Ratio, name: str) -> Iterator[tuple[Ratio, Ratio]]:
        """The terms of a body, each as a factor that rests and one that moves with an index."""
        below = self._apart(body.den, name)
        leading = self.multiply(body, *below)
        if not leading.den.is_one():
            raise Rejected("the body of a sum does not split into terms")
        for value, monomial in self.terms(leading.num):
            above = self._apart(monomial, name)
            fixed, moving = (self.multiply(a, self.power(b, -1)) for a, b in zip(above, below, strict=True))
            yield self.scale(value, fixed), moving

    def _apart(self, poly: fmpq_mpoly, name: str) -> tuple[Ratio, Ratio]:
        """The factors of a polynomial without an index, and with it."""
        powers = [(name in self.names(factor), self.power(Ratio(factor), k)) for factor, k in self._factors(poly)[1]]
        fixed, moving = (self.multiply(*(power for moves, power in powers if moves is side)) for side in (False, True))
        return fixed, moving

    def _sum_atom(self, body: Ratio, name: str, low: Ratio, high: Ratio) -> Ratio:
        """The sum of one monomial; that of 1 counts the terms, where there are none or more."""
        count = self.add(self.subtract(high, low), self.constant(1))
        if self.number(body) == 1 and self.bounds(count).nonnegative:
            return count
        each = self.bounds(body)
        some = self.bounds(self.subtract(count, self.constant(1))).nonnegative
        size = Range(Fraction(0), low_open=each.positive and some) if each.nonnegative else Range()
        return self.generator(Atom(summation(name, self.tree(low), self.tree(high), self.tree(body)), size))


def vanishes(tree: Tree, domain: Mapping[str, Any] = _NO_PARAMETERS) -> bool:
    """Whether an expression has the normal form 0 on a domain; not, where it has none."""
    with suppress(Rejected):
        return NormalForm(domain).vanishes(tree)
    return False
