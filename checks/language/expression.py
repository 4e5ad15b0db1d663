"""Expression trees: the one form in which statements are stored, hashed, evaluated and checked.

A tree is a nested tuple over a closed whitelist, and JSON lists of the same
shape read back to the same tree. No text is ever parsed.

======================================  =============================================
``("q", n, d)``                         the rational n/d, d > 0
``("v", name)``                         a parameter
``("item", vector, index)``             an entry of a vector parameter, counted from 1; of a matrix, with two indices
``("+", a, b, …)``, ``("*", a, b, …)``  sum and product
``("^", base, exponent)``               power
``("log", a)``, ``("exp", a)``          natural logarithm and exponential
``("sin", a)``, ``("cos", a)``          sine and cosine
``("abs", a)``, ``("floor", a)``        absolute value, greatest integer
``("max", a, b, …)``, ``("min", …)``    largest and smallest
``("pi",)``                             the constant π
``("gamma", a)``, ``("erf", a)``        Γ(a) and the error function
``("binomial", n, k)``                  ways to choose k of n; 0 where k < 0 or k > n
``("if<", a, b, c)``, ``("if<=", …)``   b where a < 0 (a ≤ 0), else c
``("if=", a, b, c)``                    b where a = 0, else c
``("sum", low, high, body)``            body summed over low ≤ index ≤ high
``("product", low, high, body)``        its product over these, 1 where there are none
``("b", k)``                            the index of the sum k sums further out, in a body
======================================  =============================================

What is said of sums here is meant of products too. An index has no name (de Bruijn):
nothing that is put into a body can be captured, and two sums that differ in the
spelling of their index are one tree. A tree is *closed* where every index lies within
its sum; the functions here take and give closed trees, except `children`, `rebuild`
and `walk`, which look inside a body.

This module imports neither SymPy nor z3: the proof checker stands on it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from boundaudit import InputError

Tree: TypeAlias = tuple[Any, ...]
Exact: TypeAlias = "int | Fraction | float"

ZERO: Tree = ("q", 0, 1)
ONE: Tree = ("q", 1, 1)
_LEAVES = ("q", "v", "b", "pi")
_UNARY = ("log", "exp", "sin", "cos", "abs", "floor", "gamma", "erf")
_NARY = ("+", "*", "max", "min")
BRANCHES = ("if<", "if<=", "if=")
FOLDS = ("sum", "product")
"""What runs over an index."""
_SIZES = {"^": 2, "binomial": 2, "sum": 3, "product": 3, "if<": 3, "if<=": 3, "if=": 3}


def is_name(name: object) -> bool:
    """Whether a parameter can be called so; what starts with ``#`` is a name that normal forms make up."""
    return isinstance(name, str) and name != "" and not name.startswith("#")


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


def square(tree: Tree) -> Tree:
    """The square of an expression."""
    return ("^", tree, rational(2))


def subtract(left: Tree, right: Tree) -> Tree:
    """The difference of two trees; ``left`` itself where ``right`` is the literal zero."""
    return left if right == ZERO else ("+", left, ("*", rational(-1), right))


def children(tree: Tree) -> tuple[Tree, ...]:
    """The sub-trees of a node, in order."""
    head = tree[0]
    if head in _LEAVES:
        return ()
    return tree[2:] if head == "item" else tree[1:]


def rebuild(tree: Tree, parts: Sequence[Tree]) -> Tree:
    """The same node with other sub-trees, given in the order of `children`."""
    head = tree[0]
    if head in _LEAVES:
        return tree
    return (head, tree[1], *parts) if head == "item" else (head, *parts)


def walk(tree: Tree) -> Iterator[Tree]:
    """Every node of a tree, the root first, in depth-first order."""
    left = [tree]
    while left:
        node = left.pop()
        yield node
        left += children(node)[::-1]


def substitute(tree: Tree, values: Mapping[str, Tree]) -> Tree:
    """Replace parameters by closed trees, and vectors by what their entry at an index ``("b", 0)`` is."""
    if tree[0] == "v":
        return values.get(tree[1], tree)
    parts = [substitute(part, values) for part in children(tree)]
    if tree[0] == "item" and tree[1] in values:
        return entry(values[tree[1]], parts[0])
    return rebuild(tree, parts)


