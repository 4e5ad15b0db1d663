"""Proofs by what is simpler: whole parts, sines, the smaller of several and sizes of sums give way to their bounds.

Σ ⌊n/k⌋ ≤ Σ n/k, and Σ |sin k|/k² ≤ Σ 1/k², term by term; what stands there then is known.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace

from boundaudit.checks.language.expression import FOLDS, ONE, Tree, multiply, rational, replaced, square, subtract, walk
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.cases import by_size
from boundaudit.checks.proof.engine import LEAST_DEPTH, Attempt, Context, Lemma, through
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.sampling import is_refuted
from boundaudit.checks.proof.sums import termwise

NAME = "eased"
_WAVES = ("sin", "cos")


def eased(statement: Statement, context: Context) -> Attempt:
    """Replace what is hard in sums of the smaller side by its bounds, and prove both steps."""
    if statement.relation == "=" or statement.is_strict or context.budget.depth < LEAST_DEPTH:
        return Attempt("unknown", NAME)
    small, large = (statement.left, statement.right)[:: 1 if statement.relation == "<=" else -1]
    for middle in _above(small):
        steps = [Statement(a, "<=", b, statement.domain) for a, b in ((middle, large), (small, middle))]
        first = None if any(map(is_refuted, steps)) else context.prove(steps[0]).certificate
        second = first and _compared(steps[1], context)
        if first is not None and second is not None:
            return Attempt("proved", NAME, through(Lemma(steps[0], first), Lemma(steps[1], second)))
    return Attempt("unknown", NAME)


def _compared(statement: Statement, context: Context) -> Certificate | None:
    """Term by term where that does it at once."""
    each = termwise(statement, replace(context, prove=functools.partial(_term, context=context)))
    return each.certificate or context.prove(statement).certificate


def _term(statement: Statement, context: Context) -> Attempt:
    """A term, of which the size of a sum is split by its sign at once."""
    found = by_size(statement, context, termwise)
    return context.prove(statement) if found.certificate is None else found


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
