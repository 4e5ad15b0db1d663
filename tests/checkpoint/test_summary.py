"""Norms, indices and proxies of a checkpoint against their definitions, written out over its matrices."""

import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from tests.checkpoint.tiny import DEPTH, HEADS, NAMES, WIDTH, name, weights, write, write_shards

from boundaudit.numeric.checkpoint import load_encoder, mean_spectra, summarise
from boundaudit.numeric.checkpoint.layouts import open_checkpoint
from boundaudit.numeric.checkpoint.reader import Checkpoint

Matrices = dict[tuple[int, str, int | None], np.ndarray]


def products(scale: float) -> Matrices:
    """Q, V of each head and both matrices of the MLP, from the weights as a linear layer holds them."""
    stored = {key: tensor.numpy() for key, tensor in weights(scale).items()}
    size, found = WIDTH // HEADS, {}
    for layer in range(DEPTH):
        query, key, value, output, into, out = (
            stored[name(kind, layer)] for kind in ("query", "key", "value", "output", "into", "out")
        )
        for head in range(HEADS):
            of = slice(head * size, (head + 1) * size)
            found[layer, "Q", head] = query[of].T @ key[of]
            found[layer, "V", head] = value[of].T @ output.T[of]
        found[layer, "M_in", None] = into.T
        found[layer, "M_out", None] = out.T
    return found


def operator(matrix: np.ndarray) -> float:
    return float(np.linalg.norm(matrix, 2))


def alpha(found: Matrices, layer: int) -> float:
    later = 1.0
    for k in range(layer + 1, DEPTH):
        heads = sum(operator(found[k, "V", h]) * (1 + 4 * operator(found[k, "Q", h])) for h in range(HEADS))
        later *= 1.13 * operator(found[k, "M_in", None]) * operator(found[k, "M_out", None]) * heads
    return later


def sensitivity(found: Matrices, layer: int, kind: str, head: int | None) -> float:
    into, out = operator(found[layer, "M_in", None]), operator(found[layer, "M_out", None])
    if kind == "Q":
        return 2 * operator(found[layer, "V", head]) * out * into
    return {"V": out * into, "M_in": out, "M_out": 1.0}[kind]


def sums(matrix: np.ndarray, indices: Iterable[float]) -> dict[float, float]:
    """S_p from the singular values of the full product; those at rounding level are none."""
    values = np.linalg.svd(matrix, compute_uv=False)
    kept = values[values > 1e-12 * values[0]]
    return {p: float((kept**p).sum()) for p in indices}


@pytest.fixture(params=[0.1, 0.3, 1.0])
def scale(request: pytest.FixtureRequest) -> float:
    return float(request.param)


def test_norms_of_every_matrix(tmp_path: Path, scale: float) -> None:
    summary = summarise(load_encoder(write(tmp_path, weights(scale))))
    found = products(scale)
    assert {(row.layer, row.kind, row.head) for row in summary.matrices} == set(found)
    assert len(summary.matrices) == len(found)
    for row in summary.matrices:
        matrix = found[row.layer, row.kind, row.head]
        assert row.shape == matrix.shape
        expected = [
            operator(matrix), np.linalg.norm(matrix), np.linalg.norm(matrix, axis=0).sum(), np.abs(matrix).sum(),
            (np.linalg.norm(matrix) / operator(matrix)) ** 2,
        ]  # fmt: skip
        got = [row.spectral, row.frobenius, row.norm_21, row.norm_11, row.stable_rank]
        assert got == pytest.approx(expected, rel=1e-10)
        assert row.schatten == pytest.approx(
            {f"{p:g}": value for p, value in sums(matrix, (0, 0.5, 1, 1.5, 2)).items()}, rel=1e-10
        )


