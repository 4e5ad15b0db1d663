"""Random statements about polynomials, roots and floors under hypotheses, whose truth is known by how they are made.

A true one has equality at a rational point that is known; a false one asks for a little more, and so fails around that
point, or, where it says so, at single points only.
"""

import itertools
import math
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp

from boundaudit import Domain, Integers, Reals

from .statement import Truth, false, true

x, y, z, w = REAL = sp.symbols("x y z w", real=True)
a, b, c, d = POSITIVE = sp.symbols("a b c d", nonnegative=True)
n, m = sp.symbols("n m", integer=True)
TRIPLES = ((3, 4, 5), (5, 12, 13), (8, 15, 17), (20, 21, 29), (7, 24, 25))
QUADRUPLES = ((1, 2, 2, 3), (2, 3, 6, 7), (1, 4, 8, 9), (4, 4, 7, 9), (2, 6, 9, 11))
KEPT = 0.12
"""How many are left true: these take the longest."""
CLOSEST = 5
"""Digits after which a false bound differs from the true one."""


def random_polynomials(seed: int, count: int) -> list[Truth]:
    """The first statements of a seed; the same seed gives the same ones."""
    dice = random.Random(seed)
    return [dice.choice(FAMILIES)(dice, f"{seed}.{number}") for number in range(count)]


def _rational(dice: random.Random, low: int, high: int, most: int = 6) -> sp.Rational:
    below = dice.randint(1, most)
    return sp.Rational(dice.randint(low * below, high * below), below)


def _by(dice: random.Random) -> sp.Rational:
    """How much a false bound asks too much, as a share: from a tenth to a hundred-thousandth."""
    return sp.Rational(dice.randint(1, 9), 10 ** dice.randint(1, CLOSEST))


def _tight(
    dice: random.Random, name: str, left: Any, right: Any, domain: Domain, at: Mapping[str, Any], size: Any = 1
) -> Truth:
    """A true ``left <= right`` that is equal at a point; or with a smaller right side, which fails around it."""
    exact = {key: Fraction(int(value.p), int(value.q)) for key, value in ((k, sp.Rational(v)) for k, v in at.items())}
    flip = dice.random() < 0.5
    kept = dice.random() < KEPT
    lower = right if kept else right - _by(dice) * size
    sides = (left, "<=", lower) if not flip else (lower, ">=", left)
    if kept:
        return true(name, *sides, domain, "equal at a known point")
    return false(name, *sides, domain, "a little less than a value that is attained", **exact)


def _around(dice: random.Random, symbols: Any, at: Mapping[Any, Any]) -> Domain:
    """All reals, or a box around a point."""
    if dice.random() < 0.5:
        return Domain({symbol: Reals() for symbol in symbols})
    ends = {symbol: (at[symbol] - _rational(dice, 0, 3), at[symbol] + _rational(dice, 1, 4)) for symbol in symbols}
    return Domain({symbol: Reals(low, high) for symbol, (low, high) in ends.items()})


def _squares(dice: random.Random, name: str) -> Truth:
    """Sums of squares, written out."""
    symbols = REAL[: dice.randint(1, 3)]
    at = {symbol: _rational(dice, -6, 6) for symbol in symbols}
    parts = [symbol - value for symbol, value in at.items()]
    root = lambda: sum(dice.randint(-3, 3) * part * dice.choice((1, 1, *symbols)) for part in parts)  # noqa: E731
    whole = sp.expand(sum(part**2 for part in parts) + root() ** 2 + root() ** 2)
    moved = sp.Add(*(term for term in sp.Add.make_args(whole) if dice.random() < 0.5))
    point = {symbol.name: value for symbol, value in at.items()}
    return _tight(dice, name, -moved, sp.expand(whole - moved), _around(dice, symbols, at), point)


def _polytope(dice: random.Random, name: str) -> Truth:
    """A linear or convex form on a simplex: largest at a corner."""
    symbols = POSITIVE[: dice.randint(2, 4)]
    weights = [dice.randint(1, 5) for _ in symbols]
    total = dice.randint(1, 12)
    gains, bends = [dice.randint(0, 6) for _ in symbols], [dice.choice((0, 0, 1, 2)) for _ in symbols]
    gains[0] += 1
    form = sum(g * s + k * s**2 for g, k, s in zip(gains, bends, symbols, strict=True))
    corners = [sp.Rational(total, weight) for weight in weights]
    values = [g * v + k * v**2 for g, k, v in zip(gains, bends, corners, strict=True)]
    best = values.index(max(values))
    point = {s.name: corners[i] if i == best else 0 for i, s in enumerate(symbols)}
    inside = sum(weight * s for weight, s in zip(weights, symbols, strict=True)) <= total
    ranges = {s: Reals(0) for s in symbols}
    return _tight(dice, name, form, values[best], Domain(ranges, where=[inside]), point, values[best])


