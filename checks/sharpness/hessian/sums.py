"""Theorem 18: steps that its chains share: sums over hidden units against lengths, and products of sizes and shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.gradients.rows import units_total
from boundaudit.checks.sharpness.hessian.directions import stated
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import j

_VECTORS = "sharpness.hessian.vectors"


def scaled(e: sp.Expr, v: sp.Expr, x: sp.Expr) -> Instance:
    """From v ≤ x to e v ≤ e x."""
    return Instance(f"{_VECTORS}.scaled", {"e_ve": e, "a_ve": v, "b_ve": x})


def both(
    a: sp.Expr, p: sp.Expr, e: sp.Expr, b: sp.Expr, q: sp.Expr, f: sp.Expr, s: sp.Expr = sp.S.One, r: sp.Expr = sp.S.One
) -> Instance:
    """From a² ≤ p e and b² ≤ q f to (s a + r b)² ≤ (s² p + r² q)(e + f)."""
    names = ("a_ve", "p_ve", "e_ve", "b_ve", "q_ve", "f_ve", "s_ve", "t_ve")
    return Instance(f"{_VECTORS}.both", dict(zip(names, (a, p, e, b, q, f, s, r), strict=True)))


def product(a: sp.Expr, p: sp.Expr, e: sp.Expr, b: sp.Expr, q: sp.Expr, f: sp.Expr) -> Instance:
    """From a² ≤ p e and b² ≤ q f to (a b)² ≤ p f q e."""
    names = ("a_ve", "p_ve", "e_ve", "b_ve", "q_ve", "f_ve")
    return Instance(f"{_VECTORS}.product", dict(zip(names, (a, p, e, b, q, f), strict=True)))


def half(a: sp.Expr, p: sp.Expr, e: sp.Expr, f: sp.Expr) -> Instance:
    """From a² ≤ p e f and e + f ≤ 1 to 2 a ≤ √p."""
    return Instance(f"{_VECTORS}.halved", {"a_ve": a, "p_ve": p, "e_ve": e, "f_ve": f})


Entries = Callable[[sp.Symbol], sp.Expr]


class UnitsSum(NamedTuple):
    """A sum over hidden units, of x o y with o between -1 and 1.

    Attributes:
        told: What it is.
        x: Factors.
        o: Numbers between -1 and 1.
        y: Factors.
        size: What the squares of x add up to at most, and where that is proved.
        share: The same of y.
    """

    told: str
    x: Entries
    o: Entries
    y: Entries
    size: tuple[sp.Expr, str]
    share: tuple[sp.Expr, str]


def by_units(label: str, case: str, found: UnitsSum) -> Case:
    """That such a sum is in squares at most a size times a share.

    Returns:
        A case, proved.
    """
    told, x, o, y, (size, of_size), (share, of_share) = found
    xs, ys = units_total(x(j) ** 2), units_total(y(j) ** 2)
    steps = [
        Step(units_total(x(j) * o(j) * y(j)) ** 2, told),
        Step(xs * ys, "Cauchy-Schwarz", "unit by unit",
             Instance(f"{_VECTORS}.damped", {"n_av": UNITS, "x_ve": x, "o_ve": o, "y_ve": y})),
        Step(size * ys, "units", "", (of_size, scaled(ys, xs, size))),
    ]  # fmt: skip
    if of_share:
        steps.append(Step(size * share, "by lengths", "", (of_share, scaled(size, ys, share))))
    return stated(label, case, *steps)
