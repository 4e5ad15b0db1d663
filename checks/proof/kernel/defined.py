"""That an expression has a value at every point of a domain.

An expression with a normal form has one, and so has a side of a relation that holds. Of any other, each logarithm,
quotient and power asks something of its argument; what the ranges do not show, a lemma of the certificate has to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ranges import Range
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import FOLDS, ZERO, Tree, children, from_json, opened, square, walk
from boundaudit.checks.language.statement import Relation, Statement
from boundaudit.checks.proof.kernel.domains import Domain, assume, plain, with_index

_TOTAL = ("+", "*", "max", "min", "abs", "floor", "exp", "sin", "cos", "erf", "q", "v", "pi")
_BRANCHES = {"if<": (["<"], [">="]), "if<=": (["<="], [">"]), "if=": (["<=", ">="], [])}
"""What is known of the condition in either branch."""


def demands(tree: Tree, domain: Domain) -> Iterator[Statement]:
    """What is missing for an expression to be known to have a value everywhere, inner parts first."""
    said = (from_json(side) for position in plain(domain) for side in domain["where"][position][1:])
    if all(node[0] in _TOTAL for node in walk(tree)) or tree in said:  # a relation that holds has a value on both sides
        return
    form = NormalForm(domain)
    if form.has(tree):
        return
    head = tree[0]
    if head in FOLDS:  # the index becomes an integer parameter between the ends
        name = f"i{len(domain['parameters'])}"
        yield from demands(opened(tree, ("v", name)), with_index(domain, name, *tree[1:3]))
        return
    if head in _BRANCHES:
        yield from demands(tree[1], domain)
        for signs, part in zip(_BRANCHES[head], tree[2:], strict=True):
            yield from demands(part, assume(domain, *((sign, tree[1], ZERO) for sign in signs)))
        return
    for part in children(tree):
        yield from demands(part, domain)
    yield from (Statement(ZERO, relation, part, domain) for relation, part in _of_function(form, tree))


def _of_function(form: NormalForm, tree: Tree) -> Iterator[tuple[Relation, Tree]]:
    """How 0 has to compare with what a function is taken of, where the ranges do not show it."""
    head = tree[0]
    if head in _TOTAL:
        return
    if head not in ("log", "gamma", "^"):
        raise Rejected(f"not known to have a value: {tree}")
    size = form.range_of(tree[1]) if form.has(tree[1]) else Range()
    exponent = form.ratio(tree[2]) if head == "^" else form.constant(0)
    steps = form.bounds(exponent)
    if head == "^" and form.is_integer(exponent):
        if not (steps.nonnegative or size.nonzero):
            yield "<", square(tree[1])
    elif head == "^" and steps.positive:
        if not size.nonnegative:
            yield "<=", tree[1]
    elif not size.positive:
        yield "<", tree[1]
