"""A statement in canonical form: two expression trees, a relation, and a domain as data.

This is what is proved and checked. It knows neither SymPy nor where it came from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from boundaudit import InputError
from boundaudit.checks.language.expression import Tree, from_json, subtract

Relation = Literal["<=", ">=", "=", "<"]
RELATIONS = ("<=", ">=", "=", "<")
"""The last is for what a proof needs on the way, such as that a logarithm's argument is positive."""


@dataclass(frozen=True)
class Statement:
    """``left relation right`` for all points of ``domain``.

    ``domain`` is the JSON form that `Domain.to_json` writes: ``{"parameters": [...], "where": [...]}``.
    """

    left: Tree
    relation: Relation
    right: Tree
    domain: dict[str, Any]

    @property
    def goal(self) -> Tree:
        """The expression that is claimed non-negative; zero where the relation is ``=``, positive where it is ``<``."""
        if self.relation == ">=":
            return subtract(self.left, self.right)
        return subtract(self.right, self.left)

    @property
    def is_strict(self) -> bool:
        """Whether equality would refute it."""
        return self.relation == "<"

    def to_json(self) -> dict[str, Any]:
        """The canonical JSON form.

        Returns:
            A dictionary with the keys left, relation, right and domain.
        """
        return {"left": self.left, "relation": self.relation, "right": self.right, "domain": self.domain}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Statement:
        """Read a statement back.

        Returns:
            The statement.

        Raises:
            InputError: where the relation, a tree or the declaration of a parameter is malformed.
        """
        if data.get("relation") not in RELATIONS:
            raise InputError("relation", "one of <=, >=, =, <", data.get("relation"), "correct the statement")
        for found in data["domain"]["parameters"]:  # rules step to the next integer, and put nothing into choices
            opens, values = found.get("open", ()), found.get("values", ())
            if (found["range"] == "integers" and any(opens)) or any(from_json(value)[0] != "q" for value in values):
                raise InputError("domain", "integers with closed ends, choices among numbers", found, "correct it")
        left, right = from_json(data["left"], "left"), from_json(data["right"], "right")
        return cls(left, data["relation"], right, data["domain"])