def _ball(dice: random.Random, name: str) -> Truth:
    """A linear form on a ball or a sphere, of two or three coordinates: largest at a rational point."""
    *sides, length = dice.choice(TRIPLES if dice.random() < 0.5 else QUADRUPLES)
    signs = [dice.choice((-1, 1)) * side for side in sides]
    symbols, radius = REAL[: len(sides)], _rational(dice, 1, 6)
    square = sum(s**2 for s in symbols)
    form = sum(k * s for k, s in zip(signs, symbols, strict=True))
    point = {s.name: radius * k / length for k, s in zip(signs, symbols, strict=True)}
    where = [square <= radius**2]
    if dice.random() < 0.3:
        where.append(square >= radius**2)
    domain = Domain({s: Reals() for s in symbols}, where=where)
    return _tight(dice, name, form, length * radius, domain, point, length * radius)


def _disc(dice: random.Random, name: str) -> Truth:
    """A product under a sum, or a sum of squares of which one is scaled."""
    p, q = (_rational(dice, 1, 4) for _ in range(2))
    where, point = [p * a + q * b <= 1], {"a": 1 / (2 * p), "b": 1 / (2 * q)}
    if dice.random() < 0.5:
        where, point = [p**2 * a**2 + q**2 * b**2 <= 2], {"a": 1 / p, "b": 1 / q}
    best = point["a"] * point["b"]
    return _tight(dice, name, a * b, best, Domain({a: Reals(0), b: Reals(0)}, where=where), point, best)


def _chained(dice: random.Random, name: str) -> Truth:
    """Hypotheses one after the other, between parameters without limits."""
    k = dice.randint(1, 6)
    opened = dice.random() < 0.5
    ranges = {s: Reals(0, open_low=opened) for s in POSITIVE}
    form = dice.randrange(4)
    if form == 0:  # q ≤ βc, αβ ≤ k: αq ≤ kc
        where, left, right, scale = [b <= c * d, a * c <= k], a * b, k * d, d
    elif form == 1:  # q ≤ βc, αβ ≤ 2: α²q ≤ 2αc
        where, left, right, scale = [b <= c * d, a * c <= 2], c + a**2 * b, c + 2 * a * d, a * d
    elif form == 2:  # a ≤ kb, b ≤ c²: a ≤ kc²
        where, left, right, scale = [a <= k * b, b <= c**2], a + d, k * c**2 + d, c**2
    else:  # a² ≤ bc, b ≤ kd, c ≤ kd: a ≤ kd
        where, left, right, scale = [a**2 <= b * c, b <= k * d, c <= k * d], a, k * d, d
    points = [{"a": k, "b": 1, "c": 1, "d": 1}, {"a": 2, "b": 1, "c": 1, "d": 1},
              {"a": k, "b": 1, "c": 1, "d": 1}, {"a": k, "b": k, "c": k, "d": 1}]  # fmt: skip
    return _tight(dice, name, left, right, Domain(ranges, where=where), points[form], scale)


def _vertex(dice: random.Random, name: str) -> Truth:
    """Functions that rise in every parameter, largest at a vertex of a box, or that turn inside in one of them."""
    high = dice.randint(2, 12)
    power, start = dice.randint(2, 4), dice.randint(-3, 1)
    turn = sp.sqrt(x**2 + dice.choice((1, 4, 9)))
    low = turn.subs(x, 0)
    domain = Domain({x: Reals(-_rational(dice, 1, 3), _rational(dice, 1, 3)), y: Reals(start, high)})
    most = high**power
    if power % 2 == 0 and -start > high:
        most, high = start**power, start
    return _tight(dice, name, y**power, turn + most - low, domain, {"x": 0, "y": high}, most)


def _means(dice: random.Random, name: str) -> Truth:
    """Means of two or three numbers, at their equality."""
    t = _rational(dice, 1, 8)
    left, right, symbols = dice.choice(
        (
            (4 * a * b, (a + b) ** 2, (a, b)),
            (a * b + b * c + c * a, a**2 + b**2 + c**2, (a, b, c)),
            (27 * a * b * c, (a + b + c) ** 3, (a, b, c)),
            (2 * sp.sqrt(a * b), a + b, (a, b)),
            ((a + b) ** 3, 4 * (a**3 + b**3), (a, b)),
            (sp.sqrt(a) + sp.sqrt(b), sp.sqrt(2 * (a + b)), (a, b)),
        )
    )
    domain = Domain({s: Reals(0) for s in symbols})
    point = {s.name: t for s in symbols}
    return _tight(dice, name, left, right, domain, point, left if dice.random() < 0.5 else 1)


