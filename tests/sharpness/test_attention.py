"""Attention weights, rows and errors with a scale for each target, against loops over naive softmaxes."""

import itertools
import math
from typing import get_args

import pytest
import torch

from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness import attention, leak
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.exactness import leak_bound
from boundaudit.numeric.sharpness.forward import evaluate_by_structure
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate, evaluate_batch, over_all_inputs
from boundaudit.numeric.sharpness.target import Target, TargetBatch

from .cases import SMALL, TARGETS

TRAPEZOIDS: tuple[Trapezoid, ...] = get_args(Trapezoid)
SCALES = [0.5, 1.0, 2.0, 3.5]


def constant(batch: TargetBatch, value: float) -> torch.Tensor:
    return torch.full((len(batch),), value, dtype=torch.float64)


def naive_first(target: Target, row: int, scale: float) -> list[float]:
    """Weights of row ``row`` (from 0) of layer 1, key by key."""
    members = target.components[row] if row < target.sparsity else ()
    powers = [math.exp(scale * math.log(target.length)) if j in members else 1.0 for j in range(1, target.length + 2)]
    return [power / math.fsum(powers) for power in powers]


def naive_second(target: Target, scale: float) -> list[float]:
    logits = [math.log(c) + scale * math.log(target.length) for c in target.coefficients]
    powers = [math.exp(logit) for logit in logits] + [1.0] * (target.length + 1 - target.sparsity)
    return [power / math.fsum(powers) for power in powers]


@pytest.mark.parametrize("mlp", TRAPEZOIDS)
@pytest.mark.parametrize("scale", SCALES)
def test_one_scale_for_all_is_the_construction(scale: float, mlp: Trapezoid) -> None:
    batch = TargetBatch.stack(list(TARGETS.values()))
    own = attention.scaled(batch, constant(batch, scale), constant(batch, scale), mlp=mlp)
    for (name, block), (_, expected) in zip(own.named(), build(batch, mlp=mlp, scale=scale).named(), strict=True):
        assert torch.allclose(block, expected, rtol=1e-14, atol=1e-14), name


def test_each_target_has_its_own_scales() -> None:
    targets = [TARGETS["triples"]] * 2
    batch = TargetBatch.stack(targets)
    first, second = torch.tensor([1.0, 3.0]).double(), torch.tensor([4.0, 2.0]).double()
    own = attention.scaled(batch, first, second)
    for n in range(2):
        assert torch.allclose(own.W1[n], build(batch, scale=float(first[n])).W1[n], rtol=1e-14)
        assert torch.allclose(own.W2[n], build(batch, scale=float(second[n])).W2[n], rtol=1e-14)


@pytest.mark.parametrize("scale", SCALES)
def test_first_layer_against_a_naive_softmax(scale: float) -> None:
    batch = TargetBatch.stack(list(TARGETS.values()))
    for row in (0, batch.max_length):
        weights = attention.first_weights(batch, constant(batch, scale), torch.full((len(batch),), row))
        for found, target in zip(weights, TARGETS.values(), strict=True):
            expected = naive_first(target, row, scale)
            assert found[: target.length].tolist() == pytest.approx(expected[:-1], rel=1e-13)
            assert found[target.length : -1].tolist() == [0.0] * (batch.max_length - target.length)
            assert float(found[-1]) == pytest.approx(expected[-1], rel=1e-13)


@pytest.mark.parametrize("scale", SCALES)
def test_second_layer_against_a_naive_softmax(scale: float) -> None:
    batch = TargetBatch.stack(list(TARGETS.values()))
    weights = attention.second_weights(batch, constant(batch, scale))
    for found, target in zip(weights, TARGETS.values(), strict=True):
        expected = naive_second(target, scale)
        assert [*found[: target.length].tolist(), float(found[-1])] == pytest.approx(expected, rel=1e-13)


