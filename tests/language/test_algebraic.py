"""How close to zero an algebraic number can be without being it."""

import math
from typing import Any

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from boundaudit.checks.language.algebraic import separation
from boundaudit.checks.language.compare import sign
from boundaudit.checks.language.translate import to_tree

roots = st.integers(1, 60)


@given(a=roots, b=roots, c=roots, d=roots)
def test_what_is_not_zero_is_larger_than_the_bound(a: int, b: int, c: int, d: int) -> None:
    number = sp.sqrt(a) + sp.sqrt(b) - sp.sqrt(c) - sp.Rational(d, 7)
    bits = separation(to_tree(number))
    value = abs(sp.N(number, 60))
    assert bits is not None
    assert sp.expand(number) == 0 or math.log2(value) >= -bits


@pytest.mark.slow
@given(a=st.integers(1, 10**6), b=st.integers(1, 10**6))
def test_a_nested_root_that_is_a_sum_of_two_is_recognised(a: int, b: int) -> None:
    """√(a + b + 2√(ab)) = √a + √b, and nothing close to it is."""
    nested = sp.sqrt(a + b + 2 * sp.sqrt(a * b))
    assert sign(to_tree(nested - sp.sqrt(a) - sp.sqrt(b)), {}) == 0
    assert sign(to_tree(nested - sp.sqrt(a) - sp.sqrt(b) - sp.Rational(1, 10**500)), {}) == -1


def test_a_close_pair_of_sums_of_roots() -> None:
    """√10 + √11 and √5 + √18 differ by less than 2·10⁻⁴: no zero, though floats of three digits say so."""
    close = sp.sqrt(10) + sp.sqrt(11) - sp.sqrt(5) - sp.sqrt(18)
    bits = separation(to_tree(close))
    assert bits is not None
    assert math.log2(abs(float(close))) >= -bits
    assert sign(to_tree(close), {}) == 1


@pytest.mark.parametrize("number", [sp.pi, sp.exp(1), sp.log(2), sp.sqrt(2) ** sp.sqrt(2)], ids=str)
def test_other_numbers_have_no_bound(number: Any) -> None:

    assert separation(to_tree(number)) is None


def test_a_power_too_large_has_none() -> None:
    assert separation(("^", ("q", 2, 1), ("q", 10**7, 1))) is None
