"""What the checker accepts of a cover by boxes, each leaf of which ball arithmetic decides.

The bounded scalar parameters of the domain span a root box with rational ends. A certificate is a binary subdivision
of it whose boxes nobody can state wrongly, because every ``split`` halves its box at the midpoint (integers and choices
at the gap next to it) and the checker derives all ends itself::

    {"kind": "boxes", "points": [{name: tree, …}, …], "tree": node}

    node = ["split", name, node, node]   the lower half, the upper half
         | ["ball"]                      the goal's ball over the box is non-negative
         | ["mean-value"]                its second-order Taylor form at the midpoint is
         | ["touch", k]                  the goal vanishes at points[k] and rises from there
         | ["outside", k]                relation k of the domain fails on the whole box

Every rule of a leaf is one-sided: True is a proof, at flint's present precision; False says nothing. It speaks about
all points of the box at which the goal is defined.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb, fmpq

from boundaudit.checks.language.algebra.derivatives import NotDifferentiable, derivative
from boundaudit.checks.language.algebra.normal_form import vanishes
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.arithmetic import Ball, Undefined, evaluate, precision
from boundaudit.checks.language.expression import Tree, from_json, names, substitute
from boundaudit.checks.language.statement import Statement, trees_of
from boundaudit.checks.proof.kernel.domains import Domain, between, plain

Interval: TypeAlias = "tuple[fmpq, fmpq]"
Box: TypeAlias = dict[str, Interval]
Demand: TypeAlias = tuple[Tree, str, Tree]

PRECISION = 128
_INCONCLUSIVE = (Undefined, NotDifferentiable)


def midpoint(box: Box) -> dict[str, fmpq]:
    """The centre of a box."""
    return {name: (low + high) / 2 for name, (low, high) in box.items()}


def balls(box: Box) -> dict[str, Ball]:
    """A box as a point whose coordinates are balls; exact rationals where the box has no width."""
    return {name: low if low == high else arb(low).union(arb(high)) for name, (low, high) in box.items()}


def certainly_semidefinite(matrix: Sequence[Sequence[Ball]]) -> bool:
    """Whether every symmetric matrix within a matrix of balls is positive semidefinite."""
    # Elimination on balls contains that of each matrix; its pivots must be positive, the last one non-negative.
    rest = [list(row) for row in matrix]
    while len(rest) > 1:
        (pivot, *top), *lower = rest
        if not pivot > 0:
            return False
        rest = [[x - row[0] * t / pivot for x, t in zip(row[1:], top, strict=True)] for row in lower]
    return not rest or bool(rest[0][0] >= 0)


class Landscape:
    """The goal of a statement, strict where it has to be positive; each derivative is made once."""

    def __init__(self, goal: Tree, *, strict: bool = False) -> None:
        self.goal, self.strict = goal, strict
        self.slope = functools.cache(functools.partial(derivative, goal))
        self._curvature = functools.cache(lambda a, b: derivative(self.slope(a), b))
        self._vanishes = functools.cache(vanishes)  # what a check costs depends on no other

    def axes(self, box: Box) -> list[str]:
        """The parameters that occur in the goal and vary on the box, sorted."""
        return sorted(name for name in names(self.goal) if box[name][0] != box[name][1])

    def _hessian(self, axes: Sequence[str], point: Mapping[str, Ball]) -> list[list[Ball]]:
        """The symmetric matrix of second derivatives, enclosed over a point or a box of balls."""
        entries = {(a, b): evaluate(self._curvature(a, b), point) for a in axes for b in axes if a >= b}
        return [[entries[max(a, b), min(a, b)] for b in axes] for a in axes]

    def by_ball(self, box: Box) -> bool:
        """Whether the goal's ball over the box is certainly non-negative, or positive where it has to be."""
        try:
            value = evaluate(self.goal, balls(box))
            return bool(value > 0 if self.strict else value >= 0)
        except Undefined:
            return False

    def by_mean_value(self, box: Box) -> bool:
        """Whether the Taylor form of second order around the midpoint is certainly non-negative."""
        # With radii r, midpoint value f, slopes g and the enclosure H of the second derivatives over the box,
        # the goal is at least f - Σ|g_i| r_i + d'Hd/2 for some |d_i| ≤ r_i. Let the first two terms leave
        # the slack s ≥ 0. Scaled by the radii, d'Hd/2 ≥ -s on the box as soon as rHr + (2s/n) I is positive
        # semidefinite. (Our derivation.)
        axes, centre = self.axes(box), midpoint(box)
        radius = {name: (box[name][1] - box[name][0]) / 2 for name in axes}
        try:
            slopes = (abs(arb(evaluate(self.slope(name), centre))) * radius[name] for name in axes)
            slack = evaluate(self.goal, centre) - sum(slopes, fmpq(0))
            if not axes or not slack >= 0:
                return False
            point = balls(box)
            evaluate(self.goal, point)
            rows = self._hessian(axes, point)
        except _INCONCLUSIVE:
            return False
        lift = 2 * slack / len(axes)
        for a, row in zip(axes, rows, strict=True):
            row[:] = [h * radius[a] * radius[b] + lift * (a == b) for h, b in zip(row, axes, strict=True)]
        return certainly_semidefinite(rows)

    def by_touch(self, box: Box, point: Mapping[str, Tree]) -> bool:
        """Whether the goal, zero at an exact point, rises from there over the box."""
        # On the hull of box and point every axis is of one of two kinds. Where the box lies on one side of
        # the point and the slope certainly never falls in that direction, moving along the axis keeps the
        # goal up. On the other axes the slope vanishes at the point and the second derivatives are
        # positive semidefinite. From the point to any place of the box one moves along the axes of the
        # second kind together, then along those of the first. (Our derivation.)
        try:
            zero = {name: point[name] for name in names(self.goal)}
            start = {name: evaluate(tree, {}) for name, tree in zero.items()}
            hull = {name: _hull(box[name], start[name]) for name in zero}
            evaluate(self.goal, hull)
            moving = sorted(name for name in zero if not box[name][0] == box[name][1] == start[name])
            flat = [name for name in moving if not self._rises(name, box[name], start[name], hull)]
            if not certainly_semidefinite(self._hessian(flat, hull)):
                return False
        except _INCONCLUSIVE:
            return False
        return all(self._vanishes(substitute(tree, zero)) for tree in (self.goal, *map(self.slope, flat)))

    def _rises(self, name: str, side: Interval, start: Ball, hull: Mapping[str, Ball]) -> bool:
        slope = evaluate(self.slope(name), hull)
        return bool((start <= side[0] and slope >= 0) or (start >= side[1] and slope <= 0))


