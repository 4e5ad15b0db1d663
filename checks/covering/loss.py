"""The cross-entropy's Lipschitz constant and range: what the generalization theorem asks."""

from __future__ import annotations

import functools

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.covering import PAPER
from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.measurements import Columns, small
from boundaudit.derivations.covering import loss as theory
from boundaudit.derivations.covering.loss import K_out, R_out, k_out, p_out, q_out, u_out, y_out

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
    "log K + 2R. The true class is the last.",
    expected="proved",
    cases=(
        Case(
            "value", left=theory.CROSS_ENTROPY, right=theory.BOX,
            domain=Domain({K_out: _CLASSES, R_out: Reals(0, tested_to=10), u_out: Vector(K_out, Reals(-R_out, R_out))}),
        ),
        Case(
            "linear", left=theory.BOX, right=theory.BOX_BOUND, domain=Domain({K_out: Integers(1), R_out: Reals(0)}),
            kind="Tight", equality=({"K_out": 1, "R_out": 0}, {"K_out": 3, "R_out": 0}),
        ),
    ),
)  # fmt: skip

two = _claim(
    label="covering.loss.two",
    statement="The squares of two numbers of several add up to at most the squared length of all.",
    left=u_out[k_out] ** 2 + u_out[y_out] ** 2,
    right=theory.SQUARED_LENGTH,
    domain=Domain({K_out: _CLASSES, k_out: Integers(1, K_out - 1), y_out: Integers(k_out + 1, K_out), u_out: _ENTRIES}),
    expected="proved",
)

_LAST = Domain({K_out: _CLASSES, k_out: Integers(1, K_out - 1), u_out: _ENTRIES})
apart = _claim(
    label="covering.loss.apart",
    statement="The last of several numbers is below another one by at most √2 times their length; exponentials of both "
    "sides.",
    left=sp.exp(u_out[k_out] - u_out[K_out]),
    right=sp.exp(theory.WIDEST),
    domain=_LAST,
    expected="proved",
    derivation=Derivation(
        label="covering.loss.apart.steps", title="Two logits of a given length", domain=_LAST,
        samples={"three classes": {"K_out": 3, "k_out": 1, "u_out": (2, 0, 1)}},
        steps=(
            Step(sp.exp(u_out[k_out] - u_out[K_out]), "difference"),
            Step(sp.exp(sp.sqrt(2) * sp.sqrt(u_out[k_out] ** 2 + u_out[K_out] ** 2)), "two logits", "Cauchy-Schwarz"),
            Step(sp.exp(theory.WIDEST), "all logits", "two of their squares", Instance(two.label, {y_out: K_out})),
        ),
    ),
)  # fmt: skip

_ANY = Domain({K_out: _CLASSES, u_out: _ENTRIES})
ball = _claim(
    label="covering.loss.ball",
    statement="The cross-entropy of K logits u is at most log K + √2 ‖u‖₂: the loss of equal logits, plus the "
    "Lipschitz constant √2 times their length. The true class is the last.",
    left=theory.CROSS_ENTROPY,
    right=theory.BALL_BOUND,
    domain=_ANY,
    improves="covering.loss.box",
    expected="proved",
    derivation=Derivation(
        label="covering.loss.ball.steps", title="The largest loss of logits of a given length", domain=_ANY,
        samples={"two classes": {"K_out": 2, "u_out": (1, 0)}},
        steps=(
            Step(theory.CROSS_ENTROPY, "cross-entropy"),
            Step(sp.log(1 + sp.Sum(sp.exp(theory.WIDEST), (k_out, 1, K_out - 1))), "widest", "class by class",
                 Instance(apart.label, over=(k_out, 1, K_out - 1))),
            Step(theory.BALL_BOUND, "log K + √2 ‖u‖", "1 ≤ exp(√2 ‖u‖)"),
        ),
    ),
    limitations=("A covering bound caps exactly this length; from a box of logits only log K + 2R would follow.",),
)  # fmt: skip
