"""Where families of transformers keep the matrices of a layer, by the ``model_type`` of their config.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from boundaudit import InputError
from boundaudit.numeric.checkpoint.objects import entry

ROTARY = "rotary positions"
SCORED = "positions in the scores"
NORMALISED = "normalised queries and keys"
CAPPED = "capped scores"
GATED = "a gated MLP"
PARALLEL = "attention and MLP side by side"
ROUTED = "the router of experts"
CROSS = "cross-attention"
_AT_ONE_PLACE = "Q is the product that scores tokens at equal positions, before norms and caps."
UNCOVERED = {
    **dict.fromkeys((ROTARY, SCORED, NORMALISED, CAPPED), _AT_ONE_PLACE),
    GATED: "Of a gated MLP, x ↦ (φ(x M_gate) ⊙ x M_in) M_out on the unit ball, the proxies take both factors.",
    PARALLEL: "The proxies take attention and MLP one after the other.",
    ROUTED: "All experts are read; the proxies hold the router's weights fixed, add up what each expert's matrices "
    "contribute, and follow Q and V through the steepest expert.",
    CROSS: "Q_cross and V_cross are a head's products in the decoder's attention to the encoder; the proxies follow "
    "the encoder's output through each layer of the decoder, and add these paths up.",
}
"""What the matrices of a layer may not tell, and what the proxies see there."""


@dataclass(frozen=True)
class Place:
    """Where a matrix of a layer stands.

    Attributes:
        name: its tensor, with ``{layer}`` for the number of the layer, from 0; without where all layers share it. In a
            mixture of experts with ``{expert}`` for theirs.
        stack: the kinds whose outputs stand side by side in that tensor, in order; nothing where it stands alone.
        at: which of them it is, from 0.
        by_head: whether they stand side by side within each head.
    """

    name: str
    stack: tuple[str, ...] = ()
    at: int = 0
    by_head: bool = False

    def tensor(self, layer: int, expert: int = 0) -> str:
        """The name of its tensor in a layer."""
        return self.name.replace("{layer}", str(layer)).replace("{expert}", str(expert))


@dataclass(frozen=True)
class Family:
    """The names that a family uses in its configuration and for its tensors.

    Attributes:
        places: The place of each kind of matrix, without the name of the model that the family may stand in.
        keys: In config.json: depth, width, heads, inner, activation.
        decoder: The places in a decoder that attends to what these layers give.
        uncovered: What of its layers the matrices do not tell, so that no explicit bound is of it.
        usual: What of it is there unless the configuration denies it, by its key.
        beside: Ends of names of tensors that are not read for that reason.
        required: Entries of config.json that must be as given, for the matrices to be all.
        inputs_first: Whether matrices are stored as inputs × outputs.
    """

    places: Mapping[str, Place]
    keys: tuple[str, str, str, str, str] = (
        "num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size", "hidden_act",
    )  # fmt: skip
    decoder: Mapping[str, Place] = field(default_factory=dict)
    uncovered: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    required: Mapping[str, Any] = field(default_factory=dict)
    inputs_first: bool = False

    def behind(self, prefix: str) -> Family:
        """The family with its names behind a prefix."""
        return replace(self, places=_behind(prefix, self.places), decoder=_behind(prefix, self.decoder))

    def sizes(self, config: Mapping[str, Any]) -> tuple[int, int, int, int]:
        """Depth, width, heads and hidden units."""
        depth, width, heads = (entry(config, key, int, "a whole number") for key in self.keys[:3])
        inner_key = self.keys[3]
        if config.get(inner_key, None if inner_key in _FOUR_TIMES else 0) is None:
            return depth, width, heads, 4 * width
        return depth, width, heads, entry(config, inner_key, int, "a whole number")

    @property
    def mixed(self) -> bool:
        """Whether it has experts for an MLP."""
        return "{expert}" in self.places["into"].name

    def missing_of(self, config: Mapping[str, Any]) -> tuple[str, ...]:
        """Names of what of a configured network the matrices do not tell, such as rotary positions.

        Raises:
            InputError: where the configuration describes layers of other matrices.
        """
        for key, value in ({"add_cross_attention": False} | dict(self.required)).items():
            if config.get(key, value) not in (value, None):
                raise InputError(key, f"{value}, as in layers that are read", config[key], "name such a model")
        more = [said for key, said in SWITCHED.items() if config.get(key, key in self.usual)]
        return tuple(dict.fromkeys((*self.uncovered, *more)))


_FOUR_TIMES = ("n_inner", "of_width")
"""Keys that may be missing; there as for null anywhere it is four times the width."""
SWITCHED = {
    "relative_attention": SCORED,
    "qk_layernorm": NORMALISED,
    "attn_logit_softcapping": CAPPED,
    "use_parallel_residual": PARALLEL,
}
"""What a configuration may switch on."""


def _behind(prefix: str, places: Mapping[str, Place]) -> dict[str, Place]:
    return {kind: replace(place, name=prefix + place.name) for kind, place in places.items()}


# --- names ----------------------------------------------------------------------------------------


def _places(prefix: str, names: Mapping[str, str]) -> dict[str, Place]:
    return {kind: Place(f"{prefix}{name}.weight") for kind, name in names.items()}


def _stacked(name: str, *kinds: str, by_head: bool = False) -> dict[str, Place]:
    return {kind: Place(f"{name}.weight", kinds, at, by_head) for at, kind in enumerate(kinds)}


def _bert(attention: str, suffix: str = "", **others: Any) -> Family:
    """A family whose layers are named as in BERT."""
    names = {kind: f"{attention}.{kind}{suffix}" for kind in ("query", "key", "value")}
    names |= {"output": "attention.output.dense", "into": "intermediate.dense", "out": "output.dense"}
    return Family(_places("encoder.layer.{layer}.", names), **others)


_FUSED = ("query", "key", "value")
_TURNS = ("rotary_emb.inv_freq",)
"""The angles of rotary positions, where a checkpoint holds them."""
_PROJECTIONS = {"query": "self_attn.q_proj", "key": "self_attn.k_proj", "value": "self_attn.v_proj"}
_SPLIT = {"gate": "gate_proj", "into": "up_proj", "out": "down_proj"}
_LLAMA_NAMES = {
    **_PROJECTIONS, "output": "self_attn.o_proj", **{kind: f"mlp.{name}" for kind, name in _SPLIT.items()},
}  # fmt: skip


def _llama(*also: str, activation: str = "hidden_act") -> Family:
    """A family whose layers are named as in LLaMA."""
    keys = ("num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size", activation)
    places = _places("layers.{layer}.", _LLAMA_NAMES)
    return Family(places, keys, uncovered=(ROTARY, GATED, *also), beside=_TURNS)


def _experts(
    folder: str, names: Mapping[str, str], *also: str, inner: str = "intermediate_size", **required: Any
) -> Family:
    """A family whose layers are named as in LLaMA, with experts for an MLP."""
    keys = ("num_hidden_layers", "hidden_size", "num_attention_heads", inner, "hidden_act")
    mlp = {kind: f"{folder}.experts.{{expert}}.{name}" for kind, name in names.items()}
    return Family(
        _places("layers.{layer}.", _LLAMA_NAMES | mlp), keys, uncovered=(ROTARY, GATED, ROUTED, *also),
        beside=(*_TURNS, f"{folder}.gate.weight"), required=required,
    )  # fmt: skip


def _t5(**mlp: str) -> Family:
    """T5, with the names of its MLP."""
    attention = {kind: f"layer.0.SelfAttention.{kind[0]}" for kind in (*_FUSED, "output")}
    cross = {f"cross {kind}": f"layer.1.EncDecAttention.{kind[0]}" for kind in (*_FUSED, "output")}
    encoder, decoder = (
        attention | {kind: f"layer.{at}.DenseReluDense.{name}" for kind, name in mlp.items()} for at in (1, 2)
    )
    return Family(
        _places("encoder.block.{layer}.", encoder),
        keys=("num_layers", "d_model", "num_heads", "d_ff", "dense_act_fn"),
        decoder=_places("decoder.block.{layer}.", decoder | cross),
        uncovered=(SCORED, *((GATED,) if "gate" in mlp else ())), beside=("relative_attention_bias.weight",),
    )  # fmt: skip


FAMILIES = {
    **dict.fromkeys(("bert", "roberta", "xlm-roberta", "camembert", "electra"), _bert("attention.self")),
    "deberta-v2": _bert(
        "attention.self", "_proj",
        beside=("pos_key_proj.weight", "pos_query_proj.weight"), required={"conv_kernel_size": 0},
    ),
    **dict.fromkeys(("vit", "deit"), _bert("attention.attention")),
    "albert": Family(
        _places(
            "encoder.albert_layer_groups.0.albert_layers.0.",
            {
                **{kind: f"attention.{kind}" for kind in _FUSED}, "output": "attention.dense",
                "into": "ffn", "out": "ffn_output",
            },
        ),
        required={"num_hidden_groups": 1, "inner_group_num": 1},
    ),
    "distilbert": Family(
        _places(
            "transformer.layer.{layer}.",
            {
                "query": "attention.q_lin", "key": "attention.k_lin", "value": "attention.v_lin",
                "output": "attention.out_lin", "into": "ffn.lin1", "out": "ffn.lin2",
            },
        ),
        ("n_layers", "dim", "n_heads", "hidden_dim", "activation"),
    ),
    "clip_text_model": Family(
        _places(
            "encoder.layers.{layer}.",
            {**_PROJECTIONS, "output": "self_attn.out_proj", "into": "mlp.fc1", "out": "mlp.fc2"},
        ),
    ),
    "modernbert": Family(
        {
            **_stacked("layers.{layer}.attn.Wqkv", *_FUSED), "output": Place("layers.{layer}.attn.Wo.weight"),
            **_stacked("layers.{layer}.mlp.Wi", "gate", "into"), "out": Place("layers.{layer}.mlp.Wo.weight"),
        },
        ("num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size", "hidden_activation"),
        uncovered=(ROTARY, GATED), beside=_TURNS,
    ),
    "gpt2": Family(
        {
            **_stacked("h.{layer}.attn.c_attn", *_FUSED), "output": Place("h.{layer}.attn.c_proj.weight"),
            "into": Place("h.{layer}.mlp.c_fc.weight"), "out": Place("h.{layer}.mlp.c_proj.weight"),
        },
        ("n_layer", "n_embd", "n_head", "n_inner", "activation_function"), inputs_first=True,
    ),
    "gpt_neo": Family(
        _places(
            "h.{layer}.",
            {
                **{kind: f"attn.attention.{kind[0]}_proj" for kind in _FUSED}, "output": "attn.attention.out_proj",
                "into": "mlp.c_fc", "out": "mlp.c_proj",
            },
        ),
        ("num_layers", "hidden_size", "num_heads", "intermediate_size", "activation_function"),
    ),
    "gpt_neox": Family(
        {
            **_stacked("layers.{layer}.attention.query_key_value", *_FUSED, by_head=True),
            "output": Place("layers.{layer}.attention.dense.weight"),
            "into": Place("layers.{layer}.mlp.dense_h_to_4h.weight"),
            "out": Place("layers.{layer}.mlp.dense_4h_to_h.weight"),
        },
        uncovered=(ROTARY,), usual=("use_parallel_residual",), beside=_TURNS,
    ),
    "bloom": Family(
        {
            **_stacked("h.{layer}.self_attention.query_key_value", *_FUSED, by_head=True),
            "output": Place("h.{layer}.self_attention.dense.weight"),
            "into": Place("h.{layer}.mlp.dense_h_to_4h.weight"), "out": Place("h.{layer}.mlp.dense_4h_to_h.weight"),
        },
        ("n_layer", "hidden_size", "n_head", "of_width", "of_bloom"),
        uncovered=(SCORED,),
    ),
    "opt": Family(
        _places(
            "decoder.layers.{layer}.",
            {**_PROJECTIONS, "output": "self_attn.out_proj", "into": "fc1", "out": "fc2"},
        ),
        ("num_hidden_layers", "hidden_size", "num_attention_heads", "ffn_dim", "activation_function"),
    ),
    "phi": Family(
        _places(
            "layers.{layer}.", {**_PROJECTIONS, "output": "self_attn.dense", "into": "mlp.fc1", "out": "mlp.fc2"}
        ),
        uncovered=(ROTARY, PARALLEL), beside=_TURNS,
    ),
    "phi3": Family(
        {
            **_stacked("layers.{layer}.self_attn.qkv_proj", *_FUSED),
            "output": Place("layers.{layer}.self_attn.o_proj.weight"),
            **_stacked("layers.{layer}.mlp.gate_up_proj", "gate", "into"),
            "out": Place("layers.{layer}.mlp.down_proj.weight"),
        },
        uncovered=(ROTARY, GATED), beside=_TURNS,
    ),
    "t5": _t5(into="wi", out="wo"),
    "t5 gated": _t5(gate="wi_0", into="wi_1", out="wo"),
    **dict.fromkeys(("llama", "mistral", "qwen2"), _llama()),
    "qwen3": _llama(NORMALISED),
    "gemma2": _llama(activation="hidden_activation"),
    "mixtral": _experts("block_sparse_moe", {"gate": "w1", "into": "w3", "out": "w2"}),
    "qwen3_moe": _experts(
        "mlp", _SPLIT, NORMALISED, inner="moe_intermediate_size", decoder_sparse_step=1, mlp_only_layers=[]
    ),
    "olmoe": _experts("mlp", _SPLIT, NORMALISED, clip_qkv=None),
}  # fmt: skip
"""By ``model_type``, with ``gated`` where config.json has ``is_gated_act``. MiniLM says bert, and the like."""
