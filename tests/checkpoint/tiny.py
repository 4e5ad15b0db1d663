"""Checkpoints in the layout of BERT, small enough to be written for every test, and damaged ones."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor

DEPTH, WIDTH, HEADS, INNER = 2, 8, 2, 12
CONFIG = {
    "model_type": "bert", "num_hidden_layers": DEPTH, "hidden_size": WIDTH, "num_attention_heads": HEADS,
    "intermediate_size": INNER, "hidden_act": "gelu",
}  # fmt: skip
NAMES = {
    "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
    "output": "attention.output.dense", "into": "intermediate.dense", "out": "output.dense",
}  # fmt: skip
QUERY = f"encoder.layer.0.{NAMES['query']}.weight"


def name(kind: str, layer: int) -> str:
    return f"encoder.layer.{layer}.{NAMES[kind]}.weight"


def weights(scale: float = 0.3, seed: int = 0) -> dict[str, Tensor]:
    """The matrices of every layer, float64, outputs × inputs, and a tensor that nothing reads."""
    drawn = torch.Generator().manual_seed(seed)
    sizes = {"into": (INNER, WIDTH), "out": (WIDTH, INNER)}
    found = {
        name(kind, layer): scale * torch.randn(sizes.get(kind, (WIDTH, WIDTH)), generator=drawn, dtype=torch.float64)
        for layer in range(DEPTH)
        for kind in NAMES
    }
    return found | {"embeddings.word_embeddings.weight": torch.full((5, WIDTH), torch.nan)}


def write(folder: Path, tensors: Mapping[str, Tensor] | None = None, **config: Any) -> Path:
    """A folder with model.safetensors and config.json."""
    folder.mkdir(parents=True, exist_ok=True)
    found = weights() if tensors is None else tensors
    save_file({key: tensor.contiguous() for key, tensor in found.items()}, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(CONFIG | config), encoding="utf-8")
    return folder


def write_shards(folder: Path) -> Path:
    """The same in two shards with their index."""
    folder.mkdir(parents=True)
    found, shards = weights(), ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors")
    where = {key: shards[i % 2] for i, key in enumerate(found)}
    for shard in shards:
        save_file({key: found[key] for key in found if where[key] == shard}, folder / shard)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": where}), encoding="utf-8")
    (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    return folder


def change_header(folder: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """Change what the header of a file says, and leave the numbers after it as they are."""
    file = folder / "model.safetensors"
    data = file.read_bytes()
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:end])
    change(header)
    said = json.dumps(header).encode()
    file.write_bytes(len(said).to_bytes(8, "little") + said + data[end:])
    return folder


def change_json(file: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change a JSON file."""
    found = json.loads(file.read_text(encoding="utf-8"))
    change(found)
    file.write_text(json.dumps(found), encoding="utf-8")
