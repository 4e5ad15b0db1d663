"""Proofs in which means get names: a sum inside of another one becomes a number, of which the sum is what is known.

E(exp(λ(X - E X))) is so E(exp(λ(X - μ))), where E X = μ: a sum that is linear in its weights. Beside sums over
outcomes, whose chances add up to 1, all other sums are numbers too.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.expression import ONE, Tree, from_json, replaced, walk
from boundaudit.checks.language.relations import trees
from boundaudit.checks.language.statement import Statement, put_in
from boundaudit.checks.proof.engine import LEAST_DEPTH, Context, closed
from boundaudit.checks.proof.general import by_instance, declared_as
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import assume, declare, mapped, plain


def named(statement: Statement, context: Context) -> Certificate | None:
    """Give names to sums inside of sums."""
    chosen = dict.fromkeys(itertools.chain(_inner(statement), _beside(statement)))
    put = {f"mean {k}": total for k, total in enumerate(chosen, 1)}
    if not put or context.budget.depth < LEAST_DEPTH:
        return None
    return by_instance(statement, context.lemma(_with_names(statement, put)), put, context)


def _sides(statement: Statement) -> list[Tree]:
    return [statement.left, statement.right, *(side for given in statement.domain["where"] for side in trees(given))]


def _inner(statement: Statement) -> Iterator[Tree]:
    """The closed sums inside of other sums, and inside of what is said of all indices."""
    inside = [side for given in statement.domain["where"] if given[0] == "all" for side in trees(given)]
    inside += [node[3] for side in _sides(statement) for node in walk(side) if node[0] == "sum"]
    yield from closed(inside, "sum")


def _beside(statement: Statement) -> Iterator[Tree]:
    """The closed sums that are over no outcomes, nor of such, where others are."""
    relations = (map(from_json, statement.domain["where"][place][1:]) for place in plain(statement.domain))
    outcomes = {total[1:3] for total, one in relations if one == ONE and total[0] == "sum"}
    for node in closed(_sides(statement), "sum") if outcomes else ():
        if outcomes.isdisjoint(part[1:3] for part in walk(node) if part[0] == "sum"):
            yield node


def _with_names(statement: Statement, put: dict[str, Tree]) -> Statement:
    """The statement about numbers that the sums are."""
    form = NormalForm(statement.domain)

    def general(tree: Tree) -> Tree:
        for name, total in put.items():
            tree = replaced(tree, total, ("v", name))
        return tree

    domain = {**statement.domain, "where": [put_in(given, general) for given in statement.domain["where"]]}
    domain = declare(domain, *(declared_as(name, form.range_of(total)) for name, total in put.items()))
    same = ((sign, total, ("v", name)) for name, total in put.items() for sign in ("<=", ">="))
    return mapped(statement, general, assume(domain, *same))
