"""Appendix B.2: what the projection does to logits and to the output."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Measure, Probability, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Matrix, Range, Reals, Subsets, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, at_points, counted, measured, small
from boundaudit.checks.sharpness.projection.width import claim
from boundaudit.checks.sharpness.targets import FLOOR, SPARSITY, batch_of
from boundaudit.derivations.sharpness import projection as theorem
from boundaudit.derivations.sharpness import projection_chaos as chaos_theorem
from boundaudit.derivations.sharpness.parameters import D, T, c, d, omega
from boundaudit.derivations.sharpness.projection import epsilon, eta, mass, p, q, rho
from boundaudit.numeric.sharpness import projection as network
from boundaudit.numeric.sharpness import projection_chaos as chaos_network
from boundaudit.numeric.sharpness.projected_network import gram
from boundaudit.numeric.sharpness.projection import product_variance
from boundaudit.numeric.sharpness.target import Target, TargetBatch

_ERRORS = Choices(
    thousandth=Fraction(1, 1000), hundredth=Fraction(1, 100), tenth=Fraction(1, 10), half=Fraction(1, 2), one=1, two=2
)
_FAMILIES: dict[Any, Range] = {T: Integers(2, 8), D: Integers(1, T), omega: SPARSITY, epsilon: _ERRORS}
_PATTERNS: dict[Any, Range] = {
    sp.Symbol("S"): Subsets(omega, D, T),
    sp.Symbol("pattern"): Integers(0, network.PATTERNS - 1),
}
_PERTURBED = Domain({**_FAMILIES, **_PATTERNS})
"""Products that are all off by 31ε/32, in sixteen patterns of signs: all plus, all minus, mixed, random."""
_SIGNS = "Measured on sixteen sign patterns of errors of 31ε/32; all plus ε would attain the bound."
_SHORT_OF = 31 / 32


def _perturbed(of: Callable[[TargetBatch, Tensor, Tensor], Tensor]) -> Measure:
    """A number for each point from its target, the errors of its products and its ε."""

    def number(at: Columns) -> Tensor:
        batch, error = batch_of(at), at.real("epsilon")
        return of(batch, network.deviation(batch, _SHORT_OF * error, at.whole("pattern")), error)

    return measured(number)


def _over_bound(batch: TargetBatch, deviation: Tensor, error: Tensor) -> Tensor:
    """The largest ratio of an error of layer 1 to what the number of components on its key allows."""
    off, degree, sparsity = error[:, None], batch.degree[:, None], batch.sparsity[:, None]
    allowed = (degree + network.sharers(batch)) * off + sparsity * degree * off.square()
    return (network.first_error(batch, deviation) / allowed[:, :, None]).flatten(1).amax(-1)


logit_error = claim(
    label="sharpness.projection.logit-error",
    statement="Where every pairwise product of the projected positions is off by at most ε, so are the logits of both "
    "layers by a multiple of it.",
    domain=_PERTURBED, limitations=(_SIGNS,),
    cases=(
        Case(
            "overlap",
            statement="Where every pairwise product of the projected positions is off by at most ε, the logit of a key "
            "of layer 1 that lies in m of the ω components is off by at most (D+m)ε + ωDε², in units of 2 log T.",
            left=Quantity(
                "largest error of a logit of layer 1 over its bound",
                _perturbed(_over_bound),
                r"\max_{jt} \frac{|\ell_{jt} / (2 \log T) - [j \in S_t]|}{(D + m_j) \epsilon + \omega D \epsilon^2}",
            ),
            right=sp.Integer(1),
        ),
        Case(
            "second",
            statement="Where every pairwise product of the projected positions is off by at most ε, a logit of layer 2 "
            "is off by at most 2 log T (ε + (1+ε)ωε), for ω coefficients from T⁻⁴ to 1.",
            left=Quantity(
                "largest error of a logit of layer 2",
                _perturbed(lambda batch, deviation, error: network.second_error(batch, deviation).amax(-1)),
                r"\max_t |\ell_t - \log c_t - 2 \log T|",
            ),
            right=theorem.SECOND_ERROR,
            domain=Domain({**_FAMILIES, c: Vector(omega, Reals(FLOOR, 1)), **_PATTERNS}),
        ),
    ),
)  # fmt: skip


# --- what errors of the logits do to the attention and the output ---------------------------------

amplification = claim(
    label="sharpness.projection.amplification", kind="Tight", expected="proved",
    statement="Logits that are off by at most η move a share p of the attention by at most tanh(η/2) = (ρ-1)/(ρ+1), "
    "with ρ = e^η.",
    left=theorem.AMPLIFIED, right=theorem.AMPLIFIED_MOST, domain=Domain({rho: Reals(1), p: Reals(0, 1)}),
    equality=({"rho": 2, "p": sp.Rational(1, 3)},),
)  # fmt: skip

half_angle = claim(
    label="sharpness.projection.half-angle", kind="Tight", expected="proved",
    statement="tanh(η/2) is at most η/2, for η ≥ 0.",
    left=theorem.HALF_ANGLE, right=eta / 2, domain=Domain({eta: Reals(0, tested_to=10)}), equality=({"eta": 0},),
)  # fmt: skip

leak = claim(
    label="sharpness.projection.leak", kind="Tight", expected="proved",
    statement="Logits that are off by at most η raise the share p of the attention outside the support by a factor of "
    "at most e^{2η} = ρ², with ρ = e^η.",
    left=theorem.LEAK_GROWTH, right=rho**2, domain=Domain({rho: Reals(1), p: Reals(0, 1)}),
    equality=({"rho": 2, "p": 0},),
)  # fmt: skip

leak_small = claim(
    label="sharpness.projection.leak.small", expected="proved",
    statement="Without projection the attention outside a support of mass C is at most 1/(CT): C = D in layer 1, "
    "and C the sum of the ω coefficients in layer 2.",
    left=theorem.leak(T + 1 - omega, mass), right=theorem.LEAK_MOST,
    domain=Domain({T: Integers(1, tested_to=64), omega: Integers(1, T), mass: Reals(0, open_low=True, tested_to=8)}),
)  # fmt: skip

_BUDGET = Domain(
    {
        D: Integers(1, tested_to=32),
        omega: Integers(1, tested_to=32),
        q: Integers(1, omega),
        theorem.ell: Reals(2, tested_to=8),
    }
)
"""From T = 8 on: then the logarithm of the length is at least 2."""

_AT_THE_ERROR = "At the error ε = 1/(17 log T (D(D+q)+ω)) of the products, q the largest number of components that "

budget = claim(
    label="sharpness.projection.budget", expected="proved",
    statement="From T = 8 on, an error ε = 1/(17 log T (D(D+q)+ω)) of the products keeps every component on its "
    "plateau, q the largest number of components that share a position.",
    cases=(
        Case(
            "first",
            statement=f"{_AT_THE_ERROR}share a position, the logits of layer 1 are off by at most 1/(8D), for "
            "ℓ = log T at least 2.",
            left=lambda: theorem.first_budget(theorem.ell),
            right=1 / (8 * D),
            domain=_BUDGET,
            rests_on=("sharpness.projection.logit-error[overlap]",),
        ),
        Case(
            "second",
            statement=f"{_AT_THE_ERROR}share a position, the logits of layer 2 are off by at most 1/8, also where "
            "D = q = 1 makes ε largest, for ℓ = log T at least 2.",
            left=lambda: theorem.second_budget(theorem.ell),
            right=sp.Rational(1, 8),
            domain=Domain({omega: Integers(1, tested_to=64), theorem.ell: Reals(2, tested_to=8)}),
            rests_on=("sharpness.projection.logit-error[second]",),
        ),
        Case(
            "plateau",
            statement="From T = 8 on, logits of layer 1 that are off by at most 1/(8D) leave every component within "
            "1/(4D) of its grid point, on its plateau; at D = 1 it says that logits of layer 2 off by at most 1/8 keep "
            "its attention within 1/4 of c_t/C.",
            left=lambda: theorem.shift(),
            right=theorem.PLATEAU,
            domain=Domain({D: Integers(1, tested_to=64), theorem.zeta: Reals(0, 1)}),
            rests_on=tuple(
                f"sharpness.projection.{name}" for name in ("amplification", "half-angle", "leak", "leak.small")
            ),
            limitations=("The coefficients must add up to at least one.",),
        ),
    ),
)  # fmt: skip


# --- exact variances of the logits' errors, their tails, and what they do to the attention --------

# --- variance and tail of what is linear in the Gram matrix -----------------------------------------

_A = sp.Symbol("A")
_PRODUCTS = Domain({d: Integers(1, 3), _A: Matrix(2, 2, Reals(tested_to=2))})


def _form(point: Point) -> Tensor:
    return torch.tensor([[float(entry) for entry in row] for row in point["A"]], dtype=torch.float64)


@small
def _by_quadrature(at: Columns) -> Tensor:
    return torch.stack([product_variance(_form(point)[None], point["d"])[0] for point in at.points])


@small
def _by_formula(at: Columns) -> Tensor:
    forms = torch.stack([_form(point) for point in at.points])
    return (forms.square() + forms * forms.mT).sum((-1, -2)) / at.real("d")


variance = claim(
    label="sharpness.projection.chaos.variance", relation="=",
    statement="For the Gram matrix G of positions projected by independent N(0, 1/d) entries and any matrix A, the "
    "variance of Σ A_ij G_ij is (‖A‖² + tr(A²))/d; for A = x yᵀ that is (|x|²|y|² + (x·y)²)/d.",
    left=Quantity(
        "variance of a sum of products of projected positions", _by_quadrature,
        r"\mathrm{Var}\, \langle A, J J^\top \rangle", rounding=1e-11, scale=1.0,
    ),
    right=Quantity(
        "squared norm and trace of the square over d", _by_formula,
        r"\tfrac{1}{d} \left(\|A\|^2 + \mathrm{tr}(A^2)\right)", rounding=1e-11, scale=1.0,
    ),
    domain=_PRODUCTS,
    limitations=("Compared with exact quadrature for two positions and d up to 3; tests simulate larger ones.",),
)  # fmt: skip

tilt = claim(
    label="sharpness.projection.chaos.tilt", kind="Tight", expected="proved",
    statement="The logarithm of the moment generating function of v(x² - 1), x standard normal, is at most "
    "v²/(1 - 2|v|), for |v| < 1/2.",
    left=chaos_theorem.TILTED, equality=({chaos_theorem.v: 0},),
    cases=(
        Case(
            "positive",
            statement="The logarithm of the moment generating function of v(x² - 1), x standard normal, is at most "
            "v²/(1 - 2v), for 0 ≤ v < 1/2.",
            right=chaos_theorem.TILTED_MOST,
            domain=Domain({chaos_theorem.v: Reals(0, sp.Rational(1, 2), open_high=True)}),
        ),
        Case(
            "negative",
            statement="The logarithm of the moment generating function of v(x² - 1), x standard normal, is at most v², "
            "for v ≤ 0.",
            right=chaos_theorem.v**2,
            domain=Domain({chaos_theorem.v: Reals(None, 0, tested_to=8)}),
        ),
    ),
)  # fmt: skip

exponent = claim(
    label="sharpness.projection.chaos.exponent", relation="=", expected="proved",
    statement="At the tilt 1/(2‖B‖_op + ‖B‖/√t) the exponent θ²‖B‖²/(1 - 2θ‖B‖_op) - θ(2‖B‖√t + 2‖B‖_op t) of "
    "Chernoff's bound is -t.",
    left=chaos_theorem.EXPONENT, right=-chaos_theorem.t,
    domain=Domain(
        {
            chaos_theorem.frobenius: Reals(0, open_low=True),
            chaos_theorem.operator: Reals(0),
            chaos_theorem.t: Reals(0, open_low=True),
        }
    ),
)  # fmt: skip


def _beyond(point: Point, trials: int, seed: int, device: str) -> int:
    form = _form(point).to(device)
    return chaos_network.beyond(form, point["d"], float(point["t_chaos"]), draws=trials, seed=seed)


tail = claim(
    label="sharpness.projection.chaos.tail", mode="with probability",
    statement="The error of Σ A_ij G_ij, G the Gram matrix of positions projected to a width d and B the symmetric "
    "part of A, exceeds 2‖B‖√(t/d) + 2‖B‖_op t/d with probability at most e^{-t}.",
    left=Probability(
        "probability that a sum of products is off by more than its tail's bound",
        counted(_beyond),
        r"\mathbb{P}\left[\langle A, J J^\top - I \rangle > 2 \|B\| \sqrt{t/d} + 2 \|B\|_{op}\, t/d\right]",
    ),
    right=sp.exp(-chaos_theorem.t),
    domain=Domain({
        d: Integers(1, 200),
        chaos_theorem.t: Reals(sp.Rational(1, 100), 3),
        _A: Matrix(3, 3, Reals(tested_to=2)),
    }),
    rests_on=("sharpness.projection.chaos.tilt", "sharpness.projection.chaos.exponent"),
)  # fmt: skip

row = claim(
    label="sharpness.projection.chaos.row", expected="proved",
    statement="Where a squared length is 1 + 2s + 2s² at most, s = √(t/d) ≤ 1/10, and a chi-square of r²t degrees of "
    "freedom at most t(r² + 2r + 2), the squared errors of that position's products with r²t others and itself add up "
    "to at most (5/2)(r² + 7/2)s².",
    left=chaos_theorem.ROW, right=chaos_theorem.ROW_MOST,
    domain=Domain({chaos_theorem.s: Reals(0, sp.Rational(1, 10)), chaos_theorem.r: Reals(0, tested_to=20)}),
    rests_on=("sharpness.projection.chaos.tail",),
)  # fmt: skip

# --- components -----------------------------------------------------------------------------------

_CHAOS_FAMILIES: dict[object, Range] = {
    T: Integers(2, 9), D: Integers(1, T), omega: SPARSITY, sp.Symbol("S"): Subsets(omega, D, T)
}  # fmt: skip
_DRAWN = Domain({**_CHAOS_FAMILIES, d: Integers(20, 2000), sp.Symbol("seed"): Integers(0, 2**20)})


def _over_size(kind: str) -> Measure:
    """A form's norm over its bound, by the largest number of components that share a position."""

    def number(at: Columns) -> Tensor:
        batch = batch_of(at)
        degree, busiest = batch.degree.double(), chaos_network.busiest(batch)
        if kind == "difference":
            most = degree.sqrt() + (busiest - 1).sqrt()
            return chaos_network.sizes(batch).difference.sqrt() / most
        return chaos_network.sizes(batch).excess.sqrt() / ((degree + 1).sqrt() + (2 * busiest).sqrt())

    return measured(number)


