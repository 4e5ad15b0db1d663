"""Hypotheses that compare atoms of a goal with each other: sums over the same index, and logarithms.

Inequalities between sums (Cauchy-Schwarz, one term against all, squares against the square) are offered for the
bodies that the goal's own sums suggest, and kept where they speak of no other sum.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from boundaudit.checks.language.algebra.ring import Atom, Rejected
from boundaudit.checks.language.expression import ONE, Tree, is_closed, multiply, subtract, walk
from boundaudit.checks.proof.engine import closed, factors_in, quotient
from boundaudit.checks.proof.kernel.domains import Domain
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses

_BODIES = 8
_COMPARED = 4
_HALF = ("q", 1, 2)
_INDEX = ("b", 0)


def comparisons(domain: Domain, atoms: Sequence[Atom]) -> list[Any]:
    """Labels, each of which the checker can derive, of hypotheses about several atoms of a goal at once."""
    keys = [atom.key for atom in atoms]
    nodes = dict.fromkeys(node for key in keys for node in walk(key))
    sums = closed(keys, "sum")
    logs = [key[1] for key in keys if key[0] == "log"]
    about_sums = [label for label in _about_sums(sums, nodes) if _is_known(domain, label, set(sums))]
    about_logs = _about_logarithms(logs) if len(logs) <= _COMPARED else ()
    powers = [key for key in keys if key[0] == "exp"]
    about_powers = itertools.permutations(powers, 2) if len(powers) <= _COMPARED else ()
    rest = [*about_logs, *(["tangent", quotient(a, b)] for a, b in about_powers)]
    if any(argument[0] == "sum" for argument in logs):
        rest += [["log", label] for label in about_sums if label[0] == "part"]
    if any(key[0] == "^" and key[2] == _HALF and any(node in sums for node in walk(key)) for key in keys):
        rest += [label for given in about_sums if given[0] == "cauchy" for label in _rooted(given)]
    return [*about_sums, *(label for label in rest if _is_known(domain, label, set(sums)))]


def _about_sums(sums: Sequence[Tree], nodes: Iterable[Tree]) -> Iterator[Any]:
    for total in sums:
        vectors = {node[1] for node in walk(total[3]) if node[0] == "item"}
        entries = [node for node in nodes if node[0] == "item" and node[1] in vectors]
        for index in sorted({entry[2] for entry in entries if is_closed(entry)}, key=repr):
            yield ["part", total, index]
    for limits in sorted({total[1:3] for total in sums}, key=repr):
        bodies = _factors([total[3] for total in sums if total[1:3] == limits])[:_BODIES]
        for body in bodies:
            yield ["squares", ("sum", *limits, body)]
        for pair in (*itertools.combinations_with_replacement([*bodies, ONE], 2), *_weighted(sums, limits)):
            yield ["cauchy", *(("sum", *limits, body) for body in pair)]


def _weighted(sums: Sequence[Tree], limits: Sequence[Tree]) -> Iterator[tuple[Tree, Tree]]:
    """What Cauchy-Schwarz is used for with weights that sums share: their roots times entries, and roots of bodies."""
    products = [total[3] for total in sums if total[1:3] == limits and total[3][0] == "*"]
    shared = {factor for body in products for factor in body[1:] if factor[0] == "item"}
    for weight in sorted((each for each in shared if sum(each in body for body in products) > 1), key=repr):
        items = {node for body in products for node in walk(body) if node[0] == "item" and is_closed(node, 1)}
        entries = sorted(items - {weight}, key=repr)
        root = ("^", weight, _HALF)
        bodies = [multiply(root, entry) for entry in entries[:_BODIES]]
        yield from itertools.combinations([*bodies, root], 2)
        differences = (subtract(*pair) for pair in itertools.combinations(entries[:_COMPARED], 2))
        yield from ((multiply(root, difference), root) for difference in differences)
        yield from itertools.combinations([("^", body, _HALF) for body in products[:_COMPARED]], 2)


def _rooted(label: Any) -> Iterator[Any]:
    """|Σ a b| ≤ √(Σ a²) √(Σ b²), and Σ a b ≤ |Σ a b|."""
    _, one, other = label
    product = ("sum", *one[1:3], multiply(one[3], other[3]))
    yield from (["power", label, _HALF], ["above", product], ["below", product])


def _factors(bodies: Sequence[Tree]) -> list[Tree]:
    """Whose products the bodies may be: entries and their sizes; of a body that is no product of these, its root."""
    found: set[Tree] = set()
    for body in bodies:
        nodes = [node for node in walk(body) if is_closed(node, 1)]
        simple = {node for node in nodes if node[0] == "abs" or (node[0] == "item" and _INDEX in node[2:])}
        powers = all(
            factor[0] in ("item", "abs", "q") or (factor[0] == "^" and factor[1] in simple)
            for factor in factors_in(body)
        )
        found |= simple if powers else {body, ("^", body, _HALF)}
    return sorted(found, key=lambda tree: (len(repr(tree)), repr(tree)))


def _about_logarithms(arguments: Sequence[Tree]) -> Iterator[Any]:
    """Tangents and the Padé bound of quotients."""
    for rule in ("tangent", "pade"):
        yield from ([rule, quotient(a, b)] for a, b in itertools.permutations(arguments, 2))


def _is_known(domain: Domain, label: Any, known: set[Tree]) -> bool:
    """Whether a hypothesis holds and speaks of known sums only."""
    hypotheses = Hypotheses(domain)
    try:
        value = hypotheses.excess(label)[0]
    except Rejected:
        return False
    used = hypotheses.form.used(value.num * value.den)
    return set(closed([hypotheses.form.atoms[position].key for position in used], "sum")) <= known
