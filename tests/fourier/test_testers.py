"""Property tests: rates against enumeration, and trials that keep to them."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.fourier import (
    Directions,
    WalshSpectrum,
    all_odd,
    character_power,
    degree_power,
    degree_sweep,
    degree_test,
    first_accepted_degree,
    least_power,
    query_summary,
    random_sparse,
    rate_interval,
    sparse_values,
    sparsity_levels,
    sparsity_test,
    table_function,
    table_summary,
    trials_needed,
    truth_table,
    walsh_hadamard,
)


def parity(bits: Tensor) -> Tensor:
    return bits[:, :3].sum(-1) % 2


@pytest.mark.parametrize(("size", "blocks"), [(1, 1), (2, 2), (3, 2), (4, 2), (5, 3), (6, 4)])
def test_rates_by_every_way_to_draw_blocks(size: int, blocks: int) -> None:
    ways = list(itertools.product(range(blocks + 1), repeat=size))
    odd = sum(all(Counter(way)[block] % 2 for block in range(blocks)) for way in ways)
    assert all_odd(size, blocks) == Fraction(odd, len(ways))


def test_rates_are_least_one_above_the_degree() -> None:
    assert [least_power(degree) for degree in range(1, 5)] == [
        Fraction(2, 9), Fraction(3, 32), Fraction(24, 625), Fraction(5, 324)
    ]  # fmt: skip
    for blocks in range(1, 7):
        rates = [all_odd(size, blocks) for size in range(1, 40)]
        assert not any(rates[: blocks - 1])
        assert rates[blocks - 1 :] == sorted(rates[blocks - 1 :])
        assert rates[blocks - 1] == rates[blocks] == Fraction(math.factorial(blocks), (blocks + 1) ** blocks)


def test_trials_keep_to_their_rate() -> None:
    test = degree_test(parity, 9, 2, trials=4000, seed=1)
    low, high = test.rejection_rate
    assert low < 3 / 32 < high
    # the parity's only weight above degree 2 is -1/2
    assert test.energy[0] < 1 / 4 < test.energy[1] * 1.2
    assert test.queries == 4000 * 8
    assert degree_power(2, 1 / 4, 1) == pytest.approx(3 / 32)


def test_no_function_of_that_degree_is_rejected() -> None:
    members, weights = random_sparse(6, 12, 3, 9, seed=3)
    for one, coefficients in zip(members, weights, strict=True):
        test = degree_test(lambda x, s=one, c=coefficients: sparse_values(s, c, x), 12, 3, trials=2000)
        assert test.accepted
        assert test.rejection_rate[0] == 0


def test_published_directions_know_another_degree() -> None:
    every = degree_test(lambda bits: bits.sum(-1) % 2, 10, 1, directions="modulo-two")
    assert every.accepted
    single = degree_test(lambda bits: bits[:, 0], 10, 3, trials=4000, directions="xor")
    assert single.rejection_rate[0] < 1 / 16 < single.rejection_rate[1]
    with pytest.raises(InputError, match="modulo two"):
        degree_test(lambda bits: bits.sum(-1) / 2, 4, 1, directions="modulo-two")


@pytest.mark.parametrize("directions", ["disjoint", "positions", "xor"])
def test_rates_of_a_character_by_directions(directions: Directions) -> None:
    test = degree_test(parity, 6, 1, trials=4000, seed=2, directions=directions)
    low, high = test.rejection_rate
    assert low < character_power(3, 1, 6, directions) < high


def test_fewer_trials_by_the_first_rejection() -> None:
    whole = degree_test(parity, 9, 2, trials=2000, seed=3)
    assert whole.first is not None
    assert degree_test(parity, 9, 2, trials=2000, seed=3, stop=True).trials < 2000
    assert degree_test(parity, 9, 3, trials=200, stop=True).first is None
    firsts = [degree_test(parity, 9, 2, trials=500, seed=seed, stop=True).first for seed in range(60)]
    assert sum(first == 1 for first in firsts) < 20
    assert np.mean([first for first in firsts if first]) == pytest.approx(32 / 3, rel=0.4)


def test_a_sweep_finds_the_degree() -> None:
    assert first_accepted_degree(parity, 8) == 3
    assert first_accepted_degree(parity, 8, highest=2) is None
    assert first_accepted_degree(lambda bits: torch.ones(len(bits)), 8) == 0
    assert [test.accepted for test in degree_sweep(parity, 8)] == [False, False, False, True]


def test_directions_show_what_restrictions_fold() -> None:
    members, weights = random_sparse(1, 20, 1, 20, seed=1)
    test = sparsity_test(lambda x: sparse_values(members[0], weights[0], x), 20, 12, trials=8)
    assert max(test.filled) == test.at_least == 21
    assert test.accepts(21)
    assert not test.accepts(20)
    folded = sparsity_test(lambda x: sparse_values(members[0], weights[0], x), 20, 12, trials=8, subspace="restriction")
    assert folded.filled == (13,) * 8
    assert folded.queries == 8 * 2**12


def test_levels_leave_out_what_is_allowed() -> None:
    weights = torch.tensor([3.0, 0, 1, 2, 0, -4, 0, 1e-20], dtype=torch.float64)
    spectrum = WalshSpectrum(weights, torch.tensor(1e-9, dtype=torch.float64))
    expected = {0.0: 4, 0.9: 4, 1.0: 3, 5.0: 2, 29.9: 1, 30.0: 0}
    assert {energy: int(spectrum.sparsity_within(energy)) for energy in expected} == expected
    both = WalshSpectrum(torch.stack([weights, weights.square()]), torch.tensor([1e-9, 0.0], dtype=torch.float64))
    assert both.sparsity_within(0.5).tolist() == [4, 4]
    tiny = sparsity_test(lambda bits: bits[:, :2].double().sum(-1) * 1e-200, 6, 6)
    assert tiny.at_least == 3
    whole = sparsity_levels(table_function(walsh_hadamard(weights) * 8), 3, 3, (0.0, 5.0), subspace="restriction")
    assert whole.tolist() == [[4] * 10, [2] * 10]


@pytest.mark.parametrize("subspace", ["cosets", "restriction"])
def test_never_more_are_shown_than_there_are(subspace: str) -> None:
    for seed in range(5):
        members, weights = random_sparse(1, 10, 3, 6, seed=seed)
        test = sparsity_test(
            lambda x, s=members[0], c=weights[0]: sparse_values(s, c, x), 10, 5, trials=40, seed=seed,
            subspace=subspace,  # type: ignore[arg-type]
        )  # fmt: skip
        assert test.at_least <= 7
        assert min(test.filled) < 7  # five dimensions are too few for every trial


def test_numbers_of_trials() -> None:
    assert trials_needed(3 / 32, 0.05) == 31
    assert (1 - 3 / 32) ** 31 <= 0.05 < (1 - 3 / 32) ** 30
    assert trials_needed(1.0, 0.01) == 1
    for wrong in ((0.0, 0.5), (0.5, 1.0)):
        with pytest.raises(InputError):
            trials_needed(*wrong)


def test_intervals_of_rates() -> None:
    assert rate_interval(0, 100)[0] == 0.0
    assert rate_interval(100, 100)[1] == 1.0
    assert rate_interval(0, 100)[1] == pytest.approx(1 - 0.025 ** (1 / 100))
    low, high = rate_interval(7, 50)
    assert low < 7 / 50 < high


def test_a_table_is_its_own_black_box() -> None:
    values = torch.randn(2**7, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    torch.testing.assert_close(truth_table(table_function(values), 7), values)
    with pytest.raises(InputError, match="length"):
        truth_table(parity, 27)


@pytest.mark.parametrize(
    "answer", [lambda bits: bits, lambda bits: torch.full((len(bits),), torch.nan), lambda bits: bits[:, 0] * 1j]
)
def test_answers_that_are_no_numbers_are_refused(answer: object) -> None:
    with pytest.raises(InputError, match="function"):
        truth_table(answer, 3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="function"):
        degree_test(answer, 3, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "given"), [("degree", {"degree": 16}), ("trials", {"trials": 0}), ("directions", {"directions": "up"})]
)
def test_wrong_numbers_are_refused(name: str, given: dict[str, object]) -> None:
    with pytest.raises(InputError, match=name):
        degree_test(parity, 4, **{"degree": 1, **given})  # type: ignore[arg-type]
    with pytest.raises(InputError, match="bits"):
        sparsity_test(parity, 4, 5, subspace="restriction")
    with pytest.raises(InputError, match="subspace"):
        sparsity_test(parity, 4, 2, subspace="all")  # type: ignore[arg-type]


def test_the_summary_of_a_model() -> None:
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
    values = truth_table(lambda bits: model(bits.float())[:, 0], 6)
    found = table_summary(values.float(), trials=50)
    assert found["degree"] == 6
    assert found["degree_within"]["0.1"] < 6
    assert sum(found["energies"]) == pytest.approx(float(values.square().mean()), rel=1e-6)
    np.testing.assert_allclose(found["variance"], float(values.var(correction=0)), rtol=1e-5)
    coarse = table_summary(values, tolerance=0.9, trials=10)
    assert coarse["characters"] <= 1
    with pytest.raises(InputError, match="tolerance"):
        table_summary(values, tolerance=-1)


def test_a_black_box_too_long_for_a_table() -> None:
    seen = query_summary(parity, 60, trials=300)
    assert seen["first_accepted_degree"] == 3
    assert [row["degree"] for row in seen["degree"]] == [0, 1, 2, 3]
    assert seen["sparsity"]["at_least"] == 2
    assert seen["sparsity"]["at_least_restricted"] <= 2
