"""The scale λ of both attention layers: what it buys in exactness and costs in norm."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, Literal

import sympy as sp

from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Subsets, Vector
from boundaudit.checks.measurements import measured
from boundaudit.checks.sharpness.targets import PAPER, SPARSITY, batch_of
from boundaudit.derivations.sharpness import scale as theory
from boundaudit.derivations.sharpness.attention import lam
from boundaudit.derivations.sharpness.parameters import D, T, c, omega
from boundaudit.numeric.sharpness import attention as network

_claim = functools.partial(Claim, paper=PAPER, place=("Appendix B",))


# --- exactness against norm -----------------------------------------------------------------------


_norm_claim = functools.partial(_claim, place=("Theorem 10",), expected="proved")


def _squared(block: Literal["W1", "W2"], definition: sp.Expr) -> Quantity:
    measure = measured(lambda at: network.block_norm_squared(batch_of(at), at.real("lambda"), block))
    return Quantity(f"squared norm of {block}", measure, rf"\|{block[0]}_{block[1]}\|^2", definition, scale=1.0)


_REAL_SCALE = {lam: Reals(0, open_low=True, tested_to=6)}
_FAMILY = {sp.Symbol("S"): Subsets(omega, D, T)}


def _sets(coefficients: Mapping[Any, Range]) -> Domain:
    """Families of sets at any scale, with coefficients where a norm depends on them."""
    sizes = {T: Integers(2, tested_to=24), D: Integers(1, T), omega: SPARSITY}
    return Domain({**sizes, **_REAL_SCALE, **coefficients, **_FAMILY})


norms = _norm_claim(
    label="sharpness.scale.norm",
    statement="At scale λ of the attention logits the squared norms of W1 and W2 are polynomials in λ.",
    relation="=",
    cases=(
        Case(
            "W1",
            statement="At scale λ of the attention logits the squared norm of W1 is ω D λ² log²T.",
            left=_squared("W1", theory.W1_BY_ENTRIES),
            right=theory.W1_SQUARED,
            domain=lambda: _sets({}),
        ),
        Case(
            "W2",
            statement="At scale λ of the attention logits the squared norm of W2 is Σ log²c_t + 2 λ log T Σ log c_t + "
            "ω λ² log²T, for any positive coefficients c.",
            left=_squared("W2", theory.W2_BY_ENTRIES),
            right=theory.W2_SQUARED,
            domain=lambda: _sets({c: Vector(omega, Reals(0, open_low=True, tested_to=2))}),
        ),
    ),
)
