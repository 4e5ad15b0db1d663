"""Section 2: the indices of attention, their covariance, and how far from Gaussian they are at a finite dimension."""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp
from torch import Tensor

from boundaudit.checks.attention_erm import PAPER
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Matrix, Reals
from boundaudit.checks.measurements import by_shape
from boundaudit.derivations.attention_erm.symbols import M_erm
from boundaudit.numeric.attention_erm.indices import index_moments

_claim = functools.partial(Claim, paper=PAPER, place=("Section 2",))
_INDEX = "h_ab = (x_aᵀSx_b - δ_ab Tr S)/√d of tokens with independent standard normal entries"
_MAPS = Domain({M_erm: Matrix(3, 3, Reals(tested_to=2))})
_BY_RULE = ("Measured by exact integration for d = 3; the proof for every d is a sum over eigenvalues.",)


def _symmetric(matrix: Tensor) -> Tensor:
    return (matrix + matrix.mT) / 2


def _square(matrix: Tensor) -> Tensor:
    """‖S‖²_F/d."""
    return (_symmetric(matrix) ** 2).sum((1, 2)) / matrix.shape[-1]


def _fourth(matrix: Tensor) -> Tensor:
    """Tr S⁴."""
    square = _symmetric(matrix) @ _symmetric(matrix)
    return (square**2).sum((1, 2))


def _excess(matrix: Tensor, index: int) -> Tensor:
    """The fourth cumulant of an index."""
    covariance, fourth = index_moments(matrix)
    return fourth[:, index] - 3 * covariance[:, index, index] ** 2


def _quantity(name: str, of: Callable[[Tensor], Tensor], latex: str) -> Quantity:
    return Quantity(name, by_shape(of, "M_erm"), latex, rounding=1e-10, scale=1.0)


variance = _claim(
    label="attention_erm.model.variance",
    statement=f"For symmetric S and at every dimension, an index {_INDEX} has the variance (1 + δ_ab) ‖S‖²_F/d.",
    relation="=",
    domain=_MAPS,
    role="printed",
    reading="plausible",
    limitations=_BY_RULE,
    cases=(
        Case(
            "one-token",
            left=_quantity("variance of an index of one token", lambda m: index_moments(m)[0][:, 0, 0],
                           r"\mathrm{Var}\, h_{11}"),
            right=_quantity("twice the squared norm over d", lambda m: 2 * _square(m), r"2 \|S\|_F^2/d"),
        ),
        Case(
            "two-tokens",
            left=_quantity("variance of an index of two tokens", lambda m: index_moments(m)[0][:, 1, 1],
                           r"\mathrm{Var}\, h_{12}"),
            right=_quantity("squared norm over d", _square, r"\|S\|_F^2/d"),
        ),
    ),
)  # fmt: skip

uncorrelated = _claim(
    label="attention_erm.model.uncorrelated",
    statement=f"For distinct pairs a ≤ b the indices {_INDEX} are uncorrelated at every dimension, for symmetric S.",
    left=_quantity(
        "largest covariance of two indices",
        lambda m: index_moments(m)[0].triu(1).abs().amax((1, 2)),
        r"\max_{(a,b) \neq (c,e)} |\mathrm{Cov}(h_{ab}, h_{ce})|",
    ),
    relation="=",
    right=sp.Integer(0),
    domain=_MAPS,
    role="printed",
    reading="plausible",
    limitations=_BY_RULE,
)

fourth = _claim(
    label="attention_erm.model.fourth",
    statement=f"An index {_INDEX} has the fourth cumulant 48 Tr S⁴/d² for one token and 6 Tr S⁴/d² for two. Its "
    "excess kurtosis is 12 Tr S⁴/(Tr S²)² and 6 Tr S⁴/(Tr S²)².",
    relation="=",
    domain=_MAPS,
    limitations=_BY_RULE,
    cases=(
        Case(
            "one-token",
            left=_quantity("fourth cumulant of an index of one token", lambda m: _excess(m, 0), r"\kappa_4(h_{11})"),
            right=_quantity("48 Tr S⁴ over d²", lambda m: 48 * _fourth(m) / m.shape[-1] ** 2,
                            r"48\, \mathrm{Tr} S^4/d^2"),
        ),
        Case(
            "two-tokens",
            left=_quantity("fourth cumulant of an index of two tokens", lambda m: _excess(m, 1), r"\kappa_4(h_{12})"),
            right=_quantity("6 Tr S⁴ over d²", lambda m: 6 * _fourth(m) / m.shape[-1] ** 2, r"6\, \mathrm{Tr} S^4/d^2"),
        ),
    ),
)  # fmt: skip
