"""What is read of a head's weights, against NumPy; and samples with marked tokens, of the law that is stated."""

import math

import numpy as np
import pytest
import torch

from boundaudit.numeric.capped.marked import MARK, QUERY, SIGN, Stream
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


NAMES = [(0, 1), (0, 2)]


@pytest.mark.parametrize("width", [3, 8, 20])
def test_tokens_are_within_the_unit_ball(width: int) -> None:
    samples = Stream.of(3, width, [0.0, 0.5], NAMES, "cpu").draw(0, 500)
    assert samples.tokens.shape == (2, 500, 3, width)
    assert samples.queries.shape == (2, 500, width)
    assert samples.longest() < 1
    assert len(torch.unique(samples.tokens[..., 2])) > 500  # noise, of 1024 values


def test_a_sample_is_known_by_its_number() -> None:
    stream = Stream.of(4, 8, [0.1, 0.2], NAMES, "cpu")
    whole, part = stream.draw(0, 50), stream.draw(17, 9)
    alone = Stream.of(4, 8, [0.2], NAMES[1:], "cpu").draw(17, 9)
    for name in ("tokens", "queries", "labels"):
        assert torch.equal(getattr(whole, name)[:, 17:26], getattr(part, name))
        assert torch.equal(getattr(part, name)[1:], getattr(alone, name))
    assert not torch.equal(whole.tokens[0], whole.tokens[1])


def test_marked_tokens_carry_the_label() -> None:
    samples = Stream.of(4, 8, [0.0, 0.3], NAMES, "cpu").draw(0, 20_000)
    marks, signs = samples.tokens[..., 0] / MARK, samples.tokens[..., 1] / SIGN
    assert bool(((marks.abs() == 1) & (signs.abs() == 1)).all())
    assert bool((marks[..., 0] == 1).all())
    agree = signs == (2 * samples.labels - 1)[..., None]
    assert bool(agree[0][marks[0] == 1].all())
    assert float(agree[0][marks[0] == -1].double().mean()) == pytest.approx(0.5, abs=0.02)
    assert float(agree[1][..., 0].double().mean()) == pytest.approx(0.7, abs=0.02)
    assert float((marks[..., 1:] == 1).double().mean()) == pytest.approx(0.75, abs=0.01)
    torch.testing.assert_close(samples.labels.mean(-1), torch.full((2,), 0.5).double(), atol=0.02, rtol=0)
    assert bool((samples.queries[..., 0] == QUERY).all())
    noise = torch.cat([samples.tokens[0, :, 1, 2:], samples.queries[0, :, 1:]], -1)
    torch.testing.assert_close(torch.corrcoef(noise.mT), torch.eye(noise.shape[1]).double(), atol=0.04, rtol=0)
