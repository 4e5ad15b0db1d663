"""Scores: their covariance at every width, how far from normal they are, and on what they depend."""

from __future__ import annotations

import functools

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.infinite_width import PAPER, SCORES
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Matrix, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, by_columns, completed, small
from boundaudit.derivations.infinite_width import scores as theory
from boundaudit.derivations.infinite_width.scores import x_iw
from boundaudit.derivations.infinite_width.symbols import n_iw, s_iw
from boundaudit.derivations.symbols import symbol
from boundaudit.numeric.infinite_width.scores import characteristic_distance, score_cdf, score_products

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
    expected="proved",
    cases=(
        Case(
            "up-to-its-zero", domain=Domain({x_iw: Reals(0, sp.sqrt(3))}), kind="Tight",
            equality=lambda: ({"x_iw": theory.STEEPEST},),
        ),
        Case("past-its-zero", domain=Domain({x_iw: Reals(sp.sqrt(3), tested_to=8)})),
    ),
    place=("Figure 2(A)",),
    improves=limit.label,
)  # fmt: skip


# --- a bound of the remainder ---------------------------------------------------------------------

characteristic = _claim(
    label="infinite_width.scores.characteristic",
    statement="At width n the characteristic function of a score is (1 + t²/n)^(-n/2). With a = t² it is below "
    "exp(-a/2)(1 + a²/(4n)), that of the first order, by at most a³ exp(-a/2)/(6n²), and above it by at most "
    "a⁴ (1 + a/n)^(-n/2)/(32n²), for every t and n.",
    domain=Domain({theory.a_iw: Reals(0, tested_to=64), n_iw: Integers(1, tested_to=512)}),
    expected="proved",
    cases=(
        Case("below", left=theory.CHARACTERISTIC_FIRST - theory.CHARACTERISTIC, right=theory.BELOW_FIRST),
        Case("above", left=theory.CHARACTERISTIC - theory.CHARACTERISTIC_FIRST, right=theory.ABOVE_FIRST),
    ),
)

_CDF = Quantity(
    "distribution function of a score", by_columns(score_cdf, "n_iw", "x_iw"), r"P[G \le x]", rounding=1e-9, scale=1.0,
    nonnegative=True,
)  # fmt: skip
_INTEGRAL = Quantity(
    "integral of the distance of a score's characteristic function to its first order",
    by_columns(characteristic_distance, "n_iw"), r"\frac1\pi \int_0^\infty |\psi_n - \psi_{n,1}| \frac{dt}{t}",
    rounding=1e-9, scale=1e-4, nonnegative=True, of=("n_iw",),
)  # fmt: skip
_WIDE = Domain({n_iw: Integers(9, tested_to=512), x_iw: Reals(0, tested_to=6)})
_APART = sp.Abs(_CDF.atom - theory.NORMAL)
_AWAY = sp.Abs(_CDF.atom - theory.NORMAL - theory.FIRST_ORDER / n_iw)

inversion = _claim(
    label="infinite_width.scores.inversion",
    statement="By Fourier inversion two distribution functions are nowhere further apart than 1/π times the integral "
    "over t > 0 of the distance of their characteristic functions over t: here that of a score and its first order.",
    role="axiom",
    left=_AWAY,
    right=_INTEGRAL.atom,
    domain=_WIDE,
)

integrated = _claim(
    label="infinite_width.scores.integrated",
    statement="An integral grows with what is integrated: what a score's characteristic function is off by, "
    "a³ exp(-a/2)/(6n²) and a⁴ (1 + a/n)^(-n/2)/(32n²) at a = t² together, has over dt/(πt) the integral 4/(3πn²) + "
    "3n²/(2π(n-2)(n-4)(n-6)(n-8)) for n > 8.",
    role="axiom",
    left=_INTEGRAL.atom,
    right=theory.REMAINDER,
    domain=Domain({n_iw: Integers(9, tested_to=512)}),
    rests_on=(f"{characteristic.label}[below]", f"{characteristic.label}[above]"),
)

