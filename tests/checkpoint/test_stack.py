"""Every matrix of a checkpoint by itself: what is read, what is said of it, and what the command prints."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from tests.command import Call, refused
from torch import nn

from boundaudit.numeric.checkpoint import measure_stack
from boundaudit.numeric.checkpoint.stack import step

NUMBERS = {"spectral", "alpha", "alpha_error", "x_min", "tail", "ks_distance", "mp_edge", "mp_soft_rank", "warnings"}


def network(seed: int = 0) -> dict[str, torch.Tensor]:
    torch.manual_seed(seed)
    layers = nn.Sequential(nn.Conv2d(3, 32, (3, 2)), nn.Linear(40, 120), nn.Linear(120, 40), nn.Linear(40, 120))
    return {key: tensor.detach() for key, tensor in layers.state_dict().items()}


def write(folder: Path, seed: int = 0, more: Mapping[str, torch.Tensor] | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    save_file({**network(seed), **(more or {})}, folder / "model.safetensors")
    return folder


def rows(path: Path, mapping: dict[str, Any] | None = None) -> dict[str, Any]:
    if mapping is not None:
        (path.parent / "map.json").write_text(json.dumps(mapping), encoding="utf-8")
    found = measure_stack(path, None if mapping is None else path.parent / "map.json", device="cpu")
    return {one.row.matrix: one.row for one in found}


def test_every_weight_is_read_in_order_and_the_rest_is_named(tmp_path: Path) -> None:
    odd = {"mask": torch.ones(1, 5, 5), "10.weight": torch.zeros(30, 30), "9.weight": torch.ones(4, 4).to(torch.int8)}
    found = rows(write(tmp_path / "net", more=odd))
    assert list(found) == ["0.weight", "1.weight", "2.weight", "3.weight", "10.weight", "9.weight", "mask"]
    assert found["10.weight"].warnings == "all entries are 0"
    assert found["9.weight"].warnings == "not read: stored as I8"
    assert found["mask"].warnings == "not read: no weight by its name"
    for name, tensor in network().items():
        if tensor.ndim > 1:
            values = np.linalg.svd(tensor.double().flatten(1).numpy(), compute_uv=False)
            row = found[name]
            assert (row.rows, row.columns) == tensor.flatten(1).shape
            assert (row.spectral, row.nuclear) == pytest.approx((values[0], values.sum()), rel=1e-10)
            assert row.stable_rank == pytest.approx((values**2).sum() / values[0] ** 2)
            if row.alpha is not None:
                assert row.log_alpha_norm == pytest.approx(math.log10((values ** (2 * row.alpha)).sum()))
                assert row.alpha_weighted == pytest.approx(row.alpha * math.log10(values[0] ** 2))


def test_a_convolution_stretches_by_at_most_its_matrix_times_the_root_of_its_positions(tmp_path: Path) -> None:
    row = rows(write(tmp_path / "net"))["0.weight"]
    images = torch.eye(3 * 6 * 5).reshape(-1, 3, 6, 5)
    whole = nn.functional.conv2d(images, network()["0.weight"], padding=1).flatten(1)
    operator = float(torch.linalg.matrix_norm(whole, 2))
    assert row.spectral < operator <= math.sqrt(3 * 2) * row.spectral


def test_a_mapping_names_tensors_and_parts(tmp_path: Path) -> None:
    folder = write(tmp_path / "net")
    mapping: dict[str, Any] = {
        "matrices": {"fc": "{layer}.weight", "again": "0.weight", "key": {"name": "1.weight", "part": [1, 3]}}
    }
    found = rows(folder, mapping)
    assert list(found) == ["0.weight", "1.weight", "2.weight", "3.weight", "1.weight[key]"]
    part = network()["1.weight"][40:80].double().numpy()
    assert found["1.weight[key]"].spectral == pytest.approx(np.linalg.norm(part, 2))
    mapping = {"stored": "inputs-outputs", "matrices": {"key": {"name": "1.weight", "part": [1, 2]}}}
    part = network()["1.weight"][:, 20:].double().numpy()
    assert rows(folder, mapping)["1.weight[key]"].spectral == pytest.approx(np.linalg.norm(part, 2))


def test_steps_by_name() -> None:
    names = ("run-7/checkpoint-500", "pythia/step1000.safetensors", "epoch_3", "bert-base-12", "writer12")
    assert [step(name) for name in names] == [500, 1000, 3, None, None]


def test_json_is_one_flat_record_a_matrix(call: Call, tmp_path: Path) -> None:
    for number in (0, 50):
        write(tmp_path / f"checkpoint-{number}", number)
    found = call("model", "checkpoint-0", "checkpoint-50", "--spectra", "--json")
    records = found.json
    assert [(one["step"], one["matrix"][0]) for one in records] == [(n, str(k)) for n in (0, 50) for k in range(4)]
    assert {key for one in records for key in one} >= NUMBERS
    assert not any(isinstance(value, list | dict) for one in records for value in one.values())
    pandas = pytest.importorskip("pandas")
    (tmp_path / "spectra.json").write_text(found.out, encoding="utf-8")
    table = pandas.read_json(tmp_path / "spectra.json")
    assert table.shape == (8, len(records[0]))
    assert table["spectral"].tolist() == pytest.approx([one["spectral"] for one in records], rel=1e-14)


def test_tables_and_pages(call: Call, tmp_path: Path) -> None:
    for number in (0, 50):
        write(tmp_path / f"checkpoint-{number}", number)
    one = call("model", "checkpoint-50", "--spectra", "--format", "html,md", "--out", "one")
    assert [line.split()[0] for line in one.out.splitlines() if "×" in line][:4] == [f"{k}.weight" for k in range(4)]
    page = (tmp_path / "one" / "spectra.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 4 + 4
    call("model", "checkpoint-0", "checkpoint-50", "--spectra", "--format", "html,md", "--out", "two")
    page, text = ((tmp_path / "two" / f"spectra.{kind}").read_text(encoding="utf-8") for kind in ("html", "md"))
    assert page.count("<svg") == 4
    assert "over training" in page
    assert sum(line.startswith("| ") for line in text.splitlines()) == 2 + 2 + 2 * (2 + 4)


CALLS: dict[str, tuple[list[str], str]] = {
    "compared": (["--compare"], "--spectra: expected neither --compare nor --samples"),
    "sample": (["--samples", "10"], "--spectra: expected neither --compare nor --samples"),
    "no such tensor": (["--mapping", "none.json"], "matrices.x: expected the name of a tensor"),
    "no place": (["--mapping", "odd.json"], "matrices.x: expected the name of a tensor"),
    "no parts": (["--mapping", "parts.json"], "1.weight: expected two or more axes, in 7 equal parts"),
    "no matrix": (["--mapping", "bias.json"], "1.bias: expected two or more axes"),
    "no mapping": (["--mapping", "empty.json"], "matrices: expected an object"),
    "no order": (["--mapping", "order.json"], "stored: expected outputs-inputs or inputs-outputs"),
    "no key": (["--mapping", "key.json"], "matrix: expected one of"),
    "device": (["--device", "tpu"], "auto, cpu or cuda"),
}


@pytest.mark.parametrize("case", CALLS)
def test_wrong_calls(call: Call, tmp_path: Path, case: str) -> None:
    write(tmp_path / "net")
    parts = {"name": "1.weight", "part": [0, 7]}
    places: dict[str, Any] = {"none": "nowhere", "odd": {"part": [0, 1]}, "parts": parts, "bias": "1.bias"}
    mappings: dict[str, Any] = {name: {"matrices": {"x": place}} for name, place in places.items()}
    mappings |= {"empty": {}, "order": {"matrices": {}, "stored": 5}, "key": {"matrix": {}}}
    for name, mapping in mappings.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(mapping), encoding="utf-8")
    arguments, culprit = CALLS[case]
    refused(call("model", "net", "--spectra", *arguments), culprit)


def test_a_weight_that_is_no_number_is_one_line(call: Call, tmp_path: Path) -> None:
    write(tmp_path / "net", more={"4.weight": torch.full((3, 3), math.nan)})
    refused(call("model", "net", "--spectra"), "4.weight")
    save_file({"bias": torch.ones(3)}, tmp_path / "net" / "model.safetensors")
    refused(call("model", "net", "--spectra"), "weights of two or more axes")
