"""The usual PAC-Bayes bounds: numerical against formula, and against each other at equal arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
import torch

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.derivations.pac_bayes import binary_kl as entropy
from boundaudit.derivations.pac_bayes import forms as theory
from boundaudit.derivations.pac_bayes.binary_kl import p_kl, q_kl
from boundaudit.derivations.pac_bayes.forms import C_c, v_m, y_q
from boundaudit.derivations.pac_bayes.symbols import S, delta, hat_r, m, rate, relative
from boundaudit.numeric.pac_bayes import binary_kl, pac_bayes_bound

_QUARTER = sp.Rational(1, 4)
_NAMES = {"r_n": "risk", "K_n": "kl", "m": "samples", "delta": "delta"}
_PARAMETERS = {"C_c": "temperature", "S": "proxy", "v_m": "moment", "lambda_n": "rate"}
_RISKS = Choices(none=0, hundredth="1/100", tenth="1/10", half="1/2", nine_tenths="9/10", whole=1)
_FAILURES = Choices(twentieth="1/20", fortieth="1/40", millionth="1/1000000")
_ARGUMENTS: dict[Any, Range] = {
    hat_r: _RISKS,
    relative: Choices(none=0, one=1, fifty=50, thousands=5000),
    m: Choices(one=1, ten=10, thousand=1000, million=10**6),
    delta: _FAILURES,
}
_POSITIVE = Reals(0, open_low=True, tested_to=10)


def _form(name: str) -> Measure:
    def measure(points: Sequence[Point], device: str) -> Array:
        known = {field: key for field, key in (_NAMES | _PARAMETERS).items() if field in points[0]}
        values = {
            key: torch.tensor([float(p[field]) for p in points], dtype=torch.float64) for field, key in known.items()
        }
        found: Array = pac_bayes_bound(form=name, **values).numpy()
        return found

    return measure


def _measured(name: str) -> Quantity:
    return Quantity(f"the {name} form", _form(name), rf"B_{{\text{{{name}}}}}", rounding=1e-11, scale=1e-3)


def _agreement(name: str, right: sp.Expr, paper: str, extra: dict[Any, Range]) -> Claim:
    return Claim(
        label=f"pac_bayes.forms.measured.{name}",
        statement=f"The numerical {name} form is its formula.",
        left=_measured(name),
        relation="=",
        right=right,
        domain=Domain(_ARGUMENTS | extra),
        paper=paper,
    )


agreements = (
    _agreement("mcallester", theory.MCALLESTER, "McAllester 1999", {}),
    _agreement("quadratic", theory.QUADRATIC, "Rivasplata et al. 2019", {}),
    _agreement("catoni", theory.CATONI, "Catoni 2007", {C_c: Choices(tenth="1/10", one=1, five=5)}),
    _agreement("subgaussian", theory.SUBGAUSSIAN, "Alquier 2024", {S: _POSITIVE, rate: _POSITIVE}),
    _agreement("second-moment", theory.SECOND_MOMENT, "Haddouche & Guedj 2023", {v_m: _POSITIVE, rate: _POSITIVE}),
)

# --- the relative-entropy form is below the others ------------------------------------------------


def _below(name: str, right: sp.Expr, statement: str, rests_on: str) -> Claim:
    return Claim(
        label=f"pac_bayes.forms.maurer-below-{name}",
        statement=statement,
        left=_measured("maurer"),
        relation="<=",
        right=right,
        domain=Domain(_ARGUMENTS),
        paper="Maurer 2004",
        rests_on=(rests_on,),
    )


below_mcallester = _below(
    "mcallester",
    theory.MCALLESTER,
    "The relative-entropy form is at most McAllester's, r + √(b/2).",
    "pac_bayes.binary_kl.pinsker",
)

below_quadratic = _below(
    "quadratic",
    theory.QUADRATIC,
    "The relative-entropy form is at most the quadratic form (√(r + b/2) + √(b/2))².",
    "pac_bayes.binary_kl.small",
)

quadratic_root = Claim(
    label="pac_bayes.forms.quadratic-root",
    statement="The quadratic form p = (√(r + b/2) + √(b/2))² solves (p - r)² = 2bp; here b = 2y².",
    left=(theory.QUADRATIC_OF_ROOT - hat_r) ** 2,
    relation="=",
    right=4 * y_q**2 * theory.QUADRATIC_OF_ROOT,
    domain=Domain({hat_r: Reals(0), y_q: Reals(0)}),
    paper="Rivasplata et al. 2019",
    expected="proved",
)

# --- quadratic against McAllester -----------------------------------------------------------------

quadratic_below = Claim(
    label="pac_bayes.forms.quadratic-below-mcallester",
    statement="Where McAllester's bound is at most a quarter, the quadratic form is at most McAllester's; here y = "
    "√(b/2).",
    left=theory.QUADRATIC_OF_ROOT,
    relation="<=",
    right=theory.MCALLESTER_OF_ROOT,
    domain=Domain({hat_r: Reals(0, _QUARTER), y_q: Reals(0, _QUARTER - hat_r)}),
    kind="Tight",
    equality=({"r_n": 0, "y_q": _QUARTER},),
    expected="proved",
)

quadratic_above = Claim(
    label="pac_bayes.forms.quadratic-above-mcallester",
    statement="Where McAllester's bound is at least a quarter, the quadratic form is at least McAllester's.",
    left=theory.QUADRATIC_OF_ROOT,
    relation=">=",
    right=theory.MCALLESTER_OF_ROOT,
    domain=Domain({hat_r: Reals(0, 1), y_q: Reals(0, tested_to=2)}, where=[hat_r + y_q >= _QUARTER]),
    kind="Tight",
    equality=({"r_n": 0, "y_q": _QUARTER},),
    expected="proved",
)

# --- budgets --------------------------------------------------------------------------------------

constants = Claim(
    label="pac_bayes.forms.constants",
    statement="2√m is at most m + 1 for every m, with equality at m = 1: Maurer's form is never above Seeger's, as "
    "the inverse rises with its budget.",
    left=entropy.MAURER,
    relation="<=",
    right=entropy.SEEGER,
    domain=Domain({m: Integers(1)}),
    kind="Tight",
    equality=({"m": 1},),
    paper="Maurer 2004",
    expected="proved",
)

# --- Catoni's best temperature --------------------------------------------------------------------

_SAMPLES, _FAILURE = 10**8, 0.5


def _best_catoni(points: Sequence[Point], device: str) -> Array:
    """Catoni's form at C = ln(p(1-q)/(q(1-p))), with as much relative entropy as makes its budget kl(q‖p)."""
    q, p = (torch.tensor([float(point[name]) for point in points], dtype=torch.float64) for name in ("q_kl", "p_kl"))
    kl = _SAMPLES * binary_kl(q, p) + torch.log(torch.tensor(_FAILURE))
    temperature = torch.log(p * (1 - q) / (q * (1 - p)))
    found: Array = pac_bayes_bound(q, kl, _SAMPLES, _FAILURE, "catoni", temperature=temperature).numpy()
    return found


catoni = Claim(
    label="pac_bayes.forms.catoni-best",
    statement="Catoni's form at its best temperature C = ln(p(1-q)/(q(1-p))) is the p with kl(q‖p) = (K + ln(1/δ))/m: "
    "the inverse of the relative entropy without the term ln(2√m), but with C fixed in advance.",
    left=Quantity("Catoni's form at the best temperature", _best_catoni, r"B_{\text{catoni}}(C^*)", rounding=1e-9),
    relation="=",
    right=p_kl,
    domain=Domain(
        {q_kl: Choices(hundredth="1/100", tenth="1/10", third="1/3"), p_kl: Choices(half="1/2", most="9/10")}
    ),
    paper="Catoni 2007",
    rests_on=("pac_bayes.binary_kl.variational",),
    limitations=("That no temperature does better is pac_bayes.binary_kl.variational, proved.",),
)
