"""Checkpoints as the transformers library writes them, against what its live modules compute."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.checkpoint import load_encoder, summarise
from boundaudit.numeric.checkpoint.layouts import ACTIVATIONS, KINDS, open_checkpoint
from boundaudit.numeric.spectra import Spectrum

transformers = pytest.importorskip("transformers")

Rows = Callable[[Tensor], Tensor]
DEPTH, WIDTH, HEADS, INNER, TOKENS = 3, 24, 4, 40, 5
SIZES = {"hidden_size": WIDTH, "num_hidden_layers": DEPTH, "num_attention_heads": HEADS, "intermediate_size": INNER}
TEXT = SIZES | {"vocab_size": 11, "max_position_embeddings": 16}
IMAGE = SIZES | {"image_size": 8, "patch_size": 4}
GPT2 = {
    "n_embd": WIDTH, "n_layer": DEPTH, "n_head": HEADS, "n_inner": INNER, "vocab_size": 11, "n_positions": 16,
    "bos_token_id": 0, "eos_token_id": 0,
}  # fmt: skip
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "BertModel": ("BertConfig", TEXT),
    "BertForMaskedLM": ("BertConfig", TEXT),
    "RobertaModel": ("RobertaConfig", TEXT),
    "RobertaForSequenceClassification": ("RobertaConfig", TEXT),
    "XLMRobertaModel": ("XLMRobertaConfig", TEXT),
    "CamembertModel": ("CamembertConfig", TEXT),
    "GPT2Model": ("GPT2Config", GPT2),
    "GPT2LMHeadModel": ("GPT2Config", GPT2 | {"n_inner": None}),
    "ViTModel": ("ViTConfig", IMAGE),
    "ViTForImageClassification": ("ViTConfig", IMAGE),
    "DeiTModel": ("DeiTConfig", IMAGE),
}


def built(name: str, dtype: torch.dtype = torch.float64) -> Any:
    """A random network with weights large enough for its attention to be far from uniform."""
    config, sizes = MODELS[name]
    torch.manual_seed(7)
    model = getattr(transformers, name)(getattr(transformers, config)(**sizes, attn_implementation="eager")).eval()
    with torch.no_grad():
        for part in model.modules():
            if hasattr(part, "weight") and part.weight is not None and part.weight.ndim == 2:
                part.weight.normal_(std=0.3)
    return model.to(dtype)


@dataclass(frozen=True)
class Live:
    """The modules of one layer: what stands before attention, and the affine maps of rows in it."""

    seen: Rows
    query: Rows
    key: Rows
    value: Rows
    output: Rows
    into: Rows
    out: Rows


def live(model: Any, layer: int) -> Live:
    core = model.base_model
    if hasattr(core, "h"):
        block = core.h[layer]
        parts = (lambda x, i=i: block.attn.c_attn(x).chunk(3, -1)[i] for i in range(3))
        return Live(block.ln_1, *parts, block.attn.c_proj, block.mlp.c_fc, block.mlp.c_proj)
    block = (core.layers if hasattr(core, "layers") else core.encoder.layer)[layer]
    found = block.attention
    if hasattr(block, "mlp"):
        maps = (found.q_proj, found.k_proj, found.v_proj, found.o_proj)
        return Live(block.layernorm_before, *maps, block.mlp.fc1, block.mlp.fc2)
    maps = (found.self.query, found.self.key, found.self.value, found.output.dense)
    return Live(lambda x: x, *maps, block.intermediate.dense, block.output.dense)


def matrix(linear: Rows, inputs: int) -> Tensor:
    """What an affine map multiplies rows by."""
    return linear(torch.eye(inputs, dtype=torch.float64)) - linear(torch.zeros(1, inputs, dtype=torch.float64))


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest) -> Any:
    return built(request.param)


@pytest.mark.slow
def test_attention_weights_of_the_live_network(model: Any, tmp_path: Path) -> None:
    """The softmax of X Q_h Xᵀ / √d_h with the Q_h of the reader is what every head attends with."""
    model.save_pretrained(tmp_path)
    checkpoint, layout = open_checkpoint(tmp_path)
    if "pixel" in model.main_input_name:
        shown = {"pixel_values": torch.randn(1, 3, 8, 8, dtype=torch.float64)}
    else:
        shown = {"input_ids": torch.tensor([[3, 1, 4, 2, 5]])}
    with torch.no_grad():
        ended = model(**shown, output_attentions=True, output_hidden_states=True)
    assert len(ended.attentions) == layout.depth == DEPTH
    for layer in range(DEPTH):
        matrices = {kind: layout.matrix(checkpoint, kind, layer) for kind in KINDS}
        rows = live(model, layer).seen(ended.hidden_states[layer])[0]
        heads = zip(matrices["query"].chunk(HEADS, 1), matrices["key"].chunk(HEADS, 1), strict=True)
        scores = torch.stack([rows @ (q @ k.mT) @ rows.mT for q, k in heads]) / (WIDTH // HEADS) ** 0.5
        if layout.family == "gpt2":
            scores = scores.masked_fill(torch.ones(len(rows), len(rows)).triu(1).bool(), -torch.inf)
        # Attention to images takes its softmax in float32.
        rounding = 1e-6 if "pixel_values" in shown else 1e-10
        assert torch.allclose(scores.softmax(-1), ended.attentions[layer][0], rtol=0, atol=rounding)


def test_matrices_of_the_live_network(model: Any, tmp_path: Path) -> None:
    model.save_pretrained(tmp_path)
    encoder = load_encoder(tmp_path)
    size = WIDTH // HEADS
    for layer, block in enumerate(encoder.blocks):
        maps = live(model, layer)
        with torch.no_grad():
            query, key, value, output = (
                matrix(linear, WIDTH) for linear in (maps.query, maps.key, maps.value, maps.output)
            )
            into, out = matrix(maps.into, WIDTH), matrix(maps.out, encoder.layout.inner)
        parts = [slice(head * size, (head + 1) * size) for head in range(HEADS)]
        expected = [query[:, of] @ key[:, of].mT for of in parts] + [value[:, of] @ output[of] for of in parts]
        for found, product in zip((*block.queries, *block.values), expected, strict=True):
            assert len(found.values) == size
            same(found, product)
        (mlp,) = block.mlps
        same(mlp.into, into)
        same(mlp.out, out)


def same(found: Spectrum, expected: Tensor) -> None:
    values = torch.linalg.svdvals(expected)[: len(found.values)]
    assert found.shape == tuple(expected.shape)
    assert torch.allclose(found.values, values, rtol=1e-10)
    assert found.columns == pytest.approx(float(expected.norm(dim=0).sum()), rel=1e-10)
    assert found.rows == pytest.approx(float(expected.norm(dim=1).sum()), rel=1e-10)
    assert found.entries == pytest.approx(float(expected.abs().sum()), rel=1e-10)


FORMATS = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}


@pytest.mark.parametrize("name", ["BertModel", "RobertaModel", "GPT2Model", "ViTModel"])
@pytest.mark.parametrize("kept", FORMATS)
def test_number_formats(name: str, kept: str, tmp_path: Path) -> None:
    """The same numbers in another format are the same network."""
    model = built(name, FORMATS[kept])
    model.save_pretrained(tmp_path / "kept")
    model.to(torch.float64).save_pretrained(tmp_path / "wide")
    narrow, wide = load_encoder(tmp_path / "kept"), load_encoder(tmp_path / "wide")
    assert narrow.formats == (kept,)
    assert summarise(narrow).matrices == summarise(wide).matrices


@pytest.mark.parametrize("name", ["BertForMaskedLM", "RobertaModel", "GPT2LMHeadModel", "ViTModel"])
def test_shards(name: str, tmp_path: Path) -> None:
    model = built(name)
    model.save_pretrained(tmp_path / "one")
    model.save_pretrained(tmp_path / "many", max_shard_size="20KB")
    index = json.loads((tmp_path / "many" / "model.safetensors.index.json").read_text())
    assert len(set(index["weight_map"].values())) > 3
    one, many = (summarise(load_encoder(tmp_path / part)) for part in ("one", "many"))
    assert one.matrices == many.matrices


def test_a_mapping_reads_the_same_as_the_family(tmp_path: Path) -> None:
    built("GPT2Model").save_pretrained(tmp_path)
    (tmp_path / "map.json").write_text(json.dumps(GPT2_MAPPING), encoding="utf-8")
    mapped = load_encoder(tmp_path / "model.safetensors", tmp_path / "map.json")
    assert mapped.layout.family == "mapping"
    assert mapped.layout.activation == "gelu"
    assert summarise(mapped).matrices == summarise(load_encoder(tmp_path)).matrices


GPT2_MAPPING = {
    "layers": DEPTH, "width": WIDTH, "heads": HEADS, "inner": INNER, "stored": "inputs-outputs",
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
def test_a_mapping_drops_neither_gate_nor_rotary_positions(tmp_path: Path, gated: bool) -> None:
    model = transformers.LlamaModel(transformers.LlamaConfig(**TEXT))
    kept = {name: value for name, value in model.state_dict().items() if gated or "gate" not in name}
    model.save_pretrained(tmp_path, state_dict=kept)
    parts = {"query": "self_attn.q", "key": "self_attn.k", "value": "self_attn.v", "output": "self_attn.o"}
    parts |= {"into": "mlp.up", "out": "mlp.down"}
    matrices = {kind: f"layers.{{layer}}.{part}_proj.weight" for kind, part in parts.items()}
    said = {"layers": DEPTH, "width": WIDTH, "heads": HEADS, "inner": INNER, "matrices": matrices}
    (tmp_path / "map.json").write_text(json.dumps(said), encoding="utf-8")
    if gated:
        (tmp_path / "config.json").unlink()  # no word of rotary positions is left
    with pytest.raises(InputError, match="gate_proj" if gated else "rope_|rotary"):
        load_encoder(tmp_path, tmp_path / "map.json")


def test_a_briefly_trained_network(tmp_path: Path) -> None:
    """Training moves norms, and the reader sees it."""
    model = built("BertForMaskedLM")
    model.save_pretrained(tmp_path / "before")
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    tokens = torch.randint(11, (16, TOKENS), generator=torch.Generator().manual_seed(0))
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
def test_lipschitz_constants_of_activations(name: str) -> None:
    """Each constant is above the steepest slope of the library's own activation, and close to it."""
    activation = transformers.activations.ACT2FN[name]
    points = torch.linspace(-12, 12, 200_001, dtype=torch.float64, requires_grad=True)
    (slopes,) = torch.autograd.grad(activation(points).sum(), points)
    steepest = float(slopes.abs().max())
    assert steepest <= ACTIVATIONS[name] <= steepest * 1.002
    assert float(activation(torch.zeros(1, dtype=torch.float64))) == 0
