"""An engine that splits into cases: values of a choice, signs inside absolute values, parities, integers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import (
    BRANCHES,
    ONE,
    ZERO,
    Tree,
    children,
    is_closed,
    multiply,
    names,
    rational,
    rebuild,
    subtract,
    walk,
)
from boundaudit.checks.language.statement import Statement, trees_of
from boundaudit.checks.proof.engine import Context, Engine, by_cases, from_lemma
from boundaudit.checks.proof.factoring import factoring
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import mapped
from boundaudit.checks.proof.kernel.transformations import case_statements
from boundaudit.checks.proof.rewriting import solved
from boundaudit.checks.proof.weighted import weighted


def cases(statement: Statement, context: Context) -> Certificate | None:
    """Split along the first parameter or atom that has cases, and prove each."""
    split = next(_splits(statement), None)
    if split is None:
        return None
    found = _along(split, statement, context, _leaf)
    # Where a parameter is put in, less may be known of the rest.
    if found is None and split[0] == "around":
        _, name, point = split
        return _along(["trichotomy", subtract(("v", name), point)], statement, context, _leaf)
    return found


def sizes(statement: Statement, context: Context) -> Certificate | None:
    """Split along the sign inside the one absolute value that stands beside sums, which decides what weighs them."""
    return by_size(statement, context, weighted)


def by_size(statement: Statement, context: Context, leaf: Engine) -> Certificate | None:
    """The same, where an engine is known for both cases."""
    form = NormalForm(statement.domain)
    keys = [form.atoms[position].key for position in form.used(form.ratio(statement.goal).num)]
    beside = [key[1] for key in keys if key[0] == "abs"]
    if len(beside) != 1 or all(key[0] != "sum" for key in keys):
        return None
    return _along(["sign", beside[0]], statement, context, leaf)


def _along(split: list[Any], statement: Statement, context: Context, leaf: Engine) -> Certificate | None:
    """Every case of one split."""
    found = case_statements(statement, split)
    # What has branches left has no normal form: only further cases can help.
    return by_cases(split, ((cases if next(_branches(case), None) else leaf)(case, context) for case in found))


def _leaf(case: Statement, context: Context) -> Certificate | None:
    """A case without branches: most show a sign at once, others where what is known is written so."""
    with suppress(Rejected):
        if (found := factoring(case, context)) is not None:
            return found
    form = NormalForm(case.domain)
    known = mapped(case, lambda side: _known(form, side), case.domain)
    if known == case:
        return context.prove(case)
    lemma = context.lemma(known)
    return lemma and from_lemma(case, lemma)


def _known(form: NormalForm, tree: Tree) -> Tree:
    """An expression with the smallest and the largest of several written as what they are, where that is known.

    An induction forgets what was said of the parameter that it climbs along, and with it which of two is smaller.
    """
    parts = [_known(form, part) for part in children(tree)]
    if tree[0] in ("min", "max") and is_closed(tree):
        way = 1 if tree[0] == "max" else -1
        for part in parts:
            if all(form.range_of(multiply(rational(way), subtract(part, other))).nonnegative for other in parts):
                return part
    return rebuild(tree, parts)


def _splits(statement: Statement) -> Iterator[list[Any]]:
    """Alternatives and branches first, then absolute values (maxima are made of them), parities, choices."""
    where = statement.domain["where"]
    yield from (["alternatives", position] for position, entry in enumerate(where) if entry[0] == "or")
    form = NormalForm(statement.domain)
    yield from (_split(statement, form, node[1]) for node in _branches(statement))
    goal = form.ratio(statement.goal)
    # |x| ≥ ±x may be all that is needed of one that the goal grows with.
    falling = {position for value, monomial in form.terms(goal.num) if value < 0 for position in form.used(monomial)}
    used = sorted(form.used(goal.num * goal.den), key=lambda position: position not in falling)
    keys = [form.atoms[position].key for position in used]
    nodes = [node for key in keys for node in walk(key) if _is_free(node, statement)]
    yield from (["sign", node[1]] for node in nodes if node[0] == "abs")
    yield from (["sign", node] for node in nodes if node[0] == "^" and node[1] == rational(-1))
    mentioned = {name for key in keys for name in names(key)}
    for declared in statement.domain["parameters"]:
        if declared["range"] == "choices" and declared["name"] in mentioned:
            yield ["choices", declared["name"]]
    yield from _between_integers(statement, form, goal.num)


def _branches(statement: Statement) -> Iterator[Tree]:
    """The branches of a goal of which the domain does not say which is taken."""
    form = NormalForm(statement.domain)
    nodes = (node for node in walk(statement.goal) if node[0] in BRANCHES and _is_free(node[1], statement))
    yield from (node for node in nodes if not form.has((*node[:2], ONE, ZERO)))


def _between_integers(statement: Statement, form: NormalForm, goal: fmpq_mpoly) -> Iterator[list[Any]]:
    """Where a factor changes its sign between two integers: a cut at the lower of them, or its end taken away."""
    whole = {found["name"]: found for found in statement.domain["parameters"] if found["range"] == "integers"}
    for factor, exponent in form.factors(Ratio(goal))[1]:
        for name in sorted(form.names(factor) & set(whole)) if exponent % 2 else ():
            root = solved(form, Ratio(factor), ("v", name), name)
            if root is None or root[0] != "q":
                continue
            below = rational(root[1] // root[2])
            low, high = (whole[name][side] for side in ("low", "high"))
            if low is not None and low[0] == "q" and Fraction(*low[1:]) == below[1]:
                yield ["end", name, "low"]
            elif all(end is None or end[0] == "q" for end in (low, high)) and _is_inside(low, below[1], high):
                yield ["at", name, below]


def _is_inside(low: Tree | None, value: int, high: Tree | None) -> bool:
    return (low is None or Fraction(*low[1:]) < value) and (high is None or value < Fraction(*high[1:]))


def _split(statement: Statement, form: NormalForm, condition: Tree) -> list[Any]:
    """By what a condition takes the size of, at the root of a factor linear in a parameter, or by its sign."""
    ratio = form.ratio(condition)
    for key in (form.atoms[k].key for k in form.used(ratio.num)):
        if key[0] == "abs":
            return ["sign", key[1]]
    open_ones = [Ratio(poly) for poly, _ in form.factors(ratio)[1] if not form.bounds(Ratio(poly)).nonzero]
    for factor in open_ones:
        for name in sorted(form.names(factor.num)):
            root = solved(form, factor, ("v", name), name)
            if root is not None:
                side = _closed_end(statement, name, root)
                return ["around", name, root] if side is None else ["end", name, side]
    return ["trichotomy", form.tree(open_ones[0]) if len(open_ones) > 1 else condition]


def _closed_end(statement: Statement, name: str, point: Tree) -> str | None:
    """The end of a real's range that is a point and belongs to it: nothing lies beyond."""
    declared = next(found for found in statement.domain["parameters"] if found["name"] == name)
    ends = trees_of(declared)
    closed = (side for side, is_open in zip(("low", "high"), declared.get("open", ()), strict=False) if not is_open)
    return next((side for side in closed if ends.get(side) == point), None)


def _is_free(node: Tree, statement: Statement) -> bool:
    """Whether a node mentions declared names only, not the index of a sum around it."""
    return is_closed(node) and names(node) <= {found["name"] for found in statement.domain["parameters"]}
