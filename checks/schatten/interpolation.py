"""Section 4: a matrix is low rank plus a small remainder, and balancing the two gives the exponents of the bound."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.schatten import PAPER
from boundaudit.derivations.schatten import interpolation as theory
from boundaudit.derivations.schatten.interpolation import t_sch, u_sch
from boundaudit.derivations.schatten.symbols import N_sch, S_sch, e_sch, epsilon_sch, n_sch, p_sch, s_sch, tau_sch

_claim = functools.partial(Claim, paper=PAPER, place=("Section 4",))
_POSITIVE = Reals(0, open_low=True, tested_to=8)
_INDEX = Reals(0, 2, open_low=True)
_INDICES = e_sch / sp.Integer(8)
_SPECTRUM = Domain({
    n_sch: Integers(1, tested_to=6), e_sch: Integers(1, 16), tau_sch: _POSITIVE,
    s_sch: Vector(n_sch, Reals(0, tested_to=8)),
})  # fmt: skip
_MATRIX = "W with the singular values s_1, …, s_n, S_p = Σ s_i^p and a threshold τ > 0"
_BALANCE = Domain({N_sch: Integers(1), p_sch: _INDEX, S_sch: _POSITIVE, epsilon_sch: _POSITIVE})
_RECOVERED = "The paper's own lemma was not seen; its exponents are those of the proxy in the authors' code."

large = _claim(
    label="schatten.interpolation.large-value",
    statement="A singular value of at least the threshold τ counts for at most its share (s/τ)^p, for 0 < p ≤ 2.",
    left=sp.Integer(1),
    right=u_sch**p_sch,
    domain=Domain({u_sch: Reals(1), p_sch: _INDEX}),
    kind="Tight",
    equality=({"u_sch": 1, "p_sch": 1},),
    expected="proved",
)

small = _claim(
    label="schatten.interpolation.small-value",
    statement="A singular value below the threshold τ has (s/τ)² ≤ (s/τ)^p, for 0 < p ≤ 2.",
    left=u_sch**2,
    right=u_sch**p_sch,
    domain=Domain({u_sch: Reals(0, 1, open_low=True), p_sch: _INDEX}),
    kind="Tight",
    equality=({"u_sch": sp.Rational(1, 2), "p_sch": 2}, {"u_sch": 1, "p_sch": 1}),
    expected="proved",
)

count = _claim(
    label="schatten.interpolation.count",
    statement=f"Take a matrix {_MATRIX}. At most S_p/τ^p singular values exceed τ, for p = e/8 ≤ 2.",
    role="printed",
    left=theory.LARGE,
    right=lambda: theory.power_sum(_INDICES) / tau_sch**_INDICES,
    domain=_SPECTRUM,
    reading="plausible",
    rests_on=(large.label,),
    limitations=(_RECOVERED,),
)

remainder = _claim(
    label="schatten.interpolation.remainder",
    statement=f"Take a matrix {_MATRIX}. The singular values up to τ have Σ s_i² ≤ τ^(2-p) S_p, for p = e/8 ≤ 2.",
    role="printed",
    left=theory.SMALL,
    right=lambda: tau_sch ** (2 - _INDICES) * theory.power_sum(_INDICES),
    domain=_SPECTRUM,
    reading="plausible",
    rests_on=(small.label,),
    limitations=(_RECOVERED,),
)

joint = _claim(
    label="schatten.interpolation.joint",
    statement="Let a matrix have S_p = Σ s_i^p, and let k of its singular values s_i exceed a threshold τ > 0. Both "
    "limits hold together: k τ^p + τ^(p-2) Σ s_i² ≤ S_p, with the sum over the others, for p = e/8 ≤ 2. Equality "
    "holds where no singular value but τ and 0 occurs.",
    left=lambda: tau_sch**_INDICES * theory.LARGE + tau_sch ** (_INDICES - 2) * theory.SMALL,
    right=lambda: theory.power_sum(_INDICES),
    domain=_SPECTRUM,
    kind="Tight",
    equality=({"n_sch": 2, "e_sch": 8, "tau_sch": 3, "s_sch": (3, 0)},),
    rests_on=(large.label, small.label),
    improves=remainder.label,
)

by_count = _claim(
    label="schatten.interpolation.remainder-by-count",
    statement=f"Of a matrix {_MATRIX}, of which k singular values exceed τ, the others have Σ s_i² ≤ (n-k) τ².",
    left=theory.SMALL,
    right=lambda: (n_sch - theory.LARGE) * tau_sch**2,
    domain=Domain({
        n_sch: Integers(1, tested_to=6), tau_sch: _POSITIVE, s_sch: Vector(n_sch, Reals(0, tested_to=8)),
    }),
    kind="Tight",
    equality=({"n_sch": 2, "tau_sch": 3, "s_sch": (3, 4)},),
)  # fmt: skip

# --- the balance ----------------------------------------------------------------------------------

balance = _claim(
    label="schatten.interpolation.balance",
    statement="At the threshold τ = (S ε²/N)^(1/(p+2)) the entropies of both parts of an N × N matrix with S_p ≤ S, "
    "without logarithms and constants, are Ψ = N^(2(p+1)/(p+2)) S^(2/(p+2)) ε^(-2p/(p+2)); in logarithms.",
    relation="=",
    right=lambda: theory.logarithm(theory.PSI),
    domain=_BALANCE,
    expected="proved",
    limitations=(
        "The root of Ψ at ε = 1/s is S^(1/(p+2)) s^(p/(p+2)) N^((p+1)/(p+2)), the proxy's summand for one matrix.",
    ),
    cases=(
        Case("low-rank", left=lambda: theory.balanced(theory.LOW_RANK), rests_on=(count.label,)),
        Case("remainder", left=lambda: theory.balanced(theory.REMAINDER), rests_on=(remainder.label,)),
        Case("remainder-by-count", left=lambda: theory.balanced(theory.BY_COUNT), rests_on=(by_count.label,)),
    ),
)

no_better = _claim(
    label="schatten.interpolation.no-better-threshold",
    statement="With t the threshold over the one that balances, the two parts cost t^(-p) + t² times Ψ, never less "
    "than Ψ itself, for 0 < p ≤ 2: balancing loses at most a factor of two.",
    left=sp.Integer(1),
    right=t_sch**-p_sch + t_sch**2,
    rests_on=(balance.label,),
    expected="proved",
    cases=(
        Case("below", domain=Domain({t_sch: Reals(0, 1, open_low=True), p_sch: _INDEX})),
        Case("above", domain=Domain({t_sch: Reals(1), p_sch: _INDEX})),
    ),
)
