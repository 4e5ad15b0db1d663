"""Reports stand on checks and on the public names of calculators, never on what lies below them."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import boundaudit.reports

CALCULATORS = {
    "boundaudit.numeric.attention_erm", "boundaudit.numeric.attention_erm.extrapolation",
    "boundaudit.numeric.attention_erm.factorised", "boundaudit.numeric.attention_erm.fista",
    "boundaudit.numeric.attention_erm.sensing", "boundaudit.numeric.capped", "boundaudit.numeric.checkpoint",
    "boundaudit.numeric.covering", "boundaudit.numeric.covering.majority", "boundaudit.numeric.curvature",
    "boundaudit.numeric.files",
    "boundaudit.numeric.fourier", "boundaudit.numeric.generalized_linear", "boundaudit.numeric.infinite_width",
    "boundaudit.numeric.pac_bayes", "boundaudit.numeric.samples", "boundaudit.numeric.schatten",
    "boundaudit.numeric.sharpness", "boundaudit.numeric.sharpness.bound", "boundaudit.numeric.sharpness.learner",
    "boundaudit.numeric.sharpness.trained",
}  # fmt: skip
MODULES = sorted(Path(boundaudit.reports.__path__[0]).rglob("*.py"))


def imports(source: str) -> Iterator[tuple[str, str | None]]:
    """Every import with the name that is taken from it, wherever it stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            yield from ((f"{'.' * node.level}{node.module or ''}", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)


def forbidden(source: str) -> list[str]:
    """The imports that a report may not have."""
    return [
        f"{module} {name or ''}"
        for module, name in imports(source)
        if module.startswith(("boundaudit.derivations", "..", "boundaudit.numeric"))
        and not (module in CALCULATORS and name in import_module(module).__all__)
    ]


def test_reports_take_public_names_alone() -> None:
    assert len(MODULES) > 30
    found = {path.name: forbidden(path.read_text(encoding="utf-8")) for path in MODULES}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_other_imports_are_noticed() -> None:
    assert forbidden("from boundaudit.numeric.sharpness import Target, load_target") == []
    for line in (
        "from boundaudit.numeric.sharpness.target import Target",
        "from boundaudit.numeric.sharpness import target",
        "from boundaudit.numeric.sharpness.bound import grid",
        "import boundaudit.numeric.sharpness.bound.grid",
        "from boundaudit.numeric import spectra",
        "def f():\n    from boundaudit.derivations.sharpness.taylor import p_restored",
    ):
        assert len(forbidden(line)) == 1, line
