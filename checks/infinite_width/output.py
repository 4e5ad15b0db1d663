"""One output in the limit: its conditional variance v = aᵀ K a, its excess kurtosis, and what outputs share."""

from __future__ import annotations

import functools

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.infinite_width import OUTPUTS, PAPER
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.measurements import Columns, small
from boundaudit.derivations.infinite_width import output as theory
from boundaudit.derivations.infinite_width.output import first_iw, p_iw, second_iw
from boundaudit.derivations.infinite_width.symbols import V_iw, j_iw, k_iw, kappa_iw, mu_iw, q_iw, s_iw
from boundaudit.derivations.symbols import symbol
from boundaudit.numeric.infinite_width.orthogonal import orthogonal_excess, orthogonal_moments

_claim = functools.partial(Claim, paper=PAPER, place=(OUTPUTS,))
_POSITIVE = Reals(0, open_low=True, tested_to=8)
_ORTHOGONAL = "orthogonal tokens of unit length"
_ONE_HEAD = "One head, weights of unit variance; with H heads divide by H."


# --- a mixture of normal laws ---------------------------------------------------------------------

mixture = _claim(
    label="infinite_width.output.excess-nonnegative",
    expected="proved",
    statement="An output's excess kurtosis 3 E V²/(E V)² - 3 is never negative, and zero only where V is constant: "
    "for equally likely values, (ΣV)² ≤ s ΣV².",
    left=lambda: theory.MEAN_TIMES**2,
    right=lambda: s_iw * theory.SECOND_TIMES,
    domain=Domain({s_iw: Integers(1, tested_to=5), V_iw: Vector(s_iw, _POSITIVE)}),
    kind="Tight",
    equality=({"s_iw": 2, "V_iw": (3, 3)},),
)

two_values = _claim(
    label="infinite_width.output.covariance-of-squares",
    statement="Two coordinates of an output are uncorrelated but share V: with V = a of chance p and b else, "
    "Cov(y_k², y_l²) = E V² - (E V)² = p(1-p)(a-b)².",
    left=theory.TWO_VALUES_SECOND - theory.TWO_VALUES_MEAN**2,
    relation="=",
    right=p_iw * (1 - p_iw) * (first_iw - second_iw) ** 2,
    domain=Domain({p_iw: Reals(0, 1), first_iw: _POSITIVE, second_iw: _POSITIVE}),
    expected="proved",
)

averages = _claim(
    label="infinite_width.output.averages",
    statement="Let V be the variance of the coordinates given the scores. The mean of k squared coordinates has the "
    "variance Var V + 2 E V²/k: as k grows it tends to the random variable V, not to a constant.",
    role="printed",
    left=theory.OF_AVERAGE,
    relation="=",
    right=(q_iw - mu_iw**2) + 2 * q_iw / k_iw,
    domain=lambda: Domain({k_iw: Integers(1), mu_iw: _POSITIVE, q_iw: _POSITIVE}, where=[q_iw >= mu_iw**2]),
    rests_on=(two_values.label,),
    reading="certain",
    expected="proved",
    limitations=("For squares; the theorem speaks of every pseudo-Lipschitz function.",),
)

# --- orthogonal tokens ----------------------------------------------------------------------------


def _excess(at: Columns) -> Tensor:
    return orthogonal_excess(at.whole("s_iw").tolist(), at.points[0]["j_iw"] / 16)


def _moments(at: Columns, variance: float) -> tuple[Tensor, Tensor]:
    return orthogonal_moments(at.whole("s_iw").tolist(), variance)


_EXCESS = Quantity(
    "excess kurtosis of orthogonal tokens", small(_excess, "j_iw"), r"3 \mathrm{Var}(v)/(\mathbb E v)^2",
    rounding=1e-9, scale=0.01,
)  # fmt: skip
_UNIT_EXCESS = Quantity(
    "excess kurtosis at unit variances",
    small(lambda at: orthogonal_excess(at.whole("s_iw").tolist(), 1.0)), r"\gamma", rounding=1e-9,
)  # fmt: skip
_TOKENS = Integers(1, tested_to=256)
_KAPPA = j_iw / sp.Integer(16)
_MANY = Domain({s_iw: _TOKENS, j_iw: Integers(1, 32)})
_GRID = "Scores of variance κ = j/16 up to 2."

