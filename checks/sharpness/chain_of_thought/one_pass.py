"""Theorems 8 and 16: one pass over all bits against a chain of steps, as printed and by the repaired bounds."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import sympy as sp

from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.sharpness.chain_of_thought.printed import claim as _claim
from boundaudit.derivations.pac_bayes.symbols import S, m, sigma
from boundaudit.derivations.sharpness.chain_of_thought import exponent, gradient, norm
from boundaudit.derivations.sharpness.parameters import T

claim = functools.partial(_claim, place=("Theorem 8", "Theorem 16"))
_LENGTHS = Domain({T: Integers(2, tested_to=200)})
_FACTOR = "That the printed power is T and not T/2 is one reading."
_WITHOUT = "Without P and the common factor exp(-m/(8Σ²))."
_BUDGETS = "sharpness.chain_of_thought.one-pass.budgets"

# --- the printed power ----------------------------------------------------------------------------

_POSITIVE = Reals(0, open_low=True)
_SETTING = Domain({T: Integers(2), m: Integers(1, tested_to=10**6), S: _POSITIVE, sigma: _POSITIVE})
_UNIT = Domain({T: Integers(2), sigma: _POSITIVE})
_UNIT_ONLY = "At m = Σ = 1: up to a common factor the sides depend on mσ⁴/Σ² alone."
_COMPARISON = "A comparison of two bounds: it says nothing of errors."


def _unit(degree: sp.Expr | int) -> sp.Expr:
    return exponent(degree).subs({m: 1, S: 1})


printed = claim(
    label="sharpness.chain_of_thought.one-pass.printed",
    statement="The bound on a step's error probability has a factor exp(mσ² G/(2Σ²) + L/(2σ²)), G and L the printed "
    "G_u and L. The bound for one pass over T bits has a power of this factor in its place.",
    role="printed",
    reading="plausible",
    cases=(
        Case(
            "upper,T",
            statement="The T-th power of a step's factor exp(mσ² G/(2Σ²) + L/(2σ²)), G and L the printed G_u and L, is "
            "at least the factor that one pass over T bits has by the same bound.",
            left=lambda: exponent(T),
            right=lambda: T * exponent(2),
            domain=_SETTING,
            expected="refuted",
            rests_on=("sharpness.chain_of_thought.inference.printed",),
            limitations=(
                _WITHOUT, _FACTOR,
                "A text that only compares the two factors would mean the other direction, which is true from T = 4 "
                "on and bounds no error.",
            ),
        ),
        Case(
            "lower,T",
            statement="The factor exp(mσ² G/(2Σ²) + L/(2σ²)) of one pass over T bits, G and L the printed G_u and L, "
            "is at least the T-th power of a step's.",
            left=lambda: _unit(T),
            relation=">=",
            kind="Lower",
            right=lambda: T * _unit(2),
            domain=_UNIT,
            expected="refuted",
            rests_on=(f"{_BUDGETS}[gradient,T]", f"{_BUDGETS}[norm,T]"),
            limitations=(_WITHOUT, _UNIT_ONLY, _FACTOR, _COMPARISON, "It fails at T = 2 and T = 3 alone."),
        ),
        Case(
            "lower,T/2",
            statement="The factor exp(mσ² G/(2Σ²) + L/(2σ²)) of one pass over T bits, G and L the printed G_u and L, "
            "is at least the power T/2 of a step's.",
            left=lambda: _unit(T),
            relation=">=",
            kind="Tight",
            equality=({"T": 2, "sigma": 1},),
            right=lambda: T / 2 * _unit(2),
            domain=_UNIT,
            expected="proved",
            rests_on=(f"{_BUDGETS}[gradient,T/2]", f"{_BUDGETS}[norm,T/2]"),
            limitations=(_WITHOUT, _UNIT_ONLY, _COMPARISON),
        ),
    ),
)  # fmt: skip

upper = claim(
    label="sharpness.chain_of_thought.one-pass.upper",
    statement="The power (T/2)³ of a step's factor exp(mσ² G/(2Σ²) + L/(2σ²)), G and L the printed G_u and L, is at "
    "least the factor that one pass over T bits has by the same bound. Equality at T = 2.",
    left=lambda: exponent(T),
    relation="<=",
    right=lambda: (T / 2) ** 3 * exponent(2),
    domain=_SETTING,
    kind="Tight",
    equality=({"T": 2, "m": 1, "S": 1, "sigma": 1},),
    expected="proved",
    repairs=("sharpness.chain_of_thought.one-pass.printed[upper,T]",),
    limitations=(_WITHOUT,),
)


def _growth(name: str, of: Callable[[sp.Expr | int], sp.Expr], factor: sp.Expr, domain: Domain, **more: Any) -> Case:
    """How a budget of degree T compares with that of degree two."""
    symbol, words = ("G_u", "squared gradient") if of is gradient else ("L", "squared norm")
    return Case(
        name,
        statement=f"The printed bound {symbol} on the {words} of degree T is at least "
        f"{sp.sstr(factor)} times that of degree two.",
        left=lambda: of(T),
        right=lambda: factor * of(2),
        domain=domain,
        **more,
    )


budgets = claim(
    label=_BUDGETS,
    statement="The printed bounds G_u and L of degree T are at least a multiple of those of degree two.",
    relation=">=",
    expected="proved",
    cases=tuple(
        case
        for name, of in (("gradient", gradient), ("norm", norm))
        for case in (
            _growth(f"{name},T", of, T, _LENGTHS, expected="refuted", reading="plausible", limitations=(_FACTOR,)),
            _growth(f"{name},T/2", of, T / 2, _LENGTHS, kind="Tight", equality=({"T": 2},)),
        )
    ),
)
