"""Packages whose names load on first use: every name is there, and none is hidden by a module."""

from __future__ import annotations

import ast
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

from boundaudit import numeric

NUMERIC = Path(numeric.__path__[0])
LAZY = [path.parent for path in sorted(NUMERIC.rglob("*/__init__.py")) if "_PUBLIC" in path.read_text("utf-8")]
PACKAGES = [folder.relative_to(NUMERIC).as_posix().replace("/", ".") for folder in LAZY]


@pytest.mark.parametrize("name", PACKAGES)
def test_every_public_name_loads_and_none_is_a_modules(name: str) -> None:
    package = import_module(f"boundaudit.numeric.{name}")
    modules = {module.name for module in pkgutil.iter_modules(package.__path__)}
    assert not modules & set(package.__all__)
    for public in package.__all__:
        assert getattr(package, public) is getattr(import_module(package._PUBLIC[public]), public)
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = package.nothing_of_the_kind


@pytest.mark.parametrize("name", PACKAGES)
def test_a_type_checker_sees_the_same_names(name: str) -> None:
    package = import_module(f"boundaudit.numeric.{name}")
    tree = ast.parse(Path(package.__file__ or "").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: node.module for node in ast.walk(block) if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert seen == package._PUBLIC
