"""Names that load on first use are there, none hidden by a module; and small dense work runs on one thread."""

import ast
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
import torch

from boundaudit import numeric
from boundaudit.numeric.attention_erm import gaussian_target, linear_state, state_evolution
from boundaudit.numeric.threads import one_thread

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


@pytest.fixture(autouse=True)
def _three() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(before)


def test_the_callers_number_comes_back() -> None:
    with one_thread():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 3
    with one_thread(only_if=False):
        assert torch.get_num_threads() == 3


@pytest.mark.slow
def test_state_equations_are_solved_on_one(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, convolve = set(), state_evolution.convolve
    monkeypatch.setattr(
        state_evolution, "convolve", lambda *given: (seen.add(torch.get_num_threads()), convolve(*given))[1]
    )
    linear_state(gaussian_target(0.5), [0.5], 0.1, 0.5)
    assert (seen, torch.get_num_threads()) == ({1}, 3)
