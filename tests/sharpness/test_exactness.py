"""How exactly the network represents its target, and the record that `measure` makes of it."""

import itertools
import json
import math
from fractions import Fraction
from typing import Any, get_args

import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.enumeration import Inputs, bit_strings, choose_inputs
from boundaudit.numeric.sharpness.construction import Layout
from boundaudit.numeric.sharpness.exactness import error_bound, exactness, leak_bound, plateaus
from boundaudit.numeric.sharpness.measurement import measure
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.target import Target

from .cases import GRID, MIXED, TARGETS, first_target, in_fractions

LAYOUTS: tuple[Layout, ...] = get_args(Layout)
TRAPEZOIDS: tuple[Trapezoid, ...] = get_args(Trapezoid)
THREE_PAIRS = TARGETS["three pairs"]


def everything(target: Target) -> Inputs:
    return Inputs(target.length, "all", 2**target.length)


def test_the_oracle_is_the_definition() -> None:
    target = TARGETS["triples"]
    values = evaluate(target, bit_strings(7, 0, 128))
    for bits, value in zip(itertools.product((0, 1), repeat=7), values.tolist(), strict=True):
        even = [sum(bits[p - 1] for p in s) % 2 == 0 for s in target.components]
        assert value == sum(c for c, e in zip(target.coefficients, even, strict=True) if e)


@pytest.mark.slow
def test_the_ideal_network_is_exact() -> None:
    for size, layout, mlp in itertools.product(GRID, LAYOUTS, TRAPEZOIDS):
        target = first_target(*size)
        errors = exactness(target, everything(target), layout=layout, mlp=mlp, scale=math.inf)
        assert errors.max_abs_error <= 1e-12, (size, layout, mlp)
        assert errors.leak_bound == 0.0, (size, layout, mlp)


def test_the_error_stays_within_its_bound() -> None:
    for size, mlp, scale in itertools.product(GRID, TRAPEZOIDS, (0.5, 2.0, 4.0)):
        target = first_target(*size)
        errors = exactness(target, everything(target), mlp=mlp, scale=scale)
        assert errors.max_abs_error <= error_bound(target, scale, mlp) == errors.error_bound, (size, mlp, scale)
        assert errors.error_bound <= max(errors.leak_bound, target.coefficient_sum) + 1e-11, (size, mlp, scale)
        assert errors.mean_squared_error <= errors.max_abs_error**2, (size, mlp, scale)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("mlp", TRAPEZOIDS)
@pytest.mark.parametrize(("length", "sparsity"), [(6, 1), (9, 4)])
def test_the_leak_bound_is_attained(length: int, sparsity: int, layout: Layout, mlp: Trapezoid) -> None:
    pairs = tuple((2 * t + 1, 2 * t + 2) for t in range(sparsity))
    target = Target(length, pairs, tuple(0.2 + 0.1 * t for t in range(sparsity)))
    errors = exactness(target, everything(target), layout=layout, mlp=mlp)
    c, inactive = sum(target.coefficients), length + 1 - sparsity
    bound = c * inactive / (c * length**2 + inactive)
    assert errors.leak_bound == pytest.approx(bound, rel=1e-14)
    assert errors.max_abs_error == pytest.approx(bound, rel=1e-12)


def test_the_leak_bound_is_not_attained_where_all_sets_even_means_all_bits_equal() -> None:
    target = Target(6, ((1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 3)), (0.5,) * 6)
    errors = exactness(target, everything(target))
    assert errors.max_abs_error < 0.9 * errors.leak_bound


