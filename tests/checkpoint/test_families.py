"""Checkpoints as the transformers library writes them, against what its live modules compute."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.checkpoint.live import MODELS, TASKS, TEXT, built, heads_of
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.checkpoint import UNCOVERED, Encoder, load_encoder, open_checkpoint, summarise
from boundaudit.numeric.checkpoint.layouts import ACTIVATIONS, Layout
from boundaudit.numeric.checkpoint.reader import Checkpoint
from boundaudit.numeric.checkpoint.summary import matrices
from boundaudit.numeric.spectra import Spectrum


@pytest.fixture(autouse=True)
def transformers() -> Any:
    """The library, which takes a second to load, for whoever runs these tests."""
    return pytest.importorskip("transformers")


def products(layout: Layout, checkpoint: Checkpoint, layer: int) -> Iterator[Tensor]:
    """The products of each head, then the matrices of each MLP."""
    for which in ("", "cross ") if "cross query" in layout.places else ("",):
        heads = list(heads_of(layout, checkpoint, layer, which))
        yield from (query @ key.mT for query, key, *_ in heads)
        yield from (value @ output for *_, value, output in heads)
    for kind in ("into", "gate", "out"):
        if kind in layout.places:
            yield from (layout.matrix(checkpoint, kind, layer, expert) for expert in range(layout.experts))


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_spectra_of_every_matrix(name: str, tmp_path: Path) -> None:
    built(name).save_pretrained(tmp_path)
    checkpoint, layout = open_checkpoint(tmp_path)
    found = [spectrum for _, spectrum in matrices(load_encoder(tmp_path).blocks)]
    stacks = [(stack, layer) for stack in layout.stacks for layer in range(stack.depth)]
    expected = [product for stack, layer in stacks for product in products(stack, checkpoint, layer)]
    for spectrum, product in zip(found, expected, strict=True):
        same(spectrum, product)


def same(found: Spectrum, expected: Tensor) -> None:
    values = torch.linalg.svdvals(expected)[: len(found.values)]
    assert found.shape == tuple(expected.shape)
    assert torch.allclose(found.values, values, rtol=1e-10)
    assert found.columns == pytest.approx(float(expected.norm(dim=0).sum()), rel=1e-10)
    assert found.rows == pytest.approx(float(expected.norm(dim=1).sum()), rel=1e-10)
    assert found.entries == pytest.approx(float(expected.abs().sum()), rel=1e-10)


NEVER_TIED = {"ViT", "DeiT", "CLIPText", "T5", "T5 gated"}
FORMATS = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Bert", "GPT2", "Mixtral", "T5"])
def test_number_formats(name: str, tmp_path: Path) -> None:
    """The same numbers in another format are the same network: apart, fused, of experts, in two stacks."""
    for kept, dtype in FORMATS.items():
        model = built(name).to(dtype)
        model.save_pretrained(tmp_path / kept)
        model.double().save_pretrained(tmp_path / "wide")
        narrow, wide = load_encoder(tmp_path / kept), load_encoder(tmp_path / "wide")
        assert (narrow.formats, wide.formats) == ((kept,), ("F64",))
        alike(narrow, wide)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_shards_heads_and_ties(name: str, tmp_path: Path) -> None:
    """A model with a head in many files, tied to its embeddings or not, has the layers of the model alone in one."""
    stored = []
    for tied in (True, False):
        model = built(name, TASKS[name], tie_word_embeddings=tied)
        folder = tmp_path / str(tied)
        model.save_pretrained(folder / "many", max_shard_size="10KB")
        model.base_model.save_pretrained(folder / "alone")
        index = json.loads((folder / "many" / "model.safetensors.index.json").read_text())
        assert len(set(index["weight_map"].values())) > 3
        many, alone = (load_encoder(folder / part) for part in ("many", "alone"))
        alike(many, alone)
        assert set(many.layout.uncovered) <= set(UNCOVERED)
        stored.append(len(index["weight_map"]))
    assert stored[0] < stored[1] or name in NEVER_TIED


def alike(one: Encoder, other: Encoder) -> None:
    """The same spectra, up to what the addresses of numbers in memory do to sums of them."""
    for (place, mine), (same_place, theirs) in zip(matrices(one.blocks), matrices(other.blocks), strict=True):
        assert place == same_place
        assert torch.allclose(mine.values, theirs.values, rtol=1e-12, atol=1e-14)
        assert mine.columns == pytest.approx(theirs.columns, rel=1e-12)
        assert mine.entries == pytest.approx(theirs.entries, rel=1e-12)


def test_a_mapping_reads_the_same_as_the_family(tmp_path: Path) -> None:
    built("GPT2").save_pretrained(tmp_path)
    (tmp_path / "map.json").write_text(json.dumps(GPT2_MAPPING), encoding="utf-8")
    mapped = load_encoder(tmp_path / "model.safetensors", tmp_path / "map.json")
    assert mapped.layout.family == "mapping"
    assert mapped.layout.activation == "gelu_new"
    assert summarise(mapped).matrices == summarise(load_encoder(tmp_path)).matrices


GPT2_MAPPING = {
    "layers": 2, "width": 24, "heads": 4, "inner": 96, "activation": "gelu_new", "stored": "inputs-outputs",
    "matrices": {
        "query": {"name": "h.{layer}.attn.c_attn.weight", "part": [0, 3]},
        "key": {"name": "h.{layer}.attn.c_attn.weight", "part": [1, 3]},
        "value": {"name": "h.{layer}.attn.c_attn.weight", "part": [2, 3]},
        "output": "h.{layer}.attn.c_proj.weight",
        "into": "h.{layer}.mlp.c_fc.weight",
        "out": "h.{layer}.mlp.c_proj.weight",
    },
}  # fmt: skip


@pytest.mark.parametrize("gated", [True, False])
def test_a_mapping_drops_neither_gate_nor_rotary_positions(tmp_path: Path, transformers: Any, gated: bool) -> None:
    model = transformers.LlamaModel(transformers.LlamaConfig(**TEXT))
    kept = {name: value for name, value in model.state_dict().items() if gated or "gate" not in name}
    model.save_pretrained(tmp_path, state_dict=kept)
    parts = {"query": "self_attn.q", "key": "self_attn.k", "value": "self_attn.v", "output": "self_attn.o"}
    parts |= {"into": "mlp.up", "out": "mlp.down"}
    matrices = {kind: f"layers.{{layer}}.{part}_proj.weight" for kind, part in parts.items()}
    said = {"layers": 2, "width": 24, "heads": 4, "inner": 40, "matrices": matrices}
    (tmp_path / "map.json").write_text(json.dumps(said), encoding="utf-8")
    if gated:
        (tmp_path / "config.json").unlink()  # no word of rotary positions is left
    with pytest.raises(InputError, match="gate_proj" if gated else "rope_|rotary"):
        load_encoder(tmp_path, tmp_path / "map.json")


def test_a_briefly_trained_network(tmp_path: Path) -> None:
    """Training moves norms, and the reader sees it."""
    model = built("Bert", "ForMaskedLM")
    model.save_pretrained(tmp_path / "before")
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    tokens = torch.randint(11, (16, 5), generator=torch.Generator().manual_seed(0))
    losses = []
    for _ in range(10):
        loss = model(input_ids=tokens, labels=tokens).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    model.save_pretrained(tmp_path / "after")
    before, after = (summarise(load_encoder(tmp_path / part)) for part in ("before", "after"))
    assert losses[-1] < losses[0]
    stored = model.base_model.encoder.layer[1].intermediate.dense.weight
    row = next(row for row in after.matrices if (row.layer, row.kind) == (1, "M_in"))
    assert row.spectral == pytest.approx(float(torch.linalg.matrix_norm(stored.detach(), 2)), rel=1e-10)
    assert before.proxies["covering"] != after.proxies["covering"]


@pytest.mark.parametrize("name", [name for name in ACTIVATIONS if name != "swish"])
def test_lipschitz_constants_of_activations(transformers: Any, name: str) -> None:
    """Each constant is above the steepest slope of the library's own activation, and close to it."""
    activation = transformers.activations.ACT2FN[name]
    points = torch.linspace(-12, 12, 200_001, dtype=torch.float64, requires_grad=True)
    (slopes,) = torch.autograd.grad(activation(points).sum(), points)
    steepest = float(slopes.abs().max())
    assert steepest <= ACTIVATIONS[name] <= steepest * 1.002
    assert float(activation(torch.zeros(1, dtype=torch.float64))) == 0
