"""Theorem 11 for several components: largest sizes over all inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.activations.rows import COLUMN, STREAM, UNIT, UNITS, VALUE, VALUES
from boundaudit.checks.sharpness.activations.shared import ONE_BIT, claim
from boundaudit.checks.sharpness.targets import BOTH, SPARSITY, TARGETS, batch_of, by_trapezoid
from boundaudit.derivations.sharpness import activations as theorem
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, t, u
from boundaudit.numeric.sharpness.activations import largest_sizes
from boundaudit.numeric.sharpness.mlp import Trapezoid

_SETS = Domain({T: Integers(2, 5), D: Integers(1, T), omega: SPARSITY, u: BOTH, sp.Symbol("S"): Subsets(omega, D, T)})
"""Families of sets; coefficients are one where nothing depends on them."""
_ENUMERATED = TARGETS.replace(T=Integers(2, 5), c=Vector(omega, Reals(0, open_low=True)))
_SUM_OF_C = sp.Sum(c[t], (t, 1, omega))


def _largest(name: str) -> Measure:
    """The largest size over all inputs, of the targets of each length in one batch."""

    def measure(points: Sequence[Point], device: str) -> Array:
        def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
            values = torch.empty(len(chosen), dtype=torch.float64)
            for length in sorted({p["T"] for p in chosen}):
                alike = [n for n, p in enumerate(chosen) if p["T"] == length]
                batch = batch_of([{"c": (1.0,) * chosen[n]["omega"]} | chosen[n] for n in alike], device)
                values[alike] = largest_sizes(batch, mlp=mlp)[name].cpu()
            return values

        return by_trapezoid(points, of)

    return measure


def _over_all_inputs(one: Quantity, key: str, definition: Any = None) -> Quantity:
    name, latex = one.name.removeprefix("square of the "), one.latex.removesuffix("^2")
    return Quantity(f"{name}, over all inputs", _largest(key), rf"\max_x {latex}", definition, rounding=1e-11)


def _all_inputs(name: str, one: Quantity, key: str, what: str, right: sp.Expr, *rests_on: str) -> Claim:
    return claim(
        label=f"sharpness.activations.{name}",
        statement=f"For any number of components, over all inputs {what}.",
        left=_over_all_inputs(one, key),
        relation="=",
        right=right,
        domain=_ENUMERATED if one in (VALUE, VALUES) else _SETS,
        expected="supported",
        rests_on=tuple(f"sharpness.activations.{label}" for label in rests_on),
        limitations=("Measured on all inputs of length up to 5.",),
    )


all_inputs = (
    _all_inputs("stream.rows-all-inputs", STREAM, "stream", "the largest row norm of X2 is √2", sp.sqrt(2),
                "stream.rows"),
    _all_inputs("stream.column-all-inputs", COLUMN, "column", "the largest column norm of X2 is √(T+1)",
                sp.sqrt(T + 1), "stream.column-repaired"),
    _all_inputs("values.largest-all-inputs", VALUE, "value", "the largest entry of X2 V2 is C", _SUM_OF_C,
                "values.largest"),
    _all_inputs("values.norm-all-inputs", VALUES, "values", "the largest norm of X2 V2 is C √(T+1)",
                _SUM_OF_C * sp.sqrt(T + 1), "values.norm-repaired"),
    _all_inputs("hidden.largest-all-inputs", UNIT, "unit", "the largest hidden unit is 1 + (1+u)/(4D) - "
                "1/(D T² + T+1-D)", theorem.UNIT_SHARP, "hidden.largest-sharp"),
    _all_inputs("hidden.norm-all-inputs", UNITS, "units", "the largest norm of a row's hidden units is that of the "
                "input of ones", theorem.UNITS_LARGEST, "hidden.norm"),
)  # fmt: skip

values_sparsity = claim(
    label="sharpness.activations.values.largest-sparsity",
    statement="The bound C on the entries of X2 V2 is at most √ω where the squares of the coefficients sum to at most "
    "one.",
    left=_over_all_inputs(VALUE, "value", _SUM_OF_C),
    relation="<=",
    right=sp.sqrt(omega),
    domain=TARGETS.replace(T=Integers(2, 5)),
    kind="Tight",
    equality=({**ONE_BIT, "u": 1},),
    reading="certain",
    expected="proved",
    rests_on=("sharpness.activations.values.largest-all-inputs", "sharpness.norms.V2.upper"),
    limitations=("Proved of C; that C is the largest entry is measured over all inputs, for lengths up to 5.",),
)
