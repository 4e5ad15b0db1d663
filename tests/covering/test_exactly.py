"""What proofs of heads, layers and blocks take for granted, in exact arithmetic at small sizes."""

from __future__ import annotations

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


def through(row: Sequence[Fraction], matrix: Sequence[Sequence[Fraction]]) -> Vector:
    return [inner(row, column) for column in zip(*matrix, strict=True)]


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


@pytest.mark.parametrize("seed", range(20))
def test_values_change_by_rows_and_by_maps(seed: int) -> None:
    """What a second map makes of a second row is what the first made of the first, and both changes."""
    draws = random.Random(seed)
    width, outputs = draws.randint(1, 4), draws.randint(1, 4)
    value, change = drawn(draws, width, outputs), drawn(draws, width, outputs)
    before, after = drawn(draws, width), drawn(draws, width)
    second = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(value, change, strict=True)]
    parts = through(before, value), through(less(after, before), value), through(after, change)
    assert through(after, second) == [sum(of) for of in zip(*parts, strict=True)]


@pytest.mark.parametrize("seed", range(20))
def test_scalar_outputs_differ_by_what_reads_and_by_what_is_read(seed: int) -> None:
    draws = random.Random(seed)
    read, reread, output, by_hidden, by_out = drawn(draws, 5, draws.randint(1, 4))
    before = [c - a - b for a, b, c in zip(by_hidden, by_out, output, strict=True)]
    other = [a + b for a, b in zip(read, reread, strict=True)]
    changes = [a + b for a, b in zip(by_hidden, by_out, strict=True)]
    assert inner(other, output) - inner(read, before) == inner(reread, output) + inner(read, changes)


@pytest.mark.parametrize("seed", range(20))
def test_factors_of_later_blocks_multiply(seed: int) -> None:
    """Errors that each block enlarges and adds to are the layerwise sum, where no step loses anything."""
    draws = random.Random(seed)
    factors, added = ([abs(entry) for entry in drawn(draws, 5)] for _ in range(2))
    errors, later = [Fraction(0)], [Fraction(1)]
    for factor, error in zip(factors, added, strict=True):
        errors.append(factor * errors[-1] + error)
    for factor in reversed(factors):
        later.insert(0, later[0] * factor)
    assert errors[-1] == inner(later[1:], added)


@pytest.mark.parametrize(("count", "atoms"), [(2, 1), (3, 1), (6, 1), (2, 4), (3, 4), (4, 4)])
def test_shrunk_means_are_as_far_in_the_mean_square_as_bias_and_variance_say(count: int, atoms: int) -> None:
    """Signed unit vectors drawn independently; K is a square, so that K + √K is a whole number."""
    draws = random.Random(count + atoms)
    weights = [Fraction(draws.randint(0, 9)) + 1 for _ in range(count)]
    chances = [weight / sum(weights) for weight in weights]
    width, root = (count + 1) // 2, round(atoms**0.5)
    signed = [[Fraction((1 - 2 * (n % 2)) * (n // 2 == i)) for i in range(width)] for n in range(count)]
    mean = [inner(chances, column) for column in zip(*signed, strict=True)]
    shrinkage, total, whole, least = Fraction(1, atoms + root), Fraction(0), Fraction(0), Fraction(9)
    for drawn_atoms in itertools.product(range(count), repeat=atoms):
        chance = Fraction(1)
        for n in drawn_atoms:
            chance *= chances[n]
        apart = less([shrinkage * sum(signed[n][i] for n in drawn_atoms) for i in range(width)], mean)
        whole, total, least = whole + chance, total + chance * inner(apart, apart), min(least, inner(apart, apart))
    length = inner(mean, mean)
    assert whole == 1
    assert total == (1 - shrinkage * atoms) ** 2 * length + shrinkage**2 * atoms * (1 - length)
    assert least <= total == Fraction(1, (root + 1) ** 2)
