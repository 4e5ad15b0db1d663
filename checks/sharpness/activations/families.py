"""Theorem 11 for any family of sets and any input: the stream and the values of layer 2."""

from __future__ import annotations

from typing import Any

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Integers
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.activations.rows import VALUE
from boundaudit.checks.sharpness.activations.rows import VALUES as _ONE_COMPONENT
from boundaudit.checks.sharpness.activations.shared import ONE_BIT, SQUARED, claim
from boundaudit.checks.sharpness.activations.waves import square, upper
from boundaudit.checks.sharpness.gradients.rows import SEEN_BITS
from boundaudit.checks.sharpness.gradients.shared import INPUTS, by_rows, numbered
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.checks.sharpness.targets import TARGETS, by_trapezoid, of_targets
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.mlp import wave
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, s, t
from boundaudit.numeric.sharpness.activations import largest_sizes, sizes
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.row_sums import Rows


def _sized(one: Quantity, name: str, power: int) -> Quantity:
    """A size of the forward pass, of a target and an input."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        batch, bits = numbered(at)
        return sizes(batch, bits[:, None], mlp=mlp)[name][:, 0] ** power

    return Quantity(f"{one.name}, any family", by_trapezoid(of), one.latex, rounding=1e-11, scale=1.0)


VALUES = _sized(_ONE_COMPONENT, "values", 2)


def _highest(r: Rows) -> Tensor:
    """The average of bits in the row of the largest output."""
    return r.s.gather(-1, r.g.where(r.real, -1.0).argmax(-1, keepdim=True))[:, 0]


_S = by_rows("average of bits in the row with the largest output", "finite", _highest, "s^*").atom
_SEEN = SEEN_BITS["finite"]


def squared_outputs() -> sp.Expr:
    """Σ g², the sum over rows of the squared outputs of the MLP."""
    return sp.Sum(wave(D * _SEEN[t]) ** 2, (t, 1, T + 1))


def squared_values() -> sp.Expr:
    """C² Σ g²."""
    return SUM**2 * squared_outputs()


def every_row(weight: Any = 1) -> Instance:
    """That the squares of the outputs in all rows are at most one, weighted alike."""
    return Instance(square.label, {s: _SEEN[t]}, over=(t, 1, T + 1), weight=weight)


_BY_ROWS = "sharpness.activations.families.rows"
VALUES_BY_ROWS = f"{_BY_ROWS}[values,norm]"

_Written = tuple[str, str, Quantity, sp.Expr]
_VALUE: _Written = ("values,largest", "C max g", _sized(VALUE, "value", 1), SUM * wave(D * _S))
_VALUES: _Written = ("values,norm", "C² Σ g²", VALUES, squared_values())

by_outputs = claim(
    label=_BY_ROWS,
    statement="What layer 2 reads, by the MLP's outputs g in all rows, each a function of the average of bits there.",
    role="axiom",
    relation="=",
    domain=INPUTS,
    expected="supported",
    cases=tuple(
        Case(name, statement=f"The {left.name} is {shown}, g the MLP's output in a row.", left=left, right=written)
        for name, shown, left, written in (_VALUE, _VALUES)
    ),
)


def _bounded(written: _Written, what: str, right: Any, lemma: Instance) -> Case:
    name, shown, left, formula = written
    label = f"sharpness.activations.families.{name.replace(',', '.')}"
    return Case(
        name,
        statement=f"For any family of sets of D positions each, positive coefficients and any input, {what}.",
        left=left,
        right=right,
        derivation=proof(
            label, left.name, INPUTS, Step(left, left.name),
            Step(formula, shown, "row by row", f"{_BY_ROWS}[{name}]"),
            Step(right, "the bound", "0 ≤ g ≤ 1 in each of T+1 rows", lemma),
        ),
    )  # fmt: skip


families = claim(
    label="sharpness.activations.families",
    statement="What is said of one component's stream and values holds of any family of sets and any input.",
    relation="<=",
    domain=INPUTS,
    expected="proved",
    limitations=(SQUARED,),
    cases=(
        _bounded(
            _VALUE, "the entries of X2 V2 are at most C, the sum of the coefficients", SUM,
            Instance(upper.label, {s: _S}),
        ),
    ),
)  # fmt: skip


def _over_all_inputs(one: Quantity, key: str, definition: Any = None) -> Quantity:
    name, latex = one.name.removeprefix("square of the "), one.latex.removesuffix("^2")
    measure = of_targets(lambda batch, mlp: largest_sizes(batch, mlp=mlp)[key], "T")
    return Quantity(f"{name}, over all inputs", measure, rf"\max_x {latex}", definition, rounding=1e-11)


values_sparsity = claim(
    label="sharpness.activations.values.largest-sparsity",
    statement="The bound C on the entries of X2 V2 is at most √ω: C = Σ c_t is the sum of ω coefficients whose squares "
    "sum to at most one.",
    left=_over_all_inputs(VALUE, "value", sp.Sum(c[t], (t, 1, omega))),
    relation="<=",
    right=sp.sqrt(omega),
    domain=TARGETS.replace(T=Integers(2, 5)),
    role="printed",
    kind="Tight",
    equality=({**ONE_BIT, "u": 1},),
    reading="certain",
    expected="proved",
    rests_on=(
        "sharpness.activations.families[values,largest]",
        "sharpness.norms.V2.printed",
    ),
    limitations=("Proved of C, which is the largest entry over all inputs.",),
)  # fmt: skip
