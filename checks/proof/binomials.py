"""Binomial coefficients and sums of them, by the binomial theorem: Sauer's lemma, all subsets, entropy.

Σ C(n, i) ρ^i over i = 0 … k is at most t^(-k) (1 + ρ t)^n for every t in (0, 1]: with t = 1 one adds the terms that are
missing, t = k/(ρ n) is about the best. One coefficient C(n, k) is at most (x + y)^n/(x^k y^(n - k)), being in a term.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    add,
    is_closed,
    multiply,
    opened,
    replaced,
    subtract,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import (
    Context,
    Lemma,
    by_terms,
    closed,
    factors_in,
    fresh_index,
    lemma_at,
    negative,
    psatz,
    quotient,
    times,
)
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import Domain, mapped, with_index, with_lemmas
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.kernel.sums import terms_statement
from boundaudit.checks.proof.multipliers import search


class _Row(NamedTuple):
    """Σ binomial(n, i) w ρ^i over i = 0 … k."""

    n: Tree
    k: Tree
    weight: Tree
    ratio: Tree


def binomials(statement: Statement, context: Context) -> Certificate | None:
    """Put what the binomial theorem says in place of binomial coefficients, or sums of them."""
    sides = (statement.left, statement.right) if statement.relation != "=" else ()
    for node in (*closed(sides, "sum"), *closed(sides, "binomial")):
        for lemma in _bounds(node, statement.domain, context):
            proof = in_place(statement, node, lemma, context)
            if proof is not None:
                return proof
    return None


def _bounds(node: Tree, domain: Domain, context: Context) -> Iterator[Lemma]:
    """What the theorem says of a coefficient or of a sum, where it is one of coefficients."""
    if node[0] == "binomial":
        yield from _of_one(node, domain)
    elif (row := _row(node, domain)) is not None:
        yield from _of_row(node, row, domain, context)


def in_place(statement: Statement, node: Tree, bound: Lemma, context: Context) -> Certificate | None:
    """A proof of the statement with a bound in place of what it bounds, and from there back."""
    other = mapped(statement, lambda side: replaced(side, node, bound.statement.right), statement.domain)
    shown = context.lemma(other)
    if shown is None:
        return None
    hypotheses = Hypotheses(with_lemmas(statement, [bound.statement, other]).domain)
    labels = [lemma_at(statement), lemma_at(statement, 1)]
    found = search(hypotheses, statement.goal, labels, context.budget.columns, strict=statement.is_strict)
    return found and {**found, "lemmas": [bound.to_json(), shown.to_json()]}


# --- sums ----------------------------------------------------------------------------------------


def _row(total: Tree, domain: Domain) -> _Row | None:
    """What a sum is, where it is one of binomial coefficients with weights that grow by a factor."""
    factors = factors_in(total[3])
    found = next((each for each in factors if each[0] == "binomial" and each[2] == ("b", 0)), None)
    if total[1] != ZERO or found is None or not is_closed(found[1]):
        return None
    weights = (*total[:3], multiply(ONE, *(each for each in factors if each is not found)))
    index = ("v", fresh_index(domain))
    form = NormalForm(with_index(domain, index[1], *total[1:3]))
    after, before = opened(weights, add(index, ONE)), opened(weights, index)
    ratio = form.ratio(quotient(after, before))
    if index[1] in form.names(ratio.num) | form.names(ratio.den):
        return None
    return _Row(found[1], total[2], opened(weights, ZERO), form.tree(ratio))


def _of_row(total: Tree, row: _Row, domain: Domain, context: Context) -> Iterator[Lemma]:
    """Bounds on a sum from above and, where it has all terms, from below."""
    for share in (ONE, quotient(row.k, multiply(row.ratio, row.n))):
        factor = multiply(row.weight, ("^", share, negative(row.k)))
        ratio = multiply(row.ratio, share)
        terms = (*total[:3], multiply(("binomial", row.n, ("b", 0)), ("^", ratio, ("b", 0))))
        larger = Statement(total, "<=", multiply(factor, terms), domain)
        proof = _larger(larger, row, share, context)
        if proof is not None:
            whole, sign = ("sum", ZERO, row.n, terms[3]), ["sign", factor]
            ways = [["newton", row.n, ratio, ONE], sign], [["within", whole, ZERO, row.k], sign]
            bound = Statement(total, "<=", multiply(factor, ("^", add(ratio, ONE), row.n)), domain)
            given = ["where", len(domain["where"])]
            yield Lemma(bound, psatz(["n"], *ways, [given], lemmas=[Lemma(larger, proof)]))
    if row.k == row.n:
        below = Statement(total, ">=", multiply(row.weight, ("^", add(row.ratio, ONE), row.n)), domain)
        yield Lemma(below, psatz(["n"], [["expansion", row.n, row.ratio, ONE], ["sign", row.weight]]))


def _larger(larger: Statement, row: _Row, share: Tree, context: Context) -> Certificate | None:
    """That the terms grow where each has the factor t^(i - k)."""
    if share == ONE:
        return {"kind": "identity"}
    index, i = fresh_index(larger.domain), ("b", 0)
    term = multiply(("binomial", row.n, i), row.weight, ("^", row.ratio, i))
    grown = subtract(("^", share, subtract(i, row.k)), ONE)
    total = (*larger.left[:3], multiply(term, grown))
    terms = terms_statement(larger, total, index)
    *others, factor = terms.right[1:]
    weight, proof = multiply(*others), context.prove(Statement(ZERO, "<=", factor, terms.domain))
    return proof and by_terms(total, index, times(weight, factor, proof))


# --- one coefficient -----------------------------------------------------------------------------


def _of_one(node: Tree, domain: Domain) -> Iterator[Lemma]:
    """Bounds on one coefficient as a term of the binomial theorem, with equal weights and with the likeliest."""
    _, n, k = node
    rest, share = subtract(n, k), quotient(k, n)
    for x, y in ((ONE, ONE), (share, subtract(ONE, share))):
        factor = multiply(*(("^", base, negative(power)) for base, power in ((x, k), (y, rest))))
        index = ("b", 0)
        term = multiply(("binomial", n, index), ("^", x, index), ("^", y, subtract(n, index)))
        bound = Statement(node, "<=", multiply(factor, ("^", add(x, y), n)), domain)
        sign = ["sign", factor]
        yield Lemma(bound, psatz(["n"], [["newton", n, x, y], sign], [["part", ("sum", ZERO, n, term), k], sign]))
