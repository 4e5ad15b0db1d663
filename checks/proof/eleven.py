"""Eleven inequalities on which provers differ: sharp ones, transcendental ones and two false controls.

A small yardstick for engines: nine are true, most of them attained with
equality somewhere, and no single engine decides all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from boundaudit.checks.language.expression import ZERO, Tree, rational
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.proof.portfolio import ENGINES, prove

Box = Mapping[str, tuple[Fraction | int, Fraction | int]]


@dataclass(frozen=True)
class Yardstick:
    """One inequality ``expression ≥ 0`` on a box, whether it holds, and where with equality."""

    name: str
    true: bool
    statement: Statement
    touch_points: tuple[dict[str, Tree], ...] = ()


def eleven() -> list[Yardstick]:
    """The inequalities: nine true ones, then two false ones."""
    a, b, s, p, q, t, x = sp.symbols("a b s p q t x")
    tenth, hundredth = Fraction(1, 10), Fraction(1, 100)
    square = {"p": (Fraction(1, 20), Fraction(19, 20)), "q": (Fraction(1, 20), Fraction(19, 20))}
    kl = q * sp.log(q / p) + (1 - q) * sp.log((1 - q) / (1 - p)) - 2 * (p - q) ** 2
    third = 1 / sp.sqrt(3)
    return [
        _entry(a * s**2 + b - 2 * s * sp.sqrt(a * b), dict.fromkeys("abs", (tenth, 10))),
        _entry(sp.Rational(1, 4) - p * (1 - p), {"p": (0, 1)}, {"p": sp.Rational(1, 2)}),
        _entry(4 / (3 * sp.sqrt(3)) - 2 * t * (1 - t**2), {"t": (-1, 1)}, {"t": third}),
        _entry(x - sp.log(1 + x), {"x": (0, 10)}, {"x": sp.Integer(0)}),
        _entry(kl + sp.Rational(1, 1000), square),
        _entry(kl, square),
        _entry(s - 1 - sp.log(s), {"s": (hundredth, 100)}, {"s": sp.Integer(1)}),
        _entry(1 + x + x**2 - sp.exp(x), {"x": (-5, 1)}, {"x": sp.Integer(0)}),
        _entry(sp.sqrt(a) + sp.sqrt(b) - sp.sqrt(a + b), {"a": (0, 10), "b": (0, 10)}),
        _entry(sp.Rational(6, 25) - p * (1 - p), {"p": (0, 1)}, true=False),
        _entry(1 + x + sp.Rational(7, 10) * x**2 - sp.exp(x), {"x": (0, 1)}, true=False),
    ]


def table() -> list[dict[str, Any]]:
    """What each engine alone (``decided``, by engine), and the portfolio, says about each inequality."""
    rows = []
    for found in eleven():
        alone = {
            engine: prove(found.statement, touch_points=found.touch_points, engines=[engine]).outcome
            for engine in ENGINES
        }
        whole = prove(found.statement, touch_points=found.touch_points)
        rows.append({"name": found.name, "true": found.true, "decided by engine": alone, "portfolio": whole.outcome})
    return rows


def _entry(expression: Any, box: Box, touch: Mapping[str, Any] | None = None, *, true: bool = True) -> Yardstick:
    parameters = [
        {"name": name, "range": "reals", "low": rational(low), "high": rational(high), "open": [False, False]}
        for name, (low, high) in box.items()
    ]
    statement = Statement(ZERO, "<=", to_tree(expression), {"parameters": parameters, "where": []})
    points = () if touch is None else ({name: to_tree(value) for name, value in touch.items()},)
    ends = ", ".join(f"{name} in [{low}, {high}]" for name, (low, high) in box.items())
    return Yardstick(f"{sp.sstr(expression)} >= 0 for {ends}", true, statement, points)
