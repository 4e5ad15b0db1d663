"""Matrices of a fixed size: what they are written out as says the same."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import sympy as sp

from boundaudit import (
    Claim,
    Euclidean,
    InputError,
    Linear,
    Reals,
    Space,
    Symmetric,
    eigenvalue,
    inner,
    norm,
    nuclear,
    singular,
)
from boundaudit.checks.language.balls import Undefined, evaluate
from boundaudit.checks.language.translate import Quotient, to_tree

P, Q = (sp.MatrixSymbol(name, 3, 3) for name in "PQ")
V = sp.MatrixSymbol("V", 3, 1)
RNG = np.random.default_rng(0)


def _at(expression: Any, point: Mapping[str, float]) -> float:
    expression = sp.sympify(expression).replace(Quotient, lambda above, below: above / below)
    return float(expression.subs({symbol: point[symbol.name] for symbol in expression.free_symbols}))


def _entries(name: str, matrix: Any) -> dict[str, float]:
    return {f"{name}.{i + 1}{j + 1}": float(value) for (i, j), value in np.ndenumerate(matrix)}


@pytest.mark.slow
def test_what_is_said_of_matrices_is_said_of_their_entries() -> None:
    p, q, v = RNG.normal(size=(3, 3)), RNG.normal(size=(3, 3)), RNG.normal(size=(3, 1))
    said = {
        sp.Trace(P * Q.T): np.trace(p @ q.T), sp.Determinant(P - 2 * Q): np.linalg.det(p - 2 * q),
        (P * Q)[0, 2] + P[1, 1]: (p @ q)[0, 2] + p[1, 1], inner(P * Q, Q): np.sum(p @ q * q),
        norm(P * V) ** 2: np.sum((p @ v) ** 2), sp.Trace(P.inv()): np.trace(np.linalg.inv(p)),
        sp.Trace(V.T * P * V) * norm(Q): (v.T @ p @ v)[0, 0] * np.linalg.norm(q),
    }  # fmt: skip
    _, sides = Space({P: Reals(), Q: Reals(), V: Reals()}).written_out(list(said))
    point = {**_entries("P", p), **_entries("Q", q), **_entries("V", v)}
    for side, expected in zip(sides, said.values(), strict=True):
        assert _at(side, point) == pytest.approx(expected)


def test_a_number_stands_before_a_matrix() -> None:
    x, small = sp.Symbol("x", real=True), sp.MatrixSymbol("P", 2, 2)
    p = RNG.normal(size=(2, 2))
    p = p + p.T
    said = {
        inner(x * small, small): 3 * np.sum(p * p), sp.Determinant(x * small): 9 * np.linalg.det(p),
        eigenvalue(x * small, 1): np.linalg.eigvalsh(3 * p).max(), sp.Trace(x * small): 3 * np.trace(p),
    }  # fmt: skip
    _, sides = Space({x: Reals(), small: Symmetric()}).written_out(list(said))
    found = [_at(side, {**_entries("P", p), "x": 3}) for side in sides]
    assert found == pytest.approx(list(said.values()))


def _squares(matrix: Any, label: str) -> dict[str, float]:
    """The squares and ratios of a symmetric matrix: a triangular one with ones, times squares, times its transpose."""
    left, found = matrix.copy(), {}
    for k in range(3):
        found[f"P.square {k + 1}"] = left[k, k]
        found |= {f"P.{label} {i + 1}{k + 1}": left[i, k] / left[k, k] for i in range(k + 1, 3)}
        left = left - np.outer(left[:, k], left[:, k]) / left[k, k]
    return found


def _numbers(symmetric: Symmetric, matrix: Any) -> dict[str, float]:
    if symmetric == Symmetric():
        return {name: value for name, value in _entries("P", matrix).items() if name[2] <= name[3]}
    above = matrix + np.eye(3) if symmetric.low is not None else 2 * np.eye(3) - matrix
    left = (
        _squares(2 * np.eye(3) - matrix, "ratio of what is left") if None not in (symmetric.low, symmetric.high) else {}
    )
    return left | _squares(above, "ratio")


CLASSES = [
    (Symmetric(low=-1), -1, np.inf), (Symmetric(high=2), -np.inf, 2), (Symmetric(low=-1, high=2), -1, 2),
    (Symmetric(), -np.inf, np.inf),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("symmetric", "low", "high"), CLASSES, ids=[each.sentence("P") for each, _, _ in CLASSES])
def test_numbers_give_the_symmetric_matrices_of_a_spectrum_and_no_others(
    symmetric: Symmetric, low: float, high: float
) -> None:
    domain, told = Space({P: symmetric}).written_out([P[i, j] for i, j in np.ndindex(3, 3)])
    seen = set()
    for _ in range(20):
        matrix = RNG.normal(size=(3, 3)) * RNG.choice([0.3, 0.7])
        matrix = matrix + matrix.T
        values = np.linalg.eigvalsh(matrix)
        point = _numbers(symmetric, matrix)
        assert set(point) == set(domain.ranges)
        assert [_at(side, point) for side in told] == pytest.approx(matrix.ravel().tolist())
        inside = all(point[name] >= 0 for name in point if "square" in name)
        related = all(
            abs(_at(said.lhs - said.rhs, point)) < 1e-8
            if isinstance(said, sp.Eq)
            else _at(said.gts - said.lts, point) >= 0
            for said in domain.where
        )
        assert (inside and related) == (low <= values[0] and values[-1] <= high)
        seen.add(inside and related)
    assert seen == ({True} if symmetric == Symmetric() else {True, False})


def test_singular_values_are_bounded() -> None:
    domain, _ = Space({P: Linear(norm=1)}).written_out([norm(P)])
    for size in (0.99, 1.01):
        matrix = RNG.normal(size=(3, 3))
        matrix *= size / np.linalg.norm(matrix, 2)
        ratios = _squares(np.eye(3) - matrix.T @ matrix, "ratio of what is left")
        point = {**_entries("P", matrix), **{name: value for name, value in ratios.items() if "ratio" in name}}
        gaps = [_at(said.gts - said.lts, point) for said in domain.where if not isinstance(said, sp.Eq)]
        assert (min(gaps) >= 0) == (size < 1)


def test_a_claim_is_printed_as_it_was_written() -> None:
    claim = Claim(label="test.matrices", statement="A test.", left=sp.Trace(P * Q), right=norm(P) * norm(Q),
                  domain=Space({P: Symmetric(low=0), Q: Reals(-1, 1)}))  # fmt: skip
    claim.validate()
    assert claim.text == "Trace(P*Q) <= ‖P‖*‖Q‖"
    assert claim.latex == r"\operatorname{tr}\left(P Q \right) \le \left\| P \right\| \left\| Q \right\|"
    assert claim.scope.startswith("P any self-adjoint map with 0 ≤ ⟨P(x), x⟩, 3×3; -1 ≤ Q ≤ 1, 3×3")


@pytest.mark.parametrize(("left", "found", "message"), [
    (P, Reals(), "P: expected matrices in Trace"), (sp.Trace(P * Q), Reals(), "Q: expected matrices in Trace"),
    (sp.Trace(P), Euclidean(), r"Space\[P\]: expected Reals"),
])  # fmt: skip
def test_what_cannot_be_written_out_is_one_line(left: Any, found: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Space({P: found}).written_out([left])


def test_a_size_is_a_number_and_symmetric_ones_are_square() -> None:
    count = sp.Symbol("n", integer=True, positive=True)
    for matrix in (V, sp.MatrixSymbol("M", count, count), sp.MatrixSymbol("M", 0, 0)):
        with pytest.raises(InputError, match="as many rows as columns, and a size in numbers"):
            Space({matrix: Symmetric()})


TALL, ONE_ROW = sp.MatrixSymbol("P", 3, 2), sp.MatrixSymbol("P", 1, 3)


@pytest.mark.parametrize("matrix", [sp.MatrixSymbol("P", 2, 2), TALL, TALL.T, ONE_ROW], ids=str)
def test_singular_values_are_those_of_the_matrix(matrix: Any) -> None:
    for _ in range(5):
        symbol = next(iter(matrix.atoms(sp.MatrixSymbol)))
        drawn = RNG.normal(size=symbol.shape)
        expected = np.linalg.svd(drawn, compute_uv=False)
        places = range(1, len(expected) + 1)
        _, sides = Space({symbol: Reals()}).written_out([*(singular(matrix, k) for k in places), nuclear(matrix)])
        found = [_at(side, _entries("P", drawn)) for side in sides]
        assert found == pytest.approx([*expected, expected.sum()])


def test_eigenvalues_are_those_of_the_matrix() -> None:
    small = sp.MatrixSymbol("P", 2, 2)
    for _ in range(5):
        drawn = RNG.normal(size=(2, 2))
        _, sides = Space({small: Reals()}).written_out([eigenvalue(small + small.T, k) for k in (1, 2)])
        found = [_at(side, _entries("P", drawn)) for side in sides]
        assert found == pytest.approx(np.linalg.eigvalsh(drawn + drawn.T)[::-1].tolist())


def test_spectra_are_printed() -> None:
    small = sp.MatrixSymbol("P", 2, 2)
    assert str(nuclear(small)) == "sigma_1(P) + sigma_2(P)"
    assert sp.latex(eigenvalue(small, 2) ** 2) == r"\lambda_{2}^{2}\left(P\right)"


@pytest.mark.parametrize(("left", "message"), [
    (singular(P, 1), "at most two rows or columns"), (singular(TALL, 3), "a place from 1 to 2, got 3"),
    (eigenvalue(P, 1), "a symmetric matrix"), (eigenvalue(sp.MatrixSymbol("P", 2, 2), 1), "a symmetric matrix"),
])  # fmt: skip
def test_spectra_that_cannot_be_written_out_are_one_line(left: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Space({next(iter(left.atoms(sp.MatrixSymbol))): Reals()}).written_out([left])


def test_a_nuclear_norm_is_of_a_matrix_of_a_fixed_size() -> None:
    with pytest.raises(InputError, match=r"nuclear: expected a matrix of a fixed size.*Norms"):
        nuclear(sp.Symbol("x"))


F, G, H = sp.MatrixSymbol("F", 2, 2), sp.MatrixSymbol("G", 2, 3), sp.MatrixSymbol("H", 3, 2)


@pytest.mark.parametrize(("of", "expected"), [
    (inner(G, H), "two matrices of one shape"), (F[sp.Symbol("k", integer=True), 0], "numbers of rows and columns"),
    (sp.Trace(F ** sp.Symbol("k", integer=True, positive=True)), "powers by numbers"),  # at F = 0 SymPy's has no value
    (sp.Trace(F ** sp.Rational(1, 2)), "powers by numbers"),
    (sp.Trace(sp.MatrixSymbol("J", *[sp.Symbol("k", integer=True)] * 2)), "sizes that are numbers"),
], ids=str)  # fmt: skip
def test_what_is_said_of_no_matrix(of: Any, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        Space({F: Reals(), G: Reals(), H: Reals()}).written_out([of])


def test_a_matrix_without_an_inverse_has_none() -> None:
    _, (side,) = Space({F: Reals()}).written_out([sp.Determinant(F.inv()) * sp.Determinant(F)])
    assert evaluate(to_tree(side), dict(zip(("F.11", "F.12", "F.21", "F.22"), (1, 2, 3, 4), strict=True))) == 1
    with pytest.raises(Undefined):
        evaluate(to_tree(side), dict.fromkeys(("F.11", "F.12", "F.21", "F.22"), 1))
