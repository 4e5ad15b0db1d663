"""Matrices of a fixed size: their entries, and what is said of them by trace, determinant, norms and spectra.

Entries of a symmetric matrix with a bound on its spectrum are polynomials: those of the bound and a lower triangular
matrix with ones, times squares, times its transpose. So nothing has to be said beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp
from sympy.matrices.expressions import Determinant, Trace
from sympy.matrices.expressions.matexpr import MatrixElement

from boundaudit import InputError
from boundaudit.checks.language.abstract.operators import Linear, Number, Symmetric, no_negative_direction
from boundaudit.checks.language.abstract.terms import Eigenvalue, Inner, Norm, Singular
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.translate import uncancelled


def in_entries(found: Reals | Linear | Symmetric, shape: tuple[int, int], new: Number) -> tuple[Any, list[Any]]:
    """A matrix of rows and columns with numbers as entries, and relations between the numbers.

    ``found`` is the range of all entries, or the class that the matrix is of.
    """
    if isinstance(found, Symmetric):
        return _symmetric(found, shape[0], new)
    entries = found if isinstance(found, Reals) else Reals()
    matrix = sp.ImmutableMatrix(*shape, lambda i, j: new(_place(i, j), entries))
    if isinstance(found, Reals) or found.norm is None:
        return matrix, []
    gap = found.norm**2 * sp.eye(shape[1]) - matrix.T * matrix
    return matrix, [sp.sympify(found.norm, strict=True) >= 0, *_at_least_zero(gap, new)]


def _place(row: int, column: int) -> str:
    """A row and a column, counted from 1, such as 12; from ten on with a comma, as 111 would be two places."""
    return f"{row + 1}{column + 1}" if max(row, column) < 9 else f"{row + 1},{column + 1}"


def _symmetric(found: Symmetric, size: int, new: Number) -> tuple[Any, list[Any]]:
    if found.low is None and found.high is None:
        entries = {(i, j): new(_place(i, j), Reals()) for i in range(size) for j in range(i, size)}
        return sp.ImmutableMatrix(size, size, lambda i, j: entries[min(i, j), max(i, j)]), []
    squares = [new(f"square {k + 1}", Reals(0)) for k in range(size)]
    ratios = {(i, j): new(f"ratio {_place(i, j)}", Reals()) for i in range(size) for j in range(i)}
    lower = sp.Matrix(size, size, lambda i, j: ratios.get((i, j), int(i == j)))
    above = (lower * sp.diag(*squares) * lower.T).expand()
    if found.low is None:
        return sp.ImmutableMatrix(found.high * sp.eye(size) - above), []
    matrix = sp.ImmutableMatrix(found.low * sp.eye(size) + above)
    if found.high is None:
        return matrix, []
    return matrix, [
        sp.sympify(found.low, strict=True) <= found.high,
        *_at_least_zero(found.high * sp.eye(size) - matrix, new),
    ]


def _at_least_zero(matrix: Any, new: Number) -> list[Any]:
    return list(no_negative_direction(matrix.tolist(), new, "ratio of what is left"))


def spelled_out(written: Any, matrices: Mapping[Any, Any]) -> Any:
    """An expression or a relation written of matrices, in their entries."""
    terms = written.atoms(Trace, Determinant, MatrixElement, Norm, Inner, Singular, Eigenvalue)
    of = {term for term in terms if any(part.is_Matrix for part in term.args)}
    return written.xreplace({term: uncancelled(_value(term.xreplace(matrices))) for term in of})


def _value(term: Any) -> Any:
    if isinstance(term, (Singular, Eigenvalue)):
        return _in_order(term)
    if isinstance(term, (Trace, Determinant)):
        return term.func(_explicit(term.args[0])).doit()
    if isinstance(term, MatrixElement):
        return _entry(*term.args)
    if not isinstance(term, (Norm, Inner)):
        return term.doit()
    left, right = (_explicit(term.args[k]) for k in (0, -1))
    if left.shape != right.shape:
        raise InputError("inner", "two matrices of one shape", f"{left.shape} and {right.shape}", "transpose one")
    product = sp.Add(*(a * b for a, b in zip(left, right, strict=True)))
    return sp.sqrt(product) if isinstance(term, Norm) else product


def _entry(matrix: Any, row: Any, column: Any) -> Any:
    """An entry; SymPy counts from zero."""
    matrix = _explicit(matrix)
    if row not in range(matrix.rows) or column not in range(matrix.cols):
        raise InputError("entry", f"numbers of rows and columns below {matrix.shape}, from 0 on", (row, column),
                         "count from zero, and write entries one by one")  # fmt: skip
    return matrix[row, column]


def _explicit(matrix: Any) -> Any:
    """A matrix by its entries: SymPy leaves the product with a number as it is.

    Raises:
        InputError: where a size or an exponent is no number: what SymPy makes of those has no value at some matrices.
    """
    sizes = {size for part in matrix.atoms(sp.MatrixSymbol) for size in part.shape}
    if open_ := [size for size in sizes if not size.is_Integer]:
        raise InputError("matrix", "sizes that are numbers", open_[0], "state it for one size, or as a map")
    powers = [power.exp for power in matrix.atoms(sp.MatPow) if not power.exp.is_Integer]
    if powers:
        raise InputError("matrix", "powers by numbers such as 2", powers[0], "state it for one power")
    return matrix.doit().as_explicit()


def _in_order(term: Any) -> Any:
    """An eigenvalue or a singular value by its place."""
    matrix, place = _explicit(term.args[0]), term.args[1]
    values = _singular(matrix) if isinstance(term, Singular) else _eigenvalues(matrix)
    if place not in range(1, len(values) + 1):
        raise InputError(
            type(term).__name__.lower(), f"a place from 1 to {len(values)}", place, "count from the largest"
        )
    return values[place - 1]


def _singular(matrix: Any) -> list[Any]:
    """The singular values, the largest first.

    Of two rows and two columns their sum and their difference are two lengths, of which either may be the larger.

    Raises:
        InputError: where there are more than two rows and more than two columns.
    """
    if min(matrix.shape) > 2:
        remedy = "write inner products, Linear(norm=…), or Norms() for a norm of matrices of any size"
        raise InputError("singular", "a matrix of at most two rows or columns", matrix.shape, remedy)
    if matrix.shape == (2, 2):
        a, b, c, d = matrix
        one, other = sp.sqrt((a + d) ** 2 + (b - c) ** 2), sp.sqrt((a - d) ** 2 + (b + c) ** 2)
        return [(one + other) / 2, sp.Abs(one - other) / 2]
    gram = matrix * matrix.T if matrix.rows < matrix.cols else matrix.T * matrix
    if gram.rows == 1:
        return [sp.sqrt(gram[0, 0])]
    one, other = (sp.sqrt(gram.trace() + sign * 2 * sp.sqrt(gram.det())) for sign in (1, -1))
    return [(one + other) / 2, (one - other) / 2]


def _eigenvalues(matrix: Any) -> list[Any]:
    """The eigenvalues of a symmetric matrix, the largest first.

    Raises:
        InputError: where there are more than two rows, or it is not symmetric.
    """
    if matrix.rows > 2 or matrix.rows != matrix.cols or not (matrix - matrix.T).expand().is_zero_matrix:
        raise InputError("eigenvalue", "a symmetric matrix of at most two rows", matrix, "write inner products")
    if matrix.rows == 1:
        return [matrix[0, 0]]
    apart = sp.sqrt((matrix[0, 0] - matrix[1, 1]) ** 2 + 4 * matrix[0, 1] ** 2)
    return [(matrix.trace() + sign * apart) / 2 for sign in (1, -1)]
