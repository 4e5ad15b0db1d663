"""Whatever a normal form says of an expression is so at every point of the domain, at corners too."""

import itertools
import random
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ranges import Range, exactly, from_ball
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.arithmetic import Ball, Exhausted, Undefined, effort, evaluate, precision
from boundaudit.checks.language.expression import Tree, add, multiply, rational, square, summation

DOMAIN: dict[str, Any] = {
    "parameters": [
        {"name": "n", "range": "integers", "low": rational(-2), "high": rational(3)},
        {"name": "m", "range": "integers", "low": rational(0), "high": add(("v", "n"), rational(2))},
        {"name": "x", "range": "reals", "low": rational(0), "high": rational(2), "open": [True, False]},
        {"name": "y", "range": "reals", "low": rational(-1), "high": ("v", "x"), "open": [False, False]},
    ],
    "where": [["<=", multiply(("v", "y"), ("v", "m")), rational(1)]],
}
HALF = Fraction(1, 2)
POINTS = [
    {"n": n, "m": m, "x": x, "y": y}
    for n, m, x, y in itertools.product(range(-2, 4, 2), range(0, 6, 2), (HALF, 2), (-1, 0, 2))
    if m <= n + 2 and y <= x and y * m <= 1
]

NUMBERS = [("v", "x"), ("v", "y"), ("v", "n"), ("v", "m"), ("pi",), *map(rational, (-1, 0, 1, 2, HALF))]
WHOLE = [
    *(add(("v", name), rational(step)) for name, step in itertools.product("nm", (-2, -1, 0, 1))),
    *(add(("v", a), multiply(rational(-1), ("v", b))) for a, b in ("nm", "mn")),
]


def grown(chance: random.Random, depth: int, inside: tuple[Tree, ...] = ()) -> Tree:
    """An expression; inside of sums, in their indices too."""
    if depth <= 0:
        return chance.choice([*NUMBERS, *inside * 5])
    part, more = (grown(chance, depth - chance.randint(1, 2), inside) for _ in range(2))
    count, other = (chance.choice([*WHOLE, *inside * 4]) for _ in range(2))
    size = chance.choice([part, ("abs", part), add(rational(1), ("abs", part)), square(part)])
    head = chance.choice(
        ["+", "*", "max", "min", "root", "^", "of", "of size", "binomial", "if", "sum", "sum", "product"]
    )
    if head in ("sum", "product"):
        index = f"i{len(inside)}"
        body = grown(chance, depth - 1, (*inside, ("v", index)))
        return summation(index, chance.choice([rational(1), rational(0), count]), other, body, head)
    return {
        "root": ("^", chance.choice([size, multiply(more, size)]), rational(chance.choice([HALF, -HALF, HALF / 3]))),
        "^": ("^", chance.choice([part, size]), chance.choice([count, more, rational(-1), rational(3)])),
        "of": (chance.choice(["abs", "floor", "exp", "erf", "sin", "cos"]), part),
        "of size": (chance.choice(["log", "gamma"]), chance.choice([size, count])),
        "binomial": ("binomial", count, other),
        "if": (chance.choice(["if<", "if<=", "if="]), chance.choice([count, part]), part, more),
    }.get(head, (head, part, more))


OUTSIDE = [
    ("v", "n"), ("v", "m"), ("v", "y"), *(add(("v", a), multiply(rational(-1), ("v", b))) for a, b in ("nm", "xy")),
]  # fmt: skip


def values(tree: Tree) -> Iterator[tuple[dict[str, Any], Ball]]:
    """Points, and the values where balls tell them."""
    for point in POINTS:
        with suppress(Undefined), precision(120):
            yield point, evaluate(tree, point)


def may_hold(size: Range, value: Ball) -> bool:
    """Whether a value may lie in a range."""
    found = from_ball(value)
    above = found.low > size.high or (found.low == size.high and size.high_open)
    return not above and not (found.high < size.low or (found.high == size.low and size.low_open))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_what_is_known_holds_everywhere(seed: int) -> None:
    """The range of an expression, its normal form, and what was worked out on the way of what stands outside of it."""
    chance, form = random.Random(seed), NormalForm(DOMAIN)
    for _ in range(200):
        tree = grown(chance, 4)
        with suppress(Rejected, Exhausted), effort(50_000):
            ratio = form.ratio(tree)
            size, normal = form.bounds(ratio), form.tree(ratio)
            for point, value in values(tree):
                assert may_hold(size, value)
                with suppress(Undefined), precision(120):
                    assert may_hold(exactly(0), value - evaluate(normal, point))
        if len(form.atoms) > 40:
            form = NormalForm(DOMAIN)
        for gap in OUTSIDE:
            assert all(may_hold(form.range_of(gap), value) for _, value in values(gap))


def test_an_expression_with_a_normal_form_has_a_value() -> None:
    for tree in (("log", ("v", "y")), ("^", ("v", "y"), rational(HALF)), ("^", ("v", "n"), rational(-1))):
        assert len(list(values(tree))) < len(POINTS)
        assert not NormalForm(DOMAIN).has(tree)