def test_keys_are_counted_among_those_of_their_kind() -> None:
    batch = TargetBatch.stack([TARGETS["three pairs"], TARGETS["all single bits"]])
    rows = torch.tensor([1, 4])
    members = attention.member_keys(batch, rows)
    assert attention.nth(members, torch.tensor([2, 1])).tolist() == [5, 4]
    others = attention.real_keys(batch) & ~members
    assert attention.nth(others, torch.tensor([3, 5])).tolist() == [3, 6]
    assert attention.nth(attention.unused_rows(batch), torch.tensor([1, 1])).tolist() == [3, 6]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("length", "degree"), [(2, 1), (3, 1), (5, 2), (6, 6), (9, 4)])
def test_largest_shift_over_all_counts(length: int, degree: int, scale: float) -> None:
    weights = naive_first(Target(length, (tuple(range(1, degree + 1)),), (1.0,)), 0, scale)
    inputs = itertools.product((0, 1), repeat=length)
    shifts = [abs(sum(w * b for w, b in zip(weights, z, strict=False)) - sum(z[:degree]) / degree) for z in inputs]
    one = torch.tensor([length])
    batch = attention.leading(one, torch.tensor([degree]), torch.ones(1))
    assert float(attention.largest_shift(batch, constant(batch, scale))[0]) == pytest.approx(max(shifts), abs=1e-14)


def test_leading_bits() -> None:
    length, degree = torch.tensor([5, 7]), torch.tensor([2, 3])
    bits = attention.leading_bits(length, degree, torch.tensor([1, 3]), torch.tensor([3, 0]))
    assert bits.int().tolist() == [[1, 0, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 0, 0]]


def test_rows_of_one_input() -> None:
    target, z = TARGETS["three pairs"], [1, 0, 1, 1, 0, 0]
    batch, bits = TargetBatch.stack([target]), torch.tensor([z])
    s = sum(w * b for w, b in zip(naive_first(target, 0, 2.0), z, strict=False))
    assert float(attention.averaged_bits(batch, bits, constant(batch, 2.0))[0]) == pytest.approx(s, rel=1e-14)
    assert float(attention.active_outputs(batch, bits, constant(batch, 2.0), "steep")[0]) == pytest.approx(0, abs=1e-13)


@pytest.mark.parametrize("mlp", TRAPEZOIDS)
@pytest.mark.parametrize("name", SMALL)
def test_errors_of_all_inputs(name: str, mlp: Trapezoid) -> None:
    target = TARGETS[name]
    batch, bits = TargetBatch.stack([target]), bit_strings(target.length, 0, 2**target.length)
    found = leak.errors(batch, bits, constant(batch, 2.0), constant(batch, 2.0), mlp)[0]
    expected = evaluate_by_structure(target, bits, mlp=mlp) - evaluate(target, bits)
    assert torch.allclose(found, expected, atol=1e-12)
    assert torch.allclose(evaluate_batch(batch, bits)[0], evaluate(target, bits), rtol=1e-15)


def test_means_do_not_depend_on_the_padding() -> None:
    targets = [TARGETS["three pairs"], TARGETS["tiny weight"], TARGETS["shortest"]]

    def mean(part: TargetBatch, bits: torch.Tensor) -> torch.Tensor:
        return evaluate_batch(part, bits).square().mean(-1)

    together = over_all_inputs(TargetBatch.stack(targets), mean).tolist()
    apart = [float(over_all_inputs(TargetBatch.stack([target]), mean)[0]) for target in targets]
    assert together == pytest.approx(apart, rel=1e-14)


def test_the_largest_error_of_pairs_is_the_leak() -> None:
    targets = [Target(6, ((1, 2), (3, 4), (5, 6)), (0.2, 0.3, 0.4)), Target(6, ((1, 2),), (1.0,))]
    batch = TargetBatch.stack(targets)
    found = leak.largest_errors(batch, constant(batch, 2.0), "steep").tolist()
    assert found == pytest.approx([leak_bound(target, 2.0) for target in targets], rel=1e-12)


def test_single_bits_with_the_smallest_coefficients() -> None:
    batch = attention.single_bits(torch.tensor([4, 3]), torch.tensor([2, 3]), torch.tensor([1.0, 5e-324]).double())
    assert batch.members.int().sum((1, 2)).tolist() == [2, 3]
    assert batch.coefficients[0].tolist() == [0.5, 0.5, 0.0, 0.0]
    assert (batch.coefficients[1, :3] > 0).all()
