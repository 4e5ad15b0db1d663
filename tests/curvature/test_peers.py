"""The benchmark: what each way computes, beside the whole Hessian."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
import torch
from torch import nn

from boundaudit.numeric.curvature import peers

from .cases import Attention

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