def _quadratic(dice: random.Random, name: str) -> Truth:
    """A tangent under a quadratic hypothesis: x² ≤ ky gives 2tx ≤ t² + ky, with equality at x = t."""
    k, t = _rational(dice, 1, 5), _rational(dice, 1, 5)
    where = [x**2 <= k * y] if dice.random() < 0.5 else [x * z <= y, x <= k * z]
    if len(where) == 1:
        domain, point = Domain({x: Reals(), y: Reals()}, where=where), {"x": t, "y": t**2 / k}
        return _tight(dice, name, 2 * t * x, t**2 + k * y, domain, point, t**2)
    ranges = {x: Reals(0), y: Reals(0), z: Reals(0)}
    return _tight(dice, name, x**2, k * y, Domain(ranges, where=where), {"x": t * k, "y": t**2 * k, "z": t}, y)


def _programme(dice: random.Random, name: str) -> Truth:
    """A linear form under two or three linear hypotheses: largest where some of them meet."""
    symbols = POSITIVE[: dice.randint(2, 3)]
    rows = [
        [dice.randint(1, 4), *(dice.randint(0, 4) for _ in symbols[1:]), dice.randint(1, 9)]
        for _ in range(dice.randint(1, 2))
    ]
    rows.append([dice.randint(1, 4) for _ in symbols] + [dice.randint(4, 12)])
    gains = [dice.randint(0, 5) for _ in symbols]
    gains[0] += 1
    walls = [*rows, *([0] * i + [1] + [0] * (len(symbols) - i) for i in range(len(symbols)))]
    vertices = (_meeting(chosen) for chosen in itertools.combinations(walls, len(symbols)))
    inside = [v for v in vertices if v is not None and min(v) >= 0 and all(_dot(r, v) <= r[-1] for r in rows)]
    best = max(inside, key=lambda vertex: _dot(gains, vertex))
    where = [sum(k * s for k, s in zip(row, symbols, strict=False)) <= row[-1] for row in rows]
    form, most = sum(k * s for k, s in zip(gains, symbols, strict=True)), _dot(gains, best)
    point = {s.name: value for s, value in zip(symbols, best, strict=True)}
    return _tight(dice, name, form, most, Domain({s: Reals(0) for s in symbols}, where=where), point, most)


def _dot(row: Any, vertex: Any) -> sp.Rational:
    return sum((k * v for k, v in zip(row, vertex, strict=False)), sp.Integer(0))


def _meeting(walls: Any) -> tuple[sp.Rational, ...] | None:
    """Where hyperplanes meet in one point."""
    matrix = sp.Matrix([row[:-1] for row in walls])
    return None if matrix.det() == 0 else tuple(matrix.LUsolve(sp.Matrix([row[-1] for row in walls])))


def _plane(dice: random.Random, name: str) -> Truth:
    """Symmetric forms on a simplex, its surface as two hypotheses: largest or smallest in the middle."""
    many, total = dice.randint(2, 4), _rational(dice, 1, 5)
    symbols = POSITIVE[:many]
    middle = total / many
    form, sign = dice.choice(
        ((sp.prod(symbols), 1), (sum(s**2 for s in symbols), -1), (sum(s**3 for s in symbols), -1))
    )
    most = sign * form.subs(dict.fromkeys(symbols, middle))
    where = [sum(symbols) <= total, sum(symbols) >= total]
    domain = Domain({s: Reals(0) for s in symbols}, where=where)
    return _tight(dice, name, sign * form, most, domain, {s.name: middle for s in symbols}, abs(most))


def _many(dice: random.Random, name: str) -> Truth:
    """Products of neighbours under sums of squares, in up to six parameters."""
    symbols = sp.symbols(f"t1:{dice.randint(5, 7)}", real=True)
    at = [_rational(dice, -2, 3) for _ in symbols]
    parts = [s - value for s, value in zip(symbols, at, strict=True)]
    whole = sp.expand(
        sum((dice.randint(1, 3) * one - other) ** 2 for one, other in itertools.pairwise([*parts, parts[0]]))
    )
    moved = sum(term for term in sp.Add.make_args(whole) if dice.random() < 0.5)
    point = {s.name: value for s, value in zip(symbols, at, strict=True)}
    return _tight(
        dice, name, -moved, sp.expand(whole - moved), _around(dice, symbols, dict(zip(symbols, at, strict=True))), point
    )


def _mixed(dice: random.Random, name: str) -> Truth:
    """An integer beside a real: parabolas between whose tops a bound holds with equality at one integer."""
    at, half = dice.randint(0, 40), _rational(dice, -3, 3)
    k = dice.randint(1, 5)
    left, right = 2 * k * (x - half) * (n - at), k**2 * (n - at) ** 2 + (x - half) ** 2
    domain = Domain({n: Integers(0), x: Reals()})
    return _tight(dice, name, sp.expand(left), sp.expand(right), domain, {"n": at, "x": half})


