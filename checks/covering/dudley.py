"""From a covering number to a Rademacher complexity: Dudley's integral and its guard."""

from __future__ import annotations

import functools
import math

import sympy as sp

from boundaudit.checks.covering import PAPER
from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.derivations.covering import dudley as theory
from boundaudit.derivations.covering.dudley import A_dud, C_dud, c_dud, m_dud, t_dud, y_dud
from boundaudit.numeric.covering import bounds

_claim = functools.partial(Claim, paper=PAPER, place=("Generalization theorem",))
_POSITIVE = Reals(0, open_low=True)
_ALL = Domain({C_dud: _POSITIVE, m_dud: Integers(1), A_dud: _POSITIVE})
_MISUSE = (
    "How the closed form is easily misused: the papers' own conditions are not known to us. The sign depends on no "
    "constant in front."
)

best = _claim(
    label="covering.dudley.best",
    role="printed",
    reading="plausible",
    statement="Let log N(e) ≤ C/e² and c = √(C/m). Dudley's bound 4α + 12 c log(A/α) is least at α = 3c, where it is "
    "12 c (1 + log(A/(3c))). The formula has α = 3ct.",
    left=theory.INTEGRAL,
    relation=">=",
    right=theory.CLOSED,
    domain=Domain({A_dud: _POSITIVE, c_dud: _POSITIVE, t_dud: _POSITIVE}),
    kind="Tight",
    equality=({"A_dud": 6, "c_dud": 1, "t_dud": 1},),
    expected="proved",
)

unguarded = _claim(
    label="covering.dudley.unguarded",
    statement="The closed form of Dudley's integral for log N(e) ≤ C/e², without a condition on C, m and the range A, "
    "is at least zero, as a bound on a Rademacher complexity must be.",
    role="control",
    relation=">=",
    right=sp.Integer(0),
    domain=_ALL,
    expected="refuted",
    limitations=(_MISUSE,),
    cases=(Case("integral", left=theory.BY_SAMPLES), Case("comparator", left=theory.SHAPE)),
)

guarded = _claim(
    label="covering.dudley.guarded",
    statement="Let c = √(C/m). Where A < 3c the guarded bound is A, else the smaller of A and 12 c (1 + "
    "log(A/(3c))). It is at least zero, so that it may be used for every C, m and A.",
    left=theory.GUARDED,
    relation=">=",
    right=sp.Integer(0),
    domain=Domain({A_dud: _POSITIVE, c_dud: _POSITIVE}),
    repairs=(unguarded.label,),
    rests_on=(best.label,),
    expected="proved",
)


says_nothing = _claim(
    label="covering.dudley.samples",
    statement="In units of c = √(C/m), y = A/c, Dudley's closed form 12(1 + log(y/3)) is above the trivial bound y up "
    "to y = 44 and below it from y = 45 on; the gap bound, twice it, from y = 111 on and not before 110: a capacity C "
    "wants about 2000 C/A² samples for its Rademacher bound to say anything, and 12,300 C/A² for its gap bound.",
    cases=(
        Case(
            "nothing",
            left=theory.RELATIVE,
            relation=">=",
            kind="Lower",
            right=y_dud,
            domain=Domain({y_dud: Reals(3, 44)}),
        ),
        Case(
            "something",
            left=theory.RELATIVE,
            relation="<=",
            right=y_dud,
            domain=Domain({y_dud: Reals(45, tested_to=10_000)}),
        ),
        Case(
            "no-gap",
            left=2 * theory.RELATIVE,
            relation=">=",
            kind="Lower",
            right=y_dud,
            domain=Domain({y_dud: Reals(3, 110)}),
        ),
        Case(
            "gap",
            left=2 * theory.RELATIVE,
            relation="<=",
            right=y_dud,
            domain=Domain({y_dud: Reals(111, tested_to=10_000)}),
        ),
    ),
    rests_on=(best.label,),
    expected="proved",
)

# --- the figure -------------------------------------------------------------------------------------


def _compute(setting: Setting) -> list[Panel]:
    del setting
    samples = [10 ** (n / 10) for n in range(61)]  # over C/A²
    guarded = [bounds.dudley(1 / m, 1) for m in samples]
    closed = [12 / m**0.5 * (1 + math.log(m**0.5 / 3)) for m in samples]
    curves = [
        Series("closed form alone", samples, closed),
        Series("with its guard", samples, guarded),
        Series("with its guard, on the gap", samples, [min(2 * bound, 2) for bound in guarded]),
    ]
    return [Panel("log N(ε) ≤ C/ε²", "samples over C/A²", "bound over A", curves, log="x")]


study = Study(
    label="covering.dudley.study",
    title="How many samples Dudley's closed form asks for",
    caption="Without its guard the closed form is negative for fewer samples than 1.2 C/A². With it the Rademacher "
    "bound is below the trivial one from about 2000 C/A² samples on, the bound on the gap from about 12,300 C/A² on.",
    claims=(unguarded.label, guarded.label, says_nothing.label),
    compute=_compute,
    paper=PAPER,
    place=("Dudley's integral",),
)