size = claim(
    label="sharpness.projection.chaos.size",
    statement="Half of d times the variance of what a difference of layer 1's logits errs by to first order is bounded "
    "by the degree and the number q of components that share a position.",
    right=sp.Integer(1), domain=Domain(_CHAOS_FAMILIES), rests_on=("sharpness.projection.chaos.variance",),
    cases=(
        Case(
            "difference",
            statement="In units of 2 log T, what the difference of two logits of layer 1 within a component errs by to "
            "first order has a variance of at most (2/d)(√D + √(q-1))², q the largest number of components that share "
            "a position.",
            left=Quantity(
                "largest norm of a difference over its bound",
                _over_size("difference"),
                r"\max \frac{\|B\|}{\sqrt{D} + \sqrt{q-1}}",
            ),
            kind="Tight",
            equality=({"T": 2, "D": 2, "omega": 1, "S": ((1, 2),)},),
        ),
        Case(
            "excess",
            statement="In units of 2 log T, what a logit of layer 1 outside a component, less the component's mean, "
            "errs by to first order has a variance of at most (2/d)(√(D+1) + √(2q))², q the largest number of "
            "components that share a position.",
            left=Quantity(
                "largest norm of an excess over its bound",
                _over_size("excess"),
                r"\max \frac{\|B\|}{\sqrt{D+1} + \sqrt{2q}}",
            ),
        ),
    ),
)  # fmt: skip


