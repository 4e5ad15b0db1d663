"""Section 2: the indices of attention, their covariance, and how far from Gaussian they are at a finite dimension."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.attention_erm import PAPER
from boundaudit.checks.language.abstract.independent import Independent
from boundaudit.checks.language.abstract.laws import Gaussian
from boundaudit.checks.language.abstract.space import Space
from boundaudit.checks.language.abstract.terms import E, Var
from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Integers, Reals, Vector
from boundaudit.derivations.attention_erm.model import c_idx, index, lambda_map, trace, x_tok, y_tok, z_tok
from boundaudit.derivations.attention_erm.symbols import d_erm

_RANGES = {
    d_erm: Integers(1, tested_to=8),
    lambda_map: Vector(d_erm, Reals()),
    **{token: Independent(d_erm, Gaussian()) for token in (x_tok, y_tok, z_tok)},
}
_claim = functools.partial(
    Claim, paper=PAPER, place=("Section 2",), relation="=", domain=Space(_RANGES), expected="proved",
    limitations=("In the eigenvectors of S, where the entries of tokens are independent standard normal as well.",),
)  # fmt: skip
_INDEX = "h_ab = (x_aᵀSx_b - δ_ab Tr S)/√d of tokens with independent standard normal entries"
_OWN, _BOTH = index(x_tok, x_tok), index(x_tok, y_tok)


def _cumulant(of: sp.Expr) -> sp.Expr:
    """The fourth, of a variable with mean zero."""
    return E(of**4) - 3 * E(of**2) ** 2


variance = _claim(
    label="attention_erm.model.variance",
    statement=f"For symmetric S and at every dimension, an index {_INDEX} has the variance (1 + δ_ab) ‖S‖²_F/d.",
    role="printed",
    reading="plausible",
    cases=(
        Case("one-token", left=Var(_OWN), right=2 * trace(2) / d_erm),
        Case("two-tokens", left=Var(_BOTH), right=trace(2) / d_erm),
    ),
)

_FIVE = (_OWN, _BOTH, index(y_tok, y_tok), index(x_tok, z_tok), index(y_tok, z_tok))
_MIXED = sp.Add(*(c_idx[n] * each for n, each in enumerate(_FIVE, 1)))
_APART = 2 * c_idx[1] ** 2 + c_idx[2] ** 2 + 2 * c_idx[3] ** 2 + c_idx[4] ** 2 + c_idx[5] ** 2

uncorrelated = _claim(
    label="attention_erm.model.uncorrelated",
    statement=f"For distinct pairs a ≤ b the indices {_INDEX} are uncorrelated at every dimension, for symmetric S: "
    "the variance of c_1 h_11 + c_2 h_12 + c_3 h_22 + c_4 h_13 + c_5 h_23 is that of its terms together, whatever "
    "the c.",
    left=Var(_MIXED),
    right=_APART * trace(2) / d_erm,
    domain=Space({**_RANGES, c_idx: Vector(5, Reals())}),
    role="printed",
    reading="plausible",
)

fourth = _claim(
    label="attention_erm.model.fourth",
    statement=f"An index {_INDEX} has the fourth cumulant 48 Tr S⁴/d² for one token and 6 Tr S⁴/d² for two. Its "
    "excess kurtosis is 12 Tr S⁴/(Tr S²)² and 6 Tr S⁴/(Tr S²)².",
    cases=(
        Case("one-token", left=_cumulant(_OWN), right=48 * trace(4) / d_erm**2),
        Case("two-tokens", left=_cumulant(_BOTH), right=6 * trace(4) / d_erm**2),
    ),
)
