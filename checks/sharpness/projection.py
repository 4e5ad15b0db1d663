"""Appendix B: what a random projection of the positions does to products, logits and attention."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.claim import Claim, Measure, Probability, Quantity
from boundaudit.checks.domain import Choices, Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.floats import Array
from boundaudit.checks.points import Point
from boundaudit.checks.sharpness.targets import FLOOR, PAPER, SPARSITY, batch_of
from boundaudit.derivations.sharpness import projection as theorem
from boundaudit.derivations.sharpness.parameters import D, T, c, d, omega
from boundaudit.derivations.sharpness.projection import N, epsilon, eta, mass, p, q, rho
from boundaudit.numeric.sharpness import projected_network as network
from boundaudit.numeric.sharpness import projection as measured
from boundaudit.numeric.sharpness.target import TargetBatch

_claim = functools.partial(Claim, paper=PAPER, place=("Appendix B",))

# --- Chernoff's bounds ----------------------------------------------------------------------------

chernoff_upper = _claim(
    label="sharpness.projection.chernoff.upper",
    statement="log(1+ε) is at most the first three terms of its series.",
    left=sp.log(1 + epsilon),
    relation="<=",
    right=theorem.UPPER_SERIES,
    domain=Domain({epsilon: Reals(0, tested_to=4)}),
    kind="Tight",
    equality=({"epsilon": 0},),
    expected="proved",
)

chernoff_lower = _claim(
    label="sharpness.projection.chernoff.lower",
    statement="log(1-ε) is at most the first two terms of its series; here y = 1-ε.",
    left=sp.log(theorem.y),
    relation="<=",
    right=theorem.LOWER_SERIES,
    domain=Domain({theorem.y: Reals(0, 1, open_low=True)}),
    kind="Tight",
    equality=({"y": 1},),
    expected="proved",
)

chernoff_pair = _claim(
    label="sharpness.projection.chernoff.pair",
    statement="At the tilt ε/2 the exponent of Chernoff's bound for a product of independent normals is at most -ε²/3.",
    left=theorem.PAIR_EXPONENT,
    relation="<=",
    right=-theorem.PAIR_RATE,
    domain=Domain({epsilon: Reals(0, 1)}),
    kind="Tight",
    equality=({"epsilon": 0},),
    expected="proved",
)

_WIDTH = Integers(2, 1024)
_SIZES = Choices(
    tenth=Fraction(1, 10), quarter=Fraction(1, 4), half=Fraction(1, 2), three_quarters=Fraction(3, 4), one=1
)


def _tail(of: Callable[[Tensor, Tensor], Tensor]) -> Measure:
    def measure(points: Sequence[Point], device: str) -> Array:
        width = torch.tensor([point["d"] for point in points], device=device)
        error = torch.tensor([float(point["epsilon"]) for point in points], dtype=torch.float64, device=device)
        values: Array = of(width, error).cpu().numpy()
        return values

    return measure


def _rate(of: Callable[[Tensor, Tensor], Tensor]) -> Measure:
    """How fast a tail falls: -log P / d."""
    return _tail(lambda width, error: -of(width, error).log() / width)


tail_upper = _claim(
    label="sharpness.projection.tail.upper",
    statement="A projected unit vector is too long by more than ε with probability at most exp(-d(ε²/4 - ε³/6)).",
    left=Quantity(
        "rate of the probability of a squared length beyond 1+ε",
        _rate(measured.length_upper),
        r"-\tfrac{1}{d} \log \mathbb{P}(\chi^2_d \ge (1 + \epsilon) d)",
        rounding=1e-8,
    ),
    relation=">=",
    right=theorem.UPPER_RATE,
    domain=Domain({d: _WIDTH, epsilon: _SIZES}),
    expected="supported",
    rests_on=("sharpness.projection.chernoff.upper",),
)

tail_lower = _claim(
    label="sharpness.projection.tail.lower",
    statement="A projected unit vector is too short by more than ε with probability at most exp(-dε²/4).",
    left=Quantity(
        "probability of a squared length below 1-ε",
        _tail(measured.length_lower),
        r"\mathbb{P}(\chi^2_d \le (1 - \epsilon) d)",
        rounding=1e-8,
    ),
    relation="<=",
    right=sp.exp(-d * theorem.LOWER_RATE),
    domain=Domain({d: Integers(2, 256), epsilon: Reals(0, tested_to=2)}),
    expected="supported",
    rests_on=("sharpness.projection.chernoff.lower",),
)

tail_pair = _claim(
    label="sharpness.projection.tail.pair",
    statement="The product of two projected positions exceeds ε ≤ 1 with probability at most exp(-dε²/3).",
    left=Quantity(
        "rate of the probability of a product beyond ε",
        _rate(measured.product_upper),
        r"-\tfrac{1}{d} \log \mathbb{P}(\langle x, y\rangle \ge \epsilon d)",
        rounding=1e-8,
    ),
    relation=">=",
    right=theorem.PAIR_RATE,
    domain=Domain({d: _WIDTH, epsilon: Reals(0, 1)}),
    expected="supported",
    rests_on=("sharpness.projection.chernoff.pair",),
)

union = _claim(
    label="sharpness.projection.union",
    statement="Any of N independent events of probability p happens with probability at most N p.",
    left=theorem.ANY_OF_N,
    relation="<=",
    right=N * p,
    domain=Domain({N: Integers(1, tested_to=64), p: Reals(0, 1)}),
    kind="Tight",
    equality=({"N": 1, "p": sp.Rational(1, 2)},),
    expected="proved",
)

# --- pairwise products ----------------------------------------------------------------------------

pairwise_printed = _claim(
    label="sharpness.projection.pairwise.printed",
    statement="A projection to a width of order log T / ε² preserves all pairwise products up to ε.",
    left=d,
    relation=">=",
    right=theorem.K * sp.log(T) / epsilon**2,
    domain=Domain(
        {T: Integers(2), epsilon: Reals(0, 1, open_low=True), theorem.K: Reals(0, open_low=True), d: Integers(1)}
    ),
    mode="with high probability",
    reading="plausible",
    expected="not testable",
    missing="the constant in d = O(log T / ε²)",
)


def _products_off(points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
    counts = [
        network.products_off(
            point["T"], point["d"], float(point["epsilon"]), draws=trials, seed=seed + n, device=device
        )
        for n, point in enumerate(points)
    ]
    return np.array(counts, dtype=np.int64)


pairwise_stated = _claim(
    label="sharpness.projection.pairwise.stated",
    statement="Any of the products and squared norms of the T+1 projected positions is off by more than ε with "
    "probability at most (T+1)(T+2) exp(-d(ε²/4 - ε³/6)).",
    left=Probability(
        "probability that a product is off by more than ε",
        _products_off,
        r"\mathbb{P}\left[\max_{ij} |G_{ij} - \delta_{ij}| > \epsilon\right]",
    ),
    relation="<=",
    right=theorem.ANY_PRODUCT,
    domain=Domain(
        {T: Integers(2, 16), d: Integers(256, 1024), epsilon: Reals(sp.Rational(1, 8), sp.Rational(1, 4))},
        where=[sp.Ge(theorem.ANY_PRODUCT, sp.Rational(1, 4)), sp.Le(theorem.ANY_PRODUCT, sp.Rational(9, 10))],
    ),
    mode="with probability",
    rests_on=tuple(f"sharpness.projection.{name}" for name in ("tail.upper", "tail.lower", "tail.pair", "union")),
)

# --- from products to logits ----------------------------------------------------------------------

_ERRORS = Choices(
    thousandth=Fraction(1, 1000), hundredth=Fraction(1, 100), tenth=Fraction(1, 10), half=Fraction(1, 2), one=1, two=2
)
_PERTURBED = Domain(
    {
        T: Integers(2, 8),
        D: Integers(1, T),
        omega: SPARSITY,
        epsilon: _ERRORS,
        sp.Symbol("S"): Subsets(omega, D, T),
        sp.Symbol("pattern"): Integers(0, measured.PATTERNS - 1),
    }
)
"""Products that are all off by 31ε/32, in sixteen patterns of signs: all plus, all minus, mixed, random."""
_SIGNS = "Measured on sixteen sign patterns of errors of 31ε/32; all plus ε would attain the bound."
_SHORT_OF = 31 / 32
_WEIGHTED = Domain(
    {
        T: Integers(2, 8),
        D: Integers(1, T),
        omega: SPARSITY,
        epsilon: _ERRORS,
        c: Vector(omega, Reals(FLOOR, 1)),
        sp.Symbol("S"): Subsets(omega, D, T),
        sp.Symbol("pattern"): Integers(0, measured.PATTERNS - 1),
    }
)
"""As before, with coefficients from T⁻⁴ to 1: layer 1 does not depend on them."""


def _perturbed(of: Callable[[TargetBatch, Tensor, Tensor], Tensor]) -> Measure:
    """A number for each point from its target, the errors of its products and its ε."""

    def measure(points: Sequence[Point], device: str) -> Array:
        batch = batch_of([{"c": (1,) * point["omega"], **point} for point in points], device)
        error = torch.tensor([float(point["epsilon"]) for point in points], dtype=torch.float64, device=device)
        pattern = torch.tensor([point["pattern"] for point in points], device=device)
        deviation = measured.deviation(batch, _SHORT_OF * error, pattern)
        values: Array = of(batch, deviation, error).cpu().numpy()
        return values

    return measure


def _over_bound(batch: TargetBatch, deviation: Tensor, error: Tensor) -> Tensor:
    """The largest ratio of an error of layer 1 to what the number of components on its key allows."""
    off, degree, sparsity = error[:, None], batch.degree[:, None], batch.sparsity[:, None]
    allowed = (degree + measured.sharers(batch)) * off + sparsity * degree * off.square()
    return (measured.first_error(batch, deviation) / allowed[:, :, None]).flatten(1).amax(-1)


logit_error = _claim(
    label="sharpness.projection.logit-error",
    statement="Where every product is off by at most ε, a logit of layer 1 is off by at most (D+ω)ε + ωDε², "
    "in units of 2 log T.",
    left=Quantity(
        "largest error of a logit of layer 1 over 2 log T",
        _perturbed(lambda batch, deviation, error: measured.first_error(batch, deviation).flatten(1).amax(-1)),
        r"\max_{jt} \left|\frac{\ell_{jt}}{2 \log T} - [j \in S_t]\right|",
    ),
    relation="<=",
    right=theorem.FIRST_ERROR,
    domain=_PERTURBED,
    limitations=(_SIGNS,),
)

logit_error_overlap = _claim(
    label="sharpness.projection.logit-error.overlap",
    statement="Where every product is off by at most ε, the logit of a key that lies in m components is off by at most "
    "(D+m)ε + ωDε², in units of 2 log T.",
    left=Quantity(
        "largest error of a logit of layer 1 over its bound",
        _perturbed(_over_bound),
        r"\max_{jt} \frac{|\ell_{jt} / (2 \log T) - [j \in S_t]|}{(D + m_j) \epsilon + \omega D \epsilon^2}",
    ),
    relation="<=",
    right=sp.Integer(1),
    domain=_PERTURBED,
    limitations=(_SIGNS,),
)

logit_error_second = _claim(
    label="sharpness.projection.logit-error.second",
    statement="Where every product is off by at most ε, a logit of layer 2 is off by at most 2 log T (ε + (1+ε)ωε).",
    left=Quantity(
        "largest error of a logit of layer 2",
        _perturbed(lambda batch, deviation, error: measured.second_error(batch, deviation).amax(-1)),
        r"\max_t |\ell_t - \log c_t - 2 \log T|",
    ),
    relation="<=",
    right=theorem.SECOND_ERROR,
    domain=_WEIGHTED,
    limitations=(_SIGNS,),
)

# --- from logits to the output --------------------------------------------------------------------

amplification = _claim(
    label="sharpness.projection.amplification",
    statement="Logits that are off by at most η move a mean over the support by at most tanh(η/2); here ρ = e^η.",
    left=theorem.AMPLIFIED,
    relation="<=",
    right=theorem.AMPLIFIED_MOST,
    domain=Domain({rho: Reals(1), p: Reals(0, 1)}),
    kind="Tight",
    equality=({"rho": 2, "p": sp.Rational(1, 3)},),
    expected="proved",
)

half_angle = _claim(
    label="sharpness.projection.half-angle",
    statement="tanh(η/2) is at most η/2.",
    left=theorem.HALF_ANGLE,
    relation="<=",
    right=eta / 2,
    domain=Domain({eta: Reals(0, tested_to=10)}),
    kind="Tight",
    equality=({"eta": 0},),
    expected="proved",
)

leak = _claim(
    label="sharpness.projection.leak",
    statement="Logits that are off by at most η raise the attention outside the support by a factor of at most e^{2η}; "
    "here ρ = e^η and p is that attention.",
    left=theorem.LEAK_GROWTH,
    relation="<=",
    right=rho**2,
    domain=Domain({rho: Reals(1), p: Reals(0, 1)}),
    kind="Tight",
    equality=({"rho": 2, "p": 0},),
    expected="proved",
)

leak_small = _claim(
    label="sharpness.projection.leak.small",
    statement="Without projection the attention outside a support of mass C is at most 1/(CT): C = D in layer 1, "
    "and C the sum of the coefficients in layer 2.",
    left=theorem.leak(T + 1 - omega, mass),
    relation="<=",
    right=theorem.LEAK_MOST,
    domain=Domain({T: Integers(1, tested_to=64), omega: Integers(1, T), mass: Reals(0, open_low=True, tested_to=8)}),
    expected="proved",
)

budget_plateau = _claim(
    label="sharpness.projection.budget.plateau",
    statement="From T = 8 on, logits of layer 1 that are off by at most 1/(8D) leave every component on its plateau; "
    "at D = 1 it says that logits of layer 2 off by at most 1/8 keep its attention within 1/4 of c_t/C.",
    left=theorem.SHIFT,
    relation="<=",
    right=theorem.PLATEAU,
    domain=Domain({D: Integers(1, tested_to=64), theorem.zeta: Reals(0, 1)}),
    expected="proved",
    rests_on=tuple(f"sharpness.projection.{name}" for name in ("amplification", "half-angle", "leak", "leak.small")),
    limitations=("The coefficients must add up to at least one.",),
)

_BUDGET = Domain(
    {
        D: Integers(1, tested_to=32),
        omega: Integers(1, tested_to=32),
        q: Integers(1, omega),
        theorem.ell: Reals(2, tested_to=8),
    }
)
"""From T = 8 on: then the logarithm of the length is at least 2."""

budget_first = _claim(
    label="sharpness.projection.budget.first",
    statement="At the error ε = 1/(17 log T (D(D+q)+ω)) of the products, the logits of layer 1 are off by at most "
    "1/(8D); here ℓ = log T is at least 2.",
    left=theorem.first_budget(theorem.ell),
    relation="<=",
    right=1 / (8 * D),
    domain=_BUDGET,
    expected="proved",
    rests_on=("sharpness.projection.logit-error.overlap",),
)

budget_second = _claim(
    label="sharpness.projection.budget.second",
    statement="At the error ε = 1/(17 log T (D(D+q)+ω)) of the products, the logits of layer 2 are off by at most "
    "1/8, also where D = q = 1 makes ε largest; here ℓ = log T is at least 2.",
    left=theorem.second_budget(theorem.ell),
    relation="<=",
    right=sp.Rational(1, 8),
    domain=Domain({omega: Integers(1, tested_to=64), theorem.ell: Reals(2, tested_to=8)}),
    expected="proved",
    rests_on=("sharpness.projection.logit-error.second",),
)
