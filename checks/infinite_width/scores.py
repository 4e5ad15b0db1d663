"""Scores: their covariance at every width, how far from normal they are, and on what they depend."""

from __future__ import annotations

import functools
import math

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.infinite_width import PAPER, SCORES
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Matrix, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, by_columns, completed, small
from boundaudit.derivations.infinite_width import scores as theory
from boundaudit.derivations.infinite_width.scores import x_iw
from boundaudit.derivations.infinite_width.symbols import n_iw, s_iw
from boundaudit.derivations.symbols import symbol
from boundaudit.numeric.infinite_width.scores import score_cdf, score_products

_claim = functools.partial(Claim, paper=PAPER, place=(SCORES,))
_GIVEN = "Given the inputs and with weights of variance 1/n, as in the authors' public code."
_INDICES = tuple(symbol(f"{name}_iw", "a position", integer=True, positive=True) for name in ("i1", "j1", "i2", "j2"))
_X = symbol("X_iw", "tokens, one in each row")


# --- covariance -----------------------------------------------------------------------------------


def _with_shape(point: Point) -> Point:
    return {**point, "#shape": (len(point["X_iw"]), len(point["X_iw"][0]))}


def _parts(at: Columns) -> tuple[Tensor, Tensor, Tensor]:
    tokens = torch.tensor([point["X_iw"] for point in at.points], dtype=torch.float64, device=at.device)
    i, j, other_i, other_j = (at.whole(str(name)) - 1 for name in _INDICES)
    return tokens, torch.stack([i, j], -1), torch.stack([other_i, other_j], -1)


def _by_gram(tokens: Tensor, first: Tensor, second: Tensor) -> Tensor:
    gram, rows = tokens @ tokens.mT / tokens.shape[-1], torch.arange(len(tokens), device=tokens.device)
    return gram[rows, first[:, 0], second[:, 0]] * gram[rows, first[:, 1], second[:, 1]]


covariance = _claim(
    label="infinite_width.scores.covariance",
    statement="The covariance of two scores over the weights is the product of the tokens' Gram entries, "
    "(xⁱ·xⁱ'/n)(xʲ·xʲ'/n), at every width n and not only in the limit.",
    role="printed",
    left=Quantity(
        "E G_ij G_i'j' over all query and key maps",
        completed(small(lambda at: score_products(*_parts(at)), "#shape"), _with_shape),
        r"\mathbb E\, G_{ij} G_{i'j'}", rounding=1e-12, scale=4.0,
    ),
    relation="=",
    right=Quantity(
        "K_ii' K_jj'", completed(small(lambda at: _by_gram(*_parts(at)), "#shape"), _with_shape),
        r"K_{ii'} K_{jj'}", rounding=1e-12, scale=4.0,
    ),
    domain=lambda: Domain({
        s_iw: Integers(1, 3), n_iw: Integers(1, 4), _X: Matrix(s_iw, n_iw, Reals(tested_to=2)),
        **{name: Integers(1, s_iw) for name in _INDICES},
    }),
    reading="certain",
    limitations=(_GIVEN, "Stated for widths up to 4, where all single-entry maps are listed."),
)  # fmt: skip

# --- distance from the normal law -----------------------------------------------------------------

kurtosis = _claim(
    label="infinite_width.scores.kurtosis",
    statement="Given the inputs a score's kurtosis at width n is exactly 3 + 6/n. The limit is approached at the "
    "rate 1/n, and attained at no width.",
    left=lambda: theory.kurtosis(n_iw),
    relation="=",
    right=theory.KURTOSIS,
    domain=Domain({n_iw: Integers(1)}),
    improves="infinite_width.scores.limit",
    expected="proved",
    limitations=(_GIVEN, "A query is normal, so that given it the score is, with the variance χ²_n/n."),
)

counted = _claim(
    label="infinite_width.scores.kurtosis-counted",
    statement="Counting the terms of E(Σ_k q_k k_k)⁴, n of E q⁴ E k⁴ = 9 and 3n(n-1) of one, gives the kurtosis "
    "3 + 6/n of a score at width n.",
    left=lambda: theory.fourth_moment(n_iw),
    relation="=",
    right=theory.KURTOSIS,
    domain=Domain({n_iw: Integers(1)}),
    rests_on=(kurtosis.label,),
    expected="proved",
)


