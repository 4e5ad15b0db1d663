"""In place of Theorem 17: the loss under noise from the change of the output alone, without a Hessian."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points, combined, evaluated
from boundaudit.checks.sharpness.targets import SPARSITY
from boundaudit.checks.sharpness.taylor.expansion import MEANS, PAIRS, WHOLE
from boundaudit.checks.sharpness.taylor.shared import NOISE, claim, excess
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.parameters import D, T, d, omega
from boundaudit.derivations.sharpness.perturbed_output import T_P
from boundaudit.derivations.sharpness.taylor import rho_e, rho_r

_PLACE = ("Theorem 17", "Theorem 24")

minkowski = claim(
    label="sharpness.taylor.simpler.minkowski",
    statement="With r and e the roots of the means of the squared residual and of the squared change of the output, "
    "over any inputs and draws, the mean loss after the change is at most (r + e)²: by Cauchy and Schwarz the mean of "
    "residual times change is at most r e.",
    left=theorem.MEAN_LOSS,
    right=(rho_r + rho_e) ** 2,
    domain=Domain({
        rho_r: Reals(0, tested_to=10), rho_e: Reals(0, tested_to=10),
        theorem.rho_x: Reals(-rho_r * rho_e, rho_r * rho_e),
    }),
    kind="Tight",
    equality=({"rho_r": 1, "rho_e": 2, "rho_x": 2},),
    place=_PLACE,
    expected="proved",
)  # fmt: skip


@at_points
def _rise(p: Point) -> float:
    """The rise of the root of the mean loss."""
    found = excess(p["T"], p["D"], p["omega"], float(p["sigma"]), PAIRS[p["T"]])
    return float((found.loss + found.estimate + found.half_width) ** 0.5 - found.loss**0.5)


network = claim(
    label="sharpness.taylor.simpler.network",
    statement="Noise on all parameters raises the root of the mean loss over inputs by at most T_p/25, so that the "
    "mean loss under noise is at most (√L + T_p)². No Hessian is needed, no parameter count and no point of "
    "Lagrange's. For T = 6 or 20, D = 1, 2 or 3, ω = 1 or 2 and σ = 0.01 or 0.03.",
    left=Quantity(
        "rise of the root of the mean loss over T_p",
        combined(lambda rise, most: rise / most, _rise, evaluated(lambda: T_P.subs(d, T + 1))),
        r"(\sqrt{\mathbb{E} L(\Theta + \varepsilon)} - \sqrt{L(\Theta)}) / T_p",
    ),
    right=sp.Rational(1, 25),
    domain=WHOLE,
    role="improvement",
    place=_PLACE,
    rests_on=("sharpness.taylor.simpler.minkowski",),
    limitations=(
        "The upper end of a 99 % interval from 100 mirrored pairs of draws, 50 at T = 20; d = T+1; steep trapezoid.",
        MEANS,
    ),
)

dominant = claim(
    label="sharpness.taylor.simpler.dominant",
    statement="For T from 2 to 10⁵ √(2(T+2)) + 32 is at most 128 log T; times D²ω this makes 128 D² ω log T the "
    "largest part of T_p/σ with d = T+2: the others together do not exceed it.",
    left=sp.sqrt(2 * (T + 2)) + 32,
    right=128 * sp.log(T),
    domain=Domain({T: Integers(2, 10**5, tested_to=200)}),
    place=_PLACE,
    expected="proved",
)

gain = claim(
    label="sharpness.taylor.simpler.gain",
    statement="For T from 2 to 10⁵ and d = T+2 the simpler bound T_p² is below the printed σ²(G_u + P) by a factor of "
    "at least (ω(d+2)/2)²: stated for the roots, against the two terms of the notebook's G_p without σ alone, as P is "
    "at least 2 G_p².",
    left=lambda: (theorem.GAIN * T_P).subs(d, T + 2),
    right=lambda: theorem.FREE_OF_NOISE.subs(d, T + 2),
    domain=Domain({T: Integers(2, 10**5, tested_to=200), D: Integers(1, T), omega: SPARSITY, sigma: NOISE}),
    place=_PLACE,
    rests_on=("sharpness.taylor.simpler.dominant", "sharpness.perturbed.gradient.left-over"),
)
