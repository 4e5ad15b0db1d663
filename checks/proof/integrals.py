"""Proofs by integrals: each term of a sum is compared with what its antiderivative gains from an index to the next.

1/(n + k) ≤ log(n + k) - log(n + k - 1), and so Σ 1/(n + k) ≤ log(2 n) - log n, though every term depends on n.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction

from boundaudit.checks.language.algebra.derivatives import derivative
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    add,
    is_closed,
    multiply,
    names,
    opened,
    rational,
    replaced,
    substitute,
    subtract,
    summation,
    walk,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.calculus import calculus
from boundaudit.checks.proof.engine import LEAST_DEPTH, Attempt, Context, Lemma, fresh_index, through
from boundaudit.checks.proof.factoring import factoring
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import Domain, with_index
from boundaudit.checks.proof.kernel.sums import telescoped
from boundaudit.checks.proof.sampling import is_refuted
from boundaudit.checks.proof.substitution import substitution
from boundaudit.checks.proof.sums import identity, under_function

NAME = "integrals"
_ENDS = (Fraction(0), Fraction(1), Fraction(1, 2))
"""Where the integral over a length of 1 that a term is compared with ends, from its index on."""


def integrals(statement: Statement, context: Context) -> Attempt:
    """Compare the terms of a sum with integrals, which add up."""
    if statement.relation == "=" or statement.is_strict or context.budget.depth < LEAST_DEPTH:
        return Attempt("unknown", NAME)
    sides = (statement.left, statement.right)[:: 1 if statement.relation == "<=" else -1]
    sums = [(place, node) for place, side in enumerate(sides) for node in walk(side) if _is_plain_sum(node)]
    for place, total in sums:
        proof = next(_proofs(statement.domain, sides, place, total, context), None)
        if proof is not None:
            return Attempt("proved", NAME, proof)
    return Attempt("unknown", NAME)


def _is_plain_sum(node: Tree) -> bool:
    return node[0] == "sum" and is_closed(node) and not any(part[0] == "sum" for part in walk(node[3]))


def _proofs(domain: Domain, sides: Sequence[Tree], place: int, total: Tree, context: Context) -> Iterator[Certificate]:
    """Proofs by integrals in place of the terms of a sum that stands on one side, the smaller at place 0."""
    index = fresh_index(domain)
    term, inner = opened(total, ("v", index)), with_index(domain, index, *total[1:3])
    for before, after in _gains(term, index):
        gain = subtract(after, before)
        gained = summation(index, total[1], total[2], gain)
        one, other, whole = (replaced(sides[place], total, each) for each in (term, gain, gained))
        if is_refuted(_ordered(inner, one, other, place)):
            continue
        compared = _ordered(domain, sides[place], whole, place)
        left = _ordered(domain, whole, sides[1 - place], place)
        with suppress(Rejected):  # such as a logarithm of 0 at one end
            added = _added(left, gained, (index, before, after), context)
            proof = None if added is None else context.prove(compared).certificate
            if added is not None and proof is not None:
                yield through(Lemma(compared, proof), Lemma(left, added))


def _ordered(domain: Domain, one: Tree, other: Tree, place: int) -> Statement:
    small, large = (one, other) if place == 0 else (other, one)
    return Statement(small, "<=", large, domain)


def _added(left: Statement, gained: Tree, gain: tuple[str, Tree, Tree], context: Context) -> Certificate | None:
    """A proof of what is left, once the gains are added up."""
    index, before, after = gain
    since = subtract(after, substitute(before, {index: gained[1]}))
    summed = telescoped(left, gained, index, since)
    proof = None if is_refuted(summed) else _shortly(summed, context)
    step = {"kind": "telescope", "sum": gained, "index": index, "antidifference": since}
    return None if proof is None else {**step, "proof": proof}


def _shortly(statement: Statement, context: Context) -> Certificate | None:
    """A proof by what is cheap, as what is left has no sums: all engines take long where it fails far out alone."""
    for engine in (identity, factoring, substitution, under_function, calculus):
        with suppress(Rejected):
            proof = engine(statement, context).certificate
            if proof is not None:
                return proof
    return None


def _gains(term: Tree, index: str) -> Iterator[tuple[Tree, Tree]]:
    """An antiderivative of a term at both ends of intervals of length 1."""
    inner = _antiderivative(term, index)
    if inner is None:
        return
    for end in _ENDS:
        before, after = (add(("v", index), rational(at)) for at in (end - 1, end))
        yield substitute(inner, {index: before}), substitute(inner, {index: after})


def _antiderivative(term: Tree, index: str) -> Tree | None:
    """Of a multiple of one power or exponential of what is linear in an index; None of another."""
    factors = list(term[1:]) if term[0] == "*" else [term]
    moving = [factor for factor in factors if index in names(factor)]
    if len(moving) != 1:
        return None
    (factor,) = moving
    head, inside, power = factor if factor[0] == "^" else ("^", factor, ONE) if factor[0] != "exp" else (*factor, ONE)
    slope = derivative(inside, index)
    if index in names(slope) | names(power):
        return None
    raised = rational(Fraction(*power[1:]) + 1) if power[0] == "q" else add(power, ONE)
    if head == "exp":
        whole = factor
    elif raised == ZERO:
        whole = ("log", inside)
    else:
        whole = multiply(("^", inside, raised), ("^", raised, rational(-1)))
    rest = [each for each in factors if each is not factor]
    return multiply(*rest, whole, ("^", slope, rational(-1)))
