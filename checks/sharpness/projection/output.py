"""Random projection: what errors of the logits do to the attention and the output."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.sharpness.projection.shared import claim
from boundaudit.derivations.sharpness import projection as theorem
from boundaudit.derivations.sharpness.parameters import D, T, omega
from boundaudit.derivations.sharpness.projection import eta, mass, p, q, rho

amplification = claim(
    label="sharpness.projection.amplification",
    statement="Logits that are off by at most η move a share p of the attention by at most tanh(η/2) = (ρ-1)/(ρ+1), "
    "with ρ = e^η.",
    left=theorem.AMPLIFIED,
    relation="<=",
    right=theorem.AMPLIFIED_MOST,
    domain=Domain({rho: Reals(1), p: Reals(0, 1)}),
    kind="Tight",
    equality=({"rho": 2, "p": sp.Rational(1, 3)},),
    expected="proved",
)

half_angle = claim(
    label="sharpness.projection.half-angle",
    statement="tanh(η/2) is at most η/2, for η ≥ 0.",
    left=theorem.HALF_ANGLE,
    relation="<=",
    right=eta / 2,
    domain=Domain({eta: Reals(0, tested_to=10)}),
    kind="Tight",
    equality=({"eta": 0},),
    expected="proved",
)

leak = claim(
    label="sharpness.projection.leak",
    statement="Logits that are off by at most η raise the share p of the attention outside the support by a factor of "
    "at most e^{2η} = ρ², with ρ = e^η.",
    left=theorem.LEAK_GROWTH,
    relation="<=",
    right=rho**2,
    domain=Domain({rho: Reals(1), p: Reals(0, 1)}),
    kind="Tight",
    equality=({"rho": 2, "p": 0},),
    expected="proved",
)

leak_small = claim(
    label="sharpness.projection.leak.small",
    statement="Without projection the attention outside a support of mass C is at most 1/(CT): C = D in layer 1, "
    "and C the sum of the ω coefficients in layer 2.",
    left=theorem.leak(T + 1 - omega, mass),
    relation="<=",
    right=theorem.LEAK_MOST,
    domain=Domain({T: Integers(1, tested_to=64), omega: Integers(1, T), mass: Reals(0, open_low=True, tested_to=8)}),
    expected="proved",
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

_AT_THE_ERROR = "At the error ε = 1/(17 log T (D(D+q)+ω)) of the products, q the largest number of components that "

budget = claim(
    label="sharpness.projection.budget",
    statement="From T = 8 on, an error ε = 1/(17 log T (D(D+q)+ω)) of the products keeps every component on its "
    "plateau, q the largest number of components that share a position.",
    relation="<=",
    expected="proved",
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
)
