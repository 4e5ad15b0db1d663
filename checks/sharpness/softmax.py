"""Lemma 15 and Theorem 29: what the softmax's Jacobian R = diag(a) - a aᵀ makes of a vector, and how far it moves."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, by_columns, measured
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import softmax as theory
from boundaudit.derivations.sharpness.parameters import j, t
from boundaudit.derivations.sharpness.softmax import (
    S_a,
    a_k,
    b_k,
    m_k,
    n_k,
    p_a,
    p_b,
    q_a,
    q_b,
    v_0,
    v_a,
    w_a,
    x_a,
    y_0,
)
from boundaudit.numeric.softmax import jacobian, jacobian_product, longest_row, shares

_lemma = functools.partial(Claim, paper=PAPER, place=("Lemma 15",))
_change = functools.partial(Claim, paper=PAPER, place=("Theorem 29",))

_EXPONENTIALS = Vector(n_k, Reals(0, open_low=True))
_UNIT = Reals(-1, 1)
_KEYS: dict[Any, Range] = {n_k: Integers(1, tested_to=6), w_a: _EXPONENTIALS}
_COLUMN = Domain({**_KEYS, x_a: Vector(n_k, _UNIT), v_a: Vector(n_k, _UNIT)})
_ROWS = Domain({**_KEYS, m_k: Integers(1, tested_to=4), x_a: Vector(n_k * m_k, _UNIT), v_a: Vector(n_k, _UNIT)})
_CENTRED = Domain({
    n_k: _KEYS[n_k], w_a: Vector(n_k, Reals(0)), x_a: Vector(n_k, _UNIT), v_a: Vector(n_k, _UNIT), y_0: Reals(),
    v_0: Reals(),
})  # fmt: skip
_TWO_KEYS: Point = {"n_k": 2, "w_a": (1, 1), "x_a": (1, -1), "v_a": (1, -1)}


def _steps(label: str, title: str, place: str, domain: Domain, sample: Point, *steps: Step) -> Derivation:
    """The chain of a claim."""
    return Derivation(
        label=f"{label}.steps", title=title, steps=steps, domain=domain, samples={"an example": sample}, paper=PAPER,
        place=(place,),
    )  # fmt: skip


_ONE_COLUMN = (
    "Stated for one column of X with entries and values up to one: the length of Xᵀ R v is that of its largest "
    "projection, rows project to at most their length, and both sides are homogeneous."
)
_RECOVERED = "The constant is recovered from how the lemma is used."


def _matrices(at: Columns) -> Tensor:
    """X from its rows one after the other, zero on padding."""
    rows, columns = at.whole("n_k"), at.whole("m_k")
    found = torch.zeros(len(at), int(rows.max()), int(columns.max()), dtype=torch.float64)
    for matrix, p in zip(found, at.points, strict=True):
        matrix[: p["n_k"], : p["m_k"]] = torch.tensor(p["x_a"], dtype=torch.float64).view(p["n_k"], p["m_k"])
    return found.to(at.device)


_PRODUCT = Quantity(
    "product with the softmax's Jacobian",
    by_columns(lambda w, x, v: jacobian_product(shares(w), x[..., None], v)[:, 0], "w_a", "x_a", "v_a"),
    r"x^\top R\, v",
    theory.JACOBIAN_PRODUCT,
    rounding=1e-12,
    scale=1.0,
)

# --- Lemma 15 -------------------------------------------------------------------------------------


def _of_matrix(measure: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Measure:
    """A number of a, X and v."""
    return measured(lambda at: measure(shares(at.real("w_a")), _matrices(at), at.real("v_a")))


def _bound(a: Tensor, x: Tensor, v: Tensor) -> Tensor:
    return longest_row(x) * v.abs().amax(-1)


_LENGTH = Quantity(
    "length of Xᵀ R v", _of_matrix(lambda a, x, v: jacobian_product(a, x, v).norm(dim=-1)), r"\|X^\top R\, v\|_2",
    scale=1.0,
)  # fmt: skip


def _norms(factor: int) -> Quantity:
    name, latex = "product of the norms", r"\|X\|_{2,\infty} \|v\|_\infty"
    measure = _of_matrix(lambda a, x, v: factor * _bound(a, x, v))
    return Quantity(name if factor == 1 else f"twice the {name}", measure, latex if factor == 1 else f"2 {latex}")


printed = _lemma(
    label="sharpness.softmax.jacobian.printed", role="printed", reading="plausible", expected="proved",
    statement="For a softmax's Jacobian R = diag(a) - a aᵀ the length of Xᵀ R v is at most 2 ‖X‖_{2,∞} ‖v‖_∞. For one "
    "column x and values v whose entries are at most one in size this says that xᵀ R v is at most two.",
    left=_PRODUCT, right=sp.Integer(2), domain=_COLUMN,
    derivation=_steps(
        "sharpness.softmax.jacobian.printed", "From the sharp constant", "Lemma 15", _COLUMN, _TWO_KEYS,
        Step(_PRODUCT, "xᵀ R v"), Step(sp.S.One, "1", "the sharp constant", "sharpness.softmax.jacobian.sharpened"),
        Step(sp.Integer(2), "2"),
    ),
    limitations=(_ONE_COLUMN, _RECOVERED),
)  # fmt: skip

about_centres = _lemma(
    label="sharpness.softmax.jacobian.about-centres", expected="proved",
    statement="Twice a sum of products (x - y_0)(v - v_0) of entries up to one, weighted by w ≥ 0, is at most twice "
    "the sum of the weights, less what the squares lose by the shift: at the means, xᵀ R v ≤ 1 - (ȳ² + v̄²)/2.",
    left=theory.ABOUT_CENTRES, right=theory.SQUARES_ABOUT_CENTRES, domain=_CENTRED,
    limitations=("At the means the left side is twice xᵀ R v times the sum of the weights.",),
)  # fmt: skip

_SHARPENED = "sharpness.softmax.jacobian.sharpened"
sharpened = _lemma(
    label=_SHARPENED, kind="Tight", expected="proved",
    statement="For a softmax's Jacobian R = diag(a) - a aᵀ the length of Xᵀ R v is at most ‖X‖_{2,∞} ‖v‖_∞. For one "
    "column x and values v whose entries are at most one in size this says that xᵀ R v is at most one. Equality at two "
    "keys of equal weight with opposite entries.",
    left=_PRODUCT, right=sp.S.One, domain=_COLUMN, equality=(_TWO_KEYS,), improves=printed.label,
    derivation=_steps(
        _SHARPENED, "The softmax Jacobian's product about the means", "Lemma 15", _COLUMN, _TWO_KEYS,
        Step(_PRODUCT, "xᵀ R v"),
        Step(sp.S.One, "1", "a product is at most half of both squares, about the means", Instance(
            about_centres.label, {y_0: theory.mean(x_a[t]), v_0: theory.mean(v_a[t])},
        )),
    ),
    limitations=(_ONE_COLUMN,),
)  # fmt: skip

# --- Theorem 29 -----------------------------------------------------------------------------------

_OTHERS = Domain(
    {n_k: _KEYS[n_k], a_k: Vector(n_k, Reals(0, 1)), b_k: Vector(n_k, Reals(0, 1))},
    where=[theory.total(weights[t]) <= 1 for weights in (a_k, b_k)],
)
_MOVED: Point = {"n_k": 2, "a_k": (0.25, 0.25), "b_k": (0.5, 0.125)}


def _of_pair(name: str, latex: str, definition: sp.Expr, measure: Callable[[Tensor, Tensor], Tensor]) -> Quantity:
    """A number of a and ã, whose first key has what the others leave."""

    def of(first: Tensor, second: Tensor) -> Tensor:
        return measure(*(torch.cat([1 - others.sum(-1, keepdim=True), others], -1) for others in (first, second)))

    return Quantity(name, by_columns(of, "a_k", "b_k"), latex, definition, rounding=1e-11, scale=1.0)


_COLUMN_SUM = _of_pair(
    "a column's absolute sum", r"\sum_j |\tilde\Sigma_{ji} - \Sigma_{ji}|", theory.COLUMN,
    lambda a, b: (jacobian(b) - jacobian(a))[..., 0].abs().sum(-1),
)  # fmt: skip
_DISTANCE = _of_pair("change of the weights", r"\|\tilde a - a\|_1", theory.CHANGE, lambda a, b: (b - a).abs().sum(-1))
_THREE_TIMES = _of_pair(
    "three times the change of the weights", r"3 \|\tilde a - a\|_1", 3 * theory.CHANGE,
    lambda a, b: 3 * (b - a).abs().sum(-1),
)  # fmt: skip
_ANY_COLUMN = "‖·‖₁ is the largest absolute sum of a column; stated for any one column, of two or more keys."

change_printed = _change(
    label="sharpness.softmax.change.printed", role="printed", reading="plausible", expected="proved",
    statement="When a softmax's weights change from a to ã, its Jacobian diag(a) - a aᵀ changes by at most three times "
    "as much in ‖·‖₁: the largest absolute sum of a column is at most 3 Σ |ã_t - a_t|.",
    left=_COLUMN_SUM, right=_THREE_TIMES, domain=_OTHERS,
    derivation=_steps(
        "sharpness.softmax.change.printed", "From the sharp constant", "Theorem 29", _OTHERS, _MOVED,
        Step(_COLUMN_SUM, "a column"), Step(_DISTANCE, "S", "the sharp constant", "sharpness.softmax.change.sharpened"),
        Step(_THREE_TIMES, "3 S"),
    ),
    limitations=(_ANY_COLUMN, "The constant is what the triangle inequality of the text gives."),
)  # fmt: skip

off_diagonal = _change(
    label="sharpness.softmax.change.off-diagonal", kind="Tight", expected="proved",
    statement="A product a p of two weights that becomes b q changes by at most p|b - a| + |q - p| b: one part for "
    "each weight that moves.",
    left=theory.OFF_DIAGONAL, right=theory.OFF_DIAGONAL_SPLIT,
    domain=Domain({name: Reals(0, 1) for name in (p_a, p_b, q_a, q_b)}),
    equality=({"p_a": 0, "p_b": 1, "q_a": 0, "q_b": 1},),
)  # fmt: skip

own_weights = _change(
    label="sharpness.softmax.change.own-weights", kind="Tight", expected="proved",
    statement="What the two halves of a column of a softmax's Jacobian can add up to when its own weight changes from "
    "p_a to p_b is at most the change S of all weights, as |p_b - p_a| ≤ S/2.",
    left=theory.COLUMN_SPLIT, right=S_a,
    domain=Domain({p_a: Reals(0, 1), p_b: Reals(0, 1), S_a: Reals(2 * sp.Abs(p_a - p_b))}),
    equality=({"p_a": 0, "p_b": 0, "S_a": 0}, {"p_a": 1, "p_b": 1, "S_a": 1}),
    limitations=("The weights' changes add up to zero, so that no single one exceeds half of S.",),
)  # fmt: skip

half = _change(
    label="sharpness.softmax.change.half", expected="proved",
    statement="What one weight of a softmax gains the others lose: it changes by at most the sum of their changes.",
    left=sp.Abs(theory.OWN_A - theory.OWN_B), right=theory.OTHERS, domain=_OTHERS,
)  # fmt: skip

_CHANGED = "sharpness.softmax.change.sharpened"
_OWN: dict[Any, Any] = {p_a: theory.OWN_A, p_b: theory.OWN_B}
_TURNED: dict[Any, Any] = {p_a: theory.OWN_B, p_b: theory.OWN_A}
change_sharpened = _change(
    label=_CHANGED, expected="proved",
    statement="When a softmax's weights change from a to ã, no column of its Jacobian diag(a) - a aᵀ changes by more "
    "than Σ |ã_t - a_t|, in absolute sum; approached, not attained, by a column of small weight.",
    left=_COLUMN_SUM, right=_DISTANCE, domain=_OTHERS, improves=change_printed.label,
    derivation=_steps(
        _CHANGED, "A column of the softmax's Jacobian", "Theorem 29", _OTHERS, _MOVED,
        Step(_COLUMN_SUM, "a column"),
        Step(theory.COLUMN_SPLIT.subs({**_OWN, S_a: theory.CHANGE}), "by its own weight and the others", "key by key", (
            Instance(off_diagonal.label, {**_OWN, q_a: a_k[j], q_b: b_k[j]}, over=(j, 1, n_k)),
            Instance(off_diagonal.label, {**_TURNED, q_a: b_k[j], q_b: a_k[j]}, over=(j, 1, n_k)),
        )),
        Step(_DISTANCE, "S", "its own weight changes by at most half of S", (
            half.label, Instance(own_weights.label, {**_OWN, S_a: theory.CHANGE}),
        )),
    ),
    limitations=(_ANY_COLUMN,),
)  # fmt: skip

# --- chains ---------------------------------------------------------------------------------------


def _spread(a: Tensor, v: Tensor) -> Tensor:
    """The values less their mean."""
    return v - (a * v).sum(-1, keepdim=True)


def _jacobian_steps(*later: Step) -> tuple[Step, ...]:
    sums = _of_matrix(lambda a, x, v: longest_row(x) * (jacobian(a) @ v[..., None])[..., 0].abs().sum(-1))
    rows = Quantity("longest row times ‖Rv‖₁", sums, r"\|X\|_{2,\infty} \|R\, v\|_1")
    return Step(_LENGTH, "length of Xᵀ R v"), Step(rows, "longest row times ‖Rv‖₁", "Hölder"), *later


_DEVIATION = _of_matrix(lambda a, x, v: longest_row(x) * (a * _spread(a, v) ** 2).sum(-1).sqrt())
_EXAMPLE: Point = {"n_k": 3, "m_k": 2, "w_a": (1.0, 0.5, 0.25), "x_a": (1.0, 0.0, -0.5, 0.5, 0.0, -1.0),
                   "v_a": (1.0, -0.5, 0.25)}  # fmt: skip
_SEVERAL = _ROWS.replace(n_k=Integers(2, tested_to=6))

chains = (
    Derivation(
        label="sharpness.softmax.chain-printed",
        title="The softmax Jacobian's product, by the triangle inequality",
        steps=_jacobian_steps(
            Step(_norms(2), "twice the product of the norms", "triangle", "sharpness.softmax.jacobian.printed")
        ),
        domain=_SEVERAL,
        samples={"three keys": _EXAMPLE},
        paper=PAPER,
        place=("Lemma 15",),
    ),
    Derivation(
        label="sharpness.softmax.chain-sharpened",
        title="The softmax Jacobian's product, by the standard deviation",
        steps=_jacobian_steps(
            Step(
                Quantity("longest row times the standard deviation", _DEVIATION, r"\|X\|_{2,\infty}\, \mathrm{sd}(v)"),
                "longest row times the standard deviation", "Cauchy-Schwarz", None,
            ),
            Step(_norms(1), "product of the norms", "variance at most the mean square",
                 "sharpness.softmax.jacobian.sharpened"),
        ),
        domain=_SEVERAL,
        samples={"three keys": _EXAMPLE},
        paper=PAPER,
        place=("Lemma 15",),
    ),
)  # fmt: skip
