"""A second device that every machine has: tensors of the processor, some of which count as lying elsewhere.

Inside of ``SecondDevice`` the device named `NAME` holds real numbers, tensors of two devices do not mix, and what would
cost time on an accelerator is counted: operations but views, each at least a launch there, and transfers, each a wait.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self
from unittest import mock

import torch
from torch.autograd import forward_ad
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

NAME = "meta"
"""PyTorch's device without memory, whose name every build accepts."""
_FAR = torch.device(NAME)
_NEAR = torch.device("cpu")
_aten = torch.ops.aten
_MOVES = {_aten._to_copy, _aten.to, _aten.copy_}
_INDEXED = {_aten.index.Tensor, _aten.index_put_.default, _aten.index_put.default, _aten._index_put_impl_.default}
_COUNTED = {_aten.nonzero.default, _aten.masked_select.default}
_SIZES = {_aten.is_same_size.default, _aten._has_same_storage_numel.default}
_FREE = {_aten._unsafe_view.default, _aten.empty.memory_format, _aten.empty_strided.default}
_BUILT = (torch.tensor, torch.as_tensor, torch.asarray)
_NUMPY = (torch.Tensor.numpy, torch.Tensor.__array__)


class MixedDevices(RuntimeError):
    """What an accelerator would refuse."""


class SecondDevice:
    """A context in which ``device=NAME`` works, and is apart.

    Attributes:
        counts: ``operations`` on the second device, ``transfers`` to it and from it.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._entered = ExitStack()

    def __enter__(self) -> Self:
        self._entered.enter_context(mock.patch.object(torch, "Generator", _Generator))
        self._entered.enter_context(_Operations(self.counts))
        self._entered.enter_context(_Calls())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._entered.close()


class _Generator(torch.Generator):
    """A source of random numbers for one of the two devices."""

    is_far: bool

    def __new__(cls, device: Any = _NEAR) -> Self:
        made = super().__new__(cls, _NEAR)
        made.is_far = _is(device)
        return made

    @property
    def device(self) -> torch.device:
        """Where its numbers lie."""
        return _FAR if self.is_far else _NEAR


def _is(device: Any) -> bool:
    """Whether a device is the second one."""
    return device is not None and torch.device(device) == _FAR


def _is_far(value: Any) -> bool:
    """Whether a tensor lies on the second device."""
    return isinstance(value, torch.Tensor) and hasattr(_innermost(value).untyped_storage(), "is_far")


def _innermost(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor that transformations of functions have wrapped."""
    while torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        tensor = torch._C._functorch.get_unwrapped(tensor)
    return tensor


def _is_choice(func: Any, args: Sequence[Any]) -> bool:
    """Whether it takes what a mask says, whose number has to be read before there is room for them."""
    return func is _aten.index.Tensor and any(one is not None and one.dtype == torch.bool for one in args[1])


def _is_number(tensor: torch.Tensor) -> bool:
    """Whether a tensor has no more than one value; forward differentiation makes zeros of any shape for itself."""
    return not any(tensor.stride()) or (forward_ad._current_level >= 0 and not tensor.any())


def _mark(value: Any) -> Any:
    for tensor in tree_leaves(value):
        if isinstance(tensor, torch.Tensor):
            _innermost(tensor).untyped_storage().is_far = True  # type: ignore[attr-defined]
    return value


class _Operations(TorchDispatchMode):
    """Every operation: what it returns lies where its arguments do."""

    def __init__(self, counts: Counter[str]) -> None:
        super().__init__()
        self.counts = counts

    def __torch_dispatch__(
        self, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        kwargs = dict(kwargs or {})
        tensors = [part for part in tree_leaves((args, kwargs)) if isinstance(part, torch.Tensor)]
        far = any(map(_is_far, tensors))
        wanted = kwargs.get("device")
        # What PyTorch makes by itself names the device that it sees, and that is always the processor.
        own = wanted is None or (far and not kwargs.get("non_blocking"))
        to_far = far if own else _is(wanted)
        if wanted is not None:
            kwargs["device"] = _NEAR
        if far and func is _aten._local_scalar_dense.default:
            self.counts["transfers"] += 1
            return func(*args, **kwargs)
        if func.overloadpacket in _MOVES:
            self.counts["transfers"] += far != to_far
            found = func(*args, **kwargs)
            return _mark(found.clone()) if to_far and func.overloadpacket is not _aten.copy_ else found
        self._compare(func, args, kwargs, tensors, to_far=to_far)
        found = func(*args, **kwargs)
        if to_far:
            self.counts["transfers"] += func in _COUNTED or _is_choice(func, args)
            self.counts["operations"] += not (func.is_view or func in _FREE)
            _mark(found)
        return found

    def _compare(
        self,
        func: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        tensors: Sequence[torch.Tensor],
        *,
        to_far: bool,
    ) -> None:
        """Refuse what an accelerator refuses: numbers and indices alone may come from the processor."""
        if func in _SIZES or (func in _INDEXED and _is_far(args[0])):
            return
        if to_far and not all(_is_far(part) or _is_number(part) for part in tensors):
            raise MixedDevices(f"{func}: tensors of two devices")


class _Calls(TorchFunctionMode):
    """What PyTorch settles before it comes to an operation."""

    def __torch_function__(
        self, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        kwargs = dict(kwargs or {})
        far = bool(args) and _is_far(args[0])
        if far and func == torch.Tensor.device.__get__:  # type: ignore[attr-defined]
            return _FAR
        source = kwargs.get("generator")
        if source is not None and getattr(source, "is_far", False) != (far or _is(kwargs.get("device"))):
            raise MixedDevices(f"{func}: the source of random numbers lies on another device")
        if far and func in _NUMPY:
            raise TypeError("a tensor of another device is no array")
        if func in _BUILT:
            device = kwargs.pop("device", None)
            built = func(*args, **kwargs)
            return built.to(_FAR) if _is(device) else built
        if far and func is torch.Tensor.new_tensor and "device" not in kwargs:
            return func(*args, **kwargs).to(_FAR)
        if func is torch.Tensor.cpu:
            return _aten._to_copy.default(args[0], device=_NEAR, non_blocking=True) if far else args[0]
        if func is torch.Tensor.to:
            return self._to(*args, **kwargs)
        return func(*args, **kwargs)

    def _to(self, tensor: torch.Tensor, *args: Any, device: Any = None, **kwargs: Any) -> torch.Tensor:
        """``Tensor.to``, which would see one device."""
        far = to_far = _is_far(tensor)
        rest = []
        for part in (device, *args):
            if isinstance(part, (str, torch.device)):
                to_far = _is(part)
            elif isinstance(part, torch.Tensor):
                to_far = _is_far(part)
                rest.append(part.dtype)
            elif part is not None:
                rest.append(part)
        if far != to_far:
            tensor = _aten._to_copy.default(tensor, device=_FAR if to_far else _NEAR, non_blocking=True)
        return tensor.to(*rest, **kwargs) if rest or kwargs else tensor
