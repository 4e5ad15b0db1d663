"""What `measure` says of gradients and Hessians, against differentiating the loss itself."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness import autodiff, curvature_record
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.measurement import measure
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.target import Target, TargetBatch

from .cases import MIXED

PAIR = Target(4, ((1, 2), (3, 4)), (0.6, 0.7))


def hessians(target: Target, layout: Any, scale: float) -> tuple[Tensor, Tensor, Tensor]:
    """At every input: ∇f, Hess f and Hess of (f - target)², by torch.autograd on a flat vector of parameters."""
    batch = TargetBatch.stack([target])
    blocks = build(batch, layout=layout, scale=scale)
    theta = autodiff.flatten(blocks)[0]
    found = []
    for bits in bit_strings(target.length, 0, 2**target.length):
        wanted = float(evaluate(target, bits[None]))

        def output(row: Tensor, bits: Tensor = bits) -> Tensor:
            return forward(autodiff.unflatten(row[None], blocks), batch, bits[None], scale=scale)[0, 0]

        def loss(row: Tensor, bits: Tensor = bits, wanted: float = wanted) -> Tensor:
            return (output(row, bits) - wanted) ** 2

        found.append([
            torch.autograd.functional.jacobian(output, theta),
            torch.autograd.functional.hessian(output, theta, vectorize=True),
            torch.autograd.functional.hessian(loss, theta, vectorize=True),
        ])  # fmt: skip
    first, second, third = (torch.stack(parts) for parts in zip(*found, strict=True))
    return first, second, third


@pytest.mark.parametrize(
    ("target", "layout", "scale"),
    [(PAIR, "published", 2.0), (PAIR, "separate-data", 3.0), (PAIR, "published", math.inf),
     (MIXED["one negative bit"], "extended", 2.0)],
)  # fmt: skip
@pytest.mark.slow
def test_every_number_by_differentiating_the_loss(target: Target, layout: Any, scale: float) -> None:
    found = measure(target, layout=layout, scale="inf" if math.isinf(scale) else scale, hessian=True, inputs="all")
    gradient, hessian, loss = hessians(target, layout, scale)
    traces, squares = loss.diagonal(dim1=1, dim2=2).sum(-1), gradient.square().sum(-1)
    close = pytest.approx
    assert found["gradient_norm_squared"]["mean"] == close(float(squares.mean()), rel=1e-10)
    assert found["gradient_norm_squared"]["max"] == close(float(squares.max()), rel=1e-10)
    slices = autodiff.parameters(build(TargetBatch.stack([target]), layout=layout))
    for name, part in slices.items():
        block = gradient[:, part].square().sum(-1)
        shown = found["gradient_norm_squared"]["by_block"][name]
        assert [shown["mean"], shown["max"]] == close([float(block.mean()), float(block.max())], rel=1e-10, abs=1e-20)
    assert found["loss_hessian_trace"]["mean"] == close(float(traces.mean()), rel=1e-10)
    assert found["loss_hessian_trace"]["max"] == close(float(traces.max()), rel=1e-10)
    assert found["loss_hessian_trace"]["gauss_newton_mean"] == close(2 * float(squares.mean()), rel=1e-10)
    rest = float(traces.mean()) - 2 * float(squares.mean())
    assert found["loss_hessian_trace"]["residual_mean"] == close(rest, abs=1e-9)
    network = hessian.diagonal(dim1=1, dim2=2).sum(-1)
    assert found["network_hessian"]["trace_mean"] == close(float(network.mean()), rel=1e-9, abs=1e-9)
    largest = torch.linalg.eigvalsh(hessian).abs().max()
    assert found["network_hessian"]["operator_norm_max"] == close(float(largest), rel=1e-10)
    assert found["kinks"] == 0


@pytest.mark.slow
def test_one_input_has_its_own_numbers() -> None:
    found = measure(PAIR, hessian=True, at="0110")
    assert found["gradient_norm_squared"]["mean"] == found["gradient_norm_squared"]["max"]
    assert found["loss_hessian_trace"]["mean"] == found["loss_hessian_trace"]["max"]
    assert found["network_hessian"]["inputs"] == {"mode": "at", "count": 1}


def test_an_input_on_a_kink_has_no_derivative() -> None:
    one_bit = Target(3, ((1,),), (1.0,))
    found = measure(one_bit, at="110")
    assert (found["kinks"], found["gradient_norm_squared"]["mean"]) == (1, None)
    assert measure(one_bit)["kinks"] == 6  # |z| = 1 and 2 put the unused rows on 1/4 and 1/2
    with pytest.raises(InputError, match="at: expected an input off the kinks"):
        measure(one_bit, at="110", hessian=True)


def test_a_sample_gives_intervals_that_hold_the_mean() -> None:
    exact = measure(PAIR)["gradient_norm_squared"]["mean"]
    sample = measure(PAIR, inputs="random:400", seed=1)["gradient_norm_squared"]
    low, high = sample["mean_interval"]
    assert low < exact < high
    assert high - low < exact


@pytest.mark.slow
def test_many_parameters_give_a_lower_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = measure(PAIR, hessian=True, at="0110")["network_hessian"]
    monkeypatch.setattr(curvature_record, "WHOLE", 0)
    lower = measure(PAIR, hessian=True, at="0110")["network_hessian"]
    assert (exact["operator_norm"], lower["operator_norm"]) == ("exact", "lower estimate")
    assert lower["operator_norm_max"] <= exact["operator_norm_max"] * (1 + 1e-12)
    assert lower["operator_norm_max"] == pytest.approx(exact["operator_norm_max"], rel=1e-6)
