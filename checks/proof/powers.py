"""Proofs that a power is at most another one by their bases: a ≤ b gives aᵉ ≤ bᵉ, where neither a nor e is negative.

An exponential is a power too: aᵀ ≤ exp(-2 T x) where a ≤ exp(-2 x). Logarithms would not do, where a may be 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import ZERO, Tree, multiply, walk
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import WEAK, Context, by_cases, lemma_at, ordered_sides, psatz, quotient, times
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.transformations import case_statements

_MOST_TERMS = 60
"""Terms of a goal that is factored."""


def powers(statement: Statement, context: Context) -> Certificate | None:
    """Compare the bases of two powers with the same exponent, which is no number, also beside factors of known sign."""
    return _from_zero(statement, context) or _compared(statement, context) or _beside_factors(statement, context)


def _from_zero(statement: Statement, context: Context) -> Certificate | None:
    """An exponent that may be 0, apart, where a base may be so too: 0⁰ is 1, and 0ᵉ beyond is 0."""
    exponents = {node[2][1] for node in walk(statement.goal) if node[0] == "^" and node[2][0] == "v"}
    for declared in statement.domain["parameters"] if exponents else ():
        at_zero = declared["range"] == "reals" and declared["low"] == ZERO and not declared["open"][0]
        if at_zero and declared["name"] in exponents and not NormalForm(statement.domain).has(statement.goal):
            split = ["end", declared["name"], "low"]
            return by_cases(split, map(context.prove, case_statements(statement, split)))
    return None


def _compared(statement: Statement, context: Context) -> Certificate | None:
    """Powers that are the sides."""
    small, large = ordered_sides(statement)
    power = next((side for side in (small, large) if side[0] == "^" and side[2][0] != "q"), None)
    if statement.relation not in WEAK or power is None:
        return None
    exponent, form = power[2], NormalForm(statement.domain)
    below, above = _base(small, exponent), _base(large, exponent)
    if below is None or above is None or not (form.range_of(below).nonnegative and form.range_of(exponent).nonnegative):
        return None
    lemma = context.lemma(Statement(below, "<=", above, statement.domain))
    return lemma and psatz(["n"], [["power", lemma_at(statement), exponent]], lemmas=[lemma])


def _base(tree: Tree, exponent: Tree) -> Tree | None:
    """What a power with this exponent, or an exponential, is a power of."""
    if tree[0] == "exp":
        return ("exp", quotient(tree[1], exponent))
    return tree[1] if tree[0] == "^" and tree[2] == exponent else None


def _beside_factors(statement: Statement, context: Context) -> Certificate | None:
    """A difference of powers that is a factor of the goal, where the rest of the goal has a known sign."""
    # Factors cost more than a look.
    if statement.relation not in WEAK or not any(map(_as_power, walk(statement.goal))):
        return None
    form = NormalForm(statement.domain)
    for rest, powers_alone in _differences(form, statement):
        if form.range_of(rest).nonnegative and (proof := _compared(powers_alone, context)) is not None:
            return times(rest, powers_alone.goal, proof)
    return None


def _differences(form: NormalForm, statement: Statement) -> Iterator[tuple[Tree, Statement]]:
    """What else a goal is the product of, and which of two powers is the smaller, in either order."""
    goal = form.ratio(statement.goal)
    if not 1 < len(goal.num) <= _MOST_TERMS:
        return
    for factor, exponent in form.factors(goal)[1]:
        (first, one), *others = form.terms(factor)
        if exponent != 1 or [value for value, _ in others] != [-first]:
            continue
        sides = [_as_power(form.tree(Ratio(side))) for side in (one, others[0][1])]
        for way in (1, -1):
            above, below = sides[::way]
            if above is not None and below is not None:
                rest = form.scale(way * first, Ratio(goal.num / factor, goal.den))
                yield form.tree(rest), Statement(below, "<=", above, statement.domain)


def _as_power(tree: Tree) -> Tree | None:
    """A power with an exponent that is no number, of what a logarithm is taken where it is written as exponential."""
    if tree[0] == "exp" and tree[1][0] == "*":
        logarithms = [part for part in tree[1][1:] if part[0] == "log"]
        if len(logarithms) == 1:
            others = (part for part in tree[1][1:] if part is not logarithms[0])
            return ("^", logarithms[0][1], multiply(*others))
    return tree if tree[0] == "^" and tree[2][0] != "q" else None
