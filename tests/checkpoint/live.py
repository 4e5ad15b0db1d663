"""Tiny random networks of every family by the transformers library, and what is read of them against what they do."""

import math
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from boundaudit.numeric.checkpoint import open_checkpoint
from boundaudit.numeric.checkpoint.families import NORMALISED, ROTARY
from boundaudit.numeric.checkpoint.layouts import Layout
from boundaudit.numeric.checkpoint.reader import Checkpoint

TEXT = {
    "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 40, "vocab_size": 11,
    "max_position_embeddings": 16, "pad_token_id": 0, "eos_token_id": 1,
}  # fmt: skip
IMAGE = {key: TEXT[key] for key in list(TEXT)[:4]} | {"image_size": 8, "patch_size": 4}
GROUPED = TEXT | {"num_key_value_heads": 2}
MIXED = GROUPED | {"num_experts_per_tok": 2}
NEO = {"attention_types": [[["global", "local"], 1]], "num_layers": 2, "num_heads": 4}
DISTIL = {"dim": 24, "n_layers": 2, "n_heads": 4, "hidden_dim": 40}
GPT2 = {"n_embd": 24, "n_layer": 2, "n_head": 4, "vocab_size": 11, "n_positions": 16}
T5 = {"d_model": 24, "d_kv": 8, "d_ff": 40, "num_layers": 2, "num_decoder_layers": 3, "num_heads": 4, "vocab_size": 11}
MODELS: dict[str, dict[str, Any]] = {
    "Bert": TEXT, "Roberta": TEXT, "XLMRoberta": TEXT, "Camembert": TEXT, "ViT": IMAGE, "DeiT": IMAGE,
    "Electra": TEXT | {"embedding_size": 8}, "Albert": TEXT | {"embedding_size": 8}, "DebertaV2": TEXT,
    "DistilBert": TEXT | DISTIL, "ModernBert": TEXT, "CLIPText": TEXT, "GPT2": GPT2, "GPTNeo": TEXT | NEO,
    "GPTNeoX": TEXT, "Bloom": {"hidden_size": 24, "n_layer": 2, "n_head": 4, "vocab_size": 11},
    "OPT": TEXT | {"ffn_dim": 40, "word_embed_proj_dim": 24}, "Phi": TEXT | {"hidden_size": 32}, "Phi3": GROUPED,
    "Llama": GROUPED, "Mistral": GROUPED, "Qwen2": GROUPED, "Qwen3": GROUPED | {"head_dim": 8},
    "Gemma2": GROUPED | {"head_dim": 8}, "T5": T5, "T5 gated": T5 | {"feed_forward_proj": "gated-gelu"},
    "Mixtral": MIXED | {"num_local_experts": 3}, "Olmoe": MIXED | {"num_experts": 3},
    "Qwen3Moe": MIXED | {"num_experts": 3, "moe_intermediate_size": 16, "head_dim": 8},
}  # fmt: skip
"""By the name of the library's classes."""
TASKS = {
    **dict.fromkeys(MODELS, "ForCausalLM"),
    **dict.fromkeys(("Bert", "Roberta", "XLMRoberta", "Camembert", "Electra", "Albert", "DebertaV2"), "ForMaskedLM"),
    **dict.fromkeys(("DistilBert", "ModernBert"), "ForMaskedLM"),
    "GPT2": "LMHeadModel", "CLIPText": "ModelWithProjection",
    **dict.fromkeys(("ViT", "DeiT"), "ForImageClassification"),
    **dict.fromkeys(("T5", "T5 gated"), "ForConditionalGeneration"),
}  # fmt: skip
"""The class with a head that each is saved as."""


def config_of(name: str, **more: Any) -> Any:
    import transformers

    return getattr(transformers, f"{name.split()[0]}Config")(
        **MODELS[name], **more, attn_implementation="eager", experts_implementation="eager"
    )


def family_of(name: str) -> str:
    """Its name in the registry."""
    return " ".join((config_of(name).model_type, *name.split()[1:]))


