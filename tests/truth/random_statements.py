"""Random statements whose truth is known by how they are made.

True ones are squares and products of what the domain says, known inequalities under substitutions that stay where these
hold, and products written out. A false one is a true one shifted below a value that it attains; one without a value has
a pole, a logarithm of zero or a root of a negative number put at a known point.
"""

import random
from collections.abc import Callable
from fractions import Fraction

import sympy as sp

from boundaudit import Domain, Reals

from .statement import Truth, false, true, valueless

x, y = sp.symbols("x y", real=True)

Function = Callable[[sp.Expr], sp.Expr]
Known = tuple[Function, Function, int | None, int | None, int | Fraction]
KNOWN: tuple[Known, ...] = (
    (sp.log, lambda t: t - 1, 0, None, 1),
    (lambda t: t - 1, lambda t: t * sp.log(t), 0, None, 1),
    (lambda t: 2 - t, lambda t: 1 / t, 0, None, 1),
    (lambda t: 1 + t, sp.exp, None, None, 0),
    (sp.exp, lambda t: 1 + t + t**2, None, 1, 0),
    (lambda t: sp.log(1 + t), lambda t: t, -1, None, 0),
    (lambda t: t / (1 + t), lambda t: sp.log(1 + t), -1, None, 0),
    (sp.sin, lambda t: t, 0, None, 0),
    (lambda t: 1 - t**2 / 2, sp.cos, None, None, 0),
    (lambda t: sp.sqrt(1 + t), lambda t: 1 + t / 2, -1, None, 0),
    (lambda t: t * (1 - t), lambda t: sp.Rational(1, 4), None, None, Fraction(1, 2)),
    (lambda t: t, lambda t: (1 + t**2) / 2, None, None, 1),
    (lambda t: t, sp.Abs, None, None, 0),
)
"""Left and right side, between which limits (left out) left <= right, and where both are equal."""


THIN = sp.Rational(1, 1000)
"""Half the width of a strip without values."""


def random_truths(seed: int, count: int) -> list[Truth]:
    """The first statements of a seed; the same seed gives the same ones."""
    dice = random.Random(seed)
    makers = (_composed, _squares, _identity)
    return [dice.choice(makers)(dice, f"random {seed}.{number}") for number in range(count)]


def _rational(dice: random.Random, low: int, high: int, most: int = 5) -> Fraction:
    """A fraction between two integers with a small denominator."""
    denominator = dice.randint(1, most)
    return Fraction(dice.randint(low * denominator, high * denominator), denominator)


def _positive(dice: random.Random) -> Fraction:
    return Fraction(dice.randint(1, 12), dice.randint(1, 6))


def _stated(
    dice: random.Random, name: str, left: sp.Expr, right: sp.Expr, domain: Domain, why: str, point: dict[str, Fraction]
) -> Truth:
    """A true ``left <= right``, equal at a point; or what it becomes by a shift, or by a term without a value."""
    holds = dice.choice((True, True, False, None))
    if holds is False:
        by = Fraction(1, 10 ** dice.randint(1, 6))
        return false(name, *_either_way(dice, left, right - _exact(by)), domain, f"{why}, shifted by {by}", **point)
    if holds is None:
        place, found = dice.choice(sorted(point.items()))
        gap = sp.Symbol(place, real=True) - _exact(found)
        term = dice.choice(
            (1 / gap**2, sp.log(gap**2 + 1) / gap**2, -sp.log(sp.Abs(gap) / 1000), sp.sqrt(sp.Abs(gap) - THIN))
        )
        return valueless(name, *_either_way(dice, left - term, right), domain, f"{why}, and no value there", **point)
    return true(name, *_either_way(dice, left, right), domain, why)


def _either_way(dice: random.Random, left: sp.Expr, right: sp.Expr) -> tuple[sp.Expr, str, sp.Expr]:
    return (left, "<=", right) if dice.random() < 0.5 else (right, ">=", left)


