"""Sparse majorities: which gap of the logits represents them exactly, and where the length of the input comes back."""

from __future__ import annotations

import functools

import sympy as sp
from torch import Tensor

from boundaudit.checks.covering import COMPARATOR
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Matrix, Reals, Vector
from boundaudit.checks.measurements import Columns, by_shape, measured
from boundaudit.derivations.covering import sparse as theory
from boundaudit.derivations.covering.sparse import D_spa, G_spa, b_spa, c_spa, g_spa, h_spa, l_spa, r_spa, w_spa
from boundaudit.derivations.covering.symbols import B_cov
from boundaudit.numeric.covering import sparse

_claim = functools.partial(Claim, paper=COMPARATOR, place=("Sparse variable creation",))


def _margins(at: Columns) -> Tensor:
    relevant, others = 2 * int(at.whole("h_spa")[0]) + 1, int(at.whole("r_spa")[0])
    return sparse.margin(relevant + others, relevant, at.real("w_spa"))


def _irrelevant(products: Tensor, across: Tensor, most: Tensor) -> Tensor:
    return sparse.irrelevant_logit(most[:, None, None] * products.clamp(-1, 1), most[:, None] * across).abs()


margin = _claim(
    label="covering.sparse.margin",
    statement="With attention weights in the ratio w between s = 2h + 1 relevant bits and T - s others, the least "
    "attended mean of an input with a positive majority exceeds the largest of one with a negative majority by "
    "(w - (T - s))/(s w + T - s), over all inputs.",
    left=Quantity("margin over all inputs", measured(_margins, "r_spa", "h_spa"), r"\mathrm{margin}", scale=1.0),
    relation="=",
    right=theory.MARGIN,
    domain=Domain({h_spa: Integers(0, 2), r_spa: Integers(1, 5), w_spa: Reals(0, open_low=True, tested_to=400)}),
)

exact = _claim(
    label="covering.sparse.exact",
    statement="Let attention weigh each of s relevant bits out of T by w = exp(g) times what it gives to each of the "
    "others. If w exceeds T - s it represents the majority of the s bits exactly, and if w is less it does not, "
    "whatever s is: the gap g of the logits must exceed log(T - s).",
    right=sp.Integer(0),
    left=theory.MARGIN,
    cases=(
        Case(
            "enough", relation=">=", kind="Lower",
            domain=Domain({h_spa: Integers(0), r_spa: Integers(1), w_spa: Reals(r_spa)}),
        ),
        Case(
            "too-little", relation="<=", kind="Upper",
            domain=Domain({h_spa: Integers(0), r_spa: Integers(1), w_spa: Reals(0, r_spa, open_low=True)}),
        ),
    ),
    rests_on=(margin.label,),
    expected="proved",
)  # fmt: skip

levels = _claim(
    label="covering.sparse.levels",
    statement="Attention in which each of s = 5 relevant tokens outweighs the r others together represents their "
    "majority exactly: three least weights l > r exceed two largest w plus r.",
    role="control",
    left=theory.FIVE_LEVELS,
    relation=">=",
    right=sp.Integer(0),
    domain=Domain({r_spa: Integers(1), l_spa: Reals(r_spa, open_low=True), w_spa: Reals(l_spa)}),
    expected="refuted",
    limitations=(
        "How the condition for two levels is misread where relevant logits differ, as those of positions that are "
        "only nearly orthogonal do.",
    ),
)

dual = _claim(
    label="covering.sparse.dual",
    statement="Let v_1, …, v_s be unit vectors of the relevant positions, and let any two positions have a product "
    "of at most D < 1/(s-1) in size. Take the query c Σ β_i v_i, where β solves Gram β = 1 with the Gram matrix of "
    "the v_i. Relevant logits are then all c and the others at most c s D/(1 - (s-1)D), a gap of c (1 - sD/(1 - "
    "(s-1)D)). Where the gap exceeds log(T - s), attention represents the majority of s of T bits exactly. Measured "
    "for s = 3, c = 1.",
    left=Quantity(
        "size of an irrelevant token's logit", by_shape(_irrelevant, "G_spa", "c_spa", "D_spa"),
        r"|\langle q, v \rangle|", scale=1.0,
    ),
    right=lambda: theory.DUAL_BOUND.subs(h_spa, 1),
    domain=Domain({
        D_spa: Reals(0, sp.Rational(2, 5)), G_spa: Matrix(3, 3, Reals(tested_to=1)), c_spa: Vector(3, Reals(-1, 1)),
    }),
    repairs=(levels.label,),
    rests_on=("covering.sparse.exact",),
)  # fmt: skip

needed = _claim(
    label="covering.sparse.norm",
    statement="Tokens and query of length at most b have logits within b²‖W_QK‖ of zero, so that a gap of g asks for "
    "‖W_QK‖ ≥ g/(2b²): the exact majority of s of T bits needs ‖W_QK‖ ≥ log(T - s)/(2b²), and a bound free of T at "
    "fixed norms grows with T on the class that solves the task.",
    left=g_spa / (2 * b_spa**2),
    right=B_cov,
    domain=Domain(
        {b_spa: Reals(0, open_low=True), B_cov: Reals(0), g_spa: Reals(0, 2 * B_cov * b_spa**2)},
    ),
    kind="Tight",
    equality=({"b_spa": 1, "B_cov": 1, "g_spa": 2},),
    rests_on=("covering.sparse.exact",),
    expected="proved",
)
