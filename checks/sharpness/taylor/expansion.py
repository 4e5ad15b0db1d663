"""Theorems 6 and 12: the mean loss under noise, expanded to second order."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Case, Claim, Measure, Probability, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, by_columns, completed, counted, evaluated, measured
from boundaudit.checks.sharpness.bound.deterministic import EACH
from boundaudit.checks.sharpness.bound.separate_prior_variance import LOSS
from boundaudit.checks.sharpness.exactness import COEFFICIENT, leading
from boundaudit.checks.sharpness.targets import BOTH, PAPER, STEEP, TRAPEZOIDS, by_trapezoid, input_bits
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.hessian import H_U
from boundaudit.derivations.sharpness.parameters import D, T, d, omega, u, x_n
from boundaudit.derivations.sharpness.perturbed_gradient import G_P
from boundaudit.derivations.sharpness.perturbed_hessian import H_P
from boundaudit.derivations.sharpness.perturbed_output import T_P
from boundaudit.derivations.sharpness.taylor import (
    A_0,
    A_2,
    A_11,
    A_12,
    A_22,
    L_COEFFICIENTS,
    L_k,
    alpha_1,
    alpha_2,
    epsilon_1,
    epsilon_2,
    n_theta,
)
from boundaudit.numeric import heat
from boundaudit.numeric.sharpness import taylor as network
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 6", "Theorem 12"))
NOISE = Reals(0, open_low=True, tested_to=1)
ONE_BIT = Domain({T: Integers(3, tested_to=16), u: STEEP, **COEFFICIENT})
"""The component {1}, of weight C, at the input 01…1: where the second layer leaks most."""

ANY_INPUT = Domain(
    {
        T: Integers(4, 20),
        D: Integers(1, T - 1),
        omega: Integers(1, T),
        u: BOTH,
        x_n: Integers(0, 2**T - 1),
        sigma: Reals(Fraction(1, 10**6), Fraction(1, 100)),
    }
)
"""Networks up to the size of the experiments under noise, at any one input: component t is the window of D positions
from t on, coefficients are equal and of unit length."""


def one_bit(of: Callable[[TargetBatch, Tensor, Columns, Trapezoid], Tensor]) -> Measure:
    """A measurement on the component {1} at the input 01…1."""
    measure = by_trapezoid(lambda at, mlp: of(*leading(at), at, mlp))
    return completed(measure, lambda p: {**p, "D": 1, "k": 0, "r": p["T"] - 1})


def windows(length: int, degree: int, sparsity: int) -> Target:
    """Windows of D positions from 1, 2, …, ω on, with equal coefficients of unit length."""
    sets = tuple(tuple(sorted((t + n) % length + 1 for n in range(degree))) for t in range(sparsity))
    return Target(length, sets, (sparsity**-0.5,) * sparsity)


def traces(point: Point, draws: int, seed: int, device: str) -> tuple[Tensor, Tensor]:
    """The trace of the loss Hessian at one input of `ANY_INPUT`, shape (1,), and under draws of noise, (draws,)."""
    batch = TargetBatch.stack([windows(point["T"], point["D"], point["omega"])], device=device)
    bits = input_bits(torch.tensor([point["x_n"]], device=device), batch)
    return network.noisy_traces(batch, bits, float(point["sigma"]), draws, seed, TRAPEZOIDS[point["u"]])


def chance(name: str, beyond: Callable[[Tensor, Tensor, Point], Tensor], latex: str) -> Probability:
    """The probability that noise moves a component's row beyond a bound over σ, by differentiating whole networks."""

    def happens(point: Point, trials: int, seed: int, device: str) -> int:
        return int(beyond(*traces(point, trials, seed, device), point).sum())

    return Probability(name, counted(happens), latex)


PAIRS = 8
"""Inputs, spread evenly over all by their numbers, that a chain takes, each with a draw of its own."""