def _composed(dice: random.Random, name: str) -> Truth:
    """A known inequality at an affine function of x, or on the way from its contact to that; scaled, with a summand."""
    lower, upper, low, high, contact = dice.choice(KNOWN)
    first = contact - _positive(dice) if low is None else contact - (contact - low) * Fraction(dice.randint(0, 9), 10)
    last = contact + _positive(dice) if high is None else contact + (high - contact) * Fraction(dice.randint(0, 10), 10)
    slope, shift = dice.choice((-1, 1)) * _positive(dice), _rational(dice, -3, 3)
    ends = sorted(((first - shift) / slope, (last - shift) / slope))
    point, ranges = {"x": (contact - shift) / slope}, {x: Reals(*map(_exact, ends))}
    inner = _exact(slope) * x + _exact(shift)
    if dice.random() < 0.4:
        inner = _exact(contact) + (inner - _exact(contact)) * y
        point, ranges = point | {"y": _rational(dice, 0, 1)}, ranges | {y: Reals(0, 1)}
    factor = _exact(_positive(dice))
    summand = dice.choice((sp.Integer(0), x, x**2, sp.sin(x), sp.exp(-x), sp.Abs(x)))
    left, right = (factor * side(inner) + summand for side in (lower, upper))
    return _stated(dice, name, left, right, Domain(ranges), "a known inequality, substituted", point)


def _squares(dice: random.Random, name: str) -> Truth:
    """A polynomial that is a square plus products of distances to the ends, written out; zero at a corner."""
    ends = {symbol: sorted((_rational(dice, -2, 0), _rational(dice, 1, 3))) for symbol in (x, y)}
    corner = {symbol: dice.choice(pair) for symbol, pair in ends.items()}
    facts = [sp.Integer(1)]
    for symbol, (low, high) in ends.items():
        facts += [symbol - _exact(low), _exact(high) - symbol]
    towards = [sp.Symbol(str(s), real=True) - _exact(value) for s, value in corner.items()]
    root = sum(_exact(_rational(dice, -3, 3)) * part * dice.choice((1, x, y)) for part in towards)
    near = [fact for fact in facts if fact.subs({s: _exact(v) for s, v in corner.items()}) == 0]
    products = sum(_exact(_positive(dice)) * dice.choice(near) * dice.choice(facts) for _ in range(2))
    whole = sp.expand(root**2 + products)
    parts = sp.Add.make_args(whole)
    left = -sp.Add(*(part for part in parts if part.could_extract_minus_sign()))
    domain = Domain({symbol: Reals(*map(_exact, pair)) for symbol, pair in ends.items()})
    why = "a square and products of distances to the ends"
    point = {symbol.name: value for symbol, value in corner.items()}
    return _stated(dice, name, left, sp.expand(whole + left), domain, why, point)


def _identity(dice: random.Random, name: str) -> Truth:
    """A product of functions written out; false with another coefficient."""
    letters = [dice.choice((x, y, sp.exp(x), sp.sin(y), sp.Abs(x), sp.sqrt(1 + y**2))) for _ in range(3)]
    factors = [_exact(_positive(dice)) * part + _exact(_rational(dice, -2, 2)) * y + 1 for part in letters]
    product, domain = sp.Mul(*factors), Domain({x: Reals(-2, 2), y: Reals(-2, 2)})
    if dice.random() < 0.6:
        return true(name, product, "=", sp.expand(product), domain, "written out")
    by = Fraction(1, 10 ** dice.randint(1, 6)) * dice.choice((-1, 1))
    why, point = f"written out, with {by} x² y² too much", {"x": Fraction(1), "y": Fraction(-1)}
    return false(name, product, "=", sp.expand(product) + _exact(by) * x**2 * y**2, domain, why, **point)


def _exact(value: int | Fraction) -> sp.Rational:
    return sp.Rational(value)