def built(name: str, task: str = "Model", **more: Any) -> Any:
    """A random network without biases, with weights large enough for its attention to be far from uniform."""
    import transformers

    torch.manual_seed(7)
    model = getattr(transformers, f"{name.split()[0]}{task}")(config_of(name, **more)).eval()
    with torch.no_grad():
        for key, value in model.named_parameters():
            if "bias" in key:  # a table of relative positions among them
                value.zero_()
            elif value.ndim in {2, 3}:  # experts stand on top of each other
                value.normal_(std=0.3)
    return model.double()


@dataclass(frozen=True)
class Attended:
    """An attention of the live network: rows that ask, rows that answer, the weights between them, rows out."""

    asking: Tensor
    answering: Tensor
    weights: Tensor
    out: Tensor


@dataclass(frozen=True)
class Seen:
    """One layer of the live network: its attentions by the prefix of their kinds, rows into and out of its MLP.

    In a mixture, `shares` has how much of each expert each row gets.
    """

    attentions: dict[str, Attended]
    into_mlp: Tensor
    shares: Tensor
    out: Tensor


Heard = dict[str, tuple[Tensor, Any]]


@contextmanager
def listening(model: Any, modules: dict[str, str], heard: Heard) -> Iterator[None]:
    """Note what goes into modules, as rows, and what comes out."""

    def hear(kind: str) -> Any:
        def note(_: Any, given: tuple[Tensor, ...], gave: Any) -> None:
            heard[kind] = given[0].reshape(-1, given[0].shape[-1]), gave

        return note

    with ExitStack() as stack:
        for kind, module in modules.items():
            stack.callback(model.get_submodule(module).register_forward_hook(hear(kind)).remove)
        yield


def shown(model: Any, layout: Layout) -> dict[str, Tensor]:
    """What the network is asked; rotary positions at places where rotations are none."""
    if "pixel" in model.main_input_name:
        return {"pixel_values": torch.randn(1, 3, 8, 8, dtype=torch.float64)}
    found: dict[str, Tensor] = {"input_ids": torch.tensor([[3, 1, 4, 2, 5]])}
    if layout.decoder is not None:
        found["decoder_input_ids"] = torch.tensor([[2, 7, 1, 8, 3]])
    if ROTARY in layout.uncovered:
        found["position_ids"] = torch.zeros(1, 5, dtype=torch.long)
    return found


def modules_of(model: Any, layout: Layout, checkpoint: Checkpoint, layer: int) -> dict[str, str]:
    """The live modules by what they hold of a layer, whatever they are called; of a mixture router and all experts."""
    mixture = f"layers.{layer}.mlp"
    found = {} if layout.experts == 1 else {"router": f"{mixture}.gate", "experts": f"{mixture}.experts"}
    weights = {name: module.weight for name, module in model.named_modules() if hasattr(module, "weight")}
    for kind, place in layout.places.items():
        if "{expert}" not in place.name:
            (stored,) = checkpoint.read([place.tensor(layer)]).values()
            found[kind] = next(name for name, weight in weights.items() if torch.equal(weight, stored))
    return found


def seen(model: Any, layout: Layout, checkpoint: Checkpoint) -> Iterator[Seen]:
    """What each layer of the live network does, one at a time: layers may share their modules."""
    for stack in layout.stacks:
        for layer in range(stack.depth):
            heard: Heard = {}
            with torch.no_grad(), listening(model, modules_of(model, stack, checkpoint, layer), heard):
                ended = model(**shown(model, layout), output_attentions=True)
            last = layer if "{layer}" in stack.places["query"].name else stack.depth - 1
            weights = {"": ended.get("attentions") or ended.get("encoder_attentions")}
            if stack is layout.decoder:
                weights = {"": ended.decoder_attentions, "cross ": ended.cross_attentions}
            attentions = {
                which: Attended(
                    heard[f"{which}query"][0], heard[f"{which}key"][0], found[last][0],
                    heard[f"{which}output"][1].reshape(-1, layout.width),
                )
                for which, found in weights.items()
            }  # fmt: skip
            into, out = ("into", "out") if layout.experts == 1 else ("experts", "experts")
            rows = heard[into][0]
            shares = torch.ones(len(rows), 1, dtype=torch.float64)
            if layout.experts > 1:
                _, some, chosen = heard["router"][1]
                shares = torch.zeros(len(rows), layout.experts, dtype=torch.float64).scatter(1, chosen, some.double())
            yield Seen(attentions, rows, shares, heard[out][1].reshape(-1, layout.width))


