"""Sums that tend to what bounds them: a bound that holds still where all that later terms may add is taken off it.

Σ 1/k³ ≤ 5/4 passes on from n to n + 1 by no induction, for the next term might lead beyond it. Σ 1/k³ ≤ 5/4 - r(n) does
where r(n) - r(n + 1) is at least that term. Such an r with r → 0 is read off what the goal loses from n to n + 1, which
falls like a power (then r is a power of n + s), like 1/(n (log n)^m), like a geometric sequence, or changes its sign.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from flint import arb

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.arithmetic import Undefined
from boundaudit.checks.language.balls import evaluate, precision
from boundaudit.checks.language.compare import sign
from boundaudit.checks.language.expression import (
    FOLDS,
    ONE,
    Tree,
    add,
    from_json,
    multiply,
    names,
    rational,
    substitute,
    subtract,
)
from boundaudit.checks.language.long_sums import ADDED_UP, terms_of
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Context, by_cases, closed, from_lemma, has, with_proof
from boundaudit.checks.proof.induction import climb
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.sums import without_last
from boundaudit.checks.proof.kernel.transformations import case_statements

_BITS = 320
_FAR = 2**24
"""Where one reads off how a loss falls, to a relative error of its inverse."""
_NEAR = 64
_GEOMETRIC = 0.95
"""The quotient of two losses beyond ``_NEAR`` above which they do not fall like a geometric sequence."""
_CLOSE = 1e-4
_LONGEST = 200
"""Values of n up to which the bound is shown one by one, until all that may come is less than is left."""


def remainders(statement: Statement, context: Context) -> Certificate | None:
    """Prove a bound on sums up to n by induction, less what the terms after the n-th may add."""
    for declared in statement.domain["parameters"] if statement.relation != "=" else ():
        name, low = declared["name"], _first_of_all(declared)
        if low is None or names(statement.goal) != {name} or (loss := _loss(statement, name)) is None:
            continue
        for rest in _candidates(loss, name, low):
            proof = _with_rest(statement, name, low, loss, rest, context)
            if proof is not None:
                return proof
    return None


def _first_of_all(declared: Mapping[str, Any]) -> int | None:
    """The least of endlessly many integers, where it is a natural number."""
    if declared["range"] != "integers" or declared["low"] is None or declared["high"] is not None:
        return None
    low = from_json(declared["low"])
    return low[1] if low[0] == "q" and low[1] >= 0 else None


def _loss(statement: Statement, name: str) -> Tree | None:
    """The goal at n less that at n + 1, where it speaks of sums of which but the last terms are left."""
    after = substitute(statement.goal, {name: add(("v", name), ONE)})
    folds = [fold for fold in closed([after], *FOLDS) if name in names(fold[2])]
    step = Statement(after, "<=", statement.goal, statement.domain)
    for total in folds:
        step = without_last(step, total)
    form = NormalForm(statement.domain)
    loss = form.tree(form.ratio(step.goal))
    return loss if folds and not has(loss, *FOLDS) else None


def _with_rest(
    statement: Statement, name: str, low: int, loss: Tree, rest: Tree, context: Context
) -> Certificate | None:
    """The bound shown value by value until the rest fits in, and by induction with the rest from there on."""
    start = _first_fit(statement, name, low, loss, rest)
    if start is None:
        return None
    split = ["at", name, rational(start)]
    below, above = case_statements(statement, split)
    stronger = Statement(rest, "<=", statement.goal, above.domain)
    if not NormalForm(above.domain).range_of(rest).nonnegative:
        return None
    lemma = with_proof(stronger, climb(stronger, name, rational(start), context))
    later = lemma and from_lemma(above, lemma, [["sign", rest]])
    if start == low or not later:
        return later
    return by_cases(split, (context.prove(below), later))


def _first_fit(statement: Statement, name: str, low: int, loss: Tree, rest: Tree) -> int | None:
    """The first n at which the rest fits into the goal and falls by the loss from there on, it seems."""
    after = substitute(rest, {name: add(("v", name), ONE)})
    left, falls = subtract(statement.goal, rest), subtract(subtract(rest, after), loss)

    def holds(tree: Tree, n: int) -> bool:
        with suppress(Undefined):
            return sign(tree, {name: n}) in (0, 1)
        return False

    last = low + _LONGEST if terms_of(left, {name: low}) <= ADDED_UP else low + 1  # what follows would not be shown
    fits = (n for n in range(low, last) if holds(left, n) and all(holds(falls, n + k) for k in range(3)))
    return next(fits, None) if holds(falls, _FAR) else None


# --- what is left to come ------------------------------------------------------------------------


def _candidates(loss: Tree, name: str, low: int) -> Iterator[Tree]:
    """Remainders that fall by at least the loss, as far as a few values show, the smallest first."""
    value, n = _values(loss, name), ("v", name)
    if value(_FAR) * value(_FAR + 1) < 0:  # of the terms to come the next is the largest
        even = rational(1 if value(_FAR) > 0 else -1)
        yield multiply(rational(Fraction(1, 2)), loss, add(ONE, multiply(even, ("^", rational(-1), n))))
    elif value(_FAR) <= 0:
        return
    elif float(value(_NEAR + 1) / value(_NEAR)) < _GEOMETRIC:
        for first in (low, low + 2, low + 6):
            falls = max(float(value(k + 1) / value(k)) for k in range(first, first + _NEAR))
            yield multiply(rational(Fraction(math.ceil(8 / (1 - falls)), 8)), loss)
    else:
        order = math.log2(float(value(_FAR) / value(2 * _FAR)))
        nearest = Fraction(round(4 * order), 4)
        if nearest > 1 and abs(order - nearest) < _CLOSE:
            yield from _powers(value, nearest, n)
        elif nearest == 1:
            yield from _logarithms(value, n)


def _values(tree: Tree, name: str) -> Callable[[int], arb]:
    def value(n: int) -> arb:
        with precision(_BITS):
            return arb(evaluate(tree, {name: n}))

    return value


def _powers(value: Callable[[int], arb], order: Fraction, n: Tree) -> Iterator[Tree]:
    """c/(n + s)^p, which falls by c p/n^(p + 1) - c p (p + 1) (s + 1/2)/n^(p + 2) + …."""
    p = order - 1
    sizes = [float(value(k) * arb(k) ** (arb(order.numerator) / order.denominator)) for k in (_FAR, 2 * _FAR)]
    c = _simple((2 * sizes[1] - sizes[0]) / float(p))
    second = _FAR * (1 - sizes[0] / float(c * p))
    s = Fraction(second / float(order) - 0.5).limit_denominator(12)
    for shift in dict.fromkeys((Fraction(math.floor(2 * s), 2), s, s - Fraction(1, 6))):
        yield multiply(rational(c), ("^", add(n, rational(shift)), rational(-p)))


def _logarithms(value: Callable[[int], arb], n: Tree) -> Iterator[Tree]:
    """c/(log n)^p, which falls by about c p/(n (log n)^(p + 1))."""
    near, far = (float(k * value(k)) for k in (_FAR, _FAR**2))
    p = Fraction(round(2 * math.log2(near / far)), 2) - 1
    if p > 0:
        c = _simple(near * math.log(_FAR) ** float(p + 1) / float(p))
        yield multiply(rational(c), ("^", ("log", n), rational(-p)))


def _simple(number: float) -> Fraction:
    """The number where it seems to be a simple fraction, else one just above."""
    simple = Fraction(number).limit_denominator(1000)
    return simple if abs(simple - Fraction(number)) < _CLOSE**2 * abs(number) else Fraction(math.ceil(64 * number), 64)
