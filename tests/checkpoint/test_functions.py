"""What is read of a family, as a function: attention and MLP of every layer against the live network's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.checkpoint import load_encoder, summarise
from boundaudit.numeric.checkpoint.families import FAMILIES
from boundaudit.numeric.checkpoint.layouts import Layout, layers, open_checkpoint

transformers = pytest.importorskip("transformers")

TEXT = {
    "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 40, "vocab_size": 11,
    "max_position_embeddings": 16, "pad_token_id": 0,
}  # fmt: skip
GROUPED = TEXT | {"num_key_value_heads": 2}
NEO = {"attention_types": [[["global", "local"], 1]], "num_layers": 2, "num_heads": 4}
DISTIL = {"dim": 24, "n_layers": 2, "n_heads": 4, "hidden_dim": 40}
GPT2 = {"n_embd": 24, "n_layer": 2, "n_head": 4, "vocab_size": 11, "n_positions": 16}
T5 = {"d_model": 24, "d_kv": 8, "d_ff": 40, "num_layers": 2, "num_heads": 4, "vocab_size": 11}
MODELS: dict[str, dict[str, Any]] = {
    "Bert": TEXT, "Electra": TEXT | {"embedding_size": 8}, "Albert": TEXT | {"embedding_size": 8}, "DebertaV2": TEXT,
    "DistilBert": TEXT | DISTIL, "ModernBert": TEXT, "CLIPText": TEXT, "GPT2": GPT2, "GPTNeo": TEXT | NEO,
    "GPTNeoX": TEXT, "Bloom": {"hidden_size": 24, "n_layer": 2, "n_head": 4, "vocab_size": 11},
    "OPT": TEXT | {"ffn_dim": 40, "word_embed_proj_dim": 24}, "Phi": TEXT | {"hidden_size": 32}, "Phi3": GROUPED,
    "Llama": GROUPED, "Mistral": GROUPED, "Qwen2": GROUPED, "Qwen3": GROUPED | {"head_dim": 8},
    "Gemma2": GROUPED | {"head_dim": 8}, "T5": T5, "T5 gated": T5 | {"feed_forward_proj": "gated-gelu"},
}  # fmt: skip
NO_PLAIN_SCORES = {"Qwen3", "Gemma2"}
"""Queries and keys are normalised there, or scores capped."""


def built(name: str, **more: Any) -> Any:
    """A random network without biases, with weights large enough for its attention to be far from uniform."""
    torch.manual_seed(7)
    config = config_of(name)(**MODELS[name], **more, attn_implementation="eager")
    model = getattr(transformers, "T5EncoderModel" if name.startswith("T5") else f"{name}Model")(config).eval()
    with torch.no_grad():
        for key, value in model.named_parameters():
            if "bias" in key:  # a table of relative positions among them
                value.zero_()
            elif value.ndim == 2:
                value.normal_(std=0.3)
    return model.double()


def config_of(name: str) -> Any:
    return getattr(transformers, f"{name.split()[0]}Config")


@dataclass(frozen=True)
class Seen:
    """What one layer of the live network was given and gave: rows into attention and MLP, weights, and rows out."""

    into_attention: Tensor
    weights: Tensor
    attended: Tensor
    into_mlp: Tensor
    hidden: Tensor


@contextmanager
def listening(model: Any, name: str, heard: dict[str, Tensor]) -> Iterator[None]:
    """Note what goes into a linear module and what comes out."""

    def hear(_: Any, given: tuple[Tensor], gave: Tensor) -> None:
        heard[f"{name} in"], heard[f"{name} out"] = given[0].reshape(-1, given[0].shape[-1]), gave

    handle = model.get_submodule(name.removesuffix(".weight")).register_forward_hook(hear)
    yield
    handle.remove()


def seen(model: Any, layout: Layout) -> list[Seen]:
    heard: list[dict[str, Tensor]] = [{} for _ in range(layout.depth)]
    shown: dict[str, Tensor] = {"input_ids": torch.tensor([[3, 1, 4, 2, 5]])}
    if "rotary positions" in layout.uncovered:
        shown["position_ids"] = torch.zeros(1, 5, dtype=torch.long)  # where rotations are none
    found = []
    with torch.no_grad():
        for layer in range(layout.depth):  # one at a time: layers may share their modules
            names = {kind: place.tensor(layer) for kind, place in layout.places.items()}
            with ExitStack() as stack:
                for name in dict.fromkeys(names.values()):
                    stack.enter_context(listening(model, name, heard[layer]))
                ended = model(**shown, output_attentions=True)
            here = heard[layer]
            rows = {kind: (here[f"{name} in"], here[f"{name} out"]) for kind, name in names.items()}
            last = layer if "{layer}" in layout.places["query"].name else layout.depth - 1
            found.append(
                Seen(
                    rows["query"][0], ended.attentions[last][0], rows["output"][1].reshape(-1, layout.width),
                    rows["into"][0], rows["out"][1].reshape(-1, layout.width),
                )
            )  # fmt: skip
    return found


def kept(name: str, folder: Path, **more: Any) -> tuple[Any, Layout, list[tuple[Seen, dict[str, Tensor]]]]:
    model = built(name, **more)
    model.save_pretrained(folder)
    checkpoint, layout = open_checkpoint(folder)
    return model, layout, list(zip(seen(model, layout), layers(layout, checkpoint), strict=True))


def heads_of(layout: Layout, matrices: dict[str, Tensor]) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor]]:
    served = layout.heads // layout.shared
    for head in range(layout.heads):
        own = slice(head * layout.head_width, (head + 1) * layout.head_width)
        shared = slice(head // served * layout.head_width, (head // served + 1) * layout.head_width)
        yield (
            matrices["query"][:, own], matrices["key"][:, shared], matrices["value"][:, shared], matrices["output"][own]
        )  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_attention_and_mlp_are_those_of_the_live_network(name: str, tmp_path: Path) -> None:
    _, layout, found = kept(name, tmp_path)
    activation = transformers.activations.ACT2FN[layout.activation]
    for there, matrices in found:
        heads = list(heads_of(layout, matrices))
        attended = sum(
            there.weights[head] @ there.into_attention @ value @ output
            for head, (*_, value, output) in enumerate(heads)
        )
        assert torch.allclose(attended, there.attended, rtol=1e-9, atol=1e-9)
        hidden = there.into_mlp @ matrices["into"]
        hidden = activation(there.into_mlp @ matrices["gate"]) * hidden if "gate" in matrices else activation(hidden)
        assert torch.allclose(hidden @ matrices["out"], there.hidden, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", [name for name in MODELS if name not in NO_PLAIN_SCORES])
def test_scores_are_those_of_the_live_network(name: str, tmp_path: Path) -> None:
    """Up to a scale that all heads share, what a row adds to all its scores, and what a position adds to all of its."""
    _, layout, found = kept(name, tmp_path)
    for there, matrices in found:
        rows = there.into_attention
        scores = torch.stack([rows @ (query @ key.mT) @ rows.mT for query, key, *_ in heads_of(layout, matrices)])
        ours, theirs = (table[:, 4, 1:4] - table[:, 3, 1:4] for table in (scores, there.weights.log()))
        ours, theirs = (table - table[:, :1] for table in (ours, theirs))
        scale = float((ours * theirs).sum() / (ours * ours).sum())
        assert 0 < scale <= 1 + 1e-9
        assert torch.allclose(scale * ours, theirs, rtol=1e-5, atol=1e-6)  # some take their softmax in float32


def test_every_family_is_among_them() -> None:
    families = {config_of(name)().model_type + name.partition(" ")[1] + name.partition(" ")[2] for name in MODELS}
    assert set(FAMILIES) - families == {"roberta", "xlm-roberta", "camembert", "vit", "deit"}  # in test_families


@pytest.mark.parametrize("name", ["Llama", "Phi", "Bloom", "Qwen3"])
def test_what_is_not_covered_is_named_and_leaves_no_bound(name: str, tmp_path: Path) -> None:
    built(name).save_pretrained(tmp_path)
    found = summarise(load_encoder(tmp_path), samples=10**9)
    assert found.uncovered
    assert found.bounds is None
    assert found.proxies["spectrum_adaptive"] > 0
    assert any(row.kind == "M_gate" for row in found.matrices) == ("a gated MLP" in found.uncovered)


def test_relative_positions_are_named(tmp_path: Path) -> None:
    model = built("DebertaV2", relative_attention=True, pos_att_type=["p2c", "c2p"], share_att_key=False)
    model.save_pretrained(tmp_path)
    assert summarise(load_encoder(tmp_path)).uncovered == ("positions in the scores",)


def test_layers_of_other_matrices_are_refused(tmp_path: Path) -> None:
    built("Albert", num_hidden_groups=2).save_pretrained(tmp_path)
    with pytest.raises(InputError, match="num_hidden_groups"):
        open_checkpoint(tmp_path)
