"""Theorem 11: averages of bits, the stream that layer 2 reads and its values, for one component and for families."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.gradients.rows import SEEN_BITS
from boundaudit.checks.sharpness.gradients.shared import INPUTS, by_rows, numbered
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.checks.sharpness.targets import BOTH, PAPER, TARGETS, by_trapezoid, of_targets
from boundaudit.derivations.sharpness import activations as theorem
from boundaudit.derivations.sharpness.activations import ACTIVE, INACTIVE
from boundaudit.derivations.sharpness.attention import SUM, C
from boundaudit.derivations.sharpness.averages import v_av, x_av
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.mlp import trapezoid, wave
from boundaudit.derivations.sharpness.parameters import D, T, c, even, i, k, omega, s, t, u, v
from boundaudit.numeric.sharpness.activations import largest_sizes, sizes
from boundaudit.numeric.sharpness.attention import leading, leading_bits
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.row_sums import Rows

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 11",))

COUNTS = Domain({T: Integers(2, tested_to=8), D: Integers(1, T), k: Integers(0, D), r: Integers(0, T - D), u: BOTH})
"""One component of D positions, and inputs with k ones inside it and r outside."""

VALUED = Domain({**{symbol: COUNTS.ranges[symbol.name] for symbol in (T, D, k, r, u)}, C: Reals(0, 1, open_low=True)})
"""The same with a coefficient."""

ONE = {"T": 2, "D": 1, "u": 1}
ONE_BIT = {**ONE, "omega": 1, "c": (1,), "S": ((1,),)}
ZERO_INPUT = {**ONE, "k": 0, "r": 0}
HALF_INPUT = {"T": 4, "D": 2, "k": 0, "r": 1, "u": 1}
FULL_INPUT = {**ONE, "k": 1, "r": 1}
SQUARED = "Norms are squared on both sides."
ONE_COMPONENT = "One component; by symmetry its inputs are counted by the ones inside and outside it."


# --- the MLP's output lies between zero and one at whatever a row averages, edge by edge ----------

_OFFSETS = Domain({u: BOTH, v: Reals(tested_to=6)})
_SIZES: dict[Any, Range] = {D: Integers(1, tested_to=12), u: BOTH}
_AVERAGES = Domain({**_SIZES, s: Reals(tested_to=2)})
_SQUARES = [v_av**2 <= 1, x_av**2 <= 1]
_TWO: dict[Any, Range] = {v_av: Reals(tested_to=1), x_av: Reals(tested_to=1)}
_AT = {"on a plateau": {"D": 4, "u": 1, "s": "1/2"}, "on a flank": {"D": 4, "u": 2, "s": "5/8"}}
LOWER = "sharpness.mlp.range[lower]"

edges = claim(
    label="sharpness.activations.waves.edges", expected="proved",
    statement="A trapezoid lies below the difference of its rising edge and that of the next one: it falls no later.",
    left=trapezoid(v), right=theorem.EDGES, domain=_OFFSETS,
)  # fmt: skip

edge = claim(
    label="sharpness.activations.waves.edge", expected="proved",
    statement="The rising edge of a trapezoid lies between zero and one.",
    domain=_OFFSETS,
    cases=(
        Case("lower", left=sp.S.Zero, right=theorem.edge(v)),
        Case("upper", left=theorem.edge(v), right=sp.S.One),
    ),
)  # fmt: skip

telescoped = claim(
    label="sharpness.activations.waves.telescoped", relation="=", expected="proved",
    statement="Of the differences of rising edges at even grid points, the first edge and the last one remain.",
    left=theorem.BY_EDGES, right=theorem.BY_FIRST_EDGE, domain=Domain({**_SIZES, v: Reals(tested_to=12)}),
)  # fmt: skip

upper = claim(
    label="sharpness.activations.waves.upper", expected="proved",
    statement="The output of Theorem 9's MLP is at most one, whatever the average that it reads.",
    left=wave(D * s), right=sp.S.One, domain=_AVERAGES,
    derivation=proof(
        "sharpness.activations.waves.upper", "Edges that cancel", _AVERAGES,
        Step(wave(D * s), "trapezoid by trapezoid"),
        Step(theorem.BY_EDGES.subs(v, D * s), "edge by edge", "each falls before the next one rises",
             Instance(edges.label, {v: D * s - i}, over=(i, 0, D), weight=even(i))),
        Step(theorem.BY_FIRST_EDGE.subs(v, D * s), "the first edge and the last", "they cancel",
             Instance(telescoped.label, {v: D * s})),
        Step(sp.S.One, "one", "edges lie between zero and one", (
            Instance(f"{edge.label}[upper]", {v: D * s}),
            *(Instance(f"{edge.label}[lower]", {v: D * s - D - last}) for last in (1, 2)),
        )),
        samples=_AT,
    ),
)  # fmt: skip

square = claim(
    label="sharpness.activations.waves.square", expected="proved",
    statement="The square of the MLP's output is at most one, whatever the average that it reads.",
    left=wave(D * s) ** 2, right=sp.S.One, domain=_AVERAGES,
    derivation=proof(
        "sharpness.activations.waves.square", "Between zero and one", _AVERAGES,
        Step(wave(D * s) ** 2, "the output squared"),
        Step(sp.S.One, "one", "it lies between zero and one",
             (LOWER, upper.label, Instance("sharpness.averages.below-one", {"m_av": wave(D * s)}))),
        samples=_AT,
    ),
)  # fmt: skip


def _two(name: str, statement: str, left: sp.Expr, right: sp.Expr, domain: Domain) -> Case:
    """Of two outputs of the MLP, x in a component's row and v in the others."""
    own = dict.fromkeys(domain.ranges, 1)
    return Case(
        name, statement=statement, left=left, right=right, domain=domain,
        derivation=proof(
            f"sharpness.activations.waves.two-rows.{name}", "Two rows", domain,
            Step(left, "the larger"), Step(right, "the bound", "one is as good as the other"),
            samples={"at one": own},
        ),
    )  # fmt: skip


