"""Public names of a package that load on first use (PEP 562), so that checking a call loads no tensors."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

_PUBLISHED = re.compile(r"^    from (\S+) import (\w+) as \2$", re.MULTILINE)


def public_names(path: str) -> dict[str, str]:
    """The module of each public name of a package, in full: what it tells type checkers, which is what it loads.

    The path is that of its ``__init__.py``: under ``TYPE_CHECKING`` a line ``from module import name as name`` for each
    name.
    """
    return {name: module for module, name in _PUBLISHED.findall(Path(path).read_text(encoding="utf-8"))}


def loader(package: str, public: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package, whose public names stand in these modules.

    No name may be that of a module of the package: once loaded, the module would stand in its place.
    """

    def load(name: str) -> Any:
        if name in public:
            return getattr(import_module(public[name]), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load
