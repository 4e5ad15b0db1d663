"""Expressions whose parts occur more than once, evaluated with each distinct part once.

A squared norm written row by row repeats its output, its weights and its inner products hundreds of times. A
`Dag` holds every distinct part of a tree once and remembers its value: inside a sum for as long as the indices that
the part depends on keep theirs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from boundaudit.checks.language.expression import BRANCHES, FOLDS, Tree, children

LARGE = 300
"""Nodes of a tree below which sharing does not pay."""


class Node(NamedTuple):
    """One distinct part.

    Attributes:
        tree: The part itself.
        parts: Where its sub-trees stand in the dag, in the order of `children`.
        indices: The sums around it on whose index it depends, counted outwards from 0.
        innermost: The first of these, which decides how long a value lasts; -1 where there is none.
    """

    tree: Tree
    parts: tuple[int, ...]
    indices: frozenset[int]
    innermost: int


Combine = Callable[[Tree, list[Any], Mapping[str, Any]], Any]
"""From a node that is no sum and no index, the values of its sub-trees and the point to its value."""
Total = Callable[[str, Any, Any, Callable[[Any], Any]], Any]
"""From the head of a sum or a product, its limits, and the way from an index to the value of its body, to its own."""


Branch = Callable[[str, Any, Sequence[Callable[[], Any]]], Any]
"""From the head of a branch, the value of its condition and the ways to those of its sub-trees to its value."""


class Dag:
    """The distinct parts of a tree, sub-trees before what they are part of.

    Args:
        tree: The expression.
    """

    def __init__(self, tree: Tree) -> None:
        self.nodes: list[Node] = []
        self.size = 0
        self._add(tree, {}, [])

    def _add(self, tree: Tree, places: dict[Tree, int], sizes: list[int]) -> int:
        known = places.get(tree)
        if known is not None:
            return known
        parts = tuple(self._add(part, places, sizes) for part in children(tree))
        used = [self.nodes[part].indices for part in parts]
        if tree[0] in FOLDS:
            used[2] = frozenset(k - 1 for k in used[2] if k)
        indices = frozenset({tree[1]}) if tree[0] == "b" else frozenset[int]().union(*used)
        self.nodes.append(Node(tree, parts, indices, min(indices, default=-1)))
        sizes.append(1 + sum(sizes[part] for part in parts))
        places[tree] = len(self.nodes) - 1
        self.size = sizes[-1]
        return places[tree]

    def value(self, point: Mapping[str, Any], combine: Combine, total: Total, branch: Branch | None = None) -> Any:
        """The value of the whole tree.

        Args:
            point: Values by parameter name.
            combine: Evaluates a node that is no sum and no index.
            total: Evaluates a sum.
            branch: Evaluates a branch; `combine` does, with all its sub-trees, where there is none.

        Returns:
            What the two make of it.
        """
        caches: list[tuple[Any, dict[int, Any]]] = [(None, {})]
        """For the whole tree, then for each sum around from the outermost: its index, and values by place."""
        nodes = self.nodes

        def of(place: int) -> Any:
            tree, parts, _, innermost = nodes[place]
            index, cache = caches[-1 - innermost] if innermost >= 0 else caches[0]
            if place not in cache:
                if tree[0] == "b":
                    cache[place] = index
                elif tree[0] in FOLDS:
                    cache[place] = summed(tree[0], *parts)
                elif branch is not None and tree[0] in BRANCHES:
                    cache[place] = branch(tree[0], of(parts[0]), [partial(of, part) for part in parts[1:]])
                else:
                    cache[place] = combine(tree, [of(part) for part in parts], point)
            return cache[place]

        def summed(head: str, low: int, high: int, body: int) -> Any:
            def at(index: Any) -> Any:
                caches.append((index, {}))
                try:
                    return of(body)
                finally:
                    caches.pop()

            return total(head, of(low), of(high), at)

        return of(len(self.nodes) - 1)


@functools.lru_cache(maxsize=256)
def shared(tree: Tree) -> Dag | None:
    """The dag of a tree in which sharing pays.

    Args:
        tree: The expression.

    Returns:
        None for a small tree, and for one whose parts hardly repeat.
    """
    dag = Dag(tree)
    return dag if dag.size >= max(LARGE, 2 * len(dag.nodes)) else None
