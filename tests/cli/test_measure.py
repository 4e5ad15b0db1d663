"""`boundaudit measure`: every number for one target against an evaluation that shares no code with it."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from mpmath import mp, mpf
from tests.command import Call

LENGTH, SETS, WEIGHTS = 6, ((1, 2), (3, 6), (2, 5)), ("0.6", "0.64", "0.48")
DEGREE, SPARSITY = 2, 3
TARGET = {"length": LENGTH, "components": SETS, "coefficients": [float(weight) for weight in WEIGHTS]}
FLANK = {"steep": 1, "wide": 2}
"""Width of a trapezoid's flank in units of 1/(4D)."""


@pytest.fixture(autouse=True)
def _thirty_digits() -> Any:
    with mp.workdps(30):
        yield


@pytest.fixture
def measure(call: Call) -> Any:
    Path("target.json").write_text(json.dumps(TARGET), encoding="utf-8")

    def run(*options: object) -> Any:
        ended = call("measure", "target.json", *options, "--device", "cpu", "--json")
        assert ended.code == 0, ended.err
        return ended.json

    return run


def norms(mlp: str, scale: int = 2) -> dict[str, mpf]:
    """Squared norms from the entries that the construction lists (Appendix B)."""
    u, log_t, weights = FLANK[mlp], mp.log(LENGTH), [mpf(weight) for weight in WEIGHTS]
    grid = [mpf(i) / DEGREE for i in range(DEGREE + 1)]
    offsets = [mpf(offset) / (4 * DEGREE) for offset in (-1 - u, -1, 1, 1 + u)]
    found = {
        "W1": sum((scale * log_t) ** 2 for _ in range(SPARSITY * DEGREE)), "V1": mpf(1), "M": mpf(4 * len(grid)),
        "Gamma": sum((offset - h) ** 2 for h in grid for offset in offsets),
        "F": sum((mpf(4 * DEGREE) / u) ** 2 * 4 for i in range(len(grid)) if i % 2 == 0),
        "W2": sum((mp.log(c) + scale * log_t) ** 2 for c in weights), "V2": sum(weights) ** 2,
    }  # fmt: skip
    return found | {"total": sum(found.values())}


def wave(x: Fraction, mlp: str) -> Fraction:
    """The MLP at s = x/D: a trapezoid about every even grid point, in quarters of the grid."""
    u = FLANK[mlp]
    heights = ((1 + u - 4 * abs(x - i)) / Fraction(u) for i in range(0, DEGREE + 1, 2))
    return sum((min(max(height, Fraction(0)), Fraction(1)) for height in heights), Fraction(0))


def errors(mlp: str, scale: int = 2) -> dict[tuple[int, ...], Fraction]:
    """Network minus target for every input, by both softmaxes in exact arithmetic (integer scale: T^λ is rational)."""
    weights, power, rows = [Fraction(weight) for weight in WEIGHTS], Fraction(LENGTH) ** scale, LENGTH + 1
    found = {}
    for bits in itertools.product((0, 1), repeat=LENGTH):
        counts = [sum(bits[position - 1] for position in chosen) for chosen in SETS]
        ones = sum(bits)
        leaks = DEGREE * power + rows - DEGREE
        active = [wave(DEGREE * (k * power + ones - k) / leaks, mlp) for k in counts]
        idle = wave(DEGREE * Fraction(ones, rows), mlp)
        total = sum(weights)
        mass = total * power + rows - SPARSITY
        output = total * (sum(c * power * g for c, g in zip(weights, active, strict=True)) + (rows - SPARSITY) * idle)
        target = sum((c for c, k in zip(weights, counts, strict=True) if k % 2 == 0), Fraction(0))
        found[bits] = output / mass - target
    return found


@pytest.mark.parametrize("mlp", FLANK)
def test_every_norm_to_twelve_digits(measure: Any, mlp: str) -> None:
    found = measure("--mlp", mlp)["norms_squared"]
    expected = norms(mlp)
    assert set(found) == set(expected)
    for block, value in expected.items():
        assert abs(found[block] - value) <= 1e-12 * value, block


