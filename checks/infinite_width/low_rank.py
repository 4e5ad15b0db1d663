"""Heads of a fixed width: the same law nearly, and what remains however wide the layer is."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.infinite_width import PAPER
from boundaudit.checks.infinite_width.measured import against_limit
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.measurements import estimated
from boundaudit.derivations.infinite_width import low_rank as theory
from boundaudit.derivations.infinite_width.symbols import b_iw, m_iw
from boundaudit.numeric.infinite_width.distances import ks_distance, variance_gap

_claim = functools.partial(Claim, paper=PAPER, place=("Figure 3",))
_WIDE = "Heads are 16, 32, …, 512 wide, the layer infinitely; the Gram matrix of its inputs is n times the identity."
_SUM = "Outputs of heads are added and divided by √H; the figure adds them on both sides, which is the same comparison."


def _distance(heads: int) -> Quantity:
    name, latex = f"distance of narrow heads to the limit, H = {heads}", rf"\mathrm{{KS}}_{{m,{heads}}}"
    return estimated(name, against_limit(ks_distance, "fixed", heads), latex)


_CHANGE = estimated(
    "relative change of the variance by narrow heads", against_limit(variance_gap, "fixed"),
    r"\mathbb E V_m / \mathbb E V - 1",
)  # fmt: skip

_WIDTH = sp.Integer(2) ** b_iw
_HEADS = Domain({b_iw: Integers(4, 9)})

close = _claim(
    label="infinite_width.low_rank.close",
    statement="Heads of a width m far below the layer's, 64 in the figure, give outputs close to the law of the "
    "theorem. For four tokens the Kolmogorov-Smirnov distance is at most 0.165/m with one head and 0.06/m with four.",
    role="printed",
    domain=_HEADS,
    kind="Rate",
    reading="plausible",
    limitations=(_WIDE, _SUM, "The figure shows densities; distance and rate are measured here."),
    cases=(
        Case("one-head", left=_distance(1), right=lambda: sp.Rational("0.165") / _WIDTH),
        Case("four-heads", left=_distance(4), right=lambda: sp.Rational("0.06") / _WIDTH),
    ),
)

residual = _claim(
    label="infinite_width.low_rank.residual",
    statement="With heads of a fixed width m the law of the theorem is not reached, however wide the layer is. For "
    "four tokens the Kolmogorov-Smirnov distance stays at least 0.15/m with one head and 0.04/m with four.",
    relation=">=",
    domain=_HEADS,
    kind="Rate",
    improves=close.label,
    rests_on=("infinite_width.low_rank.kurtosis",),
    limitations=(_WIDE, _SUM),
    cases=(
        Case("one-head", left=_distance(1), right=lambda: sp.Rational("0.15") / _WIDTH),
        Case("four-heads", left=_distance(4), right=lambda: sp.Rational("0.04") / _WIDTH),
    ),
)

kurtosis = _claim(
    label="infinite_width.low_rank.kurtosis",
    statement="The scores of a head of width m ≤ 64 have an excess kurtosis of at least 3/32, however wide the layer "
    "is; at m = 64 exactly that.",
    left=lambda: theory.RESIDUAL,
    relation=">=",
    right=sp.Rational(3, 32),
    domain=Domain({m_iw: Integers(1, theory.PUBLISHED_WIDTH)}),
    rests_on=("infinite_width.scores.kurtosis",),
    expected="certified",
)


variance = _claim(
    label="infinite_width.low_rank.variance",
    statement="With infinitely many heads of width m an output of four tokens is normal, but not with the variance of "
    "the theorem: it is a relative 0.1/m to 0.2/m smaller.",
    left=_CHANGE,
    domain=_HEADS,
    kind="Rate",
    limitations=(_WIDE,),
    cases=(
        Case("high", right=lambda: sp.Rational("-0.1") / _WIDTH),
        Case("low", relation=">=", right=lambda: sp.Rational("-0.2") / _WIDTH),
    ),
)  # fmt: skip
