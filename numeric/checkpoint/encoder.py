"""A trained transformer as norm-based bounds see it: the spectra of each layer's head products and MLP matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.checkpoint.layouts import ACTIVATIONS, Layout, layers, open_checkpoint
from boundaudit.numeric.schatten.proxy import Block
from boundaudit.numeric.spectra import spectrum
from boundaudit.numeric.threads import one_thread

_SMALL = 1024


@dataclass(frozen=True)
class Encoder:
    """The blocks of a transformer. Biases, normalisations, embeddings and heads of tasks are not read.

    Attributes:
        name: The checkpoint, as it was named.
        layout: Its sizes and family.
        formats: The number formats in which its matrices are stored.
        blocks: One for each layer, the first first.
    """

    name: str
    layout: Layout
    formats: tuple[str, ...]
    blocks: tuple[Block, ...]

    @property
    def lipschitz(self) -> float:
        """The Lipschitz constant of the MLP's activation."""
        return ACTIVATIONS[self.layout.activation]


def load_encoder(
    path: str | Path,
    mapping: str | Path | None = None,
    *,
    device: str = "auto",
    told: Callable[[int, int], None] = lambda done, depth: None,
) -> Encoder:
    """Measure the matrices of a checkpoint, one layer in memory at a time.

    Args:
        path: A folder or a .safetensors file, with config.json beside the weights.
        mapping: A JSON file that says where the matrices stand, in place of config.json.
        device: Where singular values are computed: ``auto``, ``cpu`` or ``cuda``.
        told: Called after each layer with how many are done, and the depth.

    Returns:
        The encoder.

    Raises:
        InputError: where the checkpoint cannot be read, or the device is not there.
    """
    where = _device(device)
    checkpoint, layout = open_checkpoint(Path(path), None if mapping is None else Path(mapping))
    blocks = []
    with one_thread(only_if=layout.width <= _SMALL):
        for layer, matrices in enumerate(layers(layout, checkpoint), start=1):
            blocks.append(_block(matrices, layout, where))
            told(layer, layout.depth)
    used = {name for layer in range(layout.depth) for name in layout.tensors(layer)}
    formats = sorted({checkpoint.tensors[name].format for name in used})
    return Encoder(str(path), layout, tuple(formats), tuple(blocks))


def _block(matrices: Mapping[str, Tensor], layout: Layout, device: torch.device) -> Block:
    """The products of each head, W_Qᵀ W_K and W_Vᵀ W_Oᵀ, and the matrices of the MLP."""
    here = {kind: matrix.to(device) for kind, matrix in matrices.items()}
    query, output = here["query"].chunk(layout.heads, dim=1), here["output"].chunk(layout.heads, dim=0)
    each = layout.heads // layout.shared
    key, value = (
        [part for part in here[kind].chunk(layout.shared, 1) for _ in range(each)] for kind in ("key", "value")
    )
    return Block(
        queries=tuple(spectrum(q, k.mT) for q, k in zip(query, key, strict=True)),
        values=tuple(spectrum(v, o) for v, o in zip(value, output, strict=True)),
        into=spectrum(here["into"]),
        out=spectrum(here["out"]),
        gate=spectrum(here["gate"]) if "gate" in here else None,
    )


def _device(name: str) -> torch.device:
    """The device of that name; ``auto`` takes a GPU where there is one."""
    if name not in {"auto", "cpu", "cuda"}:
        raise InputError("device", "auto, cpu or cuda", repr(name), "choose one of these")
    available = torch.cuda.is_available()
    if name == "cuda" and not available:
        raise InputError("device", "a CUDA device", "none on this machine", "use auto or cpu")
    return torch.device("cuda" if available and name != "cpu" else "cpu")
