"""What a measurement says of a point depends on the point alone, not on those measured beside it."""

from __future__ import annotations

import functools

import numpy as np
import pytest
import sympy as sp
import torch

from boundaudit.checks.evidence.sweep import sweep_points
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Claim, Probability, Quantity
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.measurements import measured

from .shipped import measured_in
from .statements import claim


def moved_by_company(part: Quantity | Family, claim: Claim) -> bool:
    """Whether two points measured at once have other numbers than each alone, by more than rounding."""
    points = (sweep_points(claim.domain, 4, 0) or sweep_points(claim.domain, 60, 0))[:4:3]
    of = functools.partial(side_values, part) if isinstance(part, Quantity) else part.measure
    together, alone = of(points, "cpu"), [of([point], "cpu")[0] for point in points]
    budget = max(1e-7, 10 * part.rounding)
    return not all(
        np.allclose(found[tuple(map(slice, one.shape))], one, rtol=budget, atol=1e-10, equal_nan=True)
        for found, one in zip(map(np.asarray, together), map(np.asarray, alone), strict=True)
    )


@pytest.mark.slow
@pytest.mark.parametrize("package", ["covering", "pac_bayes", "schatten", "sharpness"])  # others measure point by point
def test_no_measurement_depends_on_its_company(package: str) -> None:
    moved = [
        f"{label}: {part.name}"
        for label, part, claim in measured_in(package).values()
        if not isinstance(part, Probability) and moved_by_company(part, claim)
    ]
    assert moved == []


@pytest.mark.parametrize(("of", "moved"), [
    (lambda at: at.real("x") + torch.rand(len(at), generator=torch.Generator().manual_seed(0)), True),
    (lambda at: at.real("x") / at.real("x").amax(), True),
    (lambda at: at.real("x") ** 2, False),
], ids=["a draw for the batch", "a scale of the batch", "its own"])  # fmt: skip
def test_what_depends_on_company_is_noticed(of, moved: bool) -> None:
    part = Quantity("planted", measured(of), "x")
    planted = claim(part, "<=", part, Domain({sp.Symbol("x", real=True): Reals(1, 2)}))
    assert moved_by_company(part, planted) is moved