remainder_bound = _claim(
    label="infinite_width.scores.remainder-bound",
    statement="At every width n ≥ 9 and every x ≥ 0 a score's distribution function is within 4/(3πn²) + "
    "3n²/(2π(n-2)(n-4)(n-6)(n-8)) of Φ(x) + x(3-x²)φ(x)/(4n): 2.76/n² at n = 16, and nearly 0.91/n² for large n.",
    left=_AWAY,
    right=theory.REMAINDER,
    domain=_WIDE,
    expected="proved",
    place=("Figure 2(A)",),
    derivation=Derivation(
        label="infinite_width.scores.remainder-bound.steps",
        title="From characteristic functions to the remainder",
        steps=(
            Step(_AWAY, "the remainder"),
            Step(_INTEGRAL.atom, "characteristic functions", "Fourier inversion", inversion.label),
            Step(theory.REMAINDER, "closed form", "the integral of a larger function", integrated.label),
        ),
        domain=_WIDE,
        samples={"width 16": {"n_iw": 16, "x_iw": 1}, "width 64": {"n_iw": 64, "x_iw": 1}},
    ),
)

remainder_simple = _claim(
    label="infinite_width.scores.remainder-simple",
    statement="From n = 16 on 4/(3πn²) + 3n²/(2π(n-2)(n-4)(n-6)(n-8)), what a score's distribution function may be off "
    "its first order by, is at most 14/(5n²).",
    left=theory.REMAINDER,
    right=sp.Rational(14, 5) / n_iw**2,
    domain=Domain({n_iw: Integers(16, tested_to=512)}),
    expected="proved",
)

_HALVES = {"near": Reals(0, 2), "far": Reals(2, tested_to=8)}

steep = _claim(
    label="infinite_width.scores.steep",
    statement="The first order x(3-x²)φ(x)/4 of a score's distribution function is at most 0.1378 in size for x ≥ 0.",
    left=sp.Abs(theory.FIRST_ORDER),
    right=theory.STEEP,
    expected="proved",
    cases=tuple(Case(name, domain=Domain({x_iw: part})) for name, part in _HALVES.items()),
)


triangle = _claim(
    label="infinite_width.scores.triangle",
    statement="A number is at most as large as two together that add up to it: |g| ≤ |r| + |g - r|.",
    left=sp.Abs(theory.g_iw),
    right=sp.Abs(theory.r_iw) + sp.Abs(theory.g_iw - theory.r_iw),
    domain=Domain({theory.g_iw: Reals(tested_to=1), theory.r_iw: Reals(tested_to=1)}),
    expected="proved",
)


def _sizes(half: str) -> Case:
    """The distance to the limit for x up to 2, and beyond."""
    domain = Domain({n_iw: Integers(9, tested_to=512), x_iw: _HALVES[half]})
    first = sp.Abs(theory.FIRST_ORDER) / n_iw
    steps = (
        Step(_APART, "distance to the limit"),
        Step(
            first + _AWAY, "first order and remainder", "triangle inequality",
            Instance(triangle.label, {"g_tr_iw": _CDF.atom - theory.NORMAL, "r_tr_iw": theory.FIRST_ORDER / n_iw}),
        ),
        Step(first + theory.REMAINDER, "remainder", "its bound", remainder_bound.label),
        Step(theory.STEEP / n_iw + theory.REMAINDER, "first order", "its largest value", f"{steep.label}[{half}]"),
    )  # fmt: skip
    samples = {f"width {width}": {"n_iw": width, "x_iw": 2} for width in (16, 64)}
    chain = Derivation(
        label=f"infinite_width.scores.limit-bound.{half}", title="First order and remainder", steps=steps,
        domain=domain, samples=samples,
    )  # fmt: skip
    return Case(half, domain=domain, derivation=chain)


limit_bound = _claim(
    label="infinite_width.scores.limit-bound",
    statement="At every width n ≥ 9 a score's distribution function is within 0.1378/n of the normal one, and what is "
    "left of the first order: at most 4/(3πn²) + 3n²/(2π(n-2)(n-4)(n-6)(n-8)), for x ≥ 0.",
    left=_APART,
    right=theory.STEEP / n_iw + theory.REMAINDER,
    expected="proved",
    place=(SCORES, "Figure 2(A)"),
    improves=limit.label,
    limitations=(
        "Points below zero follow by symmetry. Given its inputs, an output of one token with H heads has the law of a "
        "score at width nH. Of more tokens the values' part has this bound too, given the attention of one head; how "
        "attention moves with its queries has none.",
    ),
    cases=tuple(map(_sizes, _HALVES)),
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
