"""A swarm: corners of a domain and random points, moved many at once towards a violation, in floating point.

It speaks for claims whose sides are formulas of numbers: to evaluate these at a thousand points costs as much as at
ten. Moves follow what the swarm itself spans (differential evolution), so that they run along faces at which hypotheses
bind; what comes out on top is made exact and judged like any other point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from boundaudit.checks.evidence.batch import RECHECKING, Batch, Decision, Looked, score, violation
from boundaudit.checks.evidence.hills import climbed
from boundaudit.checks.evidence.nearby import made_exact
from boundaudit.checks.evidence.seeds import generator
from boundaudit.checks.evidence.surfaces import root_of, surfaces
from boundaudit.checks.language.arithmetic import effort
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.domain.faces import corners, is_scalar, related, vanishing
from boundaudit.checks.language.domain.limits import tree_of
from boundaudit.checks.language.expression import FOLDS, Tree, names, walk
from boundaudit.checks.language.floats import Array, evaluate_float, float_column, size_of
from boundaudit.checks.language.points import Point, columns
from boundaudit.checks.language.statement import Statement

SIZE = 256
"""Points of the swarm."""
CORNERS = 192
"""Corners at which it starts."""
EDGED = 4
"""Denominators and the like whose zeros are looked at, and corners from which they are."""
LONGEST = 400
"""Nodes of both sides beyond which a swarm costs too much."""
POLISHED = 24
"""Points that go to the tops beside them."""
FACES = 8
"""Faces on which points are moved, those with the most of them."""
_ON = 1e-6
"""How close to where a relation binds a point is on that face."""
FINISHED = 8
"""Points on top of the swarm that are made exact."""
_CLOSE = 1e-3
"""How close to a violation a point is worth a look at the simple numbers around it."""
_BINDING = 1e-12
"""How far beyond a relation a point may be, relative to the sizes of its terms, and count as on it."""
_OUTSIDE = -10.0
"""A score below that of any point of the domain: outside, what is less far out is better."""

REACHES = (6, 12, 24, 100)
"""Powers of ten out to which parts of a swarm go afar."""
CLOSEST = 12
"""Powers of ten down to which they go, closer to zero."""

_Table = dict[str, Array]


def swarm(claim: Claim, generations: int, seed: int) -> tuple[Looked, list[tuple[Point, float]]]:
    """Move a swarm so many times; what became of the points on top, and these with their scores.

    Nothing where a side has no definition or the parameters are not numbers.
    """
    statement = claim.statement_form
    if statement is None or not is_scalar(claim.domain) or not _is_short(statement):
        return Looked(claim), []
    found = corners(claim.domain, CORNERS)
    found = (*found, *vanishing(claim.domain, _edges(statement), found[:EDGED]))
    flight = _flown(lambda: _Swarm(claim, statement, found, seed), generations)
    tops = [*found, *(point for row, near in flight.tops() for point in made_exact(claim.domain, row, found, near))]
    if not tops:
        return Looked(claim), []
    batch = Batch.defined(claim, statement, tops)
    with effort(RECHECKING):
        # Nothing is measured here: floats that cancel are no measurement that strays from its definition.
        decision = replace(batch.decide(), astray=0)
    order = np.argsort(-batch.score, kind="stable")[:FINISHED]
    looked = Looked(claim, decision, None if claim.is_measured else batch.worst(), flight.looked)
    return looked, [(tops[i], float(batch.score[i])) for i in order]


def swarm_afar(claim: Claim, generations: int, seed: int) -> Looked:
    """Move a swarm through sizes: far out, or close to zero, in several parameters at once.

    Only what refutes the claim counts; nothing where all ranges are finite or `swarm` has nothing to say.
    """
    statement, ranges = claim.statement_form, claim.domain.ranges.values()
    endless = any(None in (found.low, found.high) for found in ranges if isinstance(found, (Integers, Reals)))
    if statement is None or not endless or not is_scalar(claim.domain) or not _is_short(statement):
        return Looked(claim)
    flight = _flown(lambda: _Afar(claim, statement, (), seed), generations)
    tops = [point for row, _ in flight.tops() for point in made_exact(claim.domain, row, (), thorough=False)]
    with effort(RECHECKING):
        found = Batch.defined(claim, statement, tops).decide()
    # That far out floats cancel: what balls leave open counts for nothing.
    return Looked(claim, Decision(found.witness, valueless=found.valueless), count=flight.looked)


def _flown(start: Callable[[], _Swarm], generations: int) -> _Swarm:
    """A swarm that was moved so often, and polished."""
    with np.errstate(all="ignore"):
        flight = start()
        for _ in range(generations):
            flight.move()
        flight.polish()
    return flight


def _is_short(statement: Statement) -> bool:
    """Whether both sides are cheap: no sum, and not too many nodes."""
    nodes = [node[0] for side in (statement.left, statement.right) for node in walk(side)]
    return not {*FOLDS} & {*nodes} and len(nodes) <= LONGEST


def _edges(statement: Statement) -> list[Tree]:
    """Whose zeros matter: denominators, arguments of roots and logarithms, and of absolute values, which have kinks."""
    nodes = (node for side in (statement.left, statement.right) for node in walk(side))
    edged = [node[1] for node in nodes if node[0] in ("log", "abs") or (node[0] == "^" and _is_partial(node[2]))]
    return list(dict.fromkeys(tree for tree in edged if names(tree)))[:EDGED]


def _steep(statement: Statement) -> list[Tree]:
    """What exponentials and negative powers are taken of."""
    nodes = [node for side in (statement.left, statement.right) for node in walk(side)]
    inner = [node[1] for node in nodes if node[0] == "exp" or (node[0] == "^" and node[2][0] == "q" and node[2][1] < 0)]
    return list(dict.fromkeys(tree for tree in inner if names(tree)))[:EDGED]


def _is_partial(exponent: Tree) -> bool:
    """Whether a power with this exponent has no value somewhere."""
    return exponent[0] != "q" or bool(exponent[1] < 0 or exponent[2] != 1)


class _Swarm:
    """Points as columns of floats, with their scores."""

    flocks = 2
    """Parts of the swarm that follow their own best rows."""

    def __init__(self, claim: Claim, statement: Statement, found: Sequence[Point], seed: int) -> None:
        self.claim, self.statement, self.domain = claim, statement, claim.domain
        self.rng = generator(seed, claim.label, "swarm")
        self.related = related(self.domain)
        self.looked = 0
        self.names = list(self.domain.ranges)
        self.real = [name for name in self.names if isinstance(self.domain.ranges[name], Reals)]
        self.ends = {name: _ends(self.domain, name) for name in self.names}
        drawn = self._drawn(SIZE if not found else SIZE - min(len(found), CORNERS))
        self.surfaces = surfaces(self.related, drawn)
        table = columns(found) if found else None
        starts = {
            name: drawn[name] if table is None else np.concatenate([table[name].astype(float), drawn[name]])
            for name in self.names
        }
        hills = [self._hilltops(starts), *self._inner(starts)]
        self.table = {name: np.concatenate([starts[name], *(found[name] for found in hills)]) for name in self.names}
        self.flock = np.arange(len(self.table[self.names[0]])) % self.flocks
        self.score = self._scores(self.table)

    def _drawn(self, count: int) -> _Table:
        """Random points of the ranges, whatever the relations say: evenly, and by size."""
        table: _Table = {}
        for name in self.names:
            found = self.domain.ranges[name]
            if isinstance(found, Choices):
                table[name] = self.rng.choice([float(v) for v in found.values.values()], count)
                continue
            low, high = self._limits(name, table, count)
            even = low + self.rng.random(count) * (high - low)
            size = 10.0 ** self.rng.uniform(-3, np.log10(max(10.0, getattr(found, "tested_to", 100))), count)
            sized = np.where(self.rng.random(count) < 0.5, 1, -1) * size
            table[name] = self._fitted(name, np.where(self.rng.random(count) < 0.5, even, sized), table)
        return table

    def _limits(self, name: str, table: Mapping[str, Array], count: int) -> tuple[Array, Array]:
        """The ends of a range at every row, and how far is looked where there is none."""
        reach = float(getattr(self.domain.ranges[name], "tested_to", 0))
        low, high = (None if end is None else float_column(end, table, count) for end in self.ends[name])
        first = (np.full(count, -reach) if high is None else np.minimum(-reach, high - reach)) if low is None else low
        return first, np.maximum(reach, first + reach) if high is None else high

    def _fitted(self, name: str, values: Array, table: Mapping[str, Array]) -> Array:
        """Values brought into their range, integers where they have to be; NaN where the range is empty."""
        found = self.domain.ranges[name]
        if isinstance(found, Choices):
            known = np.array([float(v) for v in found.values.values()])
            return np.asarray(known[np.argmin(np.abs(values[:, None] - known), axis=1)])
        low, high = (None if end is None else evaluate_float(end, table) for end in self.ends[name])
        if isinstance(found, Integers):
            values = np.round(values)
            low, high = (None if low is None else np.ceil(low)), (None if high is None else np.floor(high))
        values = values if high is None else np.minimum(values, high)
        values = values if low is None else np.maximum(values, low)
        return values if high is None else np.where(values > high, np.nan, values)

    def _scores(self, table: Mapping[str, Array]) -> Array:
        """How close each row comes to a violation; outside of the domain, how far out it is."""
        # Every second row by the ratio of the sides, which knows no scale, the others by their difference, which does
        # not jump where a side changes its sign.
        count, (left, right) = len(table[self.names[0]]), self._sides(table)
        claim = self.claim
        gap = violation(claim.relation, left, right, claim.scale)
        ratio = score(claim.relation, left, right, gap, claim.rounding, claim.scale)
        outside = self._outside(table, count)
        self.looked += int((np.isfinite(gap) & (outside == 0)).sum())
        close = np.where(self.flock % 2 == 0, ratio, gap)
        close = np.where(np.isfinite(close), close, _OUTSIDE / 2)
        return np.where(outside > 0, _OUTSIDE - np.minimum(outside, 1e6), close)

    def _outside(self, table: Mapping[str, Array], count: int) -> Array:
        """How far each row is from satisfying the relations; 0 where it does, and where no range is empty."""
        out = np.zeros(count)
        for name in self.names:
            inside = np.isfinite(table[name]) & (table[name] == self._fitted(name, table[name], table))
            out = out + np.where(inside, 0.0, 1e6)
        for slack in self.related:
            value = float_column(slack, table, count)
            size = np.maximum(np.broadcast_to(size_of(slack, table), (count,)), 1e-300)
            beyond = np.where(np.isfinite(value), -value / size, 1e6)
            out = out + np.where(beyond > _BINDING, beyond, 0.0)
        return out

    def move(self) -> None:
        """One generation: every row goes to its child where that is better."""
        rng, count = self.rng, len(self.score)
        first, second, third = (rng.integers(count, size=count) for _ in range(3))
        ranked = [np.flatnonzero(self.flock == which) for which in range(self.flocks)]
        ranked = [rows[np.argsort(-self.score[rows], kind="stable")][: max(1, len(rows) // 8)] for rows in ranked]
        best = np.choose(self.flock, [rows[rng.integers(len(rows), size=count)] for rows in ranked])
        kind = rng.random(count)
        factor = rng.choice([0.1, 0.5, 0.9], count)
        step = 10.0 ** rng.uniform(-9, 0, count)
        alone = rng.integers(len(self.names), size=count)
        child: _Table = {}
        for place, name in enumerate(self.names):
            old = self._spread(self.table[name])
            moved = (alone == place) | (rng.random(count) < 0.5)
            here = old + factor * (old[best] - old) + factor * (old[first] - old[second])
            spread = np.abs(old[first] - old[second])
            here = np.where(
                kind < 0.55, here, old + step * rng.standard_normal(count) * np.maximum(np.abs(old), spread)
            )
            here = np.where(kind > 0.85, old[third], here)
            whole = isinstance(self.domain.ranges[name], Integers)
            here = np.where((kind > 0.7) & (kind < 0.85) & whole, old + rng.integers(-2, 3, count), here)
            gathered = self._gathered(np.where(moved & np.isfinite(here), here, old))
            child[name] = self._fitted(name, np.where(moved, gathered, self.table[name]), child)
        if self.related:
            child = self._bound(child)
        scores = self._scores(child)
        better = scores >= self.score
        self.table = {name: np.where(better, child[name], self.table[name]) for name in self.names}
        self.score = np.where(better, scores, self.score)

    def _spread(self, values: Array) -> Array:
        """Values on the scale on which they are moved."""
        return values

    def _gathered(self, scaled: Array) -> Array:
        """Back from there."""
        return scaled

    def _bound(self, table: _Table) -> _Table:
        """Some rows moved to where relations bind, one after the other, each along a parameter of its own."""
        rng, count = self.rng, len(self.score)
        often = rng.choice([0.0, 0.2, 0.9], count)
        used: set[str] = set()
        for place in rng.permutation(len(self.surfaces)):
            slack, always = self.surfaces[place]
            free = sorted(names(slack).intersection(self.real) - used)
            if not free:
                continue
            name = free[rng.integers(len(free))]
            used.add(name)
            chosen = always | (evaluate_float(slack, table) < 0) | (rng.random(count) < often)
            root = root_of(slack, name, table, np.where(rng.random(count) < 0.3, -1.0, 1.0))
            fitted = self._fitted(name, np.where(chosen & np.isfinite(root), root, table[name]), table)
            table = {**table, name: fitted}
        return table

    def _hilltops(self, table: _Table) -> _Table:
        """The points of some columns moved to the tops beside them, each along its face: the highest of these."""
        count = len(table[self.names[0]])
        faces = np.zeros((count, len(self.surfaces) + len(self.real)), dtype=bool)
        for k, (slack, _) in enumerate(self.surfaces):
            faces[:, k] = np.abs(evaluate_float(slack, table)) <= _ON * size_of(slack, table)
        for k, name in enumerate(self.real, len(self.surfaces)):
            ends = [evaluate_float(end, table) for end in self.ends[name] if end is not None]
            faces[:, k] = (
                np.any([np.broadcast_to(table[name] == end, (count,)) for end in ends], axis=0) if ends else False
            )
        kinds, kind = np.unique(faces, axis=0, return_inverse=True)
        moved = {name: column.copy() for name, column in table.items()}
        for which in np.argsort(-np.bincount(kind), kind="stable")[:FACES]:
            rows = np.flatnonzero(kind == which)
            part = self._on_face({name: table[name][rows] for name in self.names}, kinds[which])
            for name in self.names:
                moved[name][rows] = part[name]
        height = self._height(moved)
        best = np.argsort(-np.where(np.isfinite(height), height, -np.inf), kind="stable")[:POLISHED]
        return {name: moved[name][best] for name in self.names}

    def _inner(self, table: _Table) -> Iterator[_Table]:
        """Some points moved to where the argument of a steep function is largest, or smallest: it is flat elsewhere."""
        first = {name: table[name][:POLISHED] for name in self.names}
        for tree in _steep(self.statement) if self.real else ():
            for turn in (1.0, -1.0):

                def height(moved: Mapping[str, Array], tree: Tree = tree, turn: float = turn) -> Array:
                    return self._inside(turn * evaluate_float(tree, moved), moved)

                yield climbed(height, first, self.real)

    def _inside(self, height: Array, table: Mapping[str, Array]) -> Array:
        """A height, and NaN outside of the domain."""
        count = len(table[self.names[0]])
        return np.where(self._outside(table, count) > 0, np.nan, np.broadcast_to(height, (count,)))

    def _on_face(self, table: _Table, binds: Array) -> _Table:
        """Points of one face moved to the tops beside them: what binds is solved for parameters that follow."""
        free = [name for name, at_end in zip(self.real, binds[len(self.surfaces) :], strict=True) if not at_end]
        follow: list[tuple[Tree, str]] = []
        for (slack, _), on in zip(self.surfaces, binds, strict=False):
            of = [name for name in free if name in names(slack)]
            if on and of:
                follow.append((slack, of[self.rng.integers(len(of))]))
                free.remove(follow[-1][1])
        if not free:
            return table

        def onto(moved: Mapping[str, Array]) -> _Table:
            found = dict(moved)
            for slack, name in follow:
                found[name] = root_of(slack, name, found, np.ones(len(found[name])))
            return found

        return onto(climbed(lambda moved: self._height(onto(moved)), table, free))

    def polish(self) -> None:
        """The best rows moved to the tops beside them, within their ranges and relations."""
        best = np.argsort(-self.score, kind="stable")[:POLISHED]
        hills = self._hilltops({name: self.table[name][best] for name in self.names})
        worst = np.argsort(self.score, kind="stable")[: len(best)]
        for name in self.names:
            self.table[name][worst] = hills[name]
        self.score = self._scores(self.table)

    def _height(self, table: Mapping[str, Array]) -> Array:
        """How far the claim is violated, as a smooth function where it is one; NaN outside of the domain."""
        left, right = self._sides(table)
        beyond = {"<=": left - right, ">=": right - left, "=": np.abs(left - right)}[self.claim.relation]
        return self._inside(beyond, table)

    def _sides(self, table: Mapping[str, Array]) -> tuple[Array, Array]:
        count = len(table[self.names[0]])
        return float_column(self.statement.left, table, count), float_column(self.statement.right, table, count)

    def tops(self) -> Iterator[tuple[Point, bool]]:
        """The best rows, far enough apart to be different points, and whether they nearly violate the claim."""
        seen: set[tuple[str, ...]] = set()
        for i in np.argsort(-self.score, kind="stable"):
            if len(seen) >= FINISHED or self.score[i] <= _OUTSIDE:
                return
            row = {name: float(self.table[name][i]) for name in self.names}
            key = tuple(f"{value:.3g}" for value in row.values())
            if key not in seen:
                seen.add(key)
                yield row, bool(self.score[i] > -_CLOSE)


class _Afar(_Swarm):
    """A swarm on a scale of sizes, each part within a reach of its own, as floats lose more digits further out."""

    flocks = 2 * len(REACHES)

    def _drawn(self, count: int) -> _Table:
        """Random points, many of them far out or close to zero in several parameters at once."""
        table = super()._drawn(count)
        for name in self.names:
            size = self.rng.uniform(-1, 1, count) * (self._reach(count) + CLOSEST)
            values = self._gathered(size)
            low, _ = self._limits(name, table, count)
            values = np.where(values < low, -values, values)
            table[name] = self._fitted(name, np.where(self.rng.random(count) < 0.8, values, table[name]), table)
        return table

    def _spread(self, values: Array) -> Array:
        return np.asarray(np.sign(values) * np.maximum(0.0, np.log10(np.abs(values)) + CLOSEST))

    def _gathered(self, scaled: Array) -> Array:
        size = np.minimum(np.abs(scaled), self._reach(len(scaled)) + CLOSEST)
        return np.where(size > 0, np.sign(scaled) * 10.0 ** (size - CLOSEST), 0.0)

    def _reach(self, count: int) -> Array:
        """The powers of ten that each row may reach."""
        return np.array(REACHES)[np.arange(count) % self.flocks // 2]


def _ends(domain: Domain, name: str) -> tuple[Tree | None, Tree | None]:
    found = domain.ranges[name]
    return (None, None) if isinstance(found, Choices) else (tree_of(found.low), tree_of(found.high))  # type: ignore[union-attr]
