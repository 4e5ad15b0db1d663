"""Proofs by multipliers: products of hypotheses that add up to the goal.

Handelman's representation: if -goal > 0 could hold, then every product of
hypotheses, of it, and of squares would be non-negative. A linear programme
looks for a positive combination of such products that is identically 0 though
one of them is positive; its vertex is then solved again in exact arithmetic.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import Ordering, fmpq, fmpq_mat, fmpq_mpoly, fmpq_mpoly_ctx
from scipy.optimize import linprog
from scipy.sparse import csc_matrix

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Atom, Ratio, Rejected
from boundaudit.checks.language.expression import (
    ONE,
    Tree,
    add,
    entry,
    from_json,
    is_closed,
    multiply,
    rational,
    subtract,
    walk,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.binomial_squares import binomial_squares
from boundaudit.checks.proof.comparisons import comparisons
from boundaudit.checks.proof.engine import Context, closed
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import plain
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses

_LARGEST_DEGREE = 4
_ENTRIES = 100_000
"""Coefficients of a linear programme; larger ones take minutes and have proved nothing."""
_NEGLIGIBLE = 1e-9
_GRAIN = 1000
_SQUARED_ATOMS = 6
_ROUNDS = 2


@dataclass(frozen=True)
class Column:
    """One non-negative product: its factors as a certificate names them, and its value."""

    factors: tuple[tuple[Any, int], ...]
    square: Tree | None
    value: Ratio
    strict: bool
    degree: int


_INVERSE_SQUARE: Tree = ("*", ONE, ("^", ("^", ("b", 0), rational(2)), rational(-1)))
"""The body of a sum of inverse squares, in normal form."""


def multipliers(statement: Statement, context: Context) -> Certificate | None:
    """Look for a proof by products of hypotheses, of degree 1, then 2, and so on as far as the budget goes."""
    if statement.relation == "=":
        return None
    hypotheses, columns = Hypotheses(statement.domain), context.budget.columns
    labels = candidate_labels(hypotheses, statement.goal)
    base = _base_columns(hypotheses, statement.goal, labels, strict=statement.is_strict)
    found = _by_products(hypotheses, base, columns) or _by_squares(hypotheses, statement.goal, base, columns)
    more = None if found else comparisons(statement.domain, atoms_of(hypotheses, _ratios(hypotheses, statement.goal)))
    if not more:
        return found
    kept = [column for column in base if not any(label[0] in ("log", "tangent") for label, _ in column.factors)]
    added = _columns(hypotheses, more)
    return _by_products(hypotheses, [*kept, *_inverses(hypotheses, added)], columns, added)


def search(
    hypotheses: Hypotheses, goal: Tree, labels: Sequence[Any], columns: int, *, strict: bool = False
) -> Certificate | None:
    """Look for a certificate that the goal is non-negative among products of the labelled hypotheses.

    At most ``columns`` products at once. To show the goal positive (``strict``), its negation is not.
    """
    return _by_products(hypotheses, _base_columns(hypotheses, goal, labels, strict=strict), columns)


def _by_products(
    hypotheses: Hypotheses, base: Sequence[Column], columns: int, once: Sequence[Column] = ()
) -> Certificate | None:
    """Look among products of base columns, with at most one of some others in each."""
    form = hypotheses.form
    products = [Column((), None, form.constant(1), True, 0)]
    several, with_one = [(0, products[0])], [(0, each) for each in once]
    for degree in range(1, _LARGEST_DEGREE + 1):
        if math.comb(len(base) + degree, degree) + len(once) * math.comb(len(base) + degree - 1, degree - 1) > columns:
            break
        several = _longer(form, several, base)
        with_one = _longer(form, with_one, base) if degree > 1 else with_one
        products += [each for _, each in (*several, *with_one)]
        found = combine([*products, *_squares(hypotheses, base, degree)])
        if found is not None:
            return found
    return None


def _by_squares(hypotheses: Hypotheses, goal: Tree, base: Sequence[Column], columns: int) -> Certificate | None:
    """Look for a sum of binomial squares, beside the hypotheses themselves."""
    form = hypotheses.form
    products = [*base]
    for square in binomial_squares(form, form.ratio(goal).num, columns):
        factors = [hypotheses.excess(label)[0] for label, _ in square.factors]
        value = form.multiply(*factors, form.power(form.ratio(square.root), 2))
        products.append(Column(square.factors, square.root, value, False, 2))
    return combine(products) if len(products) > len(base) else None


# --- hypotheses that may help --------------------------------------------------------------------


def candidate_labels(hypotheses: Hypotheses, goal: Tree) -> list[Any]:
    """Labels, each of which the checker can derive, of the hypotheses that speak of the atoms of a goal."""
    domain = hypotheses.domain
    wanted: list[Any] = [["where", position] for position in plain(domain)]
    ratios = _ratios(hypotheses, goal)
    atoms = atoms_of(hypotheses, ratios)
    each: list[Any] = []
    for _ in range(_ROUNDS):  # what is said at one entry may speak of another
        each = _distinct(hypotheses, list(at_entries(hypotheses, atoms)))
        if not each:
            break
        atoms = atoms_of(hypotheses, [*ratios, *(hypotheses.excess(label)[0] for label in each)])
    wanted += each
    vectors = {atom.key[1] for atom in atoms if atom.key[0] == "item"}
    sums = {name for atom in atoms if atom.key[0] == "sum" for name in atom.names}
    for declared in domain["parameters"]:
        if declared["range"] == "vector" and declared["name"] in sums - vectors:
            wanted += [["cauchy", declared["name"]], ["square_sum", declared["name"]]]
    for atom in atoms:
        wanted += _labels_of(atom)
    wanted += _between_gammas(hypotheses, atoms)
    return _distinct(hypotheses, wanted)


def at_entries(hypotheses: Hypotheses, atoms: Sequence[Atom]) -> Iterator[Any]:
    """What the domain says of all indices, at those where it speaks of an entry that some atoms speak of.

    Labels that the checker may be able to derive or not.
    """
    known = closed([atom.key for atom in atoms], "item")
    for position, given in enumerate(hypotheses.domain["where"]):
        spoken = (node for side in given[3][1:] for node in walk(from_json(side, depth=1))) if given[0] == "all" else ()
        for vector, index in dict.fromkeys(node[1:] for node in spoken if node[0] == "item" and len(node) == 3):
            shift = entry(index, rational(0)) if is_closed(index, 1) else None
            if shift is not None and ("b", 0) in walk(index):
                yield from (["each", position, subtract(item[2], shift)] for item in known if item[1:2] == (vector,))


def _ratios(hypotheses: Hypotheses, goal: Tree) -> list[Ratio]:
    """The normal forms of a goal and of those relations of the domain that have one."""
    found = [hypotheses.form.ratio(goal)]
    for position in plain(hypotheses.domain):
        with suppress(Rejected):
            found.append(hypotheses.excess(["where", position])[0])
    return found


def atoms_of(hypotheses: Hypotheses, ratios: Sequence[Ratio]) -> list[Atom]:
    """The atoms of some ratios and, inside them, the parameters."""
    form = hypotheses.form
    used = {position for ratio in ratios for poly in ratio for position in form.used(poly)}
    names = frozenset().union(*(form.atoms[position].names for position in used))
    inner = {k for k, atom in enumerate(form.atoms) if atom.key[0] == "v" and atom.key[1] in names}
    return [form.atoms[position] for position in sorted(used | inner)]


def _labels_of(atom: Atom) -> Iterator[Any]:
    """What is known about one atom."""
    head = atom.key[0]
    if head in ("v", "item"):
        yield from (["low", atom.key], ["high", atom.key])
    if head == "log":
        for end in ("low", "high"):
            yield ["log", [end, atom.key[1]]]
    if head in ("log", "exp"):
        growing = atom.key[1] if head == "log" else atom.key
        yield from (["tangent", growing], ["tangent", ("^", growing, rational(-1))])
    if head == "erf":
        yield ["tail", atom.key[1]]
    if head == "log" and atom.key[1][0] == "gamma":
        yield ["stirling", atom.key[1][1]]
    if head == "sum" and atom.key[1] == ONE and atom.key[3] == _INVERSE_SQUARE:
        yield ["basel", atom.key[2]]
    if head == "abs":
        yield from (["above", atom.key[1]], ["below", atom.key[1]])
    if head == "floor":
        yield from (["floor", atom.key[1]], ["ceiling", atom.key[1]])
    if isinstance(atom.range.low, Fraction):
        yield ["sign", subtract(atom.key, rational(Fraction(math.floor(atom.range.low * _GRAIN), _GRAIN)))]
    if isinstance(atom.range.high, Fraction):
        least = rational(Fraction(math.ceil(atom.range.high * _GRAIN), _GRAIN))
        yield ["sign", subtract(least, atom.key)]


def _between_gammas(hypotheses: Hypotheses, atoms: Sequence[Atom]) -> Iterator[Any]:
    """Where gamma functions, or logarithms of them, are half a step apart, or one halfway between two others."""
    form, half = hypotheses.form, rational(Fraction(1, 2))
    functions = [atom.key[1] if atom.key[0] == "log" else atom.key for atom in atoms]
    arguments = [function[1] for function in functions if function[0] == "gamma"]
    for low, high in itertools.permutations(dict.fromkeys(arguments), 2):
        middle = form.tree(form.ratio(multiply(half, add(low, high))))
        pairs = [(low, high)] if middle in arguments else []
        if form.vanishes(subtract(subtract(high, low), half)):
            pairs = [(low, add(low, ONE)), (subtract(low, half), high), (high, add(high, ONE))]
        yield from (label for pair in pairs for label in (["hölder", *pair], ["log", ["hölder", *pair]]))


def _distinct(hypotheses: Hypotheses, labels: Sequence[Any]) -> list[Any]:
    """The labels that can be derived and say something, each expression once."""
    found: dict[str, Any] = {}
    for label in labels:
        try:
            value, _ = hypotheses.excess(label)
        except Rejected:
            continue
        if not value.num.is_constant():
            found.setdefault(f"{value.num}/{value.den}", label)
    return list(found.values())


# --- columns of the linear programme -------------------------------------------------------------


def _base_columns(hypotheses: Hypotheses, goal: Tree, labels: Sequence[Any], *, strict: bool) -> list[Column]:
    """The negated goal, also cleared of its denominator, and the hypotheses."""
    form = hypotheses.form
    negated = form.multiply(form.constant(-1), form.ratio(goal))
    columns = [Column((("n", 1),), None, negated, not strict, 1)]
    den = Ratio(negated.den)
    size = form.bounds(den)
    if not den.num.is_constant() and (size.positive or (-size).positive):
        turned = den if size.positive else form.multiply(form.constant(-1), den)
        factors = (("n", 1), (["sign", form.tree(turned)], 1))
        columns.append(Column(factors, None, form.multiply(negated, turned), not strict, 1))
    return [*columns, *_columns(hypotheses, labels)]


def _columns(hypotheses: Hypotheses, labels: Sequence[Any]) -> list[Column]:
    """The hypotheses themselves."""
    return [Column(((label, 1),), None, *hypotheses.excess(label), 1) for label in labels]


def _inverses(hypotheses: Hypotheses, columns: Sequence[Column]) -> list[Column]:
    """That the atoms by which some columns are divided have a positive inverse."""
    form = hypotheses.form
    dens = {str(column.value.den): Ratio(column.value.den) for column in columns if form.single(column.value.den)}
    inverses = [form.power(den, -1) for den in dens.values() if form.bounds(den).positive]
    return _columns(hypotheses, [["sign", form.tree(inverse)] for inverse in inverses])


def _longer(
    form: NormalForm, shorter: Sequence[tuple[int, Column]], base: Sequence[Column]
) -> list[tuple[int, Column]]:
    """Products with one more column of the base, each once: with the place of its last one, from which others go on."""
    return [(k, _times(form, product, base[k])) for last, product in shorter for k in range(last, len(base))]


def _times(form: NormalForm, one: Column, other: Column) -> Column:
    value = form.multiply(one.value, other.value)
    return Column((*one.factors, *other.factors), None, value, one.strict and other.strict, one.degree + other.degree)


def _squares(hypotheses: Hypotheses, base: Sequence[Column], degree: int) -> Iterator[Column]:
    """Squares of atoms and of sums and differences of two."""
    form = hypotheses.form
    used = sorted({position for column in base[:1] for position in form.used(column.value.num)})
    if degree < 2 or len(used) > _SQUARED_ATOMS:
        return
    keys = [form.atoms[position].key for position in used]
    pairs = list(itertools.combinations(keys, 2))
    for root in [*keys, *(subtract(a, b) for a, b in pairs), *(("+", a, b) for a, b in pairs)]:
        yield Column((), root, form.power(form.ratio(root), 2), False, 2)


def combine(columns: Sequence[Column]) -> Certificate | None:
    """A certificate, exact, of a positive combination that is 0 though a column of it is positive, if there is one."""
    polys = _in_few(_common(columns))
    if sum(map(len, polys)) > _ENTRIES:
        return None
    rows: dict[tuple[Any, ...], int] = {}
    places = [[rows.setdefault(monomial, len(rows)) for monomial in poly.monoms()] for poly in polys]
    support = _vertex(columns, polys, places, len(rows))
    weights = _exact(columns, polys, places, len(rows), support) if support else None
    if weights is None:
        return None
    terms = [_term_json(columns[k], weight) for k, weight in zip(support, weights, strict=True) if weight > 0]
    return {"kind": "psatz", "terms": terms}


def _common(columns: Sequence[Column]) -> list[fmpq_mpoly]:
    """The numerators over one common denominator."""
    common = columns[0].value.den
    for column in columns:
        if not column.value.den.is_one():
            common = common * (column.value.den / common.gcd(column.value.den))
    return [column.value.num * (common / column.value.den) for column in columns]


def _in_few(polys: Sequence[fmpq_mpoly]) -> Sequence[fmpq_mpoly]:
    """The same polynomials in the generators that occur: the exponents of all others take most of the time."""
    degrees = zip(*(poly.degrees() for poly in polys), strict=True)
    used = [position for position, each in enumerate(degrees) if any(each)]
    places: dict[str | int, str | int] = {position: k for k, position in enumerate(used)}
    names = polys[0].context().names()
    few = fmpq_mpoly_ctx.get([names[position] for position in used], Ordering.lex)
    return [poly.project_to_context(few, places) for poly in polys] if used else polys


def _vertex(
    columns: Sequence[Column], polys: Sequence[fmpq_mpoly], places: Sequence[Sequence[int]], rows: int
) -> list[int]:
    """The columns that a vertex of the linear programme uses; low degrees are preferred."""
    try:
        values = np.array([float(value) for poly in polys for value in poly.coeffs()])
    except OverflowError:  # a coefficient so large that a float cannot hold it
        return []
    at = np.array([*itertools.chain(*places)], dtype=int)
    across = np.repeat(np.arange(len(columns)), [*map(len, places)])
    strict = np.flatnonzero([column.strict for column in columns])
    if not _cancelling(values, at, across, len(columns))[strict].any():
        return []
    entries = np.concatenate([values, np.ones(len(strict))])
    at, across = np.concatenate([at, np.full(len(strict), rows)]), np.concatenate([across, strict])
    matrix = csc_matrix((entries, (at, across)), shape=(rows + 1, len(columns)))
    right = np.zeros(rows + 1)
    right[-1] = 1.0
    cost = [1.0 + column.degree for column in columns]
    found = linprog(cost, A_eq=matrix, b_eq=right, bounds=(0, None), method="highs-ds")
    return [] if found.x is None else [k for k, weight in enumerate(found.x) if weight > _NEGLIGIBLE]


def _cancelling(values: np.ndarray, at: np.ndarray, across: np.ndarray, columns: int) -> np.ndarray:
    """Which columns may have a weight: each of their monomials stands with both signs in columns that may."""
    cancelling = np.ones(columns, dtype=bool)
    while True:
        kept = cancelling[across]
        alone = np.logical_xor(*(np.isin(at, at[kept & (sign * values > 0)]) for sign in (1, -1)))
        if not (kept & alone).any():
            return cancelling
        cancelling[across[kept & alone]] = False


def _exact(
    columns: Sequence[Column],
    polys: Sequence[fmpq_mpoly],
    places: Sequence[Sequence[int]],
    rows: int,
    support: Sequence[int],
) -> list[Fraction] | None:
    """The weights of the supporting columns, exactly; None where no positive ones exist."""
    matrix = fmpq_mat(rows + 1, len(support) + 1)
    for place, k in enumerate(support):
        for row, value in zip(places[k], polys[k].coeffs(), strict=True):
            matrix[row, place] = value
        matrix[rows, place] = fmpq(int(columns[k].strict))
    matrix[rows, len(support)] = fmpq(1)
    reduced, rank = matrix.rref()
    weights = [Fraction(0)] * len(support)
    for row in range(rank):
        pivot = next(place for place in range(len(support) + 1) if reduced[row, place] != 0)
        if pivot == len(support):
            return None
        value = reduced[row, len(support)]
        weights[pivot] = Fraction(int(value.p), int(value.q))
    return weights if min(weights) >= 0 else None


def _term_json(column: Column, weight: Fraction) -> dict[str, Any]:
    factors = [[label, power] for label, power in column.factors]
    term: dict[str, Any] = {"weight": [weight.numerator, weight.denominator], "factors": factors}
    return term if column.square is None else term | {"square": column.square}
