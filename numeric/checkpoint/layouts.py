"""The sizes of a transformer, and how each matrix of a layer stands on disk.

Every matrix is handed on in the orientation that multiplies rows from the right, inputs × outputs. A linear layer of
PyTorch is stored as outputs × inputs; the Conv1D of GPT-2 as inputs × outputs, queries, keys and values side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundaudit import InputError
from boundaudit.numeric.checkpoint.families import FAMILIES, Place
from boundaudit.numeric.checkpoint.objects import entry, read_object
from boundaudit.numeric.checkpoint.reader import FORMATS, Checkpoint

if TYPE_CHECKING:
    from torch import Tensor

ACTIVATIONS = {
    **dict.fromkeys(("gelu", "gelu_new", "gelu_fast", "gelu_python", "gelu_pytorch_tanh"), 1.13),
    **dict.fromkeys(("silu", "swish", "quick_gelu"), 1.1),
    **dict.fromkeys(("relu", "tanh"), 1.0),
}
"""Lipschitz constants by the name of the activation; 1.13 is Sakai & Imaizumi's for GELU."""
KINDS = ("query", "key", "value", "output", "into", "out")
"""What every layer has; a gated MLP has a ``gate`` as well, of the shape of ``into``."""
_STORED = ("outputs-inputs", "inputs-outputs")


@dataclass(frozen=True)
class Layout:
    """The sizes of a transformer, and where its matrices stand.

    Attributes:
        family: Its ``model_type``, or that of a mapping.
        depth: L, the number of layers.
        width: N, the hidden size.
        heads: Attention heads of a layer.
        shared: Heads of keys and values, each of which serves as many heads of queries as any other.
        head_width: Outputs of each head of queries, keys and values.
        inner: Hidden units of the MLP.
        activation: The name of their activation.
        inputs_first: Whether matrices are stored as inputs × outputs.
        places: The place of each of `KINDS`, and of a ``gate`` where there is one.
        uncovered: What of the layers these matrices do not tell: no explicit bound is of such a network.
        beside: Parts of names of tensors that are not read for that reason.
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
    uncovered: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    def shape(self, kind: str) -> tuple[int, int]:
        """Inputs and outputs of a matrix."""
        queries, keys = self.heads * self.head_width, self.shared * self.head_width
        return {
            "query": (self.width, queries), "key": (self.width, keys), "value": (self.width, keys),
            "output": (queries, self.width), "out": (self.inner, self.width),
        }.get(kind, (self.width, self.inner))  # fmt: skip

    def tensors(self, layer: int) -> list[str]:
        """The tensors that hold the matrices of a layer, each once."""
        return list(dict.fromkeys(place.tensor(layer) for place in self.places.values()))

    def matrix(self, kind: str, layer: int, tensors: Mapping[str, Tensor]) -> Tensor:
        """A matrix out of the tensors of its layer.

        Args:
            kind: One of `KINDS`, or ``gate``.
            layer: From 0.
            tensors: At least those of the layer, as they are stored.

        Returns:
            The matrix, inputs × outputs.
        """
        place = self.places[kind]
        stored = tensors[place.tensor(layer)]
        found = stored if self.inputs_first else stored.mT
        if not place.stack:
            return found
        groups = self.heads if place.by_head else 1
        sizes = [self.shape(member)[1] // groups for member in place.stack]
        first = sum(sizes[: place.at])
        return found.reshape(len(found), groups, -1)[:, :, first : first + sizes[place.at]].flatten(1)

    def check(self, checkpoint: Checkpoint) -> None:
        """Require that every matrix is there, of its shape and in a number format that is read.

        Args:
            checkpoint: Where they should be.

        Raises:
            InputError: names the first that is not, a layer beyond the last, or a matrix of a layer that is not read.
        """
        for layer in range(self.depth):
            for kind in self.places:
                self._check_matrix(checkpoint, kind, layer)
        if (beyond := self.places["query"].tensor(self.depth)) in checkpoint.tensors and beyond not in self.tensors(0):
            expected, got = f"{self.depth} layers, as configured", f"layer {self.depth} as well, counted from 0"
            raise InputError("depth", expected, got, "name the configuration of these weights")
        self._check_all_read(checkpoint)

    def _check_all_read(self, checkpoint: Checkpoint) -> None:
        """A gate, an expert or a table of relative positions makes another function of the same matrices."""
        read = {name for layer in range(self.depth) for name in self.tensors(layer)}
        within = {re.escape(re.split(r"\{layer\}|\d", place.name)[0]) for place in self.places.values()}
        layer = re.compile(rf"(?:{'|'.join(sorted(within))})\d+(?!\d)")
        for name, stored in checkpoint.tensors.items():
            # Masks that GPT-2 stores have four axes, gains and biases one.
            matrix = len(stored.shape) in {2, 3}
            told = name in read or any(part in name for part in self.beside)
            if (matrix or "rotary" in name) and not told and layer.match(name):
                expected = f"layers of {len(self.places)} matrices"
                raise InputError(name, expected, "one that would not be read", _OTHER_MODEL)

    def _check_matrix(self, checkpoint: Checkpoint, kind: str, layer: int) -> None:
        place, (inputs, outputs) = self.places[kind], self.shape(kind)
        name = place.tensor(layer)
        stored = checkpoint.tensors.get(name)
        if stored is None:
            raise InputError(name, f"the {kind} matrix of layer {layer}", "no such tensor", "check config or mapping")
        outputs = sum(self.shape(member)[1] for member in place.stack) or outputs
        shape = (inputs, outputs) if self.inputs_first else (outputs, inputs)
        if stored.shape != shape:
            raise InputError(name, f"shape {_sizes(shape)}", _sizes(stored.shape), "check config or mapping")
        if stored.format not in FORMATS:
            raise InputError(name, " or ".join(FORMATS), stored.format, "convert the weights to one of these")


_OTHER_MODEL = "no number here holds for such a model"


def open_checkpoint(path: Path, mapping: Path | None = None) -> tuple[Checkpoint, Layout]:
    """Open a checkpoint and find its matrices; reads headers, no tensor.

    Args:
        path: A folder or a .safetensors file; its config.json stands beside the weights.
        mapping: A JSON file that says where the matrices of any other transformer stand.

    Returns:
        The checkpoint and its layout, in agreement.

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
    layout.check(checkpoint)
    return checkpoint, layout


