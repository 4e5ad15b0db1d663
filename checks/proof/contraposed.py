"""Proofs by contraposition: where a goal fails, a hypothesis does.

That x ≤ 2a log a follows from x ≤ a log x is so shown by a log x < x for all x from 2a log a on.
"""

from __future__ import annotations

from collections.abc import Iterator

from boundaudit.checks.language.expression import FOLDS, ZERO, Tree, from_json, subtract
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import LEAST_DEPTH, WEAK, Context, by_cases, has, psatz, without
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import plain
from boundaudit.checks.proof.kernel.hypotheses import inequality
from boundaudit.checks.proof.kernel.transformations import case_statements
from boundaudit.checks.proof.linearised import grows


def contraposed(statement: Statement, context: Context) -> Certificate | None:
    """Suppose that the goal is not positive, in place of a hypothesis, and show that this hypothesis fails."""
    numbers = not has(statement.goal, "item", *FOLDS)
    if not numbers or statement.relation not in WEAK or context.budget.depth < LEAST_DEPTH:
        return None
    split = ["sign", statement.goal]
    above, below = case_statements(statement, split)
    last = len(above.domain["where"])
    for place, excess in hard(statement):
        lemma = context.lemma(Statement(excess, "<", ZERO, without(below.domain, place)))
        if lemma is not None:
            fails = psatz([["where", last]], [["where", place]], lemmas=[lemma])
            return by_cases(split, (psatz(["n"], [["where", last - 1]]), fails))
    return None


def hard(statement: Statement) -> Iterator[tuple[int, Tree]]:
    """The hypotheses with exponentials or logarithms, and what each says not to be negative."""
    for place in plain(statement.domain):
        relation, *sides = statement.domain["where"][place]
        said = inequality(relation, *map(from_json, sides))
        excess = subtract(said.large, said.small)
        if grows(excess):
            yield place, excess
