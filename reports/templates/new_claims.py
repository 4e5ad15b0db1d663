"""Claims of my own, to be audited: `boundaudit verify` with this file's name says what is true of them.

A claim is ``left <= right`` (or ``>=``, or ``=``) for every point of a domain. Each claim at the top of this file is
audited; its label is a name of your choice with at least one dot. Replace the four below by your own.
"""

from collections.abc import Sequence

import numpy as np
import sympy as sp

from boundaudit import Claim, Domain, Integers, Point, Probability, Quantity, Reals, symbol

# Parameters: name, meaning, and what SymPy may assume. The domain must grant what is assumed.
p = symbol("p", "probability of heads", nonnegative=True)
n = symbol("n", "number of tosses", integer=True, positive=True)
t = symbol("t", "deviation from the mean", positive=True)

# A formula on both sides can be proved. Write numbers exactly: sp.Rational(1, 4), not 0.25. Where the claim is tight,
# `equality` lists points at which both sides are equal, a value for every parameter.
variance = Claim(
    label="coins.variance",
    statement="The variance of a coin is at most one quarter.",
    left=p * (1 - p),
    relation="<=",
    right=sp.Rational(1, 4),
    domain=Domain({p: Reals(0, 1)}),
    equality=({p: sp.Rational(1, 2)},),
    place=("Step 1",),  # where it is said
    expected="proved",  # the verdict you expect; another one makes the exit status 1
)

# What you believe to be false is a claim too: the audit looks for a counterexample, and keeps it on record.
too_small = Claim(
    label="coins.too-small",
    statement="The variance of a coin is at most 6/25.",
    left=p * (1 - p),
    relation="<=",
    right=sp.Rational(6, 25),
    domain=Domain({p: Reals(0, 1)}),
    place=("Step 2",),
    expected="refuted",
)


def largest_share(points: Sequence[Point], device: str) -> np.ndarray:
    """A measurement: from points, such as {"n": 3, "p": 0.5}, to one number for each."""
    return np.array([max(point["p"], 1 - point["p"]) ** point["n"] for point in points])


# A measured side has no formula, so that it can be supported or refuted, not proved.
measured = Claim(
    label="coins.measured",
    statement="No sequence of n tosses is likelier than exp(-n min(p, 1 - p)).",
    left=Quantity("probability of the likeliest sequence", largest_share, r"\max_x P(x)"),
    relation="<=",
    right=sp.exp(-n * sp.Min(p, 1 - p)),
    domain=Domain({n: Integers(1, 20), p: Reals(0, 1)}),
    place=("Step 3",),
    rests_on=("coins.variance",),  # what its proof uses: it falls where that falls
    expected="supported",
)


def deviations(points: Sequence[Point], trials: int, seed: int, device: str) -> np.ndarray:
    """Count an event: from points, a number of independent trials and a seed to how often it happened at each point."""
    drawn = [np.random.default_rng([seed, i]).binomial(a["n"], a["p"], trials) for i, a in enumerate(points)]
    counts = [(x / a["n"] - a["p"] >= a["t"]).sum() for x, a in zip(drawn, points, strict=True)]
    return np.array(counts)


# A probability on the left is counted in independent trials and compared by Clopper-Pearson's exact interval.
hoeffding = Claim(
    label="coins.hoeffding",
    statement="The mean of n tosses exceeds its expectation by t with probability at most exp(-2 n t^2).",
    left=Probability("P(mean - p >= t)", deviations, r"P(\bar x - p \ge t)"),
    relation="<=",
    right=sp.exp(-2 * n * t**2),
    domain=Domain({n: Integers(1, 100), p: Reals(0, 1), t: Reals(sp.Rational(1, 20), sp.Rational(1, 2))}),
    place=("Step 4",),
    rests_on=("coins.measured",),
    expected="supported",
)
