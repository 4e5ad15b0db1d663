"""Theorem 2: the bound itself, what it takes from the learner, and errors in using it."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy as sp

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import N_2, S, delta, hat_r, m, rate, relative, sigma
from boundaudit.derivations.sharpness.bound import shared_variance as theorem
from boundaudit.derivations.sharpness.bound.shared_variance import G_s, N_h, P_s
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.noise import tau_f
from boundaudit.derivations.sharpness.parameters import D, T, omega
from boundaudit.numeric.sharpness.bound.budgets import published
from boundaudit.numeric.sharpness.bound.shared_variance import shared_variance

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 2",))
_POSITIVE = Reals(0, open_low=True)
_NONNEGATIVE = Reals(0)
_SAMPLES = Integers(1, tested_to=10**7)
CLASSES: dict[Any, Range] = {
    T: Choices(two=2, six=6, twenty=20, fifty=50), D: Choices(one=1, two=2), omega: Choices(one=1, two=2)
}  # fmt: skip
_SETTINGS = Domain({
    **CLASSES, m: Choices(hundred=100, million=10**6), S: Choices(hundredth="1/100", two=2),
    delta: Choices(fifth="1/5", millionth="1/1000000"), sigma: Choices(one=1, tenth="1/10", thousandth="1/1000"),
})  # fmt: skip


@functools.cache
def _computed(length: int, degree: int, sparsity: int, samples: int, proxy: float, failure: float, at: float) -> float:
    budgets = published(length, degree, sparsity)
    return shared_variance(budgets, samples=samples, delta=failure, proxy=proxy, sigma=at).value


def _value(points: Sequence[Point], device: str) -> Array:
    names = ("S", "delta", "sigma")
    return np.array([_computed(p["T"], p["D"], p["omega"], p["m"], *(float(p[n]) for n in names)) for p in points])


value = claim(
    label="sharpness.bound.shared_variance.value",
    statement="The bound as computed, σ²G_u + S √(2K/m) with K = L/(2σ²) + ln(1/δ), is the printed "
    "σ²G_u + 2√(S²/(2m) (L/(2σ²) + ln(1/δ))).",
    left=Quantity(
        "value of the bound", _value, r"\sigma^2 G_u + S\sqrt{2K/m}",
        theorem.AS_RELATIVE_ENTROPY,
    ),
    relation="=",
    right=theorem.PRINTED,
    domain=_SETTINGS,
    reading="certain",
    expected="proved",
)  # fmt: skip

best_rate = claim(
    label="sharpness.bound.shared_variance.best-rate",
    statement="At every rate λ fixed in advance λS²/(2m) + K/λ is at least the printed 2√(S²K/(2m)), K = L/(2σ²) + "
    "ln(1/δ), which is its value at the best λ.",
    left=theorem.AT_RATE,
    relation=">=",
    right=theorem.AT_BEST_RATE,
    domain=Domain({S: _POSITIVE, m: _SAMPLES, relative: _POSITIVE, rate: _POSITIVE}),
    kind="Tight",
    equality=({"S": 1, "m": 2, "K_n": 1, "lambda_n": 2},),
    reading="certain",
    expected="proved",
    limitations=("The best λ is built from L, not from the learner's norm, so that it may be fixed in advance.",),
)

domination = claim(
    label="sharpness.bound.shared_variance.domination",
    statement="A learner whose loss under noise on the sample is at most σ²G, P included in G, and whose squared norm "
    "is at most L has a PAC-Bayes bound of at most Theorem 2's; in units with σ = 1 and S² = m, where both squared "
    "norms have 2 ln(1/δ) added to them.",
    left=theorem.FROM_DOMINATION,
    relation="<=",
    right=theorem.DOMINATED,
    domain=Domain({G_s: _POSITIVE, N_2: _POSITIVE, hat_r: Reals(0, G_s), N_h: Reals(0, N_2, open_low=True)}),
    kind="Tight",
    equality=({"G_s": 1, "N_2": 1, "r_n": 1, "N_h": 1},),
    reading="plausible",
    expected="proved",
    limitations=(
        "The domination is read as one of the expected loss under noise: the assumption is then nearly the conclusion "
        "for the sample. Read as one of norm and trace at the parameters themselves it would not be enough.",
        "What is bounded is the mean loss of the network under noise, not the loss of the learned network.",
    ),
)

# --- the squared norm and its root ----------------------------------------------------------------

root = claim(
    label="sharpness.bound.shared_variance.root",
    statement="The bound computed with the root of L, as in a public plotting notebook of the authors, is an upper "
    "bound of the formula.",
    left=theorem.value(G_U, sp.sqrt(theorem.L_PRINTED), theorem.LOG),
    relation=">=",
    right=theorem.PRINTED,
    domain=_SETTINGS,
    reading="plausible",
    expected="refuted",
    limitations=(
        "The text has the squared norm; the root is in code alone. That the figures were made by it is not known.",
    ),
)

_UNIT_PROXY = {S: sp.Integer(1), m: sp.Integer(1)}

larger_norm = claim(
    label="sharpness.bound.shared_variance.larger-norm",
    statement="The bound with any number that the squared norm does not exceed is an upper bound of the formula with "
    "the squared norm itself; the part of the norm, in units of S/√m.",
    left=theorem.complexity(N_2, tau_f).subs(_UNIT_PROXY),
    relation=">=",
    right=theorem.complexity(N_h, tau_f).subs(_UNIT_PROXY),
    domain=Domain({sigma: _POSITIVE, tau_f: _NONNEGATIVE, N_2: _POSITIVE, N_h: Reals(0, N_2, open_low=True)}),
    kind="Tight",
    equality=({"sigma": 1, "tau_f": 0, "N_2": 1, "N_h": 1},),
    expected="proved",
    repairs=("sharpness.bound.shared_variance.root",),
)

# --- the factor one half in P ---------------------------------------------------------------------

_CHANGE = Domain({G_s: _POSITIVE, P_s: _NONNEGATIVE, sigma: _POSITIVE})

same_change = claim(
    label="sharpness.bound.shared_variance.half.same-symbol",
    statement="P means the same in Theorem 2's σ²(G_u + P) and in Theorem 16's (σ²/2)(2 G_u + P).",
    left=theorem.HALF_OF_TRACE,
    relation="=",
    right=theorem.WHOLE_CHANGE,
    domain=_CHANGE,
    place=("Theorem 2", "Theorem 16"),
    reading="plausible",
    expected="refuted",
    limitations=("The forms are recovered from printed numbers and public readings; the displays may differ.",),
)

half_change = claim(
    label="sharpness.bound.shared_variance.half.change",
    statement="With P the change of the trace, (σ²/2)(2 G_u + P) is σ²(G_u + P/2): in σ²(G_u + P) the letter stands "
    "for half a change of the trace.",
    left=theorem.HALF_OF_TRACE,
    relation="=",
    right=theorem.HALF_CHANGE,
    domain=_CHANGE,
    place=("Theorem 2", "Theorem 12", "Theorem 16"),
    expected="proved",
    repairs=("sharpness.bound.shared_variance.half.same-symbol",),
)

whole_change = claim(
    label="sharpness.bound.shared_variance.half.safe",
    statement="A whole change of the trace in σ²(G_u + P) is on the safe side of the second-order term.",
    left=theorem.HALF_OF_TRACE,
    relation="<=",
    right=theorem.WHOLE_CHANGE,
    domain=_CHANGE,
    kind="Tight",
    equality=({"G_s": 1, "P_s": 0, "sigma": 1},),
    place=("Theorem 2", "Theorem 12"),
    expected="proved",
)

# --- what the O-forms hide ------------------------------------------------------------------------

_ANY_CLASS = Domain({D: Integers(1, tested_to=20), omega: Integers(1, tested_to=50)})

order_sharpness = claim(
    label="sharpness.bound.shared_variance.order.sharpness",
    statement="G_u is at most 272 ω D³: the constant behind O(ω D³).",
    left=G_U,
    relation="<=",
    right=theorem.SHARPNESS_ORDER,
    domain=_ANY_CLASS,
    kind="Tight",
    equality=({"D": 1, "omega": 1},),
    reading="certain",
    expected="proved",
)

order_norm = claim(
    label="sharpness.bound.shared_variance.order.norm",
    statement="L is at most 49 D³ + ω + 8 ω D log²T, with equality at D = 1: the constants behind O(D³) + "
    "O(ω D log²T).",
    left=theorem.L_PRINTED,
    relation="<=",
    right=theorem.NORM_ORDER,
    domain=Domain({T: Integers(2, tested_to=64), **_ANY_CLASS.ranges}),
    kind="Tight",
    equality=({"T": 2, "D": 1, "omega": 1}, {"T": 20, "D": 1, "omega": 3}),
    reading="certain",
    expected="proved",
)
