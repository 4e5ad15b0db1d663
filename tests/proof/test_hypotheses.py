"""What a certificate may use: each hypothesis holds at points of its domain, and is refused where it need not."""

import itertools
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from flint import fmpq

from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.arithmetic import evaluate
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses

from .stated import integers, reals, tree

w, x, y, z, n, i = sp.symbols("w x y z n i")
b = ("b", 0)
C, D = (("item", name, b) for name in "cd")


def entries(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "range": "vector", "length": tree(n), "open": [False, False], **more}


DOMAIN: dict[str, Any] = {
    "parameters": [
        reals("w", -1, 1), reals("x", 1, 3), reals("y", 0, 2, (True, True)), reals("z", 0, 2, (True, False)),
        reals("free"), integers("n", 1, 4),
        entries("c", low=tree(0), high=tree(1), square_sum=tree(1)), entries("d", low=tree(-2), high=tree(2)),
    ],
    "where": [
        ["<=", tree(x), tree(x + y)],
        ["all", tree(1), tree(n), ["<=", C, tree(x)]],
        ["or", [["<=", tree(x), tree(2)]], [["<=", tree(2), tree(x)]]],
        [">", tree(y), tree(0)],
    ],
}  # fmt: skip
FORM = Hypotheses(DOMAIN)
NUMBERS = (-1, 0, Fraction(1, 3)), (1, 2, 3), (Fraction(1, 2), Fraction(7, 4)), (1, 2, 4)


def point(u: Any, v: Any, s: Any, count: int) -> dict[str, Any]:
    """A point of the domain with so many entries."""
    c = [Fraction(k, 2 * count) for k in range(1, count + 1)]
    d = [Fraction(entry) for entry in (0, -2, 1, -1)[:count]]
    return {"w": Fraction(u), "x": Fraction(v), "y": s, "z": s, "free": Fraction(u), "n": count, "c": c, "d": d}


POINTS = [point(*chosen) for chosen in itertools.product(*NUMBERS)]


def total(body: Any, high: Any = n) -> Any:
    return ("sum", tree(1), tree(high), body)


HOLDS: dict[str, tuple[Any, bool]] = {
    "a closed lower end": (["low", ["v", "x"]], False), "a closed upper end": (["high", ["v", "x"]], False),
    "an open lower end": (["low", ["v", "y"]], True), "an open upper end": (["high", ["v", "y"]], True),
    "the open end of two": (["low", ["v", "z"]], True), "the closed end of two": (["high", ["v", "z"]], False),
    "an end of an integer": (["low", ["v", "n"]], False), "the other end of an integer": (["high", ["v", "n"]], False),
    "an end of an entry": (["high", ["item", "c", ["v", "n"]]], False), "a relation": (["where", 0], False),
    "a strict relation, the other way round": (["where", 3], True),
    "a relation for all, at one": (["each", 1, tree(1)], False),
    "a relation for all, at the last": (["each", 1, tree(n)], False),
    "logarithms": (["log", ["low", ["v", "x"]]], False), "logarithms, strictly": (["log", ["where", 0]], False),
    "powers": (["power", ["low", ["v", "x"]], tree(x)], False),
    "powers of what may be zero": (["power", ["low", ["v", "y"]], tree(y)], False),
    "a sign": (["sign", tree(x - 1)], False), "a strict sign": (["sign", tree(x)], True),
    "not above the absolute value": (["above", tree(w)], False), "nor its negative": (["below", tree(w)], False),
    "a tangent": (["tangent", tree(x / 3)], False), "a floor": (["floor", tree(x * y)], False),
    "and its end": (["ceiling", tree(x * y)], True), "a quotient below a logarithm": (["pade", tree(x)], False),
    "a part of a sum": (["part", total(D), tree(n)], False), "its first": (["part", total(D), tree(1)], False),
    "squares of a sum": (["squares", total(D)], False), "Cauchy-Schwarz": (["cauchy", total(C), total(D)], False),
    "a part of many terms": (["within", total(D), tree(1), tree(n - 1)], False),
    "all terms": (["within", total(D), tree(1), tree(n)], False),
    "the binomial theorem": (["newton", tree(n), tree(x), tree(y)], False),
    "the same from below": (["expansion", tree(n), tree(x), tree(y)], False),
    "log-convexity of the gamma function": (["hölder", tree(x), tree(y)], False),
    "Stirling's formula": (["stirling", tree(y)], False), "the tail of a Gaussian": (["tail", tree(z)], False),
    "Euler's sum of inverse squares": (["basel", tree(n)], True), "none of them": (["basel", tree(0)], True),
    "Cauchy-Schwarz of a vector": (["cauchy", "d"], False), "a sum of squares": (["square_sum", "c"], False),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLDS)
