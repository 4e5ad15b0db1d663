"""Proofs that go through a centre: the square of a mean is at least what its tangent there is.

(E φ(X))² is at least 2 c E φ(X) - c² for every c, and a variance at most the mean square of the distance from c. Two
centres are tried: for a function of entries that at their means, for an entry between two ends the middle of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    add,
    multiply,
    names,
    rational,
    replaced,
    substitute,
    subtract,
    summation,
    walk,
)
from boundaudit.checks.language.statement import Statement, trees_of
from boundaudit.checks.proof.cases import cases
from boundaudit.checks.proof.engine import (
    LEAST_DEPTH,
    WEAK,
    Context,
    Lemma,
    closed,
    has,
    lemma_at,
    negative,
    psatz,
    quotient,
    sum_of_terms,
    term,
)
from boundaudit.checks.proof.equations import (
    INDEX,
    TERM,
    Equation,
    Limits,
    Multiples,
    by_equations,
    equations_of,
    reduced,
    slope_of,
    weighed,
)
from boundaudit.checks.proof.general import numbers
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.sampling import is_refuted

_HALF = rational(Fraction(1, 2))
_MOST = 4
"""Squares of means in one goal."""


class _Square(NamedTuple):
    """The square of what a mean is away from its centre, with a factor that is not negative."""

    factor: Tree
    mean: Tree
    name: Tree
    centre: Tree


def centres(statement: Statement, context: Context) -> Certificate | None:
    """Put tangents in the place of squares of means, where the goal grows with these, one law after the other."""
    if statement.relation not in WEAK or context.budget.depth < LEAST_DEPTH:
        return None
    hypotheses = Hypotheses(statement.domain)
    form = hypotheses.form
    if not _has_squares(form, form.ratio(statement.goal).num):
        return None
    known = equations_of(hypotheses)
    for goal, spent in _spelled(form, statement.goal, known):
        for limits in dict.fromkeys(mean[1:3] for mean in _means(goal)):
            law = next((each for each in known.get(limits, ()) if each.total == ONE), None)
            left, squares = _centred(hypotheses, goal, limits, law)
            proof = _proof(statement, left, squares, limits, law, context) if squares else None
            if proof is not None:
                lemma, multiples = proof
                apart = (term(["sign", each.factor], square=subtract(each.mean, each.centre)) for each in squares)
                return by_equations(form, statement, [lemma], [*spent, *multiples], *apart)
    return None


def _has_squares(form: NormalForm, goal: fmpq_mpoly) -> bool:
    """Whether some term of a goal is of second degree in sums."""
    sums = [k for k in form.used(goal) if form.atoms[k].key[0] == "sum"]
    return any(sum(int(monomial[k]) for k in sums) > 1 for monomial in goal.monoms()) if sums else False


def _spelled(
    form: NormalForm, goal: Tree, known: Mapping[Limits, Sequence[Equation]]
) -> Iterator[tuple[Tree, Multiples]]:
    """The goal as it is written, and its normal form with what sums are known to be in their place."""
    yield goal, []
    left, spent = form.ratio(goal), list[tuple[Equation, Tree]]()
    for limits, equations in known.items():
        left, more = reduced(form, left, limits, equations)
        spent += more
    yield form.tree(left), spent


def _centred(hypotheses: Hypotheses, goal: Tree, limits: Limits, law: Equation | None) -> tuple[Tree, list[_Square]]:
    """The goal with tangents for squares of means, the centres under their names, and what makes up for it."""
    squares: list[_Square] = []
    for mean in _means(goal):
        bend, slope = _bend(hypotheses.form, goal, mean) if mean[1:3] == limits else None, slope_of(goal, mean)
        centre = _centre(hypotheses, mean, law) if bend and len(squares) < _MOST else None
        if bend is not None and centre is not None and slope is not None:
            name: Tree = ("v", f"#centre {len(squares)}")
            squares.append(_Square(multiply(_HALF, bend), mean, name, centre))
            goal = add(replaced(goal, mean, name), multiply(replaced(slope, mean, name), subtract(mean, name)))
    return goal, squares


def _proof(
    statement: Statement, left: Tree, squares: Sequence[_Square], limits: Limits, law: Equation | None, context: Context
) -> tuple[Lemma, Multiples] | None:
    """A proof of what is left, outcome by outcome under a law, and the multiple of its equation that this takes."""
    put = {each.name[1]: each.centre for each in squares}
    if law is not None:
        return _by_outcome(statement, left, put, limits, law, context)
    plain = Statement(ZERO, "<=", substitute(left, put), statement.domain)
    lemma = None if is_refuted(plain) else context.lemma(plain)
    return lemma and (lemma, [])


def _by_outcome(
    statement: Statement, left: Tree, put: Mapping[str, Tree], limits: Limits, law: Equation, context: Context
) -> tuple[Lemma, Multiples] | None:
    """That what is left, less its tangent at the means that it speaks of, is not negative at any outcome."""
    level, moved = left, list[Tree]()
    for mean in (mean for mean in _means(left) if mean[1:3] == limits):
        slope, term = slope_of(left, mean), weighed(mean, law.weight)
        if slope is None or term is None:
            return None
        moved.append(multiply(slope, term))
        level = subtract(level, multiply(slope, mean)) if mean in walk(slope) else replaced(level, mean, ZERO)
    level = substitute(level, put)
    total = summation(TERM, *limits, multiply(law.weight, add(level, *(substitute(each, put) for each in moved))))
    lemma = sum_of_terms(total, statement.domain, partial(_without_weight, context=context))
    return lemma and (lemma, [(law, negative(level))])


def _without_weight(term: Statement, context: Context) -> Certificate | None:
    """A proof of an outcome's weight times the rest, of numbers where that does it."""
    _, weight, rest = term.right
    inner = Statement(ZERO, "<=", rest, term.domain)
    found = numbers(inner, replace(context, prove=partial(_by_signs, context=context))) or context.prove(inner)
    return found and psatz(["n"], [["sign", weight], lemma_at(term)], lemmas=[Lemma(inner, found)])


