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
from boundaudit.checks.proof.engine import (
    WEAK,
    Context,
    Term,
    all_found,
    lemma_at,
    negative,
    ordered_sides,
    psatz,
    term,
    with_proof,
)
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import Domain, plain
from boundaudit.checks.proof.weighted import weighted

_TERM = "#"
_HALF = rational(Fraction(1, 2))
_MOST_FACTORS = 5
"""Of a product that is shared among two, in all ways."""


class _Sides(NamedTuple):
    """Both sides of a comparison, multiplied by powers of factors that are known to be positive."""

    small: Tree
    large: Tree
    by: list[tuple[Tree, int]]

    def negated(self) -> list[Any]:
        """That the goal does not hold, multiplied so."""
        return ["n", *(["sign", factor] for factor, power in self.by for _ in range(power))]


class _Way(NamedTuple):
    """Lemmas, and terms of a certificate that follow the negated goal, the first lemma's place given."""

    lemmas: list[tuple[Tree, Tree]]
    terms: list[Term]


def schwarz(statement: Statement, context: Context) -> Certificate | None:
    """Compare a square with a product through lemmas without squares."""
    if statement.relation not in WEAK:
        return None
    form = NormalForm(statement.domain)
    for by, square_at in ((_by_sums, 0), (_by_means, 1)):
        sides = whole(form, ordered_sides(statement), square_at)
        for way in by(form, sides.small, sides.large, statement) if sides is not None else ():
            needed = (Statement(left, "<=", right, statement.domain) for left, right in way.lemmas)
            lemmas = all_found(with_proof(each, weighted(each, context) or context.prove(each)) for each in needed)
            if sides is not None and lemmas is not None:
                return psatz(sides.negated(), *way.terms, lemmas=lemmas)
    return None


def whole(form: NormalForm, sides: Sequence[Tree], square_at: int) -> _Sides | None:
    """The sides without denominators, one without odd powers or a number; None where a factor may not be positive."""
    found = [factors_of(form, side) for side in sides]
    powers = [{form.tree(Ratio(poly)): power for poly, power in factors} for _, factors in found]
    by = [(rational(1 / found[square_at][0]), 1)] if found[square_at][0] > 0 else []
    for factor in dict.fromkeys((*powers[0], *powers[1])):
        here = [side.get(factor, 0) for side in powers]
        least = max(0, *(-power for power in here))
        by.append((factor, least + (here[square_at] + least) % 2))
    by = [(factor, power) for factor, power in by if power and factor != ONE]
    if not all(form.range_of(factor).positive for factor, _ in by):
        return None
    taken = [("^", factor, rational(power)) for factor, power in by]
    small, large = (form.tree(form.ratio(multiply(side, *taken))) for side in sides) if by else sides
    return _Sides(small, large, by)


def _by_sums(form: NormalForm, small: Tree, large: Tree, statement: Statement) -> Iterator[_Way]:
    """A square below a product of two sums of what is not negative."""
    root, (constant, factors) = root_of(form, small), factors_of(form, large)
    sums = [form.tree(Ratio(poly)) for poly, power in factors if power == 1 and _is_sum(form, poly)]
    if root is None or len(sums) != 2 or len(factors) != 2 or sums[0][1:3] != sums[1][1:3] or constant <= 0:
        return
    one, other = (("^", opened(total, ("v", _TERM)), _HALF) for total in sums)
    one = multiply(("^", rational(constant), _HALF), one)
    _, low, high, _ = sums[0]
    halves = [summation(_TERM, low, high, half) for half in (one, other)]
    both = summation(_TERM, low, high, multiply(one, other))
    lemmas = [(root, both), (negative(root), both)]
    yield _Way(lemmas, [term(["cauchy", *halves]), term(lemma_at(statement), lemma_at(statement, 1))])