def _drawn(point: Point) -> Tensor:
    return gram(point["T"], point["d"], 1, point["seed"], "cpu")


@small
def _second_order(at: Columns) -> Tensor:
    ratios = []
    for n, point in enumerate(at.points):
        batch = batch_of(at[[n]])
        off = _drawn(point).to(at.device) - torch.eye(point["T"] + 1, dtype=torch.float64, device=at.device)
        bound = (batch.degree * chaos_network.busiest(batch)).sqrt()
        ratios.append(chaos_network.second_order(batch, off) / bound)
    return torch.cat(ratios)


second_order = claim(
    label="sharpness.projection.chaos.second-order",
    statement="The part ENE of the errors of layer 1's logits, E that of the Gram matrix and N the components, is at "
    "most √(qD) times the length of the key's row of E over all components times that of the query's over all queries.",
    left=Quantity(
        "largest second-order error over its bound", _second_order,
        r"\max \frac{|e_j^\top E N E e_t|}{\sqrt{qD}\, |E_{j, \cup S}|\, |E_{t, \le \omega}|}",
    ),
    right=sp.Integer(1), domain=_DRAWN,
)  # fmt: skip


def _moved(layer: str) -> Measure:
    def number(point: Point) -> float:
        parts = point["S"]
        target = Target(point["T"], parts, (len(parts) ** -0.5,) * len(parts))
        return float(getattr(chaos_network.moved(target, _drawn(point)), layer)[0])

    return at_points(number)


