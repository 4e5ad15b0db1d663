"""Traces against curvlinops and BackPACK, where they are installed (extra ``oracles``)."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from boundaudit.numeric.curvature import hessian_trace

from .cases import Attention, Case, case, classes, mlp


@pytest.fixture(autouse=True)
def _seed() -> None:
    torch.manual_seed(7)


def problems() -> dict[str, Case]:
    return {
        "chain": classes(mlp(nn.Tanh(), nn.GELU(), widths=(3, 5, 4, 3)), count=20),
        "attention": case(Attention(4), F.cross_entropy, torch.randn(3, 3, 4), torch.randint(2, (3,))),
    }


@pytest.mark.parametrize("name", ["chain", "attention"])
def test_curvlinops(name: str) -> None:
    curvlinops = pytest.importorskip("curvlinops")
    module, _, inputs, targets = problems()[name]
    parameters = list(module.parameters())
    with sdpa_kernel(SDPBackend.MATH):
        operator = curvlinops.HessianLinearOperator(
            module, nn.CrossEntropyLoss(), parameters, [(inputs, targets)], check_deterministic=False
        )
        whole = operator @ torch.eye(operator.shape[1], dtype=torch.float64)
    found = hessian_trace(module, F.cross_entropy, inputs, targets)
    assert found.value == pytest.approx(float(whole.trace()), rel=1e-10)


def test_backpack() -> None:
    backpack = pytest.importorskip("backpack")
    extensions = pytest.importorskip("backpack.extensions")
    module, loss, inputs, targets = classes(mlp(nn.Tanh(), nn.Sigmoid(), widths=(3, 5, 4, 3)), count=20)
    found = hessian_trace(module, loss, inputs, targets)
    value = backpack.extend(nn.CrossEntropyLoss())(backpack.extend(module)(inputs), targets)
    with backpack.backpack(extensions.DiagHessian()):
        value.backward()
    expected = {name: float(p.diag_h.sum()) for name, p in module.named_parameters()}
    assert found.by_parameter == pytest.approx(expected, rel=1e-10)
