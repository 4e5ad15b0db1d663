"""Counterexamples: exact points of a domain, and a quick search for one at its ends and inside."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import flint
from flint import arb, fmpq

from boundaudit.checks.language.arithmetic import spend, spent
from boundaudit.checks.language.balls import Undefined, evaluate, precision
from boundaudit.checks.language.compare import compare, sign
from boundaudit.checks.language.expression import FOLDS, Tree, children, from_json, names, opened, rational
from boundaudit.checks.language.relations import holds
from boundaudit.checks.language.statement import Statement, put_in
from boundaudit.checks.language.unrolled import rolled_out
from boundaudit.checks.proof.engine import Context, Refuted
from boundaudit.checks.proof.kernel.domains import Domain

Point = dict[str, Any]

_HOLDS = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}
_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19)
_BITS = 128
_CORNERS = 81
_POINTS = 160
_REACH = 12
_LARGEST_SUM = 64
_APART = 6
"""Points that are passed over for each that is tried where vectors have to be moved to where they may be."""
_WORK = 200_000
"""Nodes that a probe evaluates, counted before it does: sums over sums grow quickly."""


def contains(domain: Domain, point: Mapping[str, Any]) -> bool:
    """Whether an exact point certainly satisfies every range and relation of a domain, as JSON.

    Matrices and families of subsets do not occur in trees and are not looked at.
    """
    try:
        return all(_inside(declared, point) for declared in domain["parameters"]) and _obeys(_relations(domain), point)
    except (Undefined, KeyError):
        return False


def _relations(domain: Domain) -> list[Any]:
    """What binds the parameters, read."""
    return [put_in(entry, lambda tree: tree) for entry in domain["where"]]


def _obeys(relations: Sequence[Any], point: Mapping[str, Any]) -> bool:
    try:
        return all(holds(entry, point) for entry in relations)
    except (Undefined, KeyError):
        return False


def refutes(statement: Statement, point: Mapping[str, Any]) -> bool:
    """Whether exact or ball arithmetic shows that a point violates a statement; False says nothing about it."""
    if not contains(statement.domain, point):
        return False
    try:
        found = sign(statement.goal, point)
    except Undefined:
        return False
    return found is not None and (found != 0 if statement.relation == "=" else found < statement.is_strict)


def probe(statement: Statement, _: Context) -> None:
    """An engine that proves nothing: it looks for a point against a statement."""
    point = point_against(statement)
    if point is not None:
        raise Refuted(point)


def point_against(statement: Statement) -> Point | None:
    """The first of the corners, midpoints and an even spread of exact points that refutes a statement."""
    left, relations = float(_WORK), _relations(statement.domain)
    for point in _points(statement.domain):
        if point is None or (cost := work(statement.goal, point)) > left:
            continue
        left -= cost
        # Most points that violate it break a relation: that is told sooner than that they lie in all ranges.
        if _violated(statement, point) and _obeys(relations, point) and refutes(statement, point):
            return dict(point)
    return None


def _points(domain: Domain) -> Iterator[Point | None]:
    """Points of a domain, each drawn when it is first asked for; who asks for it again pays the same steps."""
    ranges, drawn = _drawn_in(domain), _drawn(repr(domain), flint.ctx.prec)
    step = _APART if any(entry[0] == "all" for entry in domain["where"]) else 1
    for place, units in enumerate(itertools.islice(_units(len(ranges)), 0, None, step)):
        if place == len(drawn):
            before = spent()
            drawn.append((_point(domain, ranges, units), spent() - before))
        else:
            spend(drawn[place][1])
        yield drawn[place][0]


@functools.lru_cache(maxsize=32)
def _drawn(_written: str, _bits: int) -> list[tuple[Point | None, float]]:
    """The points drawn so far from a domain that is so written, and their steps: sub-goals share their domains."""
    return []


def work(tree: Tree, point: Mapping[str, Any]) -> float:
    """About how many nodes an evaluation visits; a sum counts its middle term for all.

    Infinite where a sum has no limits at the point.
    """
    outside, folds = _apart(tree)
    return outside + sum(_work_of_fold(fold, point) for fold in folds)


@functools.lru_cache(maxsize=256)
def _apart(tree: Tree) -> tuple[int, tuple[Tree, ...]]:
    """How many nodes stand outside of sums, and the outermost sums."""
    if tree[0] in FOLDS:
        return 0, (tree,)
    found = [_apart.__wrapped__(part) for part in children(tree)]
    return 1 + sum(outside for outside, _ in found), tuple(fold for _, folds in found for fold in folds)


def _work_of_fold(fold: Tree, point: Mapping[str, Any]) -> float:
    try:
        low, high = (float(arb(evaluate(part, point))) for part in fold[1:3])
    except (Undefined, KeyError, IndexError):
        return math.inf
    outside, inner = _apart(fold[3])
    middle = work(opened(fold, rational(math.floor((low + high) / 2))), point) if inner else outside
    return 1 + max(0.0, high - low + 1) * middle


def point_at(domain: Domain, units: Sequence[Fraction]) -> Point | None:
    """The point of a domain, as JSON, at coordinates of the unit cube, vectors as tuples.

    None where a range is empty or not understood.
    """
    return _point(domain, _drawn_in(domain), units)


def _point(domain: Domain, ranges: Sequence[Mapping[str, Any]], units: Sequence[Fraction]) -> Point | None:
    """The same from the ranges as they are drawn in."""
    point: Point = {}
    for declared, unit in zip(ranges, units, strict=True):
        try:
            value = _VALUES[declared["range"]](declared, unit, point)
        except (Undefined, KeyError):
            return None
        if value is None:
            return None
        point[declared["name"]] = value
    each = [entry for entry in domain["where"] if entry[0] == "all"]
    return _obeying(domain, each, point) if each else point


def _obeying(domain: Domain, each: Sequence[Any], point: Point) -> Point | None:
    """The point with its vectors where what is said of all indices holds."""
    vectors = {found["name"]: _read(found) for found in domain["parameters"] if found["range"] == "vector"}

    def ends(name: str, at: Mapping[str, Any]) -> Any:
        declared = vectors[name]
        return _end(declared["low"], dict(at)), _end(declared["high"], dict(at)), *_span(declared, dict(at))

    return rolled_out([put_in(entry, lambda tree: tree) for entry in each], list(vectors), ends, point)


def _violated(statement: Statement, point: Point) -> bool:
    """Whether the ball of the goal certainly violates; whether the point counts is asked afterwards."""
    try:
        with precision(_BITS):
            value = evaluate(statement.goal, point)
    except (Undefined, KeyError, IndexError):
        return False
    below = value <= 0 if statement.is_strict else value < 0
    return bool(below) or (statement.relation == "=" and bool(value > 0))


def _units(dimension: int) -> Iterator[tuple[Fraction, ...]]:
    """Corners and midpoints first, then a Halton sequence."""
    marks = (Fraction(0), Fraction(1), Fraction(1, 2))
    yield from itertools.islice(itertools.product(marks, repeat=dimension), _CORNERS)
    for step in range(1, _POINTS + 1):
        yield tuple(_radical_inverse(step, _PRIMES[k % len(_PRIMES)]) for k in range(dimension))


@functools.cache
def _radical_inverse(step: int, base: int) -> Fraction:
    result, scale = Fraction(0), Fraction(1)
    while step:
        step, digit = divmod(step, base)
        scale /= base
        result += digit * scale
    return result


# --- values of one parameter ---------------------------------------------------------------------


def _end(tree: Any, point: Point) -> Fraction | None:
    """An end of a range; an irrational one nearly, perhaps outside: membership is checked later."""
    if tree is None:
        return None
    value = evaluate(tree, point)
    if isinstance(value, fmpq):
        return Fraction(int(value.p), int(value.q))
    return Fraction(float(value.mid())).limit_denominator(2**40)


def _span(declared: Mapping[str, Any], point: Point) -> tuple[Fraction, Fraction]:
    low, high = _end(declared["low"], point), _end(declared["high"], point)
    if low is None:
        return (Fraction(-_REACH), Fraction(_REACH)) if high is None else (high - _REACH, high)
    return low, low + _REACH if high is None else high


_TREES = ("low", "high", "length", "square_sum", "count", "size", "of", "rows", "columns")
"""What of a declaration is a tree, or None."""


def _read(declared: Mapping[str, Any]) -> dict[str, Any]:
    """A declaration with its trees read, which checks them, once for all points."""
    read = {name: from_json(declared[name]) for name in _TREES if declared.get(name) is not None}
    values = {"values": [from_json(value) for value in declared["values"]]} if "values" in declared else {}
    return {**declared, **read, **values}


def _drawn_in(domain: Domain) -> list[dict[str, Any]]:
    """The declarations with their ends drawn in by the relations that compare a parameter with those before it."""
    found: list[dict[str, Any]] = []
    inequalities = [entry for entry in domain["where"] if entry[0] not in ("or", "all")]
    for declared in map(_read, domain["parameters"]):
        subject, known = ("v", declared["name"]), {before["name"] for before in found}
        for relation, left, right in inequalities if "low" in declared else ():
            for one, other, below in ((left, right, "<"), (right, left, ">")):
                if tuple(one) == subject and names(bound := from_json(other)) <= known:
                    side, head = ("high", "min") if relation.startswith(below) else ("low", "max")
                    declared[side] = bound if declared[side] is None else (head, declared[side], bound)
        found.append(declared)
    return found


def _integer(declared: Mapping[str, Any], unit: Fraction, point: Point) -> int | None:
    low, high = _span(declared, point)
    first, last = -(-low // 1), high // 1
    return None if last < first else int(first + round(unit * (last - first)))


def _real(declared: Mapping[str, Any], unit: Fraction, point: Point) -> Fraction | None:
    low, high = _span(declared, point)
    opens = declared.get("open", (False, False))
    inner = (unit * 62 + 1) / 64
    place = inner if (opens[0] and unit == 0) or (opens[1] and unit == 1) else unit
    return None if high < low else low + place * (high - low)


def _choice(declared: Mapping[str, Any], unit: Fraction, point: Point) -> Fraction | None:
    values = declared["values"]
    return _end(values[min(int(unit * len(values)), len(values) - 1)], point)


def _vector(declared: Mapping[str, Any], unit: Fraction, point: Point) -> tuple[Fraction, ...] | None:
    count, limit = _end(declared["length"], point), _end(declared["square_sum"], point)
    if count is None or count > _LARGEST_SUM:
        return None
    return _entries(int(count), *_span(declared, point), unit, limit)


@functools.lru_cache(maxsize=4096)
def _entries(count: int, low: Fraction, high: Fraction, unit: Fraction, limit: Fraction | None) -> tuple[Fraction, ...]:
    """Equal entries at the first coordinates, then entries that differ, scaled into the ball; sub-goals share them."""
    steps, span = 4 * unit.denominator, high - low
    shares = (Fraction(7 * (k + 1) * unit.numerator % steps, steps) for k in range(count))
    entries = [low + share * span for share in shares] if unit.denominator > 2 else [low + unit * span] * count
    total = Fraction(0) if limit is None else sum((entry**2 for entry in entries), Fraction(0))
    if limit is not None and total > limit:
        size = Fraction(float(total / limit) ** 0.5).limit_denominator(2**20)
        entries = [entry / (size + Fraction(1, 2**19)) for entry in entries]
    return tuple(entries)


def _subsets(declared: Mapping[str, Any], _: Fraction, point: Point) -> tuple[tuple[int, ...], ...] | None:
    """The first subsets in lexicographic order: they do not occur in trees."""
    count, size, of = (_end(declared[key], point) for key in ("count", "size", "of"))
    if count is None or size is None or of is None:
        return None
    found = tuple(itertools.islice(itertools.combinations(range(1, int(of) + 1), int(size)), int(count)))
    return found if len(found) == count else None


def _matrix(declared: Mapping[str, Any], unit: Fraction, point: Point) -> tuple[tuple[Fraction, ...], ...] | None:
    """The vector of the entries, folded into rows; matrices do not occur in trees either."""
    rows, columns = (_end(declared[key], point) for key in ("rows", "columns"))
    if rows is None or columns is None or min(rows, columns) < 1:
        return None
    m, n = int(rows), int(columns)
    entries = _vector({**declared, "length": ("q", m * n, 1)}, unit, point)
    return None if entries is None else tuple(entries[i * n : (i + 1) * n] for i in range(m))


_VALUES = {
    "integers": _integer, "reals": _real, "choices": _choice, "vector": _vector, "matrix": _matrix, "subsets": _subsets,
}  # fmt: skip


# --- membership ----------------------------------------------------------------------------------


def _inside(declared: Mapping[str, Any], point: Mapping[str, Any]) -> bool:
    kind, value = declared["range"], point[declared["name"]]
    if kind in ("subsets", "matrix"):
        return True
    if kind == "choices":
        return any(compare(("v", "value"), from_json(found), {"value": value}) == 0 for found in declared["values"])
    if kind == "integers":
        return Fraction(value).denominator == 1 and _between(declared, value, point)
    if kind == "reals":
        return _between(declared, value, point)
    return all(_between(declared, entry, point) for entry in value) and _fits(declared, value, point)


def _fits(declared: Mapping[str, Any], entries: Sequence[Any], point: Mapping[str, Any]) -> bool:
    """Whether a vector has its length and keeps within its ball."""
    if compare(("q", len(entries), 1), from_json(declared["length"]), point) != 0:
        return False
    if declared["square_sum"] is None:
        return True
    total = functools.reduce(operator.add, (Fraction(entry) ** 2 for entry in entries), Fraction(0))
    return _relation("<=", compare(_leaf(total), from_json(declared["square_sum"]), point))


def _between(declared: Mapping[str, Any], value: Any, point: Mapping[str, Any]) -> bool:
    opens = declared.get("open", (False, False))
    for side, relation, is_open in (("low", ">", opens[0]), ("high", "<", opens[1])):
        if declared[side] is not None:
            found = compare(_leaf(value), from_json(declared[side]), point)
            if not _relation(relation if is_open else relation + "=", found):
                return False
    return True


def _leaf(value: Any) -> Tree:
    exact = Fraction(value)
    return ("q", exact.numerator, exact.denominator)


def _relation(relation: str, found: int | None) -> bool:
    return found is not None and bool(_HOLDS[relation](found, 0))
