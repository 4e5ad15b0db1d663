"""Sums of many terms in runs: the balls hold the sums, and are narrow where terms are smooth."""

import functools
from decimal import Decimal
from typing import Any

import pytest
import sympy as sp
from flint import arb
from tests.statements import some_slow

from boundaudit.checks.evidence.evidence import shown_at
from boundaudit.checks.language import long_sums
from boundaudit.checks.language.arithmetic import TooLong
from boundaudit.checks.language.balls import evaluate, precision
from boundaudit.checks.language.compare import LONG_SUMS, sign
from boundaudit.checks.language.long_sums import in_runs, terms_of
from boundaudit.checks.language.translate import to_tree

j, n, t = sp.symbols("j n t", integer=True)
third, half = sp.Rational(1, 3), sp.Rational(1, 2)


def total(term: Any, first: int = 1, last: Any = n) -> sp.Sum:
    return sp.Sum(term, (t, first, last))


def inner(term: Any, last: Any = t) -> sp.Sum:
    return sp.Sum(term, (j, 1, last))


SMOOTH = {
    "harmonic": total(1 / t), "rising": total(t**2, 3), "rising and falling": total((t - 5000) ** 2),
    "two signs": total(5000 - t), "logarithms": total(sp.log(t) / t**2), "roots": total(sp.sqrt(t)),
    "a real power": total(t ** sp.Rational(-11, 10)), "a pole at the end": total(1 / (n + 1 - t)),
    "a slow sine": total(sp.sin(t / 1000) / t), "the sine of a root": total(sp.sin(sp.sqrt(t))),
    "exponentials": total(sp.exp(-t / n)), "a geometric sum": total(half**t),
    "a power of itself": total(t ** (1 / t) - 1), "factorials": total(sp.loggamma(t + 1) / t**3),
    "an error function": total(sp.erf(t / n)), "a steep peak": total(1 / (1 + (t - 321) ** 2)),
    "alternating": total((-1) ** (t + 1) / t, 4), "two sums": total(1 / t) - total(1 / t**2, last=n + 1),
    "a sum of sums": total(inner(1 / j)), "a sum of shorter sums": total(inner(1 / j, t - 1) / t),
    "squares of means": total((inner(1 / sp.sqrt(j)) / t) ** 2),
    "a sum of products": total(sp.Product(1 - third / (j + 1), (j, 1, t))),
    "a sum inside that is one": total(inner(1 / j**2, n) / t), "a product": sp.Product(1 + 1 / t, (t, 1, n)),
    "a product that vanishes": sp.Product(t / (t + half), (t, 1, n)),
}  # fmt: skip
"""Terms that have all derivatives but at a few places."""
ROUGH = {
    "branches": total(sp.Piecewise((t, t < 400), (1, True))), "floors": total(sp.floor(t / 70)),
    "a maximum": total(1 / sp.Max(t, 100) ** 2), "an absolute value": total(sp.Abs(t - n / 2) / n),
    "a pole in the middle": total(1 / (t - n / 3 - sp.Rational(1, 20))), "a fast sine": total(sp.sin(t)),
    "factors of both signs": sp.Product(1 - 300 / t**2, (t, 1, n)),
}  # fmt: skip
EVERY = {**SMOOTH, **ROUGH}
NESTED = ("a sum of sums", "a sum of shorter sums", "squares of means", "a sum of products")
FEW = 40
COARSE = [name for name in EVERY if name not in ("factorials", "a pole in the middle")]
"""Terms that have a value on each of so few runs."""


@functools.cache
def exactly(of: sp.Expr, count: int) -> arb:
    """Term by term."""
    with precision(256):
        return arb(evaluate(to_tree(of), {"n": count}))


def is_inside(of: sp.Expr, count: int) -> bool:
    with precision(64):
        found = arb(in_runs(to_tree(of), {"n": count}))
    with precision(256):
        return bool(found.contains(exactly(of, count)))


@pytest.mark.parametrize("name", some_slow(EVERY, *NESTED))
def test_runs_of_terms_hold_a_long_sum(name: str) -> None:
    assert all(is_inside(EVERY[name], count) for count in (3, 201, 420))


@pytest.mark.parametrize("name", some_slow(COARSE, *NESTED))
def test_remainders_that_are_large_hold_what_is_left(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_sums, "BLOCKS", FEW)
    assert all(is_inside(EVERY[name], count) for count in (201, 420))


