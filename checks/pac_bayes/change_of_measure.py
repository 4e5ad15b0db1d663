"""Change of measure on finite sets: Donsker and Varadhan, Markov, restricted priors, truncated posteriors."""

from __future__ import annotations

import functools
from typing import Any

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.derivations.pac_bayes import change_of_measure as theory
from boundaudit.derivations.pac_bayes.change_of_measure import c_a, g_a, n_a, r_a, w_pi, w_rho, x_a0, z_a

_POSITIVE = Reals(0, open_low=True, tested_to=10)
_WEIGHTS = Vector(n_a, _POSITIVE)
_SETS: dict[Any, Range] = {n_a: Integers(1, tested_to=4), w_rho: _WEIGHTS, w_pi: _WEIGHTS}
_FUNCTIONS: dict[Any, Range] = {**_SETS, g_a: _WEIGHTS, z_a: _POSITIVE}
_claim = functools.partial(Claim, paper=PAPER, place=("Donsker-Varadhan",))
_FINITE = "On finite sets, with every weight positive."

tangent = _claim(
    label="pac_bayes.change_of_measure.tangent",
    statement="For positive weights w of a posterior, b of a prior, positive values g and every z > 0 the sum of "
    "w ln(z b g / w) is at most that of z b g - w: the tangent of the logarithm, term by term.",
    left=theory.TANGENT,
    relation="<=",
    right=theory.TANGENT_MOST,
    domain=Domain(_FUNCTIONS),
    kind="Tight",
    equality=({"n_a": 1, "w_rho": (1,), "w_pi": (1,), "g_a": (1,), "z_a": 1},),
    expected="proved",
    limitations=(_FINITE,),
)

normalised = _claim(
    label="pac_bayes.change_of_measure.normalised",
    statement="Let z be at most one over the prior's mean of g. A posterior's mean of φ = ln g is at most its "
    "relative entropy to the prior less ln z. The formula has both sides times the sum of the posterior's weights.",
    role="printed",
    left=theory.MEAN,
    relation="<=",
    right=theory.BY_NORMALISER,
    domain=Domain(_FUNCTIONS, where=[z_a * theory.PARTITION <= theory.POSTERIOR]),
    kind="Tight",
    equality=({"n_a": 2, "w_rho": (1, 4), "w_pi": (1, 2), "g_a": (1, 2), "z_a": 1},),
    expected="proved",
    rests_on=("pac_bayes.change_of_measure.tangent",),
    limitations=(
        _FINITE,
        "At the largest z this is Donsker and Varadhan's inequality, with equality where w is proportional to b g.",
    ),
)

markov = _claim(
    label="pac_bayes.change_of_measure.markov",
    statement="Markov's inequality: a threshold times the weight of the atoms at which a nonnegative variable reaches "
    "it is at most the variable's sum, so that the probability of E/δ or more is at most δ.",
    left=theory.BEYOND,
    relation="<=",
    right=theory.EXPECTATION,
    domain=Domain({
        n_a: Integers(1, tested_to=4), c_a: _POSITIVE, w_rho: _WEIGHTS, x_a0: Vector(n_a, Reals(c_a, tested_to=20)),
        r_a: Reals(0, tested_to=10),
    }),
    kind="Tight",
    equality=({"n_a": 1, "c_a": 2, "w_rho": (1,), "x_a0": (2,), "r_a": 0},),
    expected="proved",
    limitations=("Finitely many values.",),
)  # fmt: skip

# --- priors on a part, truncated posteriors --------------------------------------------------------
