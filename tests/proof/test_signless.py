"""Sizes are equal where what they are the sizes of is, up to its sign."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from sympy import Abs, Eq
from tests.statements import stated

from boundaudit import Domain, ForAll, Integers, Reals, Vector
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import prove

T, t = sp.symbols("T t", integer=True, positive=True)
x, y, z = sp.symbols("x y z", real=True)
h = sp.IndexedBase("h", real=True)
FEW = Budget(steps=3_000_000)
STEPS = Domain(
    {T: Integers(1), x: Reals(-1, 1), y: Reals(), h: Vector(T, Reals())},
    where=[ForAll(Eq(h[t + 1], y + x * (h[t] - y)), (t, 1, T - 1))],
)
"""A recursion with a fixed point."""
APART = Abs(h[T] - y)
OPPOSITE = Domain({x: Reals(), y: Reals(), z: Reals()}, where=[Eq(x + y * z, 0)])


@pytest.mark.slow
@pytest.mark.parametrize(("left", "right", "domain", "proved"), [
    (APART, Abs(x) ** (T - 1) * Abs(h[1] - y), STEPS, True),
    (APART, Abs(x) ** T * Abs(h[1] - y), STEPS, False),
    (Abs(x) * Abs(z), Abs(y) * Abs(z) ** 2, OPPOSITE, True), (Abs(x), Abs(y) * Abs(z), OPPOSITE, True),
    (Abs(x), Abs(y) * Abs(z + 1), OPPOSITE, False),
])  # fmt: skip
def test_an_equation_of_sizes_follows_from_one_without_them(
    left: Any, right: Any, domain: Domain, proved: bool
) -> None:
    assert (prove(stated(left, "=", right, domain), engines=["signless"], budget=FEW).outcome == "proved") == proved


@pytest.mark.parametrize(("left", "right", "proved"), [
    (Abs(x**T * y), Abs(x) ** T * Abs(y), True), (Abs((-1) ** T * y), Abs(y), True),
    (Abs(x**T * y), x**T * Abs(y), False),
])  # fmt: skip
def test_the_size_of_a_power_is_that_power_of_the_size(left: Any, right: Any, proved: bool) -> None:
    domain = Domain({T: Integers(1), x: Reals(), y: Reals()})
    assert (prove(stated(left, "=", right, domain), engines=["identity"]).outcome == "proved") == proved
