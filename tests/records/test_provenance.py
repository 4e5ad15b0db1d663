"""What a claim's evidence depends on: the functions that its measurement reaches and the values they read."""

import subprocess
import sys
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.command import COUNT, loaded

from boundaudit import Family, Reals
from boundaudit.checks.records.provenance import code_of
from boundaudit.checks.records.receipt import evidence_key
from boundaudit.checks.run.addresses import find_shipped

PROGRAM = '''
"""A module."""
import math
from dataclasses import dataclass
from enum import Enum
import numpy as np
FACTOR = 2
UNUSED = 3
TABLE = {"a": 1}
TABLE.update(b=2)
WEIGHTS = np.arange(3.0)
SEEN = []

class Kind(Enum):
    SMALL = 1
    LARGE = 2

@dataclass(frozen=True)
class Settings:
    """What a measurement is given."""
    rate: float
    kind: Kind

class Plain:
    steps: int = 4
    def scaled(self, value):
        return value * self.steps

SETTINGS = Settings(0.5, Kind.SMALL)
if FACTOR:
    OFFSET = 1

def helper(value: float) -> float:
    """Twice the root."""
    UNUSED = 0
    return FACTOR * math.sqrt(value) + TABLE["b"] + WEIGHTS.sum() + SETTINGS.rate + Plain().scaled(OFFSET) + UNUSED

def bystander(value):
    return UNUSED

def made(power, offset=10):
    def measure(points, device, *, start=7):
        # the entries of the construction
        SEEN.append(len(points))
        return [start + offset + helper(p["x"]) ** power for p in points]
    return measure

class Measured:
    def __init__(self, power):
        self._power = power

    def at(self, points, device):
        return [self._power for p in points]

    __call__ = at

measure = made(3)
other = made(4)
simple = lambda points, device: [helper(p["x"]) for p in points]
bound = Measured(3).at
called = Measured(3)
'''

SAME = {
    "a docstring": ("Twice the root.", "Two times the square root."),
    "a comment": ("# the entries of the construction", "# entry by entry"),
    "an annotation": ("value: float) -> float", "value)"),
    "a moved line": ("UNUSED = 3", "UNUSED = 3\n\n\n\n"),
    "what is not reached": ("return UNUSED", "return UNUSED + 1"),
    "a constant of the same name as a variable": ("UNUSED = 3", "UNUSED = 5"),
    "a new function beside": ("def bystander", "def another():\n    return 1\n\ndef bystander"),
    "blanks": ("FACTOR * math.sqrt(value)", "(FACTOR  *  math.sqrt(value))"),
}
OTHER = {
    "a constant that is used": ("FACTOR = 2", "FACTOR = 4"),
    "a function that is called": ("math.sqrt(value)", "math.exp(value)"),
    "the function itself": ("** power for p", "** -power for p"),
    "what its closure holds": ("measure = made(3)", "measure = made(5)"),
    "a default argument": ("offset=10", "offset=11"), "a default by keyword": ("start=7", "start=8"),
    "a table that is filled": ("TABLE.update(b=2)", "TABLE.update(b=3)"),
    "an array": ("np.arange(3.0)", "np.arange(4.0)"), "a field": ("Settings(0.5,", "Settings(0.25,"),
    "an enumerated field": ("Kind.SMALL)", "Kind.LARGE)"), "a class attribute": ("steps: int = 4", "steps: int = 5"),
    "a method": ("value * self.steps", "value + self.steps"),
    "a constant under a condition": ("    OFFSET = 1", "    OFFSET = 2"),
    "an attribute set later": ("simple =", 'object.__setattr__(SETTINGS, "rate", 2.0)\nsimple ='),
}  # fmt: skip


@pytest.mark.parametrize("name", [*SAME, *OTHER])
def test_what_computes_the_same_has_the_same_code_and_else_another(tmp_path: Path, name: str) -> None:
    old, new = (SAME | OTHER)[name]
    assert old in PROGRAM
    before, after = loaded(tmp_path, PROGRAM), loaded(tmp_path, PROGRAM.replace(old, new))
    assert code_of(before.measure) != []
    assert (code_of(before.measure) == code_of(after.measure)) is (name in SAME)


def test_a_constant_that_was_changed_in_the_running_module_counts_as_it_is(tmp_path: Path) -> None:
    module = loaded(tmp_path, PROGRAM)
    before = code_of(module.measure)
    module.FACTOR = 5
    changed = code_of(module.measure)
    module.FACTOR = 2
    module.WEIGHTS[1] = -1.0
    assert len({tuple(found) for found in (before, changed, code_of(module.measure))}) == 3


def test_what_a_measurement_writes_down_for_itself_is_no_part_of_it(tmp_path: Path) -> None:
    module = loaded(tmp_path, PROGRAM)
    before = code_of(module.measure)
    module.measure([{"x": 1.0}], "cpu")
    assert module.SEEN
    assert code_of(module.measure) == before