@functools.cache
def sizes(length: int, degree: int, sparsity: int, width: int, deviation: float, device: str) -> dict[str, Array]:
    """What a chain for the trace needs, after noise and before, at several inputs with a draw of noise each.

    Args:
        length: T.
        degree: D.
        sparsity: ω.
        width: u.
        deviation: σ.
        device: Where to compute.

    Returns:
        Arrays over the inputs: the trace after the noise, the count of the parameters, the norms of the gradient plain
        and noisy and of its change, the residual's size at the start and after the noise and the output's change
        (moved), the operator norms of Hess f plain and noisy and of its change.
    """
    target = windows(length, degree, sparsity)
    numbers = torch.linspace(0, 2**length - 1, PAIRS, device=device).long()
    inputs = input_bits(numbers, TargetBatch.stack([target] * PAIRS, device=device)).bool()
    found = network.perturbed(target, inputs, deviation, 0, TRAPEZOIDS[width])
    (plain, noisy), (start, residual) = found.gradient, found.residual
    matrices = torch.stack([*found.hessian, found.hessian[1] - found.hessian[0]])
    norm, noisy_norm, norm_change = torch.linalg.eigvalsh(matrices).abs().amax(-1)
    of = {
        "trace": found.loss_trace[1], "count": torch.full_like(start, plain.shape[-1]),
        "plain": plain.norm(dim=-1), "noisy": noisy.norm(dim=-1), "change": (noisy - plain).norm(dim=-1),
        "start": start.abs(), "residual": residual.abs(), "moved": (residual - start).abs(),
        "norm": norm, "noisy_norm": noisy_norm, "norm_change": norm_change,
    }  # fmt: skip
    return {name: values.cpu().numpy() for name, values in of.items()}


# --- the second-order expansion, its constant and its first-order term ----------------------------

# --- the constant ---------------------------------------------------------------------------------

_WITH_NOISE = Domain({T: Integers(3, tested_to=16), u: STEEP, **COEFFICIENT, sigma: NOISE})

_EXPECTED = Quantity(
    "mean loss with noise on the data entry of V2",
    one_bit(
        lambda batch, bits, at, mlp: network.loss_with_noisy_value(batch, bits, at.real("sigma"), mlp)
    ),
    r"\mathbb{E}\,L(\Theta + \varepsilon)", theorem.EXPECTED_LOSS, rounding=1e-11, scale=1.0,
)  # fmt: skip

printed = claim(
    label="sharpness.taylor.expansion.printed", relation="=", role="printed", reading="plausible", expected="refuted",
    statement="Let noise of standard deviation σ act on the data entry of V2. For a component {1} of weight C the mean "
    "loss of the construction at the input 01…1 is then σ²/2 times the second derivative: the loss without noise is "
    "zero.",
    left=_EXPECTED, right=theorem.SECOND_ORDER, domain=_WITH_NOISE, rests_on=("sharpness.exactness.loss.zero[finite]",),
    limitations=(
        "Noise on one entry alone, the data entry of V2: the loss is a parabola in it and the remainder is zero.",
        "The text derives the expansion at a point of zero loss; whether it displays the constant is not known.",
    ),
)  # fmt: skip

at_published_size = claim(
    label="sharpness.taylor.expansion.published", relation="=", role="printed", reading="plausible", expected="refuted",
    statement="The mean loss under noise of any size on all parameters is half σ² times the trace of the loss's "
    "Hessian plus Lagrange's remainder: the loss without noise, which Taylor's formula adds, is zero. This is checked "
    "over all inputs at T = 20, D = 2, ω = 10, coefficients 1/√10 and pairs of bits side by side.",
    right=sp.S.Zero, rests_on=("sharpness.exactness.loss.zero[finite]",),
    limitations=(
        "The loss without noise is 0.00020 (steep) and 0.00017 (wide) whatever σ is; at the published σ = 0.002265676 "
        "σ² G_u is 0.0797. Centred noise adds no term of first order; that no unit turns on or off is granted.",
    ),
    cases=tuple(Case(mlp, left=found, domain=Domain({u: EACH[mlp][1]})) for mlp, found in LOSS.items()),
)  # fmt: skip