two_rows = claim(
    label="sharpness.activations.waves.two-rows", expected="proved",
    statement="Of two outputs of the MLP, x in a component's row and v in the others.",
    cases=(
        _two(
            "rows", "For v² and x² of at most one 1 + v² and 1 + x² are at most two.",
            sp.Max(1 + v_av**2, 1 + x_av**2, evaluate=False), sp.Integer(2), Domain(_TWO, _SQUARES),
        ),
        _two(
            "column", "For v² and x² of at most one 1 and x² + T v² are at most T+1.",
            sp.Max(1, x_av**2 + T * v_av**2, evaluate=False), T + 1,
            Domain({T: Integers(1, tested_to=20), **_TWO}, _SQUARES),
        ),
        _two(
            "value", "For v and x of at most one C v and C x are at most C, for positive C.",
            sp.Max(*(sp.Mul(C, g, evaluate=False) for g in (v_av, x_av)), evaluate=False), C,
            Domain({C: Reals(0, open_low=True), **_TWO}, [v_av <= 1, x_av <= 1]),
        ),
    ),
)  # fmt: skip

proofs = (upper.derivation, square.derivation)


# --- tokens, their bits and the rows of the first attention ---------------------------------------


def _size(name: str, power: int) -> Measure:
    """A power of a size in the real network with one component {1…D}, at k ones in it and r ones after it."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        length, degree, inside, outside = map(at.whole, "TDkr")
        bits = leading_bits(length, degree, inside, outside)[:, None]
        return sizes(leading(length, degree, at.real("C", 1)), bits, mlp=mlp)[name][:, 0] ** power

    return by_trapezoid(of)


def _quantity(what: str, name: str, latex: str, definition: Any) -> Quantity:
    return Quantity(what, _size(name, 1), latex, definition, rounding=1e-11, scale=1.0)


def _square(what: str, name: str, latex: str, definition: Any) -> Quantity:
    return Quantity(f"square of the {what}", _size(name, 2), f"{latex}^2", definition, rounding=1e-11, scale=1.0)


_TOKEN = _square("largest row norm of X", "token", r"\|X\|_{2,\infty}", theorem.TOKEN_ROW)
_ENTRY = _quantity("largest entry of X", "entry", r"\max |X|", sp.Integer(1))
_BIT = _quantity("largest row norm or entry of X V1", "bit", r"\|X V_1\|_{2,\infty}", theorem.BIT)
_AVERAGED = _quantity("largest row norm or entry of A1 X V1", "averaged", r"\|B\|_{2,\infty}", theorem.averaged)
UNIT = _quantity("largest hidden unit", "unit", r"\max h", theorem.largest_unit)
STREAM = _square("largest row norm of X2", "stream", r"\|X_2\|_{2,\infty}", lambda: theorem.stream_row())
COLUMN = _square("largest column norm of X2", "column", r"\|X_2^\top\|_{2,\infty}", lambda: theorem.stream_column())
OUTPUT = _square("norm of the output row of X2", "output", r"\|x_{out}\|", lambda: theorem.output_row())
VALUE = _quantity("largest entry of X2 V2", "value", r"\|X_2 V_2\|_\infty", lambda: theorem.value())
VALUES = _square("norm of X2 V2", "values", r"\|X_2 V_2\|", lambda: theorem.values())

tokens = claim(
    label="sharpness.activations.tokens", role="printed", kind="Tight", reading="certain", expected="proved",
    statement="Tokens have norm at most √2, and their entries and bits are at most one.",
    domain=COUNTS,
    cases=(
        Case(
            "rows",
            statement="Every token, a row of X, has norm at most √2: a one-hot position and a bit.",
            left=_TOKEN,
            right=sp.Integer(2),
            equality=({**ONE, "k": 1, "r": 0},),
            limitations=(SQUARED,),
        ),
        Case(
            "entries",
            statement="Every entry of the tokens X is at most one.",
            left=_ENTRY,
            right=sp.Integer(1),
            equality=(ZERO_INPUT,),
        ),
        Case(
            "bits",
            statement="Rows and entries of X V1, the tokens' bits, are at most one.",
            left=_BIT,
            right=sp.Integer(1),
            equality=({**ONE, "k": 1, "r": 0},),
        ),
    ),
)  # fmt: skip

normaliser = claim(
    label="sharpness.activations.normaliser", relation=">=", kind="Tight", expected="proved",
    statement="The second factor of the first attention's normaliser D T² + T+1-D = (T+1)(D T - D + 1) is at least "
    "D+1, for 1 ≤ D ≤ T and T ≥ 2.",
    left=theorem.TOTAL_FACTOR, right=D + 1, domain=Domain({T: Integers(2, tested_to=12), D: Integers(1, T)}),
    equality=({"T": 2, "D": 1},),
)  # fmt: skip
NORMALISER = "sharpness.activations.normaliser"

averaged = claim(
    label="sharpness.activations.averaged", role="printed", reading="certain", expected="proved",
    statement="Rows and entries of the first attention's output A1 X V1 are at most one: they average bits.",
    left=_AVERAGED, right=sp.Integer(1), domain=COUNTS, rests_on=(NORMALISER,), limitations=(ONE_COMPONENT,),
)  # fmt: skip

averaged_sharp = claim(
    label="sharpness.activations.averaged.sharp", kind="Tight", expected="proved",
    statement="Rows and entries of the first attention's output A1 X V1 are at most 1 - 1/(D T² + T+1-D) for a "
    "component of D positions: the output position, whose bit is zero, has that weight. Equality where all bits are "
    "one.",
    left=_AVERAGED, right=theorem.LARGEST_AVERAGED, domain=COUNTS,
    equality=(FULL_INPUT, {**FULL_INPUT, "T": 5, "D": 2, "k": 2, "r": 3, "u": 2}),
    improves="sharpness.activations.averaged", rests_on=(NORMALISER,), limitations=(ONE_COMPONENT,),
)  # fmt: skip


# --- the stream and the values of layer 2 ---------------------------------------------------------


def _sized(one: Quantity, name: str, power: int) -> Quantity:
    """A size of the forward pass, of a target and an input."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        batch, bits = numbered(at)
        return sizes(batch, bits[:, None], mlp=mlp)[name][:, 0] ** power

    return Quantity(f"{one.name}, any family", by_trapezoid(of), one.latex, rounding=1e-11, scale=1.0)


