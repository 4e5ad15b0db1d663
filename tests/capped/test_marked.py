"""Samples with marked tokens: drawn by number, independent by name, and of the law that is stated."""

from __future__ import annotations

import pytest
import torch

from boundaudit.numeric.capped.marked import MARK, QUERY, SIGN, Stream

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
