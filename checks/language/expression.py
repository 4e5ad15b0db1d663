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
    """The leaf of an exact rational; a float stands for the dyadic rational it is.

    Returns:
        ``("q", numerator, denominator)`` in lowest terms.
    """
    exact = Fraction(value)
    return ("q", exact.numerator, exact.denominator)


def add(*terms: Tree) -> Tree:
    """The sum of trees.

    Returns:
        The only term where there is one, else a ``+`` node.
    """
    return terms[0] if len(terms) == 1 else ("+", *terms)


def multiply(*factors: Tree) -> Tree:
    """The product of trees.

    Returns:
        The only factor where there is one, else a ``*`` node.
    """
    return factors[0] if len(factors) == 1 else ("*", *factors)


def subtract(left: Tree, right: Tree) -> Tree:
    """The difference of two trees.

    Returns:
        ``left - right``; ``left`` itself where ``right`` is the literal zero.
    """
    return left if right == ZERO else ("+", left, ("*", rational(-1), right))


def children(tree: Tree) -> tuple[Tree, ...]:
    """The sub-trees of a node, in order.

    Returns:
        An empty tuple at a leaf.
    """
    head = tree[0]
    if head in ("q", "v", "pi"):
        return ()
    if head == "item":
        return (tree[2],)
    if head == "sum":
        return tree[2:]
    return tree[1:]


def rebuild(tree: Tree, parts: Sequence[Tree]) -> Tree:
    """The same node with other sub-trees, given in the order of `children`.

    Returns:
        The new node.
    """
    head = tree[0]
    if head in ("q", "v", "pi"):
        return tree
    if head in ("item", "sum"):
        return (head, tree[1], *parts)
    return (head, *parts)


def walk(tree: Tree) -> Iterator[Tree]:
    """Every node of a tree, the root first.

    Yields:
        The nodes in depth-first order.
    """
    yield tree
    for part in children(tree):
        yield from walk(part)


def substitute(tree: Tree, values: Mapping[str, Tree]) -> Tree:
    """Replace parameters by trees; an index bound by a sum is left alone.

    Returns:
        The new tree.
    """
    if tree[0] == "v":
        return values.get(tree[1], tree)
    if tree[0] == "sum":
        inner = {name: value for name, value in values.items() if name != tree[1]}
        low, high = substitute(tree[2], values), substitute(tree[3], values)
        return ("sum", tree[1], low, high, substitute(tree[4], inner))
    return rebuild(tree, [substitute(part, values) for part in children(tree)])


def names(tree: Tree) -> set[str]:
    """The free parameters and vectors of a tree.

    Returns:
        Their names; indices bound by a sum are not among them.
    """
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
    """The one spelling of a JSON value that is hashed and stored.

    Returns:
        JSON with sorted keys and no spaces.
    """
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(data: object) -> str:
    """A short stable hash of a JSON value.

    Returns:
        The first 16 hexadecimal digits of its SHA-256.
    """
    return hashlib.sha256(canonical_json(data).encode()).hexdigest()[:16]


_BINDS = {"+": 1, "*": 2, "^": 3}


def to_text(tree: Tree) -> str:
    """A tree as a person would type it.

    Returns:
        Plain text; it is never parsed again.

    Example:
        >>> to_text(("+", ("v", "x"), ("q", 1, 2)))
        'x + 1/2'
    """
    head = tree[0]
    if head == "q":
        return str(tree[1]) if tree[2] == 1 else f"{tree[1]}/{tree[2]}"
    if head == "v":
        return str(tree[1])
    if head == "pi":
        return "pi"
    if head == "item":
        return f"{tree[1]}[{to_text(tree[2])}]"
    if head == "sum":
        low, high, body = (to_text(part) for part in tree[2:])
        return f"sum({body}, {tree[1]}={low}..{high})"
    parts = [_bracketed(part, head) for part in tree[1:]]
    if head == "+":
        return " + ".join(parts).replace("+ -", "- ")
    if head == "*":
        return "-" + "*".join(parts[1:]) if parts[0] == "(-1)" and len(parts) > 1 else "*".join(parts)
    if head == "^":
        return f"sqrt({to_text(tree[1])})" if tree[2] == ("q", 1, 2) else f"{parts[0]}^{parts[1]}"
    return f"{head}({', '.join(to_text(part) for part in tree[1:])})"


def _bracketed(tree: Tree, parent: str) -> str:
    text = to_text(tree)
    weak = _BINDS.get(tree[0], 4) <= _BINDS.get(parent, 0) and tree[0] != parent
    awkward = tree[0] == "q" and parent != "+" and (tree[1] < 0 or (tree[2] != 1 and parent == "^"))
    return f"({text})" if parent in _BINDS and (weak or awkward or (parent == "^" and tree[0] == "^")) else text
