"""Appendix A: weight decay on the factors of attention is a nuclear norm, and what a narrow student loses."""

from __future__ import annotations

import functools
import math

import torch
from torch import Tensor

from boundaudit.checks.attention_erm import PAPER
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Matrix, Reals
from boundaudit.checks.measurements import at_points, by_shape
from boundaudit.derivations.attention_erm import decay as theory
from boundaudit.derivations.attention_erm.symbols import M_erm, N_erm, eps_erm, seed_erm, u_erm, v_erm, w_erm, x_erm
from boundaudit.numeric.attention_erm.factorised import Student, Trained, train
from boundaudit.numeric.attention_erm.sensing import Problem

_claim = functools.partial(Claim, paper=PAPER, place=("Appendix A",))
_FACTORS = Domain({M_erm: Matrix(3, 2, Reals(tested_to=2)), N_erm: Matrix(3, 2, Reals(tested_to=2))})


def _nuclear(matrix: Tensor) -> Tensor:
    values: Tensor = torch.linalg.svdvals(matrix)
    return values.sum(-1)


def _half_squares(left: Tensor, right: Tensor) -> Tensor:
    return ((left**2).sum((1, 2)) + (right**2).sum((1, 2))) / 2


def _balanced(left: Tensor, right: Tensor) -> Tensor:
    """Half the sum of squares of the factors of UVᵀ with the roots of its singular values."""
    u, s, vh = torch.linalg.svd(left @ right.mT, full_matrices=False)
    root = s.sqrt()[:, None]
    return _half_squares(u * root, vh.mT * root)


_NUCLEAR = Quantity(
    "nuclear norm of a product of factors", by_shape(lambda u, v: _nuclear(u @ v.mT), "M_erm", "N_erm"),
    r"\|U V^\top\|_*", rounding=1e-12, scale=1.0,
)  # fmt: skip

scalar = _claim(
    label="attention_erm.decay.scalar",
    statement="A product uv of singular values is at most (u² + v²)/2, with equality for u = v.",
    left=theory.PRODUCT,
    right=theory.HALF_SQUARES,
    domain=Domain({u_erm: Reals(0), v_erm: Reals(0)}),
    kind="Tight",
    equality=({"u_erm": 1, "v_erm": 1},),
    expected="proved",
)

bound = _claim(
    label="attention_erm.decay.untied",
    statement="The nuclear norm of UVᵀ is at most (‖U‖²_F + ‖V‖²_F)/2. Decay on both factors therefore penalises at "
    "least the nuclear norm of the map.",
    left=_NUCLEAR,
    right=Quantity("half the squares of the factors", by_shape(_half_squares, "M_erm", "N_erm"),
                   r"(\|U\|_F^2 + \|V\|_F^2)/2", rounding=1e-12, scale=1.0),
    domain=_FACTORS,
    role="printed",
    reading="plausible",
    rests_on=(scalar.label,),
)  # fmt: skip

attained = _claim(
    label="attention_erm.decay.attained",
    statement="Factors A and B of UVᵀ that have the roots of its singular values have (‖A‖²_F + ‖B‖²_F)/2 = ‖UVᵀ‖_*. "
    "Decay therefore penalises the nuclear norm of the map exactly.",
    left=Quantity("half the squares of balanced factors", by_shape(_balanced, "M_erm", "N_erm"),
                  r"\min_{AB^\top = UV^\top} (\|A\|_F^2 + \|B\|_F^2)/2", rounding=1e-12, scale=1.0),
    relation="=",
    right=_NUCLEAR,
    domain=_FACTORS,
    role="printed",
    reading="plausible",
    rests_on=(bound.label,),
)  # fmt: skip

tied = _claim(
    label="attention_erm.decay.tied",
    statement="Let a tied factor W have d rows and p columns, with S = WWᵀ/√(pd) and κ = p/d. Then ‖W‖²_F = √(pd) "
    "‖S‖_* = d √κ ‖S‖_*: weight decay λ is a nuclear penalty λ~ = √κ λ at every dimension.",
    left=Quantity("squares of a tied factor", by_shape(lambda w: (w**2).sum((1, 2)), "M_erm"), r"\|W\|_F^2",
                  rounding=1e-12, scale=1.0),
    relation="=",
    right=Quantity(
        "nuclear norm of a tied map times √(pd)",
        by_shape(lambda w: math.sqrt(6) * _nuclear(w @ w.mT / math.sqrt(6)), "M_erm"), r"\sqrt{pd}\, \|S\|_*",
        rounding=1e-12, scale=1.0,
    ),
    domain=Domain({M_erm: Matrix(3, 2, Reals(tested_to=2))}),
    role="printed",
    reading="plausible",
    limitations=("Measured for d = 3 and p = 2.",),
)  # fmt: skip

room = _claim(
    label="attention_erm.decay.room",
    statement="Beside ‖S - Y‖²_F a penalty 2ε Tr S learns an eigenvalue x ≥ ε of Y as x - ε. A student without room "
    "for it loses (x - ε)², nothing exactly at the threshold x = ε: a width that reaches the learned rank changes "
    "nothing.",
    left=theory.GAIN,
    relation="=",
    right=theory.GAIN_CLOSED,
    domain=Domain({x_erm: Reals(0, open_low=True), eps_erm: Reals(0, x_erm)}),
    expected="proved",
)

# --- trained students -----------------------------------------------------------------------------

_RUNS, _DIMENSION = 4, 16


@functools.cache
def _trained(width: int) -> Trained:
    problem = Problem(d=_DIMENSION, samples=_DIMENSION**2, noise=0.5, target_rank=_DIMENSION // 2, tokens=2)
    return train(problem, Student(width=width, penalty=0.02), 0, range(_RUNS), fresh=100)


def _reached(width: int, run: int) -> float:
    """The objective over d²; NaN where the student did not converge."""
    found = _trained(width)
    return float(found.objective[run]) if bool(found.converged[run]) else math.nan


_NARROW = Quantity(
    "objective of a student",
    at_points(lambda point: _reached(int(point["w_erm"]), int(point["seed_erm"]))),
    "L_p",
    rounding=1e-5,
)
_FULL = Quantity(
    "objective of a student of full width",
    at_points(lambda point: _reached(_DIMENSION, int(point["seed_erm"]))),
    "L_d",
    rounding=1e-5,
)
_COSTS_MORE = Quantity(
    "objective of a student of full width and a hundredth more",
    at_points(lambda point: 1.01 * _reached(_DIMENSION, int(point["seed_erm"]))),
    "1.01 L_d",
    rounding=1e-5,
)

width = _claim(
    label="attention_erm.decay.width",
    statement="A width that reaches the learned rank changes nothing, a smaller one costs. Students of a softmax of "
    "two tokens are trained from random factors, and their learned rank is at most 11. At widths 11 to 16 they reach "
    "the same objective to one part in 10⁵; at widths up to 8 they lose at least 1 % of it. Here d = 16, n = d², Δ = "
    "κ₀ = 0.5, λ~ = 0.02 and β = 1.",
    left=_NARROW,
    role="printed",
    reading="plausible",
    rests_on=(tied.label, room.label),
    cases=(
        Case(
            "wide", relation="=", kind="Identity", right=_FULL,
            domain=Domain({w_erm: Integers(11, 16), seed_erm: Integers(0, 3)}),
        ),
        Case(
            "narrow", relation=">=", kind="Lower", right=_COSTS_MORE,
            domain=Domain({w_erm: Integers(4, 8), seed_erm: Integers(0, 3)}),
        ),
    ),
)  # fmt: skip