def _hull(side: Interval, start: Ball) -> Ball:
    return side[0] if side[0] == side[1] == start else arb(side[0]).union(arb(side[1])).union(arb(start))


def relations(domain: Domain) -> list[Demand]:
    """The comparisons of a domain: its inequalities first, then the ends of integers and reals."""
    plain_ones = (domain["where"][position] for position in plain(domain))
    found = [(from_json(left), relation, from_json(right)) for relation, left, right in plain_ones]
    numbers = (parameter for parameter in domain["parameters"] if parameter["range"] in {"integers", "reals"})
    return found + [demand for parameter in numbers for demand in between(parameter, ("v", parameter["name"]))]


def root_box(domain: Domain) -> Box:
    """A box with rational ends that certainly contains the domain's bounded scalar parameters."""
    # Ends that are irrational or vary with earlier parameters are rounded outwards; unbounded
    # parameters, empty ranges, vectors and subsets are left out.
    box: Box = {}
    for parameter in domain["parameters"]:
        ends = _ends(parameter)
        if ends and all(names(end) <= box.keys() for end in ends):
            values = [evaluate(end, balls(box)) for end in ends]
            low, high = _outwards(values[0])[0], _outwards(values[-1])[1]
            if parameter["range"] == "integers":
                low, high = fmpq(low.ceil()), fmpq(high.floor())
            if low <= high:
                box[parameter["name"]] = (low, high)
    return box


def _ends(parameter: Mapping[str, Any]) -> list[Tree]:
    """Of a number that is bounded; the values of a choice, in order."""
    if parameter["range"] == "choices":
        return sorted(map(from_json, parameter["values"]), key=lambda value: Fraction(value[1], value[2]))
    trees = trees_of(parameter)
    return [trees["low"], trees["high"]] if trees.keys() == {"low", "high"} else []  # not of vectors


def _outwards(value: Ball) -> Interval:
    return (value, value) if isinstance(value, fmpq) else (value.lower().fmpq(), value.upper().fmpq())


def halves(parameter: Mapping[str, Any], interval: Interval) -> tuple[Interval, Interval]:
    """The two parts of an interval, at its midpoint, that together hold every value of the parameter in it."""
    low, high = interval
    if low == high:
        raise Rejected(f"{parameter['name']} has one value on this box and cannot be split")
    middle = (low + high) / 2
    if parameter["range"] == "reals":
        return (low, middle), (middle, high)
    if parameter["range"] == "integers":
        return (low, fmpq(middle.floor())), (fmpq(middle.floor() + 1), high)
    values = [fmpq(v[1], v[2]) for v in parameter["values"]]
    return (low, max(v for v in values if v <= middle)), (min(v for v in values if v > middle), high)


def fails(demand: Demand, box: Box) -> bool:
    """Whether a comparison is certainly false on a whole box."""
    left, right = (evaluate(side, balls(box)) for side in demand[::2])
    return bool({"<=": left > right, "<": left >= right, ">=": left < right, ">": left <= right}[demand[1]])


def check_boxes(statement: Statement, certificate: Mapping[str, Any]) -> None:
    """Accept a cover of the root box by boxes on which the goal is non-negative, or raise."""
    goal = Landscape(statement.goal, strict=statement.is_strict)
    kinds = {parameter["name"]: parameter for parameter in statement.domain["parameters"]}
    points = [{name: from_json(tree, 0, {}) for name, tree in point.items()} for point in certificate["points"]]
    demands = relations(statement.domain)
    with precision(PRECISION):
        open_nodes = [(certificate["tree"], root_box(statement.domain))]
        if not names(goal.goal) <= open_nodes[0][1].keys():
            raise Rejected("a parameter of the goal is not bounded by constants")
        while open_nodes:
            node, box = open_nodes.pop()
            if node[0] == "split":
                _, name, low, high = node
                lower, upper = halves(kinds[name], box[name])
                open_nodes += [(low, {**box, name: lower}), (high, {**box, name: upper})]
            elif statement.is_strict and node[0] in ("mean-value", "touch"):
                raise Rejected(f"a leaf {node[0]} does not tell more from equal")
            elif not _holds(node, goal, box, points, demands):
                raise Rejected(f"leaf {node} does not hold on {box}")


def _holds(
    node: Sequence[Any], goal: Landscape, box: Box, points: Sequence[Mapping[str, Tree]], demands: Sequence[Demand]
) -> bool:
    match node:
        case ["ball"]:
            return goal.by_ball(box)
        case ["mean-value"]:
            return goal.by_mean_value(box)
        case ["touch", int(k)] if 0 <= k < len(points):
            return goal.by_touch(box, points[k])
        case ["outside", int(k)] if 0 <= k < len(demands):
            return fails(demands[k], box)
    raise Rejected(f"unknown leaf {node}")
