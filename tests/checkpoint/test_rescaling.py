"""Factors that go from one matrix to the next, and leave the function as it is, change no bound."""

from pathlib import Path

import pytest
from tests.checkpoint.tiny import DEPTH, name, weights, write

from boundaudit.numeric.checkpoint import load_encoder, summarise

PAIRS = {"scores": ("query", "key"), "values": ("value", "output"), "MLP": ("into", "out")}


def bounds(folder: Path, pair: tuple[str, str], factor: float, activation: str) -> dict[str, float | None]:
    """With a factor in one matrix, and its inverse in the next, of every layer."""
    found = weights()
    for layer in range(DEPTH):
        first, second = (name(kind, layer) for kind in pair)
        found[first], found[second] = found[first] * factor, found[second] / factor
    summary = summarise(load_encoder(write(folder, found, hidden_act=activation)), 10**16)
    assert summary.bounds is not None
    return summary.bounds


@pytest.mark.parametrize("exponent", [-12, -3, 3, 12])
@pytest.mark.parametrize("pair", PAIRS)
def test_rescaling_changes_no_bound(tmp_path: Path, pair: str, exponent: int) -> None:
    before, after = (bounds(tmp_path, PAIRS[pair], factor, "relu") for factor in (1.0, 10.0**exponent))
    assert after == pytest.approx(before, rel=1e-9)
    assert before["covering_post_hoc"] < 1


def test_a_factor_that_changes_the_function_changes_bounds(tmp_path: Path) -> None:
    """GELU is not homogeneous; and one matrix alone is another network."""
    for pair, activation in ((PAIRS["MLP"], "gelu"), (("query", "value"), "relu")):
        before, after = (bounds(tmp_path, pair, factor, activation) for factor in (1.0, 0.1))
        assert after["covering_post_hoc"] != pytest.approx(before["covering_post_hoc"], rel=1e-3)
