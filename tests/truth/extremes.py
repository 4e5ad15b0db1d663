"""What is said of the largest and the smallest entry, for vectors of any length."""

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp
from sympy import Abs, Rational, Sum, exp, log

from boundaudit import Integers, Maximum, Minimum, Reals, Vector

from .statement import Truth, in_space

i, n, t = sp.symbols("i n t", integer=True, positive=True)
v, w = (sp.IndexedBase(name, real=True) for name in "vw")
ANY: dict[Any, Any] = {n: Integers(1), v: Vector(n, Reals())}
TWO: dict[Any, Any] = {**ANY, w: Vector(n, Reals())}
POSITIVE: dict[Any, Any] = {n: Integers(1), v: Vector(n, Reals(0))}


def over(function: Any) -> Any:
    """The largest of an expression in i."""
    return Maximum(function, (i, 1, n))


def under(function: Any) -> Any:
    """The smallest of an expression in i."""
    return Minimum(function, (i, 1, n))


def total(function: Any) -> Any:
    """The sum of an expression in i."""
    return Sum(function, (i, 1, n))


def true(name: str, left: Any, right: Any, ranges: Mapping[Any, Any], why: str) -> Truth:
    """A left side that is at most the right one."""
    return in_space(f"extremes: {name}", left, "<=", right, (ranges,), why)


def false(name: str, left: Any, right: Any, ranges: Mapping[Any, Any], why: str, at: Sequence[Any]) -> Truth:
    """A left side that exceeds the right one; the values are those of the parameters, then of the indices."""
    return in_space(f"extremes: {name}", left, "<=", right, (ranges,), why, at)


STATEMENTS = [
    true("a mean below the maximum", total(v[i]) / n, over(v[i]), ANY, "term by term"),
    true("a mean above the minimum", under(v[i]), total(v[i]) / n, ANY, "term by term"),
    true("minimum and maximum", under(v[i]), over(v[i]), ANY, "of one entry both"),
    true("a maximum below a sum", over(v[i]), total(v[i]), POSITIVE, "one term of it"),
    true("largest entry below the length", over(Abs(v[i])) ** 2, total(v[i] ** 2), ANY, "one term of it"),
    true("length by the largest entry", total(v[i] ** 2), n * over(Abs(v[i])) ** 2, ANY, "term by term"),
    true("a square's two factors", total(v[i] ** 2), over(v[i]) * total(v[i]), POSITIVE, "term by term"),
    true("sum by the largest", total(Abs(v[i])), n * over(Abs(v[i])), ANY, "term by term"),
    true("Hölder with the maximum", total(v[i] * w[i]), over(Abs(v[i])) * total(Abs(w[i])), TWO, "term by term"),
    true("maximum of sums", over(v[i] + w[i]), over(v[i]) + over(w[i]), TWO, "at the entry where it is attained"),
    true("maxima are Lipschitz", over(v[i]) - over(w[i]), over(Abs(v[i] - w[i])), TWO, "at the entry of the first"),
    true("soft maximum from below", over(v[i]), log(total(exp(v[i]))), ANY, "one term of it"),
    true("soft maximum from above", log(total(exp(v[i]))), over(v[i]) + log(n), ANY, "term by term"),
    true("scaled", over(2 * v[i]), 2 * over(v[i]), ANY, "at the same entry"),
    true("a mean of maxima", over((v[i] + w[i]) / 2), (over(v[i]) + over(w[i])) / 2, TWO, "convex"),
    true("maxima of squares", over(v[i]) ** 2, over(v[i] ** 2), ANY, "at the entry of the first"),
    false("maxima add up", over(v[i]) + over(w[i]), over(v[i] + w[i]), TWO, "at different entries",
          (2, (1, 0), (0, 1), 1, 1, 2)),
    false("maxima are Lipschitz with half", over(v[i]) - over(w[i]), over(Abs(v[i] - w[i])) / 2, TWO, "one entry",
          (1, (1,), (0,), 1, 1, 1)),
    false("a mean below the minimum", total(v[i]) / n, under(v[i]), ANY, "two entries", (2, (0, 1), 1)),
    false("length by one entry", total(v[i] ** 2), over(Abs(v[i])) ** 2, ANY, "two entries alike", (2, (1, 1), 1)),
    false("soft maximum without its logarithm", log(total(exp(v[i]))), over(v[i]), ANY, "two entries alike",
          (2, (0, 0), 1)),
    false("Hölder with a half", total(v[i] * w[i]), Rational(1, 2) * over(Abs(v[i])) * total(Abs(w[i])), TWO,
          "one entry", (1, (1,), (1,), 1)),
    false("a maximum below half a sum", over(v[i]), total(v[i]) / 2, POSITIVE, "one entry", (1, (1,), 1)),
]  # fmt: skip
