"""Covering-number bounds as numbers: worked cases, how they scale, their guards, and what they refuse."""

import itertools
import math
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate, optimize

from boundaudit import InputError
from boundaudit.numeric.covering import Caps, dudley, generalization_gap, multi_layer_capacity, single_layer_capacity

MODEST = Caps(dim=64, inner=64, key=2, value=2, out=2, read=2)


def _by_allocation(caps: Caps, softmax: float, plus: int) -> float:
    """γ³ map by map from its definition, at equal norms B_X = L = 1."""
    costs = {
        "read": (caps.read**2 * math.log(2 * caps.dim + plus), 1.0),
        "out": (caps.out**2 * math.log(2 * caps.dim * caps.inner + plus), 1.0),
        "value": (caps.value**2 * math.log(2 * caps.dim * caps.inner + plus), 1.0),
        "key": (caps.key**2 * math.log(2 * caps.dim**2 + plus), softmax),
    }
    return sum(a ** (1 / 3) * b ** (2 / 3) for a, b in costs.values()) ** 3


@pytest.mark.parametrize(
    ("softmax", "constant", "pinned"), [("published", 2.0, 3073.280944), ("sharp", 1.0, 1999.726912)]
)
def test_single_layer(softmax: str, constant: float, pinned: float) -> None:
    found = single_layer_capacity(MODEST, softmax=softmax)
    assert found.total == pytest.approx(_by_allocation(MODEST, constant, 1), rel=1e-13)
    assert found.total == pytest.approx(pinned, abs=5e-7)
    assert sum(found.shares.values()) == pytest.approx(1, rel=1e-14)


def test_single_layer_with_rows() -> None:
    caps = replace(MODEST, read=1)
    found = single_layer_capacity(caps, softmax="sharp", norms="rows").total
    assert found == pytest.approx(_by_allocation(caps, 1.0, 0), rel=1e-13)
    assert found == pytest.approx(1561.9953, abs=5e-5)


@pytest.mark.parametrize(("layers", "published", "sharp"), [
    (1, 3073.280944, 1999.726912), (2, 119016.437, 28185.181), (6, 5.6886896e10, 6.95748e7),
    (12, 1.39259711e19, 2.91917061e12),
])  # fmt: skip
def test_many_layers(layers: int, published: float, sharp: float) -> None:
    assert multi_layer_capacity(MODEST, layers).total == pytest.approx(published, rel=1e-8)
    assert multi_layer_capacity(MODEST, layers, softmax="sharp").total == pytest.approx(sharp, rel=1e-7)


def test_gain_at_twelve_layers_in_the_rademacher_scale() -> None:
    published, sharp = multi_layer_capacity(MODEST, 12), multi_layer_capacity(MODEST, 12, softmax="sharp")
    assert math.exp((published.log_total - sharp.log_total) / 2) == pytest.approx(2184.15, abs=0.01)


def test_a_thousand_layers_stay_finite_in_logarithms() -> None:
    found = multi_layer_capacity(MODEST, 1000)
    assert found.total == math.inf
    assert found.log_total == pytest.approx(2 * 999 * math.log(5), rel=0.01)
    assert sum(found.shares.values()) == pytest.approx(1)


@pytest.mark.parametrize("scale", [0.5, 2.0, 7.0])
def test_longer_tokens_are_larger_weights(scale: float) -> None:
    longer = single_layer_capacity(replace(MODEST, token=scale))
    larger = single_layer_capacity(
        replace(MODEST, value=2 * scale, value_operator=scale, key=2 * scale**2, key_operator=scale**2)
    )
    assert longer.total == pytest.approx(larger.total, rel=1e-13)


