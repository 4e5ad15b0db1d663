"""Proofs that a power is at most another one by their bases: a ≤ b gives aᵉ ≤ bᵉ, where neither a nor e is negative.

An exponential is a power too: aᵀ ≤ exp(-2 T x) where a ≤ exp(-2 x). Logarithms would not do, where a may be 0.
"""

from __future__ import annotations

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.expression import Tree, multiply, rational
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Attempt, Context, Lemma, psatz

NAME = "powers"


def powers(statement: Statement, context: Context) -> Attempt:
    """Compare the bases of two powers with the same exponent, which is no number."""
    small, large = (statement.left, statement.right)[:: 1 if statement.relation == "<=" else -1]
    power = next((side for side in (small, large) if side[0] == "^" and side[2][0] != "q"), None)
    if statement.relation not in ("<=", ">=") or power is None:
        return Attempt("unknown", NAME)
    exponent, form = power[2], NormalForm(statement.domain)
    below, above = _base(small, exponent), _base(large, exponent)
    if below is None or above is None or not (form.range_of(below).nonnegative and form.range_of(exponent).nonnegative):
        return Attempt("unknown", NAME)
    lemma = Statement(below, "<=", above, statement.domain)
    found = context.prove(lemma)
    if found.certificate is None:
        return Attempt("unknown", NAME, effort=found.effort)
    raised = ["power", ["where", len(statement.domain["where"])], exponent]
    proof = psatz(["n"], [raised], lemmas=[Lemma(lemma, found.certificate)])
    return Attempt("proved", NAME, proof, effort=found.effort)


def _base(tree: Tree, exponent: Tree) -> Tree | None:
    """What a power with this exponent, or an exponential, is a power of."""
    if tree[0] == "exp":
        return ("exp", multiply(tree[1], ("^", exponent, rational(-1))))
    return tree[1] if tree[0] == "^" and tree[2] == exponent else None
