"""Capacities of attention layers: one head with explicit constants, two-stage covers, many heads, many layers."""

from __future__ import annotations

import functools

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.covering import PAPER, stack
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, at_points, small
from boundaudit.derivations.covering import transformer as theory
from boundaudit.derivations.covering.symbols import H_cov, K_cov, L_cov, T_cov, seed_cov
from boundaudit.derivations.covering.transformer import e_lay, nu_lay, q_cov
from boundaudit.numeric.covering import rademacher, stages

_claim = functools.partial(Claim, paper=PAPER)
_single = functools.partial(_claim, place=("Section 4",))
_heads = functools.partial(_claim, place=("Section 4.2",))
_layers = functools.partial(_claim, place=("Multi-layer",))
_SEEDS = Integers(0, tested_to=100)
_NOT_PRINTED = "Constants are derived here; those of the paper are not known to us."


def _generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


# --- one head --------------------------------------------------------------------------------------


def _staged(point: Point) -> tuple[float, float]:
    generator = _generator(int(point["seed_cov"]))
    return stages.two_stages(int(point["T_cov"]), int(point["K_cov"]), float(point["nu_lay"]), generator)


two_stages = _single(
    label="covering.transformer.two-stages",
    statement="Take a head on m samples of T tokens in the unit ball, whose matrices have rows with lengths that add "
    "up to at most one. It is covered in root mean square in two stages: W_QK on the m queries and then, for each "
    "element, W_V on the m tokens that it pools. With K atoms a stage the error is at most 2/(√K + 1), more exactly "
    "the sum of the mean lengths of queries and pooled tokens over √K + 1. The size (2dk)^K of a stage is free of T "
    "and m.",
    left=Quantity(
        "error of a head next to its element", at_points(lambda p: _staged(p)[0]), r"\mathrm{rms}(f - f')", scale=1.0
    ),
    right=Quantity(
        "mean lengths of queries and pooled tokens over √K + 1", at_points(lambda p: _staged(p)[1]),
        r"\frac{r_z + r_x}{\sqrt{K} + 1}", scale=1.0,
    ),
    domain=Domain({
        T_cov: Integers(1, tested_to=4096), K_cov: Integers(1, 4), nu_lay: Reals(0, tested_to=1), seed_cov: _SEEDS,
    }),
    rests_on=("covering.linear.rows.radius", "covering.softmax.pooled"),
    limitations=(
        "For one query a sample, as a class or masked token has it; layers below the last use all of their outputs.",
    ),
)  # fmt: skip

# --- many heads ------------------------------------------------------------------------------------


def _class(point: Point) -> Tensor:
    return torch.randn(3, 5, generator=_generator(int(point["seed_cov"])), dtype=torch.float64)


complexity_of_heads = _heads(
    label="covering.transformer.heads.complexity",
    statement="The Rademacher complexity of the sums of H functions of a class is exactly H times that of the class. "
    "For a scalar output a bound for H heads need therefore grow as H only, not as H^{3/2}. Measured over all signs, "
    "for classes of three functions on five points.",
    left=Quantity(
        "complexity of the sums",
        at_points(lambda p: float(rademacher.complexity(rademacher.sums(_class(p), int(p["H_cov"]))))),
        r"\mathfrak{R}(F + \dots + F)", rounding=1e-11, scale=1.0,
    ),
    relation="=",
    right=Quantity(
        "H times the complexity", at_points(lambda p: int(p["H_cov"]) * float(rademacher.complexity(_class(p)))),
        r"H\, \mathfrak{R}(F)", rounding=1e-11, scale=1.0,
    ),
    domain=Domain({H_cov: Integers(1, 4), seed_cov: _SEEDS}),
)  # fmt: skip


def _apart(at: Columns) -> Tensor:
    """Length of (W_V,hᵀ x_h)_h for W_V,h = e_h and x_h = e_h, one inner dimension a head."""
    return at.each(lambda point: float(torch.eye(int(point["H_cov"]), dtype=torch.float64).diagonal().norm()))


_APART = Quantity("length of the heads' values", small(_apart), r"\|(W_{V,h}^\top x_h)_h\|_2", lambda: sp.sqrt(H_cov))
_EIGHT = Domain({H_cov: Integers(1, tested_to=16)})

