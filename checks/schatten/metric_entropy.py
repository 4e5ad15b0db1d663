"""Appendix C: covers of matrices by rank, by Frobenius norm and by Schatten sum, in the operator norm."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import sympy as sp
import torch

from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points
from boundaudit.checks.schatten.theorems import PAPER
from boundaudit.derivations.schatten import metric_entropy as theory
from boundaudit.derivations.schatten.metric_entropy import a_ent, m_ent, n_ent, t_ent, y_ent
from boundaudit.derivations.schatten.symbols import L_sch, N_sch, S_sch, c_sch, epsilon_sch, p_sch, seed_sch
from boundaudit.numeric.schatten.bounds import MatrixClass, matrix_entropy
from boundaudit.numeric.schatten.packing import frobenius_ball, rank_one, separated

_claim = functools.partial(Claim, paper=PAPER, place=("Appendix C",))
_OURS = "The constants are derived here; those of the paper's lemma are not known to us."
_SEED = Integers(0, tested_to=99)
_ONE_POINT = Domain({L_sch: Integers(1, 1)})

# --- low rank and Frobenius balls -----------------------------------------------------------------

_POOL = 48


def _packed(draw: Any, factor: float) -> Any:
    """Ln of the size of a packing of the unit ball, at ``factor`` times the radius 1/a of a cover."""

    def measure(point: Point) -> float:
        matrices = draw(_POOL, point["m_ent"], point["n_ent"], point["seed_sch"])
        return float(np.log(separated(matrices, factor / point["a_ent"])))

    return at_points(measure)


low_rank = _claim(
    label="schatten.metric_entropy.low-rank",
    statement="The m × n matrices of rank one and ‖W‖ ≤ C have covering numbers of at most (1 + 4C/ε)^(m+n) in the "
    "operator norm: no set of them that is 2ε apart was larger; a = C/ε.",
    left=Quantity("logarithm of a packing's size", _packed(rank_one, 2.0), r"\ln M(2\varepsilon)"),
    right=theory.LOW_RANK,
    domain=Domain(
        {
            m_ent: Integers(1, tested_to=3),
            n_ent: Integers(1, tested_to=3),
            a_ent: Reals(0, open_low=True, tested_to=4),
            seed_sch: _SEED,
        }
    ),
    limitations=(_OURS, "For rank r the exponent is r(m+n); a net of each factor's ball, at ε/(2C) and ε/2."),
)

width = _claim(
    label="schatten.metric_entropy.gaussian-norm",
    statement="A Gaussian m × n matrix has mean operator norm at most √m + √n; means of 256 draws for m, n ≤ 8, at "
    "least a tenth below it.",
    left=Quantity(
        "mean operator norm",
        at_points(lambda p: float(torch.linalg.matrix_norm(
            torch.randn(256, p["m_ent"], p["n_ent"], generator=torch.Generator().manual_seed(p["seed_sch"]),
                        dtype=torch.float64), ord=2).mean())),
        r"\mathbb{E}\|G\|",
    ),
    right=sp.Rational(9, 10) * (sp.sqrt(m_ent) + sp.sqrt(n_ent)),
    domain=Domain({m_ent: Integers(1, 8), n_ent: Integers(1, 8), seed_sch: _SEED}),
    limitations=("Chevet's inequality, measured here and not derived.",),
)  # fmt: skip

shift = _claim(
    label="schatten.metric_entropy.gaussian-shift",
    statement="No set in the Frobenius ball of radius R of the m × n matrices that is ε apart in the operator norm has "
    "more than 2 exp(8R²(√m+√n)²/ε²) elements (dual Sudakov); a = R/ε.",
    left=Quantity("logarithm of a packing's size", _packed(frobenius_ball, 1.0), r"\ln M(\varepsilon)"),
    right=theory.SHIFT,
    domain=Domain(
        {
            m_ent: Integers(1, tested_to=3),
            n_ent: Integers(1, tested_to=3),
            a_ent: Reals(0, open_low=True, tested_to=4),
            seed_sch: _SEED,
        }
    ),
    rests_on=(width.label,),
    limitations=(_OURS, "Loose in so few dimensions, where volume is what counts."),
)

# --- the constant of the Frobenius ball -----------------------------------------------------------

logarithm = _claim(
    label="schatten.metric_entropy.logarithm",
    statement="ln(1 + 2t) is at most t² ln 3 for t ≥ 1, with equality at one.",
    left=sp.log(1 + 2 * t_ent),
    right=t_ent**2 * sp.log(3),
    domain=Domain({t_ent: Reals(1)}),
    kind="Tight",
    equality=({"t_ent": 1},),
    expected="proved",
)

frobenius = _claim(
    label="schatten.metric_entropy.frobenius",
    statement="A Frobenius ball of radius R of the N × N matrices has entropy at most ln 2 + c N^(3/2) R/ε at operator "
    "radius ε/4, with c = 2√(512 ln 3): by a shift alone for y = R/(ε√N) ≤ √(ln 3/512), else with a second stage.",
    right=theory.C_F * y_ent,
    expected="proved",
    rests_on=(shift.label, logarithm.label),
    limitations=(_OURS, "Stated over N², without ln 2; the second stage is by volume, at t² = √(512/ln 3) y ≥ 1."),
    cases=(
        Case("one-stage", left=theory.ONE_STAGE, kind="Upper",
             domain=Domain({y_ent: Reals(0, theory.SWITCH, open_low=True)})),
        Case(
            "two-stages",
            left=theory.TWO_STAGE.subs(y_ent, theory.STRETCHED),
            right=theory.C_F * theory.STRETCHED,
            domain=Domain({t_ent: Reals(1)}),
            kind="Tight",
            equality=({"t_ent": 1},),
        ),
    ),
)  # fmt: skip

constant = _claim(
    label="schatten.metric_entropy.constant",
    statement="The constant 2√(512 ln 3) of the Frobenius ball's cover is 47.433722, to the digits given.",
    left=sp.Abs(theory.C_F - sp.Rational("47.433722")),
    right=sp.Rational(1, 2 * 10**6),
    domain=_ONE_POINT,
    expected="proved",
)

sharper = _claim(
    label="schatten.metric_entropy.frobenius-sharper",
    statement="In the entropy ln 2 + c N^(3/2) R/ε of a Frobenius ball at operator radius ε/4, c = 33 will do, by the "
    "same two stages: one for y = R/(ε√N) ≤ 33/512, else two with t² = 75 y.",
    right=theory.SHARPER_CONSTANT * y_ent,
    expected="proved",
    rests_on=(shift.label,),
    improves=frobenius.label,
    limitations=("Within 0.1 % of the least constant that these two stages give, 32.970.",),
    cases=(
        Case("one-stage", left=theory.ONE_STAGE,
             domain=Domain({y_ent: Reals(0, theory.SHARPER_SWITCH, open_low=True)})),
        Case("two-stages", left=theory.TWO_STAGE.subs(t_ent, theory.SHARPER_ROOT),
             domain=Domain({y_ent: Reals(theory.SHARPER_SWITCH)})),
    ),
)  # fmt: skip

# --- the class ------------------------------------------------------------------------------------


@at_points
def _direct(point: Point) -> float:
    """The best threshold's entropy; none outside the domain, where mutants look."""
    if not 0 < point["p_sch"] <= 2 or point["c_sch"] < 0 or min(point["S_sch"], point["epsilon_sch"]) <= 0:
        return float("nan")
    shape, index = (point["N_sch"],) * 2, float(point["p_sch"])
    matrix = MatrixClass(shape, index, float(point["S_sch"]), float(point["c_sch"]))
    return float(matrix_entropy(float(point["epsilon_sch"]), matrix))


