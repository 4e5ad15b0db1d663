"""The union ledger: it adds up exactly and cannot be overspent."""

from fractions import Fraction

import pytest

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import UnionLedger


def test_shares_are_recorded_and_divided() -> None:
    ledger = UnionLedger(0.05)
    assert ledger.spend("bound", 0.04) == 0.04
    assert ledger.spend("grid", 0.005, choices=20) == 0.00025
    assert [(entry.name, entry.delta, entry.choices) for entry in ledger.entries] == [
        ("bound", 0.04, 1),
        ("grid", 0.005, 20),
    ]
    assert ledger.left == pytest.approx(0.005, rel=1e-12)


def test_the_sum_never_exceeds_the_whole_not_even_by_a_rounding() -> None:
    ledger = UnionLedger(0.3)
    for i in range(3):
        ledger.spend(f"part {i}", min(0.1, ledger.left))
    if ledger.left > 0:
        ledger.spend("rest", ledger.left)
    spent = sum((Fraction(entry.delta) for entry in ledger.entries), Fraction(0))
    assert spent <= Fraction(0.3)
    with pytest.raises(InputError, match="delta of more"):
        ledger.spend("more", 1e-3)


@pytest.mark.parametrize(("whole", "choices"), [(0.05, 3), (0.05, 280), (0.1, 7), (0.01, 40), (0.015, 65)])
def test_the_shares_of_all_choices_never_exceed_what_is_set_aside(whole: float, choices: int) -> None:
    share = UnionLedger(0.5).spend("grid", whole, choices)
    assert share * choices == pytest.approx(whole, rel=1e-15)
    assert Fraction(share) * choices <= Fraction(whole)


def test_a_hundred_tenths_of_a_tenth() -> None:
    ledger = UnionLedger(0.1)
    taken = 0
    while ledger.left >= 0.001:
        ledger.spend("piece", 0.001)
        taken += 1
    assert taken in (99, 100)
    assert Fraction(0.1) - taken * Fraction(0.001) >= 0


@pytest.mark.parametrize("whole", [0.0, 1.0, -0.1, 2.0, float("nan")])
def test_the_whole_is_a_probability(whole: float) -> None:
    with pytest.raises(InputError, match="delta"):
        UnionLedger(whole)


@pytest.mark.parametrize(("delta", "choices"), [(0.0, 1), (-0.01, 1), (0.2, 1), (0.01, 0), (float("nan"), 1)])
def test_what_cannot_be_spent(delta: float, choices: int) -> None:
    ledger = UnionLedger(0.1)
    with pytest.raises(InputError):
        ledger.spend("event", delta, choices)
    assert ledger.entries == []