FAMILIES_VALUES = _sized(VALUES, "values", 2)


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
_VALUES: _Written = ("values,norm", "C² Σ g²", FAMILIES_VALUES, squared_values())

by_outputs = claim(
    label=_BY_ROWS, role="axiom", relation="=", expected="supported",
    statement="What layer 2 reads, by the MLP's outputs g in all rows, each a function of the average of bits there.",
    domain=INPUTS,
    cases=tuple(
        Case(name, statement=f"The {left.name} is {shown}, g the MLP's output in a row.", left=left, right=written)
        for name, shown, left, written in (_VALUE, _VALUES)
    ),
)  # fmt: skip


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
    label="sharpness.activations.families", expected="proved",
    statement="What is said of one component's stream and values holds of any family of sets and any input.",
    domain=INPUTS, limitations=(SQUARED,),
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
    label="sharpness.activations.values.largest-sparsity", role="printed", kind="Tight", reading="certain",
    expected="proved",
    statement="The bound C on the entries of X2 V2 is at most √ω: C = Σ c_t is the sum of ω coefficients whose squares "
    "sum to at most one.",
    left=_over_all_inputs(VALUE, "value", sp.Sum(c[t], (t, 1, omega))), right=sp.sqrt(omega),
    domain=TARGETS.replace(T=Integers(2, 5)), equality=({**ONE_BIT, "u": 1},),
    rests_on=(
        "sharpness.activations.families[values,largest]",
        "sharpness.norms.V2.printed",
    ),
    limitations=("Proved of C, which is the largest entry over all inputs.",),
)  # fmt: skip


