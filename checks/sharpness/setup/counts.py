"""Appendix B: channels and parameters of the construction."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.sharpness.setup.shared import claim, per_size
from boundaudit.derivations.sharpness import setup as theorem
from boundaudit.derivations.sharpness.parameters import D, T
from boundaudit.numeric.sharpness import setup as numeric
from boundaudit.numeric.sharpness.construction import Layout

_NETWORKS = Domain({T: Integers(2, tested_to=24), D: Integers(1, T)})


def _width(name: str, statement: str, layout: Layout, definition: sp.Expr, right: sp.Expr) -> Claim:
    def count(length: int, degree: int) -> float:
        return numeric.channel_count(length, degree, layout)

    return claim(
        label=f"sharpness.setup.width.{name}",
        statement=statement,
        left=Quantity("channels", per_size(count, "T", "D"), "d + 1", definition),
        relation="=",
        right=right,
        domain=_NETWORKS,
        place=("Appendix B",),
        reading="certain" if layout == "published" else "derived here",
        expected="proved",
    )


width_published = _width(
    "published",
    "The construction without a projection is T+2 wide: one channel for each position and for the output position, and "
    "one for bit and data.",
    "published",
    theorem.POSITION_CHANNELS + 1,
    theorem.WIDTH,
)

width_separate = _width(
    "separate-data",
    "With a channel of its own for the data the construction is T+3 wide.",
    "separate-data",
    theorem.POSITION_CHANNELS + 2,
    theorem.SEPARATE_WIDTH,
)

_COUNT = Quantity(
    "number of parameters", per_size(numeric.parameter_count, "T", "D"), r"|\Theta|", theorem.COUNT_BY_BLOCKS
)

count_published = claim(
    label="sharpness.setup.parameter-count.published",
    statement="With d+1 = T+2 channels the construction has 3(d+1)² + (d+1) + (8d+6)(D+1) parameters.",
    left=_COUNT,
    relation="=",
    right=theorem.PUBLISHED_COUNT,
    domain=_NETWORKS,
    place=("Appendix B",),
    reading="plausible",
    expected="refuted",
    limitations=("The formula is that of the authors' public code, with M, F and Gamma taken as full blocks.",),
)

count_repaired = claim(
    label="sharpness.setup.parameter-count.repaired",
    statement="With d+1 = T+2 channels the construction has 3(d+1)² + (d+1) + (8d+12)(D+1) parameters, 6(D+1) more "
    "than published: M and F have d+1 entries for each of 4(D+1) hidden units, Gamma one.",
    left=_COUNT,
    relation="=",
    right=theorem.COUNT,
    domain=_NETWORKS,
    place=("Appendix B",),
    expected="proved",
    rests_on=("sharpness.setup.width.published",),
    repairs=("sharpness.setup.parameter-count.published",),
)