# --- floors and integers ----------------------------------------------------------------------------


def _floors(dice: random.Random, name: str) -> Truth:
    """Floors and what they round; the bound that asks for more fails on strips, or on every so-manieth integer."""
    k, p = dice.randint(2, 9), dice.randint(1, 9)
    form = dice.randrange(5)
    if form == 0:  # ⌊kx⌋ ≥ kx - 1, nearly equal below an integer
        by = sp.Rational(1, 10 ** dice.randint(1, 2))
        if dice.random() < KEPT:
            return true(name, sp.floor(k * x), ">=", k * x - 1, Domain({x: Reals()}), "a floor is above one less")
        at = sp.Rational(p, k) - by / (2 * k)
        domain = Domain({x: Reals()})
        return false(name, sp.floor(k * x), ">=", k * x - 1 + by, domain, "below an integer", x=_fraction(at))
    if form == 1:  # ⌊(pn + q)/k⌋ ≥ (pn + q - k + 1)/k
        q = dice.randint(0, 9)
        r = next((i for i in range(k) if (p * i + q) % k == k - 1), None)
        top = p * n + q - k + 1
        if r is None or dice.random() < KEPT:
            return true(name, sp.floor((p * n + q) / k), ">=", top / k, Domain({n: Integers(0)}), "remainders end")
        more = sp.Rational(1, 2 * k)
        domain = Domain({n: Integers(0)})
        return _thin(false(name, sp.floor((p * n + q) / k), ">=", top / k + more, domain, "one remainder", n=r))
    if form == 2:  # ⌊x⌋ + ⌊y⌋ ≥ ⌊x + y⌋ - 1
        left, right = sp.floor(x) + sp.floor(y), sp.floor(x + y)
        domain = Domain({x: Reals(0), y: Reals(0)})
        if dice.random() < KEPT:
            return true(name, left, ">=", right - 1, domain, "two fractional parts are less than 2")
        half = Fraction(2 * p + 1, 2)
        return false(name, left, ">=", right, domain, "two halves", x=half, y=half)
    whole, first = _squarish(dice, k)
    if first is None or dice.random() < KEPT:
        return true(name, sp.floor(sp.sqrt(whole)) ** 2, "<=", whole, Domain({n: Integers(2)}), "a floor, squared")
    domain = Domain({n: Integers(2)})
    return _thin(false(name, sp.floor(sp.sqrt(whole)) ** 2, "<=", whole - 1, domain, "a perfect square", n=first))


def _squarish(dice: random.Random, k: int) -> tuple[Any, int | None]:
    """A polynomial in n, and where it is first a perfect square from 2 on, if it is below 2000."""
    whole, twice = dice.choice(
        (
            (n * (n + 1) / 2, lambda i: i * (i + 1)),
            (k * n**2 + 1, lambda i: 2 * (k * i**2 + 1)),
            (n**2 + k * n, lambda i: 2 * (i**2 + k * i)),
            (n * (n + k) / 2 + k, lambda i: i * (i + k) + 2 * k),
            (n**3 + k, lambda i: 2 * (i**3 + k)),
        )
    )
    return whole, next((i for i in range(2, 2000) if 2 * twice(i) == (2 * math.isqrt(twice(i) // 2)) ** 2), None)


def _exception(dice: random.Random, name: str) -> Truth:
    """Inequalities of integers with one exception, or with none as nothing lies between two of them."""
    p, q = dice.randint(-60, 300), dice.randint(1, 60)
    form = dice.randrange(4)
    if form == 0:
        gap = sp.expand((n - p) * (n - p - 1))
        return true(name, gap - n**2, ">=", -(n**2), Domain({n: Integers(-100)}), "no integer between two")
    if form == 1:
        domain = Domain({n: Integers(-100)})
        return _thin(false(name, sp.expand(2 * (n - p) ** 2), ">=", 1, domain, "one exception", n=p))
    if form == 2:
        domain = Domain({n: Integers(0), m: Integers(0)})
        gap = sp.expand((n - abs(p) % 40) ** 2 + (m - q) ** 2)
        return _thin(false(name, gap, ">=", sp.Rational(1, 2), domain, "one exception", n=abs(p) % 40, m=q))
    k = dice.randint(2, 5)
    domain = Domain({n: Integers(1), m: Integers(1)})
    return _thin(false(name, n * (n + k), ">=", n * k + k, domain, "at 1 only", n=1, m=1))


def _fraction(value: sp.Rational) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _thin(truth: Truth) -> Truth:
    return replace(truth, thin=True)


FAMILIES: tuple[Callable[[random.Random, str], Truth], ...] = (
    _squares, _polytope, _ball, _disc, _chained, _vertex, _means, _quadratic, _programme, _plane, _many, _mixed,
    _floors, _exception,
)  # fmt: skip
