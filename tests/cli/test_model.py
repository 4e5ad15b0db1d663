"""`boundaudit model`: what it prints, the pages it writes, and calls that it refuses in one line."""

import json
import math
from pathlib import Path

import pytest
import torch
from tests.checkpoint.live import built
from tests.checkpoint.tiny import DEPTH, HEADS, INNER, WIDTH, weights, write
from tests.command import Call, refused

from boundaudit.numeric.checkpoint import load_encoder, summarise
from boundaudit.numeric.schatten.bounds import post_hoc_curve

PROXIES = {"spectrum_adaptive", "rank_cap", "covering"}
MATRICES = DEPTH * (2 * HEADS + 2)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write(tmp_path / "small")


def test_json_has_every_matrix(call: Call, small: Path) -> None:
    found = call("model", small, "--json").json
    summary = summarise(load_encoder(small))
    assert {key: found[key] for key in ("family", "depth", "width", "heads", "inner", "activation")} == {
        "family": "bert", "depth": DEPTH, "width": WIDTH, "heads": HEADS, "inner": INNER, "activation": "gelu",
    }  # fmt: skip
    assert found["proxies"] == summary.proxies
    assert found["alphas"] == list(summary.alphas)
    assert len(found["matrices"]) == MATRICES
    assert set(found["matrices"][0]) == {
        "layer", "kind", "head", "shape", "spectral", "frobenius", "norm_21", "norm_11", "stable_rank", "schatten",
        "index", "contribution", "scale",
    }  # fmt: skip
    parts = sum(row["contribution"] for row in found["matrices"]) + math.sqrt(DEPTH)
    assert parts == pytest.approx(found["proxies"]["spectrum_adaptive"])


def test_numbers_that_no_float_holds_are_null(call: Call, tmp_path: Path) -> None:
    found = call("model", write(tmp_path / "huge", weights(1e59)), "--json").json
    assert found["alphas"] == [None, 1.0]
    assert found["proxies"]["covering"] is None
    assert found["proxies"]["spectrum_adaptive"] == pytest.approx(found["proxies"]["rank_cap"], rel=1e-14)


def test_the_table_has_a_row_for_the_heads_of_a_layer(call: Call, small: Path) -> None:
    ended = call("model", small)
    assert ended.code == 0
    assert ended.err == ""
    lines = [line.split() for line in ended.out.splitlines()]
    rows = [line for line in lines if line and line[0] in {"1", "2"} and "×" in line]
    assert [(row[0], row[1]) for row in rows] == [
        (str(layer), kind) for layer in (1, 2) for kind in ("Q", "V", "M_in", "M_out")
    ]
    summary = summarise(load_encoder(small))
    assert f"{summary.proxies['covering']:.10g}" in ended.out
    ranks = sum(row.index == 0 for row in summary.matrices)
    assert f"{ranks} of {MATRICES} matrices have p* = 0" in ended.out


