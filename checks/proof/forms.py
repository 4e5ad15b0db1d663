"""Proofs that q² ≤ p r, as in Cauchy and Schwarz's inequality of any form that is positive.

It is so where p s² + 2 q s t + r t² is at least 0 for all numbers s and t, which is of second degree in the vectors
that p, q and r are inner products of. With n = q² - p r, and at s, t in turn 1, 0 and 0, 1 and q, -p and -(r + 1)/2, q,
it says that p, r, -p n and p (r + 1)²/4 - q² are at least 0; so is n² + n p r = n q², less than 0 where n is not.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    add,
    multiply,
    rational,
    square,
    substitute,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Attempt, Context, Lemma, fresh_index
from boundaudit.checks.proof.general import by_instance
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import Domain
from boundaudit.checks.proof.quadratics import quadratics
from boundaudit.checks.proof.schwarz import factors_of, root_of, whole

NAME = "forms"
_MOST_FACTORS = 6
"""Of a product that is shared among two."""


def forms(statement: Statement, context: Context) -> Attempt:
    """Compare a square with a product through a form of two numbers."""
    if statement.relation == "=" or statement.is_strict:
        return Attempt("unknown", NAME)
    form = NormalForm(statement.domain)
    sides = whole(form, (statement.left, statement.right)[:: 1 if statement.relation == "<=" else -1], 0)
    q = None if sides is None else root_of(form, sides.small)
    numbers = {form.atoms[k].key[0] for k in form.used(form.ratio(statement.goal).num)} == {"v"}
    if sides is None or q is None or not numbers:
        return Attempt("unknown", NAME)
    for p, r in _shared(form, sides.large):
        of_all = _at_all(p, q, r, statement.domain, context)
        if of_all is None:
            continue
        found = [_at(*pair, of_all, statement.domain, context) for pair in _pairs(p, q, r)]
        lemmas = [lemma for lemma in found if lemma is not None]
        if len(lemmas) == len(found):
            n = [["n", 1], *([["sign", factor], power] for factor, power in sides.by)]
            return Attempt("proved", NAME, _together(n, lemmas, r, len(statement.domain["where"])))
    return Attempt("unknown", NAME)


def _shared(form: NormalForm, large: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Two factors that a product is of, where their degrees are nearest to each other."""
    constant, factors = factors_of(form, large)
    single = [poly for poly, power in factors for _ in range(max(power, 0))]
    if constant <= 0 or any(power < 0 for _, power in factors) or not 1 < len(single) <= _MOST_FACTORS:
        return
    degrees = [int(poly.total_degree()) for poly in single]
    ways = [(0, *chosen) for size in range(len(single) - 1)
            for chosen in itertools.combinations(range(1, len(single)), size)]  # fmt: skip
    apart = [abs(sum(degrees) - 2 * sum(degrees[k] for k in way)) for way in ways]
    trees = [form.tree(Ratio(poly)) for poly in single]
    for way, difference in zip(ways, apart, strict=True):
        if difference == min(apart):
            others = [tree for k, tree in enumerate(trees) if k not in way]
            yield multiply(rational(constant), *(trees[k] for k in way)), multiply(ONE, *others)


def _at_all(p: Tree, q: Tree, r: Tree, domain: Domain, context: Context) -> Lemma | None:
    """That the form is at least 0, for all numbers, which stand last among the parameters."""
    for _ in range(2):
        real = {"name": fresh_index(domain), "range": "reals", "low": None, "high": None, "open": [False, False]}
        domain = {**domain, "parameters": [*domain["parameters"], real]}
    s, t = (("v", declared["name"]) for declared in domain["parameters"][-2:])
    value = add(multiply(p, square(s)), multiply(rational(2), q, s, t), multiply(r, square(t)))
    needed = Statement(ZERO, "<=", value, domain)
    proof = quadratics(needed, context).certificate
    return None if proof is None else Lemma(needed, proof)


def _pairs(p: Tree, q: Tree, r: Tree) -> tuple[tuple[Tree, Tree], ...]:
    half = multiply(rational(Fraction(-1, 2)), add(r, ONE))
    return (ONE, ZERO), (ZERO, ONE), (q, multiply(rational(-1), p)), (half, q)


def _at(s: Tree, t: Tree, of_all: Lemma, domain: Domain, context: Context) -> Lemma | None:
    """What is so for all numbers, at two of them."""
    names = (declared["name"] for declared in of_all.statement.domain["parameters"][-2:])
    put = dict(zip(names, (s, t), strict=True))
    needed = Statement(ZERO, "<=", substitute(of_all.statement.right, put), domain)
    proof = by_instance(needed, of_all.statement, of_all.certificate, put, context)
    return None if proof is None else Lemma(needed, proof)


def _together(n: list[Any], lemmas: Sequence[Lemma], r: Tree, first: int) -> Certificate:
    p_sign, r_sign, at_p, at_r = ([["where", first + k], 1] for k in range(4))
    terms = [
        {"weight": [1, 1], "factors": [*n, *n]},
        {"weight": [1, 1], "factors": [*n, p_sign, r_sign]},
        {"weight": [1, 1], "factors": [*n, at_r]},
        {"weight": [1, 4], "factors": [at_p], "square": add(r, ONE)},
    ]
    return {"kind": "psatz", "lemmas": [lemma.to_json() for lemma in lemmas], "terms": terms}
