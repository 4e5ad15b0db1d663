"""A trained transformer as norm-based bounds see it: the spectra of each layer's head products and MLP matrices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.checkpoint.layouts import ACTIVATIONS, Layout, open_checkpoint
from boundaudit.numeric.checkpoint.reader import Checkpoint
from boundaudit.numeric.schatten.proxy import Block, Mlp
from boundaudit.numeric.spectra import Spectrum, spectrum
from boundaudit.numeric.threads import one_thread

_SMALL = 1024


@dataclass(frozen=True)
class Encoder:
    """The blocks of a transformer. Biases, normalisations, embeddings and heads of tasks are not read.

    Attributes:
        name: the checkpoint, as it was named.
        layout: its sizes and family.
        formats: the number formats in which its matrices are stored.
        blocks: one for each layer, the first first, those of a decoder after its encoder's.
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
    """Measure the matrices of a checkpoint, one of them in memory at a time.

    The path is a folder or a .safetensors file with config.json beside it, in place of which a mapping, a JSON file,
    may say where the matrices stand. Singular values are computed on the device ``auto``, ``cpu`` or ``cuda``; `told`
    hears after each layer how many are done, and the depth.

    Raises:
        InputError: where the checkpoint cannot be read, or the device is not there.
    """
    where = device_of(device)
    checkpoint, layout = open_checkpoint(Path(path), None if mapping is None else Path(mapping))
    layers = [(stack, layer) for stack in layout.stacks for layer in range(stack.depth)]
    measured: dict[tuple[str, ...], Block] = {}  # layers may share their matrices
    blocks = []
    with one_thread(only_if=layout.width <= _SMALL):
        for done, (stack, layer) in enumerate(layers, start=1):
            tensors = tuple(stack.tensors(layer))
            if tensors not in measured:
                measured[tensors] = _block(partial(_matrix, checkpoint, where, stack, layer), stack)
            blocks.append(measured[tensors])
            told(done, len(layers))
    formats = sorted({checkpoint.tensors[name].format for tensors in measured for name in tensors})
    return Encoder(str(path), layout, tuple(formats), tuple(blocks))


def _matrix(
    checkpoint: Checkpoint, where: torch.device, layout: Layout, layer: int, kind: str, expert: int = 0
) -> Tensor:
    return layout.matrix(checkpoint, kind, layer, expert).to(where)


def _block(read: Callable[..., Tensor], layout: Layout) -> Block:
    """The products of each head, W_Qᵀ W_K and W_Vᵀ W_Oᵀ, and the matrices of each MLP, read one after the other."""
    queries, values = _attention(read, layout)
    cross = _attention(read, layout, "cross ") if "cross query" in layout.places else ((), ())
    mlps = [
        {kind: spectrum(read(kind, expert)) for kind in ("into", "out", "gate") if kind in layout.places}
        for expert in range(layout.experts)
    ]
    return Block(queries, values, tuple(Mlp(**mlp) for mlp in mlps), *cross)


def _attention(read: Callable[..., Tensor], layout: Layout, which: str = "") -> tuple[tuple[Spectrum, ...], ...]:
    """Both products of each head; heads may share keys and values."""
    each = layout.heads // layout.shared
    query, output = read(f"{which}query").chunk(layout.heads, dim=1), read(f"{which}output").chunk(layout.heads, dim=0)
    key, value = (
        [part for part in read(f"{which}{kind}").chunk(layout.shared, dim=1) for _ in range(each)]
        for kind in ("key", "value")
    )
    return (
        tuple(spectrum(q, k.mT) for q, k in zip(query, key, strict=True)),
        tuple(spectrum(v, o) for v, o in zip(value, output, strict=True)),
    )


def device_of(name: str) -> torch.device:
    """The device of that name; ``auto`` takes a GPU where there is one."""
    if name not in {"auto", "cpu", "cuda"}:
        raise InputError("device", "auto, cpu or cuda", repr(name), "choose one of these")
    available = torch.cuda.is_available()
    if name == "cuda" and not available:
        raise InputError("device", "a CUDA device", "none on this machine", "use auto or cpu")
    return torch.device("cuda" if available and name != "cpu" else "cpu")