@pytest.mark.slow
def test_a_mixture_of_experts(call: Call, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    built("Mixtral").save_pretrained(tmp_path / "mixed")
    found = call("model", "mixed", "--samples", "1e9", "--json").json
    assert (found["experts"], found["inner"], found["decoder"], found["bounds"]) == (3, 40, 0, None)
    assert [row["head"] for row in found["matrices"] if (row["layer"], row["kind"]) == (1, "M_gate")] == [0, 1, 2]
    said = call("model", "mixed", "--samples", "1e9", "--format", "html", "--out", "pages").out
    assert "4 heads on 2 of keys and values, 3 experts of 40 hidden units" in said
    assert "M_gate × 3" in said
    assert "All experts are read" in said
    assert "No explicit bound is of such a network" in said
    assert "M_out, expert 3" in (tmp_path / "pages" / "model.html").read_text(encoding="utf-8")


def test_an_encoder_and_its_decoder(call: Call, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    built("T5", "ForConditionalGeneration").save_pretrained(tmp_path / "both")
    found = call("model", "both", "--json").json
    assert (found["depth"], found["decoder"], len(found["alphas"])) == (5, 3, 5)
    crossed = {row["layer"] for row in found["matrices"] if row["kind"] == "Q_cross"}
    assert crossed == {2, 3, 4}
    said = call("model", "both", "--format", "html,md", "--out", "pages").out
    assert "2 layers and 3 of a decoder" in said
    rows = [line.split()[:4] for line in said.splitlines() if line.startswith("decoder")]
    assert rows[2] == ["decoder", "1", "Q_cross", "×"]
    assert len(rows) == 3 * 6
    page = (tmp_path / "pages" / "model.html").read_text(encoding="utf-8")
    assert "Layer 3 of the decoder" in page
    assert "V_cross, head 4" in page
    assert page.count("<svg") == 6 + 3


def test_comparison_is_relative_to_the_first(call: Call, small: Path, tmp_path: Path) -> None:
    large = write(tmp_path / "large", weights(1.0))
    rows = call("model", "--compare", small, large, "--json").json["rows"]
    alone = [call("model", path, "--json").json["proxies"] for path in (small, large)]
    assert [row["proxies"] for row in rows] == alone
    assert rows[0]["relative"] == dict.fromkeys(PROXIES, 1.0)
    for name in PROXIES:
        assert rows[1]["relative"][name] == pytest.approx(alone[1][name] / alone[0][name])
    shown = call("model", "--compare", "small", "large").out.splitlines()
    assert [line.split()[0] for line in shown[:3]] == ["checkpoint", "small", "large"]


@pytest.mark.slow
def test_pages(call: Call, small: Path, tmp_path: Path) -> None:
    ended = call("model", small, "--format", "html,md", "--out", "pages")
    assert ended.code == 0
    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == ["model.html", "model.md"]
    page, text = ((tmp_path / "pages" / f"model.{kind}").read_text(encoding="utf-8") for kind in ("html", "md"))
    value = f"{summarise(load_encoder(small)).proxies['covering']:.10g}"
    assert value in page
    assert value in text
    assert page.count("<svg") == 7
    assert "://" not in page.replace("http://www.w3.org", "")
    assert "<script" not in page
    assert sum(line.startswith("| ") for line in text.splitlines()) == 2 + 4 * DEPTH
    assert page == rewritten(call, small, tmp_path)


def rewritten(call: Call, small: Path, tmp_path: Path) -> str:
    call("model", small, "--format", "html", "--out", "again")
    return (tmp_path / "again" / "model.html").read_text(encoding="utf-8")


def test_pages_of_a_comparison(call: Call, small: Path, tmp_path: Path) -> None:
    found = weights()
    deeper = {key.replace(".1.", ".2."): tensor.clone() for key, tensor in found.items() if ".1." in key}
    deep = write(tmp_path / "deep", found | deeper, num_hidden_layers=DEPTH + 1)
    call("model", "--compare", small, deep, "--format", "html,md", "--out", "pages")
    page = (tmp_path / "pages" / "models.html").read_text(encoding="utf-8")
    assert page.count("<svg") == len(PROXIES)
    assert "growth with depth" in page
    assert "growth with width" not in page
    text = (tmp_path / "pages" / "models.md").read_text(encoding="utf-8")
    assert sum(line.startswith("| ") for line in text.splitlines()) == 4


def test_names_are_text_on_every_page(call: Call, tmp_path: Path) -> None:
    odd = write(tmp_path / "a[bold]|<b>")
    assert "a[bold]|<b>" in call("model", "--compare", odd).out.replace("\n", "")
    assert call("model", odd, "--format", "html,md", "--out", "pages").code == 0
    assert "<b>" not in (tmp_path / "pages" / "model.html").read_text(encoding="utf-8")
    assert "|<b>" not in (tmp_path / "pages" / "model.md").read_text(encoding="utf-8")


CALLS: dict[str, tuple[list[str], str]] = {
    "nothing": ([], "CHECKPOINT"), "nowhere": (["nowhere"], "checkpoint: expected a folder or a .safetensors file"),
    "several": (["small", "small"], "add --compare"),
    "second of several": (["--compare", "small", "nowhere"], "nowhere"), "pickle": (["model.bin"], "never a pickle"),
    "device": (["small", "--device", "tpu"], "auto, cpu or cuda"),
    "mapping": (["small", "--mapping", "nowhere.json"], "nowhere.json"),
    "format": (["small", "--format", "pdf", "--out", "pages"], "--format: expected html or md"),
    "no sample": (["small", "--samples", "0"], "samples"), "half a sample": (["small", "--samples", "1.5"], "samples"),
    "certainty": (["small", "--samples", "10", "--delta", "0"], "delta"),
    "no folder": (["small", "--format", "html"], "--out"), "no format": (["small", "--out", "pages"], "--format"),
    "folder is a file": (["small", "--format", "html", "--out", "small/config.json"], "--out"),
}  # fmt: skip


@pytest.mark.parametrize("case", CALLS)
@pytest.mark.parametrize("as_json", [False, True], ids=["table", "json"])
def test_wrong_calls(call: Call, small: Path, tmp_path: Path, case: str, as_json: bool) -> None:
    (tmp_path / "model.bin").write_bytes(b"")
    before = sorted(tmp_path.rglob("*"))
    arguments, culprit = CALLS[case]
    refused(call("model", *arguments, *(["--json"] if as_json else [])), culprit)
    assert sorted(tmp_path.rglob("*")) == before


def test_explicit_bounds(call: Call, small: Path) -> None:
    """The bound falls as 1/√m where the sample is large, and rises as δ falls."""
    assert call("model", small, "--json").json["bounds"] is None
    first, more, surer = (
        call("model", small, "--samples", samples, "--delta", delta, "--json").json["bounds"]
        for samples, delta in (("1e14", 0.05), ("1e16", 0.05), ("1e14", 1e-9))
    )
    kinds = {f"{name}_{what}" for name in ("schatten", "covering") for what in ("post_hoc", "informs_from")}
    assert set(first) == {"samples", "delta", "loss_lipschitz", "loss_range", *kinds}
    encoder = load_encoder(small)
    expected = post_hoc_curve(encoder.blocks, WIDTH, 0.05, activation=1.13)(1e14)
    assert first["schatten_post_hoc"] == pytest.approx(expected, rel=1e-12)
    assert 5 < first["schatten_post_hoc"] / more["schatten_post_hoc"] < 10.1
    assert surer["schatten_post_hoc"] > first["schatten_post_hoc"]
    rows = call("model", "--compare", small, "--samples", "1e14", "--json").json["rows"]
    assert rows[0]["bounds"] == first
    assert f"{expected:.10g}" in call("model", small, "--samples", "1e14").out


def test_damaged_numbers_are_one_line(call: Call, tmp_path: Path) -> None:
    spoilt = {key: tensor * torch.inf for key, tensor in weights().items()}
    ended = call("model", write(tmp_path / "spoilt", spoilt), "--json")
    assert (ended.code, ended.out) == (2, "")
    assert len(ended.err.splitlines()) == 1


def test_a_mapping_from_the_help_is_read(call: Call, small: Path, tmp_path: Path) -> None:
    """The example of --help, over a checkpoint of its shape."""
    lines = call("model", "--help").out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.strip().startswith('{"layers"'))
    mapping = json.loads("\n".join(lines[start:]))
    assert set(mapping) <= {"layers", "width", "heads", "inner", "activation", "stored", "matrices"}
    mapping |= {"layers": 1, "width": WIDTH, "heads": HEADS, "inner": INNER}
    (tmp_path / "map.json").write_text(json.dumps(mapping), encoding="utf-8")
    found = {"qkv": (3 * WIDTH, WIDTH), "proj": (WIDTH, WIDTH), "up": (INNER, WIDTH), "down": (WIDTH, INNER)}
    fused = write(tmp_path / "fused", {f"h.0.{key}.weight": torch.ones(shape) for key, shape in found.items()})
    assert call("model", fused, "--mapping", "map.json", "--json").json["family"] == "mapping"