constant = claim(
    label="sharpness.taylor.expansion.constant", relation="=", expected="proved",
    statement="Let noise of standard deviation σ act on the data entry of V2. For a component {1} of weight C the mean "
    "loss of the construction at the input 01…1 is then the loss without noise plus σ²/2 times the second derivative.",
    left=_EXPECTED, right=theorem.ONE_ERROR**2 + theorem.SECOND_ORDER, domain=_WITH_NOISE,
    repairs=("sharpness.taylor.expansion.printed", "sharpness.taylor.expansion.published"),
)  # fmt: skip

# --- the first-order term -------------------------------------------------------------------------

_SLOPE = Quantity(
    "derivative of the loss by the data entry of V2",
    one_bit(lambda batch, bits, at, mlp: network.loss_slope(batch, bits, mlp)),
    r"\partial L / \partial V_2", theorem.LOSS_SLOPE, rounding=1e-11, scale=1.0,
)  # fmt: skip

stationary = claim(
    label="sharpness.taylor.expansion.stationary", relation="=", role="printed", reading="plausible",
    expected="refuted",
    statement="The construction is a local minimum of the loss: at every input, such as 01…1 for a component {1} of "
    "weight C, the loss's derivative by the data entry of V2 is zero.",
    left=_SLOPE, right=sp.Integer(0), domain=ONE_BIT, rests_on=("sharpness.exactness.loss.zero[finite]",),
    limitations=(
        "Shown is one entry of the gradient at the input 01…1, for the loss at this input and not the mean over "
        "inputs.",
    ),
)  # fmt: skip


@measured
def polynomial(at: Columns) -> Tensor:
    """The mean of the polynomial with the coefficients L_n at σZ; absent ones are zero."""
    coefficients = torch.stack([at.real(f"L_{n}", 0) for n in range(len(L_COEFFICIENTS))], 1)
    return heat.polynomial_mean(coefficients, at.real("sigma"))


first_order = claim(
    label="sharpness.taylor.expansion.first-order", relation="=", expected="proved",
    statement="Terms of first and third order have mean zero under centred noise, so that the expansion needs no local "
    "minimum. For the loss L_0 + L_1 u + L_2 u² + L_3 u³ of one parameter the mean under noise σZ is L_0 + σ² L_2.",
    left=Quantity(
        "mean of a cubic", polynomial, r"\mathbb{E} \sum_{n \le 3} L_n (\sigma Z)^n", theorem.CUBIC_MEAN,
        rounding=1e-11, scale=1e2,
    ),
    right=theorem.SECOND_ORDER_OF_CUBIC, domain=Domain({**{a: Reals() for a in L_COEFFICIENTS[:4]}, sigma: NOISE}),
    repairs=("sharpness.taylor.expansion.stationary",),
)  # fmt: skip


# --- quadratic forms of Gaussian noise, with a fixed matrix and with one that depends on the noise ---

# --- a fixed matrix -------------------------------------------------------------------------------

_ENTRIES: dict[Any, Range] = {A_11: Reals(), A_12: Reals(), A_22: Reals(), sigma: NOISE}


def _moment(which: int) -> Measure:
    def of(at: Columns) -> Tensor:
        matrix = torch.stack([at.real(name) for name in ("A_11", "A_12", "A_12", "A_22")], 1).view(-1, 2, 2)
        return heat.form_moments(matrix, at.real("sigma"))[which]

    return measured(of)


hutchinson_mean = claim(
    label="sharpness.taylor.hutchinson.mean", relation="=", role="printed", place=("Theorem 12",), reading="certain",
    expected="proved",
    statement="A fixed symmetric matrix A of two rows has E εᵀAε = σ² tr A for ε ~ N(0, σ²I).",
    left=Quantity(
        "mean of a quadratic form", _moment(0), r"\mathbb{E}\,\varepsilon^T A \varepsilon",
        lambda: theorem.form_moment(1), rounding=1e-11, scale=1e4,
    ),
    right=sigma**2 * theorem.TRACE, domain=Domain(_ENTRIES),
)  # fmt: skip

# --- a matrix that depends on the noise -----------------------------------------------------------

_WITHIN = Reals(-theorem.A_op, theorem.A_op)
_RANDOM = Domain({A_0: Reals(0, tested_to=4), A_2: Reals(0, tested_to=4), sigma: NOISE})

