"""From expression trees back to SymPy, with the assumptions that the domain gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from boundaudit.checks.expression import Tree
from boundaudit.checks.proof.domains import Domain
from boundaudit.checks.proof.normal_form import NormalForm
from boundaudit.checks.proof.ranges import Range

_HEADS: dict[str, Callable[..., Any]] = {
    "+": sp.Add,
    "*": sp.Mul,
    "^": sp.Pow,
    "log": sp.log,
    "exp": sp.exp,
    "sin": sp.sin,
    "cos": sp.cos,
    "abs": sp.Abs,
    "floor": sp.floor,
    "max": sp.Max,
    "min": sp.Min,
}


def symbols(domain: Domain) -> dict[str, Any]:
    """One SymPy symbol for each scalar parameter, with its sign and integrality; a base for each vector.

    Args:
        domain: A domain as JSON.

    Returns:
        Symbols by parameter name.
    """
    form = NormalForm(domain)
    found: dict[str, Any] = {}
    for declared in domain["parameters"]:
        name, kind = declared["name"], declared["range"]
        if kind == "vector":
            found[name] = sp.IndexedBase(name, real=True)
        elif kind != "subsets":
            integer = {"integer": True} if kind == "integers" else {}
            found[name] = sp.Symbol(name, real=True, **integer, **_assumptions(form.range_of(("v", name))))
    return found


def to_sympy(tree: Tree, known: dict[str, Any]) -> Any:
    """Translate an expression tree.

    Args:
        tree: The expression.
        known: Symbols by name, as from `symbols`.

    Returns:
        The SymPy expression; the index of a sum becomes an integer symbol.
    """
    head = tree[0]
    if head == "q":
        return sp.Rational(tree[1], tree[2])
    if head == "v":
        return known[tree[1]]
    if head == "pi":
        return sp.pi
    if head == "item":
        return known[tree[1]][to_sympy(tree[2], known)]
    if head == "sum":
        index = sp.Symbol(tree[1], integer=True)
        low, high = (to_sympy(part, known) for part in tree[2:4])
        return sp.Sum(to_sympy(tree[4], known | {tree[1]: index}), (index, low, high))
    return _HEADS[head](*(to_sympy(part, known) for part in tree[1:]))


def _assumptions(size: Range) -> dict[str, bool]:
    if size.positive:
        return {"positive": True}
    if size.nonnegative:
        return {"nonnegative": True}
    if (-size).positive:
        return {"negative": True}
    return {"nonpositive": True} if (-size).nonnegative else {}
