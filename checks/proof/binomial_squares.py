"""Proofs by binomial squares: the goal as a sum of products m (u ± v)² of monomials.

Every lattice point of the goal's Newton polytope that is a square, up to non-negative atoms, may stand at the end of
such a product: with α = m u² and β = m v² it is α + β ± 2 m u v. A linear programme looks for the weights. Where a
root of an atom is an atom, exponents count roots: AM-GM in roots is AM-GM in their powers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.expression import ONE, Tree, multiply, rational, subtract

Exponents: TypeAlias = tuple[int, ...]
_LATTICE = 20_000
_POINTS = 120
_TINY = 1e-9


class Square(NamedTuple):
    """The non-negative product of atoms and a square: labels with exponents, and what is squared."""

    factors: tuple[tuple[Any, int], ...]
    root: Tree


class _Variables(NamedTuple):
    """The atoms whose powers make the monomials, and which of them are known to be non-negative."""

    keys: tuple[Tree, ...]
    signed: tuple[bool, ...]


def binomial_squares(form: NormalForm, poly: fmpq_mpoly, most: int) -> list[Square]:
    """The products of monomials and binomial squares that lie in the Newton polytope of a polynomial.

    Nothing where there would be more than ``most``, or where the polytope is too large.
    """
    variables, support = _support(form, poly)
    points = [point for point in _polytope(support) if _is_square(variables, point)]
    if not 0 < len(points) <= _POINTS:
        return []
    found = [Square(_factors(variables, point), _root(variables, point)) for point in points]
    for one, other in itertools.combinations(points, 2):
        if all((a - b) % 2 == 0 for a, b in zip(one, other, strict=True)):
            found += [Square(_factors(variables, one), root) for root in _binomials(variables, one, other)]
    return found if len(found) <= most else []


def _binomials(variables: _Variables, one: Exponents, other: Exponents) -> Iterator[Tree]:
    """The difference of two monomials, and their sum where that of the squares is not enough."""
    u, v = _root(variables, one), _root(variables, other)
    yield subtract(u, v)
    middle = [(a + b) // 2 for a, b in zip(one, other, strict=True)]
    if any(power % 2 and not signed for power, signed in zip(middle, variables.signed, strict=True)):
        yield ("+", u, v)


def _support(form: NormalForm, poly: fmpq_mpoly) -> tuple[_Variables, list[Exponents]]:
    """The exponents of a polynomial, those of an atom with a root counted in the root."""
    used, roots = form.used(poly), roots_of(form)
    places = list(dict.fromkeys(roots[k][0] if k in roots and roots[k][0] in used else k for k in used))
    support = set()
    for monomial in poly.monoms():
        exponents = [0] * len(places)
        for k in used:
            place, degree = roots[k] if k in roots and roots[k][0] in used else (k, 1)
            exponents[places.index(place)] += degree * int(monomial[k])
        support.add(tuple(exponents))
    atoms = [form.atoms[place] for place in places]
    return _Variables(tuple(a.key for a in atoms), tuple(a.range.nonnegative for a in atoms)), sorted(support)


def roots_of(form: NormalForm) -> Mapping[int, tuple[int, int]]:
    """Atoms of which a root is an atom too: its position and degree."""
    found = {}
    for position, atom in enumerate(form.atoms):
        relation = atom.relation
        if atom.key[0] == "^" and relation is not None and relation.value.den.is_one():
            base = form.used(relation.value.num)
            if len(base) == 1 and form.single(relation.value.num) is not None:
                found[base[0]] = position, relation.degree
    return found


def _polytope(support: Sequence[Exponents]) -> Iterator[Exponents]:
    """Lattice points between the extreme exponents, pair sums and pair differences, in the support's affine hull."""
    points = np.array(support, dtype=float)
    if not points.size:
        return
    low, high = points.min(axis=0).astype(int), points.max(axis=0).astype(int)
    spans = [range(first, last + 1) for first, last in zip(low.tolist(), high.tolist(), strict=True)]
    if not spans or math.prod(map(len, spans)) > _LATTICE:
        return
    size = len(low)
    rows = [np.eye(size)[i] + sign * np.eye(size)[j] for i in range(size) for j in range(i) for sign in (1, -1)]
    ways = np.array([np.ones(size), *rows])
    least, most = (points @ ways.T).min(axis=0), (points @ ways.T).max(axis=0)
    _, sizes, basis = np.linalg.svd(points - points[0])
    normals = basis[int((sizes > _TINY).sum()) :]
    for point in itertools.product(*spans):
        values = ways @ point
        flat = not len(normals) or np.abs(normals @ (point - points[0])).max() < _TINY
        if flat and (values >= least - _TINY).all() and (values <= most + _TINY).all():
            yield point


def _is_square(variables: _Variables, point: Exponents) -> bool:
    return all(signed or power % 2 == 0 for power, signed in zip(point, variables.signed, strict=True))


def _factors(variables: _Variables, point: Exponents) -> tuple[tuple[Any, int], ...]:
    """The atoms of odd exponent."""
    return tuple((["sign", key], 1) for key, power in zip(variables.keys, point, strict=True) if power % 2)


def _root(variables: _Variables, point: Exponents) -> Tree:
    """The monomial of half the exponents."""
    halves = [(key, power // 2) for key, power in zip(variables.keys, point, strict=True) if power > 1]
    return multiply(*(key if power == 1 else ("^", key, rational(power)) for key, power in halves)) if halves else ONE
