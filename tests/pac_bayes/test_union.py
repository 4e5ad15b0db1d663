"""The union ledger: it adds up exactly and cannot be overspent."""

from fractions import Fraction

import numpy as np
import pytest

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import PacBayesSetting, UnionLedger, paid_bound


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


def test_exact_sums_of_random_shares_stay_within_their_parts() -> None:
    generator = np.random.default_rng(0)
    for part, choices in zip(generator.random(500) / 2, generator.integers(1, 10**6, 500), strict=True):
        ledger = UnionLedger(0.5)
        share = ledger.spend("grid", part, choices)
        assert Fraction(share) * int(choices) <= Fraction(float(part))
        assert share * int(choices) == pytest.approx(part, rel=1e-15)
        assert Fraction(ledger.left) + Fraction(float(part)) <= Fraction(0.5)


@pytest.mark.parametrize("whole", [0.0, 1.0, -0.1, 2.0, float("nan"), True, "0.1"])
def test_the_whole_is_a_probability(whole: float) -> None:
    with pytest.raises(InputError, match="delta"):
        UnionLedger(whole)


@pytest.mark.parametrize(
    ("delta", "choices"),
    [
        (0.0, 1), (-0.01, 1), (0.2, 1), (0.01, 0), (float("nan"), 1), (True, 1), (0.01, 1.5), (0.01, float("nan")),
        (0.01, True), (0.01, -2), (0.01, 2.0), (5e-324, 3), (0.01, "2"),
    ],
)  # fmt: skip
def test_what_cannot_be_spent(delta: float, choices: int) -> None:
    ledger = UnionLedger(0.1)
    with pytest.raises(InputError):
        ledger.spend("event", delta, choices)
    assert ledger.entries == []


def test_numbers_of_arrays_are_spent_as_the_floats_that_they_are() -> None:
    ledger = UnionLedger(np.float64(0.1))
    assert ledger.spend("grid", np.float32(0.01), np.int64(4)) == pytest.approx(0.0025)
    assert [type(value) for value in ledger.entries[0]] == [str, float, int]


@pytest.mark.parametrize(("choices", "draws"), [({"σ": 1.5, "C": 2}, None), ({"σ": -1, "C": -1}, None), ({}, 0)])
def test_what_a_paid_bound_does_not_count(choices: dict[str, int], draws: int | None) -> None:
    at = PacBayesSetting(
        risk=0.1, kl=10, samples=1000, delta=0.05, form="maurer", parameters={}, draws=draws, choices=choices
    )
    with pytest.raises(InputError, match="whole number"):
        paid_bound(at)
