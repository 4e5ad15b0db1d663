"""The sizes of a transformer, and how each matrix of a layer stands on disk.

Every matrix is handed on in the orientation that multiplies rows from the right, inputs × outputs. A linear layer of
PyTorch is stored as outputs × inputs; the Conv1D of GPT-2 as inputs × outputs, queries, keys and values side by side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundaudit import InputError
from boundaudit.numeric.checkpoint.families import CROSS, FAMILIES, Place
from boundaudit.numeric.checkpoint.objects import entry, read_object
from boundaudit.numeric.checkpoint.reader import FORMATS, Checkpoint
from boundaudit.numeric.checkpoint.unread import OTHER_MODEL, unknown

if TYPE_CHECKING:
    from torch import Tensor

ACTIVATIONS = {
    **dict.fromkeys(("gelu", "gelu_new", "gelu_fast", "gelu_python", "gelu_pytorch_tanh"), 1.13),
    **dict.fromkeys(("silu", "swish", "quick_gelu"), 1.1),
    **dict.fromkeys(("relu", "tanh"), 1.0),
}
"""Lipschitz constants by the name of the activation; 1.13 is Sakai & Imaizumi's for GELU."""
HOMOGENEOUS = ("relu",)
"""Those with φ(c x) = c φ(x) for c > 0, before which a factor may be taken from M_in to M_out."""
KINDS = ("query", "key", "value", "output", "into", "out")
"""What every layer has; a gated MLP has a ``gate`` as well, of the shape of ``into``."""
MOST_LAYERS = 10_000
STORED = ("outputs-inputs", "inputs-outputs")


