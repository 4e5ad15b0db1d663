"""Appendix H: what property tests of degree and sparsity can tell."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Claim, Probability, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points, small
from boundaudit.checks.measurements import counted as sparsity_counted
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import property_testing as theorem
from boundaudit.derivations.sharpness.parameters import i, t
from boundaudit.derivations.sharpness.property_testing import (
    D_pt,
    T_pt,
    a_pt,
    b_pt,
    f_pt,
    k_pt,
    m_pt,
    n_pt,
    p_pt,
    r_pt,
    s_pt,
    t_pt,
    z_pt,
)  # fmt: skip
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.fourier.rates import Directions, all_odd
from boundaudit.numeric.fourier.spectrum import WalshSpectrum
from boundaudit.numeric.fourier.tables import BlackBox
from boundaudit.numeric.fourier.targets import random_sparse, sparse_values
from boundaudit.numeric.fourier.testers import Subspace, first_accepted_degree, sparsity_test
from boundaudit.numeric.sharpness import property_testing as numeric

claim = functools.partial(Claim, paper=PAPER)


def of_table(name: str, latex: str, of: Callable[[Tensor, int], Tensor], *, nonnegative: bool = False) -> Quantity:
    """A number of a table of values f_pt and the degree D_pt that is tested for."""
    measure = small(lambda at: of(at.real("f_pt"), at.points[0]["D_pt"]), "T_pt", "D_pt")
    return Quantity(name, measure, latex, scale=1.0, nonnegative=nonnegative)


def by_points(of: Callable[[Point], list[float]]) -> Callable[[Sequence[Point], str], Array]:
    """Some numbers of one point at a time as the measurement of a vector, padded."""

    def measure(points: Sequence[Point], _: str) -> Array:
        each = [of(point) for point in points]
        found = np.zeros((len(points), max(map(len, each))))
        for row, values in zip(found, each, strict=True):
            row[: len(values)] = values
        return found

    return measure


# --- the published test and the one by disjoint blocks --------------------------------------------

_PLACE = ("Appendix H(1)",)
_claim = functools.partial(claim, place=_PLACE)

printed = _claim(
    label="sharpness.property_testing.degree.printed", role="printed", reading="plausible", expected="refuted",
    statement="The test of polynomials over the field of two elements (Alon et al. 2005), by sums over random sets of "
    "flips that may overlap, also tells the degree of real functions on bit strings.",
    cases=(
        Case(
            "xor",
            statement="With signed sums of real values over random sets of flips that may overlap, the test for degree "
            "D accepts every character of at most D positions.",
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
    label="sharpness.property_testing.degree.rejection", relation="=", expected="certified",
    statement="Draw D+1 disjoint random blocks: each position is in any one block, or in none, with probability "
    "1/(D+2) each. A trial with these blocks rejects a character of k positions with probability k! times the "
    "coefficient of t^k in sinh(t/(D+2))^(D+1) exp(t/(D+2)): never for k ≤ D, sometimes beyond; for k ≤ 7 and D ≤ 3.",
    left=Quantity(
        "rejection rate of a character, disjoint blocks",
        at_points(lambda at: numeric.odd_share(at["k_pt"], at["D_pt"] + 1)), r"\mathbb{P}(\Delta \ne 0)",
        theorem.all_odd_by_blocks, scale=1.0,
    ),
    right=theorem.all_odd, domain=Domain({D_pt: Integers(1, 3), k_pt: Integers(1, 7)}),
    repairs=("sharpness.property_testing.degree.printed[xor]", "sharpness.property_testing.degree.printed[modulo-two]"),
    limitations=("Every way to draw the blocks is enumerated.",),
)  # fmt: skip


# --- the least rate -------------------------------------------------------------------------------

_POWER = Quantity(
    "rejection rate of a character",
    at_points(lambda at: float(all_odd(at["k_pt"], at["D_pt"] + 1))),
    r"q(k, D+1)",
    theorem.all_odd,
    scale=1.0,
)
_ABOVE = Domain({D_pt: Integers(1, tested_to=8), k_pt: Integers(D_pt + 1, tested_to=40)})
_CLASSES = theorem.CLASSES


def _share(point: Point, draws: int, even: int = 0, unused: int = 0) -> float:
    """How often all classes but some are odd after so many draws, exactly but for the last rounding."""
    classes = point["D_pt"] + 2
    found = numeric.odd_classes(classes - unused, draws)[classes - even - unused]
    return float(Fraction(found, classes**draws))


def _before_last(name: str, latex: str, even: int = 0, unused: int = 0) -> Family:
    """The same after D+2, D+4, … draws up to k-1, one entry for each number of draws, zero for the others."""

    def at_one(point: Point) -> list[float]:
        first = point["D_pt"] + 2
        draws = range(first, point["k_pt"] + 2)
        counts = (n <= point["k_pt"] - 1 and (n - first) % 2 == 0 for n in draws)
        return [_share(point, n, even, unused) if counted else 0.0 for n, counted in zip(draws, counts, strict=True)]

    return Family(name, by_points(at_one), latex, k_pt - D_pt, Reals(0))


_FIRST = Quantity(
    "all classes odd after D+2 draws", at_points(lambda at: _share(at, at["D_pt"] + 2)), "a_{D+2}", scale=1.0
)
_LAST = Quantity(
    "all classes odd after k or k+1 draws",
    at_points(lambda at: _share(at, at["k_pt"] + (at["k_pt"] - at["D_pt"]) % 2)), "a_k", scale=1.0,
)  # fmt: skip
_ALL = _before_last("all classes odd", "a")
_BUT_TWO = _before_last("all classes odd but two", "e", even=2)
_WITHOUT_TWO = _before_last("all classes odd but two, which are never drawn", "c", unused=2)


def _summed(body: sp.Expr) -> sp.Expr:
    return sp.Sum(body, (t, 1, k_pt - D_pt))


_RISES = _summed(2 * _BUT_TWO[t] / _CLASSES**2 - (1 - 1 / _CLASSES) * _ALL[t])
_axiom = functools.partial(_claim, role="axiom", relation="=", domain=_ABOVE, expected="supported")

start = _axiom(
    label="sharpness.property_testing.degree.start",
    statement="Of D+2 draws among D+2 classes all classes get an odd number where each is drawn once: "
    "(D+2)!/(D+2)^(D+2) = (D+1)!/(D+2)^(D+1).",
    left=_FIRST, right=theorem.LEAST_POWER,
)  # fmt: skip
pairs = _axiom(
    label="sharpness.property_testing.degree.pairs",
    statement="Two classes, the others odd, are both even as often as both odd, and besides where neither is drawn: "
    "of n = D+2 classes all but two are odd n (n-1)/2 times as often as all are and as all but two chosen ones are "
    "where these are never drawn; summed over D+2, D+4, … draws.",
    left=lambda: _summed(_BUT_TWO[t]), right=lambda: _CLASSES * (_CLASSES - 1) / 2 * _summed(_ALL[t] + _WITHOUT_TWO[t]),
)  # fmt: skip
draws = _axiom(
    label="sharpness.property_testing.degree.draws",
    statement="Two draws more among n = D+2 classes leave all of them odd with probability 1/n, and make all odd with "
    "probability 2/n² where all but two were; summed over D+2, D+4, … draws.",
    left=_LAST, right=lambda: _FIRST.atom + _RISES,
)  # fmt: skip
last = _axiom(
    label="sharpness.property_testing.degree.last",
    statement="The D+1 blocks are all odd after k draws among them and what lies in none where all D+2 classes are, if "
    "k - D is even; else after one more draw all D+2 classes are odd as often as the blocks were.",
    left=_POWER, right=_LAST.atom,
)  # fmt: skip

least = _claim(
    label="sharpness.property_testing.degree.least", relation=">=", expected="proved",
    statement="The test for degree D by disjoint blocks rejects every character of more than D positions with "
    "probability at least (D+1)!/(D+2)^(D+1) in one trial, which a character of D+1 positions attains.",
    left=_POWER, right=theorem.LEAST_POWER, domain=_ABOVE,
    derivation=Derivation(
        label="sharpness.property_testing.degree.least.proof",
        title="Longer characters are rejected no less often",
        steps=(
            Step(theorem.LEAST_POWER, "D+1 positions, each in a block of its own"),
            Step(_FIRST, "D+2 draws", "each class once", start.label),
            Step(_FIRST.atom + (1 - 1 / _CLASSES) * _summed(_WITHOUT_TWO[t]), "and more", "none is negative"),
            Step(_FIRST.atom + _RISES, "two draws more, and again", "", pairs.label),
            Step(_LAST, "k or k+1 draws", "", draws.label),
            Step(_POWER, "k positions", "", last.label),
        ),
        domain=_ABOVE,
        samples={"one more": {"D_pt": 2, "k_pt": 3}, "many more": {"D_pt": 2, "k_pt": 20}},
        paper=PAPER,
        place=_PLACE,
    ),
)  # fmt: skip

# --- from energy to rejections --------------------------------------------------------------------

_TABLES = Domain(
    {T_pt: Integers(2, tested_to=3), D_pt: Integers(1, T_pt - 1), f_pt: Vector(2**T_pt, Reals(tested_to=1))}
)
_RATE = of_table(
    "rejection rate of a function times its squared spread",
    r"(\max f - \min f)^2\, \mathbb{P}(\Delta \ne 0)",
    numeric.rejected_spread,
)
_SQUARE = of_table("mean square", r"4 \mathbb{E} \Delta^2", numeric.mean_square)
_ABOVE_D = of_table(
    "energy above D", r"\textstyle\sum_{|S| > D} \hat f(S)^2",
    lambda values, degree: WalshSpectrum.of(values).tails[..., degree],
)  # fmt: skip
_SPREAD = of_table(
    "squared spread", r"(\max f - \min f)^2", lambda values, _: (values.amax(-1) - values.amin(-1)).square(),
    nonnegative=True,
)  # fmt: skip
_ENERGY = 4 * theorem.LEAST_POWER * _ABOVE_D.atom


def _of_table(name: str, latex: str, of: Callable[[Tensor, int], Tensor], entries: Reals, length: sp.Expr) -> Family:
    """Numbers of a table of values and the degree that is tested for."""

    def at_one(point: Point) -> list[float]:
        table = torch.tensor([[float(value) for value in point["f_pt"]]], dtype=torch.float64)
        found: list[float] = of(table, point["D_pt"])[0].flatten().double().tolist()
        return found

    return Family(name, by_points(at_one), latex, length, entries)


_DRAWS = (D_pt + 2) ** T_pt * 2**T_pt
"""Ways to choose blocks, and inputs."""


def _half(odd: int) -> Callable[[Tensor, int], Tensor]:
    """A mean over half of the flipped inputs, from 0 where it is the least value to 1 where it is the largest."""

    def of(values: Tensor, degree: int) -> Tensor:
        low, high = values.amin(-1)[:, None, None], values.amax(-1)[:, None, None]
        return ((numeric.half_means(values, degree)[odd] - low) / (high - low).clamp(min=1e-300)).clamp(0, 1)

    return of


_UNIT = Reals(0, 1)
_SIZES = _of_table(
    "energy by size above D", r"w", lambda values, degree: WalshSpectrum.of(values).energies[..., degree + 1 :],
    Reals(0), T_pt - D_pt,
)  # fmt: skip
_REJECTS = _of_table("rejects", "r", numeric.rejected, _UNIT, _DRAWS)
_EVEN = _of_table("share of the mean over even flips", r"p^{+}", _half(0), _UNIT, _DRAWS)
_ODD = _of_table("share of the mean over odd flips", r"p^{-}", _half(1), _UNIT, _DRAWS)


def _over_draws(body: sp.Expr) -> sp.Expr:
    """A mean over ways to choose blocks and inputs, times the squared spread."""
    return _SPREAD.atom * sp.Sum(body, (t, 1, _DRAWS)) / _DRAWS


_BY_SIZES = sp.Sum(_SIZES[t] * theorem.all_odd().subs(k_pt, D_pt + t), (t, 1, T_pt - D_pt))
_table_axiom = functools.partial(_axiom, domain=_TABLES)

sizes = _table_axiom(
    label="sharpness.property_testing.degree.sizes",
    statement="The energy above D adds up from sets of D+1, …, T positions.",
    left=_ABOVE_D, right=lambda: sp.Sum(_SIZES[t], (t, 1, T_pt - D_pt)),
)  # fmt: skip
uncorrelated = _table_axiom(
    label="sharpness.property_testing.degree.uncorrelated",
    statement="As characters are uncorrelated, E Δ² is the sum of squared weights, each times how often its character "
    "is rejected, which none of at most D positions is.",
    left=_SQUARE, right=lambda: 4 * _BY_SIZES,
)  # fmt: skip
halves = _table_axiom(
    label="sharpness.property_testing.degree.halves",
    statement="2Δ is the difference of two means of values of f, over inputs with an even and with an odd number of "
    "blocks flipped, which both lie between min f and max f; and zero where it does not reject.",
    left=_SQUARE, right=lambda: _over_draws((_REJECTS[t] * (_EVEN[t] - _ODD[t])) ** 2),
)  # fmt: skip
counted = _table_axiom(
    label="sharpness.property_testing.degree.counted",
    statement="How often Δ is not zero, counted over all ways to choose blocks and all inputs.",
    left=_RATE, right=lambda: _over_draws(_REJECTS[t]),
)  # fmt: skip
event = _claim(
    label="sharpness.property_testing.degree.event", expected="proved",
    statement="For r, a and b from 0 to 1 the square of r (a - b) is at most r.",
    left=(r_pt * (a_pt - b_pt)) ** 2, right=r_pt, domain=Domain(dict.fromkeys((r_pt, a_pt, b_pt), _UNIT)),
)  # fmt: skip

soundness = _claim(
    label="sharpness.property_testing.degree.soundness", relation=">=", expected="proved",
    statement="Let a real function have squared weights that add up to W on sets of more than D positions. One trial "
    "rejects it with probability at least 4 (D+1)!/(D+2)^(D+1) W / (max f - min f)²; a character of D+1 positions "
    "attains this.",
    left=_RATE, right=_ENERGY, domain=_TABLES, improves=rejection.label,
    derivation=Derivation(
        label="sharpness.property_testing.degree.soundness.proof",
        title="From energy to rejections",
        steps=(
            Step(_ENERGY, "energy above D"),
            Step(4 * theorem.LEAST_POWER * sp.Sum(_SIZES[t], (t, 1, T_pt - D_pt)), "size by size", "", sizes.label),
            Step(4 * _BY_SIZES, "each size by its rate", "none is rejected less often",
                 Instance(least.label, {k_pt: D_pt + t}, over=(t, 1, T_pt - D_pt), weight=_SIZES[t])),
            Step(_SQUARE, "mean square of Δ", "", uncorrelated.label),
            Step(_over_draws((_REJECTS[t] * (_EVEN[t] - _ODD[t])) ** 2), "draw by draw", "", halves.label),
            Step(_over_draws(_REJECTS[t]), "no |2Δ| exceeds max f - min f", "", Instance(
                event.label, {r_pt: _REJECTS[t], a_pt: _EVEN[t], b_pt: _ODD[t]}, over=(t, 1, _DRAWS)
            )),
            Step(_RATE, "rejection rate", "", counted.label),
        ),
        domain=_TABLES,
        samples={
            "parity of two": {"T_pt": 2, "D_pt": 1, "f_pt": (1, -1, -1, 1)},
            "and of three": {"T_pt": 3, "D_pt": 1, "f_pt": (0, 0, 0, 0, 0, 0, 0, 1)},
        },
        paper=PAPER,
        place=_PLACE,
    ),
    limitations=(
        "Stated without the quotient. Its distance is the energy above D and not the degree: a function of little "
        "energy above D has a higher degree all the same, and what is proved for degree D holds for it with that "
        "distance added.",
    ),
)  # fmt: skip


# --- trials and queries ---------------------------------------------------------------------------

trials = _claim(
    label="sharpness.property_testing.degree.trials",
    statement="Of n independent trials, each of which rejects with probability p, all accept with probability at most "
    "exp(-p n): ln(1/δ)/p trials leave at most δ.",
    left=theorem.STAYS,
    right=theorem.STAYS_AT_MOST,
    domain=Domain({p_pt: Reals(0, 1, open_low=True), n_pt: Integers(1)}),
    expected="proved",
)

factor = _claim(
    label="sharpness.property_testing.degree.factor",
    statement="For positive x the product x ln(1 + 1/x) is at most one: every factor (1 + 1/i)^i of "
    "(D+2)^(D+1)/(D+1)!, i = 1, …, D+1, is at most e.",
    left=z_pt * sp.log(1 + 1 / z_pt),
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


# --- restrictions to random positions, and random directions --------------------------------------

_sparsity_claim = functools.partial(claim, place=("Appendix H(2)",))


def _zeros(point: Point) -> torch.Tensor:
    """How many of s-1 single positions are zero: s-1 indicators of degree one, hence s characters."""
    count = int(point["s_pt"]) - 1
    return (~bit_strings(count, 0, 2**count)).sum(-1)


_CHARACTERS = Quantity(
    "characters", at_points(lambda at: numeric.characters_of(_zeros(at))), r"|\{S : \hat f(S) \ne 0\}|", s_pt
)
_SEEN = Quantity(
    "most characters that a restriction shows",
    at_points(lambda at: numeric.most_seen(_zeros(at), at["t_pt"])),
    r"\max_{J, x} |\{S : \widehat{f_J}(S) \ne 0\}|",
    t_pt + 1,
)
_SINGLE = Domain({s_pt: Integers(2, 8), t_pt: Integers(1, s_pt - 1)})

sparsity_printed = _sparsity_claim(
    label="sharpness.property_testing.sparsity.printed", role="printed", reading="plausible", expected="refuted",
    statement="Restrictions of a function to t free positions show how many characters it has. The check takes the "
    "indicators of s-1 single positions, a sum of s characters: some restriction to t < s positions shows all s.",
    left=_CHARACTERS, right=_SEEN, domain=_SINGLE,
    limitations=(
        "A restriction adds up the weights of all sets with the same free positions, and so shows at most as many "
        "characters as there are sets of free positions. Of degree one it shows at most t beside the constant, however "
        "often it is drawn.",
    ),
)  # fmt: skip


collision = _sparsity_claim(
    label="sharpness.property_testing.sparsity.collision", relation="=", expected="certified",
    statement="Two sets that differ in m of T positions fall together in a restriction to t random positions with "
    "probability C(T-m, t)/C(T, t), and along t random directions with probability 2^-t, whatever m is.",
    cases=(
        Case(
            "restriction",
            left=Quantity(
                "share of free positions that see no difference",
                at_points(lambda at: numeric.hidden_share(at["T_pt"], at["m_pt"], at["t_pt"])),
                r"\mathbb{P}(J \cap (S \triangle S') = \emptyset)",
                sp.binomial(T_pt - t_pt, m_pt) / sp.binomial(T_pt, m_pt),
            ),
            right=theorem.HIDDEN,
            domain=Domain({T_pt: Integers(1, 10), m_pt: Integers(1, T_pt), t_pt: Integers(1, T_pt)}),
        ),
        Case(
            "cosets",
            left=Quantity(
                "share of directions that see no difference",
                at_points(lambda at: numeric.merged_share(at["m_pt"], at["t_pt"])),
                r"\mathbb{P}(M 1_{S \triangle S'} = 0)",
                sp.Rational(1, 2) ** t_pt,
            ),
            right=2**-t_pt,
            domain=Domain({m_pt: Integers(1, 4), t_pt: Integers(1, 4)}),
        ),
    ),
    limitations=("Every choice of positions and of directions is enumerated, for T ≤ 10 and m, t ≤ 4.",),
)  # fmt: skip


def _misses(point: Point, trials: int, seed: int, _: str) -> int:
    return numeric.missed(point["T_pt"], point["s_pt"], point["t_pt"], trials, seed)


cosets = _sparsity_claim(
    label="sharpness.property_testing.sparsity.cosets", mode="with probability",
    statement="A function of s characters, restricted to t random directions and transformed there, shows fewer than s "
    "with probability at most s(s-1)/2^(t+1).",
    left=Probability("fewer characters are shown", sparsity_counted(_misses), r"\mathbb{P}(\hat s < s)"),
    right=theorem.UNION,
    domain=lambda: Domain(
        {T_pt: Integers(6, 12), s_pt: Integers(3, 8), t_pt: Integers(3, 6)},
        where=[sp.Ge(theorem.UNION, sp.Rational(2, 5)), sp.Le(theorem.UNION, sp.Rational(19, 20))],
    ),
    repairs=(sparsity_printed.label,), rests_on=(collision.label,),
    limitations=(
        "Counted where the bound lies between 2/5 and 19/20. For 20 indicators and the constant 2^13 queries are "
        "enough for 97 %, where a restriction to 16 of 20 positions takes 2^16.",
    ),
)  # fmt: skip


# --- the first degree and sparsity that a sweep accepts -------------------------------------------

_LENGTH = 20
_DEGREES, _SPARSITIES, _FUNCTIONS = (1, 2, 3, 4, 5), (1, 7, 14, 20), 8
"""The classes of the experiments, and functions of each."""

_TRIALS, _HIGHEST = 200, 7
"""Of a degree test, and where its sweep ends."""

_BITS, _SUBSPACES = 10, 3
"""Of a sparsity test."""

_DIRECTIONS: dict[str, Directions] = {"disjoint blocks": "disjoint", "random sets, as published": "xor"}
_SUBSPACE: dict[str, Subspace] = {"random directions": "cosets", "random positions, as published": "restriction"}


def _drawn(setting: Setting) -> Iterator[tuple[int, int, BlackBox, int]]:
    """Degree, sparsity, function and seed of every function of every class."""
    smoke = setting.profile == "smoke"
    for degree in _DEGREES[:2] if smoke else _DEGREES:
        for sparsity in _SPARSITIES[:2] if smoke else _SPARSITIES:
            count = 1 if smoke else _FUNCTIONS
            members, weights = random_sparse(count, _LENGTH, degree, sparsity, seed=setting.seed)
            for n in range(count):
                yield degree, sparsity, _function(members[n], weights[n]), setting.seed + n


def _function(members: Tensor, weights: Tensor) -> BlackBox:
    return lambda bits: sparse_values(members, weights, bits)


def _spread(name: str, found: Mapping[int, list[float]]) -> Series:
    """Means with one standard deviation to either side."""
    mean = {x: float(np.mean(values)) for x, values in found.items()}
    deviation = {x: float(np.std(values)) for x, values in found.items()}
    return Series(
        name, list(found), list(mean.values()),
        [mean[x] - deviation[x] for x in found], [mean[x] + deviation[x] for x in found], drawn="points",
    )  # fmt: skip


def _accepted(setting: Setting) -> list[Panel]:
    degrees: dict[str, dict[int, list[float]]] = {name: {} for name in _DIRECTIONS}
    sizes: dict[str, dict[int, list[float]]] = {name: {} for name in _SUBSPACE}
    bits, highest = (6, 3) if setting.profile == "smoke" else (_BITS, _HIGHEST)
    for degree, sparsity, function, seed in _drawn(setting):
        for name, directions in _DIRECTIONS.items():
            first = first_accepted_degree(
                function, _LENGTH, highest=highest, trials=_TRIALS, seed=seed, directions=directions
            )
            degrees[name].setdefault(degree, []).append(highest + 1 if first is None else first)
        for name, subspace in _SUBSPACE.items():
            seen = sparsity_test(function, _LENGTH, bits, trials=_SUBSPACES, seed=seed, subspace=subspace)
            sizes[name].setdefault(sparsity, []).append(seen.at_least - 1)
    return [
        Panel("Degree", "degree D", "first accepted degree", [
            Series("true", list(_DEGREES), list(_DEGREES)), *(_spread(*one) for one in degrees.items()),
        ]),
        Panel("Sparsity", "indicators ω", "first accepted sparsity, without the constant", [
            Series("true", list(_SPARSITIES), list(_SPARSITIES)), *(_spread(*one) for one in sizes.items()),
        ]),
    ]  # fmt: skip


accepted = Study(
    label="sharpness.property_testing.accepted",
    title="First accepted degree and sparsity",
    caption="Length 20, eight functions a class; means and one standard deviation over functions and the other factor. "
    "With 200 trials of each degree, disjoint blocks find it but for the rarest rejections; random sets reject all up "
    "to where 2^-(D+1) is too rare to be seen, whatever the degree (the sweep ends at 7, and none accepted counts as "
    "8). With 3 subspaces of 2^10 queries random directions show nearly all indicators; restrictions to 10 positions "
    "lose those that fall together or lie outside.",
    claims=(
        "sharpness.property_testing.degree.printed",
        "sharpness.property_testing.degree.rejection",
        "sharpness.property_testing.sparsity.printed",
        "sharpness.property_testing.sparsity.cosets",
    ),
    compute=_accepted,
    paper=PAPER,
    place=("Appendix H(1)", "Appendix H(2)"),
)
