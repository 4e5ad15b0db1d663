"""Theorem 2 with one variance for prior and posterior: the bound, its best σ, a rescaled network, where it loses."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
import torch

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals
from boundaudit.checks.language.expression import Tree
from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.points import Point, columns
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.measurements import at_points
from boundaudit.checks.sharpness.bound import deterministic as example
from boundaudit.checks.sharpness.bound.deterministic import NONNEGATIVE, POSITIVE, SAMPLES
from boundaudit.checks.sharpness.bound.deterministic import claim as optimum_claim
from boundaudit.checks.sharpness.targets import BOTH, PAPER, TRAPEZOIDS
from boundaudit.derivations.pac_bayes.symbols import N_2, S, hat_r, m, sigma, tau_f
from boundaudit.derivations.sharpness import taylor
from boundaudit.derivations.sharpness.bound import rescaled as rescaled_theorem
from boundaudit.derivations.sharpness.bound import shared_variance as theorem
from boundaudit.derivations.sharpness.bound.rescaled import beta_r, h_0, h_1, h_2, l_0, l_1, l_2
from boundaudit.derivations.sharpness.bound.shared_variance import (
    P_3,
    P_4,
    G_s,
    N_h,
    P_s,
    b_s,
    c_m,
    h_x,
    sigma_o,
    t_x,
    v_s,
)
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import D, T, d, omega, u
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.pac_bayes import tied_kl
from boundaudit.numeric.sharpness.autodiff import repeat
from boundaudit.numeric.sharpness.bound.budgets import published
from boundaudit.numeric.sharpness.bound.shared_variance import truncated_optimum
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.norms import norms_squared
from boundaudit.numeric.sharpness.oracle import evaluate_batch
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 2",))

printed = claim(
    label="sharpness.bound.shared_variance.printed", kind="Tight", role="printed", reading="plausible",
    expected="proved",
    statement="Take a learner whose squared norm is at most L and whose mean loss on the sample, under noise of "
    "variance σ², is at most σ²G, G = G_u + P. For every σ fixed in advance its mean loss under noise is with "
    "probability at least 1-δ at most σ²G + c√(L/σ² + 2 ln(1/δ)), c = S/√m. The check: the PAC-Bayes step gives no "
    "more than that for the learner's own loss r and squared norm N_h, for all σ, c > 0 and δ ≤ 1.",
    left=theorem.LEARNED, right=theorem.OF_SHARE,
    domain=lambda: Domain({
        G_s: POSITIVE, N_2: POSITIVE, c_m: POSITIVE, sigma: POSITIVE, tau_f: NONNEGATIVE,
        hat_r: Reals(0, sigma**2 * G_s), N_h: Reals(0, N_2, open_low=True),
    }),
    equality=({"G_s": 1, "N_2": 1, "c_m": 1, "sigma": 1, "tau_f": 0, "r_n": 1, "N_h": 1},),
    rests_on=(
        "pac_bayes.change_of_measure.varadhan", "pac_bayes.change_of_measure.markov", "pac_bayes.gaussian.shared",
        "pac_bayes.subgaussian_pac_bayes.best", "sharpness.norms.total.printed", "sharpness.gradients.total.printed",
        "sharpness.taylor.expansion.printed", "sharpness.taylor.trace.printed", "sharpness.exactness.loss.zero",
    ),
    limitations=(
        "That the construction dominates the learner is taken to mean its expected loss under noise, so that the "
        "assumption is nearly the conclusion for the sample. Norm and trace at the parameters themselves would not be "
        "enough.",
        "What is bounded is the mean loss of the network under noise, not the loss of the learned network.",
        "That σ²(G_u + P) and L bound the construction's own loss under noise and squared norm is another matter: it "
        "is what Theorems 5, 6, 10 and 17 are for, and a loss of the construction without noise comes on top.",
    ),
)  # fmt: skip

_CLASSES = {D: Integers(1, tested_to=20), omega: Integers(1, tested_to=50)}

order = claim(
    label="sharpness.bound.shared_variance.order", kind="Tight", role="printed", reading="certain", expected="proved",
    statement="The constants behind Theorem 2's O-forms, for all D, ω ≥ 1 and T ≥ 2: G_u is at most 272 ω D³, which is "
    "O(ω D³), and L at most 49 D³ + ω + 8 ω D log²T, which is O(D³) + O(ω D log²T).",
    cases=(
        Case("sharpness", left=G_U, right=theorem.SHARPNESS_ORDER, domain=Domain(_CLASSES),
             equality=({"D": 1, "omega": 1},)),
        Case("norm", left=theorem.L_PRINTED, right=theorem.NORM_ORDER,
             domain=Domain({T: Integers(2, tested_to=64), **_CLASSES}),
             equality=({"T": 2, "D": 1, "omega": 1}, {"T": 20, "D": 1, "omega": 3})),
    ),
)  # fmt: skip

# --- the factor one half in P ---------------------------------------------------------------------

_CHANGE = Domain({G_s: POSITIVE, P_s: NONNEGATIVE, sigma: POSITIVE})

half_printed = claim(
    label="sharpness.bound.shared_variance.half.printed", place=("Theorem 2", "Theorem 12", "Theorem 16"),
    role="printed", reading="plausible",
    statement="Theorem 2 has σ²(G_u + P) in the place of Theorem 16's (σ²/2)(2 G_u + P), P ≥ 0. With the same P in "
    "both, Theorem 2's term is, in two readings, at least Theorem 16's or equal to it, for every σ > 0.",
    left=theorem.HALF_OF_TRACE, right=theorem.WHOLE_CHANGE, domain=_CHANGE,
    rests_on=("sharpness.taylor.expansion.printed",),
    limitations=("The forms are recovered from printed numbers and public readings; the displays may differ.",),
    cases=(
        Case("safe", kind="Tight", equality=({"G_s": 1, "P_s": 0, "sigma": 1},), expected="proved"),
        Case("equal", relation="=", kind="Identity", expected="refuted"),
    ),
)  # fmt: skip

half_change = claim(
    label="sharpness.bound.shared_variance.half.change", relation="=", place=("Theorem 2", "Theorem 12", "Theorem 16"),
    expected="proved",
    statement="If P ≥ 0 bounds the change of the trace, the second-order term (σ²/2)(2 G_u + P) is σ²(G_u + P/2), for "
    "every σ > 0. In Theorem 2's σ²(G_u + P), then, P bounds the change of half of the trace.",
    left=theorem.HALF_OF_TRACE, right=theorem.HALF_CHANGE, domain=_CHANGE,
    repairs=("sharpness.bound.shared_variance.half.printed[equal]",),
)  # fmt: skip


# --- in closed form without ln(1/δ), and as the only root of an equation with it ------------------

_BUDGETS: dict[Any, Range] = {G_s: POSITIVE, N_2: POSITIVE, S: POSITIVE, m: SAMPLES}
_UNITS = {"G_s": 1, "N_2": 1, "S": 2, "m": 1}
"""Where the best σ is 1."""

optimum_printed = optimum_claim(
    label="sharpness.bound.optimum.printed", relation="=", role="printed", reading="certain", expected="proved",
    statement="Without P and ln(1/δ) Theorem 2's bound σ²G + S√(L/m)/σ is smallest at σ = (S²L/(4mG²))^(1/6), where it "
    "is 3 (G S² L/(4m))^(1/3). One third of this is sharpness and two thirds are norm; it falls as the cube root of m "
    "and rises as the cube root of G. For all positive G, L, S and m.",
    domain=Domain(_BUDGETS), rests_on=("sharpness.bound.shared_variance.printed",),
    limitations=("The rate is that of a prior with the posterior's variance; other priors give other rates.",),
    cases=(
        Case(
            "least", relation=">=", kind="Tight", left=theorem.TRUNCATED**3, right=theorem.OPTIMUM_CUBED,
            domain=Domain({**_BUDGETS, sigma: POSITIVE}),
            equality=({**_UNITS, "sigma": 1}, {"G_s": 1, "N_2": 1, "S": 4, "m": 4, "sigma": 1}),
        ),
        Case("attained", left=lambda: theorem.TRUNCATED.subs(sigma, theorem.BEST_SIGMA), right=theorem.OPTIMUM),
        Case(
            "parts", left=lambda: theorem.NORM_PART.subs(sigma, theorem.BEST_SIGMA),
            right=lambda: 2 * G_s * theorem.BEST_SIGMA**2,
        ),
        Case("samples", left=lambda: theorem.OPTIMUM.subs(m, 8 * m), right=theorem.OPTIMUM / 2),
        Case("sharper", left=lambda: theorem.OPTIMUM.subs(G_s, 1000 * G_s), right=10 * theorem.OPTIMUM),
    ),
)  # fmt: skip

one_optimum = optimum_claim(
    label="sharpness.bound.optimum.one", kind="Tight", expected="proved",
    statement="Theorem 2's bound has one best σ, for all positive G, L, S, m and δ ≤ 1: it is convex in σ², as its "
    "second derivative is at least a positive part of it; 4G²(L x³ + 2 x⁴ ln(1/δ)), which is L²S²/m at the best "
    "σ² = x, grows at least as x³; and with a perturbation term that is a polynomial of degree 2 in σ, as P is, the "
    "bound without ln(1/δ) is convex in log σ: at a geometric mean it is at most the mean of its values.",
    cases=(
        Case(
            "convex", relation=">=", left=lambda: theorem.curvature(), right=theorem.CURVATURE_FLOOR,
            domain=Domain({**_BUDGETS, v_s: POSITIVE, tau_f: NONNEGATIVE}),
            equality=({**_UNITS, "v_s": 1, "tau_f": 0},),
        ),
        Case(
            "root", relation=">=", left=theorem.ELASTICITY, right=3 * theorem.stationary(v_s),
            domain=Domain({G_s: POSITIVE, N_2: POSITIVE, v_s: POSITIVE, tau_f: NONNEGATIVE}),
            equality=({"G_s": 1, "N_2": 1, "v_s": 1, "tau_f": 0},),
        ),
        Case(
            "perturbed", left=lambda: theorem.GEOMETRIC, right=theorem.ARITHMETIC,
            domain=Domain({
                G_s: POSITIVE, P_3: NONNEGATIVE, P_4: NONNEGATIVE, b_s: POSITIVE, sigma: POSITIVE, sigma_o: POSITIVE,
            }),
            equality=({"G_s": 1, "P_3": 1, "P_4": 1, "b_s": 1, "sigma": 1, "sigma_o": 1},),
        ),
    ),
)  # fmt: skip

stationary = optimum_claim(
    label="sharpness.bound.optimum.stationary", relation=">=", kind="Tight", expected="proved",
    statement="Where σ² = x solves 4G²(L x³ + 2 x⁴ ln(1/δ)) = L²S²/m Theorem 2's whole bound is smallest and is "
    "G(3x + 4x² ln(1/δ)/L): at the variance t x, t > 0, it is Gx times t + 2√((1 + h)(1/t + h)) ≥ 3 + 2h, "
    "h = 2x ln(1/δ)/L.",
    left=theorem.RELATIVE_VALUE, right=3 + 2 * h_x, domain=Domain({h_x: NONNEGATIVE, t_x: POSITIVE}),
    equality=({"h_x": 0, "t_x": 1}, {"h_x": 2, "t_x": 1}), rests_on=("sharpness.bound.optimum.one",),
)  # fmt: skip


# --- the allowance P for noise in numbers (Theorem 17) --------------------------------------------


@functools.cache
def _trees() -> dict[str, Tree]:
    formulas = {"printed": taylor.p_printed(), "restored": taylor.p_restored()}
    return {name: to_tree(p.subs(d, T + 2)) for name, p in formulas.items()}


def allowances(length: int, degree: int, sparsity: int, sigma: float) -> dict[str, float]:
    """P at d = T + 2 with one-hot positions: ``printed``, and ``restored`` with σ in the two terms that lack it."""
    at = columns([{"T": length, "D": degree, "omega": sparsity, "sigma": sigma}])
    return {name: float(evaluate_float(tree, at)[0]) for name, tree in _trees().items()}


# --- when a rescaling of the MLP helps ------------------------------------------------------------

rescaled_claim = functools.partial(example.claim, place=("Appendix D",))
_ONE = sp.Integer(1)

# --- when a rescaling helps -----------------------------------------------------------------------

rescaled_printed = rescaled_claim(
    label="sharpness.bound.rescaled.heavier-in-both", role="printed", reading="plausible", expected="refuted",
    statement="Let the MLP's output weights have a larger squared gradient than its input weights, g₂ ≥ g₁, as they "
    "have a larger norm. Then moving weight away from them does not raise the sharpness: for input weights times α and "
    "output weights over α, 1 ≤ α² ≤ 1.1, g₀ + g₁/α² + g₂α² is at most g₀ + g₁ + g₂.",
    left=rescaled_theorem.sharpness(beta_r), right=rescaled_theorem.sharpness(_ONE),
    domain=lambda: Domain({
        h_0: NONNEGATIVE, h_2: POSITIVE, h_1: Reals(0, h_2, open_low=True), beta_r: Reals(1, sp.Rational(11, 10))
    }),
    limitations=(
        "One reading of the reason that the text gives. Gradients scale inversely to weights, so that the sharpness "
        "falls only if the input weights have the larger gradient. The conclusion is true of the construction.",
    ),
)  # fmt: skip

trade = rescaled_claim(
    label="sharpness.bound.rescaled.trade", kind="Tight", expected="proved",
    statement="A rescaling of the MLP multiplies its input weights by α ≥ 1 and divides its output weights by α. It "
    "does not raise the squared norm while that of the output weights is at least α² times that of the input weights. "
    "It does not raise the sharpness while that of the input weights is at least α² times that of the output weights.",
    repairs=("sharpness.bound.rescaled.heavier-in-both",),
    cases=(
        Case(
            "sharpness", left=rescaled_theorem.sharpness(beta_r), right=rescaled_theorem.sharpness(_ONE),
            domain=lambda: Domain({beta_r: Reals(1), h_0: NONNEGATIVE, h_2: POSITIVE, h_1: Reals(h_2 * beta_r)}),
            equality=({"h_0": 1, "h_2": 1, "h_1": 2, "beta_r": 2},),
        ),
        Case(
            "norm", left=rescaled_theorem.norm(beta_r), right=rescaled_theorem.norm(_ONE),
            domain=lambda: Domain({beta_r: Reals(1), l_0: NONNEGATIVE, l_1: POSITIVE, l_2: Reals(l_1 * beta_r)}),
            equality=({"l_0": 1, "l_1": 1, "l_2": 2, "beta_r": 2},),
        ),
    ),
)  # fmt: skip


# --- from the loss of the network under noise to the printed bound, at the printed best σ ---------

CHAIN_SAMPLES, PROXY, DELTA = 10**6, 0.01, 0.05
_DRAWS, _INPUTS = 64, 64


class Measured(NamedTuple):
    """What the nodes are made of.

    Attributes:
        sigma: the best σ for the printed budgets.
        gibbs: the mean loss under noise, from draws.
        loss: the loss at the construction.
        gradient: the mean of |∇f|².
        norm: ‖θ‖².
        sharpness: G_u.
        budget: L.
        allowance: P with σ restored.
        printed: P as printed.
    """

    sigma: float
    gibbs: float
    loss: float
    gradient: float
    norm: float
    sharpness: float
    budget: float
    allowance: float
    printed: float

    def complexity(self, norm: float) -> float:
        """What the sample and the relative entropy add."""
        entropy = float(tied_kl(norm, self.sigma)) + math.log(1 / DELTA)
        return PROXY * math.sqrt(2 * entropy / CHAIN_SAMPLES)


@functools.cache
def _measured(length: int, degree: int, sparsity: int, width: int) -> Measured:
    budgets, mlp = published(length, degree, sparsity), TRAPEZOIDS[width]
    noise, _ = truncated_optimum(budgets, samples=CHAIN_SAMPLES, proxy=PROXY)
    sets = tuple(tuple(range(t * degree + 1, (t + 1) * degree + 1)) for t in range(sparsity))
    one = TargetBatch.stack([Target(length, sets, (sparsity**-0.5,) * sparsity)])
    bits = _inputs(length)
    plain, wanted = build(one, mlp=mlp), evaluate_batch(one, bits)
    found = derivatives(one, bits, mlp=mlp)
    many, blocks = one.repeat(_DRAWS), repeat(plain, _DRAWS)
    outputs = forward(moved(blocks, gaussian(many, blocks, seed=0), noise), many, bits)
    allowance = allowances(length, degree, sparsity, noise)
    return Measured(
        noise, float((outputs - wanted).square().mean()), float((found.output - wanted).square().mean()),
        float(found.gradient[~found.kink].mean()), float(norms_squared(one, mlp=mlp)["total"][0]),
        budgets.sharpness_total, budgets.norm_total, allowance["restored"], allowance["printed"],
    )  # fmt: skip


def _inputs(length: int) -> torch.Tensor:
    """All inputs where there are few, else a sample with a fixed seed."""
    if 2**length <= _INPUTS:
        return bit_strings(length, 0, 2**length)
    return torch.from_numpy(np.random.default_rng(0).integers(0, 2, (_INPUTS, length)).astype(bool))


def _node(
    of: Callable[[Measured], float], name: str, cites: str, latex: str, claim: str | None = None,
    rounding: float = 1e-12,
) -> Step:  # fmt: skip
    measure = at_points(lambda p: of(_measured(p["T"], p["D"], p["omega"], p["u"])))
    return Step(Quantity(name, measure, latex, rounding=rounding), name, cites, claim)


_DRAWN = 0.2
"""Error of a mean over the draws, relative; the spread over draws is about the mean."""
_C = r"2\sqrt{\tfrac{S^2}{2m}(\tfrac{\|\theta\|^2}{2\sigma^2} + \ln\tfrac{1}{\delta})}"
_C_L = r"2\sqrt{\tfrac{S^2}{2m}(\tfrac{L}{2\sigma^2} + \ln\tfrac{1}{\delta})}"

_STEPS = (
    _node(lambda s: s.gibbs, "mean loss under noise", "", r"\mathbb{E}_\rho R", rounding=_DRAWN),
    _node(
        lambda s: s.gibbs + s.complexity(s.norm), "PAC-Bayes step at the best rate",
        "Donsker-Varadhan, Markov, S sub-Gaussian (assumed), best λ", rf"\mathbb{{E}}_\rho r + {_C}",
        "pac_bayes.subgaussian_pac_bayes.best", rounding=_DRAWN,
    ),
    _node(
        lambda s: s.gibbs + s.complexity(s.norm), "the construction in place of the learner",
        "domination (assumed; the construction itself is measured, so that the factor is 1)",
        rf"\mathbb{{E}}_\rho r(\theta^*) + {_C}", "sharpness.bound.shared_variance.printed", rounding=_DRAWN,
    ),
    _node(
        lambda s: s.loss + s.sigma**2 * s.gradient + s.complexity(s.norm), "second-order term",
        "Theorem 12, P left out (assumed)", rf"L(\theta^*) + \sigma^2\,\overline{{|\nabla f|^2}} + {_C}",
        "sharpness.taylor.expansion.constant",
    ),
    _node(
        lambda s: s.loss + s.sigma**2 * s.sharpness + s.complexity(s.norm), "G_u for the mean squared gradient",
        "Theorem 14", rf"L(\theta^*) + \sigma^2 G_u + {_C}",
    ),
    _node(
        lambda s: s.loss + s.sigma**2 * s.sharpness + s.complexity(s.budget), "L for the squared norm", "Theorem 10",
        rf"L(\theta^*) + \sigma^2 G_u + {_C_L}", "sharpness.norms.total.printed[wide]",
    ),
    _node(
        lambda s: s.sigma**2 * s.sharpness + s.complexity(s.budget), "loss at the construction left out",
        "the construction is exact (assumed)", rf"\sigma^2 G_u + {_C_L}",
        "sharpness.exactness.loss.zero[finite]",
    ),
    _node(
        lambda s: s.sigma**2 * (s.sharpness + s.allowance) + s.complexity(s.budget), "P with σ restored",
        "Theorem 17", rf"\sigma^2 (G_u + P_\sigma) + {_C_L}", "sharpness.taylor.trace.printed[restored]",
    ),
    _node(
        lambda s: s.sigma**2 * (s.sharpness + s.printed) + s.complexity(s.budget), "P as printed",
        "two terms of G_p without σ", rf"\sigma^2 (G_u + P) + {_C_L}", "sharpness.perturbed.gradient.left-over",
    ),
)  # fmt: skip

_PUBLISHED_EXAMPLE: Point = {"T": 20, "D": 2, "omega": 10}

chain = Derivation(
    label="sharpness.bound.chain",
    title="Theorem 2 at its best σ, m = 10⁶, S = 0.01, δ = 0.05",
    steps=_STEPS,
    domain=Domain({T: Choices(four=4, six=6), D: Integers(1, 2), omega: Integers(1, 2), u: BOTH}),
    samples={
        "T=20, D=2, ω=10, wide": {**_PUBLISHED_EXAMPLE, "u": 2},
        "T=20, D=2, ω=10, steep": {**_PUBLISHED_EXAMPLE, "u": 1},
    },
    paper=PAPER,
    place=("Theorem 2", "Appendix E"),
)
