"""The best σ of Theorem 2's bound: in closed form without ln(1/δ), and as the only root of an equation with it."""

from __future__ import annotations

from typing import Any

from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain, Range
from boundaudit.checks.sharpness.bound.example import NONNEGATIVE, POSITIVE, SAMPLES, claim
from boundaudit.derivations.pac_bayes.symbols import N_2, S, m, sigma, tau_f
from boundaudit.derivations.sharpness.bound import shared_variance as theorem
from boundaudit.derivations.sharpness.bound.shared_variance import P_3, P_4, G_s, b_s, h_x, sigma_o, t_x, v_s

_BUDGETS: dict[Any, Range] = {G_s: POSITIVE, N_2: POSITIVE, S: POSITIVE, m: SAMPLES}
_UNITS = {"G_s": 1, "N_2": 1, "S": 2, "m": 1}
"""Where the best σ is 1."""

printed = claim(
    label="sharpness.bound.optimum.printed",
    statement="Without P and ln(1/δ) Theorem 2's bound σ²G + S√(L/m)/σ is smallest at σ = (S²L/(4mG²))^(1/6), where it "
    "is 3 (G S² L/(4m))^(1/3). One third of this is sharpness and two thirds are norm; it falls as the cube root of m "
    "and rises as the cube root of G. For all positive G, L, S and m.",
    relation="=",
    domain=Domain(_BUDGETS),
    role="printed",
    reading="certain",
    expected="proved",
    rests_on=("sharpness.bound.shared_variance.printed",),
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

one_optimum = claim(
    label="sharpness.bound.optimum.one",
    statement="Theorem 2's bound has one best σ, for all positive G, L, S, m and δ ≤ 1: it is convex in σ², as its "
    "second derivative is at least a positive part of it; 4G²(L x³ + 2 x⁴ ln(1/δ)), which is L²S²/m at the best "
    "σ² = x, grows at least as x³; and with a perturbation term that is a polynomial of degree 2 in σ, as P is, the "
    "bound without ln(1/δ) is convex in log σ: at a geometric mean it is at most the mean of its values.",
    kind="Tight",
    expected="proved",
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

stationary = claim(
    label="sharpness.bound.optimum.stationary",
    statement="Where σ² = x solves 4G²(L x³ + 2 x⁴ ln(1/δ)) = L²S²/m Theorem 2's whole bound is smallest and is "
    "G(3x + 4x² ln(1/δ)/L): at the variance t x, t > 0, it is Gx times t + 2√((1 + h)(1/t + h)) ≥ 3 + 2h, "
    "h = 2x ln(1/δ)/L.",
    left=theorem.RELATIVE_VALUE,
    relation=">=",
    right=3 + 2 * h_x,
    domain=Domain({h_x: NONNEGATIVE, t_x: POSITIVE}),
    kind="Tight",
    equality=({"h_x": 0, "t_x": 1}, {"h_x": 2, "t_x": 1}),
    expected="proved",
    rests_on=("sharpness.bound.optimum.one",),
)
