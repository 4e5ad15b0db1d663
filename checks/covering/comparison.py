"""Which of the two papers' linear covering numbers is smaller: (1,1) norms without T, or (2,1) norms with log(dmT)."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.covering import COMPARATOR, PAPER
from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.derivations.covering import comparison as theory
from boundaudit.derivations.covering.comparison import m_cmp, r_cmp, t_cmp
from boundaudit.derivations.covering.linear import a_cov
from boundaudit.derivations.covering.symbols import N_cov, d_cov, k_cov

_claim = functools.partial(Claim, paper=COMPARATOR, place=("Lemma 4.6",))
_SIZES = {d_cov: Integers(1), k_cov: Integers(1)}
_RATIOS = {r_cmp: Reals(1, tested_to=64), t_cmp: Reals(0, open_low=True)}
_CONSTANT = "With the constant one for the comparator, whose own is not known to us."

crossing = _claim(
    label="covering.comparison.crossing",
    statement="With ρ = ‖W‖_{1,1}/‖W‖_{2,1} and T* = (2dk + 1)^{ρ²}/(dm), the comparator's log(dmT) at T = t T* is "
    "Trauger & Tewari's ρ² log(2dk + 1) plus log t: theirs is smaller beyond T* tokens and only there. For one "
    "non-zero entry a row (ρ = 1) that is from (2k + 1/d)/m tokens on, and so always once m > 2k; for dense rows "
    "(ρ = √d) from (2dk + 1)^d/(dm) on, in practice never.",
    left=lambda: theory.WITH_TOKENS - theory.ENTRIES,
    relation="=",
    right=sp.log(t_cmp),
    domain=Domain({**_SIZES, m_cmp: Integers(1), **_RATIOS}),
    expected="proved",
    limitations=(_CONSTANT,),
)


best = _claim(
    label="covering.comparison.two-stages",
    statement="The logarithm log(2dk) that a cover by rows in root mean square costs is at most Trauger & Tewari's ρ² "
    "log(2dk + 1) for every ρ ≥ 1, and at most the comparator's log(dN) from N = mT = 2k inputs on: for a read-out at "
    "one token the smaller norm comes without the tokens.",
    cases=(
        Case(
            "entries", left=theory.ROWS_BY_ATOMS, right=theory.ENTRIES_BY_ATOMS,
            domain=Domain({a_cov: Integers(2), r_cmp: Reals(1)}), paper=PAPER,
        ),
        Case(
            "inputs", left=lambda: theory.ROWS_BY_ATOMS.subs(a_cov, 2 * d_cov * k_cov),
            right=lambda: theory.AS_MANY_INPUTS, domain=Domain({**_SIZES, N_cov: Integers(2 * k_cov)}),
            kind="Tight", equality=({"d_cov": 3, "k_cov": 2, "N_cov": 4},),
        ),
    ),
    rests_on=("covering.linear.rows.radius",),
    expected="proved",
    limitations=(_CONSTANT,),
)  # fmt: skip
