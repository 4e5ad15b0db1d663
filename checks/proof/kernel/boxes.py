"""What the checker accepts of a cover by boxes, each leaf of which ball arithmetic decides.

The bounded scalar parameters of the domain span a root box with rational ends. A
certificate is a binary subdivision of it whose boxes nobody can state wrongly,
because every ``split`` halves its box at the midpoint (integers and choices at the
gap next to it) and the checker derives all ends itself::

    {"kind": "boxes", "points": [{name: tree, …}, …], "tree": node}

    node = ["split", name, node, node]   the lower half, the upper half
         | ["ball"]                      the goal's ball over the box is non-negative
         | ["mean-value"]                its second-order Taylor form at the midpoint is
         | ["touch", k]                  the goal vanishes at points[k] and rises from there
         | ["outside", k]                relation k of the domain fails on the whole box
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from flint import fmpq

from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.arithmetic import Ball, evaluate, precision
from boundaudit.checks.language.expression import Tree, from_json, names
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.domains import Domain
from boundaudit.checks.proof.kernel.landscape import Box, Interval, Landscape, balls

Demand: TypeAlias = tuple[str, Tree, Tree]

PRECISION = 128


def relations(domain: Domain) -> list[Demand]:
    """The comparisons of a domain: its ``where`` first, then the ends of integers and reals."""
    found = [(relation, from_json(left), from_json(right)) for relation, left, right in domain["where"]]
    for parameter in domain["parameters"]:
        if parameter["range"] in {"integers", "reals"}:
            opens = parameter.get("open", (False, False))
            for side, sign, is_open in zip(("low", "high"), "><", opens, strict=True):
                if parameter[side] is not None:
                    relation = sign if is_open else sign + "="
                    found.append((relation, ("v", parameter["name"]), from_json(parameter[side])))
    return found


def root_box(domain: Domain) -> Box:
    """A box with rational ends that certainly contains the domain's bounded scalar parameters."""
    # Ends that are irrational or vary with earlier parameters are rounded outwards; unbounded
    # parameters, empty ranges, vectors and subsets are left out.
    box: Box = {}
    for parameter in domain["parameters"]:
        ends = _ends(parameter)
        if ends and all(end is not None and names(end) <= box.keys() for end in ends):
            values = [evaluate(end, balls(box)) for end in ends if end is not None]
            low, high = _outwards(values[0])[0], _outwards(values[-1])[1]
            if parameter["range"] == "integers":
                low, high = fmpq(low.ceil()), fmpq(high.floor())
            if low <= high:
                box[parameter["name"]] = (low, high)
    return box


def _ends(parameter: Mapping[str, Any]) -> list[Tree | None]:
    if parameter["range"] == "choices":
        return [*sorted(map(from_json, parameter["values"]), key=lambda v: Fraction(v[1], v[2]))]
    found = [parameter["low"], parameter["high"]] if parameter["range"] in {"reals", "integers"} else []
    return [None if end is None else from_json(end) for end in found]


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
    relation, *sides = demand
    left, right = (evaluate(side, balls(box)) for side in sides)
    return bool({"<=": left > right, "<": left >= right, ">=": left < right, ">": left <= right}[relation])


def spelled(box: Box) -> str:
    """A box in words."""
    return ", ".join(f"{name} in [{low}, {high}]" for name, (low, high) in sorted(box.items()))


def check_boxes(statement: Statement, certificate: Mapping[str, Any]) -> None:
    """Accept a cover of the root box by boxes on which the goal is non-negative, or raise."""
    if statement.relation == "=":
        raise Rejected("boxes prove inequalities, not equations")
    goal = Landscape(statement.goal, strict=statement.is_strict)
    kinds = {parameter["name"]: parameter for parameter in statement.domain["parameters"]}
    points = [{name: _closed(tree) for name, tree in point.items()} for point in certificate["points"]]
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
                raise Rejected(f"leaf {node} does not hold on {spelled(box)}")


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


def _closed(data: object) -> Tree:
    tree = from_json(data, "touch point")
    if names(tree):
        raise Rejected("a touch point must be a constant")
    return tree