@dataclass(frozen=True)
class Layout:
    """The sizes of a transformer, and where its matrices stand.

    Attributes:
        family: Its ``model_type``, or that of a mapping.
        depth: L, the number of layers; of an encoder where a decoder follows.
        width: N, the hidden size.
        heads: Attention heads of a layer.
        shared: Heads of keys and values, each of which serves as many heads of queries as any other.
        head_width: Outputs of each head of queries, keys and values.
        inner: Hidden units of the MLP, or of each expert.
        activation: The name of their activation.
        inputs_first: Whether matrices are stored as inputs × outputs.
        places: The place of each of `KINDS`, and of a ``gate`` where there is one; in a decoder that attends to an
            encoder also of ``cross query``, ``cross key``, ``cross value`` and ``cross output``.
        experts: MLPs of a layer, of which a router mixes some; one where there is none.
        decoder: The layers that attend to what these give.
        uncovered: What of the layers these matrices do not tell: no explicit bound is of such a network.
        beside: Ends of names of tensors that are not read for that reason.
    """

    family: str
    depth: int
    width: int
    heads: int
    shared: int
    head_width: int
    inner: int
    activation: str
    inputs_first: bool
    places: Mapping[str, Place]
    experts: int = 1
    decoder: Layout | None = None
    uncovered: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    @property
    def stacks(self) -> tuple[Layout, ...]:
        """The encoder or only stack of layers, and the decoder where there is one."""
        return (self,) if self.decoder is None else (self, self.decoder)

    def shape(self, kind: str) -> tuple[int, int]:
        """Inputs and outputs of a matrix."""
        queries, keys = self.heads * self.head_width, self.shared * self.head_width
        return {
            "query": (self.width, queries), "key": (self.width, keys), "value": (self.width, keys),
            "output": (queries, self.width), "out": (self.inner, self.width),
        }.get(kind.removeprefix("cross "), (self.width, self.inner))  # fmt: skip

    def tensors(self, layer: int) -> dict[str, None]:
        """The tensors that hold the matrices of a layer, each once."""
        experts = range(self.experts)
        return dict.fromkeys(place.tensor(layer, expert) for place in self.places.values() for expert in experts)

    def matrix(self, checkpoint: Checkpoint, kind: str, layer: int, expert: int = 0) -> Tensor:
        """Read a matrix of `places`, inputs × outputs; layer and expert count from 0."""
        place = self.places[kind]
        name = place.tensor(layer, expert)
        stored = checkpoint.read([name])[name]
        found = stored if self.inputs_first else stored.mT
        if not place.stack:
            return found
        groups = self.heads if place.by_head else 1
        sizes = [self.shape(member)[1] // groups for member in place.stack]
        first = sum(sizes[: place.at])
        return found.reshape(len(found), groups, -1)[:, :, first : first + sizes[place.at]].flatten(1)

    def check(self, checkpoint: Checkpoint) -> None:
        """Require that every matrix is there, of its shape and in a number format that is read.

        Raises:
            InputError: names the first that is not, or a layer beyond the last.
        """
        shared = "{layer}" not in self.places["query"].name
        for layer in range(1 if shared else self.depth):
            for expert in range(self.experts):
                for kind in self.places:
                    self._check_matrix(checkpoint, kind, layer, expert)
        if self.depth > MOST_LAYERS:
            raise InputError("depth", f"at most {MOST_LAYERS} layers", self.depth, "check config or mapping")
        if (beyond := self.places["query"].tensor(self.depth)) in checkpoint.tensors and beyond not in self.tensors(0):
            expected, got = f"{self.depth} layers, as configured", f"layer {self.depth} as well, counted from 0"
            raise InputError("depth", expected, got, "name the configuration of these weights")

    def _check_matrix(self, checkpoint: Checkpoint, kind: str, layer: int, expert: int) -> None:
        place, (inputs, outputs) = self.places[kind], self.shape(kind)
        name = place.tensor(layer, expert)
        stored = checkpoint.tensors.get(name)
        if stored is None:
            raise InputError(name, f"the {kind} matrix of layer {layer}", "no such tensor", "check config or mapping")
        outputs = sum(self.shape(member)[1] for member in place.stack) or outputs
        shape = (inputs, outputs) if self.inputs_first else (outputs, inputs)
        if stored.shape != shape:
            raise InputError(name, f"shape {_sizes(shape)}", _sizes(stored.shape), "check config or mapping")
        if stored.format not in FORMATS:
            raise InputError(name, " or ".join(FORMATS), stored.format, "convert the weights to one of these")


def open_checkpoint(path: Path, mapping: Path | None = None) -> tuple[Checkpoint, Layout]:
    """Open a checkpoint and find its matrices; reads headers, no tensor.

    The path is a folder or a .safetensors file, with config.json beside the weights or a mapping, a JSON file that says
    where the matrices of any other transformer stand. Checkpoint and layout agree.

    Raises:
        InputError: where files, configuration or tensors are missing, damaged or not as they should be.
    """
    if mapping is not None:
        layout = _mapped(read_object(mapping))
        checkpoint = Checkpoint.open(path)
        beside = checkpoint.folder / "config.json"
        _refuse_rotary(read_object(beside) if beside.is_file() else {})
    else:
        checkpoint = Checkpoint.open(path)
        config = read_object(checkpoint.folder / "config.json")
        layout = _configured(config, checkpoint)
    for stack in layout.stacks:
        stack.check(checkpoint)
    return checkpoint, replace(layout, uncovered=(*layout.uncovered, *unknown(layout, checkpoint)))


def _configured(config: Mapping[str, Any], checkpoint: Checkpoint) -> Layout:
    """The layout that a config.json describes."""
    name = entry(config, "model_type", str, "the family of the model")
    family = FAMILIES.get(f"{name} gated" if config.get("is_gated_act") else name)
    if family is None:
        raise InputError("model_type", ", ".join(FAMILIES), name, "say with --mapping where its matrices stand")
    depth, width, heads, inner = family.sizes(config)
    given = _given(config)
    shared = entry({"num_key_value_heads": heads} | given, "num_key_value_heads", int, "a whole number")
    if heads % shared:
        raise InputError("num_key_value_heads", f"a divisor of {heads} heads", shared, "mend the configuration")
    if not {"head_dim", "d_kv"} & set(given) and width % heads:
        raise InputError(family.keys[2], f"a divisor of {family.keys[1]} = {width}", heads, "mend the configuration")
    usual = config.get("d_kv", width // heads)  # T5 has a name of its own
    head_width = entry({"head_dim": usual} | given, "head_dim", int, "a whole number")
    family = family.behind(_prefix(family.places["query"].tensor(0), checkpoint))
    layout = Layout(
        family=name, depth=depth, width=width, heads=heads, shared=shared, head_width=head_width, inner=inner,
        activation=_activation({"of_bloom": "gelu_new"} | dict(config), family.keys[4]),
        inputs_first=family.inputs_first, places=family.places, experts=_experts(given) if family.mixed else 1,
        uncovered=family.missing_of(config), beside=family.beside,
    )  # fmt: skip
    if not family.decoder or "EncoderModel" in str(config.get("architectures")):
        return layout
    layers = entry({"num_decoder_layers": depth} | given, "num_decoder_layers", int, "a whole number")
    decoder = replace(layout, depth=layers, places=family.decoder)
    return replace(layout, decoder=decoder, uncovered=(*layout.uncovered, CROSS))


def _prefix(name: str, checkpoint: Checkpoint) -> str:
    """What stands before a name: nothing, or the names of the models that a family stands in, the shortest such."""
    before = (known.removesuffix(name) for known in checkpoint.tensors if known.endswith(name))
    return min((prefix for prefix in before if not prefix or prefix.endswith(".")), key=len, default="")


def _experts(given: Mapping[str, Any]) -> int:
    """How many experts a layer has, under one of two names."""
    key = "num_experts" if "num_experts" in given else "num_local_experts"
    return int(entry(given, key, int, "a whole number"))


def _given(config: Mapping[str, Any]) -> dict[str, Any]:
    """What a configuration says, without what it leaves open."""
    return {key: value for key, value in config.items() if value is not None}


_SIZES = ("layers", "width", "heads", "inner")
MAPPED = (*_SIZES, "head_width", "activation", "stored", "matrices")


def _mapped(found: Mapping[str, Any]) -> Layout:
    """The layout that a mapping describes."""
    for key in found:
        if key not in MAPPED:
            raise InputError(key, f"one of {', '.join(MAPPED)}", "another key", "mend the mapping")
    layers, width, heads, inner = (entry(found, key, int, "a whole number of at least 1") for key in _SIZES)
    stored = found.get("stored", STORED[0])
    if stored not in STORED:
        raise InputError("stored", " or ".join(STORED), repr(stored), "mend the mapping")
    matrices = entry(found, "matrices", dict, f"an object with {', '.join(KINDS)}")
    if set(matrices) != set(KINDS):
        raise InputError("matrices", ", ".join(KINDS), ", ".join(map(str, matrices)) or "none", "mend the mapping")
    if "head_width" not in found and width % heads:
        raise InputError("heads", f"a divisor of the width {width}, or a head_width", heads, "mend the mapping")
    head_width = entry({"head_width": width // heads, **found}, "head_width", int, "a whole number of at least 1")
    return Layout(
        family="mapping", depth=layers, width=width, heads=heads, shared=heads, head_width=head_width, inner=inner,
        activation=_activation({"activation": "gelu", **found}, "activation"), inputs_first=stored == STORED[1],
        places={kind: _place(kind, matrices[kind]) for kind in KINDS},
    )  # fmt: skip


def _refuse_rotary(config: Mapping[str, Any]) -> None:
    """Rotary positions are in no tensor; with them scores have no single product W_Q W_Kᵀ."""
    for key, value in config.items():
        if key.startswith(("rope_", "rotary_")) and value is not None:
            raise InputError(key, "no rotary positions", "some", OTHER_MODEL)


def _place(kind: str, said: object) -> Place:
    """A place that a mapping names: a tensor, or an object with a tensor and its part [i, n]."""
    match said if isinstance(said, dict) else {"name": said, "part": [0, 1]}:
        case {"name": str(name), "part": [int(i), int(n)]} if "{layer}" in name and 0 <= i < n:
            return Place(name, (kind,) * n, i)
    expected = 'a name with {layer}, or {"name": …, "part": [i, n]} with 0 ≤ i < n'
    raise InputError(f"matrices.{kind}", expected, repr(said), "mend the mapping")


def _activation(found: Mapping[str, Any], key: str) -> str:
    name = entry(found, key, str, "the name of the activation")
    if name not in ACTIVATIONS:
        raise InputError(key, ", ".join(ACTIVATIONS), name, "only activations of a known Lipschitz constant are read")
    return str(name)


def _sizes(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape)) or "a single number"
