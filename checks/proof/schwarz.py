"""Proofs by Cauchy and Schwarz's inequality, or by that of two means, with the rest of the way as lemmas.

Where a square L² is to be at most a product of two sums Σ a² Σ b², it is enough that L and -L are at most Σ a b; where
it is to be at least a product 4 u v, that L is at least u + v, which is not negative.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    add,
    from_json,
    multiply,
    opened,
    rational,
    subtract,
    summation,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Attempt, Context
from boundaudit.checks.proof.kernel.domains import Domain, plain
from boundaudit.checks.proof.weighted import weighted

NAME = "schwarz"
_TERM = "#"
_HALF = rational(Fraction(1, 2))
_MOST_FACTORS = 5
"""Of a product that is shared among two, in all ways."""


class _Sides(NamedTuple):
    """Both sides of a comparison, multiplied by powers of factors that are known to be positive."""

    small: Tree
    large: Tree
    by: list[tuple[Tree, int]]


class _Way(NamedTuple):
    """Lemmas, and terms of a certificate that follow the negated goal, the first lemma's place given."""

    lemmas: list[tuple[Tree, Tree]]
    terms: list[dict[str, Any]]


def schwarz(statement: Statement, context: Context) -> Attempt:
    """Compare a square with a product through lemmas without squares.

    Returns:
        Proved with a certificate of kind psatz, or unknown.
    """
    if statement.relation == "=" or statement.is_strict:
        return Attempt("unknown", NAME)
    form = NormalForm(statement.domain)
    small, large = (statement.left, statement.right)[:: 1 if statement.relation == "<=" else -1]
    for by, square_at in ((_by_sums, 0), (_by_means, 1)):
        sides = _whole(form, (small, large), square_at)
        for way in by(form, sides.small, sides.large, statement.domain) if sides else ():
            lemmas = []
            for left, right in way.lemmas:
                lemma = Statement(left, "<=", right, statement.domain)
                found = weighted(lemma, context)
                if found.certificate is None:
                    found = context.prove(lemma)
                if found.certificate is None:
                    break
                lemmas.append({"statement": lemma.to_json(), "certificate": found.certificate})
            else:
                factors = [["n", 1], *([["sign", factor], power] for factor, power in sides.by)]
                terms = [{"weight": [1, 1], "factors": factors}, *way.terms]
                return Attempt("proved", NAME, {"kind": "psatz", "lemmas": lemmas, "terms": terms})
    return Attempt("unknown", NAME)


def _whole(form: NormalForm, sides: tuple[Tree, Tree], square_at: int) -> _Sides | None:
    """The sides without denominators, and one without odd powers; None where a factor may not be positive."""
    powers = [{form.tree(Ratio(poly)): power for poly, power in _factors(form, side)[1]} for side in sides]
    by = []
    for factor in dict.fromkeys((*powers[0], *powers[1])):
        here = [side.get(factor, 0) for side in powers]
        least = max(0, *(-power for power in here))
        by.append((factor, least + (here[square_at] + least) % 2))
    by = [(factor, power) for factor, power in by if power]
    if not all(form.range_of(factor).positive for factor, _ in by):
        return None
    taken = [("^", factor, rational(power)) for factor, power in by]
    small, large = (form.tree(form.ratio(multiply(side, *taken))) for side in sides) if by else sides
    return _Sides(small, large, by)


def _by_sums(form: NormalForm, small: Tree, large: Tree, domain: Domain) -> Iterator[_Way]:
    """A square below a product of two sums of what is not negative."""
    root, (constant, factors) = root_of(form, small), _factors(form, large)
    sums = [form.tree(Ratio(poly)) for poly, power in factors if power == 1 and _is_sum(form, poly)]
    if root is None or len(sums) != 2 or len(factors) != 2 or sums[0][1:3] != sums[1][1:3] or constant <= 0:
        return
    one, other = (("^", opened(total, ("v", _TERM)), _HALF) for total in sums)
    one = multiply(("^", rational(constant), _HALF), one)
    known, (_, low, high, _) = len(domain["where"]), sums[0]
    halves = [summation(_TERM, low, high, half) for half in (one, other)]
    both = summation(_TERM, low, high, multiply(one, other))
    lemmas = [(root, both), (multiply(rational(-1), root), both)]
    factors_of = [[["cauchy", *halves], 1]], [[["where", known], 1], [["where", known + 1], 1]]
    yield _Way(lemmas, [{"weight": [1, 1], "factors": each} for each in factors_of])


def _by_means(form: NormalForm, small: Tree, large: Tree, domain: Domain) -> Iterator[_Way]:
    """A square above four times a product, whose factors are shared in all ways."""
    root, (constant, factors) = root_of(form, large), _factors(form, small)
    single = [form.tree(Ratio(poly)) for poly, power in factors for _ in range(max(power, 0))]
    whole = all(power > 0 for _, power in factors)
    if root is None or constant <= 0 or not whole or not 1 < len(single) <= _MOST_FACTORS:
        return
    first, *others = single
    known, relations = len(domain["where"]), [domain["where"][position][1:] for position in plain(domain)]
    stated = [subtract(large, small), *(subtract(*map(from_json, sides)) for sides in relations)]
    for size in range(len(others)):
        for chosen in itertools.combinations(range(len(others)), size):
            u = multiply(rational(constant / 4), first, *(others[k] for k in chosen))
            v = multiply(ONE, *(other for k, other in enumerate(others) if k not in chosen))
            total = add(u, v)
            if not _scales_alike(form, stated, subtract(root, total)):
                continue
            # L² - (u + v)² is (L - u - v)² and twice (L - u - v) (u + v).
            terms: list[dict[str, Any]] = [
                {"weight": [1, 1], "factors": [], "square": subtract(u, v)},
                {"weight": [1, 1], "factors": [[["where", known], 2]]},
                {"weight": [2, 1], "factors": [[["where", known], 1], [["where", known + 1], 1]]},
            ]
            yield _Way([(total, root), (ZERO, total)], terms)


def _scales_alike(form: NormalForm, stated: Sequence[Tree], part: Tree) -> bool:
    """Whether a part stays the same up to a factor wherever parameters are scaled so that all that is stated does."""
    rows = [row for tree in stated for row in _differences(form, tree)]
    more = [*rows, *_differences(form, part)]
    return bool(np.linalg.matrix_rank(np.array(more)) == np.linalg.matrix_rank(np.array(rows)))


def _differences(form: NormalForm, tree: Tree) -> list[list[int]]:
    """The exponents of each monomial less those of the first."""
    monomials = [list(map(int, monomial)) for monomial in form.ratio(tree).num.monoms()]
    return [[a - b for a, b in zip(other, monomials[0], strict=True)] for other in monomials[1:]]


def root_of(form: NormalForm, tree: Tree) -> Tree | None:
    """What a side is the square of, where its factors show it."""
    constant, factors = _factors(form, tree)
    if constant <= 0 or not factors or any(power % 2 for _, power in factors):
        return None
    parts = [("^", form.tree(Ratio(poly)), rational(power // 2)) for poly, power in factors]
    return multiply(("^", rational(constant), _HALF), *parts)


def _factors(form: NormalForm, tree: Tree) -> tuple[Fraction, Sequence[tuple[fmpq_mpoly, int]]]:
    value = form.ratio(tree)
    return (Fraction(0), []) if value.num.is_zero() else form.factors(value)


def _is_sum(form: NormalForm, poly: fmpq_mpoly) -> bool:
    atom = form.single(poly)
    return atom is not None and atom.key[0] == "sum" and atom.range.nonnegative