@pytest.mark.parametrize("name", ["bound", "called"])
def test_attributes_of_a_bound_object_count(tmp_path: Path, name: str) -> None:
    changes = [("Measured(3)", "Measured(4)"), ("[self._power", "[-self._power")]
    versions = [PROGRAM, *(PROGRAM.replace(old, new) for old, new in changes)]
    found = [code_of(getattr(loaded(tmp_path, text), name)) for text in versions]
    assert len(set(map(tuple, found))) == 3
    assert code_of(getattr(loaded(tmp_path, PROGRAM), name)) == found[0]


def test_closures_lambdas_and_partial_applications_are_told_apart(tmp_path: Path) -> None:
    module = loaded(tmp_path, PROGRAM)
    found = [module.measure, module.other, module.simple, partial(module.helper, 2.0), partial(module.helper, 3.0)]
    found += [partial(max, 1, 2), partial(max, 2, 1), partial(max, key=abs)]
    assert len({tuple(code_of(function)) for function in found}) == len(found)


MAKING = ("{1: lambda: helper(2)}", "{n: lambda: helper(2) for n in (1,)}")
MAKING += ("dict([(n, lambda: helper(2)) for n in (1,)])", "dict((n, lambda: helper(2)) for n in (1,))")
MAKING += ("dict({(n, lambda: helper(2)) for n in (1,)})",)


@pytest.mark.parametrize("making", MAKING)
def test_what_is_made_in_a_comprehension_counts_by_what_it_calls(tmp_path: Path, making: str) -> None:
    """It has no name of its module's: one that begins with that of the comprehension."""
    program = f"RATE = 2\ndef helper(x): return RATE * x\nMADE = {making}\n"
    found = [code_of(loaded(tmp_path, program.replace("RATE = 2", f"RATE = {rate}")).MADE[1]) for rate in (2, 2, 3)]
    assert found[0] == found[1] != found[2]


def test_a_family_that_is_shown_some_parameters_counts_by_what_measures_it(tmp_path: Path) -> None:
    """The engine shows it these alone, by a function of its own around the measurement."""
    texts = (PROGRAM, PROGRAM.replace("FACTOR = 2", "FACTOR = 5"))
    measures = [loaded(tmp_path, text).measure for text in texts]
    found = [Family("numbers", measure, "a", 3, of=("x",)).measure for measure in measures]
    assert code_of(measures[0]) != code_of(measures[1])
    assert code_of(found[0]) != code_of(found[1])


VALUES = [
    1, 1.0, True, "1", None, (1,), [1], {1}, {1: 1}, 1j, b"1", Fraction(1, 3), float("nan"), range(3), np.float32(1),
    np.array([1]), np.array([[1]]), torch.tensor(1), torch.tensor([1.0]), torch.tensor([1.0], dtype=torch.float64),
    torch.float64,
]  # fmt: skip


def test_values_of_every_kind_are_told_apart() -> None:
    found = [tuple(code_of(partial(max, value))) for value in VALUES]
    assert len(set(found)) == len(VALUES)
    assert found == [tuple(code_of(partial(max, value))) for value in VALUES]


def test_what_a_file_of_ones_own_imports_from_another_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    found = []
    for constant in (1, 1, 2):
        name = f"shared{next(COUNT)}"
        (tmp_path / f"{name}.py").write_text(f"RATE = {constant}\ndef twice(x): return 2 * x\n", encoding="utf-8")
        body = "def measure(points, device): return [twice(shared.RATE) for p in points]\n"
        module = loaded(tmp_path, f"import {name} as shared\nfrom {name} import twice\n{body}")
        found.append(code_of(module.measure))
    assert found[0] == found[1] != found[2]


@pytest.mark.slow
def test_the_code_of_the_suite_is_the_same_in_another_process() -> None:
    labels = ["sharpness.norms.F.repaired", "sharpness.noisy_loss.clipped[average]"]
    program = f"""
from boundaudit.checks.run.addresses import find_shipped
from boundaudit.checks.records.receipt import evidence_key
print(*(evidence_key(find_shipped(label)[0]) for label in {labels}))
"""
    command = [sys.executable, "-c", program]
    there = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "1"}).stdout
    assert there.split() == [evidence_key(find_shipped(label)[0]) for label in labels]


def test_a_measurement_of_the_suite_is_followed_through_its_imports() -> None:
    from boundaudit.numeric.sharpness import construction, norms

    reached = set(code_of(norms.norms_squared))
    assert set(code_of(norms.norms_squared)) == reached
    assert reached & set(code_of(construction.build))


def test_nothing_is_measured_by_nothing() -> None:
    assert code_of() == []


def test_what_a_range_was_asked_before_makes_nothing_stale() -> None:
    span = Reals(0, open_low=True)

    def measure() -> Any:
        return span

    before = code_of(measure)
    assert span.ends({})[0] == sys.float_info.min
    assert code_of(measure) == before