_CLASS = "N × N matrices with S_p ≤ S and ‖W‖ ≤ C"
schatten = _claim(
    label="schatten.metric_entropy.class",
    statement=f"The {_CLASS} have entropy at most Ψ (2 ln(1 + 16C/ε) + 2√(512 ln 3)) + ln 2 at operator radius ε, with "
    "Ψ = N^(2(p+1)/(p+2)) S^(2/(p+2)) ε^(-2p/(p+2)): what the best threshold gives is never more.",
    left=Quantity("entropy by the best threshold", _direct, r"H(\varepsilon)"),
    right=theory.CLOSED,
    domain=Domain({
        N_sch: Integers(1, tested_to=64), p_sch: Reals(0, 2, open_low=True), c_sch: Reals(0, tested_to=4),
        S_sch: Reals(0, open_low=True, tested_to=64), epsilon_sch: Reals(0, open_low=True, tested_to=2),
    }),
    rests_on=("schatten.interpolation.balance", low_rank.label, frobenius.label),
    limitations=(_OURS, "The cover has its centres in the class, which costs a factor of two in the radius."),
)  # fmt: skip

_TENTH, _HALF, _ONE = sp.Rational(1, 10), sp.Rational(1, 2), sp.Integer(1)
against_volume = _claim(
    label="schatten.metric_entropy.against-volume",
    statement="With these constants the closed form for Schatten classes can beat plain volume for wide matrices "
    "with fast decay, and need not.",
    domain=_ONE_POINT,
    expected="proved",
    rests_on=(schatten.label,),
    cases=(
        Case(
            "fast-decay",
            statement="For s_k = 1/k², N = 1024, p = 1/2 and ε = 0.1 the closed form is at most 94 % of the volume "
            "bound N² ln(1 + 2/ε).",
            left=lambda: theory.closed_form(theory.decaying(_ONE, 1024), _HALF, sp.Integer(1024), _TENTH, _ONE),
            right=lambda: sp.Rational(94, 100) * theory.volume(sp.Integer(1024), _TENTH, _ONE),
        ),
        Case(
            "slow-decay",
            statement="For s_k = 1/k, N = 128, p = 1 and ε = 0.1 the closed form is at least ten times the volume "
            "bound N² ln(1 + 2/ε).",
            relation=">=",
            kind="Lower",
            left=lambda: theory.closed_form(theory.decaying(_ONE, 128), _ONE, sp.Integer(128), _TENTH, _ONE),
            right=lambda: 10 * theory.volume(sp.Integer(128), _TENTH, _ONE),
        ),
    ),
)  # fmt: skip
