"""Theorem 11: sizes of intermediates against naive loops and numbers worked out by hand."""

import math

import numpy as np
import pytest
import torch

from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.sharpness.activations import stream
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.activations import largest_sizes, operator_norms, sizes
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import Target, TargetBatch

from .cases import random_batch

_TARGET = Target(4, ((1, 2), (2, 4)), (0.6, 0.8))


def _naive(target: Target, bits: list[int]) -> dict[str, float]:
    """The steep network row by row, without attention matrices: weights from exponentials of the logits."""
    length, degree = target.length, target.degree
    z = np.array([*bits, 0.0])
    shares = []
    for row in range(length + 1):
        logits = np.zeros(length + 1)
        if row < target.sparsity:
            logits[[position - 1 for position in target.components[row]]] = 2 * math.log(length)
        shares.append(float(np.exp(logits) @ z / np.exp(logits).sum()))
    kinks = [(4 * point + offset) / (4 * degree) for point in range(degree + 1) for offset in (-2, -1, 1, 2)]
    hidden = [[max(0.0, share - kink) for kink in kinks] for share in shares]
    weights = [sign * 4 * degree * (point % 2 == 0) for point in range(degree + 1) for sign in (1, -1, -1, 1)]
    g = [sum(w * h for w, h in zip(weights, row, strict=True)) for row in hidden]
    total = sum(target.coefficients)
    return {
        "token": math.sqrt(1 + max(z) ** 2), "averaged": max(shares), "unit": max(max(row) for row in hidden),
        "units": max(math.hypot(*row) for row in hidden), "stream": max(math.sqrt(1 + value**2) for value in g),
        "column": max(1.0, math.hypot(*g)), "output": math.sqrt(1 + g[-1] ** 2), "value": total * max(g),
        "values": total * math.hypot(*g),
    }  # fmt: skip


def test_sizes_agree_with_a_network_written_row_by_row() -> None:
    bits = bit_strings(4, 0, 16)
    found = sizes(TargetBatch.stack([_TARGET]), bits)
    for n in range(16):
        for name, value in _naive(_TARGET, bits[n].int().tolist()).items():
            assert float(found[name][0, n]) == pytest.approx(value, abs=1e-12), (name, n)


def test_largest_sizes_are_those_of_the_extreme_inputs() -> None:
    found = largest_sizes(TargetBatch.stack([_TARGET]))
    share = 1 - 1 / (2 * 4**2 + 4 + 1 - 2)
    assert float(found["averaged"]) == pytest.approx(share, rel=1e-14)
    assert float(found["unit"]) == pytest.approx(share + 1 / 4, rel=1e-14)
    assert float(found["column"]) == pytest.approx(math.sqrt(5), rel=1e-13)
    assert float(found["values"]) == pytest.approx(1.4 * math.sqrt(5), rel=1e-13)


@pytest.mark.parametrize("mlp", ["steep", "wide"])
def test_padding_changes_nothing(mlp: Trapezoid) -> None:
    small, large = _TARGET, Target(7, ((1, 2, 3), (5, 6, 7), (1, 4, 6)), (0.25, 1.5, 0.5))
    bits = torch.tensor([[1, 0, 1, 1, 0, 0, 0]])
    alone = sizes(TargetBatch.stack([small]), bits[:, :4], mlp=mlp)
    beside = sizes(TargetBatch.stack([small, large]), bits, mlp=mlp)
    for name, value in alone.items():
        assert float(beside[name][0, 0]) == pytest.approx(float(value[0, 0]), abs=1e-13), name


def test_products_with_the_attention_weights() -> None:
    found = sizes(TargetBatch.stack([_TARGET]), torch.tensor([[0, 1, 0, 1]]))
    logit = 2 * math.log(4)
    assert float(found["W1 x"]) == pytest.approx(math.sqrt(2) * logit)
    assert float(found["x W1"]) == pytest.approx(math.sqrt(2) * logit)  # position 2 lies in both components
    assert float(found["W2 x"]) == pytest.approx(math.hypot(math.log(0.6) + logit, math.log(0.8) + logit))


def test_operator_norms() -> None:
    found = operator_norms(TargetBatch.stack([_TARGET]))
    # The Gram matrix of two pairs that share one position is [[2, 1], [1, 2]], with largest eigenvalue 3.
    assert float(found["W1"]) == pytest.approx(2 * math.log(4) * math.sqrt(3), rel=1e-13)
    assert float(found["V1"]) == pytest.approx(1.0, rel=1e-14)
    assert float(found["W2"]) == pytest.approx(math.hypot(math.log(0.6 * 16), math.log(0.8 * 16)), rel=1e-13)


def test_a_token_meets_as_many_columns_of_w1_as_components_share_its_position() -> None:
    batch = random_batch(100, seed=11)
    shared = batch.members.sum(-2).amax(-1).double()
    found = sizes(batch, torch.zeros(1, batch.max_length))["x W1"][:, 0]
    torch.testing.assert_close(found, 2 * batch.length.double().log() * shared.sqrt(), rtol=1e-12, atol=0)


def test_tiny_coefficients_do_not_underflow() -> None:
    target = Target(3, ((1,),), (1e-200,))
    found = sizes(TargetBatch.stack([target]), torch.zeros(1, 3))
    assert float(found["values"]) == pytest.approx(2e-200, rel=1e-12)


def test_parts_of_a_batch_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = TargetBatch.stack([_TARGET] * 5)
    bits = bit_strings(4, 0, 16)
    whole = sizes(batch, bits)
    monkeypatch.setattr("boundaudit.numeric.sharpness.activations.CHUNK", 1)
    for name, value in sizes(batch, bits).items():
        assert torch.equal(value, whole[name])


def test_the_bound_on_the_values_is_attained_at_the_zero_input() -> None:
    point = {"T": 6, "D": 2, "omega": 3, "u": 2, "c": (0.6, 0.64, 0.4), "S": ((1, 2), (2, 3), (1, 5))}
    claim = stream.values_norm_repaired
    points = [{**point, "x_n": number} for number in (0, 36)]
    left, right = (side_values(side, points, "cpu") for side in (claim.left, claim.right))
    assert right == pytest.approx([1.64**2 * 7] * 2, rel=1e-12)
    assert left[0] == pytest.approx(right[0], rel=1e-12)
    assert left[1] < right[1]
