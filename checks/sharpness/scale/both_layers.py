"""The scale λ of both attention layers: what it buys in exactness and costs in norm."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Literal

import sympy as sp
import torch

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.exactness.shared import column, reals, scales
from boundaudit.checks.sharpness.targets import PAPER, SPARSITY, batch_of
from boundaudit.derivations.sharpness import scale as theory
from boundaudit.derivations.sharpness.attention import C, lam
from boundaudit.derivations.sharpness.exactness import LEAK
from boundaudit.derivations.sharpness.parameters import D, T, c, omega
from boundaudit.derivations.sharpness.scale import h, tau
from boundaudit.numeric.sharpness import attention as network
from boundaudit.numeric.sharpness import leak

_claim = functools.partial(Claim, paper=PAPER, place=("Appendix B",))
_LENGTHS = {T: Integers(2, tested_to=24), omega: Integers(1, T)}
_POSITIVE = {C: Reals(0, open_low=True, tested_to=8)}
_RISE = {h: Reals(0, tested_to=4)}


# --- exactness against norm -----------------------------------------------------------------------


def _error_at_needed(points: Sequence[Point], device: str) -> Array:
    """One bit as component, built with the scale that its stated error needs: target minus network at 01…1."""
    length, total, wanted = column(points, "T", device), reals(points, "C", device), reals(points, "tau", device)
    batch = network.leading(length, torch.ones_like(length), total)
    needed = torch.log((total - wanted) * length / (wanted * total)) / torch.log(length.double())
    bits = torch.arange(batch.max_length, device=device).expand(len(points), -1) > 0
    found: Array = -leak.errors(batch, bits[:, None], needed, needed, "steep")[:, 0].cpu().numpy()
    return found


needed = _claim(
    label="sharpness.scale.needed",
    statement="At the scale log((C-τ)(T+1-ω)/(τ C))/log T the leak is exactly τ; measured on one bit as component.",
    left=Quantity(
        "target minus network at 01…1", _error_at_needed, r"f(01\ldots1) - f_\Theta(01\ldots1)",
        LEAK.subs(lam, theory.NEEDED).subs(omega, 1), rounding=1e-9, scale=1e-3,
    ),
    relation="=",
    right=tau,
    domain=Domain({
        T: Integers(3, tested_to=24),
        C: Reals(sp.Rational(1, 100), tested_to=8),
        tau: Reals(C / (C * T**4 + 1), C / (C * T + 1)),
    }),
    expected="proved",
    rests_on=("sharpness.exactness.leak.identity",),
    limitations=("Stated for scales of layer 2 between 2 and 5.",),
)  # fmt: skip

falling = _claim(
    label="sharpness.scale.leak-falls",
    statement="A larger scale never leaks more.",
    left=theory.LATER_LEAK,
    relation="<=",
    right=LEAK,
    domain=Domain({**_LENGTHS, **_POSITIVE, lam: Integers(1, tested_to=6), h: Integers(0, tested_to=4)}),
    kind="Tight",
    equality=({"T": 3, "omega": 1, "C": 1, "lambda": 2, "h": 0},),
    expected="proved",
)

_SETS = {T: Integers(2, tested_to=24), D: Integers(1, T), omega: SPARSITY}


def _norm(block: Literal["W1", "W2"]) -> Measure:
    def measure(points: Sequence[Point], device: str) -> Array:
        ones = [{"c": (1,) * point["omega"], **point} for point in points]
        found: Array = network.block_norm_squared(batch_of(ones, device), scales(points, device), block).cpu().numpy()
        return found

    return measure


def _squared(block: Literal["W1", "W2"], definition: sp.Expr) -> Quantity:
    return Quantity(f"squared norm of {block}", _norm(block), rf"\|{block[0]}_{block[1]}\|^2", definition, scale=1.0)


_FAMILY = {sp.Symbol("S"): Subsets(omega, D, T)}
_REAL_SCALE = {lam: Reals(0, open_low=True, tested_to=6)}

norm_w1 = _claim(
    label="sharpness.scale.norm-W1",
    statement="At scale λ the squared norm of W1 is ω D λ² log²T.",
    left=_squared("W1", theory.W1_BY_ENTRIES),
    relation="=",
    right=theory.W1_SQUARED,
    domain=Domain({**_SETS, **_REAL_SCALE, **_FAMILY}),
    place=("Theorem 10",),
    expected="proved",
)

norm_w2 = _claim(
    label="sharpness.scale.norm-W2",
    statement="At scale λ the squared norm of W2 is Σ log²c_t + 2 λ log T Σ log c_t + ω λ² log²T.",
    left=_squared("W2", theory.W2_BY_ENTRIES),
    relation="=",
    right=theory.W2_SQUARED,
    domain=Domain({**_SETS, **_REAL_SCALE, c: Vector(omega, Reals(0, open_low=True, tested_to=2)), **_FAMILY}),
    place=("Theorem 10",),
    expected="proved",
)

norm_w2_rises = _claim(
    label="sharpness.scale.norm-W2-rises",
    statement="Where no coefficient is below T^-λ, a larger scale never has a smaller W2.",
    left=theory.W2_BY_ENTRIES,
    relation="<=",
    right=theory.LATER_W2_SQUARED,
    domain=Domain({**_LENGTHS, lam: Integers(1, tested_to=6), **_RISE, c: Vector(omega, Reals(T**-lam, tested_to=2))}),
    kind="Tight",
    equality=({"T": 3, "omega": 1, "lambda": 2, "h": 0, "c": (1,)},),
    place=("Theorem 10",),
    expected="proved",
    rests_on=("sharpness.scale.norm-W2",),
    limitations=("With leak-falls: for a stated error the scale of the claim needed has the least norm among those "
                 "that reach it.",),
)  # fmt: skip

norm_w1_rises = _claim(
    label="sharpness.scale.norm-W1-rises",
    statement="A larger scale never has a smaller W1.",
    left=theory.W1_SQUARED,
    relation="<=",
    right=theory.LATER_W1_SQUARED,
    domain=Domain({**_LENGTHS, D: Integers(1, T), **_REAL_SCALE, **_RISE}),
    kind="Tight",
    equality=({"T": 3, "omega": 1, "D": 1, "lambda": 2, "h": 0},),
    place=("Theorem 10",),
    expected="proved",
    rests_on=("sharpness.scale.norm-W1",),
)
