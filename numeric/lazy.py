"""Public names of a package that load on first use (PEP 562), so that checking a call loads no tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def loader(package: str, public: Mapping[str, str]) -> Callable[[str], Any]:
    """A package's ``__getattr__``.

    No name may be that of a module of the package: once loaded, the module would stand in its place.

    Args:
        package: its full name.
        public: the module of each name, in full.

    Returns:
        The function.
    """

    def load(name: str) -> Any:
        if name in public:
            return getattr(import_module(public[name]), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load
