"""What a text is read into: names, and relations between expressions in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from boundaudit.checks.language.printing import text_of

RELATIONS = {"<=", ">=", "=", "<", ">", "!="}
INDICES = ("k", "j", "l", "m", "r", *(f"k{number}" for number in range(50)))
"""What the indices of norms and of conditions are called, the first that the text has not."""


@dataclass(frozen=True)
class Relation:
    """Two sides and the sign between them, with its place in the text."""

    sign: str
    left: Any
    right: Any
    at: int = field(compare=False)
    # the index at each value of which it holds, with its ends; of a relation between numbers, nothing
    over: tuple[Any, Any, Any] | None = None
    source: str = field(default="", compare=False)  # the text of which it is a part

    @property
    def sides(self) -> tuple[Any, Any]:
        """Left and right."""
        return self.left, self.right

    @property
    def text(self) -> str:
        """The relation as it is told."""
        return f"{text_of(self.left)} {self.sign} {text_of(self.right)}"

    @property
    def free(self) -> set[str]:
        """The names that it speaks of."""
        index, *ends = self.over or (None,)
        symbols = set().union(*(part.free_symbols for part in self.sides)) - {index}
        return {s.name for s in symbols.union(*(end.free_symbols for end in ends)) if s.is_Symbol}


def real(name: str) -> Any:
    """The symbol of a name, of which nothing is assumed but that it is real."""
    return sp.Symbol(name, real=True)


def plain_name(of: Any) -> str:
    """The name that a symbol has, or that a name with a subscript makes; empty for anything else."""
    if isinstance(of, sp.Indexed):
        many, index = of.indices[0].as_coeff_Mul()
        known = of.indices[0].is_Integer or (index.is_Symbol and many.is_Integer and many > 0)
        return f"{of.base}_{of.indices[0]}".replace("*", "") if known else ""
    return str(of.name) if of.is_Symbol else ""
