"""Appendix H, low degree: the published test and the one by disjoint blocks."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.measurements import at_points, evaluated
from boundaudit.checks.sharpness.property_testing import shared
from boundaudit.checks.sharpness.property_testing.shared import of_table
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import property_testing as theorem
from boundaudit.derivations.sharpness.parameters import i
from boundaudit.derivations.sharpness.property_testing import D_pt, T_pt, f_pt, k_pt, n_pt, p_pt, z_pt
from boundaudit.numeric.fourier.rates import all_odd
from boundaudit.numeric.sharpness import property_testing as numeric

_PLACE = ("Appendix H(1)",)
_claim = functools.partial(shared.claim, place=_PLACE)

printed = _claim(
    label="sharpness.property_testing.degree.printed",
    statement="The test of polynomials over the field of two elements (Alon et al. 2005), by sums over random sets of "
    "flips that may overlap, also tells the degree of real functions on bit strings.",
    relation="<=",
    role="printed",
    reading="plausible",
    expected="refuted",
    cases=(
        Case(
            "xor",
            statement="With signed sums of real values over random sets of flips that may overlap, the test for "
            "degree D never rejects a character of at most D positions.",
            left=Quantity(
                "rejection rate of a character, random sets",
                at_points(lambda at: numeric.xor_share(at["k_pt"], at["D_pt"] + 1)), r"\mathbb{P}(\Delta \ne 0)",
                theorem.XOR_POWER,
            ),
            right=sp.Integer(0),
            domain=Domain({D_pt: Integers(1, 6), k_pt: Integers(1, D_pt)}),
            limitations=("Not even a character of one position is accepted: constants alone are.",),
        ),
        Case(
            "modulo-two",
            statement="With sums modulo two, a parity that the test for degree D never rejects has at most degree D.",
            left=Quantity(
                "degree of a parity that is never rejected",
                at_points(lambda at: numeric.accepted_degree(at["k_pt"], at["D_pt"])), r"\deg \chi_S", k_pt,
            ),
            right=D_pt,
            domain=Domain({D_pt: Integers(1, 2), k_pt: Integers(1, 4)}),
            limitations=("A parity is a polynomial of degree one over two elements, of full degree over the reals.",),
        ),
    ),
)  # fmt: skip

rejection = _claim(
    label="sharpness.property_testing.degree.rejection",
    statement="The test by D+1 disjoint random blocks of positions, of which none holds a position with the same "
    "probability 1/(D+2) as each block, rejects a character of k positions in one trial with probability k! times the "
    "coefficient of t^k in sinh(t/(D+2))^(D+1) exp(t/(D+2)): zero for k ≤ D, and positive beyond; here for k ≤ 7 "
    "and D ≤ 3.",
    left=Quantity(
        "rejection rate of a character, disjoint blocks",
        at_points(lambda at: numeric.odd_share(at["k_pt"], at["D_pt"] + 1)), r"\mathbb{P}(\Delta \ne 0)",
        theorem.all_odd_by_blocks, scale=1.0,
    ),
    relation="=",
    right=theorem.all_odd,
    domain=Domain({D_pt: Integers(1, 3), k_pt: Integers(1, 7)}),
    repairs=("sharpness.property_testing.degree.printed[xor]", "sharpness.property_testing.degree.printed[modulo-two]"),
    expected="certified",
    limitations=("Every way to draw the blocks is enumerated.",),
)  # fmt: skip

none = _claim(
    label="sharpness.property_testing.degree.none",
    statement="Where every position lies in one of the D+1 blocks, the test for degree D never rejects a character of "
    "D+2 positions, as the odd counts of D+1 blocks add up to D+1 modulo two; here for D ≤ 4.",
    left=Quantity(
        "rejection rate of a character, blocks that cover all",
        at_points(lambda at: numeric.odd_share(at["D_pt"] + 2, at["D_pt"] + 1, none=False)),
        r"\mathbb{P}(\Delta \ne 0)", theorem.without_none, scale=1.0,
    ),
    relation="=",
    right=sp.Integer(0),
    domain=Domain({D_pt: Integers(1, 4)}),
    expected="certified",
)  # fmt: skip

curved = _claim(
    label="sharpness.property_testing.degree.generating-function",
    statement="The second derivative of sinh(t/n)^n is sinh(t/n)^n + ((n-1)/n) sinh(t/n)^(n-2), here with both sides "
    "over sinh(t/n)^(n-2), z = t/n and n = D+1: so that the k! [t^k] of the function rise in steps of two.",
    left=theorem.CURVED[0],
    relation="=",
    right=theorem.CURVED[1],
    domain=Domain({D_pt: Integers(1, tested_to=16), z_pt: Reals(0, tested_to=4, open_low=True)}),
    expected="proved",
)

_POWER = Quantity(
    "rejection rate of a character",
    at_points(lambda at: float(all_odd(at["k_pt"], at["D_pt"] + 1))),
    r"q(k, D+1)",
)
_LEAST = Quantity("least rejection rate", evaluated(lambda: theorem.LEAST_POWER), r"\frac{(D+1)!}{(D+2)^{D+1}}")
_ABOVE = Domain({D_pt: Integers(1, tested_to=8), k_pt: Integers(D_pt + 1, tested_to=40)})

least = _claim(
    label="sharpness.property_testing.degree.least",
    statement="The test for degree D by disjoint blocks rejects every character of more than D positions with "
    "probability at least (D+1)!/(D+2)^(D+1) in one trial, which a character of D+1 positions attains.",
    left=_POWER,
    relation=">=",
    right=_LEAST,
    domain=_ABOVE,
    derivation=Derivation(
        label="sharpness.property_testing.degree.least.proof",
        title="Longer characters are rejected no less often",
        steps=(
            Step(_LEAST, "D+1 positions, each in a block of its own"),
            Step(
                _POWER,
                "k positions",
                "from k to k+2 by a coefficient of sinh^(n-2); in between by symmetry of the cube",
                curved.label,
            ),
        ),
        domain=_ABOVE,
        samples={"one more": {"D_pt": 2, "k_pt": 3}, "many more": {"D_pt": 2, "k_pt": 20}},
        paper=PAPER,
        place=_PLACE,
    ),
    expected="supported",
)

_TABLES = Domain(
    {T_pt: Integers(2, tested_to=4), D_pt: Integers(1, T_pt - 1), f_pt: Vector(2**T_pt, Reals(tested_to=1))}
)
_RATE = of_table(
    "rejection rate of a function times its squared spread",
    r"(\max f - \min f)^2\, \mathbb{P}(\Delta \ne 0)",
    numeric.rejected_spread,
)
_ENERGY = of_table("energy above D", r"4 q(D+1, D+1) \textstyle\sum_{|S| > D} \hat f(S)^2", numeric.by_energy)
_RATED = of_table("energy with rates", r"4 \textstyle\sum_S \hat f(S)^2 q(|S|, D+1)", numeric.by_weights)
_SQUARE = of_table("mean square", r"4 \mathbb{E} \Delta^2", numeric.mean_square)

soundness = _claim(
    label="sharpness.property_testing.degree.soundness",
    statement="A real function whose squared weights on sets of more than D positions add up to W is rejected in one "
    "trial with probability at least 4 (D+1)!/(D+2)^(D+1) W / (max f - min f)²; a character of D+1 positions attains "
    "it.",
    left=_RATE,
    relation=">=",
    right=_ENERGY,
    domain=_TABLES,
    role="improvement",
    improves=rejection.label,
    derivation=Derivation(
        label="sharpness.property_testing.degree.soundness.proof",
        title="From energy to rejections",
        steps=(
            Step(_ENERGY, "energy above D"),
            Step(_RATED, "each size by its rate", "each weight above D counts with its own rate", least.label),
            Step(_SQUARE, "mean square of Δ", "uncorrelated"),
            Step(_RATE, "rejection rate", "event"),
        ),
        domain=_TABLES,
        samples={
            "parity of two": {"T_pt": 2, "D_pt": 1, "f_pt": (1, -1, -1, 1)},
            "and of three": {"T_pt": 3, "D_pt": 1, "f_pt": (0, 0, 0, 0, 0, 0, 0, 1)},
        },
        paper=PAPER,
        place=_PLACE,
    ),
    expected="supported",
    limitations=(
        "Stated without the quotient. It speaks of energy, as a distance, and not of degree: a function of little "
        "energy above D has a higher degree all the same, and what is proved for degree D holds for it with that "
        "distance added.",
    ),
)  # fmt: skip

trials = _claim(
    label="sharpness.property_testing.degree.trials",
    statement="Of n independent trials, each of which rejects with probability p, all accept with probability at most "
    "exp(-p n): ln(1/δ)/p trials leave at most δ.",
    left=theorem.STAYS,
    relation="<=",
    right=theorem.STAYS_AT_MOST,
    domain=Domain({p_pt: Reals(0, 1, open_low=True), n_pt: Integers(1)}),
    expected="proved",
)

factor = _claim(
    label="sharpness.property_testing.degree.factor",
    statement="For positive x the product x ln(1 + 1/x) is at most one: every factor (1 + 1/i)^i of "
    "(D+2)^(D+1)/(D+1)!, i = 1, …, D+1, is at most e.",
    left=z_pt * sp.log(1 + 1 / z_pt),
    relation="<=",
    right=sp.Integer(1),
    domain=Domain({z_pt: Reals(0, open_low=True)}),
    expected="proved",
)

_ASKED = Domain({D_pt: Integers(1, tested_to=16)})

queries = _claim(
    label="sharpness.property_testing.degree.queries",
    statement="The test by disjoint blocks asks for 2^(D+1) ln(1/δ) (D+2)^(D+1) / (4ε (D+1)!) values to reject with "
    "probability 1-δ a function whose energy above D is ε times its squared spread: at most (2e)^(D+1) ln(1/δ) / (4ε), "
    "the published order 2^O(D) ln(1/δ)/ε, with a constant; here without the factor ln(1/δ) / (4ε) of both sides.",
    left=theorem.QUERIES,
    relation="<=",
    right=theorem.QUERIES_ORDER,
    domain=_ASKED,
    derivation=Derivation(
        label="sharpness.property_testing.degree.queries.proof",
        title="Queries in the published order",
        steps=(
            Step(theorem.QUERIES, "queries"),
            Step(theorem.QUERIES_BY_STEPS, "rate as a product", "by induction"),
            Step(
                theorem.QUERIES_ORDER, "order", "each factor at most e",
                Instance(factor.label, {z_pt: i}, over=(i, 1, D_pt + 1)),
            ),
        ),
        domain=_ASKED,
        samples={"D = 2": {"D_pt": 2}},
        paper=PAPER,
        place=_PLACE,
    ),
    rests_on=(trials.label, soundness.label),
    expected="proved",
)  # fmt: skip
