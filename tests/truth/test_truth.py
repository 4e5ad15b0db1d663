"""Statements of known truth: they are what they say, and no verdict on them is wrong."""

import time

import numpy as np
import pytest

from boundaudit import Point
from boundaudit.checks.evidence.sweep import sweep_points

from .catalogue import named, statements
from .exactly import holds, sides
from .judging import is_wrong, judge_apart
from .long_sums import CLOSED, at_once
from .random_statements import random_truths
from .statement import NO_VALUE, Truth

FEW = (
    "log below its tangent",
    "Hoeffding's lemma with 9",
    "logarithm below 5",
    "an inverse",
    "a bump at 0",
    "Markov",
    "harmonic numbers grow faster than the logarithm",
    "log 2 to eight digits",
)
"""A few of the catalogue; ``python -m tests.truth`` judges all."""
POINTS = 2
REST = (0, 0, 0, 0)
BY_HAND = {
    "space: resolvents of two maps": (1, 1, 1, 2, 1, 0, 0, 0, 0, 1, *REST),
    "space: resolvents of ordered maps": (1, 1, 1, 3, 2, 0, 2, 0, 0, 2, *REST),
}
"""Points of domains in which a search meets, after ten seconds, the one where both maps are 0: values in order."""


def assert_true_to(truth: Truth) -> None:
    """At the point where it fails or has no value, and at some others, the statement is what it says."""
    if truth.holds is NO_VALUE:
        with pytest.raises(ArithmeticError):
            holds(truth, truth.at)
    elif truth.holds is False:
        assert not holds(at_once(truth), truth.at)
    else:
        assert all(holds(truth, point) for point in sweep_points(truth.domain, 4, 0))


def assert_judged(truth: Truth) -> None:
    outcome = judge_apart(truth)
    assert not is_wrong(truth, outcome.verdict), f"{truth.name} ({truth.holds}): {outcome}"
    assert not outcome.verdict.startswith("over"), f"{truth.name}: {outcome}"


@pytest.mark.slow
def test_the_catalogue() -> None:
    every = list(statements())
    names = [truth.name for truth in every]
    assert len(set(names)) == len(names)
    textbook = [truth for truth in every if truth.textbook]
    assert len(textbook) == 59
    assert all(truth.holds is True for truth in textbook)
    # of a statement that is not written out yet the values are why it does not hold
    assert all(bool(truth.at) is (truth.holds is not True) for truth in every if "at" in vars(truth))


@pytest.mark.acceptance
def test_what_is_called_false_fails_and_what_is_called_without_value_has_none() -> None:
    for truth in statements():
        if truth.holds is not True:
            assert_true_to(truth)


@pytest.mark.slow
@pytest.mark.parametrize("name", CLOSED)
def test_what_a_long_sum_comes_to_is_what_its_terms_add_up_to(name: str) -> None:
    added_up, formula = (sides(truth, {"n": 40})[0] for truth in (named(name), at_once(named(name))))
    assert abs(added_up - formula) < 10**-6


@pytest.mark.slow
def test_random_statements_are_what_they_say() -> None:
    truths = random_truths(0, 40)
    assert {truth.holds for truth in truths} == {True, False, NO_VALUE}
    for truth in truths:
        assert_true_to(truth)


@pytest.mark.acceptance
def test_what_is_called_true_holds_at_samples() -> None:
    for truth in statements():
        if truth.holds is True:
            points = [point for point in some_of(truth) if point.get("n", 0) <= 1000]
            assert all(holds(truth, point) for point in points), truth.name


def some_of(truth: Truth) -> list[Point]:
    """Random points; of a domain whose relations exclude all of them some of a grid, if one has any, or one by hand."""
    domain = truth.domain
    if truth.name in BY_HAND:
        point = dict(zip(domain.ranges, BY_HAND[truth.name], strict=True))
        assert domain.contains(point)
        return [point]
    drawn = map(domain.from_unit, np.random.default_rng(0).random((POINTS, 32)))
    grids = (domain.grid(size)[:POINTS] for size in (POINTS, 12, 64))
    return [point for point in drawn if point is not None] or next(filter(None, grids), [])


@pytest.mark.acceptance
@pytest.mark.parametrize("name", FEW)
def test_a_few_are_judged_rightly(name: str) -> None:
    assert_judged(named(name))


@pytest.mark.slow
@pytest.mark.parametrize("truth", random_truths(2, 6), ids=lambda truth: truth.name)
def test_a_random_sample_is_judged_rightly(truth: Truth) -> None:
    assert_judged(truth)


class _Hungry:
    """A statement that takes 300 MB to write down."""

    def claim(self) -> object:
        held = bytearray(300 * 2**20)
        held[::4096] = b"1" * len(held[::4096])
        return object() if time.sleep(2) is None else held


@pytest.mark.slow
def test_memory_counts_from_what_the_parent_holds() -> None:
    modest = named(FEW[0])
    imports = bytearray(400 * 2**20)
    imports[::4096] = b"1" * len(imports[::4096])
    assert judge_apart(modest, megabytes=250).verdict == "proved"
    assert judge_apart(_Hungry(), megabytes=250).verdict == "over memory"  # type: ignore[arg-type]