@pytest.mark.parametrize(("capacity", "samples", "bound"), [(10.0, 100_000, 2.0), (3.0, 10**7, 1.0)])
def test_dudley_is_the_least_integral(capacity: float, samples: int, bound: float) -> None:
    scale = math.sqrt(capacity / samples)

    def value(alpha: float) -> float:
        return 4 * alpha + 12 * integrate.quad(lambda e: scale / e, alpha, bound)[0]

    least = optimize.minimize_scalar(value, bounds=(scale, bound), method="bounded", options={"xatol": 1e-10})
    assert dudley(capacity, samples, bound) == pytest.approx(least.fun, rel=1e-8)


def test_dudley_is_trivial_where_its_closed_form_is_none() -> None:
    assert dudley(8.0, 1, 1.0) == 1.0
    assert dudley(math.inf, 10**9) == 1.0
    assert dudley(10.0, 1000, 2.0) == 2.0  # the closed form says 3.4765
    values = [dudley(3073.280944, m) for m in np.logspace(1, 12, 200).astype(int).tolist()]
    assert all(0 < later <= sooner <= 1 for sooner, later in itertools.pairwise(values))


def test_dudley_and_massart_on_a_linear_class() -> None:
    assert dudley(math.log(129), 10**4) == pytest.approx(0.983045, abs=5e-7)
    assert dudley(math.log(128), 10**4) > 30 * math.sqrt(2 * math.log(128) / 10**4)


def test_samples_from_which_the_bounds_say_something() -> None:
    capacity = single_layer_capacity(MODEST).total
    assert dudley(capacity, 6_033_000) == 1.0 > dudley(capacity, 6_036_000)

    def complexity(samples: int) -> float:
        return generalization_gap(capacity, samples, lipschitz=1.0).complexity

    assert complexity(37_560_000) > 1 > complexity(37_580_000)


def test_gap_has_the_stated_parts() -> None:
    gap = generalization_gap(50.0, 10**8, lipschitz=2.0, bound=3.0, delta=0.1)
    assert gap.complexity == 2 * dudley(200.0, 10**8, 3.0)
    assert gap.tail == pytest.approx(9 * math.sqrt(math.log(20) / 2e8), rel=1e-15)
    assert gap.total == gap.complexity + gap.tail
    assert not gap.vacuous
    assert generalization_gap(50.0, 100).vacuous
    sharp = generalization_gap(50.0, 10**8, lipschitz=2.0, bound=3.0, delta=0.1, tail="sharp")
    assert sharp.tail == pytest.approx(3 * math.sqrt(math.log(10) / 2e8), rel=1e-15)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf, True, "2", 1e200, 10**400])
def test_caps_are_positive_numbers(bad: float) -> None:
    with pytest.raises(InputError, match="value"):
        replace(MODEST, value=bad)


def test_extreme_numbers_stay_numbers() -> None:
    assert dudley(5e-324, 10**18) < 1e-150
    huge = replace(MODEST, key=1e150, key_operator=1e150, value=1e150, out_operator=1e150)
    found = multi_layer_capacity(huge, 12)
    assert found.total == math.inf
    assert math.isfinite(found.log_total)
    assert sum(found.shares.values()) == pytest.approx(1)
    assert generalization_gap(found.total, 10**18).vacuous


def test_what_is_refused_names_its_field() -> None:
    for field, call in {
        "softmax": lambda: single_layer_capacity(MODEST, softmax="half"),
        "norms": lambda: single_layer_capacity(MODEST, norms="columns"),
        "layers": lambda: multi_layer_capacity(MODEST, 0),
        "token": lambda: multi_layer_capacity(replace(MODEST, token=2.0), 2),
        "samples": lambda: dudley(1.0, 0),
        "capacity": lambda: dudley(math.nan, 10),
        "delta": lambda: generalization_gap(1.0, 10, delta=1.0),
        "tail": lambda: generalization_gap(1.0, 10, tail="none"),
    }.items():
        with pytest.raises(InputError, match=field):
            call()


def test_numbers_need_no_tensors() -> None:
    program = (
        "import sys, boundaudit.numeric.covering.bounds; sys.exit('torch' in sys.modules or 'sympy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
