"""Appendix E.3: how many samples the bound needs, with P by its formula and with the root of L."""

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
from boundaudit.checks.sharpness.bound.numbers.digits import LIMIT
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import N_2, S, delta, m, sigma
from boundaudit.derivations.sharpness.bound import numbers as at
from boundaudit.derivations.sharpness.bound import shared_variance as theorem
from boundaudit.derivations.sharpness.bound.shared_variance import G_s
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import D, T, d, omega, u
from boundaudit.numeric.sharpness.bound.budgets import Budgets, published
from boundaudit.numeric.sharpness.bound.shared_variance import shared_variance
from boundaudit.numeric.sharpness.norms import norms_squared
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Appendix E",))

# --- how many samples -----------------------------------------------------------------------------

_UNKNOWN_M = {key: value for key, value in at.SETTING.items() if key != m}
_STEEP = at.NORM_OF_EQUAL.subs({**at.SIZES, u: sp.Integer(1)})


def _optimum(norm: sp.Expr) -> sp.Expr:
    return theorem.OPTIMUM.subs({G_s: G_U, N_2: norm}).subs(_UNKNOWN_M)


def _threshold(name: str, what: str, norm: sp.Expr, level: sp.Rational, first: int) -> tuple[Claim, Claim]:
    """One sample fewer than `first` leaves the best value above a level, `first` samples bring it below."""
    rests = ("sharpness.bound.optimum.closed-form", "sharpness.bound.optimum.growth")
    few = claim(
        label=f"sharpness.bound.numbers.samples.{name}.too-few",
        statement=f"{what}, the best value is above {level} with {first - 1} samples.",
        left=_optimum(norm),
        relation=">=",
        right=level,
        domain=Domain({m: Integers(first - 1, first - 1)}),
        expected="proved",
        rests_on=rests,
    )
    enough = claim(
        label=f"sharpness.bound.numbers.samples.{name}.enough",
        statement=f"{what}, the best value is below {level} with {first} samples.",
        left=_optimum(norm),
        relation="<=",
        right=level,
        domain=Domain({m: Integers(first, first)}),
        expected="proved",
        rests_on=rests,
        repairs=("sharpness.bound.numbers.samples.notebook",) if name == "one" else (),
    )
    return few, enough


_QUARTER = sp.Rational(1, 4)
thresholds = (
    *_threshold("one", "With the printed L and without P", theorem.L_PRINTED, sp.Integer(1), 13664),
    *_threshold("quarter", "With the printed L and without P", theorem.L_PRINTED, _QUARTER, 874464),
    *_threshold("one-steep", "With the steep construction's norm", _STEEP, sp.Integer(1), 15642),
    *_threshold("quarter-steep", "With the steep construction's norm", _STEEP, _QUARTER, 1001056),
)

notebook = claim(
    label="sharpness.bound.numbers.samples.notebook",
    statement="At the m = 8192 of the experiments the bound of E.3 is below 1 for the best σ.",
    left=_optimum(theorem.L_PRINTED),
    relation="<=",
    right=sp.Integer(1),
    domain=Domain({m: Integers(8192, 8192)}),
    place=("Appendix E",),
    reading="plausible",
    expected="refuted",
    limitations=(
        "Whether the text says so of this m is not certain.",
        "The value is 1.185925; with the root of L it would be 0.3588.",
    ),
)  # fmt: skip


@functools.cache
def _with_true_norm(samples: int) -> float:
    """The best value with the norm of the steep construction for ten pairs side by side."""
    sets = tuple((2 * n + 1, 2 * n + 2) for n in range(10))
    norm = float(norms_squared(TargetBatch.stack([Target(20, sets, (10**-0.5,) * 10)]), mlp="steep")["total"][0])
    budgets = published(20, 2, 10)
    true = Budgets(budgets.sharpness, {"all": norm}, budgets.counts, 0.0)
    return shared_variance(true, samples=samples, delta=LIMIT, proxy=0.01).value


_TRUE_VALUE = Quantity(
    "best value with the construction's own norm",
    lambda points, device: np.array([_with_true_norm(p["m"]) for p in points]),
    r"3 (G_u S^2 \|\Theta\|^2 / 4m)^{1/3}",
    _optimum(_STEEP),
)  # fmt: skip
_MILLION = Domain({m: Integers(10**6, 10**6)})

below_yardstick = claim(
    label="sharpness.bound.numbers.true-norm.informative",
    statement="With the steep construction's own squared norm the bound of E.3 is below 1/4, the risk of the best "
    "constant for ω = 10 equal coefficients of unit length.",
    left=_TRUE_VALUE,
    relation="<=",
    right=_QUARTER,
    domain=_MILLION,
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.norms.total.closed-form", "sharpness.norms.total.published-steep"),
    limitations=("With the steep trapezoid; with the printed L, which its norm exceeds, the value is 0.239.",),
)

above_yardstick = claim(
    label="sharpness.bound.numbers.true-norm.value",
    statement="With the steep construction's own squared norm, 1492.694, the bound of E.3 is at least 0.250087.",
    left=_TRUE_VALUE,
    relation=">=",
    right=sp.Rational(250087, 10**6),
    domain=_MILLION,
    expected="proved",
    rests_on=("sharpness.norms.total.closed-form",),
    repairs=("sharpness.bound.numbers.true-norm.informative",),
)

# --- with P by its formula ------------------------------------------------------------------------

