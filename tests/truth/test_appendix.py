"""No engine proves what is false about alternatives, products and recursions, where nothing looks for its failure."""

import pytest
from tests.statements import form_of

from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import ENGINES, prove

from .appendix import ALTERNATIVES, MORE, PRODUCTS, RECURSIONS, STATEMENTS
from .exactly import holds
from .statement import Truth

FALSE = [truth for truth in STATEMENTS if truth.holds is False]
BLIND = [name for name in ENGINES if name != "probe"]
QUICK = Budget(boxes=200, steps=120_000, columns=400, depth=4)


def test_each_kind_has_true_ones_and_false_ones() -> None:
    assert [{truth.holds for truth in found} for found in (ALTERNATIVES, PRODUCTS, RECURSIONS, MORE)] == [
        {True, False}
    ] * 4
    assert len(FALSE) >= 30


def test_a_false_one_fails_at_a_point_of_its_domain() -> None:
    for truth in FALSE:
        point = {name: truth.at[name] for name in truth.domain.ranges}
        assert truth.domain.contains(point) is True, truth.name
        assert not holds(truth, point), truth.name


def outcome(truth: Truth) -> str:
    return prove(form_of(truth.claim()), engines=BLIND, budget=QUICK).outcome


@pytest.mark.slow
def test_with_the_same_budget_they_prove_a_true_one_of_each_kind() -> None:
    proved = ("squares beyond one", "a product that telescopes", "a linear recursion", "doubling")
    for kind, name in zip((ALTERNATIVES, PRODUCTS, RECURSIONS, MORE), proved, strict=True):
        assert [outcome(truth) for truth in kind if truth.name == name] == ["proved"]


@pytest.mark.slow
@pytest.mark.parametrize("truth", FALSE, ids=lambda truth: truth.name)
def test_what_is_false_is_not_proved_blindly(truth: Truth) -> None:
    assert outcome(truth) != "proved"