factors = claim(
    label="sharpness.taylor.form.printed", role="printed",
    statement="The quadratic form εᵀAε is at most |ε|² times the operator norm of A, so that its mean is at most σ² "
    "times the number of parameters times that norm. One reading bounds the norm by A_op for all noise; it is checked "
    "for a symmetric matrix of two rows. The other takes the mean of the norm; it is checked for the 1 × 1 matrix A_0 "
    "+ A_2 ε², which depends on the noise.",
    cases=(
        Case(
            "uniform",
            left=alpha_1 * epsilon_1**2 + alpha_2 * epsilon_2**2,
            right=theorem.A_op * (epsilon_1**2 + epsilon_2**2),
            domain=Domain({
                theorem.A_op: Reals(0, tested_to=10), alpha_1: _WITHIN, alpha_2: _WITHIN,
                epsilon_1: Reals(tested_to=4), epsilon_2: Reals(tested_to=4),
            }),
            kind="Tight",
            equality=({"A_op": 1, "alpha_1": 1, "alpha_2": 1, "epsilon_1": 1, "epsilon_2": 2},),
            reading="certain",
            expected="proved",
            limitations=("One side; the other is the same for -A.",),
        ),
        Case(
            "mean",
            left=theorem.RANDOM_FORM,
            right=theorem.RANDOM_MEAN * sigma**2,
            domain=_RANDOM,
            reading="plausible",
            expected="refuted",
            limitations=("Whether the text takes a mean or a uniform bound at this place is not known.",),
        ),
    ),
)  # fmt: skip

cauchy_schwarz = claim(
    label="sharpness.taylor.form.cauchy-schwarz", kind="Tight", expected="proved",
    statement="For a matrix A = A_0 + A_2 ε² of one row that depends on the noise, (E A ε²)² ≤ E A² · E ε⁴.",
    left=theorem.RANDOM_FORM**2, right=theorem.RANDOM_SQUARE * theorem.LENGTH_SQUARE, domain=_RANDOM,
    equality=({"A_0": 0, "A_2": 1, "sigma": 1},), repairs=("sharpness.taylor.form.printed[mean]",),
)  # fmt: skip

# --- the trace at Lagrange's point ----------------------------------------------------------------


@measured
def _fourth(at: Columns) -> Tensor:
    """E|u|⁴ as the mean square of the form of a projection."""
    count = at.whole("n_theta")
    used = (torch.arange(int(count.max()), device=at.device) < count[:, None]).double()
    return heat.form_moments(torch.diag_embed(used), at.real("sigma"))[1]


_FOURTH = Quantity(
    "mean of |u|⁴", _fourth, r"\mathbb{E}\,\|\sigma Z\|^4", theorem.FOURTH_POWER, rounding=1e-11
)  # fmt: skip
_DIMENSIONS = Domain({n_theta: Integers(1, tested_to=6), sigma: NOISE})

at_lagrange = claim(
    label="sharpness.taylor.lagrange.trace", role="printed", place=("Theorem 12", "Theorem 17"), reading="plausible",
    expected="refuted",
    statement="The quadratic form of the remainder may be replaced by σ² times the trace. The check takes L(u) = |u|⁴ "
    "of n parameters under noise σZ: E L is at most σ²/2 times the mean of tr Hess L at Lagrange's point.",
    left=_FOURTH, right=theorem.FOURTH_AT_LAGRANGE, domain=_DIMENSIONS,
    rests_on=("sharpness.taylor.lagrange.printed", "sharpness.taylor.form.printed"),
    limitations=(
        "For L(u) = |u|⁴ the form is three times the trace term in every dimension; the point depends on the noise. A "
        "bound on the trace at noisy points can be used by the heat-flow identity instead.",
    ),
)  # fmt: skip

