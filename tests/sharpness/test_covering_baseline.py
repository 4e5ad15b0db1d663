"""The covering baseline's curve: its aggregate and the (2,1) norms that enter it."""

import math

import pytest

from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.sharpness import covering_baseline as theorem
from boundaudit.derivations.sharpness.parameters import D, omega
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.target import Target, TargetBatch

NORM = 227 + 120 * math.log(20) ** 2


def curve(samples: float, *, log: bool) -> float:
    growth = math.log(440 * samples) / math.log(440e6) if log else 1
    return 1.01 * math.sqrt(growth * 1e6 / samples)


def test_formulas_are_these_curves() -> None:
    for samples in (10**6, 10**9):
        assert float(theorem.WITH_LOG.subs(m, samples)) == pytest.approx(curve(samples, log=True), rel=1e-12)


def test_norms_of_the_first_attention_at_e3() -> None:
    pairs = tuple((2 * n + 1, 2 * n + 2) for n in range(10))
    weight = build(TargetBatch.stack([Target(20, pairs, (10**-0.5,) * 10)])).W1[0]
    assert float(weight.norm()) == pytest.approx(26.794644, rel=1e-7)
    assert float(weight.norm(dim=0).sum()) == pytest.approx(84.7321, rel=1e-6)
    assert float(weight.norm(dim=0).sum()) < math.sqrt(22) * float(weight.norm())


@pytest.mark.parametrize(("size", "count"), [(1, 2), (1, 10), (2, 5), (3, 4), (4, 10)])
def test_columns_of_the_first_attention_of_components_side_by_side(size: int, count: int) -> None:
    sets = tuple(tuple(range(n * size + 1, (n + 1) * size + 1)) for n in range(count))
    weight = build(TargetBatch.stack([Target(size * count, sets, (count**-0.5,) * count)])).W1[0]
    found, sizes = float(weight.norm(dim=0).sum()), {D: size, omega: count}
    assert found == pytest.approx(float(theorem.FIRST.subs(sizes)), rel=1e-13)
    converted = math.sqrt(len(weight)) * float(weight.norm())
    assert converted == pytest.approx(float(theorem.FIRST_CONVERTED.subs(sizes)), rel=1e-13)
