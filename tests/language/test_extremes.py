"""The largest and the smallest of expressions over an index are those of the entries, at every point."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp
from tests.statements import claim

from boundaudit import Claim, InputError, Integers, Maximum, Minimum, Reals, Space, Vector

i, n, t = sp.symbols("i n t", integer=True, positive=True)
v = sp.IndexedBase("v", real=True)
m = sp.Symbol("m", real=True)
VECTOR: dict[Any, Any] = {n: Integers(1), v: Vector(n, Reals())}
ENTRIES = (-2, 0, 1)


@pytest.mark.parametrize(("kind", "of"), [(Maximum, max), (Minimum, min)])
def test_the_indices_admitted_are_those_where_it_is_attained(kind: Any, of: Callable[[Any], int]) -> None:
    domain, (side,) = Space(VECTOR).written_out([kind(v[i] ** 2 - v[i], (i, 1, n))])
    index = list(domain.ranges)[-1]
    for length in (1, 2, 3):
        for entries in itertools.product(ENTRIES, repeat=length):
            values = [entry**2 - entry for entry in entries]
            admitted = [k for k in range(1, length + 1) if domain.contains({"n": length, "v": entries, index: k})]
            assert admitted == [k for k, value in enumerate(values, 1) if value == of(values)]
            place = next(symbol for symbol in side.free_symbols if symbol.name == index)
            assert {side.subs(place, k).subs({v[j]: e for j, e in enumerate(entries, 1)}) for k in admitted} == {
                of(values)
            }


def _claim(left: Any, *where: Any) -> Claim:
    return claim(left, "<=", 1, Space({**VECTOR, m: Reals()}, where))


def test_a_claim_reads_as_it_was_written() -> None:
    claim = _claim(Maximum(v[i], (i, 1, n)), Minimum(v[i], (i, 1, n)) >= m)
    claim.validate()
    assert claim.text == "Maximum(v[i], (i, 1, n)) <= 1"
    assert claim.latex == r"\max_{1 \le i \le n} {v}_{i} \le 1"
    assert list(claim.domain.ranges) == ["n", "v", "m", "argmax(v[i])", "argmin(v[i])"]
    assert not claim.domain.contains({"n": 2, "v": (0, 3), "m": 1, "argmax(v[i])": 2, "argmin(v[i])": 1})


@pytest.mark.parametrize(("left", "message"), [
    (sp.Sum(Maximum(v[i] * t, (i, 1, n)), (t, 1, n)), "the same at each index around it"),
    (Maximum(v[i], (i, 1, n)) + Maximum(v[i], (i, 1, 2)), "one range of the index"),
])  # fmt: skip
def test_what_cannot_be_written_out_is_one_line(left: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        _claim(left).validate()


def test_an_index_has_two_ends() -> None:
    with pytest.raises(InputError, match=r"Maximum: expected an index with two ends"):
        Maximum(v[i], (i, n))