def heads_of(layout: Layout, checkpoint: Checkpoint, layer: int, which: str) -> Iterator[tuple[Tensor, ...]]:
    """The query, key, value and output maps of each head, as they are read."""
    kinds = ("query", "key", "value", "output")
    query, key, value, output = (layout.matrix(checkpoint, f"{which}{kind}", layer) for kind in kinds)
    served = layout.heads // layout.shared
    for head in range(layout.heads):
        own = slice(head * layout.head_width, (head + 1) * layout.head_width)
        shared = slice(head // served * layout.head_width, (head // served + 1) * layout.head_width)
        yield query[:, own], key[:, shared], value[:, shared], output[own]


def mlp_of(layout: Layout, checkpoint: Checkpoint, layer: int, rows: Tensor, expert: int) -> Tensor:
    """What the MLP, or an expert, as it is read makes of rows."""
    from transformers.activations import ACT2FN

    read = {
        kind: layout.matrix(checkpoint, kind, layer, expert)
        for kind in ("into", "gate", "out")
        if kind in layout.places
    }
    hidden = rows @ read["into"]
    activation = ACT2FN[layout.activation]
    hidden = activation(rows @ read["gate"]) * hidden if "gate" in read else activation(hidden)
    found: Tensor = hidden @ read["out"]
    return found


def differences(name: str, folder: Path, task: str = "Model", **more: Any) -> dict[str, float]:
    """How far attention, MLP and scores as they are read are from those of the live network, at most.

    Scores up to a scale that all heads share, what a row adds to all of its scores, and what a position adds to all of
    its own. Where queries and keys are normalised, or scores capped, they have no product and are not compared.
    """
    model = built(name, task, **more)
    model.save_pretrained(folder)
    checkpoint, layout = open_checkpoint(folder)
    found: dict[str, float] = {"attention": 0.0, "MLP": 0.0}
    if not {NORMALISED, "capped scores"} & set(layout.uncovered):
        found["scores"] = 0.0
    stacks = [(stack, layer) for stack in layout.stacks for layer in range(stack.depth)]
    for (stack, layer), there in zip(stacks, seen(model, layout, checkpoint), strict=True):
        for which, attended in there.attentions.items():
            heads = list(heads_of(stack, checkpoint, layer, which))
            out = sum(
                attended.weights[head] @ attended.answering @ value @ output
                for head, (*_, value, output) in enumerate(heads)
            )
            found["attention"] = max(found["attention"], apart(out, attended.out))
            if "scores" in found:
                scores = torch.stack([attended.asking @ (q @ k.mT) @ attended.answering.mT for q, k, *_ in heads])
                found["scores"] = max(found["scores"], scores_apart(scores, attended.weights))
        out = sum(
            there.shares[:, expert, None] * mlp_of(stack, checkpoint, layer, there.into_mlp, expert)
            for expert in range(stack.experts)
        )
        found["MLP"] = max(found["MLP"], apart(out, there.out))
    return found


def scores_apart(scores: Tensor, weights: Tensor) -> float:
    """How far scores are from the logarithms of weights, less what is not compared."""
    ours, theirs = (table[:, 4, 1:4] - table[:, 3, 1:4] for table in (scores, weights.double().log()))
    ours, theirs = (table - table[:, :1] for table in (ours, theirs))
    scale = float((ours * theirs).sum() / (ours * ours).sum())
    within = 0 < scale <= 1 + 1e-6  # some take their softmax in float32
    return float((scale * ours - theirs).abs().max()) if within else math.inf


def apart(found: Tensor, there: Tensor) -> float:
    """The largest difference, in units of 1 and of what is there."""
    return float(((found - there).abs() / (1 + there.abs())).max())
