"""Proofs by the triangle inequality and Cauchy and Schwarz's, between the lengths that a goal speaks of.

A length is at least any entry of its vector: with that in its place squares may do (f(x + u) ≤ f(x) + |∇f(x)| |u| + …).

A length is a root of a sum of squares; where a relation says that such a sum is at most a square, its root is at most
the root of that. The triangle inequality is offered for every three lengths that float arithmetic sees to obey it, and
inner products of the vectors written under two roots. What is left is linear in these, or nearly so.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    add,
    from_json,
    multiply,
    names,
    rational,
    replaced,
    square,
    subtract,
    walk,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import (
    WEAK,
    Context,
    all_found,
    factors_in,
    ordered_sides,
    through,
    with_proof,
)
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import plain, with_lemmas
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses, inequality
from boundaudit.checks.proof.multipliers import candidate_labels, search
from boundaudit.checks.proof.quadratics import quadratics
from boundaudit.checks.proof.sampling import is_refuted
from boundaudit.checks.proof.schwarz import root_of

_HALF = ("q", 1, 2)
_MOST_LENGTHS = 6
_COLUMNS = 400
"""Products of hypotheses that are looked at."""


def lengths(statement: Statement, context: Context) -> Certificate | None:
    """Offer inequalities between lengths to a search for multipliers, and prove those that it uses; or prove more."""
    found = [node for node in dict.fromkeys(walk(statement.goal)) if squares_in(node)]
    if statement.relation not in WEAK or not found:
        return None
    proof = _between(statement, context)
    if proof is None and 1 < len(found) <= _MOST_LENGTHS:
        proof = _by_offers(statement, found, context)
    return proof or _by_less(statement, found, context)


def _by_offers(statement: Statement, found: Sequence[Tree], context: Context) -> Certificate | None:
    """A combination of what is offered, once those that it uses are proved."""
    bounded = list(_bounded(statement))
    triangles = _triangles([*found, *(known.left for known in bounded)], statement)
    offered = [*bounded, *triangles, *_products(found, statement), *_entries(found, statement)]
    first = len(statement.domain["where"])
    certificate = _combined(statement, offered)
    labels = [label for term in (certificate or {"terms": ()})["terms"] for label, _ in term["factors"]]
    used = [each for k, each in enumerate(offered, first) if ["where", k] in labels]
    # By squaring, at once where it is known that its roots have values.
    lemmas = all_found(with_proof(each, quadratics(each, context) or context.prove(each)) for each in used)
    certificate = _combined(statement, used) if lemmas else None
    return certificate and {**certificate, "lemmas": [lemma.to_json() for lemma in lemmas or ()]}


def _between(statement: Statement, context: Context) -> Certificate | None:
    """A proof by what a relation says of the smaller side, squared: that it is at most a product of lengths."""
    small, large = ordered_sides(statement)
    for position in plain(statement.domain) if small[0] == "abs" else ():
        sign, *sides = statement.domain["where"][position]
        less, more, _ = inequality(sign, *map(from_json, sides))
        length = _length(more) if less == square(small[1]) else None
        if length is not None:
            under = [node[1] for node in walk(length) if squares_in(node)]
            values = [Statement(ZERO, "<=", each, statement.domain) for each in under]
            domain = with_lemmas(statement, values).domain
            steps = [Statement(a, "<=", b, domain) for a, b in ((small, length), (length, large))]
            lemmas = all_found(context.lemma(each) for each in (*values, *steps))
            if lemmas is not None:
                return {**through(*lemmas[-2:]), "lemmas": [lemma.to_json() for lemma in lemmas]}
    return None


def _by_less(statement: Statement, found: Sequence[Tree], context: Context) -> Certificate | None:
    """A proof of more: with an entry of a vector in place of its length, by squares, or a lower bound of a number."""
    squares: Callable[[Statement], Certificate | None] = functools.partial(quadratics, context=context)
    ways = [(squares, less) for less in _entries(found, statement)]
    for prove, less in (*ways, *((context.prove, less) for less in _told(statement))):
        left, right = (replaced(side, less.right, less.left) for side in (statement.left, statement.right))
        stronger = Statement(left, statement.relation, right, statement.domain)
        lemma = None if is_refuted(stronger) else with_proof(stronger, prove(stronger))
        below = lemma and context.lemma(less)
        certificate = below and _combined(statement, [stronger, less])
        if lemma and below and certificate:
            return {**certificate, "lemmas": [lemma.to_json(), below.to_json()]}
    return None


def _told(statement: Statement) -> Iterator[Statement]:
    """Of numbers of which the goal speaks, what relations say is at most one of them."""
    for position in plain(statement.domain):
        sign, *sides = statement.domain["where"][position]
        less, more, _ = inequality(sign, *map(from_json, sides))
        if more[0] == "v" and more in walk(statement.goal) and more not in walk(less):
            yield Statement(less, "<=", more, statement.domain)


def _length(tree: Tree) -> Tree | None:
    """The root of a square, of a sum of squares, or of a product of such, if it is written so."""
    if tree[0] == "*":
        parts = all_found(map(_length, tree[1:]))
        return None if parts is None else multiply(*parts)
    if tree[0] == "^" and tree[2] == ("q", 2, 1):
        return ("abs", tree[1])
    return ("^", tree, _HALF) if squares_in(("^", tree, _HALF)) else None


def _combined(statement: Statement, lemmas: Sequence[Statement]) -> Certificate | None:
    """The goal as a combination of what is known and of lemmas."""
    goal = with_lemmas(statement, lemmas)
    hypotheses = Hypotheses(goal.domain)
    both = add(goal.left, goal.right)
    squared = [["sign", both]] if hypotheses.form.range_of(both).nonnegative else []
    return search(hypotheses, goal.goal, [*squared, *candidate_labels(hypotheses, goal.goal)], _COLUMNS)


def squares_in(node: Tree) -> list[Tree]:
    """What is squared in a sum of squares under a root, if a tree is such a root."""
    if node[0] != "^" or node[2] != _HALF:
        return []
    parts = node[1][1:] if node[1][0] == "+" else (node[1],)
    return all_found(map(_root, parts)) or []


def _root(part: Tree) -> Tree | None:
    """What a term is the square of, if it is written so."""
    found = []
    for factor in factors_in(part):
        if factor[0] == "^" and factor[2] == ("q", 2, 1):
            found.append(factor[1])
        elif factor[0] == "q" and factor[1] > 0:
            found.append(("^", factor, _HALF))
        else:
            return None
    return multiply(*found)


def _bounded(statement: Statement) -> Iterator[Statement]:
    """Of relations S ≤ q², where S is a sum of squares and the goal speaks of q, that √S ≤ q."""
    form, spoken_of = NormalForm(statement.domain), names(statement.goal)
    for position in plain(statement.domain):
        sign, left, right = statement.domain["where"][position]
        with suppress(Rejected):
            gap = form.ratio(subtract(*map(from_json, (right, left) if sign == "<=" else (left, right))))
            roots = [(value > 0, root_of(form, form.tree(form.scale(abs(value), Ratio(part)))))
                     for value, part in form.terms(gap.num)]  # fmt: skip
            large = [root for is_large, root in roots if is_large and root is not None]
            small = [root for is_large, root in roots if not is_large and root is not None]
            known = gap.den.is_one() and small and len(large) == 1 and len(large) + len(small) == len(roots)
            if known and names(large[0]) & spoken_of and form.range_of(large[0]).nonnegative:
                yield Statement(("^", add(*map(square, small)), _HALF), "<=", large[0], statement.domain)


def _triangles(found: Sequence[Tree], statement: Statement) -> Iterator[Statement]:
    """That one length is at most the sum of two others, where that is so of all numbers."""
    for whole in found:
        for one, other in itertools.combinations([each for each in found if each != whole], 2):
            claimed = _everywhere(whole, add(one, other), statement)
            if not is_refuted(claimed) and claimed.goal != statement.goal:
                yield claimed


def _products(found: Sequence[Tree], statement: Statement) -> Iterator[Statement]:
    """That an inner product, or its opposite, is at most the product of lengths that have nothing in common."""
    for one, other in itertools.combinations(found, 2):
        left, right = squares_in(one), squares_in(other)
        if min(len(left), len(right)) > 1 and not names(one) & names(other):
            for sign in (ONE, rational(-1)):
                pairs = (multiply(sign, a, b) for a, b in zip(left, right, strict=False))
                yield _everywhere(add(*pairs), multiply(one, other), statement)


def _entries(found: Sequence[Tree], statement: Statement) -> Iterator[Statement]:
    """That an entry, or its opposite, is at most the length of a vector beside which others stand."""
    for length in found:
        entries = [part for part in squares_in(length) if part[0] == "v"] if len(squares_in(length)) > 1 else []
        for part, sign in itertools.product(entries, (ONE, rational(-1))):
            yield _everywhere(multiply(sign, part), length, statement)


def _everywhere(small: Tree, large: Tree, statement: Statement) -> Statement:
    """An inequality without relations but those that say that its roots have values."""
    under = [node[1] for side in (small, large) for node in walk(side) if node[0] == "^" and node[2] == _HALF]
    values = [[ZERO, each] for each in under]
    where = [
        entry for entry in statement.domain["where"] if entry[0] == "<=" and [*map(from_json, entry[1:])] in values
    ]
    return Statement(small, "<=", large, {**statement.domain, "where": where})
