"""Theorem 11 for several components: largest sizes over all inputs."""

from __future__ import annotations

from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Step
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.sharpness.activations.rows import COLUMN, STREAM, UNIT, UNITS, VALUE, VALUES
from boundaudit.checks.sharpness.activations.shared import ONE_BIT, claim
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.checks.sharpness.targets import BOTH, SPARSITY, TARGETS, of_targets
from boundaudit.derivations.sharpness import activations as theorem
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, t, u
from boundaudit.numeric.sharpness.activations import largest_sizes

_LENGTHS = Integers(2, tested_to=5)
_SETS = Domain({T: _LENGTHS, D: Integers(1, T), omega: SPARSITY, u: BOTH, sp.Symbol("S"): Subsets(omega, D, T)})
"""Families of sets; coefficients are one where nothing depends on them."""
_WEIGHTED = TARGETS.replace(T=_LENGTHS, c=Vector(omega, Reals(0, open_low=True)))
_SUM_OF_C = sp.Sum(c[t], (t, 1, omega))
_SAMPLE = {"T": 4, "D": 2, "omega": 2, "u": 1, "S": ((1, 2), (2, 4))}


def _over_all_inputs(one: Quantity, key: str, definition: Any = None) -> Quantity:
    name, latex = one.name.removeprefix("square of the "), one.latex.removesuffix("^2")
    measure = of_targets(lambda batch, mlp: largest_sizes(batch, mlp=mlp)[key], "T")
    return Quantity(f"{name}, over all inputs", measure, rf"\max_x {latex}", definition, rounding=1e-11)


def _largest(name: str, one: Quantity, key: str, what: str, right: Any, rests_on: str) -> Case:
    """Measured over all inputs."""
    return Case(
        name,
        statement=f"For any number of components and T ≤ 5, over all inputs {what}.",
        left=_over_all_inputs(one, key),
        right=right,
        domain=_SETS.replace(T=Integers(2, 5)),
        rests_on=(f"sharpness.activations.{rests_on}",),
        limitations=("Measured on all inputs of length up to 5.",),
    )


def _reached(name: str, one: Quantity, key: str, what: str, right: Any, rests_on: str) -> Case:
    """At the zero input the MLP's output is one in every row."""
    left, domain = _over_all_inputs(one, key), _WEIGHTED if one in (VALUE, VALUES) else _SETS
    sample = _SAMPLE | ({"c": (0.6, 0.8)} if "c" in domain.ranges else {})
    return Case(
        name,
        statement=f"For any number of components, over all inputs {what}: at the zero input.",
        left=left, relation=">=", right=right, domain=domain, kind="Lower", expected="supported",
        rests_on=(f"sharpness.activations.{rests_on}",),
        derivation=proof(
            f"sharpness.activations.all-inputs.{name.replace(',', '.')}", left.name, domain,
            Step(right, "where g = 1 in every row"),
            Step(left, left.name, "at the zero input every average is 0, and g(0) = 1", "sharpness.mlp.interpolation"),
            samples={"T=4, D=2, ω=2": sample},
        ),
    )  # fmt: skip


all_inputs = claim(
    label="sharpness.activations.all-inputs",
    statement="For any number of components the largest sizes over all inputs are those of one component.",
    relation="=",
    expected="supported",
    cases=(
        _reached("stream,rows", STREAM, "stream", "the largest row norm of X2 reaches √2", sp.sqrt(2), "stream.rows"),
        _reached("stream,column", COLUMN, "column", "the largest column norm of X2 reaches √(T+1)", sp.sqrt(T + 1),
                 "stream.column[rows]"),
        _reached("values,largest", VALUE, "value", "the largest entry of X2 V2 reaches C, the sum of the coefficients",
                 _SUM_OF_C, "values.largest"),
        _reached("values,norm", VALUES, "values", "the largest norm of X2 V2 reaches C √(T+1), C the sum of the "
                 "coefficients", _SUM_OF_C * sp.sqrt(T + 1), "values.norm-repaired"),
        _largest("hidden,largest", UNIT, "unit", "the largest hidden unit is 1 + (1+u)/(4D) - 1/(D T² + T+1-D), u the "
                 "width of a trapezoid's flank", theorem.UNIT_SHARP, "hidden.largest-sharp"),
        _largest("hidden,norm", UNITS, "units", "the largest norm of a row's hidden units is that of the component's "
                 "row at the input of ones", lambda: theorem.units_at_ones(), "hidden.norm"),
    ),
)  # fmt: skip

values_sparsity = claim(
    label="sharpness.activations.values.largest-sparsity",
    statement="The bound C on the entries of X2 V2, the sum of the ω coefficients, is at most √ω where their squares "
    "sum to at most one.",
    left=_over_all_inputs(VALUE, "value", _SUM_OF_C),
    relation="<=",
    right=sp.sqrt(omega),
    domain=TARGETS.replace(T=Integers(2, 5)),
    role="printed",
    kind="Tight",
    equality=({**ONE_BIT, "u": 1},),
    reading="certain",
    expected="proved",
    rests_on=(
        "sharpness.activations.all-inputs[values,largest]",
        "sharpness.activations.families[values,largest]",
        "sharpness.norms.V2.printed",
    ),
    limitations=("Proved of C, which is the largest entry over all inputs.",),
)
