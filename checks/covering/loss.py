"""The cross-entropy's Lipschitz constant and range: what the generalization theorem asks."""

from __future__ import annotations

import functools

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.covering import PAPER
from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.measurements import Columns, small
from boundaudit.derivations.covering import loss as theory
from boundaudit.derivations.covering.loss import K_out, R_out, p_out, q_out, u_out, y_out

_claim = functools.partial(Claim, paper=PAPER, place=("Section 5",))
_CLASSES = Integers(2, tested_to=8)
_ENTRIES = Vector(K_out, Reals(tested_to=30))
_LOGITS = Domain({K_out: _CLASSES, y_out: Integers(1, K_out), u_out: _ENTRIES})


def _logits(at: Columns) -> Tensor:
    """Logits, minus infinity on padding, shape (n, classes)."""
    logits, classes = at.real("u_out"), at.whole("K_out")
    outside = torch.arange(logits.shape[1], device=logits.device) >= classes[:, None]
    return logits.masked_fill(outside, -torch.inf)


def _gradient(at: Columns) -> Tensor:
    """The cross-entropy's gradient p - e_y, shape (n, classes)."""
    shares = torch.softmax(_logits(at), -1)
    return shares - torch.nn.functional.one_hot(at.whole("y_out") - 1, shares.shape[1])


@small
def _cross_entropy(at: Columns) -> Tensor:
    return torch.nn.functional.cross_entropy(_logits(at), at.whole("y_out") - 1, reduction="none")


_LOSS = Quantity("cross-entropy", _cross_entropy, r"\ell(u, y)", scale=1.0)

_GRADIENT = Quantity(
    "length of the cross-entropy's gradient", small(lambda at: _gradient(at).norm(dim=-1)),
    r"\|\nabla_u \ell(u, y)\|_2", theory.GRADIENT, scale=1.0,
)  # fmt: skip
squares = _claim(
    label="covering.loss.squares",
    statement="The squares of a softmax's probabilities add up to at most one.",
    left=theory.SQUARED_SHARES,
    right=sp.S.One,
    domain=Domain({K_out: _CLASSES, u_out: _ENTRIES}),
    expected="proved",
)

printed = _claim(
    label="covering.loss.lipschitz",
    statement="The gradient of the cross-entropy with respect to the logits has length at most √2, for any number of "
    "classes: the loss is √2-Lipschitz in ‖·‖₂.",
    role="printed",
    left=_GRADIENT,
    right=theory.PUBLISHED,
    domain=_LOGITS,
    reading="certain",
    expected="proved",
    derivation=Derivation(
        label="covering.loss.lipschitz.steps", title="The length of p - e_y", domain=_LOGITS,
        samples={"two classes": {"K_out": 2, "y_out": 1, "u_out": (0.0, 1.0)}}, paper=PAPER, place=("Section 5",),
        steps=(
            Step(_GRADIENT, "√(Σ p² - 2 p_y + 1)"),
            Step(sp.sqrt(theory.SQUARED_SHARES + 1), "√(Σ p² + 1)", "p_y is not negative"),
            Step(theory.PUBLISHED, "√2", "squares add up to at most one", squares.label),
        ),
    ),
    limitations=("Approached where one wrong class takes all the weight, and never attained.",),
)  # fmt: skip

by_confidence = _claim(
    label="covering.loss.confidence",
    statement="Let p be the probability of the true class. The cross-entropy's gradient has length at most √2 (1 - "
    "p), with equality for two classes. Its length is √((1-p)² + q), where q ≤ (1-p)² is the sum of the other "
    "classes' squared probabilities.",
    left=theory.LENGTH,
    right=theory.BY_CONFIDENCE,
    domain=Domain({p_out: Reals(0, 1), q_out: Reals(0, (1 - p_out) ** 2)}),
    kind="Tight",
    equality=({"p_out": sp.Rational(1, 4), "q_out": sp.Rational(9, 16)},),
    improves=printed.label,
    expected="proved",
)


box = _claim(
    label="covering.loss.box",
    statement="The cross-entropy of K logits between -R and R is at most log(1 + (K-1) exp(2R)), and so at most "
    "log K + 2R.",
    cases=(
        Case(
            "value", left=_LOSS, right=theory.BOX,
            domain=Domain({
                K_out: _CLASSES, R_out: Reals(0, tested_to=10), y_out: Integers(1, K_out),
                u_out: Vector(K_out, Reals(-R_out, R_out)),
            }),
        ),
        Case(
            "linear", left=theory.BOX, right=theory.BOX_BOUND, domain=Domain({K_out: Integers(1), R_out: Reals(0)}),
            kind="Tight", equality=({"K_out": 1, "R_out": 0}, {"K_out": 3, "R_out": 0}), expected="proved",
        ),
    ),
)  # fmt: skip

ball = _claim(
    label="covering.loss.ball",
    statement="The cross-entropy of K logits of length at most R in ‖·‖₂ is at most log K + √2 R: the loss of equal "
    "logits, plus the Lipschitz constant √2 times R.",
    left=_LOSS,
    right=theory.BALL_BOUND,
    domain=Domain({
        K_out: _CLASSES, R_out: Reals(0, tested_to=10), y_out: Integers(1, K_out),
        u_out: Vector(K_out, Reals(tested_to=10), square_sum=R_out**2),
    }),
    improves="covering.loss.box",
    rests_on=(printed.label,),
    limitations=("A covering bound caps exactly this length; from a box of logits only log K + 2R would follow.",),
)  # fmt: skip
