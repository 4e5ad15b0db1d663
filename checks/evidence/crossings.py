"""Integers beside which two terms of a statement all but agree: needles that no sample meets.

A difference changes its sign, or begins to rise or fall, between two powers of two: bisection ends at the integer. Two
integers whose ratio it nearly knows are a convergent of that ratio, or add up from two of them.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction

from flint import arb

from boundaudit.checks.evidence.batch import Decision, decided_by
from boundaudit.checks.evidence.counterexample import certainly_holds, counterexample
from boundaudit.checks.language.arithmetic import Exhausted, effort
from boundaudit.checks.language.balls import Ball, Undefined, evaluate, precision
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.compare import ball_sign
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.language.domain.faces import is_scalar
from boundaudit.checks.language.domain.limits import whole_of
from boundaudit.checks.language.expression import FOLDS, Tree, children, multiply, names, rational, subtract
from boundaudit.checks.language.long_sums import outer_sums
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.statement import Statement

WORK = 2_000_000
"""Steps of work (see `arithmetic.effort`) for finding points, and for deciding them."""
DIFFERENCES = 8
"""Of a statement that are looked at."""
TURNS = 6
"""Of one difference along one integer, and as many of its steps: what swings has no end of them."""
FURTHEST = 128
"""Powers of two up to which integers go."""
_FAR = 2 ** (2 * FURTHEST + 24)
"""An integer so far out that the other one's ratio to it is known to the last convergent."""
_BITS = 1024


def crossings(claim: Claim) -> Decision:
    """What refutes a claim at the integers beside which a difference vanishes or turns.

    Nothing where a side has no definition, or a parameter is no number.
    """
    statement, domain = claim.statement_form, claim.domain
    whole = {name for name, found in domain.ranges.items() if isinstance(found, Integers)}
    if statement is None or not whole or not is_scalar(domain):
        return Decision()
    points: dict[tuple[object, ...], Point] = {}
    with effort(WORK), precision(_BITS), suppress(Exhausted):
        for point in _candidates(statement, domain, whole):
            points.setdefault(tuple(point.values()), point)
    with effort(WORK), suppress(Exhausted):
        for point in points.values():
            if certainly_holds(claim, point) is False and (witness := counterexample(claim, point)) is not None:
                return decided_by(witness)
    return Decision()


def _candidates(statement: Statement, domain: Domain, whole: set[str]) -> Iterator[Point]:
    """Points with one integer, or two, moved to where a difference vanishes or turns."""
    base = next(domain.smallest(2), None)
    if base is None:
        return
    trees = list(dict.fromkeys((statement.goal, *_inside(statement.left), *_inside(statement.right))))
    trees = [tree for tree in trees if names(tree) & whole and not any(outer_sums(tree))]
    for tree in trees:
        for name in sorted(names(tree) & whole) if tree[0] in ("floor", "sin", "cos") else ():
            yield from ({**base, name: q} for q in _denominators(_slope(tree, {**base, name: _FAR})))
    for tree in [tree for tree in trees if tree[0] == "+"][:DIFFERENCES]:
        for one, other in itertools.combinations(sorted(names(tree) & whole), 2):
            roots = _turns(_along(tree, one, {**base, other: _FAR}), _outwards())
            for ratio in (Fraction(root, _FAR) for root in roots):
                for q in _denominators(ratio):
                    yield from ({**base, other: q, one: round(q * ratio) + by} for by in (0, -1, 1))
        for name in sorted(names(tree) & whole):
            for value in _turns(_along(tree, name, base), _steps(domain, name, base)):
                yield from ({**base, name: near} for near in (value, value - 1, value + 1))


def _inside(tree: Tree) -> Iterator[Tree]:
    """The parts of a side, and what the largest of some terms compares."""
    yield tree
    if tree[0] in ("max", "min"):
        yield from (subtract(*pair) for pair in itertools.combinations(children(tree), 2))
    for part in () if tree[0] in FOLDS else children(tree):
        yield from _inside(part)


def _steps(domain: Domain, name: str, base: Point) -> list[int]:
    """Integers of a range in geometric steps, its end among them."""
    found = domain.ranges[name]
    assert isinstance(found, Integers)
    low = whole_of(found.low, base, 1)
    high = None if found.high is None else whole_of(found.high, base, -1)
    steps = [low, *(low + step for step in _outwards(FURTHEST))]
    return steps if high is None else [*(step for step in steps if step < high), high]


def _outwards(powers: int = 2 * FURTHEST + 64) -> list[int]:
    return [2**k for k in range(0, powers, 2)]


def _along(tree: Tree, name: str, base: Point) -> Callable[[int], Ball]:
    """A difference as one integer goes from a point."""
    return lambda n: evaluate(tree, {**base, name: n})


def _turns(value: Callable[[int], Ball], steps: Sequence[int]) -> Iterator[int]:
    """The integers after which a difference changes its sign, or its steps do."""

    def sign(of: Callable[[int], Ball], n: int) -> int | None:
        with suppress(Undefined):
            return ball_sign(of(n))
        return None

    for of in (value, lambda n: value(n + 1) - value(n)):
        found = functools.partial(sign, of)
        left = iter(range(TURNS))
        known = [(n, before) for n in steps if (before := found(n)) is not None]
        for (low, before), (high, after) in itertools.pairwise(known):
            if before != after and next(left, None) is not None:
                yield _last(found, before, low, high)


def _last(found: Callable[[int], int | None], before: int, low: int, high: int) -> int:
    """The last integer with what is found at the low one, by bisection."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if found(middle) == before else (low, middle)
    return low


def _slope(tree: Tree, far: Point) -> Fraction:
    """How much a floor's argument grows with an integer that is far out, or how many half turns a sine's does."""
    turns = tree[1] if tree[0] == "floor" else multiply(tree[1], ("^", ("pi",), rational(-1)))
    try:
        value = arb(evaluate(turns, far))
    except Undefined:
        return Fraction(0)
    if not value.is_finite():
        return Fraction(0)
    mantissa, exponent = value.mid().man_exp()
    return Fraction(int(mantissa), _FAR) * Fraction(2) ** int(exponent)


def _denominators(ratio: Fraction) -> Iterator[int]:
    """Those of the convergents of a number, twice and half of them, and sums and differences of neighbours."""
    before, here, left = 0, 1, ratio
    while here < 2**FURTHEST:
        yield from dict.fromkeys(q for q in (here, 2 * here, here // 2, here + before, here - before) if q > 0)
        if left.denominator == 1:
            return
        left = 1 / (left - left.__floor__())
        before, here = here, left.__floor__() * here + before
