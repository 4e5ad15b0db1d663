"""Theorem 11 for several components: largest sizes over all inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

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


# --- reached at the zero input --------------------------------------------------------------------

_ZERO = theorem.output_at_zero()

zero = claim(
    label="sharpness.activations.all-inputs.zero",
    statement="At an average of zero the MLP's output is one.",
    left=_ZERO,
    relation="=",
    right=sp.S.One,
    domain=Domain({D: Integers(1, tested_to=24), u: BOTH}),
    expected="proved",
)


class _Reached(NamedTuple):
    """What a size reaches at the zero input: by the MLP's output there, in every row, and with one in its place."""

    name: str
    quantity: Quantity
    by_output: Callable[[sp.Expr], sp.Expr]
    bound: sp.Expr
    statement: str
    rests_on: str


_REACHED = (
    _Reached(
        "stream,rows", _over_all_inputs(STREAM, "stream"), lambda g: sp.sqrt(1 + g**2), sp.sqrt(2),
        "the largest row norm of X2 reaches √2", "stream.rows",
    ),
    _Reached(
        "stream,column", _over_all_inputs(COLUMN, "column"), lambda g: sp.sqrt(T + 1) * g, sp.sqrt(T + 1),
        "the largest column norm of X2 reaches √(T+1)", "stream.column[rows]",
    ),
    _Reached(
        "values,largest", _over_all_inputs(VALUE, "value"), lambda g: _SUM_OF_C * g, _SUM_OF_C,
        "the largest entry of X2 V2 reaches C, the sum of the coefficients", "values.largest",
    ),
    _Reached(
        "values,norm", _over_all_inputs(VALUES, "values"), lambda g: _SUM_OF_C * sp.sqrt(T + 1) * g,
        _SUM_OF_C * sp.sqrt(T + 1), "the largest norm of X2 V2 reaches C √(T+1), C the sum of the coefficients",
        "values.norm-repaired",
    ),
)  # fmt: skip


def _inputs(found: _Reached) -> Domain:
    return _WEIGHTED if found.name.startswith("values") else _SETS


at_zero = claim(
    label="sharpness.activations.all-inputs.at-zero",
    statement="Over all inputs a size is at least that at the zero input, where every row averages zero.",
    role="axiom",
    relation=">=",
    expected="supported",
    cases=tuple(
        Case(
            found.name,
            statement=f"Over all inputs the {found.quantity.name.removesuffix(', over all inputs')} is at least that "
            "at the zero input, where the MLP's output is that at an average of zero in every row.",
            left=found.quantity, right=found.by_output(_ZERO), domain=_inputs(found),
        )
        for found in _REACHED
    ),
)  # fmt: skip


def _reached(found: _Reached) -> Case:
    """At the zero input the MLP's output is one in every row."""
    domain = _inputs(found)
    return Case(
        found.name,
        statement=f"For any number of components, over all inputs {found.statement}: at the zero input.",
        left=found.quantity, relation=">=", right=found.bound, domain=domain, kind="Lower", expected="proved",
        rests_on=(f"sharpness.activations.{found.rests_on}",),
        derivation=proof(
            f"sharpness.activations.all-inputs.{found.name.replace(',', '.')}", found.quantity.name, domain,
            Step(found.bound, "where g = 1 in every row"),
            Step(found.by_output(_ZERO), "g(0) in every row", "g(0) = 1", zero.label),
            Step(found.quantity, found.quantity.name, "at the zero input every average is zero",
                 f"{at_zero.label}[{found.name}]"),
            samples={"T=4, D=2, ω=2": _SAMPLE | ({"c": (0.6, 0.8)} if "c" in domain.ranges else {})},
        ),
    )  # fmt: skip


all_inputs = claim(
    label="sharpness.activations.all-inputs",
    statement="For any number of components the largest sizes over all inputs are those of one component.",
    relation="=",
    expected="supported",
    cases=(
        *map(_reached, _REACHED),
        _largest("hidden,largest", UNIT, "unit", "the largest hidden unit is 1 + (1+u)/(4D) - 1/(D T² + T+1-D), "
                 "u = 1 (steep) or 2 (wide)", theorem.UNIT_SHARP, "hidden.largest-sharp"),
        _largest("hidden,norm", UNITS, "units", "the largest norm of a row's hidden units is that of the component's "
                 "row at the input of ones", lambda: theorem.units_at_ones(), "hidden.norm"),
    ),
)  # fmt: skip

values_sparsity = claim(
    label="sharpness.activations.values.largest-sparsity",
    statement="The bound C on the entries of X2 V2 is at most √ω: C = Σ c_t is the sum of ω coefficients whose squares "
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
