"""Random projection: all pairwise products at once, the Johnson-Lindenstrauss step."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Probability
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import counted
from boundaudit.checks.sharpness.projection.shared import claim
from boundaudit.derivations.sharpness import projection as theorem
from boundaudit.derivations.sharpness.parameters import T, d
from boundaudit.derivations.sharpness.projection import epsilon
from boundaudit.numeric.sharpness import projected_network as network

pairwise_printed = claim(
    label="sharpness.projection.pairwise.printed",
    statement="A Gaussian projection to a width d of order log T / ε² preserves all pairwise products of the T+1 "
    "positions up to ε.",
    role="printed",
    left=d,
    relation=">=",
    right=lambda: theorem.K * sp.log(T) / epsilon**2,
    domain=Domain(
        {T: Integers(2), epsilon: Reals(0, 1, open_low=True), theorem.K: Reals(0, open_low=True), d: Integers(1)}
    ),
    mode="with high probability",
    reading="plausible",
    expected="not testable",
    missing="the constant in d = O(log T / ε²)",
)


def _products_off(point: Point, trials: int, seed: int, device: str) -> int:
    return network.products_off(point["T"], point["d"], float(point["epsilon"]), draws=trials, seed=seed, device=device)


pairwise_stated = claim(
    label="sharpness.projection.pairwise.stated",
    statement="Under a Gaussian projection to width d the products and squared norms of T+1 positions are not all "
    "within ε of their values with probability at most (T+1)(T+2) exp(-d(ε²/4 - ε³/6)).",
    left=Probability(
        "probability that a product is off by more than ε",
        counted(_products_off),
        r"\mathbb{P}\left[\max_{ij} |G_{ij} - \delta_{ij}| > \epsilon\right]",
    ),
    relation="<=",
    right=theorem.ANY_PRODUCT,
    domain=lambda: Domain(
        {T: Integers(2, 16), d: Integers(256, 1024), epsilon: Reals(sp.Rational(1, 8), sp.Rational(1, 4))},
        where=[sp.Ge(theorem.ANY_PRODUCT, sp.Rational(1, 4)), sp.Le(theorem.ANY_PRODUCT, sp.Rational(9, 10))],
    ),
    role="successor",
    mode="with probability",
    rests_on=("sharpness.projection.tail", "sharpness.projection.union"),
)