def _by_signs(statement: Statement, context: Context) -> Certificate | None:
    """A statement about numbers, with the sign of all that it takes the size of: others see squares of sizes first."""
    form = NormalForm(statement.domain)
    if any(form.atoms[k].key[0] == "abs" for k in form.used(form.ratio(statement.goal).num)):
        return cases(statement, replace(context, prove=partial(_by_signs, context=context)))
    return context.prove(statement)


def _means(goal: Tree) -> list[Tree]:
    """The sums of a goal that use no index of a sum around them."""
    return closed([goal], "sum")


def _bend(form: NormalForm, goal: Tree, mean: Tree) -> Tree | None:
    """Twice the positive factor of the square of a mean in a goal of second degree in it; None where there is none."""
    slope = slope_of(goal, mean)
    bend = None if slope is None else slope_of(slope, mean)
    if bend is None or mean in walk(bend) or not form.has(bend):
        return None
    return bend if form.range_of(bend).positive else None


def _centre(hypotheses: Hypotheses, mean: Tree, law: Equation | None) -> Tree | None:
    """What a mean is compared with; None where nothing suggests itself."""
    weight, total = (law.weight, ONE) if law else (ONE, add(subtract(mean[2], mean[1]), ONE))
    inside = weighed(mean, weight)
    if inside is None or has(inside, "sum"):
        return None
    entries = [node for node in closed([inside], "item") if node[2:] == (INDEX,)]
    if inside in entries:
        ends = trees_of(next(each for each in hypotheses.domain["parameters"] if each["name"] == inside[1]))
        middle = multiply(_HALF, add(ends["low"], ends["high"])) if ends.keys() >= {"low", "high"} else None
        return middle and multiply(total, middle)
    for entry in entries:
        own = quotient(summation(TERM, mean[1], mean[2], multiply(weight, entry)), total)
        inside = replaced(inside, entry, own)
    return multiply(total, inside) if entries and TERM not in names(inside) else None
