"""Betting against a mean: what a mixture of bets loses, and bounds that hold for all sample sizes at once."""

from __future__ import annotations

import functools
import math

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.checks.pac_bayes.coverage.failures import DELTAS, claim, failing
from boundaudit.checks.pac_bayes.coverage.learners import table
from boundaudit.derivations.pac_bayes import betting as theory
from boundaudit.derivations.pac_bayes.betting import k_t, l_t, nu_t, x_t
from boundaudit.derivations.pac_bayes.symbols import delta, m
from boundaudit.numeric.pac_bayes import coverage as simulated
from boundaudit.numeric.pac_bayes.coverage import exceeds

_claim = functools.partial(Claim, paper=PAPER, place=("Jang",))
_POSITIVE = Reals(0, open_low=True)

# --- what a mixture of bets loses -----------------------------------------------------------------

growth = _claim(
    label="pac_bayes.betting.growth",
    statement="From m to m + 1 the square of 2√m C(2m, m)/4^m is multiplied by ((2m+1)/(2m+2))² (m+1)/m, at least 1; "
    "as it "
    "is 1 at m = 1, C(2m, m)/4^m is at least 1/(2√m) for every m ≥ 1.",
    left=theory.GROWTH_STEP,
    relation=">=",
    right=sp.Integer(1),
    domain=Domain({m: Integers(1)}),
    expected="proved",
)

midpoint = _claim(
    label="pac_bayes.betting.midpoint",
    statement="1/(x + ½)² is at most 1/x - 1/(x + 1) for x > 0; summed over x, x + 1, … it says that the second "
    "derivative "
    "of ln Γ(x + ½) is at most 1/x, that of x ln x.",
    left=theory.MIDPOINT,
    relation="<=",
    right=theory.TELESCOPE,
    domain=Domain({x_t: _POSITIVE}),
    expected="proved",
)


@at_points
def _mixture(p: Point) -> float:
    """2√m B(k+½, m-k+½)/π over (k/m)^k (1-k/m)^(m-k)."""
    from scipy import special  # loaded with the first measurement

    count, k = p["m"], p["k_t"]
    best = special.xlogy(k, k / count) + special.xlogy(count - k, 1 - k / count)
    mean = special.betaln(k + 0.5, count - k + 0.5) - math.log(math.pi)
    return float(np.exp(math.log(2 * math.sqrt(count)) + mean - best))


regret = _claim(
    label="pac_bayes.betting.regret",
    statement="Bets mixed by the Beta(½, ½) law fall behind the best bet in hindsight by a factor of at most 2√m "
    "(Krichevsky & Trofimov 1981). For k = 0 … m, 2√m B(k+½, m-k+½)/π is at least (k/m)^k (1-k/m)^(m-k).",
    role="printed",
    left=Quantity("2√m times the mixture over the best bet", _mixture, r"2\sqrt{m}\, C_m / C_m^*", rounding=1e-9),
    relation=">=",
    right=sp.Integer(1),
    domain=Domain({m: Integers(1, tested_to=4096), k_t: Integers(0, m)}),
    kind="Tight",
    equality=({"m": 1, "k_t": 0},),
    rests_on=("pac_bayes.betting.growth", "pac_bayes.betting.midpoint"),
    limitations=("The concavity that leads from both steps to all k is read in the derivation, not checked.",),
)

# --- all sizes at once ------------------------------------------------------------------------------

_PATH = [4**k for k in range(11)]


def _path_fails(point: Point, trials: int, seed: int, *, form: str, factor: float) -> Tensor:
    """Whether a form fails at some size of a sample that grows."""
    temperature = {"temperature": 0.5} if form == "catoni" else {}
    learned = simulated.gibbs_path(*table(), 0.5, _PATH, trials, seed)
    small = float(point["delta"])
    fails = [
        exceeds(one, size, small, form, value=factor, **temperature)
        for one, size in zip(learned, _PATH, strict=True)
    ]  # fmt: skip
    return torch.stack(fails).any(0)


def _paths(factor: float, *forms: str) -> tuple[Case, ...]:
    words = "" if factor == 1 else "95 % of "
    return tuple(
        Case(
            f"path,{form}",
            left=failing(
                f"{words}the bound {form} fails for a Gibbs posterior at one or more of m = 1, 4, …, 4^10",
                functools.partial(_path_fails, form=form, factor=factor),
            ),
            domain=Domain({delta: DELTAS}),
        )
        for form in forms
    )


anytime = claim(
    label="pac_bayes.betting.anytime",
    statement="Maurer's bound, with ln(2√m/δ) as it is, and Catoni's hold for all m at once with probability at "
    "least 1-δ. Samples come one by one, and posteriors may follow them. Counted at m = 1, 4, 16, …, 4^10.",
    role="printed",
    place=("Chugg",),
    rests_on=("pac_bayes.change_of_measure.varadhan", "pac_bayes.betting.regret", "pac_bayes.binary_kl.variational"),
    limitations=("Ville's inequality is read, not checked; counted for a Gibbs posterior on 64 hypotheses.",),
    cases=_paths(1.0, "maurer", "catoni"),
)


# --- losses between zero and one ------------------------------------------------------------------

chord = _claim(
    label="pac_bayes.betting.chord",
    statement="For a loss x in [0, 1] and ν > 1, ln(ν - x) is at least (1-x) ln ν + x ln(ν-1): at every ν the "
    "coin-betting "
    "bound is at most what losses of zero and one with the same mean give, Maurer's bound at the best ν.",
    left=theory.CURVE,
    relation=">=",
    right=theory.CHORD,
    domain=Domain({nu_t: _POSITIVE, l_t: Reals(0, 1)}),
    kind="Tight",
    equality=({"nu_t": 1, "l_t": 0}, {"nu_t": 1, "l_t": 1}),
    expected="proved",
)