def test_proxies_are_as_defined(tmp_path: Path, scale: float) -> None:
    summary = summarise(load_encoder(write(tmp_path, weights(scale))))
    found = products(scale)
    m = math.ceil(DEPTH + math.log(WIDTH))
    assert summary.indices == 2 * m + 1
    assert summary.alphas == pytest.approx([alpha(found, layer) for layer in range(DEPTH)], rel=1e-10)
    total = math.sqrt(DEPTH)
    for row in summary.matrices:
        s = sensitivity(found, row.layer, row.kind, row.head) * alpha(found, row.layer) * DEPTH
        powers = sums(found[row.layer, row.kind, row.head], [k / m for k in range(2 * m + 1)])
        values = {
            p: power ** (1 / (p + 2)) * s ** (p / (p + 2)) * WIDTH ** ((p + 1) / (p + 2)) for p, power in powers.items()
        }
        assert row.scale == pytest.approx(s, rel=1e-10)
        assert row.contribution == pytest.approx(min(values.values()), rel=1e-10)
        assert values[row.index] == pytest.approx(min(values.values()), rel=1e-10)
        total += min(values.values())
    ranks = sum(math.sqrt(sums(matrix, [0])[0] * WIDTH) for matrix in found.values())
    assert summary.proxies["spectrum_adaptive"] == pytest.approx(total, rel=1e-10)
    assert summary.proxies["rank_cap"] == pytest.approx(ranks + math.sqrt(DEPTH), rel=1e-10)
    assert summary.proxies["covering"] == pytest.approx(covering(found), rel=1e-10)


def covering(found: Matrices) -> float:
    columns = {key: float(np.linalg.norm(matrix, axis=0).sum()) for key, matrix in found.items()}
    total = 1.0
    for layer in range(DEPTH):
        into, out = operator(found[layer, "M_in", None]), operator(found[layer, "M_out", None])
        parts = [out * columns[layer, "M_in", None], columns[layer, "M_out", None]]
        for head in range(HEADS):
            parts.append(out * into * operator(found[layer, "V", head]) * columns[layer, "Q", head])
            parts.append(out * into * columns[layer, "V", head])
        total += alpha(found, layer) ** (2 / 3) * sum(part ** (2 / 3) for part in parts)
    return float(total**1.5)


def test_the_index_depends_on_the_size_of_the_weights(tmp_path: Path) -> None:
    small, large = (summarise(load_encoder(write(tmp_path, weights(size)))) for size in (0.05, 5.0))
    assert {row.index for row in small.matrices if row.layer == 0} == {2.0}
    assert {row.index for row in large.matrices if row.layer == 0} == {0.0}
    assert large.proxies["spectrum_adaptive"] <= large.proxies["rank_cap"] == small.proxies["rank_cap"]


def test_shards_hold_the_same_network(tmp_path: Path) -> None:
    single, sharded = load_encoder(write(tmp_path / "one")), load_encoder(write_shards(tmp_path / "two"))
    assert summarise(single).matrices == summarise(sharded).matrices


def test_a_file_and_its_folder_are_the_same(tmp_path: Path) -> None:
    folder = write(tmp_path)
    by_file = summarise(load_encoder(folder / "model.safetensors"))
    assert by_file.matrices == summarise(load_encoder(folder)).matrices


def test_zero_weights_have_a_proxy(tmp_path: Path) -> None:
    nothing = {key: 0 * tensor for key, tensor in weights().items()}
    summary = summarise(load_encoder(write(tmp_path, nothing)))
    assert summary.proxies == {"spectrum_adaptive": math.sqrt(DEPTH), "rank_cap": math.sqrt(DEPTH), "covering": 1.0}


def test_one_matrix_is_read_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, asked = Checkpoint.read, []

    def watched(self: Checkpoint, names: Iterable[str]) -> object:
        asked.append(tuple(names))
        return read(self, asked[-1])

    monkeypatch.setattr(Checkpoint, "read", watched)
    load_encoder(write(tmp_path))
    assert sorted(asked) == sorted((name(kind, layer),) for kind in NAMES for layer in range(DEPTH))


def test_opening_reads_no_numbers(tmp_path: Path) -> None:
    spoilt = {key: tensor * math.nan for key, tensor in weights().items()}
    checkpoint, layout = open_checkpoint(write(tmp_path, spoilt))
    assert layout.depth == DEPTH
    assert checkpoint.tensors[name("into", 1)].format == "F64"


def test_mean_spectra(tmp_path: Path) -> None:
    found = products(0.3)
    for layer, values in mean_spectra(load_encoder(write(tmp_path)), "V").items():
        heads = [np.linalg.svd(found[layer, "V", head], compute_uv=False)[: WIDTH // HEADS] for head in range(HEADS)]
        assert values.numpy() == pytest.approx(np.mean(heads, axis=0), rel=1e-10)
