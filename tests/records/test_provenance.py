"""What a claim's evidence depends on: the code that measures it, and no more."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import boundaudit.numeric
from boundaudit.checks.records.provenance import measuring_code, study_code
from boundaudit.checks.run.registry import built_in

NUMERIC = Path(boundaudit.numeric.__path__[0])


def hash_of(module: str) -> str:
    return hashlib.sha256((NUMERIC / module).read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("module", "counts"),
    [
        ("sharpness/norms.py", True),
        ("sharpness/construction.py", True),
        ("sharpness/taylor.py", False),
        ("curvature/trace.py", False),
    ],
)
def test_evidence_depends_on_the_modules_that_its_measurement_imports(module: str, counts: bool) -> None:
    claim = built_in().claims["sharpness.norms.total.published-steep"]
    assert (hash_of(module) in measuring_code(claim)) is counts


def test_a_claim_between_formulas_depends_on_no_measurement() -> None:
    assert measuring_code(built_in().claims["sharpness.exactness.leak.upper"]) == []


def test_curves_depend_on_formulas_and_measurements() -> None:
    found = study_code(built_in().studies["sharpness.norms.scaling"])
    formulas = NUMERIC.parent / "derivations" / "sharpness" / "norms.py"
    assert hash_of("sharpness/norms.py") in found
    assert hashlib.sha256(formulas.read_bytes()).hexdigest() in found