# --- the residual stream, the row of the output position, and the values of layer 2 ---------------


def _stream_bounded(label: str, left: Quantity, right: sp.Expr, domain: Domain, what: str, case: str) -> Derivation:
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
    label="sharpness.activations.stream.rows", role="printed", kind="Tight", reading="certain", expected="proved",
    statement="Every row of X2, also the output position's, has norm at most √2: it holds a position and the MLP's "
    "output. Equality at the zero input.",
    left=STREAM, right=sp.Integer(2), domain=COUNTS, equality=(ZERO_INPUT,),
    repairs=("sharpness.activations.output-row",), limitations=(SQUARED, ONE_COMPONENT),
    derivation=_stream_bounded(
        "sharpness.activations.stream.rows", STREAM, sp.Integer(2), COUNTS, "a position beside g ≤ 1", "rows"
    ),
)  # fmt: skip

stream_column = claim(
    label="sharpness.activations.stream.column", role="printed", reading="plausible",
    statement="Every column of X2 has a norm of at most the root of its number of rows.",
    left=COLUMN, domain=COUNTS,
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
            derivation=_stream_bounded(
                "sharpness.activations.stream.column.rows", COLUMN, T + 1, COUNTS, "g ≤ 1 in T+1 rows", "column"
            ),
        ),
    ),
)  # fmt: skip

output_row = claim(
    label="sharpness.activations.output-row", relation="=", role="printed", reading="certain", expected="refuted",
    statement="The output position's row of X2 has norm one on every input, because its last entry is always zero.",
    left=OUTPUT, right=sp.Integer(1), domain=COUNTS, limitations=(SQUARED,),
)  # fmt: skip

value_largest = claim(
    label="sharpness.activations.values.largest", role="printed", kind="Tight", reading="certain", expected="proved",
    statement="The entries of X2 V2 are at most C, the sum of the coefficients.",
    left=VALUE, right=C, domain=VALUED, equality=({**ZERO_INPUT, "C": 1},), limitations=(ONE_COMPONENT,),
    derivation=_stream_bounded("sharpness.activations.values.largest", VALUE, C, VALUED, "C g with g ≤ 1", "value"),
)  # fmt: skip

values_norm = claim(
    label="sharpness.activations.values.norm", role="printed", reading="plausible", expected="refuted",
    statement="The norm of X2 V2 is at most C √ω, C the sum of the ω coefficients, because the last column of X2 is "
    "non-zero in ω rows only.",
    left=VALUES, right=C**2, domain=VALUED, rests_on=("sharpness.activations.values.largest",),
    limitations=(
        SQUARED,
        "Stated for one component, ω = 1; the last link, C√ω ≤ ω, is that of the norm of V2.",
    ),
)  # fmt: skip

values_norm_repaired = claim(
    label="sharpness.activations.values.norm-repaired", expected="proved",
    statement="The norm of X2 V2 is at most C √(T+1), C the sum of the coefficients, for any family of sets and any "
    "input: rows without a component carry the MLP's output, too.",
    left=FAMILIES_VALUES, right=SUM**2 * (T + 1), domain=INPUTS, repairs=("sharpness.activations.values.norm",),
    limitations=(SQUARED, "Attained at the zero input, where the MLP's output is one in every row."),
    derivation=proof(
        "sharpness.activations.values.norm-repaired",
        "The norm of layer 2's values",
        INPUTS,
        Step(FAMILIES_VALUES, "squared norm of X2 V2"),
        Step(squared_values(), "C² Σ g²", "row by row", VALUES_BY_ROWS),
        Step(SUM**2 * (T + 1), "C² (T+1)", "0 ≤ g ≤ 1 in each of T+1 rows", every_row(SUM**2)),
    ),
)  # fmt: skip
