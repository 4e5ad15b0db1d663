"""Small claims that the tests of the engine share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp

from boundaudit import Claim, Domain, Quantity, Reals, Space
from boundaudit.checks.evidence.collect import collect_evidence
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.evidence.profile import PROFILES
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.runner import verify

x, y, z = sp.symbols("x y z", real=True)
n, m = sp.symbols("n m", integer=True)
c = sp.IndexedBase("c", real=True)
t = sp.Symbol("t", integer=True)

UNIT = Domain({x: Reals(0, 1)})
"""The closed unit interval."""
BUDGET: Mapping[str, int] = {"smallest": 200, "examples": 20, "generations": 2}
"""A short search."""


def claim(left: Any, relation: Any, right: Any, domain: Domain | Space = UNIT, **more: Any) -> Claim:
    """A claim with a label and a statement that do not matter."""
    return Claim(**{"label": "test.claim", "statement": "A test."} | more, left=left, relation=relation, right=right,
                 domain=domain)  # fmt: skip


def form_of(one: Claim) -> Statement:
    """What a claim comes to in exact terms."""
    found = one.statement_form
    assert found is not None
    return found


def stated(left: Any, relation: Any, right: Any, domain: Domain | Space = UNIT) -> Statement:
    """The same of two sides."""
    return form_of(claim(left, relation, right, domain))


def collected(one: Claim, *others: Claim) -> Findings:
    """What a smoke run gathers about a claim, with others there to be cited."""
    known = {other.label: (other,) for other in others}
    return collect_evidence(one, lambda label: known.get(label, ()), PROFILES["smoke"], seed=0, device="cpu")


def measured(function: Callable[[dict[str, Any]], float], **more: Any) -> Quantity:
    """A quantity that calls a plain function point by point."""
    return Quantity("measured", lambda points, device: np.array([function(point) for point in points]), "q", **more)


def some_slow(names: Iterable[str], *slow: str) -> list[Any]:
    """The names as parameters of a test, with those marked that take seconds."""
    return [pytest.param(name, marks=[pytest.mark.slow] if name in slow else []) for name in names]


def at_a_glance(labels: Sequence[str], file: Path, out: Path) -> Run:
    """A run of some claims of a file, or of all, that looks at a tenth of a smoke run's points and at one mutant."""
    few = replace(PROFILES["smoke"], sweep=20, smallest=10, examples=4, generations=1, mutants=1)
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(PROFILES, "smoke", few)
        return verify(labels, [file], out=out, profile="smoke", device="cpu")
