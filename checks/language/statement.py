"""A statement in canonical form: two expression trees, a relation, and a domain as data.

This is what is proved and checked. It knows neither SymPy nor where it came from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from boundaudit import InputError
from boundaudit.checks.language.expression import ZERO, Tree, from_json, is_name, subtract

Shapes: TypeAlias = dict[str, int]
Relation = Literal["<=", ">=", "=", "<"]
RELATIONS = ("<=", ">=", "=", "<")
"""The last is for what a proof needs on the way, such as that a logarithm's argument is positive."""
_ENDS = ("low", "high")
_RANGES = {
    "integers": (0, _ENDS),
    "reals": (0, (*_ENDS, "open")),
    "choices": (0, ("values",)),
    "vector": (1, (*_ENDS, "open", "length", "square_sum")),
    "matrix": (2, (*_ENDS, "open", "rows", "columns", "square_sum")),
    "subsets": (-1, ("count", "size", "of")),  # no expression reads them
}
"""How many indices what is declared has in expressions, and what its declaration says."""
_OTHERS, _MAY_LACK = ("name", "range", "measured", "open", "values"), {*_ENDS, "square_sum", "open", "values"}
_FORMED: dict[str, Shapes] = {}
"""Domains that were looked at, as they are written."""
_MOST_FORMED = 4096


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
        """The canonical JSON form, by left, relation, right and domain."""
        return {"left": self.left, "relation": self.relation, "right": self.right, "domain": self.domain}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Statement:
        """Read a statement back; `InputError` where it is not well formed."""
        found = cls(from_json(data["left"]), data["relation"], from_json(data["right"]), data["domain"])
        found.require_formed()
        return found

    def require_formed(self) -> None:
        """Raise `InputError` where this is no statement: what the checker looks at is one, wherever it comes from."""
        shapes, sides = shapes_of(self.domain), (self.left, self.right)
        _require(self.relation in RELATIONS, f"one of {RELATIONS}", self.relation)
        _require(sides == tuple(from_json(side, 0, shapes) for side in sides), "trees as tuples", sides)


def shapes_of(domain: dict[str, Any]) -> Shapes:
    """How many indices has what a domain declares, by name; `InputError` where the domain is not well formed."""
    written = repr(domain)
    if written not in _FORMED:
        if len(_FORMED) == _MOST_FORMED:
            _FORMED.clear()
        shapes: Shapes = {}
        for declared in domain["parameters"]:
            _require_declared(declared, shapes)
            shapes[declared["name"]] = _RANGES[declared["range"]][0]
        for entry in domain["where"]:
            put_in(entry, lambda tree: tree, shapes)
        _FORMED[written] = shapes
    return _FORMED[written]


def _require_declared(declared: Mapping[str, Any], before: Shapes) -> None:
    """A declaration in terms of what is declared before it."""
    fields, measured = _RANGES[declared["range"]][1], declared.get("measured", True)
    _require(is_name(declared["name"]) and declared["name"] not in before, "a name of its own", declared)
    _require(declared.keys() - {"measured"} == {"name", "range", *fields}, f"nothing but {fields}", declared)
    _require(measured is True or (type(measured) is list and {*map(is_name, measured)} == {True}), "names", declared)
    _require("measured" not in declared or "open" in fields, "reals that are measured", declared)
    # Rules step to the next integer, and put nothing into choices.
    numbers = [from_json(value)[0] == "q" for value in declared.get("values", [ZERO])]
    _require(bool(numbers) and all(numbers), "choices among numbers", declared)
    _require([type(end) for end in declared.get("open", (False, False))] == [bool, bool], "ends open or not", declared)
    _require({*fields} - _MAY_LACK <= trees_of(declared, before).keys(), "a size", declared)


def trees_of(declared: Mapping[str, Any], shapes: Shapes | None = None) -> dict[str, Tree]:
    """The expressions in the declaration of a parameter, by what they say."""
    said = ((key, value) for key, value in declared.items() if key not in _OTHERS and value is not None)
    return {key: from_json(value, 0, shapes) for key, value in said}


def put_in(entry: Sequence[Any], change: Callable[[Tree], Tree], shapes: Shapes | None = None) -> list[Any]:
    """A relation of a domain with each expression changed; the index of one about all indices is ``("b", 0)``."""
    match entry:
        case ["or", *ways]:
            return ["or", *([put_in(each, change, shapes) for each in way] for way in ways)]
        case ["all", low, high, [("<=" | ">=" | "<" | ">") as sign, left, right]]:
            ends = (change(from_json(end, 0, shapes)) for end in (low, high))
            return ["all", *ends, [sign, *(change(from_json(side, 1, shapes)) for side in (left, right))]]
        case [("<=" | ">=" | "<" | ">") as sign, left, right]:
            return [sign, *(change(from_json(side, 0, shapes)) for side in (left, right))]
    raise InputError("domain", "an inequality, alternatives, or one for all indices", entry, "correct it")


def _require(fits: bool, expected: str, found: object) -> None:
    if not fits:
        raise InputError("statement", expected, found, "correct it")
