"""Traces against curvlinops and BackPACK (extra ``oracles``), and the benchmark beside the whole Hessian."""

from importlib.util import find_spec

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from boundaudit.numeric.curvature import hessian_trace, peers

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


EXACT = ("ours, auto", "ours, exact", "torch.func, exact", "BackPACK, exact diagonal", "curvlinops, exact")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chain", "attention"])
def test_every_way_finds_what_it_claims(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "ROUNDS", 1)
    torch.manual_seed(7)
    module, shape = (Attention(), (8, 3, 8)) if name == "attention" else (
        nn.Sequential(nn.Linear(5, 40), nn.Tanh(), nn.Linear(40, 2)), (8, 5)
    )  # fmt: skip
    rows = {row["way"]: row for row in peers._rows(name, module, torch.randn(shape), torch.randint(2, (8,)))}
    absent = {
        way for way in peers.PEERS
        if find_spec(way.split(",")[0].lower()) is None or (way.startswith("BackPACK") and name == "attention")
    }  # fmt: skip
    assert {way for way, row in rows.items() if row["seconds"] is None} == absent
    assert set(peers.PEERS) <= set(rows)
    for way in set(rows) - absent:
        assert rows[way]["seconds"] > 0
        assert rows[way]["relative error"] < (1e-5 if way in EXACT else 0.02 if "norm" in way else 1)
    low, high = rows["ours, estimate"]["interval"]
    assert low <= rows["ours, exact"]["value"] <= high
