"""Proofs by integrals: each term of a sum is compared with what its antiderivative gains from an index to the next.

1/(n + k) ≤ log(n + k) - log(n + k - 1), and so Σ 1/(n + k) ≤ log(2 n) - log n, though every term depends on n. A term
is at most what is gained where it is at most all values in between: 1/kᵃ ≤ 1/tᵃ for t from k - 1 to k.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction

from boundaudit.checks.language.algebra.derivatives import derivative
from boundaudit.checks.language.algebra.normal_form import NormalForm
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
from boundaudit.checks.proof.engine import (
    LEAST_DEPTH,
    WEAK,
    Context,
    Lemma,
    all_found,
    by_terms,
    factors_in,
    fresh_index,
    from_lemma,
    has,
    lemma_at,
    ordered_sides,
    psatz,
    quotient,
    real,
    through,
    with_proof,
)
from boundaudit.checks.proof.factoring import factoring
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.citing import instance
from boundaudit.checks.proof.kernel.domains import Domain, declare, with_index
from boundaudit.checks.proof.kernel.sums import telescoped
from boundaudit.checks.proof.sampling import is_refuted
from boundaudit.checks.proof.substitution import substitution
from boundaudit.checks.proof.sums import identity, under_function

_ENDS = (Fraction(0), Fraction(1), Fraction(1, 2))
"""Where the integral over a length of 1 that a term is compared with ends, from its index on."""


def integrals(statement: Statement, context: Context) -> Certificate | None:
    """Compare the terms of a sum with integrals, which add up."""
    if statement.relation not in WEAK or context.budget.depth < LEAST_DEPTH:
        return None
    sides = ordered_sides(statement)
    sums = [(place, node) for place, side in enumerate(sides) for node in walk(side) if _is_plain_sum(node)]
    found = (_proofs(statement.domain, sides, place, total, context) for place, total in sums)
    return next(itertools.chain.from_iterable(found), None)


def _is_plain_sum(node: Tree) -> bool:
    return node[0] == "sum" and is_closed(node) and not has(node[3], "sum")


def _proofs(domain: Domain, sides: Sequence[Tree], place: int, total: Tree, context: Context) -> Iterator[Certificate]:
    """Proofs by integrals in place of the terms of a sum that stands on one side, the smaller at place 0."""
    index = fresh_index(domain)
    term, inner = opened(total, ("v", index)), with_index(domain, index, *total[1:3])
    inside = _antiderivative(term, index, inner)
    if inside is None:
        return
    for end in _ENDS:
        before, after = (substitute(inside, {index: each}) for each in _interval(index, end))
        gain = subtract(after, before)
        gained = summation(index, total[1], total[2], gain)
        one, other, whole = (replaced(sides[place], total, each) for each in (term, gain, gained))
        if is_refuted(_ordered(inner, one, other, place)):
            continue
        compared = _ordered(domain, sides[place], whole, place)
        left = _ordered(domain, whole, sides[1 - place], place)
        with suppress(Rejected):  # such as a logarithm of 0 at one end
            added = _added(left, gained, (index, before, after), context)
            row = _ordered(domain, total, gained, place)
            rises = None if added is None else _rise(inner, term, (index, inside, end), place, context)
            proof = added and _compared(compared, row, index, rises, context)
            if added is not None and proof is not None:
                yield through(Lemma(compared, proof), Lemma(left, added))


def _interval(index: str, end: Fraction) -> tuple[Tree, Tree]:
    """The ends of an interval of length 1 near an index."""
    return add(("v", index), rational(end - 1)), add(("v", index), rational(end))


def _rise(domain: Domain, term: Tree, along: tuple[str, Tree, Fraction], place: int, context: Context) -> Lemma | None:
    """What an antiderivative gains over an interval is at least a term, or at most, where each value there is."""
    (index, inside, end), at = along, fresh_index(domain)
    low, high = _interval(index, end)
    value, antiderivative = (substitute(each, {index: ("v", at)}) for each in (term, inside))
    each = _ordered(declare(domain, real(at, low, high)), term, value, place)
    function = subtract(*(multiply(("v", at), term), antiderivative)[:: 1 if place == 0 else -1])
    said = Statement(substitute(function, {at: high}), "<=", substitute(function, {at: low}), domain)
    use: Certificate = {"cites": "", "along": {"index": at, "low": low, "high": high, "function": function}}
    with suppress(Rejected):  # where there is no value at an end
        conditions, _ = instance(domain, use, {"": each})
        lemma = None if is_refuted(each) else with_proof(each, _shortly(each, context))
        proofs = lemma and all_found(map(context.prove, conditions))
        if lemma is not None and proofs is not None:
            return Lemma(said, {**use, "kind": "instance", "lemma": lemma.to_json(), "conditions": proofs})
    return None


def _compared(
    compared: Statement, row: Statement, index: str, rises: Lemma | None, context: Context
) -> Certificate | None:
    """A comparison of what a sum stands in, where it is known of its terms; all engines are asked otherwise."""
    if rises is not None:
        low, high, _ = row.left[1:]
        total = ("sum", low, high, subtract(*(each[3] for each in (row.right, row.left))))
        lemma = Lemma(row, by_terms(total, index, from_lemma(rises.statement, rises)))
        times = subtract(*(replaced(compared.right, row.right, each) for each in (ONE, ZERO)))
        form = NormalForm(compared.domain)
        if form.range_of(times).nonnegative and form.vanishes(subtract(compared.goal, multiply(times, row.goal))):
            return psatz(["n"], [lemma_at(row), ["sign", times]], lemmas=[lemma])
    return context.prove(compared)


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
            proof = engine(statement, context)
            if proof is not None:
                return proof
    return None


def _antiderivative(term: Tree, index: str, domain: Domain) -> Tree | None:
    """Of a power or an exponential times a multiple of what stands inside, derived by an index; None of another."""
    factors = factors_in(term)
    form = NormalForm(domain)
    for factor in (factor for factor in factors if index in names(factor)):
        inside, power = factor[1:] if factor[0] == "^" else (factor[1] if factor[0] == "exp" else factor, ONE)
        if index in names(power):
            continue
        with suppress(Rejected):
            rest = multiply(ONE, *(each for each in factors if each is not factor))
            times = form.ratio(quotient(rest, derivative(inside, index)))
            raised = rational(Fraction(*power[1:]) + 1) if power[0] == "q" else add(power, ONE)
            if factor[0] == "exp":
                whole = factor
            elif raised == ZERO:
                whole = ("log", inside)
            else:
                whole = quotient(("^", inside, raised), raised)
            if index not in form.names(times.num * times.den):
                return multiply(form.tree(times), whole)
    return None
