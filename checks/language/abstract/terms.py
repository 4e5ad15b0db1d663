"""What formulas say of vectors, functions and random variables: terms that a `Space` writes out."""

from __future__ import annotations

from typing import Any

import sympy as sp


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


class Nabla(sp.Function):  # type: ignore[misc]
    """The gradient of a function at a point, or a subgradient where it has none; of a number, the slope."""

    nargs = 1

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        shown = rf"\nabla {printer._print(self.args[0])}"
        return shown if exp is None else rf"\left({shown}\right)^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"∇{printer._print(self.args[0])}"


class E(_Term):
    """The expectation of an expression in random variables.

    Example:
        >>> X = sp.Symbol("X", real=True)
        >>> E(X**2)
        E(X**2)
    """

    ends = (r"\mathbb{E}\left[", r"\right]")


class Var(_Term):
    """The variance of an expression in random variables.

    Example:
        >>> X = sp.Symbol("X", real=True)
        >>> Var(X)
        Var(X)
    """

    is_extended_nonnegative = True
    ends = (r"\mathrm{Var}\left[", r"\right]")


class P(_Term):
    """The probability of an event: a relation between random variables and numbers, also with and, or, not.

    Example:
        >>> X = sp.Symbol("X", real=True)
        >>> P(X >= 1)
        P(X >= 1)
    """

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
