"""Proofs where a goal grows with a number that a hypothesis about sums bounds: the bound stands in its place.

Of a goal a v + b, and of v ≥ l, where a is not negative, a l + b is left to be shown: so Cantelli's inequality is one
about the variance that a bound of it stands for. That a is not negative may need a proof of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import ZERO, Tree
from boundaudit.checks.language.statement import Relation, Statement
from boundaudit.checks.proof.engine import LEAST_DEPTH, WEAK, Context, Lemma, has, psatz, without
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import holding, plain
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.substitution import coefficients


class _Way(NamedTuple):
    """``goal · under = left + slope · excess``, with the place of the relation that says ``excess ≥ 0``.

    What the denominator is where there is no excess has to be positive, for proofs of what is left.
    """

    place: int
    slope: Tree
    left: Tree
    under: Tree
    bound: Tree


def monotone(statement: Statement, context: Context) -> Certificate | None:
    """Put what bounds a number from below in its place, where the goal grows with the number."""
    if statement.relation not in WEAK or not has(statement.goal, "sum") or context.budget.depth < LEAST_DEPTH:
        return None
    for way in _ways(statement):
        domain, lemmas = without(statement.domain, way.place), list[Lemma]()
        asked: tuple[tuple[Relation, Tree], ...] = (("<", way.bound), ("<=", way.slope), ("<=", way.left))
        for sign, tree in asked:
            needed = Statement(ZERO, sign, tree, domain)
            if sign == "<" and NormalForm(domain).range_of(tree).positive:
                continue
            lemma = context.lemma(needed)
            if lemma is None:
                break
            lemmas.append(lemma)
            domain = holding(domain, needed)
        else:
            last = len(statement.domain["where"]) + len(lemmas) - 1
            left, moved = [["where", last]], [["where", way.place], ["where", last - 1]]
            return psatz(["n", ["sign", way.under]], moved, left, lemmas=lemmas)
    return None


def _ways(statement: Statement) -> Iterator[_Way]:
    """The numbers in which a hypothesis and the goal are linear, or in a power of which they are."""
    hypotheses = Hypotheses(statement.domain)
    form, goal = hypotheses.form, hypotheses.form.ratio(statement.goal)
    if not form.bounds(Ratio(goal.den)).positive:
        return
    where = statement.domain["where"]
    for place in plain(statement.domain):
        sign, *sides = where[place]
        if [{"<=": ">=", ">=": "<="}.get(sign), *sides] in where:  # of an equation multiples are added elsewhere
            continue
        try:
            excess = hypotheses.excess(["where", place])[0]
        except Rejected:
            continue
        for position in form.used(excess.num) if excess.den.is_one() and _has_sums(form, excess) else ():
            degree = int(excess.num.degrees()[position])
            ends = [found for poly in (excess.num, *goal) if (found := _ends(poly, position, degree)) is not None]
            if len(ends) < 1 + len(goal) or not ends[0][1].is_one() or not _has_sums(form, Ratio(ends[1][1])):
                continue
            (base, _), *others = ends
            left, bound = (rest - slope * base for rest, slope in others)
            yield _Way(place, *(form.tree(Ratio(part)) for part in (ends[1][1], left, goal.den, bound)))


def _ends(poly: fmpq_mpoly, position: int, degree: int) -> tuple[fmpq_mpoly, fmpq_mpoly] | None:
    """``a`` and ``b`` of ``a + b v^degree``, where a polynomial is so in an atom."""
    low, *middle = parts = coefficients(poly, position)
    if not middle:
        return low, poly - poly
    whole = len(parts) == degree + 1 and all(part.is_zero() for part in parts[1:-1])
    return (low, parts[-1]) if whole else None


def _has_sums(form: NormalForm, ratio: Ratio) -> bool:
    return any(has(form.atoms[position].key, "sum") for position in form.used(ratio.num))
