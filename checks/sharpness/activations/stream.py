"""Theorem 11: the residual stream, the row of the output position, and the values of layer 2."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain
from boundaudit.checks.sharpness.activations import families
from boundaudit.checks.sharpness.activations.rows import COLUMN, NORMALISER, OUTPUT, STREAM, VALUE, VALUES
from boundaudit.checks.sharpness.activations.shared import (
    COUNTS,
    HALF_INPUT,
    ONE_COMPONENT,
    SQUARED,
    VALUED,
    ZERO_INPUT,
    claim,
)
from boundaudit.checks.sharpness.activations.waves import square, two_rows, upper
from boundaudit.checks.sharpness.gradients.shared import INPUTS
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.derivations.sharpness.activations import ACTIVE, INACTIVE
from boundaudit.derivations.sharpness.attention import SUM, C
from boundaudit.derivations.sharpness.averages import v_av, x_av
from boundaudit.derivations.sharpness.mlp import wave
from boundaudit.derivations.sharpness.parameters import D, T, s


def _bounded(label: str, left: Quantity, right: sp.Expr, domain: Domain, what: str, case: str) -> Derivation:
    """One step: the MLP's outputs, or their squares, are at most one in the component's row and in the others."""
    point = HALF_INPUT | ({"C": 1} if "C" in domain.ranges else {})
    lemma = upper if case == "value" else square
    uses = (
        NORMALISER,
        *(Instance(lemma.label, {s: average}) for average in (ACTIVE, INACTIVE)),
        Instance(f"{two_rows.label}[{case}]", {v_av: wave(D * INACTIVE), x_av: wave(D * ACTIVE)}),
    )
    steps = (Step(left, left.name), Step(right, what, "g ≤ 1 in every row", uses))
    return proof(label, f"The {left.name}", domain, *steps, samples={"T=4, D=2": point})


stream_rows = claim(
    label="sharpness.activations.stream.rows",
    statement="Every row of X2, also the output position's, has norm at most √2: it holds a position and the MLP's "
    "output. Equality at the zero input.",
    left=STREAM,
    relation="<=",
    right=sp.Integer(2),
    domain=COUNTS,
    role="printed",
    kind="Tight",
    equality=(ZERO_INPUT,),
    reading="certain",
    expected="proved",
    repairs=("sharpness.activations.output-row",),
    limitations=(SQUARED, ONE_COMPONENT),
    derivation=_bounded(
        "sharpness.activations.stream.rows", STREAM, sp.Integer(2), COUNTS, "a position beside g ≤ 1", "rows"
    ),
)

stream_column = claim(
    label="sharpness.activations.stream.column",
    statement="Every column of X2 has a norm of at most the root of its number of rows.",
    left=COLUMN,
    relation="<=",
    domain=COUNTS,
    role="printed",
    reading="plausible",
    cases=(
        Case(
            "bits",
            statement="Every column of X2 has norm at most √T, T the number of bits.",
            right=T,
            expected="refuted",
            limitations=(SQUARED, "√(T+1), with a row for the output position, is the other reading, and holds."),
        ),
        Case(
            "rows",
            statement="Every column of X2 has norm at most √(T+1), with equality at the zero input, where the MLP's "
            "output is one in all T+1 rows.",
            right=T + 1,
            kind="Tight",
            equality=(ZERO_INPUT,),
            expected="proved",
            limitations=(SQUARED, ONE_COMPONENT),
            derivation=_bounded(
                "sharpness.activations.stream.column.rows", COLUMN, T + 1, COUNTS, "g ≤ 1 in T+1 rows", "column"
            ),
        ),
    ),
)

output_row = claim(
    label="sharpness.activations.output-row",
    statement="The output position's row of X2 has norm one on every input, because its last entry is always zero.",
    left=OUTPUT,
    relation="=",
    right=sp.Integer(1),
    domain=COUNTS,
    role="printed",
    reading="certain",
    expected="refuted",
    limitations=(SQUARED,),
)

value_largest = claim(
    label="sharpness.activations.values.largest",
    statement="The entries of X2 V2 are at most C, the sum of the coefficients.",
    left=VALUE,
    relation="<=",
    right=C,
    domain=VALUED,
    role="printed",
    kind="Tight",
    equality=({**ZERO_INPUT, "C": 1},),
    reading="certain",
    expected="proved",
    limitations=(ONE_COMPONENT,),
    derivation=_bounded("sharpness.activations.values.largest", VALUE, C, VALUED, "C g with g ≤ 1", "value"),
)

values_norm = claim(
    label="sharpness.activations.values.norm",
    statement="The norm of X2 V2 is at most C √ω, C the sum of the ω coefficients, because the last column of X2 is "
    "non-zero in ω rows only.",
    left=VALUES,
    relation="<=",
    right=C**2,
    domain=VALUED,
    role="printed",
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.activations.values.largest",),
    limitations=(
        SQUARED,
        "Stated for one component, ω = 1; the last link, C√ω ≤ ω, is that of the norm of V2.",
    ),
)

values_norm_repaired = claim(
    label="sharpness.activations.values.norm-repaired",
    statement="The norm of X2 V2 is at most C √(T+1), C the sum of the coefficients, for any family of sets and any "
    "input: rows without a component carry the MLP's output, too.",
    left=families.VALUES,
    relation="<=",
    right=SUM**2 * (T + 1),
    domain=INPUTS,
    expected="proved",
    repairs=("sharpness.activations.values.norm",),
    limitations=(SQUARED, "Attained at the zero input, where the MLP's output is one in every row."),
    derivation=proof(
        "sharpness.activations.values.norm-repaired",
        "The norm of layer 2's values",
        INPUTS,
        Step(families.VALUES, "squared norm of X2 V2"),
        Step(families.squared_values(), "C² Σ g²", "row by row", families.VALUES_BY_ROWS),
        Step(SUM**2 * (T + 1), "C² (T+1)", "0 ≤ g ≤ 1 in each of T+1 rows", families.every_row(SUM**2)),
    ),
)