def by_rows(target: Target, scale: int, mlp: Trapezoid) -> str:
    """Where the active rows lie, from every pair of counts (k, r) of every component in fractions."""
    degree, power, places = target.grid_degree, target.length**scale, set()
    far = 2 if mlp == "steep" else 3
    for size, c in zip(target.degrees, target.coefficients, strict=True):
        idle = target.length - size + (1 if size == degree else 0)
        for k, r in itertools.product(range(size + 1), range(target.length - size + 1)):
            step = 1 if c < 0 else 0
            x = 4 * (Fraction(degree * (k * power + r), degree * power + idle) + step)
            grid = k + step
            # The trapezoid of an even point is flat for 1; beside an odd one those of both neighbours end at far.
            wall = 1 if grid % 2 == 0 else 4 - far
            gap = abs(x - 4 * grid) - wall
            places.add("inside" if gap < 0 else "touching" if gap == 0 else "outside")
    return max(places, key=["inside", "touching", "outside"].index)


@pytest.mark.parametrize("mlp", TRAPEZOIDS)
@pytest.mark.parametrize("scale", [1, 2, 3])
def test_plateaus_agree_with_all_counts(scale: int, mlp: Trapezoid) -> None:
    targets = [first_target(*size) for size in GRID] + list(MIXED.values())
    found = [plateaus(target, float(scale), mlp) for target in targets]
    assert found == [by_rows(target, scale, mlp) for target in targets]
    assert "inside" in found


@pytest.mark.parametrize("mlp", TRAPEZOIDS)
@pytest.mark.parametrize("name", MIXED)
def test_the_extension_is_exact_up_to_its_leak(name: str, mlp: Trapezoid) -> None:
    target = MIXED[name]
    ideal = exactness(target, everything(target), layout="extended", mlp=mlp, scale=math.inf)
    assert ideal.max_abs_error <= 1e-14
    assert ideal.leak_bound == 0.0 < ideal.error_bound <= 1e-11
    for scale in (0.5, 1.0, 2.0, 4.0):
        errors = exactness(target, everything(target), layout="extended", mlp=mlp, scale=scale)
        assert errors.max_abs_error <= errors.error_bound
        if errors.plateaus != "outside":
            total = sum(abs(c) for c in target.coefficients)
            below = sum(-c for c in target.coefficients if c < 0)
            inactive = target.length + 1 - target.sparsity
            leak = (total + below) * inactive / (total * target.length**scale + inactive)
            assert errors.leak_bound == pytest.approx(leak, rel=1e-14)
            assert errors.error_bound == pytest.approx(leak, abs=1e-11)


@pytest.mark.parametrize("mlp", TRAPEZOIDS)
def test_the_extended_leak_bound_is_attained(mlp: Trapezoid) -> None:
    """All positive components odd, all negative ones even, g = 1 at weight n = 0 of a shifted grid: x = 0, c < 0."""
    target = Target(5, ((1, 2), (3,)), (-0.5, -0.25))
    errors = exactness(target, everything(target), layout="extended", mlp=mlp)
    assert errors.max_abs_error == pytest.approx(1.5 * 4 / (0.75 * 25 + 4), rel=1e-13)


def test_off_the_plateaus_the_leak_bound_does_not_hold() -> None:
    target = first_target(6, 2, 6)
    errors = exactness(target, everything(target), scale=0.5)
    assert 7 * errors.leak_bound < errors.max_abs_error <= errors.error_bound
    assert errors.error_bound == pytest.approx(target.coefficient_sum, abs=1e-11)


@pytest.mark.slow
def test_a_sample_gives_an_interval_that_holds_the_mean() -> None:
    target = first_target(12, 2, 4)
    mean = exactness(target, everything(target)).mean_squared_error
    widths = []
    for count in (500, 5000, 50_000):
        sample = exactness(target, Inputs(12, "random", count, seed=count))
        assert sample.mean_squared_error_interval is not None
        low, high = sample.mean_squared_error_interval
        assert 0 <= low <= mean <= high
        assert low <= sample.mean_squared_error <= high
        widths.append(high - low)
    assert widths[0] > 2 * widths[1] > 4 * widths[2]