def _by_means(form: NormalForm, small: Tree, large: Tree, statement: Statement) -> Iterator[_Way]:
    """A square above four times a product, whose factors are shared in all ways."""
    root, (constant, factors) = root_of(form, large), factors_of(form, small)
    single = [form.tree(Ratio(poly)) for poly, power in factors for _ in range(max(power, 0))]
    is_product = all(power > 0 for _, power in factors)
    if root is None or constant <= 0 or not is_product or not 1 < len(single) <= _MOST_FACTORS:
        return
    one, *others = single
    first, second = lemma_at(statement), lemma_at(statement, 1)
    stated = [*_stated(form, subtract(large, small), statement.domain)]
    for size in range(len(others)):
        for chosen in itertools.combinations(range(len(others)), size):
            u = multiply(rational(constant / 4), one, *(others[k] for k in chosen))
            v = multiply(ONE, *(other for k, other in enumerate(others) if k not in chosen))
            total = add(u, v)
            if not _scales_alike(form, stated, subtract(root, total)):
                continue
            # L² - (u + v)² is (L - u - v)² and twice (L - u - v) (u + v).
            terms = [term(square=subtract(u, v)), term(first, first), term(first, second, weight=2)]
            yield _Way([(total, root), (ZERO, total)], terms)


_Scale = dict[Any, Fraction]
"""The powers in which parameters and vectors stand in an expression: what it is multiplied by where they are scaled."""


def _stated(form: NormalForm, goal: Tree, domain: Domain) -> Iterator[_Scale]:
    """What has to be 0 where all that is stated is scaled alike: of a goal, and of relations and ranges."""
    yield from _differences(form, goal)
    for position in plain(domain):
        yield from _differences(form, subtract(*map(from_json, domain["where"][position][1:])))
    for relation in (entry[3] for entry in domain["where"] if entry[0] == "all"):
        left, right = (_scale(from_json(side, depth=1)) for side in relation[1:])
        yield _minus(left, right)
    for declared in domain["parameters"]:
        ends = (from_json(end) for end in (declared.get("low"), declared.get("high")) if end is not None)
        yield from (_minus({declared["name"]: Fraction(1)}, _scale(end)) for end in ends if end[0] != "q")


def _scales_alike(form: NormalForm, stated: Sequence[_Scale], part: Tree) -> bool:
    """Whether a part stays the same up to a factor wherever parameters are scaled so that all that is stated does."""
    more = [*stated, *_differences(form, part)]
    names = list(dict.fromkeys(name for row in more for name in row))
    table = np.array([[float(row.get(name, 0)) for name in names] for row in more])
    return bool(np.linalg.matrix_rank(table) == np.linalg.matrix_rank(table[: len(stated)]))


def _differences(form: NormalForm, tree: Tree) -> list[_Scale]:
    """The scale of each monomial less that of the first."""
    poly = form.ratio(tree).num
    scales = [
        _times([(_scale(form.atoms[k].key), Fraction(int(monomial.degrees()[k]))) for k in form.used(monomial)])
        for _, monomial in form.terms(poly)
    ]
    return [_minus(scale, scales[0]) for scale in scales[1:]]


def _scale(tree: Tree) -> _Scale:
    match tree:
        case ("v" | "item", name, *_):
            return {name: Fraction(1)}
        case ("*", *parts):
            return _times([(_scale(part), Fraction(1)) for part in parts])
        case ("^", base, ("q", above, below)):
            return _times([(_scale(base), Fraction(above, below))])
        case ("sum", _, _, body):
            return _scale(body)
        case ("+" | "abs", part, *_):
            return _scale(part)
    return {} if tree[0] == "q" else {tree: Fraction(1)}


def _times(powers: Sequence[tuple[_Scale, Fraction]]) -> _Scale:
    found: _Scale = {}
    for scale, power in powers:
        for name, degree in scale.items():
            found[name] = found.get(name, Fraction(0)) + degree * power
    return found


def _minus(one: _Scale, other: _Scale) -> _Scale:
    return _times([(one, Fraction(1)), (other, Fraction(-1))])


def root_of(form: NormalForm, tree: Tree) -> Tree | None:
    """What a side is the square of, where its factors show it."""
    constant, factors = factors_of(form, tree)
    if constant <= 0 or not factors or any(power % 2 for _, power in factors):
        return None
    parts = [("^", form.tree(Ratio(poly)), rational(power // 2)) for poly, power in factors]
    return multiply(("^", rational(constant), _HALF), *parts)


def factors_of(form: NormalForm, tree: Tree) -> tuple[Fraction, Sequence[tuple[fmpq_mpoly, int]]]:
    """The factors of a side with their powers, and the number before them."""
    value = form.ratio(tree)
    return (Fraction(0), []) if value.num.is_zero() else form.factors(value)


def _is_sum(form: NormalForm, poly: fmpq_mpoly) -> bool:
    atom = form.single(poly)
    return atom is not None and atom.key[0] == "sum" and atom.range.nonnegative
