"""Sums of independent random variables: what they are written out as, against the law of all of them at once."""

import itertools
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from flint import fmpq

from boundaudit import (
    Bernoulli,
    Claim,
    E,
    Euclidean,
    Independent,
    InputError,
    Integers,
    P,
    Rademacher,
    Random,
    Reals,
    Space,
    Var,
)
from boundaudit.checks.language.balls import evaluate
from boundaudit.checks.language.translate import to_tree

n, i, j, k = sp.symbols("n i j k", integer=True, positive=True)
X = sp.IndexedBase("X", real=True)
t = sp.Symbol("t", real=True)
EACH = (i, 1, n)
TOTAL, SQUARES = sp.Sum(X[i], EACH), sp.Sum(X[i] ** 2, EACH)
SAMPLE = {n: Integers(2), X: Independent(n, Random())}
CHANCES = (Fraction(1, 3), Fraction(1, 2), Fraction(1, 6))
VALUES = ((1, -2, 3), (0, 5, -1), (2, 2, -7))


def _mean(of: Any, size: int) -> sp.Rational:
    """The expectation by all outcomes of so many variables."""
    found = sp.S.Zero
    for outcome in itertools.product(range(3), repeat=size):
        chance = sp.prod(sp.Rational(CHANCES[o].numerator, CHANCES[o].denominator) for o in outcome)
        drawn = {X[row + 1]: VALUES[row][o] for row, o in enumerate(outcome)}
        found += chance * of.subs(n, size).doit().xreplace(drawn)
    return found


@pytest.mark.parametrize("of", [
    TOTAL**4, TOTAL * SQUARES + 2 * TOTAL - 1, TOTAL**2 * SQUARES, sp.Sum((X[i] - TOTAL / n) ** 2, EACH),
    sp.Sum(X[i] ** 2 * TOTAL**2, EACH), sp.Product(1 + X[i], EACH) * sp.Product(X[i], EACH) ** 2, 2 ** X[1] * X[2],
    (TOTAL - sp.Sum(i * X[i], EACH)) ** 3, sp.Sum(sp.Max(X[i], 0), EACH) ** 2,
    sp.Sum(sp.Sum(i * X[k], (k, 1, n)) * TOTAL, EACH),
], ids=str)  # fmt: skip
@pytest.mark.parametrize("size", [2, 3])
def test_a_mean_is_that_by_all_outcomes(of: Any, size: int) -> None:
    _, (side,) = Space(SAMPLE).written_out([E(of)])
    point = {"n": size, "outcomes of each X": 3, "chance of each X": CHANCES, "X": VALUES[:size]}
    expected = _mean(of, size)
    assert evaluate(to_tree(side), point) == fmpq(int(expected.p), int(expected.q))


@pytest.mark.parametrize(("of", "expected"), [
    (E(sp.Abs(TOTAL)), "one of X in any expression"), (P(TOTAL >= t), "one of X in any expression"),
    (E(X[1] * TOTAL), "one of X in any expression"), (E(X[1] * X[k]), "one of X in any expression"),
    (E(sp.Sum(X[i] * X[i + 1], (i, 1, n - 1))), "one of X in any expression"),
    (E(TOTAL * sp.Sum(X[i], (i, 1, n - 1))), "one of X in any expression"), (E(TOTAL**5), "one of X in any expression"),
    (TOTAL, "random variables in E"), (E(X[1], given=X[2]), "random variables that the Space declares"),
], ids=str)  # fmt: skip
def test_what_cannot_be_said_of_sums(of: Any, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        Space({**SAMPLE, t: Reals(), k: Integers(1, n)}).written_out([of])


@pytest.mark.parametrize(("ranges", "expected"), [
    ({sp.Symbol("X"): Independent(n, Random())}, "IndexedBase"),
    ({X: Independent(n, Random(apart="A"))}, "Random with nothing given"),
    ({X: Independent(n, Euclidean())}, "Bernoulli, Rademacher, Gaussian, or Random"),
    ({X: Random()}, "a law for a symbol"),
])  # fmt: skip
def test_what_is_no_sample(ranges: dict[Any, Any], expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        Space({n: Integers(1), **ranges}).written_out([E(X[1])])


def test_a_sample_reads_as_one() -> None:
    space = Space({n: Integers(1), X: Independent(n, Random(Reals(0, 1)), alike=True)})
    assert space.sentence() == "1 ≤ n; X[i] random, 0 ≤ X[i] ≤ 1, independent for i = 1, …, n, all of one law"
    claim = Claim(label="x.y", statement="A variance.", left=Var(TOTAL), relation="<=", right=n / sp.S(4), domain=space)
    assert claim.text == "Var(Sum(X[i], (i, 1, n))) <= n/4"


def test_the_law_of_all_is_that_of_one() -> None:
    domain, (side,) = Space({n: Integers(1), X: Independent(n, Random(), alike=True)}).written_out([Var(TOTAL)])
    point = {"n": 2, "outcomes of each X": 3, "chance of each X": CHANCES, "X": VALUES[0]}
    assert list(map(str, domain.ranges)) == list(point)
    assert evaluate(to_tree(side), point) == 2 * (fmpq(23, 6) - fmpq(-1, 6) ** 2)


@pytest.mark.parametrize("of", [
    E(X[0]), E(X[n + 1]), sp.Sum(E(X[i]), (i, 1, 2 * n)), E(sp.Sum(X[i], (i, 0, n))), E(X[k]), E(X[3]), E(X[n / 2]),
    sp.Sum(E(X[j]), (j, 1, i), (i, 2, n + 1)),
], ids=str)  # fmt: skip
@pytest.mark.parametrize("law", [Bernoulli(t), Rademacher(), Random(Reals(0, 1))], ids=str)
def test_an_index_of_a_sample_lies_inside(of: Any, law: Any) -> None:
    sample = {n: Integers(2), k: Integers(1), t: Reals(0, 1), X: Independent(n, law, alike=True)}
    with pytest.raises(InputError, match="an integer known to lie from 1 to n"):
        Space(sample).written_out([of])
    Space(sample, where=[k <= n]).written_out([sp.Sum(E(X[j]), (j, i, n), (i, 2, n)), E(X[k]), E(X[2] * X[1])])