concatenated = _heads(
    label="covering.transformer.heads.concatenated",
    statement="The values that H heads pool of unit tokens have in all at most the length of the operator norm of the "
    "concatenated value maps; for W_V,h = e_h that norm is one, and each head pools a token of its own.",
    role="control",
    left=_APART,
    right=sp.Integer(1),
    domain=_EIGHT,
    expected="refuted",
    limitations=("How a cap on the concatenation is easily misused, not what the paper prints.",),
)

squares = _heads(
    label="covering.transformer.heads.squares",
    statement="The values that H heads pool of unit tokens have together at most the length (Σ_h ‖W_V,h‖²)^{1/2}. "
    "For W_V,h = e_h that is √H, and it is attained.",
    left=_APART,
    right=lambda: sp.sqrt(H_cov),
    domain=_EIGHT,
    kind="Tight",
    equality=({"H_cov": 4},),
    repairs=(concatenated.label,),
    expected="proved",
)

# --- many layers -----------------------------------------------------------------------------------

geometric = _layers(
    label="covering.transformer.layers.geometric",
    statement="Where a layer may enlarge errors by λ > 1 and q = λ^{2/3}, the parts of γ of L layers are those of the "
    "last one times Σ_i q^{L-i} = (q^L - 1)/(q - 1): the capacity, γ³, grows as λ^{2(L-1)} and the Rademacher bound as "
    "λ^{L-1}.",
    left=lambda: theory.GEOMETRIC,
    relation="=",
    right=lambda: theory.GEOMETRIC_VALUE,
    domain=Domain({q_cov: Reals(1, open_low=True, tested_to=20), L_cov: Integers(1, tested_to=12)}),
    expected="proved",
)


recursion = _layers(
    label="covering.transformer.layers.recursion",
    statement="Take L layers with ReLU, ‖W_QK‖ = B, other maps of norm one and rows projected on the unit ball, "
    "whose maps err by ε_V and ε_QK on their inputs. In the largest length of a row the layers err by at most Σ_i "
    "λ^{L-i}(ε_V + ε_QK), with λ = B + √(1 + B²), whatever the number of layers and of tokens. Attacked by gradient "
    "ascent, with up to a million rows.",
    left=stack.ERRORS[L_cov + 1],
    right=stack.ADDED_UP,
    domain=stack.STACKED,
    expected="proved",
    limitations=(_NOT_PRINTED, "The rows that are measured are of at most four kinds."),
    derivation=stack.recursion(),
)  # fmt: skip

proofs = (recursion.derivation,)

# --- outputs ---------------------------------------------------------------------------------------


def _masked(at: Columns) -> tuple[Tensor, Tensor]:
    """Difference of the mean cross-entropies over T masked positions, and √2 times the largest of the logits'."""
    draws, masks = _generator(int(at.whole("seed_cov")[0])), int(at.whole("T_cov")[0])
    logits, moves = torch.randn(2, masks, 5, generator=draws, dtype=torch.float64)
    targets = torch.randint(5, (masks,), generator=draws)
    moved = logits + at.real("e_lay")[:, None, None] * moves

    def loss(of: Tensor) -> Tensor:
        return torch.nn.functional.cross_entropy(of, targets.expand(len(of), -1), reduction="none").mean(-1)

    change = (loss(moved.mT) - loss(logits.mT[None])).abs()
    return change, 2**0.5 * (moved - logits).norm(dim=-1).amax(-1)


masked = _claim(
    label="covering.transformer.masked",
    statement="The mean cross-entropy over any number of masked positions of a sequence is √2-Lipschitz in the "
    "largest length by which the logits of a position change. Several masks a sequence leave the loss's constant as "
    "it is, and the number of samples is that of sequences.",
    left=Quantity("change of the mean loss", small(lambda at: _masked(at)[0], "T_cov", "seed_cov"),
                  r"|\bar\ell(U) - \bar\ell(U')|", scale=1.0),
    right=Quantity("√2 times the largest change of logits", small(lambda at: _masked(at)[1], "T_cov", "seed_cov"),
                   r"\sqrt{2} \|U - U'\|_{2,\infty}", scale=1.0),
    domain=Domain({T_cov: Integers(1, tested_to=64), e_lay: Reals(0, open_low=True, tested_to=4), seed_cov: _SEEDS}),
    place=("Section 5",),
    rests_on=("covering.loss.lipschitz",),
)  # fmt: skip
