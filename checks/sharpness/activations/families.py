"""Theorem 11 for any family of sets and any input: the stream and the values of layer 2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Step
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.activations.rows import COLUMN, STREAM, VALUE
from boundaudit.checks.sharpness.activations.rows import VALUES as _ONE_COMPONENT
from boundaudit.checks.sharpness.activations.shared import SQUARED, claim
from boundaudit.checks.sharpness.gradients.shared import INPUTS, by_rows, numbered
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.checks.sharpness.targets import by_trapezoid
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.parameters import T
from boundaudit.numeric.sharpness.activations import sizes
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.row_sums import Rows, squared_length


def _sized(one: Quantity, name: str, power: int) -> Quantity:
    """A size of the forward pass, of a target and an input."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        batch, bits = numbered(at)
        return sizes(batch, bits[:, None], mlp=mlp)[name][:, 0] ** power

    return Quantity(f"{one.name}, any family", by_trapezoid(of), one.latex, rounding=1e-11, scale=1.0)


VALUES = _sized(_ONE_COMPONENT, "values", 2)


def _waves(r: Rows) -> Tensor:
    """The MLP's outputs as functions of the averages, zero on padding, shape (B, P)."""
    waves = (torch.relu(r.s[..., None] + r.units.bias[:, None]) @ r.units.output[..., None])[..., 0]
    return waves.where(r.a > 0, 0.0)


def _node(name: str, latex: str, of: Callable[[Tensor], Tensor], power: int = 0) -> Quantity:
    """A number of the MLP's outputs, times a power of C."""
    return by_rows(name, "finite", lambda r: r.total**power * of(_waves(r)), latex)


WAVES = _node("C² Σ g²", r"C^2 \sum_t g(s_t)^2", squared_length, 2)


def _bounded(name: str, what: str, left: Quantity, written: Quantity, right: Any) -> Case:
    label = f"sharpness.activations.families.{name.replace(',', '.')}"
    return Case(
        name,
        statement=f"For any family of sets of D positions each, positive coefficients and any input, {what}.",
        left=left,
        right=right,
        derivation=proof(
            label, left.name, INPUTS, Step(left, left.name), Step(written, written.name, "definition"),
            Step(right, "the bound", "0 ≤ g ≤ 1 in each of T+1 rows", "sharpness.mlp.range"),
        ),
    )  # fmt: skip


families = claim(
    label="sharpness.activations.families",
    statement="What is said of one component's stream and values holds of any family of sets and any input.",
    relation="<=",
    domain=INPUTS,
    expected="supported",
    limitations=(SQUARED,),
    cases=(
        _bounded(
            "stream,rows", "every row of X2 has norm at most √2", _sized(STREAM, "stream", 2),
            _node("1 + max g²", r"1 + \max_t g(s_t)^2", lambda g: 1 + g.square().amax(-1)), sp.Integer(2),
        ),
        _bounded(
            "stream,column", "every column of X2 has norm at most √(T+1)", _sized(COLUMN, "column", 2),
            _node("max(1, Σ g²)", r"\max(1, \sum_t g(s_t)^2)", lambda g: squared_length(g).clamp(min=1)), T + 1,
        ),
        _bounded(
            "values,largest", "the entries of X2 V2 are at most C, the sum of the coefficients",
            _sized(VALUE, "value", 1),
            _node("C max g", r"C \max_t g(s_t)", lambda g: g.amax(-1), 1), SUM,
        ),
    ),
)  # fmt: skip
