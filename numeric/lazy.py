"""Public names of a package that load on first use (PEP 562), so that checking a call loads no tensors."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

_PUBLISHED = re.compile(r"^    from (\S+) import (\w+) as \2$", re.MULTILINE)


def public_names(path: str) -> dict[str, str]:
    """What a package tells type checkers of its public names, which is what it loads.

    Args:
        path: its ``__init__.py``: under ``TYPE_CHECKING`` a line ``from module import name as name`` for each name.

    Returns:
        The module of each name, in full.
    """
    return {name: module for module, name in _PUBLISHED.findall(Path(path).read_text(encoding="utf-8"))}


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
