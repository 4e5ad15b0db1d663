"""Theorem 10: the first attention matrix under a random projection."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Subsets
from boundaudit.checks.measurements import Columns, measured
from boundaudit.checks.sharpness.norms.quantities import claim
from boundaudit.checks.sharpness.targets import SPARSITY, batch_of
from boundaudit.derivations.sharpness import norms as theorem
from boundaudit.derivations.sharpness.parameters import D, T, d, omega
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.projection import expected_squared_norm, moments

_PROJECTED = Domain(
    {
        T: Integers(2, 8),
        D: Integers(1, T),
        omega: SPARSITY,
        d: Integers(1, 8 / T),
        sp.Symbol("S"): Subsets(omega, D, T),
    }
)
"""Where the expectation can be integrated exactly: T·d ≤ 8. W1 does not depend on the coefficients."""
_LIMITED = "Stated where the expectation can be integrated exactly, for T·d up to 8."


def _projected(of: Callable[[Tensor, int], Tensor]) -> Measure:
    """A number of the position block of W1 and the width it is projected to."""

    def number(at: Columns) -> Tensor:
        length = at.points[0]["T"]
        return of(build(batch_of(at)).W1[:, :length, :length], at.points[0]["d"])

    return measured(number, "T", "d")


_EXPECTED = Quantity(
    "expected squared norm of projected W1", _projected(expected_squared_norm),
    r"\mathbb{E}\,\|J^\top W_1 J\|^2", rounding=1e-11,
)  # fmt: skip

w1_moments = claim(
    label="sharpness.norms.W1.projected-moments",
    statement="For a Gaussian projection to width d, with T·d up to 8, the expected squared norm of W1 is "
    "‖W1‖² + (tr(W1)² + tr(W1²))/d.",
    left=_EXPECTED,
    relation="=",
    right=Quantity(
        "squared norm of W1 plus trace terms over d",
        _projected(moments),
        r"\|W_1\|^2 + \tfrac{1}{d}\left(\mathrm{tr}(W_1)^2 + \mathrm{tr}(W_1^2)\right)",
        rounding=1e-11,
    ),
    domain=_PROJECTED,
    reading="plausible",
    expected="supported",
    limitations=(_LIMITED,),
)

w1_projected = claim(
    label="sharpness.norms.W1.projected",
    statement="The expected squared norm of the projected W1 is at most 1 + 2(1+ω/D)/d times ‖W1‖², to which it tends "
    "as the width d grows; for T·d up to 8.",
    left=_EXPECTED,
    relation="<=",
    right=theorem.PROJECTED_UPPER,
    domain=_PROJECTED,
    role="printed",
    kind="Rate",
    mode="as d→∞",
    reading="plausible",
    expected="supported",
    rests_on=("sharpness.norms.W1.projected-moments", "sharpness.norms.exact.printed[W1]"),
    limitations=(
        _LIMITED,
        "Printed is that both norms are about equal for large d. The rate is ours, and needs d well above ω/D.",
    ),
)
