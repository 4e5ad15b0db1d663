"""The proxies against their definitions, written out plainly; their ends, their cap, and sizes that no float holds."""

import math

import numpy as np
import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.schatten.proxy import (
    Block,
    Mlp,
    contribution,
    covering_proxy,
    index_grid,
    rank_cap,
    schatten_proxy,
)
from boundaudit.numeric.spectra import spectrum


def _matrices(layers: int, width: int, heads: int, std: float, seed: int = 0) -> list[dict[str, np.ndarray]]:
    generator = np.random.default_rng(seed)
    inner = width // heads
    return [
        {
            "Q": generator.normal(0, std, (heads, width, inner)) @ generator.normal(0, std, (heads, inner, width)),
            "V": generator.normal(0, std, (heads, width, inner)) @ generator.normal(0, std, (heads, inner, width)),
            "I": generator.normal(0, std, (1, width, 4 * width)),
            "O": generator.normal(0, std, (1, 4 * width, width)),
        }
        for _ in range(layers)
    ]


def _blocks(layers: list[dict[str, np.ndarray]]) -> list[Block]:
    found = []
    for layer in layers:
        q, v, into, out = (tuple(spectrum(torch.from_numpy(m)) for m in layer[name]) for name in ("Q", "V", "I", "O"))
        found.append(Block(q, v, (Mlp(into[0], out[0]),)))
    return found


def _plain(layers: list[dict[str, np.ndarray]], width: int) -> tuple[float, float]:
    """Both proxies, one formula after the other."""
    depth = len(layers)
    steps = math.ceil(depth + math.log(width))
    alphas = []
    for k in range(depth):
        alpha = 1.0
        for later in layers[k + 1 :]:
            heads = sum(_norm(v) * (1 + 4 * _norm(q)) for q, v in zip(later["Q"], later["V"], strict=True))
            alpha *= 1.13 * _norm(later["I"][0]) * _norm(later["O"][0]) * heads
        alphas.append(alpha)
    ours, theirs = math.sqrt(depth), 1.0
    for layer, alpha in zip(layers, alphas, strict=True):
        into, out = layer["I"][0], layer["O"][0]
        mlp = _norm(into) * _norm(out)
        parts = [(into, _norm(out)), (out, 1.0)]
        xi = (_norm(out) * _columns(into)) ** (2 / 3) + _columns(out) ** (2 / 3)
        for q, v in zip(layer["Q"], layer["V"], strict=True):
            parts += [(q, 2 * _norm(v) * mlp), (v, mlp)]
            xi += (mlp * _norm(v) * _columns(q)) ** (2 / 3) + (mlp * _columns(v)) ** (2 / 3)
        theirs += alpha ** (2 / 3) * xi
        for matrix, gamma in parts:
            s = np.linalg.svd(matrix, compute_uv=False)
            s = s[s > 1e-10 * len(s) * max(s[0], 1)]
            scale = gamma * alpha * depth
            ours += min(
                (s**p).sum() ** (1 / (p + 2)) * scale ** (p / (p + 2)) * width ** ((p + 1) / (p + 2))
                for p in (k / steps for k in range(2 * steps + 1))
            )
    return ours, theirs**1.5


def _norm(matrix: np.ndarray) -> float:
    return float(np.linalg.norm(matrix, 2))


def _columns(matrix: np.ndarray) -> float:
    return float(np.linalg.norm(matrix, axis=0).sum())


@pytest.mark.parametrize(("layers", "std"), [(1, 0.3), (2, 0.02), (3, 0.2)])
def test_proxies_agree_with_their_definitions_to_ten_digits(layers: int, std: float) -> None:
    matrices = _matrices(layers, 16, 2, std)
    ours, theirs = _plain(matrices, 16)
    blocks = _blocks(matrices)
    found = schatten_proxy(blocks, 16)
    assert found.total == pytest.approx(ours, rel=1e-10)
    assert covering_proxy(blocks) == pytest.approx(theirs, rel=1e-10)
    assert math.fsum(part.value for part in found.contributions) + math.sqrt(layers) == pytest.approx(found.total)
    assert len(found.contributions) == layers * 6
    assert found.alphas[-1] == 1.0


def test_grid_of_indices() -> None:
    assert index_grid(12, 768) == tuple(k / 19 for k in range(39))
    assert index_grid(1, 1) == (0.0, 1.0, 2.0)
    with pytest.raises(InputError, match="depth"):
        index_grid(0, 64)


def test_ends_of_a_contribution() -> None:
    matrix = spectrum(torch.diag(torch.tensor([3.0, 1.0, 0.0, 2.0])))
    assert contribution(matrix, 0.0, 7.0, 4) == pytest.approx(math.sqrt(3 * 4))
    assert contribution(matrix, 0.0, math.inf, 4) == pytest.approx(math.sqrt(3 * 4))
    assert contribution(matrix, 2.0, 7.0, 4) == pytest.approx(14**0.25 * 7**0.5 * 4**0.75)
    assert contribution(spectrum(torch.zeros(3, 3)), 1.0, 7.0, 3) == 0.0
    assert contribution(matrix, 1.0, 0.0, 4) == 0.0


def test_ranks_cap_the_proxy_and_are_reached_in_deep_networks() -> None:
    blocks = _blocks(_matrices(6, 16, 2, 5.0))
    cap = rank_cap(blocks, 16)
    assert cap == pytest.approx(6 * (4 * math.sqrt(8 * 16) + 2 * 16) + math.sqrt(6))
    assert schatten_proxy(blocks, 16).total <= cap * (1 + 1e-12)
    assert {part.index for part in schatten_proxy(blocks, 16).contributions if part.layer < 5} == {0.0}
    assert schatten_proxy(_blocks(_matrices(6, 16, 2, 0.02)), 16).total < cap / 2


def test_norms_that_no_float_holds() -> None:
    blocks = _blocks(_matrices(2, 8, 1, 30.0)) * 30
    found = schatten_proxy(blocks, 8)
    assert found.alphas[0] == math.inf
    assert math.isfinite(found.total)
    assert found.total <= rank_cap(blocks, 8) * (1 + 1e-12)
    assert covering_proxy(blocks) == math.inf


def test_a_block_without_heads_is_bad_input() -> None:
    matrix = spectrum(torch.eye(2))
    mlp = Mlp(matrix, matrix)
    with pytest.raises(InputError, match="block"):
        Block((), (), (mlp,))
    with pytest.raises(InputError, match="block"):
        Block((matrix,), (matrix, matrix), (mlp,))


def test_comparator_is_smaller_at_small_weights_and_larger_at_large_ones() -> None:
    small, large = (_blocks(_matrices(2, 64, 2, std)) for std in (0.02, 0.5))
    assert covering_proxy(small) < schatten_proxy(small, 64).total
    assert covering_proxy(large) > 1000 * schatten_proxy(large, 64).total
