"""Proofs by one tangent of the logarithm: of two positive terms of a goal, a - b ≥ b log(a/b).

Jensen's inequality for exponentials, Gibbs's and Donsker and Varadhan's come to this, once they are one sum.
"""

from __future__ import annotations

from operator import itemgetter

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import walk
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Attempt, Context
from boundaudit.checks.proof.factoring import known_sign, rational_factors
from boundaudit.checks.proof.sums import by_images

NAME = "tangents"
_MOST_TERMS = 24


def tangents(statement: Statement, context: Context) -> Attempt:
    """Take the tangent at a quotient of two terms off the goal, and look at the sign of what is left."""
    form = NormalForm(statement.domain)
    goal = form.ratio(statement.goal)
    grows = any(form.atoms[k].key[0] in ("log", "exp") for k in form.used(goal.num))
    if statement.relation == "=" or statement.is_strict or not grows or len(goal.num) > _MOST_TERMS:
        return Attempt("unknown", NAME)
    under = form.power(Ratio(goal.den), -1)
    parts = [(value > 0, form.multiply(form.constant(abs(value)), Ratio(monomial), under))
             for value, monomial in form.terms(goal.num)]  # fmt: skip
    positive = [(added, part) for added, part in parts if form.bounds(part).positive]
    for large in (part for added, part in positive if added):
        for small in (part for added, part in positive if not added):
            quotient = form.multiply(large, form.power(small, -1))
            above = form.multiply(small, form.subtract(form.subtract(quotient, form.constant(1)), form.log(quotient)))
            rest = form.subtract(goal, above)
            left = _known(form, rest)
            if left is not None:
                factors = [[["tangent", form.tree(quotient)], 1], [["sign", form.tree(small)], 1]]
                terms = [{"weight": [1, 1], "factors": each} for each in ([["n", 1]], factors)]
                return Attempt("proved", NAME, {"kind": "psatz", "terms": [*terms, *left]})
    # The logarithms of sums say no more than they do, and exponentials of logarithms come back.
    plain = not any(node[0] in ("sum", "log") for node in walk(statement.goal))
    if plain and len(positive) == len(parts) and sorted(added for added, _ in parts) == [False, True]:
        (_, large), (_, small) = sorted(parts, key=itemgetter(0), reverse=True)
        return by_images(NAME, statement, "log", context.prove, *map(form.tree, (small, large)))
    return Attempt("unknown", NAME)


def _known(form: NormalForm, rest: Ratio) -> list[dict[str, object]] | None:
    """What is left as a term of a certificate, where it is zero or its sign is known."""
    if rest.num.is_zero():
        return []
    factors = [*rational_factors(form, rest.num), *((f, -k) for f, k in rational_factors(form, rest.den))]
    found = known_sign(form, factors)
    return None if found is None else [found]
