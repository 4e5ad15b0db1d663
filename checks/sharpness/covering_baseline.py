"""Appendix E.3: the covering baseline's curve as a shape, where it crosses the bound, and the norms that enter it."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp

from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.sharpness import covering_baseline as theorem
from boundaudit.derivations.sharpness.covering_baseline import n_w, w_n
from boundaudit.derivations.sharpness.parameters import D, omega

claim = functools.partial(Claim, paper=PAPER, place=("Appendix E",))
_SHAPE = "A shape through the one printed value: the constants of the covering baseline's bound are not printed."
_MILLION = Domain({m: Integers(10**6, 10**6)})

# --- what the statement leaves open ---------------------------------------------------------------

constants = claim(
    label="sharpness.covering_baseline.constants",
    statement="At T = 20, D = 2, ω = 10 and m = 10⁶ the covering-number bound of earlier work, with the "
    "construction's norms, is 1.01.",
    role="printed",
    left=theorem.WITH_LOG,
    relation="<=",
    right=theorem.PRINTED,
    domain=_MILLION,
    place=("Appendix E", "Equation 12", "Equation 13"),
    reading="plausible",
    expected="not testable",
    rests_on=("sharpness.covering_baseline.conversion",),
    missing="the constants and the product of norms in the covering baseline's bound; many combinations of the norms "
    "come within a part in a hundred of the aggregate that 1.01 needs",
    limitations=(
        "A faithful instance carries products of spectral norms to the power of the depth and larger constants.",
    ),
)

needed = claim(
    label="sharpness.covering_baseline.aggregate",
    statement="For C √(ln(d m T)/m), the shape of a covering-number bound, to be 1.01 at m = 10⁶, d = 22 and T = 20, C "
    "is 226.4.",
    left=lambda: sp.Abs(theorem.PRINTED / sp.sqrt(theorem.LOG / m) - sp.Rational("226.4")),
    relation="<=",
    right=sp.Rational("0.05"),
    domain=_MILLION,
    expected="proved",
    limitations=(_SHAPE,),
)

# --- crossings ------------------------------------------------------------------------------------

_FAR = 10**14
"""Up to here the order of the curves is decided."""


def _short(number: int) -> str:
    return f"{number:.4g}".replace("e+0", "e").replace("e+", "e")


def _crossing(name: str, curve: sp.Expr, bound: sp.Expr, words: str, at: int, until: int) -> tuple[Case, Case]:
    sides: Any = {"left": curve, "right": bound}
    growth = "" if curve is theorem.WITH_LOG else ", read without growth of its logarithm,"
    subject = f"samples the covering baseline's curve{growth} is"
    return (
        Case(
            f"{name},before",
            statement=f"Up to m = {_short(at)} {subject} at least {words}.",
            relation=">=",
            kind="Lower",
            domain=Domain({m: Integers(1, at)}),
            **sides,
        ),
        Case(
            f"{name},after",
            statement=f"From m = {_short(until)} to {_short(_FAR)} {subject} at most {words}.",
            domain=Domain({m: Integers(until, _FAR)}),
            **sides,
        ),
    )


_OPTIMUM = "the optimum of the published bound with one variance for prior and posterior"
_SCALED = "0.327 (10⁶/m)^(1/3)"
crossings = claim(
    label="sharpness.covering_baseline.crossing",
    statement="The covering baseline's curve through 1.01 at m = 10⁶ falls below the PAC-Bayes bound's.",
    expected="proved",
    rests_on=("sharpness.covering_baseline.aggregate", "sharpness.bound.optimum.printed"),
    limitations=(_SHAPE,),
    cases=(
        *_crossing("plain", theorem.PLAIN, theorem.PUBLISHED, _OPTIMUM, 5_685_000_000, 5_688_000_000),
        *_crossing("with-log", theorem.WITH_LOG, theorem.PUBLISHED, _OPTIMUM, 18_990_000_000, 19_010_000_000),
        *_crossing("plain,scaled", theorem.PLAIN, theorem.SCALED, _SCALED, 867_500_000, 868_500_000),
        *_crossing("with-log,scaled", theorem.WITH_LOG, theorem.SCALED, _SCALED, 2_325_000_000, 2_335_000_000),
    ),
)

# --- norms ----------------------------------------------------------------------------------------

conversion = claim(
    label="sharpness.covering_baseline.conversion",
    statement="The (2,1) norm of a matrix, the sum of its columns' norms, is at most √n times its Frobenius norm, with "
    "equality for n columns of one norm.",
    role="printed",
    left=theorem.BY_COLUMNS,
    relation="<=",
    right=theorem.BY_FROBENIUS,
    domain=Domain({n_w: Integers(1, tested_to=6), w_n: Vector(n_w, Reals(0))}),
    kind="Tight",
    equality=({"n_w": 3, "w_n": (2, 2, 2)},),
    place=("Appendix E", "Equation 12"),
    reading="plausible",
    expected="proved",
)

first_converted = claim(
    label="sharpness.covering_baseline.W1-converted",
    statement="Where components of D positions fill all T = D ω positions side by side, the (2,1) norm of W1 is 2 ω √D "
    "log T, 84.73 at E.3. Its conversion √(T+2) ‖W1‖_F through the Frobenius norm is at least √D times as large, as "
    "most columns of W1 are zero.",
    left=lambda: sp.sqrt(D) * theorem.FIRST,
    relation="<=",
    right=theorem.FIRST_CONVERTED,
    domain=Domain({D: Integers(1, tested_to=4), omega: Integers(2, tested_to=10)}),
    place=("Appendix E", "Equation 12"),
    expected="proved",
    improves="sharpness.covering_baseline.conversion",
)
