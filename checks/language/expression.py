"""Expression trees: the one form in which statements are stored, hashed, evaluated and checked.

A tree is a nested tuple over a closed whitelist, and JSON lists of the same
shape read back to the same tree. No text is ever parsed.

======================================  =============================================
``("q", n, d)``                         the rational n/d, d > 0
``("v", name)``                         a parameter
``("item", vector, index)``             an entry of a vector parameter, counted from 1
``("+", a, b, …)``, ``("*", a, b, …)``  sum and product
``("^", base, exponent)``               power
``("log", a)``, ``("exp", a)``          natural logarithm and exponential
``("sin", a)``, ``("cos", a)``          sine and cosine
``("abs", a)``, ``("floor", a)``        absolute value, greatest integer
``("max", a, b, …)``, ``("min", …)``    largest and smallest
``("pi",)``                             the constant π
``("sum", index, low, high, body)``     body summed over low ≤ index ≤ high
======================================  =============================================

This module imports neither SymPy nor z3: the proof checker stands on it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from boundaudit import InputError

Tree: TypeAlias = tuple[Any, ...]
Exact: TypeAlias = "int | Fraction | float"

ZERO: Tree = ("q", 0, 1)
ONE: Tree = ("q", 1, 1)
_UNARY = ("log", "exp", "sin", "cos", "abs", "floor")
_NARY = ("+", "*", "max", "min")


def rational(value: Exact) -> Tree:
    """The leaf of an exact rational in lowest terms; a float stands for the dyadic rational it is."""
    exact = Fraction(value)
    return ("q", exact.numerator, exact.denominator)


def add(*terms: Tree) -> Tree:
    """The sum of trees: the only term where there is one, else a ``+`` node."""
    return terms[0] if len(terms) == 1 else ("+", *terms)


def multiply(*factors: Tree) -> Tree:
    """The product of trees: the only factor where there is one, else a ``*`` node."""
    return factors[0] if len(factors) == 1 else ("*", *factors)


def subtract(left: Tree, right: Tree) -> Tree:
    """The difference of two trees; ``left`` itself where ``right`` is the literal zero."""
    return left if right == ZERO else ("+", left, ("*", rational(-1), right))


def children(tree: Tree) -> tuple[Tree, ...]:
    """The sub-trees of a node, in order."""
    head = tree[0]
    if head in ("q", "v", "pi"):
        return ()
    if head == "item":
        return (tree[2],)
    if head == "sum":
        return tree[2:]
    return tree[1:]


def rebuild(tree: Tree, parts: Sequence[Tree]) -> Tree:
    """The same node with other sub-trees, given in the order of `children`."""
    head = tree[0]
    if head in ("q", "v", "pi"):
        return tree
    if head in ("item", "sum"):
        return (head, tree[1], *parts)
    return (head, *parts)


def walk(tree: Tree) -> Iterator[Tree]:
    """Every node of a tree, the root first, in depth-first order."""
    yield tree
    for part in children(tree):
        yield from walk(part)


def substitute(tree: Tree, values: Mapping[str, Tree]) -> Tree:
    """Replace parameters by trees; an index bound by a sum is left alone, and must not bind what is put in."""
    if tree[0] == "v":
        return values.get(tree[1], tree)
    if tree[0] == "sum":
        inner = {name: value for name, value in values.items() if name != tree[1]}
        if any(tree[1] in names(value) and name in names(tree[4]) for name, value in inner.items()):
            raise InputError("expression", "a sum whose index is not put into it", tree[1], "rename the index")
        low, high = substitute(tree[2], values), substitute(tree[3], values)
        return ("sum", tree[1], low, high, substitute(tree[4], inner))
    return rebuild(tree, [substitute(part, values) for part in children(tree)])


def names(tree: Tree) -> set[str]:
    """The names of the free parameters and vectors of a tree; indices bound by a sum are not among them."""
    if tree[0] == "v":
        return {tree[1]}
    found = set().union(*(names(part) for part in children(tree)))
    if tree[0] == "item":
        return found | {tree[1]}
    if tree[0] == "sum":
        return (found - {tree[1]}) | names(tree[2]) | names(tree[3])
    return found


def from_json(data: object, field: str = "expression") -> Tree:
    """Read a tree from parsed JSON, accepting nothing outside the whitelist.

    Returns:
        The tree.

    Raises:
        InputError: where a node is not one of the table above.
    """
    if not isinstance(data, (list, tuple)) or not data or not isinstance(data[0], str):
        raise InputError(field, 'a node such as ["+", a, b]', data, "write the tree as nested lists")
    head, rest = data[0], list(data[1:])
    if head == "q" and len(rest) == 2 and all(type(x) is int for x in rest) and rest[1] > 0:
        return ("q", rest[0], rest[1])
    if head == "v" and len(rest) == 1 and isinstance(rest[0], str):
        return ("v", rest[0])
    if head == "pi" and not rest:
        return ("pi",)
    if head == "item" and len(rest) == 2 and isinstance(rest[0], str):
        return ("item", rest[0], from_json(rest[1], field))
    if head == "sum" and len(rest) == 4 and isinstance(rest[0], str):
        return ("sum", rest[0], *(from_json(part, field) for part in rest[1:]))
    sized = (head in _NARY and rest) or (head in _UNARY and len(rest) == 1) or (head == "^" and len(rest) == 2)
    if sized:
        return (head, *(from_json(part, field) for part in rest))
    raise InputError(
        field, "a whitelisted node with its arguments", data, "see the table in boundaudit.checks.language.expression"
    )


def canonical_json(data: object) -> str:
    """The one spelling of a JSON value that is hashed and stored: sorted keys and no spaces."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(data: object) -> str:
    """A short stable hash of a JSON value: the first 16 hexadecimal digits of its SHA-256."""
    return hashlib.sha256(canonical_json(data).encode()).hexdigest()[:16]