def _configured(config: Mapping[str, Any], checkpoint: Checkpoint) -> Layout:
    """The layout that a config.json describes."""
    name = entry(config, "model_type", str, "the family of the model")
    family = FAMILIES.get(f"{name} gated" if config.get("is_gated_act") else name)
    if family is None:
        raise InputError("model_type", ", ".join(FAMILIES), name, "say with --mapping where its matrices stand")
    depth, width, heads, inner = family.sizes(config)
    shared = entry({"num_key_value_heads": heads} | _given(config), "num_key_value_heads", int, "a whole number")
    if heads % shared:
        raise InputError("num_key_value_heads", f"a divisor of {heads} heads", shared, "mend the configuration")
    if not {"head_dim", "d_kv"} & set(_given(config)) and width % heads:
        raise InputError(family.keys[2], f"a divisor of {family.keys[1]} = {width}", heads, "mend the configuration")
    usual = config.get("d_kv", width // heads)  # T5 has a name of its own
    head_width = entry({"head_dim": usual} | _given(config), "head_dim", int, "a whole number")
    behind = family.behind()
    there = (places for places in behind if places["query"].tensor(0) in checkpoint.tensors)
    return Layout(
        family=name, depth=depth, width=width, heads=heads, shared=shared, head_width=head_width, inner=inner,
        activation=_activation({"of_bloom": "gelu_new"} | dict(config), family.keys[4]),
        inputs_first=family.inputs_first, places=next(there, behind[0]), uncovered=family.missing_of(config),
        beside=family.beside,
    )  # fmt: skip


def _given(config: Mapping[str, Any]) -> dict[str, Any]:
    """What a configuration says, without what it leaves open."""
    return {key: value for key, value in config.items() if value is not None}


_SIZES = ("layers", "width", "heads", "inner")
_MAPPED = (*_SIZES, "head_width", "activation", "stored", "matrices")


def _mapped(found: Mapping[str, Any]) -> Layout:
    """The layout that a mapping describes."""
    for key in found:
        if key not in _MAPPED:
            raise InputError(key, f"one of {', '.join(_MAPPED)}", "another key", "mend the mapping")
    layers, width, heads, inner = (entry(found, key, int, "a whole number of at least 1") for key in _SIZES)
    stored = found.get("stored", _STORED[0])
    if stored not in _STORED:
        raise InputError("stored", " or ".join(_STORED), repr(stored), "mend the mapping")
    matrices = entry(found, "matrices", dict, f"an object with {', '.join(KINDS)}")
    if set(matrices) != set(KINDS):
        raise InputError("matrices", ", ".join(KINDS), ", ".join(map(str, matrices)) or "none", "mend the mapping")
    if "head_width" not in found and width % heads:
        raise InputError("heads", f"a divisor of the width {width}, or a head_width", heads, "mend the mapping")
    head_width = entry({"head_width": width // heads, **found}, "head_width", int, "a whole number of at least 1")
    return Layout(
        family="mapping", depth=layers, width=width, heads=heads, shared=heads, head_width=head_width, inner=inner,
        activation=_activation({"activation": "gelu", **found}, "activation"), inputs_first=stored == _STORED[1],
        places={kind: _place(kind, matrices[kind]) for kind in KINDS},
    )  # fmt: skip


def _refuse_rotary(config: Mapping[str, Any]) -> None:
    """Rotary positions are in no tensor; with them scores have no single product W_Q W_Kᵀ."""
    for key, value in config.items():
        if key.startswith(("rope_", "rotary_")) and value is not None:
            raise InputError(key, "no rotary positions", "some", _OTHER_MODEL)


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


def layers(layout: Layout, checkpoint: Checkpoint) -> Iterator[dict[str, Tensor]]:
    """The matrices of each layer in turn, inputs × outputs, one layer in memory at a time.

    Args:
        layout: Where they stand.
        checkpoint: What holds them.

    Yields:
        A matrix for each kind.
    """
    for layer in range(layout.depth):
        tensors = checkpoint.read(layout.tensors(layer))
        yield {kind: layout.matrix(kind, layer, tensors) for kind in layout.places}
