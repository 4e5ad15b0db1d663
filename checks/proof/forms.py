"""Proofs that q² ≤ p r, as in Cauchy and Schwarz's inequality of any form that is positive.

It is so where p s² + 2 q s t + r t² is at least 0 for all numbers s and t, which is of second degree in the vectors
that p, q and r are inner products of. With n = q² - p r, and at s, t in turn 1, 0 and 0, 1 and q, -p and -(r + 1)/2, q,
it says that p, r, -p n and p (r + 1)²/4 - q² are at least 0; so is n² + n p r = n q², less than 0 where n is not.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

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
from boundaudit.checks.proof.engine import (
    WEAK,
    Context,
    Lemma,
    all_found,
    fresh_index,
    lemma_at,
    negative,
    ordered_sides,
    psatz,
    real,
    term,
    with_proof,
)
from boundaudit.checks.proof.general import by_instance
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import Domain, declare
from boundaudit.checks.proof.quadratics import quadratics
from boundaudit.checks.proof.schwarz import factors_of, root_of, whole

_MOST_FACTORS = 6
"""Of a product that is shared among two."""


def forms(statement: Statement, context: Context) -> Certificate | None:
    """Compare a square with a product through a form of two numbers."""
    if statement.relation not in WEAK:
        return None
    form = NormalForm(statement.domain)
    sides = whole(form, ordered_sides(statement), 0)
    q = None if sides is None else root_of(form, sides.small)
    numbers = {form.atoms[k].key[0] for k in form.used(form.ratio(statement.goal).num)} == {"v"}
    if sides is None or q is None or not numbers:
        return None
    for p, r in _shared(form, sides.large):
        of_all = _at_all(p, q, r, statement.domain, context)
        if of_all is None:
            continue
        lemmas = all_found(_at(*pair, of_all, statement.domain, context) for pair in _pairs(p, q, r))
        if lemmas is not None:
            n, (p_sign, r_sign, at_p, at_r) = sides.negated(), (lemma_at(statement, k) for k in range(4))
            squared = term(at_p, weight=Fraction(1, 4), square=add(r, ONE))
            return psatz([*n, *n], [*n, p_sign, r_sign], [*n, at_r], squared, lemmas=lemmas)
    return None


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
        domain = declare(domain, real(fresh_index(domain)))
    s, t = (("v", declared["name"]) for declared in domain["parameters"][-2:])
    value = add(multiply(p, square(s)), multiply(rational(2), q, s, t), multiply(r, square(t)))
    needed = Statement(ZERO, "<=", value, domain)
    return with_proof(needed, quadratics(needed, context))


def _pairs(p: Tree, q: Tree, r: Tree) -> tuple[tuple[Tree, Tree], ...]:
    half = multiply(rational(Fraction(-1, 2)), add(r, ONE))
    return (ONE, ZERO), (ZERO, ONE), (q, negative(p)), (half, q)


def _at(s: Tree, t: Tree, of_all: Lemma, domain: Domain, context: Context) -> Lemma | None:
    """What is so for all numbers, at two of them."""
    names = (declared["name"] for declared in of_all.statement.domain["parameters"][-2:])
    put = dict(zip(names, (s, t), strict=True))
    needed = Statement(ZERO, "<=", substitute(of_all.statement.right, put), domain)
    return with_proof(needed, by_instance(needed, of_all, put, context))
