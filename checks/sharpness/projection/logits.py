"""Random projection: what errors of the products do to the logits of both layers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals, Subsets, Vector
from boundaudit.checks.measurements import Columns, measured
from boundaudit.checks.sharpness.projection.shared import claim
from boundaudit.checks.sharpness.targets import FLOOR, SPARSITY, batch_of
from boundaudit.derivations.sharpness import projection as theorem
from boundaudit.derivations.sharpness.parameters import D, T, c, omega
from boundaudit.derivations.sharpness.projection import epsilon
from boundaudit.numeric.sharpness import projection as network
from boundaudit.numeric.sharpness.target import TargetBatch

_ERRORS = Choices(
    thousandth=Fraction(1, 1000), hundredth=Fraction(1, 100), tenth=Fraction(1, 10), half=Fraction(1, 2), one=1, two=2
)
_FAMILIES: dict[Any, Range] = {T: Integers(2, 8), D: Integers(1, T), omega: SPARSITY, epsilon: _ERRORS}
_PATTERNS: dict[Any, Range] = {
    sp.Symbol("S"): Subsets(omega, D, T),
    sp.Symbol("pattern"): Integers(0, network.PATTERNS - 1),
}
_PERTURBED = Domain({**_FAMILIES, **_PATTERNS})
"""Products that are all off by 31ε/32, in sixteen patterns of signs: all plus, all minus, mixed, random."""
_SIGNS = "Measured on sixteen sign patterns of errors of 31ε/32; all plus ε would attain the bound."
_SHORT_OF = 31 / 32


def _perturbed(of: Callable[[TargetBatch, Tensor, Tensor], Tensor]) -> Measure:
    """A number for each point from its target, the errors of its products and its ε."""

    def number(at: Columns) -> Tensor:
        batch, error = batch_of(at), at.real("epsilon")
        return of(batch, network.deviation(batch, _SHORT_OF * error, at.whole("pattern")), error)

    return measured(number)


def _over_bound(batch: TargetBatch, deviation: Tensor, error: Tensor) -> Tensor:
    """The largest ratio of an error of layer 1 to what the number of components on its key allows."""
    off, degree, sparsity = error[:, None], batch.degree[:, None], batch.sparsity[:, None]
    allowed = (degree + network.sharers(batch)) * off + sparsity * degree * off.square()
    return (network.first_error(batch, deviation) / allowed[:, :, None]).flatten(1).amax(-1)


logit_error = claim(
    label="sharpness.projection.logit-error",
    statement="Where every pairwise product of the projected positions is off by at most ε, so are the logits of both "
    "layers by a multiple of it.",
    relation="<=",
    domain=_PERTURBED,
    limitations=(_SIGNS,),
    cases=(
        Case(
            "overlap",
            statement="Where every pairwise product of the projected positions is off by at most ε, the logit of a key "
            "of layer 1 that lies in m of the ω components is off by at most (D+m)ε + ωDε², in units of 2 log T.",
            left=Quantity(
                "largest error of a logit of layer 1 over its bound",
                _perturbed(_over_bound),
                r"\max_{jt} \frac{|\ell_{jt} / (2 \log T) - [j \in S_t]|}{(D + m_j) \epsilon + \omega D \epsilon^2}",
            ),
            right=sp.Integer(1),
        ),
        Case(
            "second",
            statement="Where every pairwise product of the projected positions is off by at most ε, a logit of layer 2 "
            "is off by at most 2 log T (ε + (1+ε)ωε), for ω coefficients from T⁻⁴ to 1.",
            left=Quantity(
                "largest error of a logit of layer 2",
                _perturbed(lambda batch, deviation, error: network.second_error(batch, deviation).amax(-1)),
                r"\max_t |\ell_t - \log c_t - 2 \log T|",
            ),
            right=theorem.SECOND_ERROR,
            domain=Domain({**_FAMILIES, c: Vector(omega, Reals(FLOOR, 1)), **_PATTERNS}),
        ),
    ),
)
