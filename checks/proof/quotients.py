"""Proofs that a quotient is at most another one, above and below: a ≤ b and d ≤ c give a/c ≤ b/d.

Sums above and below are then compared one by one, as where Σ 1/t is divided by Σ 1/√t.
"""

from __future__ import annotations

from fractions import Fraction

from boundaudit.checks.language.expression import ONE, Tree, multiply, rational
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import (
    WEAK,
    Context,
    all_found,
    factors_in,
    has,
    inverse,
    lemma_at,
    ordered_sides,
    psatz,
    quotient,
)
from boundaudit.checks.proof.kernel.checker import Certificate


def quotients(statement: Statement, context: Context) -> Certificate | None:
    """Compare numerators and denominators, where the smaller side is divided by sums."""
    (a, c), (b, d) = map(_fraction, ordered_sides(statement))
    if statement.relation not in WEAK or d == ONE or not has(c, "sum"):
        return None
    lemmas = all_found(context.lemma(Statement(*pair, statement.domain)) for pair in ((a, "<=", b), (d, "<=", c)))
    # b/d - a/c = (b - a)/d + a (c - d)/(c d)
    shares = (inverse(d), quotient(a, multiply(c, d)))
    products = ([lemma_at(statement, k), ["sign", share]] for k, share in enumerate(shares))
    return None if lemmas is None else psatz(["n"], *products, lemmas=lemmas)


def _fraction(tree: Tree) -> tuple[Tree, Tree]:
    """What stands above and below in a quotient."""
    factors = factors_in(tree)
    below = [factor for factor in factors if factor[0] == "^" and factor[2][0] == "q" and factor[2][1] < 0]
    above = [factor for factor in factors if factor not in below]
    turned = (("^", base, rational(-Fraction(*exponent[1:]))) for _, base, exponent in below)
    return multiply(*above) if above else ONE, multiply(*turned) if below else ONE
