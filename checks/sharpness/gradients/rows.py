"""Theorem 14: one forward pass row by row, as vectors that proofs speak of, and what they assume of them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.gradients.shared import INPUTS, MEASURED, SCALES, claim, numbered
from boundaudit.checks.sharpness.targets import trapezoid
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import D, T, j, t
from boundaudit.numeric.sharpness.row_sums import Rows, averaged, rows

_ROWS = T + 1


def _vector(
    name: str, latex: str, network: str, of: Callable[[Rows], Tensor], entries: Reals, length: sp.Expr = _ROWS
) -> Family:
    """One number of each row, the output position's last, or of each hidden unit."""

    def measure(points: Sequence[Point], device: str) -> Array:
        shapes = [(point["u"], point["T"], point["D"]) for point in points]
        counts = [int(length.subs({T: rows_, D: degree})) for _, rows_, degree in shapes]
        found = np.zeros((len(points), max(counts)))
        for shape in set(shapes):
            chosen = [n for n, other in enumerate(shapes) if other == shape]
            at = Columns([points[n] for n in chosen], device)
            values = of(rows(*numbered(at), mlp=trapezoid(at), scale=SCALES[network]))
            found[chosen, : counts[chosen[0]]] = values.cpu().numpy()
        return found

    return Family(f"{name}, {network} network", measure, latex, length, entries)


ATTENTION = {n: _vector("attention of layer 2", "a", n, lambda r: r.a, Reals(0, 1)) for n in SCALES}
OUTPUTS = {n: _vector("outputs of the MLP", "g", n, lambda r: r.g, Reals(0, 1)) for n in SCALES}
"""By network; that entries lie between 0 and 1 is part of what is assumed of them."""


def _live(r: Rows) -> Tensor:
    return torch.where(1 + r.units.bias > 0, r.units.output, 0.0).square()


LIVE = {n: _vector("squared output weights of units on at one", "F^2", n, _live, Reals(0), UNITS) for n in SCALES}
ON = {
    n: _vector("attention on rows where a unit is on", "o", n, lambda r: averaged(r.a, r.on), Reals(0, 1), UNITS)
    for n in SCALES
}
SEEN = {
    n: _vector("bits seen where a unit is on", "p", n, lambda r: averaged(r.a * r.s, r.on), Reals(0, 1), UNITS)
    for n in SCALES
}
"""Of each hidden unit. That it is on at one where it is on in some row stands in the axioms on the gradients."""


def total(body: sp.Expr) -> sp.Expr:
    """A sum over the rows."""
    return sp.Sum(body, (t, 1, _ROWS))


def units_total(body: sp.Expr) -> sp.Expr:
    """A sum over the hidden units."""
    return sp.Sum(body, (j, 1, UNITS))


def mean(network: str) -> sp.Expr:
    """The average output, Σ a g."""
    return total(ATTENTION[network][t] * OUTPUTS[network][t])


def lengths_squared(network: str) -> sp.Expr:
    """Σ a² + m²."""
    return total(ATTENTION[network][t] ** 2) + mean(network) ** 2


def variance(network: str) -> sp.Expr:
    """The outputs' variance, Σ a (g - m)²."""
    return total(ATTENTION[network][t] * (OUTPUTS[network][t] - mean(network)) ** 2)


def queries_squared(network: str) -> sp.Expr:
    """(1 + g_out²) C²."""
    return (1 + OUTPUTS[network][_ROWS] ** 2) * SUM**2


def keys_squared(network: str) -> sp.Expr:
    """(1 + g_out²) C² (Σ a² (g - m)² + (Σ a (g - m)²)²)."""
    pull = total(ATTENTION[network][t] ** 2 * (OUTPUTS[network][t] - mean(network)) ** 2)
    return queries_squared(network) * (pull + variance(network) ** 2)


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
live = _axiom(
    label="sharpness.gradients.rows.live",
    statement="The squared output weights of the hidden units that are on at one, each as it is written down.",
    right=theorem.live_by_units,
    cases=tuple(Case(network, left=lambda network=network: units_total(LIVE[network][j])) for network in SCALES),
)
v2 = _by_chain_rule("V2", "Σ a² + m²", lengths_squared)
gamma = _by_chain_rule(
    "Gamma", "C² Σ F² o² over hidden units that are on where s = 1, o the attention on rows where a unit is on",
    lambda network: SUM**2 * units_total(LIVE[network][j] * ON[network][j] ** 2),
)  # fmt: skip
m = _by_chain_rule(
    "M", "C² Σ F² p² over hidden units that are on where s = 1, p the average of s where a unit is on",
    lambda network: SUM**2 * units_total(LIVE[network][j] * SEEN[network][j] ** 2),
)  # fmt: skip
w2 = _by_chain_rule("W2", "(1 + g_out²) C² (Σ a² (g - m)² + (Σ a (g - m)²)²)", keys_squared)
