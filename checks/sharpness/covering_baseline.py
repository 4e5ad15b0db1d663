"""Appendix E.3: the covering baseline's curve as a shape, and the norms that enter it."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.sharpness import covering_baseline as theorem
from boundaudit.derivations.sharpness.covering_baseline import n_w, w_n
from boundaudit.derivations.sharpness.parameters import D, omega

claim = functools.partial(Claim, paper=PAPER, place=("Appendix E",))
_MILLION = Domain({m: Integers(10**6, 10**6)})

# --- what the statement leaves open ---------------------------------------------------------------

constants = claim(
    label="sharpness.covering_baseline.constants", role="printed", place=("Appendix E", "Equation 12", "Equation 13"),
    reading="plausible", expected="not testable",
    statement="At T = 20, D = 2, ω = 10 and m = 10⁶ the covering-number bound of earlier work, with the "
    "construction's norms, is 1.01.",
    left=theorem.WITH_LOG, right=theorem.PRINTED, domain=_MILLION, rests_on=("sharpness.covering_baseline.conversion",),
    missing="the constants and the product of norms in the covering baseline's bound; many combinations of the norms "
    "come within a part in a hundred of the aggregate that 1.01 needs",
    limitations=(
        "A faithful instance carries products of spectral norms to the power of the depth and larger constants.",
    ),
)  # fmt: skip


# --- norms ----------------------------------------------------------------------------------------

conversion = claim(
    label="sharpness.covering_baseline.conversion", role="printed", kind="Tight", place=("Appendix E", "Equation 12"),
    reading="plausible", expected="proved",
    statement="The (2,1) norm of a matrix, the sum of its columns' norms, is at most √n times its Frobenius norm, with "
    "equality for n columns of one norm.",
    left=theorem.BY_COLUMNS, right=theorem.BY_FROBENIUS,
    domain=Domain({n_w: Integers(1, tested_to=6), w_n: Vector(n_w, Reals(0))}),
    equality=({"n_w": 3, "w_n": (2, 2, 2)},),
)  # fmt: skip

first_converted = claim(
    label="sharpness.covering_baseline.W1-converted", place=("Appendix E", "Equation 12"), expected="proved",
    statement="Where components of D positions fill all T = D ω positions side by side, the (2,1) norm of W1 is 2 ω √D "
    "log T, 84.73 at E.3. Its conversion √(T+2) ‖W1‖_F through the Frobenius norm is at least √D times as large, as "
    "most columns of W1 are zero.",
    left=lambda: sp.sqrt(D) * theorem.FIRST, right=theorem.FIRST_CONVERTED,
    domain=Domain({D: Integers(1, tested_to=4), omega: Integers(2, tested_to=10)}),
    improves="sharpness.covering_baseline.conversion",
)  # fmt: skip