not_gaussian = _claim(
    label="infinite_width.output.not-gaussian",
    statement=f"The limit is not Gaussian: for 2 to 500 {_ORTHOGONAL} an output's excess kurtosis is at least 0.119.",
    role="printed",
    left=_UNIT_EXCESS,
    relation=">=",
    right=sp.Rational(119, 1000),
    domain=Domain({s_iw: Integers(2, 500)}),
    rests_on=(mixture.label,),
    reading="certain",
    limitations=(_ONE_HEAD, "That the limit is not Gaussian is the paper's; the number is derived here."),
)


dependent = _claim(
    label="infinite_width.output.dependent",
    statement=f"Coordinates of an output are dependent in the limit. For s ≥ 2 {_ORTHOGONAL} the squares of any two "
    "have a covariance of at least 1/(8 s³): that is Var v, v being their variance given the scores.",
    role="printed",
    left=Quantity(
        "variance of the conditional variance", small(lambda at: _variance(*_moments(at, 1.0))),
        r"\mathrm{Var}(v)", rounding=1e-7,
    ),
    relation=">=",
    right=1 / (8 * s_iw**3),
    domain=Domain({s_iw: Integers(2, tested_to=256)}),
    rests_on=(two_values.label,),
    reading="certain",
    limitations=(_ONE_HEAD, "That they are dependent is the paper's; the bound is derived here."),
)  # fmt: skip


def _variance(mean: Tensor, square: Tensor) -> Tensor:
    return square - mean.square()


many_tokens = _claim(
    label="infinite_width.output.many-tokens",
    statement="For s orthogonal tokens of unit length with scores of variance κ, an output's excess kurtosis is at "
    "most 3(exp(4κ) - 4 exp(2κ) + 4 exp(κ) - 1)/s, its limit for many tokens.",
    left=_EXCESS,
    right=lambda: 3 * theory.LARGE_AT / s_iw,
    domain=_MANY,
    improves=not_gaussian.label,
    limitations=(_ONE_HEAD, _GRID),
)

constant_of_many = _claim(
    label="infinite_width.output.many-tokens-constant",
    expected="proved",
    statement="The constant exp(4κ) - 4 exp(2κ) + 4 exp(κ) - 1 of many tokens is between 2κ² and 2κ² exp(4κ).",
    domain=Domain({kappa_iw: Reals(0, tested_to=4)}),
    cases=(
        Case("low", left=theory.LARGE, relation=">=", right=2 * kappa_iw**2, kind="Tight", equality=({"kappa_iw": 0},)),
        Case("high", left=theory.LARGE, right=2 * kappa_iw**2 * sp.exp(4 * kappa_iw), kind="Tight",
             equality=({"kappa_iw": 0},)),
    ),
)  # fmt: skip

_n = symbol("nd_iw", "width of the layer", integer=True, positive=True)

shortcut = _claim(
    label="infinite_width.output.shortcut",
    statement="Scores divided by n instead of √n have variance 1/n, and make the limit Gaussian. For s "
    f"{_ORTHOGONAL} and normal scores of that variance, an output's excess kurtosis is at most 6 exp(4/n)/(s n²).",
    role="printed",
    left=Quantity(
        "excess kurtosis with scores of variance 1/n", small(
            lambda at: orthogonal_excess(at.whole("s_iw").tolist(), 1 / at.points[0]["nd_iw"]), "nd_iw"),
        r"\gamma_{1/n}", rounding=1e-9, scale=1e-5,
    ),
    right=lambda: 6 * sp.exp(4 / _n) / (s_iw * _n**2),
    domain=Domain({s_iw: Integers(1, tested_to=64), _n: Integers(1, tested_to=64)}),
    place=("Setting",),
    rests_on=(many_tokens.label, f"{constant_of_many.label}[high]"),
    reading="certain",
    limitations=("That this scaling makes the limit Gaussian is what the paper sets out to avoid; the bound is ours.",),
)  # fmt: skip

chain = Derivation(
    label="infinite_width.output.chain",
    title="An output's excess kurtosis for many tokens, then for small scores",
    steps=(
        Step(_EXCESS, "exact"),
        Step(3 * theory.LARGE_AT / s_iw, "many tokens", "its limit for many tokens", many_tokens.label),
        Step(
            3 * theory.SMALL_AT / s_iw, "explicit", "(z-1)² ≤ κ²z² for z = exp(κ)", f"{constant_of_many.label}[high]"
        ),
    ),
    domain=Domain({s_iw: Integers(2, tested_to=64), j_iw: Integers(1, 32)}),
    samples={
        "four tokens": {"s_iw": 4, "j_iw": 16},
        "a thousand tokens": {"s_iw": 1024, "j_iw": 16},
        "small scores": {"s_iw": 4, "j_iw": 1},
    },
)  # fmt: skip
