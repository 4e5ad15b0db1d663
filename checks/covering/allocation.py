"""Lemma A.8: how the error of a composition is best shared among its maps."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.covering import COMPARATOR
from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.derivations.covering import allocation as theory
from boundaudit.derivations.covering.allocation import (
    a_1map,
    a_2map,
    alpha_map,
    b_1map,
    b_2map,
    beta_map,
    e_map,
    i_b,
    n_b,
    t_map,
)

_claim = functools.partial(Claim, paper=COMPARATOR, place=("Lemma A.8",))
_POSITIVE = Reals(0, open_low=True)
_SHARES = Vector(n_b, _POSITIVE)
_TWO = Domain(dict.fromkeys((a_1map, a_2map, b_1map, b_2map), _POSITIVE))

tangent = _claim(
    label="covering.allocation.tangent",
    statement="1/t² is at least 3 - 2t for t > 0, its tangent at one: added up with weights it gives the least cost of "
    "a shared error budget for any number of maps.",
    left=t_map**-2,
    relation=">=",
    right=theory.TANGENT,
    domain=Domain({t_map: _POSITIVE}),
    kind="Tight",
    equality=({"t_map": 1},),
    expected="proved",
)

_BUDGETS = Domain({n_b: Integers(1, tested_to=3), alpha_map: _SHARES, beta_map: _SHARES, e_map: _SHARES})
_BEST_SHARE = beta_map[i_b] * e_map[i_b] * theory.GAMMA / (alpha_map[i_b] * theory.SPENT)
_WEIGHT = alpha_map[i_b] * beta_map[i_b] ** 2 * theory.GAMMA**2

printed = _claim(
    label="covering.allocation.least",
    statement="Covering the i-th map at a scale ε_i costs a_i/ε_i² and moves the output by b_i ε_i. Scales with Σ "
    "b_i ε_i = ε cost at least γ³/ε² in all, with γ = Σ a_i^{1/3} b_i^{2/3}. The formula has the third roots α of a "
    "and β of b.",
    role="printed",
    left=lambda: theory.COST * theory.SPENT**2,
    relation=">=",
    right=lambda: theory.GAMMA**3,
    domain=_BUDGETS,
    kind="Tight",
    equality=({"n_b": 2, "alpha_map": (1, 2), "beta_map": (1, 1), "e_map": (1, 2)},),
    reading="certain",
    expected="proved",
    derivation=Derivation(
        label="covering.allocation.least.steps",
        title="The least cost of a shared error budget",
        steps=(
            Step(theory.GAMMA**3, "γ³"),
            Step(theory.COST * theory.SPENT**2, "cost, in units of the budget", "1/t² lies above its tangent",
                 Instance(tangent.label, {t_map: _BEST_SHARE}, over=(i_b, 1, n_b), weight=_WEIGHT)),
        ),
        domain=_BUDGETS,
        samples={"two maps": {"n_b": 2, "alpha_map": (1, 2), "beta_map": (1, 1), "e_map": (2, 1)}},
        paper=COMPARATOR,
        place=("Lemma A.8",),
    ),
)  # fmt: skip

without_bar = _claim(
    label="covering.allocation.exponent.product",
    statement="With ε_i = (ε/γ)(a_i b_i)^{1/3}, as the shares of the budget read where a fraction bar is lost, two "
    "maps spend Σ b_i ε_i ≤ ε.",
    role="control",
    left=theory.PRODUCT_SPENT,
    right=sp.Integer(1),
    domain=_TWO,
    expected="refuted",
    limitations=("A misreading of the lemma, not what it says.",),
)

with_bar = _claim(
    label="covering.allocation.exponent.quotient",
    statement="At the scales ε_i = (ε/γ)(a_i/b_i)^{1/3}, with γ = Σ a_i^{1/3} b_i^{2/3}, the errors Σ b_i ε_i of two "
    "maps add up to exactly ε.",
    left=theory.QUOTIENT_SPENT,
    relation="=",
    right=sp.Integer(1),
    domain=_TWO,
    repairs=(without_bar.label,),
    expected="proved",
)

proofs = (printed.derivation,)
