"""Measured things inside formulas: a node of a proof is an expression in parameters and in these.

Of an atom a proof knows its name, its sign or the ends of its range, and what axioms and other claims say of it; what
it is worth at a point, its measurement says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sympy as sp

from boundaudit.checks.language.domain import Matrix, Reals, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point

if TYPE_CHECKING:
    from boundaudit.checks.language.claim import Quantity


class Atom(sp.Symbol):  # type: ignore[misc]
    """The symbol of a measured number or of the base of a measured vector, which it carries along."""

    of: Quantity | Family

    def __new__(cls, of: Quantity | Family) -> Atom:
        """The symbol that has the measurement's name."""
        found: Atom = sp.Symbol.__xnew__(cls, of.name, real=True)
        found.of = of
        return found

    def _hashable_content(self) -> tuple[Any, ...]:
        """Another measurement of one name is another symbol: SymPy gives what it has met before for what is equal."""
        return (*super()._hashable_content(), id(self.of))

    def _latex(self, _: Any) -> str:
        return f"{{{self.of.latex}}}"


def shown_alone(of: tuple[str, ...], whole: Callable[..., Array]) -> Callable[..., Array]:
    """A measurement that is shown the parameters of these names alone; all of the point's where there is none."""
    if not of:
        return whole

    def measure(points: Sequence[Point], *more: Any) -> Array:
        return whole([{name: point[name] for name in of} for point in points], *more)

    return measure


@dataclass(frozen=True, eq=False)
class Family:
    """A measured vector, or matrix: numbers of which there are as many as its length says at each point.

    Example:
        >>> import numpy as np
        >>> n, t = sp.symbols("n t", integer=True, positive=True)
        >>> coins = Family("coins", lambda points, device: np.ones((len(points), 5)), "x", n, Reals(0, 1))
        >>> [found.name for found in atoms_of(sp.Sum(coins[t], (t, 1, n)))]
        ['coins']

    Attributes:
        name: What is measured, in a few words.
        measure: From n points and a device to shape (n, k), padded beyond the length of each; of a matrix (n, k, m).
        latex: How a report writes the vector.
        length: How many there are, an expression in the parameters; of a matrix, of rows and of columns.
        entries: Where each of them lies.
        rounding: Error budget of the measurement, relative to its values or to ``scale``.
        scale: The size of the numbers that a value near zero is computed from.
        of: The parameters that it is a function of, where these are not all of the point's: what is said of it at
            each layer may then be added up over layers.
    """

    name: str
    measure: Callable[[Sequence[Point], str], Array]
    latex: str
    length: Any
    entries: Reals = field(default_factory=Reals)
    rounding: float = 1e-12
    scale: float = 0.0
    of: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """It is shown no parameter but those that it is a function of."""
        object.__setattr__(self, "measure", shown_alone(self.of, self.measure))

    @cached_property
    def base(self) -> sp.IndexedBase:
        """The vector in a formula."""
        return sp.IndexedBase(Atom(self))

    def __getitem__(self, index: Any) -> sp.Indexed:
        """One of its entries in a formula, counted from 1."""
        return self.base[index]

    @property
    def lengths(self) -> tuple[Any, ...]:
        """Of a vector one length, of a matrix two."""
        return self.length if isinstance(self.length, tuple) else (self.length,)

    def declaration(self) -> dict[str, Any]:
        """What a proof knows of it."""
        measured = list(self.of) or True
        if not isinstance(self.length, tuple):
            return {"name": self.name, **Vector(self.length, self.entries).to_json(), "measured": measured}
        rows, columns = self.length
        return {"name": self.name, **Matrix(rows, columns, self.entries).to_json(), "measured": measured}


def atoms_of(expression: Any) -> list[Quantity | Family]:
    """What is measured inside a formula, by name, each once."""
    found = expression.atoms(Atom) if isinstance(expression, sp.Basic) else ()
    return [atom.of for atom in sorted(found, key=str)]