by_flow = claim(
    label="sharpness.taylor.lagrange.flow", relation="=", place=("Theorem 12", "Theorem 17"), expected="proved",
    statement="For n parameters u = σZ the mean of |u|⁴ is half the integral, over v from 0 to σ², of the mean of its "
    "Laplacian at √v Z: traces at Gaussian points need no point of Lagrange's.",
    left=_FOURTH, right=theorem.fourth_flow, domain=_DIMENSIONS, rests_on=("sharpness.taylor.heat.flow",),
    repairs=("sharpness.taylor.lagrange.trace",),
)  # fmt: skip


# --- exact, without Lagrange's point, kinks included ----------------------------------------------


def _clipped(of: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Measure:
    return by_columns(lambda noise: of(torch.full_like(noise, 4), torch.full_like(noise, 0.25), noise), "sigma")


_KINKED = Quantity(
    "mean of a parabola with a kink", by_columns(heat.kinked_mean, "L_2", "L_k", "sigma"),
    r"\mathbb{E}\,(L_2 u^2 + L_k |u|)", theorem.KINKED_MEAN, rounding=1e-11, scale=1.0,
)  # fmt: skip
_WITH_KINK = Domain({L_COEFFICIENTS[2]: Reals(tested_to=4), L_k: Reals(0, tested_to=4), sigma: NOISE})

flow = claim(
    label="sharpness.taylor.heat.flow", relation="=",
    statement="For noise σZ on one parameter E L(σZ) - L(0) is half the integral, over v from 0 to σ², of the mean of "
    "L'' at √v Z. A kink of L counts with the jump of its slope times the density of the noise there. This is checked "
    "for L = L_1 u + L_2 u² + L_4 u⁴ + L_6 u⁶, for L = L_2 u² + L_k |u|, and for the loss along a bias that flips its "
    "unit, (4 clip(u, -1/4, 1/4))².",
    repairs=("sharpness.taylor.lagrange.printed[with-flips]",),
    cases=(
        Case(
            "polynomial",
            left=Quantity(
                "mean of a polynomial", polynomial, r"\mathbb{E} \sum_n L_n (\sigma Z)^n", theorem.SIXTH_MEAN,
                rounding=1e-11, scale=1e3,
            ),
            right=theorem.sixth_flow,
            domain=lambda: Domain({**{L_COEFFICIENTS[n]: Reals() for n in theorem.POWERS}, sigma: NOISE}),
            expected="proved",
        ),
        Case("kink", left=_KINKED, right=lambda: theorem.kinked_flow(), domain=_WITH_KINK, expected="proved"),
        Case(
            "clipped",
            left=Quantity(
                "mean of a clipped parabola", _clipped(heat.clipped_mean), r"\mathbb{E}\,L(\sigma Z)", rounding=1e-10
            ),
            right=Quantity(
                "flow of its Laplacian, inside and at both kinks",
                _clipped(lambda *loss: torch.stack(heat.clipped_flow(*loss)).sum(0)),
                r"\tfrac{1}{2} \int_0^{\sigma^2} \mathbb{E}\,\Delta L(\sqrt{v} Z)\,dv", rounding=1e-10,
            ),
            domain=Domain({sigma: Choices(tenth="1/10", quarter="1/4", half="1/2", one=1, two=2)}),
            limitations=("Both sides by quadrature; at σ = 1/4 they are 0.849320433 - 0.333261882 = 0.516058551.",),
        ),
    ),
)  # fmt: skip


# --- from the trace of a noisy network's loss Hessian to the printed 2 G_u + P --------------------

Sizes = Mapping[str, Array]


def _bound(value: Callable[[], sp.Expr]) -> Measure:
    return evaluated(lambda: value().subs(d, T + 1))


_BOUNDS: dict[str, Measure] = {
    "G_u": _bound(lambda: G_U), "G_p": _bound(lambda: G_P), "T_p": _bound(lambda: T_P),
    "H_u": _bound(lambda: H_U), "H_p": _bound(lambda: H_P),
    "end": _bound(lambda: 2 * G_U + theorem.p_restored()), "printed": _bound(lambda: 2 * G_U + theorem.p_printed()),
}  # fmt: skip


def _node(of: Callable[[Sizes], Array], name: str, cites: str, latex: str, claim: str | None = None) -> Step:
    """The mean of one node over inputs and draws, from what was measured and what the bounds say."""

    def measure(points: Sequence[Point], device: str) -> Array:
        return np.array([_mean(of, point, device) for point in points])

    return Step(Quantity(name, measure, latex), name, cites, claim)


def _mean(of: Callable[[Sizes], Array], point: Point, device: str) -> float:
    found = sizes(point["T"], point["D"], point["omega"], point["u"], float(point["sigma"]), device)
    return float(np.mean(of({**found, **{name: bound([point], device) for name, bound in _BOUNDS.items()}})))


_STEPS = (
    _node(lambda s: s["trace"], "measured trace after the noise", "", r"\mathrm{tr}\,H(\tilde\Theta)"),
    _node(
        lambda s: 2 * s["noisy"] ** 2 + 2 * s["residual"] * s["count"] * s["noisy_norm"],
        "trace by the operator norm", "tr A ≤ |Θ| op A",
        r"2\|\tilde g\|^2 + 2|\tilde r|\,|\Theta|\,\|\tilde H\|",
    ),
    _node(
        lambda s: 2 * (s["plain"] + s["change"]) ** 2
        + 2 * (s["start"] + s["moved"]) * s["count"] * (s["norm"] + s["norm_change"]),
        "changes apart", "triangle inequality",
        r"2(\|g\| + \|\Delta g\|)^2 + 2(|r| + |\Delta f|)\,|\Theta|\,(\|H\| + \|\Delta H\|)",
    ),
    _node(
        lambda s: 2 * (s["G_u"] ** 0.5 + s["change"]) ** 2
        + 2 * (s["start"] + s["moved"]) * s["count"] * (s["H_u"] + s["norm_change"]),
        "at the construction", "|∇f|² ≤ G_u, op Hess f ≤ H_u",
        r"2(\sqrt{G_u} + \|\Delta g\|)^2 + 2(|r| + |\Delta f|)\,|\Theta|\,(H_u + \|\Delta H\|)",
    ),
    _node(
        lambda s: 2 * (s["G_u"] ** 0.5 + s["G_p"]) ** 2
        + 2 * (s["start"] + s["moved"]) * s["count"] * (s["H_u"] + s["H_p"]),
        "changes of gradient and Hessian", "|Δ∇f| ≤ G_p, op ΔHess f ≤ H_p",
        r"2(\sqrt{G_u} + G_p)^2 + 2(|r| + |\Delta f|)\,|\Theta|\,(H_u + H_p)",
    ),
    _node(
        lambda s: 2 * (s["G_u"] ** 0.5 + s["G_p"]) ** 2
        + 2 * (s["start"] + s["T_p"]) * s["count"] * (s["H_u"] + s["H_p"]),
        "change of the output", "|Δf| ≤ T_p",
        r"2(\sqrt{G_u} + G_p)^2 + 2(|r| + T_p)\,|\Theta|\,(H_u + H_p)",
    ),
    _node(
        lambda s: s["end"], "2 G_u + P with σ", "as printed: zero residual, factor 1 for 2", r"2 G_u + P",
        "sharpness.taylor.trace.change.printed",
    ),
    _node(
        lambda s: s["printed"], "2 G_u + P as printed", "two terms of G_p without σ", r"2 G_u + P",
        "sharpness.perturbed.gradient.left-over",
    ),
)  # fmt: skip

_SAMPLE: Point = {"T": 6, "D": 2, "omega": 2, "u": 1}

chain = Derivation(
    label="sharpness.taylor.chain",
    title="The trace of the loss Hessian after noise: means over eight inputs with a draw each",
    steps=_STEPS,
    domain=Domain({
        T: Choices(four=4), D: Integers(1, 2), omega: Integers(1, 2), u: STEEP,
        sigma: Choices(millionth=Fraction(1, 10**6), hundredth=Fraction(1, 100)),
    }),
    samples={f"T=6, D=2, ω=2, σ={sigma:g}": {**_SAMPLE, "sigma": sigma} for sigma in (1e-6, 1e-4, 1e-2)},
    paper=PAPER,
    place=("Theorem 17",),
)  # fmt: skip
