"""A smaller scale for the first attention layer alone: the same function with a smaller norm."""

from __future__ import annotations

import functools

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Subsets
from boundaudit.checks.measurements import Columns, measured
from boundaudit.checks.sharpness.targets import PAPER, SPARSITY, batch_of
from boundaudit.derivations.sharpness import scale as theory
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.parameters import D, T, even, k, omega
from boundaudit.numeric.sharpness import attention as network
from boundaudit.numeric.sharpness.target import TargetBatch

_claim = functools.partial(Claim, paper=PAPER, place=("Appendix B",))
_FAMILY = {sp.Symbol("S"): Subsets(omega, D, T)}
_GRID = Domain({T: Integers(3, tested_to=24), D: Integers(1, T)})
_LARGEST = {"T": 3, "D": 1}

first_power = _claim(
    label="sharpness.scale.first-layer.power",
    statement="From T = 3 on, (4D-1)(T+1-D)/D is at most T²: to keep every row of a component on its plateau layer 1 "
    "needs no larger exponential of a logit than the published T².",
    left=theory.FIRST_POWER,
    relation="<=",
    right=T**2,
    domain=_GRID,
    kind="Tight",
    equality=(_LARGEST,),
    expected="proved",
    rests_on=("sharpness.exactness.plateau.condition[three]",),
)


def _needed_by_first(length: Tensor, degree: Tensor) -> Tensor:
    """The smallest λ of layer 1 that keeps every row of a component on its plateau."""
    return torch.log((4 * degree - 1) * (length + 1 - degree) / degree.double()) / torch.log(length.double())


def _leading(at: Columns) -> tuple[Tensor, Tensor, TargetBatch]:
    """Lengths, degrees and targets of one component {1…D} with coefficient one."""
    length, degree = at.whole("T"), at.whole("D")
    return length, degree, network.leading(length, degree, torch.ones_like(length).double())


@measured
def _first_margins(at: Columns) -> Tensor:
    length, degree, batch = _leading(at)
    return 4 * degree * network.largest_shift(batch, _needed_by_first(length, degree))


first_margin = _claim(
    label="sharpness.scale.first-layer.margin",
    statement="With the scale λ₁ = log((4D-1)(T+1-D)/D)/log T in layer 1 the largest shift of a component's row away "
    "from its grid point is exactly 1/(4D), the half-width of the narrowest plateaus of the MLP.",
    left=Quantity(
        "largest shift over 1/(4D)", _first_margins, r"4D \max_{k, r} \left| s - \tfrac{k}{D} \right|",
        theory.FIRST_SHIFT_IN_MARGINS, scale=1.0,
    ),
    relation="=",
    right=sp.Integer(1),
    domain=_GRID,
    expected="proved",
    rests_on=("sharpness.exactness.shift.worst",),
)  # fmt: skip


@measured
def _first_outputs(at: Columns) -> Tensor:
    length, degree, batch = _leading(at)
    bits = network.leading_bits(length, degree, at.whole("k"), at.whole("r"))
    return network.active_outputs(batch, bits, _needed_by_first(length, degree), "steep")


first_exact = _claim(
    label="sharpness.scale.first-layer.exact",
    statement="For T ≤ 10 the steep network computes the same function with the smaller scale log((4D-1)(T+1-D)/D)/log "
    "T in layer 1 alone. Rows of a component still carry the exact parity of its k ones, and no other row of layer 1 "
    "depends on the scale.",
    role="improvement",
    left=Quantity(
        "g(s) at the smallest scale of layer 1", _first_outputs, "g(s)", lambda: theory.first_output(),
        rounding=1e-11, scale=1.0,
    ),
    relation="=",
    right=even(k),
    domain=Domain({T: Integers(3, 10), D: Integers(1, T), k: Integers(0, D), r: Integers(0, T - D)}),
    expected="certified",
    rests_on=("sharpness.scale.first-layer.margin", "sharpness.mlp.plateaus"),
    limitations=(
        "At exactly this scale a row of ones lies on a kink for even D; any larger scale avoids that.",
        "At longer inputs it follows from the margin of the shift and the MLP's plateaus, both proved.",
    ),
)  # fmt: skip


@measured
def _first_norm(at: Columns) -> Tensor:
    return network.block_norm_squared(batch_of(at), _needed_by_first(at.whole("T"), at.whole("D")), "W1")


first_norm = _claim(
    label="sharpness.scale.first-layer.norm",
    statement="With the scale log((4D-1)(T+1-D)/D)/log T in layer 1 alone, which keeps the function, the squared norm "
    "of W1 is at most the published 4 ω D log²T. Equality at T = 3, D = 1 alone.",
    left=Quantity("squared norm of W1 at the smallest scale", _first_norm, r"\|W_1\|^2", theory.FIRST_W1_SQUARED),
    relation="<=",
    right=theory.PUBLISHED_W1_SQUARED,
    domain=Domain({T: Integers(3, tested_to=24), D: Integers(1, T), omega: SPARSITY, **_FAMILY}),
    kind="Tight",
    equality=({**_LARGEST, "omega": 1, "S": ((1,),)},),
    place=("Theorem 10",),
    expected="supported",
    improves="sharpness.norms.exact.printed[W1]",
    rests_on=("sharpness.scale.first-layer.power", "sharpness.scale.first-layer.exact", "sharpness.scale.norm[W1]"),
    limitations=(
        "Searched here; it follows from the bound T² on the exponential of the logit, which is proved, as logarithms "
        "rise.",
    ),
)
