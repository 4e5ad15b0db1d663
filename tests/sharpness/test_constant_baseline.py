"""The best constant predictor against brute force over all inputs and a grid of constants."""

import itertools
import math
import random

import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.sharpness import constant_baseline
from boundaudit.numeric.sharpness.constant_baseline import Law, best_constant, constant_risk, law
from boundaudit.numeric.sharpness.target import Target


def pairs(count: int, length: int, coefficient: float) -> Target:
    return Target(length, tuple((2 * n + 1, 2 * n + 2) for n in range(count)), (coefficient,) * count)


def values_of(target: Target) -> list[float]:
    """F at every input, by counting ones."""
    terms = list(zip(target.components, target.coefficients, strict=True))
    inputs = itertools.product((0, 1), repeat=target.length)
    return [sum(c for part, c in terms if sum(x[n - 1] for n in part) % 2 == 0) for x in inputs]


def random_targets(count: int) -> list[Target]:
    rng = random.Random(3)
    made = []
    for _ in range(count):
        length = rng.randint(2, 7)
        subsets = list(itertools.combinations(range(1, length + 1), rng.randint(1, length)))
        parts = rng.sample(subsets, rng.randint(1, min(length, len(subsets))))
        equal = rng.random() < 0.5
        weights = [0.5 if equal else rng.choice([-1, 1]) * rng.uniform(0.1, 1) for _ in parts]
        made.append(Target(length, tuple(parts), tuple(weights)))
    return made


@pytest.mark.parametrize("target", random_targets(12))
def test_law_and_risk(target: Target) -> None:
    values = values_of(target)
    found = law(target)
    distinct = sorted({round(value, 9) for value in values})
    shares = [sum(abs(value - one) < 1e-8 for value in values) / len(values) for one in distinct]
    assert found.values.tolist() == pytest.approx(distinct, abs=1e-8)
    assert found.probabilities.tolist() == pytest.approx(shares, abs=1e-14)
    mean = sum(values) / len(values)
    assert constant_risk(target) == pytest.approx(sum((v - mean) ** 2 for v in values) / len(values), rel=1e-12)
    for clip in (0.05, 0.3, 1.0):
        constants = torch.linspace(min(values), max(values), 2001, dtype=torch.float64)
        loss = (torch.tensor(values, dtype=torch.float64)[:, None] - constants).square().clamp(max=clip).mean(0)
        risk = constant_risk(target, clip)
        assert float(loss.min()) - 2e-3 * (max(values) - min(values) + 1e-9) < risk <= float(loss.min()) + 1e-12


def test_ten_pairs() -> None:
    target = pairs(10, 20, 0.1**0.5)
    by_hand = ((420 * 1 + 240 * 4 + 90 * 9) / 10 + 22) / 1024
    assert constant_risk(target, 1.0) == pytest.approx(by_hand, rel=1e-13)
    assert by_hand == pytest.approx(0.2353515625, abs=0)
    assert constant_risk(target) == pytest.approx(0.25, rel=1e-14)
    assert constant_risk(target, 10.0) == pytest.approx(0.25, rel=1e-13)
    assert 1e-6 < 0.25 - constant_risk(target, 2.5) < 3e-6


def test_dependent_components() -> None:
    """{1,2}, {2,3}, {1,3}: the three parities add up to an even number, so that f is 1/2 or 3/2."""
    found = law(Target(3, ((1, 2), (2, 3), (1, 3)), (0.5, 0.5, 0.5)))
    assert found.values.tolist() == pytest.approx([0.5, 1.5])
    assert found.probabilities.tolist() == pytest.approx([0.75, 0.25])


def test_long_input() -> None:
    """Thirty equal coins of two hundred bits: the clip at 1/100 leaves the middle value."""
    risk = constant_risk(pairs(30, 200, 1.0), 0.01)
    assert risk == pytest.approx(0.01 * (1 - math.comb(30, 15) / 2**30), rel=1e-12)


def test_batches() -> None:
    rows = torch.tensor([[0.0, 1.0], [0.0, 3.0]], dtype=torch.float64)
    found = best_constant(Law(rows, torch.full_like(rows, 0.5)), 1.0)
    assert found.risk.tolist() == pytest.approx([0.25, 0.5])


@pytest.mark.parametrize("clip", [0.0, -1.0, math.nan])
def test_bad_clip(clip: float) -> None:
    with pytest.raises(InputError, match="clip"):
        constant_risk(pairs(1, 2, 1.0), clip)


def test_too_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty-one coins and a component that is the sum of two; and coins of different weights."""
    parts = (*((2 * n + 1, 2 * n + 2) for n in range(21)), (1, 2, 3, 4))
    with pytest.raises(InputError, match="clip"):
        constant_risk(Target(42, parts, (1.0,) * 22), 1.0)
    monkeypatch.setattr(constant_baseline, "ATOMS", 2**6)
    weights = tuple(1 + 2.0**-n for n in range(1, 8))
    with pytest.raises(InputError, match="clip"):
        constant_risk(Target(42, parts[:7], weights), 1.0)
    assert constant_risk(Target(42, parts[:7], (1.0,) * 7), 100.0) == pytest.approx(7 / 4, rel=1e-13)
