"""Claims on matrices, from their points to the verdict: measured sides, enclosures, the proof engines beside them."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
import torch
from tests.statements import claim, collected, x

from boundaudit import Claim, Domain, InputError, Integers, Matrix, Quantity, Reals
from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.evidence.climb import Climb
from boundaudit.checks.evidence.counterexample import counterexample
from boundaudit.checks.evidence.evidence import Witness
from boundaudit.checks.evidence.region import region
from boundaudit.checks.evidence.shrink import shrink
from boundaudit.checks.evidence.sweep import sweep_points
from boundaudit.checks.language.compare import compare
from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.measurements import by_shape
from boundaudit.checks.proof.witness import contains, point_at
from boundaudit.checks.run.validation import wrong_in

n, m, k = sp.symbols("n m k", integer=True, positive=True)
A, B = sp.symbols("A B")
UNIT = Reals(-1, 1)
SIZE = Integers(1, tested_to=4)
PAIRS = Domain({m: SIZE, n: SIZE, k: SIZE, A: Matrix(m, n, UNIT), B: Matrix(n, k, UNIT)})
SQUARE = Domain({n: SIZE, A: Matrix(n, n, UNIT), B: Matrix(n, n, UNIT)})
norm = torch.linalg.matrix_norm


def of(function: Callable[..., torch.Tensor], names: str = "AB", **more: Any) -> Quantity:
    return Quantity("a norm", by_shape(function, *names), "q", **more)


SPECTRAL = claim(of(lambda A, B: norm(A @ B, 2)), "<=", of(lambda A, B: norm(A, 2) * norm(B, 2)), PAIRS)


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement", [SPECTRAL, claim(of(lambda A, B: norm(A @ B)), "<=", of(lambda A, B: norm(A, 2) * norm(B)), PAIRS)]
)
def test_norms_of_products_are_supported(statement: Claim) -> None:
    found = collected(statement)
    assert found.verdict == "supported"
    # Both are tight, and the patterns show it.
    assert found.worst is not None
    assert found.worst.ratio == pytest.approx(1, rel=1e-12)


def test_what_is_measured_does_not_refute() -> None:
    larger = of(lambda A, B: torch.maximum(norm(A, 2), norm(B, 2)))
    found = collected(claim(of(lambda A, B: norm(A + B, 2)), "<=", larger, SQUARE))
    assert found.verdict == "undecided"
    assert "only a definition or an enclosure of what is measured" in found.reason


def squares(rows: Sequence[Sequence[Any]]) -> Fraction:
    return sum((Fraction(entry) ** 2 for row in rows for entry in row), Fraction(0))


def product(left: Sequence[Sequence[Any]], right: Sequence[Sequence[Any]]) -> list[list[Fraction]]:
    columns = list(zip(*right, strict=True))
    return [
        [sum((Fraction(a) * Fraction(b) for a, b in zip(row, column, strict=True)), Fraction(0)) for column in columns]
        for row in left
    ]


def exactly(value: Callable[[Point], Fraction]) -> Callable[[Point], tuple[Fraction, Fraction]]:
    return lambda point: (value(point), value(point))


PRODUCT = of(lambda A, B: norm(A @ B) ** 2, enclosure=exactly(lambda p: squares(product(p["A"], p["B"]))))
LIMIT = of(
    lambda A, B: (norm(A) * norm(B)) ** 2 / 2, enclosure=exactly(lambda p: squares(p["A"]) * squares(p["B"]) / 2)
)
HALF = claim(PRODUCT, "<=", LIMIT, PAIRS)


def test_an_enclosure_refutes_with_a_small_exact_matrix() -> None:
    found = collected(HALF)
    assert found.verdict == "refuted"
    assert found.witness is not None
    assert found.witness.to_json()["point"] == {"m": 1, "n": 1, "k": 1, "A": [["1/1"]], "B": [["1/1"]]}
    assert [float(found.witness.left), float(found.witness.right)] == [1, 0.5]


def test_a_counterexample_that_an_enclosure_confirms_shrinks() -> None:
    point = {"m": 2, "n": 2, "k": 1, "A": ((0.75, 0.5), (0.25, 1.0)), "B": ((0.5,), (1.0,))}
    witness = counterexample(HALF, point)
    assert witness is not None
    assert shrink(HALF, witness).point == {"m": 1, "n": 1, "k": 1, "A": ((1,),), "B": ((1,),)}


def test_matrices_are_no_axis_of_a_region() -> None:
    points = sweep_points(SQUARE, 60, 0)
    statement = claim(of(lambda A, B: norm(A + B)), "<=", of(lambda A, B: norm(A - B)), SQUARE)
    found = region(Batch.measure(statement, points, "cpu"), [])
    assert [axis.name for axis in found.parameters] == ["n"]


@pytest.mark.slow
def test_the_engines_prove_and_refute_beside_a_matrix() -> None:
    entries = Reals(0, x, open_low=True)
    domain = Domain({n: Integers(1, tested_to=6), x: Reals(0, 1, open_low=True), A: Matrix(n, n + 1, entries, 1)})
    proved = collected(claim(x * (1 - x), "<=", sp.Rational(1, 4), domain))
    assert proved.verdict == "proved"
    refuted = collected(claim(x * n, "<=", 5, domain))
    assert refuted.verdict == "refuted"
    assert isinstance(refuted.witness, Witness)
    assert domain.contains(refuted.witness.point) is True


def test_a_probe_finds_matrices_for_its_points() -> None:
    domain = Domain({n: Integers(1, 3), A: Matrix(n, 2, Reals(0, 4), square_sum=1)})
    point = point_at(domain.to_json(), [Fraction(1), Fraction(1)])
    assert point is not None
    assert [len(row) for row in point["A"]] == [2, 2, 2]
    assert domain.contains(point) is True
    assert contains(domain.to_json(), point)


def test_a_climb_moves_every_entry_of_a_matrix() -> None:
    aim = torch.linspace(-0.8, 0.8, 9, dtype=torch.float64).reshape(3, 3)
    gap = of(lambda A: -norm(A - aim), "A")
    climb = Climb(claim(gap, "<=", -1e-9, Domain({A: Matrix(3, 3, UNIT)})), 1, "cpu")
    climb.run(80)
    # A climb that moves no more than the first four entries one by one ends at -0.49.
    assert climb.path[-1].worst.left > -0.2


def test_a_matrix_without_possible_entries_is_an_input_error() -> None:
    (error,) = wrong_in(claim(x, "<=", 1, Domain({x: Reals(0, 1), A: Matrix(2, 2, Reals(2, 1))})))
    assert "expected a domain with points, got none in 0 ≤ x ≤ 1; A ∈ ℝ^{2×2}, entries in [2, 1]" in str(error)


@pytest.mark.slow
def test_entries_stand_in_formulas() -> None:
    entry, (i, j) = sp.IndexedBase("M", real=True), sp.symbols("i j", integer=True, positive=True)
    domain = Domain({n: Integers(1, tested_to=3), sp.Symbol("M"): Matrix(n, 2, Reals(-1, 1))})
    total = sp.Sum(entry[i, j] ** 2, (j, 1, 2), (i, 1, n))
    found = claim(total, "<=", 2 * n, domain)
    point = {"n": 2, "M": ((1, Fraction(1, 2)), (0, -1))}
    assert side_values(found.left, [point], "cpu")[0] == 2.25
    assert compare(to_tree(total), to_tree(sp.Rational(9, 4)), point) == 0
    assert collected(found).verdict == "proved"
    assert collected(claim(total, "<=", 2 * n - 1, domain)).verdict == "refuted"


BAD: dict[str, tuple[Any, str]] = {
    "three indices": (sp.IndexedBase("A")[1, 2, 3], r"got A\[1, 2, 3\]; measured sides only"),
    "an entry of a symbol for matrices": (sp.MatrixSymbol("A", n, n)[0, 0], r"got A\[0, 0\]; measured sides only"),
    "a product": (sp.Trace(sp.MatrixSymbol("A", 2, 2) * sp.MatrixSymbol("B", 2, 2)), r"got A\*B; measured sides only"),
    "explicit entries": (sp.Matrix([[1, 2]]), "measured sides only"),
    "the matrix itself": (2 * A, "test.claim.left .+ got A; measured sides only"),
    "one index": (sp.IndexedBase("A")[1], "got A; measured sides only"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_matrix_in_a_formula_is_one_line(name: str) -> None:
    left, line = BAD[name]
    with pytest.raises(InputError, match=line) as caught:
        claim(left, "<=", 1, SQUARE).validate()
    assert "\n" not in str(caught.value)
