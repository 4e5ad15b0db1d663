"""Theorem 14: one forward pass row by row, as vectors that proofs speak of, and what they assume of them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
import sympy as sp
from torch import Tensor

from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.gradients.shared import INPUTS, MEASURED, SCALES, claim, numbered
from boundaudit.checks.sharpness.targets import trapezoid
from boundaudit.derivations.sharpness.parameters import T, t
from boundaudit.numeric.sharpness.row_sums import Rows, rows

_ROWS = T + 1


def _vector(name: str, latex: str, network: str, of: Callable[[Rows], Tensor], entries: Reals) -> Family:
    """One number of each row, the output position's last."""

    def measure(points: Sequence[Point], device: str) -> Array:
        found = np.zeros((len(points), max(int(point["T"]) for point in points) + 1))
        for width, length in {(point["u"], point["T"]) for point in points}:
            chosen = [n for n, point in enumerate(points) if (point["u"], point["T"]) == (width, length)]
            at = Columns([points[n] for n in chosen], device)
            values = of(rows(*numbered(at), mlp=trapezoid(at), scale=SCALES[network]))
            found[chosen, : length + 1] = values.cpu().numpy()
        return found

    return Family(f"{name}, {network} network", measure, latex, _ROWS, entries)


ATTENTION = {n: _vector("attention of layer 2", "a", n, lambda r: r.a, Reals(0, 1)) for n in SCALES}
OUTPUTS = {n: _vector("outputs of the MLP", "g", n, lambda r: r.g, Reals(0, 1)) for n in SCALES}
"""By network; that entries lie between 0 and 1 is part of what is assumed of them."""


def total(body: sp.Expr) -> sp.Expr:
    """A sum over the rows."""
    return sp.Sum(body, (t, 1, _ROWS))


def mean(network: str) -> sp.Expr:
    """The average output, Σ a g."""
    return total(ATTENTION[network][t] * OUTPUTS[network][t])


def lengths_squared(network: str) -> sp.Expr:
    """Σ a² + m²."""
    return total(ATTENTION[network][t] ** 2) + mean(network) ** 2


_axiom = functools.partial(claim, role="axiom", relation="=", domain=INPUTS, expected="supported")


def _by_chain_rule(block: str, formula: str, written: Callable[[str], sp.Expr]) -> Claim:
    where = "with a the attention of layer 2, g the MLP's outputs, m = Σ a g and C the sum of the coefficients"
    return _axiom(
        label=f"sharpness.gradients.rows.{block}",
        statement=f"The squared gradient in {block} is {formula}, {where}: the chain rule, written out.",
        cases=tuple(
            Case(network, left=MEASURED[network][block], right=lambda network=network: written(network))
            for network in SCALES
        ),
    )


weights = _axiom(
    label="sharpness.gradients.rows.weights",
    statement="The attention of layer 2 adds up to one: a softmax.",
    right=1,
    cases=tuple(Case(network, left=lambda network=network: total(ATTENTION[network][t])) for network in SCALES),
)
v2 = _by_chain_rule("V2", "Σ a² + m²", lengths_squared)