def test_the_interval_is_empirical_bernstein() -> None:
    """The interval is mean ± sqrt(2 V ln(4/δ) / n) + 7 R ln(4/δ) / (3 (n-1)), δ = 0.05."""
    target, inputs = first_target(8, 2, 3), Inputs(8, "random", 40, seed=9)
    errors = exactness(target, inputs)
    (bits,) = inputs.batches(40)
    squares = [
        exactness(target, Inputs(8, "at", 1, at="".join("01"[bit] for bit in row))).mean_squared_error
        for row in bits.int().tolist()
    ]
    mean = sum(squares) / 40
    variance = sum((value - mean) ** 2 for value in squares) / 39
    log = math.log(80)
    width = math.sqrt(2 * variance * log / 40) + 7 * leak_bound(target, 2.0) ** 2 * log / (3 * 39)
    assert errors.mean_squared_error_interval == pytest.approx((max(0, mean - width), mean + width), rel=1e-9)


def test_samples_follow_their_seed() -> None:
    one, same, other = (Inputs(30, "random", 100, seed=seed) for seed in (1, 1, 2))
    drawn = [torch.cat(list(inputs.batches(33))) for inputs in (one, same, other)]
    assert drawn[0].shape == (100, 30)
    assert torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], drawn[2])


def test_enumeration_hands_out_every_input_once() -> None:
    bits = torch.cat(list(Inputs(5, "all", 32).batches(7)))
    assert ["".join(map(str, row)) for row in bits.int().tolist()] == [format(i, "05b") for i in range(32)]


def test_defaults_of_the_inputs() -> None:
    assert choose_inputs(20) == Inputs(20, "all", 2**20)
    assert choose_inputs(21, seed=7) == Inputs(21, "random", 2**16, 7)
    assert choose_inputs(24, inputs="all") == Inputs(24, "all", 2**24)
    assert choose_inputs(6, inputs="random:50", seed=3) == Inputs(6, "random", 50, 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("layout", "mlp", "scale"),
    [("published", "steep", 2.0), ("separate-data", "wide", 2.0), ("extended", "wide", math.inf)],
)  # fmt: skip
def test_every_number_of_the_record_has_its_digits(layout: Layout, mlp: Trapezoid, scale: float) -> None:
    record = measure(THREE_PAIRS, layout=layout, mlp=mlp, scale=scale, device="cpu")
    width, power = (1 if mlp == "steep" else 2), (None if math.isinf(scale) else 36)
    exact = []
    for bits in itertools.product((0, 1), repeat=6):
        even = [sum(bits[p - 1] for p in s) % 2 == 0 for s in THREE_PAIRS.components]
        value = sum(c * e for c, e in zip(map(Fraction, THREE_PAIRS.coefficients), even, strict=True))
        exact.append(float(in_fractions(THREE_PAIRS, bits, width, power) - value))
    errors = record["exactness"]
    assert errors["max_abs_error"] == pytest.approx(max(map(abs, exact)), abs=1e-12)
    assert errors["mean_squared_error"] == pytest.approx(math.fsum(e * e for e in exact) / 64, abs=1e-12)
    assert errors["max_abs_error"] <= errors["error_bound"] == pytest.approx(errors["leak_bound"], abs=1e-12)
    assert (errors["plateaus"], errors["kink_weights"]) == ("inside", ())
    assert errors["leak_bound"] == pytest.approx(1.72 * 4 / (1.72 * 36 + 4) if scale == 2 else 0, abs=1e-12)
    assert record["parameters"] == {"count": 480 if layout in {"separate-data", "separate-positions"} else 404}


def test_the_record_has_its_fields_and_is_strict_json() -> None:
    record = measure(THREE_PAIRS, scale="inf", inputs="random:100", seed=4, device="cpu")
    assert record["target"] == {
        "length": 6, "degree": 2, "degrees": [2, 2, 2], "sparsity": 3, "coefficient_sum": 1.72, "absolute_sum": 1.72,
    }  # fmt: skip
    assert list(record["norms_squared"]) == ["W1", "V1", "M", "Gamma", "F", "W2", "V2", "total"]
    assert record["inputs"] == {"mode": "random", "count": 100, "seed": 4}
    assert (record["layout"], record["mlp"], record["scale"]) == ("published", "steep", "inf")
    text = json.dumps(record, allow_nan=False)
    again = measure(THREE_PAIRS, scale="inf", inputs="random:100", seed=4, device="cpu")
    assert text == json.dumps(again, allow_nan=False)


