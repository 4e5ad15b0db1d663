"""Long sums, a run of terms at a time: what the Taylor polynomial of the terms adds up to, and its remainder.

Over the integers c + x of a run that is symmetric around c, terms f(c + x) = Σ f_m x^m add up to Σ f_m S_m with the
sums S_m of powers of x. What is cut off is f_K(ξ) x^K with K even: f_K over the ball of the whole run times S_K holds
it (Taylor's theorem with Lagrange's remainder). K = 0 says that terms lie side by side in the ball of their values:
that is left where they have no derivatives.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import flint
import numpy as np
from flint import arb, arb_mat, arb_poly, arb_series, fmpq, fmpq_poly, fmpz

from boundaudit.checks.language.arithmetic import (
    Ball,
    TooLong,
    Undefined,
    branches,
    combine,
    hull,
    integer,
    spend,
    total,
)
from boundaudit.checks.language.expression import (
    BRANCHES,
    FOLDS,
    Tree,
    add,
    children,
    multiply,
    names,
    opened,
    rational,
    rebuild,
    walk,
)
from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.points import columns
from boundaudit.checks.language.power_series import constant, logarithm, of_series

ADDED_UP = 20_000
"""Terms of sums that cost less one by one than in runs."""
BLOCKS = 2000
"""About how many runs a sum is taken apart into where its terms have no derivatives."""
DIRECT = 200
"""Terms that are added up one by one."""
_BITS_OF_A_TERM = 3
"""Bits that a term of a polynomial gains: runs are about a quarter as long as they are far from a pole."""


def in_runs(tree: Tree, point: Mapping[str, Any]) -> Ball:
    """A ball around a value whose sums have too many terms to be added up.

    It is as narrow as the precision where the terms of its sums are smooth.

    Raises:
        TooLong: where terms have no value on balls of indices.
    """
    order = 2 * (flint.ctx.prec // (2 * _BITS_OF_A_TERM))
    try:
        with _length(order + 1):
            found: Ball = _Reading(point, order).value(tree, ())
            return found
    except Undefined as error:
        raise TooLong(str(error)) from None


def terms_of(tree: Tree, point: Mapping[str, Any]) -> float:
    """How many terms the sums of an expression have at a point; infinite where nobody knows.

    Those of sums inside of others count as often as they are taken.
    """
    return sum(_terms(total, point) for total in outer_sums(tree))


def outer_sums(tree: Tree) -> Iterator[Tree]:
    """The sums and products of a tree that stand in no other."""
    if tree[0] in FOLDS:
        yield tree
    else:
        yield from itertools.chain.from_iterable(map(outer_sums, children(tree)))


def _terms(total: Tree, point: Mapping[str, Any]) -> float:
    if not names(total[1]) | names(total[2]) <= set(point):
        return math.inf
    low, high = (float(np.ravel(evaluate_float(part, columns([point])))[0]) for part in total[1:3])
    terms = max(0.0, high - low + 1)
    if not terms <= ADDED_UP:
        return math.inf if math.isnan(terms) else terms
    return terms * max(1.0, terms_of(opened(total, rational(high)), point))


@contextmanager
def _length(cap: int) -> Iterator[None]:
    """Power series with so many terms inside the block."""
    before, flint.ctx.cap = flint.ctx.cap, cap
    try:
        yield
    finally:
        flint.ctx.cap = before


class _Run(NamedTuple):
    """Integers side by side."""

    first: int
    last: int

    @property
    def size(self) -> int:
        return self.last - self.first + 1

    @property
    def centre(self) -> fmpq:
        return fmpq(self.first + self.last, 2)

    @property
    def ball(self) -> arb:
        return arb(self.first).union(arb(self.last))

    def moved(self, by: int) -> _Run:
        return _Run(self.first + by, self.last + by)


class _Reading:
    """An expression read at a point: an index is an integer, a ball, or a power series around the centre of a run."""

    def __init__(self, point: Mapping[str, Any], order: int) -> None:
        self.point, self.order = point, order
        self._run: _Run | None = None
        """The run whose index is a power series; what is one inside its terms would be one in another variable."""
        self._known: dict[Tree, Ball] = {}
        self._reached: dict[tuple[str, Tree, int], tuple[int, Ball]] = {}

    def value(self, tree: Tree, indices: tuple[Any, ...]) -> Any:
        """The value of an expression, from those of the indices around it, the innermost first."""
        if tree[0] == "b":
            return indices[tree[1]]
        if _free(tree):
            return self._found(tree, indices)
        if tree not in self._known:
            with self._inside(None):
                self._known[tree] = self._found(tree, ())
        return self._known[tree]

    @contextmanager
    def _inside(self, run: _Run | None) -> Iterator[None]:
        before, self._run = self._run, run
        try:
            yield
        finally:
            self._run = before

    def _found(self, tree: Tree, indices: tuple[Any, ...]) -> Any:
        if tree[0] in FOLDS:
            return self._folded(tree, indices)
        if tree[0] in BRANCHES:
            condition = constant(self.value(tree[1], indices))
            taken = branches(tree[0], condition)
            if len(taken) > 1 and self._run:
                raise Undefined("a branch is taken by some terms of a run")
            return hull([self.value(tree[place], indices) for place in taken])
        if tree[0] == "log" and tree[1][0] == "gamma":
            argument = self.value(tree[1][1], indices)
            if isinstance(argument, arb_series) and argument[0] > 0:
                return argument.lgamma()  # Γ itself has no finite value on a long run
        values = [self.value(part, indices) for part in children(tree)]
        if any(isinstance(value, arb_series) for value in values):
            spend(self.order // 4)
            return of_series(tree[0], values)
        return combine(tree, values, self.point)

    def _folded(self, tree: Tree, indices: tuple[Any, ...]) -> Any:
        """A sum or a product inside of others."""
        head, low, body = tree[0], integer(self.value(tree[1], indices)), tree[3]
        high = self.value(tree[2], indices)
        alone = _free(body) <= {0}  # of the sums around it, and of their indices
        if isinstance(high, arb_series):
            if self._run is None or not alone or (by := _shift(tree[2])) is None:
                raise Undefined("a sum whose end is no integer")
            return self._up_to_each(head, body, low, by, indices[0])
        last = integer(high)
        if alone and _free(tree[2]):
            return self._up_to(head, body, low, last)
        if last - low < DIRECT:
            return total(head, fmpq(low), fmpq(last), lambda i: self.value(body, (i, *indices)))
        if self._run is not None:
            raise TooLong("a long sum inside the terms of another")
        return self._added(head, body, indices, _Run(low, last))

    # --- a sum or a product over a range of integers -----------------------------------------------

    def _added(self, head: str, body: Tree, indices: tuple[Any, ...], whole: _Run) -> Ball:
        """All terms: runs are so long that remainders stay below rounding, or at least a share of the way to an end."""
        halves = [_every_second(body, r) for r in (0, 1)]
        if head == "sum" and body not in halves:
            ends = [_Run(-((r - whole.first) // 2), (whole.last - r) // 2) for r in (0, 1)]
            return sum((self._added(head, half, indices, run) for half, run in zip(halves, ends, strict=True)), arb(0))
        product = head == "product"
        found, start, length = arb(product), whole.first, whole.size
        share, spare = max(1, BLOCKS // whole.size.bit_length()), BLOCKS // 4
        while start <= whole.last:
            left = whole.last - start + 1
            least = max(1, min(start - whole.first, left) // share)
            run = _Run(start, start + min(max(length, least if spare == 0 else 1), left) - 1)
            joined, close = self._joined(head, body, indices, run, abs(found), run.size <= least and spare == 0)
            if joined is None:
                spare -= run.size <= least
                length = run.size // 2
                continue
            found = found * joined if product else found + joined
            start, length = run.last + 1, run.size * (2 if close else 1)
        return found

    def _joined(
        self, head: str, body: Tree, indices: tuple[Any, ...], run: _Run, found: arb, at_last: bool
    ) -> tuple[arb | None, bool]:
        """What the terms of a run come to, and whether to rounding; nothing where a shorter run may do better."""
        if run.size == 1:
            return self._side_by_side(head, body, indices, run), True
        try:
            value, rest = self._terms(head, body, indices, run)
        except TooLong:
            raise
        except Undefined:
            return (self._side_by_side(head, body, indices, run) if at_last else None), False
        scale = 1 if head == "product" else found + abs(value)
        # Below how far the terms themselves are rounded, shorter runs would not help; sums inside of them they would.
        rounded = head == "product" or not any(node[0] in FOLDS for node in walk(body))
        least = scale * arb(2) ** -flint.ctx.prec + (value.rad() if rounded else 0)
        close = bool(rest.abs_upper() <= least)
        if not close and not at_last:
            return None, False
        return ((value + rest).exp() if head == "product" else value + rest), close

    def _side_by_side(self, head: str, body: Tree, indices: tuple[Any, ...], run: _Run) -> arb:
        """The terms of a run in one ball each."""
        value = arb(self.value(body, (run.ball if run.size > 1 else fmpq(run.first), *indices)))
        return value ** fmpz(run.size) if head == "product" else value * run.size

    def _terms(self, head: str, body: Tree, indices: tuple[Any, ...], run: _Run) -> tuple[arb, arb]:
        """What the polynomials of the terms of a run, or of logarithms of factors, add up to, and their remainders."""
        taylor = self._taylor(head, body, indices, run)
        powers = _power_sums(run.size, self.order)
        spend(self.order)
        value = sum((taylor[m] * powers[m // 2] for m in range(0, self.order, 2)), arb(0))
        return value, taylor[self.order] * powers[-1] + self._odd(taylor, run)

    def _odd(self, taylor: Sequence[arb], run: _Run) -> arb:
        """What odd powers leave, which cancel but for what their coefficients, each of some term, differ by."""
        half = arb(run.size) / 2
        size = sum((taylor[m].rad() * half**m for m in range(1, self.order, 2)), arb(0)) * run.size
        return size.union(-size)

    def _taylor(self, head: str, body: Tree, indices: tuple[Any, ...], run: _Run) -> list[arb]:
        """The coefficients of the terms at the centre of a run, the last one over all of it."""
        if self._run is not None:
            raise Undefined("a run inside the terms of another")
        with self._inside(run):
            over, at = (
                self._series(head, self.value(body, (arb_series([place, 1]), *indices)))
                for place in (run.ball, arb(run.centre))
            )
        return [*(at[m] for m in range(self.order)), over[self.order]]

    def _series(self, head: str, value: Any) -> arb_series:
        """Terms of a sum, or logarithms of factors, as a power series."""
        found = value if isinstance(value, arb_series) else arb_series([value])
        if head == "product":
            found = of_series("log", [found])
        if found.prec <= self.order or not all(found[m].is_finite() for m in range(self.order + 1)):
            raise Undefined("no finite value on a run")
        return found

    # --- sums that end at the index of the sum around them -------------------------------------------

    def _up_to(self, head: str, body: Tree, low: int, last: int) -> Ball:
        """A sum from a fixed integer on: what is known of its beginning goes on from there."""
        reached, value = self._reached.get((head, body, low), (low - 1, arb(head == "product")))
        if reached > last:
            reached, value = low - 1, arb(head == "product")
        if last > reached:
            with self._inside(None):
                more = self._added(head, body, (), _Run(reached + 1, last))
            value = value * more if head == "product" else value + more
            self._reached[head, body, low] = last, value
        return value

    def _up_to_each(self, head: str, body: Tree, low: int, by: int, index: arb_series) -> Any:
        """The same for every integer of the run around: a polynomial, and a ball for what its remainder adds up to."""
        outer = self._run
        assert outer is not None
        run = outer.moved(by)
        if run.first <= low:
            raise Undefined("a sum that begins inside of a run")
        with self._inside(None):
            taylor = self._taylor(head, body, (), run)
        before = arb(self._up_to(head, body, low, run.first - 1))
        if head == "product":
            before = logarithm(before)
        spend(4 * self.order)
        rest = (taylor[self.order] * _power_sums(run.size, self.order)[-1]).union(arb(0)) + self._odd(taylor, run)
        added = arb_poly(
            [0, *(_rising(self.order, flint.ctx.prec) * arb_mat(self.order, 1, taylor[: self.order])).entries()]
        )
        found = functools.reduce(
            lambda higher, coefficient: higher * (index - arb(outer.centre)) + coefficient,
            reversed(added.coeffs()),
            arb_series([0]),
        )
        found = found + (before + rest - added(arb(fmpq(-run.size - 1, 2))))
        return found.exp() if head == "product" else found


@functools.lru_cache(maxsize=4096)
def _power_sums(count: int, order: int) -> list[Ball]:
    """Sums of x^m over so many numbers side by side, symmetric around zero, for even m up to an order."""
    # Few numbers cancel in Bernoulli's polynomials, and want exact ones; of many, these would have thousands of digits.
    if count <= DIRECT:
        return [each(fmpq(count + 1, 2)) for each in _bernoulli(order)]
    return [each(arb(count + 1) / 2) for each in _in_balls(order, flint.ctx.prec)]


@functools.lru_cache(maxsize=8)
def _bernoulli(order: int) -> list[fmpq_poly]:
    """Sums of x^m, m even up to an order, over numbers side by side that end in y, symmetric around zero, at y + 1."""
    return [fmpq_poly.bernoulli_poly(m + 1) * 2 / (m + 1) for m in range(0, order + 1, 2)]


@functools.lru_cache(maxsize=8)
def _in_balls(order: int, precision: int) -> list[arb_poly]:
    """The same with coefficients as balls, whose width depends on the precision."""
    return list(map(arb_poly, _bernoulli(order)))


@functools.lru_cache(maxsize=8)
def _rising(order: int, precision: int) -> arb_mat:
    """What t^m, m below an order, adds to each power of x from 1 on, where it is summed over all t up to x."""
    sums = [fmpq_poly.bernoulli_poly(m + 1)(fmpq_poly([1, 1])) / (m + 1) for m in range(order)]
    return arb_mat([[arb(each[power]) for each in sums] for power in range(1, order + 1)])


@functools.lru_cache(maxsize=4096)
def _free(tree: Tree) -> frozenset[int]:
    """The sums around a part on whose index it depends, counted outwards from 0."""
    if tree[0] == "b":
        return frozenset({tree[1]})
    used = [_free(part) for part in children(tree)]
    if tree[0] in FOLDS:
        used[2] = frozenset(k - 1 for k in used[2] if k)
    return frozenset[int]().union(*used)


@functools.lru_cache(maxsize=256)
def _every_second(body: Tree, r: int) -> Tree:
    """Terms with signs (-1)^i that alternate at i = 2m + r, as terms of m; any others as they are."""
    found = _at_second(body, r, 0)
    return found if any(map(_is_sign, walk(body))) > any(map(_is_sign, walk(found))) else body


def _is_sign(tree: Tree) -> bool:
    return tree[0] == "^" and tree[1] == rational(-1) and bool(_free(tree[2]))


def _at_second(tree: Tree, r: int, depth: int) -> Tree:
    if tree == ("b", depth):
        return add(multiply(rational(2), tree), rational(r))
    if _is_sign(tree) and (by := _shift(tree[2], depth)) is not None:
        return rational((-1) ** (r + by))
    parts = children(tree)
    inner = [depth + (tree[0] in FOLDS and place == 2) for place in range(len(parts))]
    return rebuild(tree, [_at_second(part, r, deep) for part, deep in zip(parts, inner, strict=True)])


def _shift(tree: Tree, depth: int = 0) -> int | None:
    """What is added to an index, of the sum around unless one further out is asked for; None for anything else."""
    terms = list(tree[1:] if tree[0] == "+" else (tree,))
    if terms.count(("b", depth)) != 1:
        return None
    terms.remove(("b", depth))
    return sum(term[1] for term in terms) if all(term[0] == "q" and term[2] == 1 for term in terms) else None
