"""What proofs of heads take for granted of tokens that move, in exact arithmetic at small sizes."""

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
import sympy as sp

from boundaudit.derivations.covering.path import Motion, t_mov

Vector = list[Fraction]
FRAMES = (
    ((Fraction(3, 5), Fraction(4, 5)), (Fraction(-4, 5), Fraction(3, 5))),
    ((Fraction(1, 3), Fraction(2, 3), Fraction(2, 3)), (Fraction(2, 3), Fraction(1, 3), Fraction(-2, 3))),
    ((Fraction(2, 7), Fraction(3, 7), Fraction(6, 7)), (Fraction(6, 7), Fraction(2, 7), Fraction(-3, 7))),
)
"""Two directions at right angles, of length one."""


def inner(one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(one, other, strict=True)), Fraction(0))


def less(one: Sequence[Fraction], other: Sequence[Fraction]) -> Vector:
    return [a - b for a, b in zip(one, other, strict=True)]


def drawn(draws: random.Random, *shape: int) -> list:
    if len(shape) > 1:
        return [drawn(draws, *shape[1:]) for _ in range(shape[0])]
    return [Fraction(draws.randint(-9, 9), draws.randint(10, 19)) for _ in range(shape[0])]


def rational(value: Fraction | sp.Expr) -> sp.Expr:
    """An exact number of SymPy's."""
    return sp.Rational(value.numerator, value.denominator) if isinstance(value, Fraction) else value


class Listed:
    """A list as a vector that formulas index from 1."""

    def __init__(self, entries: Sequence[object]) -> None:
        self.entries = entries

    def __getitem__(self, index: object) -> sp.Expr:
        """One of them, where the index is a number."""
        return sp.Piecewise(*((rational(of), sp.Eq(index, n)) for n, of in enumerate(self.entries, 1)))


def summed(expression: sp.Expr, tokens: int) -> sp.Expr:
    """With every sum over tokens written out."""
    return expression.replace(
        lambda part: isinstance(part, sp.Sum),
        lambda part: sp.Add(*(part.function.subs(t_mov, n) for n in range(1, tokens + 1))),
    )


@pytest.mark.parametrize(("frame", "tokens"), list(itertools.product(FRAMES, (1, 2, 3))))
def test_a_motion_is_what_its_parts_say(frame: tuple[Vector, Vector], tokens: int) -> None:
    """Tokens that move and a query that turns: both means, from parts along the way and across it alone."""
    draws = random.Random(17 * tokens + len(frame[0]))
    along, across = frame
    ahead, aside, longest, largest = (*drawn(draws, 2), Fraction(3), Fraction(5))
    asked = [ahead * a + aside * b for a, b in zip(along, across, strict=True)]
    turned = drawn(draws, len(along))
    first, last = drawn(draws, tokens, len(along)), drawn(draws, tokens, len(along))
    motions = [less(b, a) for a, b in zip(first, last, strict=True)]
    weights = [sp.exp(rational(inner(x, asked))) for x in first]
    motion = Motion(
        tokens, Listed(weights), Listed([inner(along, x) for x in first]),
        Listed([inner(along, step) / longest for step in motions]),
        Listed([inner(across, step) / longest for step in motions]),
        Listed([inner(x, less(turned, asked)) / largest for x in last]),
        *map(rational, (ahead, aside, longest, largest)),
    )  # fmt: skip
    for mean, rows, query in ((motion.before, first, asked), (motion.after, last, turned)):
        shares = [sp.exp(rational(inner(x, query))) for x in rows]
        direct = sp.Add(*(s * rational(inner(along, x)) for s, x in zip(shares, rows, strict=True)))
        above, below = sp.fraction(sp.together(summed(mean, tokens)))
        assert sp.expand(above * sp.Add(*shares) - below * direct) == 0
    assert ahead**2 + aside**2 == inner(asked, asked)
    for step in motions:
        assert inner(along, step) ** 2 + inner(across, step) ** 2 <= inner(step, step)