def replaced(tree: Tree, old: Tree, new: Tree) -> Tree:
    """The tree with every occurrence of a closed sub-tree replaced by another."""
    return new if tree == old else rebuild(tree, [replaced(part, old, new) for part in children(tree)])


def names(tree: Tree) -> frozenset[str]:
    """The names of the parameters and vectors of a tree."""
    return frozenset(node[1] for node in walk(tree) if node[0] in ("v", "item"))


def summation(index: str, low: Tree, high: Tree, body: Tree, head: str = "sum") -> Tree:
    """The sum, or product, of a body in which the index stands as a parameter with this name."""
    return (head, low, high, bound(body, index))


def opened(total: Tree, value: Tree) -> Tree:
    """The body of a sum with a closed tree in place of its index."""
    return entry(total[3], value)


def entry(body: Tree, value: Tree, depth: int = 0) -> Tree:
    """A body with a tree in place of its index; what the tree has of sums lies outside of the body's own."""
    if body == ("b", depth):
        return _lifted(value, depth)
    return rebuild(body, [entry(part, value, inner) for part, inner in _within(body, depth)])


def _lifted(tree: Tree, by: int, depth: int = 0) -> Tree:
    """A tree moved into so many more sums: its indices of sums around it are counted from there."""
    if tree[0] == "b":
        return ("b", tree[1] + by) if tree[1] >= depth else tree
    return rebuild(tree, [_lifted(part, by, inner) for part, inner in _within(tree, depth)])


def is_closed(tree: Tree, depth: int = 0) -> bool:
    """Whether every index of a tree that stands within ``depth`` sums belongs to one of them or to a sum of its own."""
    if tree[0] == "b":
        return bool(tree[1] < depth)
    return all(is_closed(part, inner) for part, inner in _within(tree, depth))


def _within(tree: Tree, depth: int) -> Iterator[tuple[Tree, int]]:
    """The sub-trees with the number of sums around each: one more around the body of a sum."""
    parts = children(tree)
    for place, part in enumerate(parts):
        yield part, depth + (tree[0] in FOLDS and place == len(parts) - 1)


def bound(tree: Tree, name: str, depth: int = 0) -> Tree:
    """A body in which the index stands as a parameter with this name, with its index unnamed."""
    if tree == ("v", name):
        return ("b", depth)
    return rebuild(tree, [bound(part, name, inner) for part, inner in _within(tree, depth)])


def from_json(data: object, depth: int = 0, shapes: Mapping[str, int] | None = None) -> Tree:
    """Read a tree from nested lists; `InputError` where a node is not one of the table above, as it may stand here."""
    # It may use the indices of as many sums around it as depth; of names, all, or those in shapes with so many indices.
    if not isinstance(data, (list, tuple)) or not data or not isinstance(data[0], str):
        raise InputError("expression", 'a node such as ["+", a, b]', data, "write the tree as nested lists")
    head, rest = data[0], list(data[1:])
    if head == "q" and len(rest) == 2 and all(type(x) is int for x in rest) and rest[1] > 0:
        return ("q", rest[0], rest[1])
    if head == "v" and len(rest) == 1 and _is_known(rest[0], 0, shapes):
        return ("v", rest[0])
    if head == "b" and len(rest) == 1 and type(rest[0]) is int and 0 <= rest[0] < depth:
        return ("b", rest[0])
    if head == "pi" and not rest:
        return ("pi",)
    if head == "item" and len(rest) in (2, 3) and _is_known(rest[0], len(rest) - 1, shapes):
        return ("item", rest[0], *(from_json(index, depth, shapes) for index in rest[1:]))
    sized = (head in _NARY and rest) or (head in _UNARY and len(rest) == 1) or len(rest) == _SIZES.get(head)
    if sized:
        return (head, *(from_json(part, inner, shapes) for part, inner in _within((head, *rest), depth)))
    remedy = "see the table in boundaudit.checks.language.expression"
    raise InputError("expression", "a whitelisted node with its arguments, of what is declared", data, remedy)


def _is_known(name: object, indices: int, shapes: Mapping[str, int] | None) -> bool:
    return is_name(name) and (shapes is None or shapes.get(str(name)) == indices)


def canonical_json(data: object) -> str:
    """The one spelling of a JSON value that is hashed and stored: sorted keys and no spaces."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
