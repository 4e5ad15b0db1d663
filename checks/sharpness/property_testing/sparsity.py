"""Appendix H, sparsity: restrictions to random positions, and random directions."""

from __future__ import annotations

import functools

import sympy as sp
import torch

from boundaudit.checks.language.claim import Case, Probability, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points, counted
from boundaudit.checks.sharpness.property_testing import tables
from boundaudit.derivations.sharpness import property_testing as theorem
from boundaudit.derivations.sharpness.property_testing import T_pt, m_pt, s_pt, t_pt
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness import property_testing as numeric

_claim = functools.partial(tables.claim, place=("Appendix H(2)",))


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

printed = _claim(
    label="sharpness.property_testing.sparsity.printed",
    statement="Restrictions of a function to t free positions show how many characters it has. The check takes the "
    "indicators of s-1 single positions, a sum of s characters: some restriction to t < s positions shows all s.",
    left=_CHARACTERS,
    relation="<=",
    right=_SEEN,
    domain=_SINGLE,
    role="printed",
    reading="plausible",
    expected="refuted",
    limitations=(
        "A restriction adds up the weights of all sets with the same free positions, and so shows at most as many "
        "characters as there are sets of free positions. Of degree one it shows at most t beside the constant, however "
        "often it is drawn.",
    ),
)


collision = _claim(
    label="sharpness.property_testing.sparsity.collision",
    statement="Two sets that differ in m of T positions fall together in a restriction to t random positions with "
    "probability C(T-m, t)/C(T, t), and along t random directions with probability 2^-t, whatever m is.",
    relation="=",
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
    expected="certified",
    limitations=("Every choice of positions and of directions is enumerated, for T ≤ 10 and m, t ≤ 4.",),
)


def _misses(point: Point, trials: int, seed: int, _: str) -> int:
    return numeric.missed(point["T_pt"], point["s_pt"], point["t_pt"], trials, seed)


cosets = _claim(
    label="sharpness.property_testing.sparsity.cosets",
    statement="A function of s characters, restricted to t random directions and transformed there, shows fewer than s "
    "with probability at most s(s-1)/2^(t+1).",
    left=Probability("fewer characters are shown", counted(_misses), r"\mathbb{P}(\hat s < s)"),
    relation="<=",
    right=theorem.UNION,
    domain=lambda: Domain(
        {T_pt: Integers(6, 12), s_pt: Integers(3, 8), t_pt: Integers(3, 6)},
        where=[sp.Ge(theorem.UNION, sp.Rational(2, 5)), sp.Le(theorem.UNION, sp.Rational(19, 20))],
    ),
    role="successor",
    repairs=(printed.label,),
    mode="with probability",
    rests_on=(collision.label,),
    limitations=(
        "Counted where the bound lies between 2/5 and 19/20. For 20 indicators and the constant 2^13 queries are "
        "enough for 97 %, where a restriction to 16 of 20 positions takes 2^16.",
    ),
)
