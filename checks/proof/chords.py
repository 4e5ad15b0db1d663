"""Proofs in which one mean gives way to the chord of what it is the mean of, as in Hoeffding's lemma.

Where weights add up to 1 and entries lie between l and h, the mean of a convex function is at most that of its chord,
which speaks of the mean of the entries alone. What is left is about that one number, between l and h.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    add,
    from_json,
    multiply,
    names,
    opened,
    replaced,
    subtract,
    summation,
    walk,
)
from boundaudit.checks.language.relations import trees
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.calculus import with_calculus
from boundaudit.checks.proof.engine import (
    WEAK,
    Context,
    all_found,
    lemma_at,
    psatz,
    quotient,
    with_proof,
)
from boundaudit.checks.proof.equations import TERM, Equation, Limits, equations_of
from boundaudit.checks.proof.general import numbers
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import holding, parameter
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.linearised import grows
from boundaudit.checks.proof.substitution import coefficients
from boundaudit.checks.proof.weighted import weighted

_LINEAR = 2
"""Coefficients of a polynomial of first degree."""


class _Chord(NamedTuple):
    """What a goal is with a chord in place of a mean: what is asked of both, a factor of at least 0, and what is left.

    The first two lemmas say where the mean of the entries lies.
    """

    mean: Tree
    lemmas: list[tuple[Tree, Tree]]
    by: Tree
    left: Tree
    inside: Tree | None = None
    """What the logarithm is taken of that is left of one of the mean."""


def chords(statement: Statement, context: Context) -> Certificate | None:
    """Put the chord between the ends of entries in place of a mean of a function of them."""
    if statement.relation not in WEAK or not grows(statement.goal):
        return None
    inner = with_calculus(context)
    for chord in _chords(statement):
        asked = [Statement(small, "<=", large, statement.domain) for small, large in chord.lemmas]
        lemmas = all_found(with_proof(each, weighted(each, inner)) for each in asked)
        if lemmas is None:
            continue
        where = [given for given in statement.domain["where"] if _speaks_of(given, chord.mean)]
        domain = holding({**statement.domain, "where": where}, *asked[:2])
        label: Any = lemma_at(statement, len(lemmas) - 1)
        needed: list[Statement] = []
        if chord.inside is not None:
            label = ["log", label]
            needed.append(Statement(ZERO, "<", chord.inside, domain))
        needed.append(Statement(ZERO, "<=", chord.left, holding(domain, *needed)))
        left = all_found(with_proof(each, numbers(each, inner)) for each in needed)
        if left is not None:
            lemmas += left
            last = lemma_at(statement, len(lemmas) - 1)
            return psatz(["n"], [["sign", chord.by], label], [last], lemmas=lemmas)
    return None


def _chords(statement: Statement) -> Iterator[_Chord]:
    """The means in which a goal is linear, with a chord in place of each: above it, or below."""
    hypotheses = Hypotheses(statement.domain)
    form, goal = hypotheses.form, hypotheses.form.ratio(statement.goal)
    for limits, known in equations_of(hypotheses).items():
        for position in form.used(goal.num):
            key, parts = form.atoms[position].key, coefficients(goal.num, position)
            mean = key[1] if key[0] == "log" else key
            if mean[:3] != ("sum", *limits) or len(parts) != _LINEAR or position in form.used(goal.den):
                continue
            rest, slope = (Ratio(part, goal.den) for part in parts)
            size = form.bounds(slope)
            for equation in known:
                chord = _chord(form, statement, mean, equation, limits)
                if chord is None or not (size.nonnegative or (-size).nonnegative):
                    continue
                small, large = (chord.left, mean) if size.nonnegative else (mean, chord.left)
                by = form.tree(slope if size.nonnegative else form.scale(-1, slope))
                if key == mean:
                    left = form.tree(form.add(rest, form.multiply(slope, form.ratio(chord.left))))
                    yield _Chord(chord.mean, [*chord.lemmas, (small, large)], by, left)
                elif large == chord.left:
                    left = add(form.tree(rest), multiply(form.tree(slope), ("log", large)))
                    yield _Chord(chord.mean, [*chord.lemmas, (small, large)], by, left, large)


def _chord(form: NormalForm, statement: Statement, mean: Tree, equation: Equation, limits: Limits) -> _Chord | None:
    """The chord of what a mean is the mean of; None where that is no function of one bounded entry."""
    term = replaced(opened(mean, ("v", TERM)), equation.weight, ONE)
    entries = {node for node in walk(term) if node[0] == "item" and TERM in names(node)}
    if equation.total != ONE or len(entries) != 1 or term in entries or equation.weight in entries:
        return None
    (entry,) = entries
    declared = parameter(statement.domain, entry[1], "vector", "matrix")
    if declared["low"] is None or declared["high"] is None:
        return None
    low, high = from_json(declared["low"]), from_json(declared["high"])
    place = form.tree(form.ratio(summation(TERM, *limits, multiply(equation.weight, entry))))
    shares = (quotient(gap, subtract(high, low)) for gap in (subtract(high, place), subtract(place, low)))
    ends = (replaced(term, entry, end) for end in (low, high))
    return _Chord(place, [(low, place), (place, high)], ONE, add(*map(multiply, ends, shares)))


def _speaks_of(given: Any, mean: Tree) -> bool:
    """Whether a relation speaks of no sum but a mean, as its factors stand in any order."""
    nodes = {node for tree in trees(given) for node in walk(from_json(tree, depth=1)) if node[0] == "sum"}
    return all(node[:3] == mean[:3] and set(node[3]) == set(mean[3]) for node in nodes)
