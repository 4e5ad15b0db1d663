"""A bound for the parameters themselves, from norm and loss on the sample alone: no sharpness and no Gibbs risk."""

from __future__ import annotations

import functools

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Reals
from boundaudit.checks.measurements import Columns, combined, evaluated, measured
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness.bound import deterministic as theorem
from boundaudit.derivations.sharpness.bound.deterministic import NORM
from boundaudit.numeric.sharpness.bound import deterministic as network

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 2", "Appendix E"))
_DIRECTION = sp.Symbol("direction")
_SEVERAL = Choices(half=sp.Rational(1, 2), two=2)
_SIZES = dict.fromkeys(NORM.values(), _SEVERAL) | {
    NORM["Gamma"]: Choices(none=0, one=1), NORM["W2"]: Choices(weak=sp.Rational(1, 1000), strong=10),
}  # fmt: skip
_ORDER = ("W1", "V1", "M", "Gamma", "F", "W2", "V2")
_STRONG = 10.0
"""The norm of what a bound does not read: attention of this size picks one key; for W1's own gradient it must not."""


def _norm_of_gradient(block: str) -> Measure:
    """Over its bound, at the input of ones where the weights of given norms are aligned, else at a random one."""
    unread = 1.0 if block == "W1" else _STRONG

    def of(at: Columns) -> Tensor:
        direction = at.points[0]["direction"]
        norms = torch.stack([at.real(f"n_{name}", unread) for name in _ORDER], 1).cpu()
        bits = torch.ones(len(at), 3, dtype=torch.bool)
        if direction:
            drawn = torch.rand(3, generator=torch.Generator().manual_seed(direction)) < 1 / 2
            bits = drawn.expand(len(at), 3)
        weights = network.pointing(norms, 3, aligned=not direction, seed=direction)
        return network.block_gradients(weights, bits)[block]

    most = evaluated(lambda: theorem.GRADIENTS[block])
    return combined(lambda norm, bound: norm / bound, measured(of, "direction"), most)


_REACHED = {"W1": sp.Rational(1, 8), "W2": sp.Rational(1, 4)}
"""Where the bound is loose on all weights tried: a covariance is bounded by spreads that do not occur together."""


def _block(block: str) -> Case:
    return Case(
        block,
        left=Quantity(
            f"norm of the output's gradient by {block} over its bound",
            _norm_of_gradient(block),
            rf"\|\nabla_{{{block}}} f\| / \mathrm{{bound}}",
        ),
        right=_REACHED.get(block, sp.Integer(1)),
        domain=lambda: Domain({norm: _SIZES[norm] for norm in NORM.values() if theorem.GRADIENTS[block].has(norm)}
                              | {_DIRECTION: Choices(aligned=0, random=1, another=2)}),
    )  # fmt: skip


gradient = claim(
    label="sharpness.bound.deterministic.gradient",
    statement="For weights of the published layout with given Frobenius norms of the blocks, the gradient of the "
    "output by a block is at most the product of the norms that a change of this block passes through; at the random "
    "and aligned weights tried the gradient by W1 is at most 1/8 of it, and that by W2 1/4.",
    limitations=(
        "Measured at T = 3 for two norms of each block, at random directions and at aligned ones, which attain the "
        "bounds for V1, M, Gamma, F and V2 but for the part of c with W2.",
        "The bounds hold for all weights by the derivation, a share below 1 on these weights alone.",
    ),
    cases=tuple(_block(block) for block in theorem.GRADIENTS),
)


clip = claim(
    label="sharpness.bound.deterministic.clip",
    statement="The root of min(loss, M) changes by no more than the output does, for absolute errors e_s ≤ e_f "
    "and every clip M > 0.",
    left=theorem.CLIPPED_CHANGE,
    relation="<=",
    right=theorem.error_1 - theorem.error_2,
    domain=Domain({
        theorem.error_1: Reals(0, tested_to=10), theorem.error_2: Reals(0, theorem.error_1),
        theorem.RANGE: Reals(0, open_low=True, tested_to=10),
    }),
    kind="Tight",
    equality=({"e_f": 2, "e_s": 1, "s_c": 3},),
    expected="proved",
)  # fmt: skip
