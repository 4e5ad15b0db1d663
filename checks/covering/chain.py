"""Where the covering bounds lose: from what is measured of a head, and of a stack of layers, to the printed shapes."""

from __future__ import annotations

from fractions import Fraction

import torch
from torch import Tensor

from boundaudit.checks.covering import COMPARATOR, PAPER
from boundaudit.checks.covering.layer import generator
from boundaudit.checks.covering.stack import APART, added, sharp_growth
from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, at_points, small
from boundaudit.derivations.covering.comparison import r_cmp
from boundaudit.derivations.covering.rademacher import m_rad
from boundaudit.derivations.covering.symbols import B_cov, L_cov, T_cov, seed_cov
from boundaudit.derivations.covering.transformer import d_lay, e_lay, k_lay, nu_lay
from boundaudit.numeric.covering import bounds, rademacher


def _step(name: str, latex: str, measure: Measure, cites: str = "", claim: str | None = None) -> Step:
    return Step(Quantity(name, measure, latex, rounding=1e-9), name, cites, claim)


# --- one head: from a search to a bound on the risk --------------------------------------------------


def _searched(at: Columns) -> Tensor:
    drawn = torch.ones(len(at), dtype=torch.float64)
    return rademacher.of_head(at.whole("T_cov"), at.whole("m_rad"), at.real("B_cov"), drawn, generator(at))


def _capacity(point: Point, norms: str, softmax: str) -> float:
    """γ³ for rows whose lengths sum to one, and to B for W_QK, with (1,1) norms ρ times as large."""
    ratio = 1.0 if norms == "rows" else float(point["r_cmp"]) ** 0.5
    key, width = float(point["B_cov"]), rademacher.WIDTH
    caps = bounds.Caps(dim=width, inner=width, key=ratio * key, value=ratio, out=ratio, read=ratio)
    return bounds.single_layer_capacity(caps, softmax=softmax, norms=norms).total


def _dudley(norms: str, softmax: str) -> Measure:
    return at_points(lambda point: bounds.dudley(_capacity(point, norms, softmax), int(point["m_rad"])))


@at_points
def _gap(point: Point) -> float:
    return bounds.generalization_gap(_capacity(point, "entries", "published"), int(point["m_rad"])).total


_MANY = Choices(hundred_millions=10**8, billion=10**9, trillion=10**12)
_HEAD: Point = {"m_rad": 10**9, "T_cov": 1024, "B_cov": 4.0, "r_cmp": 2.0, "seed_cov": 0}

head = Derivation(
    label="covering.chain.head",
    title="One head in four dimensions, from a search for its complexity to a bound on the risk",
    steps=(
        _step("correlation found by search", r"\hat{\mathfrak{R}}", small(_searched, "seed_cov")),
        _step("entropy integral, two stages", r"12 c (1 + \log \tfrac{1}{3c})", _dudley("rows", "sharp"),
              "Dudley's integral, Maurey's means", "covering.transformer.two-stages"),
        _step("(1,1) norms", r"\|W\|_{2,1} \le \|W\|_{1,1}", _dudley("entries", "sharp"),
              "a cover that is uniform over inputs", "covering.comparison.two-stages"),
        _step("softmax twice as steep", r"\kappa = 2", _dudley("entries", "published"),
              "2 tanh(δ/2) ≤ 2δ", "covering.softmax.published"),
        _step("bound on the risk", r"2 \sqrt{2}\, \mathfrak{R} + \mathrm{tail}", _gap,
              "contraction by √2, McDiarmid", "covering.generalization.theorem"),
    ),
    domain=Domain({
        m_rad: _MANY, T_cov: Integers(1, tested_to=10**6), B_cov: Reals(Fraction(1, 8), 8), r_cmp: Reals(1, 4),
        seed_cov: Integers(0, 1),
    }),
    samples={
        "ρ² = 2, B = 4, 10⁹ samples": _HEAD,
        "ρ² = 1, B = 4, 10⁹ samples": {**_HEAD, "r_cmp": 1.0},
        "ρ² = 4, B = 1/2, 10¹² samples": {**_HEAD, "r_cmp": 4.0, "B_cov": 0.5, "m_rad": 10**12},
    },
    paper=PAPER,
    place=("Section 4",),
)  # fmt: skip

# --- many layers: from two stacks that differ to a product of printed constants ------------------------


_STACK: Point = {
    "L_cov": 6,
    "T_cov": 16,
    "k_lay": 4,
    "d_lay": 3,
    "B_cov": 1.0,
    "e_lay": 0.01,
    "nu_lay": 0.2,
    "seed_cov": 0,
}

layers = Derivation(
    label="covering.chain.layers",
    title="Two stacks of layers whose maps differ, from their distance to the printed growth",
    steps=(
        _step("distance of the outputs", r"\|f(X) - f'(X)\|_{2,\infty}", APART.measure),
        _step("sharp constants", r"\lambda = B + \sqrt{1 + B^2}", added(sharp_growth, 1.0), "a recursion over layers",
              "covering.transformer.layers.recursion"),
        _step("through the softmax", r"\lambda = 1 + 2B", added(lambda key: 1 + 2 * key, 1.0),
              "B + √(1 + B²) ≤ 1 + 2B", "covering.layer.halved"),
        _step("printed constants", r"\lambda = 1 + 4B, \kappa = 2", added(lambda key: 1 + 4 * key, 2.0),
              "a softmax taken for twice as steep", "covering.softmax.published"),
        _step("every layer like the worst", r"\epsilon (\lambda^L - 1)/(\lambda - 1)",
              added(lambda key: 1 + 4 * key, 2.0, every=True), "a geometric sum",
              "covering.transformer.layers.geometric"),
    ),
    domain=Domain({
        L_cov: Integers(1, 6), k_lay: Integers(4, 4), T_cov: Integers(4, 64), d_lay: Integers(3, 3),
        B_cov: Reals(Fraction(1, 4), 4),
        e_lay: Reals(Fraction(1, 1000), Fraction(1, 2)), nu_lay: Reals(0, Fraction(1, 4)), seed_cov: Integers(0, 1),
    }),
    samples={
        "six layers, B = 1": _STACK,
        "one layer without chance": {**_STACK, "L_cov": 1, "B_cov": 0.25, "nu_lay": 0.0},
        "three layers, B = 1/4": {**_STACK, "L_cov": 3, "B_cov": 0.25},
    },
    paper=COMPARATOR,
    place=("Multi-layer theorem",),
)  # fmt: skip
