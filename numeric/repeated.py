"""Work that is repeated on tensors in place: on a GPU one graph, recorded once, in place of each operation's launch."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

RECORDING = "cuda"
"""The kind of device that records graphs."""

_Shapes = tuple[torch.Size, ...]
_Graph = tuple[tuple[Tensor, ...], Callable[[], None]]


class Repeated:
    """A function of tensors that changes others in place, again and again.

    What it reads and writes beside its arguments has to stay where it is, and nothing that differs from call to call
    may be a number of Python's: a graph repeats what it was recorded with. Where there are no graphs, or recording
    fails, it is called as it stands.
    """

    def __init__(self, work: Callable[..., None], device: torch.device) -> None:
        """Nothing is run yet; the work is recorded once for each of its tensors' shapes, all of them on the device."""
        self._work, self._records = work, device.type == RECORDING
        self._seen: set[_Shapes] = set()
        self._graphs: dict[_Shapes, _Graph] = {}

    def __call__(self, *given: Tensor) -> None:
        """Do the work once: for arguments of new shapes as it stands, so that libraries are set up, then by a graph."""
        shapes = tuple(tensor.shape for tensor in given)
        if self._records and shapes in self._seen and shapes not in self._graphs:
            self._record(shapes, given)
        if shapes not in self._graphs:
            self._seen.add(shapes)
            self._work(*given)
            return
        held, replay = self._graphs[shapes]
        for mine, tensor in zip(held, given, strict=True):
            mine.copy_(tensor)
        replay()

    def _record(self, shapes: _Shapes, given: tuple[Tensor, ...]) -> None:
        """Record the graph for these shapes; where that fails, say so and do without from now on."""
        held = tuple(tensor.clone() for tensor in given)
        try:
            self._graphs[shapes] = held, recorded(lambda: self._work(*held))
        except RuntimeError as error:
            self._records = False
            warnings.warn(f"no CUDA graph, every operation is launched by itself: {error}", stacklevel=3)


def recorded(work: Callable[[], None]) -> Callable[[], None]:
    """Record work that has been done before as a CUDA graph, without doing it; what is returned does it."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph.replay


@contextmanager
def rounded_products() -> Iterator[None]:
    """On a GPU products of float32 matrices take factors of 11 bits (TF32), as is usual in training."""
    before = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = True
    try:
        yield
    finally:
        torch.backends.cuda.matmul.allow_tf32 = before
