"""Verdicts on statements of known truth, many of them: what is false falls in the smoke profile."""

import numpy as np
import pytest
import sympy as sp
from tests.statements import claim, collected

from boundaudit import Domain, ForAll, Integers, Reals, Vector
from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.evidence.evidence import Evidence
from boundaudit.checks.evidence.sweep import coverage

from . import campaign as campaigns
from .campaign import Judged, campaign, statements, summary, told
from .corners import STATEMENTS
from .random_polynomials import FAMILIES, random_polynomials
from .statement import Truth, n, x, y
from .test_truth import assert_true_to

MISSED = 0.02
"""The share of false statements that the smoke profile may miss."""


@pytest.mark.acceptance
@pytest.mark.parametrize("truth", STATEMENTS, ids=lambda truth: truth.name)
def test_what_fails_in_a_corner_is_refuted(truth: Truth) -> None:
    assert_true_to(truth)
    (judged,) = campaign([truth], ["smoke"])
    assert not judged.is_wrong
    assert (judged.verdict == "refuted") is (truth.holds is False), told(judged)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["no integer between 0 and 1", "a step that is short enough"])
def test_what_holds_beside_it_is_proved(name: str) -> None:
    truth = next(truth for truth in STATEMENTS if truth.name == name)
    found = collected(truth.claim())
    assert found.verdict == "proved"


@pytest.mark.slow
def test_random_polynomials_are_what_they_say() -> None:
    truths = random_polynomials(5, 60)
    assert {truth.holds for truth in truths} == {True, False}
    assert any(truth.thin for truth in truths)
    assert len(FAMILIES) >= 14
    for truth in truths:
        assert_true_to(truth)
        assert truth.holds or truth.domain.contains(truth.at) is True


@pytest.mark.acceptance
def test_a_small_campaign() -> None:
    count = 16
    judged = list(campaign(statements(11, count), ["smoke"]))
    assert not [told(found) for found in judged if found.is_wrong]
    false = [found for found in judged if found.truth.holds is False]
    assert len(false) > 0.7 * count
    assert sum(found.is_missed for found in false) <= MISSED * len(false), [told(f) for f in false if f.is_missed]


def test_a_search_that_finds_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A campaign that could not fail would say nothing: with a blind search it fails."""
    seen = Evidence("search", "holds", "nothing", 1)
    monkeypatch.setattr(campaigns, "search", lambda *_, **__: seen)
    monkeypatch.setattr(campaigns, "exact_points", lambda *_: Evidence("exact sample", "holds", "a point", 1))
    judged = list(campaign([truth for truth in STATEMENTS if truth.name == "an integer between 0 and 2"], ["smoke"]))
    assert [found.verdict for found in judged] == ["refuted"]  # by the sweep
    needle = Truth("a needle", (n - 900) ** 2, ">=", 1, Domain({n: Integers(0)}), False, "zero there", {"n": 900})
    (judged_needle,) = campaign([needle], ["smoke"])
    assert judged_needle.is_missed
    assert "100.00%" in summary([judged_needle])
    assert "n = 900" in told(judged_needle)


def test_a_verdict_over_a_violation_is_wrong() -> None:
    truth = next(truth for truth in STATEMENTS if truth.holds is False)
    assert Judged(truth, "smoke", "supported", True, 0.0).is_wrong
    assert not Judged(truth, "smoke", "supported", False, 0.0).is_wrong
    assert Judged(truth, "smoke", "proved", False, 0.0).is_wrong


@pytest.mark.slow
def test_where_few_points_satisfy_the_hypotheses_nothing_is_supported() -> None:
    """Solutions of n² - 2m² = 1: few of them are below a hundred, and what is said of them is false at n = 3363."""
    m = sp.Symbol("m", integer=True)
    pell = Domain({n: Integers(1), m: Integers(1)}, where=[n**2 - 2 * m**2 <= 1, n**2 - 2 * m**2 >= 1])
    found = collected(claim(sp.sin(n), "<=", sp.Rational(99, 100), pell))
    assert found.verdict == "undecided"
    assert found.reason.startswith("not searched: only")


def test_a_recursion_that_exact_numbers_do_not_obey_is_to_be_an_inequality() -> None:
    steps, i = sp.IndexedBase("x", real=True), sp.Symbol("i", integer=True, positive=True)
    step = ForAll(sp.Eq(steps[i + 1], steps[i] + sp.exp(-steps[i])), (i, 1, n - 1))
    slow = claim(steps[n], "<=", sp.log(n) + steps[1] + 1,
                 Domain({n: Integers(1, tested_to=8), steps: Vector(n, Reals(0))}, where=[step]))  # fmt: skip
    batch = Batch.measure(slow, [{"n": 1, "x": (0,)}, {"n": 1, "x": (1,)}], "cpu")
    assert coverage(slow, batch, 150).covers.endswith("state the inequality that is needed of it")


def test_a_surface_is_sampled() -> None:
    """A circle as two inequalities: points drawn from the ranges miss it, those on lines through its corners do not."""
    circle = Domain({x: Reals(), y: Reals()}, where=[x**2 + y**2 <= 1, x**2 + y**2 >= 1])
    points = circle.sample(150, np.random.default_rng(0))
    assert len({tuple(point.values()) for point in points}) >= 40
    assert all(point["x"] ** 2 + point["y"] ** 2 == 1 for point in points)