_BY_FORMULA = (
    ("printed", "printed", "", 11_928_000_000_000, 11_928_100_000_000, "1.568e-7"),
    ("second-restored", "with σ restored in the larger of two terms of G_p", "", 82_937_000_000, 82_938_000_000,
     "1.8807e-6"),
    ("second-restored", "with σ restored in the larger of two terms of G_p", "root", 2_296_700_000, 2_296_900_000,
     "1.8807e-6"),
    ("restored", "with σ restored in both terms of G_p", "", 70_209_000, 70_210_000, "5.4192e-5"),
)  # fmt: skip


_FORMULA_AT: dict[Any, Range] = {
    T: Choices(twenty=20), D: Choices(two=2), omega: Choices(ten=10), d: Choices(one_hot=22),
    S: Choices(hundredth="1/100"),
}  # fmt: skip


def _analytic(name: str, what: str, norm: str, few: int, enough: int, noise: str) -> tuple[Claim, Claim]:
    """Samples that leave the bound above 1 for every σ, and hardly more that do not, in the form without a division."""
    weight = theorem.L_PRINTED ** (sp.Rational(1, 2) if norm else 1)
    label = f"sharpness.bound.numbers.analytic.{name}" + ("-root" if norm else "")
    words = f"P {what}" + (" and the root of L in place of L" if norm else "")
    common = functools.partial(
        claim, left=sigma * (1 - sigma**2 * (G_U + at.ALLOWANCES[name])), right=S * sp.sqrt(weight / m),
        reading="plausible", expected="proved", limitations=("At d = 22 and without ln(1/δ).",),
    )  # fmt: skip
    best = sp.Rational(noise)
    near = (best * (1 + sp.Rational(end, 10**4)) for end in (-1, 1))
    too_few = common(
        label=f"{label}.too-few",
        statement=f"With {words}, {few} samples leave the bound above 1 for every σ: σ(1 - σ²(G_u + P)) is at most "
        f"S√(L/m) from half to twice {noise}, below which the norm's part alone is above 1 and beyond which the "
        "sharpness's is.",
        relation="<=",
        domain=Domain(
            {**_FORMULA_AT, m: Choices(few=few), sigma: Reals(sp.Rational(noise) / 2, 2 * sp.Rational(noise))}
        ),
    )
    sufficient = common(
        label=f"{label}.enough",
        statement=f"With {words}, {enough} samples bring the bound below 1 at every σ within a ten-thousandth of "
        f"{noise}: σ(1 - σ²(G_u + P)) is at least S√(L/m).",
        relation=">=",
        domain=Domain({**_FORMULA_AT, m: Choices(enough=enough), sigma: Reals(*near)}),
    )
    return too_few, sufficient


by_formula = tuple(one for case in _BY_FORMULA for one in _analytic(*case))

# --- the root of L --------------------------------------------------------------------------------

_CELL = {T: 100, D: 2, omega: 2, d: 100}


def _notebook(points: Sequence[Point], device: str) -> Array:
    """The bound with the root of the norm, at the m and σ that the notebook prints beside it."""
    noise, budgets = 6.80201016361857e-07, published(100, 2, 2)
    rooted = Budgets(budgets.sharpness, {"all": float(sp.sqrt(at.NOTEBOOK_NORM.subs(_CELL)))}, budgets.counts, 0.0)
    change = float(at.ALLOWANCES["printed"].subs({**_CELL, sigma: noise}))
    found = shared_variance(
        rooted, samples=64280731172.84319, delta=float(points[0]["delta"]), proxy=0.01, perturbation=change, sigma=noise
    )  # fmt: skip
    return np.full(len(points), found.value)


notebook_cell = claim(
    label="sharpness.bound.numbers.root.notebook",
    statement="A value that the authors' public plotting notebook prints for T = 100, D = ω = 2, 0.99263864988, is the "
    "one with the root of the squared norm, to its first eleven digits.",
    left=Quantity("bound with the root of the squared norm", _notebook, r"B(\sqrt{L'})", rounding=5e-12),
    relation="=",
    right=sp.Rational("0.99263864988"),
    domain=Domain({delta: Choices(fifth="1/5")}),
    reading="certain",
    expected="supported",
    limitations=("Of the notebook, at its own m and σ and d = 100; the text has the squared norm.",),
)


def _experiment(name: str, norm: sp.Expr, digits_: str, words: str) -> Claim:
    """The bound at the experiments' m with a measured change of the trace."""
    expression = theorem.value(G_U + 16212, norm, theorem.LOG).subs({
        **at.SIZES, S: at.SETTING[S], m: 8192, sigma: sp.Rational("2.639e-3"),
    })  # fmt: skip
    return claim(
        label=f"sharpness.bound.numbers.root.{name}",
        statement=f"At m = 8192, P = 16212 and σ = 0.002639 the bound is {digits_} with {words}.",
        left=sp.Abs(expression - sp.Rational(digits_)),
        relation="<=",
        right=sp.Rational(1, 2 * 10**6),
        domain=Domain({delta: Choices(fifth="1/5")}),
        expected="proved",
        limitations=("The change of the trace is a 90th percentile of a published table, as an input.",),
    )


experiments = (
    _experiment("rooted", sp.sqrt(at.NOTEBOOK_NORM), "0.474787", "the root of the notebook's norm"),
    _experiment("squared", at.NOTEBOOK_NORM, "1.759191", "the notebook's norm itself"),
    _experiment("printed", theorem.L_PRINTED, "1.732814", "the printed L"),
)
