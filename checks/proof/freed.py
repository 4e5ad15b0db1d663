"""Proofs in which entries that range freely between two numbers are at their worst.

Where nothing else speaks of h, Σ g h is at most Σ g times the middle of the range of h, and Σ |g| times half its width;
what is left to be proved speaks of h no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from boundaudit.checks.language.algebra.derivatives import NotDifferentiable, derivative
from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import (
    ZERO,
    Tree,
    add,
    multiply,
    names,
    rational,
    replaced,
    subtract,
    summation,
    walk,
)
from boundaudit.checks.language.relations import trees
from boundaudit.checks.language.statement import Statement, trees_of
from boundaudit.checks.proof.engine import (
    WEAK,
    Context,
    Lemma,
    by_terms,
    fresh_index,
    lemma_at,
    negative,
    ordered_sides,
    psatz,
    term,
)
from boundaudit.checks.proof.equations import INDEX, TERM, Limits, by_equations, equations_of, reduced
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.kernel.sums import terms_statement
from boundaudit.checks.proof.weighted import goals_of

_ENTRY = "#entry"
"""Where the entry at the index stands while a derivative is taken."""


class _Free(NamedTuple):
    """A vector of which the ranges alone say something, and the middle and half the width of the range of an entry."""

    name: str
    middle: Tree
    half: Tree


def freed(statement: Statement, context: Context) -> Certificate | None:
    """Replace a sum that is linear in the entries of a vector by what it is at most."""
    if statement.relation not in WEAK:
        return None
    small, large = ordered_sides(statement)
    for vector in _free(statement):
        if vector.name in names(large) or vector.name not in names(small):
            continue
        hypotheses = Hypotheses(statement.domain)
        form = hypotheses.form
        for limits, factor, rest in _linear(form, form.ratio(small), vector.name):
            freely = add(rest, summation(TERM, *limits, multiply(factor, vector.middle)))
            known = equations_of(hypotheses).get(limits, ())
            left, spent = reduced(form, form.ratio(negative(freely)), limits, known)
            size = summation(TERM, *limits, multiply(vector.half, ("abs", factor)))
            lemma = context.lemma(Statement(subtract(size, form.tree(left)), "<=", large, statement.domain))
            if lemma is None:
                return None
            lemmas = [lemma, _bounded(statement, vector, limits, factor)]
            return by_equations(form, statement, lemmas, spent, [lemma_at(statement, 1)])
    return None


def _free(statement: Statement) -> Iterator[_Free]:
    """Vectors with entries between two numbers, of which no relation and no other range speaks."""
    domain = statement.domain
    said = [tree for given in domain["where"] for tree in trees(given)]
    said += [tree for declared in domain["parameters"] for tree in trees_of(declared).values()]
    for declared in domain["parameters"]:
        low, high = (declared.get(side) for side in ("low", "high"))
        bounded = declared["range"] == "vector" and low is not None and high is not None and low[0] == high[0] == "q"
        if bounded and declared["square_sum"] is None and not any(declared["name"] in names(tree) for tree in said):
            least, most = (Fraction(*end[1:]) for end in (low, high))
            yield _Free(declared["name"], rational((least + most) / 2), rational((most - least) / 2))


def _linear(form: NormalForm, value: Ratio, vector: str) -> Iterator[tuple[Limits, Tree, Tree]]:
    """An expression as a sum of multiples of entries of a vector, over limits, and a rest that does not speak of it."""
    sums = [form.atoms[k].key for k in form.used(value.num) if vector in form.atoms[k].names]
    if any(key[0] != "sum" for key in sums) or vector in form.names(value.den):
        return
    every: dict[Limits, None] = dict.fromkeys(key[1:3] for key in sums)
    for limits in every:
        goal = next(goals_of(form, value, limits), None)
        if goal is None or vector in names(goal.rest):
            continue
        try:
            factor = derivative(replaced(goal.body, ("item", vector, INDEX), ("v", _ENTRY)), _ENTRY)
        except NotDifferentiable:
            continue
        base = replaced(goal.body, ("item", vector, INDEX), ZERO)
        if _ENTRY not in names(factor) and vector not in names(factor) | names(base):
            yield limits, factor, add(goal.rest, summation(TERM, *limits, base))


def _bounded(statement: Statement, vector: _Free, limits: Limits, factor: Tree) -> Lemma:
    """That Σ half |g| + g (middle - h) is not negative.

    With a and b below and above h, its terms are half of (|g| - g) (h - a) + (|g| + g) (b - h).
    """
    index = fresh_index(statement.domain)
    apart = subtract(vector.middle, ("item", vector.name, INDEX))
    total = summation(TERM, *limits, add(multiply(vector.half, ("abs", factor)), multiply(factor, apart)))
    lemma = Statement(ZERO, "<=", total, statement.domain)
    (size,) = (node[1] for node in walk(terms_statement(lemma, total, index).right) if node[0] == "abs")
    entry = ("v", f"{vector.name}_{index}")
    pairs: list[list[Any]] = [[["above", size], ["low", entry]], [["below", size], ["high", entry]]]
    proof = psatz(["n"], *(term(*labels, weight=Fraction(1, 2)) for labels in pairs))
    return Lemma(lemma, by_terms(total, index, proof))
