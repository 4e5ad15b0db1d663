"""Branch and bound with balls: subdivide until every box is decided, or one shows a counterexample.

Boxes are taken level by level, so that a place where the goal touches zero and no
touch point is known cannot keep the search from looking elsewhere. At such a place
the boxes that stay undecided betray where the goal vanishes: the simplest number in
them, or the root of the simplest number, is tried as a touch point.
"""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.balls import Undefined, evaluate, precision
from boundaudit.checks.language.expression import Tree, multiply, names, rational
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Context, Refuted
from boundaudit.checks.proof.kernel.boxes import (
    PRECISION,
    Box,
    Demand,
    Interval,
    Landscape,
    fails,
    halves,
    midpoint,
    relations,
    root_box,
)
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.witness import refutes, work

# An undecided box whose sides are this part of the root's betrays a touch point;
_SUSPICIOUS = fmpq(1, 2**10)
# one that is smaller still will not be decided.
_HOPELESS = fmpq(1, 2**60)
_GUESSES = 24
# A goal that takes more nodes than this to evaluate gets proportionally fewer boxes.
_USUAL_WORK = 1000
_HALF: Tree = ("q", 1, 2)


def boxes(statement: Statement, context: Context) -> Certificate:
    """Prove or refute an inequality on a bounded box of scalar parameters by subdivision; the budget counts boxes."""
    if statement.relation == "=":
        raise Rejected("boxes prove inequalities, not equations")
    with precision(PRECISION):
        root = root_box(statement.domain)
        if not names(statement.goal) <= root.keys():
            raise Rejected("a parameter of the goal is not bounded")
        share = min(1.0, _USUAL_WORK / work(statement.goal, midpoint(root)))
        return _Search(statement, root, context.touch_points).run(int(context.budget.boxes * share))


class _Search:
    def __init__(self, statement: Statement, root: Box, touch_points: Sequence[dict[str, Tree]]) -> None:
        self.statement = statement
        self.goal = Landscape(statement.goal, strict=statement.is_strict)
        self.kinds = {parameter["name"]: parameter for parameter in statement.domain["parameters"]}
        self.demands = relations(statement.domain)
        self.root = root
        self.points = [dict(point) for point in touch_points if self._is_point(point)]
        self.guesses = _GUESSES

    def run(self, budget: int) -> Certificate:
        tree: list[Any] = []
        open_nodes = deque([(tree, self.root)])
        spent = 0
        while open_nodes and spent < budget:
            spent += 1
            node, box = open_nodes.popleft()
            if leaf := self._leaf(box):
                node += leaf
                continue
            middle = {name: _exact(self._middle(name, side)) for name, side in box.items()}
            negative = self._negative(middle)
            if negative and refutes(self.statement, middle):
                raise Refuted(middle)
            name = self._axis(box, negative)
            if name is None:
                open_nodes.append((node, box))
                break
            parts: tuple[list[Any], list[Any]] = ([], [])
            node += ["split", name, *parts]
            sides = halves(self.kinds[name], box[name])
            open_nodes += [(part, {**box, name: side}) for part, side in zip(parts, sides, strict=True)]
        if open_nodes:
            raise Rejected(f"{len(open_nodes)} boxes undecided, one of them {_spelled(open_nodes[-1][1])}")
        return {"kind": "boxes", "points": self.points, "tree": tree}

    def _axis(self, box: Box, negative: bool) -> str | None:
        # The widest side; where the goal is negative only the domain can decide, so that all sides count.
        sides = [name for name, (low, high) in box.items() if low != high] if negative else self.goal.axes(box)
        name = max(sides, key=lambda name: self._part(box, name), default=None)
        return None if name is None or self._part(box, name) < _HOPELESS else name

    def _part(self, box: Box, name: str) -> fmpq:
        return _width(box[name]) / _width(self.root[name])

    def _leaf(self, box: Box) -> list[Any] | None:
        if self.goal.by_ball(box):
            return ["ball"]
        for k, demand in enumerate(self.demands):
            if self._outside(demand, box):
                return ["outside", k]
        if self.statement.is_strict:
            return None
        if self.goal.by_mean_value(box):
            return ["mean-value"]
        for k, point in enumerate(self.points):
            if self.goal.by_touch(box, point):
                return ["touch", k]
        return ["touch", len(self.points) - 1] if self._guess(box) else None

    def _outside(self, demand: Demand, box: Box) -> bool:
        try:
            return names(demand[0]) | names(demand[2]) <= box.keys() and fails(demand, box)
        except Undefined:
            return False

    # --- touch points --------------------------------------------------------------------------------

    def _is_point(self, point: Mapping[str, Tree]) -> bool:
        return names(self.goal.goal) <= point.keys() and not any(map(names, point.values()))

    def _guess(self, box: Box) -> bool:
        # The simplest numbers in a small undecided box, as a touch point that decides it.
        axes = sorted(names(self.goal.goal))
        if any(self._part(box, name) > _SUSPICIOUS for name in self.goal.axes(box)):
            return False
        for numbers in itertools.product(*(_simple_numbers(box[name]) for name in axes)):
            point = dict(zip(axes, numbers, strict=True))
            if self.guesses and self._may_vanish(point):
                self.guesses -= 1
                if self.goal.by_touch(box, point):
                    self.points.append(point)
                    return True
        return False

    def _may_vanish(self, point: Mapping[str, Tree]) -> bool:
        try:
            value = evaluate(self.goal.goal, {name: evaluate(tree, {}) for name, tree in point.items()})
        except Undefined:
            return False
        return bool(arb(value).contains(0))

    # --- points of the domain ------------------------------------------------------------------------

    def _negative(self, point: Mapping[str, int | Fraction]) -> bool:
        try:
            return bool(evaluate(self.goal.goal, point) < 0)
        except Undefined:
            return False

    def _middle(self, name: str, side: Interval) -> fmpq:
        if side[0] == side[1] or self.kinds[name]["range"] == "reals":
            return (side[0] + side[1]) / 2
        return halves(self.kinds[name], side)[0][1]


def _width(side: Interval) -> fmpq:
    return side[1] - side[0]


def _exact(value: fmpq) -> int | Fraction:
    return int(value.p) if value.q == 1 else Fraction(int(value.p), int(value.q))


def _simple_numbers(side: Interval) -> list[Tree]:
    # The simplest rational of an interval, and the root of the simplest rational among its squares.
    low, high = (Fraction(int(end.p), int(end.q)) for end in side)
    found = [rational(simplest(low, high))]
    if low > 0 or high < 0:
        squares = sorted((low * low, high * high))
        sign = rational(1 if low > 0 else -1)
        found.append(multiply(sign, ("^", rational(simplest(*squares)), _HALF)))
    return found


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """The number of smallest denominator in an interval, by continued fractions."""
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest(-high, -low)
    whole = math.ceil(low)
    if whole <= high:
        return Fraction(whole)
    return whole - 1 + 1 / simplest(1 / (high - whole + 1), 1 / (low - whole + 1))


def _spelled(box: Box) -> str:
    """A box in words."""
    return ", ".join(f"{name} in [{low}, {high}]" for name, (low, high) in sorted(box.items()))