def test_a_negative_coefficient_chooses_the_extended_layout() -> None:
    record = measure(MIXED["both signs"], device="cpu")
    assert record["layout"] == "extended"
    assert record["target"]["coefficient_sum"] == pytest.approx(0.44, rel=1e-15)
    assert record["target"]["absolute_sum"] == pytest.approx(1.72, rel=1e-15)
    assert measure(MIXED["two sizes"], device="cpu")["layout"] == "published"
    with pytest.raises(InputError, match="layout: expected extended"):
        measure(MIXED["both signs"], layout="published", device="cpu")


def test_at_measures_one_input() -> None:
    record = measure(THREE_PAIRS, at="100000")
    assert record["inputs"] == {"mode": "at", "count": 1}
    error = float(in_fractions(THREE_PAIRS, (1, 0, 0, 0, 0, 0), power=36)) - 1.12
    assert record["exactness"]["max_abs_error"] == pytest.approx(abs(error), abs=1e-12)
    assert record["exactness"]["mean_squared_error"] == pytest.approx(error**2, abs=1e-12)


@pytest.mark.parametrize(("arguments", "field"), [
    ({"at": "10000"}, "at"), ({"at": "1000000"}, "at"), ({"at": "10000x"}, "at"), ({"at": "１00000"}, "at"),
    ({"at": ""}, "at"), ({"at": 100000}, "at"), ({"at": "100000", "inputs": "all"}, "inputs"),
    ({"inputs": "some"}, "inputs"), ({"inputs": "random"}, "inputs"), ({"inputs": "random:"}, "inputs"),
    ({"inputs": "random:1"}, "inputs"), ({"inputs": "random:-5"}, "inputs"), ({"inputs": "random:1e3"}, "inputs"),
    ({"inputs": "random:²"}, "inputs"), ({"inputs": "random:" + "9" * 5000}, "inputs"), ({"inputs": 7}, "inputs"),
    ({"scale": 0}, "scale"), ({"scale": -2.0}, "scale"), ({"scale": math.nan}, "scale"),
    ({"scale": -math.inf}, "scale"), ({"scale": 1000}, "scale"), ({"scale": 10**400}, "scale"),
    ({"scale": True}, "scale"), ({"scale": "two"}, "scale"), ({"layout": "wide"}, "layout"), ({"mlp": "flat"}, "mlp"),
    ({"mlp": ["steep"]}, "mlp"), ({"seed": -1}, "seed"), ({"seed": 1.5}, "seed"), ({"seed": True}, "seed"),
    ({"device": "tpu"}, "device"), ({"sigma": -0.1}, "sigma"), ({"sigma": math.nan}, "sigma"),
    ({"sigma": math.inf}, "sigma"), ({"sigma": "0.1"}, "sigma"), ({"sigma": True}, "sigma"),
    ({"sigma": 0.1, "draws": 1}, "draws"), ({"sigma": 0.1, "draws": 10.0}, "draws"), ({"draws": -3}, "draws"),
    ({"sigma": 0.1, "draws": 10**9}, "draws"),
])  # fmt: skip
def test_a_bad_argument_is_named(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        measure(THREE_PAIRS, **arguments)
    assert caught.value.field == field


def test_too_many_inputs_to_enumerate_are_refused() -> None:
    with pytest.raises(InputError, match="inputs: expected at most 24 bits"):
        measure(TARGETS["long"], inputs="all")


@pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without CUDA")
def test_a_missing_gpu_is_refused() -> None:
    with pytest.raises(InputError, match="device: expected a CUDA device"):
        measure(THREE_PAIRS, device="cuda")
