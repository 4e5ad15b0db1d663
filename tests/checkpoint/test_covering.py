"""The covering bound of a whole checkpoint against its definition, written out over the matrices of a network."""

import math
from pathlib import Path

import pytest
from tests.checkpoint.tiny import write

from boundaudit import InputError
from boundaudit.numeric.checkpoint import load_encoder, summarise
from boundaudit.numeric.checkpoint.covering import covering_curve
from boundaudit.numeric.samples import MOST_SAMPLES
from boundaudit.numeric.schatten import Block


@pytest.fixture
def blocks(tmp_path: Path) -> tuple[Block, ...]:
    return load_encoder(write(tmp_path)).blocks


def power(value: float, base: float) -> tuple[float, int]:
    """The next power of a base, and its exponent."""
    exponent = math.ceil(math.log(value, base))
    return base**exponent, exponent


def price(exponents: list[int]) -> float:
    """What a union over the exponents costs: their weights are 1/((π²/3 - 1)(1 + |k|)²)."""
    return sum(math.log(math.pi**2 / 3 - 1) + 2 * math.log(1 + abs(k)) for k in exponents)


def test_the_bound_is_as_defined(blocks: tuple[Block, ...]) -> None:
    """γ = Σ (s M)^{2/3} ln(2dk)^{1/3} with norms on their grids, the Lipschitz factors of later blocks in s."""
    base, exponents, gamma, alpha = math.exp(1 / len(blocks)), [], 0.0, 1.0
    for block in reversed(blocks):
        (only,) = block.mlps
        heads = list(zip(block.queries, block.values, strict=True))
        norm = {}
        for matrix in (*block.queries, *block.values, only.into, only.out):
            norm[id(matrix)], exponent = power(matrix.operator, base)
            exponents.append(exponent)
        mlp = 1.13 * norm[id(only.into)] * norm[id(only.out)]
        parts = [(only.into, 1.13 * norm[id(only.out)]), (only.out, 1.0)]
        for query, value in heads:
            parts += [(query, mlp * norm[id(value)]), (value, mlp)]
        for matrix, sensitivity in parts:
            entries, exponent = power(matrix.entries, 2)
            exponents.append(exponent)
            gamma += (alpha * sensitivity * entries) ** (2 / 3) * math.log(2 * math.prod(matrix.shape)) ** (1 / 3)
        alpha *= mlp * sum(norm[id(v)] * (norm[id(q)] + math.hypot(1, norm[id(q)])) for q, v in heads)
    samples = 10**16
    c = math.sqrt(gamma**3 / samples)
    expected = 24 * c * (1 + math.log(1 / (3 * c))) + math.sqrt((price(exponents) + math.log(20)) / (2 * samples))
    assert expected < 1
    assert covering_curve(blocks, 0.05)(samples) == pytest.approx(expected, rel=1e-9)


def test_it_informs_from_where_the_summary_says(blocks: tuple[Block, ...], tmp_path: Path) -> None:
    bounds = summarise(load_encoder(tmp_path), 1000).bounds
    assert bounds is not None
    for name in ("schatten", "covering"):
        assert bounds[f"{name}_post_hoc"] > 1
        first = int(bounds[f"{name}_informs_from"])
        again = [summarise(load_encoder(tmp_path), m).bounds[f"{name}_post_hoc"] for m in (first, 0.999 * first)]
        assert again[0] < 1 <= again[1]
    huge = summarise(load_encoder(tmp_path), 1e300).bounds
    assert huge["covering_post_hoc"] == covering_curve(blocks, 0.05)(MOST_SAMPLES)


def test_no_class_of_losses_is_more_complex_than_half_their_range(blocks: tuple[Block, ...]) -> None:
    deep = blocks * 200
    gap = covering_curve(deep, 0.05)
    assert 1 < gap(10) < math.inf
    assert gap(MOST_SAMPLES) == pytest.approx(1, abs=1e-6)


def test_a_failure_that_is_certain_or_impossible_is_bad_input(blocks: tuple[Block, ...]) -> None:
    for delta in (0.0, 1.0):
        with pytest.raises(InputError, match="delta"):
            covering_curve(blocks, delta)
