"""Proofs that a quotient is at most another one, above and below: a ≤ b and d ≤ c give a/c ≤ b/d.

Sums above and below are then compared one by one, as where Σ 1/t is divided by Σ 1/√t.
"""

from __future__ import annotations

from fractions import Fraction

from boundaudit.checks.language.expression import ONE, Tree, multiply, rational, walk
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Attempt, Context, Lemma, psatz

NAME = "quotients"


def quotients(statement: Statement, context: Context) -> Attempt:
    """Compare numerators and denominators, where the smaller side is divided by sums."""
    small, large = (statement.left, statement.right)[:: 1 if statement.relation == "<=" else -1]
    (a, c), (b, d) = _fraction(small), _fraction(large)
    if statement.relation not in ("<=", ">=") or d == ONE or not any(node[0] == "sum" for node in walk(c)):
        return Attempt("unknown", NAME)
    lemmas = []
    for below, above in ((a, b), (d, c)):
        lemma = Statement(below, "<=", above, statement.domain)
        found = context.prove(lemma)
        if found.certificate is None:
            return Attempt("unknown", NAME, effort=found.effort)
        lemmas.append(Lemma(lemma, found.certificate))
    # b/d - a/c = (b - a)/d + a (c - d)/(c d)
    place = len(statement.domain["where"])
    shares = [_over(ONE, d), _over(a, multiply(c, d))]
    products = [[["where", place + k], ["sign", share]] for k, share in enumerate(shares)]
    return Attempt("proved", NAME, psatz(["n"], *products, lemmas=lemmas))


def _fraction(tree: Tree) -> tuple[Tree, Tree]:
    """What stands above and below in a quotient."""
    factors = tree[1:] if tree[0] == "*" else (tree,)
    below = [factor for factor in factors if factor[0] == "^" and factor[2][0] == "q" and factor[2][1] < 0]
    above = [factor for factor in factors if factor not in below]
    turned = (("^", base, rational(-Fraction(*exponent[1:]))) for _, base, exponent in below)
    return multiply(*above) if above else ONE, multiply(*turned) if below else ONE


def _over(above: Tree, below: Tree) -> Tree:
    return multiply(above, ("^", below, rational(-1)))