def test_it_holds_at_every_point(name: str) -> None:
    label, strict = HOLDS[name]
    found = FORM.derive(label)
    assert found.strict is strict
    sides = []
    for at in POINTS:
        small, large = (evaluate(side, at) for side in (found.small, found.large))
        assert not small > large
        assert not (strict and isinstance(small, fmpq) and small == large)
        sides.append((small, large))
    assert any(small != 0 or large != 0 for small, large in sides)


REFUSED: dict[str, tuple[Any, str]] = {
    "no end": (["low", ["v", "free"]], "no end"),
    "an entry beyond the last": (["low", ["item", "c", tree(n + 1)]], "not known to lie in"),
    "an entry before the first": (["high", ["item", "c", tree(n - 1)]], "not known to lie in"),
    "a truth value for a position": (["where", False], "no relation"),
    "a position from behind": (["where", -1], "no relation"), "a position beyond": (["where", 4], "no relation"),
    "alternatives": (["where", 2], "no relation"), "a relation for all, as one": (["where", 1], "no relation"),
    "one relation, as for all": (["each", 0, tree(1)], "for all indices"),
    "alternatives, as for all": (["each", 2, tree(1)], "for all indices"),
    "for all, by a truth value": (["each", True, tree(1)], "for all indices"),
    "for all, from behind": (["each", -3, tree(1)], "for all indices"),
    "for all, beyond": (["each", 4, tree(1)], "for all indices"),
    "for all, at none": (["each", 1, tree(n + 1)], "beyond those"),
    "for all, between two": (["each", 1, tree((n + 1) / 2)], "beyond those"),
    "for all, before the first": (["each", 1, tree(0)], "beyond those"),
    "the logarithm of what may be zero": (["log", ["low", ["v", "y"]]], "not known to be positive"),
    "a power of what may be negative": (["power", ["low", ["v", "w"]], tree(2)], "base"),
    "a negative power": (["power", ["low", ["v", "x"]], tree(w)], "exponent"),
    "a sign that is not known": (["sign", tree(w)], "do not show"),
    "a tangent at what may be zero": (["tangent", tree(x - 1)], "positive"),
    "a quotient below one": (["pade", tree(x / 3)], "at least 1"),
    "a part that is none": (["part", total(C), tree(n + 1)], "beyond those"),
    "a part between two": (["part", total(C), tree((n + 1) / 2)], "beyond those"),
    "a part before the first": (["part", total(C), tree(0)], "beyond those"),
    "a part with an end too many": (["within", total(C), tree(1), tree(n + 1)], "between the limits"),
    "a part with a start too early": (["within", total(C), tree(0), tree(n)], "between the limits"),
    "a power that may be negative": (["newton", tree(n - 2), tree(x), tree(y)], "natural"),
    "a power that is no integer": (["expansion", tree(x), tree(x), tree(y)], "natural"),
    "powers of a number that may be 0": (["newton", tree(n), tree(x), tree(x - 1)], "positive"),
    "the gamma function at a pole": (["hölder", tree(x - 1), tree(y)], "positive"),
    "inverse squares up to what is no integer": (["basel", tree(x)], "natural number"),
    "inverse squares up to less than none": (["basel", tree(-n)], "natural number"),
    "Stirling's formula at 0": (["stirling", tree(x - 1)], "positive"),
    "a tail with its middle": (["tail", tree(w)], "sign"),
    "squares of no sum": (["squares", tree(x)], "not a sum"),
    "sums over different indices": (["cauchy", total(C), total(D, 1)], "different indices"),
    "a sum of squares that nobody bounds": (["square_sum", "d"], "no bound"),
    "a rule that there is not": (["trust", tree(x)], "unknown hypothesis"),
    "a rule for vectors that there is not": (["trust", "c"], "expression"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(name: str) -> None:
    label, why = REFUSED[name]
    with pytest.raises((Rejected, ValueError), match=why):
        FORM.derive(label)


def test_a_part_of_a_sum_ends_at_integers() -> None:
    with pytest.raises(Rejected, match="not known to be integers"):
        FORM.excess(["within", total(D), tree(1), tree(n - sp.Rational(1, 2))])


def test_what_some_of_them_say() -> None:
    """Weaker ones would hold as well."""
    below, pade = (FORM.derive([rule, tree(x)]) for rule in ("below", "pade"))
    assert below[:2] == (("*", tree(-1), tree(x)), ("abs", tree(x)))
    assert FORM.form.vanishes(("+", pade.small, tree(-2 * (x - 1) / (x + 1))))
    hölder, tail = FORM.derive(["hölder", tree(x), tree(y)]), FORM.derive(["tail", tree(x)])
    assert FORM.form.vanishes(("+", hölder.small, tree(-(sp.gamma((x + y) / 2) ** 2))))
    assert FORM.form.vanishes(("+", tail.large, tree(-sp.exp(-(x**2)))))
