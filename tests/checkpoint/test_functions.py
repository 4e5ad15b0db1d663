"""What is read of a family, as a function: attention and MLP of every layer against the live network's own."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.checkpoint.live import MODELS, built, differences, family_of
from tests.checkpoint.table import PAGE, measured, standing, table

from boundaudit import InputError
from boundaudit.numeric.checkpoint import load_encoder, open_checkpoint, summarise
from boundaudit.numeric.checkpoint.families import CROSS, FAMILIES, GATED, PARALLEL, ROUTED


@pytest.fixture(autouse=True)
def _transformers() -> None:
    pytest.importorskip("transformers")


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_what_is_read_does_what_the_live_network_does(name: str) -> None:
    found = measured(name)
    assert max(found["attention"], found["MLP"]) <= 1e-9
    assert found.get("scores", 0.0) <= 1e-5  # some take their softmax in float32


def test_every_family_is_among_them() -> None:
    assert {family_of(name) for name in MODELS} == set(FAMILIES)


@pytest.mark.slow
def test_the_site_has_the_table_of_families() -> None:
    assert standing(PAGE.read_text(encoding="utf-8")) == table()


@pytest.mark.parametrize("name", ["Mixtral", "Llama", "T5"])
def test_two_matrices_for_each_other_are_seen(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gate and input of a gated MLP have one shape, and so have queries and keys of cross-attention."""
    family = FAMILIES[family_of(name)]
    for one, other in (("gate", "into"), ("cross value", "cross key")):
        places = family.decoder if one in family.decoder else family.places
        if one in places:
            swapped = {**places, one: places[other], other: places[one]}
            change = {"decoder" if places is family.decoder else "places": swapped}
            monkeypatch.setitem(FAMILIES, family_of(name), replace(family, **change))
    found = differences(name, tmp_path)
    assert max(found["attention"], found["MLP"]) > 0.01


def test_an_encoder_alone_has_no_cross_attention(tmp_path: Path) -> None:
    for task, expected in (
        ("EncoderModel", ("positions in the scores",)),
        ("Model", ("positions in the scores", CROSS)),
    ):
        model = built("T5", task)
        model.save_pretrained(tmp_path / task)
        found = summarise(load_encoder(tmp_path / task))
        assert found.uncovered == expected
        assert any(row.kind == "Q_cross" for row in found.matrices) == (CROSS in expected)


@pytest.mark.parametrize("name", ["Llama", "Phi", "Bloom", "Qwen3", "Mixtral", "T5"])
def test_what_is_not_covered_is_named_and_leaves_no_bound(name: str, tmp_path: Path) -> None:
    built(name).save_pretrained(tmp_path)
    found = summarise(load_encoder(tmp_path), samples=10**9)
    assert found.uncovered
    assert found.bounds is None
    assert found.proxies["spectrum_adaptive"] > 0
    assert any(row.kind == "M_gate" for row in found.matrices) == (GATED in found.uncovered)
    assert any(row.kind == "M_out" and row.head for row in found.matrices) == (ROUTED in found.uncovered)


def test_relative_positions_are_named(tmp_path: Path) -> None:
    model = built("DebertaV2", relative_attention=True, pos_att_type=["p2c", "c2p"], share_att_key=False)
    model.save_pretrained(tmp_path)
    assert summarise(load_encoder(tmp_path)).uncovered == ("positions in the scores",)


def test_layers_side_by_side_are_named(tmp_path: Path) -> None:
    for parallel in (True, False):
        built("GPTNeoX", use_parallel_residual=parallel).save_pretrained(tmp_path)
        assert (PARALLEL in open_checkpoint(tmp_path)[1].uncovered) == parallel


@pytest.mark.parametrize(
    ("name", "more"),
    [("Albert", {"num_hidden_groups": 2}), ("Qwen3Moe", {"mlp_only_layers": [1]}), ("Olmoe", {"clip_qkv": 1.0})],
)
def test_layers_of_other_matrices_are_refused(name: str, more: dict[str, Any], tmp_path: Path) -> None:
    built(name, **more).save_pretrained(tmp_path)
    (key,) = more
    with pytest.raises(InputError, match=key):
        open_checkpoint(tmp_path)
