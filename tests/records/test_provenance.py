"""What a claim's evidence depends on: the functions that its measurement reaches, and nothing else."""

from __future__ import annotations

import importlib.util
import itertools
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from boundaudit.checks.records.provenance import code_of

PROGRAM = '''
"""A module."""
import math
FACTOR = 2
UNUSED = 3

def helper(value: float) -> float:
    """Twice the root."""
    return FACTOR * math.sqrt(value)

def bystander(value):
    return UNUSED

def made(power):
    def measure(points, device):
        # the entries of the construction
        return [helper(p["x"]) ** power for p in points]
    return measure

measure = made(3)
other = made(4)
simple = lambda points, device: [helper(p["x"]) for p in points]
'''

SAME = {
    "a docstring": ("Twice the root.", "Two times the square root."),
    "a comment": ("# the entries of the construction", "# entry by entry"),
    "an annotation": ("value: float) -> float", "value)"),
    "a moved line": ("UNUSED = 3", "UNUSED = 3\n\n\n\n"),
    "what is not reached": ("return UNUSED", "return UNUSED + 1"),
    "a new function beside": ("def bystander", "def another():\n    return 1\n\ndef bystander"),
    "blanks": ("FACTOR * math.sqrt(value)", "(FACTOR  *  math.sqrt(value))"),
}
OTHER = {
    "a constant that is used": ("FACTOR = 2", "FACTOR = 4"),
    "a function that is called": ("math.sqrt(value)", "math.exp(value)"),
    "the function itself": ("** power for p", "** -power for p"),
    "what its closure holds": ("measure = made(3)", "measure = made(5)"),
}


def loaded(folder: Path, text: str) -> Any:
    path = folder / f"m{next(COUNT)}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


COUNT = itertools.count()


@pytest.mark.parametrize(("old", "new"), SAME.values(), ids=SAME.keys())
def test_what_computes_the_same_has_the_same_code(tmp_path: Path, old: str, new: str) -> None:
    assert old in PROGRAM
    before, after = loaded(tmp_path, PROGRAM), loaded(tmp_path, PROGRAM.replace(old, new))
    assert code_of(before.measure) == code_of(after.measure) != []


@pytest.mark.parametrize(("old", "new"), OTHER.values(), ids=OTHER.keys())
def test_what_computes_otherwise_has_other_code(tmp_path: Path, old: str, new: str) -> None:
    assert old in PROGRAM
    before, after = loaded(tmp_path, PROGRAM), loaded(tmp_path, PROGRAM.replace(old, new))
    assert code_of(before.measure) != code_of(after.measure)


def test_closures_lambdas_and_partial_applications_are_told_apart(tmp_path: Path) -> None:
    module = loaded(tmp_path, PROGRAM)
    found = [module.measure, module.other, module.simple, partial(module.helper, 2.0), partial(module.helper, 3.0)]
    assert len({tuple(code_of(function)) for function in found}) == len(found)


def test_a_measurement_of_the_suite_is_followed_through_its_imports() -> None:
    from boundaudit.numeric.sharpness import construction, norms

    reached = set(code_of(norms.norms_squared))
    assert set(code_of(norms.norms_squared)) == reached
    assert reached & set(code_of(construction.build))


def test_nothing_is_measured_by_nothing() -> None:
    assert code_of() == []