@pytest.mark.parametrize("mlp", FLANK)
@pytest.mark.parametrize("scale", [2, 3])
def test_every_error_to_twelve_digits(measure: Any, mlp: str, scale: int) -> None:
    found = measure("--mlp", mlp, "--scale", scale)
    by_input = errors(mlp, scale)
    squares = [error**2 for error in by_input.values()]
    leak = Fraction(172, 100) * 4 / (Fraction(172, 100) * LENGTH**scale + 4)
    assert found["exactness"]["max_abs_error"] == pytest.approx(float(max(map(abs, by_input.values()))), abs=1e-12)
    assert found["exactness"]["mean_squared_error"] == pytest.approx(float(sum(squares) / 64), abs=1e-12)
    assert found["exactness"]["leak_bound"] == pytest.approx(float(leak), rel=1e-12)
    assert found["inputs"] == {"mode": "all", "count": 64}
    assert abs(found["norms_squared"]["W2"] - norms(mlp, scale)["W2"]) <= 1e-12 * found["norms_squared"]["W2"]


@pytest.mark.parametrize("mlp", FLANK)
def test_the_pruned_network_errs_alike_with_fewer_parameters(measure: Any, mlp: str) -> None:
    whole, pruned = measure("--mlp", mlp), measure("--mlp", mlp, "--pruned")
    channels, units = LENGTH + 2, 4 * (DEGREE // 2 + 1)
    assert pruned["parameters"] == {"count": 3 * channels**2 + 2 * channels * units + channels + units}
    assert pruned["exactness"]["max_abs_error"] == pytest.approx(whole["exactness"]["max_abs_error"], abs=1e-14)
    assert pruned["norms_squared"]["M"] == units
    assert pruned["norms_squared"]["total"] < whole["norms_squared"]["total"] - 4


def signed_errors(sets: list[list[int]], weights: list[str]) -> list[Fraction]:
    """Network minus target of the extension at λ = 2: each row by its own softmax in exact arithmetic."""
    coefficients, power, rows = [Fraction(weight) for weight in weights], LENGTH**2, LENGTH + 1
    degree = max(len(s) + (c < 0) for s, c in zip(sets, coefficients, strict=True))
    total = sum(map(abs, coefficients))

    def g(x: Fraction) -> Fraction:
        heights = (2 - 4 * abs(x - i) for i in range(0, degree + 1, 2))
        return sum((min(max(height, Fraction(0)), Fraction(1)) for height in heights), Fraction(0))

    found = []
    for bits in itertools.product((0, 1), repeat=LENGTH):
        mass, output, target = Fraction(rows - len(sets)), Fraction(0), Fraction(0)
        output += mass * total * g(Fraction(degree * sum(bits), rows))
        for s, c in zip(sets, coefficients, strict=True):
            keys = [power if j + 1 in s else 1 for j in range(LENGTH)]
            keys.append((degree - len(s)) * power or 1)
            share = Fraction(sum(key for key, bit in zip(keys, (*bits, 0), strict=True) if bit), sum(keys))
            value = g(degree * share) if c > 0 else g(degree * share + 1) - 1
            mass, output = mass + abs(c) * power, output + abs(c) * power * total * value
            target += c * (sum(bits[p - 1] for p in s) % 2 == 0)
        found.append(output / mass - target)
    return found


@pytest.mark.parametrize("weights", [["0.6", "0.64", "0.48"], ["0.6", "-0.64", "0.48"], ["-1", "-0.25", "-2"]])
@pytest.mark.parametrize("sets", [[[1, 2], [3], [2, 4, 5]], [[1], [2], [1, 2, 3, 4, 5, 6]], [[1, 2], [3, 6], [2, 5]]])
def test_several_sizes_and_signs_to_twelve_digits(call: Call, sets: list[list[int]], weights: list[str]) -> None:
    target = {"length": LENGTH, "components": sets, "coefficients": [float(weight) for weight in weights]}
    Path("mixed.json").write_text(json.dumps(target), encoding="utf-8")
    found = call("measure", "mixed.json", "--device", "cpu", "--json").json
    errors = signed_errors(sets, weights)
    assert found["exactness"]["max_abs_error"] == pytest.approx(float(max(map(abs, errors))), abs=1e-12)
    assert found["exactness"]["mean_squared_error"] == pytest.approx(float(sum(e * e for e in errors) / 64), abs=1e-12)
    assert found["exactness"]["max_abs_error"] <= found["exactness"]["error_bound"]
    assert found["layout"] == ("extended" if "-" in "".join(weights) else "published")
    assert found["target"]["degrees"] == [len(s) for s in sets]
    assert found["target"]["absolute_sum"] == pytest.approx(sum(abs(float(w)) for w in weights), rel=1e-15)


def test_noise_on_every_parameter(measure: Any, call: Call) -> None:
    found = measure("--sigma", "0.01", "--draws", 30)["perturbation"]
    assert (found["sigma"], found["draws"], found["seed"]) == (0.01, 30, 0)
    assert found["inputs"] == {"mode": "all", "count": 64}
    for name in ("rmse", "max_abs_error"):
        low, middle, high = (found[name][level]["value"] for level in ("0.05", "0.5", "0.95"))
        assert 0 < low < middle < high
        assert found[name]["0.5"]["interval"][0] < middle < found[name]["0.5"]["interval"][1]
    assert measure("--sigma", "0", "--draws", 2)["perturbation"]["rmse"]["0.5"]["value"] == pytest.approx(
        float(sum(error**2 for error in errors("steep").values()) / 64) ** 0.5, rel=1e-12
    )
    shown = call("measure", "target.json", "--sigma", "0.01", "--draws", 30, "--device", "cpu").out
    assert "perturbation rmse 0.5 value" in shown


@pytest.mark.parametrize("bits", ["000000", "100000", "011011"])
def test_one_input(measure: Any, bits: str) -> None:
    found = measure("--at", bits)
    error = abs(float(errors("steep")[tuple(int(bit) for bit in bits)]))
    assert found["exactness"]["max_abs_error"] == pytest.approx(error, abs=1e-12)
    assert found["exactness"]["mean_squared_error"] == pytest.approx(error**2, abs=1e-12)
    assert found["inputs"] == {"mode": "at", "count": 1}


def test_the_ideal_network_is_exact(measure: Any) -> None:
    found = measure("--scale", "inf")
    assert found["exactness"]["max_abs_error"] <= 1e-14
    assert found["exactness"]["leak_bound"] == 0
    assert found["norms_squared"] == measure("--scale", 2)["norms_squared"]


@pytest.mark.parametrize(("layout", "channels"), [
    ("published", LENGTH + 2), ("separate-data", LENGTH + 3), ("separate-positions", LENGTH + 3),
    ("extended", LENGTH + 2),
])  # fmt: skip
def test_parameters_are_all_entries(measure: Any, layout: str, channels: int) -> None:
    units = 4 * (DEGREE + 1)
    matrices, vectors = 3 * channels**2 + 2 * channels * units, channels + units
    assert measure("--layout", layout)["parameters"] == {"count": matrices + vectors}


def test_a_sample_says_so_and_carries_an_interval(measure: Any) -> None:
    found = measure("--inputs", "random:500", "--seed", 3)
    low, high = found["exactness"]["mean_squared_error_interval"]
    truth = float(sum(error**2 for error in errors("steep").values()) / 64)
    assert (found["inputs"]["mode"], found["inputs"]["count"]) == ("random", 500)
    assert low <= found["exactness"]["mean_squared_error"] <= high
    assert low <= truth <= high
    assert found == measure("--inputs", "random:500", "--seed", 3)
    assert found != measure("--inputs", "random:500", "--seed", 4)


def test_people_read_the_same_numbers(call: Call, measure: Any) -> None:
    found = measure()
    shown = call("measure", "target.json").out
    lines = dict(line.rsplit(maxsplit=1) for line in shown.splitlines() if line.strip())
    assert float(lines["norms squared total"]) == pytest.approx(found["norms_squared"]["total"], rel=1e-14)
    assert lines["parameters count"] == str(found["parameters"]["count"])
