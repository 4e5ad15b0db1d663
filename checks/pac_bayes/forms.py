"""The usual PAC-Bayes bounds against each other at equal arguments."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp

from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Domain, Range, Reals
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.derivations.pac_bayes import forms as theory
from boundaudit.derivations.pac_bayes.binary_kl import binary_kl
from boundaudit.derivations.pac_bayes.forms import b_n, lambda_t, s_t, y_q
from boundaudit.derivations.pac_bayes.symbols import hat_r, true_r

_claim = functools.partial(Claim, paper=PAPER)
_QUARTER = sp.Rational(1, 4)

# --- the relative-entropy form is below the others ------------------------------------------------


_INSIDE = Reals(0, 1, open_low=True, open_high=True)


def _below(form: sp.Expr, over: dict[Any, Range] | None = None, **said: Any) -> Claim:
    """That what has a relative entropy of at most b from the risk on the sample is at most a form, whatever b is."""
    ranges: dict[Any, Range] = {true_r: Reals(0, 1), b_n: Reals(0)} | (over or {})
    without_errors = Domain({**ranges, true_r: Reals(0, 1, open_high=True)}, where=[-sp.log(1 - true_r) <= b_n])
    errors = Domain({**ranges, hat_r: _INSIDE, true_r: _INSIDE}, where=[binary_kl(hat_r, true_r) <= b_n])
    return _claim(
        role="improvement", left=true_r, relation="<=", expected="proved", **said,
        cases=(
            Case("some-errors", right=form, domain=errors),
            Case("no-error", right=form.subs(hat_r, 0), domain=without_errors),
            Case("all-errors", right=form.subs(hat_r, 1), domain=Domain(ranges)),
        ),
    )  # fmt: skip


_LARGEST = "The largest R with kl(r‖R) ≤ b, which is Maurer's bound for b = (K + ln(2√m/δ))/m, is at most"

below_mcallester = _below(
    theory.MCALLESTER,
    label="pac_bayes.forms.maurer-below-mcallester",
    statement=f"{_LARGEST} r + √(b/2), which is McAllester's, for every r from 0 to 1 and every b.",
    place=("McAllester", "Maurer"),
    rests_on=("pac_bayes.binary_kl.pinsker",),
    improves="pac_bayes.bounds.square-root",
)

below_quadratic = _below(
    theory.QUADRATIC,
    label="pac_bayes.forms.maurer-below-quadratic",
    statement=f"{_LARGEST} the quadratic form (√(r + b/2) + √(b/2))², for every r from 0 to 1 and every b.",
    place=("Rivasplata", "Maurer"),
    rests_on=("pac_bayes.binary_kl.small", "pac_bayes.forms.quadratic-root"),
    improves="pac_bayes.bounds.trade-off",
)

quadratic_root = _claim(
    label="pac_bayes.forms.quadratic-root",
    statement="The quadratic form p = (√(r + b/2) + √(b/2))² solves (p - r)² = 2bp, for r ≥ 0 and b = 2y² with y ≥ 0.",
    left=lambda: (theory.QUADRATIC_OF_ROOT - hat_r) ** 2,
    relation="=",
    right=lambda: 4 * y_q**2 * theory.QUADRATIC_OF_ROOT,
    domain=Domain({hat_r: Reals(0), y_q: Reals(0)}),
    place=("Rivasplata",),
    expected="proved",
)

# --- PAC-Bayes-λ ------------------------------------------------------------------------------------

lambda_least = _claim(
    label="pac_bayes.forms.lambda-least",
    statement="PAC-Bayes-λ is never below the quadratic form, and equal to it at its best λ: λ(1 - λ/2)s² ≤ λr + 2y² "
    "for 0 < λ < 2, where s² = (√(r + y²) + y)² is the quadratic form, so that r = s² - 2sy; equality at λ = 2y/s.",
    left=theory.LAMBDA_LEAST,
    relation="<=",
    right=theory.LAMBDA_NUMERATOR,
    domain=Domain({s_t: Reals(0, open_low=True), y_q: Reals(0, s_t / 2), lambda_t: Reals(0, 2, open_low=True)}),
    kind="Tight",
    equality=({"s_t": 4, "y_q": 1, "lambda_t": sp.Rational(1, 2)},),
    place=("Thiemann",),
    expected="proved",
    limitations=("r is not negative, so that y is at most s/2.",),
)

tradeoff = _claim(
    label="pac_bayes.forms.tradeoff",
    statement="With b = (K + ln(2√m/δ))/m = 2y², the best λ of PAC-Bayes-λ, 2/(√(2r/b + 1) + 1), is 2y over √(r + "
    "y²) + y, the square root of the quadratic form.",
    role="printed",
    left=theory.BEST_TRADEOFF,
    relation="=",
    right=theory.BY_ROOT,
    domain=Domain({hat_r: Reals(0), y_q: Reals(0, open_low=True)}),
    place=("Thiemann",),
    expected="proved",
)

below_lambda = _below(
    theory.LAMBDA,
    over={lambda_t: Reals(0, 2, open_low=True, open_high=True)},
    label="pac_bayes.forms.maurer-below-lambda",
    statement=f"{_LARGEST} PAC-Bayes-λ's (r + b/λ)/(1 - λ/2), for every r from 0 to 1, every b and every λ in (0, 2).",
    place=("Thiemann", "Maurer"),
    rests_on=("pac_bayes.binary_kl.small", "pac_bayes.forms.lambda-least"),
    improves="pac_bayes.bounds.trade-off",
)

# --- quadratic against McAllester -----------------------------------------------------------------

_against = functools.partial(
    _claim,
    left=theory.QUADRATIC_OF_ROOT,
    right=theory.MCALLESTER_OF_ROOT,
    kind="Tight",
    equality=({"r_n": 0, "y_q": _QUARTER},),
    place=("Rivasplata",),
    expected="proved",
)

quadratic_below = _against(
    label="pac_bayes.forms.quadratic-below-mcallester",
    statement="Let y = √b with b = (K + ln(2√m/δ))/(2m), so that McAllester's bound is r + y. Where it is at most a "
    "quarter, the quadratic form (√(r + y²) + y)² is at most McAllester's bound.",
    role="printed",
    relation="<=",
    domain=Domain({hat_r: Reals(0, _QUARTER), y_q: Reals(0, _QUARTER - hat_r)}),
)
