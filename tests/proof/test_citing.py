"""What an instance of a cited statement asks for: that what stands in place of each parameter lies where it ranges."""

from typing import Any

import pytest
import sympy as sp

from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.citing import instance

from .stated import integers, reals, tree

x, y, m, n, k = sp.symbols("x y m n k")
B = ("b", 0)
ENTRY = ("v", "entry of c")


def vector(name: str, length: Any = n, **more: Any) -> dict[str, Any]:
    return {"name": name, "range": "vector", "length": tree(length), "low": None, "high": None,
            "open": [False, False], "square_sum": None, **more}  # fmt: skip


def entry(name: str, index: Any = B) -> Any:
    return ("item", name, index)


def domain(*parameters: Any, where: tuple[Any, ...] = ()) -> dict[str, Any]:
    return {"parameters": list(parameters), "where": list(where)}


def asked(cited: dict[str, Any], here: dict[str, Any], **put: Any) -> list[str]:
    """The conditions of an instance, as they are written."""
    known = {"own.cited": Statement(tree(0), "<=", tree(1), cited)}
    conditions, _ = instance(here, {"cites": "own.cited", "map": put}, known)
    return [f"{c.left} {c.relation} {c.right}" for c in conditions]


def written(left: Any, relation: str, right: Any) -> str:
    return f"{left} {relation} {right}"


COUNT, UNIT = integers("n", 1), reals("x", 0, 1)
CHOICE = {"name": "k", "range": "choices", "values": [tree(1), tree(2)]}
SQUARED = vector("c", low=tree(0), high=tree(1), square_sum=tree(1))
BOUNDED = vector("d", low=tree(0), high=tree(1))
SUM = ("sum", tree(1), tree(n), ("^", entry("d"), tree(2)))
HALF_OPEN = reals("y", 0, x, (True, False))
MEASURED = {**reals("m", 0), "measured": True}
BELOW = ["all", tree(1), tree(n), ["<=", entry("c"), tree(x)]]
EITHER = ["or", [["<=", tree(x), tree(0)]], [["<=", tree(1), tree(x)]]]

ASKED: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any], list[str]]] = {
    "nothing, declared alike": (domain(UNIT), domain(UNIT), {}, []),
    "both ends of a number": (
        domain(UNIT), domain(reals("y")), {"x": tree(y)},
        [written(tree(0), "<=", tree(y)), written(tree(y), "<=", tree(1))],
    ),
    "both ends, declared otherwise": (
        domain(UNIT), domain(reals("x")), {}, [written(tree(0), "<=", tree(x)), written(tree(x), "<=", tree(1))]
    ),
    "an open end, and one that is put": (
        domain(UNIT, HALF_OPEN), domain(UNIT, reals("z")), {"y": ("v", "z")},
        [written(tree(0), "<", ("v", "z")), written(("v", "z"), "<=", tree(x))],
    ),
    "nothing, of one of the choices": (domain(CHOICE), domain(UNIT), {"k": tree(2)}, []),
    "entries and their squares": (
        domain(COUNT, SQUARED), domain(COUNT, BOUNDED), {"c": entry("d")},
        [
            written(tree(0), "<=", entry("d", ENTRY)), written(entry("d", ENTRY), "<=", tree(1)),
            written(SUM, "<=", tree(1)),
        ],
    ),
    "entries of its own name, declared otherwise": (
        domain(COUNT, vector("c", low=tree(0))), domain(COUNT, vector("c", low=tree(-1))), {},
        [written(tree(0), "<=", entry("c", ENTRY))],
    ),
    "nothing, of the same entries": (domain(COUNT, SQUARED), domain(COUNT, SQUARED), {}, []),
    "a relation": (
        domain(UNIT, where=(["<=", tree(x), tree(0)],)), domain(UNIT), {}, [written(tree(x), "<=", tree(0))]
    ),
    "nothing, of a relation that stands here": (
        domain(UNIT, where=(["<=", tree(x), tree(0)],)), domain(UNIT, where=(["<=", tree(x), tree(0)],)), {}, []
    ),
    "a relation at each index": (
        domain(COUNT, UNIT, SQUARED, where=(BELOW,)), domain(COUNT, UNIT, SQUARED), {},
        [written(entry("c", ("v", "index of 0")), "<=", tree(x))],
    ),
    "nothing, of alternatives that stand here": (
        domain(UNIT, where=(EITHER,)), domain(UNIT, where=(EITHER,)), {}, []
    ),
    "nothing, of what is measured alike": (domain(MEASURED), domain(MEASURED), {}, []),
    "nothing, where the number here is measured": (domain(reals("m", 0)), domain(MEASURED), {}, []),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_what_it_asks_for(name: str) -> None:
    cited, here, put, conditions = ASKED[name]
    assert asked(cited, here, **put) == conditions


REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any], str]] = {
    "a parameter that is not here": (domain(UNIT), domain(reals("y")), {}, "no parameter here"),
    "a vector that is not here": (domain(COUNT, SQUARED), domain(COUNT), {}, "no parameter here"),
    "a number for a vector": (domain(COUNT, SQUARED), domain(COUNT, reals("c")), {}, "unknown vector"),
    "a number in place of what is measured": (domain(MEASURED), domain(reals("m", 0)), {}, "a function of the point"),
    "what is measured, of one parameter more": (
        domain(UNIT, MEASURED), domain(UNIT, MEASURED, reals("y")), {}, "a function of the point"
    ),
    "what is measured, declared otherwise": (
        domain(MEASURED), domain({**reals("m", 0, 1), "measured": True}), {}, "no parameter here"
    ),
    "none of the choices": (domain(CHOICE), domain(UNIT), {"k": tree(3)}, "numbers and vectors"),
    "choices, open": (domain(CHOICE), domain(UNIT), {"k": tree(x)}, "numbers and vectors"),
    "an entry for a number": (domain(UNIT), domain(COUNT, BOUNDED), {"x": entry("d")}, "numbers and vectors"),
    "no integer": (domain(COUNT), domain(reals("x", 1)), {"n": tree(x)}, "not known to be an integer"),
    "entries beyond the last": (
        domain(COUNT, SQUARED), domain(COUNT, BOUNDED), {"c": entry("d", ("+", B, tree(1)))}, "not known to lie in"
    ),
    "alternatives that do not stand here": (domain(UNIT, where=(EITHER,)), domain(UNIT), {}, "none of"),
    "a parameter that it does not have": (domain(UNIT), domain(UNIT), {"z": tree(x)}, "has no parameter z"),
    "what it measures": (domain(UNIT, MEASURED), domain(UNIT, MEASURED), {"m": tree(x)}, "has no parameter m"),
    "where it measures": (domain(UNIT, MEASURED), domain(UNIT, MEASURED), {"x": tree(0)}, "a function of the point"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_it_refuses(name: str) -> None:
    cited, here, put, why = REFUSED[name]
    with pytest.raises(Rejected, match=why):
        asked(cited, here, **put)