attention = claim(
    label="sharpness.projection.chaos.attention",
    statement="Errors of the logits whose range on the support is r, and whose excess outside over the support's mean "
    "is at most y, move the attention by at most tanh(r/4) + e^y/(CT), C the mass of the support.",
    right=sp.Integer(1), domain=_DRAWN,
    rests_on=("sharpness.projection.amplification", "sharpness.projection.leak.small"),
    cases=(
        Case(
            "first",
            statement="Errors of a row of layer 1 whose range on a component is r, and whose excess outside over the "
            "component's mean is at most y, move the component's averaged bit by at most tanh(r/4) + e^y/(DT).",
            left=Quantity("largest shift of an averaged bit over its bound", _moved("first"), r"\max_t \ldots"),
        ),
        Case(
            "second",
            statement="Errors of layer 2's logits whose range on the support is r, and whose excess outside over the "
            "support's mean is at most y, move its attention by at most tanh(r/4) + e^y/(CT) in total variation, for "
            "equal coefficients of sum C.",
            left=Quantity("distance of layer 2's attention over its bound", _moved("second"), r"\mathrm{TV} / \ldots"),
        ),
    ),
)  # fmt: skip

root = claim(
    label="sharpness.projection.chaos.root", relation="=", expected="proved",
    statement="At s = 2τ/(α + √(α² + 4βτ)) the error αs + βs² of a logit is the τ that it may have.",
    left=lambda: chaos_theorem.alpha * chaos_theorem.ROOT + chaos_theorem.beta * chaos_theorem.ROOT**2,
    right=chaos_theorem.tau,
    domain=Domain(
        {
            chaos_theorem.alpha: Reals(0, open_low=True),
            chaos_theorem.beta: Reals(0),
            chaos_theorem.tau: Reals(0, open_low=True),
        }
    ),
)  # fmt: skip

factor = claim(
    label="sharpness.projection.chaos.factor", kind="Tight", expected="proved",
    statement="The error (s + s²) of a product times a squared length of at most 1 + 2s + 2s² is at most s + (7/2)s², "
    "for 0 ≤ s ≤ 1/10.",
    left=chaos_theorem.SECOND, right=chaos_theorem.SECOND_MOST,
    domain=Domain({chaos_theorem.s: Reals(0, sp.Rational(1, 10))}), equality=({chaos_theorem.s: 0},),
)  # fmt: skip
