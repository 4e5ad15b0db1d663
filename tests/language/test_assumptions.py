"""SymPy may assume of a symbol only what its range grants."""

from typing import Any

import pytest
import sympy as sp
from tests.statements import claim

from boundaudit import Claim, Domain, InputError, Integers, Matrix, Reals, Vector
from boundaudit.checks.language.domain import Choices, Range
from boundaudit.checks.language.domain.assumptions import unearned, unearned_in

T = sp.Symbol("T", integer=True, positive=True)

EARNED: dict[str, tuple[dict[str, bool], Range]] = {
    "positive from one on": ({"positive": True}, Reals(1)),
    "positive above an open zero": ({"positive": True}, Reals(0, open_low=True)),
    "positive by an earlier parameter": ({"positive": True}, Reals(T**-4, 1)),
    "nonnegative from zero on": ({"nonnegative": True}, Reals(0, 1)),
    "negative below an open zero": ({"negative": True}, Reals(-1, 0, open_high=True)),
    "an integer": ({"integer": True, "positive": True}, Integers(1)),
    "named integers": ({"integer": True, "positive": True}, Choices(steep=1, wide=2)),
    "nothing": ({}, Reals()),
}
UNEARNED: dict[str, tuple[dict[str, bool], Range, str]] = {
    "positive at zero": ({"positive": True}, Reals(0, 1), "positive"),
    "positive on both sides": ({"positive": True}, Reals(-1, 1), "positive"),
    "nonnegative without a limit": ({"nonnegative": True}, Reals(), "nonnegative"),
    "an integer among reals": ({"integer": True}, Reals(0, 1), "integer"),
    "even": ({"even": True}, Integers(0), "even"),
    "a fraction among choices": ({"integer": True}, Choices(half=sp.Rational(1, 2)), "integer"),
}


@pytest.mark.parametrize("case", EARNED)
def test_what_the_range_grants_may_be_assumed(case: str) -> None:
    assumptions, found = EARNED[case]
    assert unearned(sp.Symbol("x", **assumptions), found) is None


@pytest.mark.parametrize("case", UNEARNED)
def test_what_the_range_does_not_grant_is_named(case: str) -> None:
    assumptions, found, name = UNEARNED[case]
    assert unearned(sp.Symbol("x", **assumptions), found) == name


def test_a_statement_that_sympy_simplified_without_licence_is_refused() -> None:
    x = sp.Symbol("x", positive=True)
    fields: dict[str, Any] = {"label": "test.root", "statement": "A root.", "relation": "<=", "right": x}
    with pytest.raises(InputError, match=r"makes x positive.*got -1 ≤ x ≤ 1"):
        Claim(**fields, left=sp.sqrt(x**2), domain=Domain({x: Reals(-1, 1)}))


def test_a_sum_index_may_not_be_assumed_positive_where_it_is_not() -> None:
    n, k = sp.Symbol("n", positive=True, integer=True), sp.Symbol("k", positive=True, integer=True)
    total = sp.Sum(sp.Abs(k), (k, -n, n))
    with pytest.raises(InputError, match=r"makes k positive.*a sum's limits"):
        claim(total, "<=", 0, Domain({n: Integers(1, 5)})).validate()


@pytest.mark.parametrize("ends", [(1, 0), (0, -1), (3, 2)])
def test_the_index_of_an_empty_sum_takes_no_value(ends: tuple[int, int]) -> None:
    k = sp.Symbol("k", positive=True, integer=True)
    total = sp.Sum(sp.Abs(k), (k, 1, T)) + sp.Sum(k**2, (k, *ends))
    assert unearned_in(total, {"T": Integers(1)}) is None


@pytest.mark.parametrize("turned", [1, -1])
def test_an_index_of_two_sums_earns_its_assumptions_in_each(turned: int) -> None:
    k = sp.Symbol("k", positive=True, integer=True)
    first, second = [sp.Sum(sp.Abs(k), (k, *ends)) for ends in [(0, T), (1, T + 1)][::turned]]
    assert unearned_in(first + second, {"T": Integers(1)}) == ("k", "positive")


def test_a_vector_may_not_be_assumed_nonnegative_where_it_is_not() -> None:
    c = sp.IndexedBase("c", nonnegative=True)
    with pytest.raises(InputError, match="makes c nonnegative"):
        claim(sp.Abs(c[1]), "<=", c[1], Domain({c: Vector(1, Reals(-1, 1))}))


def test_a_matrix_may_not_be_assumed_positive_where_it_is_not() -> None:
    c = sp.IndexedBase("c", positive=True)
    with pytest.raises(InputError, match=r"makes c positive.*entries in"):
        Domain({c: Matrix(1, 2, Reals(-1, 1))})
    assert unearned(c, Matrix(1, 2, Reals(0, 1, open_low=True))) is None


@pytest.mark.parametrize("assumption", ["extended_nonnegative", "imaginary", "irrational", "nonzero"])
def test_no_assumption_passes_unseen(assumption: str) -> None:
    found = Reals(-1, 1)
    assert unearned(sp.Symbol("x", **{assumption: True}), found) is not None


def test_a_limit_may_not_lean_on_an_assumption_either() -> None:
    a, y = sp.Symbol("a", positive=True), sp.Symbol("y", positive=True)
    with pytest.raises(InputError, match="makes a positive"):
        Domain({a: Reals(-1, 1), y: Reals(a, 5)})


def test_relations_may_not_lean_on_an_assumption_either() -> None:
    a, y = sp.Symbol("a", positive=True), sp.Symbol("y")
    plain = sp.Symbol("a")
    with pytest.raises(InputError, match="makes a positive"):
        Domain({plain: Reals(-1, 1), y: Reals(0, 1)}, where=[sp.Abs(a) - a + 1 >= 2 * y, a <= y])


@pytest.mark.parametrize("empty", [Reals(1, 0), Reals(2, -1), Integers(1, 0), Reals(0, -1, open_low=True)])
def test_a_range_that_grants_what_no_number_is_is_empty_and_no_fault(empty: Range) -> None:
    x = sp.Symbol("x", real=True)
    assert unearned(x, empty) is None
    assert not Domain({x: empty}).is_somewhere(20)
