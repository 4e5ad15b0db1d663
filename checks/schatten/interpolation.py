"""Section 4: a matrix is low rank plus a small remainder, and balancing the two gives the exponents of the bound."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.schatten import PAPER
from boundaudit.derivations.schatten import interpolation as theory
from boundaudit.derivations.schatten.interpolation import t_sch, u_sch
from boundaudit.derivations.schatten.symbols import N_sch, S_sch, epsilon_sch, i_sch, n_sch, p_sch, s_sch, tau_sch

_claim = functools.partial(Claim, paper=PAPER, place=("Section 4",))
_POSITIVE = Reals(0, open_low=True, tested_to=8)
_INDEX = Reals(0, 2, open_low=True)
_SPECTRUM = Domain(
    {
        n_sch: Integers(1, tested_to=6),
        p_sch: _INDEX,
        tau_sch: _POSITIVE,
        s_sch: Vector(n_sch, Reals(0, tested_to=8)),
    }
)
_POWERS = theory.power_sum(p_sch)
_JOINT = "schatten.interpolation.joint"
_MATRIX = "W with the singular values s_1, …, s_n, S_p = Σ s_i^p and a threshold τ > 0"
_BALANCE = Domain({N_sch: Integers(1), p_sch: _INDEX, S_sch: _POSITIVE, epsilon_sch: _POSITIVE})
_RECOVERED = "The paper's own lemma was not seen; its exponents are those of the proxy in the authors' code."

value = _claim(
    label="schatten.interpolation.value",
    statement="A singular value s above a threshold τ > 0 has τ^p ≤ s^p, one up to it has τ^(p-2) s² ≤ s^p, for "
    "0 < p ≤ 2.",
    left=theory.VALUE,
    right=u_sch**p_sch,
    domain=Domain({tau_sch: _POSITIVE, p_sch: _INDEX, u_sch: Reals(0)}),
    kind="Tight",
    equality=({"tau_sch": 3, "p_sch": 1, "u_sch": 3},),
    expected="proved",
)


def _limit(name: str, left: sp.Expr, right: sp.Expr, why: str, uses: Instance) -> dict[str, Any]:
    """The sides of a claim on singular values, and its one step."""
    chain = Derivation(
        label=f"schatten.interpolation.{name}.steps", title="Value by value", domain=_SPECTRUM,
        samples={"two values": {"n_sch": 2, "p_sch": 1, "tau_sch": 3, "s_sch": (4.0, 1.0)}}, paper=PAPER,
        place=("Section 4",), steps=(Step(left, "of the matrix"), Step(right, "by S_p", why, uses)),
    )  # fmt: skip
    return {"label": f"schatten.interpolation.{name}", "left": left, "right": right, "derivation": chain}


count = _claim(
    **_limit("count", theory.LARGE, _POWERS / tau_sch**p_sch, "squares are not negative", Instance(_JOINT)),
    statement=f"Take a matrix {_MATRIX}. At most S_p/τ^p singular values exceed τ, for 0 < p ≤ 2.",
    role="printed",
    domain=_SPECTRUM,
    expected="proved",
    reading="plausible",
    limitations=(_RECOVERED,),
)

remainder = _claim(
    **_limit(
        "remainder", theory.SMALL, tau_sch ** (2 - p_sch) * _POWERS, "a count is not negative",
        Instance(_JOINT),
    ),
    statement=f"Take a matrix {_MATRIX}. The singular values up to τ have Σ s_i² ≤ τ^(2-p) S_p, for 0 < p ≤ 2.",
    role="printed",
    domain=_SPECTRUM,
    expected="proved",
    reading="plausible",
    limitations=(_RECOVERED,),
)  # fmt: skip

joint = _claim(
    **_limit(
        "joint", theory.JOINT, _POWERS, "added up",
        Instance(value.label, {u_sch: s_sch[i_sch]}, over=(i_sch, 1, n_sch)),
    ),
    statement="Let a matrix have S_p = Σ s_i^p, and let k of its singular values s_i exceed a threshold τ > 0. Both "
    "limits hold together: k τ^p + τ^(p-2) Σ s_i² ≤ S_p, with the sum over the others, for 0 < p ≤ 2. Equality "
    "holds where no singular value but τ and 0 occurs.",
    domain=_SPECTRUM,
    kind="Tight",
    equality=({"n_sch": 2, "p_sch": 1, "tau_sch": 3, "s_sch": (3, 0)},),
    improves=remainder.label,
    expected="proved",
)  # fmt: skip

by_count = _claim(
    label="schatten.interpolation.remainder-by-count",
    statement=f"Of a matrix {_MATRIX}, of which k singular values exceed τ, the others have Σ s_i² ≤ (n-k) τ².",
    left=theory.SMALL,
    right=(n_sch - theory.LARGE) * tau_sch**2,
    domain=Domain({
        n_sch: Integers(1, tested_to=6), tau_sch: _POSITIVE, s_sch: Vector(n_sch, Reals(0, tested_to=8)),
    }),
    kind="Tight",
    equality=({"n_sch": 2, "tau_sch": 3, "s_sch": (3, 4)},),
    expected="proved",
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
