"""Proofs by tangents of the logarithm: of two positive terms of a goal, a - b ≥ b log(a/b); of each c log R, c - c/R.

Jensen's inequality for exponentials, Gibbs's and Donsker and Varadhan's come to the first, once they are one sum, and
what is said of divergences between few outcomes to the second.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from operator import itemgetter

from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import ZERO
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import WEAK, Context, from_lemma, has, psatz
from boundaudit.checks.proof.factoring import known_sign, rational_factors
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.sums import by_images

_MOST_TERMS = 24
_MOST_TIMES = 4


def tangents(statement: Statement, context: Context) -> Certificate | None:
    """Take the tangent at a quotient of two terms off the goal, and look at the sign of what is left."""
    form = NormalForm(statement.domain)
    goal = form.ratio(statement.goal)
    grows = any(form.atoms[k].key[0] in ("log", "exp") for k in form.used(goal.num))
    if statement.relation not in WEAK or not grows or len(goal.num) > _MOST_TERMS:
        return None
    under = form.power(Ratio(goal.den), -1)
    parts = [(value > 0, form.multiply(form.constant(abs(value)), Ratio(monomial), under))
             for value, monomial in form.terms(goal.num)]  # fmt: skip
    positive = [(added, part) for added, part in parts if form.bounds(part).positive]
    for large in (part for added, part in positive if added):
        for small in (part for added, part in positive if not added):
            quotient = form.multiply(large, form.power(small, -1))
            above = form.multiply(small, form.subtract(form.subtract(quotient, form.constant(1)), form.log(quotient)))
            rest = form.subtract(goal, above)
            left = None if rest.num.is_zero() else known_sign(form, rational_factors(form, rest))
            if left is not None or rest.num.is_zero():
                tangent = [["tangent", form.tree(quotient)], ["sign", form.tree(small)]]
                return psatz(["n"], tangent, *([left] if left else []))
    rooted = any(has(form.atoms[k].key, "^") for k in form.used(goal.num))
    for share in (1, 2) if rooted else (1,):
        proof = _by_coefficients(statement, form, goal, share, context)
        if proof is not None:
            return proof
    # The logarithms of sums say no more than they do, and exponentials of logarithms come back.
    if (
        not has(statement.goal, "sum", "log")
        and len(positive) == len(parts)
        and sorted(added for added, _ in parts) == [False, True]
    ):
        (_, large), (_, small) = sorted(parts, key=itemgetter(0), reverse=True)
        return by_images(statement, "log", context.prove, *map(form.tree, (small, large)))
    return None


def _by_coefficients(
    statement: Statement, form: NormalForm, goal: Ratio, share: int, context: Context
) -> Certificate | None:
    """A goal less all its logarithms, each coefficient c times log R bounded by c - c/R, or with a root of R."""
    rest, products = goal, []
    for coefficient, product in _collected(form, goal):
        sign = 1 if form.bounds(coefficient).nonnegative else -1
        size = form.scale(sign, coefficient)
        if not form.bounds(size).nonnegative:
            return None
        root = form.real_power(form.power(product, -sign), form.constant(Fraction(1, share)))
        gap = form.subtract(form.subtract(root, form.constant(1)), form.log(root))
        weight = form.scale(share, size)
        products.append([["tangent", form.tree(root)], ["sign", form.tree(weight)]])
        rest = form.subtract(rest, form.multiply(weight, gap))
    if not products or any(form.atoms[k].key[0] == "log" for k in form.used(rest.num)):
        return None
    lemma = context.lemma(Statement(ZERO, "<=", form.tree(rest), statement.domain))
    return lemma and from_lemma(statement, lemma, *products)


def _collected(form: NormalForm, goal: Ratio) -> list[tuple[Ratio, Ratio]]:
    """The coefficients c and products R for which the logarithms of a goal are Σ c log R.

    Where a coefficient is the sum of two others, as in the log-sum inequality, its logarithms belong to both of them.
    """
    slopes = {k: goal.num.derivative(k) for k in form.used(goal.num) if form.atoms[k].key[0] == "log"}
    parts = {k: form.primitive(slope) for k, slope in slopes.items() if slopes.keys().isdisjoint(form.used(slope))}
    common = math.lcm(*(number.denominator for number, _ in parts.values()))
    found: dict[str, tuple[fmpq_mpoly, Ratio]] = {}
    for k, (number, poly) in parts.items():
        times = int(number * common)
        if abs(times) > _MOST_TIMES:
            return []
        _, known = found.get(str(poly), (poly, form.constant(1)))
        found[str(poly)] = poly, form.multiply(known, form.power(form.ratio(form.atoms[k].key[1]), times))
    for one, other in itertools.combinations(list(found), 2):
        whole = str(found[one][0] + found[other][0]) if {one, other} <= found.keys() else ""
        if whole in found:
            _, shared = found.pop(whole)
            found |= {part: (found[part][0], form.multiply(found[part][1], shared)) for part in (one, other)}
    under = form.power(form.multiply(form.constant(common), Ratio(goal.den)), -1)
    return [(form.multiply(Ratio(poly), under), product) for poly, product in found.values()]
