"""What tests of the command line share: a call and its outcome, and claims files to call it on."""

import importlib.util
import itertools
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boundaudit.checks.records.run_folder import KINDS, Run
from boundaudit.checks.records.run_writer import RunWriter

SELECTION = (
    "sharpness.mlp.height", "sharpness.mlp.slope", "sharpness.norms.F.closed-form",
    "sharpness.norms.F.printed[exact,steep]", "sharpness.norms.F.printed[upper,steep]", "sharpness.norms.F.repaired",
)  # fmt: skip
"""Claims and cases that ship with the suite: two identities and a tight bound that stand, two that are refuted."""

CLAIMS = tuple(dict.fromkeys(label.partition("[")[0] for label in SELECTION))
"""The claims of `SELECTION`, without their cases."""

SUITE = ("--run", "boundaudit-runs/run")
"""What makes a command of the `in_suite` fixture read `suite_run`, where it would read a run of everything."""

EXAMPLE = Path(__file__).parents[1] / "reports" / "examples" / "my_claims.py"

PREAMBLE = """\
from functools import partial

import numpy as np
import sympy as sp

from boundaudit import Claim, Derivation, Domain, Quantity, Reals, Step, symbol

p = symbol("p", "a probability", nonnegative=True)
UNIT = Domain({p: Reals(0, 1)})
variance = partial(Claim, statement="A variance is bounded.", left=p * (1 - p), relation="<=", domain=UNIT)
QUARTER, TOO_SMALL = sp.Rational(1, 4), sp.Rational(6, 25)
"""
"""The head of the claims files that tests write; `variance` lacks a label and a right side."""


@dataclass(frozen=True)
class Outcome:
    """Exit status, stdout and stderr of one call."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """All of stdout as strict JSON: neither NaN nor Infinity."""
        return strict_json(self.out)


Call = Callable[..., Outcome]
"""`call(*arguments)`: the command line in this process, with ``tmp_path`` as working directory."""


def refused(ended: Outcome, *culprits: str) -> None:
    """One line on stderr that names the culprits; silence on stdout; exit status 2."""
    assert ended.code == 2
    assert ended.out == ""
    (line,) = ended.err.splitlines()
    assert line.startswith("boundaudit: ")
    assert [word for word in culprits if word not in line] == []


def strict_json(text: str) -> Any:
    """Read JSON as other programs do."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


def part_of(run: Run, claims: Sequence[str], out: Path) -> Run:
    """A finished run of some of the claims of another."""
    writer = RunWriter(out)
    for label in claims:
        writer.write("receipts", run.receipts[label].to_json())
    none: dict[str, set[str]] = {kind: set() for kind in KINDS}
    writer.finish(run.manifest.to_json() | {"claims": list(claims), "records": none | {"receipts": set(claims)}}, {})
    return Run.load(out)


def write_claims(folder: Path, body: str, name: str = "my_claims.py") -> Path:
    """Write a claims file: the preamble, then ``body``."""
    path = folder / name
    path.write_text(PREAMBLE + body, encoding="utf-8")
    return path


COUNT = itertools.count()
"""Numbers for modules that are written and loaded, each once."""


def loaded(folder: Path, text: str) -> Any:
    """A module of its own with this text."""
    path = folder / f"m{next(COUNT)}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module
