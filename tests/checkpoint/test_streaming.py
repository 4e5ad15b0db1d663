"""A checkpoint of a billion parameters, its numbers holes of sparse files, is read in the memory of one matrix."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

WIDTH, HEADS, VOCABULARY, DEPTH = 4096, 32, 50257, 6
NARROW = 1024
"""A width at which spectra take a second, and matrices more than the noise of a process's memory."""
PROCESS = Path("/proc/self/status")
MEASURED = f"""
import re, sys
from pathlib import Path
{{}}
def peak():
    return re.search(r"VmHWM:\\s*(\\d+)", Path("{PROCESS}").read_text())[1]
before = peak()
{{}}
print(before, peak())
"""
READING = "from boundaudit.numeric.checkpoint.layouts import KINDS, open_checkpoint"
READ = """
checkpoint, layout = open_checkpoint(Path(sys.argv[1]))
read = ((kind, layer) for layer in range(layout.depth) for kind in KINDS)
print(sum(layout.matrix(checkpoint, *one).numel() for one in read))
"""
SUMMARISING = "from boundaudit.numeric.checkpoint import load_encoder, summarise"
SUMMARISED = """
print(len(summarise(load_encoder(sys.argv[1], device="cpu")).matrices))
"""
pytestmark = pytest.mark.skipif(not PROCESS.exists(), reason="the system does not tell the peak of a process's memory")


def shapes(width: int) -> dict[str, tuple[int, int]]:
    """The matrices of a layer."""
    inner = 43 * width // 16
    return {
        "attn.c_attn": (width, 3 * width), "attn.c_proj": (width, width), "mlp.c_fc": (width, inner),
        "mlp.c_proj": (inner, width),
    }  # fmt: skip


def write_holes(folder: Path, depth: int, width: int) -> int:
    """A model in the layout of GPT-2 in bfloat16, a shard a layer, all of it zeros that take no place on the disk.

    Returns:
        Bytes that its tensors have.
    """
    of_layer = shapes(width)
    shards = [{f"h.{layer}.{name}.weight": shape for name, shape in of_layer.items()} for layer in range(depth)]
    shards.append({"wte.weight": (VOCABULARY, width)})
    where, total = {}, 0
    for number, tensors in enumerate(shards):
        file, header, end = f"model-{number:05}.safetensors", {}, 0
        for name, (rows, columns) in tensors.items():
            start, end = end, end + 2 * rows * columns
            header[name] = {"dtype": "BF16", "shape": [rows, columns], "data_offsets": [start, end]}
            where[name] = file
        said = json.dumps(header).encode()
        (folder / file).write_bytes(len(said).to_bytes(8, "little") + said)
        with (folder / file).open("r+b") as opened:
            opened.truncate(8 + len(said) + end)
        total += end
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": where}), encoding="utf-8")
    config = {
        "model_type": "gpt2", "n_layer": depth, "n_embd": width, "n_head": HEADS,
        "n_inner": of_layer["mlp.c_fc"][1], "activation_function": "gelu_new",
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return total


def measured(imports: str, work: str, folder: Path) -> tuple[int, int, int]:
    """What some work prints, and the peaks of its process's memory in bytes after its imports and at its end."""
    call = [sys.executable, "-c", MEASURED.format(imports, work), str(folder)]
    said, before, peak = subprocess.run(call, capture_output=True, check=True, encoding="utf-8").stdout.split()
    return int(said), 1024 * int(before), 1024 * int(peak)


@pytest.mark.slow
def test_a_billion_parameters_are_read_a_matrix_at_a_time(tmp_path: Path) -> None:
    size = write_holes(tmp_path, DEPTH, WIDTH)
    assert size > 2e9
    numbers, _, peak = measured(READING, READ, tmp_path)
    assert numbers == DEPTH * sum(rows * columns for rows, columns in shapes(WIDTH).values())
    print(f"{size / 1e9:.1f} GB read with a peak of {peak / 1e9:.2f} GB")
    assert peak < size / 3


@pytest.mark.slow
def test_one_layer_is_measured_in_a_few_times_its_largest_matrix(tmp_path: Path) -> None:
    write_holes(tmp_path, 1, NARROW)
    matrices, before, peak = measured(SUMMARISING, SUMMARISED, tmp_path)
    assert matrices == 2 * HEADS + 2
    print(f"measured with {(peak - before) / 1e6:.0f} MB")
    rows, columns = shapes(NARROW)["mlp.c_fc"]
    assert peak - before < 5 * 8 * rows * columns
