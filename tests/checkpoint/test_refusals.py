"""Damaged, false and foreign checkpoints: one line that names the culprit, before memory is taken for them."""

import json
import os
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from tests.checkpoint.tiny import (
    CONFIG,
    HEADS,
    INNER,
    NAMES,
    QUERY,
    WIDTH,
    change_header,
    change_json,
    name,
    weights,
    write,
    write_shards,
)  # fmt: skip

from boundaudit import InputError
from boundaudit.numeric.checkpoint import load_encoder, open_checkpoint

FILE, INDEX = "model.safetensors", "model.safetensors.index.json"


def refused(path: Path, *culprits: str, mapping: Path | None = None) -> None:
    with pytest.raises(InputError) as caught:
        load_encoder(path, mapping)
    (line,) = caught.value.lines
    assert "\n" not in line
    assert [word for word in culprits if word not in line] == []


# --- files ----------------------------------------------------------------------------------------


def overwrite(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    return lambda folder: (folder / FILE).write_bytes(change((folder / FILE).read_bytes())) and None


def zipped(folder: Path) -> None:
    with zipfile.ZipFile(folder / FILE, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("data.pkl", bytes(10**7))


DAMAGED: dict[str, Callable[[Path], None]] = {
    "empty": overwrite(lambda data: b""), "seven bytes": overwrite(lambda data: data[:7]),
    "header alone": overwrite(lambda data: data[: 8 + int.from_bytes(data[:8], "little")]),
    "truncated header": overwrite(lambda data: data[:100]), "truncated numbers": overwrite(lambda data: data[:-1]),
    "bytes after the end": overwrite(lambda data: data + b"\0"),
    "length of the header beyond the file": overwrite(lambda data: (2**62).to_bytes(8, "little") + data[8:]),
    "length of the header is all bits": overwrite(lambda data: b"\xff" * 8 + data[8:]),
    "length of the header too short": overwrite(lambda data: (50).to_bytes(8, "little") + data[8:]),
    "header is no JSON": overwrite(lambda data: data[:9] + b"\xff\xfe" + data[11:]),
    "header nested too deep": overwrite(lambda data: (10**5 + 5).to_bytes(8, "little") + b'{"a":' + b"[" * 10**5),
    "a pickle": overwrite(lambda data: pickle.dumps(list(range(100)))), "a zip": zipped,
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_files(tmp_path: Path, damage: str) -> None:
    DAMAGED[damage](write(tmp_path))
    refused(tmp_path, FILE, "a whole safetensors file")


def entry(**said: Any) -> Callable[[dict[str, Any]], object]:
    return lambda header: header[QUERY].update(said)


LIES: dict[str, Callable[[dict[str, Any]], object]] = {
    "more rows than bytes": entry(shape=[WIDTH + 1, WIDTH]), "a product beyond 64 bits": entry(shape=[2**62, 2**62]),
    "a terabyte": entry(shape=[2**20, 2**17], data_offsets=[0, 2**40]),
    "a negative size": entry(shape=[-WIDTH, -WIDTH]), "a number format of another width": entry(dtype="F32"),
    "no number format": entry(dtype="F7"), "offsets beyond the file": entry(data_offsets=[2**40, 2**40 + 512]),
    "offsets that run backwards": entry(data_offsets=[512, 0]),
    "an overlap": lambda header: header[QUERY].update(data_offsets=header[name("key", 0)]["data_offsets"]),
    "a hole": lambda header: header.pop(QUERY), "no shape": lambda header: header[QUERY].pop("shape"),
    "no object": lambda header: header.update({QUERY: 1}),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_headers_that_lie(tmp_path: Path, lie: str) -> None:
    change_header(write(tmp_path), LIES[lie])
    refused(tmp_path, FILE, "a whole safetensors file")


def test_names_that_a_terminal_obeys(tmp_path: Path) -> None:
    change_header(write(tmp_path), lambda header: header.update({"\x1b[31m": header.pop(QUERY)}))
    refused(tmp_path, FILE, "names of tensors that can be read")


def test_a_huge_header_is_not_read(tmp_path: Path) -> None:
    """A sparse file of 8 GiB whose header would fill it."""
    write(tmp_path)
    with (tmp_path / FILE).open("wb") as file:
        file.write((2**33 - 8).to_bytes(8, "little") + b"{")
        file.truncate(2**33)
    refused(tmp_path, FILE, "a header of at most 16 MiB")


@pytest.mark.parametrize("suffix", ["bin", "pt", "pth", "ckpt", "pkl"])
def test_pickles_are_refused_unopened(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"pytorch_model.{suffix}"
    file.write_bytes(b"cos\nsystem\n(S'touch /tmp/opened'\ntR.")
    os.chmod(file, 0)
    refused(file, "never a pickle", "convert it to safetensors")
    refused(tmp_path, "never a pickle", "convert it to safetensors")


def test_folders_without_a_checkpoint(tmp_path: Path) -> None:
    refused(tmp_path, "a .safetensors file", "none in")
    refused(tmp_path / "nowhere", "not there")
    refused(tmp_path / ("long" * 100), "long")
    os.mkfifo(tmp_path / "pipe.safetensors")
    (tmp_path / "folder.safetensors").mkdir()
    refused(tmp_path, "a .safetensors file", "none in")
    (tmp_path / "readme.md").write_text("text")
    refused(tmp_path / "readme.md", "another kind of file")
    for part in ("a", "b"):
        save_file({"x": torch.zeros(1)}, tmp_path / f"{part}.safetensors")
    refused(tmp_path, "2 of them without an index")


def test_the_only_file_of_a_folder_is_taken(tmp_path: Path) -> None:
    (write(tmp_path) / FILE).rename(tmp_path / "weights.safetensors")
    assert load_encoder(tmp_path).layout.width == WIDTH


# --- shards ---------------------------------------------------------------------------------------


def shard_of(path: str) -> Callable[[dict[str, Any]], object]:
    return lambda index: index["weight_map"].update({QUERY: path})


SHARDS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "above the folder": (shard_of("../outside.safetensors"), "names of .safetensors files in the folder"),
    "an absolute path": (shard_of("/outside.safetensors"), "names of .safetensors files in the folder"),
    "of another system": (shard_of("..\\outside.safetensors"), "names of .safetensors files in the folder"),
    "the folder itself": (shard_of(".."), "names of .safetensors files in the folder"),
    "a pickle": (shard_of("pytorch_model.bin"), "names of .safetensors files in the folder"),
    "a number": (lambda index: index["weight_map"].update({QUERY: 7}), "names of .safetensors files in the folder"),
    "not there": (shard_of("absent.safetensors"), "complete the download"),
    "not in that shard": (shard_of("model-00002-of-00002.safetensors"), QUERY),
    "no map": (lambda index: index.pop("weight_map"), "weight_map"),
    "an empty map": (lambda index: index.update(weight_map={}), "weight_map"),
    "no matrix of a layer": (lambda index: index["weight_map"].pop(QUERY), QUERY),
}


@pytest.mark.parametrize("case", SHARDS)
def test_shards(tmp_path: Path, case: str) -> None:
    folder = write_shards(tmp_path / "model")
    (tmp_path / "outside.safetensors").write_bytes((folder / "model-00001-of-00002.safetensors").read_bytes())
    change, culprit = SHARDS[case]
    change_json(folder / INDEX, change)
    refused(folder, culprit)


@pytest.mark.parametrize("text", ["", "[]", "{", "nul", '{"a":' * 10**5, "\udcff"], ids=range(6))
@pytest.mark.parametrize("file", [INDEX, "config.json"])
def test_json_that_is_no_object(tmp_path: Path, file: str, text: str) -> None:
    folder = write_shards(tmp_path / "model")
    (folder / file).write_bytes(text.encode(errors="surrogateescape"))
    refused(folder, file, "a JSON object")


# --- configurations and tensors -------------------------------------------------------------------


@pytest.mark.parametrize("key", CONFIG)
def test_every_entry_of_the_configuration_is_needed(tmp_path: Path, key: str) -> None:
    write(tmp_path)
    change_json(tmp_path / "config.json", lambda config: config.pop(key))
    refused(tmp_path, key, "got nothing")


CONFIGS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown family": ({"model_type": "mamba"}, "--mapping"), "family no text": ({"model_type": 3}, "model_type"),
    "heads do not divide": ({"num_attention_heads": 3}, "num_attention_heads"),
    "no layers": ({"num_hidden_layers": 0}, "num_hidden_layers"),
    "a billion layers": ({"num_hidden_layers": 10**9}, name("query", 2)),
    "fewer layers than stored": ({"num_hidden_layers": 1}, "depth"),
    "width is a truth value": ({"hidden_size": True}, "hidden_size"),
    "width in words": ({"hidden_size": "8"}, "hidden_size"), "another width": ({"hidden_size": 16}, "shape 16 × 16"),
    "a huge width": ({"hidden_size": 10**12}, "shape"), "another inner size": ({"intermediate_size": 10**12}, "shape"),
    "an unknown activation": ({"hidden_act": "cubic"}, "hidden_act"),
    "cross-attention": ({"add_cross_attention": True}, "add_cross_attention"),
    "another family": ({"model_type": "vit"}, "attention.attention.query"),
}  # fmt: skip


@pytest.mark.parametrize("case", CONFIGS)
def test_configurations(tmp_path: Path, case: str) -> None:
    change, culprit = CONFIGS[case]
    refused(write(tmp_path, **change), culprit)


def test_no_configuration(tmp_path: Path) -> None:
    (write(tmp_path) / "config.json").unlink()
    refused(tmp_path, "config.json")


SPOILT: dict[str, tuple[Callable[[torch.Tensor], torch.Tensor], str]] = {
    "not a number": (lambda tensor: tensor.index_fill(0, torch.tensor([3]), torch.nan), "finite weights"),
    "infinite": (lambda tensor: tensor.index_fill(0, torch.tensor([3]), -torch.inf), "finite weights"),
    "too large": (lambda tensor: 1e61 * tensor / tensor.abs().max(), "finite weights"),
    "too small": (lambda tensor: 1e-61 * tensor / tensor.abs().max(), "finite weights"),
    "half not a number": (lambda tensor: tensor.half() * torch.nan, "finite weights"),
    "whole numbers": (lambda tensor: tensor.to(torch.int8), "I8"),
    "eight bits": (lambda tensor: tensor.to(torch.float8_e4m3fn), "F8_E4M3"),
    "transposed": (lambda tensor: tensor.reshape(INNER, WIDTH), "shape"),
    "a vector": (lambda tensor: tensor.flatten(), "shape"),
    "one number": (lambda tensor: tensor[0, 0], "a single number"),
    "nothing": (lambda tensor: tensor[:0], "shape"),
}


@pytest.mark.parametrize("case", SPOILT)
def test_tensors(tmp_path: Path, case: str) -> None:
    change, culprit = SPOILT[case]
    found, spoilt = weights(), name("out", 1)
    found[spoilt] = change(found[spoilt])
    refused(write(tmp_path, found), spoilt, culprit)


@pytest.mark.parametrize("kind", NAMES)
def test_missing_tensors(tmp_path: Path, kind: str) -> None:
    found = weights()
    del found[name(kind, 1)]
    refused(write(tmp_path, found), name(kind, 1), "no such tensor")


def test_unknown_devices(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="device: expected auto, cpu or cuda"):
        load_encoder(write(tmp_path), device="tpu")


# --- mappings -------------------------------------------------------------------------------------

MAPPING: dict[str, Any] = {
    "layers": 2, "width": WIDTH, "heads": HEADS, "inner": INNER, "activation": "relu",
    "matrices": {kind: f"encoder.layer.{{layer}}.{part}.weight" for kind, part in NAMES.items()},
}  # fmt: skip


def matrix(said: object) -> dict[str, Any]:
    return {"matrices": MAPPING["matrices"] | {"key": said}}


MAPPINGS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown entry": ({"depth": 2}, "depth"), "no width": ({"width": None}, "width"),
    "no matrices": ({"matrices": None}, "matrices"),
    "a matrix missing": ({"matrices": {"query": "a.{layer}"}}, "matrices"), "name no text": (matrix(3), "matrices.key"),
    "name without a layer": (matrix("encoder.key"), "matrices.key"),
    "part beyond": (matrix({"name": "a.{layer}", "part": [3, 3]}), "matrices.key"),
    "part below": (matrix({"name": "a.{layer}", "part": [-1, 3]}), "matrices.key"),
    "part no list": (matrix({"name": "a.{layer}", "part": 2}), "matrices.key"),
    "no such tensor": (matrix("h.{layer}.k"), "h.0.k"), "stored otherwise": ({"stored": "sideways"}, "stored"),
    "transposed": ({"stored": "inputs-outputs"}, "shape"), "heads do not divide": ({"heads": 3}, "heads"),
    "another head width": ({"head_width": 3}, "shape 6 × 8"),
    "an activation that no table has": ({"activation": "cubic"}, "activation"),
}  # fmt: skip


@pytest.mark.parametrize("case", MAPPINGS)
def test_mappings(tmp_path: Path, case: str) -> None:
    change, culprit = MAPPINGS[case]
    file = tmp_path / "map.json"
    file.write_text(json.dumps(MAPPING | change), encoding="utf-8")
    refused(write(tmp_path), culprit, mapping=file)


def test_a_mapping_needs_no_configuration(tmp_path: Path) -> None:
    (write(tmp_path) / "config.json").unlink()
    file = tmp_path / "map.json"
    file.write_text(json.dumps(MAPPING), encoding="utf-8")
    _, layout = open_checkpoint(tmp_path, file)
    assert (layout.family, layout.head_width, layout.activation) == ("mapping", WIDTH // HEADS, "relu")
