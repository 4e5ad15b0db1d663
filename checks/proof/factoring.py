"""Proofs by factoring: the goal as a product of squares and of factors of known sign.

Square roots of parameters become the variables, so that a·s² + b - 2s√(ab)
factors as (√a·s - √b)²; roots of integers extend the field, so that
4/(3√3) - 2t(1 - t²) shows its double zero at 1/√3.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import fmpq_mpoly
from sympy.polys.polyerrors import CoercionFailed

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Atom, Ratio
from boundaudit.checks.language.expression import Tree, multiply, rational, substitute
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.proof.binomial_squares import roots_of
from boundaudit.checks.proof.engine import WEAK, Context, Term, lemma_at, psatz
from boundaudit.checks.proof.kernel.checker import Certificate

_MOST_TERMS = 60
_LARGEST_DEGREE = 24
_MOST_IN_FIELD, _MOST_TERMS_IN_FIELD = 5, 8
"""Atoms and terms of a polynomial with roots of integers beyond which its factors over their field take minutes."""

_PLUS, _MINUS = (rational(1), 1), (rational(-1), 1)


def factoring(statement: Statement, _: Context) -> Certificate | None:
    """Factor the goal and look at the signs of the factors."""
    form = NormalForm(statement.domain)
    goal = form.ratio(statement.goal)
    if statement.relation == "=" or len(goal.num) > _MOST_TERMS:
        return None
    under = Ratio(form.constant(1).num, goal.den)
    product = known_sign(form, [*_factors(form, goal.num), *rational_factors(form, under)])
    return product and psatz(["n"], product)


def cofactor(statement: Statement, context: Context) -> Certificate | None:
    """Prove of the one factor whose sign is not known that it has the sign which the others leave to it."""
    form = NormalForm(statement.domain)
    goal = form.ratio(statement.goal)
    if statement.relation not in WEAK or len(goal.num) > _MOST_TERMS:
        return None
    factors = rational_factors(form, goal)
    unknown = [factor for factor in factors if not any(known_sign(form, [factor, sign]) for sign in (_PLUS, _MINUS))]
    others = [factor for factor in factors if factor not in unknown]
    if len(unknown) != 1 or unknown[0][1] != 1 or all(tree[0] == "q" for tree, _ in others):
        return None
    for sign in (_PLUS, _MINUS):
        product = known_sign(form, [*others, sign], [[lemma_at(statement), 1]])
        if product is not None:
            lemma = context.lemma(Statement(rational(0), "<=", multiply(sign[0], unknown[0][0]), statement.domain))
            return lemma and psatz(["n"], product, lemmas=[lemma])
    return None


def rational_factors(form: NormalForm, ratio: Ratio) -> list[tuple[Tree, int]]:
    """The factors of a ratio over the rationals, with their exponents, the constant first."""
    constant, factors = form.factors(ratio)
    return [(rational(constant), 1), *((form.tree(Ratio(factor)), k) for factor, k in factors)]


def _factors(form: NormalForm, poly: fmpq_mpoly) -> list[tuple[Tree, int]]:
    """The factors over the field that the roots of integers generate, roots of atoms being variables."""
    if max(poly.degrees()) > _LARGEST_DEGREE:
        return rational_factors(form, Ratio(poly))
    rooted = _in_roots(form, poly)
    used = form.used(rooted)
    numbers = {k: root for k in used if (root := _number_root(form.atoms[k])) is not None}
    if not numbers or len(used) > _MOST_IN_FIELD or len(poly) > _MOST_TERMS_IN_FIELD:
        return rational_factors(form, Ratio(rooted))
    symbols = {k: numbers.get(k, sp.Symbol(f"g{k}")) for k in used}
    expression = sp.Add(
        *(
            sp.Rational(value.numerator, value.denominator)
            * sp.Mul(*(symbols[k] ** int(monomial.degrees()[k]) for k in form.used(monomial)))
            for value, monomial in form.terms(rooted)
        )
    )
    variables = sorted(expression.free_symbols, key=str)
    if not variables:
        return [(form.tree(Ratio(poly)), 1)]
    try:
        constant, factors = sp.factor_list(expression, *variables, extension=list(numbers.values()))
    except CoercionFailed:  # SymPy finds no primitive element for some sets of roots
        return [(form.tree(Ratio(poly)), 1)]
    keys = {f"g{k}": atom.key for k, atom in enumerate(form.atoms)}
    return [(substitute(to_tree(factor), keys), int(k)) for factor, k in [(constant, 1), *factors]]


def _in_roots(form: NormalForm, poly: fmpq_mpoly) -> fmpq_mpoly:
    """A polynomial with squares of roots for the atoms whose root is an atom too."""
    lifted = {base: root for base, (root, degree) in roots_of(form).items() if degree == 2}
    found = {}
    for powers, value in poly.terms():
        moved = list(powers)
        for position, root in lifted.items():
            moved[root] += 2 * moved[position]
            moved[position] = 0
        found[tuple(moved)] = value
    return poly.context().from_dict(found)


def _number_root(atom: Atom) -> Any | None:
    """The square root of an integer that an atom is."""
    key = atom.key
    if key[0] == "^" and key[1][0] == "q" and key[2] == ("q", 1, 2):
        return sp.sqrt(sp.Rational(key[1][1], key[1][2]))
    return None


def known_sign(
    form: NormalForm, factors: Sequence[tuple[Tree, int]], beside: Sequence[tuple[Any, int] | list[Any]] = ()
) -> Term | None:
    """A product of factors with exponents, and of labels with theirs beside them, as a term of a certificate.

    None where the sign of a factor is not known, or the product is negative.
    """
    weight, labels, square = Fraction(1), [*beside], rational(1)
    for tree, exponent in factors:
        if tree[0] == "q":
            weight *= Fraction(tree[1], tree[2]) ** exponent
            continue
        size = form.range_of(tree)
        falls = not size.nonnegative
        turned, size = (multiply(rational(-1), tree), -size) if falls else (tree, size)
        # A square does not show that a product is not 0, and a factor that is known to be positive does.
        half, odd = (0, exponent) if size.positive else divmod(exponent, 2)
        square = multiply(square, ("^", tree, rational(half))) if half else square
        if odd:
            if not size.nonnegative:
                return None
            weight *= (-1) ** (abs(odd) * falls)
            labels.append([["sign", turned if odd > 0 else ("^", turned, rational(-1))], abs(odd)])
    if weight <= 0:
        return None
    product: Term = {"weight": [weight.numerator, weight.denominator], "factors": labels}
    return product if square == rational(1) else {**product, "square": square}
