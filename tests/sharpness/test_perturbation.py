"""Noise on every parameter: against one network at a time, and intervals against binomial sums."""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.enumeration import Inputs, bit_strings
from boundaudit.numeric.sharpness import perturbation as noise
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.exactness import exactness
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.measurement import measure
from boundaudit.numeric.sharpness.perturbation import few_inputs, perturbation, quantiles
from boundaudit.numeric.sharpness.target import Target, TargetBatch

from .cases import MIXED, TARGETS, paper_example

PAIRS = TARGETS["three pairs"]
ALL = Inputs(6, "all", 64)


def one_by_one(target: Target, layout: Any, sigma: float, draws: int, seed: int) -> tuple[list[float], list[float]]:
    """Root mean square and largest error of each noisy network, entries drawn one block after another."""
    batch, generator = TargetBatch.stack([target]), np.random.default_rng(seed)
    bits = bit_strings(target.length, 0, 2**target.length)
    blocks = build(batch, layout=layout)
    rmse, largest = [], []
    for _ in range(draws):
        noisy = [b + sigma * torch.from_numpy(generator.standard_normal(b.shape)) for _, b in blocks.named()]
        outputs = forward(blocks.with_weights(noisy), batch, bits)[0].tolist()
        errors = []
        for row, output in zip(bits.int().tolist(), outputs, strict=True):
            even = [sum(row[p - 1] for p in s) % 2 == 0 for s in target.components]
            errors.append(abs(output - sum(c for c, e in zip(target.coefficients, even, strict=True) if e)))
        rmse.append(math.sqrt(sum(e * e for e in errors) / len(errors)))
        largest.append(max(errors))
    return sorted(rmse), sorted(largest)


@pytest.mark.parametrize(("target", "layout"), [(PAIRS, "published"), (MIXED["sizes and signs"], "extended")])
def test_draws_agree_with_one_network_at_a_time(target: Target, layout: Any) -> None:
    record = perturbation(target, Inputs(target.length, "all", 2**target.length), 0.02, 20, seed=5, layout=layout)
    rmse, largest = one_by_one(target, layout, 0.02, 20, 5)
    for found, expected in ((record["rmse"], rmse), (record["max_abs_error"], largest)):
        assert [found[p]["value"] for p in ("0.05", "0.5", "0.95")] == pytest.approx(
            [expected[rank - 1] for rank in (1, 10, 19)], rel=1e-10
        )
        assert found["0.5"]["interval"] == pytest.approx([expected[5], expected[14]], rel=1e-10)
        assert found["0.05"]["interval"] == [None, pytest.approx(expected[3], rel=1e-10)]
        assert found["0.95"]["interval"] == [pytest.approx(expected[16], rel=1e-10), None]


def test_chunks_change_no_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = perturbation(PAIRS, ALL, 0.05, 12, seed=1)
    monkeypatch.setattr(noise, "ENTRIES", 1500)
    monkeypatch.setattr(noise, "BATCH", 10)
    parts = perturbation(PAIRS, ALL, 0.05, 12, seed=1)
    for name in ("rmse", "max_abs_error"):
        for level, found in parts[name].items():
            assert found["value"] == pytest.approx(whole[name][level]["value"], rel=1e-12)


def test_no_noise_leaves_the_network_as_it_is() -> None:
    record = perturbation(PAIRS, ALL, 0, 40)
    errors = exactness(PAIRS, ALL)
    for level in ("0.05", "0.5", "0.95"):
        assert record["rmse"][level]["value"] == pytest.approx(math.sqrt(errors.mean_squared_error), rel=1e-12)
        assert record["max_abs_error"][level]["value"] == pytest.approx(errors.max_abs_error, rel=1e-12)


def test_seeds_and_inputs_of_the_record() -> None:
    one, same, other = (perturbation(PAIRS, ALL, 0.1, 10, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one["rmse"] != other["rmse"]
    assert (one["sigma"], one["draws"], one["seed"]) == (0.1, 10, 1)
    assert one["inputs"] == {"mode": "all", "count": 64}


@pytest.mark.slow
def test_inputs_when_nothing_is_said() -> None:
    assert few_inputs(12, 3) == Inputs(12, "all", 4096)
    assert few_inputs(13, 3) == Inputs(13, "random", 4096, 3)
    target = Target(14, ((1, 14),), (1.0,))
    record = measure(target, sigma=0.01, draws=2, seed=3, device="cpu")
    assert record["inputs"] == {"mode": "all", "count": 2**14}
    assert record["perturbation"]["inputs"] == {"mode": "random", "count": 4096, "seed": 3}
    chosen = measure(target, sigma=0.01, draws=2, inputs="random:50", device="cpu")["perturbation"]["inputs"]
    assert chosen == {"mode": "random", "count": 50, "seed": 0}
    assert measure(target, sigma=0.01, draws=2, at="0" * 14)["perturbation"]["inputs"] == {"mode": "at", "count": 1}
    assert "perturbation" not in measure(PAIRS, device="cpu")


def test_an_overflow_is_no_number() -> None:
    record = perturbation(PAIRS, ALL, 1e200, 5)
    assert record["rmse"]["0.5"] == {"value": None, "interval": [None, None]}


@pytest.mark.parametrize("count", [2, 5, 6, 58, 59, 100, 400])
def test_intervals_are_the_narrowest_with_their_tails(count: int) -> None:
    """Ranks by binomial sums in fractions: at most 2.5 % on either side, one rank further in would be more."""
    sample = torch.arange(1, count + 1).double()
    for level, p in (("0.05", Fraction(1, 20)), ("0.5", Fraction(1, 2)), ("0.95", Fraction(19, 20))):
        mass = [math.comb(count, j) * p**j * (1 - p) ** (count - j) for j in range(count + 1)]
        below = list(itertools.accumulate(mass))
        low = [rank for rank in range(1, count + 1) if below[rank - 1] <= Fraction(1, 40)]
        high = [rank for rank in range(1, count + 1) if 1 - below[rank - 1] <= Fraction(1, 40)]
        found = quantiles(sample)[level]
        assert found["interval"] == [max(low, default=None), min(high, default=None)]
        assert found["value"] == math.ceil(count * p)


@pytest.mark.parametrize("sigma", [-1e-9, math.nan, math.inf, "1", None, True])
def test_a_bad_sigma_is_refused(sigma: Any) -> None:
    with pytest.raises(InputError, match="sigma: expected a finite number of at least 0"):
        perturbation(PAIRS, ALL, sigma, 10)


@pytest.mark.parametrize("draws", [1, 0, -5, 2.0, True, 10**6])
def test_bad_draws_are_refused(draws: Any) -> None:
    with pytest.raises(InputError, match="draws: expected an integer from 2"):
        perturbation(PAIRS, ALL, 0.1, draws)


def test_more_noise_errs_more() -> None:
    target = paper_example()
    few = Inputs(20, "random", 64, 0)
    medians = [perturbation(target, few, s, 30)["rmse"]["0.5"]["value"] for s in (0.0, 0.003, 0.01, 0.03)]
    assert medians == sorted(medians)
    assert medians[-1] > 10 * medians[0]