@pytest.mark.parametrize("fault", ["none", "of lower order"])
def test_a_wrong_remainder_is_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: without it, or with one that is too small, some sums are outside of their balls."""
    right = long_sums._Reading._terms

    def wrong(self: Any, *run: Any) -> tuple[arb, arb]:
        value, rest = right(self, *run)
        return value, arb(0) if fault == "none" else rest / run[-1].size ** 2

    monkeypatch.setattr(long_sums, "BLOCKS", FEW)
    monkeypatch.setattr(long_sums._Reading, "_terms", wrong)
    assert not all(is_inside(EVERY[name], 420) for name in COARSE)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMOOTH)
def test_smooth_terms_are_added_up_to_the_last_digits(name: str) -> None:
    tree = to_tree(SMOOTH[name])
    with precision(64):
        assert arb(in_runs(tree, {"n": 5000})).rel_accuracy_bits() > 40
    with precision(128):
        assert arb(in_runs(tree, {"n": 5000})).rel_accuracy_bits() > 100


CLOSED = {
    "harmonic": sp.log(n) + sp.EulerGamma + 1 / (2 * n) - 1 / (12 * n**2), "rising": n * (n + 1) * (2 * n + 1) / 6 - 5,
    "two signs": 5000 * n - n * (n + 1) / 2,
    "roots": 2 * n**1.5 / 3 + sp.sqrt(n) / 2 + sp.zeta(-half) + 1 / (24 * sp.sqrt(n)), "a product": n + 1,
    "a sum of sums": (n + 1) * (sp.log(n) + sp.EulerGamma + 1 / (2 * n) - 1 / (12 * n**2)) - n,
}  # fmt: skip


@pytest.mark.parametrize("name", some_slow(CLOSED, *NESTED))
@pytest.mark.parametrize("power", [7, 12, 60])
def test_the_ball_of_a_sum_too_long_to_be_added_up_holds_its_closed_form(name: str, power: int) -> None:
    closed = CLOSED[name].replace(lambda part: part.is_Float, sp.nsimplify)
    with precision(2000):
        exact = arb(str(sp.N(closed.subs(n, 10**power), 500)))
    for bits in LONG_SUMS:
        with precision(bits):
            found = arb(in_runs(to_tree(SMOOTH[name]), {"n": 10**power}))
        with precision(2000):
            # The next term of each expansion is below n^(-5/2) times the first.
            assert (found - exact).contains(0) or abs(found - exact).abs_lower() < abs(exact) * arb(10) ** (-2 * power)


@pytest.mark.parametrize("power", [9, 12, 40, pytest.param(300, marks=pytest.mark.slow)])
def test_the_digits_of_a_sum_too_long_to_be_added_up_are_certain(power: int) -> None:
    shown = Decimal(shown_at(to_tree(SMOOTH["harmonic"]), {"n": 10**power}))
    exact = Decimal(str(sp.N(power * sp.log(10) + sp.EulerGamma + half / sp.Integer(10) ** power, 30)))
    assert abs(shown - exact) < Decimal(10) ** -16
    assert len(shown.as_tuple().digits) == 20


@pytest.mark.slow
def test_the_sign_of_a_sum_too_long_to_be_added_up() -> None:
    harmonic, squares, pairs = (total(term) for term in (1 / t, 1 / t**2, inner(1 / (j + t), n)))
    point = {"n": 10**12}
    assert [sign(to_tree(each), point) for each in (harmonic - 20, harmonic - 30, squares - 2)] == [1, -1, -1]
    assert sign(to_tree(harmonic - sp.log(n)), point) == 1
    assert sign(to_tree(harmonic - sp.log(n) - sp.Rational("0.5772156649")), point) == 1
    assert sign(to_tree(harmonic - sp.log(n) - sp.Rational("0.57721566491")), point) == -1
    assert sign(to_tree(harmonic - harmonic.subs(t, j)), {"n": 30_000}) == 0
    assert sign(to_tree(total(sp.sin(t))), point) is None
    assert sign(to_tree(total((-1) ** t / t)), point) == -1
    assert sign(to_tree(pairs), point) is None
    with pytest.raises(TooLong):
        in_runs(to_tree(pairs), point)


def test_terms_are_counted() -> None:
    assert terms_of(to_tree(total(1)), {"n": 10**30}) == 1e30
    assert terms_of(to_tree(total(inner(1 / j)) + total(t)), {"n": 100}) == 100 * 100 + 100
    assert terms_of(to_tree(n), {"n": 10}) == 0