def _gap(width: Tensor, at: Tensor) -> Tensor:
    gap: Tensor = score_cdf(width, at) - torch.special.ndtr(at)
    return gap


_DISTANCE = Quantity(
    "distance of P[G ≤ x] from Φ(x)",
    by_columns(lambda *at: _gap(*at).abs(), "n_iw", "x_iw"), r"|P[G \le x] - \Phi(x)|", rounding=1e-9, scale=0.1,
)  # fmt: skip
limit = _claim(
    label="infinite_width.scores.limit",
    statement="As the width n grows scores converge to a normal law. Given the inputs, the distribution function of "
    "a score over its standard deviation differs from the normal one by at most 3/(20 n), at every point x ≥ 0.",
    role="printed",
    left=_DISTANCE,
    right=lambda: sp.Rational(3, 20) / n_iw,
    domain=Domain({n_iw: Integers(1, tested_to=512), x_iw: Reals(0, tested_to=6)}),
    kind="Rate",
    place=(SCORES, "Figure 2(A)"),
    reading="plausible",
    limitations=("The paper states convergence; rate and constant are derived here.",
                 "Points below zero follow by symmetry."),
)  # fmt: skip

first_order = _claim(
    label="infinite_width.scores.first-order",
    statement="To first order in 1/n a score's distribution function exceeds the normal one by x(3-x²)φ(x)/(4n). "
    "That is at most 0.1377/n, with equality at x² = 3 - √6.",
    left=theory.FIRST_ORDER,
    right=lambda: theory.FIRST_ORDER.subs(x_iw, theory.STEEPEST),
    domain=Domain({x_iw: Reals(0, tested_to=8)}),
    kind="Tight",
    equality=lambda: ({"x_iw": theory.STEEPEST},),
    place=("Figure 2(A)",),
    improves=limit.label,
)


def _remainder(width: Tensor, at: Tensor) -> Tensor:
    first = at * (3 - at.square()) * (-at.square() / 2).exp() / (4 * math.sqrt(2 * math.pi))
    return (_gap(width, at) - first / width).abs()


remainder = _claim(
    label="infinite_width.scores.remainder",
    statement="At width n a score's distribution function is within 1/(6n²) of the normal one plus x(3-x²)φ(x)/(4n).",
    left=Quantity(
        "distance of P[G ≤ x] from its first order", by_columns(_remainder, "n_iw", "x_iw"),
        r"|P[G \le x] - \Phi(x) - x(3-x^2)\varphi(x)/(4n)|", rounding=1e-9, scale=0.01,
    ),
    right=lambda: sp.Rational(1, 6) / n_iw**2,
    domain=Domain({n_iw: Integers(1, tested_to=64), x_iw: Reals(0, tested_to=6)}),
    kind="Rate",
    place=("Figure 2(A)",),
    rests_on=(first_order.label,),
)  # fmt: skip

width_two = _claim(
    label="infinite_width.scores.width-two",
    statement="At width 2 a score is Laplace distributed, with tails heavier than normal: the logarithm of its density "
    "over the normal one, x²/2 - √2 x + ln(π)/2, is positive for all x ≥ 12/5.",
    left=theory.LAPLACE_OVER_NORMAL,
    relation=">=",
    right=sp.Integer(0),
    domain=Domain({x_iw: Reals(sp.Rational(12, 5), tested_to=6)}),
    expected="proved",
)

# --- what scores depend on ------------------------------------------------------------------------

queries = _claim(
    label="infinite_width.scores.queries",
    statement="A score G becomes independent of any single coordinate q_1 of its query: at width n, Cov(G², q_1²) is "
    "2/n.",
    role="printed",
    left=lambda: theory.QUERIES,
    relation="=",
    right=2 / n_iw,
    domain=Domain({n_iw: Integers(1)}),
    reading="plausible",
    expected="proved",
    limitations=("The theorem speaks of all variables of the program; this is one of them.",),
)

heads = _claim(
    label="infinite_width.scores.heads-dependent",
    statement="With Gaussian inputs heads are independent only in the limit: the squares of a token's scores with "
    "itself in two heads have covariance (1 + 2/n)(8/n + 24/n²) at width n.",
    left=lambda: theory.HEADS,
    relation="=",
    right=theory.HEADS_EXPANDED,
    domain=Domain({n_iw: Integers(1)}),
    expected="proved",
    limitations=("Given the inputs heads are independent at every width.",),
)
