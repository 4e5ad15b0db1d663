"""Averages under attention: the inequalities about weights that the bounds on gradient and Hessian come from."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.sharpness.targets import BOTH, PAPER
from boundaudit.derivations.sharpness import averages as theory
from boundaudit.derivations.sharpness.averages import a_av, e_av, g_av, m_av, n_av, q_av, v_av, w_av, x_av
from boundaudit.derivations.sharpness.mlp import OFFSETS, ramp
from boundaudit.derivations.sharpness.parameters import u

_lemma = functools.partial(Claim, paper=PAPER, place=("Theorem 14",), expected="proved")
_UNIT = Reals(0, 1)
_QUARTER = sp.Rational(1, 4)
_ROWS = Integers(1, tested_to=6)
_VALUES = Domain({
    n_av: _ROWS, a_av: Vector(n_av, Reals(0, tested_to=4)), g_av: Vector(n_av, _UNIT), m_av: _UNIT,
})  # fmt: skip

_PAIRS = Domain({**_VALUES.ranges, q_av: Vector(n_av, _UNIT)})

mean = _lemma(
    label="sharpness.averages.mean",
    statement="For values g between 0 and 1 and weights a ≥ 0, Σ a g is at most Σ a: an average is at most one.",
    left=theory.MEAN, right=theory.OWN_SUM,
    domain=Domain({n_av: _ROWS, a_av: Vector(n_av, Reals(0, tested_to=4)), g_av: Vector(n_av, _UNIT)}),
)  # fmt: skip

covaried_up = _lemma(
    label="sharpness.averages.covariance.up",
    statement="For values g and q between 0 and 1, weights a ≥ 0 and any m from 0 to 1, Σ a (g - m) q is at most "
    "(1-m) Σ a g.",
    left=theory.COVARIANCE, right=theory.COVARIED_UP, domain=_PAIRS,
)  # fmt: skip

covaried_down = _lemma(
    label="sharpness.averages.covariance.down",
    statement="For values g and q between 0 and 1, weights a ≥ 0 and any m from 0 to 1, Σ a (m - g) q is at most "
    "m (Σ a - Σ a g).",
    left=-theory.COVARIANCE, right=theory.COVARIED_DOWN, domain=_PAIRS,
)  # fmt: skip

variance = _lemma(
    label="sharpness.averages.variance",
    statement="For values g between 0 and 1, weights a ≥ 0 and any m from 0 to 1, Σ a (g - m)² is at most "
    "(1-2m) Σ a g + m² Σ a: about their average m the values have a variance of at most m (1-m).",
    left=theory.SQUARES, right=theory.SQUARES_BOUND, domain=_VALUES,
)  # fmt: skip

sixteenth = _lemma(
    label="sharpness.averages.sixteenth",
    statement="What lies between zero and m (1-m) has a square of at most 1/16, for m from 0 to 1.",
    left=v_av**2, right=sp.Rational(1, 16), domain=Domain({m_av: _UNIT, v_av: Reals(0, theory.SPREAD)}),
)  # fmt: skip

within = _lemma(
    label="sharpness.averages.within",
    statement="What is at most m (1-m) in size has a square of at most its square, for m from 0 to 1.",
    left=v_av**2, right=theory.SPREAD**2, domain=Domain({m_av: _UNIT, v_av: Reals(-theory.SPREAD, theory.SPREAD)}),
)  # fmt: skip

spread = _lemma(
    label="sharpness.averages.spread", kind="Tight",
    statement="The square of m (1-m) is at most 1/16.",
    left=theory.SPREAD**2, right=sp.Rational(1, 16), domain=Domain({m_av: _UNIT}),
    equality=({"m_av": sp.Rational(1, 2)},),
)  # fmt: skip

quarter = _lemma(
    label="sharpness.averages.quarter", kind="Tight",
    statement="m (1-m) is at most 1/4.",
    left=theory.SPREAD, right=_QUARTER, domain=Domain({m_av: _UNIT}), equality=({"m_av": sp.Rational(1, 2)},),
)  # fmt: skip

covariance = _lemma(
    label="sharpness.averages.covariance",
    statement="For values g and q between 0 and 1, weights a ≥ 0 and any m from 0 to 1, x = Σ a (g - m) q lies between "
    "-m (Σ a - Σ a g) and (1-m) Σ a g: about their average m, values g have a covariance of at most m (1-m) with q.",
    left=theory.COVARIANCE**2,
    right=(theory.COVARIED_UP - theory.COVARIED_DOWN) * theory.COVARIANCE + theory.COVARIED_UP * theory.COVARIED_DOWN,
    domain=_PAIRS,
    derivation=Derivation(
        label="sharpness.averages.covariance.steps",
        title="What values of one average can do to another",
        steps=(
            Step(theory.COVARIANCE**2, "x²"),
            Step(
                (theory.COVARIED_UP - theory.COVARIED_DOWN) * theory.COVARIANCE
                + theory.COVARIED_UP * theory.COVARIED_DOWN,
                "between both ends", "(x + low)(high - x) is not negative", (covaried_up.label, covaried_down.label),
            ),
        ),
        domain=_PAIRS,
        samples={"two rows": {"n_av": 2, "a_av": (1, 1), "g_av": (1, 0), "q_av": (1, 0), "m_av": "1/2"}},
        paper=PAPER,
        place=("Theorem 14",),
    ),
)  # fmt: skip

below_one = _lemma(
    label="sharpness.averages.below-one",
    statement="The square of a number between 0 and 1 is at most one.",
    left=m_av**2, right=sp.S.One, domain=Domain({m_av: _UNIT}),
)  # fmt: skip

squares = _lemma(
    label="sharpness.averages.squares",
    statement="The squares of weights between 0 and 1 add up to at most what the weights add up to.",
    left=theory.OWN_SQUARES, right=theory.OWN_SUM, domain=Domain({n_av: _ROWS, a_av: Vector(n_av, _UNIT)}),
)  # fmt: skip

count = _lemma(
    label="sharpness.averages.count",
    statement="Numbers between 0 and 1 add up to at most how many there are.",
    left=theory.VALUES, right=n_av, domain=Domain({n_av: _ROWS, g_av: Vector(n_av, _UNIT)}),
)  # fmt: skip

least = _lemma(
    label="sharpness.averages.least",
    statement="A number e ≥ 0 times the lesser of one and any x is at most e.",
    left=e_av * sp.Min(1, x_av), right=e_av, domain=Domain({e_av: Reals(0), x_av: Reals()}),
)  # fmt: skip

bends = _lemma(
    label="sharpness.averages.bends",
    statement="With b = s (1-s), which is at most 1/4, x b + b² is at most x/4 + 1/16 for s from 0 to 1 and x ≥ 0.",
    left=x_av * theory.SPREAD + theory.SPREAD**2, right=x_av / 4 + sp.Rational(1, 16),
    domain=Domain({m_av: _UNIT, x_av: Reals(0)}),
)  # fmt: skip

whole = _lemma(
    label="sharpness.averages.whole",
    statement="The squares of numbers a ≥ 0 add up to at most the square of their sum.",
    left=theory.OWN_SQUARES, right=theory.OWN_SUM**2,
    domain=Domain({n_av: _ROWS, a_av: Vector(n_av, Reals(0, tested_to=4))}),
)  # fmt: skip

pulls = _lemma(
    label="sharpness.averages.pulls",
    statement="For values g between 0 and 1, weights a ≥ 0 and any m from 0 to 1, Σ a² (g - m)² is at most "
    "(1-m)² Σ a² g² + m² Σ a² (1-g)².",
    left=theory.PULLS, right=theory.PULLS_APART, domain=_VALUES,
)  # fmt: skip

less = _lemma(
    label="sharpness.averages.less",
    statement="The square of a rectified number is at most that of a rectified larger one.",
    left=ramp(x_av - e_av) ** 2, right=ramp(x_av) ** 2, domain=Domain({x_av: Reals(), e_av: Reals(0)}),
)  # fmt: skip

_FOUR = "sharpness.averages.less.four"
_LESS = Domain({x_av: Reals(), e_av: Reals(0), u: BOTH})

four_less = _lemma(
    label=_FOUR,
    statement="The squares of four hidden units add up to no more where all have e ≥ 0 less of input.",
    left=theory.quadruple(e_av), right=theory.quadruple(sp.S.Zero), domain=_LESS,
    derivation=Derivation(
        label=f"{_FOUR}.steps",
        title="Four hidden units",
        steps=(
            Step(theory.quadruple(e_av), "with less of input"),
            Step(
                theory.quadruple(sp.S.Zero), "with all of it", "each unit by itself",
                tuple(Instance(less.label, {x_av: x_av - offset}) for offset in OFFSETS),
            ),
        ),
        domain=_LESS,
        samples={"the second of two": {"x_av": 3, "e_av": 1, "u": 1}},
        paper=PAPER,
        place=("Theorem 14",),
    ),
)  # fmt: skip

# --- for the loss Hessian -------------------------------------------------------------------------

_CENTRED = Domain({**_PAIRS.ranges, w_av: _UNIT})
_WEIGHED = Domain(
    {n_av: _ROWS, g_av: Vector(n_av, _UNIT), q_av: Vector(n_av, _UNIT), m_av: _UNIT, a_av: Vector(n_av, _UNIT)},
    where=[theory.OWN_SUM <= 1],
)
_SAMPLE = {"n_av": 3, "a_av": (0.25, 0.25, 0.5), "q_av": (1, 0, 0.25), "m_av": "1/4", "w_av": "1/2"}
_DISTANCES, _APART = "sharpness.averages.distances", "sharpness.averages.apart"
_WAYS: dict[str, tuple[int, sp.Expr, str, tuple[float, ...]]] = {
    "up": (1, theory.COVARIED_UP, "Σ a (g - m) (q - w)² is at most (1-m) Σ a g", (1, 0, 1)),
    "down": (-1, theory.COVARIED_DOWN, "Σ a (m - g) (q - w)² is at most m (Σ a - Σ a g)", (0, 0.5, 0)),
}


def _covaried_apart(
    label: str, way: str, centre: sp.Expr, domain: Domain, where: str, why: str, *uses: Instance
) -> Claim:
    sign, bound, formula, values = _WAYS[way]
    left, sample = sign * theory.covaried_apart(centre), {**_SAMPLE, "g_av": values}
    return _lemma(
        label=f"{label}.{way}", place=("Theorem 5",),
        statement=f"For values g and q between 0 and 1, {where} and any m from 0 to 1, {formula}.",
        left=left, right=bound, domain=domain,
        derivation=Derivation(
            label=f"{label}.{way}.steps",
            title="What values of one average can do to squared distances",
            steps=(Step(left, "with squared distances"), Step(bound, "as with any numbers", why, uses)),
            domain=domain,
            samples={"three rows": {name: value for name, value in sample.items() if name in domain.ranges}},
            paper=PAPER,
            place=("Theorem 5",),
        ),
    )  # fmt: skip


distances = tuple(
    _covaried_apart(
        _DISTANCES, way, w_av, _CENTRED, "weights a ≥ 0, any w from 0 to 1", "0 ≤ (q - w)² ≤ 1",
        Instance(f"sharpness.averages.covariance.{way}", {"q_av": lambda t: (q_av[t] - w_av) ** 2}),
    )
    for way in _WAYS
)  # fmt: skip
apart = tuple(
    _covaried_apart(
        _APART, way, theory.OTHERS_MEAN, _WEIGHED, "w = Σ a q, weights a ≥ 0 that add up to at most one",
        "0 ≤ Σ a q ≤ Σ a ≤ 1",
        Instance(mean.label, {"g_av": q_av}), Instance(f"{_DISTANCES}.{way}", {"w_av": theory.OTHERS_MEAN}),
    )
    for way in _WAYS
)  # fmt: skip

size = _lemma(
    label="sharpness.averages.size", place=("Theorem 5",),
    statement="A number between -e and e is at most e in size.",
    left=sp.Abs(v_av), right=e_av, domain=Domain({e_av: Reals(), v_av: Reals()}, where=[-e_av <= v_av, v_av <= e_av]),
)  # fmt: skip

own_size = _lemma(
    label="sharpness.averages.own-size", place=("Theorem 5",),
    statement="A number is at most its size.",
    left=v_av, right=sp.Abs(v_av), domain=Domain({v_av: Reals()}),
)  # fmt: skip

root = _lemma(
    label="sharpness.averages.root", place=("Theorem 5",),
    statement="A number that is not negative is at most the root of what its square is at most.",
    left=e_av, right=sp.sqrt(x_av), domain=Domain({e_av: Reals(0), x_av: Reals(e_av**2)}),
)  # fmt: skip

part = _lemma(
    label="sharpness.averages.part", place=("Theorem 5",),
    statement="A part m e of a number e ≥ 0, m from 0 to 1, is at most e.",
    left=m_av * e_av, right=e_av, domain=Domain({e_av: Reals(0), m_av: _UNIT}),
)  # fmt: skip

weighted = _lemma(
    label="sharpness.averages.weighted", place=("Theorem 5",),
    statement="Of two numbers the smaller is still the smaller after both are multiplied by some e ≥ 0.",
    left=e_av * v_av, right=e_av * x_av, domain=Domain({e_av: Reals(0), v_av: Reals(), x_av: Reals(v_av)}),
)  # fmt: skip

squared = _lemma(
    label="sharpness.averages.squared", place=("Appendix D",),
    statement="The square of a number that is not negative is at most that of a larger one.",
    left=e_av**2, right=x_av**2, domain=Domain({e_av: Reals(0), x_av: Reals(e_av)}),
)  # fmt: skip

deviations = _lemma(
    label="sharpness.averages.deviations", place=("Theorem 5",),
    statement="For weights a ≥ 0 and any m, Σ a (g - m)² is not negative.",
    left=sp.S.Zero, right=theory.SQUARES, domain=_VALUES,
)  # fmt: skip
