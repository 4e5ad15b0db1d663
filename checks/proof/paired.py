"""Proofs term by term: of two sums of as many terms each term of one is at most another of the other.

‖A x‖ + ‖B y‖ ≤ L‖x‖ + M‖y‖ is two facts of one line each, and no engine that looks at all numbers at once sees them.
"""

from __future__ import annotations

import itertools

from boundaudit.checks.language.arithmetic import effort as allowance
from boundaudit.checks.language.arithmetic import remaining
from boundaudit.checks.language.expression import Tree
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import WEAK, Context, all_found, lemma_at, negative, ordered_sides, psatz
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.sampling import is_refuted

_MOST = 3


def paired(statement: Statement, context: Context) -> Certificate | None:
    """Pair the terms of both sides, as points of the domain allow it, and prove each pair."""
    smaller, larger = _terms(statement)
    if statement.relation not in WEAK or not 2 <= len(smaller) == len(larger) <= _MOST:
        return None
    for order in itertools.permutations(larger):
        pairs = [Statement(one, "<=", other, statement.domain) for one, other in zip(smaller, order, strict=True)]
        if not any(map(is_refuted, pairs)):
            with allowance(remaining() / 4):
                lemmas = all_found(map(context.lemma, pairs))
            if lemmas is not None:
                uses = ([lemma_at(statement, number)] for number in range(len(lemmas)))
                return psatz(["n"], *uses, lemmas=lemmas)
    return None


def _terms(statement: Statement) -> tuple[list[Tree], list[Tree]]:
    """The terms of both sides, those that are subtracted on the other one."""
    sides: tuple[list[Tree], list[Tree]] = ([], [])
    for place, side in enumerate(ordered_sides(statement)):
        for term in side[1:] if side[0] == "+" else [side]:
            taken = term[0] == "*" and term[1][0] == "q" and term[1][1] < 0
            sides[place ^ taken].append(negative(term) if taken else term)
    return sides
