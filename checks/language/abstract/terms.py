"""What formulas say of vectors, functions and random variables: terms that a `Space` writes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import sympy as sp
from sympy.logic.boolalg import Boolean

from boundaudit import InputError


class _Term(sp.Function):  # type: ignore[misc]
    """A number that is written in a way of its own."""

    nargs: Any = 1
    is_extended_real = True
    is_commutative = True  # the argument of a probability is no number, so that SymPy could not tell
    ends = ("", "")

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        low, high = self.ends
        power = "" if exp is None else f"^{{{exp}}}"
        return f"{low} {', '.join(map(printer._print, self.args))} {high}{power}"


class Inner(_Term):
    """The inner product of two vectors."""

    nargs = 2
    ends = (r"\left\langle", r"\right\rangle")

    def _sympystr(self, printer: Any) -> str:
        return f"<{', '.join(map(printer._print, self.args))}>"


class Norm(_Term):
    """The length of a vector."""

    is_extended_nonnegative = True
    ends = (r"\left\|", r"\right\|")

    def _sympystr(self, printer: Any) -> str:
        return f"‖{printer._print(self.args[0])}‖"


class _Spectral(_Term):
    """One of the numbers of a matrix that come in order, the largest first."""

    nargs = 2
    letter: ClassVar[str]

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        power = "" if exp is None else f"^{{{exp}}}"
        matrix, place = map(printer._print, self.args)
        return rf"\{self.letter}_{{{place}}}{power}\left({matrix}\right)"

    def _sympystr(self, printer: Any) -> str:
        matrix, place = map(printer._print, self.args)
        return f"{self.letter}_{place}({matrix})"


class Singular(_Spectral):
    """A singular value of a matrix."""

    is_extended_nonnegative = True
    letter = "sigma"


class Eigenvalue(_Spectral):
    """An eigenvalue of a symmetric matrix."""

    letter = "lambda"


class Nabla(sp.Function):  # type: ignore[misc]
    """The gradient of a function at a point, or a subgradient where it has none; of a number, the slope."""

    nargs = 1

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        shown = rf"\nabla {printer._print(self.args[0])}"
        return shown if exp is None else rf"\left({shown}\right)^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"∇{printer._print(self.args[0])}"


class _Mean(_Term):
    """A number that a law gives, also given what is known."""

    _of: ClassVar[int] = 1
    """Arguments before what is given."""

    def __new__(cls, *of: Any, given: Any = None, **options: Any) -> Any:
        """Keep what is given, a relation or random variables, as a last argument."""
        if any(isinstance(part, bool) for part in (*of, given)):
            remedy = "Python compares with == at once: write sympy.Eq(a, b)"
            raise InputError(cls.__name__, "expressions and relations of SymPy's", "a truth value", remedy)
        if given is not None:
            of = (*of, given if isinstance(given, Boolean) and not given.is_Symbol else sp.Tuple(*_several(given)))
        return super().__new__(cls, *of, **options)

    @property
    def of(self) -> tuple[Any, ...]:
        """What the law is asked about."""
        return tuple(self.args[: self._of])

    @property
    def given(self) -> Any:
        """A relation, or random variables in a tuple; None where nothing is given."""
        return self.args[self._of] if len(self.args) > self._of else None

    def _told(self, printed: Callable[[Any], str], bar: str) -> str:
        """What stands between the brackets."""
        of, given = ", ".join(map(printed, self.of)), self.given
        known = given if isinstance(given, sp.Tuple) else [given]
        return of if given is None else f"{of}{bar}{', '.join(map(printed, known))}"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        low, high = self.ends
        power = "" if exp is None else f"^{{{exp}}}"
        inside = self._told(printer._print, r" \mid ")
        return f"{low} {inside} {high}{power}"

    def _sympystr(self, printer: Any) -> str:
        return f"{type(self).__name__}({self._told(printer._print, ' | ')})"


def _several(given: Any) -> Sequence[Any]:
    return given if isinstance(given, (tuple, list, sp.Tuple)) else (given,)


class E(_Mean):
    """The expectation of an expression in random variables.

    Example:
        >>> X, Y = sp.symbols("X Y", real=True)
        >>> E(X**2)
        E(X**2)
        >>> E(X * Y, given=Y), E(X, given=X >= 1)
        (E(X*Y | Y), E(X | X >= 1))

    Args:
        of: The expression.
        given: Random variables, in whose outcome it is then a random variable itself; or an event, whose probability
            is more than zero.
    """

    nargs = (1, 2)
    ends = (r"\mathbb{E}\left[", r"\right]")


class Var(_Mean):
    """The variance of an expression in random variables.

    Example:
        >>> X = sp.Symbol("X", real=True)
        >>> Var(X)
        Var(X)

    Args:
        of: The expression.
        given: As for `E`.
    """

    nargs = (1, 2)
    is_extended_nonnegative = True
    ends = (r"\mathrm{Var}\left[", r"\right]")


class Cov(_Mean):
    """The covariance of two expressions in random variables.

    Example:
        >>> X, Y = sp.symbols("X Y", real=True)
        >>> Cov(X, Y**2)
        Cov(X, Y**2)

    Args:
        of: The two expressions.
        given: As for `E`.
    """

    nargs = (2, 3)
    _of = 2
    ends = (r"\mathrm{Cov}\left[", r"\right]")


class P(_Mean):
    """The probability of an event: a relation between random variables and numbers, also with and, or, not.

    Example:
        >>> X, A, B = sp.Symbol("X", real=True), *sp.symbols("A B")
        >>> P(X >= 1)
        P(X >= 1)
        >>> P(A & ~B, given=B)
        P(A & ~B | B)

    Args:
        of: The relation, or declared events with and, or, not.
        given: As for `E`; also declared events with and, or, not.
    """

    nargs = (1, 2)
    is_extended_nonnegative = True
    ends = (r"\mathbb{P}\left[", r"\right]")


def inner(left: Any, right: Any) -> Any:
    """The inner product of two combinations of vectors.

    Example:
        >>> v, w = sp.symbols("v w")
        >>> inner(v, v - w)
        <v, v - w>

    Args:
        left: Such as ``v - alpha*w``, with numbers before vectors.
        right: Likewise.

    Returns:
        A number, as a term of formulas.
    """
    return Inner(left, right)


def norm(vector: Any) -> Any:
    """The length of a combination of vectors.

    Example:
        >>> v, w = sp.symbols("v w")
        >>> norm(v - w)
        ‖v - w‖

    Args:
        vector: Such as ``v - alpha*w``, with numbers before vectors.

    Returns:
        A number, as a term of formulas.
    """
    return Norm(vector)


def gradient(value: Any) -> Any:
    """The gradient of a function, or a subgradient where it has none.

    Example:
        >>> f, x = sp.Function("f"), sp.Symbol("x")
        >>> gradient(f(x))
        ∇f(x)

    Args:
        value: The function at a point, such as ``f(x)``.

    Returns:
        A vector where the function is one of vectors, else a number.
    """
    return Nabla(value)


def singular(matrix: Any, place: int) -> Any:
    """A singular value of a matrix of a fixed size: the first is its norm as a linear map.

    Example:
        >>> A = sp.MatrixSymbol("A", 2, 3)
        >>> singular(A, 1)
        sigma_1(A)

    Args:
        matrix: Of at most two rows or columns.
        place: 1 for the largest, 2 for the other.

    Returns:
        A number, as a term of formulas.
    """
    return Singular(matrix, place)


def nuclear(matrix: Any) -> Any:
    """The nuclear norm of a matrix of a fixed size, the sum of its singular values.

    Example:
        >>> nuclear(sp.MatrixSymbol("A", 2, 3))
        sigma_1(A) + sigma_2(A)

    Args:
        matrix: Of at most two rows or columns.

    Returns:
        A number, as a term of formulas.

    Raises:
        InputError: where it is no matrix of a fixed size.
    """
    sizes = getattr(matrix, "shape", ())
    if len(sizes) != 2 or not all(isinstance(size, (int, sp.Integer)) for size in sizes):
        remedy = 'for any size write sympy.Function("N") with Norms()'
        raise InputError("nuclear", "a matrix of a fixed size", matrix, remedy)
    return sp.Add(*(singular(matrix, place) for place in range(1, min(sizes) + 1)))


def eigenvalue(matrix: Any, place: int) -> Any:
    """An eigenvalue of a symmetric matrix.

    Example:
        >>> eigenvalue(sp.MatrixSymbol("A", 2, 2), 1)
        lambda_1(A)

    Args:
        matrix: Of at most two rows.
        place: 1 for the largest, 2 for the other.

    Returns:
        A number, as a term of formulas.
    """
    return Eigenvalue(matrix, place)
