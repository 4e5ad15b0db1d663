"""What is read of a head's weights: against NumPy, on heads that are known, and a power law that is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from boundaudit.numeric.capped.measures import norms_of
from boundaudit.numeric.covering.bounds import Caps, single_layer_capacity
from boundaudit.numeric.covering.head import Head


def _head(seed: int, width: int = 6) -> Head:
    draws = torch.Generator().manual_seed(seed)
    key, value, out = torch.randn(3, width, width, generator=draws, dtype=torch.float64)
    return Head(key, value, out, torch.randn(width, generator=draws, dtype=torch.float64))


def test_norms_against_numpy() -> None:
    head = _head(0)
    key, value, out, read = (part.numpy() for part in vars(head).values())
    operators = [np.linalg.norm(matrix, 2) for matrix in (key, value, out)] + [np.linalg.norm(read)]
    named = dict(zip(("key_operator", "value_operator", "out_operator", "read_operator"), operators, strict=True))
    found = norms_of(head)
    assert found["operators"] == pytest.approx(math.prod(operators))
    assert found["weight"] == pytest.approx(np.linalg.norm(np.concatenate([key, value, out, read[None]])))
    entries = [float(np.abs(part).sum()) for part in (key, value, out, read)]
    # W_V and W_C act as their transposes: the rows of the maps are the columns of the matrices.
    rows = [np.linalg.norm(key, axis=1).sum(), *(np.linalg.norm(part, axis=0).sum() for part in (value, out))]
    for kind, norms in (("entries", entries), ("rows", [*map(float, rows), operators[3]])):
        caps = Caps(dim=6, inner=6, **dict(zip(("key", "value", "out", "read"), norms, strict=True)), **named)
        assert found[kind] == pytest.approx(single_layer_capacity(caps, softmax="sharp", norms=kind).total)


def test_norms_grow_with_the_weights_where_ranks_and_exponents_do_not() -> None:
    head = _head(1)
    tiny, small, large = (norms_of(Head(*(by * part for part in vars(head).values()))) for by in (0.01, 1, 3))
    for name in ("entries", "rows", "operators", "weight"):
        assert tiny[name] < small[name] < large[name]
    assert tiny["alpha"] == pytest.approx(small["alpha"]) == pytest.approx(large["alpha"])
    # At index 0 a Schatten sum is the rank, here full, and the cheapest of all where weights are large.
    assert tiny["schatten"] < small["schatten"] == large["schatten"] == pytest.approx(3 * 36**0.5 + 6**0.5 + 1)


def test_a_head_of_zeros_has_measures() -> None:
    nothing = torch.zeros(4, 4, dtype=torch.float64)
    found = norms_of(Head(nothing, nothing, nothing, nothing[0]))
    assert found["weight"] == 0
    assert found["alpha"] is None
    assert all(value is None or math.isfinite(value) for value in found.values())
