"""CUDA graphs that every machine has: operations are recorded on the processor, and repeated on the same tensors."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

_READS = torch.ops.aten._local_scalar_dense.default


def recorded(work: Callable[[], None]) -> Callable[[], None]:
    """Record work, without doing it: what it has changed in place is put back."""
    with _Recorder() as recorder:
        work()
    recorder.undo()
    return recorder.replay


class _Recorder(TorchDispatchMode):
    """Every operation with its tensors; a graph's memory stays its own, so that each keeps its result's place."""

    def __init__(self) -> None:
        super().__init__()
        self._done: list[tuple[Any, Sequence[Any], Mapping[str, Any], Any]] = []
        self._before: list[tuple[torch.Tensor, torch.Tensor]] = []

    def __torch_dispatch__(
        self, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        if func is _READS:
            raise RuntimeError("a number is read while a graph is recorded")
        if func._schema.is_mutable:
            self._before.append((args[0], args[0].clone()))
        found = func(*args, **(kwargs or {}))
        self._done.append((func, args, kwargs or {}, found))
        return found

    def undo(self) -> None:
        """Put back what was changed, the last change first."""
        with torch.no_grad():
            for tensor, before in reversed(self._before):
                tensor.copy_(before)
        self._before.clear()

    def replay(self) -> None:
        """Do all operations again on the same tensors, as a graph does: with the numbers that they had."""
        with torch.no_grad():
            for func, args, kwargs, found in self._done:
                again = func(*args, **kwargs)
                if not (func.is_view or func._schema.is_mutable):
                    for old, new in zip(tree_leaves(found), tree_leaves(again), strict=True):
                        old.copy_(new)
