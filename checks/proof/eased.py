"""Proofs by what is simpler: whole parts, sines, the smaller of several and sizes of sums give way to their bounds.

Σ ⌊n/k⌋ ≤ Σ n/k, and Σ |sin k|/k² ≤ Σ 1/k², term by term; what stands there then is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from boundaudit.checks.language.expression import FOLDS, ONE, Tree, multiply, rational, replaced, square, subtract, walk
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.cases import by_size
from boundaudit.checks.proof.engine import LEAST_DEPTH, WEAK, Context, ordered_sides, through, with_proof
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.sampling import is_refuted
from boundaudit.checks.proof.sums import termwise

_WAVES = ("sin", "cos")


def eased(statement: Statement, context: Context) -> Certificate | None:
    """Replace what is hard in sums of the smaller side by its bounds, and prove both steps."""
    if statement.relation not in WEAK or context.budget.depth < LEAST_DEPTH:
        return None
    small, large = ordered_sides(statement)
    for middle in _above(small):
        after, before = (Statement(a, "<=", b, statement.domain) for a, b in ((middle, large), (small, middle)))
        first = None if any(map(is_refuted, (after, before))) else context.lemma(after)
        second = first and with_proof(before, _compared(before, context))
        if first is not None and second is not None:
            return through(first, second)
    return None


def _compared(statement: Statement, context: Context) -> Certificate | None:
    """Term by term where that does it at once, the size of a sum in a term split by its sign."""

    def of_term(term: Statement) -> Certificate | None:
        return by_size(term, context, termwise) or context.prove(term)

    return termwise(statement, replace(context, prove=of_term)) or context.prove(statement)


def _above(side: Tree) -> Iterator[Tree]:
    """The side with each hard part of its sums replaced by what may be above the whole."""
    sums = [node for node in walk(side) if node[0] in FOLDS]
    for part in dict.fromkeys(node for total in sums for node in walk(total[3])):
        for bound in _bounds(part):
            yield replaced(side, part, bound)


def _bounds(part: Tree) -> Iterator[Tree]:
    match part:
        case ("floor", inside):
            yield from (inside, subtract(inside, ONE))
        case ("min", *parts):
            yield from parts
        case ("abs", ("sum", low, high, body)):
            yield ("sum", low, high, ("abs", body))
        case ("*", ("^", ("sum", *ends, body), ("q", 2, 1)), ("^", ("sum", *same, weight), ("q", -1, 1))) if (
            ends == same
        ):
            yield ("sum", *ends, multiply(square(body), ("^", weight, rational(-1))))
        case ("abs", (head, _)) if head in _WAVES:
            yield ONE
        case (head, _) if head in _WAVES:
            yield from (ONE, rational(-1))
