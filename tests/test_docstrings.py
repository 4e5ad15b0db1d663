"""The examples in docstrings give what they say. Only modules that have some are loaded."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import boundaudit

from .statements import some_slow

PACKAGE = Path(boundaudit.__file__).parent
FOLDERS = (PACKAGE, *(PACKAGE / name for name in ("derivations", "numeric", "checks", "reports")))
SLOW = [
    f"boundaudit.{name}" for name in (
        "checks.evidence.derivation", "checks.language.domain.matrix", "checks.proof.portfolio", "checks.run.runner",
        "numeric.pac_bayes.posterior.fitting", "numeric.sharpness.learner.learning",
    )
]  # fmt: skip


def modules() -> list[str]:
    """The modules with examples; those of ``reports/examples`` are written for others."""
    files = {file.relative_to(PACKAGE.parent): file for folder in FOLDERS for file in folder.rglob("*.py")}
    told = [name for name, file in files.items() if ">>> " in file.read_text(encoding="utf-8")]
    return sorted(".".join(name.with_suffix("").parts) for name in told if "examples" not in name.parts)


@pytest.mark.parametrize("name", some_slow(modules(), *SLOW))
def test_examples_give_what_they_say(name: str) -> None:
    found = doctest.testmod(import_module(name.removesuffix(".__init__")))
    assert found.attempted > 0
    assert found.failed == 0
