"""What the checker accepts about sums: proofs term by term, telescoping, and the last term apart.

Each rule turns a statement and a part of the certificate into the statement
that is left to prove; engines and the checker share these functions.
"""

from __future__ import annotations

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    add,
    children,
    opened,
    rebuild,
    substitute,
    subtract,
    walk,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.domains import declare, parameter, require_integers, with_index


def terms_statement(statement: Statement, total: Tree, name: str) -> Statement:
    """That each term of a sum is non-negative, where the goal has the same normal form as that sum."""
    # The index becomes an integer parameter of a new name, and vector entries at the index become reals.
    domain = with_index(statement.domain, name, *_ends(total))
    if not NormalForm(statement.domain).vanishes(subtract(statement.goal, total)):
        raise Rejected("the goal is not the sum of these terms")
    body = opened(total, ("v", name))
    entries = sorted({node[1] for node in walk(body) if node[0] == "item" and node[2:] == (("v", name),)})
    for vector in entries:
        NormalForm(domain).ratio(("item", vector, ("v", name)))  # the index lies within the vector
        declared = parameter(domain, vector, "vector")
        fresh = {key: declared.get(key) for key in ("low", "high", "open")}
        domain = declare(domain, {"name": f"{vector}_{name}", "range": "reals", **fresh})
        body = replaced(body, ("item", vector, ("v", name)), ("v", f"{vector}_{name}"))
    NormalForm(domain)  # every new name is fresh
    return Statement(ZERO, "<=", body, domain)


def telescoped(statement: Statement, total: Tree, name: str, antidifference: Tree) -> Statement:
    """The statement with a sum replaced by the value of its antidifference, in a new name, at the upper end."""
    # A(high) stands for the sum where A(i) - A(i-1) = body(i), A(low - 1) = 0 and high ≥ low - 1.
    low, high = _ends(total)
    indexed, form = with_index(statement.domain, name, low, high), NormalForm(statement.domain)
    if not form.range_of(add(subtract(high, low), ONE)).nonnegative:
        raise Rejected("the upper end of the sum is not known to reach the lower end less 1")
    before = substitute(antidifference, {name: subtract(("v", name), ONE)})
    if not NormalForm(indexed).vanishes(subtract(subtract(antidifference, before), opened(total, ("v", name)))):
        raise Rejected("the difference of the antidifference is not the body of the sum")
    if not form.vanishes(substitute(antidifference, {name: subtract(low, ONE)})):
        raise Rejected("the antidifference does not vanish before the first term")
    return _rewritten(statement, total, substitute(antidifference, {name: high}))


def without_last(statement: Statement, total: Tree) -> Statement:
    """The statement with the last term of a sum, which is known to have one, written apart."""
    low, high, form = *_ends(total), NormalForm(statement.domain)
    require_integers(form, low, high)
    if not form.range_of(subtract(high, low)).nonnegative:
        raise Rejected("the sum is not known to have a term")
    return _rewritten(statement, total, add(("sum", low, subtract(high, ONE), total[3]), opened(total, high)))


def _ends(total: Tree) -> tuple[Tree, Tree]:
    if total[0] != "sum":
        raise Rejected("not a sum")
    return total[1], total[2]


def _rewritten(statement: Statement, old: Tree, new: Tree) -> Statement:
    left, right = (replaced(side, old, new) for side in (statement.left, statement.right))
    return Statement(left, statement.relation, right, statement.domain)


def replaced(tree: Tree, old: Tree, new: Tree) -> Tree:
    """The tree with every occurrence of a closed sub-tree replaced by another."""
    return new if tree == old else rebuild(tree, [replaced(part, old, new) for part in children(tree)])
